// SPDX-License-Identifier: MIT
/// A shot: samples of the wanted tiles, all of one step, copied from the world between two steps so
/// that they can be packed while it goes on.
#ifndef STUDIO_SHOT_H
#define STUDIO_SHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gully/edit.h"
#include "gully/sim.h"
#include "want.h"

/// Levels of a world's tiles: the last one has one tile.
int tile_levels(int width, int height);

/// How many tiles a side of so many cells has at a level.
int tile_columns(int cells, int level);

enum { SHOT_FIELDS = 10 + GULLY_MAX_MATERIALS };

typedef struct Shot {
    Want* want;      ///< what it is of; NULL = nothing yet
    unsigned planes; ///< of the wanted ones, those that were looked at
    int64_t session;
    int64_t step;
    double time; ///< [s]

    int tile_count; ///< those of the wanted that the world has
    TileKey tiles[WANT_TILES];
    int field_count;
    GullyField fields[SHOT_FIELDS];
    int material_count;
    unsigned colors[GULLY_MAX_MATERIALS]; ///< 0xRRGGBB, bottom to top

    float* samples; ///< TILE_SAMPLES of each field of each tile
    size_t room;    ///< samples that fit
    float* row;     ///< of the world, for coarse tiles
    int row_room;
} Shot;

/// Where shots come from.
typedef struct Scenery {
    const GullySim* sim;
    const GullyView* view;  ///< of the simulation, while a device steps it; NULL = its world
    const GullyMoment* was; ///< instead, as it was; NULL = as it is
    unsigned planes;        ///< that there are
    int64_t session, moment;
} Scenery;

/// The fields that planes are made of; returns how many.
int shot_fields(const GullyWorld* world, unsigned planes, GullyField out[SHOT_FIELDS]);

/// Copies those planes of the tiles. Holds the list from now on and drops the one before. After a
/// failure it is empty.
GullyStatus shot_take(Shot* shot, const Scenery* scenery, Want* want, unsigned planes);
void shot_free(Shot* shot);

/// Samples of a field of a tile; NULL if it has none of that field.
const float* shot_samples(const Shot* shot, int tile, GullyField field);

#endif
