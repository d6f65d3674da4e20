#include "exact.h"

#include <string.h>

/// Adding one of these to a number leaves its multiple of 2^-26 or of 2^-72 in the low bits of the
/// sum, because that is the last place of doubles of this size.
#define COARSE_MAGIC 0x1.8p+26
#define FINE_MAGIC 0x1.8p-20
enum { CARRY_BITS = 46 };

static inline int64_t bits_of(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline void split(double x, int64_t* coarse, int64_t* fine) {
    double rounded = x + COARSE_MAGIC;
    double rest = x - (rounded - COARSE_MAGIC);
    *coarse = bits_of(rounded) - bits_of(COARSE_MAGIC);
    *fine = bits_of(rest + FINE_MAGIC) - bits_of(FINE_MAGIC);
}

/// Moves whole multiples of 2^-26 from fine to coarse.
static void carry(Exact* sum) {
    int64_t whole = sum->fine >> CARRY_BITS; // rounds down, also below 0
    sum->coarse += whole;
    sum->fine -= whole * (INT64_C(1) << CARRY_BITS);
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
    sum->coarse += one.coarse * times + high / half;
    sum->fine += high % half * half + low % half;
    carry(sum);
}

void exact_add_row(Exact* sum, const float* row, int count) {
    enum { PIECE = 4096 }; // fine numbers are below 2^46: so many fit
    for (int from = 0; from < count; from += PIECE) {
        int end = count - from < PIECE ? count : from + PIECE;
        int64_t coarse = 0, fine = 0;
        for (int i = from; i < end; i++) {
            int64_t c, f;
            split((double)row[i], &c, &f);
            coarse += c;
            fine += f;
        }
        sum->coarse += coarse;
        sum->fine += fine;
        carry(sum);
    }
}

void exact_merge(Exact* sum, const Exact* other) {
    sum->coarse += other->coarse;
    sum->fine += other->fine;
    carry(sum);
}

double exact_value(const Exact* sum) {
    return (double)sum->coarse * 0x1p-26 + (double)sum->fine * 0x1p-72;
}
