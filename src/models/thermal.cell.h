/// Thermal weathering in one cell. Equations (T1) to (T3) are explained in thermal.c.
#ifndef THERMAL_CELL_H
#define THERMAL_CELL_H

#include "cell.h"

CELL_STRUCT(ThermalConsts) {
    float tangent;                                   // of the talus angle
    float hardness_tangent;                          // added times (1 - hardness)
    float strength;                                  // min(1/4, dt * rate) / 2
    float distance_x, distance_y, distance_diagonal; // to the neighbours [m]
    bool diagonals;                                  // eight neighbours
};

/// The tangent above which a cell slides.
CELL float thermal_tangent(float hardness, ThermalConsts c) {
    return c.tangent + c.hardness_tangent * (1.0f - hardness);
}

/// How far the ground stands above a neighbour's [m]; 0 if one of them is no cell, which need not be
/// asked where there are no `walls`.
CELL float thermal_rise(float ground, float low, float next, float next_low, bool walls) {
    bool joined = !walls || (is_cell(ground) && is_cell(next));
    return joined ? ground_above(ground, low, next, next_low) : 0.0f;
}

/// (T1) By how much a rise is more than what stays [m]; 0 if it stays.
CELL float thermal_excess(float rise, float threshold) {
    return most(rise - threshold, cell_zero);
}

/// (T2) Height that leaves the cell [m].
CELL float thermal_slide(float largest, ThermalConsts c) {
    return c.strength * largest;
}

/// (T2) What of it goes towards a neighbour, per excess towards it.
CELL float thermal_share(float slide, float sum) {
    return sum > 0.0f ? slide / sum : 0.0f;
}

#endif
