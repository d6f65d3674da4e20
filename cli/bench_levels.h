// SPDX-License-Identifier: MIT
/// `gully bench --levels`: an island in a sea whose tiles choose their levels, beside the same one at the
/// finest level.
#ifndef GULLY_CLI_BENCH_LEVELS_H
#define GULLY_CLI_BENCH_LEVELS_H

#include <stdbool.h>

#include "command.h"

typedef struct BenchLevels {
    CountList sizes, threads;
    double error; ///< levels.error
    int64_t steps;
    bool alone; ///< without the finest level: time and memory of levels alone
    bool json;
} BenchLevels;

/// Runs both in turn, prints how much less work, time and memory that is and how far the terrain is off,
/// and returns the exit code.
int bench_levels(const BenchLevels* bench);

#endif
