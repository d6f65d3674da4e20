// SPDX-License-Identifier: MIT
/// Windows: rectangles of the world as one level sees them, made of the tiles of all levels.
#ifndef LEVEL_WINDOW_H
#define LEVEL_WINDOW_H

#include "levels_inside.h"

/// The part of two rectangles that they share; empty ones have no width or height.
GullyRect level_common(GullyRect a, GullyRect b);

/// The rectangle and a margin around it, inside a level's world.
GullyRect level_around(const LevelGrid* grid, GullyRect rect, int margin);

/// The flat view of a rectangle at a level, for slopes and neighbours: its own tiles, finer ones by (R),
/// coarser ones constant. All fields, or those that steps read beside a cell. `lens` is room.
GullyStatus window_flat(const Levels* levels, const LevelGrid* grid, GullyRect rect, bool all,
                        Lens* lens, Sheet* out);

/// The picture of some cells of a level that another level's tile has: by (R) or (I). `out` may show more
/// cells of that tile.
GullyStatus window_picture(const Levels* levels, const LevelGrid* grid, int tile, GullyRect cells,
                           Lens* lens, Sheet* out);

#endif
