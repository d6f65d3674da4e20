// SPDX-License-Identifier: MIT
// Shapes of terrain: a height without a scale at a point of the plane.
//
// Lengths are in units of the size of the largest features, from the terrain's north-west corner.
// A shape is a function of the point alone, so it is the same at any resolution; of the grid it
// sees only how many octaves that can hold. Where one needs several noises that know nothing of
// each other, it takes the same one at places far apart.
#ifndef GULLY_SHAPES_H
#define GULLY_SHAPES_H

#include "noise.h"

// What a shape is made on.
typedef struct Canvas {
    Fractal fractal;
    double width, height; // of the terrain
} Canvas;

// x to the east, y to the south.
typedef double Shape(const Canvas* canvas, double x, double y);

// Everywhere alike.
Shape shape_fbm, shape_ridged, shape_billowy, shape_warped, shape_mountains, shape_dunes;

// One thing in the middle of the terrain. But for the canyon, which is as wide as the features'
// size says, it fills the shorter side, and that size is the one of the noise on it.
Shape shape_canyon, shape_island, shape_volcano, shape_letters;

// Grounds on which the figures of papers can be made again.
Shape shape_plane, shape_slope, shape_basin, shape_channel, shape_pool;

// ---- what they share ----------------------------------------------------------------------------

// A point as seen from the middle. The nearest border is at 1 (or -1), corners of a square at
// (1, 1): u to the east, v to the south, in units of half the shorter side.
typedef struct Framed {
    double u, v;
    double half; // half the shorter side
} Framed;

Framed framed(const Canvas* canvas, double x, double y);

double smooth_step(double low, double high, double value); // 0 below low, 1 above high
double smooth_max(double a, double b, double rounding);    // rounded where they meet
double mix(double a, double b, double share);

// Height of a base of which the slope is wanted too.
Noise with_slope(const Canvas* canvas, Shape* base, double x, double y);

// Ridges and gullies to add to a ground, down whose slope they run.
typedef struct Carving {
    int first;       // octave of the largest gullies
    double depth;    // of those, in units of the features' size
    double altitude; // 0 lowland, little carved, to 1 peaks
} Carving;

double carve(const Fractal* fractal, double x, double y, Noise ground, Carving carving);

// The large shapes of mountains, before anything is carved.
Noise massif(const Fractal* fractal, double x, double y);

#endif
