/// Raster files in and out, by whichever library this build has: GDAL, or the small readers and
/// writers of src/plain.
#ifndef RASTER_FILES_H
#define RASTER_FILES_H

#include "gully/raster.h"

/// Reads a band of a file; see `gully_raster_read_as`. GDAL reads all that it opens.
GullyStatus raster_file_read(const char* path, const GullyReadDef* def, GullyRaster* out);

/// Sets the cell size of a raster from its transform and projection, and whether it is geographic.
GullyStatus raster_measure_cells(const char* path, GullyRaster* raster);

/// Writes 32-bit float GeoTIFF; NaN is written as `nodata`, which may be NaN.
GullyStatus tiff_float_write(const char* path, const GullyRaster* raster, double nodata,
                             GullyOutputs* outputs);

#endif
