// SPDX-License-Identifier: MIT
#include "gully/likeness.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "smooth.h"

GullyLikenessDef gully_likeness_default(void) {
    return (GullyLikenessDef){.made = GULLY_DEF_MADE};
}

static size_t cells_of(const GullyHeights* heights) {
    return (size_t)heights->width * (size_t)heights->height;
}

// ---- what cannot be compared --------------------------------------------------------------------

static GullyStatus check_extent(const GullyHeights* a, const GullyHeights* b) {
    double ax = a->width * a->cell_x, ay = a->height * a->cell_y;
    double bx = b->width * b->cell_x, by = b->height * b->cell_y;
    bool same_x = fabs(ax - bx) <= 0.5 * fmax(a->cell_x, b->cell_x);
    bool same_y = fabs(ay - by) <= 0.5 * fmax(a->cell_y, b->cell_y);
    if (same_x && same_y) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "the extents differ: %g x %g m and %g x %g m", ax, ay, bx,
                      by);
}

static GullyStatus check_start(const GullyHeights* terrain, const GullyHeights* start) {
    if (!start || (start->width == terrain->width && start->height == terrain->height))
        return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "a start must have the cells of its terrain: %d x %d, and this has %d x %d",
                      terrain->width, terrain->height, start->width, start->height);
}

static GullyStatus check(const GullyHeights* a, const GullyHeights* b,
                         const GullyLikenessDef* def) {
    GullyStatus status = gully_def_check(def->made, "gully_likeness_default");
    if (status != GULLY_OK) return status;
    if (!(def->low_pass >= 0 && isfinite(def->low_pass)))
        return gully_fail(GULLY_BAD_INPUT, "a low-pass must be 0 m or longer");
    if (!def->start_a != !def->start_b)
        return gully_fail(GULLY_BAD_INPUT, "both terrains need a start, or none");
    status = check_extent(a, b);
    if (status == GULLY_OK) status = check_start(a, def->start_a);
    return status == GULLY_OK ? check_start(b, def->start_b) : status;
}

// ---- volumes ------------------------------------------------------------------------------------

static double lowest(const GullyHeights* heights) {
    double low = INFINITY;
    for (size_t i = 0; i < cells_of(heights); i++)
        if (isfinite(heights->values[i])) low = fmin(low, (double)heights->values[i]);
    return low;
}

static GullyVolumes volumes(const GullyHeights* terrain, const GullyHeights* start, double low) {
    GullyVolumes sum = {0};
    double area = terrain->cell_x * terrain->cell_y;
    for (size_t i = 0; i < cells_of(terrain); i++) {
        double height = (double)terrain->values[i];
        if (!isfinite(height)) continue;
        sum.above += (height - low) * area;
        double change = start ? height - (double)start->values[i] : 0;
        if (change < 0) sum.eroded -= change * area;
        if (change > 0) sum.deposited += change * area;
    }
    return sum;
}

// ---- on the common grid -------------------------------------------------------------------------

// The terrain, or its change, on the common grid and low-passed.
static bool prepare(const GullyHeights* terrain, const GullyHeights* start, double low_pass,
                    Grid* grid) {
    size_t count = cells_of(terrain);
    float* values = malloc(count * sizeof(float));
    if (!values) return false;
    for (size_t i = 0; i < count; i++)
        values[i] = start ? terrain->values[i] - start->values[i] : terrain->values[i];
    bool made = smooth_coarsen(values, terrain->width, terrain->height, grid);
    free(values);
    double deviation = low_pass / sqrt(12);
    double cell_x = terrain->width * terrain->cell_x / grid->width;
    double cell_y = terrain->height * terrain->cell_y / grid->height;
    return made && smooth_low_pass(grid, deviation / cell_x, deviation / cell_y);
}

static void correlate(const Grid* a, const Grid* b, double mean_a, double mean_b,
                      GullyLikeness* out) {
    double aa = 0, bb = 0, ab = 0;
    size_t count = (size_t)a->width * (size_t)a->height;
    for (size_t i = 0; i < count; i++) {
        double x = (double)a->values[i] - mean_a, y = (double)b->values[i] - mean_b;
        if (!isfinite(x) || !isfinite(y)) continue;
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    out->correlation = aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : (double)NAN;
}

static void measure(const Grid* a, const Grid* b, GullyLikeness* out) {
    double sum_a = 0, sum_b = 0, sum = 0, squares = 0;
    size_t count = (size_t)a->width * (size_t)a->height;
    for (size_t i = 0; i < count; i++) {
        double x = (double)a->values[i], y = (double)b->values[i], apart = fabs(x - y);
        if (!isfinite(apart)) continue;
        out->cells++;
        sum_a += x;
        sum_b += y;
        sum += apart;
        squares += apart * apart;
        out->max = fmax(out->max, apart);
    }
    if (out->cells == 0) return;
    double cells = (double)out->cells;
    out->mean = sum / cells;
    out->rms = sqrt(squares / cells);
    correlate(a, b, sum_a / cells, sum_b / cells, out);
}

static int least(int a, int b) {
    return a < b ? a : b;
}

GullyStatus gully_likeness_measure(const GullyHeights* a, const GullyHeights* b,
                                   const GullyLikenessDef* def, GullyLikeness* out) {
    assert(a && b && def && out);
    GullyStatus status = check(a, b, def);
    if (status != GULLY_OK) return status;
    *out = (GullyLikeness){.width = least(a->width, b->width),
                           .height = least(a->height, b->height),
                           .correlation = (double)NAN};
    double low = fmin(lowest(a), lowest(b));
    out->a = volumes(a, def->start_a, low);
    out->b = volumes(b, def->start_b, low);
    Grid grid_a = {out->width, out->height, NULL}, grid_b = grid_a;
    if (prepare(a, def->start_a, def->low_pass, &grid_a) &&
        prepare(b, def->start_b, def->low_pass, &grid_b))
        measure(&grid_a, &grid_b, out);
    else
        status = gully_fail(GULLY_NO_MEMORY, "not enough memory to compare %d x %d cells", a->width,
                            a->height);
    free(grid_a.values);
    free(grid_b.values);
    return status;
}
