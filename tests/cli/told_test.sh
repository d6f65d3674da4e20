# SPDX-License-Identifier: MIT
# What commands and scenes are told about rasters: --range, --cell, --extent, --nodata-in, --band,
# --unit. The raster is 40 x 30 counts of 16 bits without a sidecar.
source "$(dirname "$0")/lib.sh" "$@"

expect_exit 0 "$gully" generate ridged -o land.tif --width 40 --height 30 --cell 10 --relief 500
expect_exit 0 "$gully" convert land.tif counts.png --out-range 0,655.35
rm counts.png.json counts.png.aux.xml counts.pgw 2>/dev/null
told=(--range 0 655.35 --cell 10)

# Told nothing, commands say what they took for granted; told what it is, they have nothing to say.
expect_exit 0 "$gully" info counts.png
expect_out "^note +an image that does not say what its numbers mean"
expect_out "^note +no size of the cells: 1 x 1 m was taken"
expect_exit 0 "$gully" compare counts.png counts.png
expect_err "counts.png: no size of the cells"
expect_exit 0 "$gully" info counts.png "${told[@]}"
expect_out "cell size +10 x 10 m"
if grep -q "^note" out; then fail "a note where all was told"; fi
expect_exit 0 "$gully" info counts.png --cell 10 # which says nothing of the numbers
expect_out "^note +an image that does not say what its numbers mean"
printf '10\n0\n0\n-10\n500005\n5200295\n' >counts.pgw # nor does a place
expect_exit 0 "$gully" info counts.png
expect_out "^note +an image that does not say what its numbers mean"
expect_out "cell size +10 x 10 m"
expect_exit 0 "$gully" info counts.png --range 0 655.35
if grep -q "^note" out; then fail "a note where the file and we have told all"; fi
rm counts.pgw
expect_exit 0 "$gully" convert counts.png same.tif "${told[@]}"
expect_silent err
expect_exit 0 "$gully" compare land.tif same.tif --tolerance 0.006

# Every command that reads a raster: the same as from the GeoTIFF.
for file in same.tif counts.png; do
    use=()
    [ $file = counts.png ] && use=("${told[@]}")
    name=${file%.*}
    expect_exit 0 "$gully" mesh $file -o $name.stl "${use[@]}"
    expect_silent err
    expect_exit 0 "$gully" render $file -o $name-picture.png --size 90x60 "${use[@]}"
    expect_exit 0 "$gully" maps $file -o maps-$name "${use[@]}"
    expect_exit 0 "$gully" run $file -o run-$name --steps 5 "${use[@]}"
    expect_err "$file: a raster; it is run with the settings of gully demo"
done
cmp -s same.stl counts.stl || fail "the mesh of what was told is another"
cmp -s same-picture.png counts-picture.png || fail "the picture of what was told is another"
cmp -s maps-same/slope.tif maps-counts/slope.tif || fail "the slope of what was told is another"
expect_exit 0 "$gully" compare run-same run-counts

# One word or two, negative numbers, one cell or two, extents, units, nodata.
expect_exit 0 "$gully" info counts.png --range=-100,200 --extent 800 900
expect_out "cell size +20 x 30 m"
expect_out "values +-100 to"
expect_exit 0 "$gully" info counts.png --range -100 200 --cell 5 6
expect_out "cell size +5 x 6 m"
low=$("$gully" info counts.png | sed -n 's/^values *\([0-9]*\) to.*/\1/p') # the least count
expect_exit 0 "$gully" info --cell 5 counts.png --nodata-in "$low"
expect_out "cell size +5 x 5 m"
expect_out "nodata [1-9]"
expect_exit 0 "$gully" info land.tif --unit cm
expect_out "values +0 to 5, "
expect_exit 2 "$gully" info land.tif --range 0 500
expect_err "not counts from 0 to 1.*--out-range"
expect_exit 2 "$gully" info counts.png --range 5
expect_err "--range wants LOW HIGH, numbers from"
expect_exit 2 "$gully" info counts.png --range 5 1
expect_err "LOW must be below HIGH"
expect_exit 2 "$gully" info counts.png --cell 0
expect_err "--cell wants X \[Y\], numbers from"
expect_exit 2 "$gully" info counts.png --band 2
expect_err "has 1 band; there is no band 2"
expect_exit 2 "$gully" info counts.png --unit inch
expect_err "--unit wants one of m\|ft\|ftUS\|cm"
expect_exit 2 "$gully" info counts.png --band 1.5
expect_err "band 1.5: must be a whole number"

