// SPDX-License-Identifier: MIT
/// Terrain for other programs: formats, presets of engines, sidecars, sets of tiles.
///
/// Heights are metres. A format that holds 16-bit numbers, or nothing but numbers, gets a sidecar:
/// a JSON file beside it, FILE.json, that says what the numbers mean. `gully_raster_read` reads all
/// of it back. docs/formats.md describes the files.
#ifndef GULLY_EXPORT_H
#define GULLY_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "gully/raster.h"
#include "gully/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- sidecars ----

typedef enum GullyNumbers {
    GULLY_UINT16,  ///< 0 stands for `min`, 65535 for `max`
    GULLY_INT16,   ///< whole metres
    GULLY_FLOAT32, ///< metres
} GullyNumbers;

/// What a sidecar says: how the numbers of a file become heights. Also describes a raw file that
/// has no sidecar. Zero is little endian, from north to south, without nodata.
typedef struct GullySidecar {
    GullyNumbers numbers;
    int width, height;
    bool big_endian;
    bool flip;             ///< the first row is the southernmost
    double min, max;       ///< [m] of 0 and 65535; of other numbers the lowest and highest height
    double cell_x, cell_y; ///< [m]
    bool has_nodata;
    double nodata; ///< the number that is no height; may be NaN
    GullyGeoreference georeference;
} GullySidecar;

/// Reads the text of a sidecar; `name` is for messages. Free the result with `gully_sidecar_free`.
GULLY_API GullyStatus gully_sidecar_parse(const char* name, const char* text, size_t size,
                                          GullySidecar* out);
GULLY_API void gully_sidecar_free(GullySidecar* sidecar);

/// Makes a raster of raw numbers in memory, UINT16 or FLOAT32. `name` is for messages.
GULLY_API GullyStatus gully_raw_decode(const char* name, const void* bytes, size_t size,
                                       const GullySidecar* sidecar, GullyRaster* out);

/// Reads a raw file that has no sidecar.
GULLY_API GullyStatus gully_raw_read(const char* path, const GullySidecar* sidecar,
                                     GullyRaster* out);

/// Makes a raster of an EXR file in memory: of its first part channel `band`, from 1 in the order
/// of the file; if that is 0 the one called Y, Z, height or R (in this order; any case; also in a
/// layer, as "terrain.height"), or the only one. Scan lines and tiles, numbers of any type. `name`
/// is for messages. Fails if the library was built without OpenEXR.
GULLY_API GullyStatus gully_exr_decode(const char* name, const void* bytes, size_t size, int band,
                                       GullyRaster* out);

/// Writes rasters of one size as channels of one EXR file, 32-bit float: the first is the terrain
/// and becomes channel Y, the others are called by their names ("water", "flow"). NaN is nodata.
/// The place is that of the first. `outputs` may be NULL. Fails without OpenEXR, as decoding does.
GULLY_API GullyStatus gully_exr_write(const char* path, const GullyRaster* rasters, int count,
                                      GullyOutputs* outputs);

// ---- other sizes ----

/// Makes the same ground with other cells: cubic, over wider neighbourhoods when shrinking so that
/// nothing aliases. A cell whose centre is nodata stays nodata; beside nodata only heights count.
/// No height is below the lowest or above the highest that was there.
GULLY_API GullyStatus gully_raster_resample(const GullyRaster* raster, int width, int height,
                                            GullyRaster* out);

// ---- writing ----

typedef struct GullyFormatInfo {
    const char* name;       ///< "png16"
    const char* extensions; ///< of its files: "png", "r16|raw"; "" if it shares another's
    const char* summary;
    bool sidecar; ///< writes one
} GullyFormatInfo;

GULLY_API int gully_format_count(void);
GULLY_API const GullyFormatInfo* gully_format_info(int index);

typedef struct GullyPresetInfo {
    const char* name; ///< "unity"
    const char* summary;
    const char* formats; ///< that it takes, the first by default: "png16|r16"
    const int* sizes;    ///< of a side that it takes, ascending, 0 ends; NULL = any
    bool square;         ///< both sides alike
} GullyPresetInfo;

GULLY_API int gully_preset_count(void);
GULLY_API const GullyPresetInfo* gully_preset_info(int index);

