// SPDX-License-Identifier: MIT
/// Rounding to half precision: the pass over rows. half_pass.c says when it runs.
#ifndef HALF_ROWS_H
#define HALF_ROWS_H

#include "half.cell.h"
#include "row.h"

/// Rounds a row; gives what it lost in each cell.
INLINE void round_row(const PassRow* row, float* numbers, float* lost) {
    EACH_CELL(i, row) {
        float kept = half_round(numbers[i]);
        lost[i] = numbers[i] - kept;
        numbers[i] = kept;
    }
}

/// Rounds a value; its remainder, if there is one, takes what it loses.
INLINE void round_pair(const PassRow* row, int id, int low_id, Account account) {
    float *low = row->out[low_id], *lost = row->scratch[0];
    round_row(row, row->out[id], lost);
    if (IS_STORED(row, low_id)) {
        EACH_CELL(i, row) low[i] += lost[i];
        round_row(row, low, lost);
    }
    count_row(row, account, lost);
}

INLINE void round_field(const PassRow* row, int id) {
    if (IS_STORED(row, id)) round_row(row, row->out[id], row->scratch[0]);
}

ROW_FUNCTION void half_row(const PassRow* row) {
    const HalfConsts c = *CONSTS(HalfConsts, row);
    if (KNOWN(COMMON, c.common)) {
        round_pair(row, WATER, WATER_LOW, WATER_ROUNDED);
        round_pair(row, SEDIMENT, SEDIMENT_LOW, SOLID_ROUNDED);
        round_field(row, VELOCITY_X);
        round_field(row, VELOCITY_Y);
    }
    FIELD_LOOP for (int n = 0; n < MAX_LAW_FIELDS; n++) {
        if (KNOWN(OWN, c.own) >> n & 1) round_field(row, LAW_FIELDS + n);
    }
}

#endif
