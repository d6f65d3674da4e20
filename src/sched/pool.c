// SPDX-License-Identifier: MIT
#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "denormals.h"

/// A step is many short runs: a thread that waits looks this often before it goes to sleep.
enum { SPINS = 4000 };

typedef struct Worker {
    Pool* pool;
    int index;
    pthread_t thread;
} Worker;

struct Pool {
    int threads;
    int started; // workers that run, beside the calling thread
    int spins;   // 0 when there are more threads than processors
    Worker* workers;

    // One run. Written by the caller before `generation` is raised.
    PoolTask task;
    void* context;
    int count;
    atomic_int next;    // item to be taken next
    atomic_int running; // workers that have not finished this run

    atomic_uint generation;
    atomic_bool quit;
    atomic_int sleepers; // threads in pthread_cond_wait, of either kind
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

static void pause_briefly(void) {
#if defined(__SSE2__)
    __builtin_ia32_pause();
#endif
}

static void wake_sleepers(Pool* pool) {
    if (atomic_load(&pool->sleepers) == 0) return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
}

typedef bool (*Condition)(Pool* pool, unsigned generation);

static bool has_new_run(Pool* pool, unsigned generation) {
    return atomic_load(&pool->generation) != generation;
}

static bool is_run_done(Pool* pool, unsigned generation) {
    (void)generation;
    return atomic_load(&pool->running) == 0;
}

static void wait_until(Pool* pool, Condition holds, unsigned generation) {
    for (int i = 0; i < pool->spins; i++) {
        if (holds(pool, generation)) return;
        pause_briefly();
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (!holds(pool, generation))
        pthread_cond_wait(&pool->wake, &pool->mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static void take_items(Pool* pool, int worker) {
    uint64_t mode = denormals_flush();
    for (;;) {
        int item = atomic_fetch_add(&pool->next, 1);
        if (item >= pool->count) break;
        pool->task(pool->context, item, worker);
    }
    denormals_restore(mode);
}

static void* work(void* argument) {
    Worker* worker = argument;
    Pool* pool = worker->pool;
    for (unsigned generation = 0;; generation++) {
        wait_until(pool, has_new_run, generation);
        if (atomic_load(&pool->quit)) return NULL;
        take_items(pool, worker->index);
        if (atomic_fetch_sub(&pool->running, 1) == 1) wake_sleepers(pool);
    }
}

int pool_threads(const Pool* pool) {
    return pool->threads;
}

void pool_run(Pool* pool, int count, PoolTask task, void* context) {
    pool->task = task;
    pool->context = context;
    pool->count = count;
    atomic_store(&pool->next, 0);
    if (pool->started > 0 && count > 1) {
        atomic_store(&pool->running, pool->started);
        atomic_fetch_add(&pool->generation, 1);
        wake_sleepers(pool);
    }
    take_items(pool, 0);
    wait_until(pool, is_run_done, 0);
}

void pool_destroy(Pool* pool) {
    if (!pool) return;
    atomic_store(&pool->quit, true);
    atomic_fetch_add(&pool->generation, 1);
    wake_sleepers(pool);
    for (int i = 0; i < pool->started; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->workers);
    free(pool);
}

int pool_processors(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : (int)processors;
}

GullyStatus pool_create(int threads, Pool** out) {
    *out = NULL;
    const int processors = pool_processors();
    if (threads <= 0) threads = processors;

    Pool* pool = calloc(1, sizeof *pool);
    Worker* workers = calloc((size_t)threads, sizeof *workers);
    if (!pool || !workers) {
        free(pool);
        free(workers);
        return gully_fail(GULLY_NO_MEMORY, "no memory for %d threads", threads);
    }
    pool->threads = threads;
    pool->spins = threads <= processors ? SPINS : 0;
    pool->workers = workers;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    for (int i = 0; i < threads - 1; i++) {
        workers[i] = (Worker){.pool = pool, .index = i + 1};
        int error = pthread_create(&workers[i].thread, NULL, work, &workers[i]);
        if (error) {
            pool_destroy(pool);
            return gully_fail(GULLY_FAILED, "could not start %d threads: %s", threads,
                              strerror(error));
        }
        pool->started++;
    }
    *out = pool;
    return GULLY_OK;
}
