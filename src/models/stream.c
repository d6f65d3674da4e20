// SPDX-License-Identifier: MIT
/// The stream law: uplift and stream power, over geological time.
///
/// After Braun & Willett, "A very efficient O(n), implicit and parallel method to solve the stream
/// power equation" (2013), Yuan et al. (2019, deposition) and Schott et al. (2023, on a device), as
/// passes that know neighbours only. Time is in years. b ground [m], w the ground with its hollows
/// full to where they spill [m], A drainage area [m2], q = Q dt / a what is on its way as solid
/// height [m], which is the world's suspended sediment; neighbours n at distance D_n [m], 8 of them;
/// cells of area a [m2]; k hardness; U uplift [m/year].
///
///   (U0)  w' = max(b, min_n(w_n + tilt D_n)); at an open side w' = b; at the start twice the
///         highest b
///   (U1)  s_n = max(0, (w' - w'_n) / D_n)^p,  N = sum s_n
///   (U2)  A' = a rain + sum_n A_n s_(n to here) / N_n
///   (U3)  A" = A' (A' + A_c l_0^2 / a) / (A' + A_c), A' with a head A_c of 0
///         F_n = dt K k A"^m (s_n / N) / D_n where w'_n < w' and b_n < b, else 0
///         b1 = (b + dt U + sum F_n b_n) / (1 + sum F_n); taken is b + dt U - b1
///   (U4)  b2 = b1 + min(dt kd / a, 1/5) L(b), L the Laplacian of nine points: 2/3 to the sides,
///         1/6 to the corners
///   (U5)  q' = sum_n q_n s_(n to here) / N_n + taken; laid down is q' min(1, G a / A'), in a hollow
///         (w' > b) at most w' - b; what has no receiver settles. With `trap` all of q' is laid down
///         in a hollow, up to w' - b
///
/// A" is ours. Channels, A' >> A_c, wear by the area that they drain. On slopes, A' << A_c, the
/// cells that drain are counted, each as one of l_0 x l_0. Ground is rough at every scale, so that
/// cells of any size drain as many others there, and by area coarse ones would wear faster.
///
/// Area and sediment travel one cell a step, so that the law depends on the number of steps. Before
/// the first step (U0) to (U2) run alone `route` times.
///
/// Borders: a closed side or a nodata cell is a wall. The cells at an open side are base level:
/// their ground is fixed, uplift does not act on them, and what arrives there, area and sediment,
/// leaves the world and is handed on to no neighbour. What creeps into them is counted as left, too.
/// A world without an open side has no outlet, and streams do nothing in it.
///
/// With materials the topmost one decides how much is taken, and (L1) of layers.rows.h from what.
/// Creep takes from the top of the stack; what creeps in and what is laid down becomes the last
/// material. Uplift raises the bedrock. Forces (L2) are not part of this law.
///
/// Stable for any dt: (U3) is implicit and never digs below the lowest receiver, and (U4) moves at
/// most a fifth. Conserves solid: solid + what left - what was uplifted is constant.
/// Nothing is ever at rest: areas change everywhere, so no cell sleeps.
#include "stream.rows.h"

#include <math.h>

#include "law.h"
#include "lease.h"
#include "power.h"

// ---- parameters ---------------------------------------------------------------------------------

#define ROW(...) GULLY_PARAM_ROW(GullyStreamParams, __VA_ARGS__)
static const GullyParam param_rows[] = {GULLY_STREAM_PARAMS(ROW)};
#undef ROW
static const GullyParamTable params_table = LAW_TABLE(GullyStreamParams, param_rows);

// ---- fields -------------------------------------------------------------------------------------

/// Heights and areas need all the bits of a float.
static const LawField own_fields[] = {
    {.name = "level", .outside = GROUND_OUTSIDE, .full = true},
    {.name = "level_low", .full = true},
    {.name = "area", .full = true},
    {.name = "new_level", .outside = GROUND_OUTSIDE, .scratch = true},
    {.name = "new_level_low", .scratch = true},
    {.name = "slope_e", .scratch = true},
    {.name = "slope_s", .scratch = true},
    {.name = "slope_se", .scratch = true},
    {.name = "slope_sw", .scratch = true},
    {.name = "per_slope", .scratch = true},
    {.name = "area_out", .scratch = true},
    {.name = "sediment_out", .scratch = true},
    {.name = "change", .scratch = true},
};

