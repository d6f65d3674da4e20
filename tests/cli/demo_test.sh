# SPDX-License-Identifier: MIT
# gully demo: pictures and outputs, from a program that needs no file.
source "$(dirname "$0")/lib.sh" "$@"
expect_exit 0 "$gully" demo --size 64
expect_silent err
expect_outputs demo
for picture in before aged wet after preview; do
    expect_file demo/$picture.png
    [ "$(head -c 4 demo/$picture.png | tail -c 3)" = PNG ] || fail "$picture.png is no PNG"
done
expect_out "^  demo/before.png"
expect_out "^  demo/after.png"
cmp -s demo/before.png demo/aged.png && fail "before.png and aged.png are the same"
cmp -s demo/aged.png demo/wet.png && fail "aged.png and wet.png are the same"
cmp -s demo/wet.png demo/after.png && fail "wet.png and after.png are the same"
cmp -s demo/after.png demo/preview.png || fail "after.png is not the end"

# The scene in the repository is the one in the program.
expect_exit 0 "$gully" run "$source_root/scenes/demo.json" -o same -q --set terrain.width=64 \
    --set terrain.height=64 --set terrain.relief=56.25
expect_exit 0 "$gully" compare demo/terrain.tif same/terrain.tif

# Pictures drawn while the simulation goes on show the moment they were taken at: what a run that
# ends there shows.
steps=($(grep -oE '"steps": [0-9]+' "$source_root/scenes/demo.json" | grep -oE '[0-9]+'))
[ ${#steps[@]} = 3 ] || fail "scenes/demo.json has not three phases: age, wet, dry"
for moment in "before 0" "aged ${steps[0]}" "wet $((steps[0] + steps[1]))"; do
    set -- $moment
    expect_exit 0 "$gully" run "$source_root/scenes/demo.json" -o "at-$1" -q --steps "$2" \
        --set terrain.width=64 --set terrain.height=64 --set terrain.relief=56.25
    cmp "demo/$1.png" "at-$1/preview.png" || fail "$1.png is not the picture after $2 steps"
done
for threads in 1 4; do
    expect_exit 0 "$gully" demo --size 64 -o "threads-$threads" --threads $threads -q
    for picture in before aged wet after preview; do
        cmp demo/$picture.png "threads-$threads/$picture.png" || fail "--threads $threads: $picture.png"
    done
done

expect_exit 0 "$gully" demo --size 32 -o elsewhere --threads 1 --quiet
expect_silent out
expect_file elsewhere/wet.png
finish
