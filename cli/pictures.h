// SPDX-License-Identifier: MIT
/// What commands that draw share: how pictures are asked for, and what they show.
#ifndef GULLY_CLI_PICTURES_H
#define GULLY_CLI_PICTURES_H

#include <stdbool.h>

#include "command.h"
#include "gully/raster.h"
#include "gully/render.h"

/// How a picture is asked for on a command line; NULL and 0 where nothing is said.
typedef struct PictureWords {
    const char* size;    ///< "WxH"
    const char* view;    ///< "relief" or "perspective"
    const char* camera;  ///< "AZIMUTH,ELEVATION[,DISTANCE]"
    const char* sun;     ///< "AZIMUTH,ELEVATION"
    const char* palette; ///< its name
    double exaggerate;
    TextList overlays; ///< names of overlays, or "none"; said nothing: materials if there are any
} PictureWords;

/// Makes a definition of the words; `command` is for the messages. Without a size it is 1280x720,
/// and that of the terrain for a relief. False after a message.
bool picture_words(const char* command, const PictureWords* words, int width, int height,
                   double aspect, bool materials, GullyRenderDef* out);

/// The size of a relief: a pixel for each cell, up to a side that screens have. `aspect` is width
/// over height [m/m].
void picture_relief_size(int width, int height, double aspect, GullyRenderDef* def);

/// Rasters that belong together: those of a run's folder, or a terrain alone.
typedef struct RasterSet {
    GullyRaster rasters[GULLY_FIELD_COUNT]; ///< values NULL = there is none
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    int material_count;
} RasterSet;

/// Reads a raster, or the folder of a run.
GullyStatus raster_set_read(const char* path, const GullyReadDef* def, RasterSet* out);
void raster_set_free(RasterSet* set);

/// It as the input of a picture; the arrays stay the set's.
GullyRenderInput raster_set_input(const RasterSet* set);

#endif
