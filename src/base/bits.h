// SPDX-License-Identifier: MIT
/// The bits of a float. The OpenCL form is in device/prelude.h.
#ifndef BITS_H
#define BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
