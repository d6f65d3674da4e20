// SPDX-License-Identifier: MIT
/// The newton law: water that falls to its lower neighbours and is accelerated on the way.
///
/// After Anh, Sourin, Aswani, "Physically Based Hydraulic Erosion Simulation on Graphics Processing
/// Unit" (2007). b ground, d water, s suspended sediment [m], v velocity in three dimensions [m/s],
/// level h = b + d. The constants are per step, as in the paper. At the start there is water by
/// height: d = w_min + w_0 (b - lowest) / (highest - lowest), beside what was there. Then
///
///   (N1)  d *= KE
///   (N2)  to each lower neighbour n of the 8 goes dW = m (h - h_n) / sum(h - h_n), with it
///         dS = s dW / d; m = min(d, (h - hbar) / 2), hbar the mean level of the cell and its lower
///         neighbours, or all of d. X is the way, down to n: v_n = v (1 - KA) + g dt (dh/|X|) X/|X|
///   (N3)  a portion can carry cap = KC dW |v_n|: of what is more, Kd settles where it arrives; of
///         what is less, Ks is taken there, at most dh / 8, nothing where the water cannot go on
///   (N4)  in a cell that gave nothing, Kp s settles
///   (N5)  velocity is the mean of what stayed and what came, by water; below dry_depth water
///         vanishes and its sediment settles
///
/// With `isotropic` water falls alike in all directions, whatever the grid. l is the shorter side of
/// a cell [m], w_n the weight of neighbour n: w = (sqrt(2) - 1) lx ly / (lx^2 + ly^2) at a corner,
/// ly/lx - 2 w along x, lx/ly - 2 w along y.
///
///   (I2)  p_n = w_n dh_n / sum(w dh), X = sum(p_n X_n), H = sum(p_n dh_n), the mean way along the
///         ground and down; R = max(|X|, 0.87 l). dW = p_n min(m, d 4/5 l / R): water advances by
///         4/5 l. All of it has v' = v max(0, 1 - KA R/l) + g dt/l R H / (R^2 + H^2) (X, -H)
///   (I3)  as (N3), with Kd R/l and Ks R/l, at most 1, and at most
///         dh R/l w_n / (2 w_x + 2 w_y + sqrt(32) w)
///
/// On a plane of square cells the spread of water across its way is then the same along axes and
/// diagonals, and so are its speed and what it takes on a metre of its way. An open side has the
/// weight 1.
///
/// Borders: a closed side or a nodata cell is a wall; an open side is one more lower neighbour,
/// dry, of the same ground, where nothing is taken or left. Stable for any dt. Conserves water and
/// solid. Deviation from the paper: `move` level and the bound dh / 8, without which lakes ripple
/// into towers and portions dig deeper than they fall. Portions are gathered by their receiver and
/// added in pairs of opposite neighbours, so that a mirrored terrain gives mirrored bits.
#include "newton.rows.h"

#include <math.h>

#include "law.h"
#include "lease.h"

#define ROW(...) GULLY_PARAM_ROW(GullyNewtonParams, __VA_ARGS__)
static const GullyParam param_rows[] = {GULLY_NEWTON_PARAMS(ROW)};
#undef ROW
static const GullyParamTable params_table = LAW_TABLE(GullyNewtonParams, param_rows);

static const LawField own_fields[] = {
    {.name = "share", .scratch = true},
    {.name = "carried", .scratch = true},
    {.name = "velocity_z"},
    {.name = "ground_change", .scratch = true},
    {.name = "water_change", .scratch = true},
    {.name = "new_x", .scratch = true},
    {.name = "new_y", .scratch = true},
    {.name = "new_z", .scratch = true},
    {.name = "moving_x", .scratch = true},
    {.name = "moving_y", .scratch = true},
    {.name = "moving_z", .scratch = true},
    {.name = "way", .scratch = true},
};

#define BIT FIELD_BIT
#define GROUND_PAIR (BIT(GROUND) | BIT(GROUND_LOW))
#define WATER_PAIR (BIT(WATER) | BIT(WATER_LOW))
#define VELOCITY (BIT(VELOCITY_X) | BIT(VELOCITY_Y) | BIT(VELOCITY_Z))
#define NEW_VELOCITY (BIT(NEW_X) | BIT(NEW_Y) | BIT(NEW_Z))
#define MOVING (BIT(MOVING_X) | BIT(MOVING_Y) | BIT(MOVING_Z) | BIT(WAY))

static const Pass passes[] = {
    {PASS(evaporate), .reads = WATER_PAIR, .writes = WATER_PAIR,
     .counts = ACCOUNT_BIT(WATER_EVAPORATED)},
    {PASS(fall), .reads = BIT(SEDIMENT) | VELOCITY, .reads_around = GROUND_PAIR | BIT(WATER),
     .writes = BIT(SHARE) | BIT(CARRIED) | MOVING,
     .counts = ACCOUNT_BIT(WATER_LEFT) | ACCOUNT_BIT(SOLID_LEFT)},
    {PASS(arrive), .reads = BIT(SEDIMENT) | BIT(FLOW) | BIT(WEAR) | BIT(DEPOSIT),
     .reads_around = GROUND_PAIR | BIT(WATER) | BIT(SHARE) | BIT(CARRIED) | VELOCITY | MOVING,
     .writes = BIT(SEDIMENT) | BIT(GROUND_CHANGE) | BIT(WATER_CHANGE) | NEW_VELOCITY | BIT(FLOW) |
               BIT(WEAR) | BIT(DEPOSIT),
     .sums = BIT(FLOW) | BIT(WEAR) | BIT(DEPOSIT),
     .counts = ACCOUNT_BIT(SOLID_ERODED) | ACCOUNT_BIT(SOLID_DEPOSITED)},
    {PASS(settle),
     .reads = GROUND_PAIR | WATER_PAIR | BIT(SEDIMENT) | BIT(GROUND_CHANGE) | BIT(WATER_CHANGE) |
              NEW_VELOCITY | BIT(DEPOSIT),
     .writes = GROUND_PAIR | WATER_PAIR | BIT(SEDIMENT) | VELOCITY | BIT(DEPOSIT),
     .sums = BIT(DEPOSIT), .counts = ACCOUNT_BIT(WATER_EVAPORATED) | ACCOUNT_BIT(SOLID_DEPOSITED)},
};

