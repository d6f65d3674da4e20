# SPDX-License-Identifier: MIT
# The studio's server, driven by pages without a browser: tests/studio/protocol.
source "$(dirname "$0")/lib.sh" "$@"
"$gully" help studio >/dev/null 2>&1 || { echo "built without the studio"; exit 0; }

speak() { # speak NAME...: one after the other, each in a folder of its own
    for name in "$@"; do
        mkdir "$name"
        (cd "$name" && node "$source_root/tests/studio/protocol/${name}_test.mjs" "$gully" "$source_root") || echo "$name" >>failed
    done
}

# They wait for most of the time, so two at once.
speak recovery compare share land &
speak protocol time security
wait
[ ! -e failed ] || fail "$(cat failed)"

# Without a page it says what builds it.
cp "$gully" alone
expect_exit 1 ./alone studio --no-browser
expect_err "make studio"
expect_exit 2 "$gully" studio --page . --no-browser
expect_err "index.html"
finish
