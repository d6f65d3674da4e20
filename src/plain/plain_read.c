// SPDX-License-Identifier: MIT
// Raster files in without GDAL: PNG and TIFF. Others are refused by name, with what to do.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/export.h"
#include "json_parts.h"
#include "notes.h"
#include "plain_image.h"
#include "raster_files.h"
#include "read_def.h"
#include "units.h"

static const double PI = 3.14159265358979323846;

// ---- numbers ----

static double number_at(const PlainImage* image, size_t index) {
    const unsigned char* at = image->bytes + index * (size_t)image->bits / 8;
    uint64_t bits = 0;
    memcpy(&bits, at, (size_t)image->bits / 8); // little endian, as this machine is
    if (image->kind == PLAIN_FLOAT && image->bits == 32) {
        float value;
        memcpy(&value, at, sizeof value);
        return (double)value;
    }
    if (image->kind == PLAIN_FLOAT) {
        double value;
        memcpy(&value, at, sizeof value);
        return value;
    }
    const int unused = 64 - image->bits;
    if (image->kind == PLAIN_SIGNED) return (double)((int64_t)(bits << unused) >> unused);
    return (double)bits;
}

/// Whether a number of the file is that one, in the file's own type.
static bool is_number(const PlainImage* image, double number, double that) {
    bool single = image->kind == PLAIN_FLOAT && image->bits == 32;
    return single ? (float)number == (float)that : number == that;
}

static void take_values(const PlainImage* image, const GullyReadDef* def, double scale,
                        double offset, float* out) {
    size_t count = (size_t)image->width * (size_t)image->height;
    bool as_it_is = scale == 1.0 && offset == 0.0;
    for (size_t i = 0; i < count; i++) {
        double number = number_at(image, i);
        bool gone =
            (image->has_nodata && is_number(image, number, image->nodata)) ||
            (def->nodata_in.count > 0 && is_number(image, number, def->nodata_in.numbers[0]));
        float value = (float)(as_it_is ? number : number * scale + offset);
        out[i] = gone || !isfinite(value) ? NAN : value;
    }
}

// ---- the place ----

/// Metres per radian at a latitude, along the parallel and the meridian: on the WGS84 ellipsoid, or on
/// a sphere of another planet.
static void metres_per_radian(double axis, double latitude, double* east, double* north) {
    const double earth = 6378137.0, f = 1.0 / 298.257223563;
    const bool other = axis > 0.0 && fabs(axis - earth) >= 0.02 * earth;
    const double a = other ? axis : earth, e2 = other ? 0.0 : f * (2.0 - f);
    double s = sin(latitude), w2 = 1.0 - e2 * s * s;
    *north = a * (1.0 - e2) / (w2 * sqrt(w2));
    *east = a / sqrt(w2) * cos(latitude);
}

/// Metres of a unit of the transform, to the east and to the north.
static GullyStatus find_lengths(const char* path, const PlainImage* image, GullyRaster* out,
                                double* east, double* north) {
    const double* t = image->transform;
    double middle = t[3] + 0.5 * t[4] * out->width + 0.5 * t[5] * out->height;
    *east = *north = image->length > 0.0 ? image->length : 1.0;
    if (image->geographic) {
        double unit = image->angle > 0.0 ? image->angle : PI / 180.0;
        middle *= unit * (180.0 / PI);
        if (!(fabs(middle) < 90.0))
            return gully_fail(GULLY_BAD_INPUT,
                              "%s: its centre is at latitude %g degrees; "
                              "a geographic raster must have it between -90 and 90",
                              path, middle);
        metres_per_radian(image->axis, middle * PI / 180.0, east, north);
        *east *= unit;
        *north *= unit;
    } else if (image->mercator) {
        // On the sphere of the map: y = R atanh(sin latitude), and d latitude = dy cos latitude / R.
        const double radius = 6378137.0;
        double latitude = asin(tanh(middle / radius));
        metres_per_radian(radius, latitude, east, north);
        *east /= radius;
        *north *= cos(latitude) / radius;
        raster_note(out, "a Mercator map: its cells are smaller on the ground at latitude %.2f",
                    latitude * (180.0 / PI));
    } else if (image->stretched) {
        raster_note(out,
                    "a map of the world, whose lengths are not those of the ground: its own were "
                    "taken; give the cells or the extent if they are others");
    } else if (image->unsaid) {
        raster_note(
            out, "it leaves the unit of its lengths to its coordinate system, which is not known "
                 "here: metres were taken; give the cells or the extent if it is feet");
    }
    return GULLY_OK;
}

static GullyStatus place(const char* path, const PlainImage* image, GullyRaster* out) {
    GullyGeoreference* georeference = &out->georeference;
    const double* t = image->transform;
    if (!image->placed || t[1] * t[5] - t[2] * t[4] == 0.0) {
        *georeference = gully_georeference_plain(out->height, 1, 1);
        out->cell_x = out->cell_y = 1;
        return GULLY_OK;
    }
    memcpy(georeference->transform, t, sizeof georeference->transform);
    georeference->known = true;
    georeference->geographic = image->geographic;
    raster_note_directions(out);
    double east, north;
    GullyStatus status = find_lengths(path, image, out, &east, &north);
    if (status) return status;
    out->cell_x = hypot(t[1] * east, t[4] * north);
    out->cell_y = hypot(t[2] * east, t[5] * north);
    if (!(out->cell_x > 0.0 && out->cell_y > 0.0 && isfinite(out->cell_x + out->cell_y)))
        return gully_fail(GULLY_BAD_INPUT, "%s: its cells have no size (%g x %g m)", path,
                          out->cell_x, out->cell_y);
    if (image->projected) raster_note(out, "its coordinate system is not kept here");
    return raster_check_angle(path, east, north, out);
}

