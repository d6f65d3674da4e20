#include "scene_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What can be given under `initial`; the values are those of gully_world_create.
static const SceneStartField INITIAL[] = {
    {"initial", "water", GULLY_WATER, 0, 0, 1e6, "m", 0, NULL},
    {"initial", "sediment", GULLY_SEDIMENT, 0, 0, 1e6, "m", 0, NULL},
    {"initial", "hardness", GULLY_HARDNESS, 1, 0, 1, "", 1, NULL},
};

enum { INITIALS = sizeof INITIAL / sizeof INITIAL[0] };

// Parameters that a raster may give.
static const SceneStartField MAPS[SCENE_MAPS] = {
    {"params", "uplift", GULLY_UPLIFT, 0, 0, 100, "m/year", 0, NULL},
    {"params", "rain", GULLY_RAINFALL, 1, 0, 1e6, "", 1, NULL},
};

// A layer of the ground; the materials follow each other as the fields do.
static SceneStartField layer_field(const SceneMaterials* materials, int index) {
    const SceneStartField bare = {"layers", NULL, GULLY_LAYER_0, 0, 0, 1e6, "m", 0, NULL};
    SceneStartField layer = bare;
    layer.name = materials->items[index].name;
    layer.field = GULLY_LAYER(index);
    return layer;
}

// ---- reading ------------------------------------------------------------------------------------

// Their generators' seeds are far from each other's and from those of the terrain.
static const int SEEDS_BETWEEN = 100;

static GullyStatus read_file(const SceneView* view, const ScenePath* path, const json_t* object,
                             SceneStart* out, int index) {
    SceneNames names = {{"file"}, 1};
    GullyStatus status = scene_check_keys(view, path, object, &names);
    if (status) return status;
    return scene_file(view, path, json_object_get(object, "file"), &out->fields[index].file);
}

static SceneLayerDefaults defaults_of(int index) {
    return (SceneLayerDefaults){.seed = (index + 1) * SEEDS_BETWEEN, .relief = 1};
}

// Thickness and shares are no heights: a projection in feet says nothing of them.
static void make_plain(SceneCombined* combined) {
    for (int n = 0; n < combined->count; n++)
        combined->files[n].read.plain = true;
}

static GullyStatus read_generated(const SceneView* view, const ScenePath* path,
                                  const json_t* object, SceneStart* out, int index) {
    return scene_combined_read_one(view, path, object, defaults_of(index), &out->combined[index]);
}

static GullyStatus read_combined(const SceneView* view, const ScenePath* path, const json_t* object,
                                 SceneStart* out, int index) {
    SceneNames names = {{"combine"}, 1};
    GullyStatus status = scene_check_keys(view, path, object, &names);
    if (status) return status;
    status = scene_combined_read(view, path, object, defaults_of(index), &out->combined[index]);
    make_plain(&out->combined[index]);
    return status;
}

// What a field can be, if not a number.
static const struct {
    const char* key;
    GullyStatus (*read)(const SceneView* view, const ScenePath* path, const json_t* object,
                        SceneStart* out, int index);
} FORMS[] = {{"file", read_file}, {"generate", read_generated}, {"combine", read_combined}};

enum { FORM_COUNT = sizeof FORMS / sizeof FORMS[0] };

static GullyStatus read_object(const SceneView* view, const ScenePath* path, const json_t* object,
                               const char* expected, SceneStart* out, int index) {
    SceneNames names = {0};
    int found = 0, last = 0;
    for (int n = 0; n < FORM_COUNT; n++) {
        scene_names_add(&names, FORMS[n].key);
        if (!json_object_get(object, FORMS[n].key)) continue;
        last = n;
        found++;
    }
    if (found == 1) return FORMS[last].read(view, path, object, out, index);
    GullyStatus status = scene_check_keys(view, path, object, &names);
    return status ? status : scene_fail(view, path, "expected %s", expected);
}

static GullyStatus read_field(const SceneView* view, const ScenePath* path, const json_t* value,
                              SceneStart* out, int index) {
    const char* expected =
        "a number, {\"file\": F}, {\"generate\": KIND, ...} or {\"combine\": [...]}";
    SceneStartField* field = &out->fields[index];
    if (json_is_object(value)) return read_object(view, path, value, expected, out, index);
    if (!json_is_number(value)) return scene_fail_type(view, path, value, expected);
    return scene_number(view, path, value, field->low, field->high, field->unit, &field->value);
}

// The fields `first` to `end`-1, which are those of a section.
static GullyStatus read_section(const SceneView* view, const char* section, SceneStart* out,
                                int first, int end) {
    ScenePath path = scene_path_key(NULL, section);
    const json_t* object = json_object_get(view->root, section);
    SceneNames names = {0};
    for (int n = first; n < end; n++)
        scene_names_add(&names, out->fields[n].name);
    if (!object) return GULLY_OK;
    GullyStatus status = scene_check_keys(view, &path, object, &names);
    for (int n = first; n < end && !status; n++) {
        const json_t* value = json_object_get(object, out->fields[n].name);
        ScenePath place = scene_path_key(&path, out->fields[n].name);
        if (value) status = read_field(view, &place, value, out, n);
    }
    return status;
}

