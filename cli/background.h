// SPDX-License-Identifier: MIT
/// Work beside the main thread: a queue of jobs and the threads that run them.
///
/// A picture of a running simulation, the files at its end: whatever is not stepping is a job.
/// Jobs begin in the order in which they were added. When one fails, those that have not begun are
/// left out, and background_wait() tells of it.
#ifndef GULLY_CLI_BACKGROUND_H
#define GULLY_CLI_BACKGROUND_H

#include "gully/status.h"

/// Belongs to the caller and stays where it is until background_wait() has returned.
typedef struct Job {
    GullyStatus (*run)(void* context); ///< on another thread, with its own gully_message()
    void* context;
    // Set by the background.
    GullyStatus status;
    char message[2048]; ///< if it failed
    struct Job* next;
} Job;

typedef struct Background Background;

/// `threads` is at least 1.
GullyStatus background_create(int threads, Background** out);

/// Waits for the jobs that have begun, leaves out the others. NULL is allowed.
void background_destroy(Background* background);

void background_add(Background* background, Job* job);

/// Waits for all jobs. Returns the status of the first that failed, in the order in which they were
/// added, and leaves its message on this thread.
GullyStatus background_wait(Background* background);

#endif
