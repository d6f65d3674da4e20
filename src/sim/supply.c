#include "supply.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/generate.h"
#include "hash.h"
#include "lease.h"

/// A disc of water in one step: a drop, or a source that is on.
struct Disc {
    double x, y, radius; // [m], from the centre of the first cell
    int near_x, near_y;  // the nearest cell, always part of it
    int first_row, end_row;
    int kind;
};

/// The kinds of supply: that of the drops, then those of the sources.
enum { DROPS, FIRST_SOURCE };

// ---- discs --------------------------------------------------------------------------------------

static int clamp_to(double value, int count) {
    return value < 0 ? 0 : value >= count ? count - 1 : (int)value;
}

static Disc make_disc(const Supply* supply, double x, double y, double radius, int kind) {
    Disc disc = {.x = x, .y = y, .radius = radius, .kind = kind};
    disc.near_x = clamp_to(floor(x / supply->cell_x + 0.5), supply->width);
    disc.near_y = clamp_to(floor(y / supply->cell_y + 0.5), supply->height);
    disc.first_row = clamp_to(floor((y - radius) / supply->cell_y), supply->height);
    disc.end_row = clamp_to(ceil((y + radius) / supply->cell_y), supply->height) + 1;
    if (disc.first_row > disc.near_y) disc.first_row = disc.near_y;
    if (disc.end_row <= disc.near_y) disc.end_row = disc.near_y + 1;
    return disc;
}

/// The most rows that a disc can have.
static double most_rows(const Supply* supply, double radius) {
    return fmin(supply->height, floor(2 * radius / supply->cell_y) + 4);
}

/// (W3)
static int draw_sources(Supply* supply, double time, double dt) {
    int count = 0;
    for (int i = 0; i < supply->settings->source_count; i++) {
        const GullySource* source = &supply->settings->sources[i];
        if (!(source->from <= time && time < source->until) || source->rate <= 0) continue;
        const int kind = FIRST_SOURCE + i;
        supply->discs[count++] = make_disc(supply, source->x, source->y, source->radius, kind);
        supply->kinds[kind] =
            (SupplyKind){.water = (float)(source->rate * dt),
                         .sediment = (float)(source->concentration * source->rate * dt),
                         .is_source = true};
    }
    return count;
}

/// (W2) Drop n of the run falls in the step in which rate * time passes n.
static int draw_drops(Supply* supply, int count, int64_t step, double time, double dt) {
    const GullyDropsParams* drops = settings_values(supply->settings, "rain.drops");
    double rate = drops->drops_per_second;
    double falling = floor(rate * (time + dt)) - floor(rate * time);
    supply->kinds[DROPS] = (SupplyKind){.water = (float)drops->depth};
    for (int i = 0; i < (int)falling; i++) {
        double u = random_at(supply->seed, (uint64_t)step, (uint64_t)i, 0);
        double v = random_at(supply->seed, (uint64_t)step, (uint64_t)i, 1);
        supply->discs[count++] =
            make_disc(supply, (u * supply->width - 0.5) * supply->cell_x,
                      (v * supply->height - 0.5) * supply->cell_y, drops->radius, DROPS);
    }
    return count;
}

/// Lists the discs in the order of adding: by their first row, and as drawn within one.
static void sort_discs(Supply* supply, int count) {
    int* next = supply->row_counts; // in the list, for the discs of each first row
    memset(next, 0, (size_t)supply->height * sizeof *next);
    for (int i = 0; i < count; i++)
        next[supply->discs[i].first_row]++;
    for (int row = 0, before = 0; row < supply->height; row++) {
        int discs = next[row];
        next[row] = before;
        before += discs;
    }
    for (int i = 0; i < count; i++)
        supply->order[next[supply->discs[i].first_row]++] = i;
}

// ---- the cells of a disc ------------------------------------------------------------------------

/// Adds columns of a row to the step.
static void add_span(Supply* supply, int y, int first, int end, int kind) {
    supply->spans[supply->ends[y]++] = (SupplySpan){first, end, kind};
}

