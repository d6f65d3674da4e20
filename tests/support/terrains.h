// SPDX-License-Identifier: MIT
/// Little terrains for tests, and worlds made of them. Nothing here can fail: without memory it
/// aborts.
#ifndef TERRAINS_H
#define TERRAINS_H

#include <stdint.h>

#include "gully/sim.h"

/// Fills width * height heights [m], row by row.
typedef void (*TerrainMaker)(float* out, int width, int height);

void terrain_flat(float* out, int width, int height);   ///< 0 everywhere
void terrain_plane(float* out, int width, int height);  ///< falls 0.2 m per cell in x, 0.1 in y
void terrain_rough(float* out, int width, int height);  ///< fBm of 4 octaves, 0..20 m
void terrain_alpine(float* out, int width, int height); ///< the same at 3,400 m, 0..600 m relief
void terrain_basin(float* out, int width, int height);  ///< a rough bowl, 10 m at the rim, 0 inside
void terrain_holes(float* out, int width, int height);  ///< rough, with walls (NaN) in it

/// fBm in 0..1 at a place [cells], a function of the seed and the place alone.
double terrain_noise(double x, double y, double scale, uint32_t seed);

/// Takes cells out of the domain: two blocks, a thin line, single cells, a corner.
void terrain_punch(float* out, int width, int height);

/// An array of a grid's size, made by `maker` (NULL = zeros); free() it.
float* terrain_make(TerrainMaker maker, int width, int height);

/// The value an array has everywhere; free() it.
float* terrain_constant(float value, int width, int height);

/// A world of these heights.
GullyWorld* terrain_world(const float* heights, int width, int height, double lx, double ly,
                          int tile_size);

/// A whole field of a world; free() it.
float* terrain_read(const GullyWorld* world, GullyField field);

/// The volume under a field [m3], summed in double over the cells of the domain.
double terrain_volume(const GullyWorld* world, GullyField field);

#endif
