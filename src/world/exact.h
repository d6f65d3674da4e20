/// Exact sums: what the budget counts does not depend on the order of adding, so not on tiles or
/// threads.
///
/// A number is rounded to a whole multiple of 2^-54 (6e-17 m), and those are added as integers. Good
/// for numbers below 2^25 in size. Sums have no bound that a world could reach.
#ifndef EXACT_H
#define EXACT_H

#include <stdint.h>
#include <string.h>

__extension__ typedef __int128 Exact; // in 2^-54

/// Adds `times` times a number (negative: takes it away).
void exact_add(Exact* sum, double number, int64_t times);

double exact_value(Exact sum);

// ---- rows: inline, so that a law's files compile it for the processor they are compiled for
// -------

/// Adding one of these to a number leaves its multiple of 2^-26 or of 2^-54 in the low bits of the
/// sum, because that is the last place of doubles of this size.
#define EXACT_COARSE_MAGIC 0x1.8p+26
#define EXACT_FINE_MAGIC 0x1.8p-2
/// Numbers below this are small enough for the second alone.
#define EXACT_SMALL 0.125f

static inline uint64_t exact_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline uint32_t exact_size_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & 0x7fffffff;
}

/// Adds every number of a row, small or not.
void exact_add_large_row(Exact* sum, const float* row, int count);

/// Adds every number of a row.
static inline void exact_add_row(Exact* sum, const float* row, int count) {
    uint32_t largest = 0;
    for (int i = 0; i < count; i++) {
        uint32_t size = exact_size_bits(row[i]);
        largest = size > largest ? size : largest;
    }
    if (largest == 0) return;
    if (largest >= exact_size_bits(EXACT_SMALL)) {
        exact_add_large_row(sum, row, count);
        return;
    }
    enum { PIECE = 2048 }; // small numbers that fit into 64 bits
    for (int from = 0; from < count; from += PIECE) {
        int end = count - from < PIECE ? count : from + PIECE;
        uint64_t fine = 0;
        for (int i = from; i < end; i++)
            fine += exact_bits((double)row[i] + EXACT_FINE_MAGIC);
        *sum += (int64_t)(fine - (uint64_t)(end - from) * exact_bits(EXACT_FINE_MAGIC));
    }
}

#endif
