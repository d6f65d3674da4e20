// SPDX-License-Identifier: MIT
// Layers of generators: each blended with what is below it, where its mask lets it.
//
//   b' = b + w c(b, v),   w = amount * mask
//
// b: below, v: the layer, c: the whole change of its blend. All of it is point by point, in double,
// and a mask that looks at slopes looks as far at any resolution: a combination is as much the same
// mountain on a finer grid as its generators are.
#include <assert.h>
#include <math.h>

#include "blend.h"
#include "generators.h"
#include "layering.h"
#include "shapes.h"

// ---- blends -------------------------------------------------------------------------------------

typedef double Blend(double below, double layer);

static double add(double b, double v) {
    (void)b;
    return v;
}

static double subtract(double b, double v) {
    (void)b;
    return -v;
}

static double multiply(double b, double v) {
    return b * v - b;
}

static double lower(double b, double v) {
    return v < b ? v - b : 0;
}

static double higher(double b, double v) {
    return v > b ? v - b : 0;
}

static double replace(double b, double v) {
    return v - b;
}

static Blend* const blends[] = {
    [GULLY_BLEND_ADD] = add,   [GULLY_BLEND_SUBTRACT] = subtract, [GULLY_BLEND_MULTIPLY] = multiply,
    [GULLY_BLEND_MIN] = lower, [GULLY_BLEND_MAX] = higher,        [GULLY_BLEND_MIX] = replace,
};

enum { BLENDS = sizeof blends / sizeof blends[0] };

double blend_change(int blend, double below, double layer) {
    return blends[blend](below, layer);
}

// ---- masks --------------------------------------------------------------------------------------

// Where a mask rises from 0 to 1 and falls again.
typedef struct Edges {
    double rise_from, rise_to;
    double fall_from, fall_to;
} Edges;

// The tangent of an angle [deg], no steeper than this. As a float: the last bits of a tangent are
// not the same everywhere.
static const double STEEPEST = 89;

static double tangent(double angle) {
    angle = angle > STEEPEST ? STEEPEST : angle < -STEEPEST ? -STEEPEST : angle;
    return (double)(float)tan(angle * (3.14159265358979323846 / 180));
}

static Edges edges_of(const GullyGenerateMask* mask) {
    Edges edges = {mask->low - mask->fade, mask->low, mask->high, mask->high + mask->fade};
    if (mask->kind != GULLY_MASK_SLOPE) return edges;
    bool open = mask->high >= STEEPEST; // up to any cliff
    return (Edges){tangent(edges.rise_from), tangent(edges.rise_to),
                   open ? INFINITY : tangent(edges.fall_from),
                   open ? INFINITY : tangent(edges.fall_to)};
}

static double rise(double from, double to, double value) {
    if (value >= to) return 1;
    return value > from ? smooth_step(from, to, value) : 0;
}

