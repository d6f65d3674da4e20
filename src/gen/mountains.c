// Mountains that water seems to have worked on before.
//
// The first octaves are a massif: gradient noise n, most of it folded into crests, -|n|. Finer
// octaves carve it: each adds ridges and gullies that run down the slope of what is there so far,
// so that small gullies meet larger ones as tributaries do. Where nothing slopes, on a crest or a
// valley floor, the level that the coarser octaves gave is kept; low ground is carved less.
//
// Every octave depends on coarser ones only: leaving out the finest changes nothing else.
//
// After the erosion filters of Clay John (2018) and R. S. Johansen (2025), with one wave for each
// lattice point in place of their scattered ones. Heights and slopes are in units of the features'
// size, before the terrain is stretched to its relief.
#include <math.h>

#include "shapes.h"

enum { MASSIF_OCTAVES = 3, FIRST_CARVED = 2 };

static Noise massif(const Fractal* fractal, double x, double y) {
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

static double smooth_step(double low, double high, double value) {
    double t = (value - low) / (high - low);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

double shape_mountains(const Fractal* fractal, double x, double y) {
    const double depth = 0.17;    // of the largest gullies
    const double finer = 0.45;    // an octave's depth over that of the one before
    const double steering = 0.35; // how much gullies turn those of the next octave
    const double steep = 0.5;     // slope on which gullies are about half as deep as they get
    const double flat = 0.1;      // depth of gullies without any slope, over what they can have
    const double lowland = 0.2;   // depth of gullies there, over that at the peaks

    Noise ground = massif(fractal, x, y);
    double altitude = smooth_step(-0.9, 0.3, ground.value);
    double slope_x = ground.dx, slope_y = ground.dy;
    double level = 0.3 * (altitude - 0.5); // -1 a gully, 1 a ridge: crests a bit up, floors down
    double carved = 0, amplitude = depth;
    for (int o = FIRST_CARVED; o < fractal->count; o++) {
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
    return ground.value + (lowland + (1 - lowland) * altitude) * carved;
}
