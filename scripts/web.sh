#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the studio that needs no server into a folder (build/web): the page, and the engine as WebAssembly, once for one
# thread and once for several. Any static host can serve it. web.sh [FOLDER [JOBS]]
set -eu
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build/web}")
jobs=${2:-$(nproc)}
most=3000000 # bytes of it all
log_file=$(mktemp)
trap 'rm -f "$log_file"' EXIT
run() { "$@" >"$log_file" 2>&1 || { cat "$log_file" >&2; exit 1; }; }

export NODE_PATH="${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs" # where Debian's Emscripten has its libraries
scripts/web_sources.sh build/web-sources
build() { # build FOLDER OPTIONS...
    local into=$1
    shift
    run emcmake cmake -S . -B "$into" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O3 "$@"
    run cmake --build "$into" --parallel "$jobs"
}
echo "Compiling the engine for the web"
build build/wasm/one
build build/wasm/many -DGULLY_WEB_THREADS=ON
echo "Building the page"
[ -d studio/web/node_modules ] || run npm --prefix studio/web ci --no-audit --no-fund
run npm --prefix studio/web run build -- --mode web --outDir "$folder" --emptyOutDir
for kind in one many; do
    mkdir -p "$folder/$kind"
    run studio/web/node_modules/.bin/esbuild --minify build/wasm/$kind/engine.mjs --outfile="$folder/$kind/engine.mjs"
    gzip -9n <build/wasm/$kind/engine.wasm >"$folder/$kind/engine.wasm.gz" # not every host compresses
    [ ! -f build/wasm/$kind/engine.worker.js ] || cp build/wasm/$kind/engine.worker.js "$folder/$kind/"
done
size=$(find "$folder" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
if [ "$size" -gt "$most" ]; then
    echo "$folder has $size bytes; it may have $most" >&2
    exit 1
fi
echo "The page is in $folder: $size bytes. Serve it with any static server, for example: npx serve $folder"
