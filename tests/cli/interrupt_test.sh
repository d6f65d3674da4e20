# SPDX-License-Identifier: MIT
# Ctrl-C: the run stops, writes what there is and says so; twice: it is over at once.
source "$(dirname "$0")/lib.sh" "$@"
write_scene scene.json 256 100000000

# Starts a long run in the background and waits until it steps: its folder is made just before.
start() { # FOLDER WORDS...
    local folder=$1
    shift
    "$gully" run scene.json -o "$folder" "$@" >out 2>err </dev/null &
    pid=$!
    for _ in $(seq 200); do
        [ -d "$folder" ] && break
        sleep 0.05
    done
    sleep 0.5
}

for signal in INT TERM; do
    start "stopped-$signal"
    kill -$signal $pid
    code=0
    wait $pid || code=$?
    last_command="a run that gets SIG$signal"
    [ $code = 130 ] || fail "SIG$signal: exit $code instead of 130"
    expect_err "^gully: interrupted after [0-9]+ of 100000000 steps"
    expect_outputs "stopped-$signal"
    [ "$(json_value "stopped-$signal/report.json" interrupted)" = true ] || fail "not 'interrupted'"
    expect_exit 0 "$gully" info "stopped-$signal/terrain.tif"
done

# As many steps in one go give the same terrain.
steps=$(json_value stopped-INT/report.json steps)
if [ "$steps" -lt 2000 ]; then
    expect_exit 0 "$gully" run scene.json -o whole --steps "$steps" -q
    expect_exit 0 "$gully" compare stopped-INT/terrain.tif whole/terrain.tif
fi

# Two signals: over at once. The files of an earlier run are as they were, or the first signal was already answered.
expect_exit 0 "$gully" run scene.json -o twice --steps 1 -q
before=$(cat twice/*.tif | cksum)
start twice
while kill -INT $pid 2>/dev/null && kill -INT $pid 2>/dev/null; do
    sleep 0.5 # before it steps, and does not hear yet what the shell has told it to ignore
done
code=0
wait $pid || code=$?
[ $code = 130 ] || fail "two signals: exit $code instead of 130"
if [ "$(cat twice/*.tif | cksum)" != "$before" ]; then
    [ "$(json_value twice/report.json interrupted)" = true ] || fail "files of two runs in one folder"
fi
# What a run leaves that was over while it wrote, the next one removes.
expect_exit 0 "$gully" run scene.json -o twice --steps 1 -q
expect_outputs twice
[ "$(cat twice/*.tif | cksum)" = "$before" ] || fail "a run after an interrupted one has other files"
finish
