// SPDX-License-Identifier: MIT
/// What counts as much of something in the land, for colours. It is measured when steps were made,
/// never after an edit, and is kept with the step: pages agree, and undo brings the colours back.
#ifndef STUDIO_SCALES_H
#define STUDIO_SCALES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "gully/world.h"

enum { SCALE_QUANTITIES = 9, SCALES = 256 };

/// In the order of the names in scales.c [m, m/m, m2/s].
typedef struct LandScale {
    int64_t step; ///< from which on it holds
    double values[SCALE_QUANTITIES];
} LandScale;

typedef struct Scales {
    LandScale list[SCALES]; ///< by step
    int count;
} Scales;

/// Another world has begun, at a step.
void scales_begin(Scales* scales, const GullyWorld* world, int64_t step);

/// Steps were made, and the world is at `step` now: a new scale if it is another one than that in
/// force.
void scales_follow(Scales* scales, const GullyWorld* world, int64_t step);

/// The scale in force at a step, as an object.
json_t* scales_json(const Scales* scales, int64_t step);

#endif