// Whether there can be layers as the scene has them, in words of their own.
static GullyStatus check_layers(const SceneView* view, const SceneMaterials* materials) {
    const json_t* layers = json_object_get(view->root, "layers");
    ScenePath path = scene_path_key(NULL, "layers");
    if (!layers) return GULLY_OK;
    if (materials->count == 0)
        return scene_fail(view, &path,
                          "needs materials, and this scene has none; expected \"materials\": "
                          "[{\"name\": ...}, ...] beside it");
    const char* bedrock = materials->items[0].name;
    if (!json_object_get(layers, bedrock)) return GULLY_OK;
    SceneNames names = {0};
    for (int n = 1; n < materials->count; n++)
        scene_names_add(&names, materials->items[n].name);
    ScenePath place = scene_path_key(&path, bedrock);
    return scene_fail_name(view, &place, "", &names,
                           "the first material is the bedrock, which goes down without end and has "
                           "no thickness");
}

GullyStatus scene_start_read(const SceneView* view, const SceneMaterials* materials,
                             SceneStart* out) {
    *out = (SceneStart){.count = INITIALS};
    memcpy(out->fields, INITIAL, sizeof INITIAL);
    for (int n = 1; n < materials->count; n++)
        out->fields[out->count++] = layer_field(materials, n);
    out->first_map = out->count;
    for (int n = 0; n < SCENE_MAPS; n++)
        out->fields[out->count++] = MAPS[n];
    GullyStatus status = read_section(view, "initial", out, 0, INITIALS);
    if (!status) status = check_layers(view, materials);
    if (!status) status = read_section(view, "layers", out, INITIALS, out->first_map);
    if (!status) status = scene_start_add_maps(view, view->root, out);
    return status;
}

static GullyStatus add_map(const SceneView* view, const char* file, SceneStart* out, int map) {
    ScenePath params = scene_path_key(NULL, "params");
    ScenePath path = scene_path_key(&params, MAPS[map].name);
    if (out->maps[map] && strcmp(out->maps[map], file) != 0)
        return scene_fail(view, &path,
                          "another raster, %s, gives it already; allowed: one for the whole run",
                          out->maps[map]);
    if (out->maps[map]) return GULLY_OK;
    out->maps[map] = strdup(file);
    out->fields[out->first_map + map].file = out->maps[map];
    return out->maps[map] ? GULLY_OK : scene_no_memory();
}

GullyStatus scene_start_add_maps(const SceneView* view, const json_t* root, SceneStart* out) {
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < SCENE_MAPS && !status; n++) {
        const json_t* map = json_object_get(json_object_get(root, "params"), MAPS[n].name);
        const char* file = json_string_value(json_object_get(map, "file"));
        if (file) status = add_map(view, file, out, n);
    }
    return status;
}

void scene_start_free(SceneStart* start) {
    for (int n = 0; n < SCENE_MAPS; n++)
        free(start->maps[n]);
}

// ---- making -------------------------------------------------------------------------------------

// Checks the values of one row where there is ground and makes them plain where there is none.
// Nodata counts as 0.
static GullyStatus check_row(const SceneStartField* field, int row, const float* terrain,
                             float* values, int width) {
    for (int i = 0; i < width; i++) {
        if (isnan(values[i])) values[i] = 0;
        if (isnan(terrain[i])) values[i] = (float)field->fallback;
        if (values[i] >= field->low && values[i] <= field->high) continue;
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: %.9g in column %d of row %d is out of range; allowed: %s from %g to "
                          "%g%s%s%s",
                          field->file, (double)values[i], i, row, field->name, field->low,
                          field->high, field->unit[0] ? " [" : "", field->unit,
                          field->unit[0] ? "]" : "");
    }
    return GULLY_OK;
}

static GullyStatus write_raster(GullyWorld* world, const SceneStartField* field,
                                GullyRaster* raster) {
    int width = gully_world_width(world), height = gully_world_height(world);
    if (raster->width != width || raster->height != height)
        return gully_fail(GULLY_BAD_INPUT, "%s has %d x %d cells; allowed: %d x %d, as the terrain",
                          field->file, raster->width, raster->height, width, height);
    float* terrain = malloc((size_t)width * sizeof *terrain);
    if (!terrain) return scene_no_memory();
    GullyStatus status = GULLY_OK;
    bool plain = true;
    for (int j = 0; j < height && !status; j++) {
        float* values = raster->values + (size_t)j * (size_t)width;
        status = gully_world_read(world, GULLY_TERRAIN, (GullyRect){0, j, width, 1}, terrain);
        if (!status) status = check_row(field, j, terrain, values, width);
        for (int i = 0; i < width; i++)
            plain = plain && values[i] == (float)field->fallback;
    }
    free(terrain);
    if (status || (plain && strcmp(field->section, "params") != 0)) return status;
    return gully_world_write(world, field->field, gully_world_all(world), raster->values);
}