typedef struct GullyExportDef {
    int made;              ///< GULLY_DEF_MADE: set by gully_export_default()
    const char* format;    ///< a name of the table; NULL = by the file's extension, or the preset's
    const char* preset;    ///< NULL = none
    int width, height;     ///< 0 = as the raster, or the nearest that the preset allows; if one of
                           ///< them is given the other follows from the raster's aspect
    double low, high;      ///< [m] of 0 and 65535; NaN = of the terrain, or as the preset wants it
    double nodata;         ///< number for nodata cells; NaN = the format's own
    double fill;           ///< [m] height that nodata cells get; NaN = they stay without one
    bool fill_lowest;      ///< they get the lowest height that there is
    bool flip;             ///< rows from south to north
    bool big_endian;       ///< raw numbers
    bool dry_run;          ///< everything is decided and checked, and nothing written
    GullyOutputs* outputs; ///< set that the files belong to (gully/raster.h); NULL = none
} GullyExportDef;

/// Everything as the format and the terrain have it.
GULLY_API GullyExportDef gully_export_default(void);

/// What was written.
typedef struct GullyExported {
    const GullyFormatInfo* format;
    int width, height; ///< of the terrain
    double low, high;  ///< [m] of 0 and 65535; of other numbers the lowest and highest height
    int columns, rows; ///< of tiles
    size_t nodata;     ///< cells without a height in what was written,
    size_t filled;     ///< and those that were given one
    char path[1024];   ///< of the file, or of the index of the tiles
} GullyExported;

/// Writes a raster, and its sidecar if the format has one. If `path` ends with / or is a folder,
/// the file in it is called as `name` with the extension of the format. `exported` may be NULL.
/// Each file is whole or not there; with a set of outputs both are there or none.
GULLY_API GullyStatus gully_export(const char* path, const char* name, const GullyRaster* raster,
                                   const GullyExportDef* def, GullyExported* exported);

/// The same of a raster whose values come from `rows`. Float GeoTIFF of the raster's own size, without
/// `nodata` and `fill`, is written a band at a time; for all else the values are read at once first.
GULLY_API GullyStatus gully_export_rows(const char* path, const char* name,
                                        const GullyRaster* raster, const GullyRows* rows,
                                        const GullyExportDef* def, GullyExported* exported);

// ---- tiles ----

typedef struct GullyTilesDef {
    int side;     ///< cells of a tile
    bool overlap; ///< neighbours share their border row or column
} GullyTilesDef;

/// Writes tiles into a folder, called after `name` as engines expect it (docs/formats.md), all with
/// one range of heights, and the index tiles.json.
GULLY_API GullyStatus gully_export_tiles(const char* folder, const char* name,
                                         const GullyRaster* raster, const GullyExportDef* def,
                                         const GullyTilesDef* tiles, GullyExported* exported);

/// Writes a picture (gully/mesh.h) of a terrain in the size that this has as an export: as NAME.png
/// in the folder or, if `tiles` is not NULL, cut and called as its tiles are. Of the definition
/// preset, outputs and dry_run count; rows go from north to south whatever the preset is.
struct GullyTexture;
GULLY_API GullyStatus gully_export_picture(const char* folder, const char* name,
                                           const struct GullyTexture* picture,
                                           const GullyExportDef* def, const GullyTilesDef* tiles);

typedef struct GullyTile {
    char* file; ///< in the folder of the index
    int x, y;   ///< of its first cell in the whole
    int width, height;
} GullyTile;

typedef struct GullyTileIndex {
    int width, height; ///< of the whole
    double cell_x, cell_y;
    GullyGeoreference georeference;
    GullyTile* tiles;
    int count;
} GullyTileIndex;

/// Reads the text of an index of tiles. Free the result with `gully_tile_index_free`.
GULLY_API GullyStatus gully_tile_index_parse(const char* name, const char* text, size_t size,
                                             GullyTileIndex* out);
GULLY_API void gully_tile_index_free(GullyTileIndex* index);

/// Reads georeferenced rasters of one projection as one mosaic; of cells that several have the last
/// counts. `def` is what is told about each of them.
GULLY_API GullyStatus gully_mosaic_read(const char* const* paths, int count,
                                        const GullyReadDef* def, GullyRaster* out);

#ifdef __cplusplus
}
#endif

#endif
