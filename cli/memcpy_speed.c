#include "memcpy_speed.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"

static const size_t buffer_size = (size_t)1 << 30; // [bytes]
enum { RUNS = 5, MOST_THREADS = 1024 };

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

GullyStatus memcpy_speed(int threads, double* bytes_per_second) {
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    char* from = malloc(buffer_size);
    char* to = malloc(buffer_size);
    GullyStatus status = GULLY_OK;
    if (!from || !to) {
        status = gully_fail(GULLY_FAILED, "bench: no memory for two buffers of 1 GiB");
    } else {
        double best = INFINITY;
        memset(from, 1, buffer_size); // touch every page first
        memset(to, 2, buffer_size);
        for (int i = 0; i < RUNS && best > 0; i++)
            best = fmin(best, copy_once(to, from, threads));
        if (best > 0)
            *bytes_per_second = (double)buffer_size / best;
        else
            status = gully_fail(GULLY_FAILED, "bench: cannot start %d threads", threads);
    }
    free(from);
    free(to);
    return status;
}
