// SPDX-License-Identifier: MIT
/// Snapshots: all that a simulation is at one moment, in patches that snapshots share where nothing
/// changed between them. Cells are kept late: a patch is pending as long as the world still is what
/// it stands for, and must be kept before that changes.
#ifndef SNAPSHOTS_H
#define SNAPSHOTS_H

#include "books.h"
#include "level_state.h"
#include "state_fields.h"

enum { PATCH_SIDE = 64 }; // [cells]

/// A square of cells of one field, at one time.
typedef struct Patch Patch;

typedef struct Snapshot {
    int references;
    StateFields fields;
    int places;      // for patches, row by row over the world
    Patch** patches; // [fields][places]
    Books books;
    LevelBytes levels;
    GullySettings* settings; // as the user gave them
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    int material_count;
    size_t* bytes; // where its memory is counted
} Snapshot;

/// Patches of a world of that many cells, along one side.
static inline int patches_along(int cells) {
    return (cells - 1) / PATCH_SIDE + 1;
}

/// Takes a snapshot, whose patches are pending. Those that did not change since another (NULL =
/// none) are shared with it; with `changed`, a flag for each place, only those are looked at.
/// `bytes` counts the memory of all snapshots together.
GullyStatus snapshot_take(const GullySim* sim, const GullySettings* settings, const Snapshot* since,
                          const bool* changed, size_t* bytes, Snapshot** out);

/// Keeps the cells of a place; false if there is no memory.
bool snapshot_keep(Snapshot* snapshot, const GullyWorld* world, int place);
bool snapshot_is_kept(const Snapshot* snapshot, int place);

/// Numbers of a field of the world (its slot) as they were, of `count` cells from (x, y) on in a row.
/// `has` = the state had the field; else nothing is read.
GullyStatus snapshot_read(const Snapshot* snapshot, const GullyWorld* world, int slot, int x, int y,
                          int count, float* out, bool* has);

/// Writes all cells and books of a snapshot into a simulation that has its fields and settings.
/// `present` is a snapshot of what is there, which is kept where it will change; NULL = not known.
GullyStatus snapshot_write(const Snapshot* snapshot, Snapshot* present, GullySim* sim);

/// Another user of the same snapshot, and one fewer. NULL is allowed.
Snapshot* snapshot_hold(Snapshot* snapshot);
void snapshot_release(Snapshot* snapshot);

#endif
