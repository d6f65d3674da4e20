// SPDX-License-Identifier: MIT
// A layer of a combination on some rows: its mask, and its blend with what is below it.
#ifndef LAYERING_H
#define LAYERING_H

#include "gully/generate.h"
#include "pool.h"

// Rows `first` to `first + count - 1`; arrays begin with the first of them.
typedef struct Layering {
    const GullyGenerateDef* def;
    const GullyGenerateLayer* layer;
    int first, count;
    const float* ground; // what the mask looks at,
    int ground_first;    // and the row that it begins with
    const float* values; // of the layer
    float* mask;         // NULL = none
    float* heights;      // below the layer, and then with it
} Layering;

// How many rows and columns away a mask of slopes looks to either side.
int layering_reach(const GullyGenerateDef* def);

void layering_mask(const Layering* layering, Pool* pool);
void layering_blend(const Layering* layering, Pool* pool);

// Fails for a generator that there is not.
GullyStatus layers_check(const GullyGenerateDef* def);

#endif
