# SPDX-License-Identifier: MIT
# Rasters of other programs: the south first, feet, Mercator; made as VRT over raw numbers.
source "$(dirname "$0")/lib.sh" "$@"

# vrt FILE RAW TYPE BYTES WIDTH HEIGHT TRANSFORM SRS [BAND XML]
vrt() {
    cat >"$1" <<XML
<VRTDataset rasterXSize="$5" rasterYSize="$6"><SRS>$8</SRS><GeoTransform>$7</GeoTransform>
<VRTRasterBand dataType="$3" band="1" subClass="VRTRawRasterBand">${9:-}
<SourceFilename relativeToVRT="1">$2</SourceFilename><PixelOffset>$4</PixelOffset>
<LineOffset>$(($4 * $5))</LineOffset><ByteOrder>LSB</ByteOrder></VRTRasterBand></VRTDataset>
XML
}

expect_exit 0 "$gully" generate ridged -o land.r32 --width 40 --height 30 --cell 10
expect_exit 0 "$gully" convert land.r32 turned.r32 --flip
vrt north.vrt land.r32 Float32 4 40 30 "500000, 10, 0, 200000, 0, -10" EPSG:32618
vrt south.vrt turned.r32 Float32 4 40 30 "500000, 10, 0, 199700, 0, 10" EPSG:32618

# The same ground, whichever row comes first: meshes, presets, maps, pictures.
for file in north south; do
    expect_exit 0 "$gully" mesh $file.vrt -o $file.stl
    expect_exit 0 "$gully" convert $file.vrt $file.raw --preset unity --size 33
    expect_exit 0 "$gully" convert $file.vrt $file.png --preset unreal --size 127
    expect_exit 0 "$gully" maps $file.vrt -o maps-$file
    expect_exit 0 "$gully" render $file.vrt -o $file-picture.png --size 120x80
done
cmp -s north.stl south.stl || fail "the mesh of a raster with the south first is another"
for file in .raw .raw.json .png .png.json -picture.png; do
    cmp -s "north$file" "south$file" || fail "south$file is not north$file"
done
for file in slope.tif aspect.tif normal.png splat.png; do
    cmp -s maps-north/$file maps-south/$file || fail "$file of a raster with the south first is another"
done
expect_exit 0 "$gully" info south.vrt
expect_out "^note +its first row is the southernmost"

# Feet: the slope is that of the same numbers in metres.
vrt metres.vrt land.r32 Float32 4 40 30 "500000, 10, 0, 200000, 0, -10" EPSG:32618
vrt feet.vrt land.r32 Float32 4 40 30 "500000, 10, 0, 200000, 0, -10" EPSG:2263
expect_exit 0 "$gully" info metres.vrt
grep "^slope" out >slope
expect_exit 0 "$gully" info feet.vrt
expect_out "^note +heights became metres: taken for US survey feet"
expect_out "cell size +3.048"
grep "^slope" out | cmp -s - slope || fail "the slope of a terrain in feet is another"
expect_exit 0 "$gully" info feet.vrt --json
expect_out '"notes": \['
cat >feet.json <<'JSON'
{"gully": 1, "terrain": {"file": "feet.vrt"}, "model": "pipe", "steps": 0}
JSON
expect_exit 0 "$gully" run feet.json -o run-feet
expect_exit 0 "$gully" compare feet.vrt run-feet/terrain.tif
expect_exit 0 "$gully" mesh feet.vrt -o a.stl
expect_exit 0 "$gully" mesh run-feet -o b.stl
cmp -s a.stl b.stl || fail "the heights of a run in feet are others"

# A web map at 47 degrees north.
vrt web.vrt land.r32 Float32 4 40 30 "1000000, 10, 0, 5942074, 0, -10" EPSG:3857
expect_exit 0 "$gully" info web.vrt
expect_out "^cell size +6.8[0-9]+ x 6.8[0-9]+ m"
expect_out "^note +a Mercator map: cells of 10 x 10 m on it are 6.8"

# An alpha band, as gdalwarp -dstalpha makes it: where it is 0 there is no height. Of a picture it is opacity.
{ head -c 400 /dev/zero; head -c 800 /dev/zero | tr '\0' '\377'; } >alpha.raw
{ head -c 1600 /dev/zero; for _ in $(seq 800); do printf '\0\0\177\103'; done; } >alpha-floats.raw # 255 as gdalwarp writes it into floats
for alpha in "500000, 10, 0, 200000, 0, -10|Byte|1|alpha.raw" "500000, 10, 0, 200000, 0, -10|Float32|4|alpha-floats.raw" \
    "none|Byte|1|alpha.raw" "none|Float32|4|alpha-floats.raw"; do
    IFS='|' read -r place type bytes raw <<<"$alpha"
    vrt alpha.vrt land.r32 Float32 4 40 30 "$place" EPSG:32618
    [ "$place" != none ] || sed -i 's,<SRS>.*</GeoTransform>,,' alpha.vrt
    sed -i 's,</VRTDataset>,<VRTRasterBand dataType="'$type'" band="2" subClass="VRTRawRasterBand"><ColorInterp>Alpha</ColorInterp><SourceFilename relativeToVRT="1">'$raw'</SourceFilename><PixelOffset>'$bytes'</PixelOffset><LineOffset>'$((40 * bytes))'</LineOffset><ByteOrder>LSB</ByteOrder></VRTRasterBand></VRTDataset>,' alpha.vrt
    expect_exit 0 "$gully" info alpha.vrt
    if [ "$place" = none ]; then
        expect_out "^note +its alpha is not heeded"
        expect_out "^valid +1200 cells"
    else
        expect_out "^note +cells where its alpha is 0 have no height"
        expect_out "^valid +800 cells, nodata 400"
    fi
done

# Whole numbers that no mountain has are pointed out, where an image would be.
head -c 2400 /dev/zero | tr '\0' '\376' >counts.raw
vrt counts.vrt counts.raw UInt16 2 40 30 "500000, 10, 0, 200000, 0, -10" EPSG:32618
expect_exit 0 "$gully" info counts.vrt
expect_out "^note +heights up to 65[0-9]+ m, above any mountain"
expect_exit 0 "$gully" info counts.vrt --range 0 500
! grep -q "above any mountain" out || fail "counts that are explained are pointed out"
expect_exit 0 "$gully" convert north.vrt placed.png # has a sidecar
expect_exit 0 "$gully" info placed.png
! grep -q "^note" out || fail "a picture of ours with a place: $(grep ^note out)"
finish
