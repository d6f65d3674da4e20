# SPDX-License-Identifier: MIT
# gully maps: from a raster and from the folder of a run, by rules and by materials.
source "$(dirname "$0")/lib.sh" "$@"

all="slope.tif aspect.tif curvature-profile.tif curvature-plan.tif curvature-mean.tif wetness.tif normal.png
splat.png splat.json"

# A plane that rises 1 in 1 to the east, one cell without data.
printf 'ncols 4\nnrows 3\nxllcorner 500\nyllcorner 700\ncellsize 10\nNODATA_value -9\n' >a.asc
printf '0 10 20 30\n0 10 20 30\n0 10 20 -9\n' >>a.asc
expect_exit 0 "$gully" maps a.asc -o maps
expect_silent err
for name in $all; do
    expect_out "$name"
    expect_file "maps/$name"
done
[ "$(ls -A maps | wc -l)" = 9 ] || fail "something else in maps: $(ls -A maps)"
for map in slope:45 aspect:270 curvature-mean:0; do
    expect_exit 0 "$gully" info "maps/${map%:*}.tif" --json
    expect_out '"type": "Float32"'
    expect_out '"nodata": 1,'
    expect_out "\"min\": ${map#*:}(.0)?,"
    expect_out "\"max\": ${map#*:}(.0)?,"
    expect_out '^    10.0,?$'
done

# The PNG has alpha where there is no data, and only then. Green: both ways.
channels() { od -An -tu1 -j25 -N1 "$1" | tr -d ' '; } # 2 = RGB, 6 = RGBA
[ "$(channels maps/normal.png)" = 6 ] || fail "a normal map with nodata has no alpha"
expect_exit 0 "$gully" info maps/normal.png --json # red: -1 / sqrt 2 of 1, as a byte
expect_out '"min": 37.0'
expect_exit 0 "$gully" maps a.asc -o only --only normal --only slope --normal directx
[ "$(ls -A only | tr '\n' ' ')" = "normal.png slope.tif " ] || fail "--only made $(ls -A only)"

# From a run with materials: its layers, and its fields for rules.
cat >scene.json <<'JSON'
{"gully": 1, "terrain": {"generate": "mountains", "width": 48, "height": 40, "relief": 60}, "cell_size": [10, 8],
 "model": "pipe", "rain": {"rate": 1e-3}, "steps": 20,
 "materials": [{"name": "rock"}, {"name": "soil"}, {"name": "sand"}], "layers": {"soil": 0.3}}
JSON
"$gully" run scene.json -o run --quiet >/dev/null || fail "no run to look at"
expect_exit 0 "$gully" maps run -o run/maps --json
expect_out '"splat.png"'
expect_in run/maps/splat.json '"name": "soil"'
expect_in run/maps/splat.json '"channel": "G"'
[ "$(channels run/maps/normal.png)" = 2 ] || fail "a normal map without nodata has alpha"
expect_exit 0 "$gully" maps run -o by-rules --splat rules --only splat
expect_in by-rules/splat.json '"name": "meadow"'
cat >rules.json <<'JSON'
[{"name": "river", "water": [0.05, null], "soft": {"water": 0.02}},
 {"name": "scar", "wear": [0.01, null], "height": [null, 1000]},
 {"name": "cliff", "slope": [40, 90]}, {"name": "a", "level": [0.9, 1]}, {"name": "b"}]
JSON
expect_exit 0 "$gully" maps run -o five --rules rules.json --only splat
expect_out "splat.png splat-2.png splat.json"
expect_in five/splat.json '"file": "splat-2.png"'

# The run's flow makes another wetness than its terrain alone, which is that of --flow.
expect_exit 0 "$gully" maps run/terrain.tif -o plain --only wetness
expect_exit 1 "$gully" compare plain/wetness.tif run/maps/wetness.tif
expect_exit 0 "$gully" maps run/terrain.tif -o flow --only wetness --flow run/flow.tif
expect_exit 0 "$gully" compare flow/wetness.tif run/maps/wetness.tif

# What is wrong is said, and nothing is written.
wrong() { # PATTERN WORDS...
    local pattern=$1
    shift
    expect_exit 2 "$gully" maps "$@"
    expect_silent out
    expect_err "$pattern"
}
rules() { printf '%s' "$1" >bad.json; }
wrong "IN is missing"
wrong "output is missing" a.asc
wrong "unknown map 'slop'; did you mean slope" a.asc -o x --only slop
wrong "normal wants one of opengl\|directx" a.asc -o x --normal vulkan
wrong "a.asc: has no materials" a.asc -o x --splat materials
wrong "flow.tif: has 48 x 40 cells; the terrain has 4 x 3" a.asc -o x --flow run/flow.tif
wrong "water is asked for by a rule and is not there; --water" a.asc -o x --rules rules.json
wrong "none.json" a.asc -o x --rules none.json
rules '[{"name": "a", "slope": [1, 2]},'
wrong "bad.json:1: " a.asc -o x --rules bad.json
rules '{}'
wrong "bad.json: must be a list of 1 to 8 rules" a.asc -o x --rules bad.json
rules '[{"name": "a", "slope": [1, 2]}]'
wrong "rule 1: the last rule takes what is left" a.asc -o x --rules bad.json
rules '[{"name": "a", "slop": [1, 2]}, {"name": "b"}]'
wrong "rule 1: slop: unknown key; there are name, soft, slope, height" a.asc -o x --rules bad.json
rules '[{"name": "a", "slope": [2, 1]}, {"name": "b"}]'
wrong "rule 1: slope: must be \[LOW, HIGH\]" a.asc -o x --rules bad.json
rules '[{"slope": [1, 2]}, {"name": "b"}]'
wrong "rule 1: name: must be" a.asc -o x --rules bad.json
rules '[{"name": "a", "slope": [1, 2], "soft": {"height": 3}}, {"name": "b"}]'
wrong "rule 1: soft: must be" a.asc -o x --rules bad.json
rules '[3, {"name": "b"}]'
wrong "rule 1: must be an object" a.asc -o x --rules bad.json
[ ! -d x ] || [ -z "$(ls -A x)" ] || fail "something was written to x: $(ls -A x)"

# All or nothing.
mkdir -p taken/splat.json
expect_exit 1 "$gully" maps a.asc -o taken
expect_err "taken/splat.json: cannot be written: it is a folder"
[ "$(ls -A taken)" = splat.json ] || fail "a part was written: $(ls -A taken)"
finish
