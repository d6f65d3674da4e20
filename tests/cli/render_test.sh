# SPDX-License-Identifier: MIT
# gully render: pictures of rasters and of runs, POV-Ray scenes, and what is refused.
source "$(dirname "$0")/lib.sh" "$@"

png_size() { # FILE: "WIDTH HEIGHT", from the header
    od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'
}
expect_size() { # FILE WIDTH HEIGHT
    expect_file "$1"
    [ "$(png_size "$1")" = "$2 $3" ] || fail "$1 is $(png_size "$1") instead of $2 $3"
}

write_scene scene.json 48 30
expect_exit 0 "$gully" run scene.json -o run --quiet
expect_exit 0 "$gully" render run -o view.png --size 160x90
expect_silent out
expect_silent err
expect_size view.png 160 90
expect_exit 0 "$gully" render run/terrain.tif -o terrain.png --size 160x90
cmp -s view.png terrain.png && fail "a run looks like its terrain alone"
expect_exit 0 "$gully" render run -o default.png
expect_size default.png 1280 720

# Of a relief a pixel is a cell.
expect_exit 0 "$gully" render run -o relief.png --view relief
expect_size relief.png 48 48
expect_exit 0 "$gully" render run -o wide.png --view relief --size 70x30
expect_size wide.png 70 30

# Everything that can be said changes the picture; threads do not.
for words in "--camera 90,40" "--camera 205,28,0.5" "--sun 90,20" "--exaggerate 2" "--haze 5" \
    "--palette canyon" "--palette volcanic" \
    "--overlay flow" "--overlay deposit --overlay wear" "--overlay slope" "--overlay sediment"; do
    # shellcheck disable=SC2086
    expect_exit 0 "$gully" render run -o other.png --size 160x90 $words
    cmp -s view.png other.png && fail "$words changes nothing"
done
for threads in 1 3; do
    expect_exit 0 "$gully" render run -o other.png --size 160x90 --threads $threads
    cmp -s view.png other.png || fail "$threads threads draw something else"
done
expect_exit 0 "$gully" render run -o other.png --size 160x90 --camera=-155,28,1 --overlay none
cmp -s view.png other.png || fail "-155 degrees are 205 degrees"

# Materials are found in the folder, with their colours.
cat >layered.json <<'JSON'
{"gully": 1, "terrain": {"generate": "mountains", "width": 40, "height": 40, "relief": 60},
 "materials": [{"name": "rock"}, {"name": "sand", "color": "#ff0000"}], "layers": {"sand": 2},
 "rain": {"rate": 1e-3}, "steps": 5}
JSON
expect_exit 0 "$gully" run layered.json -o layered --quiet
expect_exit 0 "$gully" render layered -o materials.png --size 80x45
expect_exit 0 "$gully" render layered -o other.png --size 80x45 --overlay materials
cmp -s materials.png other.png || fail "materials are not the default of a run that has them"
expect_exit 0 "$gully" render layered -o other.png --size 80x45 --overlay none
cmp -s materials.png other.png && fail "materials are shown anyway"

# A scene for POV-Ray, alone or with the picture.
expect_exit 0 "$gully" render run --pov scene.pov
for name in scene.pov scene-ground.pgm scene-ground.png scene-water.pgm; do expect_file $name; done
expect_in scene.pov 'pgm "scene-ground.pgm"'
expect_in scene.pov '^camera \{'
expect_exit 0 "$gully" render run/terrain.tif -o p.png --size 32x32 --pov dry.v2.pov
expect_size p.png 32 32
expect_file dry.v2.pov
expect_no_file dry.v2-water.pgm

wrong() { # PATTERN WORDS...
    local pattern=$1
    shift
    expect_exit 2 "$gully" render "$@"
    expect_silent out
    expect_err "^gully: "
    expect_err "$pattern"
    expect_no_file no.png
}
mkdir empty
wrong "IN is missing" -o no.png
wrong "output|-o PNG is missing" run
wrong "this folder has no terrain.tif" empty -o no.png
wrong "nowhere" nowhere -o no.png
wrong "no.jpg: pictures are PNG; the name must end with .png" run -o no.jpg
wrong "pictures are PNG" run -o no
wrong "scene.json" scene.json -o no.png
wrong "WxH.*1280x720.*'big'" run -o no.png --size big
wrong "WxH" run -o no.png --size 0x10
wrong "WxH" run -o no.png --size 100x99999
wrong "WxH" run -o no.png --size 100x100x100
wrong "AZIMUTH,ELEVATION.*'30'" run -o no.png --camera 30
wrong "AZIMUTH,ELEVATION" run -o no.png --camera 1,2,3,4
wrong "elevation.*1 to 90" run -o no.png --camera 30,95
wrong "distance" run -o no.png --camera 30,45,0
wrong "sun_elevation" run -o no.png --sun 30,-5
wrong "AZIMUTH,ELEVATION" run -o no.png --sun north
wrong "exaggerate wants a number" run -o no.png --exaggerate 0
wrong "no palette 'canyons'; did you mean canyon.*alpine" run -o no.png --palette canyons
wrong "no overlay 'folw'; did you mean flow.*sediment" run -o no.png --overlay folw
wrong "view wants one of" run -o no.png --view above
expect_exit 1 "$gully" render run -o nowhere/no.png --size 16x16
expect_err "nowhere"
expect_no_temporaries .
finish
