// SPDX-License-Identifier: MIT
/// The OpenCL form of target.h: stands before the rows of a law, which are then OpenCL C 1.2.
///
/// A kernel gathers the fields that a pass declares, fills a PassRow of one cell (from = 0, to = 1)
/// in private memory and calls the pass's own row function; so a float* is a private pointer here.
/// To be compiled with -cl-fp32-correctly-rounded-divide-sqrt or -D REPAIR_DIVISION, without any
/// option that relaxes arithmetic, and with a macro KNOWN_NAME for each of the law's known values
/// (Law.known).
#ifndef PRELUDE_H
#define PRELUDE_H

#define TARGET_H // instead of models/target.h
#define BITS_H   // and of base/bits.h

#pragma OPENCL FP_CONTRACT OFF

typedef uchar uint8_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#define UINT64_C(number) number##UL

// ---- functions and memory -----------------------------------------------------------------------

/// Not every compiler inlines by itself, and one call costs more than the formula.
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define INLINE ALWAYS_INLINE
#define CELL ALWAYS_INLINE
#define ROW_FUNCTION ALWAYS_INLINE
#define CONSTANT_ARRAY __constant
#define SHARED __global
#define CACHE_ALIGNED
#define KNOWN(name, value) ((void)sizeof(value), KNOWN_##name)

/// A device compiles a law for the fields that a world stores: pointers to private memory would have
/// to be kept if they were compared.
#ifdef STORED_FIELDS
#define IS_STORED(row, id) ((int)(STORED_FIELDS >> (id)) & 1)
#else
#define IS_STORED(row, id) ((row)->out[id] != NULL)
#endif

// ---- loops: one cell ----------------------------------------------------------------------------

#define INDEPENDENT
#define UNROLLED _Pragma("unroll")
#define FIELD_LOOP UNROLLED

enum { CHUNK = 1, ONE_CELL_ROWS = 1 };
#define SOME_CELLS(i, from, to)                                                                    \
    if ((from) <= 0 && (to) > 0)                                                                   \
        for (int i = 0; i < 1; i++)
#define EACH_CHUNK(chunk, row, body)                                                               \
    do {                                                                                           \
        const Chunk chunk = {(row)->from, 1};                                                      \
        body;                                                                                      \
    } while (0)

// ---- arithmetic ---------------------------------------------------------------------------------

#define cell_zero 0.0f
#define cell_one 1.0f

CELL float flushed_product(float a, float b) {
    return a * b;
}

#ifndef REPAIR_DIVISION

CELL float divide(float a, float b) {
    return a / b;
}

CELL float square_root(float x) {
    return sqrt(x);
}

#else // for devices that round them otherwise: with integers, which are the same everywhere

/// The float nearest to significand * 2^exponent, ties to even; `more`: and a little more than that.
/// The significand has 25 bits or more. Denormals are 0.
CELL float nearest_float(ulong significand, int exponent, bool more, uint sign) {
    const int drop = 40 - (int)clz(significand); // leaves 24 bits
    const ulong rest = significand & ((1UL << drop) - 1), half_way = 1UL << (drop - 1);
    uint bits = (uint)(significand >> drop);
    bits += rest > half_way || (rest == half_way && (more || (bits & 1))) ? 1 : 0;
    const int carried = bits >> 24;
    const int biased = exponent + drop + carried + 150;
    const uint magnitude = biased <= 0     ? 0
                           : biased >= 255 ? 0x7f800000u
                                           : (uint)biased << 23 | (bits >> carried & 0x7fffff);
    return as_float(sign | magnitude);
}

/// Whether a float is neither 0 nor infinite nor NaN. Denormals count as 0.
CELL bool is_plain(float x) {
    const uint exponent = as_uint(x) >> 23 & 0xff;
    return exponent > 0 && exponent < 0xff;
}

CELL float divide(float a, float b) {
    const uint sign = (as_uint(a) ^ as_uint(b)) & 0x80000000u;
    if (!is_plain(a) || !is_plain(b)) {
        const uint x = as_uint(a) & 0x7fffffff, y = as_uint(b) & 0x7fffffff;
        const bool x_zero = x < 0x800000, y_zero = y < 0x800000;
        const bool x_infinite = x == 0x7f800000, y_infinite = y == 0x7f800000;
        if (x > 0x7f800000 || y > 0x7f800000 || (x_zero && y_zero) || (x_infinite && y_infinite))
            return NAN;
        return as_float(sign | (y_zero || x_infinite ? 0x7f800000u : 0));
    }
    const ulong n = (ulong)(as_uint(a) & 0x7fffff | 0x800000) << 32;
    const ulong d = as_uint(b) & 0x7fffff | 0x800000;
    const int exponent = (int)(as_uint(a) >> 23 & 0xff) - (int)(as_uint(b) >> 23 & 0xff) - 32;
    const ulong quotient = n / d;
    return nearest_float(quotient, exponent, n % d != 0, sign);
}

