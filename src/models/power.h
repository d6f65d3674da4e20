// SPDX-License-Identifier: MIT
/// Powers (power.cell.h), the host's part.
#ifndef POWER_H
#define POWER_H

#include "power.cell.h"

/// A number without the last `bits` bits of its significand.
static inline float without_last_bits(double x, int bits) {
    const uint32_t mask = UINT32_MAX << bits;
    return float_of(bits_of((float)x) & mask);
}

static inline Exponent exponent_of(double p) {
    const double slope = p * 1.4426950408889634;
    Exponent e = {.p = without_last_bits(p, 8), .slope = without_last_bits(slope, 12)};
    e.p_low = (float)(p - (double)e.p);
    e.slope_low = (float)(slope - (double)e.slope);
    e.slope_all = (float)slope;
    return e;
}

#endif
