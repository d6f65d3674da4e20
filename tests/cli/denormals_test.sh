# SPDX-License-Identifier: MIT
# A processor that keeps denormal numbers, as WebAssembly does, comes to the same hashes: rows that hold traces are run
# in a second form (src/flushed). The runner here keeps them on this machine, so that no web build is needed.
source "$(dirname "$0")/lib.sh" "$@"
case "$gully" in */asan/* | */tsan/*) echo "left out under the sanitizers"; exit 0 ;; esac
runners=$(dirname "$gully")/tests

compare() { # compare STEPS SCENE KEY=VALUE...
    local steps=$1 scene=$2
    shift 2
    for kind in scene_runner scene_runner_kept; do
        "$runners/$kind" "$steps" "$source_root/scenes/$scene.json" "$@" | sed 's/.*"hashes"//' >"$kind" || fail "$scene: $kind"
    done
    grep -q terrain scene_runner || fail "$scene: no hashes"
    cmp -s scene_runner scene_runner_kept || fail "$scene: other bits where denormals are kept"
}

small=(terrain.width=96 terrain.height=80)
compare 20 sources
compare 40 layers "${small[@]}"
compare 40 pool "${small[@]}"
compare 40 mountain-source "${small[@]}"
compare 40 dunes "${small[@]}"
compare 40 seasons "${small[@]}"
compare 20 ageing "${small[@]}"
compare 40 mountain-source "${small[@]}" half=true
compare 40 mountain-source "${small[@]}" params.transport=semi_lagrangian
finish
