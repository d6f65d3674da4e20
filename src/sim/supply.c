#include "supply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/generate.h"
#include "hash.h"

// ---- a step's discs -----------------------------------------------------------------------------

static int clamp_to(double value, int count) {
    return value < 0 ? 0 : value >= count ? count - 1 : (int)value;
}

static Disc make_disc(const Supply* supply, double x, double y, double radius) {
    const SupplyStep* step = &supply->step;
    Disc disc = {.x = x, .y = y, .radius = radius};
    disc.near_x = clamp_to(floor(x / step->cell_x + 0.5), supply->width);
    disc.near_y = clamp_to(floor(y / step->cell_y + 0.5), supply->height);
    disc.first_row = clamp_to(floor((y - radius) / step->cell_y), supply->height);
    disc.end_row = clamp_to(ceil((y + radius) / step->cell_y), supply->height) + 1;
    if (disc.first_row > disc.near_y) disc.first_row = disc.near_y;
    if (disc.end_row <= disc.near_y) disc.end_row = disc.near_y + 1;
    return disc;
}

/// (W3)
static int draw_sources(Supply* supply, double time, double dt) {
    int count = 0;
    for (int i = 0; i < supply->settings->source_count; i++) {
        const GullySource* source = &supply->settings->sources[i];
        if (!(source->from <= time && time < source->until) || source->rate <= 0) continue;
        Disc* disc = &supply->discs[count++];
        *disc = make_disc(supply, source->x, source->y, source->radius);
        disc->water = (float)(source->rate * dt);
        disc->sediment = (float)(source->concentration * source->rate * dt);
        disc->is_source = true;
    }
    return count;
}

/// (W2) Drop n of the run falls in the step in which rate * time passes n.
static int draw_drops(Supply* supply, int count, int64_t step, double time, double dt) {
    const GullyDropsParams* drops = settings_values(supply->settings, "rain.drops");
    double rate = drops->drops_per_second;
    double falling = floor(rate * (time + dt)) - floor(rate * time);
    for (int i = 0; i < (int)falling; i++) {
        double u = random_at(supply->seed, (uint64_t)step, (uint64_t)i, 0);
        double v = random_at(supply->seed, (uint64_t)step, (uint64_t)i, 1);
        Disc* disc = &supply->discs[count++];
        *disc = make_disc(supply, (u * supply->width - 0.5) * supply->step.cell_x,
                          (v * supply->height - 0.5) * supply->step.cell_y, drops->radius);
        disc->water = (float)drops->depth;
    }
    return count;
}

/// Sorts the discs by their first row, keeping the order within one: a row then sees only those
/// that can reach it.
static void sort_discs(Supply* supply, int count) {
    int* start = supply->row_start;
    memset(start, 0, (size_t)(supply->height + 1) * sizeof *start);
    int tallest = 1;
    for (int i = 0; i < count; i++) {
        const Disc* disc = &supply->discs[i];
        start[disc->first_row + 1]++;
        int rows = disc->end_row - disc->first_row;
        if (rows > tallest) tallest = rows;
    }
    for (int row = 0; row < supply->height; row++)
        start[row + 1] += start[row];
    for (int i = 0; i < count; i++)
        supply->sorted[start[supply->discs[i].first_row]++] = supply->discs[i];
    // Every start has moved to the next row's; move them back.
    memmove(start + 1, start, (size_t)supply->height * sizeof *start);
    start[0] = 0;
    supply->step.tallest = tallest;
}

bool supply_begin_step(Supply* supply, int64_t step, double time, double dt) {
    const GullyRainParams* rain = settings_values(supply->settings, "rain");
    const GullySeasonParams* season = settings_values(supply->settings, "rain.season");
    double q = (time - season->t_peak) / season->sigma;
    supply->step.rain = (float)(rain->rate * dt);
    supply->step.season = (float)(season->rate * dt * exp(-q * q / 2)); // (W4)
    int count = draw_drops(supply, draw_sources(supply, time, dt), step, time, dt);
    if (count > 0) sort_discs(supply, count);
    supply->step.discs = count > 0 ? supply->sorted : NULL;
    supply->step.disc_count = count;
    supply->step.row_start = supply->row_start;
    return supply->step.rain > 0 || supply->step.season > 0 || count > 0;
}

GullyStatus supply_prepare(Supply* supply, const GullyWorld* world, const GullySettings* settings,
                           double dt) {
    const GullyDropsParams* drops = settings_values(settings, "rain.drops");
    double capacity = ceil(drops->drops_per_second * dt) + 2 + settings->source_count;
    if (capacity > 1e8)
        return gully_fail(GULLY_BAD_INPUT, "rain.drops: %g drops in a step; allowed: up to 1e8",
                          capacity);
    Supply grown = {.width = world->width, .height = world->height, .capacity = (int)capacity};
    grown.discs = malloc((size_t)grown.capacity * sizeof *grown.discs);
    grown.sorted = malloc((size_t)grown.capacity * sizeof *grown.sorted);
    grown.row_start = malloc((size_t)(grown.height + 1) * sizeof *grown.row_start);
    if (!grown.discs || !grown.sorted || !grown.row_start) {
        supply_free(&grown);
        return gully_fail(GULLY_FAILED, "no memory for %g drops in a step", capacity);
    }
    grown.seed = supply->seed;
    grown.pattern_scale = supply->pattern_scale;
    grown.pattern_octaves = supply->pattern_octaves;
    grown.settings = settings;
    grown.step.cell_x = world->cell_x;
    grown.step.cell_y = world->cell_y;
    supply_free(supply);
    *supply = grown;
    return GULLY_OK;
}

void supply_free(Supply* supply) {
    free(supply->discs);
    free(supply->sorted);
    free(supply->row_start);
    supply->discs = supply->sorted = NULL;
    supply->row_start = NULL;
}

void supply_fill_pattern(Supply* supply, GullyWorld* world) {
    const GullySeasonParams* season = settings_values(supply->settings, "rain.season");
    if (season->rate <= 0) return;
    double longer = fmax(world->width * world->cell_x, world->height * world->cell_y);
    double scale = season->scale > 0 ? season->scale : longer / 4;
    if (scale == supply->pattern_scale && season->octaves == supply->pattern_octaves) return;
    supply->pattern_scale = scale;
    supply->pattern_octaves = season->octaves;
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
        const Tile* tile = &world->tiles[i];
        for (int y = 0; y < tile->height; y++) {
            float* pattern = tile_row(world, tile, world->common[RAIN_PATTERN], y);
            for (int x = 0; x < tile->width; x++) {
                pattern[x] = gully_fractal(supply->seed, (tile->x + x) * world->cell_x / scale,
                                           (tile->y + y) * world->cell_y / scale, season->octaves);
            }
        }
    }
}
