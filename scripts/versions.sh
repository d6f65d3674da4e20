# Sourced by compare.sh and same.sh: builds two versions of the library as shared objects, which one process can load
# at the same time, under build/compare: a commit (before) and what is here (now).
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$PWD/build/compare
jobs=$(nproc)

build_version() { # build_version NAME SOURCE TARGET FILE...: libNAME, with these files compiled against its headers
    local name=$1 source=$2 target=$3
    shift 3
    cmake -S "$source" --preset release -B "$folder/$name" --log-level=WARNING -DGULLY_TESTS=OFF \
        -DCMAKE_POSITION_INDEPENDENT_CODE=ON >/dev/null
    cmake --build "$folder/$name" --parallel "$jobs" --target "$target" >/dev/null
    # In one version a function may return a status that it does not in the other: it is ignored in both.
    cc -O2 -Wall -Wextra -Wno-unused-result -shared -fPIC -I "$source/include" -I bench -I cli -o "$folder/$name.so" "$@" \
        -Wl,--whole-archive "$folder/$name/libgully.a" -Wl,--no-whole-archive -Wl,-Bsymbolic -lm -lpthread
}

build_versions() { # build_versions COMMIT TARGET FILE...: before.so and now.so
    local commit=$1
    shift
    mkdir -p "$folder"
    git worktree prune
    trap 'git worktree remove --force "$folder/source" 2>/dev/null || true' EXIT
    rm -rf "$folder/source"
    git worktree add --detach --force "$folder/source" "$commit" >/dev/null 2>&1 || {
        echo "no commit '$commit'" >&2
        exit 2
    }
    echo "building $commit and what is here"
    build_version before "$folder/source" "$@"
    build_version now "$PWD" "$@"
}
