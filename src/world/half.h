// SPDX-License-Identifier: MIT
/// Half precision: floats with 11 significant bits, in 16 bits (IEEE 754 binary16).
///
/// A field of halves is rounded once at the end of every step; what is stored in between is then
/// exact, so that results do not depend on when a row is stored. Plain integer arithmetic, which
/// compilers make vectors of, with the same bits on every processor. Also compiles as OpenCL C.
#ifndef HALF_H
#define HALF_H

#include "bits.h"

typedef uint16_t Half;

#define HALF_MOST 65504.0f             // the largest
#define HALF_NORMAL 0x1p-14f           // below, steps are equally large: HALF_STEP
#define HALF_STEP 0x1p-24f             //
#define HALF_STEP_MAGIC 0.75f          // the last place of floats of this size is HALF_STEP
enum { HALF_DROPPED = 13 };            // bits of a float's significand that a half does not have
enum { HALF_BIAS = (127 - 15) << 10 }; // between the exponents of both

/// The nearest half, to even; beyond the largest, the largest.
static inline float half_round(float x) {
    uint32_t bits = bits_of(x), sign_bit = bits & 0x80000000u, size = bits & 0x7fffffffu;
    float magnitude = float_of(size);
    float small = (magnitude + HALF_STEP_MAGIC) - HALF_STEP_MAGIC;
    uint32_t even = (size >> HALF_DROPPED) & 1;
    uint32_t rounded = (size + (1u << (HALF_DROPPED - 1)) - 1 + even) & ~((1u << HALF_DROPPED) - 1);
    float normal = float_of(rounded);
    float value = magnitude < HALF_NORMAL ? small : normal;
    value = value > HALF_MOST ? HALF_MOST : value;
    return float_of(bits_of(value) | sign_bit);
}

/// Stores a number that half_round has rounded.
static inline Half half_pack(float x) {
    uint32_t bits = bits_of(x), sign_bit = (bits & 0x80000000u) >> 16, size = bits & 0x7fffffffu;
    float magnitude = float_of(size);
    uint32_t small = (uint32_t)(int32_t)(magnitude * (1 / HALF_STEP));
    uint32_t normal = (size >> HALF_DROPPED) - HALF_BIAS;
    return (Half)(sign_bit | (magnitude < HALF_NORMAL ? small : normal));
}

static inline float half_unpack(Half packed) {
    uint32_t sign_bit = (uint32_t)(packed & 0x8000u) << 16, size = packed & 0x7fffu;
    float small = (float)(int32_t)size * HALF_STEP;
    float normal = float_of((size + HALF_BIAS) << HALF_DROPPED);
    float magnitude = size < 0x400u ? small : normal;
    return float_of(bits_of(magnitude) | sign_bit);
}

#endif
