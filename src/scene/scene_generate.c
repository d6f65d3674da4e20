// SPDX-License-Identifier: MIT
#include "scene_generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ANY_LOW = -1e30, ANY_HIGH = 1e30; // of scale and offset
static const int MASK_SEED = 1000;                    // from a layer's seed to its mask's

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// ---- rasters ------------------------------------------------------------------------------------

static GullyStatus read_factor(const SceneView* view, const ScenePath* parent, const json_t* object,
                               const char* name, bool* has, double* out) {
    const json_t* value = json_object_get(object, name);
    ScenePath path = scene_path_key(parent, name);
    *has = value != NULL;
    return value ? scene_number(view, &path, value, ANY_LOW, ANY_HIGH, "", out) : GULLY_OK;
}

void scene_raster_names(SceneNames* names) {
    int count;
    const GullyReadRow* rows = gully_read_rows(&count);
    scene_names_add(names, "scale");
    scene_names_add(names, "offset");
    for (int n = 0; n < count; n++)
        scene_names_add(names, rows[n].name);
}

// A number, or a list of as many as the row takes.
static GullyStatus read_told(const SceneView* view, const ScenePath* path, const json_t* value,
                             const GullyReadRow* row, GullyTold* out) {
    int count = json_is_array(value) ? (int)json_array_size(value) : 1;
    if (count < row->fewest || count > row->most ||
        (row->most > 1 && !json_is_array(value) && row->fewest > 1))
        return scene_fail_type(view, path, value,
                               row->most == 1    ? "a number"
                               : row->fewest > 1 ? "a list of two numbers"
                                                 : "a number, or a list of two");
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < count && !status; n++) {
        const json_t* number = json_is_array(value) ? json_array_get(value, (size_t)n) : value;
        status = scene_number(view, path, number, row->low, row->high, "", &out->numbers[n]);
    }
    out->count = count;
    return status;
}

static GullyStatus read_choice(const SceneView* view, const ScenePath* path, const json_t* value,
                               const GullyReadRow* row, const char** out) {
    GullyStatus status = scene_string(view, path, value, row->arguments, out);
    size_t length = status ? 0 : strlen(*out);
    for (const char* name = row->arguments; !status && *name; name += strspn(name, "|")) {
        size_t next = strcspn(name, "|");
        if (next == length && strncmp(name, *out, length) == 0) return GULLY_OK;
        name += next;
    }
    return status ? status : scene_fail(view, path, "expected one of %s", row->arguments);
}

static GullyStatus read_rows_told(const SceneView* view, const ScenePath* path,
                                  const json_t* object, GullyReadDef* out) {
    int count;
    const GullyReadRow* rows = gully_read_rows(&count);
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < count && !status; n++) {
        const json_t* value = json_object_get(object, rows[n].name);
        ScenePath place = scene_path_key(path, rows[n].name);
        void* member = (char*)out + rows[n].offset;
        if (!value) continue;
        status = rows[n].choice ? read_choice(view, &place, value, &rows[n], member)
                                : read_told(view, &place, value, &rows[n], member);
    }
    return status;
}

static GullyStatus read_file(const SceneView* view, const ScenePath* path, const json_t* object,
                             SceneRaster* out) {
    GullyStatus status = scene_file(view, path, json_object_get(object, "file"), &out->file);
    if (!status) status = read_factor(view, path, object, "scale", &out->has_scale, &out->scale);
    if (!status) status = read_factor(view, path, object, "offset", &out->has_offset, &out->offset);
    return status;
}

GullyStatus scene_raster_read(const SceneView* view, const ScenePath* path, const json_t* object,
                              SceneRaster* out) {
    GullyStatus status = read_file(view, path, object, out);
    return status ? status : read_rows_told(view, path, object, &out->read);
}

// ---- generators ---------------------------------------------------------------------------------

// Those of a generator's parameters that it can have where it is not alone.
static const char* const LAYER_ROWS[] = {"seed", "relief", "offset", "scale", "octaves"};
static const char* const MASK_ROWS[] = {"seed", "scale", "octaves"};
static const char* const BLEND_ROWS[] = {"blend", "amount"};

static void add_names(SceneNames* names, const char* const* more, int count) {
    for (int n = 0; n < count; n++)
        scene_names_add(names, more[n]);
}

// The rows of these names that the object has a value for.
static GullyStatus read_rows(const SceneView* view, const ScenePath* path, const json_t* object,
                             const GullyParamTable* table, const char* const* names, int count,
                             void* params) {
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < count && !status; n++) {
        const json_t* value = json_object_get(object, names[n]);
        ScenePath place = scene_path_key(path, names[n]);
        const GullyParam* row = gully_params_find(table, names[n]);
        if (value) status = scene_row(view, &place, value, row, params);
    }
    return status;
}

