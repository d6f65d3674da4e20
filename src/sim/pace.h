// SPDX-License-Identifier: MIT
/// Time, and how a coarser level of a world goes through it.
#ifndef PACE_H
#define PACE_H

#include <stdint.h>

/// Simulated time. A step begins at one product, so that it does not depend on how steps are grouped
/// into runs.
typedef struct StepClock {
    int64_t since;     // the step since which dt holds
    double time_since; // when it began [s]
    double dt;         // [s]
} StepClock;

static inline double clock_time(const StepClock* clock, int64_t step) {
    return clock->time_since + (double)(step - clock->since) * clock->dt;
}

/// How cells and steps of a level relate to the finest (docs/levels.md). A scale of 0: these are the
/// finest, and nothing else is set.
typedef struct StepPace {
    int scale;         // finest cells along a cell
    int parts;         // finest steps in a step
    int width, height; // of the world, in finest cells
    int64_t origin;    // the finest step that step 0 begins with
    StepClock finest;
} StepPace;

static inline int pace_scale(const StepPace* pace) {
    return pace->scale > 1 ? pace->scale : 1;
}

static inline int pace_parts(const StepPace* pace) {
    return pace->parts > 1 ? pace->parts : 1;
}

#endif
