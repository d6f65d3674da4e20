# SPDX-License-Identifier: MIT
# The scene for POV-Ray shows the same land from the same place: what is land in its picture is land
# in ours. Needs povray.
source "$(dirname "$0")/lib.sh" "$@"
command -v povray >/dev/null || { echo "skipped: no povray"; exit 0; }

draw() { # SCENE PPM: with POV-Ray
    expect_exit 0 povray "+I$1" "+O$2" +FP +W96 +H64 -D +A
    expect_file "$2"
}
write_scene scene.json 96 60
expect_exit 0 "$gully" run scene.json -o run --quiet
# From so high that the sides of our block, which the other one does not have, hide little.
view="--camera 150,65,1.1 --exaggerate 1.5 --size 96x64"
# shellcheck disable=SC2086
expect_exit 0 "$gully" render run --pov wet.pov $view
expect_in wet.pov 'pgm "wet-water.pgm"'
draw wet.pov wet.ppm

# The same terrain of a red material: what is red is land.
mkdir mask
cp run/terrain.tif mask/terrain.tif
cp run/terrain.tif mask/layer-rock.tif
echo '{"scene": {"materials": [{"name": "rock", "color": "#ff0000"}]}}' >mask/report.json
# shellcheck disable=SC2086
expect_exit 0 "$gully" render mask -o mask.png --pov mask.pov $view
draw mask.pov theirs.ppm
# POV-Ray makes of our PNG what a shell can read.
cat >copy.pov <<'POV'
#version 3.7;
global_settings { assumed_gamma 1 }
camera { orthographic location <0.5, 0.5, -1> look_at <0.5, 0.5, 0> right x up y }
plane { z, 0 pigment { image_map { png "mask.png" } } finish { ambient 1 diffuse 0 } }
POV
draw copy.pov ours.ppm

# Pixels that are land in both, and in either.
pixels() { tail -c $((96 * 64 * 3)) "$1" | od -An -v -tu1 -w3; }
pixels theirs.ppm >a
pixels ours.ppm >b
paste a b | awk '
    { theirs = $1 > 2 * $3; ours = $4 > 2 * $6 }
    theirs || ours { either++ }
    theirs && ours { both++ }
    END { print both + 0, either + 0; exit !(either > 1000 && both > 0.85 * either) }' >agreement ||
    fail "POV-Ray sees land elsewhere: $(cat agreement) pixels in both, in either"

# Neither is a picture of the night.
mean() { pixels "$1" | awk '{ sum += $1 + $2 + $3 } END { print int(sum / NR / 3) }'; }
for picture in wet ours; do
    [ "$(mean $picture.ppm)" -gt 60 ] || fail "$picture.ppm is dark: $(mean $picture.ppm)"
done
finish
