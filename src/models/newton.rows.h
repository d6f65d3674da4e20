// SPDX-License-Identifier: MIT
/// The newton law: passes over rows. Equations (N1) to (N5), (I2) and (I3) are explained in newton.c.
#ifndef NEWTON_ROWS_H
#define NEWTON_ROWS_H

#include "evaporation.rows.h"
#include "newton.cell.h"
#include "row.h"
#include "spread.rows.h"

enum {
    VELOCITY_Z = SPREAD_FIELDS, // upwards [m/s]
    GROUND_CHANGE,              // [m]
    WATER_CHANGE,               // [m]
    NEW_X,                      // velocity after the step [m/s]
    NEW_Y,
    NEW_Z,
    MOVING_X, // (I2): velocity of what leaves the cell [m/s]
    MOVING_Y,
    MOVING_Z,
    WAY, // R/l
};

/// (N1)
ROW_FUNCTION void evaporate_row(const PassRow* row) {
    const NewtonConsts c = *CONSTS(NewtonConsts, row);
    evaporate(row, c.evaporated, c.dry_now);
}

/// The way from a neighbour to the cell [m].
INLINE void ways(NewtonConsts c, float x[NEIGHBOURS], float y[NEIGHBOURS],
                 float length2[NEIGHBOURS]) {
    EACH_NEIGHBOUR(n) {
        x[n] = -offset_x[n] * c.cell_x;
        y[n] = -offset_y[n] * c.cell_y;
        length2[n] = n < N ? c.across2_x : n < NW ? c.across2_y : c.diagonal2;
    }
}

/// The weight of a drop to each neighbour (I2).
INLINE void weights(NewtonConsts c, float weight[NEIGHBOURS]) {
    EACH_NEIGHBOUR(n) weight[n] = n < N ? c.weight_x : n < NW ? c.weight_y : c.weight_corner;
}

/// (I2) in the cells of a row: shares, and how fast and how far the water goes.
INLINE void spread_alike(const PassRow* row) {
    const NewtonConsts c = *CONSTS(NewtonConsts, row);
    const Levels levels = levels_of(row);
    const Openings openings = openings_of(row, row->scratch[0], row->scratch[1]);
    const float *d = row->in[WATER][HERE], *s = row->in[SEDIMENT][HERE];
    const float *vx = row->in[VELOCITY_X][HERE], *vy = row->in[VELOCITY_Y][HERE];
    const float* vz = row->in[VELOCITY_Z][HERE];
    float *share = row->out[SHARE], *carried = row->out[CARRIED], *way = row->out[WAY];
    float *moving_x = row->out[MOVING_X], *moving_y = row->out[MOVING_Y];
    float* moving_z = row->out[MOVING_Z];
    float weight[NEIGHBOURS];
    weights(c, weight);
    EACH_CELL(i, row) {
        float drops[NEIGHBOURS], fall[NEIGHBOURS], back[NEIGHBOURS], squares[NEIGHBOURS];
        drops_around(levels, i, drops);
        EACH_NEIGHBOUR(n) {
            float drop = most(drops[n], cell_zero);
            fall[n] = weight[n] * drop;
            back[n] = -fall[n];
            squares[n] = fall[n] * drop;
        }
        const Lower lower = lower_of(drops, d[i], openings.count[i]);
        const bool wet = d[i] > 0.0f;
        const float sum = sum_of(fall) + openings.count[i] * d[i];
        const float per_sum = wet && sum > 1e-30f ? divide(1.0f, sum) : 0.0f;
        const Through mean = through_flow(back, d[i], openings.x[i], openings.y);
        const float x = 2.0f * c.cell_x * mean.x * per_sum, y = 2.0f * c.cell_y * mean.y * per_sum;
        const float square = sum_of(squares) + openings.count[i] * d[i] * d[i];
        const float drop = wet ? square * per_sum : 0.0f;
        const float along = most(square_root(x * x + y * y), c.least_way);
        const float level = spread_moved(d[i], level_above_mean(lower.sum, lower.count), c.spread);
        Velocity v = {vx[i], vy[i], vz[i]};
        v = newton_moving(v, x, y, drop, along, c);
        share[i] = least(level, divide(d[i] * c.advance, along)) * per_sum;
        carried[i] = concentration(s[i], d[i]);
        way[i] = along * c.per_side;
        moving_x[i] = v.x;
        moving_y[i] = v.y;
        moving_z[i] = v.z;
    }
    count_spread(row, openings, share, carried);
}

