// SPDX-License-Identifier: MIT
/// How a world is stored: tiles of rows, a row being its fields side by side.
///
/// A field's row has room for STRIP columns left and right, which hold copies of the neighbour
/// tiles' columns, or what lies outside the world. Rows above and below are the neighbour tiles'
/// own rows. The functions here are the one place that knows where a cell lives.
///
/// In a world of half precision some fields hold only halves (half.h). Where a sweep steps it, they
/// are stored as such, packed; else as floats all the same.
#ifndef TILES_H
#define TILES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "exact.h"
#include "fields.h"
#include "gully/world.h"
#include "half.h"
#include "ranks.h"

/// Columns that are computed at once, of the widest vectors there are.
enum { VECTOR = 16 };

/// STRIP floats before column 0 keep it aligned; MARGIN floats lie before and after any block of
/// rows, since a pass that computes the whole strip looks one column further.
enum { STRIP = 2 * VECTOR, MARGIN = VECTOR };

/// A set of slots, as bits: those of the fields that a lease is for. Slots from the last bit on share
/// it.
typedef uint64_t SlotSet;
enum { LAST_SLOT_BIT = 63 };
#define SLOT_BIT(slot) (UINT64_C(1) << ((slot) < LAST_SLOT_BIT ? (slot) : LAST_SLOT_BIT))
#define ALL_SLOTS (~UINT64_C(0))

typedef struct Tile {
    int x, y;          // first cell
    int width, height; // in cells; smaller than other tiles at the east and south edge
    size_t pitch;      // numbers from one field's row to the next field's
    float* cells;      // MARGIN, [height][fields][pitch], MARGIN; packed fields take half a pitch.
                       // NULL = not in memory (store.h)
    bool* holes;       // for each row, whether there is, or once was, a nodata cell
    atomic_int pins;   // leases that are out (lease.h)
    atomic_ullong written; // slots that were leased for writing since a device last looked
    // The store's: slots in memory; of these, those that the scratch file may have otherwise, and
    // those that count as a whole.
    SlotSet loaded, dirty, full;
    size_t bytes;        // that it counts with
    bool is_missing;     // no cell of it is in the domain: not kept in memory while nobody looks
    bool is_ghost;       // its cells are another level's: budgets do not count them
    bool is_near;        // such a tile is near one of its level: steps read or touch rows of it
    bool is_marked;      // its strips know the sides of the world (border.h)
    atomic_llong edited; // the last of the world's leases for writing that was of this tile
    int64_t used;        // when it was last pinned
} Tile;

typedef struct FieldInfo {
    char name[32];
    float value;    // where nothing is known, and of a new field
    float outside;  // beyond the sides
    bool half;      // holds halves
    bool suspended; // solid on its way [m], which the budget counts as suspended
} FieldInfo;

typedef struct Store Store;

struct GullyWorld {
    int width, height;
    double cell_x, cell_y;       // [m]
    int tile_width, tile_height; // in cells
    int tiles_x, tiles_y;
    Tile* tiles;  // row by row
    Store* store; // which of them are in memory
    const GullyRanks* ranks;
    int first_row, end_row; // that this rank keeps: whole tiles
    bool leads;             // other ranks answer what this one asks (world_ranks.c)
    FieldInfo fields[MAX_FIELDS];
    int field_count;
    bool half;                 // of half precision
    bool packed;               // fields of halves are stored in 16 bits
    int start[MAX_FIELDS];     // where a field begins in a row, in half pitches
    int row_size;              // of all fields, in half pitches
    int64_t layout;            // how often the above has changed
    int common[COMMON_FIELDS]; // where each common field is stored, -1 = nowhere
    bool open[SIDES];
    float* zero_row; // rows of one value, as wide as the widest tile with its strips
    float* one_row;
    bool keeps_missing;               // tiles of nodata alone stay in memory
    bool has_ghosts;                  // some tiles are of another level
    bool keeps_strips;                // strips beside those are filled by the levels
    bool has_holes;                   // in some row
    int missing_tiles;                // that are known
    int64_t edits;                    // how often users wrote
    atomic_llong leases;              // for writing, so far
    int64_t flow_steps;               // how many steps FLOW is a sum of
    Exact edited_water, edited_solid; // what users added by writing, in metres times cells
    GullyMaterial materials[GULLY_MAX_MATERIALS]; // bottom to top
    int material_count;                           // 0 = none were said
    unsigned char* level_map; // a level for each of its tiles, as users gave them; NULL = none
    int level_tiles_x, level_tiles_y;
    // Called before cells of a rectangle change; NULL = nobody asks.
    void (*watch)(void* watcher, GullyRect cells);
    void* watcher;
    // While the cells live elsewhere: brings them back into the tiles (lease.h).
    GullyStatus (*fetch)(void* home);
    void* home;
    atomic_bool is_away; // the tiles are behind
};

/// Whether a tile of another level has no memory here.
static inline bool tile_is_left_out(const GullyWorld* world, const Tile* tile) {
    return world->keeps_strips && tile->is_ghost && !tile->is_near;
}

/// Makes sure that the tiles hold the cells.
static inline GullyStatus world_come_home(const GullyWorld* world) {
    return atomic_load(&world->is_away) ? world->fetch(world->home) : GULLY_OK;
}

/// To be called before cells of a rectangle change: somebody may still want to keep what they were.
static inline void world_will_change(const GullyWorld* world, GullyRect cells) {
    if (world->watch) world->watch(world->watcher, cells);
}

