# SPDX-License-Identifier: MIT
# Wrong scenes and wrong rasters: a message that names the file and what is wrong, nothing written.
source "$(dirname "$0")/lib.sh" "$@"

# refuse CODE PATTERN SCENE [WORDS...]: the run fails so and no folder appears.
refuse() {
    local code=$1 pattern=$2 scene=$3
    shift 3
    expect_exit "$code" "$gully" run "$scene" -o d "$@"
    expect_silent out
    expect_err "^gully: .*$pattern"
    expect_no_file d
}
# scene FILE TERRAIN [MORE]: a scene with that terrain.
scene() {
    echo "{\"gully\": 1, \"terrain\": $2, \"model\": \"pipe\", \"steps\": 5${3:-}}" >"$1"
}
generated='{"generate": "mountains", "width": 16, "height": 16}'

refuse 2 "missing.json" missing.json
mkdir folder.json
refuse 2 "folder.json" folder.json

: >empty.json
refuse 2 "empty.json" empty.json
head -c 10000000 /dev/zero | tr '\0' '[' >brackets.json
refuse 2 "brackets.json" brackets.json
head -c 100000 /dev/urandom >noise.json
refuse 2 "noise.json" noise.json
echo '[]' >list.json
refuse 2 "list.json" list.json

# Keys and values.
scene unknown.json "$generated" ', "colour": "red"'
refuse 2 "unknown.json:1.*colour" unknown.json
scene text.json "$generated" ', "rain": {"rate": "1e-3"}'
refuse 2 "text.json:1.*rate" text.json
scene range.json "$generated" ', "params": {"capacity": -1}'
refuse 2 "range.json:1.*capacity.*0" range.json
scene still.json "$generated" ', "wind": {"capacity": -1}'
refuse 2 "still.json:1.*capacity.*0" still.json
scene bare.json "$generated" ', "wind": {"bedrock": 5000}'
refuse 2 "bare.json.*wind: .*5000 m; lower wind.bedrock" bare.json
scene cells.json "$generated" ', "cell_size": [-10, 10]'
refuse 2 "cells.json:1.*cell_size" cells.json
scene law.json "$generated" ', "boundary": {"west": "ajar"}'
refuse 2 "law.json:1.*west.*closed.*open" law.json
scene good.json "$generated"
refuse 2 "capacty" good.json --set params.capacty=1
refuse 2 "nonsense" good.json --set nonsense
refuse 2 "model" good.json --set model=steam
refuse 2 "kind.*mountains|mountains" good.json --set terrain.generate=lakes
refuse 2 "dt" good.json --set dt=1000

# Materials, layers, cycles.
rock_and_soil=', "materials": [{"name": "rock"}, {"name": "soil"}]'
scene nameless.json "$generated" ', "materials": [{"color": "#807870"}]'
refuse 2 "nameless.json:1: materials\[0\].name: missing" nameless.json
scene path.json "$generated" ', "materials": [{"name": "../rock"}]'
refuse 2 "path.json:1: materials\[0\].name: .*file's name; allowed: " path.json
scene bare.json "$generated" ', "layers": {"soil": 1}'
refuse 2 "bare.json:1: layers: needs materials" bare.json
scene deep.json "$generated" "$rock_and_soil"', "layers": {"rock": 1}'
refuse 2 "deep.json:1: layers.rock: .*bedrock.*allowed: soil" deep.json
scene layer.json "$generated" "$rock_and_soil"
refuse 2 "set layers.soil=-1: layers.soil: -1 is out of range" layer.json --set layers.soil=-1
refuse 2 "layers.sol: unknown key; allowed: soil; did you mean" layer.json --set layers.sol=1
refuse 2 "materials\[1\].talus: 95 is out of range" layer.json --set materials.1.talus=95
refuse 2 "gone.tif: no such file" layer.json --set layers.soil.file=gone.tif
refuse 2 "cycle: a step of pipe is always the same.*diffusion" good.json --set 'cycle=["rain"]'
refuse 2 "cycle\[0\]: .*snow.*allowed: rain" good.json --set model=diffusion --set 'cycle=["snow"]'

# A later phase that is wrong stops the run before its first step.
scene phase.json "$generated"
sed -i 's/"steps": 5/"cell_size": [1, 1], "program": [{"name": "one", "steps": 5}, {"name": "two", "steps": 5, "set": {"dt": 1000}}]/' phase.json
refuse 2 "two|dt" phase.json

# Rasters.
scene gone.json '{"file": "gone.tif"}'
refuse 2 "gone.tif" gone.json
echo "This is not a raster." >text.tif
scene tiff.json '{"file": "text.tif"}'
refuse 2 "text.tif" tiff.json
: >empty.tif
scene nothing.json '{"file": "empty.tif"}'
refuse 2 "empty.tif" nothing.json
printf 'ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9\n' >void.asc
printf -- '-9 -9 -9\n-9 -9 -9\n-9 -9 -9\n' >>void.asc
scene void.json '{"file": "void.asc"}'
refuse 2 "void.asc" void.json
expect_exit 0 "$gully" run good.json -o cut -q
head -c 600 cut/terrain.tif >short.tif
scene short.json '{"file": "short.tif"}'
refuse 2 "short.tif" short.json
scene other.json "$generated" ', "initial": {"water": {"file": "void.asc"}}'
refuse 2 "void.asc" other.json
for file in gone.tif text.tif empty.tif short.tif; do
    expect_exit 2 "$gully" info $file
    expect_err "^gully: .*$file"
    expect_exit 2 "$gully" compare $file cut/terrain.tif
    expect_err "^gully: .*$file"
done

# A folder that cannot be one.
echo "in the way" >plain
expect_exit 1 "$gully" run good.json -o plain
expect_err "^gully: .*plain"
expect_exit 1 "$gully" run good.json -o plain/below
expect_err "^gully: .*plain"
[ "$(cat plain)" = "in the way" ] || fail "the file in the way has changed"

# An output that cannot be replaced: none of the others is.
expect_exit 0 "$gully" run good.json -o kept -q
rm kept/flow.tif
mkdir kept/flow.tif
before=$(cat kept/*.tif kept/*.json 2>/dev/null | cksum)
expect_exit 1 "$gully" run good.json -o kept --steps 9
expect_err "^gully: .*flow.tif"
[ "$(cat kept/*.tif kept/*.json 2>/dev/null | cksum)" = "$before" ] || fail "some files were replaced"
expect_no_temporaries kept

# A time step beyond the stable limit runs if the scene insists, and then ends in numbers.
scene wild.json "$generated" ', "rain": {"rate": 1e-3}, "dt": 100'
refuse 2 "dt.*allow_unstable" wild.json
expect_exit 0 "$gully" run wild.json -o wild --set allow_unstable=true --set params.capacity=1e6
expect_outputs wild
finish
