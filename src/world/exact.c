#include "exact.h"

enum { CARRY_BITS = 46 };
static const int64_t fine_mask = (INT64_C(1) << CARRY_BITS) - 1;

/// Moves whole multiples of 2^-26 from fine to coarse.
static void carry(Exact* sum) {
    sum->coarse += sum->fine >> CARRY_BITS; // rounds down, also below 0
    sum->fine &= fine_mask;
}

void exact_add(Exact* sum, double number, int64_t times) {
    uint64_t coarse, fine;
    exact_split(number, &coarse, &fine);
    coarse -= exact_bits(EXACT_COARSE_MAGIC);
    fine -= exact_bits(EXACT_FINE_MAGIC);
    Wide fine_times = (Wide)(int64_t)fine * times + sum->fine;
    sum->coarse += (Wide)(int64_t)coarse * times + (fine_times >> CARRY_BITS);
    sum->fine = (int64_t)(fine_times & fine_mask);
}

void exact_add_split(Exact* sum, uint64_t coarse, uint64_t fine, uint64_t count) {
    coarse -= count * exact_bits(EXACT_COARSE_MAGIC); // wraps as the sums did
    fine -= count * exact_bits(EXACT_FINE_MAGIC);
    sum->coarse += (int64_t)coarse;
    sum->fine = (int64_t)((uint64_t)sum->fine + fine);
    carry(sum);
}

void exact_merge(Exact* sum, const Exact* other, int times) {
    sum->coarse += other->coarse * times;
    sum->fine += other->fine * times;
    carry(sum);
}

double exact_value(const Exact* sum) {
    return (double)sum->coarse * 0x1p-26 + (double)sum->fine * 0x1p-72;
}
