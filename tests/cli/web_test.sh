# SPDX-License-Identifier: MIT
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

# same_hashes NAME: those in web.json and of the run in native-NAME.
same_hashes() {
    python3 - "$1" web.json "native-$1/report.json" <<'PYTHON' || fail "$1: other hashes on the web"
import json, sys
web, native = (json.load(open(path))["hashes"] for path in sys.argv[2:])
both = [field for field in native if field in web]
differ = [field for field in both if web[field] != native[field]]
print(sys.argv[1], "the same" if both and not differ else "differs: " + ", ".join(differ))
sys.exit(1 if differ or len(both) < 3 else 0)
PYTHON
}

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
    same_hashes "$scene"
done

size=$(find "$page" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
[ "$size" -lt 3000000 ] || fail "the page has $size bytes"
# GeoTIFF of other programs: read as the program does, or refused. placed NAME SRS TRANSFORM: 40 x 30 heights there.
expect_exit 0 "$gully" generate ridged -o land.r32 --width 40 --height 30 --cell 10 --relief 300
placed() {
    cat >placed.vrt <<XML
<VRTDataset rasterXSize="40" rasterYSize="30"><SRS>$2</SRS><GeoTransform>$3</GeoTransform>
<VRTRasterBand dataType="Float32" band="1" subClass="VRTRawRasterBand"><SourceFilename relativeToVRT="1">land.r32</SourceFilename>
<PixelOffset>4</PixelOffset><LineOffset>160</LineOffset><ByteOrder>LSB</ByteOrder></VRTRasterBand></VRTDataset>
XML
    gdal_translate -q placed.vrt "$1.tif" || fail "no $1.tif"
    echo '{"gully": 1, "terrain": {"file": "'"$1"'.tif"}, "model": "pipe", "rain": {"rate": 1e-3}, "dt": 0.01, "steps": 2}' >"$1.json"
}
as_native() { # NAME
    on_web 2 "$1.json" >web.json 2>notes || { fail "$1 does not run: $(cat notes)"; return; }
    expect_exit 0 "$gully" run "$1.json" -q -o "native-$1"
    same_hashes "$1"
}
if has_client gdal_translate; then
    feet="980000, 32.8083333, 0, 200000, 0, -32.8083333"
    placed state_plane EPSG:2263 "$feet" && as_native state_plane
    placed survey_feet EPSG:32618+6360 "500000, 10, 0, 200000, 0, -10" && as_native survey_feet
    placed metres EPSG:32618+5703 "500000, 10, 0, 200000, 0, -10" && as_native metres
    placed turned EPSG:32618 "500000, 8.66, 5, 200000, 5, -8.66" && as_native turned
    placed grads EPSG:4902 "10, 0.0003, 0, 52, 0, -0.0003" && as_native grads
    placed south EPSG:32618 "500000, 10, 0, 199700, 0, 10" && as_native south
    placed slanted EPSG:32618 "500000, 10, 5, 200000, 0, -10"
    expect_exit 1 on_web 2 slanted.json
    expect_err "rows and columns meet at 63 degrees on the ground"
    placed warped EPSG:32618 "500000, 8.66, 5, 200000, 5, -8.66"
    gdalwarp -q -dstalpha warped.tif alpha.tif || fail "no alpha.tif"
    sed 's/warped/alpha/' warped.json >alpha.json
    as_native alpha
    expect_in notes "cells where its alpha is 0 have no height"
    placed world EPSG:3395 "1000000, 10, 0, 5942074, 0, -10" # not to be measured here, but pointed out
    on_web 1 world.json >web.json 2>notes || fail "a map of the world"
    expect_in notes "a map of the world, whose lengths are not those of the ground"
    placed unsaid EPSG:2263+6360 "$feet"
    on_web 1 unsaid.json >web.json 2>notes || fail "a map of unsaid lengths"
    expect_in notes "leaves the unit of its lengths to its coordinate system"
fi

[ -n "${WEB_ALL:-}" ] || finish # the page takes a minute: make test-web
mkdir page
(cd page && node "$source_root/tests/web/web_page_test.mjs" "$source_root" "$page" "$gully") || fail "the page"
finish
