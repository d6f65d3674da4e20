// SPDX-License-Identifier: MIT
/// The land as rays meet it: heights at the corners of a grid, and the highest of them in squares
/// of growing size, so that rays skip what they pass far above (maximum mipmaps, Tevs et al. 2008).
///
/// Positions are x, y in cells, from the first one, and z in metres, exaggerated. Between four
/// cells with ground the surface is bilinear; without ground in one of them there is a hole, whose
/// sides are walls like those around the land.
#ifndef LAND_H
#define LAND_H

#include <stdbool.h>

#include "pool.h"
#include "scenery.h"
#include "vector.h"

enum { LAND_LEVELS = 16 };

typedef struct Land {
    const GullyScenery* scenery;
    int width, height;     ///< corners
    double cell_x, cell_y; ///< [m]
    float exaggerate;
    float* ground;         ///< height of the solid surface [m]; NaN = none
    float* surface;        ///< with water on it [m]
    float lowest, highest; ///< of the surface
    double base;           ///< where the block ends below
    int levels;
    struct {
        int width, height;
        float* highest; ///< -INFINITY for a hole
    } level[LAND_LEVELS];
} Land;

/// NULL with a message if there is no memory.
Land* land_create(const GullyScenery* scenery, double exaggerate, Pool* pool);
void land_destroy(Land* land);

typedef enum HitKind { HIT_NOTHING, HIT_SURFACE, HIT_WALL_X, HIT_WALL_Y } HitKind;

typedef struct Hit {
    HitKind kind;
    double t; ///< along the ray [m]
    Vec at;
} Hit;

/// Follows a ray from `from` along `direction` (a unit vector in metres) up to `reach` [m].
Hit land_cast(const Land* land, Vec from, Vec direction, double reach);

/// A place between four corners.
typedef struct Place {
    size_t k;   ///< index of the north-western one
    float u, v; ///< to the east and to the south, 0..1
} Place;

Place land_place(const Land* land, double x, double y);

/// Bilinear value of a grid at a place.
static inline float place_value(const Land* land, const float* grid, Place place) {
    const float* at = grid + place.k;
    float north = at[0] + place.u * (at[1] - at[0]);
    const float* south_row = at + land->width;
    float south = south_row[0] + place.u * (south_row[1] - south_row[0]);
    return north + place.v * (south - north);
}

/// Slope of a grid of heights at a place, smooth from cell to cell [m/m]: z is left 0.
Vec land_slope(const Land* land, const float* grid, Place place);

/// Slope at a corner.
Vec land_corner_slope(const Land* land, const float* grid, int x, int y);

#endif
