// SPDX-License-Identifier: MIT
/// Terrain that a command looks at: a raster, or the folder of a run with rasters beside its
/// terrain.
#ifndef GULLY_CLI_RUN_FOLDER_H
#define GULLY_CLI_RUN_FOLDER_H

#include "gully/maps.h"
#include "gully/raster.h"

/// Reads a raster, a folder of tiles, or terrain.tif of the folder of a run.
GullyStatus terrain_read(const char* path, const GullyReadDef* def, GullyRaster* out);

/// Opens the same, to be read a few rows at a time.
GullyStatus terrain_open(const char* path, const GullyReadDef* def, GullyRasterStream** out);

/// The same as terrain_read, north first, and prints what reading has to say.
GullyStatus ground_read(const char* path, const GullyReadDef* def, GullyRaster* out);

/// The heights of a raster, which keeps them.
GullyHeights ground_heights(const GullyRaster* raster);

/// "FOLDER/NAMEextension"; NULL with a message if there is no memory. Free it.
char* folder_path(const char* folder, const char* name, const char* extension);

/// The same if `path` is a folder and has that file, else NULL; free it.
char* folder_file(const char* path, const char* name, const char* extension);

/// Reads a raster that must have the size of another, north first.
GullyStatus same_size_read(const char* path, const GullyRaster* like, GullyRaster* out);

#endif
