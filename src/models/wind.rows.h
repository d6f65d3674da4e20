// SPDX-License-Identifier: MIT
/// Wind: passes over rows. Equations (E1) to (E7) are explained in wind.c.
#ifndef WIND_ROWS_H
#define WIND_ROWS_H

#include "layers.rows.h"
#include "neighbours.rows.h"
#include "row.h"
#include "wind.cell.h"

enum {
    AIRBORNE = LAW_FIELDS, // a: sand in the air [m]
    SHELTER,               // w: height that the shadow of the ground upwind reaches [m]
    SHELTER_LOW,           // its remainder [m]
    UPWIND,                // m: mean height of the ground upwind [m]
    UPWIND_LOW,            // its remainder [m]
    SHELTERED,             // w' above the ground before (E5) [m]
    RISEN,                 // m' above the ground before (E5) [m]
    TAKEN,                 // e of (E5) [m]
    LOWERED,               // the remainder of the ground less e [m]
    MOVES,                 // what hops of the sand in the air [m]
    ROLLS,                 // what rolls per slope (E7) [m]
    LIMIT,                 // at most of it to a neighbour [m]
    NET,                   // what rolls here, less what rolls from here [m]
};

INLINE WindConsts wind_consts(const PassRow* row) {
    return *CONSTS(WindConsts, row);
}

INLINE int wind_materials(const PassRow* row) {
    return KNOWN(MATERIALS, CONSTS(WindConsts, row)->materials);
}

INLINE bool wind_to_east(const PassRow* row) {
    return KNOWN(TO_EAST, CONSTS(WindConsts, row)->to_east);
}

INLINE bool wind_to_south(const PassRow* row) {
    return KNOWN(TO_SOUTH, CONSTS(WindConsts, row)->to_south);
}

/// The layer of sand: the last material. Without materials there is none.
INLINE LayerRow sand_layer(const PassRow* row) {
    const int materials = wind_materials(row);
    const LayerRow none = {0, 0};
    return materials > 1 ? layer_row(row, materials - 1) : none;
}

// ---- what is lifted -----------------------------------------------------------------------------

/// A field here and upwind: in x at column i of `x`, in y at column i of `y`.
typedef struct Upwind {
    const float *here, *x, *y;
} Upwind;

INLINE Upwind upwind_of(const PassRow* row, int id) {
    const float* here = row->in[id][HERE];
    const Upwind upwind = {here, wind_to_east(row) ? here - 1 : here + 1,
                           row->in[id][wind_to_south(row) ? NORTH_ROW : SOUTH_ROW]};
    return upwind;
}

/// The ground, and what is kept of the air, in a row and upwind of it.
typedef struct AirRows {
    Upwind ground, low, shelter, shelter_low, upwind, upwind_low;
} AirRows;

INLINE AirRows air_rows(const PassRow* row) {
    const AirRows rows = {upwind_of(row, GROUND),  upwind_of(row, GROUND_LOW),
                          upwind_of(row, SHELTER), upwind_of(row, SHELTER_LOW),
                          upwind_of(row, UPWIND),  upwind_of(row, UPWIND_LOW)};
    return rows;
}

/// (E1), (E2) in some of a row's columns.
ALWAYS_INLINE void shade(const PassRow* row, Chunk chunk) {
    const WindConsts c = wind_consts(row);
    const AirRows air = air_rows(row);
    float *sheltered = row->out[SHELTERED], *risen = row->out[RISEN];
    CELLS_OF(chunk, i) {
        float b = air.ground.here[i], low = air.low.here[i];
        float b_x = air.ground.x[i], low_x = air.low.x[i];
        float b_y = air.ground.y[i], low_y = air.low.y[i];
        bool known_x = is_cell(air.shelter.x[i]), known_y = is_cell(air.shelter.y[i]);
        float w_x = wind_above(air.shelter.x[i], air.shelter_low.x[i], known_x, b_x, low_x, b, low);
        float w_y = wind_above(air.shelter.y[i], air.shelter_low.y[i], known_y, b_y, low_y, b, low);
        float m_x = wind_above(air.upwind.x[i], air.upwind_low.x[i], known_x, b_x, low_x, b, low);
        float m_y = wind_above(air.upwind.y[i], air.upwind_low.y[i], known_y, b_y, low_y, b, low);
        sheltered[i] = wind_shelter(w_x, w_y, c);
        risen[i] = wind_upwind(m_x, m_y, c);
    }
}

