// SPDX-License-Identifier: MIT
// The straight line of weighted least squares through points.
#ifndef MEASURE_FIT_H
#define MEASURE_FIT_H

#include <math.h>

typedef struct Fit {
    int count;
    double weight; // sum
    double x, y;   // means
    double xx, xy; // moments around them
} Fit;

// Means and moments are updated point by point, which loses nothing when points lie far from 0.
static inline void fit_add(Fit* fit, double x, double y, double weight) {
    fit->count++;
    fit->weight += weight;
    double dx = x - fit->x, dy = y - fit->y, share = weight / fit->weight;
    fit->x += dx * share;
    fit->y += dy * share;
    fit->xx += weight * dx * (x - fit->x);
    fit->xy += weight * dx * (y - fit->y);
}

// NAN with fewer than two different x.
static inline double fit_slope(const Fit* fit) {
    return fit->count > 1 && fit->xx > 0 ? fit->xy / fit->xx : (double)NAN;
}

#endif
