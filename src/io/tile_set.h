/// Sets of tiles: a folder with an index, tiles.json.
#ifndef TILE_SET_H
#define TILE_SET_H

#include "gully/export.h"

/// Whether the path is a folder with an index of tiles, or such an index.
bool tiles_are_at(const char* path);

/// Reads all tiles as one raster.
GullyStatus tiles_read(const char* path, GullyRaster* out);

#endif
