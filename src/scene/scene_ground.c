// SPDX-License-Identifier: MIT
#include "scene_ground.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_def.h"
#include "scene_rows.h"

static const double GENERATED_CELL = 10;                                 // [m]
static const double CELL_LOW = 1e-6, CELL_HIGH = 1e9;                    // [m]
static const double LEAST_MEMORY = 1048576, MOST_MEMORY = 1099511627776; // [bytes]

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

// Bytes, as a number or as a text that may end with K, M or G.
static GullyStatus read_memory(const SceneView* view, SceneGround* out) {
    static const char units[] = "KMG";
    ScenePath path = scene_path_key(NULL, "memory");
    const json_t* value = json_object_get(view->root, "memory");
    const char* text = json_string_value(value);
    char* end = NULL;
    if (!value) return GULLY_OK;
    double bytes = text ? strtod(text, &end) : json_number_value(value);
    const char* unit = text && *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    for (const char* each = units; unit && each <= unit; each++)
        bytes *= 1024;
    const bool is_whole = !text || (end > text && end[unit ? 1 : 0] == '\0');
    if (is_whole && bytes >= LEAST_MEMORY && bytes <= MOST_MEMORY) {
        out->memory = (size_t)bytes;
        return GULLY_OK;
    }
    return scene_fail(view, &path,
                      "expected bytes, from 1M to 1024G: a number, or a text like \"2G\" or "
                      "\"500M\"");
}

GullyStatus scene_ground_read(const SceneView* view, SceneGround* out) {
    *out = (SceneGround){0};
    GullyStatus status = read_terrain(view, out);
    if (!status) status = read_cell_size(view, out);
    if (!status) status = read_half(view, out);
    if (!status) status = read_memory(view, out);
    if (!status) status = scene_materials_read(view, &out->materials);
    if (!status) status = scene_start_read(view, &out->materials, &out->start);
    return status;
}

// ---- making the terrain -------------------------------------------------------------------------

/// A terrain that is being made. Exactly one of file and combining is in use.
typedef struct GroundMaking {
    const SceneView* view;
    const SceneGround* ground;
    ScenePath path;
    GullyRaster head; // of the terrain, without values; owns its projection
    SceneFile file;
    SceneCombining combining;
} GroundMaking;

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

// Gives the terrain the place and the cells of a file.
static GullyStatus take_head(GroundMaking* making, const ScenePath* path, const char* name,
                             const SceneFile* file) {
    const GullyRaster* head = raster_ahead_head(file->ahead);
    int width = making->head.width, height = making->head.height;
    making->head = *head;
    making->head.values = NULL;
    if (width) making->head.width = width;
    if (height) making->head.height = height;
    const char* projection = head->georeference.projection;
    making->head.georeference.projection = projection ? strdup(projection) : NULL;
    if (projection && !making->head.georeference.projection) return scene_no_memory();
    return settle_cells(making->view, path, making->ground, name, &making->head);
}

static GullyStatus open_file(GroundMaking* making, const char* folder) {
    const SceneGround* ground = making->ground;
    SceneRaster raster = ground->raster;
    if (ground->has_cell) {
        raster.read.cell = (GullyTold){2, {ground->cell_x, ground->cell_y}};
        raster.read.extent = (GullyTold){0};
    }
    GullyStatus status =
        scene_file_open(making->view, &making->path, folder, &raster, &making->file);
    return status ? status : take_head(making, &making->path, raster.file, &making->file);
}

// A terrain of that size on the scene's cells, without a place on the earth.
static void plain_head(GroundMaking* making, int width, int height) {
    const SceneGround* ground = making->ground;
    making->head = (GullyRaster){
        .width = width, .height = height, .cell_x = ground->cell_x, .cell_y = ground->cell_y};
    making->head.georeference = gully_georeference_plain(height, ground->cell_x, ground->cell_y);
}

// Of the size, the cells and at the place of the first file among the layers, or as the scene says.
static GullyStatus open_combination(GroundMaking* making, const char* folder) {
    const SceneGround* ground = making->ground;
    GullyStatus status = scene_combining_open(making->view, &making->path, folder,
                                              &ground->combined, false, &making->combining);
    if (status) return status;
    int n = first_file(&ground->combined);
    GullyGenerateParams size;
    gully_params_default(gully_generate_table(), &size);
    if (n >= 0) {
        const GullyRaster* head = raster_ahead_head(making->combining.layers[n].ahead);
        size.width = head->width;
        size.height = head->height;
    }
    if (ground->generate.width) size.width = ground->generate.width;
    if (ground->generate.height) size.height = ground->generate.height;
    status = check_size(making->view, &making->path, &size);
    if (status) return status;
    plain_head(making, size.width, size.height);
    if (n < 0) return GULLY_OK;
    ScenePath place = scene_layer_path(&ground->combined, &making->path, n);
    return take_head(making, &place, ground->combined.files[n].file, &making->combining.layers[n]);
}

static GullyStatus open_terrain(GroundMaking* making, const char* folder) {
    const SceneGround* ground = making->ground;
    if (ground->raster.file) return open_file(making, folder);
    if (!ground->kind) return open_combination(making, folder);
    plain_head(making, ground->generate.width, ground->generate.height);
    return GULLY_OK;
}

// ---- filling the world --------------------------------------------------------------------------

