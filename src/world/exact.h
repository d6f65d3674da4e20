/// Exact sums: what the budget counts does not depend on the order of adding, so not on tiles or
/// threads.
///
/// A number is rounded to a whole multiple of 2^-72 (2e-22 m), or of 2^-54 (6e-17 m) if it comes in a
/// row, and those are added as integers. Good for numbers below 2^25 in size, and for sums of a
/// world's heights.
#ifndef EXACT_H
#define EXACT_H

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
#define EXACT_FINE_UNIT (1 << 18) // 2^-54
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

/// Adds every number of a row, small or not.
void exact_add_any_row(Exact* sum, const float* row, int count);
void exact_add_any_parts(Exact* above, Exact* below, const float* row, int count);

/// Adds every number of a row, the largest of which is known.
static inline void exact_add_row(Exact* sum, const float* row, int count, uint32_t largest) {
    enum { PIECE = 2048 }; // small numbers that fit into 64 bits
    if (largest == 0) return;
    if (largest >= exact_size(EXACT_SMALL)) {
        exact_add_any_row(sum, row, count);
        return;
    }
    for (int from = 0; from < count; from += PIECE) {
        int end = count - from < PIECE ? count : from + PIECE;
        uint64_t fine = 0;
        for (int i = from; i < end; i++)
            fine += exact_bits((double)row[i] + EXACT_FINE_MAGIC);
        uint64_t magic = (uint64_t)(end - from) * exact_bits(EXACT_FINE_MAGIC);
        *sum += (Exact)(int64_t)(fine - magic) * EXACT_FINE_UNIT;
    }
}

/// The same for the numbers above 0 and below 0, each to a sum of its own, without their sign.
static inline void exact_add_parts(Exact* above, Exact* below, const float* row, int count,
                                   uint32_t largest) {
    enum { PIECE = 2048 };
    if (largest == 0) return;
    if (largest >= exact_size(EXACT_SMALL)) {
        exact_add_any_parts(above, below, row, count);
        return;
    }
    for (int from = 0; from < count; from += PIECE) {
        int end = count - from < PIECE ? count : from + PIECE;
        uint64_t all = 0, positive = 0;
        for (int i = from; i < end; i++) {
            double x = (double)row[i];
            all += exact_bits(x + EXACT_FINE_MAGIC);
            positive += exact_bits((x > 0 ? x : 0) + EXACT_FINE_MAGIC);
        }
        uint64_t magic = (uint64_t)(end - from) * exact_bits(EXACT_FINE_MAGIC);
        *above += (Exact)(int64_t)(positive - magic) * EXACT_FINE_UNIT;
        *below += (Exact)(int64_t)(positive - all) * EXACT_FINE_UNIT;
    }
}

#endif
