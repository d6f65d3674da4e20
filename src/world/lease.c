// SPDX-License-Identifier: MIT
#include "lease.h"

#include <assert.h>
#include <string.h>

#include "store.h"

GullyStatus world_pin(const GullyWorld* world, int tile, SlotSet slots, Access access) {
    assert(tile >= 0 && tile < world->tiles_x * world->tiles_y);
    assert(access);
    GullyStatus status = world_come_home(world);
    if (status) return status;
    if (access & ACCESS_WRITE) {
        atomic_fetch_or(&world->tiles[tile].written, slots);
        atomic_store(&world->tiles[tile].edited,
                     atomic_fetch_add(&((GullyWorld*)world)->leases, 1) + 1);
    }
    return store_pin((GullyWorld*)world, tile, slots, (access & ACCESS_WRITE) != 0);
}

void world_unpin(const GullyWorld* world, int tile) {
    store_unpin((GullyWorld*)world, tile);
}

GullyStatus world_pin_all(const GullyWorld* world) {
    GullyStatus status = world_come_home(world);
    for (int i = 0; i < world->tiles_x * world->tiles_y && !status; i++) {
        status = store_pin((GullyWorld*)world, i, ALL_SLOTS, true);
        while (status && i-- > 0)
            world_unpin(world, i);
    }
    return status;
}

void world_unpin_all(const GullyWorld* world) {
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++)
        world_unpin(world, i);
}

void world_touch_all(GullyWorld* world) {
    const int64_t now = atomic_fetch_add(&world->leases, 1) + 1;
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++)
        atomic_store(&world->tiles[i].edited, now);
    world->edits++;
}

bool world_is_free(const GullyWorld* world) {
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
        if (atomic_load(&world->tiles[i].pins) != 0) return false;
    }
    return true;
}

// ---- runs ---------------------------------------------------------------------------------------

