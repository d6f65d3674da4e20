// SPDX-License-Identifier: MIT
// Lattice noise: a hash gives each lattice point a gradient or a phase; inside a cell the four
// corners' waves are blended with the quintic w(t) = t^3 (6 t^2 - 15 t + 10), whose first two
// derivatives vanish at both ends, so that no cell shows.
//
// Perlin, K. (2002): Improving noise. ACM Transactions on Graphics 21(3).
#include "noise.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "gully/generate.h"

// Farther out a coordinate's fraction gets coarse; there is no noise there.
static const double farthest = 1099511627776.0; // 2^40 [lattice cells]

// Odd numbers: the hash's counter steps by them from one lattice point to the next.
static const uint64_t step_i = 0xd1342543de82ef95u;
static const uint64_t step_j = 0x2545f4914f6cdd1du;

// SplitMix64 (Steele, Lea and Flood 2014): the hash of a counter.
static uint64_t hash(uint64_t counter) {
    uint64_t z = counter + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// The upper 32 bits as a number in 0..1.
static double unit(uint64_t bits) {
    return (double)(bits >> 32) * (1.0 / 4294967296.0);
}

// A unit vector, spread evenly over the circle: two bits choose the quadrant, others the angle in
// it.
static Vector direction(uint64_t bits) {
    double t = unit(bits);
    double h = t * (0.7854 + 0.2146 * t * t); // tan(t pi / 4) within 0.006: of half the angle
    double scale = 1 / (1 + h * h);
    double c = (1 - h * h) * scale;
    double s = 2 * h * scale;
    double sign = (bits & 1) ? -1 : 1;
    return (bits & 2) ? (Vector){-s * sign, c * sign} : (Vector){c * sign, s * sign};
}

// Where a point lies on an octave's lattice.
typedef struct Place {
    uint64_t corner; // hash counter of the cell's first corner
    double x, y;     // in the cell, 0..1
    double wx, wy;   // weights of the far corners
    bool nowhere;    // beyond the farthest
} Place;

static double quintic(double t) {
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static Place find_place(const Octave* octave, double x, double y) {
    double c = octave->cosine * octave->frequency;
    double s = octave->sine * octave->frequency;
    double u = c * x - s * y + octave->shift_x;
    double v = s * x + c * y + octave->shift_y;
    if (!(fabs(u) < farthest && fabs(v) < farthest)) return (Place){.nowhere = true};

    int64_t i = (int64_t)u;
    int64_t j = (int64_t)v;
    i -= u < (double)i; // towards minus infinity
    j -= v < (double)j;
    Place place = {
        .corner = octave->key + (uint64_t)i * step_i + (uint64_t)j * step_j,
        .x = u - (double)i,
        .y = v - (double)j,
    };
    place.wx = quintic(place.x);
    place.wy = quintic(place.y);
    return place;
}

// A slope on the lattice as a slope in the plane.
static Noise turn_back(const Octave* octave, double value, double du, double dv) {
    double c = octave->cosine * octave->frequency;
    double s = octave->sine * octave->frequency;
    return (Noise){.value = value, .dx = c * du + s * dv, .dy = c * dv - s * du};
}

Noise noise_gradient(const Octave* octave, double x, double y) {
    Place p = find_place(octave, x, y);
    if (p.nowhere) return (Noise){0};
    Vector g00 = direction(hash(p.corner));
    Vector g10 = direction(hash(p.corner + step_i));
    Vector g01 = direction(hash(p.corner + step_j));
    Vector g11 = direction(hash(p.corner + step_i + step_j));
    double n00 = g00.x * p.x + g00.y * p.y;
    double n10 = g10.x * (p.x - 1) + g10.y * p.y;
    double n01 = g01.x * p.x + g01.y * (p.y - 1);
    double n11 = g11.x * (p.x - 1) + g11.y * (p.y - 1);

    // n = n00 + wx a + wy b + wx wy c
    double a = n10 - n00;
    double b = n01 - n00;
    double c = n00 - n10 - n01 + n11;
    double both = p.wx * p.wy;
    double wx_slope = 30 * p.x * p.x * (p.x * (p.x - 2) + 1);
    double wy_slope = 30 * p.y * p.y * (p.y * (p.y - 2) + 1);
    double du = g00.x + p.wx * (g10.x - g00.x) + p.wy * (g01.x - g00.x) +
                both * (g00.x - g10.x - g01.x + g11.x) + wx_slope * (a + p.wy * c);
    double dv = g00.y + p.wx * (g10.y - g00.y) + p.wy * (g01.y - g00.y) +
                both * (g00.y - g10.y - g01.y + g11.y) + wy_slope * (b + p.wx * c);
    return turn_back(octave, n00 + p.wx * a + p.wy * b + both * c, du, dv);
}

Noise noise_ridges(const Octave* octave, double x, double y, double along_x, double along_y) {
    Place p = find_place(octave, x, y);
    if (p.nowhere) return (Noise){0};
    const double waves = 0.7; // per lattice cell
    double across_u = waves * (-octave->cosine * along_y - octave->sine * along_x);
    double across_v = waves * (octave->cosine * along_x - octave->sine * along_y);
    double value = 0, slope = 0;
    for (int corner = 0; corner < 4; corner++) {
        int i = corner & 1, j = corner >> 1;
        uint64_t counter = p.corner + (i ? step_i : 0) + (j ? step_j : 0);
        double phase = unit(hash(counter ^ 1)); // ^ 1: not the bits of the gradient there
        double t = (p.x - i) * across_u + (p.y - j) * across_v + phase;
        t += 2; // > 0, so that the cast rounds down
        t -= (double)(int)t + 0.5;
        // A wave of period 1, smooth, sharper at its ridges (1 at t = 0.5) than in its valleys.
        double q = t * t;
        double weight = (i ? p.wx : 1 - p.wx) * (j ? p.wy : 1 - p.wy);
        value += weight * (16 * q - 32 * q * q - 1);
        slope += weight * (32 - 128 * q) * t;
    }
    return turn_back(octave, value, slope * across_u, slope * across_v);
}

Vector noise_vector(const Octave* octave, double x, double y) {
    Place p = find_place(octave, x, y);
    if (p.nowhere) return (Vector){0};
    Vector sum = {0};
    for (int corner = 0; corner < 4; corner++) {
        int i = corner & 1, j = corner >> 1;
        uint64_t counter = p.corner + (i ? step_i : 0) + (j ? step_j : 0);
        Vector v = direction(hash(counter ^ 2)); // ^ 2: not the bits of the gradient there
        double weight = (i ? p.wx : 1 - p.wx) * (j ? p.wy : 1 - p.wy);
        sum.x += weight * v.x;
        sum.y += weight * v.y;
    }
    return sum;
}

double noise_sine(double turns) {
    double t = turns - floor(turns) - 0.5; // sin(2 pi turns) = -sin(2 pi t)
    // Into the quarters beside 0, where this many terms of the series are enough.
    t = t > 0.25 ? 0.5 - t : t < -0.25 ? -0.5 - t : t;
    double q = t * t;
    return -t * (6.283185 - q * (41.341702 - q * (81.605249 - q * (76.70586 - q * 42.05869))));
}

double noise_coarse(const Fractal* fractal, int octaves, double x, double y) {
    double sum = 0, variance = 0, weight = 1;
    for (int o = 0; o < fractal->count && o < octaves; o++) {
        sum += weight * noise_gradient(&fractal->octaves[o], x, y).value;
        variance += weight * weight;
        weight *= 0.5;
    }
    return variance > 0 ? sum / (NOISE_DEVIATION * sqrt(variance)) : 0;
}

double noise_fbm(const Fractal* fractal, double x, double y) {
    return noise_coarse(fractal, fractal->count, x, y);
}

Fractal noise_fractal(uint64_t seed, int octaves) {
    assert(octaves >= 0 && octaves <= NOISE_MAX_OCTAVES);
    Fractal fractal = {.count = octaves};
    double frequency = 1, cosine = 1, sine = 0;
    uint64_t key = hash(seed);
    for (int o = 0; o < octaves; o++) {
        key = hash(key);
        uint64_t shift = hash(~key);
        fractal.octaves[o] = (Octave){
            .key = key,
            .frequency = frequency,
            .cosine = cosine,
            .sine = sine,
            .shift_x = unit(shift),
            .shift_y = unit(shift << 32),
        };
        // Each octave is turned by atan(4/3) against the last: no number of them makes a full turn.
        double turned = 0.6 * cosine - 0.8 * sine;
        sine = 0.8 * cosine + 0.6 * sine;
        cosine = turned;
        frequency *= 2;
    }
    return fractal;
}

float gully_fractal(uint64_t seed, double x, double y, int octaves) {
    assert(octaves >= 1);
    Fractal fractal =
        noise_fractal(seed, octaves < NOISE_MAX_OCTAVES ? octaves : NOISE_MAX_OCTAVES);
    double value = 0.5 + noise_fbm(&fractal, x, y) / 5.5; // 0 and 1 are 2.75 deviations out
    return (float)(value < 0 ? 0 : value > 1 ? 1 : value);
}
