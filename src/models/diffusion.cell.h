// SPDX-License-Identifier: MIT
/// The diffusion law in one cell. Equations (B2) to (B6) are explained in diffusion.c.
#ifndef DIFFUSION_CELL_H
#define DIFFUSION_CELL_H

#include "spread.cell.h"

CELL_STRUCT(DiffusionConsts) {
    SpreadConsts spread;
    float dissolve;         // dt * Kd
    float saturation;       // Ks
    float mixed;            // relax / 9
    float evaporated;       // exp(-Ke * dt) - 1: change of the depth, as a share of it
    float dry_threshold;    // T [m]
    float speed_x, speed_y; // cell size / dt [m/s]: velocity per cell and step
};

/// (B2) What the water dissolves [m].
CELL float diffusion_dissolved(float water, float sediment, DiffusionConsts c) {
    return least(c.dissolve * water, most(c.saturation * water - sediment, cell_zero));
}

/// (B4) Sediment that comes from a neighbour (< 0: goes there) [m]; none if one of them is dry.
CELL float diffusion_mixed(float carried, float water, float next_carried, float next_water,
                           DiffusionConsts c) {
    return c.mixed * (next_carried - carried) * least(water, next_water);
}

/// (B6) What is more than the water can hold [m].
CELL float diffusion_excess(float water, float sediment, DiffusionConsts c) {
    return most(sediment - c.saturation * water, cell_zero);
}

/// Velocity along one axis [m/s] from the discharge per width [m2/s]; 0 where the water is too thin
/// to have one.
CELL float diffusion_velocity(float discharge, float water) {
    return water > 1e-4f ? divide(discharge, water) : 0.0f;
}

#endif