// Begins to generate or combine. The world keeps the cells of a generator until its range is known.
static GullyStatus begin_rows(GroundMaking* making, GullyWorld* world, GullyRows* out) {
    const SceneGround* ground = making->ground;
    *out = scene_file_rows(&making->file);
    if (ground->raster.file) return GULLY_OK;
    SceneCombined one = {.count = 1};
    if (ground->kind) {
        one.layers[0] = gully_generate_layer(ground->kind);
        one.layers[0].source.params = ground->generate;
        making->combining.view = making->view;
        making->combining.path = making->path;
    }
    GullyGenerateDef def = {.width = making->head.width,
                            .height = making->head.height,
                            .cell_x = making->head.cell_x,
                            .cell_y = making->head.cell_y,
                            .keep = scene_world_rows(world)};
    scene_rows_share(&def, world);
    *out = scene_combining_rows(&making->combining);
    return scene_combining_begin(&making->combining, ground->kind ? &one : &ground->combined, def);
}

// A number that no height can be is rather an undeclared nodata, if it comes from a file.
static GullyStatus refuse_heights(const GroundMaking* making, GullyStatus status) {
    if (making->ground->raster.file && status == GULLY_BAD_INPUT)
        gully_fail(status,
                   "%s. If this is how the file says nodata, nodata_in (--nodata-in) tells so; "
                   "`gully info` has all digits of it",
                   gully_message());
    return scene_fail_in(making->view, &making->path, status, NULL);
}

static GullyStatus fill_terrain(const GroundMaking* making, const GullyRows* rows,
                                GullyWorld* world, bool* has_ground) {
    int width = making->head.width, height = making->head.height, band = gully_band_rows(width);
    const GullyRect own = gully_world_own(world);
    const int end = own.y + own.height;
    float* values =
        malloc((size_t)(band < height ? band : height) * (size_t)width * sizeof *values);
    GullyStatus status = values ? GULLY_OK : scene_no_memory();
    for (int y = own.y; y < end && !status; y += band) {
        int count = end - y < band ? end - y : band;
        size_t cells = (size_t)count * (size_t)width;
        status = rows->read(rows->context, y, count, values);
        for (size_t k = 0; k < cells && !*has_ground && !status; k++)
            *has_ground = !isnan(values[k]);
        if (status) break;
        status = gully_world_write(world, GULLY_TERRAIN, (GullyRect){0, y, width, count}, values);
        if (status) status = refuse_heights(making, status);
    }
    free(values);
    return status;
}

static GullyStatus no_ground(const GroundMaking* making) {
    ScenePath list = scene_path_key(&making->path, "combine");
    if (!making->ground->raster.file)
        return scene_fail(making->view, &list,
                          "has no valid cell: what the layers make is nodata everywhere");
    return scene_fail(making->view, &making->file.place,
                      "%s: has no valid cell: all %d x %d are nodata, NaN or infinite",
                      making->ground->raster.file, making->head.width, making->head.height);
}

static GullyStatus make_terrain(GroundMaking* making, GullyWorld** out) {
    GullyWorldDef def = gully_world_def(making->head.width, making->head.height);
    def.half = making->ground->half;
    def.memory = making->ground->memory;
    def.scratch = making->ground->scratch;
    def.ranks = making->ground->ranks;
    def.cell_x = making->head.cell_x;
    def.cell_y = making->head.cell_y;
    GullyStatus status = gully_world_create(&def, out);
    if (status) return scene_fail_in(making->view, &making->path, status, NULL);
    GullyRows rows;
    bool has_ground = false;
    status = begin_rows(making, *out, &rows);
    if (!status) status = fill_terrain(making, &rows, *out, &has_ground);
    int64_t any = has_ground;
    status = gully_ranks_most(gully_world_ranks(*out), status, &any);
    return status || any ? status : no_ground(making);
}

// ---- all of it ----------------------------------------------------------------------------------

// What reading had to say, which is known when all is read.
static void take_notes(const GroundMaking* making, char* notes) {
    int n = first_file(&making->ground->combined);
    const SceneFile* file = making->ground->raster.file ? &making->file
                            : n >= 0                    ? &making->combining.layers[n]
                                                        : NULL;
    notes[0] = '\0';
    if (file && file->ahead) memcpy(notes, raster_ahead_head(file->ahead)->notes, SCENE_NOTES);
}

GullyStatus scene_ground_make(const SceneView* view, const SceneGround* ground, const char* folder,
                              GullyWorld** world, GullyGeoreference* georeference, char* notes) {
    *world = NULL;
    *georeference = (GullyGeoreference){0};
    GroundMaking* making = calloc(1, sizeof *making);
    if (!making) return scene_no_memory();
    making->view = view;
    making->ground = ground;
    making->path = scene_path_key(NULL, "terrain");
    GullyStatus status = open_terrain(making, folder);
    if (!status) status = make_terrain(making, world);
    take_notes(making, notes);
    scene_combining_end(&making->combining);
    scene_file_close(&making->file);
    if (!status) status = scene_materials_make(view, &ground->materials, *world);
    if (!status) status = scene_start_make(view, &ground->start, folder, *world);
    if (status) {
        gully_world_destroy(*world);
        *world = NULL;
    } else {
        *georeference = making->head.georeference;
        making->head.georeference = (GullyGeoreference){0};
    }
    gully_raster_free(&making->head);
    free(making);
    return status;
}
