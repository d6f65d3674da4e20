// Pictures: 8-bit RGB PNG, through GDAL.

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include <cpl_vsi.h>

#include "gdal_calls.h"

/// Makes a PNG in GDAL's memory at `name`.
static bool png_create(const char* name, int width, int height, const unsigned char* rgb) {
    GDALDatasetH picture =
        GDALCreate(GDALGetDriverByName("MEM"), "", width, height, 3, GDT_Byte, NULL);
    if (picture == NULL) return false;
    GDALDatasetH png = NULL;
    if (GDALDatasetRasterIO(picture, GF_Write, 0, 0, width, height, (void*)rgb, width, height,
                            GDT_Byte, 3, NULL, 3, 3 * width, 1) == CE_None)
        png = GDALCreateCopy(GDALGetDriverByName("PNG"), name, picture, FALSE, NULL, NULL, NULL);
    GDALClose(picture);
    if (png != NULL) GDALClose(png);
    return png != NULL;
}

GullyStatus gully_picture_encode(int width, int height, const unsigned char* rgb, void** bytes,
                                 size_t* size) {
    assert(rgb != NULL && width > 0 && height > 0 && width <= INT_MAX / 3);
    char name[64];
    gdal_memory_name("png", name, sizeof name);

    *bytes = NULL;
    Complaints complaints;
    gdal_enter(&complaints);
    gdal_side_files_forbid(true);
    if (png_create(name, width, height, rgb) && complaints.failures == 0)
        *bytes = gdal_memory_take(name, size);
    else
        VSIUnlink(name);
    gdal_side_files_forbid(false);
    gdal_leave();

    if (*bytes != NULL) return GULLY_OK;
    return gully_fail(GULLY_FAILED, "a picture of %d x %d pixels cannot be made: %s", width, height,
                      complaints.failures > 0 ? complaints.first : "not enough memory");
}

GullyStatus gully_picture_write(const char* path, int width, int height, const unsigned char* rgb) {
    assert(path != NULL);
    void* bytes;
    size_t size;
    GullyStatus status = gully_picture_encode(width, height, rgb, &bytes, &size);
    if (status != GULLY_OK) return gully_fail_in(status, "%s", path);
    status = gully_file_write(path, bytes, size);
    free(bytes);
    return status;
}