// ---- reading ----

static const char* type_name(const PlainImage* image) {
    static const char* const names[3][4] = {{"Byte", "UInt16", "UInt32", "UInt64"},
                                            {"Int8", "Int16", "Int32", "Int64"},
                                            {"", "", "Float32", "Float64"}};
    return names[image->kind][image->bits == 8    ? 0
                              : image->bits == 16 ? 1
                              : image->bits == 32 ? 2
                                                  : 3];
}

/// Makes metres of heights in another unit, and says so. What is no length keeps its unit.
static void heed_unit(const PlainImage* image, const GullyReadDef* def, double* scale,
                      double* offset, GullyRaster* out) {
    bool told = def->scale || def->offset || def->range.count > 0 || def->unit;
    bool says = image->unit[0] != '\0';
    double unit = says ? unit_of_length(image->unit) : 0.0;
    if (says && unit == 0.0 && !told) {
        snprintf(out->unit, sizeof out->unit, "%.*s", (int)sizeof out->unit - 1, image->unit);
        if (!def->plain && !unit_is_of_ours(image->unit))
            raster_note(out,
                        "its unit '%s' is no length that is known: heights are taken for metres",
                        image->unit);
        return;
    }
    if (!says && !told && !def->plain && unit_is_foot(image->length)) unit = image->length;
    if (told || unit > 0.0) snprintf(out->unit, sizeof out->unit, "m");
    if (told || unit == 0.0 || unit == 1.0) return;
    char name[40];
    unit_name(unit, name, sizeof name);
    if (says)
        raster_note(out, "heights in %s, the unit of the band, became metres", name);
    else
        raster_note(out, "heights became metres: taken for %s, as the projection's lengths are",
                    name);
    *scale *= unit;
    *offset *= unit;
}

/// Cells of a raster with a place where its opacity is 0 have no height; of a picture it is opacity.
static GullyStatus heed_alpha(const char* path, const unsigned char* bytes, size_t size,
                              const PlainImage* image, GullyRaster* out) {
    if (image->masked) raster_note(out, "its mask is not heeded here");
    if (image->alpha == 0 || image->alpha == out->band) return GULLY_OK;
    if (!image->placed) {
        raster_note(out, "its alpha is not heeded");
        return GULLY_OK;
    }
    raster_note(out, "cells where its alpha is 0 have no height");
    PlainImage alpha = {0};
    GullyStatus status = tiff_decode(path, bytes, size, image->alpha, &alpha);
    for (size_t i = 0; !status && i < (size_t)out->width * (size_t)out->height; i++)
        if (number_at(&alpha, i) == 0.0) out->values[i] = NAN;
    free(alpha.bytes);
    return status;
}

static GullyStatus take_image(const char* path, const unsigned char* file, size_t size,
                              const char* driver, int band, const PlainImage* image,
                              const GullyReadDef* def, GullyRaster* out, RasterSource* source) {
    *out = (GullyRaster){.width = image->width, .height = image->height};
    out->band = band;
    out->bands = image->bands;
    snprintf(out->driver, sizeof out->driver, "%s", driver);
    snprintf(out->type, sizeof out->type, "%s", type_name(image));
    snprintf(out->name, sizeof out->name, "%s", image->name);
    double scale = image->scale, offset = image->offset;
    GullyStatus status = read_def_scale(path, def, out->type, &scale, &offset);
    if (!status) status = place(path, image, out);
    if (status) return status;
    heed_unit(image, def, &scale, &offset, out);
    out->values = malloc((size_t)out->width * (size_t)out->height * sizeof(float));
    if (!out->values) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    take_values(image, def, scale, offset, out->values);
    status = heed_alpha(path, file, size, image, out);
    if (status) return status;
    status = source_of_values(out, source);
    source->noted = true;
    source->scale = scale;
    source->offset = offset;
    return status;
}

static bool begins_with(const char* bytes, size_t size, const char* mark, size_t length) {
    return size >= length && memcmp(bytes, mark, length) == 0;
}

GullyStatus raster_file_open(const char* path, const GullyReadDef* def, GullyRaster* out,
                             RasterSource* source) {
    *out = (GullyRaster){0};
    char* bytes;
    size_t size;
    GullyStatus status = bytes_read(path, SIZE_MAX / 2, &bytes, &size);
    if (status) return status;
    const unsigned char* file = (const unsigned char*)bytes;
    const int band = def->band.count > 0 ? (int)def->band.numbers[0] : 1;
    bool png = begins_with(bytes, size, "\x89PNG", 4);
    bool tiff = begins_with(bytes, size, "II", 2) || begins_with(bytes, size, "MM", 2);
    PlainImage image = {0};
    if (png)
        status = png_decode(path, file, size, band, &image);
    else if (tiff)
        status = tiff_decode(path, file, size, band, &image);
    else
        status = gully_fail(GULLY_BAD_INPUT,
                            "%s: is not read here; PNG, GeoTIFF and raw numbers with a sidecar "
                            "are. The program reads it: gully convert FILE FILE.tif",
                            path);
    if (!status)
        status =
            take_image(path, file, size, png ? "PNG" : "GTiff", band, &image, def, out, source);
    free(image.bytes);
    free(bytes);
    if (status) gully_raster_free(out);
    return status;
}

GullyStatus gully_mosaic_read(const char* const* paths, int count, const GullyReadDef* def,
                              GullyRaster* out) {
    *out = (GullyRaster){0};
    if (count == 1) return gully_raster_read_as(paths[0], def, out);
    return gully_fail(GULLY_BAD_INPUT, "%s and %d more: mosaics need GDAL, which is not here",
                      paths[0], count - 1);
}
