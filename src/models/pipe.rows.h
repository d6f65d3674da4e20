// SPDX-License-Identifier: MIT
/// The pipe law: passes over rows. Equations (P1) to (P10) are explained in pipe.c. The passes that
/// move water are in pipe_flow.rows.h.
#ifndef PIPE_ROWS_H
#define PIPE_ROWS_H

#include "evaporation.rows.h"
#include "pipe_flow.rows.h"

// ---- passes: erosion ----------------------------------------------------------------------------

/// (P7), with exchange_water.
INLINE void exchange_water(const PassRow* row, const float* taken) {
    float *d = row->out[WATER], *d_low = row->out[WATER_LOW], *exchanged = row->scratch[0];
    EACH_CELL(i, row) {
        exchanged[i] = pipe_exchanged(taken[i], d[i]);
        Pair depth = pair_not_negative(pair_add(d[i], d_low[i], exchanged[i]));
        d[i] = depth.value;
        d_low[i] = depth.low;
    }
    count_row(row, WATER_EXCHANGED, exchanged);
}

/// What is known of the columns of a chunk while they are worked on.
typedef struct Stream {
    float* d1;                    // water before (P3) [m]
    float* thinness;              // one over twice the mean depth [1/m]
    float *through_x, *through_y; // twice the mean flow through the cell, as depth per step [m]
    float* can_carry;             // C of (P6) [m]
    float* speed2;                // |v|^2 [m2/s2], if kept
} Stream;

/// (P3), and what (P4) needs.
ALWAYS_INLINE void deepen(const PassRow* row, Chunk chunk, Stream stream) {
    const OutflowRows f = outflow_rows(row);
    float *d = row->out[WATER], *d_low = row->out[WATER_LOW];
    CELLS_OF(chunk, i) {
        Faces net = faces_of(f, i);
        float d1 = d[i];
        Pair depth = pipe_depth(d1, d_low[i], faces_gain(net));
        float thinness = pipe_thinness(d1, depth.value);
        stream.d1[i - chunk.at] = d1;
        stream.through_x[i - chunk.at] = net.west + net.east;
        stream.through_y[i - chunk.at] = net.north + net.south;
        stream.thinness[i - chunk.at] = thinness;
        d[i] = depth.value;
        d_low[i] = depth.low;
    }
}

/// The same with eight pipes.
ALWAYS_INLINE void deepen_by_eight(const PassRow* row, Chunk chunk, Stream stream) {
    const OutflowRows f = outflow_rows(row);
    const CornerRows f_corner = corner_rows(row);
    float *d = row->out[WATER], *d_low = row->out[WATER_LOW];
    CELLS_OF(chunk, i) {
        Faces net = faces_of(f, i);
        Corners corners = corners_of(f_corner, i);
        float d1 = d[i];
        Pair depth = pipe_depth(d1, d_low[i], faces_gain(net) + corners_gain(corners));
        float thinness = pipe_thinness(d1, depth.value);
        stream.d1[i - chunk.at] = d1;
        stream.through_x[i - chunk.at] = (net.west + net.east) + corners_right(corners);
        stream.through_y[i - chunk.at] = (net.north + net.south) + corners_down(corners);
        stream.thinness[i - chunk.at] = thinness;
        d[i] = depth.value;
        d_low[i] = depth.low;
    }
}

