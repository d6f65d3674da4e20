# SPDX-License-Identifier: MIT
# Helpers for the tests of the command line. A test is `bash NAME_test.sh GULLY SOURCE`: the program
# and the root of the source. It works in $scratch, which goes away with it.
set -u
gully=$(realpath "$1")
source_root=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

show() {
    echo "  stdout: $(head -c 600 "$scratch/out")" >&2
    echo "  stderr: $(head -c 600 "$scratch/err")" >&2
}

# expect_exit CODE COMMAND...: runs it; what it prints is in $scratch/out and $scratch/err.
expect_exit() {
    local wanted=$1 code=0
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || code=$?
    last_command="$*"
    if [ "$code" != "$wanted" ]; then
        fail "exit $code instead of $wanted: $last_command"
        show
    fi
}

# The last command printed this (an extended regular expression) to stdout / to stderr.
expect_out() {
    grep -Eq -- "$1" "$scratch/out" || { fail "no '$1' on stdout: $last_command"; show; }
}
expect_err() {
    grep -Eq -- "$1" "$scratch/err" || { fail "no '$1' on stderr: $last_command"; show; }
}
expect_silent() { # out or err
    [ ! -s "$scratch/$1" ] || { fail "something on std$1: $last_command"; show; }
}
expect_in() { # FILE PATTERN
    grep -Eq -- "$2" "$1" || fail "no '$2' in $1"
}
expect_file() {
    [ -s "$1" ] || fail "$1 is missing or empty"
}
expect_no_file() {
    [ ! -e "$1" ] || fail "$1 should not be there"
}
# No temporary has been left in a folder.
expect_no_temporaries() {
    local left
    left=$(find "$1" -name '*.tmp' -o -name '*.tmp.*')
    [ -z "$left" ] || fail "left behind: $left"
}

# The value of a key at the top level of indented JSON.
json_value() { # FILE KEY
    sed -nE "s/^  \"$2\": (.*[^,]),?\$/\1/p" "$1" | head -n 1
}

outputs="terrain.tif water.tif sediment.tif flow.tif wear.tif deposit.tif preview.png report.json"
expect_outputs() { # FOLDER
    local name
    for name in $outputs; do expect_file "$1/$name"; done
    expect_no_temporaries "$1"
}

# A small scene of its own, quick to run.
write_scene() { # FILE [SIDE] [STEPS]
    cat >"$1" <<JSON
{
  "gully": 1,
  "terrain": {"generate": "mountains", "width": ${2:-64}, "height": ${2:-64}, "relief": 60},
  "cell_size": [10, 10],
  "model": "pipe",
  "thermal": {},
  "rain": {"rate": 1e-3},
  "boundary": {"east": "open"},
  "steps": ${3:-40}
}
JSON
}

# skip WHY: what needs a client that is not there is left out, unless GULLY_CLIENTS is set (make test-clients).
skip() {
    if [ -n "${GULLY_CLIENTS:-}" ]; then fail "$*"; else echo "skipped: $*"; fi
}
has_client() { # PROGRAM
    command -v "$1" >/dev/null && return
    skip "no $1, which make test-clients installs"
    return 1
}

# npm_package NAME VERSION: fetches it once into the build tree, where its folder is $npm_folder; npm.log says what went wrong.
npm_package() {
    local cache
    cache="$(dirname "$gully")/$1"
    npm_folder="$cache/node_modules/$1"
    [ -f "$npm_folder/package.json" ] && return
    mkdir -p "$cache"
    echo '{"private": true}' >"$cache/package.json"
    npm install --prefix "$cache" --no-package-lock --no-audit --no-fund --fetch-retries=1 "$1@$2" >npm.log 2>&1
}

finish() {
    [ "$failures" = 0 ] || { echo "$failures failed" >&2; exit 1; }
    echo "passed"
    exit 0
}
