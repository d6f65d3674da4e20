// Layers of generators: each blended with what is below it, where its mask lets it.
//
//   b' = b + w c(b, v),   w = amount * mask
//
// b: below, v: the layer, c: the whole change of its blend. All of it is point by point, in double,
// and a mask that looks at slopes looks as far at any resolution: a combination is as much the same
// mountain on a finer grid as its generators are.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "blend.h"
#include "generators.h"
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

// What the rows of a mask, and of its layer, share.
typedef struct Layering {
    const GullyGenerateDef* def;
    const GullyGenerateLayer* layer;
    Edges edges;
    const float* ground; // what the mask looks at
    const float* values; // of the layer
    float* mask;
    float* heights;
} Layering;

static double difference(const Layering* layering, int i0, int j0, int i1, int j1) {
    size_t width = (size_t)layering->def->width;
    const float* ground = layering->ground;
    return (double)ground[(size_t)j1 * width + (size_t)i1] -
           (double)ground[(size_t)j0 * width + (size_t)i0];
}

// The tangent of the slope, by differences over the same distance at any resolution: 1/512 of the
// longer side to either side, one-sided at borders.
static double steepness(const Layering* layering, int i, int j) {
    const GullyGenerateDef* def = layering->def;
    int longer = def->width > def->height ? def->width : def->height;
    int reach = (longer + 256) / 512 > 1 ? (longer + 256) / 512 : 1;
    int west = i > reach ? i - reach : 0, north = j > reach ? j - reach : 0;
    int east = i + reach < def->width ? i + reach : def->width - 1;
    int south = j + reach < def->height ? j + reach : def->height - 1;
    double x = 0, y = 0;
    if (east > west) x = difference(layering, west, j, east, j) / ((east - west) * def->cell_x);
    if (south > north)
        y = difference(layering, i, north, i, south) / ((south - north) * def->cell_y);
    return sqrt(x * x + y * y);
}

static void mask_row(void* context, int j, int worker) {
    (void)worker;
    const Layering* layering = context;
    const GullyGenerateMask* mask = &layering->layer->mask;
    int width = layering->def->width;
    size_t first = (size_t)j * (size_t)width;
    for (int i = 0; i < width; i++) {
        size_t k = first + (size_t)i;
        double value = mask->kind == GULLY_MASK_SLOPE ? steepness(layering, i, j)
                                                      : (double)layering->ground[k];
        layering->mask[k] = masked(mask, &layering->edges, value);
    }
}

// Layers that multiply can leave what a float holds; this stays in it.
static float bounded(double height) {
    const double most = GULLY_HIGHEST;
    return (float)(height > most ? most : height < -most ? -most : height);
}

static void blend_row(void* context, int j, int worker) {
    (void)worker;
    const Layering* layering = context;
    Blend* change = blends[layering->layer->blend];
    int width = layering->def->width;
    size_t first = (size_t)j * (size_t)width;
    for (size_t k = first; k < first + (size_t)width; k++) {
        double b = (double)layering->heights[k], v = (double)layering->values[k];
        double w = layering->layer->amount * (layering->mask ? (double)layering->mask[k] : 1);
        if (w == 0) continue; // also where the layer is nodata
        layering->heights[k] = isnan(v) ? NAN : bounded(b + w * change(b, v));
    }
}

// ---- layers -------------------------------------------------------------------------------------

// Memory for one layer and its mask, as far as any layer needs it.
typedef struct Scratch {
    float* layer;
    float* mask;
} Scratch;

static GullyStatus allocate(const GullyGenerateDef* def, Scratch* out) {
    bool layer = false, mask = false;
    for (int n = 0; n < def->count; n++) {
        layer = layer || def->layers[n].source.kind;
        mask = mask || def->layers[n].mask.kind != GULLY_MASK_NONE;
    }
    size_t size = (size_t)def->width * (size_t)def->height * sizeof(float);
    if (layer) out->layer = malloc(size);
    if (mask) out->mask = malloc(size);
    if ((!layer || out->layer) && (!mask || out->mask)) return GULLY_OK;
    return gully_fail(GULLY_NO_MEMORY, "out of memory for a terrain of %d x %d cells", def->width,
                      def->height);
}

// The values of a source, made in `space` if they are not there yet.
static const float* values_of(Pool* pool, const GullyGenerateDef* def,
                              const GullyGenerateSource* source, bool mask, float* space) {
    if (!source->kind) return source->values;
    GullyGenerateParams params = source->params;
    params.width = def->width;
    params.height = def->height;
    if (mask) {
        params.offset = 0;
        params.relief = 1;
    }
    generator_run(pool, source->kind, &params, space);
    return space;
}

static void put_layer(Pool* pool, const GullyGenerateDef* def, const GullyGenerateLayer* layer,
                      const Scratch* scratch, float* heights) {
    const GullyGenerateMask* mask = &layer->mask;
    Layering layering = {.def = def, .layer = layer, .heights = heights};
    if (mask->kind != GULLY_MASK_NONE) {
        layering.edges = edges_of(mask);
        layering.mask = scratch->mask;
        layering.ground = def->ground ? def->ground : heights;
        if (mask->kind == GULLY_MASK_VALUES)
            layering.ground = values_of(pool, def, &mask->source, true, scratch->mask);
        pool_run(pool, def->height, mask_row, &layering);
    }
    layering.values = values_of(pool, def, &layer->source, false, scratch->layer);
    pool_run(pool, def->height, blend_row, &layering);
}

static GullyStatus check(const GullyGenerateDef* def) {
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < def->count && !status; n++) {
        const GullyGenerateLayer* layer = &def->layers[n];
        const GullyGenerateMask* mask = &layer->mask;
        assert(layer->blend >= 0 && layer->blend < BLENDS);
        assert(layer->source.kind || layer->source.values);
        bool by_values = mask->kind == GULLY_MASK_VALUES;
        assert(!by_values || mask->source.kind || mask->source.values);
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

GullyStatus gully_generate_layers(const GullyGenerateDef* def, float* heights) {
    assert(def && heights && def->width >= 1 && def->height >= 1);
    assert(def->count >= 0 && (def->layers || def->count == 0));
    Scratch scratch = {0};
    Pool* pool = NULL;
    GullyStatus status = check(def);
    if (!status) status = allocate(def, &scratch);
    if (!status) status = pool_create(def->threads, &pool);
    if (!status) {
        size_t cells = (size_t)def->width * (size_t)def->height;
        for (size_t k = 0; k < cells; k++)
            heights[k] = 0;
        for (int n = 0; n < def->count; n++)
            put_layer(pool, def, &def->layers[n], &scratch, heights);
        pool_destroy(pool);
    }
    free(scratch.layer);
    free(scratch.mask);
    return status;
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
