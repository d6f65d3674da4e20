// SPDX-License-Identifier: MIT
/// Rounding to half precision: the constants of the pass. half_round is in half.h.
#ifndef HALF_CELL_H
#define HALF_CELL_H

#include "cell.h"
#include "half.h"

/// Which fields are rounded.
CELL_STRUCT(HalfConsts) {
    int common; // bool: those of HALF_FIELDS
    int own;    // a bit for each of a law's own fields
};

#endif
