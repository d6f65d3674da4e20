#include "scene_ground.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_def.h"

static const double GENERATED_CELL = 10;              // [m]
static const double CELL_LOW = 1e-6, CELL_HIGH = 1e9; // [m]

// ---- reading ------------------------------------------------------------------------------------

static GullyStatus read_terrain_file(const SceneView* view, const ScenePath* path,
                                     const json_t* terrain, SceneGround* out) {
    SceneNames names = {{"file"}, 1};
    scene_raster_names(&names);
    GullyStatus status = scene_check_keys(view, path, terrain, &names);
    return status ? status : scene_raster_read(view, path, terrain, &out->raster);
}

static GullyStatus check_size(const SceneView* view, const ScenePath* path,
                              const GullyGenerateParams* params) {
    const int most = SIZE_MAX / 64 < INT_MAX ? (int)(SIZE_MAX / 64) : INT_MAX; // also on 32 bits
    if (params->height == 0 || params->width <= most / params->height) return GULLY_OK;
    return scene_fail(view, path, "has %d x %d cells; allowed: %d in all", params->width,
                      params->height, most);
}

static GullyStatus read_generated(const SceneView* view, const ScenePath* path,
                                  const json_t* terrain, SceneGround* out) {
    GullyStatus status = scene_kind_read(view, path, terrain, &out->kind);
    if (status) return status;
    SceneNames others = {{"generate"}, 1};
    gully_params_default(gully_generate_table(), &out->generate);
    status = scene_table(view, path, terrain, gully_generate_table(), &others, &out->generate);
    return status ? status : check_size(view, path, &out->generate);
}

// The first raster among the layers gives the terrain its size, its cells and its place.
static int first_file(const SceneCombined* combined) {
    for (int n = 0; n < combined->count; n++)
        if (combined->files[n].file) return n;
    return -1;
}

static GullyStatus read_combined(const SceneView* view, const ScenePath* path,
                                 const json_t* terrain, SceneGround* out) {
    static const char* const ROWS[] = {"width", "height", "seed"};
    SceneNames names = {{"combine"}, 1};
    GullyGenerateParams* params = &out->generate;
    gully_params_default(gully_generate_table(), params);
    SceneLayerDefaults defaults = {0, params->relief};
    params->width = params->height = 0;
    for (int n = 0; n < 3; n++)
        scene_names_add(&names, ROWS[n]);
    GullyStatus status = scene_check_keys(view, path, terrain, &names);
    for (int n = 0; n < 3 && !status; n++) {
        const json_t* value = json_object_get(terrain, ROWS[n]);
        const GullyParam* row = gully_params_find(gully_generate_table(), ROWS[n]);
        ScenePath place = scene_path_key(path, ROWS[n]);
        if (value) status = scene_row(view, &place, value, row, params);
    }
    if (!status) status = check_size(view, path, params);
    defaults.seed = params->seed;
    return status ? status : scene_combined_read(view, path, terrain, defaults, &out->combined);
}

// What a terrain can be.
static const struct {
    const char* key;
    GullyStatus (*read)(const SceneView* view, const ScenePath* path, const json_t* terrain,
                        SceneGround* out);
} TERRAINS[] = {
    {"file", read_terrain_file}, {"generate", read_generated}, {"combine", read_combined}};

static GullyStatus read_terrain(const SceneView* view, SceneGround* out) {
    ScenePath path = scene_path_key(NULL, "terrain");
    const json_t* terrain = json_object_get(view->root, "terrain");
    const char* expected = "{\"file\": F}, {\"generate\": KIND, ...} or {\"combine\": [...], ...}";
    if (!terrain) return scene_fail(view, &path, "missing; expected %s", expected);
    if (!json_is_object(terrain)) return scene_fail_type(view, &path, terrain, expected);
    int found = 0, last = 0;
    for (int n = 0; n < (int)(sizeof TERRAINS / sizeof TERRAINS[0]); n++) {
        if (!json_object_get(terrain, TERRAINS[n].key)) continue;
        last = n;
        found++;
    }
    if (found == 1) return TERRAINS[last].read(view, &path, terrain, out);
    return scene_fail(view, &path, "has %s of file, generate and combine; expected %s",
                      found ? "more than one" : "none", expected);
}

static bool is_cell(double size) {
    return size >= CELL_LOW && size <= CELL_HIGH;
}

static GullyStatus read_cell_size(const SceneView* view, SceneGround* out) {
    ScenePath path = scene_path_key(NULL, "cell_size");
    const json_t* value = json_object_get(view->root, "cell_size");
    out->has_cell = value != NULL;
    bool of_file = out->raster.file || first_file(&out->combined) >= 0;
    out->cell_x = out->cell_y = of_file ? 0 : GENERATED_CELL;
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

static bool has_ground(const GullyRaster* raster) {
    size_t count = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(raster->values[i])) return true;
    }
    return false;
}

// Gives a raster that was read the scene's cells, or checks its own.
static GullyStatus settle_cells(const SceneView* view, const ScenePath* path,
                                const SceneGround* ground, const char* file, GullyRaster* raster) {
    bool other = raster->cell_x != ground->cell_x || raster->cell_y != ground->cell_y;
    if (ground->has_cell && other) raster_replace_cells(raster, ground->cell_x, ground->cell_y);
    if (is_cell(raster->cell_x) && is_cell(raster->cell_y)) return GULLY_OK;
    ScenePath place = scene_path_key(path, "file");
    return scene_fail(view, &place,
                      "%s: the file's cells of %g x %g m cannot be used; give cell_size: [x, y]",
                      file, raster->cell_x, raster->cell_y);
}

