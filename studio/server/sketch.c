// SPDX-License-Identifier: MIT
#include "sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inspect.h"
#include "opening.h"

/// Cells along the longer side of the first one and of the others: generators and their layers are
/// one terrain at any resolution.
enum { SKETCH_SIDE = 128, VARIANT_SIDE = 64 };

// ---- tables -------------------------------------------------------------------------------------

/// The size is not a matter of taste: the page asks for it apart.
static bool is_size(const GullyParam* row) {
    return strcmp(row->name, "width") == 0 || strcmp(row->name, "height") == 0;
}

static json_t* fallback_json(const GullyParam* row) {
    char text[64];
    if (row->kind == GULLY_KIND_flag) return json_boolean(row->fallback != 0);
    if (row->kind != GULLY_KIND_choice) return json_real(row->fallback);
    gully_param_text(row, row->fallback, text, sizeof text);
    return json_string(text);
}

json_t* sketch_rows(const GullyParamTable* table) {
    static const char* const kinds[] = {"number", "integer", "flag", "choice", "number"};
    json_t* list = json_array();
    for (int i = 0; i < table->count; i++) {
        const GullyParam* row = &table->rows[i];
        if (is_size(row)) continue;
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:f, s:f, s:s, s:s}", "name",
                                              row->name, "kind", kinds[row->kind], "default",
                                              fallback_json(row), "low", row->low, "high",
                                              row->high, "unit", row->unit, "help", row->help));
    }
    return list;
}

// ---- what is sketched ---------------------------------------------------------------------------

/// What is asked for: a terrain as a scene has it, and its size.
typedef struct Sketching {
    json_t* terrain;
    json_int_t width, height;
    double cell; ///< [m]
    bool whole;  ///< it has rasters, which are not made smaller: each cell of it is sketched
} Sketching;

/// Whether a JSON value has a raster in it.
static bool names_a_file(const json_t* value) {
    const char* key;
    json_t* item;
    size_t index;
    bool found = json_object_get(value, "file") != NULL;
    json_object_foreach((json_t*)value, key, item) found = found || names_a_file(item);
    json_array_foreach(value, index, item) found = found || names_a_file(item);
    return found;
}

static json_int_t scaled(json_int_t cells, int side, json_int_t longer) {
    const double share = (double)cells * side / (double)longer;
    return share < 1 ? 1 : (json_int_t)(share + 0.5);
}

/// A scene of that terrain alone, with so many cells along the longer side.
static json_t* scene_of(const Sketching* sketching, int side) {
    const json_int_t longer =
        sketching->width > sketching->height ? sketching->width : sketching->height;
    json_t* terrain = json_deep_copy(sketching->terrain);
    if (sketching->whole) side = (int)longer;
    json_object_set_new(terrain, "width", json_integer(scaled(sketching->width, side, longer)));
    json_object_set_new(terrain, "height", json_integer(scaled(sketching->height, side, longer)));
    return json_pack("{s:i, s:o, s:f, s:i}", "gully", 1, "terrain", terrain, "cell_size",
                     sketching->cell * (double)longer / side, "steps", 0);
}

/// The object whose seed counts up: a layer, or all of the terrain.
static json_t* varied(const Sketching* sketching, json_int_t layer) {
    json_t* list = json_object_get(sketching->terrain, "combine");
    json_t* object = layer >= 0 ? json_array_get(list, (size_t)layer) : sketching->terrain;
    return json_is_object(object) ? object : NULL;
}

/// A terrain's seed, or what a layer without one has.
static json_int_t seed_of(const Sketching* sketching, const json_t* object, json_int_t layer) {
    const json_t* seed = json_object_get(object, "seed");
    const json_t* all = json_object_get(sketching->terrain, "seed");
    if (json_is_integer(seed)) return json_integer_value(seed);
    return (json_is_integer(all) ? json_integer_value(all) : 1) + (layer > 0 ? layer : 0);
}

// ---- making it ----------------------------------------------------------------------------------

/// The heights of a scene's terrain as a picture with its range.
static GullyStatus draw(const GullyScene* scene, json_int_t seed, json_t** out) {
    GullyWorld* world = NULL;
    GullyGeoreference georeference;
    GullyStatus status = gully_scene_world(scene, &world, &georeference);
    if (status != GULLY_OK) return status;
    free(georeference.projection);
    const int width = gully_world_width(world), height = gully_world_height(world);
    const size_t count = (size_t)width * (size_t)height;
    float* heights = malloc(count * sizeof *heights);
    float low = INFINITY, high = -INFINITY;
    status = heights
                 ? gully_world_read(world, GULLY_TERRAIN, (GullyRect){0, 0, width, height}, heights)
                 : gully_fail(GULLY_NO_MEMORY, "no memory for a sketch");
    for (size_t i = 0; i < count && status == GULLY_OK; i++) {
        if (heights[i] < low) low = heights[i];
        if (heights[i] > high) high = heights[i];
    }
    if (status == GULLY_OK)
        *out = json_pack("{s:I, s:f, s:f, s:o}", "seed", seed, "low", (double)low, "high",
                         (double)high, "preview", preview_json(heights, width, height, low, high));
    free(heights);
    gully_world_destroy(world);
    return status;
}

static GullyStatus sketch_one(const Command* command, const Sketching* sketching, int side,
                              json_int_t seed, json_t* list) {
    const Message* message = &command->message;
    GullyScene* scene;
    json_t* sketch = NULL;
    GullyStatus status =
        opening_parse(scene_of(sketching, side), message->generate ? message->generate : "combine",
                      command->engine->folders.root, NULL, &scene);
    if (status != GULLY_OK) return status;
    status = draw(scene, seed, &sketch);
    gully_scene_destroy(scene);
    if (sketch) json_array_append_new(list, sketch);
    return status;
}

static GullyStatus sketch_all(const Command* command, Sketching* sketching, json_t* list) {
    const Message* message = &command->message;
    json_t* object = varied(sketching, message->vary);
    const json_int_t count = message->variants > 1 && !sketching->whole ? message->variants : 1;
    if (!object)
        return gully_fail(GULLY_BAD_INPUT, "vary: the number of a layer of combine is wanted, "
                                           "counted from 0");
    json_int_t seed = seed_of(sketching, object, message->vary);
    GullyStatus status = sketch_one(command, sketching, SKETCH_SIDE, seed, list);
    for (json_int_t i = 1; i < count && status == GULLY_OK; i++) {
        seed = seed < 2147483647 ? seed + 1 : 0;
        json_object_set_new(object, "seed", json_integer(seed));
        status = sketch_one(command, sketching, VARIANT_SIDE, seed, list);
    }
    return status;
}

void sketch_terrain(void* context) {
    Command* command = context;
    const Message* message = &command->message;
    Sketching sketching = {.width = message->width ? message->width : OPENING_SIDE,
                           .cell = isnan(message->cell_size) ? OPENING_CELL : message->cell_size};
    sketching.height = message->height ? message->height : sketching.width;
    json_t* list = json_array();
    GullyStatus status = GULLY_OK;
    if (!message->generate == !message->combine)
        status = gully_fail(GULLY_BAD_INPUT, "sketch: one of generate, combine is wanted");
    if (status == GULLY_OK) {
        sketching.terrain = opening_terrain(command->engine, message);
        sketching.whole = names_a_file(message->combine);
        status = sketching.terrain ? sketch_all(command, &sketching, list) : GULLY_BAD_INPUT;
    }
    json_decref(sketching.terrain);
    reply(command->engine, command, status, json_pack("{s:o}", "sketches", list));
    command_free(command);
}
