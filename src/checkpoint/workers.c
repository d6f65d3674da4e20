// SPDX-License-Identifier: MIT
#include "workers.h"

#include <pthread.h>
#include <stdio.h>

enum { MOST_WORKERS = 64 };

typedef struct Call {
    GullyStatus (*work)(void* context);
    void* context;
    pthread_mutex_t mutex; // of the first failure
    GullyStatus status;
    char message[512];
} Call;

static void keep_failure(Call* what, GullyStatus status) {
    pthread_mutex_lock(&what->mutex);
    if (status && !what->status) {
        what->status = status;
        snprintf(what->message, sizeof what->message, "%s", gully_message());
    }
    pthread_mutex_unlock(&what->mutex);
}

static void* call(void* argument) {
    Call* what = argument;
    keep_failure(what, what->work(what->context));
    return NULL;
}

GullyStatus workers_run(int threads, GullyStatus (*work)(void* context), void* context) {
    Call what = {.work = work, .context = context, .mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_t started[MOST_WORKERS];
    int count = 0;
    while (count < threads - 1 && count < MOST_WORKERS) {
        if (pthread_create(&started[count], NULL, call, &what)) break;
        count++;
    }
    call(&what);
    while (count-- > 0)
        pthread_join(started[count], NULL);
    pthread_mutex_destroy(&what.mutex);
    return what.status ? gully_fail(what.status, "%s", what.message) : GULLY_OK;
}
