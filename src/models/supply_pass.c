/// Water supply, for all models: what falls on a row in one step.
///
///   d1 = d + dt r,  r the sum of
///   (W1) uniform rain, (W2) drops, (W3) sources, which may bring sediment,
///   (W4) rain over time and place: rate * bell((t - t_peak) / sigma) * fractal(x, y)
///
/// What falls in a step is decided before it, in src/sim/supply.c. Nodata cells get nothing.
#include "supply_pass.h"

#include <math.h>

#include "cell.h"
#include "law.h"

ALWAYS_INLINE void let_fall_on_chunk(const PassRow* row, Chunk chunk, float rain, bool walls) {
    const float* b = row->in[GROUND][HERE];
    float *d = row->out[WATER], *low = row->out[WATER_LOW];
    CELLS_OF(chunk, i) {
        Pair depth = pair_add(d[i], low[i], !walls || is_cell(b[i]) ? rain : 0.0f);
        d[i] = depth.value;
        low[i] = depth.low;
    }
}

/// (W1) The same on every cell: counted by the number of cells.
ALWAYS_INLINE int let_fall(const PassRow* row, float rain, bool walls) {
    const float* b = row->in[GROUND][HERE];
    EACH_CHUNK(chunk, row, let_fall_on_chunk(row, chunk, rain, walls));
    int cells = walls ? 0 : row->end - row->first;
    for (int i = row->first; walls && i < row->end; i++)
        cells += is_cell(b[i]);
    return cells;
}

static void rain_on_row(const PassRow* row, float rain) {
    int cells = row->has_boundary ? let_fall(row, rain, true) : let_fall(row, rain, false);
    exact_add(&row->accounts[WATER_RAIN], (double)rain, cells);
}

/// (W1) and (W4) together.
static void rain_pattern_on_row(const PassRow* row, float rain, float season) {
    const float *b = row->in[GROUND][HERE], *pattern = row->in[RAIN_PATTERN][HERE];
    float *d = row->out[WATER], *low = row->out[WATER_LOW], *added = row->scratch[0];
    EACH_CELL(i, row) {
        float amount = is_cell(b[i]) ? rain + season * pattern[i] : 0.0f;
        Pair depth = pair_add(d[i], low[i], amount);
        d[i] = depth.value;
        low[i] = depth.low;
        added[i] = amount;
    }
    count_row(row, WATER_RAIN, added);
}

/// Adds a disc to columns from .. end-1 of a row.
static void pour(const PassRow* row, const Disc* disc, int from, int end) {
    const float* b = row->in[GROUND][HERE];
    float *d = row->out[WATER], *low = row->out[WATER_LOW];
    float *s = row->out[SEDIMENT], *s_low = row->out[SEDIMENT_LOW];
    int cells = 0;
    for (int i = from; i < end; i++) {
        if (!is_cell(b[i])) continue;
        Pair depth = pair_add(d[i], low[i], disc->water);
        d[i] = depth.value;
        low[i] = depth.low;
        Pair sediment = pair_add(s[i], s_low ? s_low[i] : 0.0f, disc->sediment);
        s[i] = sediment.value;
        if (s_low) s_low[i] = sediment.low;
        cells += i >= row->first && i < row->end;
    }
    Account account = disc->is_source ? WATER_SOURCES : WATER_RAIN;
    exact_add(&row->accounts[account], (double)disc->water, cells);
    exact_add(&row->accounts[SOLID_SOURCES], (double)disc->sediment, cells);
}

/// (W2), (W3): the cells of a row whose centre is within the radius, and the nearest cell.
static void pour_row(const PassRow* row, const Disc* disc, const SupplyStep* step) {
    double dy = row->y * step->cell_y - disc->y;
    double half2 = disc->radius * disc->radius - dy * dy;
    int from = 0, end = 0;
    if (half2 >= 0) {
        double half = sqrt(half2);
        // One cell more on either side, then the exact question for each.
        double first = floor((disc->x - half) / step->cell_x) - 1 - row->x;
        double last = ceil((disc->x + half) / step->cell_x) + 2 - row->x;
        from = (int)fmin(fmax(first, row->from), row->to);
        end = (int)fmin(fmax(last, from), row->to);
#define OFFSET(i) ((row->x + (i)) * step->cell_x - disc->x)
        while (from < end && OFFSET(from) * OFFSET(from) > half2)
            from++;
        while (from < end && OFFSET(end - 1) * OFFSET(end - 1) > half2)
            end--;
#undef OFFSET
    }
    if (from < end) pour(row, disc, from, end);
    int near = disc->near_x - row->x;
    bool covered = near >= from && near < end;
    if (row->y == disc->near_y && near >= row->from && near < row->to && !covered)
        pour(row, disc, near, near + 1);
}

static void supply_row(const PassRow* row) {
    const SupplyStep* step = row->consts;
    if (step->season > 0)
        rain_pattern_on_row(row, step->rain, step->season);
    else if (step->rain > 0)
        rain_on_row(row, step->rain);
    if (!step->discs) return;
    int oldest = row->y - step->tallest + 1;
    int from = step->row_start[oldest > 0 ? oldest : 0], end = step->row_start[row->y + 1];
    for (int i = from; i < end; i++) {
        if (row->y < step->discs[i].end_row) pour_row(row, &step->discs[i], step);
    }
}

#define WATER_PAIR (FIELD_BIT(WATER) | FIELD_BIT(WATER_LOW))
#define SEDIMENT_PAIR (FIELD_BIT(SEDIMENT) | FIELD_BIT(SEDIMENT_LOW))

static const Pass passes[] = {
    {.name = "supply",
     .reads = FIELD_BIT(GROUND) | FIELD_BIT(RAIN_PATTERN) | WATER_PAIR | SEDIMENT_PAIR,
     .writes = WATER_PAIR | SEDIMENT_PAIR,
     .row = supply_row},
};

/// A column of cells near a place [m], also far outside the world.
static int column_near(double x, double cell) {
    return (int)fmin(fmax(floor(x / cell), -1e9), 1e9);
}

static bool wakes(const void* consts, WakeCells wake, void* context) {
    const SupplyStep* step = consts;
    if (step->rain > 0 || step->season > 0) return true;
    for (int i = 0; i < step->disc_count; i++) {
        const Disc* disc = &step->discs[i];
        int from = column_near(disc->x - disc->radius, step->cell_x) - 1;
        int end = column_near(disc->x + disc->radius, step->cell_x) + 3;
        from = disc->near_x < from ? disc->near_x : from;
        end = disc->near_x >= end ? disc->near_x + 1 : end;
        wake(context, (CellRect){disc->first_row, disc->end_row, from, end});
    }
    return false;
}

DEFINE_LAW(supply) = {
    .name = "supply",
    .summary = "rain, drops and sources",
    .passes = passes,
    .pass_count = 1,
    .wakes = wakes,
};
