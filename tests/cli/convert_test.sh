# SPDX-License-Identifier: MIT
# gully convert: formats, presets, tiles, and what is refused.
source "$(dirname "$0")/lib.sh" "$@"

expect_exit 0 "$gully" generate mountains -o land.tif --width 100 --height 80 --relief 600 --cell 5
same() { # FILE TOLERANCE: FILE is land.tif
    expect_exit 0 "$gully" compare land.tif "$1" --tolerance "$2"
}

# EXR is an option of the build.
exr=exr
"$gully" convert land.tif probe.exr >out 2>err || { expect_in err "without OpenEXR"; exr=tif; }

# Every format, there and back.
for file in a.tif a.$exr a.r32 a.asc; do
    expect_exit 0 "$gully" convert land.tif $file
    expect_out "^file +$file$"
    expect_out "^size +100 x 80 cells$"
    expect_silent err
    same $file 0
done
for file in a.png a.r16 a.raw; do
    expect_exit 0 "$gully" convert land.tif $file
    expect_out "^heights +0 to 600 m$"
    expect_out "^sidecar +$file.json$"
    same $file 0.005
done
expect_exit 0 "$gully" convert land.tif cog.tif --format cog --json
expect_out '"format": "cog"'
same cog.tif 0
expect_exit 0 "$gully" info a.r16
expect_out "cell size +5 x 5 m"
expect_in a.r16.json '"byte_order": "little"'
expect_in a.r16.json '"min": 0.0'
expect_in a.r16.json '"max": 600.0'
expect_in a.r16.json '"flip": false'
[ "$(stat -c %s a.r16)" = 16000 ] || fail "a.r16 has $(stat -c %s a.r16) bytes"
cmp -s a.r16 a.raw || fail "a.r16 and a.raw differ"

# Options, and raw numbers without a sidecar.
expect_exit 0 "$gully" convert land.tif b.r16 --out-range -100,700 --flip --order big
expect_in b.r16.json '"min": -100.0'
expect_in b.r16.json '"flip": true'
expect_in b.r16.json '"byte_order": "big"'
same b.r16 0.007
rm b.r16.json
expect_exit 2 "$gully" info b.r16
expect_err "b.r16: raw numbers do not say what they mean.*b.r16.json"
expect_exit 0 "$gully" convert b.r16 c.tif --raw-size 100x80 --raw-range -100,700 --raw-order big \
    --raw-flip --raw-cell 5
same c.tif 0.007
expect_exit 0 "$gully" convert land.tif d.tif --size 50x40 --nodata -9999
expect_out "size +50 x 40 cells, resampled from 100 x 80$"
expect_exit 0 "$gully" info d.tif
expect_out "cell size +10 x 10 m"

# Presets.
expect_exit 0 "$gully" convert land.tif unity/ --preset unity
expect_out "^file +unity/land.raw$"
expect_out "^size +129 x 129 cells, resampled from 100 x 80: the nearest size that unity takes$"
[ "$(stat -c %s unity/land.raw)" = $((129 * 129 * 2)) ] || fail "unity/land.raw has a wrong size"
expect_in unity/land.raw.json '"terrain_height": 5[0-9][0-9]'
expect_in unity/land.raw.json '"flip": true'
expect_exit 0 "$gully" convert land.tif unreal.png --preset unreal --size 253
expect_out "^size +253 x 253 cells, resampled from 100 x 80$"
expect_in unreal.png.json '"scale_z": '
expect_in unreal.png.json '"location_z": 30000.45' # all steps for 0 to 600 m: 32768 is in the middle
expect_exit 0 "$gully" convert land.tif g.$exr --preset godot
same g.$exr 0
expect_exit 0 "$gully" convert land.tif b.tif --preset blender

# Tiles.
expect_exit 0 "$gully" convert land.tif tiles --tiles 33 --overlap --format r32
expect_out "^file +tiles/tiles.json$"
expect_out "^tiles +4 x 3 of 33 cells, border rows and columns shared$"
expect_file tiles/land_x3_y2.r32
same tiles 0
expect_exit 0 "$gully" convert land.tif ut --tiles 33 --overlap --preset unity --name world
expect_file ut/world_0_0.raw
expect_file ut/world_0_0.raw.json
expect_exit 0 "$gully" convert land.tif mt --tiles 64
expect_exit 0 "$gully" convert mt/land_x0_y0.tif joined.tif --join mt/land_x1_y0.tif \
    --join mt/land_x0_y1.tif --join mt/land_x1_y1.tif
