// SPDX-License-Identifier: MIT
// Rasters in, through GDAL: anything it reads.

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cpl_conv.h>
#include <cpl_string.h>

#include "gdal_calls.h"
#include "notes.h"
#include "read_def.h"
#include "units.h"

// ---- the values ----

/// How a number in the file becomes a value.
typedef struct Meaning {
    GDALDataType
        buffer;    ///< the type that holds every number of the file: double, or 64-bit integer
    bool is_float; ///< the file has 32-bit floats
    bool is_signed_byte; ///< the file has signed bytes, which GDAL < 3.7 reads as unsigned
    int has_nodata;
    double nodata;
    int64_t nodata_signed;
    uint64_t nodata_unsigned;
    bool has_more; ///< another number is no height, by the caller's word
    double more;
    double scale, offset;
} Meaning;

/// A number as it was read, all eight bytes wide.
typedef union Number {
    double real;
    int64_t integer;
    uint64_t natural;
} Number;

static Meaning find_meaning(GDALRasterBandH band, const GullyReadDef* def) {
    GDALDataType type = GDALGetRasterDataType(band);
    const char* pixel = GDALGetMetadataItem(band, "PIXELTYPE", "IMAGE_STRUCTURE");
    Meaning m = {.buffer = GDT_Float64, .is_float = type == GDT_Float32};
    m.is_signed_byte = type == GDT_Byte && pixel != NULL && EQUAL(pixel, "SIGNEDBYTE");
    if (type == GDT_Int64 || type == GDT_UInt64) m.buffer = type;
    if (type == GDT_Int64)
        m.nodata_signed = GDALGetRasterNoDataValueAsInt64(band, &m.has_nodata);
    else if (type == GDT_UInt64)
        m.nodata_unsigned = GDALGetRasterNoDataValueAsUInt64(band, &m.has_nodata);
    else
        m.nodata = GDALGetRasterNoDataValue(band, &m.has_nodata);
    int given;
    m.scale = GDALGetRasterScale(band, &given);
    if (!given) m.scale = 1.0;
    m.offset = GDALGetRasterOffset(band, &given);
    if (!given) m.offset = 0.0;
    m.has_more = def->nodata_in.count > 0;
    m.more = def->nodata_in.numbers[0];
    return m;
}

/// The value of a number of the file; NaN if it has none. Nodata is compared in the file's own
/// type.
static float value_of(const Meaning* m, Number number) {
    double stored;
    bool nodata;
    if (m->buffer == GDT_Int64) {
        stored = (double)number.integer;
        nodata = number.integer == m->nodata_signed;
    } else if (m->buffer == GDT_UInt64) {
        stored = (double)number.natural;
        nodata = number.natural == m->nodata_unsigned;
    } else {
        stored = number.real;
        if (m->is_signed_byte && stored > 127.0) stored -= 256.0;
        nodata = m->is_float ? (float)stored == (float)m->nodata : stored == m->nodata;
    }
    if (nodata && m->has_nodata) return NAN;
    if (m->has_more && (m->is_float ? (float)stored == (float)m->more : stored == m->more))
        return NAN;
    // As it is where nothing is asked for: -0 + 0 would be +0.
    if (m->scale != 1.0 || m->offset != 0.0) stored = stored * m->scale + m->offset;
    float value = (float)stored;
    return isfinite(value) ? value : NAN;
}

/// The band of opacity, or NULL. GDAL takes one of 8 or 16 bits for a mask, but gdalwarp -dstalpha
/// makes one of floats beside heights that are floats.
static GDALRasterBandH find_alpha(GDALRasterBandH band) {
    GDALDatasetH dataset = GDALGetBandDataset(band);
    for (int i = dataset != NULL ? GDALGetRasterCount(dataset) : 0; i > 0; --i) {
        GDALRasterBandH other = GDALGetRasterBand(dataset, i);
        if (other != band && GDALGetRasterColorInterpretation(other) == GCI_AlphaBand) return other;
    }
    return NULL;
}

