/// Half precision: floats with 11 significant bits, in 16 bits (IEEE 754 binary16).
///
/// A field of halves is rounded once at the end of every step; what is stored in between is then
/// exact, so that results do not depend on when a row is stored. Plain integer arithmetic, which
/// compilers make vectors of, with the same bits on every processor.
#ifndef HALF_H
#define HALF_H

#include <stdint.h>
#include <string.h>

typedef uint16_t Half;

#define HALF_MOST 65504.0f             // the largest
#define HALF_NORMAL 0x1p-14f           // below, steps are equally large: HALF_STEP
#define HALF_STEP 0x1p-24f             //
#define HALF_STEP_MAGIC 0.75f          // the last place of floats of this size is HALF_STEP
enum { HALF_DROPPED = 13 };            // bits of a float's significand that a half does not have
enum { HALF_BIAS = (127 - 15) << 10 }; // between the exponents of both

static inline uint32_t half_float_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float half_of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/// The nearest half, to even; beyond the largest, the largest.
static inline float half_round(float x) {
    uint32_t bits = half_float_bits(x), sign = bits & 0x80000000u, size = bits & 0x7fffffffu;
    float magnitude = half_of_bits(size);
    float small = (magnitude + HALF_STEP_MAGIC) - HALF_STEP_MAGIC;
    uint32_t even = (size >> HALF_DROPPED) & 1;
    uint32_t rounded = (size + (1u << (HALF_DROPPED - 1)) - 1 + even) >> HALF_DROPPED
                                                                             << HALF_DROPPED;
    float normal = half_of_bits(rounded);
    float value = magnitude < HALF_NORMAL ? small : normal;
    value = value > HALF_MOST ? HALF_MOST : value;
    return half_of_bits(half_float_bits(value) | sign);
}

/// Stores a number that half_round has rounded.
static inline Half half_pack(float x) {
    uint32_t bits = half_float_bits(x), sign = (bits & 0x80000000u) >> 16,
             size = bits & 0x7fffffffu;
    float magnitude = half_of_bits(size);
    uint32_t small = (uint32_t)(int32_t)(magnitude * (1 / HALF_STEP));
    uint32_t normal = (size >> HALF_DROPPED) - HALF_BIAS;
    return (Half)(sign | (magnitude < HALF_NORMAL ? small : normal));
}

static inline float half_unpack(Half half) {
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16, size = half & 0x7fffu;
    float small = (float)(int32_t)size * HALF_STEP;
    float normal = half_of_bits((size + HALF_BIAS) << HALF_DROPPED);
    float magnitude = size < 0x400u ? small : normal;
    return half_of_bits(half_float_bits(magnitude) | sign);
}

#endif