/// (P4), (P6). The last two are known when this is compiled.
ALWAYS_INLINE void find_capacity(const PassRow* row, Chunk chunk, Stream stream, bool keep,
                                 bool mask) {
    const PipeConsts c = pipe_consts(row);
    const float *tilt = row->in[TILT][HERE], *d = row->in[WATER][HERE];
    float *move_x = row->out[MOVE_X], *move_y = row->out[MOVE_Y], *flow_mask = row->out[FLOW];
    CELLS_OF(chunk, i) {
        float through_x = stream.through_x[i - chunk.at],
              through_y = stream.through_y[i - chunk.at];
        float mx = pipe_move(through_x, stream.thinness[i - chunk.at]);
        float my = pipe_move(through_y, stream.thinness[i - chunk.at]);
        float speed2 = pipe_speed2(mx, my, c);
        float can_carry = pipe_capacity(pipe_strength(tilt[i], speed2), d[i], c);
        if (mask) flow_mask[i] += pipe_discharge(through_x, through_y, c);
        stream.can_carry[i - chunk.at] = can_carry;
        if (keep) {
            stream.speed2[i - chunk.at] = speed2;
            move_x[i] = mx;
            move_y[i] = my;
        }
    }
}

/// (P3) to (P6). Velocities are kept if somebody asks for them later.
ALWAYS_INLINE void flow(const PassRow* row, Chunk chunk, Stream stream, bool keep) {
    const bool mask = IS_STORED(row, FLOW);
    if (has_corners(row))
        deepen_by_eight(row, chunk, stream);
    else
        deepen(row, chunk, stream);
    if (keep && mask)
        find_capacity(row, chunk, stream, true, true);
    else if (keep)
        find_capacity(row, chunk, stream, true, false);
    else if (mask)
        find_capacity(row, chunk, stream, false, true);
    else
        find_capacity(row, chunk, stream, false, false);
}

/// (P6), (P7) in layered ground, whose layers give what is taken: it stands in `taken` then, what
/// is left there as a negative number. `can_carry` and `speed2` are rows.
INLINE void take_from_layers(const PassRow* row, const float* can_carry, const float* speed2,
                             float* taken) {
    const PipeConsts c = pipe_consts(row);
    const SHARED Materials* materials = &CONSTS(PipeRowConsts, row)->materials;
    const int count = pipe_materials(row);
    const float *s = row->in[SEDIMENT][HERE], *hardness = row->in[HARDNESS][HERE];
    float *wanted = row->scratch[2], *demand = row->scratch[5], *settled = row->scratch[5];
    EACH_CELL(i, row) {
        float room = can_carry[i] - s[i];
        wanted[i] = room * (room > 0.0f ? hardness[i] : 1.0f);
    }
    layers_erode(row, materials, count, wanted, speed2, demand, taken);
    EACH_CELL(i, row) {
        settled[i] = c.deposit * most(-wanted[i], cell_zero);
        taken[i] -= settled[i];
    }
    layers_settle(row, count, settled);
}

/// (P6), (P7). In layered ground, `taken` is what the layers gave; else it is found here. The last
/// three are known when this is compiled.
ALWAYS_INLINE void erode(const PassRow* row, Chunk chunk, Stream stream, float* taken, bool layered,
                         bool semi_lagrangian, bool masks) {
    const PipeConsts c = pipe_consts(row);
    const float* hardness = row->in[HARDNESS][HERE];
    float *b = row->out[GROUND], *low = row->out[GROUND_LOW], *s = row->out[SEDIMENT];
    float *carried = row->out[CARRIED], *wear = row->out[WEAR], *deposit = row->out[DEPOSIT];
    CELLS_OF(chunk, i) {
        float e =
            layered ? taken[i] : pipe_taken(s[i], stream.can_carry[i - chunk.at], hardness[i], c);
        Pair ground = pair_add(b[i], low[i], -e);
        float sediment = most(s[i] + e, cell_zero);
        float marked = is_cell(b[i]) ? sediment : CARRIED_NOWHERE;
        carried[i] =
            semi_lagrangian ? marked : pipe_concentration(sediment, stream.d1[i - chunk.at]);
        b[i] = ground.value;
        low[i] = ground.low;
        s[i] = sediment;
        if (!layered) taken[i] = e;
        if (masks) {
            wear[i] += most(e, cell_zero);
            deposit[i] += most(-e, cell_zero);
        }
    }
}

