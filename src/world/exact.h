/// Exact sums: what the budget counts does not depend on the order of adding, so not on tiles or
/// threads.
///
/// A number is split into whole multiples of 2^-26 and of 2^-72, which are added as integers. Good
/// for numbers below 2^25 in size; what is smaller than 2^-72 (2e-22 m) is rounded away. Sums have
/// no bound that a world could reach.
#ifndef EXACT_H
#define EXACT_H

#include <stdint.h>
#include <string.h>

__extension__ typedef __int128 Wide;

typedef struct Exact {
    Wide coarse;  // in 2^-26
    int64_t fine; // in 2^-72; from 0 to 2^46 - 1
} Exact;

/// Adds `times` times a number (negative: takes it away).
void exact_add(Exact* sum, double number, int64_t times);

/// Adds another sum, `times` being 1, or takes it away, `times` being -1.
void exact_merge(Exact* sum, const Exact* other, int times);

double exact_value(const Exact* sum);

// ---- rows: inline, so that a law's files compile it for the processor they are compiled for
// -------

/// Adding one of these to a number leaves its multiple of 2^-26 or of 2^-72 in the low bits of the
/// sum, because that is the last place of doubles of this size.
#define EXACT_COARSE_MAGIC 0x1.8p+26
#define EXACT_FINE_MAGIC 0x1.8p-20

static inline uint64_t exact_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/// Splits a number; both parts still have the bits of the magic numbers in them.
/// Unsigned, since infinities of an unstable run may wrap.
static inline void exact_split(double x, uint64_t* coarse, uint64_t* fine) {
    double rounded = x + EXACT_COARSE_MAGIC;
    *coarse = exact_bits(rounded);
    *fine = exact_bits(x - (rounded - EXACT_COARSE_MAGIC) + EXACT_FINE_MAGIC);
}

/// Adds the sums of the parts of `count` numbers, up to 2^17.
void exact_add_split(Exact* sum, uint64_t coarse, uint64_t fine, uint64_t count);

/// Adds every number of a row.
static inline void exact_add_row(Exact* sum, const float* row, int count) {
    enum { PIECE = 4096 };
    for (int from = 0; from < count; from += PIECE) {
        int end = count - from < PIECE ? count : from + PIECE;
        uint64_t coarse = 0, fine = 0;
        for (int i = from; i < end; i++) {
            uint64_t c, f;
            exact_split((double)row[i], &c, &f);
            coarse += c;
            fine += f;
        }
        exact_add_split(sum, coarse, fine, (uint64_t)(end - from));
    }
}

#endif
