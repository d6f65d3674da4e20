# SPDX-License-Identifier: MIT
# Devices, here PoCL: they are listed, a run on one has the hashes of the processor's, checkpoints go from one to the other, and
# whatever a device lacks is said before anything is written.
source "$(dirname "$0")/lib.sh" "$@"
kept_cache=${GULLY_CACHE-} # of the tests; this one begins with an empty one
export GULLY_CACHE="$scratch/cache"
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # PoCL keeps some memory to the end
faulty="$(dirname "$gully")/tests/libfaulty_opencl.so"
if GULLY_OPENCL= "$gully" devices 2>&1 | grep -q "built without OpenCL"; then
    expect_exit 1 "$gully" devices
    finish
fi

hashes() { # FOLDER
    sed -n '/"hashes"/,/}/p' "$1/report.json"
}
device_value() { # FOLDER KEY: of the report's object "device"
    sed -nE "s/^    \"$2\": (.*[^,]),?\$/\1/p" "$1/report.json" | tail -n 1
}
expect_same() { # FOLDER FOLDER: hashes and every file
    [ "$(hashes "$1" | wc -l)" -gt 6 ] || fail "no hashes in $1"
    [ "$(hashes "$1")" = "$(hashes "$2")" ] || fail "$1 and $2 have other hashes"
    local file
    for file in "$1"/*.tif; do
        cmp -s "$file" "$2/$(basename "$file")" || fail "$file and $2/$(basename "$file") differ"
    done
}

# ---- listing

expect_exit 0 "$gully" devices
expect_silent err
expect_out "Portable Computing Language .*GiB +driver .*OpenCL [0-9.]+ .* fits \(no GPU"
expect_exit 0 "$gully" devices --json
for key in name platform driver version memory largest_buffer units gpu fits reason; do expect_out "^    \"$key\": "; done
expect_out '"fits": true'

# ---- the same bits: phases, seasons, drops, layers, thermal weathering, open sides

scene() { # MODEL MORE
    cat <<JSON
{
  "gully": 1,
  "terrain": {"generate": "mountains", "width": 90, "height": 70, "relief": 60},
  "cell_size": [10, 8], "seed": 5, "model": "$1", $2
  "rain": {"rate": 1e-3, "drops": {"drops_per_second": 3, "radius": 30}},
  "boundary": {"east": "open"},
  "program": [
    {"name": "wet", "steps": 18},
    {"name": "dry", "steps": 9, "set": {"rain.rate": 0, "dt": 0.1}}
  ],
  "repeat": 2
}
JSON
}
scene pipe '"thermal": {}, "materials": [{"name": "rock"}, {"name": "soil"}], "layers": {"soil": 1.5},' >layers.json
scene newton "" >newton.json
for name in layers newton; do
    more=$([ $name = layers ] && echo --velocity)
    expect_exit 0 "$gully" run $name.json -o $name-cpu $more
    expect_in $name-cpu/report.json '"backend": "cpu"'
    grep -q '"device": {' $name-cpu/report.json && fail "a device in the report of a run without one"
    expect_exit 0 "$gully" run $name.json -o $name-gpu $more --backend gpu --device portable
    expect_silent err
    expect_out "^On .*: 54 steps, [0-9]+ bytes a cell and step, .* compiled"
    expect_in $name-gpu/report.json '"backend": "gpu"'
    [ "$(device_value $name-gpu steps)" = 54 ] || fail "$(device_value $name-gpu steps) steps on the device instead of 54"
    [ "$(device_value $name-gpu bytes_per_cell_step)" -gt 100 ] || fail "bytes per cell and step"
    [ "$(device_value $name-gpu memory)" -gt 100000 ] || fail "memory of the device"
    expect_same $name-cpu $name-gpu
done

# A second start takes the kernels from the cache. The name of a device alone means the device, in any case.
[ "$(device_value layers-gpu programs_built)" -gt 0 ] || fail "no program was built at first"
expect_exit 0 "$gully" run layers.json -o again -q --velocity --device PORTABLE
[ "$(device_value again programs_built)" = 0 ] || fail "programs were built again"
[ "$(device_value again programs_cached)" -gt 0 ] || fail "no program came from the cache"
expect_same layers-cpu again

# With auto a device is tried; PoCL is no GPU, so it must be named.
expect_exit 0 "$gully" run layers.json -o auto --velocity --backend auto
expect_out "^On the processor: no GPU was found"
expect_in auto/report.json '"message": "no GPU was found'
expect_same layers-cpu auto
expect_exit 0 "$gully" run layers.json -o auto-named -q --velocity --backend auto --device portable
expect_same layers-cpu auto-named

# ---- checkpoints: begun on one, resumed on the other

stop() { # FOLDER WORDS...
    local folder=$1 code=0
    shift
    "$gully" run layers.json -o "$folder" --steps 1000000 "$@" >out 2>err </dev/null &
    local pid=$!
    for _ in $(seq 1200); do
        [ -d "$folder" ] && break
        sleep 0.05
    done
    sleep 0.3
    kill -INT $pid
    wait $pid || code=$?
    [ $code = 130 ] || fail "exit $code instead of 130 of a run that gets SIGINT: $*"
}
stop from-gpu --velocity --device portable # the same kernels as above: compiling them takes most of the time here
stop from-cpu --velocity --threads 1 --set program.0.steps=17
for pair in "from-gpu|--backend cpu|cpu" "from-cpu|--device portable --set program.0.steps=17|gpu"; do
    IFS='|' read -r folder words stepped <<<"$pair"
    steps=$(($(json_value $folder/report.json steps) + 37))
    expect_exit 0 "$gully" run layers.json -o $folder --resume --velocity --steps $steps $words
    expect_in $folder/report.json "\"backend\": \"$stepped\""
    expect_exit 0 "$gully" run layers.json -o $folder-whole -q --velocity --steps $steps ${words#--* * } $([ $stepped = gpu ] && echo --backend cpu)
    expect_same $folder $folder-whole
done

# ---- a session that is played again, with edits between the steps

mkdir session
cat >session/session.json <<JSON
{"gully_session": 1, "version": "0", "id": "1", "created": "", "terrain": "hills", "folder": "$scratch", "start_hashes": {},
 "scene": {"gully": 1, "terrain": {"generate": "mountains", "width": 64, "height": 48, "relief": 60}, "model": "newton",
           "rain": {"rate": 1e-3, "drops": {"drops_per_second": 3, "radius": 30}}, "steps": 10}}
JSON
cat >session/journal.jsonl <<JSON
{"step":0}
{"do":"stroke","brush":"raise","radius":80,"points":[[200,200],[400,250]],"step":300}
{"do":"end","step":301}
{"step":2000}
JSON
replayed() { "$gully" replay session --json "$@" | tee replay.json | sed -n '/"hashes"/,/}/p'; }
cpu=$(replayed)
[ "$(echo "$cpu" | wc -l)" -gt 6 ] || fail "no hashes of a session"
[ "$(replayed --device portable)" = "$cpu" ] || fail "a session has other hashes on a device"
expect_in replay.json '^    "name": ".+"'
expect_exit 1 "$gully" replay session --device nonsuch
expect_err "no device is called nonsuch"

# ---- what cannot be had is refused, and nothing is written

refused() { # PATTERN WORDS...
    local pattern=$1
    shift
    expect_exit 1 "$gully" run layers.json -o refused "$@"
    expect_err "$pattern"
    expect_silent out
    expect_no_file refused
}
refused "no device is called nonsuch; .*gully devices" --device nonsuch
refused "no GPU was found; .*--device NAME" --backend gpu
expect_exit 1 "$gully" bench --device nonsuch
expect_err "no device is called nonsuch"
expect_silent out
mkdir empty
export OCL_ICD_VENDORS="$scratch/empty"
refused "no OpenCL (platform|device)" --device portable
expect_exit 1 "$gully" devices
expect_err "no OpenCL (platform|device).*backend cpu"
unset OCL_ICD_VENDORS
export GULLY_OPENCL=/nonexistent/libOpenCL.so
refused "no OpenCL library \(/nonexistent/libOpenCL.so\).*install" --device portable
expect_exit 1 "$gully" devices --json
expect_err "no OpenCL library"
expect_silent out
expect_exit 0 "$gully" run layers.json -o without -q --velocity --backend auto
expect_same layers-cpu without

export GULLY_OPENCL="$faulty" GULLY_CACHE=
GULLY_FAULT=old expect_exit 0 "$gully" devices
expect_out "has OpenCL 1.1 .*OpenCL 1.2 is needed"
GULLY_FAULT=memory refused "memory" --device portable
GULLY_FAULT=syntax refused "cannot compile a kernel.*backend cpu" --device portable
GULLY_FAULT=contraction refused "would not be the processor's" --device portable

# A device that fails on the way: the processor goes on, and everyone is told.
export GULLY_CACHE="$scratch/cache"
GULLY_FAULT=launch:40 expect_exit 0 "$gully" run layers.json -o failed --velocity --device portable
expect_err "^gully: the device has failed, and the processor goes on: .*CL_OUT_OF_RESOURCES"
expect_out "^It failed, and the processor went on"
expect_in failed/report.json '"message": ".*CL_OUT_OF_RESOURCES'
[ "$(device_value failed steps)" -lt 54 ] || fail "all steps are said to be the failed device's"
expect_same layers-cpu failed
unset GULLY_OPENCL
export GULLY_CACHE="$kept_cache"

# ---- bench: rows of the device beside those of the processor

case "$gully" in */asan/* | */tsan/*) finish ;; esac # it takes long there, and finds nothing else

expect_exit 0 "$gully" bench --milliseconds 1 --law thermal --size 32 --threads 1 --device portable --json
[ "$(grep -c '"backend": "gpu"' out)" = "$(grep -c '"backend": "cpu"' out)" ] || fail "rows of the device"
expect_out '"bytes_per_cell_step": [1-9]'
expect_out '"build_seconds": '
finish
