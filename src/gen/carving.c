// SPDX-License-Identifier: MIT
// Gullies as water would have cut them, without any water.
//
// Each octave adds ridges and gullies that run down the slope of what is there so far, so that
// small gullies meet larger ones as tributaries do. Where nothing slopes, on a crest or a valley
// floor, the level that the coarser octaves gave is kept; low ground is carved less.
//
// Every octave depends on coarser ones only: leaving out the finest changes nothing else.
//
// After the erosion filters of Clay John (2018) and R. S. Johansen (2025), with one wave for each
// lattice point in place of their scattered ones. Heights are in units of the features' size.
#include <math.h>

#include "shapes.h"

double carve(const Fractal* fractal, double x, double y, Noise ground, Carving carving) {
    const double finer = 0.45;    // an octave's depth over that of the one before
    const double steering = 0.35; // how much gullies turn those of the next octave
    const double steep = 0.5;     // slope on which gullies are about half as deep as they get
    const double flat = 0.1;      // depth of gullies without any slope, over what they can have
    const double lowland = 0.2;   // depth of gullies there, over that at the peaks

    double slope_x = ground.dx, slope_y = ground.dy;
    double altitude = carving.altitude;
    double level = 0.3 * (altitude - 0.5); // -1 a gully, 1 a ridge: crests a bit up, floors down
    double carved = 0, amplitude = carving.depth;
    for (int o = carving.first; o < fractal->count; o++) {
        double square = slope_x * slope_x + slope_y * slope_y;
        double inverse = square > 0 ? 1 / sqrt(square) : 0;
        Noise ridges =
            noise_ridges(&fractal->octaves[o], x, y, slope_x * inverse, slope_y * inverse);
        double share = flat + (1 - flat) * square / (square + steep * steep);
        level += share * (ridges.value - level);
        carved += amplitude * level;
        slope_x += steering * amplitude * share * ridges.dx;
        slope_y += steering * amplitude * share * ridges.dy;
        amplitude *= finer;
    }
    return (lowland + (1 - lowland) * altitude) * carved;
}