#define BIT FIELD_BIT
#define GROUND_PAIR (BIT(GROUND) | BIT(GROUND_LOW))
#define LEVEL_PAIR (BIT(LEVEL) | BIT(LEVEL_LOW))
#define NEW_LEVEL_PAIR (BIT(NEW_LEVEL) | BIT(NEW_LEVEL_LOW))
#define SLOPES_BEFORE (BIT(SLOPE_E) | BIT(SLOPE_S) | BIT(SLOPE_SE))
#define SLOPES_AROUND BIT(SLOPE_SW)
#define MASKS (BIT(FLOW) | BIT(WEAR) | BIT(DEPOSIT))

// ---- passes -------------------------------------------------------------------------------------

static const Pass passes[] = {
    {PASS(spill), .reads = GROUND_PAIR, .reads_around = LEVEL_PAIR, .writes = NEW_LEVEL_PAIR},
    {PASS(slopes), .reads_around = NEW_LEVEL_PAIR,
     .writes = LEVEL_PAIR | SLOPES_BEFORE | SLOPES_AROUND},
    {PASS(share), .reads = BIT(AREA) | BIT(SEDIMENT), .reads_before = SLOPES_BEFORE,
     .reads_around = SLOPES_AROUND, .writes = BIT(PER_SLOPE) | BIT(AREA_OUT) | BIT(SEDIMENT_OUT)},
    {PASS(drain), .reads = BIT(GROUND) | BIT(RAINFALL), .reads_before = SLOPES_BEFORE,
     .reads_around = SLOPES_AROUND | BIT(PER_SLOPE) | BIT(AREA_OUT), .writes = BIT(AREA)},
    {PASS(erode),
     .reads = LEVEL_PAIR | BIT(AREA) | BIT(SEDIMENT) | BIT(HARDNESS) | BIT(UPLIFT) | LAYER_FIELDS |
              MASKS,
     .reads_before = SLOPES_BEFORE,
     .reads_around = SLOPES_AROUND | GROUND_PAIR | BIT(PER_SLOPE) | BIT(SEDIMENT_OUT),
     .writes = BIT(SEDIMENT) | BIT(CHANGE) | LAYER_FIELDS | MASKS, .sums = MASKS,
     .counts = ACCOUNT_BIT(SOLID_ERODED) | ACCOUNT_BIT(SOLID_DEPOSITED) | ACCOUNT_BIT(SOLID_LEFT) |
               ACCOUNT_BIT(SOLID_UPLIFTED)},
    {PASS(settle), .reads = GROUND_PAIR | BIT(CHANGE), .writes = GROUND_PAIR},
};

/// The first of them, which only find where water flows.
enum { ROUTING_PASSES = 4 };

// ---- the law ------------------------------------------------------------------------------------

/// A parameter times a factor, or a map of it times that factor.
static StreamRate rate_of(double value, double factor) {
    const bool mapped = value == GULLY_MAPPED;
    return (StreamRate){.same = mapped ? 0 : (float)(value * factor),
                        .mapped = mapped ? (float)factor : 0};
}

static void prepare(const void* params, const StepInfo* info, void* consts) {
    const GullyStreamParams* p = params;
    StreamRowConsts* all = consts;
    const double x = info->cell_x, y = info->cell_y, diagonal = hypot(x, y), a = x * y;
    const double creep = fmin(info->dt * p->creep / a, 0.2);
    const double year = 365.25 * 86400; // [s]
    *all = (StreamRowConsts){.materials = info->material_count};
    for (int m = 0; m < info->material_count; m++)
        all->erodibility[m] = (float)info->materials[m].erodibility;
    all->stream = (StreamConsts){
        .rise_x = (float)(p->tilt * x),
        .rise_y = (float)(p->tilt * y),
        .rise_diagonal = (float)(p->tilt * diagonal),
        .per_x = (float)(1 / x),
        .per_y = (float)(1 / y),
        .per_diagonal = (float)(1 / diagonal),
        .spread = exponent_of(p->spread),
        .area_exponent = exponent_of(p->area_exponent),
        .head = p->head > 0 ? (float)p->head : 1,
        .surplus = (float)(p->head * (1 - p->grain * p->grain / a)),
        .rain = rate_of(p->rain, a),
        .uplift = rate_of(p->uplift, info->dt),
        .strength = (float)(info->dt * p->erodibility),
        .creep_side = (float)(creep * 2 / 3),
        .creep_corner = (float)(creep / 6),
        .settling = (float)(p->deposition * a),
        .flow = (float)(1 / (sqrt(a) * year)),
        .deposits = p->deposition > 0,
        .traps = p->trap,
        .uplifts = p->uplift != 0,
    };
}

