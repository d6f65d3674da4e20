# SPDX-License-Identifier: MIT
# The package: built, installed into a fresh environment without a network, and its own tests, which
# compare it with the program.
source "$(dirname "$0")/lib.sh" "$@"
build=$(dirname "$gully")
export GULLY_BUILD=$build GULLY=$gully GULLY_SOURCE=$source_root PYTHONDONTWRITEBYTECODE=1

# A Python that has NumPy and pytest: the first of the path, or Debian's.
python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import numpy, pytest' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || { echo "no Python with NumPy and pytest: python3-numpy, python3-pytest" >&2; exit 1; }

# As `make python` does it.
expect_exit 0 "$python" "$source_root/python/backend.py" staged
for name in "$build"/libgully*.so.*.*.*; do expect_file "$name"; done
export PYTHONPATH=$scratch/staged:$source_root/python
if ! "$python" -m pytest -q -p no:cacheprovider "$source_root/python/tests" >"$scratch/out" 2>&1; then
    tail -n 60 "$scratch/out" >&2
    fail "pytest"
fi

# The example, with and without a picture.
expect_exit 0 "$python" "$source_root/python/examples/erode_dem.py" --steps 20 --size 64 -o eroded
expect_file eroded/terrain.tif

# The add-on, in a Blender whose Python has NumPy.
if has_client blender; then
    expect_exit 0 blender --python-use-system-env --factory-startup --python-exit-code 1 -b \
        -P "$source_root/tests/clients/blender_addon.py" -- "$source_root/python/blender"
    expect_out "the add-on works"
fi
unset PYTHONPATH

# As a user installs it: nothing is fetched, and what the system has of NumPy is used.
expect_exit 0 "$python" -m venv --system-site-packages environment
expect_exit 0 environment/bin/pip install --no-index --disable-pip-version-check "$source_root/python"
cat >use.py <<'PYTHON'
import gully
print(gully.__file__)
world = gully.World(gully.generate("mountains", width=32, height=32), cell=(10, 10))
gully.Sim(world, gully.Settings("pipe", **{"params.capacity": 0.8, "rain.rate": 1e-3})).step(5)
print(gully.__version__, world["terrain"].shape, world.hash("terrain"))
PYTHON
expect_exit 0 environment/bin/python use.py
expect_out "environment/lib.*gully/__init__.py"
expect_out "\(32, 32\) [0-9a-f]{16}"
expect_exit 0 environment/bin/pip uninstall -y gully
expect_exit 1 environment/bin/python use.py
git -C "$source_root" status --porcelain python 2>/dev/null | grep -q '_abi.py\|egg-info' && fail "the source was written to"

# As Debian's packages have it: no libraries of its own, those of the system.
GULLY_LIBRARIES=system expect_exit 0 "$python" "$source_root/python/backend.py" system
expect_no_file system/gully/lib
PYTHONPATH=$scratch/system LD_LIBRARY_PATH=$build expect_exit 0 "$python" use.py
expect_out "\(32, 32\) [0-9a-f]{16}"

# Without the library, or with one that is not there, it says so.
mkdir bare
cp -r staged/gully bare
rm bare/gully/lib/*
PYTHONPATH=$scratch/bare expect_exit 1 "$python" -c 'import gully'
expect_err "libgully.so"
PYTHONPATH=$source_root/python expect_exit 1 "$python" -c 'import gully'
expect_err "make python"
finish
