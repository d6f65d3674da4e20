// SPDX-License-Identifier: MIT
/// Soil creep in one cell. Equation (C1) is explained in creep.c.
#ifndef CREEP_CELL_H
#define CREEP_CELL_H

#include "cell.h"

CELL_STRUCT(CreepConsts) {
    float along_x, along_y; // dt * K / cell size^2
};

/// What comes from a neighbour, or goes there where negative [m]; nothing if one of them is no
/// cell.
CELL float creep_from(float ground, float low, float next, float next_low, float along) {
    bool joined = is_cell(ground) && is_cell(next);
    return joined ? along * ground_above(next, next_low, ground, low) : 0.0f;
}

#endif
