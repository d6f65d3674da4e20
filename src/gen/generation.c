// SPDX-License-Identifier: MIT
// Layers of generators, a band of rows at a time.
//
// A mask of slopes looks at some rows above and below its own. So what is below it is made for those
// rows too, and again for the next band: the halo, a sixteenth of a band at 4096 rows.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "generators.h"
#include "layering.h"

// Memory for the shapes of generators whose cells are kept until they are stretched [bytes].
static const size_t KEPT_BYTES = (size_t)32 << 20;

struct GullyGeneration {
    GullyGenerateDef def;
    GullyGenerateLayer* layers; // the def's
    Generated* generated;       // of each layer, then of each mask
    Pool* pool;
    int reach; // rows that a mask of slopes looks at, above and below
    int halo;  // rows above and below a band that the lowest layer is made for
    int band;  // rows
    float *heights, *values, *mask, *ground; // a band with its halo; the ground's is wider
};

static bool looks_below(const GullyGenerateDef* def, const GullyGenerateLayer* layer) {
    return layer->mask.kind == GULLY_MASK_SLOPE && !def->ground && !def->ground_rows.read;
}

static int clamp_row(const GullyGeneration* generation, int y) {
    return y < 0 ? 0 : y < generation->def.height ? y : generation->def.height;
}

static int first_row(const GullyGenerateDef* def) {
    return def->end_row > 0 ? def->first_row : 0;
}

static int end_row(const GullyGenerateDef* def) {
    return def->end_row > 0 ? def->end_row : def->height;
}

int gully_generate_reach(const GullyGenerateDef* def) {
    return layering_reach(def);
}

// ---- a band -------------------------------------------------------------------------------------

// The rows of a source that the layering has; in `space` unless they are in memory.
static GullyStatus source_rows(const GullyGeneration* generation, const GullyGenerateSource* source,
                               const Generated* generated, const Layering* layering, float* space,
                               const float** out) {
    int y = layering->first, count = layering->count;
    *out = space;
    if (source->kind) return generated_rows(generated, generation->pool, y, count, space);
    if (!source->values) return source->rows.read(source->rows.context, y, count, space);
    *out = source->values + (size_t)y * (size_t)generation->def.width;
    return GULLY_OK;
}

// What a mask of heights or slopes looks at, `reach` rows beyond those of the layering.
static GullyStatus ground_rows(const GullyGeneration* generation, Layering* layering) {
    const GullyGenerateDef* def = &generation->def;
    layering->ground = def->ground;
    layering->ground_first = 0;
    if (def->ground || !def->ground_rows.read) return GULLY_OK;
    int first = clamp_row(generation, layering->first - generation->reach);
    int end = clamp_row(generation, layering->first + layering->count + generation->reach);
    layering->ground = generation->ground;
    layering->ground_first = first;
    return def->ground_rows.read(def->ground_rows.context, first, end - first, generation->ground);
}

// Puts a layer onto rows that begin at `heights`; those below it begin at row `below`.
static GullyStatus put_layer(const GullyGeneration* generation, int n, Layering layering,
                             const float* heights, int below) {
    const GullyGenerateLayer* layer = layering.layer;
    const Generated* generated = generation->generated;
    int count = generation->def.count;
    GullyStatus status = GULLY_OK;
    if (layer->mask.kind == GULLY_MASK_VALUES) {
        layering.ground_first = layering.first;
        status = source_rows(generation, &layer->mask.source, &generated[count + n], &layering,
                             generation->mask, &layering.ground);
    } else if (layer->mask.kind != GULLY_MASK_NONE) {
        status = ground_rows(generation, &layering);
        if (!layering.ground) {
            layering.ground = heights;
            layering.ground_first = below;
        }
    }
    if (layer->mask.kind != GULLY_MASK_NONE) layering.mask = generation->mask;
    if (!status && layering.mask) layering_mask(&layering, generation->pool);
    if (!status)
        status = source_rows(generation, &layer->source, &generated[n], &layering,
                             generation->values, &layering.values);
    if (!status) layering_blend(&layering, generation->pool);
    return status;
}

