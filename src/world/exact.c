#include "exact.h"

#include <string.h>

/// Adding one of these to a number leaves its multiple of 2^-26 or of 2^-72 in the low bits of the
/// sum, because that is the last place of doubles of this size.
#define COARSE_MAGIC 0x1.8p+26
#define FINE_MAGIC 0x1.8p-20
enum { CARRY_BITS = 46 };

static inline uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline void split(double x, int64_t* coarse, int64_t* fine) {
    double rounded = x + COARSE_MAGIC;
    double rest = x - (rounded - COARSE_MAGIC);
    *coarse = (int64_t)(bits_of(rounded) - bits_of(COARSE_MAGIC));
    *fine = (int64_t)(bits_of(rest + FINE_MAGIC) - bits_of(FINE_MAGIC));
}

/// Moves whole multiples of 2^-26 from fine to coarse.
static void carry(Exact* sum) {
    sum->coarse += sum->fine >> CARRY_BITS; // rounds down, also below 0
    sum->fine &= (INT64_C(1) << CARRY_BITS) - 1;
}

void exact_add(Exact* sum, double number, int64_t times) {
    int64_t coarse, fine;
    split(number, &coarse, &fine);
    Wide fine_times = (Wide)fine * times + sum->fine;
    sum->coarse += (Wide)coarse * times + (fine_times >> CARRY_BITS);
    sum->fine = (int64_t)(fine_times & ((INT64_C(1) << CARRY_BITS) - 1));
}

void exact_add_row(Exact* sum, const float* row, int count) {
    enum { PIECE = 4096 }; // fine numbers are below 2^46: so many fit
    for (int from = 0; from < count; from += PIECE) {
        int end = count - from < PIECE ? count : from + PIECE;
        uint64_t coarse = 0, fine = 0; // unsigned: infinities of an unstable run may wrap
        for (int i = from; i < end; i++) {
            int64_t c, f;
            split((double)row[i], &c, &f);
            coarse += (uint64_t)c;
            fine += (uint64_t)f;
        }
        sum->coarse += (int64_t)coarse;
        sum->fine = (int64_t)((uint64_t)sum->fine + fine);
        carry(sum);
    }
}

void exact_merge(Exact* sum, const Exact* other, int times) {
    sum->coarse += other->coarse * times;
    sum->fine += other->fine * times;
    carry(sum);
}

double exact_value(const Exact* sum) {
    return (double)sum->coarse * 0x1p-26 + (double)sum->fine * 0x1p-72;
}
