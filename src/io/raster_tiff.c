// SPDX-License-Identifier: MIT
// Float GeoTIFF out. GDAL does not tell every failure of the disk, so what was written is checked.

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "gdal_calls.h"

/// What is written: the numbers come from the caller.
typedef struct TiffValues {
    const GullyRaster* raster; ///< all but its values
    const GullyRows* rows;
    double nodata;
    GullyStatus status; ///< of the caller's rows
} TiffValues;

/// Writes the values strip by strip, past GDAL's cache of blocks: all threads share that one, so a
/// file could be written, and its failure be told, by a thread that writes another.
static bool write_strips(GDALRasterBandH band, TiffValues* values) {
    int width, rows, height = values->raster->height;
    GDALGetBlockSize(band, &width, &rows);
    assert(width == values->raster->width);
    float nodata = (float)values->nodata;
    int strips = gully_band_rows(width) / rows > 1 ? gully_band_rows(width) / rows : 1;
    size_t strip = (size_t)rows * (size_t)width;
    float* buffer = calloc((size_t)strips, strip * sizeof *buffer);
    bool done = buffer != NULL;
    for (int y = 0; y < height && done; y += strips * rows) {
        int count = height - y < strips * rows ? height - y : strips * rows;
        size_t cells = (size_t)count * (size_t)width;
        values->status = values->rows->read(values->rows->context, y, count, buffer);
        done = values->status == GULLY_OK;
        for (size_t i = 0; i < cells && done; ++i)
            buffer[i] = isnan(buffer[i]) ? nodata : buffer[i];
        for (int k = 0; k * rows < count && done; ++k)
            done = GDALWriteBlock(band, 0, y / rows + k, buffer + (size_t)k * strip) == CE_None;
    }
    free(buffer);
    return done;
}

static bool tiff_fill(GDALDatasetH dataset, TiffValues* values) {
    const GullyRaster* raster = values->raster;
    double transform[6];
    memcpy(transform, raster->georeference.transform, sizeof transform);
    const char* projection = raster->georeference.projection;
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    return GDALSetGeoTransform(dataset, transform) == CE_None &&
           (projection == NULL || gdal_set_projection(dataset, projection)) &&
           GDALSetRasterNoDataValue(band, values->nodata) == CE_None &&
           gdal_describe(band, raster) && write_strips(band, values);
}

static bool tiff_create(const char* path, TiffValues* values) {
    char* options[] = {"COMPRESS=NONE", "BIGTIFF=IF_SAFER", NULL};
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GTiff"), path, values->raster->width,
                                      values->raster->height, 1, GDT_Float32, options);
    if (dataset == NULL) return false;
    bool done = tiff_fill(dataset, values);
    GDALFlushCache(dataset);
    GDALClose(dataset); // returns nothing: what goes wrong here is in the complaints only
    return done;
}

static long long block_item(GDALRasterBandH band, const char* what, int x, int y) {
    char name[64];
    snprintf(name, sizeof name, "%s_%d_%d", what, x, y);
    const char* text = GDALGetMetadataItem(band, name, "TIFF");
    return text != NULL ? atoll(text) : -1;
}

/// The size that a TIFF must have for all its blocks to be in it, from its own directory.
/// -1 if the directory cannot be read or a block has no place. `first` (or NULL) gets where the first is.
static long long tiff_extent(const char* path, const GullyRaster* raster, long long* first) {
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_READONLY | GDAL_OF_RASTER, NULL, NULL, NULL);
    if (dataset == NULL) return -1;
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    int width, height;
    GDALGetBlockSize(band, &width, &height);
    long long extent = 0, bytes = 0;
    for (int y = 0; y * (long long)height < raster->height && extent >= 0; ++y)
        for (int x = 0; x * (long long)width < raster->width && extent >= 0; ++x) {
            long long offset = block_item(band, "BLOCK_OFFSET", x, y);
            long long size = block_item(band, "BLOCK_SIZE", x, y);
            bytes += size;
            if (x == 0 && y == 0 && first) *first = offset;
            if (offset <= 0 || size <= 0)
                extent = -1;
            else if (offset + size > extent)
                extent = offset + size;
        }
    GDALClose(dataset);
    bool whole = bytes >= 4LL * raster->width * raster->height;
    return whole ? extent : -1;
}

/// Brings the file to the disk and checks its size; returns 0 or an errno.
static int file_check(const char* path, long long extent) {
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return errno;
    struct stat info;
    int error = gully_descriptor_sync(descriptor);
    if (error == 0 && fstat(descriptor, &info) != 0) error = errno;
    if (error == 0 && info.st_size < extent) error = EIO;
    close(descriptor);
    return error;
}

/// Why a file of that size could not be written: GDAL does not pass the system's reason on, so ask
/// for the room once more. 0 if there is room now.
static int file_reason(const char* path, long long size) {
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return errno;
    int error = posix_fallocate(descriptor, 0, (off_t)size);
    close(descriptor);
    return error;
}

GullyStatus tiff_float_write(const char* path, const GullyRaster* raster, const GullyRows* rows,
                             double nodata, GullyOutputs* outputs) {
    assert(path != NULL && raster != NULL && rows != NULL);
    assert(raster->width > 0 && raster->height > 0);
    GullyStagedFile staged;
    int descriptor;
    GullyStatus status = gully_staged_begin(path, &staged, &descriptor);
    if (status != GULLY_OK) return status;
    close(descriptor); // GDAL opens it by its name

    TiffValues values = {raster, rows, nodata, GULLY_OK};
    Complaints complaints;
    gdal_enter(&complaints);
    gdal_side_files_forbid(true);
    bool done = tiff_create(staged.temporary, &values) && complaints.failures == 0;
    long long extent = done ? tiff_extent(staged.temporary, raster, NULL) : -1;
    gdal_side_files_forbid(false);
    gdal_leave();

    int error = extent > 0 ? file_check(staged.temporary, extent) : 0;
    if (extent > 0 && error == 0) return gully_staged_keep(&staged, outputs);
    if (values.status) {
        gully_staged_drop(&staged);
        return values.status;
    }
    // More than the header ever takes, so that a disk with just not enough room is seen.
    long long size = 4LL * raster->width * raster->height + 65536;
    int reason = file_reason(staged.temporary, size);
    if (reason != 0) error = reason;
    gully_staged_drop(&staged);
    return gully_fail(GULLY_IO, "%s: cannot be written: %s", path,
                      error != 0                ? strerror(error)
                      : complaints.failures > 0 ? complaints.first
                                                : "the file did not become whole");
}

GullyStatus tiff_lay_out(const char* path, const char* temporary, const char* prefix,
                         const GullyRaster* raster, const GullyRows* rows, double nodata,
                         long long* first) {
    TiffValues values = {raster, rows, nodata, GULLY_OK};
    Complaints complaints;
    char name[4096 + 64];
    const bool fits = snprintf(name, sizeof name, "%s%s", prefix, temporary) < (int)sizeof name;
    gdal_enter(&complaints);
    gdal_side_files_forbid(true);
    const bool done = fits && tiff_create(name, &values) && complaints.failures == 0;
    const long long extent = done ? tiff_extent(temporary, raster, first) : -1;
    gdal_side_files_forbid(false);
    gdal_leave();
    if (extent == *first + 4LL * raster->width * raster->height) return GULLY_OK;
    return gully_fail(GULLY_IO, "%s: cannot be laid out: %s", path,
                      complaints.failures > 0 ? complaints.first : "its rows are not in order");
}