GullyStatus scene_kind_read(const SceneView* view, const ScenePath* path, const json_t* object,
                            const char** out) {
    ScenePath place = scene_path_key(path, "generate");
    const json_t* value = json_object_get(object, "generate");
    GullyStatus status = scene_string(view, &place, value, "the name of a terrain", out);
    if (status) return status;
    SceneNames kinds = {0};
    for (int n = 0; n < gully_generator_count(); n++)
        scene_names_add(&kinds, gully_generator_info(n)->name);
    if (scene_names_have(&kinds, *out)) return GULLY_OK;
    return scene_fail_name(view, &place, *out, &kinds, "no such terrain");
}

static int seed_after(int seed, int steps) {
    return (int)(((unsigned)seed + (unsigned)steps) & 0x7fffffffu);
}

// ---- masks --------------------------------------------------------------------------------------

// What a mask can be made of. A range is the value of the key, or else stands as `range`.
typedef struct MaskForm {
    const char* key;
    GullyMaskKind kind;
    bool is_range;
    double low, high; // of ranges
    const char* unit;
    const char* const* rows; // more keys
    int row_count;
} MaskForm;

static const char* const RASTER_KEYS[] = {"scale", "offset", "range"};
static const char* const GENERATOR_KEYS[] = {"seed", "scale", "octaves", "range"};

static const MaskForm MASKS[] = {
    {"generate", GULLY_MASK_VALUES, false, 0, 1, "", GENERATOR_KEYS, COUNT(GENERATOR_KEYS)},
    {"file", GULLY_MASK_VALUES, false, -1e30, 1e30, "", RASTER_KEYS, COUNT(RASTER_KEYS)},
    {"height", GULLY_MASK_HEIGHT, true, -1e30, 1e30, " m", NULL, 0},
    {"slope", GULLY_MASK_SLOPE, true, 0, 90, " degrees", NULL, 0},
};

static const char* const MASK_EXPECTED =
    "{\"generate\": KIND, ...}, {\"file\": F}, {\"height\": [low, high]} or "
    "{\"slope\": [low, high]}";

static GullyStatus find_form(const SceneView* view, const ScenePath* path, const json_t* object,
                             const MaskForm** out) {
    if (!json_is_object(object)) return scene_fail_type(view, path, object, MASK_EXPECTED);
    int found = 0;
    for (int n = 0; n < COUNT(MASKS); n++) {
        if (!json_object_get(object, MASKS[n].key)) continue;
        *out = &MASKS[n];
        found++;
    }
    if (found == 1) return GULLY_OK;
    return scene_fail(view, path, "has %s of generate, file, height and slope; expected %s",
                      found ? "more than one" : "none", MASK_EXPECTED);
}

static GullyStatus read_range(const SceneView* view, const ScenePath* parent, const json_t* object,
                              const MaskForm* form, GullyGenerateMask* out) {
    const char* key = form->is_range ? form->key : "range";
    const json_t* value = json_object_get(object, key);
    if (!value) return GULLY_OK;
    ScenePath path = scene_path_key(parent, key);
    const json_t *low = json_array_get(value, 0), *high = json_array_get(value, 1);
    if (json_array_size(value) == 2 && json_is_number(low) && json_is_number(high)) {
        out->low = json_number_value(low);
        out->high = json_number_value(high);
        out->has_range = true;
        if (out->low >= form->low && out->low <= out->high && out->high <= form->high)
            return GULLY_OK;
    }
    return scene_fail(view, &path, "expected [low, high], from %g to %g%s, the lower one first",
                      form->low, form->high, form->unit);
}

static GullyStatus check_fade(const SceneView* view, const ScenePath* path, const json_t* object,
                              const GullyGenerateMask* mask) {
    if (mask->has_range || !json_object_get(object, "fade")) return GULLY_OK;
    ScenePath place = scene_path_key(path, "fade");
    return scene_fail(view, &place,
                      "fades beyond a range, and this mask has none; expected "
                      "\"range\": [low, high] beside it");
}

static GullyStatus read_mask(const SceneView* view, const ScenePath* path, const json_t* object,
                             int seed, GullyGenerateMask* out, SceneRaster* file) {
    const MaskForm* form = NULL;
    GullyStatus status = find_form(view, path, object, &form);
    if (status) return status;
    SceneNames others = {{form->key}, 1};
    add_names(&others, form->rows, form->row_count);
    GullyGenerateMask mask = {0};
    status = scene_table(view, path, object, gully_generate_mask_table(), &others, &mask);
    mask.kind = form->kind;
    if (!status) status = read_range(view, path, object, form, &mask);
    if (!status) status = check_fade(view, path, object, &mask);
    if (!status && json_object_get(object, "file")) {
        file->read.plain = true; // and its range is that of the values that count
        status = read_file(view, path, object, file);
    }
    if (!status && json_object_get(object, "generate")) {
        gully_params_default(gully_generate_table(), &mask.source.params);
        mask.source.params.seed = seed;
        status = scene_kind_read(view, path, object, &mask.source.kind);
        if (!status)
            status = read_rows(view, path, object, gully_generate_table(), MASK_ROWS,
                               COUNT(MASK_ROWS), &mask.source.params);
    }
    *out = mask;
    return status;
}

