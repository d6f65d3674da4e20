// SPDX-License-Identifier: MIT
/// Exact sums: what the budget counts does not depend on the order of adding, so not on tiles or
/// threads.
///
/// A number is rounded to a whole multiple of 2^-72 (2e-22 m), or of 2^-54 (6e-17 m) if it comes in
/// a row, and those are added as integers. Good for numbers below 2^25 in size, and for sums of a
/// world's heights.
#ifndef EXACT_H
#define EXACT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef __int128 Exact; // in 2^-72

/// Adds `times` times a number (negative: takes it away).
void exact_add(Exact* sum, double number, int64_t times);

double exact_value(Exact sum);

// ---- rows: inline, so that a law's files compile it for the processor they are compiled for
// -------

/// Adding one of these to a number leaves its multiple of 2^-26 or of 2^-54 in the low bits of the
/// sum, because that is the last place of doubles of this size.
#define EXACT_COARSE_MAGIC 0x1.8p+26
#define EXACT_FINE_MAGIC 0x1.8p-2
#define EXACT_COARSE_UNIT ((Exact)1 << 46) // 2^-26
#define EXACT_FINE_UNIT ((Exact)1 << 18)   // 2^-54
/// Numbers below this are small enough for the second alone.
#define EXACT_SMALL 0.125f

static inline uint64_t exact_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/// How large a number is, in an order that a loop over many can find the largest of.
static inline uint32_t exact_size(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & 0x7fffffff;
}

static inline uint32_t exact_larger(uint32_t largest, float x) {
    uint32_t size = exact_size(x);
    return size > largest ? size : largest;
}

static inline bool exact_is_small(uint32_t largest) {
    return largest < exact_size(EXACT_SMALL);
}

/// So many parts of numbers, each below 2^51 in its unit, fit into 64 bits.
enum { EXACT_PIECE = 4095 };

/// Sums of the parts of numbers, which still have the bits of the magic numbers in them.
typedef struct ExactParts {
    uint64_t coarse, fine;
} ExactParts;

static inline void exact_add_small(ExactParts* parts, double x) {
    parts->fine += exact_bits(x + EXACT_FINE_MAGIC);
}

/// EXACT_FINE_MAGIC. Compilers make one instruction of a maximum with it, but three where they see
/// a constant.
extern const double exact_fine_magic;

/// Adds a number to `all`, and to `positive` if it is above 0.
static inline void exact_add_small_signed(ExactParts* all, ExactParts* positive, double x) {
    double sum = x + EXACT_FINE_MAGIC;
    all->fine += exact_bits(sum);
    positive->fine += exact_bits(sum > exact_fine_magic ? sum : exact_fine_magic);
}

static inline void exact_add_large(ExactParts* parts, double x) {
    double rounded = x + EXACT_COARSE_MAGIC;
    parts->coarse += exact_bits(rounded);
    parts->fine += exact_bits(x - (rounded - EXACT_COARSE_MAGIC) + EXACT_FINE_MAGIC);
}

/// The sum of `count` numbers, up to EXACT_PIECE, so that they fit into 64 bits. Bits wrap; the
/// difference is right again.
static inline Exact exact_of_parts(ExactParts parts, int count, bool large) {
    uint64_t n = (uint64_t)count;
    int64_t fine = (int64_t)(parts.fine - n * exact_bits(EXACT_FINE_MAGIC));
    int64_t coarse = (int64_t)(parts.coarse - n * exact_bits(EXACT_COARSE_MAGIC));
    return (Exact)fine * EXACT_FINE_UNIT + (large ? (Exact)coarse * EXACT_COARSE_UNIT : 0);
}

/// Adds every number of a row.
static inline void exact_add_row(Exact* sum, const float* row, int count) {
    for (int from = 0; from < count; from += EXACT_PIECE) {
        int end = count - from < EXACT_PIECE ? count : from + EXACT_PIECE;
        ExactParts all = {0, 0};
        uint32_t largest = 0;
        for (int i = from; i < end; i++) {
            exact_add_small(&all, (double)row[i]);
            largest = exact_larger(largest, row[i]);
        }
        const bool large = !exact_is_small(largest);
        if (large) {
            all = (ExactParts){0, 0};
            for (int i = from; i < end; i++)
                exact_add_large(&all, (double)row[i]);
        }
        *sum += exact_of_parts(all, end - from, large);
    }
}

/// The same for the numbers above 0 and below 0, each to a sum of its own, without their sign.
static inline void exact_add_signed_row(Exact* above, Exact* below, const float* row, int count) {
    for (int from = 0; from < count; from += EXACT_PIECE) {
        int end = count - from < EXACT_PIECE ? count : from + EXACT_PIECE;
        ExactParts all = {0, 0}, positive = {0, 0};
        uint32_t largest = 0;
        for (int i = from; i < end; i++) {
            exact_add_small_signed(&all, &positive, (double)row[i]);
            largest = exact_larger(largest, row[i]);
        }
        const bool large = !exact_is_small(largest);
        if (large) {
            all = positive = (ExactParts){0, 0};
            for (int i = from; i < end; i++) {
                exact_add_large(&all, (double)row[i]);
                exact_add_large(&positive, row[i] > 0 ? (double)row[i] : 0);
            }
        }
        Exact sum = exact_of_parts(positive, end - from, large);
        *above += sum;
        *below += sum - exact_of_parts(all, end - from, large);
    }
}

#endif
