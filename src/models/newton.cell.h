/// The newton law in one cell. Equations (N1) to (N5) are explained in newton.c.
#ifndef NEWTON_CELL_H
#define NEWTON_CELL_H

#include "spread.cell.h"

CELL_STRUCT(NewtonConsts) {
    SpreadConsts spread;
    float evaporated; // KE - 1: change of the depth, as a share of it
    float dry_now;    // water below this is gone after (N1) [m]: 0, or infinite if KE is 0
    float keep;       // 1 - KA: velocity that moving water keeps
    float push;       // gravity * dt [m/s]
    float capacity;   // KC [s/m]
    float deposit, dissolve, pit_deposit;
    float dry_depth;                       // [m]
    float cell_x, cell_y;                  // [m]
    float across2_x, across2_y, diagonal2; // squares of the distances to the neighbours [m2]
    float speed_x, speed_y;                // cell size / dt [m/s]
};

/// A velocity, x to the right, y down the grid, z up [m/s].
CELL_STRUCT(Velocity) {
    float x, y, z;
};

/// (N2) The velocity of water that falls by `drop` [m] on its way along (x, y) [m].
CELL Velocity newton_accelerated(Velocity v, float drop, float x, float y, float distance2,
                                 NewtonConsts c) {
    float push = divide(c.push * drop, distance2 + drop * drop);
    Velocity faster;
    faster.x = v.x * c.keep + push * x;
    faster.y = v.y * c.keep + push * y;
    faster.z = v.z * c.keep - push * drop;
    return faster;
}

/// (N3) What an arriving portion takes from the ground (> 0) or leaves there (< 0) [m]. It digs
/// only where the water can go on.
CELL float newton_taken(float water, float sediment, Velocity v, float drop, bool goes_on,
                        NewtonConsts c) {
    float speed = square_root((v.x * v.x + v.y * v.y) + v.z * v.z);
    float room = c.capacity * water * speed - sediment;
    float dug = least(c.dissolve * room, 0.125f * drop);
    return room < 0.0f ? c.deposit * room : (goes_on ? dug : 0.0f);
}

#endif