same joined.tif 0

# Refused: exit 2, nothing on stdout, no file.
wrong() { # PATTERN WORDS...
    local pattern=$1
    shift
    expect_exit 2 "$gully" convert "$@"
    expect_silent out
    expect_err "^gully: "
    expect_err "$pattern"
    expect_no_file no.png
    expect_no_file no
}
wrong "OUT is missing" land.tif
wrong "nowhere.tif: no such file" nowhere.tif no.png
wrong "must end with one of tif/tiff, png" land.tif no
wrong "there is no format 'jpeg'; there are tif, cog" land.tif no.png --format jpeg
wrong "there is no preset 'quake'; there are unity" land.tif no.png --preset quake
wrong "127, 253, 505, 1009, 2017, 4033, 8129" land.tif no.png --preset unreal --size 512
wrong "preset unity does not take png16; it takes r16" land.tif no.png --preset unity
wrong "range 0,500: the heights go from 0 to 600 m" land.tif no.png --out-range 0,500
wrong "LOW must be below HIGH" land.tif no.png --out-range 5,5
wrong "range wants two numbers LOW,HIGH" land.tif no.png --out-range 5
wrong "size wants W or WxH.*'12x'" land.tif no.png --size 12x
wrong "size wants W or WxH.*'-3'" land.tif no.png --size=-3
wrong "nodata 70000" land.tif no.png --nodata 70000
wrong "order wants one of little\|big" land.tif no.png --order middle
wrong "overlap goes with --tiles" land.tif no.png --overlap
wrong "does not take tiles of 40 cells; it takes 33, 65" land.tif no --tiles 40 --preset unity
wrong "raw-range is missing" a.r16 no.png --raw-size 100x80
wrong "raw-size is missing" a.r16 no.png --raw-flip
wrong "has 16000 bytes; 100 x 81 numbers" a.r16 no.png --raw-size 100x81 --raw-range 0,1

# A file that cannot be written: exit 1, and nothing half done.
expect_exit 1 "$gully" convert land.tif /nowhere/a.png
expect_err "/nowhere/a.png: cannot be written"
mkdir -p half/land_x1_y0.tif
expect_exit 1 "$gully" convert land.tif half --tiles 64
expect_no_file half/land_x0_y0.tif
expect_no_file half/tiles.json
expect_no_temporaries .
# JSON of somebody else beside a raster: neither read nor replaced.
echo '{"mine": true}' >other.png.json
wrong "other.png.json: is there and is no sidecar of Gully's" land.tif other.png
[ "$(cat other.png.json)" = '{"mine": true}' ] || fail "JSON of somebody else was replaced"
expect_no_file other.png
cp land.tif other.tif
echo '[1, 2' >other.tif.json
expect_exit 0 "$gully" compare land.tif other.tif
expect_exit 0 "$gully" convert land.tif other.tif

# Cells without a height: pointed out for an engine, filled if asked for.
printf 'ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9\n5 6 -9\n7 8 9\n' >hole.asc
expect_exit 0 "$gully" convert hole.asc hole.tif --preset blender
expect_err "hole.tif: 1 cells have no height, and blender knows no such cells.*--fill lowest"
expect_out "nodata +1 cells without a height"
expect_exit 0 "$gully" convert hole.asc hole.tif --preset blender --fill lowest --json
expect_silent err
expect_out '"filled": 1'
expect_exit 0 "$gully" info hole.tif --json
expect_out '"nodata": 0'
expect_out '"min": 5.0'
expect_exit 0 "$gully" convert hole.asc hole.tif --fill -3
expect_exit 0 "$gully" info hole.tif
expect_out "values +-3 to 9"
expect_exit 0 "$gully" convert hole.asc same.asc
expect_silent err
wrong "--fill wants metres or the word lowest, not 'x'" hole.asc no.tif --fill x
finish
