// SPDX-License-Identifier: MIT
// Landforms: an island, a volcano, dunes.
#include <math.h>

#include "shapes.h"

static double radius(Framed f) {
    return sqrt(f.u * f.u + f.v * f.v);
}

// ---- island -------------------------------------------------------------------------------------

// Mountains on a cone with bays. Positive on land.
static double island_base(const Canvas* canvas, double x, double y) {
    const Fractal* fractal = &canvas->fractal;
    Framed f = framed(canvas, x, y);
    double r = radius(f) + 0.09 * noise_coarse(fractal, 3, x + 53.1, y - 17.9);
    double dome = 0.72 - smooth_max(r, 0, 0.2);
    double inland = smooth_step(0, 0.5, dome);
    return f.half * (0.8 * dome + 0.2 * inland * massif(fractal, x, y).value);
}

// At the coast a cliff and a beach, then a shelf, then the floor of the sea.
static double shore(double land) {
    if (land > 0) return land + 0.02 * smooth_step(0, 0.02, land);
    return smooth_max(0.35 * land, -0.08, 0.03);
}

double shape_island(const Canvas* canvas, double x, double y) {
    const Fractal* fractal = &canvas->fractal;
    Noise ground = with_slope(canvas, island_base, x, y);
    double half = framed(canvas, x, y).half;
    double land = ground.value / half;
    Carving carving = {2, 0.2, smooth_step(0, 0.3, land)};
    double carved = smooth_step(-0.25, 0, land) * carve(fractal, x, y, ground, carving) / half;
    double ragged = 0.015 * noise_fbm(fractal, x - 9.3, y + 61.7); // so that the coast is
    return shore(land + carved + ragged);
}

// ---- volcano ------------------------------------------------------------------------------------

// 1 in a pit with this edge, 0 outside.
static double pit(double r, double edge, double wall) {
    return 1 - smooth_step(edge - wall, edge, r);
}

// A shield: steeper the farther down, then a plain. At its top a caldera with a flat bottom, in it
// a smaller and deeper one, not quite in the middle.
static double volcano_base(const Canvas* canvas, double x, double y) {
    const double top = 0.55, foot = 0.92;              // height and radius of the shield
    const double caldera = 0.44, inner_caldera = 0.38; // heights of their bottoms
    Framed f = framed(canvas, x, y);
    double rough = noise_coarse(&canvas->fractal, 5, x, y);
    double r = radius(f);
    double t = r * (1 + 0.05 * rough) / foot;
    double height = smooth_max(top * (1 - t) * (1 + 0.6 * t), 0.01 * rough, 0.05);
    height = mix(height, caldera, pit(r + 0.012 * rough, 0.22, 0.05));
    f.u += 0.06;
    f.v -= 0.05;
    height = mix(height, inner_caldera, pit(radius(f) + 0.006 * rough, 0.095, 0.03));
    return f.half * height;
}

double shape_volcano(const Canvas* canvas, double x, double y) {
    Noise ground = with_slope(canvas, volcano_base, x, y);
    double r = radius(framed(canvas, x, y));
    double flank = smooth_step(0.2, 0.4, r) * (1 - smooth_step(0.75, 1.05, r));
    return ground.value + carve(&canvas->fractal, x, y, ground, (Carving){3, 0.025, flank});
}

// ---- dunes --------------------------------------------------------------------------------------

// A dune from one trough (0) to the next (4), 0..1: up gently from the wind, down steeply.
static double dune_profile(double angle) {
    const double crest = 2.9;
    double t = angle / crest;
    return angle < crest ? t * (0.55 + 0.45 * t) : (4 - angle) / (4 - crest);
}

// The angle of a vector, 0..4 instead of 0..2 pi; from the diamond instead of the circle.
static double diamond_angle(double x, double y) {
    double size = fabs(x) + fabs(y);
    if (!(size > 0)) return 0;
    double t = y / size;
    return x < 0 ? 2 - t : y < 0 ? 4 + t : t;
}

// Waves across the wind, which comes from the west. A vector that turns at random is their phase:
// crests wander, and where the vector vanishes they fork or end. (Tricard et al. 2019: Procedural
// phasor noise.)
static double dune_waves(const Fractal* fractal, int octave, double x, double y, double waves) {
    if (octave + 2 >= fractal->count) return 0; // the waves are finer than the octave
    Vector v = noise_vector(&fractal->octaves[octave], x, 0.6 * y);
    double turns = waves * x;
    double c = noise_sine(turns + 0.25), s = noise_sine(turns);
    double angle = diamond_angle(v.x * c - v.y * s, v.x * s + v.y * c);
    return smooth_step(0, 0.7, sqrt(v.x * v.x + v.y * v.y)) * dune_profile(angle);
}

double shape_dunes(const Canvas* canvas, double x, double y) {
    const Fractal* fractal = &canvas->fractal;
    double swell = noise_coarse(fractal, 2, x - 23.1, y + 7.7);
    x += 0.03 * noise_coarse(fractal, 3, 3 * x + 9.1, 3 * y);
    double large = dune_waves(fractal, 2, x, y, 7);
    double small = dune_waves(fractal, 4, x + 3.3, y, 30);
    double size = 0.75 + 0.2 * swell;
    return 0.15 * swell + (size > 0.3 ? size : 0.3) * large + 0.06 * small;
}