static double clamp(double value) {
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

// The mask where the quantity it looks at is `value`.
static float masked(const GullyGenerateMask* mask, const Edges* edges, double value) {
    if (isnan(value)) return 0;
    double share = mask->has_range ? rise(edges->rise_from, edges->rise_to, value) *
                                         rise(-edges->fall_to, -edges->fall_from, -value)
                                   : clamp(value);
    return (float)(mask->invert ? 1 - share : share);
}

static double difference(const Layering* layering, int i0, int j0, int i1, int j1) {
    size_t width = (size_t)layering->def->width;
    const float* ground = layering->ground;
    int first = layering->ground_first;
    return (double)ground[(size_t)(j1 - first) * width + (size_t)i1] -
           (double)ground[(size_t)(j0 - first) * width + (size_t)i0];
}

int layering_reach(const GullyGenerateDef* def) {
    int longer = def->width > def->height ? def->width : def->height;
    return (longer + 256) / 512 > 1 ? (longer + 256) / 512 : 1;
}

// The tangent of the slope, by differences over the same distance at any resolution: 1/512 of the
// longer side to either side, one-sided at borders.
static double steepness(const Layering* layering, int i, int j) {
    const GullyGenerateDef* def = layering->def;
    int reach = layering_reach(def);
    int west = i > reach ? i - reach : 0, north = j > reach ? j - reach : 0;
    int east = i + reach < def->width ? i + reach : def->width - 1;
    int south = j + reach < def->height ? j + reach : def->height - 1;
    double x = 0, y = 0;
    if (east > west) x = difference(layering, west, j, east, j) / ((east - west) * def->cell_x);
    if (south > north)
        y = difference(layering, i, north, i, south) / ((south - north) * def->cell_y);
    return sqrt(x * x + y * y);
}

static void mask_row(void* context, int item, int worker) {
    (void)worker;
    const Layering* layering = context;
    const GullyGenerateMask* mask = &layering->layer->mask;
    const Edges edges = edges_of(mask);
    size_t width = (size_t)layering->def->width;
    int j = layering->first + item;
    const float* ground = layering->ground + (size_t)(j - layering->ground_first) * width;
    float* out = layering->mask + (size_t)item * width;
    for (int i = 0; i < layering->def->width; i++) {
        double value =
            mask->kind == GULLY_MASK_SLOPE ? steepness(layering, i, j) : (double)ground[i];
        out[i] = masked(mask, &edges, value);
    }
}

// Layers that multiply can leave what a float holds; this stays in it.
static float bounded(double height) {
    const double most = GULLY_HIGHEST;
    return (float)(height > most ? most : height < -most ? -most : height);
}

static void blend_row(void* context, int item, int worker) {
    (void)worker;
    const Layering* layering = context;
    Blend* change = blends[layering->layer->blend];
    int width = layering->def->width;
    size_t first = (size_t)item * (size_t)width;
    for (size_t k = first; k < first + (size_t)width; k++) {
        double b = (double)layering->heights[k], v = (double)layering->values[k];
        double w = layering->layer->amount * (layering->mask ? (double)layering->mask[k] : 1);
        if (w == 0) continue; // also where the layer is nodata
        layering->heights[k] = isnan(v) ? NAN : bounded(b + w * change(b, v));
    }
}

void layering_mask(const Layering* layering, Pool* pool) {
    pool_run(pool, layering->count, mask_row, (void*)layering);
}

void layering_blend(const Layering* layering, Pool* pool) {
    pool_run(pool, layering->count, blend_row, (void*)layering);
}

GullyStatus layers_check(const GullyGenerateDef* def) {
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < def->count && !status; n++) {
        const GullyGenerateLayer* layer = &def->layers[n];
        const GullyGenerateMask* mask = &layer->mask;
        assert(layer->blend >= 0 && layer->blend < BLENDS);
        assert(layer->source.kind || layer->source.values || layer->source.rows.read);
        bool by_values = mask->kind == GULLY_MASK_VALUES;
        assert(!by_values || mask->source.kind || mask->source.values || mask->source.rows.read);
        assert(by_values || mask->kind == GULLY_MASK_NONE || mask->has_range);
        if (layer->source.kind) status = generator_check(layer->source.kind);
        if (!status && by_values && mask->source.kind) status = generator_check(mask->source.kind);
    }
    return status;
}

// ---- public -------------------------------------------------------------------------------------

GullyGenerateLayer gully_generate_layer(const char* kind) {
    GullyGenerateLayer layer;
    gully_params_default(gully_generate_layer_table(), &layer); // the rest of it is 0
    layer.source.kind = kind;
    gully_params_default(gully_generate_mask_table(), &layer.mask);
    gully_params_default(gully_generate_table(), &layer.source.params);
    gully_params_default(gully_generate_table(), &layer.mask.source.params);
    return layer;
}

const GullyParamTable* gully_generate_layer_table(void) {
#define ROW(...) GULLY_PARAM_ROW(GullyGenerateLayer, __VA_ARGS__)
    static const GullyParam rows[] = {GULLY_GENERATE_LAYER_PARAMS(ROW)};
#undef ROW
    static const GullyParamTable table = {
        .name = "terrain.combine",
        .rows = rows,
        .count = sizeof rows / sizeof rows[0],
        .size = sizeof(GullyGenerateLayer),
    };
    return &table;
}

const GullyParamTable* gully_generate_mask_table(void) {
#define ROW(...) GULLY_PARAM_ROW(GullyGenerateMask, __VA_ARGS__)
    static const GullyParam rows[] = {GULLY_GENERATE_MASK_PARAMS(ROW)};
#undef ROW
    static const GullyParamTable table = {
        .name = "terrain.combine.mask",
        .rows = rows,
        .count = sizeof rows / sizeof rows[0],
        .size = sizeof(GullyGenerateMask),
    };
    return &table;
}
