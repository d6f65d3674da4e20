// SPDX-License-Identifier: MIT
/// Work that several threads share.
#ifndef GULLY_WORKERS_H
#define GULLY_WORKERS_H

#include "gully/status.h"

/// Calls `work` on that many threads, this one among them, and waits until all return; fewer if no
/// more can be started. Returns the first failure of any of them, with its message: messages belong
/// to the thread that failed, and the caller's thread gets this one.
GullyStatus workers_run(int threads, GullyStatus (*work)(void* context), void* context);

#endif
