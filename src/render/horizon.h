// SPDX-License-Identifier: MIT
/// How high the horizon stands around each cell, for what the sun and the sky reach.
#ifndef HORIZON_H
#define HORIZON_H

#include "land.h"

typedef struct Daylight {
    unsigned char* sun; ///< share of the sun that reaches a cell, 0..255
    unsigned char* sky; ///< share of the sky
} Daylight;

/// `sun` is the direction to it. False, with a message, if there is no memory.
bool daylight_create(const Land* land, Vec sun, Pool* pool, Daylight* out);
void daylight_destroy(Daylight* daylight);

#endif