/// (P8)
ALWAYS_INLINE void soften(const PassRow* row, Chunk chunk, Stream stream) {
    const PipeConsts c = pipe_consts(row);
    const float* s = row->in[SEDIMENT][HERE];
    float* softened = row->out[HARDNESS];
    CELLS_OF(chunk, i) {
        softened[i] = pipe_soften(softened[i], s[i], stream.can_carry[i - chunk.at], c);
    }
}

/// (P7), (P8) in ground of one material, or in layers, which is known when this is compiled.
ALWAYS_INLINE void work_ground(const PassRow* row, Chunk chunk, Stream stream, float* taken,
                               bool layered) {
    const bool masks = IS_STORED(row, WEAR) && IS_STORED(row, DEPOSIT);
    const bool softens = KNOWN(SOFTENS, CONSTS(PipeConsts, row)->softens);
    if (masks && is_semi_lagrangian(row))
        erode(row, chunk, stream, taken, layered, true, true);
    else if (masks)
        erode(row, chunk, stream, taken, layered, false, true);
    else if (is_semi_lagrangian(row))
        erode(row, chunk, stream, taken, layered, true, false);
    else
        erode(row, chunk, stream, taken, layered, false, false);
    if (softens && IS_STORED(row, HARDNESS)) soften(row, chunk, stream);
}

/// (P3) to (P8) in ground of one material.
INLINE void erode_chunks(const PassRow* row, bool keep, float* taken) {
    CACHE_ALIGNED float d1[CHUNK], thinness[CHUNK], through_x[CHUNK], through_y[CHUNK];
    CACHE_ALIGNED float can_carry[CHUNK], speed2[CHUNK];
    const Stream stream = {d1, thinness, through_x, through_y, can_carry, speed2};
    EACH_CHUNK(chunk, row, {
        flow(row, chunk, stream, keep);
        work_ground(row, chunk, stream, taken, false);
    });
}

/// (P3) to (P8) in layered ground: the whole row is one chunk, since layers are gone through row by
/// row.
INLINE void erode_layers(const PassRow* row, float* taken) {
    const Chunk whole = {row->from, row->to - row->from};
    float *can_carry = row->scratch[4], *speed2 = row->scratch[1]; // in place of the thinness
    const Stream stream = {
        .d1 = row->scratch[0] + whole.at,
        .thinness = row->scratch[1] + whole.at,
        .through_x = row->scratch[2] + whole.at,
        .through_y = row->scratch[3] + whole.at,
        .can_carry = can_carry + whole.at,
        .speed2 = speed2 + whole.at,
    };
    flow(row, whole, stream, true);
    take_from_layers(row, can_carry, speed2, taken);
    work_ground(row, whole, stream, taken, true);
}

/// (P9), semi-Lagrangian: positions are clamped to the world.
INLINE void stay_inside(const PassRow* row) {
    float *move_x = row->out[MOVE_X], *move_y = row->out[MOVE_Y];
    const int west = row->from, east = row->to - 1;
    if (row->side[WEST]) move_x[west] = least(move_x[west], cell_zero);
    if (row->side[EAST]) move_x[east] = most(move_x[east], cell_zero);
    if (row->side[NORTH]) EACH_CELL(i, row) move_y[i] = least(move_y[i], cell_zero);
    if (row->side[SOUTH]) EACH_CELL(i, row) move_y[i] = most(move_y[i], cell_zero);
}

/// (P3) to (P8)
ROW_FUNCTION void erosion_row(const PassRow* row) {
    const PipeConsts c = pipe_consts(row);
    float *u = row->out[VELOCITY_X], *v = row->out[VELOCITY_Y];
    const float *move_x = row->out[MOVE_X], *move_y = row->out[MOVE_Y];
    float* taken = row->scratch[3];
    if (pipe_materials(row) > 0)
        erode_layers(row, taken);
    else
        erode_chunks(row, is_semi_lagrangian(row) || u, taken);
    count_signed_row(row, SOLID_ERODED, SOLID_DEPOSITED, taken);
    if (u && v) {
        EACH_CELL(i, row) u[i] = move_x[i] * c.speed_x;
        EACH_CELL(i, row) v[i] = move_y[i] * c.speed_y;
    }
    if (is_semi_lagrangian(row)) stay_inside(row);
    if (KNOWN(EXCHANGE_WATER, c.exchange_water)) exchange_water(row, taken);
}

