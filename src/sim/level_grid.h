// SPDX-License-Identifier: MIT
/// One level in use: a world of its own with a simulation, and the fields that it shares with the
/// outer world.
///
/// Where levels meet, that world has memory only for the tiles of its level and for the cells beside them
/// that its steps read: columns in the strips of its own tiles, rows in the tiles above and below.
#ifndef LEVEL_GRID_H
#define LEVEL_GRID_H

#include "level_map.h"
#include "level_picture.h"
#include "simulation.h"

/// Cells of another tile's level that a tile of this level's world holds a picture of.
typedef struct GhostPart {
    int owner;       // the tile that they belong to, in the map
    GullyRect cells; // of this level
    bool changed;    // by the picture that was made last
    bool has_holes;  // some of them are nodata cells
    bool is_noted;   // and the tile knows
} GhostPart;

/// A tile that holds some.
typedef struct GhostTile {
    int tile;         // of the level's world
    int first, count; // of the parts
} GhostTile;

/// A tile that settles with finer ones.
typedef struct SettlingTile {
    int tile;                // of the map
    double settled, crossed; // in the last block [m of finest cells]
    bool changed;
} SettlingTile;

typedef struct LevelGrid {
    int level;
    int scale;          // finest cells along a cell
    int parts;          // finest steps in a step
    int tile;           // cells along a tile of the map
    GullyWorld* world;  // NULL = not in use
    GullySim* sim;      //
    LevelFields fields; // of that world
    LevelFields beside; // of those, what steps read beside a cell
    int64_t cells;      // of its own, in the domain
    const bool* mine;   // tiles of the map that it steps; NULL = those of its level
    // Where levels meet:
    Registers registers; // what crossed the borders of its tiles in a block
    double**
        owed; // for each tile of the map, water that cells along its sides gave twice [m]; NULL = none
    GhostTile* ghosts;
    GhostPart* parts_seen;
    SettlingTile* settling;
    int ghost_count, part_count, settling_count;
} LevelGrid;

/// Finest steps of a block that a level's steps make.
static inline int level_block_steps(const LevelGrid* grid) {
    return LEVEL_BLOCK / grid->parts;
}

/// The place of a cell along the sides of a tile of n x n cells, among `level_ring_size` ones; -1 for one
/// inside.
static inline int level_ring_place(int n, int i, int j) {
    const int last = n - 1;
    return j == 0 ? i : j == last ? n + i : i == 0 ? 2 * n + j : i == last ? 3 * n + j : -1;
}

static inline int level_ring_size(int n) {
    return 4 * n;
}

/// Whether a tile of the map is stepped at a level.
static inline bool level_owns(const LevelGrid* grid, const LevelMap* map, int tile) {
    return grid->mine ? grid->mine[tile] : level_of_tile(map, tile) == grid->level;
}

/// The cells of a level that a tile of the map has: they may lie beyond the sides of its world.
static inline GullyRect level_tile_cells(const LevelGrid* grid, const LevelMap* map, int tile) {
    const int x = tile % map->tiles_x * grid->tile, y = tile / map->tiles_x * grid->tile;
    return (GullyRect){x, y, grid->tile, grid->tile};
}

/// The tile of a level's world that has a tile of the map; -1 if it lies beyond.
int level_world_tile(const LevelGrid* grid, const LevelMap* map, int tile);

/// The fields that levels share, those that the outer world has, and where a world stores them; the same list
/// for every world of a simulation.
void level_fields_list(const GullySim* outer, const GullyWorld* world, int scale, int parts,
                       LevelFields* out);

/// Opens a level of a simulation's world, without its cells; and closes it.
GullyStatus level_grid_open(LevelGrid* grid, const GullySim* outer, const LevelMap* map, int level);
void level_grid_close(LevelGrid* grid, const LevelMap* map);

/// Makes a simulation's own world its finest level, to look at. Such a grid is not closed.
void level_grid_borrow(LevelGrid* grid, const GullySim* outer, const LevelMap* map);

/// A world of the outer one's size that remembers what levels change, and its fields.
GullyStatus level_memory_open(const GullySim* outer, GullyWorld** out, LevelFields* fields);

#endif
