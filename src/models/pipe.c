/// The pipe law: water in virtual pipes, and what it carries.
///
/// After Mei, Decaudin, Hu, "Fast Hydraulic Erosion Simulation and Visualization on GPU" (2007),
/// with the film and friction of docs/models.md, hardness (Jako & Toth 2011) and the water exchange
/// of the Unity repository. Cell size lx, ly [m], area a = lx * ly, time step dt [s]; b ground, d
/// water, s suspended sediment [m]; f_q outflow through the four pipes [m3/s]; d1 is the water
/// after supply.
///
///   (P1)  f_q = max(0, f_q * exp(-kf dt) + dt g A_q (h - h_n) / l_q),   h = b + d1
///         A_q = min(A, w_q * depth in the pipe) with film, else A; 0 across a closed side
///   (P2)  f_q *= min(1, d1 a / (dt sum f))
///   (P3)  d2 = d1 + dt (inflow - outflow) / a
///   (P4)  u = mean flow through the cell / (ly * (d1 + d2) / 2), |u| <= lx / dt; 0 in films < 0.1
///   mm (P5)  sin(alpha) from central differences of b before the step, at least min_tilt (P6)  C =
///   Kc sin(alpha) |v| min(1, d2 / lmax) (P7)  C > s: e = min(1, dt Ks) k (C - s) is taken from b;
///   else min(1, dt Kd) (s - C) is left (P8)  k = clamp(k - dt Kh Ks (s - C), 0.1, 1) where k > 0
///   (P9)  s travels with the water: with the outflows (flux), or s(x) = s(x - v dt)
///   (semi_lagrangian) (P10) d = d2 max(0, 1 - Ke dt); below dry_depth it vanishes and s settles
///
/// With materials (P7) takes from their layers, by (L1) and (L2) of layers.h, and what settles
/// becomes the last of them.
///
/// Borders: a closed side or a nodata cell is a wall. Behind an open side lies dry ground of the
/// same height. Stability: dt <= sqrt(a / (2 g A (1/lx + 1/ly))). Conserves water; conserves solid
/// with flux transport, semi_lagrangian loses some, which is counted.
/// Deviation from the paper: the velocity clamp and the film threshold of (P4), and all that the
/// parameters film, friction, depth_limit, dry_depth and transport can switch back.
#include <math.h>

#include "evaporation.h"
#include "law.h"
#include "layers.h"
#include "pipe.cell.h"

// ---- parameters ---------------------------------------------------------------------------------

#define ROW(...) GULLY_PARAM_ROW(GullyPipeParams, __VA_ARGS__)
static const GullyParam param_rows[] = {GULLY_PIPE_PARAMS(ROW)};
#undef ROW
static const GullyParamTable params_table = LAW_TABLE(GullyPipeParams, param_rows);

/// The constants: those of a cell come first, so that a pass that needs no others takes them for
/// all.
typedef struct LayeredConsts {
    PipeConsts pipe;
    Materials materials;
} LayeredConsts;

