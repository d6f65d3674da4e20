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
/// Borders: a closed side or a nodata cell is a wall; an open side is one more lower neighbour,
/// dry, of the same ground, where nothing is taken or left. Stable for any dt. Conserves water and
/// solid. Deviation from the paper: `move` level and the bound dh / 8, without which lakes ripple
/// into towers and portions dig deeper than they fall. Portions are gathered by their receiver and
/// added in pairs of opposite neighbours, so that a mirrored terrain gives mirrored bits.
#include "newton.cell.h"

#include <math.h>

#include "evaporation.h"
#include "law.h"
#include "spread.h"
#include "tiles.h"

#define ROW(...) GULLY_PARAM_ROW(GullyNewtonParams, __VA_ARGS__)
static const GullyParam param_rows[] = {GULLY_NEWTON_PARAMS(ROW)};
#undef ROW
static const GullyParamTable params_table = LAW_TABLE(GullyNewtonParams, param_rows);

enum {
    VELOCITY_Z = SPREAD_FIELDS, // upwards [m/s]
    GROUND_CHANGE,              // [m]
    WATER_CHANGE,               // [m]
    NEW_X,                      // velocity after the step [m/s]
    NEW_Y,
    NEW_Z,
};

static const LawField own_fields[] = {
    SPREAD_FIELD_ROWS,
    {.name = "velocity_z"},
    {.name = "ground_change", .scratch = true},
    {.name = "water_change", .scratch = true},
    {.name = "new_x", .scratch = true},
    {.name = "new_y", .scratch = true},
    {.name = "new_z", .scratch = true},
};

#define BIT FIELD_BIT
#define GROUND_PAIR (BIT(GROUND) | BIT(GROUND_LOW))
#define WATER_PAIR (BIT(WATER) | BIT(WATER_LOW))
#define VELOCITY (BIT(VELOCITY_X) | BIT(VELOCITY_Y) | BIT(VELOCITY_Z))
#define NEW_VELOCITY (BIT(NEW_X) | BIT(NEW_Y) | BIT(NEW_Z))

/// (N1)
static void evaporate_row(const PassRow* row) {
    const NewtonConsts* c = row->consts;
    evaporate(row, c->evaporated, c->dry_now);
}

/// The way from a neighbour to the cell [m].
static inline void ways(NewtonConsts c, float x[NEIGHBOURS], float y[NEIGHBOURS],
                        float length2[NEIGHBOURS]) {
    EACH_NEIGHBOUR(n) {
        x[n] = -offset_x[n] * c.cell_x;
        y[n] = -offset_y[n] * c.cell_y;
        length2[n] = n < N ? c.across2_x : n < NW ? c.across2_y : c.diagonal2;
    }
}

