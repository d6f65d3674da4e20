// SPDX-License-Identifier: MIT
/// The pipe law: water in virtual pipes, and what it carries.
///
/// After Mei, Decaudin, Hu, "Fast Hydraulic Erosion Simulation and Visualization on GPU" (2007),
/// with the film and friction of docs/models.md, hardness (Jako & Toth 2011) and the water exchange
/// of the Unity repository. Cell size lx, ly [m], area a = lx * ly, time step dt [s]; b ground, d
/// water, s suspended sediment [m]; f_q outflow through the pipes [m3/s]; d1 is the water after
/// supply.
///
///   (P1)  f_q = max(0, f_q * exp(-kf dt) + T g A_q (h - h_n) / l_q),   h = b + d1
///         T = (1 - exp(-kf dt)) / kf, dt where kf = 0: friction integrated exactly over the step
///         A_q = min(A, w_q * depth in the pipe) with film, else A; 0 across a closed side
///   (P2)  f_q *= min(1, d1 a / (dt sum f))
///   (P3)  d2 = d1 + dt (inflow - outflow) / a
///   (P4)  u = mean flow through the cell / (ly * (d1 + d2) / 2), |u| <= lx / dt;
///         0 in films < 0.1 mm
///   (P5)  sin(alpha) from central differences of b before the step, at least min_tilt
///   (P6)  C = Kc sin(alpha) |v| min(1, d2 / lmax)
///   (P7)  C > s: e = min(1, dt Ks) k (C - s) is taken from b; else min(1, dt Kd) (s - C) is left
///   (P8)  k = clamp(k - dt Kh Ks (s - C), 0.1, 1) where k > 0
///   (P9)  s travels with the water: with the outflows (flux), or s(x) = s(x - v dt)
///         (semi_lagrangian)
///   (P10) d = d2 max(0, 1 - Ke dt); below dry_depth it vanishes and s settles
///
/// Eight pipes (`pipes`): Mei's four blur what flows along a diagonal and nothing that flows along
/// an axis, so that furrows grow along the axes. With pipes to the corners too the flow blurs
/// nearly alike in all directions. A corner where four cells meet gives its two diagonal pipes the
/// weight w = lx ly / (3 (lx^2 + ly^2)) (1/6 in square cells), which multiplies A_q of (P1), of
/// width and length sqrt(lx ly). A pipe to a side has the weight 1, less w lx/ly (x) or w ly/lx (y)
/// for each end of its face that is such a corner: 2/3 in square cells. So where walls meet no
/// corner the form is that of four pipes, and a plane drives the same flow in both forms. In (P2),
/// (P3), (P9) sums are over eight pipes; a corner pipe counts for both axes in (P4). Stable for the
/// same dt.
///
/// With materials (P7) takes from their layers, by (L1) and (L2) of layers.rows.h, and what settles
/// becomes the last of them.
///
/// Borders: a closed side or a nodata cell is a wall. Behind an open side lies dry ground of the
/// same height. Stability: dt <= sqrt(a / (2 g A (1/lx + 1/ly))). Conserves water; conserves solid
/// with flux transport, semi_lagrangian loses some, which is counted.
/// Deviation from the paper: the velocity clamp and the film threshold of (P4), and all that the
/// parameters film, friction, depth_limit, dry_depth and transport can switch back.
#include "pipe.rows.h"

#include <math.h>

#include "law.h"
#include "layers.h"
#include "level_registers.h"
#include "neighbours.rows.h"

// ---- parameters ---------------------------------------------------------------------------------

#define ROW(...) GULLY_PARAM_ROW(GullyPipeParams, __VA_ARGS__)
static const GullyParam param_rows[] = {GULLY_PIPE_PARAMS(ROW)};
#undef ROW
static const GullyParamTable params_table = LAW_TABLE(GullyPipeParams, param_rows);

// ---- fields -------------------------------------------------------------------------------------

