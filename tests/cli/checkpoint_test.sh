# SPDX-License-Identifier: MIT
# Checkpoints: a run that was stopped and goes on is the same run; what does not fit is refused.
source "$(dirname "$0")/lib.sh" "$@"

# What a run says of its result: all of its report but how long it took and where it went on.
result() {
    sed -E '/^ +"(wall_time|mcell_steps_per_s|threads|resumed_from|start|simulate|write)":/d' "$1/report.json"
}
expect_same() { # FOLDER FOLDER
    [ "$(result "$1")" = "$(result "$2")" ] || { fail "$1 and $2 differ: $last_command"; diff <(result "$1") <(result "$2") | head; }
    local file
    for file in "$1"/*.tif; do
        cmp -s "$file" "$2/$(basename "$file")" || fail "$file and $2/$(basename "$file") differ"
    done
}

# stop FOLDER SCENE WORDS...: starts a run that never ends and stops it after a moment.
stop() {
    local folder=$1 scene=$2 code=0
    shift 2
    "$gully" run "$scene" -o "$folder" --steps 1000000 "$@" >out 2>err </dev/null &
    local pid=$!
    for _ in $(seq 200); do
        [ -d "$folder" ] && break
        sleep 0.05
    done
    sleep 0.4
    kill -INT $pid
    wait $pid || code=$?
    last_command="a run of $scene that gets SIGINT"
    [ $code = 130 ] || fail "exit $code instead of 130: $last_command"
    expect_err "interrupted after [0-9]+ of 1000000 steps.*--resume"
}

# Every model, with all that a scene can have; phases, repeated; other threads before and after.
scene() { # MODEL MORE
    cat <<JSON
{
  "gully": 1,
  "terrain": {"generate": "mountains", "width": 150, "height": 90, "relief": 60},
  "cell_size": [10, 8], "seed": 5, "model": "$1", $2
  "rain": {"rate": 1e-3, "drops": {"drops_per_second": 3, "radius": 30},
           "season": {"rate": 1e-3, "t_peak": 5, "sigma": 3}},
  "boundary": {"east": "open"},
  "program": [
    {"name": "wet", "steps": 30},
    {"name": "none", "steps": 0, "set": {"dt": 0.02}},
    {"name": "dry", "steps": 20, "set": {"rain.rate": 0, "rain.season.octaves": 2, "dt": 0.1}}
  ],
  "repeat": 100
}
JSON
}
layers='"thermal": {}, "materials": [{"name": "rock"}, {"name": "soil"}], "layers": {"soil": 1.5},'
count=0
for kind in 'pipe|"thermal": {},' "pipe|$layers" 'pipe|"half": true,' 'diffusion|' 'newton|' 'newton|"half": true,'; do
    count=$((count + 1))
    scene "${kind%%|*}" "${kind#*|}" >"scene$count.json"
    stop "left$count" "scene$count.json" -t 2
    expect_file "left$count/checkpoint-1.gully"
    expect_outputs "left$count"
    steps=$(($(json_value "left$count/report.json" steps) + 37))
    expect_exit 0 "$gully" run "scene$count.json" -o "left$count" --resume --steps $steps -t $((count % 3 + 1))
    expect_err "^gully: going on from step $((steps - 37)), of left$count/checkpoint-1.gully$"
    [ "$(json_value "left$count/report.json" resumed_from)" = $((steps - 37)) ] || fail "resumed_from"
    expect_no_file "left$count/checkpoint-1.gully"
    expect_exit 0 "$gully" run "scene$count.json" -o "whole$count" --steps $steps -q
    expect_same "whole$count" "left$count"
done

# With --checkpoint a run writes the same, and leaves no checkpoint when it is done.
expect_exit 0 "$gully" run scene1.json -o plain --steps 60 -q
expect_exit 0 "$gully" run scene1.json -o every --steps 60 --checkpoint 7
expect_silent err
expect_same plain every
[ -z "$(find every -name '*.gully')" ] || fail "checkpoints are left: $(ls every)"
expect_no_temporaries every

# Without a checkpoint: from the beginning.
expect_exit 0 "$gully" run scene1.json -o none --steps 60 --resume
expect_err "^gully: no checkpoint in none: starting from the beginning$"
grep -q resumed_from none/report.json && fail "resumed_from without a checkpoint"
expect_same plain none

# Another scene, seed, settings, too few steps: refused by name, and nothing is touched.
stop left scene1.json
steps=$(json_value left/report.json steps)
before=$(cat left/* | cksum)
refused() { # MESSAGE WORDS...
    local message=$1
    shift
    expect_exit 2 "$gully" run scene1.json -o left --resume --steps 1000000 "$@"
    expect_err "left/checkpoint-1.gully: .*$message"
    expect_silent out
}
refused "seed: 6, in the checkpoint 5" --set seed=6
refused "rain.rate: 0.002, in the checkpoint 0.001" --set rain.rate=2e-3
refused "thermal.talus: 20, in the checkpoint not set; params.capacity: 0.7, in" --set params.capacity=0.7 --set thermal.talus=20
refused "program.2.steps: 21, in the checkpoint 20" --set program.2.steps=21
refused "terrain.width: 151, in the checkpoint 150" --set terrain.width=151
refused "model: \"newton\", in the checkpoint \"pipe\"" --set model=newton
refused "has done $steps steps, the run has only 3" --steps 3
[ "$(cat left/* | cksum)" = "$before" ] || fail "a refused --resume has changed the folder"

# A raster that has become another under the same name.
expect_exit 0 "$gully" run scene1.json -o dem --steps 0 -q
sed 's|"generate": "mountains", "width": 150, "height": 90, "relief": 60|"file": "dem.tif"|' scene1.json >file.json
cp dem/terrain.tif dem.tif
stop raster file.json
cp whole1/terrain.tif dem.tif
expect_exit 2 "$gully" run file.json -o raster --resume
expect_err "terrain: its values at the start were others"

# A damaged checkpoint is named, and the one before it is used.
long="$gully run scene1.json -o two --steps 1000000 --checkpoint 10 -q"
$long >out 2>err </dev/null &
pid=$!
for _ in $(seq 200); do
    [ -f two/checkpoint-1.gully ] && [ -f two/checkpoint-2.gully ] && break
    sleep 0.05
done
kill -KILL $pid
wait $pid 2>/dev/null
step_of() { # FILE: the step of a checkpoint, as the program says it
    mkdir -p probe && rm -f probe/* && cp "$1" probe/checkpoint-1.gully
    "$gully" run scene1.json -o probe --resume --steps 1 2>&1 | sed -nE 's/.*has done ([0-9]+) steps.*/\1/p'
}
first=$(step_of two/checkpoint-1.gully)
second=$(step_of two/checkpoint-2.gully)
if [ "$first" -gt "$second" ]; then newest=1 older=2 step=$second; else newest=2 older=1 step=$first; fi
steps=$((first + second + 15))
expect_exit 0 "$gully" run scene1.json -o whole --steps $steps -q
for damage in "truncate -s -1" "truncate -s 0" "truncate -s 1000" spoil; do
    rm -rf damaged && cp -r two damaged
    spoil() { printf 'x' | dd of="$1" bs=1 seek=20000 conv=notrunc 2>/dev/null; }
    $damage damaged/checkpoint-$newest.gully
    expect_exit 0 "$gully" run scene1.json -o damaged --resume --steps $steps
    expect_err "^gully: damaged/checkpoint-$newest.gully: .*damaged.*; it is left out$"
    expect_err "^gully: going on from step $step, of damaged/checkpoint-$older.gully$"
    expect_same whole damaged
