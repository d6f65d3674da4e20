// SPDX-License-Identifier: MIT
/// Raster files in and out, by whichever library this build has: GDAL, or the small readers and
/// writers of src/plain.
#ifndef RASTER_FILES_H
#define RASTER_FILES_H

#include "gully/raster.h"
#include "gully/rows.h"

/// An open file. Its rows are those of the file, in its order.
typedef struct RasterSource {
    GullyRows rows;
    void (*close)(void* context);
    bool noted;           ///< numbers that are hardly heights are to be looked for;
    double scale, offset; ///< what made values of the file's numbers
} RasterSource;

/// Values in memory as a source, which then owns them.
GullyStatus source_of_values(GullyRaster* raster, RasterSource* out);

/// Opens a band of a file; see `gully_raster_open`. `head` has everything but the values. GDAL reads
/// all that it opens.
GullyStatus raster_file_open(const char* path, const GullyReadDef* def, GullyRaster* head,
                             RasterSource* out);

/// Reads all of it at once.
GullyStatus raster_file_read(const char* path, const GullyReadDef* def, GullyRaster* out);

/// Sets the cell size of a raster from its transform and projection, and whether it is geographic.
GullyStatus raster_measure_cells(const char* path, GullyRaster* raster);

/// Refuses cells that are no rectangles on the ground, where a unit of the transform is `east` and
/// `north` metres long.
GullyStatus raster_check_angle(const char* path, double east, double north,
                               const GullyRaster* raster);

/// Notes what is not as scenes call it: the first row in the north, from west to east.
void raster_note_directions(GullyRaster* raster);

/// Writes 32-bit float GeoTIFF; NaN is written as `nodata`, which may be NaN. The values of the
/// raster come from `rows`.
GullyStatus tiff_float_write(const char* path, const GullyRaster* raster, const GullyRows* rows,
                             double nodata, GullyOutputs* outputs);

/// Writes a file whose values come later: `temporary` is there, and GDAL opens it with `prefix` before its
/// name. The rows then stand one after another, the first of them at `first`. `path` is for messages.
GullyStatus tiff_lay_out(const char* path, const char* temporary, const char* prefix,
                         const GullyRaster* raster, const GullyRows* rows, double nodata,
                         long long* first);

/// The values of a raster as rows; it must stay.
GullyRows rows_of_raster(const GullyRaster* raster);

#endif
