// SPDX-License-Identifier: MIT
// What needs no file: describing, freeing, looking at and turning rasters.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/raster.h"
#include "notes.h"
#include "raster_files.h"
#include "sidecar.h"

static const double PI = 3.14159265358979323846;

void gully_raster_describe(GullyRaster* raster, const char* name, const char* unit) {
    snprintf(raster->name, sizeof raster->name, "%s", name);
    snprintf(raster->unit, sizeof raster->unit, "%s", unit);
}

bool gully_raster_is_part(const char* name) {
    size_t letters = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return letters > 1 && name[letters] == ':';
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

// ---- how it lies ----

GullyStatus raster_check_angle(const char* path, double east, double north,
                               const GullyRaster* raster) {
    enum { MOST = 1 }; // [deg] off the right angle
    const double* t = raster->georeference.transform;
    double along = t[1] * t[2] * east * east + t[4] * t[5] * north * north;
    double angle = acos(fabs(along) / (raster->cell_x * raster->cell_y)) * (180.0 / PI);
    if (!(angle < 90.0 - MOST)) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: its rows and columns meet at %.0f degrees on the ground; must be 90. "
                      "GDAL makes such a raster of it: gdalwarp -r bilinear IN OUT.tif",
                      path, angle);
}

void raster_note_directions(GullyRaster* raster) {
    const double* t = raster->georeference.transform;
    double degrees = atan2(t[4], t[1]) * (180.0 / PI); // to the left of east
    bool turned = fabs(remainder(degrees, 180.0)) > 0.5;
    if (turned)
        raster_note(raster,
                    "it is turned by %.0f degrees: scenes call the side of its first row north",
                    degrees);
    if (t[5] > 0.0)
        raster_note(raster, "its first row is the southernmost: scenes call that side north");
    if (t[1] < 0.0 && !turned)
        raster_note(raster, "its first column is the easternmost: scenes call that side west");
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
