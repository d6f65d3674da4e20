// SPDX-License-Identifier: MIT
/// The stream law: passes over rows. Equations (U0) to (U5) are explained in stream.c.
#ifndef STREAM_ROWS_H
#define STREAM_ROWS_H

#include "layers.rows.h"
#include "neighbours.rows.h"
#include "row.h"
#include "stream.cell.h"

enum {
    LEVEL = LAW_FIELDS, // w: the ground with its hollows full to where they spill [m], a pair
    LEVEL_LOW,
    AREA,      // A: drainage area [m2]; below 0 before the first routing
    NEW_LEVEL, // w'
    NEW_LEVEL_LOW,
    SLOPE_E, // signed slope^p of (U1) towards four of the neighbours; the other four have their own
    SLOPE_S,
    SLOPE_SE,
    SLOPE_SW,
    PER_SLOPE,    // 1/N of (U1)
    AREA_OUT,     // area that the cell hands on [m2]
    SEDIMENT_OUT, // and sediment [m]
    CHANGE,       // of the ground [m]
};

/// The constants: those of a cell, and how easily streams take the materials.
CELL_STRUCT(StreamRowConsts) {
    StreamConsts stream;
    int materials;
    float erodibility[MAX_MATERIALS];
};

INLINE StreamConsts stream_consts(const PassRow* row) {
    return *CONSTS(StreamConsts, row);
}

INLINE int stream_materials(const PassRow* row) {
    return KNOWN(MATERIALS, CONSTS(StreamRowConsts, row)->materials);
}

INLINE bool has_open_cells(const PassRow* row) {
    return row->open[WEST] || row->open[EAST] || row->open[NORTH] || row->open[SOUTH];
}

/// Finds the cells that are base level, since they lie at an open side: 0 for those, else 1.
INLINE void find_inner(const PassRow* row, float* inner) {
    const float value = row->open[NORTH] || row->open[SOUTH] ? 0.0f : 1.0f;
    EACH_CELL(i, row) inner[i] = value;
    if (row->open[WEST]) inner[row->from] = 0.0f;
    if (row->open[EAST]) inner[row->to - 1] = 0.0f;
}

// ---- where it flows -----------------------------------------------------------------------------

/// The lowest of the levels around a cell, those that are as far away from it together.
INLINE Pair lower_of_two(const float w[NEIGHBOURS], const float low[NEIGHBOURS], int a, int b) {
    return pair_lower(stream_level(w[a], low[a]), stream_level(w[b], low[b]));
}

/// (U0) The level of every cell. Walls stand higher than any cell.
ROW_FUNCTION void spill_row(const PassRow* row) {
    const StreamConsts c = stream_consts(row);
    const Around level = rows_of(row, LEVEL), level_low = rows_of(row, LEVEL_LOW);
    const float *b = row->in[GROUND][HERE], *b_low = row->in[GROUND_LOW][HERE];
    float *now = row->out[NEW_LEVEL], *now_low = row->out[NEW_LEVEL_LOW];
    float* inner = row->scratch[0];
    find_inner(row, inner);
    EACH_CELL(i, row) {
        float w[NEIGHBOURS], low[NEIGHBOURS];
        around(level, i, w);
        around(level_low, i, low);
        Pair x = lower_of_two(w, low, W, E), y = lower_of_two(w, low, N, S);
        Pair one = lower_of_two(w, low, NW, SE), other = lower_of_two(w, low, NE, SW);
        Pair diagonal = pair_lower(one, other);
        x = pair_add(x.value, x.low, c.rise_x);
        y = pair_add(y.value, y.low, c.rise_y);
        diagonal = pair_add(diagonal.value, diagonal.low, c.rise_diagonal);
        Pair spills = pair_lower(pair_lower(x, y), diagonal), ground = stream_level(b[i], b_low[i]);
        bool is_full = is_cell(b[i]) && inner[i] > 0.0f && is_lower(ground, spills);
        now[i] = is_full ? spills.value : ground.value;
        now_low[i] = is_full ? spills.low : ground.low;
    }
}

/// (U1) The slopes towards four neighbours, and the new level becomes the level.
ROW_FUNCTION void slopes_row(const PassRow* row) {
    const StreamConsts c = stream_consts(row);
    const Around w = rows_of(row, NEW_LEVEL), low = rows_of(row, NEW_LEVEL_LOW);
    float *level = row->out[LEVEL], *level_low = row->out[LEVEL_LOW];
    float *east = row->out[SLOPE_E], *south = row->out[SLOPE_S];
    float *south_east = row->out[SLOPE_SE], *south_west = row->out[SLOPE_SW];
    EACH_CELL(i, row) {
        float here = w.here[i], here_low = low.here[i];
        level[i] = here;
        level_low[i] = here_low;
        east[i] = stream_slope(here, here_low, w.here[i + 1], low.here[i + 1], c.per_x, c.spread);
        south[i] = stream_slope(here, here_low, w.south[i], low.south[i], c.per_y, c.spread);
        south_east[i] = stream_slope(here, here_low, w.south[i + 1], low.south[i + 1],
                                     c.per_diagonal, c.spread);
        south_west[i] = stream_slope(here, here_low, w.south[i - 1], low.south[i - 1],
                                     c.per_diagonal, c.spread);
    }
}

