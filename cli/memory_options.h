// SPDX-License-Identifier: MIT
/// Options of commands that make worlds: memory for the cells, and where the rest is kept. And what is said of it
/// afterwards.
#ifndef GULLY_CLI_MEMORY_OPTIONS_H
#define GULLY_CLI_MEMORY_OPTIONS_H

#include <jansson.h>
#include <stdint.h>

#include "gully/world.h"

/// What the options said.
typedef struct MemoryChoice {
    int64_t bytes;       ///< 0 = as the scene says
    const char* scratch; ///< NULL = not given
} MemoryChoice;

/// Rows of a command's table, each with its comma, for the member `memory` of its values, a
/// MemoryChoice. MEMORY_VALUES is the type of the values: a file defines it before it uses the
/// rows. SCRATCH says which folder is taken without --scratch.
// clang-format off
#define MEMORY_ROWS(SCRATCH) \
    {OPTION_BYTES, 0, "memory", "BYTES", \
     "memory that the cells may take, as in 2G: what does not fit is kept in a file; the result does " \
     "not depend on it (default: three quarters of the machine's)", \
     offsetof(MEMORY_VALUES, memory.bytes), false, 1 << 20, 1024.0 * 1024 * 1024 * 1024}, \
    {OPTION_TEXT, 0, "scratch", "DIR", "folder of that file (default: " SCRATCH ")", \
     offsetof(MEMORY_VALUES, memory.scratch), false, 0, 0},
// clang-format on

/// What the cells of a world took, and how tiles came and went in so many steps.
json_t* memory_json(const GullyWorld* world, int64_t steps);

#endif
