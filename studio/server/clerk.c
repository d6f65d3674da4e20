// SPDX-License-Identifier: MIT
#include "clerk.h"

#include <string.h>

static void* work(void* argument) {
    Clerk* clerk = argument;
    pthread_mutex_lock(&clerk->mutex);
    for (;;) {
        while (clerk->queued == 0 && !clerk->quit)
            pthread_cond_wait(&clerk->wake, &clerk->mutex);
        if (clerk->queued == 0) break;
        ClerkTask task = clerk->queue[0].task;
        void* context = clerk->queue[0].context;
        clerk->queued--;
        memmove(clerk->queue, clerk->queue + 1, (size_t)clerk->queued * sizeof clerk->queue[0]);
        pthread_mutex_unlock(&clerk->mutex);
        task(context);
        pthread_mutex_lock(&clerk->mutex);
    }
    pthread_mutex_unlock(&clerk->mutex);
    return NULL;
}

GullyStatus clerk_create(Clerk* clerk, bool at_once) {
    *clerk = (Clerk){.at_once = at_once};
    if (at_once) return GULLY_OK;
    pthread_mutex_init(&clerk->mutex, NULL);
    pthread_cond_init(&clerk->wake, NULL);
    clerk->started = pthread_create(&clerk->thread, NULL, work, clerk) == 0;
    return clerk->started ? GULLY_OK : gully_fail(GULLY_FAILED, "cannot start a thread");
}

void clerk_destroy(Clerk* clerk) {
    if (!clerk->started) return;
    pthread_mutex_lock(&clerk->mutex);
    clerk->quit = true;
    pthread_cond_signal(&clerk->wake);
    pthread_mutex_unlock(&clerk->mutex);
    pthread_join(clerk->thread, NULL);
    pthread_mutex_destroy(&clerk->mutex);
    pthread_cond_destroy(&clerk->wake);
    clerk->started = false;
}

bool clerk_post(Clerk* clerk, ClerkTask task, void* context) {
    if (clerk->at_once) {
        task(context);
        return true;
    }
    pthread_mutex_lock(&clerk->mutex);
    bool room = clerk->queued < CLERK_TASKS && !clerk->quit;
    if (room) {
        clerk->queue[clerk->queued].task = task;
        clerk->queue[clerk->queued].context = context;
        clerk->queued++;
        pthread_cond_signal(&clerk->wake);
    }
    pthread_mutex_unlock(&clerk->mutex);
    return room;
}
