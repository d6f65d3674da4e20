#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes a release: build/dist/gully-VERSION.tar.xz, the commit that is checked out, with the studio's page built. It
# builds without git and npm. dist.sh FOLDER puts the same files into a folder instead.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -nE 's/^#define GULLY_VERSION "([0-9.]+)"$/\1/p' include/gully/status.h)
name=gully-$version

# The time of every file: that of the commit, or the one that the caller wants.
if git rev-parse HEAD >/dev/null 2>&1 && [ "$(git rev-parse --show-toplevel)" = "$(pwd -P)" ]; then
    has_git=true
    time=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
    git diff --quiet HEAD || echo "Note: changes that are not committed are left out" >&2
else
    has_git=false
    time=${SOURCE_DATE_EPOCH:-$(stat -c %Y include/gully/status.h)}
fi

left_out=(./build ./demo ./sessions ./.gully node_modules __pycache__)

files() { # FOLDER: the files of the release
    if $has_git; then git archive HEAD; else tar c "${left_out[@]/#/--exclude=}" .; fi | tar x -C "$1"
    scripts/page.sh build/studio
    rm -rf "$1/studio/page"
    cp -r build/studio "$1/studio/page"
    cat >"$1/debian/changelog" <<CHANGES
gully ($version) unstable; urgency=medium

  * What is new stands in CHANGELOG.md.

 -- $(sed -n 's/^Maintainer: //p' debian/control)  $(date -u -R -d "@$time")
CHANGES
    find "$1" -exec touch -h -d "@$time" {} +
}

if [ $# -gt 0 ]; then
    mkdir -p "$1"
    files "$1"
    exit 0
fi
staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
mkdir -p "$staged/$name" build/dist
files "$staged/$name"
tar c -C "$staged" --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=go+r-w,u+w "$name" |
    xz -T1 >"build/dist/$name.tar.xz"
echo "build/dist/$name.tar.xz"