static GullyStatus make_of_file(const SceneStartField* field, RasterAhead* ahead,
                                GullyWorld* world) {
    GullyRaster raster = {0};
    GullyStatus status = raster_ahead_take(ahead, &raster);
    if (!status) status = write_raster(world, field, &raster);
    gully_raster_free(&raster);
    return status;
}

// Nodata counts as 0.
static void fill_nodata(SceneRasters* rasters) {
    for (int n = 0; n < SCENE_LAYERS; n++) {
        GullyRaster* raster = &rasters->layers[n];
        if (!raster->values) continue;
        size_t count = (size_t)raster->width * (size_t)raster->height;
        for (size_t k = 0; k < count; k++)
            if (isnan(raster->values[k])) raster->values[k] = 0;
    }
}

// What generators make may go beyond what is allowed: soil that is nowhere below 0 thick.
static void clamp(const SceneStartField* field, const GullyRaster* raster) {
    size_t count = (size_t)raster->width * (size_t)raster->height;
    float low = (float)field->low, high = (float)field->high;
    for (size_t k = 0; k < count; k++) {
        float value = raster->values[k];
        raster->values[k] = value < low ? low : value > high ? high : value;
    }
}

// Combines the layers on the cells of the world, whose terrain is what masks look at.
static GullyStatus combine(const SceneView* view, const ScenePath* path,
                           const SceneCombined* combined, const SceneRasters* rasters,
                           const GullyWorld* world, GullyRaster* out) {
    GullyGenerateDef def = {.width = gully_world_width(world),
                            .height = gully_world_height(world),
                            .cell_x = gully_world_cell_x(world),
                            .cell_y = gully_world_cell_y(world)};
    size_t size = (size_t)def.width * (size_t)def.height * sizeof(float);
    bool looks = scene_combined_looks(combined);
    float* ground = looks ? malloc(size) : NULL;
    *out = (GullyRaster){.width = def.width, .height = def.height, .values = malloc(size)};
    GullyStatus status = out->values && (ground || !looks) ? GULLY_OK : scene_no_memory();
    if (!status && ground)
        status = gully_world_read(world, GULLY_TERRAIN, gully_world_all(world), ground);
    def.ground = ground;
    if (!status) status = scene_combined_make(view, path, combined, rasters, def, out->values);
    free(ground);
    return status;
}

static GullyStatus make_of_layers(const SceneView* view, const ScenePath* path,
                                  const SceneStartField* field, const SceneCombined* combined,
                                  const char* folder, GullyWorld* world) {
    SceneRasters rasters;
    GullyRaster raster = {0};
    GullyStatus status = scene_rasters_load(view, path, folder, combined, &rasters);
    fill_nodata(&rasters);
    if (!status) status = combine(view, path, combined, &rasters, world, &raster);
    if (!status) clamp(field, &raster);
    if (!status) status = write_raster(world, field, &raster);
    gully_raster_free(&raster);
    scene_rasters_free(&rasters);
    return status;
}

static GullyStatus make_field(const SceneView* view, const SceneStart* start, int index,
                              const char* folder, RasterAhead* ahead, GullyWorld* world) {
    const SceneStartField* field = &start->fields[index];
    ScenePath section = scene_path_key(NULL, field->section);
    ScenePath path = scene_path_key(&section, field->name);
    ScenePath file = scene_path_key(&path, "file");
    if (start->combined[index].count > 0)
        return make_of_layers(view, &path, field, &start->combined[index], folder, world);
    if (!field->file && field->value == field->fallback) return GULLY_OK;
    if (!field->file) return gully_world_fill(world, field->field, (float)field->value);
    GullyStatus status = make_of_file(field, ahead, world);
    return status ? scene_fail_in(view, &file, status, NULL) : GULLY_OK;
}

GullyStatus scene_start_begin(const SceneStart* start, const char* folder, SceneStartFiles* files) {
    for (int n = 0; n < start->count; n++) {
        if (!start->fields[n].file) continue;
        char* path = scene_file_path(folder, start->fields[n].file);
        files->ahead[n] = path ? raster_ahead_begin(path) : NULL;
        free(path);
        if (!files->ahead[n]) return scene_no_memory();
    }
    return GULLY_OK;
}

void scene_start_end(SceneStartFiles* files) {
    for (int n = 0; n < SCENE_STARTS; n++)
        raster_ahead_destroy(files->ahead[n]);
}

GullyStatus scene_start_make(const SceneView* view, const SceneStart* start, const char* folder,
                             SceneStartFiles* files, GullyWorld* world) {
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < start->count && !status; n++)
        status = make_field(view, start, n, folder, files->ahead[n], world);
    return status;
}
