# SPDX-License-Identifier: MIT
# gully info --drainage and gully compare --low-pass.
source "$(dirname "$0")/lib.sh" "$@"

keys="concavity hack hollows bifurcation length_ratio drainage_density hypsometric spectrum rose4 rose8"

# A plane has no channels where slopes could be compared; what it does not have is null.
printf 'ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n0 1 2\n0 1 2\n' >small.asc
expect_exit 0 "$gully" info small.asc --drainage --json
for key in $keys; do expect_out "^  \"$key\": "; done
expect_out '"concavity": null'
expect_out '"hollows": 0.0'
expect_exit 0 "$gully" info small.asc --drainage
expect_out "^concavity +none +0.22 to 0.54, median 0.4"
expect_silent err

# Generated ground does not drain like real land.
"$gully" generate mountains -o land.tif --width 256 --height 256 --seed 7 >/dev/null || fail "no land"
expect_exit 0 "$gully" info land.tif --drainage
expect_out "^hollows .* %.* higher$"
expect_out "^concavity .* lower$"
expect_out "^rose8 .* like real land$"
expect_out "^channels +[0-9]+ of 65536 cells, streams up to order [0-9]"
expect_exit 0 "$gully" info land.tif
if grep -q "^concavity" out; then fail "drainage was not asked for"; fi

# Real land: every measure that has a spread is inside of it.
inside() { # KEY LOW HIGH
    awk -v value="$(json_value out "$1")" -v low="$2" -v high="$3" \
        'BEGIN { exit !(value != "" && value != "null" && value >= low && value <= high) }' ||
        fail "$1 is $(json_value out "$1"), not $2 to $3: $last_command"
}
for file in fuji.tif bijou_gully.asc fort_worth.tif; do
    real=$source_root/../shared/data/$file
    [ -e "$real" ] || continue
    expect_exit 0 "$gully" info "$real" --drainage --json
    inside concavity 0.22 0.54
    inside hack 0.39 0.57
    inside hollows 0 0.04
    inside bifurcation 3.6 5
    inside length_ratio 1.7 2.8
    inside hypsometric 0.36 0.60
    inside rose4 0 0.15
    inside rose8 0 0.15
    inside drainage_density 0.5 100
    inside spectrum 2 5
done

# The same mountain with other cells: alike after a low-pass.
"$gully" generate mountains -o coarse.tif --width 128 --height 128 --seed 7 --cell 20 >/dev/null || fail "no land"
expect_exit 2 "$gully" compare land.tif coarse.tif
expect_err "the sizes differ.*--low-pass"
expect_exit 0 "$gully" compare land.tif coarse.tif --low-pass 160 --correlation 0.999
expect_out "^compared +heights on 128 x 128 cells, 16384 of them valid in both$"
expect_out "^volume .* ratio (1.00|0.99)"
expect_exit 0 "$gully" compare land.tif coarse.tif --low-pass 160 --json
inside correlation 0.999 1
inside volume_ratio 0.98 1.02
expect_out '"within": true'
"$gully" generate mountains -o other.tif --width 256 --height 256 --seed 8 >/dev/null || fail "no land"
expect_exit 0 "$gully" compare land.tif other.tif --low-pass 160
expect_exit 1 "$gully" compare land.tif other.tif --low-pass 160 --correlation 0.9
expect_out "^different$"
expect_exit 1 "$gully" compare land.tif coarse.tif --low-pass 0 --tolerance 0.001

# Changes since a start: of two runs of which one rains twice as long.
for steps in 40 80; do
    write_scene scene.json 64 $steps
    "$gully" run scene.json -o run$steps --quiet >/dev/null || fail "no run"
done
"$gully" generate mountains -o before.tif --width 64 --height 64 --relief 60 >/dev/null || fail "no land"
expect_exit 0 "$gully" compare run80 run40 --low-pass 50 --start before.tif --json
inside correlation 0.7 1
inside eroded_ratio 1.1 10
inside deposited_ratio 1.1 10
expect_exit 0 "$gully" compare run80 run40 --low-pass 50 --start before.tif --start before.tif
expect_out "^eroded .* ratio [1-9]"

# What is wrong is said.
expect_exit 2 "$gully" compare run80 land.tif --low-pass 50
expect_err "the extents differ"
expect_exit 2 "$gully" compare run80 run40 --low-pass 50 --start land.tif
expect_err "a start must have the cells of its terrain"
expect_exit 2 "$gully" compare run80 run40 --start before.tif
expect_err "want --low-pass"
expect_exit 2 "$gully" compare run80 run40 --low-pass 9 --start a --start b --start c
expect_err "once for both, or twice"
expect_exit 2 "$gully" compare run80 run40 --low-pass 9 --start none.tif
expect_err "none.tif"
finish
