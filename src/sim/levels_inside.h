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
    double settled, crossed; // water at borders between levels, so far [m of finest cells]
};

// ---- where levels meet (levels_mixed.c) ---------------------------------------------------------

/// Loads the cells of all levels, and sees the whole world at each of them: finer tiles by (R), coarser
/// ones constant.
GullyStatus levels_look(Levels* levels);

/// Runs blocks.
GullyStatus levels_run_mixed(Levels* levels, int64_t blocks);

/// Takes what cells owe from the water that they have.
void levels_pay(Levels* levels);

/// What all cells owe, in metres of finest cells.
double levels_owed(const Levels* levels);

#endif
