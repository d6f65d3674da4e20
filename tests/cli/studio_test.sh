# The studio's server, driven by pages without a browser: tests/studio/protocol.
source "$(dirname "$0")/lib.sh" "$@"
"$gully" help studio >/dev/null 2>&1 || { echo "built without the studio"; exit 0; }

for name in protocol security recovery time compare share; do
    mkdir "$name"
    (cd "$name" && node "$source_root/tests/studio/protocol/${name}_test.mjs" "$gully" "$source_root") || fail "$name"
done

# Without a page it says what builds it.
cp "$gully" alone
expect_exit 1 ./alone studio --no-browser
expect_err "make studio"
expect_exit 2 "$gully" studio --page . --no-browser
expect_err "index.html"
finish
