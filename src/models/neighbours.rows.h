// SPDX-License-Identifier: MIT
/// The eight neighbours of a cell, for laws that move things between them.
#ifndef NEIGHBOURS_ROWS_H
#define NEIGHBOURS_ROWS_H

#include "cell.h"
#include "row.h"

/// Opposite ones are next to each other, so that sums over pairs do not depend on how the terrain
/// is mirrored or transposed.
enum { W, E, N, S, NW, SE, NE, SW, NEIGHBOURS };

/// Where each lies, in cells.
CONSTANT_ARRAY float offset_x[NEIGHBOURS] = {-1, 1, 0, 0, -1, 1, 1, -1};
CONSTANT_ARRAY float offset_y[NEIGHBOURS] = {0, 0, -1, 1, -1, 1, -1, 1};

#define EACH_NEIGHBOUR(n) UNROLLED for (int n = 0; n < NEIGHBOURS; n++)

INLINE float sum_of(const float x[NEIGHBOURS]) {
    return ((x[W] + x[E]) + (x[N] + x[S])) + ((x[NW] + x[SE]) + (x[NE] + x[SW]));
}

INLINE float largest_of(const float x[NEIGHBOURS]) {
    return most(most(most(x[W], x[E]), most(x[N], x[S])),
                most(most(x[NW], x[SE]), most(x[NE], x[SW])));
}

/// Rows of one field, and its values around cell i.
typedef struct Around {
    const float *north, *here, *south;
} Around;

INLINE Around rows_of(const PassRow* row, int id) {
    const Around rows = {row->in[id][NORTH_ROW], row->in[id][HERE], row->in[id][SOUTH_ROW]};
    return rows;
}

INLINE void around(Around rows, int i, float out[NEIGHBOURS]) {
    out[W] = rows.here[i - 1];
    out[E] = rows.here[i + 1];
    out[N] = rows.north[i];
    out[S] = rows.south[i];
    out[NW] = rows.north[i - 1];
    out[SE] = rows.south[i + 1];
    out[NE] = rows.north[i + 1];
    out[SW] = rows.south[i - 1];
}

#endif
