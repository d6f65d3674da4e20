// SPDX-License-Identifier: MIT
/// Wind: it lifts sand where it is fast, carries it downwind and drops it where it is calm. Dunes
/// grow out of a sheet of sand, wander, and leave slip faces to `thermal`.
///
/// After Werner, "Eolian dunes" (1995: sand that hops, and shadows where it stays), Sauermann,
/// Kroy, Herrmann, "Continuum saltation model for sand dunes" (2001: air that fills with sand over
/// a length) and Paris et al., "Desertscape Simulation" (2019: wind that speeds up on windward
/// slopes). What is sand: the last of several materials, else all ground above the height
/// `bedrock`. The wind blows along c = (cos, sin) of `direction`, y down. With
/// px = |cx| / (|cx| + |cy|) and py = 1 - px, up(f) = px f_x + py f_y of the neighbours upwind in x
/// and in y. Air moves a cell along x or along y: a hop, H = (px lx + py ly) / (|cx| + |cy|) along
/// the wind. b ground, a sand in the air, w and m heights that the air keeps from hop to hop [m]:
///
///   (E1)  w' = max(b, up(w) - H tan(shadow))
///   (E2)  m' = up(m) + (b - up(m)) (1 - exp(-H / reach))
///   (E3)  q = speedup (b - m') / reach, q / (1 + q / most) where > 0;
///         u = max(0, 1 + q) max(0, 1 - (w' - b) / calm)
///   (E4)  C = capacity max(0, u^2 - threshold^2) u / (1 - threshold^2)
///   (E5)  e = (C - a) k, at most the sand that lies there: b -= e, a += e; k = 1 - exp(-H /
///         saturation), and where e < 0 it goes over into 1 - exp(-H / settle) with the shelter
///         min(1, (w' - b) / calm)
///   (E6)  px a hops to the neighbour downwind in x, py a to that in y
///   (E7)  to each lower one of the 4 neighbours rolls reptation C (b - b_n) / l, at most an eighth
///         of the sand, with b after (E5)
///
/// Before the first hop w = m = b. Upwind of a cell at a side or beside nodata, w and m are its own
/// ground, and no sand comes from there. Sand in the air leaves across an open side; at a wall, a
/// closed side or a nodata cell, it stays. A wet cell, one with any water (models dry what is
/// shallower than their dry_depth), takes what arrives and gives nothing: it loses none by (E5) and
/// (E7), and its air does not hop.
///
/// Hops are due at the times 0, 1/rate, 2/rate ...: rate dt of them in a step if that is whole, one
/// in every 1/(rate dt) steps if that is. So how long a step is does not matter. Stable for any dt.
/// Conserves solid: what hops or rolls between two cells is the same number for both, and the parts
/// of a hop add up to all of it, to the bit.
#include "wind.rows.h"

#include <math.h>

#include "law.h"
#include "layers.h"
#include "lease.h"

#define ROW(...) GULLY_PARAM_ROW(GullyWindParams, __VA_ARGS__)
static const GullyParam param_rows[] = {GULLY_WIND_PARAMS(ROW)};
#undef ROW
static const GullyParamTable params_table = LAW_TABLE(GullyWindParams, param_rows);

/// Heights and amounts of solid need all the bits they have.
static const LawField own_fields[] = {
    {.name = "airborne", .full = true, .suspended = true},
    {.name = "shelter", .full = true, .fresh = GROUND_OUTSIDE}, // no height: the ground is taken
    {.name = "shelter_low", .full = true},
    {.name = "upwind", .full = true},
    {.name = "upwind_low", .full = true},
    {.name = "sheltered", .scratch = true},
    {.name = "risen", .scratch = true},
    {.name = "taken", .scratch = true},
    {.name = "lowered", .scratch = true},
    {.name = "moves", .scratch = true},
    {.name = "rolls", .scratch = true},
    {.name = "limit", .scratch = true},
    {.name = "net", .scratch = true},
};

#define BIT FIELD_BIT
#define GROUND_PAIR (BIT(GROUND) | BIT(GROUND_LOW))
#define AIR (BIT(SHELTER) | BIT(SHELTER_LOW) | BIT(UPWIND) | BIT(UPWIND_LOW))

// ---- the law ------------------------------------------------------------------------------------

static const Pass passes[] = {
    {PASS(lift), .reads = BIT(AIRBORNE) | BIT(WATER) | LAYER_FIELDS,
     .reads_around = GROUND_PAIR | AIR,
     .writes = BIT(AIRBORNE) | BIT(SHELTERED) | BIT(RISEN) | BIT(TAKEN) | BIT(LOWERED) |
               BIT(MOVES) | BIT(ROLLS) | BIT(LIMIT) | LAYER_FIELDS,
     .counts = ACCOUNT_BIT(SOLID_ERODED) | ACCOUNT_BIT(SOLID_DEPOSITED)},
    {PASS(blow), .reads = BIT(AIRBORNE) | BIT(GROUND_LOW) | BIT(SHELTERED) | BIT(RISEN),
     .reads_around = BIT(GROUND) | BIT(LOWERED) | BIT(MOVES) | BIT(ROLLS) | BIT(LIMIT),
     .writes = BIT(AIRBORNE) | BIT(NET) | AIR,
     .counts = ACCOUNT_BIT(SOLID_LEFT) | ACCOUNT_BIT(SOLID_SLID)},
    {PASS(settle), .reads = GROUND_PAIR | BIT(TAKEN) | BIT(NET) | LAYER_FIELDS,
     .writes = GROUND_PAIR | LAYER_FIELDS},
};