static inline void world_will_change_all(const GullyWorld* world) {
    world_will_change(world, (GullyRect){0, 0, world->width, world->height});
}

/// Fields that a world is to have, and how it is to store them.
typedef struct FieldRequest {
    FieldSet common;
    const FieldInfo* own; // other fields, by name
    int own_count;
    int* slots;  // [own_count]: gets the slot of each of those
    bool packed; // fields of halves are stored in 16 bits, not as floats
} FieldRequest;

/// Adds the fields that are not there yet and changes how halves are stored, in one move of all
/// tiles. Keeps every value. On failure nothing has changed.
GullyStatus world_lay_out(GullyWorld* world, const FieldRequest* request);

/// The same for fields alone.
GullyStatus world_add_fields(GullyWorld* world, const FieldInfo* fields, int count, int* slots);
GullyStatus world_add_common(GullyWorld* world, FieldSet set);

static inline bool is_packed(const GullyWorld* world, int slot) {
    return world->packed && world->fields[slot].half;
}

/// Whether passes can work on a field's rows where they are stored. If not, they see them through
/// windows (src/sim/row_buffers.h).
static inline bool is_in_place(const GullyWorld* world, int slot) {
    return !is_packed(world, slot);
}

/// The tile of column tx of tiles that holds a row of the world, and the one that holds a cell.
static inline const Tile* tile_of_row(const GullyWorld* world, int tx, int y) {
    return &world->tiles[y / world->tile_height * world->tiles_x + tx];
}

static inline const Tile* tile_of_cell(const GullyWorld* world, int x, int y) {
    return tile_of_row(world, x / world->tile_width, y);
}

/// The tiles that this rank keeps, in their order.
static inline int first_tile(const GullyWorld* world) {
    return world->first_row / world->tile_height * world->tiles_x;
}

static inline int end_tile(const GullyWorld* world) {
    return ((world->end_row - 1) / world->tile_height + 1) * world->tiles_x;
}

/// Where a tile's row of a field begins, strip included.
static inline float* tile_row_start(const GullyWorld* world, const Tile* tile, int slot, int row) {
    size_t at = (size_t)row * (size_t)world->row_size + (size_t)world->start[slot];
    return tile->cells + MARGIN + at * (tile->pitch / 2);
}

/// Column 0 of a tile's row of a field that is not packed.
static inline float* tile_row(const GullyWorld* world, const Tile* tile, int slot, int row) {
    return tile_row_start(world, tile, slot, row) + STRIP;
}

/// The same of one that is.
static inline Half* tile_half_row(const GullyWorld* world, const Tile* tile, int slot, int row) {
    return (Half*)tile_row_start(world, tile, slot, row) + STRIP;
}

/// Bytes of a field's number as it is stored.
static inline size_t tile_number_bytes(const GullyWorld* world, int slot) {
    return is_packed(world, slot) ? sizeof(Half) : sizeof(float);
}

/// Where a number of a field is stored; `x` counts from the tile's first column.
static inline void* tile_number(const GullyWorld* world, const Tile* tile, int slot, int row,
                                int x) {
    return (char*)tile_row_start(world, tile, slot, row) +
           (ptrdiff_t)(STRIP + x) * (ptrdiff_t)tile_number_bytes(world, slot);
}

/// Sets one cell of any field. A field of halves gets the nearest.
void tile_set(GullyWorld* world, const Tile* tile, int slot, int row, int x, float value);

/// Whether a field is 0 in a rectangle of cells, counted from the tile's first. A -0 stored as fp16 is
/// not: it was rounded in the last step, and stays a number for one step more.
bool tile_is_zero(const GullyWorld* world, const Tile* tile, int slot, GullyRect cells);

/// The nearest number that a field of halves can hold.
float tile_kept(float value);

/// Cells of a tile's row from column x on where they are stored; NULL if they are not stored as
/// floats. What is written there must be stored with tile_store.
float* tile_in_place(GullyWorld* world, const Tile* tile, int slot, int row, int x);

/// Copies cells of a tile's row out as floats, and floats in; a field of halves gets the nearest.
void tile_load(const GullyWorld* world, const Tile* tile, int slot, int row, int x, int count,
               float* out);
void tile_store(GullyWorld* world, const Tile* tile, int slot, int row, int x, int count,
                const float* in);

/// Copies numbers as they are stored, and numbers of `number` bytes each into cells that may be
/// stored in another way.
void tile_copy_out(const GullyWorld* world, const Tile* tile, int slot, int row, int x, int count,
                   void* out);
void tile_copy_in(GullyWorld* world, const Tile* tile, int slot, int row, int x, int count,
                  const void* in, size_t number);

/// A row of a field that is stored nowhere: its value.
const float* world_value_row(const GullyWorld* world, int id);

size_t world_bytes(const GullyWorld* world);

/// The common fields that a world stores.
FieldSet world_common_fields(const GullyWorld* world);

/// The value of a common field where nothing is known of it.
float world_default(int id);

/// Memory for all fields of a tile, zeros; and gives it back.
GullyStatus tile_allocate(const GullyWorld* world, Tile* tile);
void tile_free(const GullyWorld* world, Tile* tile);

/// Lists the tiles of a world, with a store that has none of them in memory.
GullyStatus world_tiles_create(GullyWorld* world, size_t memory, const char* scratch);
void world_tiles_destroy(GullyWorld* world);

#endif
