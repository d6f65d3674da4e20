# SPDX-License-Identifier: MIT
# A run that is killed at random moments and resumed ends like one that was not.
# `kill_test.sh GULLY SOURCE [KILLS [STEPS]]`; make soak has 50 in a row.
kills=${3:-6} steps=${4:-420}
source "$(dirname "$0")/lib.sh" "$@"
cat >scene.json <<'JSON'
{
  "gully": 1,
  "terrain": {"generate": "mountains", "width": 256, "height": 200, "relief": 60},
  "cell_size": [10, 10], "model": "pipe", "thermal": {},
  "materials": [{"name": "rock", "erodibility": 0.3}, {"name": "soil"}],
  "layers": {"soil": 1},
  "rain": {"rate": 1e-3, "drops": {"drops_per_second": 5, "radius": 40}},
  "boundary": {"east": "open"},
  "program": [
    {"name": "wet", "steps": 41},
    {"name": "dry", "steps": 30, "set": {"rain.rate": 0, "dt": 0.1}}
  ],
  "repeat": 1000
}
JSON
expect_exit 0 "$gully" run scene.json -o whole --steps $steps -q

result() {
    sed -E '/^ +"(wall_time|mcell_steps_per_s|threads|resumed_from|start|simulate|write|budget|peak|tiles[a-z_]*|bytes_[a-z_]*)":/d' "$1/report.json"
}
compare() { # FOLDER
    [ "$(result whole)" = "$(result "$1")" ] || fail "$1: another result: $(diff <(result whole) <(result "$1") | head -5)"
    local file
    for file in whole/*.tif; do cmp -s "$file" "$1/$(basename "$file")" || fail "$1: another $file"; done
    [ -z "$(find "$1" -name '*.gully')" ] || fail "$1: checkpoints are left"
    expect_no_temporaries "$1"
}

# Waits until a run has saved itself or is done, for a minute at most.
wait_for_save() { # FOLDER
    local before
    before=$(ls -i "$1"/*.gully 2>/dev/null)
    for _ in $(seq 3000); do
        [ "$(ls -i "$1"/*.gully 2>/dev/null)" = "$before" ] || break
        sleep 0.02
    done
}

# Some are killed any time after their start, some any time after they have saved.
killed=0 resumed=0 finished=0 chain=1
while [ $killed -lt "$kills" ]; do
    "$gully" run scene.json -o "run$chain" --steps $steps --checkpoint $((1 + RANDOM % 12)) --resume \
        --threads $((1 + RANDOM % 3)) --memory $((RANDOM % 2 ? 3 : 900))M >out 2>err </dev/null &
    pid=$!
    life=$((RANDOM % 1200)) # [ms]
    if [ $((RANDOM % 2)) = 0 ]; then
        wait_for_save "run$chain"
        life=$((RANDOM % 300))
    fi
    sleep "$(awk -v t=$life 'BEGIN {print t / 1000}')"
    kill -KILL $pid 2>/dev/null
    code=0
    wait $pid 2>/dev/null || code=$?
    [ $code != 137 ] || killed=$((killed + 1))
    grep -q "going on from" err && resumed=$((resumed + 1))
    grep -q "damaged" err && fail "a damaged checkpoint: $(cat err)"
    [ $code = 0 ] || [ $code = 137 ] || { fail "exit $code: $(cat err)"; break; }
    if [ $code = 0 ]; then
        compare "run$chain"
        finished=$((finished + 1)) chain=$((chain + 1))
    fi
done
expect_exit 0 "$gully" run scene.json -o "run$chain" --steps $steps --resume -q
compare "run$chain"
echo "$killed kills, $resumed times resumed, $((finished + 1)) runs finished, $steps steps each"
finish
