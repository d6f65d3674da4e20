#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bench_compare.sh BEFORE AFTER [MOST]: the rows that two files of bench/results share, and how the times differ. Fails if
# the median of the ratios, or a row by twice as much, is above MOST (1.1).
set -eu
awk -F, -v most="${3:-1.1}" '
    FNR == 1 { files++; next }
    { row = $1 " " $2 " " $3 " x " $3 ", " $4 " threads, " $10 }
    files == 1 { before[row] = $5; next }
    !(row in before) { printf "%-60s %8.2f ns, new\n", row, $5; next }
    { ratio = $5 / before[row]; ratios[++count] = ratio
      slow = ratio > 1 + 2 * (most - 1); slower += slow
      printf "%-60s %8.2f ns, %.2f times the time before%s\n", row, $5, ratio, slow ? "  *" : "" }
    END {
        if (count == 0) { print "no row is in both files"; exit 1 }
        for (i = 2; i <= count; i++)
            for (k = i; k > 1 && ratios[k - 1] > ratios[k]; k--) { t = ratios[k]; ratios[k] = ratios[k - 1]; ratios[k - 1] = t }
        median = (ratios[int((count + 1) / 2)] + ratios[int(count / 2) + 1]) / 2
        printf "%d rows, median ratio %.3f\n", count, median
        exit median > most || slower > 0
    }' "$1" "$2"