static GullyStatus read_file(const SceneView* view, const SceneGround* ground, const char* folder,
                             GullyRaster* out) {
    const char* file = ground->raster.file;
    ScenePath path = scene_path_key(NULL, "terrain");
    ScenePath place = scene_path_key(&path, "file");
    SceneRaster raster = ground->raster;
    if (ground->has_cell) {
        raster.read.cell = (GullyTold){2, {ground->cell_x, ground->cell_y}};
        raster.read.extent = (GullyTold){0};
    }
    GullyStatus status = scene_raster_load(view, &path, folder, &raster, out);
    if (status) return status;
    if (!has_ground(out))
        return scene_fail(view, &place,
                          "%s: has no valid cell: all %d x %d are nodata, NaN or infinite", file,
                          out->width, out->height);
    return settle_cells(view, &path, ground, file, out);
}

// A raster of that size on the scene's cells, without a place on the earth.
static GullyStatus new_raster(const SceneGround* ground, int width, int height, GullyRaster* out) {
    out->width = width;
    out->height = height;
    out->cell_x = ground->cell_x;
    out->cell_y = ground->cell_y;
    out->georeference = gully_georeference_plain(height, out->cell_x, out->cell_y);
    out->values = calloc((size_t)width * (size_t)height, sizeof *out->values);
    if (out->values) return GULLY_OK;
    return gully_fail(GULLY_NO_MEMORY, "out of memory for a terrain of %d x %d cells", width,
                      height);
}

static GullyStatus generate(const SceneView* view, const SceneGround* ground, GullyRaster* out) {
    const GullyGenerateParams* params = &ground->generate;
    GullyStatus status = new_raster(ground, params->width, params->height, out);
    if (!status) status = gully_generate(ground->kind, params, out->values);
    ScenePath path = scene_path_key(NULL, "terrain");
    return status ? scene_fail_in(view, &path, status, NULL) : GULLY_OK;
}

// The raster that the layers make: of the size, the cells and at the place of the first file among
// them, or as the scene says.
static GullyStatus lay_out(const SceneView* view, const ScenePath* path, const SceneGround* ground,
                           SceneRasters* rasters, GullyRaster* out) {
    int n = first_file(&ground->combined);
    GullyGenerateParams size;
    gully_params_default(gully_generate_table(), &size);
    if (n >= 0) {
        size.width = rasters->layers[n].width;
        size.height = rasters->layers[n].height;
    }
    if (ground->generate.width) size.width = ground->generate.width;
    if (ground->generate.height) size.height = ground->generate.height;
    GullyStatus status = check_size(view, path, &size);
    if (!status) status = new_raster(ground, size.width, size.height, out);
    if (status || n < 0) return status;
    ScenePath list = scene_path_key(path, "combine");
    ScenePath place = scene_path_index(&list, (size_t)n);
    free(out->georeference.projection);
    memcpy(out->notes, rasters->layers[n].notes, sizeof out->notes);
    out->georeference = rasters->layers[n].georeference;
    rasters->layers[n].georeference = (GullyGeoreference){0};
    out->cell_x = rasters->layers[n].cell_x;
    out->cell_y = rasters->layers[n].cell_y;
    return settle_cells(view, &place, ground, ground->combined.files[n].file, out);
}

static GullyStatus combine(const SceneView* view, const SceneGround* ground, const char* folder,
                           GullyRaster* out) {
    ScenePath path = scene_path_key(NULL, "terrain");
    ScenePath list = scene_path_key(&path, "combine");
    SceneRasters rasters;
    GullyStatus status = scene_rasters_load(view, &path, folder, &ground->combined, &rasters);
    if (!status) status = lay_out(view, &path, ground, &rasters, out);
    GullyGenerateDef def = {
        .width = out->width, .height = out->height, .cell_x = out->cell_x, .cell_y = out->cell_y};
    if (!status)
        status = scene_combined_make(view, &path, &ground->combined, &rasters, def, out->values);
    scene_rasters_free(&rasters);
    if (status || has_ground(out)) return status;
    return scene_fail(view, &list, "has no valid cell: what the layers make is nodata everywhere");
}

static GullyStatus make_terrain(const SceneView* view, const SceneGround* ground,
                                const char* folder, GullyRaster* out) {
    if (ground->raster.file) return read_file(view, ground, folder, out);
    return ground->kind ? generate(view, ground, out) : combine(view, ground, folder, out);
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
                              GullyWorld** world, GullyGeoreference* georeference, char* notes) {
    *world = NULL;
    *georeference = (GullyGeoreference){0};
    GullyRaster raster = {0};
    SceneStartFiles files = {0};
    GullyStatus status = scene_start_begin(&ground->start, folder, &files);
    if (!status) status = make_terrain(view, ground, folder, &raster);
    memcpy(notes, raster.notes, SCENE_NOTES);
    if (!status) status = make_world(view, &raster, ground->half, world);
    if (!status) status = scene_materials_make(view, &ground->materials, *world);
    if (!status) status = scene_start_make(view, &ground->start, folder, &files, *world);
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
