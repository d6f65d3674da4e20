// SPDX-License-Identifier: MIT
/// Ranks that are threads of one process: messages are copies. For tests of what ranks do.
#ifndef THREAD_RANKS_H
#define THREAD_RANKS_H

#include <stdint.h>

#include "gully/ranks.h"

/// Runs a function as so many ranks at the same time, and waits for all of them.
void thread_ranks_run(int count, void (*run)(const GullyRanks* ranks, void* context),
                      void* context);

/// How often a rank let messages go on while it computed.
int64_t thread_ranks_progress(const GullyRanks* ranks);

#endif
