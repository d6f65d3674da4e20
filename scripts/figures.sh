#!/usr/bin/env bash
# Makes the pictures of the README and the tables of the docs, with the program itself.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build/gully demo --size 512 --quiet -o "$work"
mkdir -p docs/pictures
for picture in before wet after; do
    cp "$work/$picture.png" docs/pictures/
done
build/gully demo --quiet -o "$work/hero"
build/gully render "$work/hero" -o docs/pictures/hero.png --size 1120x630 --exaggerate 1.5
build/gully render "$work/hero" -o docs/pictures/hero-masks.png --size 1120x630 --exaggerate 1.5 \
    --camera 205,40 --overlay flow --overlay deposit --overlay wear
build/gully models --markdown >docs/parameters.md
echo "docs/pictures: before.png wet.png after.png hero.png hero-masks.png; docs/parameters.md"
