# SPDX-License-Identifier: MIT
# Sessions from the command line: a saved one is played again and compared.
source "$(dirname "$0")/lib.sh" "$@"

# A session as the library writes it: its head, and a journal that was not closed.
session() { # FOLDER
    mkdir -p "$1"
    cat >"$1/session.json" <<JSON
{"gully_session": 1, "version": "0", "id": "1", "created": "", "terrain": "hills", "folder": "$scratch", "start_hashes": {},
 "scene": {"gully": 1, "terrain": {"generate": "mountains", "width": 64, "height": 48, "relief": 60},
           "materials": [{"name": "rock"}, {"name": "soil"}], "layers": {"soil": 1}, "rain": {"rate": 1e-3}, "steps": 10}}
JSON
    cat >"$1/journal.jsonl" <<JSON
{"step":0}
{"do":"stroke","brush":"raise","radius":80,"points":[[200,200],[400,250]],"step":3}
{"do":"end","step":4}
{"do":"switch","add_on":"thermal","on":true,"step":4}
{"do":"set","key":"rain.rate","value":0.002,"step":12}
{"step":25}
JSON
}
session open
expect_exit 0 "$gully" replay open
expect_out "^played +25 steps, 4 records"
expect_out "^terrain +[0-9a-f]{16}$"
expect_out "^nothing to compare with"
expect_silent err
hashes() { "$gully" replay "$@" --json | sed -n '/"hashes"/,/}/p'; }
expect_exit 0 "$gully" replay open --json
expect_out '"same": null'
expect_out '"records": 4'
[ "$(hashes open -t 1)" = "$(hashes open -t 3)" ] || fail "threads change the result"

# Hashes of older versions were others: such a session opens, and has nothing to compare with.
session older
sed -i 's/"start_hashes": {}/"start": {"terrain": "0123456789abcdef"}/' older/session.json
echo '{"closed":true,"step":25,"hashes":{"terrain":"0123456789abcdef"}}' >>older/journal.jsonl
expect_exit 0 "$gully" replay older
expect_out "^nothing to compare with"

# Closed with these hashes it is the same; with one that is another, or one more step, it is not.
line=$("$gully" replay open --json | tr -d ' \n' | sed -E 's/.*"hashes":(\{[^}]*\}).*/{"closed":true,"step":25,"field_hashes":\1}/')
session closed
echo "$line" >>closed/journal.jsonl
expect_exit 0 "$gully" replay closed
expect_out "^the same as what was saved$"
expect_exit 0 "$gully" replay closed --quiet
expect_silent out
expect_exit 0 "$gully" replay closed --json
expect_out '"same": true'
session other
echo "${line/\"terrain\":\"/\"terrain\":\"0}" >>other/journal.jsonl
expect_exit 1 "$gully" replay other
expect_out "^terrain .*another$"
expect_out "^different from what was saved$"
expect_err "^gully: other: replayed, it is different from what was saved$"
session more
echo "${line/\"step\":25/\"step\":26}" >>more/journal.jsonl
expect_exit 1 "$gully" replay more --quiet

# The rasters.
expect_exit 0 "$gully" replay closed -o files --quiet
for name in terrain water sediment flow wear deposit layer-rock layer-soil; do expect_file "files/$name.tif"; done
expect_no_temporaries files
expect_exit 0 "$gully" replay closed -o files2 -t 1 --quiet
expect_exit 0 "$gully" compare files/terrain.tif files2/terrain.tif

# What is no session, or a damaged one.
expect_exit 2 "$gully" replay nothing
expect_err "nothing/session.json: no such file"
expect_exit 2 "$gully" replay
expect_err "SESSION is missing"
session damaged
sed -i 's/"stroke"/"strike"/' damaged/journal.jsonl
expect_exit 2 "$gully" replay damaged
expect_err "damaged: record 1, at step 3: command: do: unknown command; .*did you mean stroke"
expect_silent out
finish