/// (N2) or (I2): what leaves the cells of a row.
ROW_FUNCTION void fall_row(const PassRow* row) {
    if (KNOWN(ISOTROPIC, CONSTS(NewtonConsts, row)->isotropic))
        spread_alike(row);
    else
        spread_row(row);
}

/// Velocities around the cells of a row; with (I2) of what leaves them, and its way.
typedef struct VelocityRows {
    Around x, y, z, way;
} VelocityRows;

INLINE VelocityRows velocity_rows(const PassRow* row, bool isotropic) {
    const VelocityRows rows = {rows_of(row, isotropic ? MOVING_X : VELOCITY_X),
                               rows_of(row, isotropic ? MOVING_Y : VELOCITY_Y),
                               rows_of(row, isotropic ? MOVING_Z : VELOCITY_Z),
                               rows_of(row, isotropic ? WAY : SHARE)};
    return rows;
}

INLINE void velocities_around(VelocityRows rows, int i, float x[NEIGHBOURS], float y[NEIGHBOURS],
                              float z[NEIGHBOURS]) {
    around(rows.x, i, x);
    around(rows.y, i, y);
    around(rows.z, i, z);
}

/// The discharge per width of a flow through a cell [m2/s], for the flow mask.
CELL float newton_discharge(Through q, NewtonConsts c) {
    float x = q.x * c.speed_x, y = q.y * c.speed_y;
    return square_root(squared(x) + squared(y));
}

/// (N2) to (N4) in the cells of a row: what comes and what stays. `flow` and `isotropic` are known
/// when this is compiled: whether the flow mask is wanted, and whether it is (I2) and (I3).
ALWAYS_INLINE void arrive(const PassRow* row, float* dug, float* left, bool flow, bool isotropic) {
    const NewtonConsts c = *CONSTS(NewtonConsts, row);
    const Levels levels = levels_of(row);
    const Around shares = rows_of(row, SHARE), carrieds = rows_of(row, CARRIED);
    const VelocityRows velocity = velocity_rows(row, isotropic);
    const VelocityRows here = velocity_rows(row, false);
    const Openings openings = openings_of(row, row->scratch[0], row->scratch[1]);
    const float* d = row->in[WATER][HERE];
    float *s = row->out[SEDIMENT], *mask = row->out[FLOW];
    float *ground_change = row->out[GROUND_CHANGE], *water_change = row->out[WATER_CHANGE];
    float *new_x = row->out[NEW_X], *new_y = row->out[NEW_Y], *new_z = row->out[NEW_Z];
    float way_x[NEIGHBOURS], way_y[NEIGHBOURS], length2[NEIGHBOURS], weight[NEIGHBOURS];
    weights(c, weight);
    ways(c, way_x, way_y, length2);
    EACH_CELL(i, row) {
        float drops[NEIGHBOURS], share[NEIGHBOURS], carried[NEIGHBOURS];
        float vx[NEIGHBOURS], vy[NEIGHBOURS], vz[NEIGHBOURS];
        float ins[NEIGHBOURS], outs[NEIGHBOURS], water[NEIGHBOURS], sediment[NEIGHBOURS];
        float taken[NEIGHBOURS], settled[NEIGHBOURS], way[NEIGHBOURS];
        drops_around(levels, i, drops);
        around(shares, i, share);
        around(carrieds, i, carried);
        velocities_around(velocity, i, vx, vy, vz);
        around(velocity.way, i, way);
        const float leaves = shares.here[i] * d[i], all_leave = leaves * openings.count[i];
        const bool goes_on = largest_of(drops) > 0.0f || openings.count[i] * d[i] > 0.0f;
        EACH_NEIGHBOUR(n) {
            float drop = most(-drops[n], cell_zero); // of what comes from there
            float fall = isotropic ? weight[n] * drop : drop, to = most(drops[n], cell_zero);
            float in = share[n] * fall, out = shares.here[i] * (isotropic ? weight[n] * to : to);
            float with_it = carried[n] * in;
            Velocity v = {vx[n], vy[n], vz[n]};
            if (!isotropic) v = newton_accelerated(v, drop, way_x[n], way_y[n], length2[n], c);
            const NewtonRates rates = newton_rates(fall, way[n], isotropic, c);
            float e = newton_taken(in, with_it, v, rates, goes_on, c);
            taken[n] = most(e, cell_zero);
            settled[n] = most(-e, cell_zero);
            ins[n] = in;
            outs[n] = out;
            water[n] = in - out;
            sediment[n] = with_it - carrieds.here[i] * out;
            vx[n] = in * v.x;
            vy[n] = in * v.y;
            vz[n] = in * v.z;
        }
        float kept = most(d[i] - (sum_of(outs) + all_leave), cell_zero);
        float now = kept + sum_of(ins), per_water = now > 0.0f ? divide(1.0f, now) : 0.0f;
        dug[i] = sum_of(taken);
        left[i] = sum_of(settled) + (shares.here[i] > 0.0f ? 0.0f : c.pit_deposit * s[i]);
        water_change[i] = sum_of(water) - all_leave;
        ground_change[i] = left[i] - dug[i];
        float moved = (sum_of(sediment) - carrieds.here[i] * all_leave) - ground_change[i];
        s[i] = most(s[i] + moved, cell_zero);
        new_x[i] = (kept * here.x.here[i] + sum_of(vx)) * per_water;
        new_y[i] = (kept * here.y.here[i] + sum_of(vy)) * per_water;
        new_z[i] = (kept * here.z.here[i] + sum_of(vz)) * per_water;
        if (flow)
            mask[i] += newton_discharge(through_flow(water, leaves, openings.x[i], openings.y), c);
    }
}

