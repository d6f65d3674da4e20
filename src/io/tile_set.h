// SPDX-License-Identifier: MIT
/// Sets of tiles: a folder with an index, tiles.json.
#ifndef TILE_SET_H
#define TILE_SET_H

#include "gully/export.h"
#include "raster_files.h"

/// Whether the path is a folder with an index of tiles, or such an index.
bool tiles_are_at(const char* path);

/// Opens all tiles as one raster, whose rows are put together out of theirs.
GullyStatus tiles_open(const char* path, GullyRaster* head, RasterSource* out);

#endif
