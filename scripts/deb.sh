#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the Debian packages from the files of a release: build/deb/*.deb. deb.sh JOBS
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
folder=build/deb
rm -rf "$folder"
mkdir -p "$folder"
scripts/dist.sh "$folder/gully"
log_file=$folder/build.log
echo "Building the packages ($log_file)"
if ! (cd "$folder/gully" && DEB_BUILD_OPTIONS="parallel=$jobs noautodbgsym" dpkg-buildpackage -b -us -uc) >"$log_file" 2>&1; then
    tail -n 40 "$log_file" >&2
    exit 1
fi
rm -rf "$folder/gully"
ls "$folder"/*.deb
