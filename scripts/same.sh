#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# same.sh [COMMIT]: whether what is here comes to the same bits as a commit (default: the last): every field and account
# in the cases of bench/cases.c, and the files of every scene. Ends with 1 and says where if it does not.
# CASES="17 203" runs only these cases and no scene; SAME_SHOW=1 prints their numbers.
set -eu
source "$(dirname "$0")/versions.sh"
build_versions "${1:-HEAD}" all "" bench/case*.c bench/field_hash.c
cc -O2 -Wall -Wextra -I bench -o "$folder/same" bench/same.c -ldl
failed=0
"$folder/same" "$folder/before.so" "$folder/now.so" "$jobs" ${CASES:-} || failed=1
[ -z "${CASES:-}" ] || exit $failed

# ---- scenes ---------------------------------------------------------------------------------------------------------

runs=$folder/runs
rm -rf "$runs"
mkdir -p "$runs"

run() { # run before|now SCENE FOLDER OPTION...
    local version=$1 scene=$2 out=$3
    shift 3
    "$folder/$version/gully" run "$scene" -o "$out" -q --velocity "$@"
}

# The numbers of a report without its times, its hashes and what says how it was run.
numbers() { # numbers FOLDER
    sed -E -e '/^  "(hashes|times)": \{/,/^  \}/d' \
        -e '/^  "(version|wall_time|mcell_steps_per_s|threads|resumed_from)":/d' "$1/report.json"
}

differs() { # differs NAME WHAT
    echo "scene $1: $2"
    failed=1
}

# The bits of a raster alone: its tags may say more in one version than in the other.
numbers_of() { # numbers_of RASTER FILE.r32
    "$folder/now/gully" convert "$1" "$2" --unit m >/dev/null
}

compare_runs() { # compare_runs NAME BEFORE NOW
    local file
    [ "$(cd "$2" && ls)" = "$(cd "$3" && ls)" ] || differs "$1" "other files"
    for file in "$2"/*.tif; do
        numbers_of "$file" "$runs/before.r32"
        numbers_of "$3/${file##*/}" "$runs/now.r32"
        cmp -s "$runs/before.r32" "$runs/now.r32" || differs "$1" "another ${file##*/}"
    done
    numbers "$2" | diff - <(numbers "$3") >"$runs/difference" ||
        differs "$1" "other numbers: $(sed -n 2p "$runs/difference") $(grep -m1 '^>' "$runs/difference")"
}

# Stops a run once it has saved itself, and goes on with it. Fails if it was done before.
stop_and_resume() { # stop_and_resume SCENE FOLDER
    "$folder/now/gully" run "$1" -o "$2" -q --velocity --checkpoint 20 --threads 1 2>"$runs/stopped" &
    local pid=$!
    while kill -0 $pid 2>/dev/null && ! compgen -G "$2/checkpoint-*.gully" >/dev/null; do sleep 0.05; done
    kill -INT $pid 2>/dev/null || true
    wait $pid || true
    compgen -G "$2/checkpoint-*.gully" >/dev/null || return 1
    run now "$1" "$2" --resume --threads 2 2>"$runs/resumed.messages"
}

scenes=0
for scene in scenes/*.json; do
    name=$(basename "$scene" .json)
    run before "$scene" "$runs/before" --threads 2
    run now "$scene" "$runs/now" --threads 2
    compare_runs "$name" "$runs/before" "$runs/now"
    if [ "$name" = layers ] || [ "$name" = pool ]; then
        if stop_and_resume "$scene" "$runs/resumed"; then
            compare_runs "$name, stopped and resumed" "$runs/before" "$runs/resumed"
        else
            differs "$name" "it could not be stopped"
        fi
    fi
    rm -rf "$runs"/*
    run before "$scene" "$runs/before" --threads 1 --steps 60
    run now "$scene" "$runs/now" --threads 1 --steps 60
    compare_runs "$name, 1 thread" "$runs/before" "$runs/now"
    rm -rf "$runs"/*
    scenes=$((scenes + 1))
done
[ $failed = 0 ] && echo "$scenes scenes: the same files and numbers; all the same" || echo "$scenes scenes; not the same"
exit $failed
