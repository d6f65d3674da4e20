// SPDX-License-Identifier: MIT
/// Levels from the inside.
#ifndef LEVELS_INSIDE_H
#define LEVELS_INSIDE_H

#include <pthread.h>

#include "level_grid.h"
#include "level_rule.h"
#include "levels.h"

/// Where the outer world stands to the levels.
typedef enum LevelsView {
    VIEW_SAME,   // no step since they were made of it
    VIEW_BEHIND, // the cells are in the levels alone
    VIEW_SHOWN,  // it shows them
} LevelsView;

/// What a thread needs to see a part of the world at another level.
typedef struct Lens {
    Sheet picture, flat, part;
    double* give; // [amounts][places along a tile's sides]: what those cells are to give, else 0
    GullyStatus status; // of what it did, with the message
    char message[512];
} Lens;

/// What a tile of the map is turned into, and out of, at the finest level and its own.
typedef struct Turning {
    Sheet before, fine;      // finest cells: as they were left, and as they are
    Sheet flat_before, flat; // the level's, of the same rectangle
    unsigned char* marks;    // for each finest cell, whether it is set
    double* room;            // (picture_refine)
    size_t mark_room;        //
} Turning;

typedef struct Shadows Shadows;

struct Levels {
    GullySim* sim;      // the outer one
    LevelFields fields; // of its world
    LevelGrid grids[MAX_LEVEL + 1];
    LevelMap map;              // borrowed from the simulation
    int coarsest;              // level in use
    int64_t* tile_cells;       // of each tile of the map, cells of its level in the domain
    int64_t finest_cells;      // of the outer world, in the domain
    Shadows* shadows;          // while a block is compared with coarser levels; else NULL
    GullyWorld* memory;        // relief and all else that is remembered at the finest level
    LevelFields memory_fields; //
    LevelsView view;
    int64_t leases;       // of the outer world for writing, when it was last shown or read
    pthread_mutex_t lock; // around showing, recursive
    bool is_showing;
    Lens* lenses;            // of each thread
    double settled, crossed; // water at borders between levels, so far [m of finest cells]
};

/// Notes a failure of a thread; and gives the first one since it was last asked to the calling thread.
void levels_note(Lens* lens, GullyStatus status);
GullyStatus levels_status(Levels* levels);

// ---- levels of a simulation (levels.c) ----------------------------------------------------------

/// Finds the level of each tile, once for the same parameters: details are those of the start.
GullyStatus levels_choose_map(GullySim* sim);

/// Levels of a simulation, which have no cells yet. Destroy them also after a failure; NULL is allowed.
GullyStatus levels_create(GullySim* sim, Levels** out);
void levels_destroy(Levels* levels);

/// Makes the levels of the world. None, if the map has all of it at the finest: then it is stored and
/// stepped as without levels.
GullyStatus levels_enter(GullySim* sim);

/// The two halves of that, around filling the levels: with what they need, and letting them have the cells.
/// After a failure there are no levels.
GullyStatus levels_open(GullySim* sim);
GullyStatus levels_begin(GullySim* sim);

/// Whether a simulation has levels that the next step goes on with.
bool levels_are_current(const GullySim* sim);

/// Runs blocks, at the levels if there are some.
GullyStatus levels_advance(GullySim* sim, int64_t blocks);

// ---- tiles of the map (level_turn.c) ------------------------------------------------------------

/// Remembers the finest cells of a tile of the outer world, and makes the tile's cells means of those.
GullyStatus turn_remember(Levels* levels, int tile, Turning* turning);
GullyStatus turn_coarser(Levels* levels, int tile, Turning* turning);

/// Gives the outer world the finest cells of a tile.
GullyStatus turn_finest(Levels* levels, int tile, ReliefChange change, Lens* lens,
                        Turning* turning);

void turning_end(Turning* turning);

/// Nobody looks at the outer world and at what is remembered of it for a while.
void levels_rest(const Levels* levels);

/// Adds up the cells of each level.
void levels_count_cells(Levels* levels);

/// Frees what threads need to see whole tiles; a block needs less.
void levels_free_sheets(Levels* levels);

// ---- where levels meet --------------------------------------------------------------------------

/// Follows the map: which tiles hold pictures of others, and which settle (level_ghosts.c).
GullyStatus levels_find_borders(Levels* levels);

/// Shows the tiles of all levels the cells beside them (level_ghosts.c).
GullyStatus levels_show_beside(Levels* levels);

/// The same two of one level.
GullyStatus level_list_ghosts(const Levels* levels, LevelGrid* grid);
GullyStatus level_fill_ghosts(Levels* levels, LevelGrid* grid);

/// Fills the world of a level with the picture of all cells (levels_plain.c).
GullyStatus levels_fill_picture(Levels* levels, LevelGrid* grid);

/// Runs blocks; and the same by the definition, word for word: every level sees the whole world
/// (levels_plain.c).
GullyStatus levels_run_mixed(Levels* levels, int64_t blocks);
GullyStatus levels_run_plain(Levels* levels, int64_t blocks);

/// Begins a block: nothing has crossed a border. Makes both sides of borders agree after it
/// (level_settle.c).
void levels_clear_registers(Levels* levels);
GullyStatus levels_settle_borders(Levels* levels);

/// Takes what cells owe from the water that they have.
GullyStatus levels_pay(Levels* levels);

/// The same of one tile. Says what it owes still, in metres of finest cells, and forgets that.
GullyStatus levels_pay_tile(Levels* levels, int tile, double* owed);

/// What all cells owe, in metres of finest cells.
double levels_owed(const Levels* levels);

// ---- levels that change -------------------------------------------------------------------------

/// Steps a block's beginning at coarser levels as well (level_shadows.c): to be called before the block;
/// after it, and before borders are settled, its changes are compared. Adds the cell-steps.
GullyStatus shadows_begin(Levels* levels, double* cell_steps);
GullyStatus shadows_compare(Levels* levels);
void shadows_end(Levels* levels);
const TileMeasure* shadows_measures(const Levels* levels);

/// Runs blocks by the parameter `error`, choosing levels from time to time (levels_error.c).
GullyStatus levels_step_by_error(GullySim* sim, int64_t blocks);

/// Gives tiles other levels (level_change.c).
GullyStatus levels_change(Levels* levels, const unsigned char* wanted);

#endif
