# SPDX-License-Identifier: MIT
# A run under mpirun of which one rank is killed at random moments, resumed on other numbers of ranks, ends like one
# that was not: `mpi_kill_soak.sh GULLY SOURCE [KILLS [STEPS]]`, part of make soak.
kills=${3:-30} steps=${4:-1500}
source "$(dirname "$0")/lib.sh" "$@"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >scene.json <<'JSON'
{"gully": 1, "terrain": {"generate": "mountains", "width": 256, "height": 400, "relief": 60},
 "cell_size": [10, 10], "model": "pipe", "thermal": {},
 "materials": [{"name": "rock", "erodibility": 0.3}, {"name": "soil"}], "layers": {"soil": 1},
 "rain": {"rate": 1e-3, "drops": {"drops_per_second": 5, "radius": 40}}, "boundary": {"east": "open"},
 "program": [{"name": "wet", "steps": 41}, {"name": "dry", "steps": 30, "set": {"rain.rate": 0, "dt": 0.1}}],
 "repeat": 1000}
JSON
expect_exit 0 "$gully" run scene.json -o whole --steps $steps -q

hashes() { python3 -c "import json, sys; r = json.load(open(sys.argv[1])); print(r['hashes'], r['budget'])" "$1/report.json"; }
compare() { # FOLDER
    [ "$(hashes "$1")" = "$(hashes whole)" ] || fail "$1: another result"
    [ -z "$(find "$1" -name '*.gully')" ] || fail "$1: checkpoints are left"
    expect_no_temporaries "$1"
}

killed=0 resumed=0 finished=0 chain=1
while [ $killed -lt "$kills" ]; do
    mpirun --oversubscribe --bind-to none -n $((2 + RANDOM % 3)) "$gully" run scene.json -o "run$chain" --steps $steps \
        --checkpoint $((20 + RANDOM % 60)) --resume -t 1 --memory $((RANDOM % 2 ? 12 : 900))M >out 2>err </dev/null &
    pid=$!
    life=$((400 + RANDOM % 4000)) # [ms]
    if [ $((RANDOM % 3)) != 0 ]; then # some time after it has saved
        before=$(ls -i "run$chain"/*.gully 2>/dev/null)
        for _ in $(seq 1500); do
            [ "$(ls -i "run$chain"/*.gully 2>/dev/null)" = "$before" ] && kill -0 $pid 2>/dev/null || break
            sleep 0.02
        done
        life=$((RANDOM % 500))
    fi
    sleep "$(awk -v t=$life 'BEGIN {print t / 1000}')"
    victim=$(pgrep -P $pid | shuf -n 1)
    [ -z "$victim" ] || kill -KILL "$victim" 2>/dev/null
    code=0
    wait $pid 2>/dev/null || code=$?
    grep -q "going on from" err && resumed=$((resumed + 1))
    grep -q "damaged" err && fail "a damaged checkpoint: $(cat err)"
    if [ $code = 0 ]; then
        compare "run$chain"
        finished=$((finished + 1)) chain=$((chain + 1))
    else
        killed=$((killed + 1))
        [ $code = 137 ] || grep -q "signal 9\|Killed" err || { fail "exit $code: $(cat err)"; break; }
        # mpirun does not wait for ranks that it kills.
        for _ in $(seq 200); do pgrep -f "run scene.json -o run$chain " >/dev/null || break; sleep 0.05; done
    fi
done
expect_exit 0 "$gully" run scene.json -o "run$chain" --steps $steps --resume -q
compare "run$chain"
[ -z "$(find "$scratch" -name '*scratch*')" ] || fail "a scratch file was left"
echo "$killed ranks killed, $resumed times resumed, $((finished + 1)) runs finished, $steps steps each"
finish
