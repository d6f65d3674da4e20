#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds and runs every test: with gcc, under the address and undefined-behaviour sanitizers, the
# threaded ones under the thread sanitizer, and with clang, whose bits must be gcc's.
# Ends with the line "N passed, M failed".
set -u
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
passed=0
failed=0
log_file=$(mktemp)
trap 'rm -f "$log_file"' EXIT

run() { # run PRESET FOLDER TARGET "ctest options"
    local preset=$1 folder=$2 target=$3 options=$4 start=$SECONDS
    echo "== $preset"
    if ! { cmake --preset "$preset" -DGULLY_TESTS=ON -DGULLY_WERROR=ON && cmake --build "$folder" --parallel "$jobs" --target "$target"; } >"$log_file" 2>&1; then
        cat "$log_file"
        echo "the $preset build failed"
        failed=$((failed + 1))
        return
    fi
    echo "built in $((SECONDS - start)) s"
    # Many tests use one processor only, or wait: several run at once; none looks at the clock to judge.
    ctest --test-dir "$folder" --parallel "$((jobs + 1))" --output-on-failure --no-tests=error $options 2>&1 | tee "$log_file"
    local total bad
    total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$log_file")
    bad=$(sed -n 's/.*, \([0-9]*\) tests failed out of .*/\1/p' "$log_file")
    if [ -z "$total" ]; then # ctest did not get to its summary
        failed=$((failed + 1))
        return
    fi
    passed=$((passed + total - bad))
    failed=$((failed + bad))
}

echo "== format"
if scripts/check_format.sh; then passed=$((passed + 1)); else failed=$((failed + 1)); fi

export ASAN_OPTIONS=detect_stack_use_after_return=1
run release build all "-LE soak"
# Left out under ASan: what others run too, other programs, rows that no sanitizer compiled, MPI, which leaks, and the
# emulator, in which a sanitized program is killed.
others='golden|opencl|device_targets|battery_threads'
programs='bench|clients|demo|kill|memory|mpi|pipelines|processor'
run asan build/asan all "-LE slow|soak -E ^($others|cli_($programs))_"
run tsan build/tsan threads_tests "-L threads"
run clang build/clang all "-R ^(golden|battery|reference|physics_slow)_test"
echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
