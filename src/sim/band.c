#include "band.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "border.h"
#include "lease.h"
#include "store.h"

enum { NORTH_ROWS, SOUTH_ROWS, SAVED_ROWS, COPIES };

size_t band_row_floats(const GullyWorld* world, int panel) {
    return (size_t)world->row_size * (world->tiles[panel].pitch / 2);
}

/// Floats of a row of all panels.
static size_t all_floats(const GullyWorld* world) {
    return (size_t)(world->tiles_x - 1) * band_row_floats(world, 0) +
           band_row_floats(world, world->tiles_x - 1);
}

// ---- choosing bands -----------------------------------------------------------------------------

/// Bytes that a visit needs at most: the tiles of a band, those that it looks at to the south, and
/// the rows beyond. A band may begin and end within tiles.
static size_t visit_bytes(const GullyWorld* world, int rows, int depth) {
    const size_t row = all_floats(world) * sizeof(float);
    const size_t aside = world->tile_height % PATCH == 0 ? 1 : 3; // rows of tiles
    const size_t high = (size_t)world->tile_height;
    return row * ((size_t)rows + aside * high + (size_t)COPIES * (size_t)depth);
}

/// Rows of the highest band that fits; 0 = none does.
static int highest_band(const GullyWorld* world, int depth) {
    const int step = world->tile_height % PATCH == 0 ? world->tile_height : PATCH;
    int rows = 0;
    while (rows < world->height && visit_bytes(world, rows + step, depth) <= store_budget(world))
        rows += step;
    return rows;
}

static size_t all_bytes(const GullyWorld* world) {
    return (size_t)world->height * all_floats(world) * sizeof(float);
}

GullyStatus bands_choose(const GullyWorld* world, const Plan* plan, Bands* out) {
    // Rows beyond a band are computed as well: half of them on average, on both sides.
    enum { BAND_PER_DEPTH = 6 };
    *out = (Bands){.rows = world->height, .runs = 1};
    if (all_bytes(world) <= store_budget(world)) return GULLY_OK;
    for (int runs = MAX_VISIT_RUNS; runs > 0; runs--) {
        const int depth = runs * plan->reach, rows = highest_band(world, depth);
        if (rows < depth || rows == 0 || (runs > 1 && rows < BAND_PER_DEPTH * depth)) continue;
        *out = (Bands){.rows = rows, .runs = runs, .depth = depth};
        return GULLY_OK;
    }
    const int step = world->tile_height > plan->reach ? world->tile_height : plan->reach + PATCH;
    return gully_fail(GULLY_NO_MEMORY,
                      "%.1f MB of memory are not enough to step rows of %d cells with these "
                      "fields; allowed: %.1f MB or more (--memory)",
                      (double)store_budget(world) / 1e6, world->width,
                      (double)visit_bytes(world, step, plan->reach) / 1e6);
}

// ---- rows ---------------------------------------------------------------------------------------

GullyStatus band_reserve(Band* band, GullyWorld* world, int depth) {
    const size_t floats = (size_t)depth * all_floats(world) + 2 * MARGIN;
    const size_t bytes = (floats * sizeof(float) + 63) / 64 * 64;
    band_free(band);
    *band = (Band){.world = world, .depth = depth};
    GullyStatus status = store_set_aside(world, depth > 0 ? COPIES * bytes : 0);
    if (status) return status;
    for (int i = 0; i < COPIES && depth > 0; i++) {
        band->memory[i] = aligned_alloc(64, bytes);
        if (!band->memory[i])
            return gully_fail(GULLY_NO_MEMORY, "no memory for %d rows beyond a band", depth);
        memset(band->memory[i], 0, bytes);
    }
    return GULLY_OK;
}

void band_free(Band* band) {
    for (int i = 0; i < COPIES; i++)
        free(band->memory[i]);
    *band = (Band){0};
}

/// Where a row of a panel begins in one of the copies.
static float* copied_row(const Band* band, int copy, int panel, int row) {
    const GullyWorld* world = band->world;
    assert(row >= 0 && row < band->depth);
    const size_t panels = (size_t)panel * (size_t)band->depth * band_row_floats(world, 0);
    return band->memory[copy] + MARGIN + panels + (size_t)row * band_row_floats(world, panel);
}

float* band_row(const Band* band, int panel, int y) {
    const GullyWorld* world = band->world;
    if (y < band->first) return copied_row(band, NORTH_ROWS, panel, y - band->first + band->depth);
    if (y >= band->end) return copied_row(band, SOUTH_ROWS, panel, y - band->end);
    const Tile* tile = tile_of_row(world, panel, y);
    return tile->cells ? tile_row_start(world, tile, 0, y - tile->y) : NULL;
}

