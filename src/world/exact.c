#include "exact.h"

enum { COARSE_IN_FINE = 1 << 28 }; // 2^-26 in 2^-54

void exact_add(Exact* sum, double number, int64_t times) {
    double rounded = number + EXACT_COARSE_MAGIC;
    double rest = number - (rounded - EXACT_COARSE_MAGIC) + EXACT_FINE_MAGIC;
    int64_t coarse = (int64_t)(exact_bits(rounded) - exact_bits(EXACT_COARSE_MAGIC));
    int64_t fine = (int64_t)(exact_bits(rest) - exact_bits(EXACT_FINE_MAGIC));
    *sum += ((Exact)coarse * COARSE_IN_FINE + fine) * times;
}

void exact_add_large_row(Exact* sum, const float* row, int count) {
    for (int i = 0; i < count; i++)
        exact_add(sum, (double)row[i], 1);
}

double exact_value(Exact sum) {
    return (double)sum * 0x1p-54;
}
