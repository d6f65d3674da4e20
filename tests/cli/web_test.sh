# The studio without a server (make web): its engine under node comes to this machine's hashes, and its page works in a real
# Chromium. Skipped where it has not been built: compiling it takes minutes, and Emscripten 800 MB. make test-web (WEB_ALL) does all,
# make test two scenes.
source "$(dirname "$0")/lib.sh" "$@"
page="$source_root/build/web"
runner="$source_root/build/wasm/one/gully_scenes.js"
command -v emcc >/dev/null || { echo "skipped: no Emscripten here; make test-web installs it"; exit 0; }
[ -f "$page/index.html" ] && [ -f "$runner" ] || { echo "skipped: make web has not been run"; exit 0; }
case "$gully" in */asan/* | */tsan/*) echo "left out under the sanitizers"; exit 0 ;; esac

[ -z "$(find "$source_root/src" "$source_root/include" -newer "$runner" -print -quit)" ] ||
    { echo "skipped: build/web is older than the sources; make test-web builds it anew"; exit 0; }

# Fetch would be taken for the browser's by this version of Emscripten.
on_web() { node --no-experimental-fetch "$runner" "$@"; }

# The demo and the scenes, a few steps of each; WEB_SCENES="..." names others, WEB_STEPS the steps (0 = all), WEB_SIZE their size. Some have traces
# of water that are denormal numbers (sources, layers, pool); cli/denormals_test.sh has more of these, without the web.
few="mountain-rain sources"
all=$(cd "$source_root/scenes" && ls ./*.json | sed 's,./,,; s,.json,,')
for scene in ${WEB_SCENES:-$([ -n "${WEB_ALL:-}" ] && echo "$all" || echo "$few")}; do
    steps=${WEB_STEPS:-10}
    smaller=(${WEB_SIZE:+terrain.width=$WEB_SIZE terrain.height=$WEB_SIZE})
    [ "$scene" != sources ] || smaller=(terrain.width=96 terrain.height=96) # where flows cancel but for a trace
    on_web "$steps" "$source_root/scenes/$scene.json" "${smaller[@]}" >web.json || { fail "$scene does not run"; continue; }
    options=()
    [ "$steps" = 0 ] || options=(--steps "$steps")
    for key in "${smaller[@]}"; do options+=(--set "$key"); done
    "$gully" run "$source_root/scenes/$scene.json" "${options[@]}" -o "native-$scene" >/dev/null || fail "$scene"
    python3 - "$scene" web.json "native-$scene/report.json" <<'PYTHON' || fail "$scene: other hashes on the web"
import json, sys
web, native = (json.load(open(path))["hashes"] for path in sys.argv[2:])
both = [field for field in native if field in web]
differ = [field for field in both if web[field] != native[field]]
print(sys.argv[1], "the same" if both and not differ else "differs: " + ", ".join(differ))
sys.exit(1 if differ or len(both) < 3 else 0)
PYTHON
done

size=$(find "$page" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
[ "$size" -lt 3000000 ] || fail "the page has $size bytes"
[ -n "${WEB_ALL:-}" ] || finish # the page takes a minute: make test-web
mkdir page
(cd page && node "$source_root/tests/web/web_page_test.mjs" "$source_root" "$page" "$gully") || fail "the page"
finish