static const LawField own_fields[] = {
    {.name = "f_xm", .per_step = true, .level = LEVEL_WEST},
    {.name = "f_xp", .per_step = true, .level = LEVEL_EAST},
    {.name = "f_ym", .per_step = true, .level = LEVEL_NORTH},
    {.name = "f_yp", .per_step = true, .level = LEVEL_SOUTH},
    {.name = "rise_x", .scratch = true, .outside = WALL},
    {.name = "rise_y", .scratch = true, .outside = WALL},
    {.name = "push_x", .scratch = true, .outside = WALL},
    {.name = "push_y", .scratch = true, .outside = WALL},
    {.name = "tilt", .scratch = true},
    {.name = "carried", .scratch = true, .outside = CARRIED_NOWHERE},
    {.name = "move_x", .scratch = true},
    {.name = "move_y", .scratch = true},
    {.name = "push_down", .scratch = true, .outside = WALL},
    {.name = "push_up", .scratch = true, .outside = WALL},
    {.name = "f_nw", .per_step = true, .optional = true, .level = LEVEL_CORNER},
    {.name = "f_se", .per_step = true, .optional = true, .level = LEVEL_CORNER},
    {.name = "f_ne", .per_step = true, .optional = true, .level = LEVEL_CORNER},
    {.name = "f_sw", .per_step = true, .optional = true, .level = LEVEL_CORNER},
};

#define BIT FIELD_BIT
#define GROUND_PAIR (BIT(GROUND) | BIT(GROUND_LOW))
#define WATER_PAIR (BIT(WATER) | BIT(WATER_LOW))
#define CORNER_OUTFLOWS (BIT(F_NW) | BIT(F_SE) | BIT(F_NE) | BIT(F_SW))
#define OUTFLOWS (BIT(F_XM) | BIT(F_XP) | BIT(F_YM) | BIT(F_YP) | CORNER_OUTFLOWS)
#define CORNER_PUSHES (BIT(PUSH_DOWN) | BIT(PUSH_UP))

// ---- passes -------------------------------------------------------------------------------------

#define MASKS (BIT(WEAR) | BIT(DEPOSIT))

static const Pass passes[] = {
    {PASS(faces), .reads_before = GROUND_PAIR | BIT(WATER),
     .writes = BIT(RISE_X) | BIT(RISE_Y) | BIT(PUSH_X) | BIT(PUSH_Y) | CORNER_PUSHES},
    {PASS(flux), .reads = OUTFLOWS | BIT(WATER),
     .reads_after = BIT(PUSH_X) | BIT(PUSH_Y) | BIT(RISE_X) | BIT(RISE_Y) | CORNER_PUSHES,
     .writes = OUTFLOWS | BIT(TILT), .counts = ACCOUNT_BIT(WATER_LEFT)},
    {PASS(erosion),
     .reads = GROUND_PAIR | LAYER_FIELDS | WATER_PAIR | BIT(SEDIMENT) | BIT(HARDNESS) | BIT(TILT) |
              BIT(FLOW) | MASKS,
     .reads_around = OUTFLOWS,
     .writes = GROUND_PAIR | LAYER_FIELDS | WATER_PAIR | BIT(SEDIMENT) | BIT(HARDNESS) |
               BIT(CARRIED) | BIT(MOVE_X) | BIT(MOVE_Y) | BIT(FLOW) | MASKS | BIT(VELOCITY_X) |
               BIT(VELOCITY_Y),
     .output_only = BIT(VELOCITY_X) | BIT(VELOCITY_Y), .sums = BIT(FLOW) | MASKS,
     .counts =
         ACCOUNT_BIT(SOLID_ERODED) | ACCOUNT_BIT(SOLID_DEPOSITED) | ACCOUNT_BIT(WATER_EXCHANGED)},
    {PASS(transport),
     .reads = GROUND_PAIR | LAYER_FIELDS | WATER_PAIR | BIT(SEDIMENT) | BIT(MOVE_X) | BIT(MOVE_Y) |
              BIT(DEPOSIT),
     .reads_around = OUTFLOWS | BIT(CARRIED),
     .writes = GROUND_PAIR | LAYER_FIELDS | WATER_PAIR | BIT(SEDIMENT) | BIT(DEPOSIT),
     .sums = BIT(DEPOSIT),
     .counts = ACCOUNT_BIT(SOLID_LEFT) | ACCOUNT_BIT(WATER_EVAPORATED) |
               ACCOUNT_BIT(SOLID_TRANSPORT_LOSS) | ACCOUNT_BIT(SOLID_DEPOSITED)},
};

// ---- borders of levels --------------------------------------------------------------------------

_Static_assert((int)W == (int)EDGE_W && (int)SW == (int)EDGE_SW && (int)NEIGHBOURS == (int)EDGES,
               "sides and corners are in the order of neighbours");

