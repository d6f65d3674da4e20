// SPDX-License-Identifier: MIT
/// Layered ground in one cell: what water can take from a material (L1), (L2).
#ifndef LAYERS_CELL_H
#define LAYERS_CELL_H

#include "cell.h"

/// (L2) Share of what the water would take that its force allows: (tau - tau_c) / tau, with both as
/// squares of a speed [m2/s2]; 0 where it is too weak.
CELL float layer_force(float speed2, float critical2) {
    return speed2 > critical2 ? divide(speed2 - critical2, speed2) : 0.0f;
}

/// What is left to do in a column while its materials are taken one after another.
CELL_STRUCT(Demand) {
    float demand; // per ease of taking [m]; below 0 = nothing was asked yet
    float taken;  // so far [m]
};

CELL Demand layer_demand(float demand) {
    Demand d;
    d.demand = demand;
    d.taken = 0.0f;
    return d;
}

/// (L1) One material of `thickness` [m], which water takes with some `ease` (erodibility times
/// force). `asked` is what the topmost is asked for, per ease. What it cannot give is asked of the
/// next, unless it gives nothing at all.
CELL Demand layer_take(Demand d, float thickness, float asked, float ease) {
    float demand = d.demand < 0.0f ? asked : d.demand;
    float wanted = demand * ease;
    bool runs_out = wanted > thickness;
    Demand next;
    next.taken = runs_out ? thickness : wanted;
    next.demand = runs_out ? demand - divide(thickness, ease) : 0.0f;
    next.demand = thickness > 0.0f ? most(next.demand, cell_zero) : d.demand;
    next.taken = thickness > 0.0f ? next.taken : 0.0f;
    return next;
}

#endif
