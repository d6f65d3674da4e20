# SPDX-License-Identifier: MIT
# What scripts rely on: --quiet, --dry-run, and - for standard input and output.
source "$(dirname "$0")/lib.sh" "$@"
write_scene scene.json 32 10
mkdir temporary
export TMPDIR=$scratch/temporary
expect_exit 0 "$gully" generate mountains -o dem.tif --width 40 --height 30
expect_out "dem.tif"

# Nothing but errors.
quiet() { # COMMAND...: says nothing and succeeds
    expect_exit 0 "$gully" "$@" -q
    expect_silent out
    expect_silent err
}
quiet generate mountains -o quiet.png --width 40 --height 30
quiet convert quiet.png again.tif
quiet info quiet.png
quiet compare dem.tif dem.tif
quiet mesh dem.tif -o dem.glb
quiet maps dem.tif -o maps
quiet render dem.tif -o dem.png --size 40x30
quiet run scene.json -o ran
rm quiet.png.json # nobody says what its numbers are any more
rm -f quiet.png.aux.xml quiet.pgw
expect_exit 0 "$gully" convert quiet.png again.tif
expect_err "quiet.png"
quiet convert quiet.png again.tif
for files in quiet.png again.tif dem.glb maps/slope.tif dem.png ran/report.json; do expect_file "$files"; done
expect_exit 1 "$gully" compare dem.tif again.tif -q
expect_silent out
expect_exit 2 "$gully" info scene.json -q
expect_silent out
expect_err "scene.json"

# Checked and told, not written.
expect_exit 0 "$gully" run scene.json -o dry --dry-run
expect_out "32 x 32 cells of 10 x 10 m, 10 steps of pipe"
expect_out "Would write into dry: terrain.tif .* report.json"
expect_exit 0 "$gully" run scene.json -o dry --dry-run --json --steps 7
expect_out '"steps": 7'
expect_out '"dry_run": true'
expect_exit 2 "$gully" run scene.json -o dry --dry-run --set params.capcity=1
expect_err "capcity"
expect_exit 2 "$gully" run scene.json -o dry --dry-run --set dt=1000
expect_no_file dry
expect_exit 0 "$gully" convert dem.tif dry/ --preset unity --dry-run
expect_out "not written: a dry run"
expect_out "33 x 33 cells"
expect_exit 0 "$gully" convert dem.tif dry --tiles 16 --dry-run
expect_exit 0 "$gully" generate mountains -o dry.tif -n --width 16 --height 16
expect_no_file dry.tif
expect_exit 2 "$gully" convert dem.tif dry.r16 --out-range 0,1 --dry-run
expect_err "cut off"
expect_no_file dry
expect_no_file dry.r16

# Through pipes.
"$gully" generate mountains -o - --format tif --width 40 --height 30 2>err | cmp - dem.tif || fail "generate to a pipe"
expect_silent err
"$gully" convert - - --format exr <dem.tif 2>err >piped.exr || fail "convert in a pipe"
expect_in err "40 x 30 cells"
"$gully" convert piped.exr direct.tif -q && "$gully" compare - dem.tif <piped.exr >out || fail "an EXR from a pipe"
"$gully" info - <dem.tif >out 2>err || fail "info of a pipe"
expect_in out "40 x 30"
"$gully" render - -o - --size 40x30 <dem.tif 2>err | cmp - dem.png || fail "render in a pipe"
"$gully" run - -o piped -q <scene.json || fail "a scene from a pipe"
"$gully" compare piped ran -q || fail "a piped scene runs as any other"
last_command="gully run -"
echo '{"gully": 1, "tterrain": 1}' | "$gully" run - -o wrong >out 2>err && fail "a wrong scene from a pipe"
expect_in err "standard input:1: tterrain"
expect_exit 2 "$gully" convert dem.tif -
expect_err "format"
expect_exit 2 "$gully" convert dem.tif - --tiles 8 --format tif
expect_exit 2 "$gully" info -
echo nonsense | "$gully" info - >out 2>err && fail "nonsense is no raster"
expect_in err "standard-input"
expect_no_file ./-
[ -z "$(ls "$TMPDIR")" ] || fail "temporary files are left: $(ls "$TMPDIR")"
finish
