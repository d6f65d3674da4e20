#!/usr/bin/env bash
# How fast the web's engine steps under node, as a share of this machine's engine at SSE2 width, one thread each: runs in
# turns, the shortest of each counts. web_speed.sh [RUNS [STEPS [SCENE...]]]
set -eu
cd "$(dirname "$0")/.."
runs=${1:-5} steps=${2:-60}
shift $(($# < 2 ? $# : 2))
native=build/tests/scene_runner web=build/wasm/one/gully_scenes.js
[ -x "$native" ] && [ -f "$web" ] || { echo "first: make web, and cmake --build build --target scene_runner" >&2; exit 1; }
seconds() { sed 's/.*"seconds": \([0-9.]*\).*/\1/'; }
for scene in "${@:-demo}"; do
    for _ in $(seq "$runs"); do
        echo "native $("$native" --width baseline "$steps" "scenes/$scene.json" | seconds)"
        echo "web $(node --no-experimental-fetch "$web" "$steps" "scenes/$scene.json" | seconds)"
    done | awk -v scene="$scene" '{ if (!($1 in least) || $2 < least[$1]) least[$1] = $2 }
        END { printf "%s: native %.3f s, web %.3f s, ratio %.2f\n", scene, least["native"], least["web"], least["native"] / least["web"] }'
done
