#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# realism.sh [SCENE]: generated grounds before and after a scene (default: the demo), measured by `gully info --drainage`, beside
# the spread of real land. What lies outside of it has a star. The scene is run with its own settings on each ground in the place of its terrain.
# SIZE=1024, CELL=10 [m], KINDS="mountains fbm warped", SEEDS="1 2 3", RELIEF=600, SET="KEY=VALUE ..." (more --set), KEEP=FOLDER (keeps the runs),
# GULLY=PROGRAM (build/gully). Fails if on one of them fewer measures are inside the spread than before. With EVERY=1 it fails if a measure is
# outside of the limits that a landscape of `stream` must keep, and what lies outside of those has the star.
set -eu
cd "$(dirname "$0")/.."
scene=${1:-scenes/demo.json}
gully=${GULLY:-build/gully}
size=${SIZE:-1024}
cell=${CELL:-10}
folder=${KEEP:-$(mktemp -d)}
mkdir -p "$folder"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$folder"' EXIT

# Key, lowest and highest of real land; "-" = not known. As in gully/drainage.h.
spreads="concavity 0.22 0.54
hack 0.39 0.57
hollows 0 0.04
bifurcation 3.6 5
length_ratio 1.7 2.8
hypsometric 0.36 0.60
rose4 0 0.15
rose8 0 0.15
drainage_density - -
spectrum - -
roughness - -
rose4_d8 - -
rose8_d8 - -"

# The limits of EVERY=1: most spreads are those above, but the lengths of rivers, hollows and alignments have bounds of their own.
if [ -n "${EVERY:-}" ]; then
    spreads=$(echo "$spreads" | sed 's/^hack .*/hack 0.42 0.60/; s/^hollows .*/hollows 0 0.03/; s/^rose\([48]\) .*/rose\1 0 0.18/')
fi
measures=$(echo "$spreads" | grep -vc -- '-$')

row() { # NAME FILE: a line of the table; the number of measures inside the spread goes to $inside
    "$gully" info "$2" --drainage --json >"$folder/info.json"
    echo "$spreads" | awk -v name="$1" -v info="$folder/info.json" -v count="$folder/count" '
        BEGIN { while ((getline line < info) > 0) if (split(line, part, /"|: |,/) > 3) value[part[2]] = part[4] }
        {
            known = value[$1] != "null" && value[$1] != ""
            good = known && $2 != "-" && value[$1] >= $2 && value[$1] <= $3
            inside += good
            text = text sprintf(" %9s%s", known ? sprintf("%.3f", value[$1]) : "none", $2 == "-" || good ? " " : "*")
        }
        END { printf "%-20s%s  %d\n", name, text, inside; print inside > count }'
    inside=$(cat "$folder/count")
}

echo "$spreads" | awk '{ name = name sprintf(" %10s", substr($1, 1, 10)); spread = spread sprintf(" %10s", $2 == "-" ? "" : $2 "-" $3) }
    END { printf "%-20s%s inside\n%-20s%s\n", "", name, "limits", spread }'
fewer=0 outside=0
for kind in ${KINDS:-mountains fbm warped}; do
    for seed in ${SEEDS:-1 2 3}; do
        ground=$folder/$kind-$seed
        "$gully" generate "$kind" -o "$ground.tif" --width "$size" --height "$size" --seed "$seed" \
            --relief "${RELIEF:-600}" --cell "$cell" >/dev/null
        row "$kind $seed" "$ground.tif"
        before=$inside
        sets=(--set "terrain={\"file\": \"$(realpath "$ground.tif")\"}" --set "cell_size=[$cell, $cell]")
        for set in ${SET:-}; do sets+=(--set "$set"); done
        "$gully" run "$scene" -o "$ground" "${sets[@]}" --quiet
        row "  after" "$ground"
        [ "$inside" -ge "$before" ] || fewer=$((fewer + 1))
        [ "$inside" = "$measures" ] || outside=$((outside + 1))
    done
done
echo "$(basename "$scene"): on $fewer of the grounds fewer measures are like real land than before"
[ -z "${EVERY:-}" ] || echo "$(basename "$scene"): on $outside of the grounds a measure is outside of its limits"
[ "$fewer" = 0 ] && { [ -z "${EVERY:-}" ] || [ "$outside" = 0 ]; }