/// Pins a tile whose strips know the sides of the world.
static GullyStatus pin_marked(const GullyWorld* world, int index, bool writes) {
    GullyStatus status = store_pin((GullyWorld*)world, index, ALL_SLOTS, writes);
    if (!status) borders_mark_tile((GullyWorld*)world, index);
    return status;
}

/// Copies rows first .. end-1 of all panels as the tiles have them, where something is awake.
static GullyStatus copy_rows(const Band* band, const Plan* plan, const Activity* activity, int copy,
                             int first, int end) {
    const GullyWorld* world = band->world;
    const int last = end < world->height ? end : world->height;
    for (int panel = 0; panel < world->tiles_x; panel++) {
        for (int y = first > 0 ? first : 0; y < last;) {
            const int index = y / world->tile_height * world->tiles_x + panel;
            const Tile* tile = &world->tiles[index];
            const int stop = tile->y + tile->height < last ? tile->y + tile->height : last;
            const int around = (plan->fringe + 2) * PATCH;
            const ActiveSpan awake = activity_span(activity, panel, y - around, stop + around);
            const bool sleeps = awake.from >= awake.to;
            GullyStatus status = sleeps ? GULLY_OK : pin_marked(world, index, false);
            if (status) return status;
            for (; !sleeps && y < stop; y++)
                memcpy(copied_row(band, copy, panel, y - first),
                       tile_row_start(world, tile, 0, y - tile->y),
                       band_row_floats(world, panel) * sizeof(float));
            if (!sleeps) store_unpin((GullyWorld*)world, index);
            y = stop;
        }
    }
    return GULLY_OK;
}

// ---- visits -------------------------------------------------------------------------------------

/// Whether a visit works on a tile, or reads it beside its work. The strips of a tile hold columns of
/// the panels beside it.
static bool is_needed(const GullyWorld* world, const Activity* activity, int index, int around) {
    const Tile* tile = &world->tiles[index];
    const int panel = index % world->tiles_x, beside = (STRIP - 1) / world->tile_width + 1;
    for (int other = panel - beside; other <= panel + beside; other++) {
        if (other < 0 || other >= world->tiles_x) continue;
        const ActiveSpan awake =
            activity_span(activity, other, tile->y - around, tile->y + tile->height + around);
        if (awake.from < awake.to) return true;
    }
    return false;
}

/// Unpins the needed tiles of a band before one of them.
static void unpin_before(const Band* band, const Activity* activity, int around, int stop) {
    const GullyWorld* world = band->world;
    const int start = band->first / world->tile_height * world->tiles_x;
    for (int i = start; i < stop; i++)
        if (is_needed(world, activity, i, around)) store_unpin((GullyWorld*)world, i);
}

static int end_tile(const Band* band) {
    return ((band->end - 1) / band->world->tile_height + 1) * band->world->tiles_x;
}

static GullyStatus pin_tiles(const Band* band, const Activity* activity, int around) {
    const GullyWorld* world = band->world;
    for (int i = band->first / world->tile_height * world->tiles_x; i < end_tile(band); i++) {
        if (!is_needed(world, activity, i, around)) continue;
        GullyStatus status = pin_marked(world, i, true);
        if (status) {
            unpin_before(band, activity, around, i);
            return status;
        }
    }
    return GULLY_OK;
}

/// Lets the system read what the next visit will need.
static void read_ahead(const Band* band, const Activity* activity, int around) {
    GullyWorld* world = (GullyWorld*)band->world;
    const int rows = band->end - band->first, tiles = world->tiles_x * world->tiles_y;
    const int stop = end_tile(band) + rows / world->tile_height * world->tiles_x;
    for (int i = end_tile(band); i < stop && i < tiles; i++)
        if (is_needed(world, activity, i, around)) store_read_ahead(world, i);
}

GullyStatus band_begin(Band* band, const Plan* plan, const Activity* activity, int first, int end,
                       int around) {
    float* const saved = band->memory[SAVED_ROWS];
    assert(first == 0 || first == band->end);
    band->memory[SAVED_ROWS] = band->memory[NORTH_ROWS];
    band->memory[NORTH_ROWS] = saved;
    band->first = first;
    band->end = end;
    GullyStatus status = pin_tiles(band, activity, around);
    if (status || band->depth == 0) return status;
    status = copy_rows(band, plan, activity, SAVED_ROWS, end - band->depth, end);
    if (!status) status = copy_rows(band, plan, activity, SOUTH_ROWS, end, end + band->depth);
    if (status) band_end(band, activity, around);
    if (!status) read_ahead(band, activity, around);
    return status;
}

void band_end(const Band* band, const Activity* activity, int around) {
    unpin_before(band, activity, around, end_tile(band));
}
