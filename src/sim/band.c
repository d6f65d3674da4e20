// SPDX-License-Identifier: MIT
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

static int own_rows(const GullyWorld* world) {
    return world->end_row - world->first_row;
}

// ---- choosing bands -----------------------------------------------------------------------------

/// Bytes that a visit needs at most: the tiles of a band, those that it looks at to the south, and
/// the rows beyond. A band may begin and end within tiles.
static size_t visit_bytes(const GullyWorld* world, int rows, int depth) {
    const size_t row = all_floats(world) * sizeof(float);
    const size_t aside = world->tile_height % PATCH == 0 ? 1 : 3; // rows of tiles
    const size_t high = (size_t)world->tile_height;
    return row * ((size_t)rows + aside * high + COPIES * (size_t)depth);
}

/// Rows of the highest band that fits; 0 = none does.
static int highest_band(const GullyWorld* world, int depth) {
    const int step = world->tile_height % PATCH == 0 ? world->tile_height : PATCH;
    int rows = 0;
    while (rows < own_rows(world) && visit_bytes(world, rows + step, depth) <= store_budget(world))
        rows += step;
    return rows;
}

static size_t all_bytes(const GullyWorld* world) {
    size_t floats = 0;
    for (int i = first_tile(world); i < end_tile(world); i++)
        if (!tile_is_left_out(world, &world->tiles[i]))
            floats += (size_t)world->tiles[i].height * band_row_floats(world, i % world->tiles_x);
    return floats * sizeof(float);
}

