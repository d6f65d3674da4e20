// SPDX-License-Identifier: MIT
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

/// The most rows of cells that a disc can have.
static double most_rows(const Supply* supply, double radius) {
    const double finest = fmin(supply->height, floor(2 * radius / supply->cell_y) + 4);
    return finest < 1 ? 1 : ceil(finest / pace_scale(supply->pace)) + (supply->pace->scale > 1);
}

/// The most spans of a disc in one row of cells, beside that of the nearest cell.
static int most_spans(const StepPace* pace) {
    return pace->scale > 1 ? 4 * pace->scale + 3 : 1;
}

/// (W3) In the finest steps of a step that begin while a source is on.
static int draw_sources(Supply* supply, const StepClock* clock, int64_t first) {
    int count = 0;
    for (int i = 0; i < supply->settings->source_count; i++) {
        const GullySource* source = &supply->settings->sources[i];
        int on = 0;
        for (int part = 0; part < pace_parts(supply->pace); part++) {
            const double time = clock_time(clock, first + part);
            on += source->from <= time && time < source->until;
        }
        if (on == 0 || source->rate <= 0) continue;
        const int kind = FIRST_SOURCE + i;
        const double dt = clock->dt * on;
        supply->discs[count++] = make_disc(supply, source->x, source->y, source->radius, kind);
        supply->kinds[kind] =
            (SupplyKind){.water = (float)(source->rate * dt),
                         .sediment = (float)(source->concentration * source->rate * dt),
                         .is_source = true};
    }
    return count;
}

