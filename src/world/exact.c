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
    int64_t whole = sum->fine >> CARRY_BITS; // rounds down, also below 0
    sum->coarse = (int64_t)((uint64_t)sum->coarse + (uint64_t)whole);
    sum->fine &= (INT64_C(1) << CARRY_BITS) - 1;
}

void exact_add(Exact* sum, double number, int64_t times) {
    int64_t coarse, fine;
    split(number, &coarse, &fine);
    Exact one = {coarse, fine};
    carry(&one);
    // fine * times could overflow: add it in two halves of 23 bits.
    int64_t half = INT64_C(1) << 23;
    int64_t high = one.fine / half * times, low = one.fine % half * times;
    high += low / half;
    sum->coarse = (int64_t)((uint64_t)sum->coarse + (uint64_t)one.coarse * (uint64_t)times +
                            (uint64_t)(high / half));
    sum->fine += high % half * half + low % half;
    carry(sum);
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
        sum->coarse = (int64_t)((uint64_t)sum->coarse + coarse);
        sum->fine = (int64_t)((uint64_t)sum->fine + fine);
        carry(sum);
    }
}

void exact_merge(Exact* sum, const Exact* other) {
    sum->coarse = (int64_t)((uint64_t)sum->coarse + (uint64_t)other->coarse);
    sum->fine += other->fine;
    carry(sum);
}

double exact_value(const Exact* sum) {
    return (double)sum->coarse * 0x1p-26 + (double)sum->fine * 0x1p-72;
}
