# SPDX-License-Identifier: MIT
# The program starts and runs on processors without AVX and without AVX-512, to the same hashes: here on
# emulated ones. (No emulator that Debian has knows AVX-512.)
source "$(dirname "$0")/lib.sh" "$@"
[ "$(uname -m)" = x86_64 ] || finish # laws have one width elsewhere

hashes() { # FOLDER
    sed -n '/"hashes"/,/}/p' "$1/report.json"
}

write_scene scene.json 48 20
for model in pipe diffusion newton; do
    expect_exit 0 "$gully" run scene.json -o "$model" -q --set model=$model
    [ "$(hashes $model | wc -l)" -gt 3 ] || fail "no hashes of $model"
    for processor in Nehalem Haswell; do # SSE4; AVX2
        expect_exit 0 qemu-x86_64 -cpu $processor "$gully" run scene.json -o "$model-$processor" -q --set model=$model
        [ "$(hashes "$model-$processor")" = "$(hashes $model)" ] || fail "$model has other hashes on a $processor"
    done
done
finish