/// (N2) to (N4) in the cells of a row: what comes and what stays. `flow` is known when this is
/// compiled: whether the flow mask is wanted.
ALWAYS_INLINE void arrive(const PassRow* row, float* dug, float* left, bool flow) {
    const NewtonConsts c = *(const NewtonConsts*)row->consts;
    const Levels levels = levels_of(row);
    const Around shares = rows_of(row, SHARE), carrieds = rows_of(row, CARRIED);
    const Around vxs = rows_of(row, VELOCITY_X), vys = rows_of(row, VELOCITY_Y),
                 vzs = rows_of(row, VELOCITY_Z);
    const Openings openings = openings_of(row, row->scratch[0], row->scratch[1]);
    const float* d = row->in[WATER][HERE];
    float *s = row->out[SEDIMENT], *mask = row->out[FLOW];
    float *ground_change = row->out[GROUND_CHANGE], *water_change = row->out[WATER_CHANGE];
    float *new_x = row->out[NEW_X], *new_y = row->out[NEW_Y], *new_z = row->out[NEW_Z];
    float way_x[NEIGHBOURS], way_y[NEIGHBOURS], length2[NEIGHBOURS];
    ways(c, way_x, way_y, length2);
    EACH_CELL(i, row) {
        float drops[NEIGHBOURS], share[NEIGHBOURS], carried[NEIGHBOURS];
        float vx[NEIGHBOURS], vy[NEIGHBOURS], vz[NEIGHBOURS];
        float ins[NEIGHBOURS], outs[NEIGHBOURS], water[NEIGHBOURS], sediment[NEIGHBOURS];
        float taken[NEIGHBOURS], settled[NEIGHBOURS];
        drops_around(levels, i, drops);
        around(shares, i, share);
        around(carrieds, i, carried);
        around(vxs, i, vx);
        around(vys, i, vy);
        around(vzs, i, vz);
        const float leaves = shares.here[i] * d[i];
        const float all_leave = leaves * openings.count[i];
        const bool goes_on = largest_of(drops) > 0.0f || openings.count[i] * d[i] > 0.0f;
        EACH_NEIGHBOUR(n) {
            float drop = most(-drops[n], cell_zero); // of what comes from there
            float in = share[n] * drop, out = shares.here[i] * most(drops[n], cell_zero);
            float with_it = carried[n] * in;
            Velocity v = {vx[n], vy[n], vz[n]};
            v = newton_accelerated(v, drop, way_x[n], way_y[n], length2[n], c);
            float e = newton_taken(in, with_it, v, drop, goes_on, c);
            taken[n] = most(e, cell_zero);
            settled[n] = most(-e, cell_zero);
            ins[n] = in;
            outs[n] = out;
            water[n] = in - out;
            sediment[n] = with_it - carrieds.here[i] * out;
            vx[n] = in * v.x;
            vy[n] = in * v.y;
            vz[n] = in * v.z;
        }
        float kept = most(d[i] - (sum_of(outs) + all_leave), cell_zero);
        float now = kept + sum_of(ins), per_water = now > 0.0f ? 1.0f / now : 0.0f;
        float pit = shares.here[i] > 0.0f ? 0.0f : c.pit_deposit * s[i];
        dug[i] = sum_of(taken);
        left[i] = sum_of(settled) + pit;
        water_change[i] = sum_of(water) - all_leave;
        ground_change[i] = left[i] - dug[i];
        float moved = (sum_of(sediment) - carrieds.here[i] * all_leave) - ground_change[i];
        s[i] = most(s[i] + moved, cell_zero);
        new_x[i] = (kept * vxs.here[i] + sum_of(vx)) * per_water;
        new_y[i] = (kept * vys.here[i] + sum_of(vy)) * per_water;
        new_z[i] = (kept * vzs.here[i] + sum_of(vz)) * per_water;
        if (flow) {
            Through q = through_flow(water, leaves, openings.x[i], openings.y);
            float x = q.x * c.speed_x, y = q.y * c.speed_y;
            mask[i] += square_root(x * x + y * y);
        }
    }
}

/// Adds a row to a mask, if there is one, and to the budget.
static void count_ground(const PassRow* row, int mask, Account account, const float* numbers) {
    float* sum = row->out[mask];
    if (sum) EACH_CELL(i, row) sum[i] += numbers[i];
    count_row(row, account, numbers);
}

static void arrive_row(const PassRow* row) {
    float *dug = row->scratch[2], *left = row->scratch[3];
    if (row->out[FLOW])
        arrive(row, dug, left, true);
    else
        arrive(row, dug, left, false);
    count_ground(row, WEAR, SOLID_ERODED, dug);
    count_ground(row, DEPOSIT, SOLID_DEPOSITED, left);
}

/// (N5)
static void settle_row(const PassRow* row) {
    const NewtonConsts c = *(const NewtonConsts*)row->consts;
    const float* ground_change = row->in[GROUND_CHANGE][HERE];
    const float* water_change = row->in[WATER_CHANGE][HERE];
    const float *new_x = row->in[NEW_X][HERE], *new_y = row->in[NEW_Y][HERE];
    const float* new_z = row->in[NEW_Z][HERE];
    float *b = row->out[GROUND], *b_low = row->out[GROUND_LOW], *s = row->out[SEDIMENT];
    float *d = row->out[WATER], *d_low = row->out[WATER_LOW];
    float *vx = row->out[VELOCITY_X], *vy = row->out[VELOCITY_Y], *vz = row->out[VELOCITY_Z];
    float *gone = row->scratch[0], *settled = row->scratch[1];
    EACH_CELL(i, row) {
        Pair water = pair_not_negative(pair_add(d[i], d_low[i], water_change[i]));
        bool wet = water.value >= c.dry_depth;
        gone[i] = wet ? 0.0f : water.value + water.low;
        settled[i] = wet ? 0.0f : s[i];
        d[i] = wet ? water.value : 0.0f;
        d_low[i] = wet ? water.low : 0.0f;
        s[i] = wet ? s[i] : 0.0f;
        Pair ground = pair_add(b[i], b_low[i], ground_change[i] + settled[i]);
        b[i] = ground.value;
        b_low[i] = ground.low;
        vx[i] = wet ? new_x[i] : 0.0f;
        vy[i] = wet ? new_y[i] : 0.0f;
        vz[i] = wet ? new_z[i] : 0.0f;
    }
    count_row(row, WATER_EVAPORATED, gone);
    count_ground(row, DEPOSIT, SOLID_DEPOSITED, settled);
}

