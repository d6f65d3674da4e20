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

/// (T1) How much the ground stands above what would stay [m]; 0 if it stays or there is no
/// neighbour.
CELL float thermal_excess(float ground, float low, float next, float next_low, float threshold) {
    bool joined = is_cell(ground) && is_cell(next);
    float excess = ground_above(ground, low, next, next_low) - threshold;
    return joined ? most(excess, 0.0f) : 0.0f;
}

/// (T2) Height that leaves towards a neighbour, per excess towards it.
CELL float thermal_share(float largest, float sum, ThermalConsts c) {
    return sum > 0.0f ? c.strength * largest / sum : 0.0f;
}

#endif
