/// Which tile of a world is at which level.
#ifndef LEVEL_MAP_H
#define LEVEL_MAP_H

#include "gully/params.h"
#include "tiles.h"

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

/// The level of the tile with that finest cell.
static inline int level_at(const LevelMap* map, int x, int y) {
    if (!map->levels) return map->fixed;
    return map->levels[(size_t)(y / map->tile) * (size_t)map->tiles_x + (size_t)(x / map->tile)];
}

/// Whether some tile is at a level, and the coarsest.
bool level_map_has(const LevelMap* map, int level);
int level_map_coarsest(const LevelMap* map);

#endif
