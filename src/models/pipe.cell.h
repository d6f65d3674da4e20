// SPDX-License-Identifier: MIT
/// The pipe law in one cell. Equations (P1) to (P10) are explained in pipe.c.
///
/// Outflows are kept as the depth of the cell that leaves in one step, f = dt * flux / area [m]:
/// the limiter, the new depth and the velocity then need no factors.
#ifndef PIPE_CELL_H
#define PIPE_CELL_H

#include "cell.h"

CELL_STRUCT(PipeConsts) {
    float decay; // exp(-friction * dt)
    float push_x,
        push_y; // gravity * dt * T / (length * area) [1/m2]: outflow [m] per area and drop
    float area; // largest cross-section of a pipe [m2]
    float width_x, width_y;             // width of the x and the y pipes [m]
    int corners;                        // bool: eight pipes
    float push_corner;                  // as push_x, of a pipe to a corner, times its weight [1/m2]
    float width_corner;                 // of such a pipe [m]
    float half_x_joined, half_y_joined; // half the weight of a side pipe where corners are joined
    float least_depth;                  // that a pipe is taken for [m]: 0 with film, else infinite
    float speed_x, speed_y;             // cell size / dt [m/s]: velocity per cell and step
    float capacity;                     // Kc [s]
    float min_tilt2;                    // min_tilt^2
    float half_x, half_y;               // 1 / (2 * cell size) [1/m]
    float ramp, ramp_offset;            // 1 / depth_limit, 0; or 0, 1 when off
    float dissolve, deposit;            // min(1, dt * rate)
    float soften;                       // dt * Kh * Ks [1/m]
    float softest;                      // least hardness of what can be eroded
    int exchange_water;                 // bool
    int semi_lagrangian;                // bool
    int softens;                        // bool: soften is above 0
    float evaporated;                   // -Ke * dt: change of the depth, as a share of it
    float dry_depth;                    // [m]; infinite where all evaporates
};

// ---- (P1), (P2) outflow -------------------------------------------------------------------------

/// What a pipe sees at one of its ends.
CELL_STRUCT(Column) {
    float ground, low; // b, a pair [m]
    float water;       // d1 [m]
};

CELL Column column(float ground, float low, float water) {
    Column c;
    c.ground = ground;
    c.low = low;
    c.water = water;
    return c;
}

/// How far the ground stands above that behind a face [m]; WALL if one of them is no cell, which
/// need not be asked where there are no `walls`.
CELL float face_rise(Column here, Column behind, bool walls) {
    bool joined = !walls || are_cells(here.ground, behind.ground);
    return joined ? ground_above(here.ground, here.low, behind.ground, behind.low) : WALL;
}

/// (P1) What gravity adds to the outflow towards the cell behind a face, and takes from the outflow
/// that comes from there [m]; WALL where the rise is.
CELL float face_push(float rise, float water, float water_behind, float width, float push,
                     PipeConsts c) {
    // Both levels over the higher of the two beds: what stands in the pipe.
    float level = water + least(rise, cell_zero);
    float level_behind = water_behind - most(rise, cell_zero);
    float depth = most(most(level, level_behind), c.least_depth);
    float area = least(c.area, width * depth);
    float drop = rise + (water - water_behind); // h - h_n
    return push * area * drop;
}

/// What two cells share.
CELL_STRUCT(Face) {
    float rise, push;
};

CELL Face face_between(Column here, Column behind, float width, float push, bool walls,
                       PipeConsts c) {
    Face face;
    face.rise = face_rise(here, behind, walls);
    face.push = face_push(face.rise, here.water, behind.water, width, push, c);
    return face;
}

/// (P1) An open side is a dry neighbour at the same height.
CELL float open_push(float water, float width, float push, PipeConsts c) {
    return face_push(0.0f, water, 0.0f, width, push, c);
}

/// (P1) Outflow of a pipe before the limiter: none through a wall, which no push is above.
CELL float pipe_outflow(float f, float push, PipeConsts c) {
    return most(f * c.decay + push, cell_zero);
}

/// (P1), eight pipes: half the weight of a side pipe, from the corner at one of its ends, where
/// `push` is that through the corner. Without corner pipes there, it is a half.
CELL float side_weight(float push, float joined) {
    return is_wall(push) ? 0.5f : joined;
}

/// (P2) Share of the outflows that the cell's water allows: 1 also where both are 0.
CELL float pipe_limit(float water, float outflow) {
    return least(divide(water, outflow), cell_one);
}

// ---- (P3), (P4) water and velocity --------------------------------------------------------------

/// Net flows through the four faces, to the right and down, as depth per step [m].
CELL_STRUCT(Faces) {
    float west, east, north, south;
};

/// What flows into a cell through its four faces, less what flows out.
CELL float faces_gain(Faces net) {
    return (net.west - net.east) + (net.north - net.south);
}

/// Net flows through the four corners, as depth per step [m]: down, so to the right through nw and
/// se, to the left through ne and sw.
CELL_STRUCT(Corners) {
    float nw, ne, sw, se;
};

CELL float corners_gain(Corners net) {
    return (net.nw - net.se) + (net.ne - net.sw);
}

/// Twice the mean flow through the cell in its corner pipes, to the right and down.
CELL float corners_right(Corners net) {
    return (net.nw + net.se) - (net.ne + net.sw);
}

CELL float corners_down(Corners net) {
    return (net.nw + net.se) + (net.ne + net.sw);
}

/// (P3)
CELL Pair pipe_depth(float water, float low, float gain) {
    return pair_not_negative(pair_add(water, low, gain));
}

/// (P4) One over twice the mean depth [1/m]; 0 where the water is too thin to have a velocity.
CELL float pipe_thinness(float d1, float d2) {
    float twice_mean = d1 + d2;
    return twice_mean > 2e-4f ? divide(1.0f, twice_mean) : 0.0f;
}

