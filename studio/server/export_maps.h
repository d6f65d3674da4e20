// SPDX-License-Identifier: MIT
/// What is made of the terrain for other programs: maps of numbers, and pictures for materials.
#ifndef STUDIO_EXPORT_MAPS_H
#define STUDIO_EXPORT_MAPS_H

#include <stdbool.h>

#include "gully/raster.h"

/// "slope", "aspect", "curvature-mean", ... (gully_map_name), "normal", "normal-dx", "splat".
bool export_is_made(const char* name);

/// Whether it is a picture, a PNG, and no map of numbers.
bool export_is_picture(const char* name);

/// Puts a map in the place of the heights that it is made of; any other name leaves them.
GullyStatus export_make_map(const char* name, GullyRaster* raster);

/// Writes a picture of the heights: normals (green to the north, or "normal-dx" to the south) or
/// the weights of the default paints (gully/maps.h), a channel each.
GullyStatus export_picture(const char* path, const char* name, const GullyRaster* raster);

#endif
