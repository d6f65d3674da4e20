// SPDX-License-Identifier: MIT
#include "scenery.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The longest side of the fields: more cells than that show in no picture.
enum { MOST_CELLS = 4096 };

/// Where cells come from: a world or arrays.
typedef struct Source {
    const GullyWorld* world;
    const GullyRenderInput* input; ///< or NULL
    int width, height;             ///< in cells
} Source;

static GullyStatus read_rows(const Source* source, GullyField field, GullyRect rows, float* out) {
    if (source->world) return gully_world_read(source->world, field, rows, out);
    const float* from = source->input->fields[field] + (size_t)rows.y * (size_t)source->width;
    memcpy(out, from, sizeof(float) * (size_t)rows.width * (size_t)rows.height);
    return GULLY_OK;
}

/// Whether a picture needs the field.
static bool is_shown(const Source* source, GullyField field, int materials) {
    static const GullyField always[] = {GULLY_TERRAIN, GULLY_WATER, GULLY_SEDIMENT,
                                        GULLY_FLOW,    GULLY_WEAR,  GULLY_DEPOSIT};
    bool wanted = field >= GULLY_LAYER_0 && field < GULLY_LAYER(materials);
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        wanted = wanted || field == always[i];
    return wanted && (source->world || source->input->fields[field]);
}

/// Mean of the cells that have a value, NaN if none has.
static float mean(const float* cells, int stride, int width, int height) {
    double sum = 0;
    int known = 0;
    for (int j = 0; j < height; j++) {
        for (int i = 0; i < width; i++) {
            float value = cells[(size_t)j * (size_t)stride + (size_t)i];
            if (!isfinite(value)) continue;
            sum += (double)value;
            known++;
        }
    }
    return known > 0 ? (float)(sum / known) : NAN;
}

/// Fills row `y` of a field from `factor` rows of cells.
static GullyStatus reduce_row(GullyScenery* scenery, const Source* source, GullyField field,
                              int factor, int y, float* room) {
    int first = y * factor < source->height ? y * factor : source->height - 1;
    int rows = source->height - first < factor ? source->height - first : factor;
    GullyStatus status = read_rows(source, field, (GullyRect){0, first, source->width, rows}, room);
    if (status) return status;
    float* out = scenery->fields[field] + cell_at(scenery, 0, y);
    for (int x = 0; x < scenery->width; x++) {
        int left = x * factor < source->width ? x * factor : source->width - 1;
        int columns = source->width - left < factor ? source->width - left : factor;
        out[x] = mean(room + left, source->width, columns, rows);
    }
    return GULLY_OK;
}

static GullyStatus no_memory(void) {
    return gully_fail(GULLY_NO_MEMORY, "not enough memory to draw a picture");
}

static GullyStatus read_fields(GullyScenery* scenery, const Source* source, int factor) {
    size_t cells = (size_t)scenery->width * (size_t)scenery->height;
    float* room = malloc(sizeof *room * (size_t)source->width * (size_t)factor);
    GullyStatus status = room ? GULLY_OK : no_memory();
    for (int f = 0; f < GULLY_FIELD_COUNT && !status; f++) {
        if (!is_shown(source, (GullyField)f, scenery->material_count)) continue;
        scenery->fields[f] = malloc(cells * sizeof(float));
        if (!scenery->fields[f]) status = no_memory();
        for (int y = 0; y < scenery->height && !status; y++)
            status = reduce_row(scenery, source, (GullyField)f, factor, y, room);
    }
    free(room);
    return status;
}

/// One idea of where ground is, and no numbers but finite ones where it is.
static void agree_on_ground(GullyScenery* scenery) {
    size_t cells = (size_t)scenery->width * (size_t)scenery->height;
    const float* terrain = scenery->fields[GULLY_TERRAIN];
    for (int f = GULLY_TERRAIN + 1; f < GULLY_FIELD_COUNT; f++) {
        float* field = scenery->fields[f];
        for (size_t k = 0; field && k < cells; k++) {
            if (isnan(terrain[k]))
                field[k] = NAN;
            else if (isnan(field[k]) || (field[k] < 0 && f != GULLY_LAYER_0))
                field[k] = 0;
        }
    }
}

