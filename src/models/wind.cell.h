// SPDX-License-Identifier: MIT
/// Wind in one cell. Equations (E1) to (E7) are explained in wind.c.
#ifndef WIND_CELL_H
#define WIND_CELL_H

#include "cell.h"

CELL_STRUCT(WindConsts) {
    float share_x, share_y;   // px, py: of up(f), from the neighbours upwind in x and in y
    float all_x, less_x;      // (E6) what hops along x is all_x a - less_x a
    float all_y, less_y;      // and along y
    float fall;               // H tan(shadow): how much a shadow sinks in a hop [m]
    float memory;             // exp(-H / reach)
    float speedup;            // per metre above the ground upwind [1/m]
    float most_inverse;       // one over the most that wind speeds up
    float calm_inverse;       // one over the depth of shadow in which air is calm [1/m]
    float threshold2;         // square of the speed that lifts sand
    float capacity;           // [m]
    float saturates;          // 1 - exp(-H / saturation)
    float settles;            // how much more: 1 - exp(-H / settle) less that
    float reptation;          //
    float across_x, across_y; // one over the cell size [1/m]
    float bedrock;            // height below which there is no sand, without materials [m]
    int to_east, to_south;    // bool: where the wind blows to
    int materials;
};

// ---- the air ------------------------------------------------------------------------------------

/// A height that is kept from the last hop in the cell upwind, or where none is known yet its
/// ground, above the ground here [m]; 0 if that is no cell.
CELL float wind_above(float kept, float kept_low, bool known, float ground_up, float low_up,
                      float ground, float low) {
    float value = known ? kept : ground_up;
    float rest = known ? kept_low : low_up;
    float above = ground_above(value, rest, ground, low);
    return is_cell(ground_up) ? above : 0.0f;
}

/// (E1) w' above the ground [m].
CELL float wind_shelter(float above_x, float above_y, WindConsts c) {
    float upwind = c.share_x * above_x + c.share_y * above_y;
    return most(upwind - c.fall, cell_zero);
}

/// (E2) m' above the ground [m].
CELL float wind_upwind(float above_x, float above_y, WindConsts c) {
    float upwind = c.share_x * above_x + c.share_y * above_y;
    return c.memory * upwind;
}

/// (E3) The speed of the wind, 1 over a plain.
CELL float wind_speed(float shelter, float upwind, WindConsts c) {
    float q = -c.speedup * upwind;
    q = divide(q, 1.0f + most(q, cell_zero) * c.most_inverse);
    float calm = most(1.0f - shelter * c.calm_inverse, cell_zero);
    return most(1.0f + q, cell_zero) * calm;
}

/// (E4) What it can carry [m].
CELL float wind_capacity(float speed, WindConsts c) {
    return c.capacity * most(speed * speed - c.threshold2, cell_zero) * speed;
}

// ---- sand ---------------------------------------------------------------------------------------

/// Sand that lies on the bedrock, in ground without materials [m].
CELL float wind_sand(float ground, float low, WindConsts c) {
    return most(ground_above(ground, low, c.bedrock, cell_zero), cell_zero);
}

/// (E5) What the wind takes from the ground, or leaves there where negative [m].
CELL float wind_taken(float can_carry, float airborne, float shelter, float sand, bool wet,
                      WindConsts c) {
    float room = can_carry - airborne;
    float calm = least(shelter * c.calm_inverse, cell_one);
    float settled = c.saturates + c.settles * calm;
    float wanted = room * (room < 0.0f ? settled : c.saturates);
    return least(wanted, wet ? 0.0f : sand);
}

/// (E6) The parts of what hops that go along x and along y: together all of it, to the bit.
CELL float wind_along_x(float moves, WindConsts c) {
    return c.all_x * moves - c.less_x * moves;
}

CELL float wind_along_y(float moves, WindConsts c) {
    return c.all_y * moves - c.less_y * moves;
}

/// (E7) What rolls down a drop to a neighbour [m]: `rate` of each slope, at most `limit`.
CELL float wind_rolls(float rate, float drop, float across, float limit) {
    return least(rate * most(drop, cell_zero) * across, limit);
}

#endif
