/// Thermal weathering: ground steeper than its talus angle slides until it is not.
///
/// After Musgrave, Kolb, Mace (1989) and Jako & Toth (2011). Neighbours n at distance D_n [m], 8 or
/// 4:
///
///   (T1)  ex_n = b - b_n - D_n tan(talus), taking part where > 0
///   (T2)  m = min(1/4, dt Kt) max(ex) / 2 leaves the cell, to each neighbour m ex_n / sum(ex)
///   (T3)  every cell adds what its neighbours send it
///
/// tan(talus) is raised by hardness_talus * (1 - k). No cell slides across a side or to nodata.
/// Stable for any dt: at most a quarter of half the largest excess moves in a step. Conserves
/// solid: what slides between two cells is the same number for both.
#include <math.h>

#include "law.h"
#include "neighbours.h"
#include "thermal.cell.h"

#define ROW(...) GULLY_PARAM_ROW(GullyThermalParams, __VA_ARGS__)
static const GullyParam param_rows[] = {GULLY_THERMAL_PARAMS(ROW)};
#undef ROW
static const GullyParamTable params_table = LAW_TABLE(GullyThermalParams, param_rows);

enum {
    SHARE = LAW_FIELDS, // what slides per excess
    CHANGE,             // of the ground [m]
};

static const LawField own_fields[] = {
    {.name = "share", .scratch = true},
    {.name = "change", .scratch = true},
};

#define BIT FIELD_BIT
#define GROUND_PAIR (BIT(GROUND) | BIT(GROUND_LOW))

static inline void distances(ThermalConsts c, float out[NEIGHBOURS]) {
    out[W] = out[E] = c.distance_x;
    out[N] = out[S] = c.distance_y;
    out[NW] = out[SE] = out[NE] = out[SW] = c.distance_diagonal;
}

/// (T1), (T2) in some of a row's columns. Returns how large the largest slide is. `walls` is known
/// when this is compiled.
static inline uint32_t loosen(const PassRow* row, int from, int to, bool walls) {
    const ThermalConsts c = *(const ThermalConsts*)row->consts;
    const Around ground = rows_of(row, GROUND), ground_low = rows_of(row, GROUND_LOW);
    const float* k = row->in[HARDNESS][HERE];
    float *share = row->out[SHARE], *slides = row->spare[0];
    float distance[NEIGHBOURS];
    distances(c, distance);
    const int neighbours = c.diagonals ? NEIGHBOURS : 4;
    uint32_t largest = 0;

    CELLS(i, from, to) {
        float b[NEIGHBOURS], low[NEIGHBOURS], excess[NEIGHBOURS];
        around(ground, i, b);
        around(ground_low, i, low);
        float tangent = thermal_tangent(k[i], c);
        EACH_NEIGHBOUR(n) {
            float rise = thermal_rise(ground.here[i], ground_low.here[i], b[n], low[n], walls);
            float x = thermal_excess(rise, distance[n] * tangent);
            excess[n] = n < neighbours ? x : 0.0f;
        }
        slides[i] = thermal_slide(largest_of(excess), c);
        share[i] = thermal_share(slides[i], sum_of(excess));
        largest = exact_larger(largest, slides[i]);
    }
    return largest;
}

/// Columns that are left out together where nothing slides.
enum { PIECE = 64 };

static int piece_end(const PassRow* row, int from) {
    return row->to - from < PIECE ? row->to : from + PIECE;
}

/// Whether some columns surely stay as they are, which is quick to see.
static bool piece_rests(const PassRow* row, int from, int to) {
    const ThermalConsts c = *(const ThermalConsts*)row->consts;
    const Around ground = rows_of(row, GROUND);
    const float* k = row->in[HARDNESS][HERE];
    int may_slide = 0;
    CELLS(i, from, to) {
        float b[NEIGHBOURS];
        around(ground, i, b);
        float lowest_x = least(b[W], b[E]), lowest_y = least(b[N], b[S]);
        float lowest = least(least(b[NW], b[SE]), least(b[NE], b[SW]));
        may_slide |= thermal_may_slide(ground.here[i], k[i], lowest_x, lowest_y, lowest, c);
    }
    return !may_slide;
}

