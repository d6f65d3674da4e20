// SPDX-License-Identifier: MIT
#include "memcpy_speed.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"

static const size_t buffer_size = (size_t)1 << 30; // [bytes]
enum { MOST_THREADS = 1024 };                      // as --threads allows

typedef struct Share {
    char* to;
    const char* from;
    size_t size;
} Share;

static void* copy_share(void* argument) {
    const Share* share = argument;
    memcpy(share->to, share->from, share->size);
    return NULL;
}

/// Copies once, a share per thread, the first on the caller's; the time it took [s], 0 if a thread
/// could not be started.
static double copy_once(char* to, const char* from, int threads) {
    pthread_t others[MOST_THREADS];
    Share shares[MOST_THREADS];
    int started = 1;
    double start = clock_seconds();
    for (int i = 0; i < threads; i++) {
        size_t first = buffer_size / (size_t)threads * (size_t)i;
        size_t end =
            i == threads - 1 ? buffer_size : buffer_size / (size_t)threads * (size_t)(i + 1);
        shares[i] = (Share){to + first, from + first, end - first};
        if (i == 0) continue;
        if (pthread_create(&others[i], NULL, copy_share, &shares[i]) != 0) break;
        started++;
    }
    copy_share(&shares[0]);
    for (int i = 1; i < started; i++)
        pthread_join(others[i], NULL);
    return started == threads ? clock_seconds() - start : 0;
}

struct Copier {
    char *from, *to;
    double best[MOST_THREADS + 1]; ///< for each number of threads [bytes/s]; 0 = never ran
};

GullyStatus copier_create(Copier** out) {
    Copier* copier = *out = calloc(1, sizeof *copier);
    if (copier) {
        copier->from = malloc(buffer_size);
        copier->to = malloc(buffer_size);
    }
    if (!copier || !copier->from || !copier->to) {
        copier_destroy(copier);
        *out = NULL;
        return gully_fail(GULLY_NO_MEMORY, "bench: no memory for two buffers of 1 GiB");
    }
    memset(copier->from, 1, buffer_size); // touch every page first
    memset(copier->to, 2, buffer_size);
    return GULLY_OK;
}

void copier_destroy(Copier* copier) {
    if (!copier) return;
    free(copier->from);
    free(copier->to);
    free(copier);
}

GullyStatus copier_run(Copier* copier, int threads) {
    double seconds = copy_once(copier->to, copier->from, threads);
    if (!(seconds > 0)) return gully_fail(GULLY_FAILED, "bench: cannot start %d threads", threads);
    copier->best[threads] = fmax(copier->best[threads], (double)buffer_size / seconds);
    return GULLY_OK;
}

double copier_best(const Copier* copier, int threads) {
    return copier->best[threads];
}

void copier_forget(Copier* copier) {
    memset(copier->best, 0, sizeof copier->best);
}