/// The slopes of the cells of a row and of its neighbours.
typedef struct SlopeRows {
    const float *east, *south, *south_east, *south_west;
    const float *north, *north_west, *north_east; // of the row before
} SlopeRows;

INLINE SlopeRows slope_rows(const PassRow* row) {
    const SlopeRows rows = {
        .east = row->in[SLOPE_E][HERE],
        .south = row->in[SLOPE_S][HERE],
        .south_east = row->in[SLOPE_SE][HERE],
        .south_west = row->in[SLOPE_SW][HERE],
        .north = row->in[SLOPE_S][NORTH_ROW],
        .north_west = row->in[SLOPE_SE][NORTH_ROW],
        .north_east = row->in[SLOPE_SW][NORTH_ROW],
    };
    return rows;
}

/// (U1) The slopes^p from cell i towards all neighbours, below 0 where they slope towards it.
INLINE void slopes_around(SlopeRows rows, int i, float out[NEIGHBOURS]) {
    out[W] = -rows.east[i - 1];
    out[E] = rows.east[i];
    out[N] = -rows.north[i];
    out[S] = rows.south[i];
    out[NW] = -rows.north_west[i - 1];
    out[SE] = rows.south_east[i];
    out[NE] = -rows.north_east[i + 1];
    out[SW] = rows.south_west[i];
}

/// (U1) 1/N, and what a cell hands on. At an open side everything leaves, so nothing is handed on.
ROW_FUNCTION void share_row(const PassRow* row) {
    const SlopeRows rows = slope_rows(row);
    const float *A = row->in[AREA][HERE], *q = row->in[SEDIMENT][HERE];
    float *per_slope = row->out[PER_SLOPE], *inner = row->scratch[0];
    float *area_out = row->out[AREA_OUT], *sediment_out = row->out[SEDIMENT_OUT];
    find_inner(row, inner);
    EACH_CELL(i, row) {
        float slope[NEIGHBOURS];
        slopes_around(rows, i, slope);
        EACH_NEIGHBOUR(n) slope[n] = most(slope[n], cell_zero);
        per_slope[i] = stream_per_slope(sum_of(slope));
        area_out[i] = inner[i] * most(A[i], cell_zero);
        sediment_out[i] = inner[i] * q[i];
    }
}

/// What comes from each neighbour of cell i, of what they hand on.
INLINE void arrivals(SlopeRows rows, Around per_slopes, Around given, int i,
                     float out[NEIGHBOURS]) {
    float slope[NEIGHBOURS], per[NEIGHBOURS], of[NEIGHBOURS];
    slopes_around(rows, i, slope);
    around(per_slopes, i, per);
    around(given, i, of);
    EACH_NEIGHBOUR(n) out[n] = (most(-slope[n], cell_zero) * per[n]) * of[n];
}

/// (U2)
ROW_FUNCTION void drain_row(const PassRow* row) {
    const StreamConsts c = stream_consts(row);
    const SlopeRows rows = slope_rows(row);
    const Around per_slopes = rows_of(row, PER_SLOPE), given = rows_of(row, AREA_OUT);
    const float *b = row->in[GROUND][HERE], *rainfall = row->in[RAINFALL][HERE];
    float* A = row->out[AREA];
    EACH_CELL(i, row) {
        float in[NEIGHBOURS];
        arrivals(rows, per_slopes, given, i, in);
        A[i] = is_cell(b[i]) ? stream_rate(c.rain, rainfall[i]) + sum_of(in) : 0.0f;
    }
}

// ---- what it does -------------------------------------------------------------------------------

/// Results of a row while it is eroded [m].
typedef struct StreamRow {
    float *taken, *crept, *arrived, *laid, *inner, *lifted;
} StreamRow;

INLINE StreamRow stream_row(const PassRow* row) {
    const StreamRow results = {row->scratch[0], row->scratch[1], row->scratch[2],
                               row->scratch[3], row->scratch[4], row->scratch[5]};
    return results;
}

