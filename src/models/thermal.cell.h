// SPDX-License-Identifier: MIT
/// Thermal weathering in one cell. Equations (T1) to (T3) are explained in thermal.c.
#ifndef THERMAL_CELL_H
#define THERMAL_CELL_H

#include "cell.h"

/// What the tangent of the talus angle depends on.
typedef enum Talus { UNIFORM, BY_HARDNESS, BY_MATERIAL } Talus;

CELL_STRUCT(ThermalConsts) {
    float tangent;                                   // of the talus angle, without materials
    float hardness_tangent;                          // added times (1 - hardness)
    float strength;                                  // min(1/4, dt * rate) / 2
    float distance_x, distance_y, distance_diagonal; // to the neighbours [m]
    int diagonals;                                   // bool: eight neighbours, not four
    int talus;                                       // Talus
};

/// The tangent above which a cell slides: that of its material, and more where it is hard.
CELL float thermal_tangent(float material, float hardness, ThermalConsts c) {
    return material + c.hardness_tangent * (1.0f - hardness);
}

/// The tangent of a cell whose hardness, or tangent by its material, is `x`.
CELL float thermal_tangent_by(Talus talus, float x, ThermalConsts c) {
    float by_hardness = thermal_tangent(c.tangent, x, c);
    return talus == UNIFORM ? c.tangent : talus == BY_MATERIAL ? x : by_hardness;
}

/// How far the ground stands above a neighbour's [m]; 0 if one of them is no cell, which need not
/// be asked where there are no `walls`.
CELL float thermal_rise(float ground, float low, float next, float next_low, bool walls) {
    bool joined = !walls || are_cells(ground, next);
    return joined ? ground_above(ground, low, next, next_low) : 0.0f;
}

/// (T1) By how much a rise is more than what stays [m]; 0 if it stays.
CELL float thermal_excess(float rise, float threshold) {
    return most(rise - threshold, cell_zero);
}

/// Whether a cell may slide towards one of its lowest neighbours along x, along y and across: never
/// false where (T1) finds an excess, since the rises are off by less than the margin.
CELL bool thermal_may_slide(float ground, float tangent, float lowest_x, float lowest_y,
                            float lowest_diagonal, ThermalConsts c) {
    float x = (ground - lowest_x) - c.distance_x * tangent;
    float y = (ground - lowest_y) - c.distance_y * tangent;
    float diagonal = (ground - lowest_diagonal) - c.distance_diagonal * tangent;
    float margin =
        1e-6f * (ground < 0.0f ? -ground : ground) + 1e-6f * c.distance_diagonal * tangent;
    return most(most(x, y), diagonal) > -margin;
}

/// (T2) Height that leaves the cell [m].
CELL float thermal_slide(float largest, ThermalConsts c) {
    return c.strength * largest;
}

/// (T2) What of it goes towards a neighbour, per excess towards it.
CELL float thermal_share(float slide, float sum) {
    return sum > 0.0f ? divide(slide, sum) : 0.0f;
}

#endif