/// Adds the cells of a row whose centre is within the radius of a disc, and the nearest cell.
static void cover_row(Supply* supply, const Disc* disc, int y) {
    const double cell_x = supply->cell_x, dy = y * supply->cell_y - disc->y;
    const double half2 = disc->radius * disc->radius - dy * dy; // half the chord, squared
    int from = 0, end = 0;
    if (half2 >= 0) {
        double half = sqrt(half2);
        // One cell more on either side, then the exact question for each.
        double first = floor((disc->x - half) / cell_x) - 1;
        double last = ceil((disc->x + half) / cell_x) + 2;
        from = (int)fmin(fmax(first, 0), supply->width);
        end = (int)fmin(fmax(last, from), supply->width);
#define OFFSET(i) ((i)*cell_x - disc->x)
        while (from < end && OFFSET(from) * OFFSET(from) > half2)
            from++;
        while (from < end && OFFSET(end - 1) * OFFSET(end - 1) > half2)
            end--;
#undef OFFSET
    }
    if (from < end) add_span(supply, y, from, end, disc->kind);
    bool covered = disc->near_x >= from && disc->near_x < end;
    if (y == disc->near_y && !covered)
        add_span(supply, y, disc->near_x, disc->near_x + 1, disc->kind);
}

static SupplyBox box_of(const Supply* supply, const Disc* disc) {
    int first = clamp_to((disc->x - disc->radius) / supply->cell_x - 1, supply->width);
    int last = clamp_to((disc->x + disc->radius) / supply->cell_x + 1, supply->width);
    return (SupplyBox){.first_row = disc->first_row,
                       .end_row = disc->end_row,
                       .first_column = disc->near_x < first ? disc->near_x : first,
                       .end_column = (disc->near_x > last ? disc->near_x : last) + 1};
}

/// Makes the tables of a step: one after another, the discs add their spans to the rows.
static void list_spans(Supply* supply, int count) {
    int* room = supply->row_counts; // spans that each row may get, as differences to the row before
    memset(room, 0, (size_t)(supply->height + 1) * sizeof *room);
    for (int i = 0; i < count; i++) {
        room[supply->discs[i].first_row]++;
        room[supply->discs[i].end_row]--;
        room[supply->discs[i].near_y]++; // for the nearest cell
        room[supply->discs[i].near_y + 1]--;
    }
    for (int y = 0, start = 0, spans = 0; y < supply->height; y++) {
        spans += room[y];
        supply->starts[y] = supply->ends[y] = start;
        start += spans;
    }
    for (int i = 0; i < count; i++) {
        const Disc* disc = &supply->discs[supply->order[i]];
        for (int y = disc->first_row; y < disc->end_row; y++)
            cover_row(supply, disc, y);
        supply->boxes[i] = box_of(supply, disc);
    }
}

bool supply_begin_step(Supply* supply, int64_t step, double time, double dt) {
    const GullyRainParams* rain = settings_values(supply->settings, "rain");
    const GullySeasonParams* season = settings_values(supply->settings, "rain.season");
    double q = (time - season->t_peak) / season->sigma;
    supply->step->rain = (float)(rain->rate * dt);
    supply->step->season = (float)(season->rate * dt * exp(-q * q / 2)); // (W4)
    int count = draw_drops(supply, draw_sources(supply, time, dt), step, time, dt);
    if (count > 0) {
        sort_discs(supply, count);
        list_spans(supply, count);
    }
    supply->step->boxes = count;
    return supply->step->rain > 0 || supply->step->season > 0 || count > 0;
}

// ---- memory -------------------------------------------------------------------------------------

