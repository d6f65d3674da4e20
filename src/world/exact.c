// SPDX-License-Identifier: MIT
#include "exact.h"

#include <math.h>

const double exact_fine_magic = EXACT_FINE_MAGIC;

void exact_add(Exact* sum, double number, int64_t times) {
    if (!(fabs(number) < 0x1p54)) return; // of an unstable run, whose sums mean nothing
    *sum += (Exact)(number * 0x1p72) * times;
}

double exact_value(Exact sum) {
    return (double)sum * 0x1p-72;
}