// ---- the law ------------------------------------------------------------------------------------

enum { MOVE_ALL, MOVE_LEVEL }; // the choices of `move`

static void prepare(const void* params, const StepInfo* info, void* consts) {
    const GullyNewtonParams* p = params;
    const double lx = info->cell_x, ly = info->cell_y, side = fmin(lx, ly);
    const double corner = (sqrt(2) - 1) * lx * ly / (lx * lx + ly * ly);
    const double weight_x = ly / lx - 2 * corner, weight_y = lx / ly - 2 * corner;
    *(NewtonConsts*)consts = (NewtonConsts){
        .spread = {.relax = 1, .reach = p->move == MOVE_ALL ? 1e30f : 0.5f},
        .evaporated = (float)(p->evaporation - 1),
        .dry_now = p->evaporation > 0 ? 0.0f : INFINITY,
        .keep = (float)(1 - p->friction),
        .push = (float)(p->gravity * info->dt),
        .capacity = (float)p->capacity,
        .deposit = (float)p->deposit,
        .dissolve = (float)p->dissolve,
        .pit_deposit = (float)(p->pit_deposit < 0 ? p->deposit : p->pit_deposit),
        .dry_depth = (float)p->dry_depth,
        .cell_x = (float)lx,
        .cell_y = (float)ly,
        .across2_x = (float)(lx * lx),
        .across2_y = (float)(ly * ly),
        .diagonal2 = (float)(lx * lx + ly * ly),
        .speed_x = (float)(lx / info->dt),
        .speed_y = (float)(ly / info->dt),
        .isotropic = p->isotropic,
        .weight_x = (float)weight_x,
        .weight_y = (float)weight_y,
        .weight_corner = (float)corner,
        .dug = (float)(1 / (2 * weight_x + 2 * weight_y + sqrt(32) * corner)),
        .advance = (float)(0.8 * side),
        .least_way = (float)(0.87 * side),
        .per_side = (float)(1 / side),
    };
}

static FieldSet needs(const void* params) {
    (void)params;
    return BIT(VELOCITY_X) | BIT(VELOCITY_Y);
}

static FieldSet unused(const void* consts, FieldSet common) {
    (void)common;
    return ((const NewtonConsts*)consts)->isotropic ? 0 : MOVING;
}

static const KnownValue known[] = {KNOWN_VALUE(ISOTROPIC, NewtonConsts, isotropic)};

/// The lowest and the highest ground [m].
typedef struct Range {
    double low, high;
} Range;

static GullyStatus find_range(const GullyWorld* world, Range* range) {
    Runs runs;
    *range = (Range){INFINITY, -INFINITY};
    runs_begin_read(&runs, world, gully_world_all(world), &world->common[GROUND], 1);
    while (runs_next(&runs)) {
        for (int i = 0; i < runs.count; i++) {
            const double b = (double)runs.cells[0][i];
            if (!is_cell(runs.cells[0][i])) continue;
            range->low = fmin(range->low, b);
            range->high = fmax(range->high, b);
        }
    }
    return ranks_range(world->ranks, runs_end(&runs), &range->low, &range->high);
}

/// The water of the start.
static GullyStatus start(const void* params, GullyWorld* world) {
    enum { B, D, D_LOW, FIELDS };
    const GullyNewtonParams* p = params;
    const int slots[FIELDS] = {world->common[GROUND], world->common[WATER],
                               world->common[WATER_LOW]};
    Range range;
    GullyStatus status = find_range(world, &range);
    if (status) return status;
    const double relief = range.high - range.low;
    Runs runs;
    runs_begin(&runs, world, gully_world_all(world), slots, FIELDS, ACCESS_READ_WRITE);
    while (runs_next(&runs)) {
        for (int i = 0; i < runs.count; i++) {
            const float b = runs.cells[B][i];
            if (!is_cell(b)) continue;
            double height = relief > 0 ? ((double)b - range.low) / relief : 0;
            double water = (double)runs.cells[D][i] + (double)runs.cells[D_LOW][i];
            runs_put_pair(&runs, D, D_LOW, i, water + (p->w_min + p->w_0 * height));
        }
    }
    return runs_end(&runs);
}

DEFINE_LAW(newton) = {
    .name = "newton",
    .summary = "water that falls to its lower neighbours and is accelerated on the way",
    .source = "Anh, Sourin, Aswani 2007",
    .params = &params_table,
    .fields = own_fields,
    .field_count = sizeof own_fields / sizeof *own_fields,
    .passes = passes,
    .pass_count = sizeof passes / sizeof *passes,
    .counts_steps = true,
    .rest = BIT(WATER) | BIT(SEDIMENT) | VELOCITY,
    .consts_size = sizeof(NewtonConsts),
    .known = known,
    .known_count = sizeof known / sizeof *known,
    .unused = unused,
    .prepare = prepare,
    .needs = needs,
    .start = start,
};
