// SPDX-License-Identifier: MIT
/// Placing a picture on the ground: where each of its numbers comes to lie, and how much it counts.
#ifndef STAMPS_H
#define STAMPS_H

#include "edit_cells.h"
#include "gully/edit.h"
#include "gully/generate.h"

/// Numbers row by row, of one kind or the other; NaN = nothing.
typedef struct Picture {
    const float* floats;
    const double* doubles;
    int width, height;
    bool outlined; // not all of it has values: its edge is where they end
} Picture;

typedef struct Placing {
    const GullyStamp* stamp;
    int width, height;     // of the picture, in its own cells
    double size_x, size_y; // of one of those on the ground [m]
    double cosine, sine;   // of its turn
} Placing;

GullyStatus stamp_check(const GullyStamp* stamp);

Placing stamp_place(const GullyWorld* world, const GullyStamp* stamp, int width, int height);

/// The cells that it may reach; of a width or height of 0 if there are none.
GullyRect stamp_rect(const GullyWorld* world, const Placing* placing);

/// Finds what has to be added to the picture's values so that its edge lies as high as the ground,
/// after they were scaled [m].
GullyStatus stamp_fit(const GullyWorld* world, const Placing* placing, const Picture* picture,
                      double* shift);

/// Blends a picture, as `scale` and `offset` make it, into some values of a row of the world; NaN
/// where it has none.
void stamp_blend(const GullyWorld* world, const Placing* placing, const Picture* picture, Run run,
                 int blend, double scale, double offset, double* values);

#endif
