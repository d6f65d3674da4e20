// SPDX-License-Identifier: MIT
// Float GeoTIFF out: one strip, not compressed.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain_image.h"
#include "raster_files.h"
#include "tiff_tags.h"

enum { HEAD = 1024 }; ///< bytes before the strip: the directory and what it points to

typedef struct Directory {
    unsigned char bytes[HEAD];
    int entries;
    size_t end; ///< of what entries point to
} Directory;

static void put(unsigned char* at, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

/// Adds an entry; of more than four bytes the values stand behind the directory.
static void add(Directory* d, int tag, int type, uint32_t count, const void* values, size_t size) {
    unsigned char* entry = d->bytes + 10 + 12 * d->entries++;
    put(entry, (uint32_t)tag, 2);
    put(entry + 2, (uint32_t)type, 2);
    put(entry + 4, count, 4);
    if (size <= 4) {
        memcpy(entry + 8, values, size);
        return;
    }
    put(entry + 8, (uint32_t)d->end, 4);
    memcpy(d->bytes + d->end, values, size);
    d->end = (d->end + size + 7) / 8 * 8;
}

static void add_number(Directory* d, int tag, int type, uint32_t value) {
    unsigned char bytes[4];
    put(bytes, value, 4);
    add(d, tag, type, 1, bytes, type == TIFF_SHORT ? 2 : 4);
}

static void add_doubles(Directory* d, int tag, const double* values, uint32_t count) {
    add(d, tag, TIFF_DOUBLE, count, values, count * sizeof *values);
}

static void add_text(Directory* d, int tag, const char* text) {
    add(d, tag, TIFF_ASCII, (uint32_t)strlen(text) + 1, text, strlen(text) + 1);
}

/// Where the raster lies: the middle of cells is half a cell from their corner.
static void add_place(Directory* d, const double* t) {
    const double whole[16] = {t[1], t[2], 0, t[0], t[4], t[5], 0, t[3], 0, 0, 0, 0, 0, 0, 0, 1};
    const double scale[3] = {t[1], -t[5], 0}, tie[6] = {0, 0, 0, t[0], t[3], 0};
    if (t[2] != 0 || t[4] != 0 || t[5] > 0) {
        add_doubles(d, TIFF_TRANSFORM, whole, 16);
        return;
    }
    add_doubles(d, TIFF_PIXEL_SCALE, scale, 3);
    add_doubles(d, TIFF_TIE_POINT, tie, 6);
}

/// What the values are, as GDAL reads it.
static void add_description(Directory* d, const GullyRaster* raster) {
    char text[320];
    snprintf(text, sizeof text,
             "<GDALMetadata>\n"
             "  <Item name=\"DESCRIPTION\" sample=\"0\" role=\"description\">%s</Item>\n"
             "  <Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">%s</Item>\n"
             "</GDALMetadata>\n",
             raster->name, raster->unit);
    if (raster->name[0] || raster->unit[0]) add_text(d, TIFF_GDAL_METADATA, text);
}

static void fill_directory(Directory* d, const GullyRaster* raster, double nodata) {
    char text[32];
    const uint32_t size = 4 * (uint32_t)raster->width * (uint32_t)raster->height;
    memcpy(d->bytes, "II*\0\10\0\0\0", 8);
    d->end = 10 + 12 * 20 + 6; // room for 20 entries
    add_number(d, TIFF_WIDTH, TIFF_LONG, (uint32_t)raster->width);
    add_number(d, TIFF_HEIGHT, TIFF_LONG, (uint32_t)raster->height);
    add_number(d, TIFF_BITS, TIFF_SHORT, 32);
    add_number(d, TIFF_COMPRESSION, TIFF_SHORT, 1);
    add_number(d, TIFF_PHOTOMETRIC, TIFF_SHORT, 1);
    add_number(d, TIFF_STRIP_OFFSETS, TIFF_LONG, HEAD);
    add_number(d, TIFF_SAMPLES, TIFF_SHORT, 1);
    add_number(d, TIFF_STRIP_ROWS, TIFF_LONG, (uint32_t)raster->height);
    add_number(d, TIFF_STRIP_SIZES, TIFF_LONG, size);
    add_number(d, TIFF_PLANAR, TIFF_SHORT, 1);
    add_number(d, TIFF_FORMAT, TIFF_SHORT, 3);
    add_place(d, raster->georeference.transform);
    add_description(d, raster);
    if (isnan(nodata))
        snprintf(text, sizeof text, "nan");
    else
        snprintf(text, sizeof text, "%.17g", nodata);
    add_text(d, TIFF_GDAL_NODATA, text);
    put(d->bytes + 8, (uint32_t)d->entries, 2);
}

GullyStatus tiff_float_write(const char* path, const GullyRaster* raster, const GullyRows* rows,
                             double nodata, GullyOutputs* outputs) {
    size_t count = (size_t)raster->width * (size_t)raster->height;
    if (count > PLAIN_CELLS)
        return gully_fail(GULLY_BAD_INPUT, "%s: more than %d cells are not written here", path,
                          PLAIN_CELLS);
    Directory directory = {0};
    unsigned char* bytes = malloc(HEAD + count * sizeof(float));
    if (!bytes) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    fill_directory(&directory, raster, nodata);
    memcpy(bytes, directory.bytes, HEAD);
    _Static_assert(HEAD % sizeof(float) == 0, "numbers are aligned");
    float* values = (float*)(void*)(bytes + HEAD);
    GullyStatus status = rows->read(rows->context, 0, raster->height, values);
    for (size_t i = 0; i < count && !status; i++)
        values[i] = isnan(values[i]) ? (float)nodata : values[i];
    if (!status) status = gully_outputs_file(outputs, path, bytes, HEAD + count * sizeof(float));
    free(bytes);
    return status;
}
