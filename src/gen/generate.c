// The generators: a table of shapes, evaluated at the cells' centres and stretched to the relief.
#include "gully/generate.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "pool.h"
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

// Maps the lowest height to the offset and the highest to offset + relief.
static void stretch(const GullyGenerateParams* params, size_t count, float* heights) {
    float low = heights[0], high = heights[0];
    for (size_t k = 1; k < count; k++) {
        low = heights[k] < low ? heights[k] : low;
        high = heights[k] > high ? heights[k] : high;
    }
    double range = high > low ? (double)high - (double)low : 1;
    for (size_t k = 0; k < count; k++) {
        double share = ((double)heights[k] - (double)low) / range;
        heights[k] = (float)(params->offset + params->relief * share);
    }
}

/// What the rows of a terrain share while they are made.
typedef struct Making {
    const Generator* generator;
    Canvas canvas;
    int width;
    double size_in_cells; // of the largest features
    float* heights;
} Making;

static void make_row(void* context, int j, int worker) {
    (void)worker;
    const Making* making = context;
    float* row = making->heights + (size_t)j * (size_t)making->width;
    double y = (j + 0.5) / making->size_in_cells;
    for (int i = 0; i < making->width; i++) {
        double x = (i + 0.5) / making->size_in_cells;
        row[i] = (float)making->generator->shape(&making->canvas, x, y);
    }
}

GullyStatus gully_generate(const char* kind, const GullyGenerateParams* params, float* heights) {
    assert(kind && params && heights && params->width >= 1 && params->height >= 1);
    const Generator* generator = find_generator(kind);
    if (!generator) return refuse(kind);

    int width = params->width, height = params->height;
    double size_in_cells = params->scale * (width > height ? width : height);
    int octaves = octaves_held(params, size_in_cells);
    Canvas canvas = {noise_fractal((uint64_t)params->seed, octaves), width / size_in_cells,
                     height / size_in_cells};
    Making making = {generator, canvas, width, size_in_cells, heights};
    Pool* pool;
    GullyStatus status = pool_create(0, &pool);
    if (status) return status;
    pool_run(pool, height, make_row, &making);
    pool_destroy(pool);
    stretch(params, (size_t)width * (size_t)height, heights);
    return GULLY_OK;
}

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
