// SPDX-License-Identifier: MIT
/// Thermal weathering: ground steeper than its talus angle slides until it is not.
///
/// After Musgrave, Kolb, Mace (1989) and Jako & Toth (2011). Neighbours n at distance D_n [m], 8 or
/// 4:
///
///   (T1)  ex_n = b - b_n - D_n tan(talus), taking part where > 0
///   (T2)  m = min(1/4, dt Kt) max(ex) / 2 leaves the cell, to each neighbour m ex_n / sum(ex)
///   (T3)  every cell adds what its neighbours send it
///
/// With a `grain` G [m] above 0 (ours) Kt is Kt G^2/a, a the area of a cell: slides then spread alike
/// in cells of any size, since an excess spreads over a distance L in (L^2/a)/Kt. In cells of the
/// size G it changes nothing.
///
/// With materials the topmost one slides, at most as much as there is, by its own talus (L3 in
/// layers.rows.h). tan(talus) is raised by hardness_talus * (1 - k). No cell slides across a side
/// or to nodata. Stable for any dt: at most a quarter of half the largest excess moves in a step.
/// Conserves solid: what slides between two cells is the same number for both.
#include "thermal.rows.h"

#include <math.h>

#include "law.h"
#include "layers.h"
#include "level_registers.h"

#define ROW(...) GULLY_PARAM_ROW(GullyThermalParams, __VA_ARGS__)
static const GullyParam param_rows[] = {GULLY_THERMAL_PARAMS(ROW)};
#undef ROW
static const GullyParamTable params_table = LAW_TABLE(GullyThermalParams, param_rows);

static const LawField own_fields[] = {
    {.name = "share", .scratch = true},
    {.name = "change", .scratch = true},
    {.name = "tangent", .scratch = true},
    {.name = "falls_as", .scratch = true},
};

#define BIT FIELD_BIT
#define GROUND_PAIR (BIT(GROUND) | BIT(GROUND_LOW))

// ---- the law ------------------------------------------------------------------------------------

static const Pass passes[] = {
    {PASS(loosen), .reads = BIT(HARDNESS) | LAYER_FIELDS, .reads_around = GROUND_PAIR,
     .writes = BIT(SHARE) | BIT(TANGENT) | BIT(FALLS_AS), .counts = ACCOUNT_BIT(SOLID_SLID)},
    {PASS(slide), .reads = LAYER_FIELDS,
     .reads_around = GROUND_PAIR | BIT(SHARE) | BIT(HARDNESS) | BIT(TANGENT) | BIT(FALLS_AS),
     .writes = BIT(CHANGE) | LAYER_FIELDS},
    {PASS(settle), .reads = GROUND_PAIR | BIT(CHANGE), .writes = GROUND_PAIR},
};

/// Registers what slides, and as what.
static void edges_row(const PassRow* edge) {
    const EdgeConsts* consts = edge->consts;
    PassRow row = *edge;
    row.consts = consts->law;
    const ThermalConsts c = thermal_consts(&row);
    const int materials = thermal_materials(&row);
    const SlideRows rows = slide_rows(&row);
    const Around falls_as = rows_of(&row, FALLS_AS);
    const int y = row.y, end = row.x + row.end;
    for (int x = next_at_edge(consts->registers, row.x + row.first, y, end); x < end;
         x = next_at_edge(consts->registers, x + 1, y, end)) {
        const int i = x - row.x;
        const Slides slides = slides_at(&rows, c, i, true, thermal_talus(&row));
        float other[NEIGHBOURS] = {0};
        if (materials > 0) around(falls_as, i, other);
        for (int n = 0; n < NEIGHBOURS; n++) {
            const int place = register_place(consts->registers, x, y, n);
            const double in = (double)slides.in[n], away = (double)slides.out[n];
            if (place < 0) continue;
            register_add(consts->registers, x, y, place, REGISTER_GROUND, in - away);
            if (materials == 0) continue;
            register_add(consts->registers, x, y, place, REGISTER_GROUND + (int)other[n], in);
            register_add(consts->registers, x, y, place, REGISTER_GROUND + (int)falls_as.here[i],
                         -away);
        }
    }
}

static const Pass edges = {PASS(edges), .reads_around = GROUND_PAIR | BIT(SHARE) | BIT(HARDNESS) |
                                                        BIT(TANGENT) | BIT(FALLS_AS)};
enum { SETTLE = 2 }; // the pass that edges come before

static double tangent_of(double degrees) {
    return tan(degrees * 3.14159265358979323846 / 180);
}

/// Kt for the cells at hand [1/s].
static double slide_rate(const GullyThermalParams* p, const StepInfo* info) {
    const double area = info->cell_x * info->cell_y;
    return p->grain > 0 ? p->rate * (p->grain * p->grain / area) : p->rate;
}

static void prepare(const void* params, const StepInfo* info, void* consts) {
    const GullyThermalParams* p = params;
    const double slides = fmin(0.25, finest_dt(info) * slide_rate(p, info)); // in a finest step
    ThermalRowConsts* all = consts;
    all->materials = info->material_count;
    for (int m = 0; m < info->material_count; m++) {
        double talus = info->materials[m].talus;
        all->tangents[m] = (float)tangent_of(talus < 0 ? p->talus : talus);
    }
    all->thermal = (ThermalConsts){
        .tangent = (float)tangent_of(p->talus),
        .hardness_tangent = (float)p->hardness_talus,
        .strength = (float)(fmin(0.25, composed_share(info, slides)) / 2),
        .distance_x = (float)info->cell_x,
        .distance_y = (float)info->cell_y,
        .distance_diagonal = (float)hypot(info->cell_x, info->cell_y),
        .diagonals = p->neighbours == 1,
        .talus = info->material_count > 0        ? BY_MATERIAL
                 : (float)p->hardness_talus != 0 ? BY_HARDNESS
                                                 : UNIFORM,
    };
}

static GullyStatus coarsens(const void* params) {
    (void)params;
    return GULLY_OK;
}

static const KnownValue known[] = {
    KNOWN_VALUE(MATERIALS, ThermalRowConsts, materials),
    KNOWN_VALUE(TALUS, ThermalRowConsts, thermal.talus),
    KNOWN_VALUE(DIAGONALS, ThermalRowConsts, thermal.diagonals),
};

DEFINE_LAW(thermal) = {
    .name = "thermal",
    .summary = "ground steeper than its talus angle slides",
    .source = "Musgrave, Kolb, Mace 1989; Jako & Toth 2011",
    .add_on = true,
    .params = &params_table,
    .fields = own_fields,
    .field_count = sizeof own_fields / sizeof *own_fields,
    .passes = passes,
    .pass_count = sizeof passes / sizeof *passes,
    .edges = &edges,
    .edges_before = SETTLE,
    .layers = true,
    .marks_moving = true,
    .consts_size = sizeof(ThermalRowConsts),
    .known = known,
    .known_count = sizeof known / sizeof *known,
    .prepare = prepare,
    .coarsens = coarsens,
};