/// (T1), (T2). The outside is higher than any cell: nothing slides there. Only nodata cells must be
/// asked for.
static void loosen_row(const PassRow* row) {
    float *share = row->out[SHARE], *slides = row->spare[0];
    uint32_t largest = 0;
    for (int from = row->from, to; from < row->to; from = to) {
        to = piece_end(row, from);
        uint32_t here = 0;
        if (piece_rests(row, from, to))
            CELLS(i, from, to) share[i] = slides[i] = 0.0f;
        else
            here = row->walls ? loosen(row, from, to, true) : loosen(row, from, to, false);
        largest = here > largest ? here : largest;
    }
    count_row(row, SOLID_SLID, slides, largest);
    mark_moving(row, slides, largest);
}

/// (T3) in some of a row's columns: what comes from each neighbour less what goes there.
static inline void slide(const PassRow* row, int from, int to, bool walls) {
    const ThermalConsts c = *(const ThermalConsts*)row->consts;
    const Around ground = rows_of(row, GROUND), ground_low = rows_of(row, GROUND_LOW);
    const Around shares = rows_of(row, SHARE), hardness = rows_of(row, HARDNESS);
    float* change = row->out[CHANGE];
    float distance[NEIGHBOURS];
    distances(c, distance);
    const int neighbours = c.diagonals ? NEIGHBOURS : 4;

    CELLS(i, from, to) {
        float b[NEIGHBOURS], low[NEIGHBOURS], share[NEIGHBOURS], k[NEIGHBOURS], net[NEIGHBOURS];
        around(ground, i, b);
        around(ground_low, i, low);
        around(shares, i, share);
        around(hardness, i, k);
        float tangent = thermal_tangent(hardness.here[i], c);
        EACH_NEIGHBOUR(n) {
            float rise = thermal_rise(ground.here[i], ground_low.here[i], b[n], low[n], walls);
            float out = thermal_excess(rise, distance[n] * tangent);
            float in = thermal_excess(-rise, distance[n] * thermal_tangent(k[n], c));
            float x = share[n] * in - shares.here[i] * out;
            net[n] = n < neighbours ? x : 0.0f;
        }
        change[i] = sum_of(net);
    }
}

/// (T3), only where something slides.
static void slide_row(const PassRow* row) {
    const Around shares = rows_of(row, SHARE);
    float* change = row->out[CHANGE];
    for (int from = row->from, to; from < row->to; from = to) {
        to = piece_end(row, from);
        bool rests = is_all_zero(shares.north, from - 1, to + 1) &&
                     is_all_zero(shares.here, from - 1, to + 1) &&
                     is_all_zero(shares.south, from - 1, to + 1);
        if (rests)
            CELLS(i, from, to) change[i] = 0.0f;
        else if (row->walls)
            slide(row, from, to, true);
        else
            slide(row, from, to, false);
    }
}

static void settle_row(const PassRow* row) {
    float *b = row->out[GROUND], *low = row->out[GROUND_LOW];
    const float* change = row->in[CHANGE][HERE];
    for (int from = row->from, to; from < row->to; from = to) {
        to = piece_end(row, from);
        if (is_all_zero(change, from, to)) continue;
        CELLS(i, from, to) {
            Pair ground = pair_add(b[i], low[i], change[i]);
            b[i] = ground.value;
            low[i] = ground.low;
        }
    }
}

static const Pass passes[] = {
    {.name = "loosen",
     .reads = BIT(HARDNESS),
     .reads_around = GROUND_PAIR,
     .writes = BIT(SHARE),
     .row = loosen_row},
    {.name = "slide",
     .reads_around = GROUND_PAIR | BIT(SHARE) | BIT(HARDNESS),
     .writes = BIT(CHANGE),
     .row = slide_row},
    {.name = "settle",
     .reads = GROUND_PAIR | BIT(CHANGE),
     .writes = GROUND_PAIR,
     .row = settle_row},
};

static void prepare(const void* params, const StepInfo* info, void* consts) {
    const GullyThermalParams* p = params;
    const double degree = 3.14159265358979323846 / 180;
    *(ThermalConsts*)consts = (ThermalConsts){
        .tangent = (float)tan(p->talus * degree),
        .hardness_tangent = (float)p->hardness_talus,
        .strength = (float)(fmin(0.25, info->dt * p->rate) / 2),
        .distance_x = (float)info->cell_x,
        .distance_y = (float)info->cell_y,
        .distance_diagonal = (float)hypot(info->cell_x, info->cell_y),
        .diagonals = p->neighbours == 1,
    };
}

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
    .marks_moving = true,
    .consts_size = sizeof(ThermalConsts),
    .prepare = prepare,
};
