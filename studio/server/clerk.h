// SPDX-License-Identifier: MIT
/// The clerk: a thread that reads and writes files for pages, one after another, so that neither
/// the engine nor a connection waits for them.
#ifndef STUDIO_CLERK_H
#define STUDIO_CLERK_H

#include <pthread.h>
#include <stdbool.h>

#include "gully/status.h"

typedef void (*ClerkTask)(void* context);

enum { CLERK_TASKS = 8 }; ///< that may wait

typedef struct Clerk {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    struct {
        ClerkTask task;
        void* context;
    } queue[CLERK_TASKS];
    int queued;
    bool at_once; ///< there is no thread: tasks are done when they are posted
    bool started, quit;
} Clerk;

/// With `at_once` whoever posts a task does it.
GullyStatus clerk_create(Clerk* clerk, bool at_once);

/// Finishes what waits.
void clerk_destroy(Clerk* clerk);

/// False if too much waits already.
bool clerk_post(Clerk* clerk, ClerkTask task, void* context);

#endif
