# SPDX-License-Identifier: MIT
# A disk that is full: exit 1, the file is named, no part of an output stays.
source "$(dirname "$0")/lib.sh" "$@"
write_scene scene.json 256 2
mkdir disk
if ! mount -t tmpfs -o size=900k tmpfs disk 2>/dev/null; then
    echo "skipped: no right to mount a small disk"
    exit 0
fi
trap 'cd /; umount "$scratch/disk"; rm -rf "$scratch"' EXIT

# Known before the first step.
expect_exit 1 "$gully" run scene.json -o disk/out
expect_err "^gully: disk/out: the files of this run need 1.5 MiB, and the disk has 0\.[0-9] MiB left"
expect_silent out

# Or only when the files are written, if somebody else has filled it meanwhile.
write_scene long.json 128 100000000
for threads in 1 2 4; do
    rm -rf disk/out
    "$gully" run long.json -o disk/out --threads $threads >out 2>err &
    running=$!
    for _ in $(seq 100); do
        [ -d disk/out ] && break
        sleep 0.1
    done
    sleep 0.5
    dd if=/dev/zero of=disk/fill bs=1k 2>/dev/null
    kill -INT $running
    wait $running
    [ $? = 1 ] || fail "exit other than 1 on a disk that became full"
    expect_in err "^gully: disk/out/[a-z]+\.(tif|png): cannot be written: .*No space left"
    expect_silent out
    rm disk/fill
    [ -z "$(find disk -type f)" ] || fail "left behind: $(find disk -type f)"
done

# Files of an earlier, smaller run survive.
write_scene small.json 64 2
expect_exit 0 "$gully" run small.json -o disk/out -q
before=$(cat disk/out/* | cksum)
expect_exit 1 "$gully" run scene.json -o disk/out
[ "$(cat disk/out/* | cksum)" = "$before" ] || fail "files of the earlier run have changed"
expect_no_temporaries disk

# Not even a folder fits.
dd if=/dev/zero of=disk/fill bs=1k 2>/dev/null
expect_exit 1 "$gully" run small.json -o disk/out
expect_err "^gully: "
finish
