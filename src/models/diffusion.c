// SPDX-License-Identifier: MIT
/// The diffusion law: water that dissolves, spreads, dries up and drops what it held, each of it an
/// operator of its own that a scene can run in any order and as often as it likes.
///
/// After Benes & Forsbach, "Visual Simulation of Hydraulic Erosion" (2002). b ground, d water, s
/// suspended sediment [m], level h = b + d; neighbours n, 8 of them:
///
///   (B1) rain       the water supply
///   (B2) erode      e = min(dt Kd d, max(0, Ks d - s)) is taken from b into s
///   (B3) transport  m = relax min(d, h - hbar) goes to the lower neighbours in proportion to
///                   h - h_n, hbar the mean level of the cell and those; of s the share m / d with
///                   it
///   (B4) mix        of two wet neighbours the one with more sediment per water, c = s / d, gives
///                   the other relax/9 (c - c_n) min(d, d_n)
///   (B5) evaporate  d = d exp(-Ke dt); below the threshold it vanishes
///   (B6) deposit    what is more than Ks d settles
///
/// Borders: a closed side or a nodata cell is a wall; an open side is one more lower neighbour,
/// dry, of the same ground. Stable for any dt. Conserves water and solid: what goes from one cell
/// to another is the same number for both.
#include "diffusion.rows.h"

#include <math.h>

#include "law.h"

#define ROW(...) GULLY_PARAM_ROW(GullyDiffusionParams, __VA_ARGS__)
static const GullyParam param_rows[] = {GULLY_DIFFUSION_PARAMS(ROW)};
#undef ROW
static const GullyParamTable params_table = LAW_TABLE(GullyDiffusionParams, param_rows);

static const LawField own_fields[] = {
    {.name = "share", .scratch = true},
    {.name = "carried", .scratch = true},
    {.name = "change", .scratch = true},
};

#define BIT FIELD_BIT
#define GROUND_PAIR (BIT(GROUND) | BIT(GROUND_LOW))
#define WATER_PAIR (BIT(WATER) | BIT(WATER_LOW))
#define SEDIMENT_PAIR (BIT(SEDIMENT) | BIT(SEDIMENT_LOW))
#define VELOCITY (BIT(VELOCITY_X) | BIT(VELOCITY_Y))

// ---- the law ------------------------------------------------------------------------------------

static const Pass passes[] = {
    {PASS(erode), .reads = GROUND_PAIR | BIT(WATER) | SEDIMENT_PAIR | BIT(WEAR),
     .writes = GROUND_PAIR | SEDIMENT_PAIR | BIT(WEAR), .sums = BIT(WEAR),
     .counts = ACCOUNT_BIT(SOLID_ERODED)},
    {PASS(spread), .reads = BIT(SEDIMENT), .reads_around = GROUND_PAIR | BIT(WATER),
     .writes = BIT(SHARE) | BIT(CARRIED),
     .counts = ACCOUNT_BIT(WATER_LEFT) | ACCOUNT_BIT(SOLID_LEFT)},
    {PASS(move), .reads = SEDIMENT_PAIR | BIT(FLOW),
     .reads_around = GROUND_PAIR | BIT(WATER) | BIT(SHARE) | BIT(CARRIED),
     .writes = BIT(CHANGE) | SEDIMENT_PAIR | BIT(FLOW) | VELOCITY, .output_only = VELOCITY,
     .sums = BIT(FLOW)},
    {PASS(level), .reads = WATER_PAIR | BIT(CHANGE), .writes = WATER_PAIR},
    {PASS(concentrate), .reads = BIT(WATER) | BIT(SEDIMENT), .writes = BIT(CARRIED)},
    {PASS(mix), .reads = SEDIMENT_PAIR, .reads_around = BIT(WATER) | BIT(CARRIED),
     .writes = SEDIMENT_PAIR},
    {PASS(evaporate), .reads = WATER_PAIR, .writes = WATER_PAIR,
     .counts = ACCOUNT_BIT(WATER_EVAPORATED)},
    {PASS(deposit), .reads = GROUND_PAIR | BIT(WATER) | SEDIMENT_PAIR | BIT(DEPOSIT),
     .writes = GROUND_PAIR | SEDIMENT_PAIR | BIT(DEPOSIT), .sums = BIT(DEPOSIT),
     .counts = ACCOUNT_BIT(SOLID_DEPOSITED)},
};

static const Operator operators[] = {
    {"rain", 0, 0}, {"erode", 0, 1},     {"transport", 1, 3},
    {"mix", 4, 2},  {"evaporate", 6, 1}, {"deposit", 7, 1},
};

/// Much sediment that mixes by ever smaller amounts: a float alone would lose them, and always to
/// the same side.
static FieldSet needs(const void* params) {
    (void)params;
    return BIT(SEDIMENT_LOW);
}

static void prepare(const void* params, const StepInfo* info, void* consts) {
    const GullyDiffusionParams* p = params;
    *(DiffusionConsts*)consts = (DiffusionConsts){
        .dissolve = (float)(info->dt * p->dissolve),
        .saturation = (float)p->saturation,
        .spread = {.relax = (float)p->relax, .reach = 1},
        .mixed = (float)(p->relax / 9),
        .evaporated = (float)expm1(-p->evaporation * info->dt),
        .dry_threshold = (float)p->dry_threshold,
        .speed_x = (float)(info->cell_x / info->dt),
        .speed_y = (float)(info->cell_y / info->dt),
    };
}

DEFINE_LAW(diffusion) = {
    .name = "diffusion",
    .summary = "water that dissolves, spreads, dries up and settles, in any order",
    .source = "Benes & Forsbach 2002",
    .params = &params_table,
    .fields = own_fields,
    .field_count = sizeof own_fields / sizeof *own_fields,
    .passes = passes,
    .pass_count = sizeof passes / sizeof *passes,
    .operators = operators,
    .operator_count = sizeof operators / sizeof *operators,
    .still_water_erodes = true,
    .counts_steps = true,
    .rest = BIT(WATER) | BIT(SEDIMENT) | VELOCITY,
    .consts_size = sizeof(DiffusionConsts),
    .prepare = prepare,
    .needs = needs,
};
