// SPDX-License-Identifier: MIT
/// What a picture shows: fields of one size, averaged down to what pictures can resolve.
#ifndef SCENERY_H
#define SCENERY_H

#include "gully/render.h"

struct GullyScenery {
    int width, height;                ///< of the fields, at least 2
    double cell_x, cell_y;            ///< [m]
    float* fields[GULLY_FIELD_COUNT]; ///< NULL = there is none of it. NaN = no ground, in all alike
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    int material_count;
    float low, high; ///< heights that the camera and the block go by [m]
};

/// Index of a cell.
static inline size_t cell_at(const GullyScenery* scenery, int x, int y) {
    return (size_t)y * (size_t)scenery->width + (size_t)x;
}

/// A field's value at a cell with ground; 0 if there is none of it.
static inline float field_at(const GullyScenery* scenery, GullyField field, size_t k) {
    return scenery->fields[field] ? scenery->fields[field][k] : 0;
}

#endif
