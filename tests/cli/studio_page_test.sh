# SPDX-License-Identifier: MIT
# The studio's page in a real Chromium: tests/studio/browser. Under the sanitizers it is left out: what they can find,
# studio_test.sh finds without a browser. So it is with clang: the page is the same. STUDIO_ALL=yes: the slow tests too.
source "$(dirname "$0")/lib.sh" "$@"
"$gully" help studio >/dev/null 2>&1 || { echo "built without the studio"; exit 0; }
case "$gully" in */asan/* | */tsan/* | */clang/*) echo "left out: the page is that of the release"; exit 0 ;; esac

page="$(dirname "$gully")/studio"
if ! bash "$source_root/scripts/page.sh" "$page" >page.log 2>&1; then
    cat page.log >&2
    fail "the page cannot be built; npm needs a registry"
    finish
fi
if [ ! -d "$source_root/studio/web/node_modules/playwright-core" ]; then
    npm --prefix "$source_root/studio/web" ci --no-audit --no-fund >npm.log 2>&1 || { cat npm.log >&2; fail "npm ci"; finish; }
fi
npm --prefix "$source_root/studio/web" test >unit.log 2>&1 || { cat unit.log >&2; fail "the page's unit tests"; }
mkdir work
(cd work && node "$source_root/tests/studio/browser/page_test.mjs" "$gully" "$source_root" "$page") || {
    fail "the page"
    [ ! -f work/failed.png ] || cp work/failed.png "$(dirname "$gully")/studio-page-failed.png"
}
finish
