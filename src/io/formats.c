// SPDX-License-Identifier: MIT
#include "formats.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "exr.h"
#include "names.h"
#include "raster_copy.h"
#include "raster_files.h"
#include "raw.h"

// ---- what single formats want ----

static GullyStatus tiff_write(const char* path, const GullyRaster* raster,
                              const GullySidecar* sidecar, GullyOutputs* outputs) {
    GullyRows rows = rows_of_raster(raster);
    return tiff_float_write(path, raster, &rows, sidecar->nodata, outputs);
}

static GullyStatus ascii_check(const char* path, const GullyRaster* raster,
                               const GullySidecar* sidecar) {
    (void)sidecar;
    const double* t = raster->georeference.transform;
    if (t[2] == 0.0 && t[4] == 0.0 && t[1] > 0.0 && t[5] < 0.0) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: an ASCII grid lies north up; this raster is turned (GeoTIFF holds it)",
                      path);
}

/// Reads "N47E011" at the start of a name. False if it is none.
static bool hgt_corner(const char* path, int* latitude, int* longitude) {
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    char north, east, end;
    int count = sscanf(name, "%c%2d%c%3d%c", &north, latitude, &east, longitude, &end);
    if (count != 5 || end != '.' || strlen(name) != strlen("N47E011.hgt")) return false;
    north = (char)toupper(north);
    east = (char)toupper(east);
    if (strchr("NS", north) == NULL || strchr("EW", east) == NULL) return false;
    if (north == 'S') *latitude = -*latitude;
    if (east == 'W') *longitude = -*longitude;
    return abs(*latitude) <= 90 && abs(*longitude) <= 180;
}

/// Whether a geographic raster is the square of one degree that its name says, to half a cell.
static GullyStatus hgt_check_place(const char* path, const GullyRaster* raster, int latitude,
                                   int longitude) {
    const GullyGeoreference* georeference = &raster->georeference;
    if (!georeference->known || georeference->projection == NULL) return GULLY_OK;
    const double* t = georeference->transform;
    double west = t[0] + 0.5 * t[1], east = west + (raster->width - 1) * t[1];
    double north = t[3] + 0.5 * t[5], south = north + (raster->height - 1) * t[5];
    if (georeference->geographic && fabs(west - longitude) < 0.5 * fabs(t[1]) &&
        fabs(south - latitude) < 0.5 * fabs(t[5]) && fabs(east - west - 1.0) < fabs(t[1]) &&
        fabs(north - south - 1.0) < fabs(t[5]))
        return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: HGT is the square of one degree that its name says, in degrees; this "
                      "raster goes from %g, %g to %g, %g%s",
                      path, west, south, east, north,
                      georeference->geographic ? "" : " in a projection");
}

static GullyStatus hgt_check(const char* path, const GullyRaster* raster,
                             const GullySidecar* sidecar) {
    int latitude, longitude;
    int width = raster->width, height = raster->height;
    if (!((height == 1201 && width == 1201) ||
          (height == 3601 && (width == 3601 || width == 1801))))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: HGT cannot have %d x %d cells; allowed: 1201 x 1201, 3601 x 3601, "
                          "1801 x 3601",
                          path, width, height);
    if (!hgt_corner(path, &latitude, &longitude))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: HGT is named after its south-west corner, like N47E011.hgt", path);
    if (sidecar->min < -32767.0 || sidecar->max > 32767.0)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: heights from %g to %g m; HGT holds -32767 to 32767 m", path,
                          sidecar->min, sidecar->max);
    return hgt_check_place(path, raster, latitude, longitude);
}

static GullyStatus exr_check(const char* path, const GullyRaster* raster,
                             const GullySidecar* sidecar) {
    (void)raster;
    (void)sidecar;
    if (exr_is_there()) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "%s: this build has no EXR: it was made without OpenEXR",
                      path);
}

// ---- the table ----

// clang-format off
static const Format formats[] = {
    {.info = {"tif", "tif|tiff", "GeoTIFF, 32-bit float", false},
     .numbers = GULLY_FLOAT32, .placed = true, .streams = true, .usual = NAN, .write = tiff_write},
    {.info = {"cog", "", "cloud optimized GeoTIFF, 32-bit float, compressed, with overviews", false},
     .numbers = GULLY_FLOAT32, .placed = true, .usual = NAN, .write = cog_write},
    {.info = {"png16", "png", "PNG, 16-bit grey", true},
     .numbers = GULLY_UINT16, .flips = true, .big = true, .write = png16_write},
    {.info = {"exr", "exr", "OpenEXR, 32-bit float, channel Y", true},
     .numbers = GULLY_FLOAT32, .flips = true, .usual = NAN, .check = exr_check, .write = exr_write},
    {.info = {"r16", "r16|raw", "raw numbers, unsigned 16-bit", true},
     .numbers = GULLY_UINT16, .flips = true, .orders = true, .write = raw_write},
    {.info = {"r32", "r32", "raw numbers, 32-bit float", true},
     .numbers = GULLY_FLOAT32, .flips = true, .orders = true, .usual = NAN, .write = raw_write},
    {.info = {"asc", "asc", "ESRI ASCII grid", false},
     .numbers = GULLY_FLOAT32, .usual = -9999, .check = ascii_check, .write = ascii_write},
    {.info = {"hgt", "hgt", "SRTM HGT, whole metres, one degree square", true},
     .numbers = GULLY_INT16, .big = true, .usual = -32768, .check = hgt_check, .write = raw_write},
};
// clang-format on

enum { FORMATS = sizeof formats / sizeof formats[0] };

int gully_format_count(void) {
    return FORMATS;
}

const GullyFormatInfo* gully_format_info(int index) {
    assert(index >= 0 && index < FORMATS);
    return &formats[index].info;
}

void format_list(bool (*has)(const Format* format), char* buffer, size_t size) {
    buffer[0] = '\0';
    for (int i = 0; i < FORMATS; ++i)
        if (has == NULL || has(&formats[i])) names_append(buffer, size, formats[i].info.name);
}

const Format* format_named(const char* path, const char* name) {
    char list[256];
    for (int i = 0; i < FORMATS; ++i)
        if (strcmp(formats[i].info.name, name) == 0) return &formats[i];
    format_list(NULL, list, sizeof list);
    gully_fail(GULLY_BAD_INPUT, "%s: there is no format '%s'; there are %s", path, name, list);
    return NULL;
}

const Format* format_by_extension(const char* path) {
    const char* slash = strrchr(path, '/');
    const char* dot = strrchr(slash != NULL ? slash : path, '.');
    char list[256] = "";
    for (int i = 0; i < FORMATS; ++i) {
        if (dot != NULL && names_have(formats[i].info.extensions, dot + 1)) return &formats[i];
        if (formats[i].info.extensions[0] != '\0')
            names_append(list, sizeof list, formats[i].info.extensions);
    }
    for (char* c = list; *c != '\0'; ++c)
        if (*c == '|') *c = '/';
    gully_fail(GULLY_BAD_INPUT,
               "%s: its name does not say a format; it must end with one of %s, or --format names "
               "one",
               path, list);
    return NULL;
}

void format_extension(const Format* format, char* buffer, size_t size) {
    const char* names = format->info.extensions[0] != '\0' ? format->info.extensions : "tif";
    snprintf(buffer, size, "%.*s", (int)strcspn(names, "|"), names);
}
