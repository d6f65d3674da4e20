// SPDX-License-Identifier: MIT
/// Rows of water that spreads to its lower neighbours, and out of the world where a side is open:
/// an open side is one more lower neighbour, dry, of the same ground.
#ifndef SPREAD_ROWS_H
#define SPREAD_ROWS_H

#include "neighbours.rows.h"
#include "row.h"
#include "spread.cell.h"

/// The first of the own fields of a law whose water spreads.
enum {
    SHARE = LAW_FIELDS, // water that goes to a lower neighbour per metre of level above it
    CARRIED,            // sediment per depth of water
    SPREAD_FIELDS
};

/// The open sides of a row's cells.
typedef struct Openings {
    const float* count; // of each cell
    const float* x;     // those to the east less those to the west
    float y;            // to the south less to the north
    bool some;          // of them is open
} Openings;

/// Finds them, in two rows of memory.
INLINE Openings openings_of(const PassRow* row, float* count, float* x) {
    const float along = (float)(row->open[NORTH] + row->open[SOUTH]);
    EACH_CELL(i, row) {
        count[i] = along;
        x[i] = 0;
    }
    if (row->open[WEST]) {
        count[row->from] += 1;
        x[row->from] -= 1;
    }
    if (row->open[EAST]) {
        count[row->to - 1] += 1;
        x[row->to - 1] += 1;
    }
    const bool some = row->open[WEST] || row->open[EAST] || row->open[NORTH] || row->open[SOUTH];
    const Openings openings = {count, x, (float)(row->open[SOUTH] - row->open[NORTH]), some};
    return openings;
}

/// Ground and water around a row's cells.
typedef struct Levels {
    Around ground, low, water;
} Levels;

INLINE Levels levels_of(const PassRow* row) {
    const Levels levels = {rows_of(row, GROUND), rows_of(row, GROUND_LOW), rows_of(row, WATER)};
    return levels;
}

/// How far the level of cell i stands above its neighbours' [m].
INLINE void drops_around(Levels levels, int i, float out[NEIGHBOURS]) {
    float b[NEIGHBOURS], low[NEIGHBOURS], d[NEIGHBOURS];
    around(levels.ground, i, b);
    around(levels.low, i, low);
    around(levels.water, i, d);
    EACH_NEIGHBOUR(n) {
        out[n] = level_above(levels.ground.here[i], levels.low.here[i], levels.water.here[i], b[n],
                             low[n], d[n]);
    }
}

/// What a cell stands above those of its neighbours that are lower.
typedef struct Lower {
    float sum;   // [m]
    float count; // of them
} Lower;

INLINE Lower lower_of(const float drops[NEIGHBOURS], float water, float openings) {
    float drop[NEIGHBOURS], one[NEIGHBOURS];
    EACH_NEIGHBOUR(n) {
        drop[n] = most(drops[n], cell_zero);
        one[n] = drops[n] > 0.0f ? 1.0f : 0.0f;
    }
    Lower lower;
    lower.sum = sum_of(drop) + openings * water;
    lower.count = sum_of(one) + (water > 0.0f ? openings : 0.0f);
    return lower;
}

/// The mean flow through a cell, to the right and down, as depth per step [m].
typedef struct Through {
    float x, y;
} Through;

/// From what comes in from each neighbour less what goes there, and what leaves through each open
/// side.
INLINE Through through_flow(const float net[NEIGHBOURS], float leaves, float openings_x,
                            float openings_y) {
    float x = (net[W] - net[E]) + ((net[NW] - net[SE]) + (net[SW] - net[NE]));
    float y = (net[N] - net[S]) + ((net[NW] - net[SE]) + (net[NE] - net[SW]));
    Through through;
    through.x = 0.5f * (x + leaves * openings_x);
    through.y = 0.5f * (y + leaves * openings_y);
    return through;
}

/// Counts what leaves through the open sides: water and what it carries, per cell.
INLINE void count_spread(const PassRow* row, Openings openings, const float* share,
                         const float* carried) {
    const float* d = row->in[WATER][HERE];
    if (!openings.some) return;
    for (int i = row->first; i < row->end; i++) {
        float leaves = share[i] * d[i] * openings.count[i];
        count_times(row, WATER_LEFT, leaves, 1);
        count_times(row, SOLID_LEFT, carried[i] * leaves, 1);
    }
}

/// The pass that finds SHARE and CARRIED. It reads GROUND_PAIR and WATER around, and SEDIMENT. The
/// law's constants begin with its SpreadConsts.
ROW_FUNCTION void spread_row(const PassRow* row) {
    const SpreadConsts c = *CONSTS(SpreadConsts, row);
    const Levels levels = levels_of(row);
    const Openings openings = openings_of(row, row->scratch[0], row->scratch[1]);
    const float *d = row->in[WATER][HERE], *s = row->in[SEDIMENT][HERE];
    float *share = row->out[SHARE], *carried = row->out[CARRIED];
    EACH_CELL(i, row) {
        float drops[NEIGHBOURS];
        drops_around(levels, i, drops);
        Lower lower = lower_of(drops, d[i], openings.count[i]);
        float moved = spread_moved(d[i], level_above_mean(lower.sum, lower.count), c);
        share[i] = spread_share(moved, lower.sum);
        carried[i] = concentration(s[i], d[i]);
    }
    count_spread(row, openings, share, carried);
}

#endif