static GullyStatus make_band(const GullyGeneration* generation, int y, int count, float* out) {
    const GullyGenerateDef* def = &generation->def;
    size_t width = (size_t)def->width;
    int halo = generation->halo;
    int below = clamp_row(generation, y - halo), end = clamp_row(generation, y + count + halo);
    float* heights = generation->heights ? generation->heights : out;
    size_t cells = (size_t)(end - below) * width;
    for (size_t k = 0; k < cells; k++)
        heights[k] = 0;
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < def->count && !status; n++) {
        if (looks_below(def, &def->layers[n])) halo -= generation->reach;
        int first = clamp_row(generation, y - halo);
        Layering layering = {.def = def, .layer = &def->layers[n], .first = first};
        layering.count = clamp_row(generation, y + count + halo) - first;
        layering.heights = heights + (size_t)(first - below) * width;
        status = put_layer(generation, n, layering, heights, below);
    }
    if (heights != out)
        memcpy(out, heights + (size_t)(y - below) * width, (size_t)count * width * sizeof *out);
    return status;
}

// ---- opening ------------------------------------------------------------------------------------

// Decides how far bands reach, and takes the memory for them.
static bool allocate(GullyGeneration* generation) {
    const GullyGenerateDef* def = &generation->def;
    bool mask = false;
    generation->reach = layering_reach(def);
    for (int n = 0; n < def->count; n++) {
        mask = mask || def->layers[n].mask.kind != GULLY_MASK_NONE;
        if (looks_below(def, &def->layers[n])) generation->halo += generation->reach;
    }
    generation->band = gully_band_rows(def->width);
    if (generation->band > def->height) generation->band = def->height;
    size_t row = (size_t)def->width * sizeof(float);
    size_t rows = (size_t)generation->band + 2 * (size_t)generation->halo;
    size_t around = (size_t)generation->band + 2 * (size_t)generation->reach;
    size_t sources = 2 * (size_t)def->count + 1;
    generation->generated = calloc(sources, sizeof *generation->generated);
    generation->values = malloc(rows * row);
    bool heights = generation->halo || def->keep.read; // `out` may be what is kept
    if (heights) generation->heights = malloc(rows * row);
    if (mask) generation->mask = malloc(rows * row);
    if (def->ground_rows.read) generation->ground = malloc(around * row);
    return generation->generated && generation->values && (!heights || generation->heights) &&
           (!mask || generation->mask) && (!def->ground_rows.read || generation->ground);
}

// The only place for cells serves one generator, and only if no band looks at what another made.
static const GullyRows* room_for(const GullyGenerateDef* def) {
    const bool serves = def->count == 1 && def->layers[0].mask.kind == GULLY_MASK_NONE;
    return serves && def->keep.read ? &def->keep : NULL;
}

static GullyStatus open_source(GullyGeneration* generation, const GullyGenerateSource* source,
                               bool mask, size_t* room, Generated* out) {
    if (!source->kind) return GULLY_OK;
    GullyGenerateParams params = source->params;
    params.width = generation->def.width;
    params.height = generation->def.height;
    if (mask) {
        params.offset = 0;
        params.relief = 1;
    }
    // A mask of slopes looks at rows beyond those that are made.
    const GullyGenerateDef* def = &generation->def;
    const GeneratedRows rows = {.ranks = def->ranks ? def->ranks : gully_ranks_alone(),
                                .first = clamp_row(generation, first_row(def) - generation->halo),
                                .end = clamp_row(generation, end_row(def) + generation->halo)};
    return generated_open(source->kind, &params, room, room_for(def), generation->pool, rows,
                          generation->band, generation->values, out);
}

