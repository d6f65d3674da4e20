// SPDX-License-Identifier: MIT
/// Cells of a world as numbers with all their bits, to be read and written a piece of a row at a
/// time. Tiles, pairs and half precision do not show; what is written is counted in the budget.
#ifndef EDIT_CELLS_H
#define EDIT_CELLS_H

#include "lease.h"

/// Cells side by side in the world.
typedef struct Run {
    int x, y, count;
} Run;

/// Cells of a row or column of `count` whose centres are within a distance of a place [m].
typedef struct Reach {
    int from, end;
} Reach;

Reach cells_within(double at, double distance, double cell, int count);

/// The field of a world's material, counted from the bottom; the bedrock's is the ground.
static inline int layer_field(int layer) {
    return layer > 0 ? LAYER_1 + layer - 1 : GROUND;
}

/// A common field's values, with their remainders. NaN outside the domain.
GullyStatus cells_read(const GullyWorld* world, int field, Run run, double* out);

/// Writes GROUND, WATER, HARDNESS or a layer, kept within what the field allows. NaN leaves a cell
/// alone, and so does the value that it has: to the last bit.
GullyStatus cells_write(GullyWorld* world, int field, Run run, const double* values);

/// Changes the thickness of a layer (0 = the bedrock), as far as there is any, and the surface with
/// it [m]; NaN = not at all.
GullyStatus cells_raise(GullyWorld* world, int layer, Run run, const double* changes);

/// Makes some cells of a world like those of another, also nodata; counts nothing.
GullyStatus cells_copy(GullyWorld* world, int field, Run run, const GullyWorld* from, int from_x,
                       int from_y);

#endif