// ---- passes: transport --------------------------------------------------------------------------

/// (P9), flux: what cell i gets through its corners, less what it gives [m]. The rows are of what
/// is carried, from north to south.
INLINE float carried_by_corners(CornerRows f, const float* t_n, const float* t, const float* t_s,
                                int i) {
    Corners moved;
    moved.nw = pipe_carried(t_n[i - 1], f.se_north[i - 1], t[i], f.nw[i]);
    moved.ne = pipe_carried(t_n[i + 1], f.sw_north[i + 1], t[i], f.ne[i]);
    moved.sw = pipe_carried(t[i], f.sw[i], t_s[i - 1], f.ne_south[i - 1]);
    moved.se = pipe_carried(t[i], f.se[i], t_s[i + 1], f.nw_south[i + 1]);
    return corners_gain(moved);
}

/// (P9), flux: every face moves the same amount out of one cell and into the other. Says whether
/// sediment is left where the water is gone. `corners` is known when this is compiled.
ALWAYS_INLINE bool carry_with_flux(const PassRow* row, Chunk chunk, bool corners) {
    const PipeConsts c = pipe_consts(row);
    const OutflowRows f = outflow_rows(row);
    const CornerRows f_corner = corner_rows(row);
    const float *t = row->in[CARRIED][HERE], *d = row->in[WATER][HERE];
    const float *t_n = row->in[CARRIED][NORTH_ROW], *t_s = row->in[CARRIED][SOUTH_ROW];
    float* s = row->out[SEDIMENT];
    uint32_t found = 0;
    CELLS_OF(chunk, i) {
        float west = pipe_carried(t[i - 1], f.xp[i - 1], t[i], f.xm[i]);
        float east = pipe_carried(t[i], f.xp[i], t[i + 1], f.xm[i + 1]);
        float north = pipe_carried(t_n[i], f.yp_north[i], t[i], f.ym[i]);
        float south = pipe_carried(t[i], f.yp[i], t_s[i], f.ym_south[i]);
        float gain = (west - east) + (north - south);
        if (corners) gain += carried_by_corners(f_corner, t_n, t, t_s, i);
        float now = most(s[i] + gain, cell_zero);
        s[i] = now;
        found |= nonzero_bits(pipe_dropped(now, d[i], c));
    }
    return found != 0;
}

/// (P9), semi-Lagrangian; says the same. What is lost stands in the row `lost` then. `walls` is
/// known when this is compiled.
ALWAYS_INLINE bool carry_with_velocity(const PassRow* row, Chunk chunk, float* lost, bool walls) {
    const PipeConsts c = pipe_consts(row);
    const float* d = row->in[WATER][HERE];
    float* s = row->out[SEDIMENT];
    const float *mx = row->in[MOVE_X][HERE], *my = row->in[MOVE_Y][HERE];
    const float *t = row->in[CARRIED][HERE], *t_n = row->in[CARRIED][NORTH_ROW],
                *t_s = row->in[CARRIED][SOUTH_ROW];
    uint32_t found = 0;
    CELLS_OF(chunk, i) {
        bool from_west = mx[i] > 0.0f, from_north = my[i] > 0.0f;
        float here = t[i], west = t[i - 1], east = t[i + 1], north = t_n[i], south = t_s[i];
        float nw = t_n[i - 1], ne = t_n[i + 1], sw = t_s[i - 1], se = t_s[i + 1];
        float along_x = from_west ? west : east;
        float along_y = from_north ? north : south;
        float diagonal = from_north ? (from_west ? nw : ne) : (from_west ? sw : se);
        float now = pipe_upstream(here, along_x, along_y, diagonal, mx[i], my[i], walls);
        float less = s[i] - now;
        lost[i] = less;
        s[i] = now;
        found |= nonzero_bits(pipe_dropped(now, d[i], c));
    }
    return found != 0;
}

