# SPDX-License-Identifier: MIT
# gully info and gully compare, on rasters written by hand.
source "$(dirname "$0")/lib.sh" "$@"

asc() { # FILE NODATA VALUES...: 3 x 2 cells of 10 m
    local file=$1 nodata=$2
    shift 2
    printf 'ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value %s\n' "$nodata" >"$file"
    printf '%s %s %s\n%s %s %s\n' "$@" >>"$file"
}
asc a.asc -9999 0 10 20 0 10 20
asc b.asc -9999 0 10 20 0 10 23
asc c.asc -9999 0 10 20 0 10 -9999
printf 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 4\n' >d.asc

# A plane that rises 1 in 1.
expect_exit 0 "$gully" info a.asc
expect_out "size +3 x 2 cells"
expect_out "cell size +10 x 10 m"
expect_out "valid +6 cells, nodata 0"
expect_out "values +0 to 20, mean 10"
expect_out "slope +mean 45.0, deviation 0.0, max 45.0 degrees"
expect_out "erosion +score 0.000 "
expect_out "^steepness +0 to 5 degrees +0.0 %"
expect_out "^ +30 to 45 degrees +0.0 %"
expect_out "^ +45 to 90 degrees +100.0 %"
[ "$(grep -v degrees out | grep -c ' %$')" = 16 ] || fail "no histogram of 16 rows"
expect_exit 0 env LC_ALL=C.UTF-8 "$gully" info a.asc
expect_out "█"
expect_exit 0 env LC_ALL=C "$gully" info a.asc
expect_out "#####"
if LC_ALL=C grep -q '[^ -~]' out; then fail "more than ASCII with LC_ALL=C"; fi
expect_exit 0 "$gully" info c.asc --json
expect_out '"size": \['
expect_out '"nodata": 1,'
expect_out '"max": 20.0'
expect_out '"projection": null'

# Gradients of 0, 0, 0.1, 0.2, 0.3 and 0.3: mean 0.15, mean square 0.23 / 6.
asc e.asc -9999 0 0 1 0 0 3
expect_exit 0 "$gully" info e.asc
expect_out "slope +mean 8.4, deviation 7.0, max 16.7 degrees"
expect_out "erosion +score 0.839 "
expect_out "^steepness +0 to 5 degrees +33.3 %"
expect_out "^ +5 to 15 degrees +33.3 %"
expect_out "^ +15 to 30 degrees +33.3 %"
expect_exit 0 "$gully" info e.asc --json
expect_out '"slope_deviation": 7.00684'
expect_out '"slope_max": 16.699'
expect_out '"erosion_score": 0.83887'
expect_out '"slope_classes": \['
[ "$(grep -c ' 0.33333' out)" = 3 ] || fail "no shares of the slopes"

expect_exit 0 "$gully" compare a.asc a.asc
expect_out "max +0$"
expect_exit 1 "$gully" compare a.asc b.asc
expect_out "max +3  at column 2, row 1"
expect_out "mean +0.5$"
expect_out "RMS +1.2247"
expect_exit 0 "$gully" compare a.asc b.asc --tolerance 3
expect_exit 1 "$gully" compare a.asc b.asc --tolerance 2.999
expect_exit 1 "$gully" compare a.asc c.asc -t 100
expect_out "1 cells valid only in a.asc, 0 only in c.asc"
expect_exit 1 "$gully" compare a.asc b.asc --json
expect_out '"max": 3.0'
expect_out '"within": false'
expect_exit 2 "$gully" compare a.asc d.asc
expect_err "sizes differ: a.asc has 3 x 2.*d.asc has 2 x 2"
expect_silent out

# Nodata and cell size go through a run: a wall stays a wall in every output.
cat >scene.json <<'JSON'
{"gully": 1, "terrain": {"file": "c.asc"}, "model": "pipe", "rain": {"rate": 1e-3}, "steps": 20}
JSON
expect_exit 0 "$gully" run scene.json -o out-c --json
expect_out '"cells": 5,'
for name in terrain water sediment flow wear deposit; do
    expect_exit 0 "$gully" info "out-c/$name.tif" --json
    expect_out '"nodata": 1,'
    expect_out '"type": "Float32"'
    expect_out '^    10.0,?$'
done
finish
