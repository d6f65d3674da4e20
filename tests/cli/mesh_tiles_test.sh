# SPDX-License-Identifier: MIT
# Meshes in tiles and levels of detail.
source "$(dirname "$0")/lib.sh" "$@"
expect_exit 0 "$gully" generate mountains -o dem.tif --width 100 --height 70 --relief 200
expect_exit 0 "$gully" mesh dem.tif -o tiles --tiles 32 --levels 3 --error 0.5
expect_out "In tiles: 4 x 3 tiles in 3 levels, 36 meshes and meshes.json"
[ "$(ls tiles/*.glb | wc -l)" = 36 ] || fail "36 meshes: $(ls tiles)"
expect_file tiles/dem_x3_y2_l2.glb
expect_in tiles/meshes.json '"skirt": 4.0'
expect_in tiles/meshes.json '"error": 2.0'
expect_no_temporaries tiles

# A level has fewer triangles than the one before; the finest is what one mesh of that part would be.
triangles() { # LEVEL: of all tiles
    tr -d ' \n' <tiles/meshes.json | grep -oE "\"level\":$1,\"error\":[0-9.]+,\"triangles\":[0-9]+" |
        awk -F: '{ sum += $NF } END { print sum }'
}
[ "$(triangles 0)" -gt "$(triangles 1)" ] && [ "$(triangles 1)" -gt "$(triangles 2)" ] ||
    fail "levels: $(triangles 0) $(triangles 1) $(triangles 2) triangles"

# All cells, without skirts: every square of the terrain once.
expect_exit 0 "$gully" mesh dem.tif -o whole --tiles 40 --format ply --json
expect_out '"triangles": 13662' # 2 * 99 * 69
expect_file whole/dem_x2_y1.ply
expect_in whole/meshes.json '"skirt": 0.0'

# Tiles without data are left out.
cat >half.asc <<'ASC'
ncols 6
nrows 3
xllcorner 0
yllcorner 0
cellsize 10
NODATA_value -9999
1 2 3 -9999 -9999 -9999
1 2 3 -9999 -9999 -9999
1 2 3 -9999 -9999 -9999
ASC
expect_exit 0 "$gully" mesh half.asc -o half --tiles 2 -q
[ "$(ls half)" = "half_x0_y0.glb
meshes.json" ] || fail "one tile: $(ls half)"

expect_exit 0 "$gully" mesh dem.tif -o skirt.obj --skirt 3 --error 1
expect_exit 2 "$gully" mesh dem.tif -o no --tiles 32 --levels 2
expect_err "--levels needs --error"
expect_exit 2 "$gully" mesh dem.tif -o no.glb --levels 2 --error 1
expect_err "goes with --tiles"
expect_exit 2 "$gully" mesh dem.tif -o no --tiles 32 --base 3
expect_err "no solids"
expect_exit 2 "$gully" mesh dem.tif -o no.glb --skirt 3 --base 3
expect_err "not both"
expect_no_file no
finish
