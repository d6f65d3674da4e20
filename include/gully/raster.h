// SPDX-License-Identifier: MIT
/// Rasters in and out: whatever GDAL reads and what gully/export.h writes; float GeoTIFF out.
#ifndef GULLY_RASTER_H
#define GULLY_RASTER_H

#include <stdbool.h>
#include <stddef.h>

#include "gully/ranks.h"
#include "gully/rows.h"
#include "gully/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where a raster lies on the earth; kept from input to output.
typedef struct GullyGeoreference {
    bool known;          ///< whether `transform` comes from a file
    double transform[6]; ///< GDAL's affine transform, in the units of the projection
    char* projection;    ///< WKT, or NULL
    bool geographic;     ///< degrees
} GullyGeoreference;

typedef struct GullyRaster {
    int width, height;
    double cell_x, cell_y; ///< [m]; of a geographic raster on the ground at its middle
    GullyGeoreference georeference;
    float* values;    ///< row by row from the first row; NaN = nodata
    char driver[32];  ///< what GDAL calls the format
    char type[16];    ///< of the file's numbers: "Float32", "Int16", ...
    char name[32];    ///< what the values are: "terrain", "flow", ...; "" = not known
    char unit[16];    ///< of the values: "m", "m2/s", ...; "" = not known
    int band, bands;  ///< the band that was read, from 1, and how many there are; 0 = not known
    char notes[1024]; ///< what reading did to the numbers or took for granted, a line each, or ""
} GullyRaster;

/// Numbers that a reader is told; 0 of them = it is not told.
typedef struct GullyTold {
    int count;
    double numbers[2];
} GullyTold;

// clang-format off
/// What a reader can be told, once for all: from these rows come the options of every command that
/// reads a raster (--range LOW HIGH, --nodata-in V), the keys of a scene's terrain ("range": [LOW,
/// HIGH], "nodata_in": V) and the members of GullyReadDef.
/// NUMBERS(member, option, arguments, how many at least, at most, lowest, highest, help),
/// CHOICE(member, option, names, help).
#define GULLY_READ_TABLE(NUMBERS, CHOICE) \
    NUMBERS(range, "range", "LOW HIGH", 2, 2, -1e30, 1e30, \
            "its numbers are counts: metres of 0 and of the greatest (255, 65535; of floats 1)") \
    NUMBERS(cell, "cell", "X [Y]", 1, 2, 1e-6, 1e9, "metres per cell, to the right and down") \
    NUMBERS(extent, "extent", "W H", 2, 2, 1e-6, 1e12, "metres of the whole, instead of --cell") \
    NUMBERS(nodata_in, "nodata-in", "V", 1, 1, -3.5e38, 3.5e38, \
            "a number of it that is no height, beside those that the file names") \
    NUMBERS(band, "band", "N", 1, 1, 1, 65535, \
            "the band, or channel of an EXR, that has the heights, from 1") \
    CHOICE(unit, "unit", "m|ft|ftUS|cm", "what its heights are in, whatever the file says")
// clang-format on

/// What a reader is told about a raster. All zero is nothing: then what the file says counts.
typedef struct GullyReadDef {
    GullyTold range, cell, extent, nodata_in, band;
    const char* unit;             ///< one of the table's names; NULL = not told
    const double *scale, *offset; ///< height = number * scale + offset [m]; NULL = the file's own
    bool plain; ///< the numbers are no heights: a unit that only the projection has is not theirs
} GullyReadDef;

/// A row of the table, for readers of text.
typedef struct GullyReadRow {
    const char *name, *option; ///< "nodata_in", "nodata-in"
    const char* arguments;     ///< "X [Y]"; of a choice its names, "m|ft|ftUS|cm"
    bool choice;               ///< the member is a const char*, not GullyTold
    int fewest, most;          ///< numbers
    double low, high;          ///< of each number
    const char* help;
    size_t offset; ///< of the member in GullyReadDef
} GullyReadRow;

/// The rows; their number goes to `count`.
GULLY_API const GullyReadRow* gully_read_rows(int* count);

/// Reads the first band of a file, or tiles from the folder of their index. What a sidecar
/// FILE.json of ours says about the numbers (gully/export.h) is heeded. Nodata, NaN and infinite
/// values become NaN.
///
/// Heights become metres: those of a band whose unit is another, by its own word or by that of the
/// vertical coordinate system, and those of a raster whose projection is in feet and that says
/// nothing about heights. With `scale` or `offset` they are metres already. The notes say what was
/// done, and what looks as if it should be told.
GULLY_API GullyStatus gully_raster_read_as(const char* path, const GullyReadDef* def,
                                           GullyRaster* out);

/// The same with nothing told but a scale and an offset; NULL for either takes the file's own (1
/// and 0 if it has none).
GULLY_API GullyStatus gully_raster_read(const char* path, const double* scale, const double* offset,
                                        GullyRaster* out);

