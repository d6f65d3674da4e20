// SPDX-License-Identifier: MIT
// Grounds on which the figures of papers can be made again: simple forms, roughened a little so
// that water finds its ways.
//
// Mei, Decaudin, Hu (2007): Fast hydraulic erosion simulation and visualization on GPU: a river bed
// on a slope (Figure 4), a basin (Figure 5).
// Benes, Forsbach (2002): Visual simulation of hydraulic erosion: a pool (Figure 2).
#include <math.h>

#include "shapes.h"

static const double roughness = 0.005; // standard deviation, over the relief

double shape_plane(const Canvas* canvas, double x, double y) {
    (void)canvas;
    (void)x;
    return -y;
}

double shape_slope(const Canvas* canvas, double x, double y) {
    return -y / canvas->height + roughness * noise_fbm(&canvas->fractal, x, y);
}

// Four slopes, as steep on each side, down to a flat middle.
double shape_basin(const Canvas* canvas, double x, double y) {
    const double floor = 0.2; // half its width, over half the shorter side
    Framed f = framed(canvas, x, y);
    double beyond_u = fabs(f.u) - (0.5 * canvas->width / f.half - 1);
    double beyond_v = fabs(f.v) - (0.5 * canvas->height / f.half - 1);
    double t = beyond_u > beyond_v ? beyond_u : beyond_v;
    double height = t > floor ? (t - floor) / (1 - floor) : 0;
    return height + roughness * noise_fbm(&canvas->fractal, x, y);
}

// Where the bed is in u, at v.
static double course(const Canvas* canvas, double v) {
    double wander = noise_gradient(&canvas->fractal.octaves[0], 3.7, 0.8 * v).value;
    return 0.2 * noise_sine(0.9 * v + wander) + 0.3 * wander;
}

// A slope to the south with the dry bed of a river that winds down it.
double shape_channel(const Canvas* canvas, double x, double y) {
    const double depth = 0.06;       // over the relief
    const double half_width = 0.055; // from the middle to the bank, over half the shorter side
    const double step = 1e-4;
    Framed f = framed(canvas, x, y);
    double bed = course(canvas, f.v);
    double slant = (course(canvas, f.v + step) - bed) / step;
    double away = fabs(f.u - bed) / sqrt(1 + slant * slant);
    double cut = 1 - smooth_step(0.25 * half_width, half_width, away);
    double rough = (1 - 0.8 * cut) * roughness * noise_fbm(&canvas->fractal, x, y);
    return rough - y / canvas->height - depth * cut;
}

// A round hole in a plateau, its bottom white noise: of the fine octaves, the finer the
// stronger.
double shape_pool(const Canvas* canvas, double x, double y) {
    enum { COARSEST = 4, FINEST = 6 };
    const Fractal* fractal = &canvas->fractal;
    Framed f = framed(canvas, x, y);
    double wall = smooth_step(0.5, 0.8, sqrt(f.u * f.u + f.v * f.v));
    double white = 0, weight = 0.14;
    for (int o = COARSEST; o <= FINEST && o < fractal->count; o++) {
        white += weight * noise_gradient(&fractal->octaves[o], x, y).value;
        weight *= 1.4;
    }
    return mix(white, 1, wall) + 0.3 * roughness * noise_fbm(fractal, x, y);
}
