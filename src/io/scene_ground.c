#include "scene_ground.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double GENERATED_CELL = 10;              // [m]
static const double CELL_LOW = 1e-6, CELL_HIGH = 1e9; // [m]
static const double ANY_LOW = -1e30, ANY_HIGH = 1e30; // of scale and offset

// ---- reading ------------------------------------------------------------------------------------

static GullyStatus read_factor(const SceneView* view, const ScenePath* parent,
                               const json_t* terrain, const char* name, bool* has, double* out) {
    const json_t* value = json_object_get(terrain, name);
    ScenePath path = scene_path_key(parent, name);
    *has = value != NULL;
    return value ? scene_number(view, &path, value, ANY_LOW, ANY_HIGH, "", out) : GULLY_OK;
}

static GullyStatus read_terrain_file(const SceneView* view, const ScenePath* path,
                                     const json_t* terrain, SceneGround* out) {
    SceneNames names = {{"file", "scale", "offset"}, 3};
    GullyStatus status = scene_check_keys(view, path, terrain, &names);
    if (!status) status = scene_file(view, path, json_object_get(terrain, "file"), &out->file);
    if (!status) status = read_factor(view, path, terrain, "scale", &out->has_scale, &out->scale);
    if (!status)
        status = read_factor(view, path, terrain, "offset", &out->has_offset, &out->offset);
    return status;
}

static GullyStatus read_generated(const SceneView* view, const ScenePath* path,
                                  const json_t* terrain, SceneGround* out) {
    ScenePath place = scene_path_key(path, "generate");
    const json_t* value = json_object_get(terrain, "generate");
    GullyStatus status = scene_string(view, &place, value, "the name of a terrain", &out->kind);
    if (status) return status;
    SceneNames kinds = {0};
    for (int n = 0; n < gully_generator_count(); n++)
        scene_names_add(&kinds, gully_generator_info(n)->name);
    if (!scene_names_have(&kinds, out->kind))
        return scene_fail_name(view, &place, out->kind, &kinds, "no such terrain");
    SceneNames others = {{"generate"}, 1};
    GullyGenerateParams* params = &out->generate;
    gully_params_default(gully_generate_table(), params);
    status = scene_table(view, path, terrain, gully_generate_table(), &others, params);
    if (status || params->width <= INT_MAX / params->height) return status;
    return scene_fail(view, path, "has %d x %d cells; allowed: %d in all", params->width,
                      params->height, INT_MAX);
}

static GullyStatus read_terrain(const SceneView* view, SceneGround* out) {
    ScenePath path = scene_path_key(NULL, "terrain");
    const json_t* terrain = json_object_get(view->root, "terrain");
    const char* expected = "{\"file\": F} or {\"generate\": KIND, ...}";
    if (!terrain) return scene_fail(view, &path, "missing; expected %s", expected);
    if (!json_is_object(terrain)) return scene_fail_type(view, &path, terrain, expected);
    bool file = json_object_get(terrain, "file") != NULL;
    bool generate = json_object_get(terrain, "generate") != NULL;
    if (file == generate)
        return scene_fail(view, &path, "has %s of file and generate; expected %s",
                          file ? "both" : "none", expected);
    return file ? read_terrain_file(view, &path, terrain, out)
                : read_generated(view, &path, terrain, out);
}

static bool is_cell(double size) {
    return size >= CELL_LOW && size <= CELL_HIGH;
}

static GullyStatus read_cell_size(const SceneView* view, SceneGround* out) {
    ScenePath path = scene_path_key(NULL, "cell_size");
    const json_t* value = json_object_get(view->root, "cell_size");
    out->has_cell = value != NULL;
    out->cell_x = out->cell_y = out->file ? 0 : GENERATED_CELL;
    if (!value) return GULLY_OK;
    bool list = json_is_array(value) && json_array_size(value) == 2;
    const json_t* x = list ? json_array_get(value, 0) : value;
    const json_t* y = list ? json_array_get(value, 1) : value;
    if (json_is_number(x) && json_is_number(y)) {
        out->cell_x = json_number_value(x);
        out->cell_y = json_number_value(y);
        if (is_cell(out->cell_x) && is_cell(out->cell_y)) return GULLY_OK;
    }
    return scene_fail(view, &path,
                      "expected [x, y] in metres, both > 0 (from %g to %g), or one number for both",
                      CELL_LOW, CELL_HIGH);
}

static GullyStatus read_half(const SceneView* view, SceneGround* out) {
    ScenePath path = scene_path_key(NULL, "half");
    const json_t* value = json_object_get(view->root, "half");
    if (value && !json_is_boolean(value))
        return scene_fail_type(view, &path, value, "true or false");
    out->half = json_is_true(value);
    return GULLY_OK;
}

GullyStatus scene_ground_read(const SceneView* view, SceneGround* out) {
    *out = (SceneGround){0};
    GullyStatus status = read_terrain(view, out);
    if (!status) status = read_cell_size(view, out);
    if (!status) status = read_half(view, out);
    if (!status) status = scene_materials_read(view, &out->materials);
    if (!status) status = scene_start_read(view, &out->materials, &out->start);
    return status;
}

