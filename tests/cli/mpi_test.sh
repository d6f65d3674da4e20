# SPDX-License-Identifier: MIT
# mpirun gully run: the same files on any number of ranks, resumed by any other number, alone or with little memory;
# what one rank cannot do, none does. Without mpirun, or a program without MPI, it is skipped.
source "$(dirname "$0")/lib.sh"
if ! command -v mpirun >/dev/null || [ ! -e "$(dirname "$gully")/libgully_mpi.so" ]; then
    echo "skipped: no mpirun, or built without MPI"
    exit 0
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { # COUNT ARGUMENTS...: gully on so many ranks, of one thread each
    local count=$1
    shift
    mpirun --oversubscribe --bind-to none -n "$count" "$gully" "$@"
}

# Everything that looks at other rows: generators with masks of slopes, rasters with nodata, layers, sources.
cat >land.json <<'JSON'
{"gully": 1, "terrain": {"combine": [{"generate": "mountains", "relief": 300},
  {"generate": "fbm", "relief": 30, "mask": {"slope": [10, 30]}}], "width": 96, "height": 360},
 "cell_size": 10, "rain": {"rate": 1e-3}, "steps": 5}
JSON
expect_exit 0 "$gully" run land.json -o land --quiet
python3 - >holes.asc <<'PY'
from math import hypot, sin
print("ncols 96\nnrows 360\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999")
for y in range(360):
    print(*(-9999 if hypot(x - 50, y - 190) < 20 or y > 300 and x > 60
            else round(40 * sin(x / 9) * sin(y / 13) + 0.4 * y, 3) for x in range(96)))
PY
cat >scene.json <<'JSON'
{"gully": 1, "terrain": {"file": "holes.asc"}, "model": "pipe", "thermal": {"rate": 0.2, "talus": 32},
 "rain": {"rate": 1e-3}, "boundary": {"south": "open"},
 "sources": [{"x": 400, "y": 1700, "radius": 100, "rate": 0.05}],
 "materials": [{"name": "rock", "erodibility": 0.2}, {"name": "soil"}, {"name": "sand", "talus": 30}],
 "layers": {"soil": {"combine": [{"generate": "fbm", "relief": 2, "mask": {"slope": [0, 25]}}]}, "sand": 0.1},
 "initial": {"water": {"combine": [{"generate": "fbm", "relief": 1, "offset": -0.7}]}},
 "program": [{"name": "wet", "steps": 40}, {"name": "dry", "steps": 40, "set": {"rain.rate": 0}}]}
