// SPDX-License-Identifier: MIT
/// A pool of threads that runs a function over numbered items. Nobody else knows threads.
///
/// Which thread takes which item does not matter: a task may only write what belongs to its item or
/// its worker.
#ifndef POOL_H
#define POOL_H

#include "gully/status.h"

typedef struct Pool Pool;

/// `worker` is below pool_threads(): an index for memory that is private to a thread.
typedef void (*PoolTask)(void* context, int item, int worker);

int pool_processors(void);

/// `threads` counts the calling one; 0 = one per processor.
GullyStatus pool_create(int threads, Pool** out);
void pool_destroy(Pool* pool);
int pool_threads(const Pool* pool);

/// Runs the task for items 0 .. count-1 and returns when all are done. Denormal numbers are flushed
/// to zero meanwhile, and the calling thread's mode is restored.
void pool_run(Pool* pool, int count, PoolTask task, void* context);

#endif
