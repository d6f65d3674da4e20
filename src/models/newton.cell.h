// SPDX-License-Identifier: MIT
/// The newton law in one cell. Equations (N1) to (N5), (I2) and (I3) are explained in newton.c.
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
    float dry_depth;                         // [m]
    float cell_x, cell_y;                    // [m]
    float across2_x, across2_y, diagonal2;   // squares of the distances to the neighbours [m2]
    float speed_x, speed_y;                  // cell size / dt [m/s]
    int isotropic;                           // bool: (I2) and (I3) take the place of (N2) and (N3)
    float weight_x, weight_y, weight_corner; // of a drop to a neighbour
    float dug;                               // 1 / (2 w_x + 2 w_y + sqrt(32) w)
    float advance;                           // 4/5 l: how far the water of a cell gets [m]
    float least_way;                         // 0.87 l [m]
    float per_side;                          // 1/l [1/m]
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

/// (I2) The velocity of all water that leaves a cell. `x` and `y` are its mean way, `drop` its mean
/// fall, `along` R [m].
CELL Velocity newton_moving(Velocity v, float x, float y, float drop, float along, NewtonConsts c) {
    float keep = most(cell_one - (cell_one - c.keep) * (along * c.per_side), cell_zero);
    float push = divide(c.push * c.per_side * along * drop, along * along + drop * drop);
    Velocity moving;
    moving.x = v.x * keep + push * x;
    moving.y = v.y * keep + push * y;
    moving.z = v.z * keep - push * drop;
    return moving;
}

/// How much of what could still be taken is taken, of what is too much settles, and the most that a
/// portion digs [m].
CELL_STRUCT(NewtonRates) {
    float dissolve, deposit, most_dug;
};

/// (N3), or (I3): `fall` is the drop, there times its weight, and `way` R/l.
CELL NewtonRates newton_rates(float fall, float way, bool isotropic, NewtonConsts c) {
    NewtonRates rates;
    rates.dissolve = isotropic ? least(c.dissolve * way, cell_one) : c.dissolve;
    rates.deposit = isotropic ? least(c.deposit * way, cell_one) : c.deposit;
    rates.most_dug = isotropic ? c.dug * way * fall : 0.125f * fall;
    return rates;
}

/// (N3) What an arriving portion takes from the ground (> 0) or leaves there (< 0) [m]. It digs
/// only where the water can go on.
CELL float newton_taken(float water, float sediment, Velocity v, NewtonRates rates, bool goes_on,
                        NewtonConsts c) {
    float speed = square_root((v.x * v.x + v.y * v.y) + v.z * v.z);
    float room = c.capacity * water * speed - sediment;
    float dug = least(rates.dissolve * room, rates.most_dug);
    return room < 0.0f ? rates.deposit * room : (goes_on ? dug : 0.0f);
}

#endif