/// (E3) to (E5) in some of a row's columns. `layered` is known when this is compiled: whether the
/// sand is a layer.
ALWAYS_INLINE void lift(const PassRow* row, Chunk chunk, bool layered) {
    const WindConsts c = wind_consts(row);
    const LayerRow layer = sand_layer(row);
    const float *b = row->in[GROUND][HERE], *low = row->in[GROUND_LOW][HERE];
    const float* d = row->in[WATER][HERE];
    const float *sheltered = row->out[SHELTERED], *risen = row->out[RISEN];
    float *a = row->out[AIRBORNE], *taken = row->out[TAKEN], *lowered = row->out[LOWERED];
    float *moves = row->out[MOVES], *rolls = row->out[ROLLS], *limit = row->out[LIMIT];
    CELLS_OF(chunk, i) {
        bool cell = is_cell(b[i]), wet = d[i] > 0.0f;
        float speed = wind_speed(sheltered[i], risen[i], c);
        float can_carry = cell ? wind_capacity(speed, c) : 0.0f;
        float sand = layered ? layer.thickness[i] : wind_sand(b[i], low[i], c);
        float e = wind_taken(can_carry, a[i], sheltered[i], cell ? sand : 0.0f, wet, c);
        float airborne = most(a[i] + e, cell_zero);
        taken[i] = e;
        lowered[i] = low[i] - e;
        moves[i] = wet ? 0.0f : airborne;
        a[i] = wet ? airborne : 0.0f;
        rolls[i] = wet ? 0.0f : c.reptation * can_carry;
        float left = layered ? sand - e : wind_sand(b[i], low[i] - e, c);
        limit[i] = cell ? 0.125f * left : 0.0f;
    }
}

/// (E5) Takes it from the layer of sand.
ALWAYS_INLINE void take_sand(const PassRow* row, Chunk chunk) {
    const LayerRow layer = sand_layer(row);
    const float* taken = row->out[TAKEN];
    CELLS_OF(chunk, i) {
        bool gone = taken[i] >= layer.thickness[i];
        Pair left = pair_add(layer.thickness[i], layer.low[i], -taken[i]);
        layer.thickness[i] = gone ? 0.0f : left.value;
        layer.low[i] = gone ? 0.0f : left.low;
    }
}

/// (E1) to (E5). The ground itself changes later: it is still read beside the cell.
ROW_FUNCTION void lift_row(const PassRow* row) {
    if (wind_materials(row) > 1) {
        EACH_CHUNK(chunk, row, {
            shade(row, chunk);
            lift(row, chunk, true);
            take_sand(row, chunk);
        });
    } else {
        EACH_CHUNK(chunk, row, {
            shade(row, chunk);
            lift(row, chunk, false);
        });
    }
    count_signed_row(row, SOLID_ERODED, SOLID_DEPOSITED, row->out[TAKEN]);
}

// ---- where it goes ------------------------------------------------------------------------------

/// The rows of (E6): what hops, and the ground here and downwind.
typedef struct HopRows {
    Upwind moves;
    const float *ground, *ground_x, *ground_y;
} HopRows;

INLINE HopRows hop_rows(const PassRow* row) {
    const float* here = row->in[GROUND][HERE];
    const HopRows rows = {upwind_of(row, MOVES), here, wind_to_east(row) ? here + 1 : here - 1,
                          row->in[GROUND][wind_to_south(row) ? SOUTH_ROW : NORTH_ROW]};
    return rows;
}

/// The sides that the wind blows to.
INLINE Side side_x(const PassRow* row) {
    return wind_to_east(row) ? EAST : WEST;
}

INLINE Side side_y(const PassRow* row) {
    return wind_to_south(row) ? SOUTH : NORTH;
}

/// (E6) The sand in the air over cell i after a hop, of which `stays` was not to hop [m]. A wall
/// keeps what does not hop across; an open side does not.
ALWAYS_INLINE float hop(HopRows rows, WindConsts c, int i, float stays, bool open_x, bool open_y) {
    float comes = wind_along_x(rows.moves.x[i], c) + wind_along_y(rows.moves.y[i], c);
    bool wall_x = !is_cell(rows.ground_x[i]) && !open_x;
    bool wall_y = !is_cell(rows.ground_y[i]) && !open_y;
    float kept_x = wall_x ? wind_along_x(rows.moves.here[i], c) : 0.0f;
    float kept_y = wall_y ? wind_along_y(rows.moves.here[i], c) : 0.0f;
    float sum = stays + (comes + (kept_x + kept_y));
    return is_cell(rows.ground[i]) ? sum : 0.0f;
}

/// Counts what hops across the open sides.
INLINE void count_gone(const PassRow* row, int column) {
    const WindConsts c = wind_consts(row);
    const float* moves = row->in[MOVES][HERE];
    if (row->open[side_x(row)] && is_own_column(row, column))
        count_times(row, SOLID_LEFT, wind_along_x(moves[column], c), 1);
    if (!row->open[side_y(row)]) return;
    for (int i = row->first; i < row->end; i++)
        count_times(row, SOLID_LEFT, wind_along_y(moves[i], c), 1);
}

