// SPDX-License-Identifier: MIT
/// Water that evaporates, in one cell: what (P10), (B5) and (N1) share.
#ifndef EVAPORATION_CELL_H
#define EVAPORATION_CELL_H

#include "cell.h"

/// What is left of a depth that changes by a share of it (-1 to 0); nothing below `dry` [m].
CELL Pair evaporated(float depth, float low, float change, float dry) {
    Pair left = pair_add_less(depth, low, depth * change);
    bool wet = left.value >= dry;
    Pair kept;
    kept.value = wet ? left.value : 0.0f;
    kept.low = wet ? left.low : 0.0f;
    return kept;
}

#endif
