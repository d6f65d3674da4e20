// SPDX-License-Identifier: MIT
/// The pipe law: its fields, and the passes that move water, (P1) and (P2). Equations are explained
/// in pipe.c.
#ifndef PIPE_FLOW_ROWS_H
#define PIPE_FLOW_ROWS_H

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

INLINE bool has_corners(const PassRow* row) {
    return KNOWN(CORNERS, CONSTS(PipeConsts, row)->corners);
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
    PUSH_DOWN, // through the corner to the north-west of the cell: from it to the cell behind;
    PUSH_UP, // and from the cell to the west to that to the north. WALL if one of the four is none
    F_NW,    // outflows to the corners, as depth per step [m]; only with eight pipes
    F_SE,
    F_NE,
    F_SW,
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

/// (P1), eight pipes, at the corner to the north-west, where the pipes of four cells cross.
ALWAYS_INLINE void find_corners(const PassRow* row, Chunk chunk, bool walls) {
    const PipeConsts c = pipe_consts(row);
    const float *b = row->in[GROUND][HERE], *b_n = row->in[GROUND][NORTH_ROW];
    const float *low = row->in[GROUND_LOW][HERE], *low_n = row->in[GROUND_LOW][NORTH_ROW];
    const float *d = row->in[WATER][HERE], *d_n = row->in[WATER][NORTH_ROW];
    float *push_down = row->out[PUSH_DOWN], *push_up = row->out[PUSH_UP];
    CELLS_OF(chunk, i) {
        Column here = column(b[i], low[i], d[i]);
        Column west = column(b[i - 1], low[i - 1], d[i - 1]);
        Column north = column(b_n[i], low_n[i], d_n[i]);
        Column nw = column(b_n[i - 1], low_n[i - 1], d_n[i - 1]);
        Face down = face_between(here, nw, c.width_corner, c.push_corner, walls, c);
        Face up = face_between(west, north, c.width_corner, c.push_corner, walls, c);
        bool joined = !walls || !(is_wall(down.rise) || is_wall(up.rise));
        push_down[i] = joined ? down.push : WALL;
        push_up[i] = joined ? up.push : WALL;
    }
}

/// All that is found at the faces and corners of some columns. The last is known when this is
/// compiled.
ALWAYS_INLINE void find_joints(const PassRow* row, Chunk chunk, bool walls) {
    find_faces(row, chunk, walls);
    if (has_corners(row)) find_corners(row, chunk, walls);
}

ROW_FUNCTION void faces_row(const PassRow* row) {
    if (row->has_boundary) {
        EACH_CHUNK(chunk, row, find_joints(row, chunk, true));
    } else {
        EACH_CHUNK(chunk, row, find_joints(row, chunk, false));
        const Chunk beside_wall = {row->from, 1};
        if (row->side[WEST]) find_joints(row, beside_wall, true);
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
        EACH_CELL(i, row)
        north[i] = row->open[NORTH] ? open_push(d[i], c.width_y, c.push_y, c) : push.north[i];
        push.north = north;
    }
    if (ONE_CELL_ROWS || row->open[SOUTH]) {
        float* south = row->scratch[2];
        EACH_CELL(i, row)
        south[i] = row->open[SOUTH] ? -open_push(d[i], c.width_y, c.push_y, c) : push.south[i];
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

/// (P1), (P2), (P5) with eight pipes. A pipe to a side gets what the corners at its ends leave it.
ALWAYS_INLINE void find_eight_outflows(const PassRow* row, Pushes push, Chunk chunk, bool walls) {
    const PipeConsts c = pipe_consts(row);
    const float* d = row->in[WATER][HERE];
    const float *rise_x = row->in[RISE_X][HERE], *rise_y = row->in[RISE_Y][HERE];
    const float* rise_south = row->in[RISE_Y][SOUTH_ROW];
    const float *down = row->in[PUSH_DOWN][HERE], *down_s = row->in[PUSH_DOWN][SOUTH_ROW];
    const float *up = row->in[PUSH_UP][HERE], *up_s = row->in[PUSH_UP][SOUTH_ROW];
    float *f_xm = row->out[F_XM], *f_xp = row->out[F_XP];
    float *f_ym = row->out[F_YM], *f_yp = row->out[F_YP], *tilt = row->out[TILT];
    float *f_nw = row->out[F_NW], *f_se = row->out[F_SE];
    float *f_ne = row->out[F_NE], *f_sw = row->out[F_SW];
    CELLS_OF(chunk, i) {
        float x_nw = side_weight(down[i], c.half_x_joined);
        float x_ne = side_weight(down[i + 1], c.half_x_joined);
        float x_sw = side_weight(down_s[i], c.half_x_joined);
        float x_se = side_weight(down_s[i + 1], c.half_x_joined);
        float y_nw = side_weight(down[i], c.half_y_joined);
        float y_ne = side_weight(down[i + 1], c.half_y_joined);
        float y_sw = side_weight(down_s[i], c.half_y_joined);
        float y_se = side_weight(down_s[i + 1], c.half_y_joined);
        float xm = pipe_outflow(f_xm[i], (x_nw + x_sw) * push.x[i], c);
        float xp = pipe_outflow(f_xp[i], (x_ne + x_se) * -push.x[i + 1], c);
        float ym = pipe_outflow(f_ym[i], (y_nw + y_ne) * push.north[i], c);
        float yp = pipe_outflow(f_yp[i], (y_sw + y_se) * -push.south[i], c);
        float nw = pipe_outflow(f_nw[i], down[i], c);
        float se = pipe_outflow(f_se[i], -down_s[i + 1], c);
        float ne = pipe_outflow(f_ne[i], up[i + 1], c);
        float sw = pipe_outflow(f_sw[i], -up_s[i], c);
        float limit = pipe_limit(d[i], ((xm + xp) + (ym + yp)) + ((nw + se) + (ne + sw)));
        f_xm[i] = xm * limit;
        f_xp[i] = xp * limit;
        f_ym[i] = ym * limit;
        f_yp[i] = yp * limit;
        f_nw[i] = nw * limit;
        f_se[i] = se * limit;
        f_ne[i] = ne * limit;
        f_sw[i] = sw * limit;
        tilt[i] = pipe_tilt(rise_x[i], rise_x[i + 1], rise_y[i], rise_south[i], walls, c);
    }
}

/// The outflows of some columns, in as many pipes as a cell has.
ALWAYS_INLINE void find_all_outflows(const PassRow* row, Pushes push, Chunk chunk, bool walls) {
    if (has_corners(row))
        find_eight_outflows(row, push, chunk, walls);
    else
        find_outflows(row, push, chunk, walls);
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
        EACH_CHUNK(chunk, row, find_all_outflows(row, push, chunk, true));
    } else {
        EACH_CHUNK(chunk, row, find_all_outflows(row, push, chunk, false));
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

/// The rows of outflows that meet at the corners of a row's cells.
typedef struct CornerRows {
    const float *nw, *se, *ne, *sw; // of the row itself
    const float *se_north, *sw_north, *nw_south, *ne_south;
} CornerRows;

INLINE CornerRows corner_rows(const PassRow* row) {
    const CornerRows f = {row->in[F_NW][HERE],      row->in[F_SE][HERE],
                          row->in[F_NE][HERE],      row->in[F_SW][HERE],
                          row->in[F_SE][NORTH_ROW], row->in[F_SW][NORTH_ROW],
                          row->in[F_NW][SOUTH_ROW], row->in[F_NE][SOUTH_ROW]};
    return f;
}

/// Net flows of (P3) through the corners of cell i.
INLINE Corners corners_of(CornerRows f, int i) {
    Corners net;
    net.nw = f.se_north[i - 1] - f.nw[i];
    net.ne = f.sw_north[i + 1] - f.ne[i];
    net.sw = f.sw[i] - f.ne_south[i - 1];
    net.se = f.se[i] - f.nw_south[i + 1];
    return net;
}

#endif
