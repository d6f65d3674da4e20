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
    int coarsest;              // level in use
    GullyWorld* memory;        // relief and all else that is remembered at the finest level
    LevelFields memory_fields; //
    LevelsView view;
    int64_t leases;       // of the outer world for writing, when it was last shown or read
    pthread_mutex_t lock; // around showing, recursive
    bool is_showing;
};

#endif