static GullyStatus open_sources(GullyGeneration* generation) {
    const GullyGenerateDef* def = &generation->def;
    size_t room = KEPT_BYTES;
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < def->count && !status; n++) {
        const GullyGenerateLayer* layer = &def->layers[n];
        status = open_source(generation, &layer->source, false, &room, &generation->generated[n]);
        if (!status && layer->mask.kind == GULLY_MASK_VALUES)
            status = open_source(generation, &layer->mask.source, true, &room,
                                 &generation->generated[def->count + n]);
    }
    return status;
}

// ---- public -------------------------------------------------------------------------------------

GullyStatus gully_generation_create(const GullyGenerateDef* def, GullyGeneration** out) {
    assert(def && out && def->width >= 1 && def->height >= 1);
    assert(def->count >= 0 && (def->layers || def->count == 0));
    *out = NULL;
    GullyStatus status = layers_check(def);
    if (status) return status;
    GullyGeneration* generation = calloc(1, sizeof *generation);
    size_t bytes = (size_t)def->count * sizeof *def->layers;
    if (generation) {
        generation->def = *def;
        generation->layers = malloc(bytes + 1);
        if (generation->layers && bytes) memcpy(generation->layers, def->layers, bytes);
        generation->def.layers = generation->layers;
    }
    if (!generation || !generation->layers || !allocate(generation))
        status = gully_fail(GULLY_NO_MEMORY, "out of memory for a terrain of %d x %d cells",
                            def->width, def->height);
    if (!status) status = pool_create(def->threads, &generation->pool);
    if (!status) status = open_sources(generation);
    if (status)
        gully_generation_destroy(generation);
    else
        *out = generation;
    return status;
}

void gully_generation_destroy(GullyGeneration* generation) {
    if (!generation) return;
    for (int n = 0; generation->generated && n < 2 * generation->def.count; n++)
        generated_close(&generation->generated[n]);
    if (generation->pool) pool_destroy(generation->pool);
    free(generation->generated);
    free(generation->layers);
    free(generation->heights);
    free(generation->values);
    free(generation->mask);
    free(generation->ground);
    free(generation);
}

GullyStatus gully_generation_rows(GullyGeneration* generation, int y, int count, float* out) {
    assert(y >= 0 && count >= 0 && count <= generation->def.height - y);
    GullyStatus status = GULLY_OK;
    for (int end = y + count; y < end && !status; y += generation->band) {
        int rows = end - y < generation->band ? end - y : generation->band;
        status = make_band(generation, y, rows, out);
        out += (size_t)rows * (size_t)generation->def.width;
    }
    return status;
}

// ---- at once ------------------------------------------------------------------------------------

// An array as rows.
typedef struct Array {
    float* values;
    size_t width;
} Array;

static GullyStatus read_array(void* context, int y, int count, float* out) {
    const Array* array = context;
    memcpy(out, array->values + (size_t)y * array->width,
           (size_t)count * array->width * sizeof *out);
    return GULLY_OK;
}

static GullyStatus write_array(void* context, int y, int count, const float* in) {
    const Array* array = context;
    memcpy(array->values + (size_t)y * array->width, in, (size_t)count * array->width * sizeof *in);
    return GULLY_OK;
}

GullyStatus gully_generate_layers(const GullyGenerateDef* def, float* heights) {
    assert(def && heights);
    Array array = {heights, (size_t)def->width};
    GullyGenerateDef own = *def;
    GullyGeneration* generation;
    own.keep = (GullyRows){read_array, write_array, &array};
    GullyStatus status = gully_generation_create(&own, &generation);
    if (!status) status = gully_generation_rows(generation, 0, def->height, heights);
    gully_generation_destroy(generation);
    return status;
}

GullyStatus gully_generate(const char* kind, const GullyGenerateParams* params, float* heights) {
    assert(kind && params && heights && params->width >= 1 && params->height >= 1);
    GullyGenerateLayer layer = gully_generate_layer(kind);
    layer.source.params = *params;
    GullyGenerateDef def = {
        .width = params->width, .height = params->height, .layers = &layer, .count = 1};
    return gully_generate_layers(&def, heights);
}
