# SPDX-License-Identifier: MIT
# Sourced by compare.sh and same.sh: builds two versions of the library as shared objects, which one process can load
# at the same time, under build/compare: a commit (before) and what is here (now). The commit's is kept for the next time.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$PWD/build/compare
jobs=$(nproc)

# The library NAME, with files compiled against its headers: OWN is a file of that version's source, the others are those
# of what is here. OWN may be "".
build_version() { # build_version NAME SOURCE TARGET OWN FILE...
    local name=$1 source=$2 target=$3 own=${4:+$2/$4}
    shift 4
    cmake -S "$source" --preset release -B "$folder/$name" --log-level=WARNING -DGULLY_TESTS=OFF \
        -DCMAKE_POSITION_INDEPENDENT_CODE=ON >/dev/null
    cmake --build "$folder/$name" --parallel "$jobs" --target "$target" >/dev/null
    # In one version a function may return a status that it does not in the other: it is ignored in both.
    cc -O2 -Wall -Wextra -Wno-unused-result -shared -fPIC -I "$source/include" -I bench -I "$source/cli" -o "$folder/$name.so" \
        $own "$@" \
        -Wl,--whole-archive "$folder/$name/libgully.a" -Wl,--no-whole-archive -Wl,-Bsymbolic -lm -lpthread
}

build_versions() { # build_versions COMMIT TARGET OWN FILE...: before.so and now.so
    local commit
    commit=$(git rev-parse --verify --quiet "$1^{commit}") || {
        echo "no commit '$1'" >&2
        exit 2
    }
    echo "building $1 and what is here"
    shift
    mkdir -p "$folder"
    if [ "$(cat "$folder/commit" 2>/dev/null)" != "$commit" ]; then
        rm -rf "$folder/source" "$folder/before" "$folder/commit"
        mkdir "$folder/source"
        git archive "$commit" | tar -x -C "$folder/source"
        echo "$commit" >"$folder/commit"
    fi
    build_version before "$folder/source" "$@"
    build_version now "$PWD" "$@"
}
