# SPDX-License-Identifier: MIT
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

# The velocity, if asked for; the rest does not change.
expect_exit 0 "$gully" run scene.json -o velocity --velocity -q
[ -s velocity/velocity_x.tif ] && [ -s velocity/velocity_y.tif ] || fail "no velocity"
[ ! -e a/velocity_x.tif ] || fail "a velocity that nobody asked for"
cmp -s a/terrain.tif velocity/terrain.tif || fail "--velocity changes the terrain"

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

# Materials: a raster for each of them, which add up to the terrain, and what became of them.
sed 's/"thermal": {},/"thermal": {}, "layers": {"hard soil": 0.5},\
  "materials": [{"name": "rock", "erodibility": 0.1}, {"name": "hard soil", "density": 2000}, {"name": "sand"}],/' \
    scene.json >layered.json
expect_exit 0 "$gully" run layered.json -o l --threads 1
expect_silent err
expect_outputs l
expect_out "^In l: .* layer-rock.tif layer-hard soil.tif layer-sand.tif preview.png report.json$"
expect_out "^Materials +at first \[m3\] +at the end \[m3\] +change \[m3\] +change \[kg\]$"
expect_out "^  rock +-[0-9.e+]+ +-[0-9.e+]+$"
expect_out "^  hard soil +204800 +[0-9.e+]+ +-[0-9.e+]+ +-[0-9.e+]+$"
expect_out "^  sand +0 +[0-9.e+]+ +[0-9.e+]+ +[0-9.e+]+$"
for name in rock "hard soil" sand; do
    expect_file "l/layer-$name.tif"
    expect_in l/report.json "\"layer-$name.tif\""
    expect_in l/report.json "\"layer-$name\": \"[0-9a-f]{16}\""
done
mean() { "$gully" info --json "$1" | sed -nE 's/^  "mean": ([-0-9.e+]+),$/\1/p'; }
close() { # A B TOLERANCE
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN {exit !(a != "" && b != "" && a - b < t && b - a < t)}'
}
sum=$(awk "BEGIN {printf \"%.9g\", $(mean l/layer-rock.tif) + $(mean "l/layer-hard soil.tif") + $(mean l/layer-sand.tif)}")
close "$sum" "$(mean l/terrain.tif)" 1e-5 || fail "layers do not add up to the terrain: $sum, $(mean l/terrain.tif)"
# material NAME KEY: a number of the report's list; the rock has no volume, only its change.
material() {
    sed -n '/^  "materials"/,/^  \]/p' l/report.json |
        sed -nE "/\"name\": \"$1\"/,/}/s/^      \"$2\": ([-0-9.e+]+),?\$/\1/p"
}
[ -z "$(material rock initial)$(material rock present)" ] || fail "the bedrock has a volume"
[ "$(material "hard soil" initial)" = 204800.0 ] || fail "soil at first: $(material "hard soil" initial)"
for name in "hard soil" sand; do
    volume=$(awk "BEGIN {print $(mean "l/layer-$name.tif") * 64 * 64 * 100}")
    close "$(material "$name" present)" "$volume" 1 || fail "$name: $(material "$name" present), not $volume"
done
close "$(material "hard soil" mass_change)" "$(awk "BEGIN {print 2000 * $(material "hard soil" change)}")" 500 ||
    fail "the soil's mass: $(material "hard soil" mass_change)"
# What the materials lost is what water carries and what left; nothing is anywhere else.
changes=$(awk "BEGIN {print $(material rock change) + $(material "hard soil" change) + $(material sand change)}")
solid() { sed -n '/"solid"/,/}/p' l/report.json | sed -nE "s/^ +\"$1\": ([-0-9.e+]+),?\$/\1/p"; }
close "$changes" "$(awk "BEGIN {print -($(solid suspended)) - $(solid left)}")" 0.01 ||
    fail "changes of materials: $changes, suspended $(solid suspended), left $(solid left)"
expect_exit 0 "$gully" run layered.json -o l2 --threads 3 -q
[ "$(hashes l)" = "$(hashes l2)" ] || fail "hashes of layers depend on threads"
grep -q '"materials"' a/report.json && fail "materials in the report of a scene that has none"
expect_exit 0 "$gully" run layered.json -o l3 -q --set "layers.hard soil=3" --set materials.0.erodibility=0.5 --steps 0
close "$(mean "l3/layer-hard soil.tif")" 3 1e-6 || fail "--set of a layer"
expect_in l3/report.json '"erodibility": 0.5'

# A cycle: of the scene, of a phase, of --set.
cat >cycle.json <<'JSON'
{
  "gully": 1,
  "terrain": {"generate": "mountains", "width": 32, "height": 32},
  "model": "diffusion",
  "rain": {"rate": 0.01},
  "cycle": ["rain", "erode", "transport*2", "mix", "evaporate", "deposit"],
  "program": [
    {"name": "wet", "steps": 5},
    {"name": "dry", "steps": 5, "cycle": ["transport", "evaporate", "deposit"]}
  ]
}
JSON
expect_exit 0 "$gully" run cycle.json -o cycle -q
expect_exit 0 "$gully" run cycle.json -o cycle2 -q --set cycle.2=transport
[ "$(hashes cycle)" != "$(hashes cycle2)" ] || fail "another cycle, the same result"
expect_in cycle2/report.json '"transport",'

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
    # A phase is shown by its name, in every round; a long one or a strange one does no harm.
    script -qec "stty cols 80; '$gully' run program.json -o t" /dev/null >typed </dev/null
    tr '\r' '\n' <typed | sed -nE 's/^(wet|dry) .*steps.*/\1/p' | uniq | tr '\n' ' ' >seen
    [ "$(cat seen)" = "wet dry wet dry " ] || fail "phases on the terminal: $(cat seen)"
    script -qec "stty cols 80; '$gully' run program.json -o t --set program.0.name='a very long name of a phase' \
        --set 'program.1.name=\"d\\u001b[3\\u009by\"'" /dev/null >typed </dev/null
    tr '\r' '\n' <typed >seen
    expect_in seen "^a very long .*… .*steps"
    expect_in seen "^d\?\[3\?y .*steps"
    script -qec "'$gully' run scene.json -o t --quiet" /dev/null >typed </dev/null
    [ ! -s typed ] || fail "--quiet prints on a terminal: $(cat typed)"
    script -qec "TERM=dumb '$gully' run scene.json -o t >summary" /dev/null >typed </dev/null
    [ ! -s typed ] || fail "progress on a dumb terminal: $(cat typed)"
    script -qec "stty cols 80; LC_ALL=C '$gully' run program.json -o t >summary" /dev/null >typed </dev/null
    expect_in typed '#.*\| .*steps'
    if LC_ALL=C grep -q '[^ -~[:cntrl:]]' typed; then fail "more than ASCII with LC_ALL=C"; fi
else
    echo "no pseudo-terminal here: progress on a terminal is not tested"
fi
# A second run into the folder of one that goes on is refused, and the first is not disturbed.
write_scene long.json 128 100000000
"$gully" run long.json -o shared -q 2>first &
first=$!
for _ in $(seq 100); do
    [ -d shared ] && break
    sleep 0.1
done
sleep 0.5
expect_exit 1 "$gully" run scene.json -o shared
expect_err "^gully: shared: another run writes into this folder"
kill -INT $first
wait $first
[ $? = 130 ] || fail "the first run did not end as interrupted: $(cat first)"
expect_exit 0 "$gully" run scene.json -o shared -q
finish
