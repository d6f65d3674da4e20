// SPDX-License-Identifier: MIT
// The generators: a table of shapes, evaluated at the cells' centres and stretched to the relief.
#include "gully/generate.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generators.h"
#include "ranks.h"
#include "shapes.h"

typedef struct Generator {
    GullyGeneratorInfo info;
    Shape* shape;
} Generator;

// clang-format off
static const Generator generators[] = {
    {{"mountains", "a mountain range with ridges, gullies and smoother valleys"}, shape_mountains},
    {{"fbm",       "rolling hills: fractional Brownian motion"}, shape_fbm},
    {{"ridged",    "sharp crests over smooth valleys: ridged multifractal noise"}, shape_ridged},
    {{"billowy",   "round hills with creases between them"}, shape_billowy},
    {{"warped",    "folds and swirls: noise whose places are moved by noise"}, shape_warped},
    {{"island",    "mountains in the sea, on a shelf"}, shape_island},
    {{"volcano",   "a shield volcano with a caldera"}, shape_volcano},
    {{"canyon",    "a river's canyon and side canyons in layered rock"}, shape_canyon},
    {{"dunes",     "sand dunes across a wind from the west"}, shape_dunes},
    {{"plane",     "a plane that falls from north to south; flat if the relief is 0"}, shape_plane},
    {{"slope",     "a slope to the south, slightly rough"}, shape_slope},
    {{"basin",     "four slopes around a flat middle"}, shape_basin},
    {{"channel",   "a slope to the south with the dry, winding bed of a river"}, shape_channel},
    {{"pool",      "a round hole in a plateau; its bottom is white noise"}, shape_pool},
    {{"letters",   "mountains in the shape of the letters PG"}, shape_letters},
};
// clang-format on

enum { GENERATORS = sizeof generators / sizeof generators[0] };

static const Generator* find_generator(const char* kind) {
    for (int g = 0; g < GENERATORS; g++) {
        if (strcmp(generators[g].info.name, kind) == 0) return &generators[g];
    }
    return NULL;
}

static GullyStatus refuse(const char* kind) {
    char kinds[256] = "";
    size_t used = 0;
    for (int g = 0; g < GENERATORS && used < sizeof kinds; g++) {
        int length = snprintf(kinds + used, sizeof kinds - used, "%s%s", g > 0 ? ", " : "",
                              generators[g].info.name);
        used += (size_t)length;
    }
    return gully_fail(GULLY_BAD_INPUT, "there is no terrain \"%s\"; the kinds are %s", kind, kinds);
}

// How many octaves the grid can hold: features finer than 2 cells would alias. At least the first.
static int octaves_held(const GullyGenerateParams* params, double size_in_cells) {
    int count = 1;
    while (count < params->octaves && count < NOISE_MAX_OCTAVES && size_in_cells >= 4) {
        size_in_cells /= 2;
        count++;
    }
    return count;
}

GullyStatus generator_check(const char* kind) {
    return find_generator(kind) ? GULLY_OK : refuse(kind);
}

// ---- rows ---------------------------------------------------------------------------------------

/// Rows that are made together.
typedef struct Making {
    const Generated* generated;
    int first; // row
    float* out;
    struct RowRange {
        float low, high;
    } * ranges; // of the rows as the shape gives them
} Making;

static float* row_of(const Making* making, int item) {
    return making->out + (size_t)item * (size_t)making->generated->params.width;
}

static void shape_row(void* context, int item, int worker) {
    (void)worker;
    const Making* making = context;
    const Generated* generated = making->generated;
    float* row = row_of(making, item);
    double y = (making->first + item + 0.5) / generated->size_in_cells;
    for (int i = 0; i < generated->params.width; i++) {
        double x = (i + 0.5) / generated->size_in_cells;
        row[i] = (float)generated->shape(&generated->canvas, x, y);
    }
}

static void range_row(void* context, int item, int worker) {
    shape_row(context, item, worker);
    const Making* making = context;
    const float* row = row_of(making, item);
    float low = row[0], high = row[0];
    for (int i = 1; i < making->generated->params.width; i++) {
        low = row[i] < low ? row[i] : low;
        high = row[i] > high ? row[i] : high;
    }
    making->ranges[item].low = low;
    making->ranges[item].high = high;
}

