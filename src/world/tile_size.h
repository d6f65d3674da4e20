// SPDX-License-Identifier: MIT
/// How large the tiles of a world are.
#ifndef TILE_SIZE_H
#define TILE_SIZE_H

#include "tiles.h"

/// Rows first .. end-1.
typedef struct RankRows {
    int first, end;
} RankRows;

/// Bytes of cache that a column of a tile takes while it is stepped: the rows of five steps of
/// `pipe`, the costliest law, in one sweep (measured). A stepper that keeps other rows at hand says
/// so here.
enum { TILE_COLUMN_BYTES = 1250 };

/// Sets the size of tiles: as asked for, or one that gives about equally wide columns of tiles. A
/// tile is not high then: when a field is added it is moved into new memory, with the old one still
/// there.
void tile_size_choose(GullyWorld* world, int asked, size_t budget);

/// The rows of a rank: whole tiles, of about as many rows for each.
RankRows rank_rows(const GullyWorld* world, int rank);

/// Fails if tiles of that size cannot be shared by the ranks of the world.
GullyStatus rank_rows_check(const GullyWorld* world);

#endif