static FieldSet needs(const void* params) {
    const GullyStreamParams* p = params;
    return (p->uplift == GULLY_MAPPED ? BIT(UPLIFT) : 0) |
           (p->rain == GULLY_MAPPED ? BIT(RAINFALL) : 0);
}

/// What a level is before anything is known: twice the highest ground, or as far above it as it is
/// above the lowest where it lies below 0 [m].
static GullyStatus find_endless(const GullyWorld* world, float* level) {
    float low = GROUND_MAX, high = -GROUND_MAX;
    Runs runs;
    runs_begin_read(&runs, world, gully_world_all(world), &world->common[GROUND], 1);
    while (runs_next(&runs)) {
        for (int i = 0; i < runs.count; i++) {
            const float b = runs.cells[0][i];
            low = is_cell(b) ? least(low, b) : low;
            high = is_cell(b) ? most(high, b) : high;
        }
    }
    double lowest = (double)low, highest = (double)high;
    GullyStatus status = ranks_range(world->ranks, runs_end(&runs), &lowest, &highest);
    low = (float)lowest;
    high = (float)highest;
    *level = high > 0 ? 2 * high : high + (high - low);
    return status;
}

/// Where a field of the law is stored; -1 if it is not.
static int find_own(const GullyWorld* world, const char* name) {
    for (int slot = 0; slot < world->field_count; slot++) {
        if (strcmp(world->fields[slot].name, name) == 0) return slot;
    }
    return -1;
}

/// The levels of the start are endless, and no area is known.
static GullyStatus start(const void* params, GullyWorld* world) {
    (void)params;
    enum { B, LEVELS, LEVELS_LOW, AREAS, FIELDS };
    const int slots[FIELDS] = {world->common[GROUND], find_own(world, "stream.level"),
                               find_own(world, "stream.level_low"), find_own(world, "stream.area")};
    float endless = 0;
    GullyStatus status = find_endless(world, &endless);
    if (status) return status;
    Runs runs;
    runs_begin(&runs, world, gully_world_all(world), slots, FIELDS, ACCESS_READ_WRITE);
    while (runs_next(&runs)) {
        for (int i = 0; i < runs.count; i++) {
            runs.cells[LEVELS][i] = is_cell(runs.cells[B][i]) ? endless : GROUND_NODATA;
            runs.cells[LEVELS_LOW][i] = 0;
            runs.cells[AREAS][i] = -1;
        }
    }
    return runs_end(&runs);
}

/// Routing is needed as long as the areas are those of `start`.
static GullyStatus rounds(const void* params, const GullyWorld* world, int64_t* out) {
    const GullyStreamParams* p = params;
    const int area = find_own(world, "stream.area");
    const int longer = world->width > world->height ? world->width : world->height;
    Runs runs;
    *out = 0;
    runs_begin_read(&runs, world, (GullyRect){0, 0, 1, 1}, &area, 1);
    while (runs_next(&runs)) {
        if (runs.cells[0][0] < 0) *out = p->route < 0 ? 2 * (int64_t)longer : p->route;
    }
    return gully_ranks_most(world->ranks, runs_end(&runs), out); // one rank has that cell
}

static const KnownValue known[] = {
    KNOWN_VALUE(MATERIALS, StreamRowConsts, materials),
    KNOWN_VALUE(DEPOSITS, StreamRowConsts, stream.deposits),
    KNOWN_VALUE(TRAPS, StreamRowConsts, stream.traps),
    KNOWN_VALUE(UPLIFTS, StreamRowConsts, stream.uplifts),
};

DEFINE_LAW(stream) = {
    .name = "stream",
    .summary = "uplift and streams that cut valleys, over geological time",
    .source = "Braun & Willett 2013; Yuan et al. 2019; Schott et al. 2023",
    .params = &params_table,
    .fields = own_fields,
    .field_count = sizeof own_fields / sizeof *own_fields,
    .passes = passes,
    .pass_count = sizeof passes / sizeof *passes,
    .layers = true,
    .counts_steps = true,
    .sediment_flows = true,
    .dt = 500,
    .time_unit = "years",
    .consts_size = sizeof(StreamRowConsts),
    .known = known,
    .known_count = sizeof known / sizeof *known,
    .prepare = prepare,
    .needs = needs,
    .start = start,
    .round_passes = ROUTING_PASSES,
    .rounds = rounds,
};
