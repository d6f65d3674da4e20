# SPDX-License-Identifier: MIT
# Nothing on the way of run, generate and convert holds an array of the whole world: no allocation is as large
# as a third of one field of it.
source "$(dirname "$0")/lib.sh" "$@"
width=1024 height=8448 most=$((width * height * 4 / 3))

# The world keeps the cells of a large generator until their range is known, and gives them back.
cat >kept.json <<END
{"gully": 1, "terrain": {"generate": "plane", "width": $width, "height": $height}, "steps": 0}
END
expect_exit 0 "$gully" run kept.json -o kept -q --outputs terrain
expect_exit 0 "$gully" generate plane --width $width --height $height -q -o plane.tif
cmp -s plane.tif kept/terrain.tif || fail "a scene's terrain is not what gully generate makes"

[ -n "${GULLY_PRELOAD-}" ] || finish # a sanitizer's build
expect_streams() { # expect_streams NAME COMMAND...: as expect_exit 0, and its largest allocation is small
    local name=$1
    shift
    rm -f largest
    LARGEST_ALLOCATION=largest LD_PRELOAD=$GULLY_PRELOAD expect_exit 0 "$@"
    local bytes
    bytes=$(sort -n largest | tail -n 1)
    [ "$bytes" -gt 100000 ] || fail "$name: nothing was recorded"
    [ "$bytes" -le $most ] || fail "$name: allocates $bytes bytes at once; at most $most are allowed"
}

expect_streams generate "$gully" generate plane --width $width --height $height -q -o plane.tif
expect_streams convert "$gully" convert plane.tif again.tif -q
cmp -s plane.tif again.tif || fail "convert changes a float GeoTIFF of ours"
cat >generated.json <<END
{"gully": 1, "terrain": {"generate": "plane", "width": $width, "height": $height},
 "rain": {"rate": 1e-4}, "steps": 1}
END
expect_streams "a generated terrain" "$gully" run generated.json -o generated -q

# Rasters, layers with masks, and fields at the start.
cat >combined.json <<END
{"gully": 1, "cell_size": 10,
 "terrain": {"combine": [{"file": "plane.tif"},
                         {"generate": "plane", "relief": 50, "mask": {"slope": [0, 30]}}]},
 "materials": [{"name": "rock"}, {"name": "soil"}],
 "layers": {"soil": {"generate": "plane", "mask": {"height": [0, 300]}}},
 "initial": {"water": {"generate": "plane", "relief": 0.1}},
 "rain": {"rate": 1e-4}, "steps": 1}
END
expect_streams "a combined terrain" "$gully" run combined.json -o combined -q
cat >file.json <<END
{"gully": 1, "terrain": {"file": "generated/terrain.tif"},
 "initial": {"water": {"file": "generated/water.tif"}}, "rain": {"rate": 1e-4}, "steps": 1}
END
expect_streams "a terrain from a file" "$gully" run file.json -o file -q --outputs terrain,water
finish