/// (E6) in a row.
INLINE void hop_all(const PassRow* row) {
    const WindConsts c = wind_consts(row);
    const HopRows rows = hop_rows(row);
    const bool open_x = row->open[side_x(row)], open_y = row->open[side_y(row)];
    const int last = wind_to_east(row) ? row->to - 1 : row->from;
    float* a = row->out[AIRBORNE];
    const float stays = a[last];
    EACH_CHUNK(chunk, row, { CELLS_OF(chunk, i) a[i] = hop(rows, c, i, a[i], false, open_y); });
    if (open_x) a[last] = hop(rows, c, last, stays, true, open_y);
    if (open_x || open_y) count_gone(row, last);
}

/// The rows of (E7).
typedef struct RollRows {
    Around ground, lowered, rolls, limit;
} RollRows;

INLINE RollRows roll_rows(const PassRow* row) {
    const RollRows rows = {rows_of(row, GROUND), rows_of(row, LOWERED), rows_of(row, ROLLS),
                           rows_of(row, LIMIT)};
    return rows;
}

/// What rolls between a cell and its four neighbours [m].
typedef struct Rolling {
    float in[4], out[4];
} Rolling;

ALWAYS_INLINE Rolling rolling_at(const RollRows* rows, WindConsts c, int i) {
    float b[NEIGHBOURS], low[NEIGHBOURS], rate[NEIGHBOURS], limit[NEIGHBOURS];
    around(rows->ground, i, b);
    around(rows->lowered, i, low);
    around(rows->rolls, i, rate);
    around(rows->limit, i, limit);
    Rolling rolling;
    UNROLLED for (int n = 0; n < 4; n++) {
        float across = n < N ? c.across_x : c.across_y;
        float drop = ground_above(rows->ground.here[i], rows->lowered.here[i], b[n], low[n]);
        rolling.in[n] = wind_rolls(rate[n], -drop, across, limit[n]);
        rolling.out[n] = wind_rolls(rows->rolls.here[i], drop, across, rows->limit.here[i]);
    }
    return rolling;
}

/// (E7) in some of a row's columns. The outside and nodata cells are higher than any cell, and
/// nothing rolls from them.
ALWAYS_INLINE void roll(const PassRow* row, Chunk chunk, float* rolled) {
    const WindConsts c = wind_consts(row);
    const RollRows rows = roll_rows(row);
    float* net = row->out[NET];
    CELLS_OF(chunk, i) {
        Rolling r = rolling_at(&rows, c, i);
        float x = (r.in[W] - r.out[W]) + (r.in[E] - r.out[E]);
        float y = (r.in[N] - r.out[N]) + (r.in[S] - r.out[S]);
        net[i] = x + y;
        rolled[i] = (r.out[W] + r.out[E]) + (r.out[N] + r.out[S]);
    }
}

/// Keeps w' and m' for the next hop.
ALWAYS_INLINE void keep_air(const PassRow* row, Chunk chunk) {
    const float *b = row->in[GROUND][HERE], *low = row->in[GROUND_LOW][HERE];
    const float *sheltered = row->in[SHELTERED][HERE], *risen = row->in[RISEN][HERE];
    float *w = row->out[SHELTER], *w_low = row->out[SHELTER_LOW];
    float *m = row->out[UPWIND], *m_low = row->out[UPWIND_LOW];
    CELLS_OF(chunk, i) {
        Pair shelter = pair_add(b[i], low[i], sheltered[i]);
        Pair upwind = pair_add(b[i], low[i], risen[i]);
        w[i] = shelter.value;
        w_low[i] = shelter.low;
        m[i] = upwind.value;
        m_low[i] = upwind.low;
    }
}

/// (E6), (E7)
ROW_FUNCTION void blow_row(const PassRow* row) {
    float* rolled = row->scratch[0];
    hop_all(row);
    EACH_CHUNK(chunk, row, {
        roll(row, chunk, rolled);
        keep_air(row, chunk);
    });
    count_row(row, SOLID_SLID, rolled);
}

// ---- the ground ---------------------------------------------------------------------------------

ROW_FUNCTION void settle_row(const PassRow* row) {
    const float *taken = row->in[TAKEN][HERE], *net = row->in[NET][HERE];
    const LayerRow layer = sand_layer(row);
    float *b = row->out[GROUND], *low = row->out[GROUND_LOW];
    EACH_CHUNK(chunk, row, {
        CELLS_OF(chunk, i) {
            Pair ground = pair_add(b[i], low[i], -taken[i]);
            ground = pair_add(ground.value, ground.low, net[i]);
            b[i] = ground.value;
            low[i] = ground.low;
}
});
if (wind_materials(row) < 2) return;
EACH_CELL(i, row) {
    Pair sand = pair_not_negative(pair_add(layer.thickness[i], layer.low[i], net[i]));
    layer.thickness[i] = sand.value;
    layer.low[i] = sand.low;
}
}

#endif
