#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# resolution.sh [SCENE]: the same terrain with 512, 1024 and 2048 cells a side, and the same simulated time (default: scenes/ageing.json). Prints how
# alike the coarser ones are to the finest after a low-pass of 1/16 of the side, and their mean heights.
# SIZES="512 1024 2048", the finest last; SIDE=10240 [m], KIND=mountains, SEED=7, RELIEF=600, OCTAVES=N, SET="KEY=VALUE ..." (more --set), SET_512="..." (those of one
# size: "auto" steps differ between sizes), KEEP=FOLDER (keeps the runs), GULLY=PROGRAM (build/gully).
# Fails if a correlation is below 0.9 or if a mean height differs by more than 3 %. With CHANGE=1 it compares what has changed since the start, after a
# low-pass of 160 m, and fails if a correlation is below 0.985 or if an eroded volume differs by more than 6 %.
set -eu
cd "$(dirname "$0")/.."
scene=${1:-scenes/ageing.json}
gully=${GULLY:-build/gully}
side=${SIDE:-10240}
sizes=${SIZES:-512 1024 2048}
finest=${sizes##* }
folder=${KEEP:-$(mktemp -d)}
mkdir -p "$folder"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$folder"' EXIT

value() { # FILE KEY: a number of a JSON file
    awk -v key="\"$2\":" '$1 == key { sub(/,$/, "", $2); print $2; exit }' "$1"
}

for size in $sizes; do
    cell=$(awk "BEGIN { print $side / $size }")
    ground=$folder/ground-$size.tif of_size=SET_$size
    "$gully" generate "${KIND:-mountains}" -o "$ground" --width "$size" --height "$size" --seed "${SEED:-7}" --relief "${RELIEF:-600}" \
        ${OCTAVES:+--octaves "$OCTAVES"} --cell "$cell" >/dev/null
    sets=(--set "terrain={\"file\": \"$(realpath "$ground")\"}" --set "cell_size=[$cell, $cell]")
    for set in ${SET:-} ${!of_size:-}; do sets+=(--set "$set"); done
    "$gully" run "$scene" -o "$folder/$size" "${sets[@]}" --quiet
    "$gully" info "$folder/$size" --json >"$folder/$size.json"
done

# Low-pass, least correlation, and by how much of the finest's a mean height or an eroded volume may differ.
limits="$(awk "BEGIN { print $side / 16 }") 0.9 0.03" what="mean height"
[ -z "${CHANGE:-}" ] || limits="160 0.985 0.06" what="eroded volume"
read -r low_pass least within <<<"$limits"
failed=0
for size in $sizes; do
    starts=()
    [ -z "${CHANGE:-}" ] || starts=(--start "$folder/ground-$size.tif" --start "$folder/ground-$finest.tif")
    "$gully" compare "$folder/$size" "$folder/$finest" "${starts[@]}" --low-pass "$low_pass" --json >"$folder/likeness.json"
    ratio=$(value "$folder/likeness.json" eroded_ratio)
    [ -n "$ratio" ] || ratio=$(awk "BEGIN { print $(value "$folder/$size.json" mean) / $(value "$folder/$finest.json" mean) }")
    awk -v size="$size" -v alike="$(value "$folder/likeness.json" correlation)" -v ratio="$ratio" -v least="$least" -v within="$within" -v what="$what" 'BEGIN {
            good = alike != "" && ratio != "" && alike >= least && ratio >= 1 - within && ratio <= 1 + within
            printf "%5d cells: correlation %.4f, %s %+.1f %%%s\n", size, alike, what, 100 * (ratio - 1), good ? "" : "  *"
            exit !good
        }' || failed=$((failed + 1))
done
echo "$(basename "$scene"): $failed of the sizes are another landscape"
[ "$failed" = 0 ]
