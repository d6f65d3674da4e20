#!/usr/bin/env bash
# compare.sh [COMMIT [SIZE...]]: steps of what is here against those of a commit (default: the last),
# in pairs of runs; both built as shared objects under build/compare.
set -eu
cd "$(dirname "$0")/.."
commit=${1:-HEAD}
shift || true
folder=$PWD/build/compare
mkdir -p "$folder"
git worktree prune
trap 'git worktree remove --force "$folder/source" 2>/dev/null || true' EXIT

build() { # build NAME SOURCE
    cmake -S "$2" --preset release -B "$folder/$1" --log-level=WARNING -DGULLY_TESTS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON >/dev/null
    cmake --build "$folder/$1" --parallel "$(nproc)" --target gully >/dev/null
    cc -O2 -shared -fPIC -I "$2/include" -I bench -I cli -o "$folder/$1.so" bench/contestant.c cli/bench_variants.c \
        -Wl,--whole-archive "$folder/$1/libgully.a" -Wl,--no-whole-archive -Wl,-Bsymbolic -lm -lpthread
}

rm -rf "$folder/source"
git worktree add --detach --force "$folder/source" "$commit" >/dev/null 2>&1
echo "building $commit and what is here"
build before "$folder/source"
build now "$PWD"
cc -O2 -I bench -o "$folder/pairs" bench/pairs.c -ldl
"$folder/pairs" "$folder/before.so" "$folder/now.so" "$(nproc)" ${@:-1024 2048}
