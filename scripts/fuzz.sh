#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs libFuzzer over every reader of untrusted bytes, FUZZ_SECONDS (default 60) each, from the corpus in
# fuzz/corpus. What breaks one is left in build/fuzz/found/NAME, to be added to the corpus once it is fixed.
set -u
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
seconds=${FUZZ_SECONDS:-60}
log_file=$(mktemp)
trap 'rm -f "$log_file"' EXIT
if ! { cmake --preset fuzz -DGULLY_TESTS=ON && cmake --build build/fuzz --target fuzzers --parallel "$jobs"; } >"$log_file" 2>&1; then
    cat "$log_file"
    exit 1
fi
bad=0
for target in build/fuzz/fuzz/*_fuzz; do
    name=$(basename "$target" _fuzz)
    grown=build/fuzz/corpus/$name found=build/fuzz/found/$name
    mkdir -p "$grown" "$found"
    echo "== $name, $seconds s"
    # Ten seconds for an input, 2 GiB of memory, and no leak: more is a fault.
    if "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$found/" "$grown" "fuzz/corpus/$name" >"$log_file" 2>&1; then
        grep -E "stat::number_of_executed_units|stat::new_units_added" "$log_file"
    else
        tail -n 40 "$log_file"
        echo "$name broke; see $found"
        bad=1
    fi
done
exit $bad
