// SPDX-License-Identifier: MIT
/// x to the power p, for positive x: the same bits on every processor and device.
///
/// The C library's powf differs from one machine to the next, so this one is made of additions,
/// multiplications and bits. It writes x = 2^e (1 + z) with z in [sqrt(1/2) - 1, sqrt(2) - 1] and
///
///   y = p log2(x) = p e + p log2(e) ln(1 + z),   ln(1 + z) = z - z^2/2 + z^3 R(z)
///   x^p = 2^n (1 + f Q(f)),                      n = y to the nearest, f = y - n
///
/// R and Q are polynomials, fitted by interpolation at Chebyshev's points. What is large in y is
/// computed exactly: p and p log2(e) are kept as a number of few bits and a remainder, so that
/// their products with e and with the leading bits of z do not round. The result is within 2 units
/// in the last place of the exact power, for p as a double (power_test); 0 below the smallest
/// normal number, where x is 0 or denormal, and for x < 0; infinite above the largest float.
#ifndef POWER_CELL_H
#define POWER_CELL_H

#include "cell.h"

/// A power, as power.h makes it of a number.
CELL_STRUCT(Exponent) {
    float p, p_low;         // p in 16 bits, and its remainder
    float slope, slope_low; // p log2(e) in 12 bits, and its remainder
    float slope_all;        // p log2(e)
};

/// R(z) = (ln(1 + z) - z + z^2/2) / z^3, for |1 + z| from sqrt(1/2) to sqrt(2).
CELL float power_log(float z) {
    float r = 0.0697161183f;
    r = r * z - 0.1147973388f;
    r = r * z + 0.1168541983f;
    r = r * z - 0.1242568716f;
    r = r * z + 0.1424905807f;
    r = r * z - 0.1666780263f;
    r = r * z + 0.2000071555f;
    r = r * z - 0.2499999702f;
    return r * z + 0.3333333135f;
}

/// Q(f) = (2^f - 1) / f, for |f| up to 1/2.
CELL float power_exp(float f) {
    float q = 1.545416162e-4f;
    q = q * f + 1.339201699e-3f;
    q = q * f + 9.618080221e-3f;
    q = q * f + 5.550355092e-2f;
    q = q * f + 2.402265072e-1f;
    return q * f + 6.931471825e-1f;
}

/// 2^n for n from -126 to 127.
CELL float power_of_two_at(int n) {
    return float_of((uint32_t)(n + 127) << 23);
}

CELL float power(float x, Exponent p) {
    const float nearest = 12582912.0f; // 1.5 * 2^23: adding it rounds to a whole number
    const float smallest = 1.17549435e-38f;
    const uint32_t half_root = 0x3f3504f3u; // the bits of sqrt(1/2)
    uint32_t bits = bits_of(x);
    int e = (int)(bits - half_root) >> 23;
    float z = float_of(bits - ((uint32_t)e << 23)) - 1.0f;
    float z_high = float_of(bits_of(z) & 0xfffff000u), z_low = z - z_high;
    float curve = (z * z) * (z * power_log(z) - 0.5f);
    float of_e = p.p * (float)e, of_z = p.slope * z_high; // both exact
    float rest = ((p.slope * z_low + p.slope_low * z) + p.slope_all * curve) + p.p_low * (float)e;
    float y = clamped((of_e + of_z) + rest, -252.0f, 252.0f);
    float n = (y + nearest) - nearest;
    float f = ((of_e - n) + of_z) + rest;
    float share = 1.0f + f * power_exp(f);
    int whole = (int)n, part = whole >> 1;
    float result = (share * power_of_two_at(part)) * power_of_two_at(whole - part);
    return x >= smallest && result >= smallest ? result : 0.0f;
}

#endif
