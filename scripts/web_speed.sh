#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How fast the web's engine steps under node, as a share of this machine's engine at SSE2 width, one thread each: runs in
# turns, the shortest of each counts, less the first 60 steps, in which node still compiles.
# web_speed.sh [RUNS [STEPS [SCENE...]]]; a scene is a name, or a file
set -eu
cd "$(dirname "$0")/.."
runs=${1:-5} steps=${2:-240} begin=60
shift $(($# < 2 ? $# : 2))
native=build/tests/scene_runner web=build/wasm/one/gully_scenes.js
[ -x "$native" ] && [ -f "$web" ] || { echo "first: make web, and cmake --build build --target scene_runner" >&2; exit 1; }
seconds() { "$@" | sed 's/.*"seconds": \([0-9.]*\).*/\1/'; }
for scene in "${@:-mountain-rain}"; do
    file=$scene
    [ -f "$file" ] || file=scenes/$scene.json
    for _ in $(seq "$runs"); do
        for count in $begin $((begin + steps)); do
            echo "native $count $(seconds "$native" --width baseline "$count" "$file")"
            echo "web $count $(seconds node --no-experimental-fetch "$web" "$count" "$file")"
        done
    done | awk -v scene="$scene" -v from=$begin -v to=$((begin + steps)) '
        { key = $1 " " $2; if (!(key in least) || $3 < least[key]) least[key] = $3 }
        END { native = least["native " to] - least["native " from]; web = least["web " to] - least["web " from]
              printf "%s: native %.3f s, web %.3f s, ratio %.2f\n", scene, native, web, native / web }'
done
