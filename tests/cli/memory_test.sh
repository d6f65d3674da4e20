# SPDX-License-Identifier: MIT
# gully run --memory: the same files whatever part of the world fits into memory, also resumed with another part.
source "$(dirname "$0")/lib.sh"

cat >scene.json <<'EOF'
{"gully": 1, "terrain": {"generate": "mountains", "width": 512, "height": 1500, "seed": 3, "relief": 300},
 "cell_size": [10, 10], "model": "pipe", "thermal": {"rate": 0.2, "talus": 32}, "rain": {"rate": 1e-3},
 "sources": [{"x": 900, "y": 2000, "radius": 40, "rate": 0.05}],
 "materials": [{"name": "rock", "erodibility": 0.2}, {"name": "soil"}, {"name": "sand", "talus": 30}],
 "layers": {"soil": 2.0}, "steps": 60}
EOF

hashes() { python3 -c "import json, sys; print(json.load(open(sys.argv[1]))['hashes'])" "$1/report.json"; }
memory() { python3 -c "import json, sys; print(json.load(open(sys.argv[1]))['memory'][sys.argv[2]])" "$1/report.json" "$2"; }

expect_exit 0 "$gully" run scene.json -o whole --quiet
[ "$(memory whole bytes_written)" = 0 ] || fail "a world that fits was written to a file"
for part in 2 4 10; do
    budget=$(($(memory whole peak) / part))
    expect_exit 0 "$gully" run scene.json -o "part$part" --quiet --memory "$budget"
    [ "$(hashes "part$part")" = "$(hashes whole)" ] || fail "other hashes with 1/$part of the memory"
    [ "$(memory "part$part" peak)" -le "$budget" ] || fail "more memory was used than was given"
    [ "$(memory "part$part" tiles_read)" -gt 0 ] || fail "no tile was read with 1/$part of the memory"
done

# A checkpoint of one is gone on from by the others.
expect_exit 0 "$gully" run scene.json -o resumed --quiet --memory 9M --steps 30 --checkpoint 10
expect_exit 0 "$gully" run scene.json -o resumed --quiet --resume
[ "$(hashes resumed)" = "$(hashes whole)" ] || fail "resumed in memory: other hashes"
expect_exit 0 "$gully" run scene.json -o again --quiet --steps 30 --checkpoint 10
expect_exit 0 "$gully" run scene.json -o again --quiet --resume --memory 7M
[ "$(hashes again)" = "$(hashes whole)" ] || fail "resumed with little memory: other hashes"

# A session with strokes, undone and not, plays to the same hashes; its files are written by bands of rows.
mkdir edits
python3 - <<'PY'
import json
scene = json.load(open("scene.json"))
json.dump({"gully_session": 1, "version": "0", "id": "1", "created": "", "terrain": "mountains", "folder": ".", "start_hashes": {},
           "scene": scene}, open("edits/session.json", "w"))
PY
cat >edits/journal.jsonl <<'JSON'
{"step":0}
{"do":"stroke","brush":"raise","radius":300,"points":[[1000,2000],[4000,9000]],"step":6}
{"do":"end","step":7}
{"do":"stroke","brush":"erode","radius":200,"points":[[2500,13000],[2600,13200]],"step":13}
{"do":"end","step":13}
{"do":"hold","brush":"rain","radius":400,"at":[2500,5000],"begin":true,"step":20}
{"do":"release","step":26}
{"step":33}
JSON
expect_exit 0 "$gully" replay edits --json -o edited
cp out edited.json
played() { python3 -c "import json, sys; r = json.load(open(sys.argv[1])); print(r['hashes'] if sys.argv[2] == '' else r['memory'][sys.argv[2]])" "$1" "$2"; }
for part in 2 4; do
    budget=$(($(played edited.json peak) / part))
    expect_exit 0 "$gully" replay edits --json --memory "$budget" --scratch . -o "edited$part"
    [ "$(played out "")" = "$(played edited.json "")" ] || fail "edits with 1/$part of the memory: other hashes"
    [ "$(played out peak)" -le "$budget" ] || fail "edits took more memory than was given"
    [ "$(played out tiles_read)" -gt 0 ] || fail "no tile was read with 1/$part of the memory"
    cmp -s edited/terrain.tif "edited$part/terrain.tif" || fail "edits with 1/$part of the memory: another terrain"
done

# In scenes; and what is wrong.
sed 's/"gully": 1,/"gully": 1, "memory": "9M",/' scene.json >small.json
expect_exit 0 "$gully" run small.json -o small --quiet
[ "$(memory small budget)" = 9437184 ] || fail "the scene's memory was not heeded"
expect_exit 2 "$gully" run scene.json -o bad --quiet --set 'memory="much"'
expect_err 'memory: expected bytes'
expect_exit 2 "$gully" run scene.json -o bad --quiet --memory 2T
expect_exit 1 "$gully" run scene.json -o bad --quiet --memory 1M
expect_err "or more .--memory."
expect_exit 1 "$gully" run scene.json -o bad --quiet --memory 7M --scratch /nowhere
expect_err 'scratch folder /nowhere'
[ -z "$(find . -name '*scratch*')" ] || fail "a scratch file was left"
finish
