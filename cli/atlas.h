// SPDX-License-Identifier: MIT
/// Everything that `gully maps` knows of a terrain, made when it is asked for.
#ifndef GULLY_CLI_ATLAS_H
#define GULLY_CLI_ATLAS_H

#include "gully/maps.h"
#include "gully/raster.h"

/// Fields that a run leaves beside its terrain.
enum { ATLAS_WATER, ATLAS_FLOW, ATLAS_WEAR, ATLAS_DEPOSIT, ATLAS_FIELDS };

typedef struct Atlas {
    const char* input;
    GullyRaster ground;
    int width, height;                ///< cells that the files of the input have
    GullyHeights heights;             ///< of the ground
    GullyRaster fields[ATLAS_FIELDS]; ///< without values if not there
    float* maps[GULLY_MAP_COUNT];     ///< NULL = not made yet
    float* level;                     ///< height between 0 and 1; NULL = not made yet
    int material_count;               ///< that the run had; 0 = none
    char materials[GULLY_MAX_PAINTS][GULLY_PAINT_NAME]; ///< from the bottom
} Atlas;

/// Reads the terrain, and the fields: the files given, or if NULL those of the run's folder.
GullyStatus atlas_open(const char* input, const GullyReadDef* def,
                       const char* const files[ATLAS_FIELDS], Atlas* atlas);
void atlas_close(Atlas* atlas);

/// Gives everything other cells on the same ground, before anything is made of it.
GullyStatus atlas_resize(Atlas* atlas, int width, int height);

/// Reads another raster of the input's size, and gives it the atlas' cells.
GullyStatus atlas_read(const Atlas* atlas, const char* path, GullyRaster* out);

GullyStatus atlas_map(Atlas* atlas, GullyMap map, const float** out);

/// Fails if it is a field that is not there.
GullyStatus atlas_quantity(Atlas* atlas, GullyQuantity quantity, const float** out);

#endif
