# SPDX-License-Identifier: MIT
# Files that cannot be written, by any number of threads: exit 1, the file is named with the reason,
# no other appears.
source "$(dirname "$0")/lib.sh" "$@"
write_scene scene.json 64 2

# Something is in the way of one file.
for threads in 1 4; do
    for name in $outputs; do
        mkdir -p "way/$name"
        expect_exit 1 "$gully" run scene.json -o way --threads $threads
        expect_silent out
        [ "$(cat err)" = "gully: way/$name: cannot be written: it is a folder" ] ||
            fail "--threads $threads, $name: $(cat err)"
        [ "$(ls -A way)" = "$name" ] || fail "--threads $threads, $name: left behind: $(ls -A way)"
        rmdir "way/$name"
    done
    mkdir -p "way/layer-old rock.tif"
    expect_exit 1 "$gully" run scene.json -o way --threads $threads --set 'materials=[{"name": "old rock"}]'
    [ "$(cat err)" = "gully: way/layer-old rock.tif: cannot be written: it is a folder" ] || fail "a layer: $(cat err)"
    [ "$(ls -A way)" = "layer-old rock.tif" ] || fail "a layer: left behind: $(ls -A way)"
    rmdir "way/layer-old rock.tif"
    mkdir -p way/wet.png
    expect_exit 1 "$gully" demo --size 32 -o way --threads $threads
    [ "$(cat err)" = "gully: way/wet.png: cannot be written: it is a folder" ] || fail "wet.png: $(cat err)"
    [ "$(ls -A way)" = wet.png ] || fail "a snapshot: left behind: $(ls -A way)"
    rmdir way/wet.png
done
ln -s /dev/full way/water.tif
expect_exit 1 "$gully" run scene.json -o way
expect_err "^gully: way/water.tif: cannot be written: it is not a plain file$"
[ "$(ls -A way)" = water.tif ] || fail "a device: left behind: $(ls -A way)"

# Every raster becomes too large: the first that was begun is named.
write_scene large.json 256 2
limited() { # BLOCKS COMMAND...
    local blocks=$1
    shift
    (
        trap '' XFSZ
        ulimit -f "$blocks"
        exec "$@"
    )
}
for threads in 1 2 4; do
    expect_exit 1 limited 100 "$gully" run large.json -o large --threads $threads
    expect_silent out
    expect_err "^gully: large/[a-z]+\.(tif|png): cannot be written: File too large$"
    [ -z "$(ls -A large)" ] || fail "too large: left behind: $(ls -A large)"
done
finish