/// (L1) How easily the topmost material of each cell is taken.
INLINE void find_ease(const PassRow* row, int materials, float* ease) {
    const SHARED StreamRowConsts* c = CONSTS(StreamRowConsts, row);
    const float bedrock = materials > 0 ? c->erodibility[0] : 1.0f;
    EACH_CELL(i, row) ease[i] = bedrock;
    for (int m = 1; m < materials; m++) {
        const float* thickness = row->in[LAYER_1 + m - 1][HERE];
        const float erodibility = c->erodibility[m];
        EACH_CELL(i, row) ease[i] = thickness[i] > 0.0f ? erodibility : ease[i];
    }
}

/// (U3), (U4) and the first half of (U5): what a row's topmost materials lose, what creeps in, and
/// what comes down.
INLINE void find_losses(const PassRow* row, StreamRow r, const float* ease) {
    const StreamConsts c = stream_consts(row);
    const SlopeRows rows = slope_rows(row);
    const Around ground = rows_of(row, GROUND), ground_low = rows_of(row, GROUND_LOW);
    const Around per_slopes = rows_of(row, PER_SLOPE), given = rows_of(row, SEDIMENT_OUT);
    const float *A = row->in[AREA][HERE], *k = row->in[HARDNESS][HERE];
    const float *uplift = row->in[UPLIFT][HERE], *q = row->in[SEDIMENT][HERE];
    EACH_CELL(i, row) {
        float b[NEIGHBOURS], low[NEIGHBOURS], slope[NEIGHBOURS], in[NEIGHBOURS];
        float F[NEIGHBOURS], falls[NEIGHBOURS], creeps[NEIGHBOURS];
        around(ground, i, b);
        around(ground_low, i, low);
        slopes_around(rows, i, slope);
        arrivals(rows, per_slopes, given, i, in);
        const float here = ground.here[i], here_low = ground_low.here[i];
        const float wears = is_cell(here) ? r.inner[i] : 0.0f;
        float erodes =
            (c.strength * (k[i] * ease[i])) * power(stream_area(A[i], c), c.area_exponent);
        EACH_NEIGHBOUR(n) {
            float per = n < N ? c.per_x : n < NW ? c.per_y : c.per_diagonal;
            bool joined = are_cells(here, b[n]);
            float fall = joined ? ground_above(here, here_low, b[n], low[n]) : 0.0f;
            bool receives = slope[n] > 0.0f && fall > 0.0f;
            F[n] = receives ? (slope[n] * per_slopes.here[i]) * (erodes * per) : 0.0f;
            falls[n] = F[n] * fall;
            creeps[n] = (n < NW ? c.creep_side : c.creep_corner) * -fall;
        }
        float rise = stream_rate(c.uplift, uplift[i]);
        bool goes_on = per_slopes.here[i] > 0.0f && r.inner[i] > 0.0f;
        float stays = goes_on ? 0.0f : q[i];
        r.taken[i] = wears * stream_taken(sum_of(F), sum_of(falls), rise);
        r.crept[i] = sum_of(creeps);
        r.arrived[i] = sum_of(in) + stays;
    }
}

/// (L1) Takes what streams take from the layers; what a layer cannot give is asked of the next.
/// `ease` is that of the topmost, and memory after that.
INLINE void wear_layers(const PassRow* row, int materials, float* taken, float* ease,
                        float* demand) {
    const SHARED StreamRowConsts* c = CONSTS(StreamRowConsts, row);
    EACH_CELL(i, row) {
        demand[i] = ease[i] > 0.0f ? divide(taken[i], ease[i]) : 0.0f;
        taken[i] = 0.0f;
    }
    for (int m = materials - 1; m >= 1; m--) {
        const LayerRow layer = layer_row(row, m);
        const float erodibility = c->erodibility[m];
        EACH_CELL(i, row) {
            Demand d = layer_take(layer_demand(demand[i]), layer.thickness[i], 0.0f, erodibility);
            bool gone = d.taken >= layer.thickness[i];
            Pair left = pair_add_some(layer.thickness[i], layer.low[i], -d.taken);
            layer.thickness[i] = gone ? 0.0f : left.value;
            layer.low[i] = gone ? 0.0f : left.low;
            demand[i] = d.demand;
            taken[i] += d.taken;
        }
    }
    const float bedrock = c->erodibility[0];
    EACH_CELL(i, row) taken[i] += demand[i] * bedrock;
}

