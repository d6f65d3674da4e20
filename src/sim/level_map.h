// SPDX-License-Identifier: MIT
/// Which tile of a world is at which level.
#ifndef LEVEL_MAP_H
#define LEVEL_MAP_H

#include "gully/params.h"
#include "tiles.h"

/// Finest steps of a block: levels meet after each.
enum { LEVEL_BLOCK = 4 };

typedef struct LevelMap {
    int fixed;             // level of all tiles, where there is no list
    int tile;              // finest cells along a tile
    int tiles_x, tiles_y;  //
    unsigned char* levels; // of each tile, row by row; NULL = all are at `fixed`
} LevelMap;

/// Makes the map that parameters ask for, from the world as it is. Free it also after a failure.
GullyStatus level_map_make(const GullyLevelsParams* params, GullyWorld* world, LevelMap* out);
void level_map_free(LevelMap* map);

/// Whether the parameters can be followed in a world.
GullyStatus level_map_check(const GullyLevelsParams* params, const GullyWorld* world);

/// Makes tiles finer until no two of eight neighbours differ by more than one level.
void level_map_balance(const LevelMap* map, unsigned char* levels);

/// The level of a tile.
static inline int level_of_tile(const LevelMap* map, int tile) {
    return map->levels ? map->levels[tile] : map->fixed;
}

static inline int level_map_tiles(const LevelMap* map) {
    return map->tiles_x * map->tiles_y;
}

/// Whether some tile is at a level, and the coarsest.
bool level_map_has(const LevelMap* map, int level);
int level_map_coarsest(const LevelMap* map);

#endif
