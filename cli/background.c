// SPDX-License-Identifier: MIT
#include "background.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Background {
    pthread_t* threads;
    int started;

    pthread_mutex_t mutex; // of all that follows
    pthread_cond_t added;  // a job, or the end
    pthread_cond_t done;   // nothing is left to do
    Job *first, *last;     // since the last wait
    Job* next;             // to begin; NULL = none is left
    int running;
    bool failed; // one of them
    bool quit;
};

/// Waits for a job and begins it; NULL at the end. With the mutex.
static Job* begin_job(Background* background) {
    while (!background->next && !background->quit)
        pthread_cond_wait(&background->added, &background->mutex);
    if (background->quit) return NULL;
    Job* job = background->next;
    background->next = job->next;
    background->running++;
    return job;
}

/// With the mutex.
static void end_job(Background* background, const Job* job) {
    if (job->status != GULLY_OK) {
        background->failed = true;
        background->next = NULL;
    }
    background->running--;
    if (background->running == 0 && !background->next) pthread_cond_signal(&background->done);
}

static void* work(void* argument) {
    Background* background = argument;
    Job* job;
    pthread_mutex_lock(&background->mutex);
    while ((job = begin_job(background))) {
        pthread_mutex_unlock(&background->mutex);
        job->status = job->run(job->context);
        if (job->status != GULLY_OK)
            snprintf(job->message, sizeof job->message, "%s", gully_message());
        pthread_mutex_lock(&background->mutex);
        end_job(background, job);
    }
    pthread_mutex_unlock(&background->mutex);
    return NULL;
}

void background_add(Background* background, Job* job) {
    job->status = GULLY_OK;
    job->next = NULL;
    pthread_mutex_lock(&background->mutex);
    if (background->first)
        background->last->next = job;
    else
        background->first = job;
    background->last = job;
    if (!background->next && !background->failed) background->next = job;
    pthread_cond_signal(&background->added);
    pthread_mutex_unlock(&background->mutex);
}

GullyStatus background_wait(Background* background) {
    pthread_mutex_lock(&background->mutex);
    while (background->next || background->running > 0)
        pthread_cond_wait(&background->done, &background->mutex);
    const Job* job = background->first;
    background->first = background->last = NULL;
    background->failed = false;
    pthread_mutex_unlock(&background->mutex);
    while (job && job->status == GULLY_OK)
        job = job->next;
    return job ? gully_fail(job->status, "%s", job->message) : GULLY_OK;
}

void background_destroy(Background* background) {
    if (!background) return;
    pthread_mutex_lock(&background->mutex);
    background->quit = true;
    pthread_cond_broadcast(&background->added);
    pthread_mutex_unlock(&background->mutex);
    for (int i = 0; i < background->started; i++)
        pthread_join(background->threads[i], NULL);
    pthread_cond_destroy(&background->added);
    pthread_cond_destroy(&background->done);
    pthread_mutex_destroy(&background->mutex);
    free(background->threads);
    free(background);
}

GullyStatus background_create(int threads, Background** out) {
    *out = NULL;
    Background* background = calloc(1, sizeof *background);
    pthread_t* handles = calloc((size_t)threads, sizeof *handles);
    if (!background || !handles) {
        free(background);
        free(handles);
        return gully_fail(GULLY_NO_MEMORY, "no memory for %d threads", threads);
    }
    background->threads = handles;
    pthread_mutex_init(&background->mutex, NULL);
    pthread_cond_init(&background->added, NULL);
    pthread_cond_init(&background->done, NULL);
    for (int i = 0; i < threads; i++) {
        int error = pthread_create(&handles[i], NULL, work, background);
        if (error) {
            background_destroy(background);
            return gully_fail(GULLY_FAILED, "could not start %d threads: %s", threads,
                              strerror(error));
        }
        background->started++;
    }
    *out = background;
    return GULLY_OK;
}
