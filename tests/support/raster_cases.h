// SPDX-License-Identifier: MIT
/// What the tests of rasters share.
#ifndef RASTER_CASES_H
#define RASTER_CASES_H

#include <stdbool.h>

#include "gully/raster.h"

#define WGS84                                                                                      \
    "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"            \
    "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]"
#define MERCATOR(unit)                                                                             \
    "PROJCS[\"of the test\"," WGS84 ",PROJECTION[\"Transverse_Mercator\"],"                        \
    "PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",9],"                       \
    "PARAMETER[\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],"                      \
    "PARAMETER[\"false_northing\",0]," unit "]"

/// A raster of one band over raw numbers, as VRT.
typedef struct Vrt {
    int width, height;
    const char* type;
    int bytes;             ///< of a number
    const void* numbers;   ///< NULL = a band without a source: zeros
    const char* transform; ///< NULL = none
    const char* srs;       ///< WKT, NULL = none
    const char* band;      ///< more XML inside the band: nodata, scale, ...
    const char* dataset;   ///< more XML after the band: a mask
} Vrt;

/// Writes it into the scratch folder and gives its path.
const char* write_vrt(const char* name, const Vrt* vrt);

/// Reads a raster of that place; nothing else matters of it.
void read_cells(const char* srs, const char* transform, GullyRaster* raster);

void read_good(const char* path, const double* scale, const double* offset, GullyRaster* out);

/// Asserts that the message starts with the path and says `part` after it.
void assert_message(const char* path, const char* part);

void assert_values(const GullyRaster* raster, const float* expected);
void assert_near(double value, double expected, double tolerance);

/// Whether the library has EXR, which is an option of the build.
bool exr_is_built(void);

/// A raster with something in every cell; free() its values.
GullyRaster make_raster(int width, int height);

#endif
