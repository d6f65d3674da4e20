// SPDX-License-Identifier: MIT
// Slope statistics of a height field, in one pass.
//
// Mean and sum of squares are updated cell by cell (Welford 1962): slopes that are all the same
// deviate by 0, not by what rounding leaves of a difference of large sums. The order is that of the
// cells, so the result is the same on every run.
#include "gully/analysis.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

static const double class_degrees[GULLY_SLOPE_CLASSES] = {0, 5, 15, 30, 45};

typedef struct Tally {
    int64_t count;
    double mean, squares, max; // squares: sum of (value - mean)^2
} Tally;

static void tally(Tally* t, double value) {
    t->count++;
    double off = value - t->mean;
    t->mean += off / (double)t->count;
    t->squares += off * (value - t->mean);
    t->max = fmax(t->max, value);
}

static GullySpread spread(const Tally* t) {
    if (t->count == 0) return (GullySpread){0};
    return (GullySpread){t->mean, sqrt(t->squares / (double)t->count), t->max};
}

static int class_of(double degrees) {
    int index = GULLY_SLOPE_CLASSES - 1;
    while (degrees < class_degrees[index])
        index--;
    return index;
}

typedef struct Grid {
    const float* heights; // [m]
    int width, height;
    double cell_x, cell_y; // [m]
} Grid;

// NaN outside and where there is no data.
static double height_at(const Grid* grid, int x, int y) {
    if (x < 0 || y < 0 || x >= grid->width || y >= grid->height) return NAN;
    float height = grid->heights[(size_t)y * (size_t)grid->width + (size_t)x];
    return isfinite(height) ? (double)height : NAN;
}

// The largest of the slopes that there are; NaN if there is none. fmax of NaN and a number is the
// number.
static double slope_at(const Grid* grid, int x, int y) {
    double here = height_at(grid, x, y);
    double west = fabs(here - height_at(grid, x - 1, y));
    double east = fabs(here - height_at(grid, x + 1, y));
    double north = fabs(here - height_at(grid, x, y - 1));
    double south = fabs(here - height_at(grid, x, y + 1));
    return fmax(fmax(west, east) / grid->cell_x, fmax(north, south) / grid->cell_y);
}

double gully_slope_class(int index) {
    assert(index >= 0 && index < GULLY_SLOPE_CLASSES);
    return class_degrees[index];
}

void gully_slope_statistics(const float* heights, int width, int height, double cell_x,
                            double cell_y, GullySlopeStatistics* out) {
    assert(heights && out && width >= 1 && height >= 1 && cell_x > 0 && cell_y > 0);
    Grid grid = {heights, width, height, cell_x, cell_y};
    Tally gradients = {0}, angles = {0};
    int64_t counts[GULLY_SLOPE_CLASSES] = {0};
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            double s = slope_at(&grid, x, y);
            if (isnan(s)) continue;
            double degrees = atan(s) * 180 / M_PI;
            tally(&gradients, s);
            tally(&angles, degrees);
            counts[class_of(degrees)]++;
        }
    }
    *out = (GullySlopeStatistics){gradients.count, spread(&gradients), spread(&angles), 0, {0}};
    if (gradients.mean > 0) out->erosion_score = out->gradient.deviation / out->gradient.mean;
    for (int k = 0; k < GULLY_SLOPE_CLASSES && out->cells > 0; k++)
        out->shares[k] = (double)counts[k] / (double)out->cells;
}
