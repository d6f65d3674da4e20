// SPDX-License-Identifier: MIT
/// Water supply: the pass over rows. (W1) to (W4) are explained in supply_pass.c.
#ifndef SUPPLY_ROWS_H
#define SUPPLY_ROWS_H

#include "row.h"
#include "supply.cell.h"

// ---- rain ---------------------------------------------------------------------------------------

ALWAYS_INLINE void let_fall_on_chunk(const PassRow* row, Chunk chunk, float rain, bool walls) {
    const float* b = row->in[GROUND][HERE];
    float *d = row->out[WATER], *low = row->out[WATER_LOW];
    CELLS_OF(chunk, i) {
        Pair depth = pair_add(d[i], low[i], !walls || is_cell(b[i]) ? rain : 0.0f);
        d[i] = depth.value;
        low[i] = depth.low;
    }
}

/// (W1) The same on every cell: counted by the number of cells.
ALWAYS_INLINE int let_fall(const PassRow* row, float rain, bool walls) {
    const float* b = row->in[GROUND][HERE];
    EACH_CHUNK(chunk, row, let_fall_on_chunk(row, chunk, rain, walls));
    int cells = walls ? 0 : row->end - row->first;
    for (int i = row->first; walls && i < row->end; i++)
        cells += is_cell(b[i]);
    return cells;
}

INLINE void rain_on_row(const PassRow* row, float rain) {
    int cells = row->has_boundary ? let_fall(row, rain, true) : let_fall(row, rain, false);
    count_times(row, WATER_RAIN, rain, cells);
}

/// (W1) and (W4) together.
INLINE void rain_pattern_on_row(const PassRow* row, float rain, float season) {
    const float *b = row->in[GROUND][HERE], *pattern = row->in[RAIN_PATTERN][HERE];
    float *d = row->out[WATER], *low = row->out[WATER_LOW], *added = row->scratch[0];
    EACH_CELL(i, row) {
        float amount = is_cell(b[i]) ? rain + season * pattern[i] : 0.0f;
        Pair depth = pair_add(d[i], low[i], amount);
        d[i] = depth.value;
        low[i] = depth.low;
        added[i] = amount;
    }
    count_row(row, WATER_RAIN, added);
}

// ---- drops and sources --------------------------------------------------------------------------

/// (W2), (W3) in the columns of a span.
INLINE void pour(const PassRow* row, SupplySpan span, SupplyKind kind) {
    const float* b = row->in[GROUND][HERE];
    float *d = row->out[WATER], *low = row->out[WATER_LOW];
    float *s = row->out[SEDIMENT], *s_low = row->out[SEDIMENT_LOW];
    const int first = span.first - row->x, end = span.end - row->x;
    const int from = first > row->from ? first : row->from, to = end < row->to ? end : row->to;
    const float water = kind.water * span.share, solid = kind.sediment * span.share;
    int cells = 0;
    SOME_CELLS(i, from, to) {
        if (!is_cell(b[i])) continue;
        Pair depth = pair_add(d[i], low[i], water);
        d[i] = depth.value;
        low[i] = depth.low;
        Pair sediment = pair_add(s[i], IS_STORED(row, SEDIMENT_LOW) ? s_low[i] : 0.0f, solid);
        s[i] = sediment.value;
        if (IS_STORED(row, SEDIMENT_LOW)) s_low[i] = sediment.low;
        cells += is_own_column(row, i);
    }
    count_times(row, WATER_SOURCES, water, kind.is_source ? cells : 0);
    count_times(row, WATER_RAIN, water, kind.is_source ? 0 : cells);
    count_times(row, SOLID_SOURCES, solid, cells);
}

ROW_FUNCTION void supply_row(const PassRow* row) {
    const SHARED SupplyStep* supply = CONSTS(SupplyStep, row);
    if (supply->season > 0.0f)
        rain_pattern_on_row(row, supply->rain, supply->season);
    else if (supply->rain > 0.0f)
        rain_on_row(row, supply->rain);
    if (supply->boxes == 0) return;
    const int end = supply_ends(supply)[row->y];
    for (int n = supply_starts(supply)[row->y]; n < end; n++) {
        const SupplySpan span = supply_spans(supply)[n];
        pour(row, span, supply_kinds(supply)[span.kind]);
    }
}

#endif
