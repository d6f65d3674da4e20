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
#include "diffusion.cell.h"

#include <math.h>

#include "evaporation.h"
#include "law.h"
#include "spread.h"

#define ROW(...) GULLY_PARAM_ROW(GullyDiffusionParams, __VA_ARGS__)
static const GullyParam param_rows[] = {GULLY_DIFFUSION_PARAMS(ROW)};
#undef ROW
static const GullyParamTable params_table = LAW_TABLE(GullyDiffusionParams, param_rows);

enum { CHANGE = SPREAD_FIELDS }; // of the water [m]

static const LawField own_fields[] = {SPREAD_FIELD_ROWS, {.name = "change", .scratch = true}};

#define BIT FIELD_BIT
#define GROUND_PAIR (BIT(GROUND) | BIT(GROUND_LOW))
#define WATER_PAIR (BIT(WATER) | BIT(WATER_LOW))
#define SEDIMENT_PAIR (BIT(SEDIMENT) | BIT(SEDIMENT_LOW))
#define VELOCITY (BIT(VELOCITY_X) | BIT(VELOCITY_Y))

// ---- erode and deposit --------------------------------------------------------------------------

/// Adds what is in a row to the ground, and takes it from the sediment; or the other way round.
/// Also where that is nothing: the remainder of a pair that was rounded, or that is near the
/// smallest numbers there are, may still move into its value. So no row may be left out.
static void settle(const PassRow* row, const float* settled, float sign) {
    float *b = row->out[GROUND], *low = row->out[GROUND_LOW];
    float *s = row->out[SEDIMENT], *s_low = row->out[SEDIMENT_LOW];
    EACH_CELL(i, row) {
        Pair ground = pair_add(b[i], low[i], sign * settled[i]);
        b[i] = ground.value;
        low[i] = ground.low;
        Pair sediment = pair_not_negative(pair_add(s[i], s_low[i], -sign * settled[i]));
        s[i] = sediment.value;
        s_low[i] = sediment.low;
    }
}

static void add_to_mask(const PassRow* row, int mask, const float* numbers) {
    float* sum = row->out[mask];
    if (sum) EACH_CELL(i, row) sum[i] += numbers[i];
}

/// (B2)
static void erode_row(const PassRow* row) {
    const DiffusionConsts c = *(const DiffusionConsts*)row->consts;
    const float *d = row->in[WATER][HERE], *s = row->in[SEDIMENT][HERE];
    float* taken = row->scratch[0];
    EACH_CELL(i, row) taken[i] = diffusion_dissolved(d[i], s[i], c);
    settle(row, taken, -1);
    add_to_mask(row, WEAR, taken);
    count_row(row, SOLID_ERODED, taken);
}

/// (B6)
static void deposit_row(const PassRow* row) {
    const DiffusionConsts c = *(const DiffusionConsts*)row->consts;
    const float *d = row->in[WATER][HERE], *s = row->in[SEDIMENT][HERE];
    float* left = row->scratch[0];
    EACH_CELL(i, row) left[i] = diffusion_excess(d[i], s[i], c);
    settle(row, left, 1);
    add_to_mask(row, DEPOSIT, left);
    count_row(row, SOLID_DEPOSITED, left);
}

// ---- transport ----------------------------------------------------------------------------------

/// (B3) What comes from each neighbour less what goes there. `flow` is known when this is compiled:
/// whether the flow through the cells is wanted.
ALWAYS_INLINE void move(const PassRow* row, bool flow) {
    const DiffusionConsts c = *(const DiffusionConsts*)row->consts;
    const Levels levels = levels_of(row);
    const Around shares = rows_of(row, SHARE), carrieds = rows_of(row, CARRIED);
    const Openings openings = openings_of(row, row->scratch[0], row->scratch[1]);
    const float* d = row->in[WATER][HERE];
    float *s = row->out[SEDIMENT], *s_low = row->out[SEDIMENT_LOW], *change = row->out[CHANGE];
    float *flow_x = row->scratch[2], *flow_y = row->scratch[3];
    EACH_CELL(i, row) {
        float drops[NEIGHBOURS], share[NEIGHBOURS], carried[NEIGHBOURS];
        float water[NEIGHBOURS], sediment[NEIGHBOURS];
        drops_around(levels, i, drops);
        around(shares, i, share);
        around(carrieds, i, carried);
        EACH_NEIGHBOUR(n) {
            float out = shares.here[i] * most(drops[n], cell_zero);
            float in = share[n] * most(-drops[n], cell_zero);
            water[n] = in - out;
            sediment[n] = carried[n] * in - carrieds.here[i] * out;
        }
        float leaves = shares.here[i] * d[i];
        float all_leave = leaves * openings.count[i];
        change[i] = sum_of(water) - all_leave;
        float comes = sum_of(sediment) - carrieds.here[i] * all_leave;
        Pair sum = pair_not_negative(pair_add(s[i], s_low[i], comes));
        s[i] = sum.value;
        s_low[i] = sum.low;
        if (flow) {
            Through q = through_flow(water, leaves, openings.x[i], openings.y);
            flow_x[i] = q.x * c.speed_x;
            flow_y[i] = q.y * c.speed_y;
        }
    }
}

