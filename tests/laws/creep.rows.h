// SPDX-License-Identifier: MIT
/// Soil creep: passes over rows. Equation (C1) is explained in creep.c.
#ifndef CREEP_ROWS_H
#define CREEP_ROWS_H

#include "creep.cell.h"
#include "row.h"

enum { CHANGE = LAW_FIELDS }; // of the ground [m]

/// (C1)
ROW_FUNCTION void creep_row(const PassRow* row) {
    const CreepConsts c = *CONSTS(CreepConsts, row);
    const float *b = row->in[GROUND][HERE], *low = row->in[GROUND_LOW][HERE];
    const float *b_n = row->in[GROUND][NORTH_ROW], *low_n = row->in[GROUND_LOW][NORTH_ROW];
    const float *b_s = row->in[GROUND][SOUTH_ROW], *low_s = row->in[GROUND_LOW][SOUTH_ROW];
    float* change = row->out[CHANGE];
    EACH_CELL(i, row) {
        float west = creep_from(b[i], low[i], b[i - 1], low[i - 1], c.along_x);
        float east = creep_from(b[i], low[i], b[i + 1], low[i + 1], c.along_x);
        float north = creep_from(b[i], low[i], b_n[i], low_n[i], c.along_y);
        float south = creep_from(b[i], low[i], b_s[i], low_s[i], c.along_y);
        change[i] = (west + east) + (north + south);
    }
}

ROW_FUNCTION void settle_row(const PassRow* row) {
    float *b = row->out[GROUND], *low = row->out[GROUND_LOW], *lost = row->scratch[0];
    const float* change = row->in[CHANGE][HERE];
    EACH_CELL(i, row) {
        Pair ground = pair_add(b[i], low[i], change[i]);
        b[i] = ground.value;
        low[i] = ground.low;
        lost[i] = most(-change[i], cell_zero);
    }
    count_row(row, SOLID_SLID, lost);
}

#endif
