// SPDX-License-Identifier: MIT
// Sums of noise: everywhere alike, the raw material of terrains.
//
// Musgrave, Kolb, Mace (1989): The synthesis and rendering of eroded fractal terrains;
// Ebert et al. (2003): Texturing and Modeling, ch. 16.
#include <math.h>

#include "shapes.h"

double shape_fbm(const Canvas* canvas, double x, double y) {
    return noise_fbm(&canvas->fractal, x, y);
}

// The largest crests and creases follow smooth curves; this bends them as finer noise does.
// `reach` is in features' sizes, at one standard deviation.
static void bend(const Fractal* fractal, double reach, double* x, double* y) {
    int octaves = fractal->count - 1 < 6 ? fractal->count - 1 : 6; // of half the size
    double to_x = noise_coarse(fractal, octaves, 2 * *x + 31.7, 2 * *y + 11.3);
    double to_y = noise_coarse(fractal, octaves, 2 * *x - 47.1, 2 * *y + 83.9);
    *x += reach * to_x;
    *y += reach * to_y;
}

// Crests where the noise crosses 0; finer octaves only where the coarser ones are high, so that
// valleys stay smooth.
double shape_ridged(const Canvas* canvas, double x, double y) {
    const double width = 0.72; // of the noise that a crest takes: all of it
    const double finer = 0.5;  // an octave's height over that of the one before
    bend(&canvas->fractal, 0.045, &x, &y);
    double sum = 0, weight = 1, amplitude = 1;
    for (int o = 0; o < canvas->fractal.count; o++) {
        double n = noise_gradient(&canvas->fractal.octaves[o], x, y).value;
        double crest = 1 - fabs(n) / width;
        crest *= crest * weight;
        sum += amplitude * crest;
        weight = smooth_step(0, 0.9, crest);
        amplitude *= finer;
    }
    return sum;
}

// Round hills with creases between them, where the noise crosses 0.
double shape_billowy(const Canvas* canvas, double x, double y) {
    bend(&canvas->fractal, 0.015, &x, &y);
    double sum = 0, weight = 1;
    for (int o = 0; o < canvas->fractal.count; o++) {
        sum += weight * fabs(noise_gradient(&canvas->fractal.octaves[o], x, y).value);
        weight *= 0.42;
    }
    return sum;
}

// Noise at a place that noise has moved, which noise has moved: folds and swirls.
double shape_warped(const Canvas* canvas, double x, double y) {
    enum { COARSE = 4 };       // octaves that move places
    const double reach = 0.22; // of a move, in features' sizes at one standard deviation
    const Fractal* fractal = &canvas->fractal;
    double x1 = x + reach * noise_coarse(fractal, COARSE, x + 31.7, y + 11.3);
    double y1 = y + reach * noise_coarse(fractal, COARSE, x - 47.1, y + 83.9);
    double x2 = x + reach * noise_coarse(fractal, COARSE, x1 + 71.9, y1 - 27.7);
    double y2 = y + reach * noise_coarse(fractal, COARSE, x1 - 13.3, y1 - 59.1);
    return noise_fbm(fractal, x2, y2);
}
