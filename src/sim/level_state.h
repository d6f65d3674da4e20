// SPDX-License-Identifier: MIT
/// Levels as bytes: which tiles are at which level, and their cells as they are there. A state that has them
/// beside the cells of the world goes on to the bit (state.c, edit/snapshots.c).
#ifndef LEVEL_STATE_H
#define LEVEL_STATE_H

#include <stddef.h>

#include "gully/sim.h"

/// Whole numbers of 4 bytes, little-endian. None: the simulation has no levels.
typedef struct LevelBytes {
    unsigned char* bytes;
    size_t size;
} LevelBytes;

/// Copies the levels of a simulation. Free them also after a failure.
GullyStatus levels_keep(const GullySim* sim, LevelBytes* out);
void level_bytes_free(LevelBytes* bytes);

/// Makes these the levels of a simulation whose cells, books and settings are those of the same moment.
/// The bytes may be anything: they are checked.
GullyStatus levels_restore(GullySim* sim, const LevelBytes* bytes);

#endif
