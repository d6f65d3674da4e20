// SPDX-License-Identifier: MIT
/// What all that calls GDAL shares.
///
/// GDAL reports through an error handler; ours is on between `gdal_enter` and `gdal_leave` and
/// keeps what it says for our own message. Nothing is printed.
#ifndef GDAL_CALLS_H
#define GDAL_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include <cpl_error.h>
#include <gdal.h>

#include "gully/raster.h"
#include "raster_files.h"

/// What GDAL complained about since `gdal_enter`.
typedef struct Complaints {
    int failures;
    char first[400]; ///< the first failure: the later ones follow from it
} Complaints;

void gdal_enter(Complaints* complaints);
void gdal_leave(void);

/// Forbids (or allows again) the .aux.xml files that GDAL puts beside a raster.
void gdal_side_files_forbid(bool forbid);

/// Gives a dataset a projection, as WKT.
bool gdal_set_projection(GDALDatasetH dataset, const char* text);

/// Gives a band the name and the unit of a raster's values. If that is not known but the projection
/// of the dataset would make feet of them, they are metres.
bool gdal_describe(GDALRasterBandH band, const GullyRaster* raster);

/// Names a file in GDAL's memory that nobody else uses: "/vsimem/gully-N.EXTENSION".
void gdal_memory_name(const char* extension, char* name, size_t size);

/// Takes the bytes of a file in GDAL's memory, which then is gone. NULL without memory.
void* gdal_memory_take(const char* name, size_t* size);

/// Takes the place of a raster from its dataset, and sets its cell size. Of a dataset without one
/// the cells are 1 m.
GullyStatus gdal_georeference_read(const char* path, GDALDatasetH dataset, GullyRaster* raster);

/// Metres of a unit of height, by the dataset's vertical coordinate system or, if its projection is
/// in feet, by that. `source` says which: NULL for the projection, which is a guess. 0 if neither
/// says anything.
double gdal_height_unit(GDALDatasetH dataset, const char** source);

/// Drops the vertical part of a raster's projection, whose unit its heights no longer have.
void gdal_vertical_drop(GullyRaster* raster);

#endif