CELL float square_root(float x) {
    if (!is_plain(x) || x < 0.0f) {
        const bool is_zero = (as_uint(x) & 0x7fffffff) < 0x800000;
        return is_zero ? as_float(as_uint(x) & 0x80000000u) : x > 0.0f ? x : NAN;
    }
    const int exponent = (int)(as_uint(x) >> 23) - 150, odd = exponent & 1;
    const ulong n = (ulong)(as_uint(x) & 0x7fffff | 0x800000) << (28 + odd);
    ulong root = 0;
    for (int bit = 26; bit >= 0; bit--) {
        const ulong tried = root | 1UL << bit;
        root = tried * tried <= n ? tried : root;
    }
    return nearest_float(root, (exponent - odd - 28) / 2, root * root != n, 0);
}

#endif

INLINE uint32_t bits_of(float x) {
    return as_uint(x);
}

INLINE float float_of(uint32_t bits) {
    return as_float(bits);
}

// ---- exact sums, without doubles ----------------------------------------------------------------

/// A sum of the budget, coarse * 2^-26 + fine * 2^-72. The host adds up those of all cells in 128
/// bits: coarse * 2^46 + fine is a sum in multiples of 2^-72, like its own.
typedef struct Tally {
    long coarse, fine;
} Tally;

/// Makes room in `fine` for 2^17 more numbers: it is below 2^46 then.
INLINE void tally_carry(Tally* sum) {
    sum->coarse += sum->fine >> 46;
    sum->fine &= (1L << 46) - 1;
}

/// A float as an integer times a power of two. Denormals are 0, as the processor flushes them;
/// NaN and infinity are 0 too, since they come only from unstable runs, whose sums mean nothing.
typedef struct Scaled {
    ulong significand; // below 2^24
    int exponent;
} Scaled;

INLINE Scaled scaled_of(float x) {
    const uint bits = as_uint(x), exponent = bits >> 23 & 0xff;
    const bool counts = exponent > 0 && exponent < 0xff;
    const Scaled scaled = {counts ? (bits & 0x7fffff) | 0x800000 : 0, (int)exponent - 150};
    return scaled;
}

/// significand * 2^exponent, or the negative of it, cut off to a multiple of 2^-72. Numbers from 2^37
/// on, of unstable runs, are 0.
INLINE Tally tally_of(ulong significand, int exponent, bool negative) {
    Tally amount = {0, 0}; // coarse * 2^46 + fine = significand * 2^shift
    const int shift = exponent + 72;
    if (significand == 0 || shift <= -64 || shift - 46 >= (int)clz(significand)) return amount;
    ulong coarse = 0, fine = 0;
    if (shift >= 46) {
        coarse = significand << (shift - 46);
    } else {
        const ulong low = shift < 0 ? significand >> -shift : significand << shift;
        coarse = shift < 0 ? low >> 46 : significand >> (46 - shift);
        fine = low & ((1UL << 46) - 1);
    }
    amount.coarse = negative ? -(long)coarse : (long)coarse;
    amount.fine = negative ? -(long)fine : (long)fine;
    return amount;
}

/// The size of a number, rounded to the nearest multiple of 2^-54, ties to even.
INLINE Tally tally_rounded(float x, bool negative) {
    const Scaled scaled = scaled_of(x);
    const int drop = -54 - scaled.exponent; // bits below 2^-54
    if (drop <= 0) return tally_of(scaled.significand, scaled.exponent, negative);
    if (drop > 24) return tally_of(0, 0, false); // below a half
    const ulong whole = scaled.significand >> drop, half_way = 1UL << (drop - 1);
    const ulong rest = scaled.significand & ((1UL << drop) - 1);
    const bool up = rest > half_way || (rest == half_way && (whole & 1));
    return tally_of(whole + (up ? 1 : 0), -54, negative);
}

/// Adds an amount. Sums are written in no branch: a compiler may otherwise choose between sums by
/// their address, and then keeps them in memory.
INLINE void tally_add(Tally* sum, Tally amount) {
    sum->coarse += amount.coarse;
    sum->fine += amount.fine;
}

INLINE void tally_add_row(Tally* sum, const float* numbers, int count) {
    for (int i = 0; i < count; i++)
        tally_add(sum, tally_rounded(numbers[i], numbers[i] < 0.0f));
}

INLINE void tally_add_signed_row(Tally* above, Tally* below, const float* numbers, int count) {
    for (int i = 0; i < count; i++) {
        const Tally size = tally_rounded(numbers[i], false);
        const long is_above = numbers[i] > 0.0f, is_below = numbers[i] < 0.0f;
        const Tally to_above = {size.coarse * is_above, size.fine * is_above};
        const Tally to_below = {size.coarse * is_below, size.fine * is_below};
        tally_add(above, to_above);
        tally_add(below, to_below);
    }
}

INLINE void tally_add_times(Tally* sum, float number, int times) {
    const Scaled scaled = scaled_of(number);
    const Tally once = tally_of(scaled.significand, scaled.exponent, number < 0.0f);
    const Tally amount = {once.coarse * times, once.fine * times};
    tally_add(sum, amount);
}

INLINE void tally_add_product(Tally* sum, float a, float b) {
    const Scaled x = scaled_of(a), y = scaled_of(b);
    const bool negative = (a < 0.0f) != (b < 0.0f);
    tally_add(sum, tally_of(x.significand * y.significand, x.exponent + y.exponent, negative));
}

#endif
