#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fetches the sources of the libraries that the web build compiles itself, as Debian's source packages of the
# release that this machine runs: web_sources.sh FOLDER. Needs no root. Does nothing if they are there.
set -eu
folder=$(realpath -m "$1")
packages=(jansson libzstd zlib)
[ -f "$folder/.whole" ] && exit 0
command -v apt-get >/dev/null || {
    echo "The web build needs the sources of ${packages[*]}: unpack each into $folder/NAME and make $folder/.whole" >&2
    exit 1
}
echo "Fetching the sources of ${packages[*]}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/parts" "$work/archives/partial" "$work/got"

# The machine's own places, asked for sources instead of programs.
cat /etc/apt/sources.list.d/*.sources 2>/dev/null | sed 's/^Types:.*/Types: deb-src/' >"$work/parts/web.sources"
cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    sed -n 's/^deb\(-src\)\? /deb-src /p' >"$work/parts/web.list"
options=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$work/parts" -o "Dir::State::Lists=$work/lists"
    -o "Dir::Cache=$work" -o APT::Sandbox::User=)
if ! (cd "$work/got" && apt-get "${options[@]}" update &&
    apt-get "${options[@]}" source --download-only "${packages[@]}") >"$work/log" 2>&1; then
    cat "$work/log" >&2
    exit 1
fi
for package in "${packages[@]}"; do
    rm -rf "${folder:?}/$package"
    mkdir -p "$folder/$package"
    archive=$(find "$work/got" -name "${package}_*.orig.tar.*" ! -name "*.asc")
    tar xf "$archive" -C "$folder/$package" --strip-components=1
done
touch "$folder/.whole"