/// Outflows of a cell towards its neighbours, and theirs back [m].
static void exchanges_at(OutflowRows f, CornerRows corner, bool corners, int i,
                         float out[NEIGHBOURS], float back[NEIGHBOURS]) {
    out[W] = f.xm[i], back[W] = f.xp[i - 1];
    out[E] = f.xp[i], back[E] = f.xm[i + 1];
    out[N] = f.ym[i], back[N] = f.yp_north[i];
    out[S] = f.yp[i], back[S] = f.ym_south[i];
    if (!corners) return;
    out[NW] = corner.nw[i], back[NW] = corner.se_north[i - 1];
    out[SE] = corner.se[i], back[SE] = corner.nw_south[i + 1];
    out[NE] = corner.ne[i], back[NE] = corner.sw_north[i + 1];
    out[SW] = corner.sw[i], back[SW] = corner.ne_south[i - 1];
}

/// Registers water and the sediment in it.
static void edges_row(const PassRow* edge) {
    const EdgeConsts* consts = edge->consts;
    PassRow row = *edge;
    row.consts = consts->law;
    const bool corners = has_corners(&row);
    const OutflowRows f = outflow_rows(&row);
    const CornerRows corner = corner_rows(&row);
    const Around carried = rows_of(&row, CARRIED);
    const int y = row.y, end = row.x + row.end;
    for (int x = next_at_edge(consts->registers, row.x + row.first, y, end); x < end;
         x = next_at_edge(consts->registers, x + 1, y, end)) {
        const int i = x - row.x;
        float out[NEIGHBOURS], back[NEIGHBOURS], c[NEIGHBOURS];
        exchanges_at(f, corner, corners, i, out, back);
        around(carried, i, c);
        for (int n = 0; n < (corners ? NEIGHBOURS : 4); n++) {
            const int place = register_place(consts->registers, x, y, n);
            if (place < 0) continue;
            const double in = (double)back[n], away = (double)out[n];
            register_add(consts->registers, x, y, place, REGISTER_WATER, in - away);
            register_add(consts->registers, x, y, place, REGISTER_SEDIMENT,
                         (double)c[n] * in - (double)carried.here[i] * away);
        }
    }
}

static const Pass edges = {PASS(edges), .reads_around = OUTFLOWS | BIT(CARRIED)};
enum { TRANSPORT = 3 }; // the pass that edges come before

// ---- the law ------------------------------------------------------------------------------------

enum { SEMI_LAGRANGIAN, FLUX }; // the choices of `transport`
enum { FOUR, EIGHT };           // the choices of `pipes`

/// Cross-section and lengths with the grid's values where the parameter is 0.
typedef struct Pipes {
    double area, length_x, length_y, length_corner;
} Pipes;

/// In coarser cells pipes are wider and longer, but no deeper: then dt may grow with the cells.
static Pipes pipes_of(const GullyPipeParams* p, const StepInfo* info) {
    const double scale = info->scale > 1 ? info->scale : 1, length = p->pipe_length * scale;
    const double lx = info->cell_x, ly = info->cell_y;
    return (Pipes){
        .area = p->pipe_area > 0 ? p->pipe_area * scale : lx * ly / scale,
        .length_x = length > 0 ? length : lx,
        .length_y = length > 0 ? length : ly,
        .length_corner = length > 0 ? length : sqrt(lx * ly),
    };
}

static double max_dt(const void* params, const StepInfo* info) {
    const GullyPipeParams* p = params;
    Pipes pipes = pipes_of(p, info);
    double area = info->cell_x * info->cell_y;
    return sqrt(area / (2 * p->gravity * pipes.area * (1 / pipes.length_x + 1 / pipes.length_y)));
}

/// T of (P1) [s]: how long gravity acts in a step of dt, less what friction undoes on the way.
static double driven_time(double friction, double dt) {
    return friction > 0 ? -expm1(-friction * dt) / friction : dt;
}

