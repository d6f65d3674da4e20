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
build/gully models --markdown >docs/parameters.md
echo "docs/pictures: before.png wet.png after.png; docs/parameters.md"