GullyStatus bands_choose(const GullyWorld* world, const Plan* plan, int most_runs, Bands* out) {
    // Rows beyond a band are computed as well: half of them on average, on both sides.
    enum { BAND_PER_DEPTH = 6 };
    const bool shares = ranks_share(world->ranks);
    *out = (Bands){.rows = own_rows(world), .runs = 1, .depth = shares ? plan->reach : 0};
    if (all_bytes(world) + COPIES * (size_t)out->depth * all_floats(world) * sizeof(float) <=
        store_budget(world)) {
        while (out->runs < most_runs && own_rows(world) >= (out->runs + 1) * plan->reach)
            out->runs++;
        out->depth *= out->runs;
        return GULLY_OK;
    }
    for (int runs = most_runs > 0 ? most_runs : MAX_VISIT_RUNS; runs > 0; runs--) {
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

/// Whether something is awake in some rows of a panel or of those whose columns its strips hold.
static bool is_awake_near(const GullyWorld* world, const Activity* activity, int panel, int first,
                          int end) {
    const int beside = (STRIP - 1) / world->tile_width + 1;
    for (int other = panel - beside; other <= panel + beside; other++) {
        if (other < 0 || other >= world->tiles_x) continue;
        const ActiveSpan awake = activity_span(activity, other, first, end);
        if (awake.from < awake.to) return true;
    }
    return false;
}

/// Pins a tile whose strips know the sides of the world.
static GullyStatus pin_marked(const GullyWorld* world, int index, bool writes) {
    GullyStatus status = store_pin((GullyWorld*)world, index, ALL_SLOTS, writes);
    if (!status) borders_mark_tile((GullyWorld*)world, index);
    return status;
}

/// Whether something is awake in some rows of a panel, or of those beside it whose columns its strips
/// hold, or so near that passes read them.
static bool is_read(const GullyWorld* world, const Plan* plan, const Activity* activity, int panel,
                    int first, int end) {
    const int around = (plan->fringe + 2) * PATCH;
    return is_awake_near(world, activity, panel, first - around, end + around);
}

typedef void RowTaker(const Band* band, int panel, int y, int stop, void* context);

/// Calls for the rows first .. end-1 of a panel, those of one tile at a time, which is in memory then.
static GullyStatus each_tile(const Band* band, int panel, int first, int end, RowTaker* take,
                             void* context) {
    const GullyWorld* world = band->world;
    GullyStatus status = GULLY_OK;
    for (int y = first, stop; y < end && !status; y = stop) {
        const int index = y / world->tile_height * world->tiles_x + panel;
        const Tile* tile = &world->tiles[index];
        stop = tile->y + tile->height < end ? tile->y + tile->height : end;
        status = pin_marked(world, index, false);
        if (status) break;
        take(band, panel, y, stop, context);
        store_unpin((GullyWorld*)world, index);
    }
    return status;
}

// ---- rows of other ranks ------------------------------------------------------------------------

/// Bytes of a field's row of a panel, strips included, and where it begins in a row of all fields.
static size_t field_bytes(const GullyWorld* world, int panel, int slot) {
    return world->tiles[panel].pitch * tile_number_bytes(world, slot);
}

static size_t field_start(const GullyWorld* world, int panel, int slot) {
    return (size_t)world->start[slot] * (world->tiles[panel].pitch / 2) * sizeof(float);
}

/// Copies the fields that steps read beyond a block, between a row of all fields and a message.
static void pass_row(const GullyWorld* world, const Plan* plan, int panel, char* row,
                     char** message, bool out) {
    for (int i = 0; i < plan->border_count; i++) {
        const size_t size = field_bytes(world, panel, plan->border[i]);
        char* field = row + field_start(world, panel, plan->border[i]);
        memcpy(out ? *message : field, out ? field : *message, size);
        *message += size;
    }
}

size_t band_message_bytes(const Band* band, const Plan* plan) {
    const GullyWorld* world = band->world;
    size_t bytes = (size_t)world->tiles_x;
    for (int panel = 0; panel < world->tiles_x; panel++)
        for (int i = 0; i < plan->border_count; i++)
            bytes += (size_t)band->depth * field_bytes(world, panel, plan->border[i]);
    return bytes;
}

/// A message that is being written.
typedef struct Packing {
    const Plan* plan;
    char* at;
} Packing;

static void take_message(const Band* band, int panel, int y, int stop, void* context) {
    Packing* packing = context;
    const Tile* tile = tile_of_row(band->world, panel, y);
    for (; y < stop; y++)
        pass_row(band->world, packing->plan, panel,
                 (char*)tile_row_start(band->world, tile, 0, y - tile->y), &packing->at, true);
}

GullyStatus band_pack(const Band* band, const Plan* plan, const Activity* activity, int first,
                      char* message, size_t* size) {
    const GullyWorld* world = band->world;
    const int end = first + band->depth;
    Packing packing = {plan, message + world->tiles_x};
    GullyStatus status = GULLY_OK;
    for (int panel = 0; panel < world->tiles_x && !status; panel++) {
        message[panel] = is_read(world, plan, activity, panel, first, end);
        if (message[panel]) status = each_tile(band, panel, first, end, take_message, &packing);
    }
    if (status) memset(message, 0, (size_t)world->tiles_x); // the neighbour need not wait
    *size = status ? (size_t)world->tiles_x : (size_t)(packing.at - message);
    return status;
}

void band_unpack(const Band* band, const Plan* plan, Side side, char* message) {
    const GullyWorld* world = band->world;
    const int copy = side == NORTH ? NORTH_ROWS : SOUTH_ROWS;
    char* at = message + world->tiles_x;
    for (int panel = 0; panel < world->tiles_x; panel++)
        for (int row = 0; row < band->depth && message[panel]; row++)
            pass_row(world, plan, panel, (char*)copied_row(band, copy, panel, row), &at, false);
}

// ---- copies -------------------------------------------------------------------------------------

/// Where rows are copied to.
typedef struct Copying {
    int copy, first;
} Copying;

static void take_copy(const Band* band, int panel, int y, int stop, void* context) {
    const Copying* copying = context;
    const GullyWorld* world = band->world;
    const Tile* tile = tile_of_row(world, panel, y);
    for (; y < stop; y++)
        memcpy(copied_row(band, copying->copy, panel, y - copying->first),
               tile_row_start(world, tile, 0, y - tile->y),
               band_row_floats(world, panel) * sizeof(float));
}

/// Copies rows first .. end-1 of all panels as the tiles have them, where something is awake.
static GullyStatus copy_rows(const Band* band, const Plan* plan, const Activity* activity, int copy,
                             int first, int end) {
    const GullyWorld* world = band->world;
    const int top = first > 0 ? first : 0, last = end < world->height ? end : world->height;
    Copying copying = {copy, first};
    GullyStatus status = GULLY_OK;
    for (int panel = 0; panel < world->tiles_x && !status; panel++)
        if (is_read(world, plan, activity, panel, top, last))
            status = each_tile(band, panel, top, last, take_copy, &copying);
    return status;
}

// ---- visits -------------------------------------------------------------------------------------

/// Whether a visit works on a tile, or reads it beside its work.
static bool is_needed(const GullyWorld* world, const Activity* activity, int index, int around) {
    const Tile* tile = &world->tiles[index];
    if (tile_is_left_out(world, tile)) return false;
    return is_awake_near(world, activity, index % world->tiles_x, tile->y - around,
                         tile->y + tile->height + around);
}

/// Unpins the needed tiles of a band before one of them.
static void unpin_before(const Band* band, const Activity* activity, int around, int stop) {
    const GullyWorld* world = band->world;
    const int start = band->first / world->tile_height * world->tiles_x;
    for (int i = start; i < stop; i++)
        if (is_needed(world, activity, i, around)) store_unpin((GullyWorld*)world, i);
}

static int last_tile(const Band* band) {
    return ((band->end - 1) / band->world->tile_height + 1) * band->world->tiles_x;
}

static GullyStatus pin_tiles(const Band* band, const Activity* activity, int around) {
    const GullyWorld* world = band->world;
    for (int i = band->first / world->tile_height * world->tiles_x; i < last_tile(band); i++) {
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
    const int rows = band->end - band->first, tiles = end_tile(world);
    const int stop = last_tile(band) + rows / world->tile_height * world->tiles_x;
    for (int i = last_tile(band); i < stop && i < tiles; i++)
        if (is_needed(world, activity, i, around)) store_read_ahead(world, i);
}

static void swap(Band* band, int a, int b) {
    float* const rows = band->memory[a];
    band->memory[a] = band->memory[b];
    band->memory[b] = rows;
}

GullyStatus band_begin(Band* band, const Plan* plan, const Activity* activity, int first, int end,
                       int around) {
    const GullyWorld* world = band->world;
    const bool is_last = end == world->end_row;
    assert(first == world->first_row || first == band->end);
    swap(band, SAVED_ROWS, NORTH_ROWS);
    band->first = first;
    band->end = end;
    GullyStatus status = pin_tiles(band, activity, around);
    if (status || band->depth == 0 || is_last) return status;
    status = copy_rows(band, plan, activity, SAVED_ROWS, end - band->depth, end);
    if (!status) status = copy_rows(band, plan, activity, SOUTH_ROWS, end, end + band->depth);
    if (status) band_end(band, activity, around);
    if (!status) read_ahead(band, activity, around);
    return status;
}

void band_end(const Band* band, const Activity* activity, int around) {
    unpin_before(band, activity, around, last_tile(band));
}