/// (U5) What is laid down and what goes on, and all that changes the ground. `deposits` and `traps`
/// are known when this is compiled.
ALWAYS_INLINE void lay_down_as(const PassRow* row, StreamRow r, bool deposits, bool traps) {
    const StreamConsts c = stream_consts(row);
    const float *A = row->in[AREA][HERE], *per_slope = row->in[PER_SLOPE][HERE];
    const float *b = row->in[GROUND][HERE], *b_low = row->in[GROUND_LOW][HERE];
    const float *w = row->in[LEVEL][HERE], *w_low = row->in[LEVEL_LOW][HERE];
    const float* uplift = row->in[UPLIFT][HERE];
    float *q = row->out[SEDIMENT], *change = row->out[CHANGE];
    EACH_CELL(i, row) {
        const bool is_inner = r.inner[i] > 0.0f;
        const bool lifts = is_inner && is_cell(b[i]);
        float all = r.arrived[i] + r.taken[i];
        float hollow = ground_above(w[i], w_low[i], b[i], b_low[i]);
        float laid = stream_laid(all, A[i], hollow, per_slope[i] > 0.0f, deposits, traps, c);
        float rise = lifts ? stream_rate(c.uplift, uplift[i]) : 0.0f;
        laid = is_inner ? laid : 0.0f;
        r.laid[i] = laid;
        r.lifted[i] = rise;
        r.arrived[i] = all + r.crept[i]; // at an open side all of it leaves
        r.crept[i] = is_inner ? r.crept[i] : 0.0f;
        q[i] = is_inner ? all - laid : 0.0f;
        change[i] = ((rise - r.taken[i]) + r.crept[i]) + laid;
    }
}

INLINE void lay_down(const PassRow* row, StreamRow r) {
    const StreamConsts c = stream_consts(row);
    if (KNOWN(DEPOSITS, c.deposits)) {
        if (KNOWN(TRAPS, c.traps))
            lay_down_as(row, r, true, true);
        else
            lay_down_as(row, r, true, false);
    } else if (KNOWN(TRAPS, c.traps)) {
        lay_down_as(row, r, false, true);
    } else {
        lay_down_as(row, r, false, false);
    }
}

/// What creeps away is taken from the top of the stack; what creeps in and what is laid down
/// becomes the last material. `lost` is memory.
INLINE void move_layers(const PassRow* row, int materials, const float* crept, const float* laid,
                        float* lost) {
    EACH_CELL(i, row) lost[i] = most(-crept[i], cell_zero);
    for (int m = materials - 1; m >= 1; m--) {
        const LayerRow layer = layer_row(row, m);
        EACH_CELL(i, row) {
            float taken = least(lost[i], layer.thickness[i]);
            bool gone = taken >= layer.thickness[i];
            Pair left = pair_add_some(layer.thickness[i], layer.low[i], -taken);
            layer.thickness[i] = gone ? 0.0f : left.value;
            layer.low[i] = gone ? 0.0f : left.low;
            lost[i] -= taken;
        }
    }
    EACH_CELL(i, row) lost[i] = most(crept[i], cell_zero) + laid[i];
    layers_settle(row, materials, lost);
}

/// Adds a row to a mask, if there is one, and to the budget.
INLINE void count_ground(const PassRow* row, int mask, Account account, const float* numbers) {
    float* sum = row->out[mask];
    if (sum) EACH_CELL(i, row) sum[i] += numbers[i];
    count_row(row, account, numbers);
}

/// Counts what was lifted, and what left through open sides.
INLINE void count_crossings(const PassRow* row, StreamRow r) {
    if (KNOWN(UPLIFTS, stream_consts(row).uplifts)) count_row(row, SOLID_UPLIFTED, r.lifted);
    if (!has_open_cells(row)) return;
    for (int i = row->first; i < row->end; i++) {
        if (r.inner[i] == 0.0f) count_times(row, SOLID_LEFT, r.arrived[i], 1);
    }
}

/// (U3) to (U5)
ROW_FUNCTION void erode_row(const PassRow* row) {
    const int materials = stream_materials(row);
    const StreamConsts c = stream_consts(row);
    const StreamRow r = stream_row(row);
    const float* A = row->in[AREA][HERE];
    float* flow = row->out[FLOW];
    find_inner(row, r.inner);
    find_ease(row, materials, r.laid);
    find_losses(row, r, r.laid);
    if (materials > 0) wear_layers(row, materials, r.taken, r.laid, r.lifted);
    lay_down(row, r);
    count_crossings(row, r);
    if (materials > 0) move_layers(row, materials, r.crept, r.laid, r.lifted);
    count_ground(row, WEAR, SOLID_ERODED, r.taken);
    count_ground(row, DEPOSIT, SOLID_DEPOSITED, r.laid);
    if (flow) EACH_CELL(i, row) flow[i] += c.flow * A[i];
}

/// The ground after a step.
ROW_FUNCTION void settle_row(const PassRow* row) {
    const float* change = row->in[CHANGE][HERE];
    float *b = row->out[GROUND], *b_low = row->out[GROUND_LOW];
    EACH_CELL(i, row) {
        Pair sum = pair_add_some(b[i], b_low[i], change[i]);
        b[i] = sum.value;
        b_low[i] = sum.low;
    }
}

#endif
