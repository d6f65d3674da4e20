// SPDX-License-Identifier: MIT
/// Directions and colours.
#ifndef VECTOR_H
#define VECTOR_H

#include <math.h>

/// Without the care that fmin and fmax take of NaN, which makes them calls.
static inline double lesser(double a, double b) {
    return a < b ? a : b;
}
static inline double greater(double a, double b) {
    return a > b ? a : b;
}

/// x to the east, y to the south, z up.
typedef struct Vec {
    double x, y, z;
} Vec;

static inline Vec vec_add(Vec a, Vec b, double times) {
    return (Vec){a.x + times * b.x, a.y + times * b.y, a.z + times * b.z};
}
static inline double vec_dot(Vec a, Vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline Vec vec_cross(Vec a, Vec b) {
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline Vec vec_unit(Vec a) {
    double length = sqrt(vec_dot(a, a));
    return (Vec){a.x / length, a.y / length, a.z / length};
}
/// Towards a direction of the compass [deg], so high above the horizon [deg].
static inline Vec vec_compass(double azimuth, double elevation) {
    const double degree = 3.14159265358979323846 / 180;
    double flat = cos(elevation * degree);
    return (Vec){flat * sin(azimuth * degree), -flat * cos(azimuth * degree),
                 sin(elevation * degree)};
}

/// Light, linear: twice the number is twice the light.
typedef struct Rgb {
    float r, g, b;
} Rgb;

static inline Rgb rgb_mix(Rgb a, Rgb b, float share) {
    return (Rgb){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g), a.b + share * (b.b - a.b)};
}
static inline Rgb rgb_add(Rgb a, Rgb b, float times) {
    return (Rgb){a.r + times * b.r, a.g + times * b.g, a.b + times * b.b};
}
static inline Rgb rgb_times(Rgb a, Rgb b) {
    return (Rgb){a.r * b.r, a.g * b.g, a.b * b.b};
}
static inline Rgb rgb_scale(Rgb a, float times) {
    return (Rgb){a.r * times, a.g * times, a.b * times};
}

/// NaN gives the lower bound.
static inline float clampf(float value, float low, float high) {
    return value > low ? (value < high ? value : high) : low;
}
/// From 0 at `low` to 1 at `high`, smoothly.
static inline float ramp(float value, float low, float high) {
    float t = clampf((value - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

/// A colour of the screen (sRGB, 0..255) as light, and back.
static inline float light_of_byte(float byte) {
    float value = byte / 255;
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}
static inline float byte_of_light(float light) {
    float value = clampf(light, 0, 1);
    value = value <= 0.0031308f ? 12.92f * value : 1.055f * powf(value, 1 / 2.4f) - 0.055f;
    return 255 * value;
}
/// Of 0xRRGGBB.
static inline Rgb rgb_of(unsigned color) {
    return (Rgb){light_of_byte((float)(color >> 16 & 255)),
                 light_of_byte((float)(color >> 8 & 255)), light_of_byte((float)(color & 255))};
}

#endif