/// The band's mask if it says more than its nodata value does, else NULL. Alpha is a mask in a
/// raster that has a place, as GDAL's programs make it; of a picture it is opacity.
static GDALRasterBandH find_mask(GDALRasterBandH band, const GullyRaster* head) {
    int flags = GDALGetMaskFlags(band);
    if (flags == GMF_NODATA || (flags & GMF_ALL_VALID) != 0)
        return head->georeference.known ? find_alpha(band) : NULL;
    if ((flags & GMF_ALPHA) != 0 && !head->georeference.known) return NULL;
    return GDALGetMaskBand(band);
}

/// An open band.
typedef struct BandSource {
    GDALDatasetH dataset;
    GDALRasterBandH band, mask_band; ///< the mask's or NULL
    Meaning meaning;
    int width, rows;     ///< of the buffers
    int blocks;          ///< rows of the file's blocks that are read before GDAL lets go of them
    Number* numbers;     ///< NULL if the file has 32-bit floats, which are read where they belong
    unsigned char* mask; ///< or NULL
    char* path;
} BandSource;

/// Reads some rows, no more than the buffers have.
static bool read_some(const BandSource* source, int y, int rows, float* out) {
    int width = source->width;
    const Meaning* m = &source->meaning;
    void* buffer = source->numbers ? (void*)source->numbers : out;
    GDALDataType type = source->numbers ? m->buffer : GDT_Float32;
    if (GDALRasterIO(source->band, GF_Read, 0, y, width, rows, buffer, width, rows, type, 0, 0) !=
        CE_None)
        return false;
    if (source->mask && GDALRasterIO(source->mask_band, GF_Read, 0, y, width, rows, source->mask,
                                     width, rows, GDT_Byte, 0, 0) != CE_None)
        return false;
    size_t count = (size_t)rows * (size_t)width;
    for (size_t i = 0; i < count; ++i) {
        Number number = source->numbers ? source->numbers[i] : (Number){.real = (double)out[i]};
        out[i] = source->mask && source->mask[i] == 0 ? NAN : value_of(m, number);
    }
    return true;
}

/// GDAL would keep the blocks of a file until they are a twentieth of the machine's memory.
static void let_go(const BandSource* source) {
    GDALFlushRasterCache(source->band);
    if (source->mask_band) GDALFlushRasterCache(source->mask_band);
}

static GullyStatus read_band_rows(void* context, int y, int count, float* out) {
    const BandSource* source = context;
    Complaints complaints;
    gdal_enter(&complaints);
    bool done = true;
    for (int end = y + count, rows; y < end && done; y += rows) {
        const int whole = source->blocks - y % source->blocks; // no block is read twice
        rows = source->rows < whole ? source->rows : whole;
        if (end - y < rows) rows = end - y;
        done = read_some(source, y, rows, out);
        if (rows == whole) let_go(source);
        out += (size_t)rows * (size_t)source->width;
    }
    gdal_leave();
    if (done) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "%s: is damaged or cut short: %s", source->path,
                      complaints.failures > 0 ? complaints.first : "GDAL cannot read it");
}

static void close_band(void* context) {
    BandSource* source = context;
    Complaints complaints;
    gdal_enter(&complaints);
    if (source->dataset != NULL) GDALClose(source->dataset);
    gdal_leave();
    free(source->numbers);
    free(source->mask);
    free(source->path);
    free(source);
}

