# SPDX-License-Identifier: MIT
# gully generate: every kind, its parameters as options, any format.
source "$(dirname "$0")/lib.sh" "$@"

expect_exit 0 "$gully" generate --help
for option in width height seed relief offset scale octaves cell format preset; do
    expect_out "--$option "
done
expect_out "600 m$"

for kind in $("$gully" models --json | sed -n '/"generators"/,$p' | sed -nE 's/^      "name": "(.*)",/\1/p'); do
    expect_exit 0 "$gully" generate "$kind" -o "$kind.tif" --width 40 --height 30
    expect_exit 0 "$gully" info "$kind.tif"
    expect_out "size +40 x 30 cells"
    expect_out "cell size +10 x 10 m"
done
expect_file mountains.tif

# The parameters are the scene's: the same terrain.
expect_exit 0 "$gully" generate fbm -o a.tif --width 33 --height 21 --seed 9 --relief 50 --offset -20 \
    --scale 0.3 --octaves 4 --cell 2
cat >scene.json <<'JSON'
{"gully": 1, "terrain": {"generate": "fbm", "width": 33, "height": 21, "seed": 9, "relief": 50,
 "offset": -20, "scale": 0.3, "octaves": 4}, "cell_size": [2, 2], "steps": 0}
JSON
expect_exit 0 "$gully" run scene.json -o run -q
expect_exit 0 "$gully" compare a.tif run/terrain.tif

expect_exit 0 "$gully" generate island -o b.png --preset unreal --width 127 --height 127
expect_out "^format +png16"
expect_exit 0 "$gully" info b.png
expect_out "values +-?0.* to 600"
expect_exit 0 "$gully" generate island -o . --preset blender --format tif --width 20 --height 20
expect_exit 0 "$gully" info island.tif
expect_out "size +20 x 20 cells"

wrong() { # PATTERN WORDS...
    local pattern=$1
    shift
    expect_exit 2 "$gully" generate "$@"
    expect_silent out
    expect_err "$pattern"
}
wrong "KIND is missing"
wrong "output is missing" fbm
wrong "no such terrain 'mountain'; did you mean mountains" mountain -o no.tif
wrong "width wants a whole number from 1 to 1048576" fbm -o no.tif --width 0
wrong "relief wants a number from 0 to 20000" fbm -o no.tif --relief -1
wrong "too many" fbm -o no.tif --width 1000000 --height 1000000
expect_no_file no.tif
finish
