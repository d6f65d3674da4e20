/// Rows of water that evaporates: what (P10), (B5) and (N1) share.
#ifndef EVAPORATION_H
#define EVAPORATION_H

#include "cell.h"
#include "law.h"

/// What is left of a depth that changes by a share of it (-1 to 0); nothing below `dry` [m].
CELL Pair evaporated(float depth, float low, float change, float dry) {
    Pair left = pair_add_less(depth, low, depth * change);
    bool wet = left.value >= dry;
    Pair kept;
    kept.value = wet ? left.value : 0.0f;
    kept.low = wet ? left.low : 0.0f;
    return kept;
}

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

static inline void evaporate(const PassRow* row, float change, float dry) {
    float* gone = row->scratch[0];
    EACH_CHUNK(chunk, row, evaporate_chunk(row, chunk, change, dry, gone));
    count_row(row, WATER_EVAPORATED, gone);
}

#endif
