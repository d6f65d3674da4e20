// SPDX-License-Identifier: MIT
// Mountains in the shape of letters, as in Figure 1 of Mei, Decaudin, Hu (2007).
//
// A letter is strokes, straight pieces in a table; the distance to the nearest one makes a ridge.
#include <math.h>

#include "shapes.h"

// Of the whole word, in units of half the terrain's shorter side; x to the east, y to the south.
typedef struct Stroke {
    double x0, y0, x1, y1;
} Stroke;

// clang-format off
static const Stroke strokes[] = {
    // P
    {-0.72,  0.52, -0.72, -0.52}, {-0.72, -0.52, -0.40, -0.52}, {-0.40, -0.52, -0.26, -0.45},
    {-0.26, -0.45, -0.20, -0.31}, {-0.20, -0.31, -0.20, -0.19}, {-0.20, -0.19, -0.26, -0.05},
    {-0.26, -0.05, -0.40,  0.02}, {-0.40,  0.02, -0.72,  0.02},
    // G
    { 0.70, -0.37,  0.57, -0.48}, { 0.57, -0.48,  0.44, -0.52}, { 0.44, -0.52,  0.31, -0.47},
    { 0.31, -0.47,  0.21, -0.33}, { 0.21, -0.33,  0.17, -0.12}, { 0.17, -0.12,  0.17,  0.12},
    { 0.17,  0.12,  0.21,  0.33}, { 0.21,  0.33,  0.31,  0.47}, { 0.31,  0.47,  0.44,  0.52},
    { 0.44,  0.52,  0.59,  0.48}, { 0.59,  0.48,  0.71,  0.36}, { 0.71,  0.36,  0.71,  0.08},
    { 0.71,  0.08,  0.48,  0.08},
};
// clang-format on

enum { STROKES = sizeof strokes / sizeof strokes[0] };

// Square of the distance.
static double away(const Stroke* s, double x, double y) {
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0;
    double px = x - s->x0, py = y - s->y0;
    double t = (px * dx + py * dy) / (dx * dx + dy * dy);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    px -= t * dx;
    py -= t * dy;
    return px * px + py * py;
}

static double letters_base(const Canvas* canvas, double x, double y) {
    const double half_width = 0.17; // of a ridge, at its foot
    Framed f = framed(canvas, x, y);
    double nearest = INFINITY;
    for (int k = 0; k < STROKES; k++)
        nearest = fmin(nearest, away(&strokes[k], f.u, f.v));
    double distance = sqrt(nearest) / half_width;
    double rough = noise_coarse(&canvas->fractal, 5, x, y);
    double ridge = 1 - distance * (1 + 0.12 * rough) + 0.08 * rough;
    return 0.15 * f.half * smooth_max(ridge, 0.02 * rough, 0.15);
}

double shape_letters(const Canvas* canvas, double x, double y) {
    Noise ground = with_slope(canvas, letters_base, x, y);
    double altitude = smooth_step(0.02, 0.1, ground.value / framed(canvas, x, y).half);
    return ground.value + carve(&canvas->fractal, x, y, ground, (Carving){4, 0.03, altitude});
}
