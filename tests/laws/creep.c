/// Soil creep: slopes round off as if height were heat. The law of CONTRIBUTING.md, kept as a test
/// that this file, its cell file and one table row are all that a new law takes.
///
/// After Culling, "Analytical Theory of Erosion" (1960). b ground [m], cell size lx, ly [m]:
///
///   (C1)  b += dt K ((b_w - b) + (b_e - b)) / lx^2 + dt K ((b_n - b) + (b_s - b)) / ly^2
///
/// Nothing creeps across a side or to nodata. Stable up to dt = 1 / (2 K (1/lx^2 + 1/ly^2)).
/// Conserves solid.
#include "creep.cell.h"
#include "law.h"
#include "tiles.h"

#define CREEP_PARAMS(X) X(number, diffusivity, 1, 0, 1e6, "m2/s", "K: how fast slopes round off")

typedef struct CreepParams {
    CREEP_PARAMS(GULLY_PARAM_MEMBER)
} CreepParams;

#define ROW(...) GULLY_PARAM_ROW(CreepParams, __VA_ARGS__)
static const GullyParam param_rows[] = {CREEP_PARAMS(ROW)};
static const GullyParamTable params_table = LAW_TABLE(CreepParams, param_rows);

enum { CHANGE = LAW_FIELDS };
static const LawField own_fields[] = {{.name = "change", .scratch = true}};

#define GROUND_PAIR (FIELD_BIT(GROUND) | FIELD_BIT(GROUND_LOW))

/// (C1)
static void creep_row(const PassRow* row) {
    const CreepConsts c = *(const CreepConsts*)row->consts;
    const float *b = row->in[GROUND][HERE], *low = row->in[GROUND_LOW][HERE];
    const float *b_n = row->in[GROUND][NORTH_ROW], *low_n = row->in[GROUND_LOW][NORTH_ROW];
    const float *b_s = row->in[GROUND][SOUTH_ROW], *low_s = row->in[GROUND_LOW][SOUTH_ROW];
    float* change = row->out[CHANGE];
    EACH_CELL(i, row) {
        float west = creep_from(b[i], low[i], b[i - 1], low[i - 1], c.along_x);
        float east = creep_from(b[i], low[i], b[i + 1], low[i + 1], c.along_x);
        float north = creep_from(b[i], low[i], b_n[i], low_n[i], c.along_y);
        float south = creep_from(b[i], low[i], b_s[i], low_s[i], c.along_y);
        change[i] = (west + east) + (north + south);
    }
}

static void settle_row(const PassRow* row) {
    float *b = row->out[GROUND], *low = row->out[GROUND_LOW], *lost = row->scratch[0];
    const float* change = row->in[CHANGE][HERE];
    EACH_CELL(i, row) {
        Pair ground = pair_add(b[i], low[i], change[i]);
        b[i] = ground.value;
        low[i] = ground.low;
        lost[i] = most(-change[i], cell_zero);
    }
    count_row(row, SOLID_SLID, lost);
}

static const Pass passes[] = {
    {.name = "creep", .reads_around = GROUND_PAIR, .writes = FIELD_BIT(CHANGE), .row = creep_row},
    {.name = "settle",
     .reads = GROUND_PAIR | FIELD_BIT(CHANGE),
     .writes = GROUND_PAIR,
     .row = settle_row},
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
