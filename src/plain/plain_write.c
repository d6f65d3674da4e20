// SPDX-License-Identifier: MIT
// Raster files out without GDAL. Formats that need it are refused by name.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/export.h"
#include "gully/mesh.h"
#include "plain_image.h"
#include "raster_copy.h"
#include "raster_files.h"
#include "raw.h"

// ---- pictures ----

GullyStatus gully_texture_encode(const GullyTexture* texture, void** bytes, size_t* size) {
    return png_encode(texture->width, texture->height, texture->channels, 8, texture->pixels, bytes,
                      size);
}

// ---- rasters ----

GullyStatus png16_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                        GullyOutputs* outputs) {
    size_t count = (size_t)raster->width * (size_t)raster->height;
    uint16_t* steps = steps_encode(raster, sidecar);
    if (!steps) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    for (size_t i = 0; i < count; i++) // big endian
        steps[i] = (uint16_t)(steps[i] >> 8 | steps[i] << 8);
    void* bytes;
    size_t size;
    GullyStatus status = png_encode(raster->width, raster->height, 1, 16,
                                    (const unsigned char*)steps, &bytes, &size);
    if (!status) status = gully_outputs_file(outputs, path, bytes, size);
    if (!status) free(bytes);
    free(steps);
    return status;
}

GullyStatus cog_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                      GullyOutputs* outputs) {
    (void)raster, (void)sidecar, (void)outputs;
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: this build has no cloud optimized GeoTIFF; take tif, and gdal_translate "
                      "-of COG makes one of it",
                      path);
}

/// The head of an ESRI ASCII grid.
static void put_ascii_head(FILE* stream, const GullyRaster* raster, const GullySidecar* sidecar) {
    const double* t = raster->georeference.transform;
    fprintf(stream, "ncols %d\nnrows %d\nxllcorner %.15g\nyllcorner %.15g\n", raster->width,
            raster->height, t[0], t[3] + raster->height * t[5]);
    if (t[1] == -t[5])
        fprintf(stream, "cellsize %.15g\n", t[1]);
    else
        fprintf(stream, "dx %.15g\ndy %.15g\n", t[1], -t[5]);
    if (sidecar->has_nodata) fprintf(stream, "NODATA_value %.9g\n", sidecar->nodata);
}

GullyStatus ascii_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                        GullyOutputs* outputs) {
    char* text = NULL;
    size_t size = 0;
    FILE* stream = open_memstream(&text, &size);
    float* metres = metres_encode(raster, sidecar);
    if (stream && metres) {
        put_ascii_head(stream, raster, sidecar);
        size_t width = (size_t)raster->width, count = width * (size_t)raster->height;
        for (size_t i = 0; i < count; i++)
            fprintf(stream, "%.9g%c", (double)metres[i], (i + 1) % width ? ' ' : '\n');
    }
    bool done = stream && fclose(stream) == 0 && metres;
    GullyStatus status = done ? gully_outputs_file(outputs, path, text, size)
                              : gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    free(metres);
    free(text);
    return status;
}