done
rm -rf damaged && cp -r two damaged
truncate -s 100 damaged/checkpoint-1.gully damaged/checkpoint-2.gully
expect_exit 0 "$gully" run scene1.json -o damaged --resume --steps $steps
expect_err "^gully: no whole checkpoint in damaged: starting from the beginning$"
expect_same whole damaged

# What killed runs have left goes away; what is not theirs stays.
mkdir -p tidy && touch tidy/.checkpoint-1.gully.999999999.3.tmp tidy/.note.tmp tidy/a.1.2.tmp "tidy/.b.$$.1.tmp"
expect_exit 0 "$gully" run scene1.json -o tidy --steps 1 -q
expect_no_file tidy/.checkpoint-1.gully.999999999.3.tmp
for name in .note.tmp a.1.2.tmp ".b.$$.1.tmp"; do [ -e "tidy/$name" ] || fail "tidy/$name is gone"; done

# A checkpoint that cannot be written does not end a run. There are steps enough for it to fail before the end: then
# nobody wants it any more.
mkdir -p blocked/checkpoint-1.gully blocked/checkpoint-2.gully
expect_exit 0 "$gully" run scene1.json -o free --steps 2000
expect_exit 0 "$gully" run scene1.json -o blocked --steps 2000 --checkpoint 20
expect_err "blocked/checkpoint-1.gully: cannot be written: it is a folder; the run goes on"
expect_same free blocked

expect_exit 2 "$gully" run scene1.json -o x --checkpoint 0
expect_err "checkpoint wants a whole number from 1"
finish
