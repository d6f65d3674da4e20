/// Levels from the inside.
#ifndef LEVELS_INSIDE_H
#define LEVELS_INSIDE_H

#include <pthread.h>

#include "level_grid.h"
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

struct Levels {
    GullySim* sim;      // the outer one
    LevelFields fields; // of its world
    LevelGrid grids[MAX_LEVEL + 1];
    LevelMap map;              // borrowed from the simulation
    int coarsest;              // level in use
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

// ---- where levels meet --------------------------------------------------------------------------

/// Follows the map: which tiles hold pictures of others, and which settle (level_ghosts.c).
GullyStatus levels_find_borders(Levels* levels);

/// Shows the tiles of all levels the cells beside them (level_ghosts.c).
GullyStatus levels_show_beside(Levels* levels);

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

/// What all cells owe, in metres of finest cells.
double levels_owed(const Levels* levels);

#endif
