#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the pictures of the README and the gallery and the tables of the docs, with the program
# itself. "figures.sh SCENE..." makes only the pictures of these scenes.
set -eu
cd "$(dirname "$0")/.."
gully=${GULLY:-build/gully}
only=" $* "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p docs/pictures

# picture SCENE MOMENT STEPS CAMERA [OPTION]...: docs/pictures/SCENE-MOMENT.png, the scene after so
# many steps, or its bare ground, seen from there; options are those of gully render.
picture() {
    local scene=$1 moment=$2 steps=$3 camera=$4 what=$work/run
    shift 4
    [ "$only" = "  " ] || [[ $only == *" $scene "* ]] || return 0
    [ "$steps" != ground ] || { steps=0 && what=$work/run/terrain.tif; }
    "$gully" run "scenes/$scene.json" -o "$work/run" --quiet --steps "$steps"
    "$gully" render "$what" -o "docs/pictures/$scene-$moment.png" --camera "$camera" --size 480x320 "$@"
    rm -r "$work/run"
    echo "docs/pictures/$scene-$moment.png"
}

# landscape SCENE CAMERA [OPTION]...: docs/pictures/SCENE.png, what the whole scene comes to, and the studio's card of it.
landscape() {
    local scene=$1 camera=$2
    shift 2
    [ "$only" = "  " ] || [[ $only == *" $scene "* ]] || return 0
    "$gully" run "scenes/$scene.json" -o "$work/run" --quiet
    "$gully" render "$work/run" -o "docs/pictures/$scene.png" --camera "$camera" --size 680x382 "$@"
    "$gully" render "$work/run" -o "$work/card.png" --camera "$camera" --size 224x126 "$@"
    scripts/jpeg.sh "$work/card.png" "studio/web/src/cards/$scene.jpg"
    rm -r "$work/run"
    echo "docs/pictures/$scene.png"
}

#         scene    camera
landscape alpine   205,22,0.95 --palette highland --sun 285,25
landscape badlands 205,28,0.97 --palette badlands --sun 285,25 --exaggerate 1.3
landscape canyon   190,24,0.62 --palette canyon --sun 275,24 --exaggerate 1.3
landscape island   205,24,0.92 --palette volcanic --sun 270,32 --exaggerate 1.3
landscape dunes    205,30,0.8  --exaggerate 1.5 --sun 300,16
landscape valley   195,34,0.72 --palette valley --sun 285,20 --exaggerate 1.3

[ "$only" != "  " ] && [[ $only != *" presets "* ]] || node scripts/preset_cards.mjs "$gully"

as_mei="--overlay sediment --overlay deposit" # green in the water, red on the ground

#       scene           moment  steps  camera
picture pg-mountain     before      0  190,42       $as_mei --exaggerate 1.5
picture pg-mountain     rain      800  190,42       $as_mei --exaggerate 1.5
picture pg-mountain     after    1200  190,42       $as_mei --exaggerate 1.5
picture channel         early    2500  190,40       $as_mei
picture channel         late     4000  190,40       $as_mei
picture channel         after    5000  190,40       $as_mei
picture basin           before      0  200,48,1.1   $as_mei
picture basin           rain     1700  200,48,1.1   $as_mei
picture basin           after    2600  200,48,1.1   $as_mei
picture mountain-rain   before      0  160,40       $as_mei
picture mountain-rain   after    2000  160,40       $as_mei
picture mountain-source source   3000  160,40       $as_mei
picture mountain-source after    3800  160,40       $as_mei
picture mountain-both   after    2000  160,40       $as_mei
picture pool            before      0  200,45,1.05  $as_mei --exaggerate 4
picture pool            full      120  200,45,1.05  $as_mei --exaggerate 4
picture pool            after     620  200,45,1.05  $as_mei --exaggerate 4
picture sources         early     200  200,55,1.05  $as_mei --exaggerate 4
picture sources         after     600  200,55,1.05  $as_mei --exaggerate 4
picture volcano         rain       10  200,40       --exaggerate 5
picture volcano         running   150  200,40       --exaggerate 5
picture volcano         after     500  200,40       --exaggerate 5
picture seasons         wet        60  200,45,1.05  $as_mei --exaggerate 2
picture seasons         drying    110  200,45,1.05  $as_mei --exaggerate 2
picture seasons         after     630  200,45,1.05  $as_mei --exaggerate 2
picture anh             before ground  200,30,0.5
picture anh             after     100  200,30,0.5
picture layers          before      0  340,38,0.85
picture layers          shower    800  340,38,0.85
picture layers          after    1200  340,38,0.85
picture dunes           before      0  205,36,0.85  --exaggerate 1.5 --sun 300,20
picture dunes           middle   4000  205,36,0.85  --exaggerate 1.5 --sun 300,20
picture dunes           after    8000  205,36,0.85  --exaggerate 1.5 --sun 300,20
[ "$only" = "  " ] || exit 0

mkdir "$work/studio"
program=$(realpath "$gully") root=$PWD
(cd "$work/studio" && node "$root/tests/studio/browser/picture.mjs" "$program" "$root" "$(dirname "$program")/studio" "$root/docs/pictures/studio.png")
echo "docs/pictures/studio.png"
mkdir "$work/kinds"
(cd "$work/kinds" && node "$root/tests/studio/browser/kinds.mjs" "$program" "$root" "$(dirname "$program")/studio" "$root/docs/pictures/studio-kinds.png")
echo "docs/pictures/studio-kinds.png"
"$gully" demo --size 400 --quiet -o "$work"
for moment in before aged wet after; do
    cp "$work/$moment.png" docs/pictures/
done
"$gully" demo --quiet -o "$work/hero"
"$gully" render "$work/hero" -o docs/pictures/hero.png --size 760x428 --exaggerate 1.2 \
    --camera 205,27,0.98 --sun 290,27
"$gully" render "$work/hero" -o docs/pictures/hero-masks.png --size 640x360 \
    --camera 205,40 --overlay flow --overlay deposit --overlay wear
"$gully" models --markdown >docs/parameters.md
echo "docs/pictures: before.png aged.png wet.png after.png hero.png hero-masks.png; docs/parameters.md"
