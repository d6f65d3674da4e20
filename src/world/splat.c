// SPDX-License-Identifier: MIT
// Splat maps: paints that cover each other, as bytes that add up to 255.
#include "gully/maps.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

enum { WHOLE = 255 };

static const char* const quantities[GULLY_QUANTITY_COUNT] = {
    [GULLY_QUANTITY_SLOPE] = "slope",         [GULLY_QUANTITY_HEIGHT] = "height",
    [GULLY_QUANTITY_LEVEL] = "level",         [GULLY_QUANTITY_WETNESS] = "wetness",
    [GULLY_QUANTITY_CURVATURE] = "curvature", [GULLY_QUANTITY_ASPECT] = "aspect",
    [GULLY_QUANTITY_WATER] = "water",         [GULLY_QUANTITY_FLOW] = "flow",
    [GULLY_QUANTITY_WEAR] = "wear",           [GULLY_QUANTITY_DEPOSIT] = "deposit",
};

static const GullyPaint default_paints[] = {
    {"rock", 1, {{GULLY_QUANTITY_SLOPE, 38, INFINITY, 8}}},
    {"wet", 1, {{GULLY_QUANTITY_WETNESS, 11, INFINITY, 3}}},
    {"meadow", 1, {{GULLY_QUANTITY_SLOPE, -INFINITY, 24, 8}}},
    {"scree", 0, {{0}}},
};

const char* gully_quantity_name(GullyQuantity quantity) {
    return quantities[quantity];
}

const GullyPaint* gully_default_paints(int* count) {
    *count = (int)(sizeof default_paints / sizeof default_paints[0]);
    return default_paints;
}

// Rounds weights, which add up to 1, to bytes that add up to 255: down first, then those that lost
// the most get one more; of equal ones the first.
static void round_weights(const double* weights, int count, unsigned char* bytes) {
    double lost[GULLY_MAX_PAINTS];
    int left = WHOLE;
    for (int k = 0; k < count; k++) {
        double exact = fmin(fmax(weights[k], 0), 1) * WHOLE;
        bytes[k] = (unsigned char)exact;
        lost[k] = exact - bytes[k];
        left -= bytes[k];
    }
    for (; left > 0; left--) {
        int most = 0;
        for (int k = 1; k < count; k++)
            if (lost[k] > lost[most]) most = k;
        bytes[most]++;
        lost[most] -= 1;
    }
}

// Cover 0..1 of each paint, the first on top, becomes its weight; the last takes what is left.
static void stack_covers(double* covers, int count) {
    double through = 1;
    for (int k = 0; k < count - 1; k++) {
        double weight = covers[k] * through;
        through -= weight;
        covers[k] = weight;
    }
    covers[count - 1] = through;
}

// 0 below the edge, 1 above it.
static double rise(double value, double edge, double soft) {
    if (isinf(edge)) return edge < 0 ? 1 : 0;
    if (!(soft > 0)) return value >= edge ? 1 : 0;
    double u = fmin(fmax((value - edge) / soft + 0.5, 0), 1);
    return u * u * (3 - 2 * u);
}

// A quantity that has no data in a cell is nowhere.
static double cover_of(const GullyPaint* paint, const float* const* maps, size_t cell) {
    double cover = 1;
    for (int i = 0; i < paint->range_count; i++) {
        const GullyRange* range = &paint->ranges[i];
        double value = (double)maps[range->quantity][cell];
        if (isnan(value)) return 0;
        cover *= rise(value, range->low, range->soft);
        cover *= rise(-value, -range->high, range->soft);
    }
    return cover;
}

static bool take_nodata(const GullyHeights* heights, size_t cell, int count, unsigned char* bytes) {
    if (isfinite(heights->values[cell])) return false;
    for (int k = 0; k < count; k++)
        bytes[k] = 0;
    return true;
}

void gully_splat_by_rules(const GullyPaint* paints, int count, const float* const* maps,
                          const GullyHeights* heights, unsigned char* weights) {
    assert(paints && maps && heights && weights && count >= 1 && count <= GULLY_MAX_PAINTS);
    size_t cells = (size_t)heights->width * (size_t)heights->height;
    for (size_t i = 0; i < cells; i++, weights += count) {
        if (take_nodata(heights, i, count, weights)) continue;
        double covers[GULLY_MAX_PAINTS];
        for (int k = 0; k < count; k++)
            covers[k] = cover_of(&paints[k], maps, i);
        stack_covers(covers, count);
        round_weights(covers, count, weights);
    }
}

void gully_splat_by_layers(const float* const* layers, int count, double blend,
                           const GullyHeights* heights, unsigned char* weights) {
    assert(layers && heights && weights && count >= 1 && count <= GULLY_MAX_PAINTS && blend > 0);
    size_t cells = (size_t)heights->width * (size_t)heights->height;
    for (size_t i = 0; i < cells; i++, weights += count) {
        if (take_nodata(heights, i, count, weights)) continue;
        double covers[GULLY_MAX_PAINTS], ordered[GULLY_MAX_PAINTS];
        for (int k = 0; k < count; k++) { // from the top
            double thickness = k < count - 1 ? (double)layers[count - 1 - k][i] : 0;
            covers[k] = fmin(fmax(thickness / blend, 0), 1); // fmax of NaN and 0 is 0
        }
        stack_covers(covers, count);
        for (int k = 0; k < count; k++)
            ordered[k] = covers[count - 1 - k];
        round_weights(ordered, count, weights);
    }
}