/// The mask of the flow, and its velocity in what is deep enough to have one.
static void keep_flow(const PassRow* row, const float* flow_x, const float* flow_y) {
    const float* d = row->in[WATER][HERE];
    float *mask = row->out[FLOW], *u = row->out[VELOCITY_X], *v = row->out[VELOCITY_Y];
    if (mask)
        EACH_CELL(i, row) mask[i] += square_root(flow_x[i] * flow_x[i] + flow_y[i] * flow_y[i]);
    if (u) EACH_CELL(i, row) u[i] = d[i] > 1e-4f ? flow_x[i] / d[i] : 0.0f;
    if (v) EACH_CELL(i, row) v[i] = d[i] > 1e-4f ? flow_y[i] / d[i] : 0.0f;
}

static void move_row(const PassRow* row) {
    if (row->out[FLOW] || row->out[VELOCITY_X]) {
        move(row, true);
        keep_flow(row, row->scratch[2], row->scratch[3]);
    } else {
        move(row, false);
    }
}

static void level_row(const PassRow* row) {
    const float* change = row->in[CHANGE][HERE];
    float *d = row->out[WATER], *low = row->out[WATER_LOW];
    EACH_CELL(i, row) {
        Pair water = pair_not_negative(pair_add(d[i], low[i], change[i]));
        d[i] = water.value;
        low[i] = water.low;
    }
}

// ---- mix ----------------------------------------------------------------------------------------

static void concentrate_row(const PassRow* row) {
    const float *d = row->in[WATER][HERE], *s = row->in[SEDIMENT][HERE];
    float* carried = row->out[CARRIED];
    EACH_CELL(i, row) carried[i] = concentration(s[i], d[i]);
}

/// (B4)
static void mix_row(const PassRow* row) {
    const DiffusionConsts c = *(const DiffusionConsts*)row->consts;
    const Around carrieds = rows_of(row, CARRIED), waters = rows_of(row, WATER);
    float *s = row->out[SEDIMENT], *s_low = row->out[SEDIMENT_LOW];
    EACH_CELL(i, row) {
        float carried[NEIGHBOURS], water[NEIGHBOURS], comes[NEIGHBOURS];
        around(carrieds, i, carried);
        around(waters, i, water);
        EACH_NEIGHBOUR(n) {
            comes[n] = diffusion_mixed(carrieds.here[i], waters.here[i], carried[n], water[n], c);
        }
        Pair sum = pair_not_negative(pair_add(s[i], s_low[i], sum_of(comes)));
        s[i] = sum.value;
        s_low[i] = sum.low;
    }
}

// ---- evaporate ----------------------------------------------------------------------------------

/// (B5)
static void evaporate_row(const PassRow* row) {
    const DiffusionConsts* c = row->consts;
    evaporate(row, c->evaporated, c->dry_threshold);
}

// ---- the law ------------------------------------------------------------------------------------

static const Pass passes[] = {
    {.name = "erode",
     .reads = GROUND_PAIR | BIT(WATER) | SEDIMENT_PAIR,
     .writes = GROUND_PAIR | SEDIMENT_PAIR | BIT(WEAR),
     .row = erode_row},
    {.name = "spread",
     .reads = BIT(SEDIMENT),
     .reads_around = GROUND_PAIR | BIT(WATER),
     .writes = BIT(SHARE) | BIT(CARRIED),
     .row = spread_row},
    {.name = "move",
     .reads = SEDIMENT_PAIR,
     .reads_around = GROUND_PAIR | BIT(WATER) | BIT(SHARE) | BIT(CARRIED),
     .writes = BIT(CHANGE) | SEDIMENT_PAIR | BIT(FLOW) | VELOCITY,
     .output_only = VELOCITY,
     .row = move_row},
    {.name = "level", .reads = WATER_PAIR | BIT(CHANGE), .writes = WATER_PAIR, .row = level_row},
    {.name = "concentrate",
     .reads = BIT(WATER) | BIT(SEDIMENT),
     .writes = BIT(CARRIED),
     .row = concentrate_row},
    {.name = "mix",
     .reads = SEDIMENT_PAIR,
     .reads_around = BIT(WATER) | BIT(CARRIED),
     .writes = SEDIMENT_PAIR,
     .row = mix_row},
    {.name = "evaporate", .reads = WATER_PAIR, .writes = WATER_PAIR, .row = evaporate_row},
    {.name = "deposit",
     .reads = GROUND_PAIR | BIT(WATER) | SEDIMENT_PAIR,
     .writes = GROUND_PAIR | SEDIMENT_PAIR | BIT(DEPOSIT),
     .row = deposit_row},
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
        .mix = (float)(p->relax / 9),
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
