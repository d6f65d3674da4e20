/// The pipe law: passes over rows. Equations (P1) to (P10) are explained in pipe.c.
#ifndef PIPE_ROWS_H
#define PIPE_ROWS_H

#include "evaporation.rows.h"
#include "layers.rows.h"
#include "pipe.cell.h"
#include "row.h"

/// The constants: those of a cell come first, so that a pass that needs no others takes them for
/// all.
CELL_STRUCT(PipeRowConsts) {
    PipeConsts pipe;
    Materials materials;
};

INLINE PipeConsts pipe_consts(const PassRow* row) {
    return *CONSTS(PipeConsts, row);
}

INLINE int pipe_materials(const PassRow* row) {
    return KNOWN(MATERIALS, CONSTS(PipeRowConsts, row)->materials.count);
}

INLINE bool is_semi_lagrangian(const PassRow* row) {
    return KNOWN(SEMI_LAGRANGIAN, CONSTS(PipeConsts, row)->semi_lagrangian);
}

// ---- fields -------------------------------------------------------------------------------------

enum {
    F_XM = LAW_FIELDS, // outflows towards -x, +x, -y, +y, as depth per step [m]
    F_XP,
    F_YM,
    F_YP,
    RISE_X, // across the face to the west: ground above that behind it [m]
    RISE_Y, // and to the north
    PUSH_X, // of gravity through the same faces, as depth per step [m]
    PUSH_Y,
    TILT,    // sin^2(alpha) before the step
    CARRIED, // what transport reads around: s / d1 (flux) or s (semi_lagrangian)
    MOVE_X,  // velocity in cells per step; 0 where the water would come from outside
    MOVE_Y,
};

// ---- passes: flow -------------------------------------------------------------------------------

/// (P1), at the faces to the west and to the north, which two cells share.
ALWAYS_INLINE void find_faces(const PassRow* row, Chunk chunk, bool walls) {
    const PipeConsts c = pipe_consts(row);
    const float *b = row->in[GROUND][HERE], *b_n = row->in[GROUND][NORTH_ROW];
    const float *low = row->in[GROUND_LOW][HERE], *low_n = row->in[GROUND_LOW][NORTH_ROW];
    const float *d = row->in[WATER][HERE], *d_n = row->in[WATER][NORTH_ROW];
    float *rise_x = row->out[RISE_X], *rise_y = row->out[RISE_Y];
    float *push_x = row->out[PUSH_X], *push_y = row->out[PUSH_Y];
    CELLS_OF(chunk, i) {
        Column here = column(b[i], low[i], d[i]);
        Column west = column(b[i - 1], low[i - 1], d[i - 1]);
        Column north = column(b_n[i], low_n[i], d_n[i]);
        Face x = face_between(here, west, c.width_x, c.push_x, walls, c);
        Face y = face_between(here, north, c.width_y, c.push_y, walls, c);
        rise_x[i] = x.rise;
        rise_y[i] = y.rise;
        push_x[i] = x.push;
        push_y[i] = y.push;
    }
}

ROW_FUNCTION void faces_row(const PassRow* row) {
    if (row->has_boundary) {
        EACH_CHUNK(chunk, row, find_faces(row, chunk, true));
    } else {
        EACH_CHUNK(chunk, row, find_faces(row, chunk, false));
        const Chunk beside_wall = {row->from, 1};
        if (row->side[WEST]) find_faces(row, beside_wall, true);
    }
}

/// Counts what leaves through a side, if it is open, in columns from .. to-1: water, or the sediment
/// that it carries.
INLINE void count_side(const PassRow* row, Side side, int from, int to, Account account,
                       const float* f, const float* carried) {
    for (int i = from; row->open[side] && i < to; i++) {
        if (!is_own_column(row, i)) continue;
        if (account == SOLID_LEFT)
            count_product(row, account, f[i], carried[i]);
        else
            count_times(row, account, f[i], 1);
    }
}

/// The rows of outflows that meet at the faces of a row's cells.
typedef struct OutflowRows {
    const float *xm, *xp, *ym, *yp; // of the row itself
    const float *yp_north, *ym_south;
} OutflowRows;