static const Pass passes[] = {
    {.name = "evaporate", .reads = WATER_PAIR, .writes = WATER_PAIR, .row = evaporate_row},
    {.name = "spread",
     .reads = BIT(SEDIMENT),
     .reads_around = GROUND_PAIR | BIT(WATER),
     .writes = BIT(SHARE) | BIT(CARRIED),
     .row = spread_row},
    {.name = "arrive",
     .reads = BIT(SEDIMENT),
     .reads_around = GROUND_PAIR | BIT(WATER) | BIT(SHARE) | BIT(CARRIED) | VELOCITY,
     .writes = BIT(SEDIMENT) | BIT(GROUND_CHANGE) | BIT(WATER_CHANGE) | NEW_VELOCITY | BIT(FLOW) |
               BIT(WEAR) | BIT(DEPOSIT),
     .row = arrive_row},
    {.name = "settle",
     .reads = GROUND_PAIR | WATER_PAIR | BIT(SEDIMENT) | BIT(GROUND_CHANGE) | BIT(WATER_CHANGE) |
              NEW_VELOCITY,
     .writes = GROUND_PAIR | WATER_PAIR | BIT(SEDIMENT) | VELOCITY | BIT(DEPOSIT),
     .row = settle_row},
};

// ---- the law ------------------------------------------------------------------------------------

enum { MOVE_ALL, MOVE_LEVEL }; // the choices of `move`

static void prepare(const void* params, const StepInfo* info, void* consts) {
    const GullyNewtonParams* p = params;
    const double lx = info->cell_x, ly = info->cell_y;
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
    };
}

static FieldSet needs(const void* params) {
    (void)params;
    return BIT(VELOCITY_X) | BIT(VELOCITY_Y);
}

/// The lowest and the highest ground [m].
typedef struct Range {
    double low, high;
} Range;

static Range range_of(const GullyWorld* world) {
    Range range = {INFINITY, -INFINITY};
    for (int n = 0; n < world->tiles_x * world->tiles_y; n++) {
        const Tile* tile = &world->tiles[n];
        for (int y = 0; y < tile->height; y++) {
            const float* b = tile_row(world, tile, world->common[GROUND], y);
            for (int x = 0; x < tile->width; x++) {
                if (!is_cell(b[x])) continue;
                range.low = fmin(range.low, (double)b[x]);
                range.high = fmax(range.high, (double)b[x]);
            }
        }
    }
    return range;
}

/// The water of the start.
static void start(const void* params, GullyWorld* world) {
    const GullyNewtonParams* p = params;
    const Range range = range_of(world);
    const double relief = range.high - range.low;
    const int slots[2] = {world->common[WATER], world->common[WATER_LOW]};
    for (int n = 0; n < world->tiles_x * world->tiles_y; n++) {
        const Tile* tile = &world->tiles[n];
        for (int y = 0; y < tile->height; y++) {
            const float* b = tile_row(world, tile, world->common[GROUND], y);
            for (int x = 0; x < tile->width; x++) {
                if (!is_cell(b[x])) continue;
                double height = relief > 0 ? ((double)b[x] - range.low) / relief : 0;
                double water = (double)tile_get(world, tile, slots[0], y, x) +
                               (double)tile_get(world, tile, slots[1], y, x);
                water += p->w_min + p->w_0 * height;
                tile_set_pair(world, tile, slots, y, x, water);
            }
        }
    }
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
    .prepare = prepare,
    .needs = needs,
    .start = start,
};
