// SPDX-License-Identifier: MIT
/// The diffusion law: passes over rows. Equations (B2) to (B6) are explained in diffusion.c.
#ifndef DIFFUSION_ROWS_H
#define DIFFUSION_ROWS_H

#include "diffusion.cell.h"
#include "evaporation.rows.h"
#include "row.h"
#include "spread.rows.h"

enum { CHANGE = SPREAD_FIELDS }; // of the water [m]

// ---- erode and deposit --------------------------------------------------------------------------

/// Adds what is in a row to the ground, and takes it from the sediment; `direction` -1: the other
/// way round.
/// Also where that is nothing: the remainder of a pair that was rounded, or that is near the
/// smallest numbers there are, may still move into its value. So no row may be left out.
INLINE void settle(const PassRow* row, const float* settled, float direction) {
    float *b = row->out[GROUND], *low = row->out[GROUND_LOW];
    float *s = row->out[SEDIMENT], *s_low = row->out[SEDIMENT_LOW];
    EACH_CELL(i, row) {
        Pair ground = pair_add(b[i], low[i], direction * settled[i]);
        b[i] = ground.value;
        low[i] = ground.low;
        Pair sediment = pair_not_negative(pair_add(s[i], s_low[i], -direction * settled[i]));
        s[i] = sediment.value;
        s_low[i] = sediment.low;
    }
}

INLINE void add_to_mask(const PassRow* row, int mask, const float* numbers) {
    float* sum = row->out[mask];
    if (sum) EACH_CELL(i, row) sum[i] += numbers[i];
}

/// (B2)
ROW_FUNCTION void erode_row(const PassRow* row) {
    const DiffusionConsts c = *CONSTS(DiffusionConsts, row);
    const float *d = row->in[WATER][HERE], *s = row->in[SEDIMENT][HERE];
    float* taken = row->scratch[0];
    EACH_CELL(i, row) taken[i] = diffusion_dissolved(d[i], s[i], c);
    settle(row, taken, -1);
    add_to_mask(row, WEAR, taken);
    count_row(row, SOLID_ERODED, taken);
}

/// (B6)
ROW_FUNCTION void deposit_row(const PassRow* row) {
    const DiffusionConsts c = *CONSTS(DiffusionConsts, row);
    const float *d = row->in[WATER][HERE], *s = row->in[SEDIMENT][HERE];
    float* left = row->scratch[0];
    EACH_CELL(i, row) left[i] = diffusion_excess(d[i], s[i], c);
    settle(row, left, 1);
    add_to_mask(row, DEPOSIT, left);
    count_row(row, SOLID_DEPOSITED, left);
}

// ---- transport ----------------------------------------------------------------------------------

/// (B3) What comes from each neighbour less what goes there. `flow` is known when this is compiled:
/// whether the flow through the cells is wanted.
ALWAYS_INLINE void move(const PassRow* row, bool flow) {
    const DiffusionConsts c = *CONSTS(DiffusionConsts, row);
    const Levels levels = levels_of(row);
    const Around shares = rows_of(row, SHARE), carrieds = rows_of(row, CARRIED);
    const Openings openings = openings_of(row, row->scratch[0], row->scratch[1]);
    const float* d = row->in[WATER][HERE];
    float *s = row->out[SEDIMENT], *s_low = row->out[SEDIMENT_LOW], *change = row->out[CHANGE];
    float *flow_x = row->scratch[2], *flow_y = row->scratch[3];
    EACH_CELL(i, row) {
        float drops[NEIGHBOURS], share[NEIGHBOURS], carried[NEIGHBOURS];
        float water[NEIGHBOURS], sediment[NEIGHBOURS];
        drops_around(levels, i, drops);
        around(shares, i, share);
        around(carrieds, i, carried);
        EACH_NEIGHBOUR(n) {
            float out = shares.here[i] * most(drops[n], cell_zero);
            float in = share[n] * most(-drops[n], cell_zero);
            water[n] = in - out;
            sediment[n] = carried[n] * in - carrieds.here[i] * out;
        }
        float leaves = shares.here[i] * d[i];
        float all_leave = leaves * openings.count[i];
        change[i] = sum_of(water) - all_leave;
        float comes = sum_of(sediment) - carrieds.here[i] * all_leave;
        Pair sum = pair_not_negative(pair_add(s[i], s_low[i], comes));
        s[i] = sum.value;
        s_low[i] = sum.low;
        if (flow) {
            Through q = through_flow(water, leaves, openings.x[i], openings.y);
            flow_x[i] = q.x * c.speed_x;
            flow_y[i] = q.y * c.speed_y;
        }
    }
}

/// The mask of the flow, and its velocity in what is deep enough to have one.
INLINE void keep_flow(const PassRow* row, const float* flow_x, const float* flow_y) {
    const float* d = row->in[WATER][HERE];
    float *mask = row->out[FLOW], *u = row->out[VELOCITY_X], *v = row->out[VELOCITY_Y];
    if (mask) EACH_CELL(i, row) mask[i] += square_root(squared(flow_x[i]) + squared(flow_y[i]));
    if (u) EACH_CELL(i, row) u[i] = diffusion_velocity(flow_x[i], d[i]);
    if (v) EACH_CELL(i, row) v[i] = diffusion_velocity(flow_y[i], d[i]);
}

ROW_FUNCTION void move_row(const PassRow* row) {
    if (row->out[FLOW] || row->out[VELOCITY_X]) {
        move(row, true);
        keep_flow(row, row->scratch[2], row->scratch[3]);
    } else {
        move(row, false);
    }
}

ROW_FUNCTION void level_row(const PassRow* row) {
    const float* change = row->in[CHANGE][HERE];
    float *d = row->out[WATER], *low = row->out[WATER_LOW];
    EACH_CELL(i, row) {
        Pair water = pair_not_negative(pair_add(d[i], low[i], change[i]));
        d[i] = water.value;
        low[i] = water.low;
    }
}

// ---- mix ----------------------------------------------------------------------------------------

ROW_FUNCTION void concentrate_row(const PassRow* row) {
    const float *d = row->in[WATER][HERE], *s = row->in[SEDIMENT][HERE];
    float* carried = row->out[CARRIED];
    EACH_CELL(i, row) carried[i] = concentration(s[i], d[i]);
}

/// (B4)
ROW_FUNCTION void mix_row(const PassRow* row) {
    const DiffusionConsts c = *CONSTS(DiffusionConsts, row);
    const Around carrieds = rows_of(row, CARRIED), waters = rows_of(row, WATER);
    float *s = row->out[SEDIMENT], *s_low = row->out[SEDIMENT_LOW];
    EACH_CELL(i, row) {
        float carried[NEIGHBOURS], water[NEIGHBOURS], comes[NEIGHBOURS];
        around(carrieds, i, carried);
        around(waters, i, water);
        EACH_NEIGHBOUR(n) {
            comes[n] = diffusion_mixed(carrieds.here[i], waters.here[i], carried[n], water[n], c);
        }
        Pair sum = pair_not_negative(pair_add(s[i], s_low[i], sum_of(comes)));
        s[i] = sum.value;
        s_low[i] = sum.low;
    }
}

// ---- evaporate ----------------------------------------------------------------------------------

/// (B5)
ROW_FUNCTION void evaporate_row(const PassRow* row) {
    const DiffusionConsts c = *CONSTS(DiffusionConsts, row);
    evaporate(row, c.evaporated, c.dry_threshold);
}

#endif