/// Counts what leaves through the open sides.
INLINE void count_leaving(const PassRow* row, OutflowRows f, const float* carried,
                          Account account) {
    count_side(row, WEST, row->from, row->from + 1, account, f.xm, carried);
    count_side(row, EAST, row->to - 1, row->to, account, f.xp, carried);
    count_side(row, NORTH, row->first, row->end, account, f.ym, carried);
    count_side(row, SOUTH, row->first, row->end, account, f.yp, carried);
}

/// Pushes through the faces of a row's cells: towards the cell behind the face.
typedef struct Pushes {
    const float *x, *north, *south; // x[i] is west of cell i, x[i + 1] east of it
} Pushes;

/// The pushes of a row, with what an open side does in place of a wall.
INLINE Pushes pushes_of(const PassRow* row) {
    const PipeConsts c = pipe_consts(row);
    Pushes push = {row->in[PUSH_X][HERE], row->in[PUSH_Y][HERE], row->in[PUSH_Y][SOUTH_ROW]};
    const float* d = row->in[WATER][HERE];
    if (ONE_CELL_ROWS || row->open[WEST] || row->open[EAST]) {
        float* x = row->scratch[0];
        for (int i = row->from; i <= row->to; i++)
            x[i] = push.x[i];
        int west = row->from, east = row->to - 1;
        if (row->open[WEST]) x[west] = open_push(d[west], c.width_x, c.push_x, c);
        if (row->open[EAST]) x[east + 1] = -open_push(d[east], c.width_x, c.push_x, c);
        push.x = x;
    }
    if (ONE_CELL_ROWS || row->open[NORTH]) {
        float* north = row->scratch[1];
        EACH_CELL(i, row) north[i] = row->open[NORTH] ? open_push(d[i], c.width_y, c.push_y, c)
                                                      : push.north[i];
        push.north = north;
    }
    if (ONE_CELL_ROWS || row->open[SOUTH]) {
        float* south = row->scratch[2];
        EACH_CELL(i, row) south[i] = row->open[SOUTH] ? -open_push(d[i], c.width_y, c.push_y, c)
                                                      : push.south[i];
        push.south = south;
    }
    return push;
}

/// (P1), (P2), and (P5) on the way, since the rises are at hand. `walls` is known when this is
/// compiled.
ALWAYS_INLINE void find_outflows(const PassRow* row, Pushes push, Chunk chunk, bool walls) {
    const PipeConsts c = pipe_consts(row);
    const float* d = row->in[WATER][HERE];
    const float *rise_x = row->in[RISE_X][HERE], *rise_y = row->in[RISE_Y][HERE];
    const float* rise_south = row->in[RISE_Y][SOUTH_ROW];
    float *f_xm = row->out[F_XM], *f_xp = row->out[F_XP];
    float *f_ym = row->out[F_YM], *f_yp = row->out[F_YP], *tilt = row->out[TILT];
    CELLS_OF(chunk, i) {
        float xm = pipe_outflow(f_xm[i], push.x[i], c);
        float xp = pipe_outflow(f_xp[i], -push.x[i + 1], c);
        float ym = pipe_outflow(f_ym[i], push.north[i], c);
        float yp = pipe_outflow(f_yp[i], -push.south[i], c);
        float limit = pipe_limit(d[i], (xm + xp) + (ym + yp));
        f_xm[i] = xm * limit;
        f_xp[i] = xp * limit;
        f_ym[i] = ym * limit;
        f_yp[i] = yp * limit;
        tilt[i] = pipe_tilt(rise_x[i], rise_x[i + 1], rise_y[i], rise_south[i], walls, c);
    }
}

/// (P5) in a cell at a side, where the slope is one-sided.
INLINE void find_side_tilt(const PassRow* row, int i) {
    const float *rise_x = row->in[RISE_X][HERE], *rise_y = row->in[RISE_Y][HERE];
    const float south = row->in[RISE_Y][SOUTH_ROW][i];
    row->out[TILT][i] =
        pipe_tilt(rise_x[i], rise_x[i + 1], rise_y[i], south, true, pipe_consts(row));
}

