// SPDX-License-Identifier: MIT
#include "store.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "scratch_file.h"

struct Store {
    pthread_mutex_t lock; // guards everything here, and where tiles are
    size_t budget, used, peak;
    size_t aside;  // of the budget
    int64_t clock; // counts pins
    int64_t tiles_read, tiles_written;
    Scratch* scratch;
};

// ---- making one ---------------------------------------------------------------------------------

/// Three quarters of the machine's memory, shared with other ranks there, or of what a process can address
/// if that is less.
static size_t default_budget(const GullyRanks* ranks) {
    const uint64_t most = SIZE_MAX / 4 * 3;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return (size_t)most;
    const uint64_t local = ranks->local > 1 ? (uint64_t)ranks->local : 1;
    const uint64_t bytes = (uint64_t)pages * (uint64_t)page / 4 * 3 / local;
    return (size_t)(bytes < most ? bytes : most);
}

static const char* default_folder(void) {
    const char* folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

GullyStatus store_create(GullyWorld* world, size_t budget, const char* folder) {
    Store* store = calloc(1, sizeof *store);
    if (!store) return gully_fail(GULLY_NO_MEMORY, "no memory for a world");
    if (pthread_mutex_init(&store->lock, NULL) != 0) {
        free(store);
        return gully_fail(GULLY_FAILED, "no lock for a world");
    }
    world->store = store;
    store->budget = budget ? budget : default_budget(world->ranks);
    return scratch_create(world, folder ? folder : default_folder(), &store->scratch);
}

void store_destroy(GullyWorld* world) {
    Store* store = world->store;
    if (!store) return;
    scratch_destroy(store->scratch);
    pthread_mutex_destroy(&store->lock);
    free(store);
    world->store = NULL;
}

size_t store_budget(const GullyWorld* world) {
    return world->store->budget;
}

// ---- what tiles cost ----------------------------------------------------------------------------

static size_t row_bytes(const GullyWorld* world, const Tile* tile, int slot) {
    return tile->pitch * tile_number_bytes(world, slot);
}

size_t store_tile_bytes(const GullyWorld* world, const Tile* tile) {
    size_t bytes = 0;
    for (int slot = 0; slot < world->field_count; slot++)
        bytes += (size_t)tile->height * row_bytes(world, tile, slot);
    return bytes;
}

/// Rows of a field that are in memory; of one that is not `full`, those that the scratch file knows of.
static int rows_loaded(const GullyWorld* world, int index, int slot, SlotSet loaded, SlotSet full) {
    if (!(loaded & SLOT_BIT(slot))) return 0;
    return full & SLOT_BIT(slot) ? world->tiles[index].height
                                 : scratch_rows(world->store->scratch, world, index, slot);
}

/// Bytes that a tile takes with some fields in memory. The system gives memory by the page: fields side
/// by side share pages, and where such a run begins and ends one page more is taken on the average.
static size_t cost_of(const GullyWorld* world, int index, SlotSet loaded, SlotSet full) {
    const Tile* tile = &world->tiles[index];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = 0;
    for (int slot = 0, before = 0; slot < world->field_count; slot++) {
        const int rows = rows_loaded(world, index, slot, loaded, full);
        bytes += (size_t)rows * row_bytes(world, tile, slot);
        if (rows > before) bytes += (size_t)(rows - before) * page;
        before = rows;
    }
    const size_t all = store_tile_bytes(world, tile);
    return bytes < all ? bytes : all;
}

/// Notes which fields of a tile are in memory.
static void set_loaded(GullyWorld* world, int index, SlotSet loaded, SlotSet full) {
    Store* store = world->store;
    Tile* tile = &world->tiles[index];
    store->used -= tile->bytes;
    tile->loaded = loaded;
    tile->full = full;
    tile->bytes = cost_of(world, index, loaded, full);
    store->used += tile->bytes;
    const size_t now = store->used + store->aside;
    store->peak = now > store->peak ? now : store->peak;
}

// ---- coming and going ---------------------------------------------------------------------------

/// Writes what the scratch file lacks of a tile and frees its memory.
static GullyStatus evict(GullyWorld* world, int index) {
    Store* store = world->store;
    Tile* tile = &world->tiles[index];
    assert(tile->cells && atomic_load(&tile->pins) == 0);
    const int64_t before = scratch_bytes_written(store->scratch);
    for (int slot = 0; slot < world->field_count; slot++) {
        if (!(tile->loaded & tile->dirty & SLOT_BIT(slot))) continue;
        GullyStatus status = scratch_write(store->scratch, world, index, slot);
        if (status) return status;
    }
    store->tiles_written += scratch_bytes_written(store->scratch) > before;
    tile->dirty = 0;
    set_loaded(world, index, 0, 0);
    tile_free(world, tile);
    return GULLY_OK;
}

/// The tile that was not used for longest and is not pinned; -1 = none.
static int oldest_tile(const GullyWorld* world) {
    int oldest = -1;
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
        const Tile* tile = &world->tiles[i];
        if (!tile->cells || atomic_load(&tile->pins) != 0) continue;
        if (oldest < 0 || tile->used < world->tiles[oldest].used) oldest = i;
    }
    return oldest;
}

