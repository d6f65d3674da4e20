# SPDX-License-Identifier: MIT
# Other programs read what we write: numbers within the quantum of the format. A program that is not there is skipped; make test-clients installs all.
source "$(dirname "$0")/lib.sh" "$@"
expect_exit 0 "$gully" generate mountains -o dem.tif --width 96 --height 64 --relief 600

# assimp: as many triangles as we say, and a box to the cell.
if has_client assimp; then
    for format in glb gltf obj ply stl; do
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
if has_client admesh; then
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
if has_client godot3-server; then
    expect_exit 0 "$gully" convert dem.tif dem.exr --preset godot
    expect_exit 0 "$gully" convert dem.tif dem.r32 --preset godot
    HOME=$scratch expect_exit 0 godot3-server --no-window -s "$source_root/tests/clients/godot3_read.gd" \
        "$scratch/dem.exr" "$scratch/godot.r32"
    expect_out "96 x 64"
    cp dem.r32.json godot.r32.json
    expect_exit 0 "$gully" compare godot.r32 dem.r32 --tolerance 0.5
fi
# GDAL's own programs: metres within the step of each format, in their place.
printf '%s\n' '<VRTDataset rasterXSize="96" rasterYSize="64"><SRS>EPSG:32632</SRS>' \
    '<GeoTransform>500000, 10, 0, 5200640, 0, -10</GeoTransform>' \
    '<VRTRasterBand dataType="Float32" band="1"><SimpleSource><SourceFilename relativeToVRT="1">dem.tif</SourceFilename>' \
    '</SimpleSource></VRTRasterBand></VRTDataset>' >placed.vrt
expect_exit 0 "$gully" convert placed.vrt placed.r32
same_numbers() { # FILE TOLERANCE: floats that a client wrote, row by row
    cp placed.r32.json "$1.json"
    expect_exit 0 "$gully" compare "$1" placed.r32 --tolerance "$2"
}
if has_client gdal_translate; then
    for row in tif:0 cog.tif:0 asc:0 png:0.005; do # 600 m in 65535 steps: half of one is 0.0046 m
        file=placed.${row%:*}
        format=()
        [ "${row%:*}" = cog.tif ] && format=(--format cog)
        expect_exit 0 "$gully" convert placed.vrt "$file" "${format[@]}"
        expect_exit 0 gdalinfo "$file"
        expect_out "Origin = \(500000.0+,5200640.0+\)"
        expect_out "Pixel Size = \(10.0+,-10.0+\)"
        expect_out 'UTM zone 32N'
        expect_exit 0 gdal_translate -q -of ENVI -ot Float32 -unscale "$file" gdal.r32
        same_numbers gdal.r32 "${row#*:}"
    done
fi

# A file of several rasters is refused with their names, and every command takes one of these.
if has_client gdal_translate; then
    expect_exit 0 "$gully" convert placed.vrt placed.tif
    expect_exit 0 gdalbuildvrt -q -separate pair.vrt placed.tif placed.tif
    expect_exit 0 gdal_translate -q -of NETCDF pair.vrt pair.nc
    expect_exit 2 "$gully" info pair.nc
    expect_err 'holds several rasters, name one of them: NETCDF:"pair.nc":Band1'
    expect_exit 0 "$gully" compare 'NETCDF:"pair.nc":Band2' placed.tif
    expect_exit 0 "$gully" run 'NETCDF:"pair.nc":Band2' -o pair --steps 1
    expect_err '"file": "NETCDF:."pair.nc.":Band2"' # as JSON
    expect_exit 0 "$gully" run placed.tif -o single --steps 1
    expect_exit 0 "$gully" compare pair single
    echo '{"gully": 1, "terrain": {"file": "NETCDF:\"pair.nc\":Band1"}, "model": "pipe", "steps": 0}' >pair.json
    expect_exit 0 "$gully" run pair.json -o pair
    expect_exit 0 "$gully" compare pair placed.tif
fi

# GRASS: every bit, where it lies.
if has_client grass; then
    [ -f placed.tif ] || expect_exit 0 "$gully" convert placed.vrt placed.tif
    HOME=$scratch expect_exit 0 grass --tmp-location placed.tif --exec bash -c \
        'r.in.gdal --q input=placed.tif output=dem && g.region --q raster=dem && r.out.bin --q -f input=dem output=grass.r32 bytes=4 && r.info -g dem'
    expect_out "^north=5200640$"
    expect_out "^west=500000$"
    expect_out "^nsres=10$"
    same_numbers grass.r32 0
fi

# three.js: every vertex of a whole mesh on the height of its cell, every pixel of an EXR.
if has_client node && has_client npm; then
    if npm_package three 0.170.0; then
        expect_exit 0 "$gully" convert dem.tif three.r32
        expect_exit 0 "$gully" convert dem.tif three.exr
        for format in glb gltf obj ply stl; do expect_exit 0 "$gully" mesh dem.tif -o three.$format; done
        expect_exit 0 node "$source_root/tests/clients/three_read.mjs" "$npm_folder" 96 64 10 three.r32 \
            three.glb three.gltf three.obj three.ply three.stl three.exr
        for file in glb:6144 gltf:6144 ply:6144 exr:6144 obj:35910 stl:35910; do # cells, or corners of 95 x 63 x 2 triangles
            expect_out "three.${file%:*} has ${file#*:} numbers, off by nothing"
        done
        # What assimp reads, written by it again: the same.
        for way in glb:glb:glb2 gltf:glb:glb2 obj:glb:glb2 ply:stl:stlb stl:stl:stlb; do
            command -v assimp >/dev/null || break # said above
            IFS=: read -r from to writer <<<"$way"
            expect_exit 0 assimp export three.$from assimp-$from.$to -f$writer
            expect_exit 0 node "$source_root/tests/clients/three_read.mjs" "$npm_folder" 96 64 10 three.r32 assimp-$from.$to
            expect_out "assimp-$from.$to has (6144|35910) numbers, off by nothing"
        done
    else
        skip "npm cannot fetch three: $(tail -n 1 npm.log)"
    fi
fi
finish