static int larger(int a, int b) {
    return a > b ? a : b;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static SlotSet slot_set(const int* slots, int count) {
    SlotSet set = 0;
    for (int i = 0; i < count; i++)
        set |= slots[i] < 0 ? 0 : SLOT_BIT(slots[i]);
    return set;
}

/// What a rank keeps of a rectangle.
static GullyRect own_part(const GullyWorld* world, GullyRect rect) {
    const int first = larger(rect.y, world->first_row);
    const int end = smaller(rect.y + rect.height, world->end_row);
    return (GullyRect){rect.x, first, rect.width, larger(end - first, 0)};
}

void runs_begin(Runs* runs, GullyWorld* world, GullyRect rect, const int* slots, int count,
                Access access) {
    assert(count >= 0 && count <= RUN_FIELDS);
    assert(rect.x >= 0 && rect.y >= 0 && rect.width <= world->width - rect.x &&
           rect.height <= world->height - rect.y);
    runs->world = world;
    runs->rect = own_part(world, rect);
    runs->slot_count = count;
    runs->access = access;
    runs->tile = -1;
    runs->is_open = false;
    runs->status = GULLY_OK;
    runs->count = 0;
    runs->most = world->tile_width;
    for (int k = 0; k < count; k++) {
        assert(slots[k] < world->field_count);
        runs->slots[k] = slots[k];
        runs->cells[k] = NULL;
        if (slots[k] >= 0 && world_number(world, slots[k]) != sizeof(float))
            runs->most = smaller(world->tile_width, RUN_CELLS);
        runs->rounds[k] = slots[k] >= 0 && world->fields[slots[k]].half;
    }
}

void runs_begin_read(Runs* runs, const GullyWorld* world, GullyRect rect, const int* slots,
                     int count) {
    runs_begin(runs, (GullyWorld*)world, rect, slots, count, ACCESS_READ); // nothing is written
}

/// Stores what was written to the run.
static void close_run(Runs* runs) {
    if (!runs->is_open) return;
    runs->is_open = false;
    const Tile* tile = &runs->world->tiles[runs->tile];
    for (int k = 0; k < runs->slot_count && (runs->access & ACCESS_WRITE); k++) {
        if (runs->slots[k] < 0) continue;
        tile_store(runs->world, tile, runs->slots[k], runs->row, runs->from, runs->count,
                   runs->cells[k]);
    }
}

/// Gives out the run that begins at a row and a column of the pinned tile, up to a column.
static void open_run(Runs* runs, int row, int from, int end) {
    const Tile* tile = &runs->world->tiles[runs->tile];
    runs->row = row;
    runs->from = from;
    runs->x = tile->x + from;
    runs->y = tile->y + row;
    runs->count = smaller(end - from, runs->most);
    runs->holes = tile->holes[row];
    runs->is_open = true;
    for (int k = 0; k < runs->slot_count; k++) {
        const int slot = runs->slots[k];
        if (slot < 0) continue;
        runs->cells[k] = tile_in_place(runs->world, tile, slot, row, from);
        if (runs->cells[k]) continue;
        runs->cells[k] = runs->copies[k];
        if (runs->access & ACCESS_READ)
            tile_load(runs->world, tile, slot, row, from, runs->count, runs->copies[k]);
    }
}

/// Pins the next tile that has cells of the rectangle; false if there is none, or on failure.
static bool next_tile(Runs* runs) {
    const GullyWorld* world = runs->world;
    const GullyRect rect = runs->rect;
    const int left = rect.x / world->tile_width, top = rect.y / world->tile_height;
    const int right = (rect.x + rect.width - 1) / world->tile_width;
    const int bottom = (rect.y + rect.height - 1) / world->tile_height;
    int next = top * world->tiles_x + left;
    if (runs->tile >= 0) {
        bool is_last = runs->tile % world->tiles_x == right;
        next = is_last ? (runs->tile / world->tiles_x + 1) * world->tiles_x + left : runs->tile + 1;
        world_unpin(world, runs->tile);
        runs->tile = -1;
    }
    if (next / world->tiles_x > bottom) return false;
    SlotSet slots = slot_set(runs->slots, runs->slot_count);
    const bool removes = (runs->access & ACCESS_WRITE) && (slots & SLOT_BIT(world->common[GROUND]));
    if (removes) slots = ALL_SLOTS; // a cell that leaves the domain leaves all fields
    runs->status = world_pin(world, next, slots, runs->access);
    if (!runs->status) runs->tile = next;
    return !runs->status;
}

bool runs_next(Runs* runs) {
    const GullyRect rect = runs->rect;
    if (runs->status || rect.width <= 0 || rect.height <= 0) return false;
    close_run(runs);
    bool is_first = runs->tile < 0;
    int row = runs->row, from = runs->from + runs->count;
    for (;;) {
        if (is_first && !next_tile(runs)) return false;
        const Tile* tile = &runs->world->tiles[runs->tile];
        const int west = larger(rect.x - tile->x, 0), north = larger(rect.y - tile->y, 0);
        const int east = smaller(rect.x + rect.width - tile->x, tile->width);
        const int south = smaller(rect.y + rect.height - tile->y, tile->height);
        if (is_first) {
            row = north;
            from = west;
        } else if (from >= east) {
            row++;
            from = west;
        }
        is_first = row >= south;
        if (is_first) continue;
        open_run(runs, row, from, east);
        return true;
    }
}

GullyStatus runs_end(Runs* runs) {
    close_run(runs);
    if (runs->tile >= 0) world_unpin(runs->world, runs->tile);
    runs->tile = -1;
    return runs->status;
}

/// Counts what laws carry in a cell that is about to leave the domain as taken away.
static void count_removed(GullyWorld* world, const Tile* tile, int slot, int row, int x) {
    float number;
    Exact sum = 0;
    if (!world->fields[slot].suspended) return;
    tile_load(world, tile, slot, row, x, 1, &number);
    exact_add_row(&sum, &number, 1);
    world->edited_solid -= sum;
}

void runs_set_holes(Runs* runs, bool holes) {
    const Tile* tile = &runs->world->tiles[runs->tile];
    bool* known = &tile->holes[runs->row];
    const bool is_whole = runs->count == tile->width;
    *known = runs->holes = holes || (*known && !is_whole);
    runs->world->has_holes = runs->world->has_holes || holes;
}

void runs_remove_cell(Runs* runs, int i) {
    GullyWorld* world = runs->world;
    Tile* tile = &world->tiles[runs->tile];
    atomic_fetch_or(&tile->written, ALL_SLOTS);
    for (int slot = 0; slot < world->field_count; slot++) {
        count_removed(world, tile, slot, runs->row, runs->from + i);
        tile_set(world, tile, slot, runs->row, runs->from + i, world->fields[slot].value);
    }
    const int ground = world->common[GROUND];
    tile_set(world, tile, ground, runs->row, runs->from + i, GROUND_NODATA);
    for (int k = 0; k < runs->slot_count; k++) {
        const int slot = runs->slots[k];
        if (slot >= 0)
            runs->cells[k][i] = slot == ground ? GROUND_NODATA : world->fields[slot].value;
    }
    runs_set_holes(runs, true);
}

// ---- numbers as they are stored -----------------------------------------------------------------

/// The part of a row of cells that lies in one tile.
typedef struct Part {
    int tile, row, x, count; // row and column in the tile
} Part;

static Part part_of(const GullyWorld* world, int x, int y, int count) {
    Part part = {.tile = y / world->tile_height * world->tiles_x + x / world->tile_width};
    const Tile* tile = &world->tiles[part.tile];
    part.row = y - tile->y;
    part.x = x - tile->x;
    part.count = smaller(tile->width - part.x, count);
    return part;
}

GullyStatus world_copy_out(const GullyWorld* world, int slot, int x, int y, int count, void* out) {
    unsigned char* to = out;
    while (count > 0) {
        const Part part = part_of(world, x, y, count);
        GullyStatus status = world_pin(world, part.tile, SLOT_BIT(slot), ACCESS_READ);
        if (status) return status;
        tile_copy_out(world, &world->tiles[part.tile], slot, part.row, part.x, part.count, to);
        world_unpin(world, part.tile);
        to += (size_t)part.count * world_number(world, slot);
        x += part.count;
        count -= part.count;
    }
    return GULLY_OK;
}

GullyStatus world_copy_in(GullyWorld* world, int slot, int x, int y, int count, const void* in,
                          size_t number) {
    const unsigned char* from = in;
    while (count > 0) {
        const Part part = part_of(world, x, y, count);
        GullyStatus status = world_pin(world, part.tile, SLOT_BIT(slot), ACCESS_WRITE);
        if (status) return status;
        tile_copy_in(world, &world->tiles[part.tile], slot, part.row, part.x, part.count, from,
                     number);
        world_unpin(world, part.tile);
        from += (size_t)part.count * number;
        x += part.count;
        count -= part.count;
    }
    return GULLY_OK;
}
