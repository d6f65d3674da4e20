// What needs no file: describing, freeing and turning rasters.

#include <stdio.h>
#include <stdlib.h>

#include "gully/raster.h"
#include "sidecar.h"

void gully_raster_describe(GullyRaster* raster, const char* name, const char* unit) {
    snprintf(raster->name, sizeof raster->name, "%s", name);
    snprintf(raster->unit, sizeof raster->unit, "%s", unit);
}

void gully_raster_free(GullyRaster* raster) {
    if (raster == NULL) return;
    free(raster->values);
    free(raster->georeference.projection);
    *raster = (GullyRaster){0};
}

GullyGeoreference gully_georeference_plain(int height, double cell_x, double cell_y) {
    return (GullyGeoreference){.transform = {0.0, cell_x, 0.0, height * cell_y, 0.0, -cell_y}};
}

// ---- turning ----

static void columns_flip(float* values, int width, int height) {
    for (int y = 0; y < height; ++y, values += width)
        for (int x = 0; x < width / 2; ++x) {
            float number = values[x];
            values[x] = values[width - 1 - x];
            values[width - 1 - x] = number;
        }
}

void gully_raster_face_north(GullyRaster* raster) {
    if (!raster->georeference.known) return;
    double* t = raster->georeference.transform;
    // Of a raster that is turned by a quarter no row is the northernmost, but it can be mirrored.
    bool mirrored = t[1] == 0.0 && t[5] == 0.0 && t[2] * t[4] < 0.0;
    if (t[5] > 0.0 || mirrored) {
        rows_flip(raster->values, raster->width, raster->height);
        t[0] += raster->height * t[2];
        t[3] += raster->height * t[5];
        t[2] = 0.0 - t[2];
        t[5] = 0.0 - t[5];
    }
    if (t[1] < 0.0) {
        columns_flip(raster->values, raster->width, raster->height);
        t[0] += raster->width * t[1];
        t[3] += raster->width * t[4];
        t[1] = 0.0 - t[1];
        t[4] = 0.0 - t[4];
    }
}
