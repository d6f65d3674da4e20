# gully run: its outputs, its report, its options.
source "$(dirname "$0")/lib.sh" "$@"
write_scene scene.json

# Outputs and summary; no progress when stderr is no terminal.
expect_exit 0 "$gully" run scene.json -o a --threads 1
expect_silent err
expect_out "64 x 64 cells of 10 x 10 m, 40 steps"
expect_out "^Before the first step [0-9.e-]+ s, writing [0-9.e-]+ s$"
expect_out "In a: terrain.tif .* report.json"
expect_out "rain in +[0-9]"
expect_out "eroded +[0-9]"
expect_out "residual .* of what moved"
expect_outputs a

# The report.
for key in scene version steps time dt wall_time times mcell_steps_per_s threads cells size cell_size \
    interrupted phases budget hashes files; do
    expect_in a/report.json "^  \"$key\": "
done
expect_in a/report.json '"relative_residual": '
[ "$(json_value a/report.json steps)" = 40 ] || fail "steps in the report"
[ "$(json_value a/report.json interrupted)" = false ] || fail "interrupted in the report"
[ "$(json_value a/report.json cells)" = 4096 ] || fail "cells in the report"
[ "$(json_value a/report.json threads)" = 1 ] || fail "threads in the report"
# What took how long [s]: start, simulate and write, none of them nothing, steps within simulate.
times() { sed -nE '/^  "times"/,/}/s/^    "([a-z]+)": ([0-9.e-]+),?$/\1 \2/p' "$1/report.json"; }
[ "$(times a | cut -d' ' -f1 | tr '\n' ' ')" = "start simulate write " ] || fail "times: $(times a)"
times a | awk '!($2 > 0 && $2 < 60) {exit 1}' || fail "times: $(times a)"
times a | awk -v steps="$(json_value a/report.json wall_time)" '/simulate/ && $2 < steps {exit 1}' ||
    fail "simulate is shorter than wall_time: $(times a)"
for name in $outputs; do expect_in a/report.json "\"$name\""; done
for field in terrain water sediment flow wear deposit; do
    expect_in a/report.json "\"$field\": \"[0-9a-f]{16}\""
done

# Any number of threads: the same hashes, the same files. A second run in the same folder.
hashes() { sed -n '/"hashes"/,/}/p' "$1/report.json"; }
expect_exit 0 "$gully" run scene.json -o b --threads 2 --quiet
expect_silent out
expect_silent err
[ "$(hashes a)" = "$(hashes b)" ] || fail "hashes depend on threads"
for name in terrain water sediment flow wear deposit; do
    expect_exit 0 "$gully" compare "a/$name.tif" "b/$name.tif"
done
expect_exit 0 "$gully" run scene.json -o b/ -t3 -q
[ "$(hashes a)" = "$(hashes b)" ] || fail "hashes depend on threads"
expect_outputs b

# --steps, --set.
expect_exit 0 "$gully" run scene.json -o c --steps 7 --set params.capacity=0.9 --set rain.rate=2e-3 -q
[ "$(json_value c/report.json steps)" = 7 ] || fail "--steps 7 made $(json_value c/report.json steps)"
expect_in c/report.json '"capacity": 0.9'
expect_in c/report.json '"rate": 0.002'
[ "$(hashes a)" != "$(hashes c)" ] || fail "--set changed nothing"
expect_exit 0 "$gully" run scene.json -o zero --steps=0 -q
[ "$(json_value zero/report.json steps)" = 0 ] || fail "--steps=0"
expect_outputs zero

# --json: the report alone.
expect_exit 0 "$gully" run scene.json -o j --json
expect_silent err
[ "$(head -c 1 out)" = "{" ] || fail "--json starts with $(head -c 1 out)"
[ "$(cat out)" = "$(cat j/report.json)" ] || fail "--json and report.json differ"

# Phases, repeated.
cat >program.json <<'JSON'
{
  "gully": 1,
  "terrain": {"generate": "mountains", "width": 48, "height": 32},
  "model": "pipe",
  "cell_size": [5, 10],
  "program": [
    {"name": "wet", "steps": 12, "set": {"rain.rate": 1e-3}},
    {"name": "dry", "steps": 8}
  ],
  "repeat": 2
}
JSON
expect_exit 0 "$gully" run program.json -o deep/p --quiet
[ "$(json_value deep/p/report.json steps)" = 40 ] || fail "40 steps in two rounds"
[ "$(grep -c '"name": "wet"' deep/p/report.json)" = 3 ] || fail "two wet phases (and one in the scene)"
expect_exit 0 "$gully" run program.json -o p2 --steps 30 --quiet
sed -n '/^  "phases"/,/^  \]/p' p2/report.json >phases
[ "$(grep -c '"steps"' phases)" = 3 ] || fail "--steps 30: three phases"
expect_in phases '"steps": 10'

# Outputs are inputs: the eroded terrain is eroded again, on its cells.
cat >again.json <<'JSON'
{"gully": 1, "terrain": {"file": "deep/p/terrain.tif"}, "model": "pipe", "steps": 1}
JSON
expect_exit 0 "$gully" run again.json -o again --json
expect_out '^    5\.0'

# Progress goes to a terminal, and not with --quiet. What is on stdout does not change.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    script -qec "'$gully' run scene.json -o t >summary" /dev/null >typed </dev/null
    expect_in typed "reading terrain"
    expect_in typed "100 %  40/40 steps"
    expect_in summary "rain in"
    grep -q "steps  " summary && fail "progress on stdout"
    script -qec "'$gully' run scene.json -o t --quiet" /dev/null >typed </dev/null
    [ ! -s typed ] || fail "--quiet prints on a terminal: $(cat typed)"
else
    echo "no pseudo-terminal here: progress on a terminal is not tested"
fi
finish
