#!/usr/bin/env bash
# resolution.sh [SCENE]: the same terrain with 512, 1024 and 2048 cells a side, and the same simulated time (default: scenes/ageing.json). Prints how
# alike the coarser ones are to the finest after a low-pass of 1/16 of the side, and their mean heights.
# SIZES="512 1024 2048", the finest last; SIDE=10240 [m], KIND=mountains, SEED=7, RELIEF=600, SET="KEY=VALUE ..." (more --set), KEEP=FOLDER (keeps
# the runs), GULLY=PROGRAM (build/gully).
# Fails if a correlation is below 0.9 or if a mean height differs by more than 3 %.
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
    "$gully" generate "${KIND:-mountains}" -o "$folder/ground-$size.tif" --width "$size" --height "$size" --seed "${SEED:-7}" \
        --relief "${RELIEF:-600}" --cell "$cell" >/dev/null
    sets=(--set "terrain={\"file\": \"$(realpath "$folder/ground-$size.tif")\"}" --set "cell_size=[$cell, $cell]")
    for set in ${SET:-}; do sets+=(--set "$set"); done
    "$gully" run "$scene" -o "$folder/$size" "${sets[@]}" --quiet
    "$gully" info "$folder/$size" --json >"$folder/$size.json"
done

failed=0
highest=$(value "$folder/$finest.json" mean)
for size in $sizes; do
    "$gully" compare "$folder/$size" "$folder/$finest" --low-pass "$(awk "BEGIN { print $side / 16 }")" --json >"$folder/likeness.json"
    awk -v size="$size" -v alike="$(value "$folder/likeness.json" correlation)" -v mean="$(value "$folder/$size.json" mean)" \
        -v finest="$highest" 'BEGIN {
            good = alike != "" && mean != "" && alike >= 0.9 && mean >= 0.97 * finest && mean <= 1.03 * finest
            printf "%5d cells: correlation %.4f, mean height %.1f m, %+.1f %%%s\n", size, alike, mean, 100 * (mean / finest - 1), good ? "" : "  *"
            exit !good
        }' || failed=$((failed + 1))
done
echo "$(basename "$scene"): $failed of the sizes are another landscape"
[ "$failed" = 0 ]