static GullyStatus make_room(GullyWorld* world, size_t bytes) {
    Store* store = world->store;
    while (store->used + store->aside + bytes > store->budget) {
        const int oldest = oldest_tile(world);
        if (oldest < 0)
            return gully_fail(GULLY_NO_MEMORY,
                              "%.0f MB of memory are not enough: %.0f MB are in use at once; give "
                              "more (--memory)",
                              (double)store->budget / 1e6,
                              (double)(store->used + store->aside + bytes) / 1e6);
        GullyStatus status = evict(world, oldest);
        if (status) return status;
    }
    return GULLY_OK;
}

/// Reads fields of a tile into its memory.
static GullyStatus load(GullyWorld* world, int index, SlotSet missing) {
    Store* store = world->store;
    Tile* tile = &world->tiles[index];
    const int64_t before = scratch_bytes_read(store->scratch);
    GullyStatus status = tile->cells ? GULLY_OK : tile_allocate(world, tile);
    for (int slot = 0; slot < world->field_count && !status; slot++)
        if (missing & SLOT_BIT(slot)) status = scratch_read(store->scratch, world, index, slot);
    store->tiles_read += scratch_bytes_read(store->scratch) > before;
    return status;
}

static SlotSet all_slots(const GullyWorld* world) {
    SlotSet set = 0;
    for (int slot = 0; slot < world->field_count; slot++)
        set |= SLOT_BIT(slot);
    return set;
}

/// Brings fields of a tile into memory. The tile counts as pinned meanwhile.
static GullyStatus bring(GullyWorld* world, int index, SlotSet slots, bool writes) {
    Tile* tile = &world->tiles[index];
    const SlotSet wanted = slots & all_slots(world), missing = wanted & ~tile->loaded;
    const SlotSet full = tile->full | (writes ? wanted : 0), loaded = tile->loaded | wanted;
    if (missing || full != tile->full) {
        GullyStatus status = make_room(world, cost_of(world, index, loaded, full) - tile->bytes);
        if (!status && missing) status = load(world, index, missing);
        if (status) return status;
        set_loaded(world, index, loaded, full);
    }
    tile->dirty |= writes ? wanted : 0;
    tile->used = ++world->store->clock;
    return GULLY_OK;
}

GullyStatus store_pin(GullyWorld* world, int index, SlotSet slots, bool writes) {
    Tile* tile = &world->tiles[index];
    pthread_mutex_lock(&world->store->lock);
    atomic_fetch_add(&tile->pins, 1);
    GullyStatus status = bring(world, index, slots, writes);
    if (status) atomic_fetch_sub(&tile->pins, 1);
    pthread_mutex_unlock(&world->store->lock);
    return status;
}

