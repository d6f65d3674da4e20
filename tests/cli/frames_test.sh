# SPDX-License-Identifier: MIT
# gully run --frames and --movie: the pictures are there, and nothing else changes.
source "$(dirname "$0")/lib.sh" "$@"

png_size() { # FILE: "WIDTH HEIGHT", from the header
    od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'
}
hashes() { sed -n '/"hashes"/,/}/p' "$1/report.json"; }

write_scene scene.json 48 50
expect_exit 0 "$gully" run scene.json -o plain --quiet
expect_no_file plain/frames
expect_exit 0 "$gully" run scene.json -o run --quiet --frames 7 --frame-size 64x36
expect_silent out
expect_silent err
expect_outputs run
[ "$(ls run/frames | tr '\n' ' ')" = "$(printf '%06d.png ' 0 1 2 3 4 5 6 7)" ] ||
    fail "frames: $(ls run/frames)"
for frame in run/frames/*; do
    [ "$(png_size "$frame")" = "64 36" ] || fail "$frame is $(png_size "$frame")"
done
cmp -s run/frames/000000.png run/frames/000007.png && fail "nothing moves"
[ -n "$(hashes plain)" ] && [ "$(hashes plain)" = "$(hashes run)" ] || fail "frames change the run"

# The same pictures on any number of threads, and by gully render.
expect_exit 0 "$gully" run scene.json -o one --quiet --frames 7 --frame-size 64x36 --threads 1
for frame in run/frames/*; do
    cmp -s "$frame" "one/frames/${frame##*/}" || fail "$frame depends on the threads"
done

# A shorter run leaves no frames of the longer one; a relief has the size of the terrain.
expect_exit 0 "$gully" run scene.json -o run --quiet --frames 10 --steps 20 --frame-view relief
[ "$(ls run/frames | wc -l)" = 3 ] || fail "old frames are left: $(ls run/frames)"
[ "$(png_size run/frames/000002.png)" = "48 48" ] || fail "size of a relief"
expect_exit 0 "$gully" run scene.json -o each --quiet --frames 1 --steps 3 --frame-size 32x18
[ "$(ls each/frames | wc -l)" = 4 ] || fail "a frame each step: $(ls each/frames)"

# A movie, by an ffmpeg that only says what it was asked for.
mkdir tools none
cat >tools/ffmpeg <<'SH'
#!/bin/sh
ls >"$FFMPEG_LOG"
for last; do :; done
[ -z "$FFMPEG_FAILS" ] || { echo half >"$last"; exit 3; }
echo "$@" >"$last"
SH
chmod +x tools/ffmpeg
export FFMPEG_LOG=$scratch/log
small="--frames 10 --steps 20 --frame-size 32x18 --quiet"
# shellcheck disable=SC2086
expect_exit 0 env PATH="$scratch/tools:$PATH" "$gully" run scene.json -o film $small --movie film.mp4
expect_in film.mp4 "%06d.png.*film.mp4.tmp"
expect_in log 000002.png
# shellcheck disable=SC2086
expect_exit 1 env PATH="$scratch/tools:$PATH" FFMPEG_FAILS=1 \
    "$gully" run scene.json -o film $small --movie bad.mp4
expect_err "bad.mp4: ffmpeg .*exit 3.*film/frames"
expect_no_file bad.mp4
expect_no_temporaries .
if command -v ffmpeg >/dev/null; then
    # shellcheck disable=SC2086
    expect_exit 0 "$gully" run scene.json -o film $small --movie "real one.mp4"
    expect_in "real one.mp4" ftyp
fi

# Without ffmpeg, and other wrong words: nothing is run.
# shellcheck disable=SC2086
expect_exit 1 env PATH="$scratch/none" "$gully" run scene.json -o never $small --movie a.mp4
expect_err "movie needs ffmpeg, which is not there; install it"
wrong() { # PATTERN WORDS...
    local pattern=$1
    shift
    expect_exit 2 "$gully" run scene.json -o never "$@"
    expect_err "$pattern"
}
wrong "need --frames EVERY" --movie a.mp4
wrong "need --frames EVERY" --frame-view relief
wrong "frames wants a whole number from 1" --frames 0
wrong "ends in .mp4" --frames 5 --movie a.gif
wrong "WxH" --frames 5 --frame-size 5
wrong "elevation" --frames 5 --frame-camera 1,100
expect_no_file never
finish