/// (P10), the sediment: where the water is gone it settles. Some columns; nothing settles in
/// others.
INLINE void settle(const PassRow* row, Chunk chunk) {
    const PipeConsts c = pipe_consts(row);
    const float* d = row->in[WATER][HERE];
    float *b = row->out[GROUND], *low = row->out[GROUND_LOW], *s = row->out[SEDIMENT];
    float *deposit = row->out[DEPOSIT], *settled = row->scratch[0];
    CELLS_OF(chunk, i) {
        float dropped = pipe_dropped(s[i], d[i], c);
        Pair ground = pair_add_some(b[i], low[i], dropped);
        b[i] = ground.value;
        low[i] = ground.low;
        s[i] -= dropped;
        settled[i] = dropped;
    }
    if (IS_STORED(row, DEPOSIT)) CELLS_OF(chunk, i) deposit[i] += settled[i];
    count_chunk(row, chunk, SOLID_DEPOSITED, settled);
}

/// How sediment travels: known when a loop is compiled.
typedef enum Travel {
    WITH_FLUX,
    WITH_EIGHT_FLUXES,
    WITH_VELOCITY,
    WITH_VELOCITY_BETWEEN_WALLS
} Travel;

/// (P9), (P10) but for what settles: gives the columns in which something does.
ALWAYS_INLINE Chunk travel_and_dry(const PassRow* row, Travel travel) {
    const PipeConsts c = pipe_consts(row);
    float *gone = row->scratch[0], *lost = row->scratch[1];
    const bool walls = travel == WITH_VELOCITY_BETWEEN_WALLS;
    const bool with_flux = travel == WITH_FLUX || travel == WITH_EIGHT_FLUXES;
    const bool corners = travel == WITH_EIGHT_FLUXES;
    int first = row->to, end = row->to; // of the chunks where sediment drops
    EACH_CHUNK(chunk, row, {
        evaporate_chunk(row, chunk, c.evaporated, c.dry_depth, gone);
        bool drops = with_flux ? carry_with_flux(row, chunk, corners)
                               : carry_with_velocity(row, chunk, lost, walls);
        if (drops && first == row->to) first = chunk.at;
        if (drops) end = chunk.at + chunk.count;
    });
    count_row(row, WATER_EVAPORATED, gone);
    if (!with_flux) count_row(row, SOLID_TRANSPORT_LOSS, lost);
    const Chunk drops_in = {first, end - first};
    return drops_in;
}

/// (P9), (P10)
ROW_FUNCTION void transport_row(const PassRow* row) {
    const int materials = pipe_materials(row);
    const Chunk whole = {row->from, row->to - row->from};
    Chunk drops;
    if (!is_semi_lagrangian(row)) {
        count_leaving(row, outflow_rows(row), row->in[CARRIED][HERE], SOLID_LEFT);
        if (has_corners(row))
            drops = travel_and_dry(row, WITH_EIGHT_FLUXES);
        else
            drops = travel_and_dry(row, WITH_FLUX);
    } else if (row->has_boundary) {
        drops = travel_and_dry(row, WITH_VELOCITY_BETWEEN_WALLS);
    } else {
        drops = travel_and_dry(row, WITH_VELOCITY);
    }
    if (drops.count == 0) return;
    if (ONE_CELL_ROWS || materials > 0) drops = whole;
    settle(row, drops);
    layers_settle(row, materials, row->scratch[0]);
}

#endif