static const Materials* materials_in(const PassRow* row) {
    return &((const LayeredConsts*)row->consts)->materials;
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

static const LawField own_fields[] = {
    {.name = "f_xm", .per_step = true},
    {.name = "f_xp", .per_step = true},
    {.name = "f_ym", .per_step = true},
    {.name = "f_yp", .per_step = true},
    {.name = "rise_x", .scratch = true, .outside = WALL},
    {.name = "rise_y", .scratch = true, .outside = WALL},
    {.name = "push_x", .scratch = true, .outside = WALL},
    {.name = "push_y", .scratch = true, .outside = WALL},
    {.name = "tilt", .scratch = true},
    {.name = "carried", .scratch = true, .outside = CARRIED_NOWHERE},
    {.name = "move_x", .scratch = true},
    {.name = "move_y", .scratch = true},
};

#define BIT FIELD_BIT
#define GROUND_PAIR (BIT(GROUND) | BIT(GROUND_LOW))
#define WATER_PAIR (BIT(WATER) | BIT(WATER_LOW))
#define OUTFLOWS (BIT(F_XM) | BIT(F_XP) | BIT(F_YM) | BIT(F_YP))

// ---- passes: flow -------------------------------------------------------------------------------

/// (P1), at the faces to the west and to the north, which two cells share.
ALWAYS_INLINE void find_faces(const PassRow* row, Chunk chunk, bool walls) {
    const PipeConsts c = *(const PipeConsts*)row->consts;
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

/// Beyond a side the slope goes on as it is before it: then (P5) is one-sided there.
static float slope_beyond(float rise) {
    return is_wall(rise) ? 0.0f : rise;
}

static void faces_row(const PassRow* row) {
    float* rise_x = row->out[RISE_X];
    if (row->has_boundary) {
        EACH_CHUNK(chunk, row, find_faces(row, chunk, true));
    } else {
        EACH_CHUNK(chunk, row, find_faces(row, chunk, false));
        if (row->side[WEST]) find_faces(row, (Chunk){row->from, 1}, true);
    }
    if (row->side[EAST]) rise_x[row->to] = slope_beyond(rise_x[row->to - 1]);
    if (row->side[WEST]) rise_x[row->from] = slope_beyond(rise_x[row->from + 1]);
}

/// Counts what leaves through the open sides: `carried` times the outflow, or the outflow if NULL.
static void count_leaving(const PassRow* row, const float* const f[SIDES], const float* carried,
                          Account account) {
    const int from[SIDES] = {row->from, row->to - 1, row->first, row->first};
    const int to[SIDES] = {row->from + 1, row->to, row->end, row->end};
    for (int side = 0; side < SIDES; side++) {
        if (!row->open[side]) continue;
        for (int i = from[side]; i < to[side]; i++) {
            if (i < row->first || i >= row->end) continue;
            double amount = (double)f[side][i] * (carried ? (double)carried[i] : 1.0);
            exact_add(&row->accounts[account], amount, 1);
        }
    }
}

/// Pushes through the faces of a row's cells: towards the cell behind the face.
typedef struct Pushes {
    const float *x, *north, *south; // x[i] is west of cell i, x[i + 1] east of it
} Pushes;

/// The pushes of a row, with what an open side does in place of a wall.
static Pushes pushes_of(const PassRow* row, const PipeConsts* c) {
    Pushes push = {row->in[PUSH_X][HERE], row->in[PUSH_Y][HERE], row->in[PUSH_Y][SOUTH_ROW]};
    const float* d = row->in[WATER][HERE];
    if (row->open[WEST] || row->open[EAST]) {
        float* x = row->scratch[0];
        for (int i = row->from; i <= row->to; i++)
            x[i] = push.x[i];
        int west = row->from, east = row->to - 1;
        if (row->open[WEST]) x[west] = open_push(d[west], c->width_x, c->push_x, *c);
        if (row->open[EAST]) x[east + 1] = -open_push(d[east], c->width_x, c->push_x, *c);
        push.x = x;
    }
    if (row->open[NORTH]) {
        float* north = row->scratch[1];
        EACH_CELL(i, row) north[i] = open_push(d[i], c->width_y, c->push_y, *c);
        push.north = north;
    }
    if (row->open[SOUTH]) {
        float* south = row->scratch[2];
        EACH_CELL(i, row) south[i] = -open_push(d[i], c->width_y, c->push_y, *c);
        push.south = south;
    }
    return push;
}

/// (P1), (P2), and (P5) on the way, since the rises are at hand. `walls` is known when this is
/// compiled.
ALWAYS_INLINE void find_outflows(const PassRow* row, Pushes push, Chunk chunk, bool walls) {
    const PipeConsts c = *(const PipeConsts*)row->consts;
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
        float slope_x = pipe_slope(rise_x[i], rise_x[i + 1], c.half_x, walls);
        float slope_y = pipe_slope(rise_y[i], rise_south[i], c.half_y, walls);
        f_xm[i] = xm * limit;
        f_xp[i] = xp * limit;
        f_ym[i] = ym * limit;
        f_yp[i] = yp * limit;
        tilt[i] = pipe_sin2(slope_x, slope_y, c);
    }
}

static void flux_row(const PassRow* row) {
    const Pushes push = pushes_of(row, row->consts);
    if (row->has_boundary)
        EACH_CHUNK(chunk, row, find_outflows(row, push, chunk, true));
    else
        EACH_CHUNK(chunk, row, find_outflows(row, push, chunk, false));
    const float* const f[SIDES] = {row->out[F_XM], row->out[F_XP], row->out[F_YM], row->out[F_YP]};
    count_leaving(row, f, NULL, WATER_LEFT);
}

/// The rows of outflows that meet at the faces of a row's cells.
typedef struct OutflowRows {
    const float *xm, *xp, *ym, *yp; // of the row itself
    const float *yp_north, *ym_south;
} OutflowRows;

static inline OutflowRows outflow_rows(const PassRow* row) {
    return (OutflowRows){row->in[F_XM][HERE], row->in[F_XP][HERE],      row->in[F_YM][HERE],
                         row->in[F_YP][HERE], row->in[F_YP][NORTH_ROW], row->in[F_YM][SOUTH_ROW]};
}

/// Net flows of (P3) through the faces of cell i.
static inline Faces faces_of(OutflowRows f, int i) {
    Faces net;
    net.west = f.xp[i - 1] - f.xm[i];
    net.east = f.xp[i] - f.xm[i + 1];
    net.north = f.yp_north[i] - f.ym[i];
    net.south = f.yp[i] - f.ym_south[i];
    return net;
}

// ---- passes: erosion ----------------------------------------------------------------------------

/// (P7), with exchange_water.
static void exchange_water(const PassRow* row, const float* taken) {
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
    const PipeConsts c = *(const PipeConsts*)row->consts;
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
    const bool mask = row->out[FLOW] != NULL;
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
static void take_from_layers(const PassRow* row, const float* can_carry, const float* speed2,
                             float* taken) {
    const PipeConsts c = *(const PipeConsts*)row->consts;
    const Materials* materials = materials_in(row);
    const float *s = row->in[SEDIMENT][HERE], *hardness = row->in[HARDNESS][HERE];
    float *wanted = row->scratch[2], *demand = row->scratch[5], *settled = row->scratch[5];
    EACH_CELL(i, row) {
        float room = can_carry[i] - s[i];
        wanted[i] = room * (room > 0.0f ? hardness[i] : 1.0f);
    }
    layers_erode(row, materials, wanted, speed2, demand, taken);
    EACH_CELL(i, row) {
        settled[i] = c.deposit * most(-wanted[i], cell_zero);
        taken[i] -= settled[i];
    }
    layers_settle(row, materials->count, settled);
}

/// (P6), (P7). In layered ground, `taken` is what the layers gave; else it is found here. The last
/// three are known when this is compiled.
ALWAYS_INLINE void erode(const PassRow* row, Chunk chunk, Stream stream, float* taken, bool layered,
                         bool semi_lagrangian, bool masks) {
    const PipeConsts c = *(const PipeConsts*)row->consts;
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
    const PipeConsts c = *(const PipeConsts*)row->consts;
    const float* s = row->in[SEDIMENT][HERE];
    float* softened = row->out[HARDNESS];
    CELLS_OF(chunk, i) {
        softened[i] = pipe_soften(softened[i], s[i], stream.can_carry[i - chunk.at], c);
    }
}

/// (P7), (P8) in ground of one material, or in layers, which is known when this is compiled.
ALWAYS_INLINE void work_ground(const PassRow* row, Chunk chunk, Stream stream, float* taken,
                               bool layered) {
    const PipeConsts* c = row->consts;
    const bool masks = row->out[WEAR] && row->out[DEPOSIT];
    if (masks && c->semi_lagrangian)
        erode(row, chunk, stream, taken, layered, true, true);
    else if (masks)
        erode(row, chunk, stream, taken, layered, false, true);
    else if (c->semi_lagrangian)
        erode(row, chunk, stream, taken, layered, true, false);
    else
        erode(row, chunk, stream, taken, layered, false, false);
    if (c->soften > 0 && row->out[HARDNESS]) soften(row, chunk, stream);
}

/// (P3) to (P8) in ground of one material.
static void erode_chunks(const PassRow* row, bool keep, float* taken) {
    _Alignas(64) float d1[CHUNK], thinness[CHUNK], through_x[CHUNK], through_y[CHUNK];
    _Alignas(64) float can_carry[CHUNK], speed2[CHUNK];
    const Stream stream = {d1, thinness, through_x, through_y, can_carry, speed2};
    EACH_CHUNK(chunk, row, {
        flow(row, chunk, stream, keep);
        work_ground(row, chunk, stream, taken, false);
    });
}

/// (P3) to (P8) in layered ground: the whole row is one chunk, since layers are gone through row by
/// row.
static void erode_layers(const PassRow* row, float* taken) {
    const Chunk all = {row->from, row->to - row->from};
    float* const* scratch = row->scratch;
    float *can_carry = scratch[4], *speed2 = scratch[1]; // what is not needed any more makes room
    const Stream stream = {
        .d1 = scratch[0] + all.at,
        .thinness = scratch[1] + all.at,
        .through_x = scratch[2] + all.at,
        .through_y = scratch[3] + all.at,
        .can_carry = can_carry + all.at,
        .speed2 = speed2 + all.at,
    };
    flow(row, all, stream, true);
    take_from_layers(row, can_carry, speed2, taken);
    work_ground(row, all, stream, taken, true);
}

/// (P9), semi-Lagrangian: positions are clamped to the world.
static void stay_inside(const PassRow* row) {
    float *move_x = row->out[MOVE_X], *move_y = row->out[MOVE_Y];
    const int west = row->from, east = row->to - 1;
    if (row->side[WEST]) move_x[west] = least(move_x[west], cell_zero);
    if (row->side[EAST]) move_x[east] = most(move_x[east], cell_zero);
    if (row->side[NORTH]) EACH_CELL(i, row) move_y[i] = least(move_y[i], cell_zero);
    if (row->side[SOUTH]) EACH_CELL(i, row) move_y[i] = most(move_y[i], cell_zero);
}

/// (P3) to (P8)
static void erosion_row(const PassRow* row) {
    const PipeConsts c = *(const PipeConsts*)row->consts;
    float *u = row->out[VELOCITY_X], *v = row->out[VELOCITY_Y];
    const float *move_x = row->out[MOVE_X], *move_y = row->out[MOVE_Y];
    float* taken = row->scratch[3];
    if (materials_in(row)->count > 0)
        erode_layers(row, taken);
    else
        erode_chunks(row, c.semi_lagrangian || u, taken);
    exact_add_signed_row(&row->accounts[SOLID_ERODED], &row->accounts[SOLID_DEPOSITED],
                         taken + row->first, row->end - row->first);
    if (u && v) {
        EACH_CELL(i, row) u[i] = move_x[i] * c.speed_x;
        EACH_CELL(i, row) v[i] = move_y[i] * c.speed_y;
    }
    if (c.semi_lagrangian) stay_inside(row);
    if (c.exchange_water) exchange_water(row, taken);
}

// ---- passes: transport --------------------------------------------------------------------------

/// (P9), flux: every face moves the same amount out of one cell and into the other. Says whether
/// sediment is left where the water is gone.
ALWAYS_INLINE bool carry_with_flux(const PassRow* row, Chunk chunk) {
    const PipeConsts c = *(const PipeConsts*)row->consts;
    const OutflowRows f = outflow_rows(row);
    const float *t = row->in[CARRIED][HERE], *d = row->in[WATER][HERE];
    const float *t_n = row->in[CARRIED][NORTH_ROW], *t_s = row->in[CARRIED][SOUTH_ROW];
    float* s = row->out[SEDIMENT];
    uint32_t any = 0;
    CELLS_OF(chunk, i) {
        float west = t[i - 1] * f.xp[i - 1] - t[i] * f.xm[i];
        float east = t[i] * f.xp[i] - t[i + 1] * f.xm[i + 1];
        float north = t_n[i] * f.yp_north[i] - t[i] * f.ym[i];
        float south = t[i] * f.yp[i] - t_s[i] * f.ym_south[i];
        float now = most(s[i] + ((west - east) + (north - south)), cell_zero);
        s[i] = now;
        any |= exact_size(pipe_dropped(now, d[i], c));
    }
    return any != 0;
}

/// (P9), semi-Lagrangian; says the same. What is lost stands in the row `lost` then. `walls` is
/// known when this is compiled.
ALWAYS_INLINE bool carry_with_velocity(const PassRow* row, Chunk chunk, float* lost, bool walls) {
    const PipeConsts c = *(const PipeConsts*)row->consts;
    const float* d = row->in[WATER][HERE];
    float* s = row->out[SEDIMENT];
    const float *mx = row->in[MOVE_X][HERE], *my = row->in[MOVE_Y][HERE];
    const float *t = row->in[CARRIED][HERE], *t_n = row->in[CARRIED][NORTH_ROW],
                *t_s = row->in[CARRIED][SOUTH_ROW];
    uint32_t any = 0;
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
        any |= exact_size(pipe_dropped(now, d[i], c));
    }
    return any != 0;
}

/// (P10), the sediment: where the water is gone it settles. Some columns; nothing settles in
/// others.
static void settle(const PassRow* row, Chunk chunk) {
    const PipeConsts c = *(const PipeConsts*)row->consts;
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
    if (deposit) CELLS_OF(chunk, i) deposit[i] += settled[i];
    count_chunk(row, chunk, SOLID_DEPOSITED, settled);
}

/// How sediment travels: known when a loop is compiled.
typedef enum Travel { WITH_FLUX, WITH_VELOCITY, WITH_VELOCITY_BETWEEN_WALLS } Travel;

/// (P9), (P10) but for what settles: gives the columns in which something does.
ALWAYS_INLINE Chunk travel_and_dry(const PassRow* row, Travel travel) {
    const PipeConsts* c = row->consts;
    float *gone = row->scratch[0], *lost = row->scratch[1];
    const bool walls = travel == WITH_VELOCITY_BETWEEN_WALLS;
    int first = row->to, end = row->to; // of the chunks where sediment drops
    EACH_CHUNK(chunk, row, {
        evaporate_chunk(row, chunk, c->evaporated, c->dry_depth, gone);
        bool drops = travel == WITH_FLUX ? carry_with_flux(row, chunk)
                                         : carry_with_velocity(row, chunk, lost, walls);
        if (drops && first == row->to) first = chunk.at;
        if (drops) end = chunk.at + chunk.count;
    });
    count_row(row, WATER_EVAPORATED, gone);
    if (travel != WITH_FLUX) count_row(row, SOLID_TRANSPORT_LOSS, lost);
    return (Chunk){first, end - first};
}

/// (P9), (P10)
static void transport_row(const PassRow* row) {
    const int materials = materials_in(row)->count;
    Chunk drops;
    if (!((const PipeConsts*)row->consts)->semi_lagrangian) {
        const OutflowRows f = outflow_rows(row);
        const float* const out[SIDES] = {f.xm, f.xp, f.ym, f.yp};
        count_leaving(row, out, row->in[CARRIED][HERE], SOLID_LEFT);
        drops = travel_and_dry(row, WITH_FLUX);
    } else if (row->has_boundary) {
        drops = travel_and_dry(row, WITH_VELOCITY_BETWEEN_WALLS);
    } else {
        drops = travel_and_dry(row, WITH_VELOCITY);
    }
    if (drops.count == 0) return;
    if (materials > 0) drops = (Chunk){row->from, row->to - row->from};
    settle(row, drops);
    layers_settle(row, materials, row->scratch[0]);
}

static const Pass passes[] = {
    {.name = "faces",
     .reads_before = GROUND_PAIR | BIT(WATER),
     .writes = BIT(RISE_X) | BIT(RISE_Y) | BIT(PUSH_X) | BIT(PUSH_Y),
     .row = faces_row},
    {.name = "flux",
     .reads = OUTFLOWS | BIT(WATER),
     .reads_after = BIT(PUSH_X) | BIT(PUSH_Y) | BIT(RISE_X) | BIT(RISE_Y),
     .writes = OUTFLOWS | BIT(TILT),
     .row = flux_row},
    {.name = "erosion",
     .reads = GROUND_PAIR | LAYER_FIELDS | WATER_PAIR | BIT(SEDIMENT) | BIT(HARDNESS) | BIT(TILT),
     .reads_around = OUTFLOWS,
     .writes = GROUND_PAIR | LAYER_FIELDS | WATER_PAIR | BIT(SEDIMENT) | BIT(HARDNESS) |
               BIT(CARRIED) | BIT(MOVE_X) | BIT(MOVE_Y) | BIT(FLOW) | BIT(WEAR) | BIT(DEPOSIT) |
               BIT(VELOCITY_X) | BIT(VELOCITY_Y),
     .output_only = BIT(VELOCITY_X) | BIT(VELOCITY_Y),
     .row = erosion_row},
    {.name = "transport",
     .reads = GROUND_PAIR | LAYER_FIELDS | WATER_PAIR | BIT(SEDIMENT) | BIT(MOVE_X) | BIT(MOVE_Y),
     .reads_around = OUTFLOWS | BIT(CARRIED),
     .writes = GROUND_PAIR | LAYER_FIELDS | WATER_PAIR | BIT(SEDIMENT) | BIT(DEPOSIT),
     .row = transport_row},
};

// ---- the law ------------------------------------------------------------------------------------

enum { SEMI_LAGRANGIAN, FLUX }; // the choices of `transport`

/// Cross-section and lengths with the grid's values where the parameter is 0.
typedef struct Pipes {
    double area, length_x, length_y;
} Pipes;

static Pipes pipes_of(const GullyPipeParams* p, const StepInfo* info) {
    return (Pipes){
        .area = p->pipe_area > 0 ? p->pipe_area : info->cell_x * info->cell_y,
        .length_x = p->pipe_length > 0 ? p->pipe_length : info->cell_x,
        .length_y = p->pipe_length > 0 ? p->pipe_length : info->cell_y,
    };
}

static double max_dt(const void* params, const StepInfo* info) {
    const GullyPipeParams* p = params;
    Pipes pipes = pipes_of(p, info);
    double area = info->cell_x * info->cell_y;
    return sqrt(area / (2 * p->gravity * pipes.area * (1 / pipes.length_x + 1 / pipes.length_y)));
}

static void prepare(const void* params, const StepInfo* info, void* consts) {
    const GullyPipeParams* p = params;
    const Pipes pipes = pipes_of(p, info);
    const double dt = info->dt, lx = info->cell_x, ly = info->cell_y;
    const double push = p->gravity * dt * dt / (lx * ly);
    LayeredConsts* all = consts;
    all->materials = materials_of(info, p->dissolve, p->drag);
    all->pipe = (PipeConsts){
        .decay = (float)exp(-p->friction * dt),
        .push_x = (float)(push / pipes.length_x),
        .push_y = (float)(push / pipes.length_y),
        .area = (float)pipes.area,
        .width_x = (float)ly,
        .width_y = (float)lx,
        .least_depth = p->film ? 0.0f : INFINITY,
        .speed_x = (float)(lx / dt),
        .speed_y = (float)(ly / dt),
        .capacity = (float)p->capacity,
        .min_tilt2 = (float)(p->min_tilt * p->min_tilt),
        .half_x = (float)(0.5 / lx),
        .half_y = (float)(0.5 / ly),
        .ramp = p->depth_limit > 0 ? (float)(1 / p->depth_limit) : 0,
        .ramp_offset = p->depth_limit > 0 ? 0.0f : 1.0f,
        .dissolve = (float)fmin(1, dt * p->dissolve),
        .deposit = (float)fmin(1, dt * p->deposit),
        .soften = (float)(dt * p->softening * p->dissolve),
        .softest = 0.1f,
        .exchange_water = p->exchange_water,
        .semi_lagrangian = p->transport == SEMI_LAGRANGIAN,
        .evaporated = -(float)fmin(1, p->evaporation * dt),
        .dry_depth = p->evaporation * dt < 1 ? (float)p->dry_depth : INFINITY,
    };
}

static FieldSet needs(const void* params) {
    const GullyPipeParams* p = params;
    return p->softening > 0 ? BIT(HARDNESS) : 0;
}

DEFINE_LAW(pipe) = {
    .name = "pipe",
    .summary = "water in virtual pipes that erodes, carries and drops sediment",
    .source = "Mei, Decaudin, Hu 2007; Jako & Toth 2011",
    .params = &params_table,
    .fields = own_fields,
    .field_count = sizeof own_fields / sizeof *own_fields,
    .passes = passes,
    .pass_count = sizeof passes / sizeof *passes,
    .rest = BIT(WATER) | BIT(SEDIMENT) | OUTFLOWS | BIT(VELOCITY_X) | BIT(VELOCITY_Y),
    .layers = true,
    .consts_size = sizeof(LayeredConsts),
    .prepare = prepare,
    .needs = needs,
    .max_dt = max_dt,
};