// ---- making the terrain -------------------------------------------------------------------------

// Gives a raster other cells than its file has. Degrees stay degrees: they say where it lies.
// Otherwise both steps of the transform keep their direction and its units and get a new length.
static void replace_cells(GullyRaster* raster, double cell_x, double cell_y) {
    GullyGeoreference* georeference = &raster->georeference;
    double* transform = georeference->transform;
    bool known = georeference->known && is_cell(raster->cell_x) && is_cell(raster->cell_y);
    if (!georeference->geographic && known) {
        transform[1] = transform[1] * cell_x / raster->cell_x;
        transform[4] = transform[4] * cell_x / raster->cell_x;
        transform[2] = transform[2] * cell_y / raster->cell_y;
        transform[5] = transform[5] * cell_y / raster->cell_y;
    } else if (!georeference->geographic) {
        GullyGeoreference plain = gully_georeference_plain(raster->height, cell_x, cell_y);
        memcpy(transform, plain.transform, sizeof plain.transform);
        free(plain.projection);
    }
    raster->cell_x = cell_x;
    raster->cell_y = cell_y;
}

static bool has_ground(const GullyRaster* raster) {
    size_t count = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(raster->values[i])) return true;
    }
    return false;
}

static GullyStatus read_file(const SceneView* view, const SceneGround* ground, const char* folder,
                             GullyRaster* out) {
    char* file = scene_file_path(folder, ground->file);
    if (!file) return scene_no_memory();
    GullyStatus status = gully_raster_read(file, ground->has_scale ? &ground->scale : NULL,
                                           ground->has_offset ? &ground->offset : NULL, out);
    free(file);
    ScenePath path = scene_path_key(NULL, "terrain");
    ScenePath place = scene_path_key(&path, "file");
    if (status) return scene_fail_in(view, &place, status, NULL);
    if (!has_ground(out))
        return scene_fail(view, &place,
                          "%s: has no valid cell: all %d x %d are nodata, NaN or infinite",
                          ground->file, out->width, out->height);
    if (ground->has_cell) replace_cells(out, ground->cell_x, ground->cell_y);
    if (is_cell(out->cell_x) && is_cell(out->cell_y)) return GULLY_OK;
    return scene_fail(view, &place,
                      "%s: the file's cells of %g x %g m cannot be used; give cell_size: [x, y]",
                      ground->file, out->cell_x, out->cell_y);
}

static GullyStatus generate(const SceneView* view, const SceneGround* ground, GullyRaster* out) {
    const GullyGenerateParams* params = &ground->generate;
    out->width = params->width;
    out->height = params->height;
    out->cell_x = ground->cell_x;
    out->cell_y = ground->cell_y;
    out->georeference = gully_georeference_plain(out->height, out->cell_x, out->cell_y);
    out->values = calloc((size_t)out->width * (size_t)out->height, sizeof *out->values);
    if (!out->values)
        return gully_fail(GULLY_FAILED, "out of memory for a terrain of %d x %d cells", out->width,
                          out->height);
    GullyStatus status = gully_generate(ground->kind, params, out->values);
    ScenePath path = scene_path_key(NULL, "terrain");
    return status ? scene_fail_in(view, &path, status, NULL) : GULLY_OK;
}

// ---- all of it ----------------------------------------------------------------------------------

// The raster's values are freed as soon as the world has them: they may be most of the memory.
static GullyStatus make_world(const SceneView* view, GullyRaster* raster, bool half,
                              GullyWorld** out) {
    GullyWorldDef def = gully_world_def(raster->width, raster->height);
    def.half = half;
    def.cell_x = raster->cell_x;
    def.cell_y = raster->cell_y;
    def.heights = raster->values;
    GullyStatus status = gully_world_create(&def, out);
    free(raster->values);
    raster->values = NULL;
    ScenePath path = scene_path_key(NULL, "terrain");
    return status ? scene_fail_in(view, &path, status, NULL) : GULLY_OK;
}

GullyStatus scene_ground_make(const SceneView* view, const SceneGround* ground, const char* folder,
                              GullyWorld** world, GullyGeoreference* georeference) {
    *world = NULL;
    *georeference = (GullyGeoreference){0};
    GullyRaster raster = {0};
    SceneStartFiles files = {0};
    GullyStatus status = scene_start_begin(&ground->start, folder, &files);
    if (!status)
        status = ground->file ? read_file(view, ground, folder, &raster)
                              : generate(view, ground, &raster);
    if (!status) status = make_world(view, &raster, ground->half, world);
    if (!status) status = scene_materials_make(view, &ground->materials, *world);
    if (!status) status = scene_start_make(view, &ground->start, &files, *world);
    scene_start_end(&files);
    if (status) {
        gully_world_destroy(*world);
        *world = NULL;
    } else {
        *georeference = raster.georeference;
        raster.georeference = (GullyGeoreference){0};
    }
    gully_raster_free(&raster);
    return status;
}
