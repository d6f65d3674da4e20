# SPDX-License-Identifier: MIT
# The commands of docs/pipelines.md, as they stand there, and what their programs would read.
source "$(dirname "$0")/lib.sh" "$@"
python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || { echo "no Python with NumPy: python3-numpy" >&2; exit 1; }
has_blender=
has_client blender && has_blender=$(command -v blender)

expect_exit 0 "$gully" generate mountains -o dem.tif --width 96 --height 64 --relief 400 --offset -60
ln -s "$source_root/python" python
awk '/^```$/ { inside = !inside; next } inside' "$source_root/docs/pipelines.md" >commands
[ "$(wc -l <commands)" = 12 ] || fail "12 commands: $(cat commands)"
: >done
while read -r command; do
    case $command in
    blender*) [ -n "$has_blender" ] || continue ;;
    *"run dem.tif"*) grep -qx "$command" done && continue ;; # the same in all four
    esac
    eval "nice $command" </dev/null >"$scratch/out" 2>"$scratch/err" || { fail "$command"; show; }
    echo "$command" >>done
done < <(sed "s|^gully|'$gully'|; s|^blender|blender --factory-startup --python-exit-code 1|" commands)
if [ -n "$has_blender" ]; then
    expect_exit 0 blender --factory-startup --python-exit-code 1 -b -P "$source_root/tests/clients/blender_read.py" -- \
        "$scratch/terrain.blend" "$scratch/godot/terrain.exr"
fi
"$python" "$source_root/tests/clients/pipelines.py" "$gully" $has_blender || fail "what the programs read"
finish
