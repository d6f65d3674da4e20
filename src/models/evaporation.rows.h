// SPDX-License-Identifier: MIT
/// Rows of water that evaporates: what (P10), (B5) and (N1) share.
#ifndef EVAPORATION_ROWS_H
#define EVAPORATION_ROWS_H

#include "evaporation.cell.h"
#include "row.h"

/// Some of a row's columns; what is gone of them stands in the row `gone` then.
ALWAYS_INLINE void evaporate_chunk(const PassRow* row, Chunk chunk, float change, float dry,
                                   float* gone) {
    float *d = row->out[WATER], *d_low = row->out[WATER_LOW];
    CELLS_OF(chunk, i) {
        float depth = d[i], low = d_low[i];
        Pair kept = evaporated(depth, low, change, dry);
        gone[i] = (depth - kept.value) + (low - kept.low);
        d[i] = kept.value;
        d_low[i] = kept.low;
    }
}

INLINE void evaporate(const PassRow* row, float change, float dry) {
    float* gone = row->scratch[0];
    EACH_CHUNK(chunk, row, evaporate_chunk(row, chunk, change, dry, gone));
    count_row(row, WATER_EVAPORATED, gone);
}

#endif
