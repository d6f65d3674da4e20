# Other programs read what we write. A program that is not there is skipped; make test-clients installs all.
source "$(dirname "$0")/lib.sh" "$@"
has() { # PROGRAM
    command -v "$1" >/dev/null && return
    echo "skipped: no $1, which make test-clients installs"
    return 1
}
expect_exit 0 "$gully" generate mountains -o dem.tif --width 96 --height 64 --relief 600

# assimp: as many triangles as we say, and a box to the cell.
if has assimp; then
    for format in glb obj ply stl; do
        expect_exit 0 "$gully" mesh dem.tif -o dem.$format --error 2
        triangles=$(sed -nE 's/.* ([0-9]+) triangles, within.*/\1/p' out)
        [ "${triangles:-0}" -gt 1000 ] || fail "$format: $triangles triangles"
        expect_exit 0 assimp info dem.$format
        expect_out "Faces: +$triangles\$"
        expect_out "Minimum point +\(-475.000000 (0.000000 -315|-315.000000 0).000000\)"
        expect_out "Maximum point +\(475.000000 (600.000000 315|315.000000 600).000000\)"
    done
    expect_exit 0 "$gully" mesh dem.tif -o tiles --tiles 32 --levels 2 --error 1 -q
    expect_exit 0 assimp info tiles/dem_x1_y1_l1.glb
    expect_out "Maximum point +\(165.000000 .* 315.000000\)" # cell 64 of 96, of 10 m
fi

# admesh: a solid to print has nothing to mend.
if has admesh; then
    expect_exit 0 "$gully" mesh dem.tif -o print.stl --print 100 --error 2
    expect_exit 0 admesh print.stl
    expect_out "Total disconnected facets +: +0 +0"
    expect_out "Min X = -50.000000, Max X = +50.000000"
    expect_out "Min Z = +0.000000"
    for what in "Edges fixed" "Facets reversed" "Backwards edges" "Normals fixed" "Degenerate facets"; do
        expect_out "$what +: +0"
    done
fi

# Godot 3: an EXR as halves, whose steps are 0.5 m up to 1024 m; raw numbers as they are.
if has godot3-server; then
    expect_exit 0 "$gully" convert dem.tif dem.exr --preset godot
    expect_exit 0 "$gully" convert dem.tif dem.r32 --preset godot
    HOME=$scratch expect_exit 0 godot3-server --no-window -s "$source_root/tests/clients/godot3_read.gd" \
        "$scratch/dem.exr" "$scratch/godot.r32"
    expect_out "96 x 64"
    cp dem.r32.json godot.r32.json
    expect_exit 0 "$gully" compare godot.r32 dem.r32 --tolerance 0.5
fi
finish
