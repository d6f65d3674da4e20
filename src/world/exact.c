#include "exact.h"

#include <math.h>

#define COARSE_UNIT ((Exact)1 << 46) // 2^-26

void exact_add(Exact* sum, double number, int64_t times) {
    if (!(fabs(number) < 0x1p54)) return; // of an unstable run, whose sums mean nothing
    *sum += (Exact)(number * 0x1p72) * times;
}

/// A number of a row. Where it is small, this is what the loops over small ones make of it.
static Exact rounded(float number) {
    double x = (double)number, coarse = x + EXACT_COARSE_MAGIC;
    double fine = x - (coarse - EXACT_COARSE_MAGIC) + EXACT_FINE_MAGIC;
    return (Exact)(int64_t)(exact_bits(coarse) - exact_bits(EXACT_COARSE_MAGIC)) * COARSE_UNIT +
           (Exact)(int64_t)(exact_bits(fine) - exact_bits(EXACT_FINE_MAGIC)) * EXACT_FINE_UNIT;
}

void exact_add_any_row(Exact* sum, const float* row, int count) {
    for (int i = 0; i < count; i++)
        *sum += rounded(row[i]);
}

void exact_add_any_parts(Exact* above, Exact* below, const float* row, int count) {
    for (int i = 0; i < count; i++) {
        Exact number = rounded(row[i]);
        *(number > 0 ? above : below) += number > 0 ? number : -number;
    }
}

double exact_value(Exact sum) {
    return (double)sum * 0x1p-72;
}
