// SPDX-License-Identifier: MIT
#include "land.h"

#include <stdlib.h>

// ---- making it ----------------------------------------------------------------------------------

static void raise_row(void* context, int y, int worker) {
    (void)worker;
    Land* land = context;
    const GullyScenery* scenery = land->scenery;
    size_t first = cell_at(scenery, 0, y);
    const float* terrain = scenery->fields[GULLY_TERRAIN];
    for (size_t k = first; k < first + (size_t)land->width; k++) {
        land->ground[k] = land->exaggerate * terrain[k];
        float depth = land->exaggerate * field_at(scenery, GULLY_WATER, k);
        land->surface[k] = land->ground[k] + depth;
    }
}

/// The highest corner of each square of four.
static void first_level_row(void* context, int y, int worker) {
    (void)worker;
    Land* land = context;
    const float* north = land->surface + (size_t)y * (size_t)land->width;
    const float* south = north + land->width;
    float* out = land->level[0].highest + (size_t)y * (size_t)land->level[0].width;
    for (int x = 0; x < land->level[0].width; x++) {
        float highest = fmaxf(fmaxf(north[x], north[x + 1]), fmaxf(south[x], south[x + 1]));
        bool hole = isnan(north[x] + north[x + 1] + south[x] + south[x + 1]);
        out[x] = hole ? -INFINITY : highest;
    }
}

static void make_level(Land* land, int l) {
    int width = land->level[l - 1].width, height = land->level[l - 1].height;
    const float* fine = land->level[l - 1].highest;
    float* out = land->level[l].highest;
    for (int y = 0; y < height; y += 2) {
        const float* north = fine + (size_t)y * (size_t)width;
        const float* south = y + 1 < height ? north + width : north;
        for (int x = 0; x < width; x += 2) {
            int east = x + 1 < width ? x + 1 : x;
            *out++ = fmaxf(fmaxf(north[x], north[east]), fmaxf(south[x], south[east]));
        }
    }
}

/// Makes room for the levels, down to one square.
static bool allocate_levels(Land* land) {
    int width = land->width - 1, height = land->height - 1;
    for (int l = 0; l < LAND_LEVELS; l++) {
        land->level[l].width = width;
        land->level[l].height = height;
        land->level[l].highest = malloc(sizeof(float) * (size_t)width * (size_t)height);
        if (!land->level[l].highest) return false;
        land->levels = l + 1;
        if (width == 1 && height == 1) break;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    return true;
}

static void measure(Land* land) {
    land->lowest = INFINITY;
    land->highest = land->level[land->levels - 1].highest[0];
    size_t cells = (size_t)land->width * (size_t)land->height;
    for (size_t k = 0; k < cells; k++)
        land->lowest = fminf(land->lowest, land->ground[k]);
    if (!(land->highest >= land->lowest)) land->lowest = land->highest = 0; // no ground at all
    double low = (double)(land->exaggerate * land->scenery->low);
    double high = (double)(land->exaggerate * land->scenery->high);
    double side = fmax(land->width * land->cell_x, land->height * land->cell_y);
    land->base = fmin(low - 0.15 * (high - low) - 0.025 * side, (double)land->lowest - 1e-3 * side);
}

Land* land_create(const GullyScenery* scenery, double exaggerate, Pool* pool) {
    size_t cells = (size_t)scenery->width * (size_t)scenery->height;
    Land* land = calloc(1, sizeof *land);
    if (land) {
        land->scenery = scenery;
        land->width = scenery->width;
        land->height = scenery->height;
        land->cell_x = scenery->cell_x;
        land->cell_y = scenery->cell_y;
        land->exaggerate = (float)exaggerate;
        land->ground = malloc(cells * sizeof(float));
        land->surface = malloc(cells * sizeof(float));
    }
    if (!land || !land->ground || !land->surface || !allocate_levels(land)) {
        land_destroy(land);
        gully_fail(GULLY_NO_MEMORY, "not enough memory to draw a picture");
        return NULL;
    }
    pool_run(pool, land->height, raise_row, land);
    pool_run(pool, land->height - 1, first_level_row, land);
    for (int l = 1; l < land->levels; l++)
        make_level(land, l);
    measure(land);
    return land;
}

void land_destroy(Land* land) {
    if (!land) return;
    for (int l = 0; l < LAND_LEVELS; l++)
        free(land->level[l].highest);
    free(land->ground);
    free(land->surface);
    free(land);
}

// ---- looking at it ------------------------------------------------------------------------------

Place land_place(const Land* land, double x, double y) {
    int i = (int)x, j = (int)y;
    i = i < 0 ? 0 : i > land->width - 2 ? land->width - 2 : i;
    j = j < 0 ? 0 : j > land->height - 2 ? land->height - 2 : j;
    return (Place){(size_t)j * (size_t)land->width + (size_t)i, clampf((float)(x - i), 0, 1),
                   clampf((float)(y - j), 0, 1)};
}

/// From the neighbours before and after, or the one that is there, or flat.
static double difference(float before, float here, float after, double distance) {
    if (isnan(before)) return isnan(after) ? 0 : (double)(after - here) / distance;
    if (isnan(after)) return (double)(here - before) / distance;
    return (double)(after - before) / (2 * distance);
}

Vec land_corner_slope(const Land* land, const float* grid, int x, int y) {
    const float* here = grid + (size_t)y * (size_t)land->width + x;
    float west = x > 0 ? here[-1] : NAN;
    float east = x + 1 < land->width ? here[1] : NAN;
    float north = y > 0 ? here[-land->width] : NAN;
    float south = y + 1 < land->height ? here[land->width] : NAN;
    return (Vec){difference(west, *here, east, land->cell_x),
                 difference(north, *here, south, land->cell_y), 0};
}

Vec land_slope(const Land* land, const float* grid, Place place) {
    int x = (int)(place.k % (size_t)land->width), y = (int)(place.k / (size_t)land->width);
    double u = (double)place.u, v = (double)place.v;
    Vec north_west = land_corner_slope(land, grid, x, y);
    Vec north_east = land_corner_slope(land, grid, x + 1, y);
    Vec south_west = land_corner_slope(land, grid, x, y + 1);
    Vec south_east = land_corner_slope(land, grid, x + 1, y + 1);
    Vec sum = {0, 0, 0};
    sum = vec_add(sum, north_west, (1 - u) * (1 - v));
    sum = vec_add(sum, north_east, u * (1 - v));
    sum = vec_add(sum, south_west, (1 - u) * v);
    return vec_add(sum, south_east, u * v);
}
