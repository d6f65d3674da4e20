// SPDX-License-Identifier: MIT
// A canyon: a river that winds through a plateau of layered rock, and its side canyons.
//
// A field f says how far a place is from the water, 0 at the river to 1 at the rim and on; what the
// rock makes of it is in a table: hard layers stand as cliffs, soft ones as slopes and benches. The
// layers are level, so each cliff is at the same height everywhere.
#include <math.h>

#include "shapes.h"

static const struct {
    double f, height;
} strata[] = {
    {0.00, 0.00}, {0.04, 0.00}, {0.16, 0.14}, {0.20, 0.26}, {0.36, 0.36}, {0.41, 0.55},
    {0.62, 0.64}, {0.66, 0.74}, {0.80, 0.82}, {0.85, 0.97}, {1.10, 1.00},
};

static double rock(double f) {
    enum { LAST = sizeof strata / sizeof strata[0] - 1 };
    if (f >= strata[LAST].f) return strata[LAST].height;
    int k = 1;
    while (f > strata[k].f)
        k++;
    double share = (f - strata[k - 1].f) / (strata[k].f - strata[k - 1].f);
    return mix(strata[k - 1].height, strata[k].height, share);
}

// How far east of the river, negative west of it.
static double from_river(const Canvas* canvas, double x, double y) {
    double wander = noise_gradient(&canvas->fractal.octaves[0], 7.3, 0.9 * y).value;
    double bends = 0.1 * noise_sine(1.1 * y + 2 * wander);
    return x - 0.5 * canvas->width - 0.55 * wander - bends;
}

static const double rim = 0.45; // how far it is from the river

// Rises from the river to the rim and, more and more gently, beyond.
static double valley(const Canvas* canvas, double x, double y) {
    double distance = from_river(canvas, x, y) / rim;
    distance = sqrt(distance * distance + 0.001);
    return rim * 3 * distance / (2 + distance);
}

// Side canyons come down to the river as gullies do.
double shape_canyon(const Canvas* canvas, double x, double y) {
    const Fractal* fractal = &canvas->fractal;
    double wx = x + 0.04 * noise_coarse(fractal, 4, x + 19.7, y - 3.1);
    double wy = y + 0.04 * noise_coarse(fractal, 4, x - 41.9, y + 29.3);
    Noise ground = with_slope(canvas, valley, wx, wy);
    Carving carving = {1, 0.17, smooth_step(0, 0.3, ground.value)};
    double f = (ground.value + carve(fractal, wx, wy, ground, carving)) / rim;
    double fall = 0.05 * y / canvas->height; // to the south, so that the river runs
    return rock(f > 0 ? f : 0) - fall + 0.006 * noise_fbm(fractal, x, y);
}