// Maps the lowest height to the offset and the highest to offset + relief.
static void stretch_row(void* context, int item, int worker) {
    (void)worker;
    const Making* making = context;
    const GullyGenerateParams* params = &making->generated->params;
    float* row = row_of(making, item);
    double low = (double)making->generated->low, high = (double)making->generated->high;
    double range = high > low ? high - low : 1;
    for (int i = 0; i < params->width; i++) {
        double share = ((double)row[i] - low) / range;
        row[i] = (float)(params->offset + params->relief * share);
    }
}

// ---- a generator on a grid ----------------------------------------------------------------------

// Makes all rows once, for their range, and keeps them if there is room.
static GullyStatus find_range(Generated* generated, Pool* pool, GeneratedRows made, int band,
                              float* space) {
    int width = generated->params.width;
    struct RowRange* ranges = malloc((size_t)band * sizeof *ranges);
    GullyStatus status = GULLY_OK;
    if (!ranges) status = gully_fail(GULLY_NO_MEMORY, "no memory to generate a terrain");
    for (int y = made.first; y < made.end && !status; y += band) {
        int rows = made.end - y < band ? made.end - y : band;
        float* out = generated->kept ? generated->kept + (size_t)y * (size_t)width : space;
        Making making = {generated, y, out, ranges};
        pool_run(pool, rows, range_row, &making);
        if (y == made.first) {
            generated->low = ranges[0].low;
            generated->high = ranges[0].high;
        }
        for (int j = 0; j < rows; j++) {
            generated->low = ranges[j].low < generated->low ? ranges[j].low : generated->low;
            generated->high = ranges[j].high > generated->high ? ranges[j].high : generated->high;
        }
        if (generated->keep)
            status = generated->keep->write(generated->keep->context, y, rows, out);
    }
    free(ranges);
    double low = (double)generated->low, high = (double)generated->high;
    status = ranks_range(made.ranks, status, &low, &high);
    generated->low = (float)low;
    generated->high = (float)high;
    return status;
}

GullyStatus generated_open(const char* kind, const GullyGenerateParams* params, size_t* room,
                           const GullyRows* keep, Pool* pool, GeneratedRows rows, int band,
                           float* space, Generated* out) {
    int width = params->width, height = params->height;
    size_t bytes = (size_t)width * (size_t)height * sizeof(float);
    double size_in_cells = params->scale * (width > height ? width : height);
    int octaves = octaves_held(params, size_in_cells);
    *out = (Generated){.shape = find_generator(kind)->shape,
                       .params = *params,
                       .canvas = {noise_fractal((uint64_t)params->seed, octaves),
                                  width / size_in_cells, height / size_in_cells},
                       .size_in_cells = size_in_cells};
    if (bytes <= *room) out->kept = malloc(bytes);
    if (out->kept) *room -= bytes;
    if (!out->kept) out->keep = keep;
    return find_range(out, pool, rows, band, space);
}

GullyStatus generated_rows(const Generated* generated, Pool* pool, int y, int count, float* out) {
    size_t width = (size_t)generated->params.width;
    Making making = {generated, y, out, NULL};
    if (generated->kept) {
        memcpy(out, generated->kept + (size_t)y * width, (size_t)count * width * sizeof *out);
    } else if (generated->keep) {
        GullyStatus status = generated->keep->read(generated->keep->context, y, count, out);
        if (status) return status;
    } else {
        pool_run(pool, count, shape_row, &making);
    }
    pool_run(pool, count, stretch_row, &making);
    return GULLY_OK;
}

void generated_close(Generated* generated) {
    free(generated->kept);
}

// ---- public -------------------------------------------------------------------------------------

int gully_generator_count(void) {
    return GENERATORS;
}

const GullyGeneratorInfo* gully_generator_info(int index) {
    assert(index >= 0 && index < GENERATORS);
    return &generators[index].info;
}

const GullyParamTable* gully_generate_table(void) {
#define ROW(...) GULLY_PARAM_ROW(GullyGenerateParams, __VA_ARGS__)
    static const GullyParam rows[] = {GULLY_GENERATE_PARAMS(ROW)};
#undef ROW
    static const GullyParamTable table = {
        .name = "terrain",
        .rows = rows,
        .count = sizeof rows / sizeof rows[0],
        .size = sizeof(GullyGenerateParams),
    };
    return &table;
}
