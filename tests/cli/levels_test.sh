# SPDX-License-Identifier: MIT
# gully run with levels: previews, phases that get finer, maps of levels, and what is refused.
source "$(dirname "$0")/lib.sh"

cat >scene.json <<'END'
{"gully": 1, "terrain": {"generate": "mountains", "width": 128, "height": 96, "seed": 3, "relief": 100},
 "cell_size": [10, 10], "model": "pipe", "thermal": {"rate": 0.2, "talus": 32}, "rain": {"rate": 1e-3}, "steps": 42}
END

value() { python3 -c "
import json, sys
value = json.load(open(sys.argv[1] + '/report.json'))
for key in sys.argv[2:]: value = value[int(key) if key.isdigit() else key]
print(value)" "$@"; }
holds() { python3 -c "import sys; sys.exit(not ($1))" || fail "$1"; }

# A preview has files of the same size, fewer cell-steps, and steps in blocks of four.
expect_exit 0 "$gully" run scene.json -o fine --quiet
expect_exit 0 "$gully" run scene.json -o draft --quiet --preview 1
[ "$(value fine levels share)" = "[1.0]" ] || fail "levels without any: $(value fine levels share)"
[ "$(value draft levels share)" = "[0.0, 1.0]" ] || fail "shares of a preview: $(value draft levels share)"
[ "$(value draft steps)" = 44 ] || fail "steps of a preview: $(value draft steps)"
[ "$(value draft size)" = "[128, 96]" ] || fail "size of a preview"
holds "$(value fine levels cell_steps) >= 7 * $(value draft levels cell_steps)"
holds "$(value draft budget water relative_residual) < 1e-7"
expect_exit 0 "$gully" run scene.json -o scene --quiet --set 'levels={"fixed": 1}' --threads 1
[ "$(value scene hashes)" = "$(value draft hashes)" ] || fail "levels.fixed and --preview differ"

# Level 0 is no level.
expect_exit 0 "$gully" run scene.json -o zero --quiet --preview 0
[ "$(value zero hashes)" = "$(value fine hashes)" ] || fail "level 0 is something else"

# A draft, then finer from there; another model does not inherit levels.
cat >phases.json <<'END'
{"gully": 1, "terrain": {"generate": "mountains", "width": 128, "height": 96, "seed": 3, "relief": 100},
 "cell_size": [10, 10], "model": "pipe", "rain": {"rate": 1e-3}, "levels": {"fixed": 2},
 "program": [{"name": "age", "steps": 3, "model": "stream"}, {"name": "draft", "steps": 40},
             {"name": "fine", "steps": 10, "set": {"levels.fixed": 0}}]}
END
expect_exit 0 "$gully" run phases.json -o phases --quiet
[ "$(value phases steps)" = 53 ] || fail "steps: $(value phases steps)"
[ "$(value phases levels cell_steps)" = "$((13 * 128 * 96 + 10 * 32 * 24)).0" ] || fail "cell-steps: $(value phases levels cell_steps)"

# Levels by the detail and by a map.
expect_exit 0 "$gully" run scene.json -o detail --quiet --set 'levels={"detail": 0.8, "tile": 32, "max": 2}' --threads 1
expect_exit 0 "$gully" run scene.json -o detail2 --quiet --set 'levels={"detail": 0.8, "tile": 32, "max": 2}' --threads 2
[ "$(value detail hashes)" = "$(value detail2 hashes)" ] || fail "other bits with other threads"
holds "0 < $(value detail levels share 0) < 1"
holds "$(value detail budget solid relative_residual) < 1e-7 and $(value detail levels owed) >= 0"
cat >map.asc <<'END'
ncols 4
nrows 3
xllcorner 0
yllcorner 0
cellsize 1
0 1 2 0
1 3 0 2
0 0 1 1
END
expect_exit 0 "$gully" run scene.json -o map --quiet --set 'levels={"map": {"file": "map.asc"}, "tile": 32}'
holds "abs($(value map levels share 3) - 1 / 12) < 1e-9"
holds "$(value map budget water relative_residual) < 1e-7"

# Levels by error: they change, and the report says what to expect. A resumed run goes on to the bit.
expect_exit 0 "$gully" run scene.json -o error --quiet --steps 80 --set 'levels={"error": 2, "tile": 16, "max": 2}' --threads 1
expect_exit 0 "$gully" run scene.json -o error2 --quiet --steps 80 --set 'levels={"error": 2, "tile": 16, "max": 2}' --threads 2 --checkpoint 40
[ "$(value error hashes)" = "$(value error2 hashes)" ] || fail "other bits with other threads"
holds "$(value error levels error) == 2 and 0 < $(value error levels expected_error) < 2 and $(value error levels changes) > 0"
holds "$(value error levels share 0) < 1 and $(value error budget solid relative_residual) < 1e-7"

# What is refused, with a word that helps.
refused() { # words, then the options
    expect_exit 2 "$gully" run scene.json -o refused --quiet "${@:2}"
    expect_err "$1"
    [ ! -e refused ] || fail "$1: something was written"
}
refused "4 x 3 levels; allowed: 2 x 2" --set 'levels={"map": {"file": "map.asc"}, "tile": 64}'
refused "levels.max" --set 'levels={"map": {"file": "map.asc"}, "tile": 32, "max": 2}'
refused "no power of two" --set 'levels={"detail": 1, "tile": 48}'
refused "larger than a tile" --set 'levels={"detail": 1, "tile": 4}'
refused "one of fixed, map, detail, error" --set 'levels={"detail": 1, "fixed": 1}'
refused "one of fixed, map, detail, error" --set 'levels={"tile": 32}'
refused "nothing.asc" --set 'levels={"map": {"file": "nothing.asc"}}'
refused "levels.map" --set 'levels={"map": 3}'
refused "larger than a tile" --set 'levels={"error": 0.4, "tile": 8, "max": 3}'
refused "semi_lagrangian" --set 'levels={"error": 0.4, "tile": 32}' --set params.transport=semi_lagrangian
refused "newton" --preview 1 --set model=newton
refused "semi_lagrangian" --preview 1 --set params.transport=semi_lagrangian
refused "levels.fixed" --preview 8
finish