static void prepare(const void* params, const StepInfo* info, void* consts) {
    const GullyPipeParams* p = params;
    const Pipes pipes = pipes_of(p, info);
    const double dt = info->dt, part = finest_dt(info), lx = info->cell_x, ly = info->cell_y;
    const double evaporated = fmin(1, p->evaporation * part); // in a finest step
    const double push = p->gravity * dt * driven_time(p->friction, dt) / (lx * ly);
    const double corner = lx * ly / (3 * (lx * lx + ly * ly)); // w of a corner pipe
    const float soften = (float)(dt * p->softening * p->dissolve);
    PipeRowConsts* all = consts;
    all->materials = materials_of(info, p->dissolve, p->drag);
    all->pipe = (PipeConsts){
        .decay = (float)exp(-p->friction * dt),
        .push_x = (float)(push / pipes.length_x),
        .push_y = (float)(push / pipes.length_y),
        .area = (float)pipes.area,
        .width_x = (float)ly,
        .width_y = (float)lx,
        .corners = p->pipes == EIGHT,
        .push_corner = (float)(push * corner / pipes.length_corner),
        .width_corner = (float)sqrt(lx * ly),
        .half_x_joined = (float)(0.5 - corner * lx / ly),
        .half_y_joined = (float)(0.5 - corner * ly / lx),
        .least_depth = p->film ? 0.0f : INFINITY,
        .speed_x = (float)(lx / dt),
        .speed_y = (float)(ly / dt),
        .capacity = (float)p->capacity,
        .min_tilt2 = (float)(p->min_tilt * p->min_tilt),
        .half_x = (float)(0.5 / lx),
        .half_y = (float)(0.5 / ly),
        .ramp = p->depth_limit > 0 ? (float)(1 / p->depth_limit) : 0,
        .ramp_offset = p->depth_limit > 0 ? 0.0f : 1.0f,
        .dissolve = (float)composed_share(info, fmin(1, part * p->dissolve)),
        .deposit = (float)composed_share(info, fmin(1, part * p->deposit)),
        .soften = soften,
        .softest = 0.1f,
        .softens = soften > 0,
        .exchange_water = p->exchange_water,
        .semi_lagrangian = p->transport == SEMI_LAGRANGIAN,
        .evaporated = -(float)composed_share(info, evaporated),
        .dry_depth = evaporated < 1 ? (float)p->dry_depth : INFINITY,
    };
}

static GullyStatus coarsens(const void* params) {
    const GullyPipeParams* p = params;
    if (p->transport == FLUX) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "params.transport: semi_lagrangian does not know levels; "
                                       "allowed with them: flux");
}

static FieldSet needs(const void* params) {
    const GullyPipeParams* p = params;
    return (p->softening > 0 ? BIT(HARDNESS) : 0) | (p->pipes == EIGHT ? CORNER_OUTFLOWS : 0);
}

/// Velocities are kept only where somebody asks for them, corners only with eight pipes.
static FieldSet unused(const void* consts, FieldSet common) {
    const PipeRowConsts* c = consts;
    const bool keeps = c->pipe.semi_lagrangian || c->materials.count > 0 ||
                       (common & (BIT(VELOCITY_X) | BIT(VELOCITY_Y)));
    return (keeps ? 0 : BIT(MOVE_X) | BIT(MOVE_Y)) | (c->pipe.corners ? 0 : CORNER_PUSHES);
}

static AccountSet uncounted(const void* consts) {
    const PipeConsts c = ((const PipeRowConsts*)consts)->pipe;
    return (c.semi_lagrangian ? ACCOUNT_BIT(SOLID_LEFT) : ACCOUNT_BIT(SOLID_TRANSPORT_LOSS)) |
           (c.exchange_water ? 0 : ACCOUNT_BIT(WATER_EXCHANGED));
}

static const KnownValue known[] = {
    KNOWN_VALUE(MATERIALS, PipeRowConsts, materials.count),
    KNOWN_VALUE(CORNERS, PipeRowConsts, pipe.corners),
    KNOWN_VALUE(SEMI_LAGRANGIAN, PipeRowConsts, pipe.semi_lagrangian),
    KNOWN_VALUE(EXCHANGE_WATER, PipeRowConsts, pipe.exchange_water),
    KNOWN_VALUE(SOFTENS, PipeRowConsts, pipe.softens),
};

DEFINE_LAW(pipe) = {
    .name = "pipe",
    .summary = "water in virtual pipes that erodes, carries and drops sediment",
    .source = "Mei, Decaudin, Hu 2007; Jako & Toth 2011",
    .params = &params_table,
    .fields = own_fields,
    .field_count = sizeof own_fields / sizeof *own_fields,
    .passes = passes,
    .pass_count = sizeof passes / sizeof *passes,
    .edges = &edges,
    .edges_before = TRANSPORT,
    .rest = BIT(WATER) | BIT(SEDIMENT) | OUTFLOWS | BIT(VELOCITY_X) | BIT(VELOCITY_Y),
    .settles = BIT(HARDNESS),
    .layers = true,
    .consts_size = sizeof(PipeRowConsts),
    .known = known,
    .known_count = sizeof known / sizeof *known,
    .unused = unused,
    .uncounted = uncounted,
    .prepare = prepare,
    .needs = needs,
    .max_dt = max_dt,
    .coarsens = coarsens,
};
