// The generators: a table of shapes, evaluated at the cells' centres and stretched to the relief.
#include "gully/generate.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "generators.h"
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

/// What the rows of a terrain share while they are made.
typedef struct Making {
    const Generator* generator;
    const GullyGenerateParams* params;
    Canvas canvas;
    double size_in_cells; // of the largest features
    float* heights;
    float low, high; // of all rows
} Making;

static void make_row(void* context, int j, int worker) {
    (void)worker;
    const Making* making = context;
    int width = making->params->width;
    float* row = making->heights + (size_t)j * (size_t)width;
    double y = (j + 0.5) / making->size_in_cells;
    for (int i = 0; i < width; i++) {
        double x = (i + 0.5) / making->size_in_cells;
        row[i] = (float)making->generator->shape(&making->canvas, x, y);
    }
}

static void find_range(Making* making) {
    size_t count = (size_t)making->params->width * (size_t)making->params->height;
    const float* heights = making->heights;
    float low = heights[0], high = heights[0];
    for (size_t k = 1; k < count; k++) {
        low = heights[k] < low ? heights[k] : low;
        high = heights[k] > high ? heights[k] : high;
    }
    making->low = low;
    making->high = high;
}

// Maps the lowest height to the offset and the highest to offset + relief.
static void stretch_row(void* context, int j, int worker) {
    (void)worker;
    const Making* making = context;
    const GullyGenerateParams* params = making->params;
    float* row = making->heights + (size_t)j * (size_t)params->width;
    double low = (double)making->low, high = (double)making->high;
    double range = high > low ? high - low : 1;
    for (int i = 0; i < params->width; i++) {
        double share = ((double)row[i] - low) / range;
        row[i] = (float)(params->offset + params->relief * share);
    }
}

GullyStatus generator_check(const char* kind) {
    return find_generator(kind) ? GULLY_OK : refuse(kind);
}

void generator_run(Pool* pool, const char* kind, const GullyGenerateParams* params,
                   float* heights) {
    int width = params->width, height = params->height;
    double size_in_cells = params->scale * (width > height ? width : height);
    int octaves = octaves_held(params, size_in_cells);
    Canvas canvas = {noise_fractal((uint64_t)params->seed, octaves), width / size_in_cells,
                     height / size_in_cells};
    Making making = {find_generator(kind), params, canvas, size_in_cells, heights, 0, 0};
    pool_run(pool, height, make_row, &making);
    find_range(&making);
    pool_run(pool, height, stretch_row, &making);
}

// ---- public -------------------------------------------------------------------------------------

GullyStatus gully_generate(const char* kind, const GullyGenerateParams* params, float* heights) {
    assert(kind && params && heights && params->width >= 1 && params->height >= 1);
    Pool* pool;
    GullyStatus status = generator_check(kind);
    if (!status) status = pool_create(0, &pool);
    if (status) return status;
    generator_run(pool, kind, params, heights);
    pool_destroy(pool);
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