/// Makes room for discs and for the block of the step (supply.cell.h); false if there is none.
static bool allocate(Supply* supply, size_t discs, size_t spans, size_t kinds) {
    const size_t rows = (size_t)supply->height;
    const size_t size = sizeof(SupplyStep) + 2 * rows * sizeof(int) + kinds * sizeof(SupplyKind) +
                        spans * sizeof(SupplySpan) + discs * sizeof(SupplyBox);
    supply->discs = malloc(discs * sizeof *supply->discs);
    supply->order = malloc(discs * sizeof *supply->order);
    supply->row_counts = malloc((rows + 1) * sizeof *supply->row_counts);
    supply->step = malloc(size);
    if (!supply->discs || !supply->order || !supply->row_counts || !supply->step) return false;
    *supply->step = (SupplyStep){.rows = supply->height, .kinds = (int)kinds, .spans = (int)spans};
    supply->starts = (int*)(supply->step + 1);
    supply->ends = supply->starts + rows;
    supply->kinds = (SupplyKind*)(supply->ends + rows);
    supply->spans = (SupplySpan*)(supply->kinds + kinds);
    supply->boxes = (SupplyBox*)(supply->spans + spans);
    memset(supply->kinds, 0, kinds * sizeof *supply->kinds);
    return true;
}

GullyStatus supply_prepare(Supply* supply, const GullyWorld* world, const GullySettings* settings,
                           double dt) {
    const GullyDropsParams* drops = settings_values(settings, "rain.drops");
    double most_drops = ceil(drops->drops_per_second * dt) + 2;
    double discs = most_drops + settings->source_count;
    if (discs > 1e8)
        return gully_fail(GULLY_BAD_INPUT, "rain.drops: %g drops in a step; allowed: up to 1e8",
                          discs);
    Supply grown = {.settings = settings,
                    .seed = supply->seed,
                    .width = world->width,
                    .height = world->height,
                    .cell_x = world->cell_x,
                    .cell_y = world->cell_y,
                    .pattern_scale = supply->pattern_scale,
                    .pattern_octaves = supply->pattern_octaves};
    double spans = discs + most_drops * most_rows(&grown, drops->radius);
    for (int i = 0; i < settings->source_count; i++)
        spans += most_rows(&grown, settings->sources[i].radius);
    const size_t kinds = FIRST_SOURCE + (size_t)settings->source_count;
    if (spans > INT_MAX)
        return gully_fail(GULLY_BAD_INPUT,
                          "rain.drops: %g drops of %g m in a step touch %g rows of cells; allowed: "
                          "up to %d",
                          discs, drops->radius, spans, INT_MAX);
    if (!allocate(&grown, (size_t)discs, (size_t)spans, kinds)) {
        supply_free(&grown);
        return gully_fail(GULLY_NO_MEMORY, "no memory for %g drops in a step", discs);
    }
    supply_free(supply);
    *supply = grown;
    return GULLY_OK;
}

void supply_free(Supply* supply) {
    free(supply->discs);
    free(supply->order);
    free(supply->row_counts);
    free(supply->step);
    supply->discs = NULL;
    supply->order = supply->row_counts = NULL;
    supply->step = NULL;
}

// ---- the pattern of seasonal rain ---------------------------------------------------------------

GullyStatus supply_fill_pattern(Supply* supply, GullyWorld* world) {
    const GullySeasonParams* season = settings_values(supply->settings, "rain.season");
    if (season->rate <= 0) return GULLY_OK;
    double longer = fmax(world->width * world->cell_x, world->height * world->cell_y);
    double scale = season->scale > 0 ? season->scale : longer / 4;
    if (scale == supply->pattern_scale && season->octaves == supply->pattern_octaves)
        return GULLY_OK;
    Runs runs;
    runs_begin(&runs, world, gully_world_all(world), &world->common[RAIN_PATTERN], 1, ACCESS_WRITE);
    while (runs_next(&runs)) {
        for (int i = 0; i < runs.count; i++) {
            runs.cells[0][i] = gully_fractal(supply->seed, (runs.x + i) * world->cell_x / scale,
                                             runs.y * world->cell_y / scale, season->octaves);
        }
    }
    supply->pattern_scale = scale;
    supply->pattern_octaves = season->octaves;
    return runs_end(&runs);
}
