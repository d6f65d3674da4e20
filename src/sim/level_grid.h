/// One level in use: a world of its own with a simulation, and the fields that it shares with the
/// outer world.
#ifndef LEVEL_GRID_H
#define LEVEL_GRID_H

#include "level_map.h"
#include "level_picture.h"
#include "simulation.h"

typedef struct LevelGrid {
    int level;
    int scale;         // finest cells along a cell
    int parts;         // finest steps in a step
    GullyWorld* world; // NULL = not in use
    GullySim* sim;
    LevelFields fields; // of that world
    Sheet now;          // its cells, when they were last looked at
    Sheet before;       // the ground alone, when it was left behind
    int64_t cells;      // of its own, in the domain
    // Where levels meet:
    Sheet flat;           // the whole world at this level (levels_mixed.c)
    unsigned char* marks; // for each cell: MARK_OWN, or another level's
    unsigned char* own;   // for each tile, whether it is of this level
    Registers registers;  // what crossed the borders of those in a block
    double* owed;         // for each cell, water that it gave twice [m]
} LevelGrid;

/// Whether a cell of a level is of a tile of that level.
static inline bool level_owns(const LevelGrid* grid, const LevelMap* map, int x, int y) {
    return level_at(map, x * grid->scale, y * grid->scale) == grid->level;
}

/// For tests: levels see the whole world, not only what their steps need. The same bits.
extern bool levels_see_all;

/// The fields that levels share, where a world stores them; the same in every world of a simulation.
void level_fields_list(const GullySim* outer, const GullyWorld* world, int scale, int parts,
                       LevelFields* out);

/// Opens a level of a simulation's world, without its cells; and closes it.
GullyStatus level_grid_open(LevelGrid* grid, const GullySim* outer, const LevelMap* map, int level);
void level_grid_close(LevelGrid* grid);

/// A world of the outer one's size that remembers what levels change, and its fields.
GullyStatus level_memory_open(const GullySim* outer, GullyWorld** out, LevelFields* fields);

#endif
