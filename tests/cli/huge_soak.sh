# SPDX-License-Identifier: MIT
# A terrain of more cells than memory holds: generated, worn by a river for 200 steps and written, with 4 GiB for its cells.
# `huge_soak.sh GULLY SOURCE [SIDE [MEMORY]]`, part of make soak. At full size it takes 20 GB of disk below TMPDIR.
side=${3:-32768} memory=${4:-4G}
source "$(dirname "$0")/lib.sh" "$@"
cat >river.json <<JSON
{"gully": 1, "terrain": {"generate": "mountains", "width": $side, "height": $side, "relief": 2000}, "cell_size": 10,
 "model": "pipe", "sources": [{"x": $((side * 5)), "y": $((side * 5)), "radius": 200, "rate": 0.1}], "steps": 200}
JSON
python3 - "$gully" "$memory" <<'PY' || fail "$side x $side with --memory $memory"
import json, resource, subprocess, sys, time
gully, memory = sys.argv[1:]
start = time.time()
subprocess.run([gully, "run", "river.json", "-o", "out", "--quiet", "--memory", memory, "--outputs", "terrain,water"], check=True)
resident = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
report = json.load(open("out/report.json"))
print(f"{time.time() - start:.0f} s, at most {resident / 1e9:.2f} GB resident;", json.dumps(report["memory"]))
for what in "water", "solid":
    kept = report["budget"][what]
    print(f"{what}: {kept['moved']:.6g} m3 moved, residual {kept['relative_residual']:.2g} of that")
    assert kept["moved"] > 0 and abs(kept["relative_residual"]) <= 1e-8, kept
assert resident < 5e9, "more than 5 GB resident"
PY
for name in terrain.tif water.tif report.json; do expect_file "out/$name"; done
expect_no_temporaries out
finish
