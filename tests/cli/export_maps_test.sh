# SPDX-License-Identifier: MIT
# Maps, masks and pictures in the preset, size and tiles of the heights; fields in one EXR file.
source "$(dirname "$0")/lib.sh" "$@"
cp "$source_root/scenes/layers.json" scene.json
expect_exit 0 "$gully" run scene.json -o ran -q --steps 15 --set terrain.width=60 --set terrain.height=44

# Tiles have the names of the heights' tiles.
for preset in unity unreal; do
    side=33
    [ $preset = unreal ] && side=127
    expect_exit 0 "$gully" convert ran heights-$preset --preset $preset --tiles $side --overlap --name terrain
    expect_exit 0 "$gully" maps ran -o maps-$preset --preset $preset --tiles $side --overlap --grey
    expect_out "slope/ .*flow/.* splat-rock/ splat-soil/ splat-sand/ splat.json"
    for file in heights-$preset/terrain_*; do
        name=$(basename "$file")
        expect_file "maps-$preset/slope/${name/terrain/slope}"
        expect_file "maps-$preset/flow/${name/terrain/flow}"
        case $name in
        *.json | *.xml | *.pgw) continue ;;
        esac
        name=${name%.*}.png
        expect_file "maps-$preset/normal/${name/terrain/normal}"
        expect_file "maps-$preset/splat-soil/${name/terrain/splat-soil}"
    done
    expect_in maps-$preset/splat.json '"file": "splat-soil/"'
    expect_in maps-$preset/splat.json '"channel": "grey"'
    expect_exit 0 "$gully" info maps-$preset/flow
    expect_no_temporaries maps-$preset
done
[ "$(ls heights-unity/terrain_*.raw | wc -l)" = 4 ] || fail "4 tiles: $(ls heights-unity)"

# Maps of another size are those of the heights in that size.
expect_exit 0 "$gully" convert ran sized.tif --size 90
expect_out "90 x 66 cells"
expect_exit 0 "$gully" maps sized.tif -o after --only slope --only normal
expect_exit 0 "$gully" maps ran -o before --only slope --only normal --size 90
expect_exit 0 "$gully" compare after/slope.tif before/slope.tif
cmp after/normal.png before/normal.png || fail "normals of another size"
expect_exit 0 "$gully" maps ran -o masks --only wear --only deposit --preset godot
expect_file masks/wear.exr
expect_exit 0 "$gully" compare masks/wear.exr ran/wear.tif
expect_exit 0 "$gully" maps ran -o dry --preset godot --dry-run
expect_out "Would be in dry: slope.exr"
expect_no_file dry
expect_exit 2 "$gully" maps sized.tif -o no --only flow
expect_err "--flow"
expect_exit 2 "$gully" maps ran -o no --preset unity --size 50
expect_err "33, 65"
expect_exit 2 "$gully" maps ran -o no --overlap
expect_no_file no/slope.tif

# One grey picture for each paint has what the channels have.
expect_exit 0 "$gully" maps ran -o one --only splat
expect_exit 0 "$gully" maps ran -o grey --only splat --grey
expect_exit 0 "$gully" compare one/splat.png grey/splat-rock.png
expect_exit 0 "$gully" convert one/splat.png green.tif --band 2
expect_exit 0 "$gully" compare green.tif grey/splat-soil.png

# All fields in one file: channels are sorted, the terrain is found by itself.
expect_exit 0 "$gully" convert ran fields.exr --fields
expect_out "channels +Y water sediment flow wear deposit layer-rock layer-soil layer-sand"
expect_exit 0 "$gully" compare fields.exr ran
band=1
for name in terrain deposit flow layer-rock layer-sand layer-soil sediment water wear; do
    expect_exit 0 "$gully" convert fields.exr band.tif --band $band -q
    expect_exit 0 "$gully" compare band.tif ran/$name.tif
    band=$((band + 1))
done
expect_exit 0 "$gully" convert ran small.exr --fields --size 30 --json
expect_out '^    22$'
expect_exit 2 "$gully" convert ran fields.tif --fields
expect_err "exr"
expect_no_file fields.tif
finish
