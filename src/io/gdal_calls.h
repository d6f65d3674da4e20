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

/// Names a file in GDAL's memory that nobody else uses: "/vsimem/gully-N.EXTENSION".
void gdal_memory_name(const char* extension, char* name, size_t size);

/// Takes the bytes of a file in GDAL's memory, which then is gone. NULL without memory.
void* gdal_memory_take(const char* name, size_t* size);

/// Reads the first band of whatever GDAL opens under that name; see `gully_raster_read`.
GullyStatus gdal_raster_read(const char* path, const double* scale, const double* offset,
                             GullyRaster* out);

/// Sets the cell size of a raster from its transform and projection, and whether it is geographic.
GullyStatus gdal_measure_cells(const char* path, GullyRaster* raster);

/// Writes 32-bit float GeoTIFF; NaN is written as `nodata`, which may be NaN.
GullyStatus gdal_tiff_write(const char* path, const GullyRaster* raster, double nodata,
                            GullyOutputs* outputs);

#endif
