// SPDX-License-Identifier: MIT
/// Water that spreads to its lower neighbours, in one cell: what (B3) and (N2) have in common.
/// Levels are ground + water; the outside and nodata cells stand higher than any cell.
#ifndef SPREAD_CELL_H
#define SPREAD_CELL_H

#include "cell.h"

/// How far the level of a cell stands above a neighbour's [m], term by term.
CELL float level_above(float ground, float low, float water, float next, float next_low,
                       float next_water) {
    return ground_above(ground, low, next, next_low) + (water - next_water);
}

/// h - hbar: how far the level stands above the mean of its own and its lower neighbours' [m], from
/// the sum of what it stands above each of them and their number.
CELL float level_above_mean(float sum, float lower) {
    return divide(sum, lower + 1.0f);
}

CELL_STRUCT(SpreadConsts) {
    float relax; // share of the water that could move, and does
    float reach; // share of its level above the mean that it moves down by, or more than any
};

/// Water that leaves a cell [m]; `above_mean` is h - hbar.
CELL float spread_moved(float water, float above_mean, SpreadConsts c) {
    return c.relax * least(water, c.reach * above_mean);
}

/// Water that moves to a neighbour, per metre of level above it.
CELL float spread_share(float moved, float sum) {
    return sum > 0.0f ? divide(moved, sum) : 0.0f;
}

/// Sediment per depth of water, which moves with it.
CELL float concentration(float sediment, float water) {
    return water > 0.0f ? divide(sediment, water) : 0.0f;
}

#endif