# Degrees of which the file says nothing, as of an ASCII grid without its .prj: pointed out, unless cells are told.
printf 'ncols 3\nnrows 2\nxllcorner 11\nyllcorner 47\ncellsize 0.00083333\n1 2 3\n4 5 6\n' >degrees.asc
expect_exit 0 "$gully" info degrees.asc
expect_out "^note +no projection, and its place looks like degrees: cells of 0.00083333 x"
expect_exit 0 "$gully" info degrees.asc --cell 60 90
grep -q "^note" out && fail "cells were told, and yet: $(grep ^note out)"
printf 'ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0.01\n1 2 3\n4 5 6\n' >flume.asc
expect_exit 0 "$gully" info flume.asc
grep -q "^note" out && fail "a small model at 0: $(grep ^note out)"
cat >degrees.json <<'JSON'
{"gully": 1, "terrain": {"file": "degrees.asc"}, "cell_size": [60, 90], "model": "pipe", "steps": 0}
JSON
expect_exit 0 "$gully" run degrees.json -o degrees
expect_silent err

# A nodata that nobody declared and no height can be: refused with what to do, which then works.
printf 'ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2 1e20\n4 5 6\n' >huge.asc
expect_exit 2 "$gully" run huge.asc -o huge --steps 1
expect_err "cell \(2, 0\) is 1e\+20; allowed: .* nodata_in \(--nodata-in\) tells so; .gully info. has all digits"
digits=$("$gully" info huge.asc | grep -o -- '--nodata-in [^ ]*')
expect_exit 0 "$gully" run huge.asc -o huge --steps 1 $digits
expect_in huge/report.json '"cells": 5,'

# Scenes: the same keys, and the options of run change them.
cat >scene.json <<'JSON'
{"gully": 1, "terrain": {"file": "counts.png", "range": [0, 655.35], "cell": 10}, "model": "pipe",
 "rain": {"rate": 1e-3}, "steps": 5}
JSON
expect_exit 0 "$gully" run scene.json -o by-scene
expect_silent err
sed 's/, "range".*10}/}/' scene.json >bare.json
expect_exit 0 "$gully" run bare.json -o by-options "${told[@]}"
expect_exit 0 "$gully" compare by-scene by-options
expect_exit 0 "$gully" run bare.json -o untold
expect_err "bare.json: an image that does not say what its numbers mean"
expect_exit 0 "$gully" run bare.json -o untold --quiet
expect_silent err
expect_exit 0 "$gully" run scene.json -o by-set --set terrain.range=[0,65.535] --set terrain.unit=ft
expect_exit 0 "$gully" info by-set
expect_out "values +[0-9.e-]+ to 1[0-9]\.[0-9]"
for wrong in 'terrain.range=5|expected a list of two numbers' 'terrain.cell=[1,2,3]|a number, or a list of two' \
    'terrain.unit="inch"|expected one of m\|ft\|ftUS\|cm' 'terrain.band=0|from 1 to 65535' \
    'terrain.ranges=1|range' 'terrain.extent=[1,"a"]|number'; do
    expect_exit 2 "$gully" run scene.json -o none --set "${wrong%%|*}"
    expect_err "${wrong#*|}"
    expect_no_file none
done
expect_exit 2 "$gully" run "$source_root/scenes/demo.json" -o none --band 2
expect_err "terrain.band: unknown key"

# The studio passes them on, too.
if "$gully" studio --help >/dev/null 2>&1; then
    mkdir page
    echo "<html></html>" >page/index.html
    expect_exit 2 "$gully" studio counts.png --band 3 --no-browser --page page
    expect_err "has 1 band; there is no band 3"
fi

# A raster instead of a scene: the demo's settings, the raster's own cells.
expect_exit 0 "$gully" run land.tif -o run-land --steps 3 --quiet
expect_silent err
expect_in run-land/report.json '"file": "land.tif"'
expect_exit 0 "$gully" info run-land/terrain.tif
expect_out "cell size +10 x 10 m"
expect_exit 0 "$gully" info run-land
expect_out "size +40 x 30"
finish