JSON
result() { # all of a report that does not depend on the way
    python3 - "$1/report.json" <<'PY'
import json, sys
report = json.load(open(sys.argv[1]))
print({key: report[key] for key in ("hashes", "budget", "materials", "cells", "steps", "time", "files", "phases")})
PY
}
compare() { # FOLDER [RANKS]
    [ "$(result "$1")" = "$(result whole)" ] || fail "$1: another result than in one process"
    local file
    for file in whole/*.tif whole/*.png; do cmp -s "$file" "$1/${file#whole/}" || fail "$1: another $file"; done
    [ -z "${2:-}" ] || expect_in "$1/report.json" "\"ranks\": $2,"
    [ -z "$(find "$1" -name '*.gully')" ] || fail "$1: checkpoints are left"
    expect_no_temporaries "$1"
}
expect_exit 0 "$gully" run scene.json -o whole --quiet
expect_in whole/report.json '"ranks": 1,'
for count in 2 3 6; do
    expect_exit 0 ranks $count run scene.json -o "on$count" -t 1
    expect_out '96 x 360 cells'
    [ "$(grep -c '96 x 360 cells' "$scratch/out")" = 1 ] || fail "more than one rank speaks"
    compare "on$count" $count
done
expect_exit 0 ranks 4 run land.json -o land4 --quiet -t 1
cmp land/terrain.tif land4/terrain.tif || fail "another generated terrain on 4 ranks"

# Resumed by others: from 3 ranks to one, 2, and 4 with little memory; and from one to 3.
stop_half_way() { # FOLDER COMMAND...: stops it with a signal to a rank, and keeps its checkpoint
    local folder=$1 pid
    shift
    "$@" run scene.json -o "$folder" --quiet --checkpoint 10 -t 1 >out 2>err </dev/null &
    pid=$!
    for _ in $(seq 500); do [ -e "$folder/checkpoint-1.gully" ] && break; sleep 0.02; done
    victim=$(pgrep -P $pid | tail -1)
    [ -z "$victim" ] || kill -INT "$victim"
    code=0
    wait $pid || code=$?
}
many() { exec mpirun --oversubscribe --bind-to none -n 3 "$gully" "$@"; }
stop_half_way half many
if [ $code = 130 ]; then
    grep -q "interrupted after" err || fail "no word of the interrupt: $(cat err)"
    for way in alone two four; do cp -r half "half-$way"; done
    expect_exit 0 "$gully" run scene.json -o half-alone --quiet --resume
    expect_exit 0 ranks 2 run scene.json -o half-two --quiet --resume -t 2
    expect_exit 0 ranks 4 run scene.json -o half-four --quiet --resume -t 1 --memory 30M
    for way in alone two four; do compare "half-$way"; done
elif [ $code != 0 ]; then
    fail "exit $code when it was stopped: $(cat err)"
fi
expect_exit 0 "$gully" run scene.json -o begun --quiet --steps 30 --checkpoint 10
expect_exit 0 "$gully" run scene.json -o begun --quiet --steps 20
rm -rf begun
"$gully" run scene.json -o begun --quiet --checkpoint 10 >out 2>err </dev/null &
pid=$!
for _ in $(seq 500); do [ -e begun/checkpoint-1.gully ] && break; sleep 0.01; done
kill -KILL $pid
wait $pid 2>/dev/null
expect_exit 0 ranks 3 run scene.json -o begun --resume --quiet -t 1
compare begun

# One rank dies: the job ends, and its checkpoint is good.
many run scene.json -o dies --checkpoint 5 --quiet -t 1 >out 2>err </dev/null &
pid=$!
for _ in $(seq 500); do [ -e dies/checkpoint-1.gully ] && break; sleep 0.02; done
victim=$(pgrep -P $pid | tail -1)
[ -z "$victim" ] || kill -KILL "$victim"
code=0
wait $pid || code=$?
[ $code != 0 ] || [ -e dies/report.json ] || fail "a rank was killed and nobody noticed"
[ $code = 0 ] || grep -q -- "--resume goes on from the last checkpoint" err || fail "no word of what to do: $(cat err)"
expect_exit 0 ranks 2 run scene.json -o dies --resume --quiet -t 1
compare dies

# Other ways to begin, and pictures on the way.
expect_exit 0 "$gully" run land.json -o coarse1 --quiet --set start=coarse --set model=stream --set steps=4 --set rain=null
expect_exit 0 ranks 3 run land.json -o coarse3 --quiet --set start=coarse --set model=stream --set steps=4 --set rain=null -t 1
cmp coarse1/terrain.tif coarse3/terrain.tif || fail "another start on coarser grids"
expect_exit 0 "$gully" run land.json -o film1 --quiet --frames 2 --frame-size 64x48
expect_exit 0 ranks 2 run land.json -o film2 --quiet --frames 2 --frame-size 64x48 -t 1
cmp film1/frames/000001.png film2/frames/000001.png || fail "another frame"

# What is wrong is said once, with the usual exit codes.
expect_exit 2 ranks 2 run scene.json -o bad --set params.capacity=-1
[ "$(grep -c 'gully: ' "$scratch/err")" = 1 ] || { fail "not one message"; show; }
expect_exit 2 ranks 24 run scene.json -o bad
expect_err '24 ranks cannot share a world of 360 rows; allowed: at most 11'
expect_exit 2 ranks 2 run scene.json -o bad --backend gpu
expect_err 'ranks step on processors'
expect_exit 2 mpirun --oversubscribe -n 1 "$gully" run scene.json -o bad -n 1 : -n 1 "$gully" run scene.json -o bad -n 2
expect_err 'rank 1 has another scene or other options than rank 0'
cp "$gully" other
cp "$(dirname "$gully")/libgully_mpi.so" .
printf 'x' >>other
expect_exit 2 mpirun --oversubscribe -n 1 "$gully" run scene.json -o bad : -n 1 "$PWD/other" run scene.json -o bad
expect_err 'rank 1 runs another program than rank 0'
mkdir elsewhere && cp "$gully" elsewhere/
expect_exit 1 mpirun --oversubscribe -n 2 "$PWD/elsewhere/gully" run scene.json -o bad
expect_err 'started by mpirun, but this program was built without MPI'
expect_no_file bad/report.json
finish
