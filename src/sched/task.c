// SPDX-License-Identifier: MIT
#include "task.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct Task {
    pthread_t thread;
    void (*run)(void* context);
    void* context;
    atomic_bool is_done;
};

static void* run_task(void* argument) {
    Task* task = argument;
    task->run(task->context);
    atomic_store(&task->is_done, true);
    return NULL;
}

GullyStatus task_start(void (*run)(void* context), void* context, Task** out) {
    *out = NULL;
    Task* task = calloc(1, sizeof *task);
    if (!task) return gully_fail(GULLY_NO_MEMORY, "no memory for a task");
    task->run = run;
    task->context = context;
    const int failed = pthread_create(&task->thread, NULL, run_task, task);
    if (failed) {
        free(task);
        return gully_fail(GULLY_FAILED, "cannot start a thread: %s", strerror(failed));
    }
    *out = task;
    return GULLY_OK;
}

bool task_is_done(const Task* task) {
    return atomic_load(&task->is_done);
}

void task_end(Task* task) {
    if (!task) return;
    pthread_join(task->thread, NULL);
    free(task);
}
