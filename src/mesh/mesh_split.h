// SPDX-License-Identifier: MIT
/// Right-triangulated irregular networks: which triangles of a height field are halved.
///
/// The samples are covered by squares of SIDE = 2^n quads, each halved along a diagonal. A triangle
/// is halved from its right angle to the middle of its longest side, down to half a quad. That
/// middle is shared with the triangle across, so one flag in a sample says whether both are halved,
/// and no crack can open. Samples beyond the raster are moved to its edge; triangles that lose
/// their area that way are left out.
#ifndef GULLY_MESH_SPLIT_H
#define GULLY_MESH_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gully/maps.h"

typedef struct Point {
    int x, y; ///< in samples, from the first one
} Point;

/// Which quads of samples belong to the ground.
typedef struct Region {
    const GullyHeights* heights;
    unsigned char* quads; ///< width - 1 times height - 1: 1 where all four samples have data
    int64_t count;        ///< of them
} Region;

typedef struct Network {
    const Region* region;
    int side;             ///< of a square, in quads; a power of two
    int columns, rows;    ///< of squares
    size_t pitch;         ///< of the flags
    unsigned char* split; ///< at a middle: 1 = the triangles on both sides are halved
} Network;

/// False without memory.
bool region_make(const GullyHeights* heights, Region* region);
void region_free(Region* region);

/// Whether the quad to the south-east of a sample is ground; false outside.
bool region_has(const Region* region, int x, int y);

/// Whether a sample is not surrounded by ground.
bool region_edge(const Region* region, Point at);

/// Halves where a sample is further than `error` [m] from the triangle; error < 0 = everywhere.
bool network_make(const Region* region, double error, Network* out);

/// Halves only where `other` has vertices at the edge of the ground: the same outline, and as few
/// triangles as that leaves.
bool network_outline(const Network* other, Network* out);

void network_free(Network* network);

/// Calls `each` for every triangle of ground, in a fixed order; clockwise with y down the rows, so
/// counter-clockwise seen from above.
typedef void TriangleTask(void* context, Point a, Point b, Point c);
void network_each(const Network* network, TriangleTask* each, void* context);

#endif
