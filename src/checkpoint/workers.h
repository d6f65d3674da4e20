/// A few threads that do the same: each takes what is next until nothing is left.
#ifndef GULLY_WORKERS_H
#define GULLY_WORKERS_H

/// Calls `work` on up to `threads` threads, this one included, and returns when all are done. Where
/// no more can be started, there are fewer.
void workers_run(int threads, void (*work)(void* context), void* context);

#endif
