// SPDX-License-Identifier: MIT
/// Leases: how everybody but the steppers gets at the cells of a world.
///
/// A tile is pinned while somebody looks at its cells: pinned cells stay where they are and in the
/// layout that they have. While a device steps a world, its cells live there: the first pin fetches
/// all of them, and what was leased for writing is sent back before the next step.
///
/// Most callers want no tiles but runs: cells side by side in a row, each field of them as floats,
/// whatever way the world stores them in.
///
///     const int slots[2] = {world->common[GROUND], world->common[WATER]};
///     Runs runs;
///     runs_begin(&runs, world, gully_world_all(world), slots, 2, ACCESS_READ);
///     while (runs_next(&runs)) {
///         for (int i = 0; i < runs.count; i++)
///             use(runs.x + i, runs.y, runs.cells[0][i], runs.cells[1][i]);
///     }
///     GullyStatus status = runs_end(&runs);
#ifndef LEASE_H
#define LEASE_H

#include "bits.h"
#include "tiles.h"

/// What a lease is for. With ACCESS_WRITE alone the old values are not there to be read, and all
/// cells of a run must be written.
typedef enum Access {
    ACCESS_READ = 1 << 0,
    ACCESS_WRITE = 1 << 1,
    ACCESS_READ_WRITE = ACCESS_READ | ACCESS_WRITE
} Access;

/// Pins a tile, counted row by row, for some fields. Several may pin a tile at the same time, on any
/// threads. As long as one does, no field is added to the world.
GullyStatus world_pin(const GullyWorld* world, int tile, SlotSet slots, Access access);

/// Gives back what world_pin gave.
void world_unpin(const GullyWorld* world, int tile);

/// For steppers: pins all tiles for all fields, or none if one cannot be had; and gives them back.
GullyStatus world_pin_all(const GullyWorld* world);
void world_unpin_all(const GullyWorld* world);

/// Lets steppers look at all cells again: what they mean has changed.
void world_touch_all(GullyWorld* world);

/// Whether no tile is pinned.
bool world_is_free(const GullyWorld* world);

/// Fields that a walk may ask for, at most; and cells of a run that is copied because one of its
/// fields is not stored as floats. Other runs may be as long as a tile is wide.
enum { RUN_FIELDS = 18, RUN_CELLS = 256 };

/// A walk over the cells of a rectangle: tile by tile, row by row, in runs.
typedef struct Runs {
    // The run: its first cell, its length, and a row of floats for each slot that was asked for.
    // NULL stands for a slot of -1.
    int x, y, count;
    float* cells[RUN_FIELDS];
    bool holes; // whether a nodata cell is, or once was, in this row of the tile

    // The rest is the walk's own.
    GullyWorld* world;
    GullyRect rect;
    int slots[RUN_FIELDS], slot_count;
    Access access;
    int most;                // cells of a run
    bool rounds[RUN_FIELDS]; // the field keeps halves
    int tile;                // -1 = none is pinned
    int row, from;           // of the run, in the tile
    bool is_open;            // a run is out
    GullyStatus status;
    float copies[RUN_FIELDS][RUN_CELLS]; // of what is stored in another way
} Runs;

/// Begins a walk over a rectangle inside the world, over those of its rows that this rank keeps. A slot
/// may be -1.
void runs_begin(Runs* runs, GullyWorld* world, GullyRect rect, const int* slots, int count,
                Access access);

/// The same for one who only reads.
void runs_begin_read(Runs* runs, const GullyWorld* world, GullyRect rect, const int* slots,
                     int count);

/// Goes to the next run; what was written to the last one is stored. False after the last run, and
/// after a failure.
bool runs_next(Runs* runs);

/// Ends a walk, wherever it is, and says whether it failed.
GullyStatus runs_end(Runs* runs);

/// Writes a value to a cell of the run, as it will be kept: `cells` then holds the very number that
/// is stored, with the bits that the field has. (Written directly, a value is rounded when the run is
/// stored.)
static inline void runs_put(const Runs* runs, int field, int i, float value) {
    runs->cells[field][i] = runs->rounds[field] ? tile_kept(value) : value;
}

/// The same for a pair of fields: what does not fit into the first is the second. A remainder that
/// rounds up to half of the last place may move that place: then adding nothing leaves the pair as it
/// is, and no step need look at it (activity.h). A remainder that is there already is not written:
/// memory that nobody writes to costs nothing (store.h).
static inline void runs_put_pair(const Runs* runs, int high, int low, int i, double value) {
    runs_put(runs, high, i, (float)value);
    float rest = (float)(value - (double)runs->cells[high][i]);
    const float sum = runs->cells[high][i] + rest;
    if (!runs->rounds[high] && sum != runs->cells[high][i]) {
        runs_put(runs, high, i, sum);
        rest = (float)(value - (double)sum);
    }
    if (bits_of(rest) != bits_of(runs->cells[low][i])) runs_put(runs, low, i, rest);
}

/// Says whether the run has nodata cells. One that is a whole row of its tile may also have none any
/// more.
void runs_set_holes(Runs* runs, bool holes);

/// Takes a cell of the run out of the domain, with all that it holds.
void runs_remove_cell(Runs* runs, int i);

// ---- numbers as they are stored -----------------------------------------------------------------

/// Bytes of a number of a field as the world stores it now.
size_t world_number(const GullyWorld* world, int slot);

/// Copies the numbers of `count` cells from (x, y) on, within one row of the world, as they are.
GullyStatus world_copy_out(const GullyWorld* world, int slot, int x, int y, int count, void* out);

/// Copies numbers of `number` bytes each into cells, which may be stored in another way.
GullyStatus world_copy_in(GullyWorld* world, int slot, int x, int y, int count, const void* in,
                          size_t number);

/// The sum that counts what users write to a common field, or NULL.
Exact* world_edits(GullyWorld* world, int id);

/// The common field that a public one is read from; -1 for the bedrock, which is a difference.
int world_field_id(GullyField field);

/// Refuses a rectangle of a public field that is not inside the world.
GullyStatus world_check_rect(const GullyWorld* world, GullyField field, GullyRect rect);

/// Turns cells of a common field into values as users see them: NaN outside the domain, the mean
/// of sums over the steps. No cells: the field is not stored and has its default.
void world_present(int id, int64_t flow_steps, const float* ground, const float* cells, int count,
                   float* out);

// ---- walks over a whole world -------------------------------------------------------------------

/// Adds the values of a run, of those cells that are in the domain. `ground` and `field` are their
/// places in the walk.
void runs_add(const Runs* runs, int ground, int field, Exact* sum);

/// Sum of a field over all cells of the domain, of all ranks.
GullyStatus world_sum(const GullyWorld* world, int slot, Exact* sum);

/// Gives a field one value everywhere, nodata included; counts nothing.
GullyStatus world_set_all(GullyWorld* world, int slot, float value);

/// Finds the nodata cells of a rectangle whose ground was written as numbers.
GullyStatus world_find_holes(GullyWorld* world, GullyRect rect);

#endif
