// SPDX-License-Identifier: MIT
#include "measure.h"

#include <stdlib.h>

#include "quantile.h"

/// Of what a field has more of than another (NULL = than nothing), where it is at least that thick.
static float excess_quantile(const Land* land, GullyField field, const float* less, float least,
                             double share, Histogram* histogram) {
    const float* values = land->scenery->fields[field];
    size_t cells = (size_t)land->width * (size_t)land->height;
    histogram_clear(histogram);
    for (size_t k = 0; values && k < cells; k++) {
        float value = values[k] - (less ? less[k] : 0);
        if (value >= least) histogram_count(histogram, value);
    }
    return histogram_quantile(histogram, share);
}

static float field_quantile(const Land* land, GullyField field, float least, double share,
                            Histogram* histogram) {
    return excess_quantile(land, field, NULL, least, share, histogram);
}

static void measure_ground(const Land* land, Histogram* histogram, Scale* scale) {
    const float* terrain = land->scenery->fields[GULLY_TERRAIN];
    size_t cells = (size_t)land->width * (size_t)land->height;
    float lowest = INFINITY;
    for (size_t k = 0; k < cells; k++)
        lowest = fminf(lowest, terrain[k]);
    histogram_clear(histogram);
    for (size_t k = 0; k < cells; k++) {
        if (!isnan(terrain[k])) histogram_count(histogram, terrain[k] - lowest);
    }
    float low = histogram_quantile(histogram, 0.005), high = histogram_quantile(histogram, 0.998);
    scale->lowest = isfinite(lowest) ? lowest + low : 0;
    double side = fmax(land->width * land->cell_x, land->height * land->cell_y);
    scale->relief = fmaxf(high - low, (float)(0.002 * side)); // a plain has no summits

    histogram_clear(histogram);
    for (int y = 0; y < land->height; y += 2) { // a part of them is enough
        for (int x = 0; x < land->width; x += 2) {
            if (isnan(land->ground[(size_t)y * (size_t)land->width + (size_t)x])) continue;
            Vec slope = land_corner_slope(land, land->ground, x, y);
            histogram_count(histogram, (float)sqrt(vec_dot(slope, slope)));
        }
    }
    scale->steep = fmaxf(histogram_quantile(histogram, 0.9), 0.15f);
}

bool scale_measure(const Land* land, Scale* out) {
    Histogram* histogram = malloc(sizeof *histogram);
    if (!histogram) return false;
    measure_ground(land, histogram, out);
    // Decimetres are clear water, unless most of the land is that wet: then what is deeper is.
    float sheet = field_quantile(land, GULLY_WATER, 0, 0.8, histogram);
    out->water = clampf(field_quantile(land, GULLY_WATER, 0, 0.995, histogram), 0.02f, 0.1f);
    out->water = fmaxf(out->water, fminf(sheet, 0.5f));
    out->lake = fmaxf(field_quantile(land, GULLY_WATER, 0.5f, 0.9, histogram), 2);
    out->sediment = fmaxf(field_quantile(land, GULLY_SEDIMENT, 1e-6f, 0.98, histogram) / 2, 1e-4f);
    out->deposit = fmaxf(excess_quantile(land, GULLY_DEPOSIT, land->scenery->fields[GULLY_WEAR],
                                         1e-6f, 0.95, histogram) /
                             2,
                         1e-3f);
    out->wear = fmaxf(field_quantile(land, GULLY_WEAR, 1e-6f, 0.95, histogram) / 2, 1e-3f);
    out->flow = fmaxf(field_quantile(land, GULLY_FLOW, 0, 0.998, histogram), 1e-9f);
    free(histogram);
    return true;
}