/// (P4) Velocity along one axis in cells per step: through-flow over the mean of both depths, |.|
/// <= 1.
CELL float pipe_move(float through, float thinness) {
    return clamped(through * thinness, -cell_one, cell_one);
}

/// Discharge per width [m2/s], for the flow mask, from twice the mean flows through the cell.
CELL float pipe_discharge(float through_x, float through_y, PipeConsts c) {
    float x = 0.5f * through_x * c.speed_x; // Wx / ly
    float y = 0.5f * through_y * c.speed_y; // Wy / lx
    return square_root(squared(x) + squared(y));
}

/// (P4) Square of the speed [m2/s2].
CELL float pipe_speed2(float move_x, float move_y, PipeConsts c) {
    float u = move_x * c.speed_x;
    float v = move_y * c.speed_y;
    return squared(u) + squared(v);
}

// ---- (P5), (P6) capacity ------------------------------------------------------------------------

/// (P5) Slope along one axis from the rises to the cell and from the cell: central difference,
/// one-sided at a wall, 0 between two.
CELL float pipe_slope(float rise_to, float rise_from, float per_two, bool walls) {
    float to = walls && is_wall(rise_to) ? rise_from : rise_to;
    float from = walls && is_wall(rise_from) ? rise_to : rise_from;
    float slope = (to + from) * per_two;
    return walls && is_wall(slope) ? 0.0f : slope;
}

/// (P5) sin^2(alpha) = g^2 / (1 + g^2), at least min_tilt^2.
CELL float pipe_sin2(float slope_x, float slope_y, PipeConsts c) {
    float grad2 = squared(slope_x) + squared(slope_y);
    return most(divide(grad2, 1.0f + grad2), c.min_tilt2);
}

/// (P5) from the rises across the four faces.
CELL float pipe_tilt(float west, float east, float north, float south, bool walls, PipeConsts c) {
    float slope_x = pipe_slope(west, east, c.half_x, walls);
    float slope_y = pipe_slope(north, south, c.half_y, walls);
    return pipe_sin2(slope_x, slope_y, c);
}

/// (P6) sin(alpha) * |v| [m/s], from squares, so that one root is enough.
CELL float pipe_strength(float sin2, float speed2) {
    return square_root(flushed_product(sin2, speed2));
}

/// (P6) Kc * sin(alpha) * |v| * ramp.
CELL float pipe_capacity(float strength, float d2, PipeConsts c) {
    float ramp = least(cell_one, d2 * c.ramp + c.ramp_offset);
    return c.capacity * ramp * strength;
}

// ---- (P7), (P8) erosion -------------------------------------------------------------------------

/// (P7) What the water takes from the ground (> 0) or leaves there (< 0) [m].
CELL float pipe_taken(float carried, float can_carry, float hardness, PipeConsts c) {
    float room = can_carry - carried;
    return room * (room > 0.0f ? c.dissolve * hardness : c.deposit);
}

/// (P7) Water that comes with what was taken [m]: the same amount, but no more than there is.
CELL float pipe_exchanged(float taken, float water) {
    return most(taken, -water);
}

/// (P8) With the sediment after (P7).
CELL float pipe_soften(float hardness, float carried, float can_carry, PipeConsts c) {
    float softer = clamped(hardness - c.soften * (carried - can_carry), c.softest, cell_one);
    return hardness > 0.0f ? softer : 0.0f;
}

// ---- (P9) transport -----------------------------------------------------------------------------

/// Flux transport: sediment per depth of water, which travels with the outflows.
CELL float pipe_concentration(float sediment, float d1) {
    return d1 > 0.0f ? divide(sediment, d1) : 0.0f;
}

/// (P9), flux: sediment that crosses a face, to the right or down [m]: what flows out of the cell
/// before it less what flows back.
CELL float pipe_carried(float before, float outflow, float after, float outflow_back) {
    return before * outflow - after * outflow_back;
}

/// What is carried where there is nothing to carry from: in nodata cells, and outside.
#define CARRIED_NOWHERE -1.0f

CELL float pipe_weight(float carried, float weight, bool walls) {
    return !walls || carried >= 0.0f ? weight : 0.0f;
}

/// Semi-Lagrangian transport: what is carried where the water came from, which is between the cell
/// and the neighbours upstream along x, along y and on the diagonal. Nodata cells have no weight,
/// which need not be asked where there are no `walls`.
CELL float pipe_upstream(float here, float along_x, float along_y, float diagonal, float move_x,
                         float move_y, bool walls) {
    float wx = most(move_x, -move_x), wy = most(move_y, -move_y);
    float all_here = (1.0f - wx) * (1.0f - wy);
    float all_x = wx * (1.0f - wy);
    float all_y = (1.0f - wx) * wy;
    float all_diagonal = wx * wy;
    float w_here = pipe_weight(here, all_here, walls);
    float w_x = pipe_weight(along_x, all_x, walls);
    float w_y = pipe_weight(along_y, all_y, walls);
    float w_diagonal = pipe_weight(diagonal, all_diagonal, walls);
    float total = (all_here + all_diagonal) + (all_x + all_y);
    float weight = (w_here + w_diagonal) + (w_x + w_y);
    float sum = (w_here * here + w_diagonal * diagonal) + (w_x * along_x + w_y * along_y);
    float scaled = weight > 0.0f ? divide(sum, weight) : most(here, cell_zero);
    return !walls || weight == total ? sum : scaled;
}

// ---- (P10) drying -------------------------------------------------------------------------------

/// The sediment that settles, since its water is gone.
CELL float pipe_dropped(float sediment, float kept, PipeConsts c) {
    return kept >= c.dry_depth ? 0.0f : sediment;
}

#endif
