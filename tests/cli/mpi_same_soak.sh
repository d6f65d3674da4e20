# SPDX-License-Identifier: MIT
# A world of 2048 x 2048 with rain, thermal, layers and nodata: the same hashes in one process, on 2, 3, 4 and 6 ranks,
# with 50, 25 and 10 % of its memory, and with checkpoints of each of these resumed in another of these ways.
# `mpi_same_soak.sh GULLY SOURCE [SIZE [STEPS [WAYS]]]`, part of make soak. A way is "RANKS PERCENT".
size=${3:-2048} steps=${4:-60} given=${5:-}
source "$(dirname "$0")/lib.sh" "$@"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >land.json <<JSON
{"gully": 1, "terrain": {"generate": "mountains", "width": $size, "height": $size, "relief": 600}, "cell_size": 10, "steps": 0}
JSON
expect_exit 0 "$gully" run land.json -o land -q --outputs terrain
"$gully" convert land/terrain.tif land.r32 -q || fail "convert"
python3 - $size <<'PY'
import array, sys
size = int(sys.argv[1])
cells = array.array("f", open("land.r32", "rb").read())
for y in range(size):  # a lake, and a corner that is nowhere
    for x in range(size):
        if (x - size / 3) ** 2 + (y - size / 2) ** 2 < (size / 12) ** 2 or (x > size / 2 and y > 3 * size / 4):
            cells[y * size + x] = float("nan")
cells.tofile(open("land.r32", "wb"))
PY
cat >scene.json <<JSON
{"gully": 1, "terrain": {"file": "land.r32"}, "cell_size": 10, "model": "pipe",
 "thermal": {"rate": 0.2, "talus": 32}, "rain": {"rate": 1e-3}, "boundary": {"south": "open"},
 "materials": [{"name": "rock", "erodibility": 0.2}, {"name": "soil"}, {"name": "sand", "talus": 30}],
 "layers": {"soil": {"generate": "fbm", "relief": 2}, "sand": 0.1}, "steps": $steps}
JSON
report() { python3 -c "import json, sys; r = json.load(open(sys.argv[1] + '/report.json')); print($2)" "$1"; }
compare() { [ "$(report "$1" "r['hashes'], r['budget']")" = "$(report whole "r['hashes'], r['budget']")" ] || fail "$1: another result"; }
gully_on() { # RANKS MEMORY ARGUMENTS...
    local count=$1 memory=$2
    shift 2
    if [ "$count" = 1 ]; then
        "$gully" "$@" --memory "$memory"
    else
        mpirun --oversubscribe --bind-to none -n "$count" "$gully" "$@" -t 1 --memory "$memory"
    fi
}
outputs="--outputs terrain,water,sediment,wear,layers"
expect_exit 0 "$gully" run scene.json -o whole -q $outputs
peak=$(report whole "r['memory']['peak']")
ways=("1 50" "2 100" "3 100" "4 100" "6 100" "1 25" "2 50" "3 50" "4 50" "1 10")
if [ -n "$given" ]; then IFS=, read -ra ways <<<"$given"; fi
for i in "${!ways[@]}"; do
    read -r count percent <<<"${ways[$i]}"
    read -r next_count next_percent <<<"${ways[$(((i + 3) % ${#ways[@]}))]}"
    # The memory is that of each rank.
    memory=$((peak * percent / 100 / count + 4000000)) next_memory=$((peak * next_percent / 100 / next_count + 4000000))
    [ "$percent" != 100 ] || memory=4G
    [ "$next_percent" != 100 ] || next_memory=4G
    folder=on$count-$percent
    expect_exit 0 gully_on "$count" "$memory" run scene.json -o "$folder" -q $outputs
    compare "$folder"
    gully_on "$count" "$memory" run scene.json -o "half$i" -q $outputs --checkpoint $((steps / 3)) >out 2>err </dev/null &
    pid=$!
    for _ in $(seq 6000); do [ -e "half$i/checkpoint-1.gully" ] && break; sleep 0.02; done
    for child in $(pgrep -P $pid) $pid; do kill -KILL "$child" 2>/dev/null; done
    wait $pid 2>/dev/null
    for _ in $(seq 200); do pgrep -f "run scene.json -o half$i " >/dev/null || break; sleep 0.05; done
    expect_exit 0 gully_on "$next_count" "$next_memory" run scene.json -o "half$i" $outputs --resume
    compare "half$i"
    echo "$count ranks, $percent % of the memory; resumed from step $(report "half$i" "r.get('resumed_from')") on $next_count with $next_percent %"
    rm -rf "half$i" "$folder"
done
finish
