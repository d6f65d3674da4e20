/// Exact sums: what the budget counts does not depend on the order of adding, so not on tiles or
/// threads.
///
/// A number is split into whole multiples of 2^-26 and of 2^-72, which are added as integers. Good
/// for numbers below 2^25 in size; what is smaller than 2^-72 (2e-22 m) is rounded away. Sums have
/// no bound that a world could reach.
#ifndef EXACT_H
#define EXACT_H

#include <stdint.h>

__extension__ typedef __int128 Wide;

typedef struct Exact {
    Wide coarse;  // in 2^-26
    int64_t fine; // in 2^-72; from 0 to 2^46 - 1
} Exact;

/// Adds `times` times a number (negative: takes it away).
void exact_add(Exact* sum, double number, int64_t times);

/// Adds every number of a row.
void exact_add_row(Exact* sum, const float* row, int count);

/// Adds another sum, `times` being 1, or takes it away, `times` being -1.
void exact_merge(Exact* sum, const Exact* other, int times);

double exact_value(const Exact* sum);

#endif
