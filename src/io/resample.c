// SPDX-License-Identifier: MIT
// Rasters with other cells.
//
// Keys' cubic (a = -1/2), along rows and then along columns. When shrinking by s the kernel is s
// times as wide and so cuts off what the new cells cannot hold. A NaN makes every sum that it is in
// a NaN; those few cells are then computed anew, with a tent that has no negative weights, from the
// cells that have a height.
//
// Cell centres are at (i + 1/2); the border row is repeated outside.

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/export.h"

/// The cells of a row or column that one new cell is made of.
typedef struct Taps {
    int first, count;
    double centre;   ///< of the new cell, in old cells from the centre of the first
    double scale;    ///< width of an old cell in units of the kernel
    double* weights; ///< of the cells; sum 1
} Taps;

static double cubic(double x) {
    x = fabs(x);
    if (x < 1.0) return (1.5 * x - 2.5) * x * x + 1.0;
    if (x < 2.0) return ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0;
    return 0.0;
}

static double tent(double x) {
    x = fabs(x);
    return x < 1.0 ? 1.0 - x : 0.0;
}

static Taps taps_of(int index, int before, int after, double reach) {
    double step = (double)before / after;
    Taps taps = {.centre = (index + 0.5) * step - 0.5, .scale = step > 1.0 ? 1.0 / step : 1.0};
    taps.first = (int)ceil(taps.centre - reach / taps.scale);
    taps.count = (int)floor(taps.centre + reach / taps.scale) - taps.first + 1;
    return taps;
}

static int clamp_index(int i, int count) {
    return i < 0 ? 0 : i < count ? i : count - 1;
}

static void weigh(Taps* taps, double* weights) {
    double sum = 0.0;
    for (int k = 0; k < taps->count; ++k) {
        weights[k] = cubic((taps->first + k - taps->centre) * taps->scale);
        sum += weights[k];
    }
    for (int k = 0; k < taps->count; ++k)
        weights[k] /= sum;
    taps->weights = weights;
}

/// A line of `count` numbers, `stride` apart, at one new cell.
static float line_at(const float* line, int count, size_t stride, const Taps* taps) {
    double sum = 0.0;
    for (int k = 0; k < taps->count; ++k)
        sum +=
            taps->weights[k] * (double)line[(size_t)clamp_index(taps->first + k, count) * stride];
    return (float)sum;
}

/// One new cell from the heights around it, some of which are missing.
static float beside_nodata(const GullyRaster* raster, int x, int y, int width, int height) {
    int near_x = clamp_index((int)((x + 0.5) * raster->width / width), raster->width);
    int near_y = clamp_index((int)((y + 0.5) * raster->height / height), raster->height);
    size_t near = (size_t)near_y * (size_t)raster->width + (size_t)near_x;
    if (isnan(raster->values[near])) return NAN;
    Taps across = taps_of(x, raster->width, width, 1.0);
    Taps down = taps_of(y, raster->height, height, 1.0);
    double sum = 0.0, weights = 0.0;
    for (int j = down.first; j < down.first + down.count; ++j)
        for (int i = across.first; i < across.first + across.count; ++i) {
            size_t at = (size_t)clamp_index(j, raster->height) * (size_t)raster->width +
                        (size_t)clamp_index(i, raster->width);
            double weight =
                tent((i - across.centre) * across.scale) * tent((j - down.centre) * down.scale);
            if (isnan(raster->values[at])) continue;
            sum += weight * (double)raster->values[at];
            weights += weight;
        }
    return weights > 0.0 ? (float)(sum / weights) : raster->values[near];
}

/// A cubic overshoots beside cliffs.
static void clamp_heights(const GullyRaster* raster, GullyRaster* out) {
    float low = INFINITY, high = -INFINITY;
    size_t count = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < count; ++i) {
        low = fminf(low, raster->values[i]);
        high = fmaxf(high, raster->values[i]);
    }
    count = (size_t)out->width * (size_t)out->height;
    for (size_t i = 0; i < count; ++i) {
        if (out->values[i] < low) out->values[i] = low;
        if (out->values[i] > high) out->values[i] = high;
    }
}

/// `rows` has the width of the result and the height of the source.
static void resample_values(const GullyRaster* raster, float* rows, double* weights,
                            GullyRaster* out) {
    size_t width = (size_t)out->width;
    for (int x = 0; x < out->width; ++x) {
        Taps taps = taps_of(x, raster->width, out->width, 2.0);
        weigh(&taps, weights);
        for (int y = 0; y < raster->height; ++y)
            rows[(size_t)y * width + (size_t)x] = line_at(
                raster->values + (size_t)y * (size_t)raster->width, raster->width, 1, &taps);
    }
    for (int y = 0; y < out->height; ++y) {
        Taps taps = taps_of(y, raster->height, out->height, 2.0);
        weigh(&taps, weights);
        float* values = out->values + (size_t)y * width;
        for (int x = 0; x < out->width; ++x) {
            values[x] = line_at(rows + x, raster->height, width, &taps);
            if (isnan(values[x])) values[x] = beside_nodata(raster, x, y, out->width, out->height);
        }
    }
    clamp_heights(raster, out);
}

/// The same ground in other cells.
static void resample_place(const GullyRaster* raster, GullyRaster* out) {
    double across = (double)raster->width / out->width;
    double down = (double)raster->height / out->height;
    out->cell_x = raster->cell_x * across;
    out->cell_y = raster->cell_y * down;
    double* t = out->georeference.transform;
    t[1] *= across;
    t[4] *= across;
    t[2] *= down;
    t[5] *= down;
}

GullyStatus gully_raster_resample(const GullyRaster* raster, int width, int height,
                                  GullyRaster* out) {
    assert(raster != NULL && raster->values != NULL && width > 0 && height > 0);
    *out = *raster;
    out->width = width;
    out->height = height;
    size_t count = (size_t)width * (size_t)height;
    const char* projection = raster->georeference.projection;
    out->georeference.projection = projection != NULL ? strdup(projection) : NULL;
    out->values = malloc(count * sizeof(float));
    float* rows = malloc((size_t)width * (size_t)raster->height * sizeof(float));
    size_t most = 4 * ((size_t)raster->width + (size_t)raster->height) + 8; // a kernel's cells
    double* weights = malloc(most * sizeof(double));
    bool ready = out->values != NULL && rows != NULL && weights != NULL &&
                 (projection == NULL || out->georeference.projection != NULL);
    if (ready && width == raster->width && height == raster->height) {
        memcpy(out->values, raster->values, count * sizeof(float));
    } else if (ready) {
        resample_values(raster, rows, weights, out);
        resample_place(raster, out);
    }
    free(rows);
    free(weights);
    if (ready) return GULLY_OK;
    gully_raster_free(out);
    return gully_fail(GULLY_NO_MEMORY, "not enough memory for %d x %d cells", width, height);
}