/// Takes the dataset over if it succeeds.
static GullyStatus open_band(const char* path, GDALRasterBandH band, const Meaning* meaning,
                             const GullyRaster* head, RasterSource* out) {
    BandSource* source = calloc(1, sizeof *source);
    if (source != NULL) {
        enum { CELLS = 1 << 18 };
        source->band = band;
        source->mask_band = find_mask(band, head);
        source->meaning = *meaning;
        source->width = head->width;
        source->rows = CELLS / head->width > 1 ? CELLS / head->width : 1;
        int block_width, block_height;
        GDALGetBlockSize(band, &block_width, &block_height);
        source->blocks = (source->rows + block_height - 1) / block_height * block_height;
        size_t cells = (size_t)source->rows * (size_t)source->width;
        source->path = strdup(path);
        if (!meaning->is_float) source->numbers = malloc(cells * sizeof *source->numbers);
        if (source->mask_band != NULL) source->mask = malloc(cells);
        if (source->path != NULL && (meaning->is_float || source->numbers != NULL) &&
            (source->mask_band == NULL || source->mask != NULL)) {
            *out = (RasterSource){.rows = {.read = read_band_rows, .context = source},
                                  .close = close_band,
                                  .noted = true,
                                  .scale = meaning->scale,
                                  .offset = meaning->offset};
            return GULLY_OK;
        }
        close_band(source);
    }
    return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory for rows of %d cells", path,
                      head->width);
}

// ---- reading ----

/// Why GDAL did not open the file.
static GullyStatus explain_unopened(const char* path, const Complaints* complaints) {
    struct stat info;
    if (stat(path, &info) != 0)
        return gully_fail(GULLY_BAD_INPUT, "%s: %s", path,
                          errno == ENOENT ? "no such file" : strerror(errno));
    if (S_ISDIR(info.st_mode))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: is a folder, not a raster (of tiles it would have tiles.json)",
                          path);
    if (access(path, R_OK) != 0)
        return gully_fail(GULLY_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (info.st_size == 0) return gully_fail(GULLY_BAD_INPUT, "%s: is an empty file", path);
    if (complaints->failures > 0)
        return gully_fail(GULLY_BAD_INPUT, "%s: is not a raster that can be read: %s", path,
                          complaints->first);
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: is not a raster (GeoTIFF, ESRI ASCII, PNG, HGT or any other that GDAL "
                      "reads)",
                      path);
}

static GullyStatus open_dataset(const char* path, const Complaints* complaints, GDALDatasetH* out) {
    struct stat info;
    // GDAL would wait at a pipe for ever, and cannot seek in it.
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return gully_fail(GULLY_BAD_INPUT, "%s: is a pipe or a device, not a raster file", path);
    *out = GDALOpenEx(path, GDAL_OF_READONLY | GDAL_OF_RASTER, NULL, NULL, NULL);
    return *out != NULL ? GULLY_OK : explain_unopened(path, complaints);
}

static GullyStatus check_shape(const char* path, GDALDatasetH dataset, const GullyReadDef* def) {
    if (GDALGetRasterCount(dataset) < 1) {
        char** parts = GDALGetMetadata(dataset, "SUBDATASETS");
        const char* part = CSLFetchNameValue(parts, "SUBDATASET_1_NAME");
        return gully_fail(GULLY_BAD_INPUT, "%s: has no band%s%s", path,
                          part != NULL ? "; it holds several rasters, name one of them: " : "",
                          part != NULL ? part : "");
    }
    int bands = GDALGetRasterCount(dataset);
    int band = def->band.count > 0 ? (int)def->band.numbers[0] : 1;
    if (band > bands)
        return gully_fail(GULLY_BAD_INPUT, "%s: has %d band%s; there is no band %d", path, bands,
                          bands == 1 ? "" : "s", band);
    GDALDataType type = GDALGetRasterDataType(GDALGetRasterBand(dataset, band));
    if (GDALDataTypeIsComplex(type))
        return gully_fail(GULLY_BAD_INPUT, "%s: its numbers are complex (%s); must be real", path,
                          GDALGetDataTypeName(type));
    int width = GDALGetRasterXSize(dataset), height = GDALGetRasterYSize(dataset);
    if (width < 1 || height < 1 || width > INT_MAX / height)
        return gully_fail(GULLY_BAD_INPUT, "%s: has %d x %d cells; must be 1 to %d in all", path,
                          width, height, INT_MAX);
    return GULLY_OK;
}