/// Adds a row to a mask, if there is one, and to the budget.
INLINE void count_ground(const PassRow* row, int mask, Account account, const float* numbers) {
    float* sum = row->out[mask];
    if (sum) EACH_CELL(i, row) sum[i] += numbers[i];
    count_row(row, account, numbers);
}

ROW_FUNCTION void arrive_row(const PassRow* row) {
    float *dug = row->scratch[2], *left = row->scratch[3];
    const bool isotropic = KNOWN(ISOTROPIC, CONSTS(NewtonConsts, row)->isotropic);
    if (row->out[FLOW])
        isotropic ? arrive(row, dug, left, true, true) : arrive(row, dug, left, true, false);
    else
        isotropic ? arrive(row, dug, left, false, true) : arrive(row, dug, left, false, false);
    count_ground(row, WEAR, SOLID_ERODED, dug);
    count_ground(row, DEPOSIT, SOLID_DEPOSITED, left);
}

/// (N5)
ROW_FUNCTION void settle_row(const PassRow* row) {
    const NewtonConsts c = *CONSTS(NewtonConsts, row);
    const float* ground_change = row->in[GROUND_CHANGE][HERE];
    const float* water_change = row->in[WATER_CHANGE][HERE];
    const float *new_x = row->in[NEW_X][HERE], *new_y = row->in[NEW_Y][HERE];
    const float* new_z = row->in[NEW_Z][HERE];
    float *b = row->out[GROUND], *b_low = row->out[GROUND_LOW], *s = row->out[SEDIMENT];
    float *d = row->out[WATER], *d_low = row->out[WATER_LOW];
    float *vx = row->out[VELOCITY_X], *vy = row->out[VELOCITY_Y], *vz = row->out[VELOCITY_Z];
    float *gone = row->scratch[0], *settled = row->scratch[1];
    EACH_CELL(i, row) {
        Pair water = pair_not_negative(pair_add(d[i], d_low[i], water_change[i]));
        bool wet = water.value >= c.dry_depth;
        gone[i] = wet ? 0.0f : water.value + water.low;
        settled[i] = wet ? 0.0f : s[i];
        d[i] = wet ? water.value : 0.0f;
        d_low[i] = wet ? water.low : 0.0f;
        s[i] = wet ? s[i] : 0.0f;
        Pair ground = pair_add(b[i], b_low[i], ground_change[i] + settled[i]);
        b[i] = ground.value;
        b_low[i] = ground.low;
        vx[i] = wet ? new_x[i] : 0.0f;
        vy[i] = wet ? new_y[i] : 0.0f;
        vz[i] = wet ? new_z[i] : 0.0f;
    }
    count_row(row, WATER_EVAPORATED, gone);
    count_ground(row, DEPOSIT, SOLID_DEPOSITED, settled);
}

#endif
