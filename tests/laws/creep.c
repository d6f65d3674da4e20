// SPDX-License-Identifier: MIT
/// Soil creep: slopes round off as if height were heat. The law of CONTRIBUTING.md, kept as a test
/// that this file, its rows, its cell file and one table row are all that a new law takes.
///
/// After Culling, "Analytical Theory of Erosion" (1960). b ground [m], cell size lx, ly [m]:
///
///   (C1)  b += dt K ((b_w - b) + (b_e - b)) / lx^2 + dt K ((b_n - b) + (b_s - b)) / ly^2
///
/// Nothing creeps across a side or to nodata. Stable up to dt = 1 / (2 K (1/lx^2 + 1/ly^2)).
/// Conserves solid.
#include "creep.rows.h"
#include "law.h"

#define CREEP_PARAMS(X) X(number, diffusivity, 1, 0, 1e6, "m2/s", "K: how fast slopes round off")

typedef struct CreepParams {
    CREEP_PARAMS(GULLY_PARAM_MEMBER)
} CreepParams;

#define ROW(...) GULLY_PARAM_ROW(CreepParams, __VA_ARGS__)
static const GullyParam param_rows[] = {CREEP_PARAMS(ROW)};
static const GullyParamTable params_table = LAW_TABLE(CreepParams, param_rows);

static const LawField own_fields[] = {{.name = "change", .scratch = true}};

#define GROUND_PAIR (FIELD_BIT(GROUND) | FIELD_BIT(GROUND_LOW))

static const Pass passes[] = {
    {PASS(creep), .reads_around = GROUND_PAIR, .writes = FIELD_BIT(CHANGE)},
    {PASS(settle), .reads = GROUND_PAIR | FIELD_BIT(CHANGE), .writes = GROUND_PAIR,
     .counts = ACCOUNT_BIT(SOLID_SLID)},
};

static double max_dt(const void* params, const StepInfo* info) {
    const CreepParams* p = params;
    double x2 = info->cell_x * info->cell_x, y2 = info->cell_y * info->cell_y;
    return p->diffusivity > 0 ? 1 / (2 * p->diffusivity * (1 / x2 + 1 / y2)) : 0;
}

static void prepare(const void* params, const StepInfo* info, void* consts) {
    const CreepParams* p = params;
    *(CreepConsts*)consts = (CreepConsts){
        .along_x = (float)(info->dt * p->diffusivity / (info->cell_x * info->cell_x)),
        .along_y = (float)(info->dt * p->diffusivity / (info->cell_y * info->cell_y)),
    };
}

DEFINE_LAW(creep) = {
    .name = "creep",
    .summary = "slopes round off as if height were heat",
    .source = "Culling 1960",
    .params = &params_table,
    .fields = own_fields,
    .field_count = sizeof own_fields / sizeof *own_fields,
    .passes = passes,
    .pass_count = sizeof passes / sizeof *passes,
    .consts_size = sizeof(CreepConsts),
    .prepare = prepare,
    .max_dt = max_dt,
};
