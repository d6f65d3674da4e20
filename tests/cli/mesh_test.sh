# SPDX-License-Identifier: MIT
# gully mesh: formats, simplification, solids, and what can go wrong.
source "$(dirname "$0")/lib.sh" "$@"

write_scene scene.json 64 20
"$gully" run scene.json -o run --quiet >/dev/null || fail "no run to look at"

# A run's folder and its terrain are the same; every format is there.
for format in obj ply stl glb gltf; do
    expect_exit 0 "$gully" mesh run -o "a.$format"
    expect_out "^a.$format: 4096 vertices, 7938 triangles$"
    expect_silent err
    expect_exit 0 "$gully" mesh run/terrain.tif -o "b.$format"
    cmp -s "a.$format" "b.$format" || fail "$format: the folder and its terrain differ"
done
expect_in a.obj '^f [0-9]+/[0-9]+/[0-9]+ '
expect_in a.ply '^element face 7938'
[ "$(head -c 4 a.glb)" = glTF ] || fail "a.glb is no glTF"
[ "$(stat -c %s a.stl)" = $((84 + 50 * 7938)) ] || fail "a.stl has the wrong size"

# Within an error: fewer triangles, and says how many there would be.
expect_exit 0 "$gully" mesh run -o c.stl --error 1
expect_out "within 1 m; all cells would be 7938 triangles"
[ "$(stat -c %s c.stl)" -lt "$(stat -c %s a.stl)" ] || fail "an error of 1 m saves nothing"
expect_exit 0 "$gully" mesh run -o c.STL --error 1 --json
expect_out '"file": "c.STL"'
expect_out '"error": 1.0'
expect_out '"solid": false'
cmp -s c.stl c.STL || fail "the same mesh differs"

# Cells of 10 x 5 m, one without data; three times as high; a solid.
printf 'ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ndx 10\ndy 5\nNODATA_value -9\n' >d.asc
printf '1 1 1\n1 1 1\n1 1 -9\n' >>d.asc
expect_exit 0 "$gully" mesh d.asc -o d.obj --scale 3
expect_out "8 vertices, 6 triangles"
expect_in d.obj '^v -10 3 -5$'
expect_in d.obj '^v 0 3 5$'
expect_exit 0 "$gully" mesh d.asc -o d.ply --base 2 --error 0 --json
expect_out '"solid": true'

# For a printer: 100 mm for the 20 m between the outermost vertices, the base 4 m below, at 0.
printf 'ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 1 1\n1 1 5\n' >p.asc
expect_exit 0 "$gully" mesh p.asc -o p.obj --print 100 --base 4 --json
expect_out '"solid": true'
expect_in p.obj '^v -50 20 -25$'
expect_in p.obj '^v 50 40 25$'
expect_in p.obj '^v 50 0 25$'
expect_exit 0 "$gully" mesh p.asc -o p.obj --print 100
expect_in p.obj '^v -50 3.75 -25$'

# Colours go where they can be held.
printf 'P6 2 1 255\n\377\0\0\0\0\377' >colors.ppm
expect_exit 0 "$gully" mesh d.asc -o e.obj --splat colors.ppm
expect_in e.obj '^v -10 1 -5 1 0 0$'
expect_in e.obj '^v 10 1 0 0 0 1$'
expect_exit 2 "$gully" mesh d.asc -o e.stl --splat colors.ppm
expect_err "e.stl: STL.* cannot hold colours; .glb, .gltf, .ply and .obj can"
expect_exit 2 "$gully" mesh d.asc -o e.ply --splat colors.ppm --splat-as texture
expect_err "cannot hold a texture; .glb and .gltf can"
expect_exit 2 "$gully" mesh d.asc -o e.ply --splat none.png
expect_err "none.png: no such file"
expect_exit 2 "$gully" mesh d.asc -o e.ply --splat run/terrain.tif
expect_err "Float32; a picture has bytes"
expect_no_file e.stl
expect_no_file e.ply

# Wrong words and files.
wrong() { # PATTERN WORDS...
    local pattern=$1
    shift
    expect_exit 2 "$gully" mesh "$@"
    expect_silent out
    expect_err "$pattern"
}
wrong "IN is missing"
wrong "output is missing" run
wrong "x.fbx: .*must end with .obj, .ply, .stl, .glb or .gltf" run -o x.fbx
wrong "must end with" run -o plain
wrong "error wants a number" run -o x.stl --error=-1
wrong "base wants a number" run -o x.stl --base 0
wrong "scale wants a number" run -o x.stl --scale 0
wrong "splat-as wants one of vertex\|texture" run -o x.glb --splat-as paint
wrong "none.tif: no such file" none.tif -o x.stl
mkdir empty
wrong "empty: this folder has no terrain.tif" empty -o x.stl
printf 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9\n1 1\n1 -9\n' >f.asc
wrong "f.asc: there is nothing to cover" f.asc -o x.stl
expect_no_file x.stl

# A folder that is not there, and a disk that is full: no file, or the one that was there.
expect_exit 1 "$gully" mesh run -o none/x.stl
expect_err "none/x.stl: cannot be written"
echo old >kept.obj
(ulimit -f 100; trap '' XFSZ; exec "$gully" mesh run -o kept.obj) >out 2>err </dev/null
[ $? = 1 ] || fail "a file that cannot become whole is no failure"
[ "$(cat kept.obj)" = old ] || fail "a file that did not become whole replaced the old one"
expect_no_temporaries .
finish
