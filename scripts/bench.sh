#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bench.sh [ARGUMENTS of gully bench]: its table, kept as bench/results/MACHINE.csv, and beside what that file said before.
# Without arguments it measures `pipe` at 1024 and 2048 with all threads. RESULTS=FOLDER keeps it elsewhere.
set -eu
cd "$(dirname "$0")/.."
folder=${RESULTS:-bench/results}
mkdir -p "$folder"

# A processor's name, how many there are, and the widest vectors that laws use of it.
name=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
vectors=baseline
for flag in avx2 avx512f; do grep -qw "$flag" /proc/cpuinfo && vectors=$flag; done
machine=$(echo "${name:-$(uname -m)} $(nproc) $vectors" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9.-' | tr -s '-')
file=$folder/$machine.csv

if [ $# = 0 ]; then set -- --law pipe --size 1024 --size 2048 --threads "$(nproc)"; fi
new=$(mktemp)
trap 'rm -f "$new" "$new.json"' EXIT
build/gully bench --json "$@" >"$new.json"
awk 'BEGIN { print "law,variant,size,threads,ns_per_cell_step,mcell_steps_per_s,vs_memcpy,vs_reference,peak_mib,backend" }
     /^    "/ { key = $1; gsub(/[":]/, "", key); $1 = ""; gsub(/^ "?|"?,?$/, ""); value[key] = $0 }
     /^  }/ { print value["law"] "," value["variant"] "," value["size"] "," value["threads"] "," value["ns_per_cell_step"] "," \
                    value["mcell_steps_per_s"] "," value["vs_memcpy"] "," value["vs_reference"] "," value["peak_mib"] "," value["backend"] }' \
    "$new.json" >"$new"
if [ -e "$file" ]; then
    scripts/bench_compare.sh "$file" "$new" || echo "(a single run on a shared machine: make compare tells whether the program is slower)"
fi
mv "$new" "$file"
chmod 644 "$file"
echo "kept in $file"
