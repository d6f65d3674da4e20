// SPDX-License-Identifier: MIT
// Pictures of one to four channels, through GDAL.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cpl_vsi.h>

#include "gdal_calls.h"
#include "gully/mesh.h"

static GullyStatus check_picture(const char* path, GDALDatasetH dataset) {
    if (!dataset) {
        if (access(path, F_OK) != 0)
            return gully_fail(GULLY_BAD_INPUT, "%s: %s", path,
                              errno == ENOENT ? "no such file" : strerror(errno));
        return gully_fail(GULLY_BAD_INPUT, "%s: is no picture that GDAL can read", path);
    }
    int count = GDALGetRasterCount(dataset);
    if (count < 1 || count > 4)
        return gully_fail(GULLY_BAD_INPUT, "%s: has %d channels; a picture has 1 to 4", path,
                          count);
    GDALDataType type = GDALGetRasterDataType(GDALGetRasterBand(dataset, 1));
    if (type != GDT_Byte)
        return gully_fail(GULLY_BAD_INPUT, "%s: has numbers of type %s; a picture has bytes", path,
                          GDALGetDataTypeName(type));
    if (GDALGetRasterXSize(dataset) > INT_MAX / 4 / GDALGetRasterYSize(dataset))
        return gully_fail(GULLY_BAD_INPUT, "%s: is too large for a picture", path);
    return GULLY_OK;
}

static GullyStatus read_pixels(const char* path, GDALDatasetH dataset, const Complaints* complaints,
                               GullyTexture* out) {
    int width = GDALGetRasterXSize(dataset), height = GDALGetRasterYSize(dataset);
    int channels = GDALGetRasterCount(dataset);
    *out = (GullyTexture){width, height, channels, NULL};
    out->pixels = malloc((size_t)width * (size_t)height * (size_t)channels);
    if (!out->pixels) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    if (GDALDatasetRasterIO(dataset, GF_Read, 0, 0, width, height, out->pixels, width, height,
                            GDT_Byte, channels, NULL, channels, channels * width, 1) == CE_None)
        return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "%s: is damaged or cut short: %s", path, complaints->first);
}

GullyStatus gully_texture_read(const char* path, GullyTexture* out) {
    assert(path && out);
    *out = (GullyTexture){0};
    Complaints complaints;
    gdal_enter(&complaints);
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    GullyStatus status = check_picture(path, dataset);
    if (status == GULLY_OK) status = read_pixels(path, dataset, &complaints, out);
    if (status != GULLY_OK) gully_texture_free(out);
    if (dataset) GDALClose(dataset);
    gdal_leave();
    return status;
}

void gully_texture_free(GullyTexture* texture) {
    if (!texture) return;
    free(texture->pixels);
    *texture = (GullyTexture){0};
}

/// Makes a PNG in GDAL's memory at `name`.
static bool png_create(const char* name, const GullyTexture* texture) {
    int width = texture->width, height = texture->height, channels = texture->channels;
    GDALDatasetH picture =
        GDALCreate(GDALGetDriverByName("MEM"), "", width, height, channels, GDT_Byte, NULL);
    if (!picture) return false;
    GDALDatasetH png = NULL;
    if (GDALDatasetRasterIO(picture, GF_Write, 0, 0, width, height, texture->pixels, width, height,
                            GDT_Byte, channels, NULL, channels, channels * width, 1) == CE_None)
        png = GDALCreateCopy(GDALGetDriverByName("PNG"), name, picture, FALSE, NULL, NULL, NULL);
    GDALClose(picture);
    if (png) GDALClose(png);
    return png != NULL;
}

GullyStatus gully_texture_encode(const GullyTexture* texture, void** bytes, size_t* size) {
    assert(texture && texture->pixels && texture->channels >= 1 && texture->channels <= 4);
    char name[64];
    gdal_memory_name("png", name, sizeof name);
    *bytes = NULL;
    *size = 0;
    Complaints complaints;
    gdal_enter(&complaints);
    gdal_side_files_forbid(true);
    if (png_create(name, texture) && complaints.failures == 0)
        *bytes = gdal_memory_take(name, size);
    else
        VSIUnlink(name);
    gdal_side_files_forbid(false);
    gdal_leave();
    if (*bytes) return GULLY_OK;
    return gully_fail(GULLY_FAILED, "a picture of %d x %d pixels cannot be made: %s",
                      texture->width, texture->height,
                      complaints.failures > 0 ? complaints.first : "not enough memory");
}