GULLY_API void gully_raster_free(GullyRaster* raster);

/// The same a few rows at a time: a raster may be larger than memory. EXR files are held whole.
typedef struct GullyRasterStream GullyRasterStream;

/// Opens what gully_raster_read_as reads. `def` may go; its `unit` must stay.
GULLY_API GullyStatus gully_raster_open(const char* path, const GullyReadDef* def,
                                        GullyRasterStream** out);
GULLY_API void gully_raster_close(GullyRasterStream* stream); ///< NULL is allowed

/// Everything but the values. The notes are complete when all rows have been read, in order.
GULLY_API const GullyRaster* gully_raster_head(const GullyRasterStream* stream);

/// Reads `count` rows from row `y` on. Reading on from the last ones is fastest.
GULLY_API GullyStatus gully_raster_rows(GullyRasterStream* stream, int y, int count,
                                        float* out) GULLY_MUST_CHECK;

/// Makes the georeference of a raster that has none: origin at 0, cells of that size.
GULLY_API GullyGeoreference gully_georeference_plain(int height, double cell_x, double cell_y);

/// Whether the name is that of a raster within a file, as GDAL gives it: NETCDF:"a.nc":Band1. The
/// file is looked for from the working folder.
GULLY_API bool gully_raster_is_part(const char* name);

/// Says what the values of a raster are, and their unit; GeoTIFF files carry both.
GULLY_API void gully_raster_describe(GullyRaster* raster, const char* name, const char* unit);

/// Turns a raster whose first row is the southernmost, or whose first column is the easternmost,
/// and its georeference with it: for whoever shows the cells without heeding the georeference.
GULLY_API void gully_raster_face_north(GullyRaster* raster);

/// Writes 32-bit float GeoTIFF, NaN as nodata. The file at `path` is whole or does not appear.
GULLY_API GullyStatus gully_raster_write(const char* path, const GullyRaster* raster);

/// Makes an 8-bit RGB PNG of width * height * 3 bytes in memory; free(*bytes).
GULLY_API GullyStatus gully_picture_encode(int width, int height, const unsigned char* rgb,
                                           void** bytes, size_t* size);

/// Writes such a PNG. Whole or not at all.
GULLY_API GullyStatus gully_picture_write(const char* path, int width, int height,
                                          const unsigned char* rgb);

/// Writes bytes to a file. Whole or not at all.
GULLY_API GullyStatus gully_file_write(const char* path, const void* bytes, size_t size);

// ---- sets of files ----

/// Files that appear together or not at all: what is written into a set has a temporary name beside
/// its path until the set is committed. Several threads may write into one at the same time.
typedef struct GullyOutputs GullyOutputs;
GULLY_API GullyStatus gully_outputs_create(GullyOutputs** out);

/// Renames all files, in the order in which they were written, and frees the set. If one fails, the
/// rest are removed.
GULLY_API GullyStatus gully_outputs_commit(GullyOutputs* outputs) GULLY_MUST_CHECK;

/// Removes all files and frees the set; NULL is allowed.
GULLY_API void gully_outputs_abandon(GullyOutputs* outputs);

/// As gully_raster_write and gully_file_write, into a set; NULL = the file appears at once.
GULLY_API GullyStatus gully_outputs_raster(GullyOutputs* outputs, const char* path,
                                           const GullyRaster* raster) GULLY_MUST_CHECK;
/// As gully_outputs_raster with values from `rows`, which is asked for them in order; those of the
/// raster are not looked at. If it fails, nothing is kept.
GULLY_API GullyStatus gully_outputs_rows(GullyOutputs* outputs, const char* path,
                                         const GullyRaster* raster,
                                         const GullyRows* rows) GULLY_MUST_CHECK;
/// The same for ranks, all of which call it: each writes its rows from `first_row` on, up to `end_row`, into
/// one file, which all of them see. It belongs to the set of rank 0.
GULLY_API GullyStatus gully_outputs_shared(GullyOutputs* outputs, const GullyRanks* ranks,
                                           int first_row, int end_row, const char* path,
                                           const GullyRaster* raster,
                                           const GullyRows* rows) GULLY_MUST_CHECK;
GULLY_API GullyStatus gully_outputs_file(GullyOutputs* outputs, const char* path, const void* bytes,
                                         size_t size) GULLY_MUST_CHECK;

// ---- folders ----

/// Makes a folder and its parents if they are not there, and checks that it can be written to.
GULLY_API GullyStatus gully_folder_make(const char* path);

/// Removes the temporary files of processes that are gone, and those that an earlier one with this
/// process's number has left: to be called before anything is written.
GULLY_API void gully_folder_tidy(const char* path);

#ifdef __cplusplus
}
#endif

#endif