/// The size of the wind's parts along x and y. Directions that mirror or transpose each other give
/// the same numbers.
static void find_parts(double direction, double* x, double* y) {
    const double radians = 3.14159265358979323846 / 180;
    double angle = fmod(fabs(direction), 180); // the same but for signs
    if (angle > 90) angle = 180 - angle;
    const double small = angle > 45 ? 90 - angle : angle;
    *x = angle > 45 ? sin(small * radians) : cos(small * radians);
    *y = angle > 45 ? cos(small * radians) : sin(small * radians);
}

/// The shares of the neighbours in x and y, which add up to 1 to the bit, and how sand is divided:
/// the smaller part is what the larger one leaves.
static void divide_hop(double x, double y, WindConsts* c) {
    const bool mostly_x = x >= y;
    const float larger = (float)(fmax(x, y) / (x + y)), smaller = 1 - larger;
    c->share_x = mostly_x ? larger : smaller;
    c->share_y = mostly_x ? smaller : larger;
    c->all_x = mostly_x ? larger : 1;
    c->less_x = mostly_x ? 0 : larger;
    c->all_y = mostly_x ? 1 : larger;
    c->less_y = mostly_x ? larger : 0;
}

static void prepare(const void* params, const StepInfo* info, void* consts) {
    const GullyWindParams* p = params;
    const double turn = fmod(p->direction, 360), degrees = turn < 0 ? turn + 360 : turn;
    double x, y;
    find_parts(p->direction, &x, &y);
    const double hop = (x * info->cell_x + y * info->cell_y) / ((x + y) * (x + y)); // [m]
    const double threshold2 = p->threshold * p->threshold;
    const double saturates = -expm1(-hop / p->saturation), settles = -expm1(-hop / p->settle);
    WindConsts c = {
        .fall = (float)(hop * tan(p->shadow * 3.14159265358979323846 / 180)),
        .memory = (float)exp(-hop / p->reach),
        .speedup = (float)(p->speedup / p->reach),
        .most_inverse = (float)(1 / p->most),
        .calm_inverse = (float)(1 / p->calm),
        .threshold2 = (float)threshold2,
        .capacity = (float)(p->capacity / (1 - threshold2)),
        .saturates = (float)saturates,
        .settles = (float)(settles - saturates),
        .reptation = (float)p->reptation,
        .across_x = (float)(1 / info->cell_x),
        .across_y = (float)(1 / info->cell_y),
        .bedrock = (float)p->bedrock,
        .to_east = degrees <= 90 || degrees >= 270,
        .to_south = degrees <= 180,
        .materials = info->material_count,
    };
    divide_hop(x, y, &c);
    *(WindConsts*)consts = c;
}

static const KnownValue known[] = {
    KNOWN_VALUE(MATERIALS, WindConsts, materials),
    KNOWN_VALUE(TO_EAST, WindConsts, to_east),
    KNOWN_VALUE(TO_SOUTH, WindConsts, to_south),
};

static double turns_per_second(const void* params) {
    return ((const GullyWindParams*)params)->rate;
}

// ---- what it needs ------------------------------------------------------------------------------

/// Whether some cell of the domain has a number above `least` in a field.
static GullyStatus find_above(const GullyWorld* world, int slot, double least, bool* found) {
    const int slots[] = {world->common[GROUND], slot};
    Runs runs;
    *found = false;
    runs_begin_read(&runs, world, gully_world_all(world), slots, 2);
    while (!*found && runs_next(&runs)) {
        for (int i = 0; i < runs.count; i++)
            *found |= is_cell(runs.cells[0][i]) && (double)runs.cells[1][i] > least;
    }
    int64_t any = *found;
    GullyStatus status = gully_ranks_most(world->ranks, runs_end(&runs), &any);
    *found = any > 0;
    return status;
}

/// Wind without sand is a mistake.
static GullyStatus check(const void* params, const GullyWorld* world) {
    const GullyWindParams* p = params;
    const int last = world->material_count - 1;
    const int slot = world->common[last > 0 ? LAYER_1 + last - 1 : GROUND];
    bool found = false;
    GullyStatus status =
        slot >= 0 ? find_above(world, slot, last > 0 ? 0 : p->bedrock, &found) : GULLY_OK;
    if (status || found) return status;
    if (last > 0)
        return gully_fail(GULLY_BAD_INPUT,
                          "wind: it moves the last material, and of %s there is nothing at the "
                          "start; lay some of it (layers), or leave the wind out",
                          world->materials[last].name);
    return gully_fail(GULLY_BAD_INPUT,
                      "wind: it moves ground above the height bedrock, and none is higher than "
                      "%g m; lower wind.bedrock, or leave the wind out",
                      p->bedrock);
}

DEFINE_LAW(wind) = {
    .name = "wind",
    .summary = "wind that carries sand: dunes",
    .source = "Werner 1995; Sauermann, Kroy, Herrmann 2001; Paris et al. 2019",
    .add_on = true,
    .params = &params_table,
    .fields = own_fields,
    .field_count = sizeof own_fields / sizeof *own_fields,
    .passes = passes,
    .pass_count = sizeof passes / sizeof *passes,
    .layers = true,
    .dry_only = true,
    .consts_size = sizeof(WindConsts),
    .known = known,
    .known_count = sizeof known / sizeof *known,
    .prepare = prepare,
    .turns_per_second = turns_per_second,
    .check = check,
};
