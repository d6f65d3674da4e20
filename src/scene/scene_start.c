// SPDX-License-Identifier: MIT
#include "scene_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene_rows.h"

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

// Where one rank has written a field, all have it.
static GullyStatus write_nothing(const SceneStartField* field, GullyWorld* world, bool written,
                                 GullyStatus status) {
    const GullyRect own = gully_world_own(world);
    const float none = 0;
    int64_t any = written;
    status = gully_ranks_most(gully_world_ranks(world), status, &any);
    if (status || !any || written) return status;
    return gully_world_write(world, field->field, (GullyRect){0, own.y, 0, 0}, &none);
}

// Writes what the rows have into a field of the world. As long as they have nothing but what a new
// world has, the field need not be there; a parameter's is in any case.
static GullyStatus write_rows(const SceneStartField* field, const ScenePath* path,
                              const SceneView* view, const GullyRows* rows, GullyWorld* world) {
    const GullyRect own = gully_world_own(world);
    int width = own.width, height = own.y + own.height;
    int band = gully_band_rows(width) < own.height ? gully_band_rows(width) : own.height;
    size_t row = (size_t)width, cells = (size_t)band * row;
    float* values = malloc(2 * cells * sizeof *values);
    bool plain = strcmp(field->section, "params") != 0;
    GullyStatus status = values ? GULLY_OK : scene_no_memory();
    for (int y = own.y; y < height && !status; y += band) {
        GullyRect rect = {0, y, width, height - y < band ? height - y : band};
        float* terrain = values + cells;
        status = rows->read(rows->context, y, rect.height, values);
        if (status) break;
        status = gully_world_read(world, GULLY_TERRAIN, rect, terrain);
        for (int j = 0; j < rect.height && !status; j++) {
            float* at = values + (size_t)j * row;
            status = check_row(field, y + j, terrain + (size_t)j * row, at, width);
            for (int i = 0; i < width; i++)
                plain = plain && at[i] == (float)field->fallback;
        }
        if (!status && !plain) status = gully_world_write(world, field->field, rect, values);
        if (status) status = scene_fail_in(view, path, status, NULL);
    }
    free(values);
    return write_nothing(field, world, !plain, status);
}

// Thickness and shares are no heights.
static GullyStatus make_of_file(const SceneView* view, const ScenePath* path,
                                const SceneStartField* field, const char* folder,
                                GullyWorld* world) {
    SceneRaster raster = {.file = field->file, .read = {.plain = true}};
    SceneFile file;
    GullyStatus status = scene_file_open(view, path, folder, &raster, &file);
    if (!status)
        status = scene_file_check(&file, field->file, gully_world_width(world),
                                  gully_world_height(world));
    GullyRows rows = scene_file_rows(&file);
    if (!status) status = write_rows(field, &file.place, view, &rows, world);
    scene_file_close(&file);
    return status;
}

// What generators make may go beyond what is allowed: soil that is nowhere below 0 thick.
typedef struct Clamping {
    const SceneStartField* field;
    GullyRows rows;
    size_t width;
} Clamping;

static GullyStatus clamp_rows(void* context, int y, int count, float* out) {
    const Clamping* clamping = context;
    GullyStatus status = clamping->rows.read(clamping->rows.context, y, count, out);
    float low = (float)clamping->field->low, high = (float)clamping->field->high;
    size_t cells = status ? 0 : (size_t)count * clamping->width;
    for (size_t k = 0; k < cells; k++)
        out[k] = out[k] < low ? low : out[k] > high ? high : out[k];
    return status;
}

// Combines the layers on the cells of the world, whose terrain is what masks look at. Nodata of
// rasters counts as 0.
static GullyStatus make_of_layers(const SceneView* view, const ScenePath* path,
                                  const SceneStartField* field, const SceneCombined* combined,
                                  const char* folder, GullyWorld* world) {
    GullyGenerateDef def = {.width = gully_world_width(world),
                            .height = gully_world_height(world),
                            .cell_x = gully_world_cell_x(world),
                            .cell_y = gully_world_cell_y(world)};
    SceneLand land = {0};
    SceneCombining* combining = calloc(1, sizeof *combining);
    if (!combining) return scene_no_memory();
    GullyStatus status = scene_combining_open(view, path, folder, combined, true, combining);
    scene_rows_share(&def, world);
    if (!status && scene_combined_looks(combined)) {
        status = scene_land_open(world, gully_generate_reach(&def), &land);
        def.ground_rows = scene_land_rows(&land);
    }
    if (!status) status = scene_combining_begin(combining, combined, def);
    Clamping clamping = {field, scene_combining_rows(combining), (size_t)def.width};
    GullyRows rows = {.read = clamp_rows, .context = &clamping};
    if (!status) status = write_rows(field, path, view, &rows, world);
    scene_combining_end(combining);
    scene_land_close(&land);
    free(combining);
    return status;
}

static GullyStatus make_field(const SceneView* view, const SceneStart* start, int index,
                              const char* folder, GullyWorld* world) {
    const SceneStartField* field = &start->fields[index];
    ScenePath section = scene_path_key(NULL, field->section);
    ScenePath path = scene_path_key(&section, field->name);
    if (start->combined[index].count > 0)
        return make_of_layers(view, &path, field, &start->combined[index], folder, world);
    if (field->file) return make_of_file(view, &path, field, folder, world);
    if (field->value == field->fallback) return GULLY_OK;
    return gully_world_fill(world, field->field, (float)field->value);
}

GullyStatus scene_start_make(const SceneView* view, const SceneStart* start, const char* folder,
                             GullyWorld* world) {
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < start->count && !status; n++)
        status = make_field(view, start, n, folder, world);
    return status;
}