/// Makes metres of heights in another unit, and says so. What is no length keeps its unit.
static void heed_unit(GDALDatasetH dataset, GDALRasterBandH band, const GullyReadDef* def,
                      Meaning* meaning, GullyRaster* out) {
    const char* own = GDALGetRasterUnitType(band);
    bool told =
        def->scale != NULL || def->offset != NULL || def->range.count > 0 || def->unit != NULL;
    bool says = own != NULL && *own != '\0';
    double unit = says ? unit_of_length(own) : 0.0;
    const char* source = "the unit of the band";
    if (says && unit == 0.0 && !told) {
        snprintf(out->unit, sizeof out->unit, "%s", own);
        if (!def->plain && !unit_is_of_ours(own))
            raster_note(out,
                        "its unit '%s' is no length that is known: heights are taken for "
                        "metres; --unit gives theirs",
                        own);
        return;
    }
    if (!says && !told && !def->plain) unit = gdal_height_unit(dataset, &source);
    if (told || unit > 0.0) snprintf(out->unit, sizeof out->unit, "m");
    if (def->unit != NULL) gdal_vertical_drop(out);
    if (told || unit == 0.0 || unit == 1.0) return;
    meaning->scale *= unit;
    meaning->offset *= unit;
    char name[40];
    unit_name(unit, name, sizeof name);
    if (source != NULL)
        raster_note(out, "heights in %s, %s, became metres", name, source);
    else
        raster_note(out, "heights became metres: taken for %s, as the projection's lengths are",
                    name);
    gdal_vertical_drop(out);
}

static GullyStatus read_head(const char* path, GDALDatasetH dataset, const GullyReadDef* def,
                             GullyRaster* out, RasterSource* source) {
    GullyStatus status = check_shape(path, dataset, def);
    if (status != GULLY_OK) return status;
    out->band = def->band.count > 0 ? (int)def->band.numbers[0] : 1;
    out->bands = GDALGetRasterCount(dataset);
    GDALRasterBandH band = GDALGetRasterBand(dataset, out->band);
    Meaning meaning = find_meaning(band, def);
    out->width = GDALGetRasterXSize(dataset);
    out->height = GDALGetRasterYSize(dataset);
    const char* type =
        meaning.is_signed_byte ? "Int8" : GDALGetDataTypeName(GDALGetRasterDataType(band));
    snprintf(out->driver, sizeof out->driver, "%s",
             GDALGetDriverShortName(GDALGetDatasetDriver(dataset)));
    snprintf(out->type, sizeof out->type, "%s", type);
    snprintf(out->name, sizeof out->name, "%s", GDALGetDescription(band));
    status = read_def_scale(path, def, type, &meaning.scale, &meaning.offset);
    if (status == GULLY_OK) status = gdal_georeference_read(path, dataset, out);
    if (status != GULLY_OK) return status;
    if (GDALGetRasterColorInterpretation(band) == GCI_PaletteIndex)
        raster_note(out, "its numbers are places in a palette of colours, not heights");
    if (find_alpha(band) != NULL)
        raster_note(out, out->georeference.known ? "cells where its alpha is 0 have no height"
                                                 : "its alpha is not heeded");
    heed_unit(dataset, band, def, &meaning, out);
    return open_band(path, band, &meaning, out, source);
}

GullyStatus raster_file_open(const char* path, const GullyReadDef* def, GullyRaster* head,
                             RasterSource* out) {
    assert(path != NULL && head != NULL);
    *head = (GullyRaster){0};
    Complaints complaints;
    gdal_enter(&complaints);
    GDALDatasetH dataset;
    GullyStatus status = open_dataset(path, &complaints, &dataset);
    if (status == GULLY_OK) {
        status = read_head(path, dataset, def, head, out);
        if (status == GULLY_OK)
            ((BandSource*)out->rows.context)->dataset = dataset;
        else
            GDALClose(dataset);
    }
    gdal_leave();
    if (status != GULLY_OK) gully_raster_free(head);
    return status;
}