// ---- layers -------------------------------------------------------------------------------------

static GullyStatus read_generator(const SceneView* view, const ScenePath* path,
                                  const json_t* object, SceneLayerDefaults defaults,
                                  GullyGenerateLayer* out) {
    bool factors = out->blend == GULLY_BLEND_MULTIPLY;
    GullyGenerateParams* params = &out->source.params;
    params->relief = factors ? 1 : defaults.relief;
    params->seed = defaults.seed;
    GullyStatus status = scene_kind_read(view, path, object, &out->source.kind);
    if (status) return status;
    return read_rows(view, path, object, gully_generate_table(), LAYER_ROWS, COUNT(LAYER_ROWS),
                     params);
}

// Whether an object is a raster or a generator.
static GullyStatus find_source(const SceneView* view, const ScenePath* path, const json_t* object,
                               bool* file) {
    const char* expected = "{\"generate\": KIND, ...} or {\"file\": F, ...}";
    if (!json_is_object(object)) return scene_fail_type(view, path, object, expected);
    *file = json_object_get(object, "file") != NULL;
    if (*file != (json_object_get(object, "generate") != NULL)) return GULLY_OK;
    return scene_fail(view, path, "has %s of file and generate; expected %s",
                      *file ? "both" : "none", expected);
}

static GullyStatus check_layer_keys(const SceneView* view, const ScenePath* path,
                                    const json_t* object, bool file, bool list) {
    SceneNames names = {{file ? "file" : "generate"}, 1};
    if (list) add_names(&names, BLEND_ROWS, COUNT(BLEND_ROWS));
    scene_names_add(&names, "mask");
    if (file)
        scene_raster_names(&names);
    else
        add_names(&names, LAYER_ROWS, COUNT(LAYER_ROWS));
    return scene_check_keys(view, path, object, &names);
}

// The layer `index` of the combination.
static GullyStatus read_layer(const SceneView* view, const ScenePath* path, const json_t* object,
                              SceneLayerDefaults defaults, int index, SceneCombined* out) {
    GullyGenerateLayer* layer = &out->layers[index];
    *layer = gully_generate_layer(NULL);
    bool file = false;
    GullyStatus status = find_source(view, path, object, &file);
    if (!status) status = check_layer_keys(view, path, object, file, out->list);
    if (!status)
        status = read_rows(view, path, object, gully_generate_layer_table(), BLEND_ROWS,
                           COUNT(BLEND_ROWS), layer);
    defaults.seed = seed_after(defaults.seed, index);
    if (!status)
        status = file ? scene_raster_read(view, path, object, &out->files[index])
                      : read_generator(view, path, object, defaults, layer);
    const json_t* mask = json_object_get(object, "mask");
    if (status || !mask) return status;
    ScenePath place = scene_path_key(path, "mask");
    int seed = seed_after(file ? defaults.seed : layer->source.params.seed, MASK_SEED);
    return read_mask(view, &place, mask, seed, &layer->mask, &out->masks[index]);
}

GullyStatus scene_combined_read(const SceneView* view, const ScenePath* path, const json_t* object,
                                SceneLayerDefaults defaults, SceneCombined* out) {
    ScenePath list_path = scene_path_key(path, "combine");
    const json_t* list = json_object_get(object, "combine");
    size_t count = json_array_size(list);
    *out = (SceneCombined){.list = true};
    if (!json_is_array(list))
        return scene_fail_type(view, &list_path, list,
                               "a list of layers [{\"generate\": KIND, ...}, ...]");
    if (count == 0 || count > SCENE_LAYERS)
        return scene_fail(view, &list_path, "has %zu layers; allowed: 1 to %d", count,
                          SCENE_LAYERS);
    out->count = (int)count;
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < out->count && !status; n++) {
        ScenePath place = scene_path_index(&list_path, (size_t)n);
        status = read_layer(view, &place, json_array_get(list, (size_t)n), defaults, n, out);
    }
    return status;
}

GullyStatus scene_combined_read_one(const SceneView* view, const ScenePath* path,
                                    const json_t* object, SceneLayerDefaults defaults,
                                    SceneCombined* out) {
    *out = (SceneCombined){.count = 1};
    return read_layer(view, path, object, defaults, 0, out);
}

bool scene_combined_looks(const SceneCombined* combined) {
    for (int n = 0; n < combined->count; n++) {
        GullyMaskKind kind = combined->layers[n].mask.kind;
        if (kind == GULLY_MASK_HEIGHT || kind == GULLY_MASK_SLOPE) return true;
    }
    return false;
}

ScenePath scene_layer_path(const SceneCombined* combined, const ScenePath* path, int index) {
    if (!combined->list) return *path;
    ScenePath list = scene_path_key(path, "combine");
    return scene_path_index(&list, (size_t)index);
}
