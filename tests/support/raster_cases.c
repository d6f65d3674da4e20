// SPDX-License-Identifier: MIT
#include "raster_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/export.h"
#include "scratch.h"

void read_good(const char* path, const double* scale, const double* offset, GullyRaster* out) {
    if (gully_raster_read(path, scale, offset, out) != GULLY_OK)
        fail_msg("not read: %s", gully_message());
}

void assert_message(const char* path, const char* part) {
    const char* message = gully_message();
    if (strncmp(message, path, strlen(path)) != 0 || strstr(message + strlen(path), part) == NULL)
        fail_msg("\"%s\" does not name \"%s\" and \"%s\"", message, path, part);
}

void assert_values(const GullyRaster* raster, const float* expected) {
    for (int i = 0; i < raster->width * raster->height; ++i) {
        bool same =
            isnan(expected[i]) ? isnan(raster->values[i]) != 0 : raster->values[i] == expected[i];
        if (!same)
            fail_msg("value %d is %.9g, not %.9g", i, (double)raster->values[i],
                     (double)expected[i]);
    }
}

void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g is not within %g of %.12g", value, tolerance, expected);
}

bool exr_is_built(void) {
    GullyRaster raster;
    assert_int_equal(gully_exr_decode("none.exr", "", 0, 0, &raster), GULLY_BAD_INPUT);
    return strstr(gully_message(), "without OpenEXR") == NULL;
}

GullyRaster make_raster(int width, int height) {
    GullyRaster raster = {.width = width, .height = height, .cell_x = 2.0, .cell_y = 3.0};
    raster.georeference = gully_georeference_plain(height, 2.0, 3.0);
    raster.values = malloc((size_t)width * (size_t)height * sizeof(float));
    assert_non_null(raster.values);
    for (int i = 0; i < width * height; ++i)
        raster.values[i] = (float)i * 0.37f - 100.0f;
    return raster;
}

const char* write_vrt(const char* name, const Vrt* vrt) {
    char raw[256], source[1024] = "", text[8192];
    snprintf(raw, sizeof raw, "%s.raw", name);
    if (vrt->numbers != NULL) {
        size_t size = (size_t)vrt->width * (size_t)vrt->height * (size_t)vrt->bytes;
        write_plain(raw, vrt->numbers, size);
        snprintf(source, sizeof source,
                 "<SourceFilename relativeToVRT=\"1\">%s</SourceFilename>"
                 "<PixelOffset>%d</PixelOffset><LineOffset>%d</LineOffset>"
                 "<ByteOrder>LSB</ByteOrder>",
                 raw, vrt->bytes, vrt->bytes * vrt->width);
    }
    snprintf(text, sizeof text,
             "<VRTDataset rasterXSize=\"%d\" rasterYSize=\"%d\">%s%s%s%s%s%s"
             "<VRTRasterBand dataType=\"%s\" band=\"1\"%s>%s%s</VRTRasterBand>%s</VRTDataset>",
             vrt->width, vrt->height, vrt->srs != NULL ? "<SRS>" : "",
             vrt->srs != NULL ? vrt->srs : "", vrt->srs != NULL ? "</SRS>" : "",
             vrt->transform != NULL ? "<GeoTransform>" : "",
             vrt->transform != NULL ? vrt->transform : "",
             vrt->transform != NULL ? "</GeoTransform>" : "", vrt->type,
             vrt->numbers != NULL ? " subClass=\"VRTRawRasterBand\"" : "",
             vrt->band != NULL ? vrt->band : "", source, vrt->dataset != NULL ? vrt->dataset : "");
    write_text(name, text);
    return in_scratch(name);
}

void read_cells(const char* srs, const char* transform, GullyRaster* raster) {
    const Vrt vrt = {
        .width = 10, .height = 20, .type = "Byte", .bytes = 1, .transform = transform, .srs = srs};
    read_good(write_vrt("cells.vrt", &vrt), NULL, NULL, raster);
    free(raster->values);
    raster->values = NULL;
}
