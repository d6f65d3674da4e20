// SPDX-License-Identifier: MIT
// Mountains that water seems to have worked on before: a massif, carved.
//
// The massif is gradient noise n, most of it folded into crests, -|n|. Heights and slopes are in
// units of the features' size, before the terrain is stretched to its relief.
#include <math.h>

#include "shapes.h"

enum { MASSIF_OCTAVES = 3 };

Noise massif(const Fractal* fractal, double x, double y) {
    const double crests = 0.7;     // how much of the noise is folded
    const double rounding = 0.1;   // of the crests, in units of the noise
    const double roughness = 0.25; // an octave's weight over that of the one before
    Noise sum = {0};
    double weight = 1;
    for (int o = 0; o < fractal->count && o < MASSIF_OCTAVES; o++) {
        Noise n = noise_gradient(&fractal->octaves[o], x, y);
        double fold = sqrt(n.value * n.value + rounding * rounding); // |n|, but smooth
        double height = 1.5 * (1 - crests) * n.value - 2 * crests * fold;
        double gain = 1.5 * (1 - crests) - 2 * crests * n.value / fold; // d height / d n
        sum.value += weight * height;
        sum.dx += weight * gain * n.dx;
        sum.dy += weight * gain * n.dy;
        weight *= roughness;
    }
    return sum;
}

double shape_mountains(const Canvas* canvas, double x, double y) {
    Noise ground = massif(&canvas->fractal, x, y);
    Carving carving = {2, 0.17, smooth_step(-0.9, 0.3, ground.value)};
    return ground.value + carve(&canvas->fractal, x, y, ground, carving);
}
