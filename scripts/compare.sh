#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compare.sh [COMMIT [SIZE...]]: steps of what is here against those of a commit (default: the last), in pairs of runs,
# and the memory of both. VARIANTS="flux newton" runs only these.
set -eu
source "$(dirname "$0")/versions.sh"
commit=${1:-HEAD}
shift || true
build_versions "$commit" gully cli/bench_variants.c bench/contestant.c bench/field_hash.c
cc -O2 -Wall -Wextra -I bench -o "$folder/pairs" bench/pairs.c -ldl
"$folder/pairs" "$folder/before.so" "$folder/now.so" "$jobs" "${VARIANTS:-}" ${@:-1024 4096}