/// (W2) Drop n of the run falls in the finest step in which rate * time passes n.
static int draw_drops(Supply* supply, int count, const StepClock* clock, int64_t step) {
    const GullyDropsParams* drops = settings_values(supply->settings, "rain.drops");
    const double rate = drops->drops_per_second, time = clock_time(clock, step);
    double falling = floor(rate * (time + clock->dt)) - floor(rate * time);
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

/// Rows of cells that a disc touches, of those that the supply is for: first, and the one after the
/// last. A disc beyond them has none.
static int first_row_of(const Supply* supply, const Disc* disc) {
    const int row = disc->first_row / pace_scale(supply->pace);
    return row < supply->rows ? row : supply->rows;
}

static int end_row_of(const Supply* supply, const Disc* disc) {
    const int row = (disc->end_row - 1) / pace_scale(supply->pace) + 1;
    return row < supply->rows ? row : supply->rows;
}

/// Lists the discs in the order of adding: by their first row, and as drawn within one.
static void sort_discs(Supply* supply, int count) {
    int* next = supply->row_counts; // in the list, for the discs of each first row
    memset(next, 0, (size_t)(supply->rows + 1) * sizeof *next);
    for (int i = 0; i < count; i++)
        next[first_row_of(supply, &supply->discs[i])]++;
    for (int row = 0, before = 0; row <= supply->rows; row++) {
        int discs = next[row];
        next[row] = before;
        before += discs;
    }
    for (int i = 0; i < count; i++)
        supply->order[next[first_row_of(supply, &supply->discs[i])]++] = i;
}

// ---- the cells of a disc ------------------------------------------------------------------------

/// Columns of finest cells.
typedef struct Chord {
    int from, end;
} Chord;

/// The finest cells of a row whose centre is within the radius of a disc.
static Chord chord_of(const Supply* supply, const Disc* disc, int y) {
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
    return (Chord){from, end};
}

/// Whether the nearest cell of a disc is in a row, and not in its chord there.
static bool adds_nearest(const Disc* disc, int y, Chord chord) {
    const bool covered = disc->near_x >= chord.from && disc->near_x < chord.end;
    return y == disc->near_y && !covered;
}

/// Adds columns of a row to the step.
static void add_span(Supply* supply, int y, int first, int end, int kind, float share) {
    supply->spans[supply->ends[y]++] = (SupplySpan){first, end, kind, share};
}

/// Adds the cells of a disc in a row of finest cells.
static void cover_row(Supply* supply, const Disc* disc, int y) {
    const Chord chord = chord_of(supply, disc, y);
    if (chord.from < chord.end) add_span(supply, y, chord.from, chord.end, disc->kind, 1);
    if (adds_nearest(disc, y, chord))
        add_span(supply, y, disc->near_x, disc->near_x + 1, disc->kind, 1);
}

/// Counts finest columns `from` to `end`-1 with the cells that they are in: as differences between
/// one cell and the next.
static void count_columns(Supply* supply, int from, int end) {
    const int scale = pace_scale(supply->pace), most = supply->columns * scale;
    if (end > most) end = most;
    if (from >= end) return;
    const int first = from / scale, last = (end - 1) / scale;
    const int in_first = (first == last ? end : (first + 1) * scale) - from;
    supply->covered[first] += in_first;
    supply->covered[first + 1] -= in_first;
    if (first == last) return;
    supply->covered[first + 1] += scale;
    supply->covered[last] -= scale;
    supply->covered[last] += end - last * scale;
    supply->covered[last + 1] -= end - last * scale;
}

/// Adds the cells of a disc in a row of coarser cells, by the finest cells in each.
static void cover_coarse_row(Supply* supply, const Disc* disc, int row) {
    const int scale = supply->pace->scale;
    memset(supply->covered, 0, (size_t)(supply->columns + 1) * sizeof *supply->covered);
    for (int y = row * scale; y < (row + 1) * scale; y++) {
        if (y < disc->first_row || y >= disc->end_row) continue;
        const Chord chord = chord_of(supply, disc, y);
        count_columns(supply, chord.from, chord.end);
        if (adds_nearest(disc, y, chord)) count_columns(supply, disc->near_x, disc->near_x + 1);
    }
    int cells = 0, from = 0;
    for (int x = 0; x <= supply->columns; x++) {
        const int more = x < supply->columns ? supply->covered[x] : -cells;
        if (more == 0) continue;
        const float share = (float)((double)cells / ((double)scale * scale));
        if (cells > 0) add_span(supply, row, from, x, disc->kind, share);
        cells += more;
        from = x;
    }
}

static SupplyBox box_of(const Supply* supply, const Disc* disc) {
    const int scale = pace_scale(supply->pace);
    int first = clamp_to((disc->x - disc->radius) / supply->cell_x - 1, supply->width);
    int last = clamp_to((disc->x + disc->radius) / supply->cell_x + 1, supply->width);
    if (disc->near_x < first) first = disc->near_x;
    if (disc->near_x > last) last = disc->near_x;
    return (SupplyBox){.first_row = first_row_of(supply, disc),
                       .end_row = end_row_of(supply, disc),
                       .first_column = first / scale,
                       .end_column = last / scale + 1};
}

/// Makes the tables of a step: one after another, the discs add their spans to the rows.
static void list_spans(Supply* supply, int count) {
    const int most = most_spans(supply->pace), scale = pace_scale(supply->pace);
    int* room = supply->row_counts; // spans that each row may get, as differences to the row before
    memset(room, 0, (size_t)(supply->rows + 1) * sizeof *room);
    for (int i = 0; i < count; i++) {
        const Disc* disc = &supply->discs[i];
        const int near = disc->near_y / scale;
        room[first_row_of(supply, disc)] += most;
        room[end_row_of(supply, disc)] -= most;
        if (near >= supply->rows) continue;
        room[near]++; // for the nearest cell
        room[near + 1]--;
    }
    for (int y = 0, start = 0, spans = 0; y < supply->rows; y++) {
        spans += room[y];
        supply->starts[y] = supply->ends[y] = start;
        start += spans;
    }
    for (int i = 0; i < count; i++) {
        const Disc* disc = &supply->discs[supply->order[i]];
        for (int y = first_row_of(supply, disc); y < end_row_of(supply, disc); y++) {
            if (scale > 1)
                cover_coarse_row(supply, disc, y);
            else
                cover_row(supply, disc, y);
        }
        supply->boxes[i] = box_of(supply, disc);
    }
}

/// (W4) What falls in a finest step where the pattern is 1 [m].
static double season_of(const Supply* supply, double time, double dt) {
    const GullySeasonParams* season = settings_values(supply->settings, "rain.season");
    double q = (time - season->t_peak) / season->sigma;
    return season->rate * dt * exp(-q * q / 2);
}

bool supply_begin_step(Supply* supply, const StepClock* clock, int64_t step) {
    const GullyRainParams* rain = settings_values(supply->settings, "rain");
    const StepPace* pace = supply->pace;
    const bool level = pace->scale > 0;
    const StepClock* finest = level ? &pace->finest : clock;
    const int64_t first = level ? pace->origin + step * pace->parts : step;
    double season = 0;
    int count = draw_sources(supply, finest, first);
    for (int part = 0; part < pace_parts(pace); part++) {
        season += season_of(supply, clock_time(finest, first + part), finest->dt);
        count = draw_drops(supply, count, finest, first + part);
    }
    supply->step->rain = (float)(rain->rate * clock->dt);
    supply->step->season = (float)season;
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
    const size_t rows = (size_t)supply->rows, columns = (size_t)supply->columns;
    const size_t size = sizeof(SupplyStep) + 2 * rows * sizeof(int) + kinds * sizeof(SupplyKind) +
                        spans * sizeof(SupplySpan) + discs * sizeof(SupplyBox);
    supply->discs = malloc(discs * sizeof *supply->discs);
    supply->order = malloc(discs * sizeof *supply->order);
    supply->row_counts = malloc((rows + 1) * sizeof *supply->row_counts);
    supply->covered = malloc((columns + 1) * sizeof *supply->covered);
    supply->step = malloc(size);
    if (!supply->discs || !supply->order || !supply->row_counts || !supply->covered ||
        !supply->step)
        return false;
    *supply->step = (SupplyStep){.rows = supply->rows, .kinds = (int)kinds, .spans = (int)spans};
    supply->starts = (int*)(supply->step + 1);
    supply->ends = supply->starts + rows;
    supply->kinds = (SupplyKind*)(supply->ends + rows);
    supply->spans = (SupplySpan*)(supply->kinds + kinds);
    supply->boxes = (SupplyBox*)(supply->spans + spans);
    memset(supply->kinds, 0, kinds * sizeof *supply->kinds);
    return true;
}

GullyStatus supply_prepare(Supply* supply, const GullyWorld* world, const GullySettings* settings,
                           double dt, const StepPace* pace) {
    const GullyDropsParams* drops = settings_values(settings, "rain.drops");
    double most_drops = ceil(drops->drops_per_second * dt) + 2 * pace_parts(pace);
    double discs = most_drops + settings->source_count;
    if (discs > 1e8)
        return gully_fail(GULLY_BAD_INPUT, "rain.drops: %g drops in a step; allowed: up to 1e8",
                          discs);
    Supply grown = {.settings = settings,
                    .seed = supply->seed,
                    .pace = pace,
                    .width = pace->scale > 0 ? pace->width : world->width,
                    .height = pace->scale > 0 ? pace->height : world->height,
                    .cell_x = world->cell_x / pace_scale(pace),
                    .cell_y = world->cell_y / pace_scale(pace),
                    .columns = world->width,
                    .rows = world->height,
                    .pattern_scale = supply->pattern_scale,
                    .pattern_octaves = supply->pattern_octaves};
    double rows = most_drops * most_rows(&grown, drops->radius);
    for (int i = 0; i < settings->source_count; i++)
        rows += most_rows(&grown, settings->sources[i].radius);
    const double spans = discs + rows * most_spans(pace);
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
    free(supply->covered);
    free(supply->step);
    supply->discs = NULL;
    supply->order = supply->row_counts = supply->covered = NULL;
    supply->step = NULL;
}

// ---- the pattern of seasonal rain ---------------------------------------------------------------

/// The mean of the pattern over the finest cells of a cell.
static float pattern_at(const Supply* supply, double scale, int octaves, int x, int y) {
    const int cells = pace_scale(supply->pace);
    double sum = 0;
    for (int j = y * cells; j < (y + 1) * cells; j++) {
        for (int i = x * cells; i < (x + 1) * cells; i++)
            sum += (double)gully_fractal(supply->seed, i * supply->cell_x / scale,
                                         j * supply->cell_y / scale, octaves);
    }
    return (float)(sum / ((double)cells * cells));
}

GullyStatus supply_fill_pattern(Supply* supply, GullyWorld* world) {
    const GullySeasonParams* season = settings_values(supply->settings, "rain.season");
    if (season->rate <= 0) return GULLY_OK;
    double longer = fmax(supply->width * supply->cell_x, supply->height * supply->cell_y);
    double scale = season->scale > 0 ? season->scale : longer / 4;
    if (scale == supply->pattern_scale && season->octaves == supply->pattern_octaves)
        return GULLY_OK;
    Runs runs;
    runs_begin(&runs, world, gully_world_all(world), &world->common[RAIN_PATTERN], 1, ACCESS_WRITE);
    while (runs_next(&runs)) {
        for (int i = 0; i < runs.count; i++)
            runs.cells[0][i] = pattern_at(supply, scale, season->octaves, runs.x + i, runs.y);
    }
    supply->pattern_scale = scale;
    supply->pattern_octaves = season->octaves;
    return runs_end(&runs);
}
