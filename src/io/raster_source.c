// SPDX-License-Identifier: MIT
// Values in memory as rows: files read and written at once.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raster_files.h"
#include "read_def.h"

static GullyStatus copy_rows(void* context, int y, int count, float* out) {
    const GullyRaster* raster = context;
    size_t width = (size_t)raster->width;
    memcpy(out, raster->values + (size_t)y * width, (size_t)count * width * sizeof *out);
    return GULLY_OK;
}

GullyRows rows_of_raster(const GullyRaster* raster) {
    return (GullyRows){.read = copy_rows, .context = (void*)raster};
}

static void close_values(void* context) {
    GullyRaster* raster = context;
    free(raster->values);
    free(raster);
}

GullyStatus source_of_values(GullyRaster* raster, RasterSource* out) {
    GullyRaster* own = malloc(sizeof *own);
    if (own == NULL) return gully_fail(GULLY_NO_MEMORY, "not enough memory for a raster");
    *own =
        (GullyRaster){.width = raster->width, .height = raster->height, .values = raster->values};
    raster->values = NULL;
    out->rows = rows_of_raster(own);
    out->close = close_values;
    return GULLY_OK;
}

GullyStatus raster_file_read(const char* path, const GullyReadDef* def, GullyRaster* out) {
    RasterSource source = {0};
    GullyStatus status = raster_file_open(path, def, out, &source);
    if (status) return status;
    size_t count = (size_t)out->width * (size_t)out->height;
    OddNumbers odd = read_def_odd(def, source.scale, source.offset);
    out->values = malloc(count * sizeof *out->values);
    if (out->values == NULL)
        status = gully_fail(GULLY_NO_MEMORY, "%s: not enough memory for %d x %d cells", path,
                            out->width, out->height);
    if (!status) status = source.rows.read(source.rows.context, 0, out->height, out->values);
    source.close(source.rows.context);
    if (!status && source.noted) odd_numbers_count(&odd, out->values, count);
    if (!status) odd_numbers_note(&odd, out);
    if (status) gully_raster_free(out);
    return status;
}

GullyStatus gully_outputs_rows(GullyOutputs* outputs, const char* path, const GullyRaster* raster,
                               const GullyRows* rows) {
    return tiff_float_write(path, raster, rows, NAN, outputs);
}

GullyStatus gully_outputs_raster(GullyOutputs* outputs, const char* path,
                                 const GullyRaster* raster) {
    GullyRows rows = rows_of_raster(raster);
    return gully_outputs_rows(outputs, path, raster, &rows);
}

GullyStatus gully_raster_write(const char* path, const GullyRaster* raster) {
    return gully_outputs_raster(NULL, path, raster);
}
