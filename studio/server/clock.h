// SPDX-License-Identifier: MIT
/// Clocks in seconds.
#ifndef STUDIO_CLOCK_H
#define STUDIO_CLOCK_H

#include <time.h>

/// CLOCK_MONOTONIC: that on the wall, of no particular origin; CLOCK_THREAD_CPUTIME_ID: how long
/// the calling thread has worked, whatever else the machine does.
static inline double clock_seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
