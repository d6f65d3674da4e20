# SPDX-License-Identifier: MIT
# Help, version, and everything that can be said wrongly.
source "$(dirname "$0")/lib.sh" "$@"

commands="run render convert generate mesh maps demo replay models info compare bench devices help version"

# Without words: short help, on stdout, that names every command.
expect_exit 0 "$gully"
expect_silent err
for command in $commands; do expect_out "^  $command +[a-z]"; done
cp out help.txt
expect_exit 0 "$gully" --help
cmp -s out help.txt || fail "--help differs from plain gully"
expect_exit 0 "$gully" help
cmp -s out help.txt || fail "help differs from plain gully"

version=$(sed -nE 's/.*GULLY_VERSION "(.*)"/\1/p' "$source_root/include/gully/status.h")
for word in version --version -V; do
    expect_exit 0 "$gully" $word
    [ "$(cat out)" = "gully $version" ] || fail "$word prints $(cat out)"
done

# Every command explains itself, in 80 columns.
for command in $commands; do
    expect_exit 0 "$gully" "$command" --help
    expect_out "^Usage: gully $command"
    expect_silent err
    [ "$(LC_ALL=C.UTF-8 awk '{ if (length($0) > 80) print }' out)" = "" ] || fail "$command --help is too wide"
    cp out help.txt
    expect_exit 0 "$gully" help "$command"
    cmp -s out help.txt || fail "help $command differs from $command --help"
done
expect_exit 2 "$gully" help nonsense

# The man page names every command and every option.
expect_exit 0 "$gully" help --man
expect_out '^\.TH GULLY 1 '
for command in $commands; do expect_out "^\.SS gully $command"; done
expect_out '\\-\\-tolerance T'
if command -v man >/dev/null; then
    cp out gully.1
    expect_exit 0 man --warnings -l gully.1
    expect_silent err
fi

# Wrong words: exit 2, a message on stderr that says what there is, nothing on stdout.
wrong() { # PATTERN WORDS...
    local pattern=$1
    shift
    expect_exit 2 "$gully" "$@"
    expect_silent out
    expect_err "^gully: "
    expect_err "$pattern"
}
wrong "unknown command 'erode'.*run.*models" erode
wrong "did you mean compare" compair
wrong "unknown command '--stpes'" --stpes
wrong "SCENE is missing" run
wrong "output is missing" run scene.json
wrong "output wants an argument" run scene.json -o
wrong "output wants an argument" run scene.json -o --quiet
wrong "did you mean --steps.*--threads" run scene.json -o d --stpes 5
wrong "unknown option '-x'.*--output" run scene.json -x
wrong "steps wants a whole number.*'many'" run scene.json -o d --steps many
wrong "steps wants a whole number.*'1.5'" run scene.json -o d --steps=1.5
wrong "steps wants a whole number.*'-1'" run scene.json -o d --steps -1
wrong "steps wants a whole number" run scene.json -o d --steps 99999999999999999999
wrong "threads wants a whole number from 1 to" run scene.json -o d --threads 0
wrong "quiet takes no argument" run scene.json -o d --quiet=yes
wrong "backend wants one of cpu\|gpu\|auto" run scene.json -o d --backend tpu
wrong "contradict" run scene.json -o d --backend cpu --device any
wrong "'b' is one word too many" info a b
wrong "B is missing" compare a
wrong "tolerance wants a number" compare a b --tolerance=-1
wrong "tolerance wants a number" compare a b --tolerance nan
wrong "no 'pip'.*did you mean pipe.*thermal" models pip
wrong "no law 'x'.*pipe" bench --law x
wrong "size wants a whole number" bench --size 4
expect_no_file d

# A stdout that cannot be written is an error.
expect_exit 1 bash -c "'$gully' models >&-"
expect_err "^gully: standard output"
if [ -w /dev/full ]; then
    expect_exit 1 bash -c "'$gully' models --json >/dev/full"
    expect_err "^gully: standard output: "
    expect_exit 1 bash -c "'$gully' --version >/dev/full"
fi
expect_exit 1 bash -c "set -o pipefail; { sleep 0.3; '$gully' models --markdown; } | true"
finish
