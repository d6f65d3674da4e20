// SPDX-License-Identifier: MIT
/// `gully bench --memory`: a world in memory beside the same one with a part of it.
#ifndef GULLY_CLI_BENCH_MEMORY_H
#define GULLY_CLI_BENCH_MEMORY_H

#include <stdbool.h>

#include "command.h"

/// Measures a law (NULL: pipe) at its defaults, prints what it finds, and returns the exit code.
int bench_memory(const char* law, CountList sizes, int percent, bool json);

#endif