ROW_FUNCTION void flux_row(const PassRow* row) {
    const Pushes push = pushes_of(row);
    if (row->has_boundary) {
        EACH_CHUNK(chunk, row, find_outflows(row, push, chunk, true));
    } else {
        EACH_CHUNK(chunk, row, find_outflows(row, push, chunk, false));
        if (row->side[WEST]) find_side_tilt(row, row->from);
        if (row->side[EAST]) find_side_tilt(row, row->to - 1);
    }
    const OutflowRows f = {
        .xm = row->out[F_XM], .xp = row->out[F_XP], .ym = row->out[F_YM], .yp = row->out[F_YP]};
    count_leaving(row, f, NULL, WATER_LEFT);
}

INLINE OutflowRows outflow_rows(const PassRow* row) {
    const OutflowRows f = {row->in[F_XM][HERE], row->in[F_XP][HERE],      row->in[F_YM][HERE],
                           row->in[F_YP][HERE], row->in[F_YP][NORTH_ROW], row->in[F_YM][SOUTH_ROW]};
    return f;
}

/// Net flows of (P3) through the faces of cell i.
INLINE Faces faces_of(OutflowRows f, int i) {
    Faces net;
    net.west = f.xp[i - 1] - f.xm[i];
    net.east = f.xp[i] - f.xm[i + 1];
    net.north = f.yp_north[i] - f.ym[i];
    net.south = f.yp[i] - f.ym_south[i];
    return net;
}

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
        Pair depth = pipe_depth(d1, d_low[i], net);
        float thinness = pipe_thinness(d1, depth.value);
        stream.d1[i - chunk.at] = d1;
        stream.through_x[i - chunk.at] = net.west + net.east;
        stream.through_y[i - chunk.at] = net.north + net.south;
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

/// (P9), flux: every face moves the same amount out of one cell and into the other. Says whether
/// sediment is left where the water is gone.
ALWAYS_INLINE bool carry_with_flux(const PassRow* row, Chunk chunk) {
    const PipeConsts c = pipe_consts(row);
    const OutflowRows f = outflow_rows(row);
    const float *t = row->in[CARRIED][HERE], *d = row->in[WATER][HERE];
    const float *t_n = row->in[CARRIED][NORTH_ROW], *t_s = row->in[CARRIED][SOUTH_ROW];
    float* s = row->out[SEDIMENT];
    uint32_t found = 0;
    CELLS_OF(chunk, i) {
        float west = pipe_carried(t[i - 1], f.xp[i - 1], t[i], f.xm[i]);
        float east = pipe_carried(t[i], f.xp[i], t[i + 1], f.xm[i + 1]);
        float north = pipe_carried(t_n[i], f.yp_north[i], t[i], f.ym[i]);
        float south = pipe_carried(t[i], f.yp[i], t_s[i], f.ym_south[i]);
        float now = most(s[i] + ((west - east) + (north - south)), cell_zero);
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
typedef enum Travel { WITH_FLUX, WITH_VELOCITY, WITH_VELOCITY_BETWEEN_WALLS } Travel;

/// (P9), (P10) but for what settles: gives the columns in which something does.
ALWAYS_INLINE Chunk travel_and_dry(const PassRow* row, Travel travel) {
    const PipeConsts c = pipe_consts(row);
    float *gone = row->scratch[0], *lost = row->scratch[1];
    const bool walls = travel == WITH_VELOCITY_BETWEEN_WALLS;
    int first = row->to, end = row->to; // of the chunks where sediment drops
    EACH_CHUNK(chunk, row, {
        evaporate_chunk(row, chunk, c.evaporated, c.dry_depth, gone);
        bool drops = travel == WITH_FLUX ? carry_with_flux(row, chunk)
                                         : carry_with_velocity(row, chunk, lost, walls);
        if (drops && first == row->to) first = chunk.at;
        if (drops) end = chunk.at + chunk.count;
    });
    count_row(row, WATER_EVAPORATED, gone);
    if (travel != WITH_FLUX) count_row(row, SOLID_TRANSPORT_LOSS, lost);
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