/// Takes a tile out of memory, if it is there and not pinned.
static GullyStatus drop(GullyWorld* world, int index) {
    const Tile* tile = &world->tiles[index];
    GullyStatus status = GULLY_OK;
    pthread_mutex_lock(&world->store->lock);
    if (tile->cells && atomic_load(&tile->pins) == 0) status = evict(world, index);
    pthread_mutex_unlock(&world->store->lock);
    return status;
}

void store_forget(GullyWorld* world, int index) {
    Tile* tile = &world->tiles[index];
    pthread_mutex_lock(&world->store->lock);
    if (tile->cells && atomic_load(&tile->pins) == 0) {
        tile->dirty = 0;
        set_loaded(world, index, 0, 0);
        tile_free(world, tile);
    }
    pthread_mutex_unlock(&world->store->lock);
}

void store_unpin(GullyWorld* world, int index) {
    const Tile* tile = &world->tiles[index];
    const int before = atomic_fetch_sub(&((Tile*)tile)->pins, 1);
    assert(before > 0);
    if (before == 1 && tile->is_missing) (void)drop(world, index); // else it stays: no harm
}

GullyStatus store_set_missing(GullyWorld* world, int index, bool is_missing) {
    if (world->keeps_missing) return GULLY_OK;
    Tile* tile = &world->tiles[index];
    world->missing_tiles += is_missing - tile->is_missing;
    tile->is_missing = is_missing;
    return is_missing ? drop(world, index) : GULLY_OK;
}

void store_rest(GullyWorld* world) {
    for (int i = first_tile(world); i < end_tile(world); i++)
        if (drop(world, i)) return; // without room in the scratch file they stay
}

GullyStatus store_set_aside(GullyWorld* world, size_t bytes) {
    pthread_mutex_lock(&world->store->lock);
    world->store->aside = 0;
    GullyStatus status = make_room(world, bytes);
    world->store->aside = bytes;
    pthread_mutex_unlock(&world->store->lock);
    return status;
}

void store_read_ahead(GullyWorld* world, int index) {
    pthread_mutex_lock(&world->store->lock);
    for (int slot = 0; slot < world->field_count; slot++)
        if (!(world->tiles[index].loaded & SLOT_BIT(slot)))
            scratch_read_ahead(world->store->scratch, world, index, slot);
    pthread_mutex_unlock(&world->store->lock);
}

// ---- layouts ------------------------------------------------------------------------------------

GullyStatus store_make_way(GullyWorld* world, int row_size) {
    size_t bytes = 0;
    for (int i = first_tile(world); i < end_tile(world); i++)
        bytes += (size_t)world->tiles[i].height * (size_t)row_size * (world->tiles[i].pitch / 2) *
                 sizeof(float);
    if (bytes <= world->store->budget) return GULLY_OK;
    for (int i = first_tile(world); i < end_tile(world); i++) {
        if (!world->tiles[i].cells) continue;
        GullyStatus status = evict(world, i);
        if (status) return status;
    }
    return GULLY_OK;
}

void store_count_again(GullyWorld* world, int first_new) {
    SlotSet added = 0;
    for (int slot = first_new; slot < world->field_count; slot++)
        added |= SLOT_BIT(slot);
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
        const Tile* tile = &world->tiles[i];
        if (tile->cells) set_loaded(world, i, tile->loaded | added, tile->full);
    }
}

void gully_world_memory(const GullyWorld* world, GullyMemory* out) {
    const Store* store = world->store;
    *out = (GullyMemory){
        .budget = store->budget,
        .used = store->used + store->aside,
        .peak = store->peak,
        .tiles = world->tiles_x * world->tiles_y,
        .tiles_read = store->tiles_read,
        .tiles_written = store->tiles_written,
        .bytes_read = scratch_bytes_read(store->scratch),
        .bytes_written = scratch_bytes_written(store->scratch),
    };
    for (int i = 0; i < out->tiles; i++)
        out->tiles_in_memory += world->tiles[i].cells != NULL;
}