static void measure_heights(GullyScenery* scenery) {
    size_t cells = (size_t)scenery->width * (size_t)scenery->height;
    scenery->low = INFINITY;
    scenery->high = -INFINITY;
    for (size_t k = 0; k < cells; k++) {
        float height = scenery->fields[GULLY_TERRAIN][k];
        scenery->low = fminf(scenery->low, height);
        scenery->high = fmaxf(scenery->high, height + field_at(scenery, GULLY_WATER, k));
    }
    if (!(scenery->high >= scenery->low)) scenery->low = scenery->high = 0; // no ground at all
}

static GullyStatus create(const Source* source, double cell_x, double cell_y,
                          const GullyRenderDef* def, GullyScenery* scenery, GullyScenery** out) {
    int side = source->width > source->height ? source->width : source->height;
    int picture = def->width > def->height ? def->width : def->height;
    int most = 2 * picture < MOST_CELLS ? 2 * picture : MOST_CELLS;
    int factor = (side + most - 1) / most;
    scenery->width = (source->width + factor - 1) / factor;
    scenery->height = (source->height + factor - 1) / factor;
    if (scenery->width < 2) scenery->width = 2;
    if (scenery->height < 2) scenery->height = 2;
    scenery->cell_x = cell_x * factor;
    scenery->cell_y = cell_y * factor;
    GullyStatus status = read_fields(scenery, source, factor);
    if (status) {
        gully_scenery_destroy(scenery);
        return status;
    }
    agree_on_ground(scenery);
    measure_heights(scenery);
    *out = scenery;
    return GULLY_OK;
}

static GullyScenery* with_materials(const GullyMaterial* (*get)(const void*, int), const void* from,
                                    int count) {
    GullyScenery* scenery = calloc(1, sizeof *scenery);
    if (!scenery) {
        no_memory();
        return NULL;
    }
    scenery->material_count = count;
    for (int m = 0; m < count; m++)
        scenery->materials[m] = *get(from, m);
    return scenery;
}

static const GullyMaterial* material_of_world(const void* world, int index) {
    return gully_world_material(world, index);
}

static const GullyMaterial* material_of_array(const void* materials, int index) {
    return (const GullyMaterial*)materials + index;
}

GullyStatus gully_scenery_create(const GullyRenderInput* input, const GullyRenderDef* def,
                                 GullyScenery** out) {
    assert(input && def && out && input->width >= 1 && input->height >= 1);
    assert(input->fields[GULLY_TERRAIN] && input->material_count <= GULLY_MAX_MATERIALS);
    *out = NULL;
    Source source = {NULL, input, input->width, input->height};
    GullyScenery* scenery =
        with_materials(material_of_array, input->materials, input->material_count);
    return scenery ? create(&source, input->cell_x, input->cell_y, def, scenery, out)
                   : GULLY_NO_MEMORY;
}

GullyStatus gully_scenery_take(const GullyWorld* world, const GullyRenderDef* def,
                               GullyScenery** out) {
    assert(world && def && out);
    *out = NULL;
    Source source = {world, NULL, gully_world_width(world), gully_world_height(world)};
    GullyScenery* scenery =
        with_materials(material_of_world, world, gully_world_material_count(world));
    return scenery ? create(&source, gully_world_cell_x(world), gully_world_cell_y(world), def,
                            scenery, out)
                   : GULLY_NO_MEMORY;
}

void gully_scenery_match(GullyScenery* scenery, const GullyScenery* first) {
    scenery->low = first->low;
    scenery->high = first->high;
}

void gully_scenery_destroy(GullyScenery* scenery) {
    if (!scenery) return;
    for (int f = 0; f < GULLY_FIELD_COUNT; f++)
        free(scenery->fields[f]);
    free(scenery);
}
