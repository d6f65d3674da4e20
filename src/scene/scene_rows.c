// SPDX-License-Identifier: MIT
#include "scene_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- a raster -----------------------------------------------------------------------------------

GullyStatus scene_file_open(const SceneView* view, const ScenePath* path, const char* folder,
                            const SceneRaster* raster, SceneFile* out) {
    *out = (SceneFile){.view = view, .place = scene_path_key(path, "file")};
    char* file = scene_file_path(folder, raster->file);
    if (!file) return scene_no_memory();
    GullyReadDef def = raster->read;
    def.scale = raster->has_scale ? &raster->scale : NULL;
    def.offset = raster->has_offset ? &raster->offset : NULL;
    GullyStatus status = raster_ahead_open(file, &def, &out->ahead);
    free(file);
    return status ? scene_fail_in(view, &out->place, status, NULL) : GULLY_OK;
}

void scene_file_close(SceneFile* file) {
    raster_ahead_close(file->ahead);
    file->ahead = NULL;
}

static GullyStatus read_file(void* context, int y, int count, float* out) {
    SceneFile* file = context;
    GullyStatus status = raster_ahead_rows(file->ahead, y, count, out);
    file->failed = status != GULLY_OK;
    if (status) return scene_fail_in(file->view, &file->place, status, NULL);
    size_t cells = (size_t)count * (size_t)raster_ahead_head(file->ahead)->width;
    for (size_t k = 0; k < cells && file->fill; k++)
        if (isnan(out[k])) out[k] = 0;
    return GULLY_OK;
}

GullyRows scene_file_rows(SceneFile* file) {
    return (GullyRows){.read = read_file, .context = file};
}

GullyStatus scene_file_check(const SceneFile* file, const char* name, int width, int height) {
    const GullyRaster* head = raster_ahead_head(file->ahead);
    if (head->width == width && head->height == height) return GULLY_OK;
    return scene_fail(file->view, &file->place,
                      "%s has %d x %d cells; allowed: %d x %d, as the terrain", name, head->width,
                      head->height, width, height);
}

// ---- a combination ------------------------------------------------------------------------------

GullyStatus scene_combining_open(const SceneView* view, const ScenePath* path, const char* folder,
                                 const SceneCombined* combined, bool fill, SceneCombining* out) {
    *out = (SceneCombining){.view = view, .path = *path};
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < combined->count && !status; n++) {
        ScenePath place = scene_layer_path(combined, path, n);
        ScenePath mask = scene_path_key(&place, "mask");
        const SceneRaster *file = &combined->files[n], *mask_file = &combined->masks[n];
        if (file->file) status = scene_file_open(view, &place, folder, file, &out->layers[n]);
        out->layers[n].fill = fill;
        if (!status && mask_file->file)
            status = scene_file_open(view, &mask, folder, mask_file, &out->masks[n]);
    }
    return status;
}

// The rows of a raster, if there is one; it must be of the combination's size.
static GullyStatus take_rows(const SceneCombining* combining, SceneFile* file,
                             const SceneRaster* raster, GullyRows* out) {
    if (!file->ahead) return GULLY_OK;
    *out = scene_file_rows(file);
    return scene_file_check(file, raster->file, combining->width, combining->height);
}

GullyStatus scene_combining_begin(SceneCombining* combining, const SceneCombined* combined,
                                  GullyGenerateDef def) {
    GullyGenerateLayer layers[SCENE_LAYERS];
    memcpy(layers, combined->layers, sizeof layers);
    combining->width = def.width;
    combining->height = def.height;
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < combined->count && !status; n++) {
        status = take_rows(combining, &combining->layers[n], &combined->files[n],
                           &layers[n].source.rows);
        if (!status)
            status = take_rows(combining, &combining->masks[n], &combined->masks[n],
                               &layers[n].mask.source.rows);
    }
    if (status) return status;
    def.layers = layers;
    def.count = combined->count;
    status = gully_generation_create(&def, &combining->generation);
    return status ? scene_fail_in(combining->view, &combining->path, status, NULL) : GULLY_OK;
}

void scene_combining_end(SceneCombining* combining) {
    gully_generation_destroy(combining->generation);
    for (int n = 0; n < SCENE_LAYERS; n++) {
        scene_file_close(&combining->layers[n]);
        scene_file_close(&combining->masks[n]);
    }
}

static GullyStatus check_bounds(const SceneCombining* combining, int y, int count,
                                const float* values) {
    size_t width = (size_t)combining->width, cells = (size_t)count * width;
    for (size_t k = 0; k < cells; k++)
        if (fabs((double)values[k]) >= 0.999 * GULLY_HIGHEST)
            return scene_fail(combining->view, &combining->path,
                              "what the layers make goes beyond %g, first in column %d of row %d; "
                              "expected smaller amounts, or fewer layers that multiply",
                              GULLY_HIGHEST, (int)(k % width), y + (int)(k / width));
    return GULLY_OK;
}

static GullyStatus combine_rows(void* context, int y, int count, float* out) {
    const SceneCombining* combining = context;
    GullyStatus status = gully_generation_rows(combining->generation, y, count, out);
    if (!status) return check_bounds(combining, y, count, out);
    for (int n = 0; n < SCENE_LAYERS; n++)
        if (combining->layers[n].failed || combining->masks[n].failed) return status;
    return scene_fail_in(combining->view, &combining->path, status, NULL);
}

GullyRows scene_combining_rows(SceneCombining* combining) {
    return (GullyRows){.read = combine_rows, .context = combining};
}

// ---- a world ------------------------------------------------------------------------------------

static GullyRect rows_of(const GullyWorld* world, int y, int count) {
    return (GullyRect){0, y, gully_world_width(world), count};
}

static GullyStatus read_world(void* context, int y, int count, float* out) {
    return gully_world_read(context, GULLY_TERRAIN, rows_of(context, y, count), out);
}

static GullyStatus write_world(void* context, int y, int count, const float* in) {
    return gully_world_write(context, GULLY_TERRAIN, rows_of(context, y, count), in);
}

GullyRows scene_world_rows(GullyWorld* world) {
    return (GullyRows){.read = read_world, .write = write_world, .context = world};
}

void scene_rows_share(GullyGenerateDef* def, const GullyWorld* world) {
    const GullyRect own = gully_world_own(world);
    def->ranks = gully_world_ranks(world);
    def->first_row = own.y;
    def->end_row = own.y + own.height;
}

static float* room_for(GullyRect rect) {
    return malloc((size_t)rect.width * (size_t)rect.height * sizeof(float) + 1);
}

static GullyStatus read_beyond(void* context) {
    SceneLand* land = context;
    land->north = room_for(land->before);
    land->south = room_for(land->after);
    if (!land->north || !land->south) return scene_no_memory();
    GullyStatus status = gully_world_read(land->world, GULLY_TERRAIN, land->before, land->north);
    if (!status) status = gully_world_read(land->world, GULLY_TERRAIN, land->after, land->south);
    return status;
}

GullyStatus scene_land_open(GullyWorld* world, int reach, SceneLand* out) {
    const int height = gully_world_height(world), count = gully_world_ranks(world)->count;
    const GullyRect own = gully_world_own(world);
    const int end = own.y + own.height, first = own.y > reach ? own.y - reach : 0;
    const int last = height - end > reach ? end + reach : height;
    *out = (SceneLand){.world = world,
                       .reach = reach,
                       .before = {0, first, own.width, own.y - first},
                       .after = {0, end, own.width, last - end}};
    GullyStatus status = GULLY_OK;
    for (int rank = 0; rank < count && count > 1 && !status; rank++) // one after another
        status = gully_world_lead(world, rank, read_beyond, out);
    return status;
}

void scene_land_close(SceneLand* land) {
    free(land->north);
    free(land->south);
}

/// Copies what a rectangle of values has of some rows.
static void copy_part(GullyRect rect, const float* values, int y, int count, float* out) {
    const int first = y > rect.y ? y : rect.y;
    const int end = y + count < rect.y + rect.height ? y + count : rect.y + rect.height;
    const size_t width = (size_t)rect.width;
    if (first < end)
        memcpy(out + (size_t)(first - y) * width, values + (size_t)(first - rect.y) * width,
               (size_t)(end - first) * width * sizeof *out);
}

static GullyStatus read_land(void* context, int y, int count, float* out) {
    const SceneLand* land = context;
    const GullyRect own = gully_world_own(land->world);
    const int first = y > own.y ? y : own.y;
    const int end = y + count < own.y + own.height ? y + count : own.y + own.height;
    copy_part(land->before, land->north, y, count, out);
    copy_part(land->after, land->south, y, count, out);
    if (first >= end) return GULLY_OK;
    return gully_world_read(land->world, GULLY_TERRAIN,
                            (GullyRect){0, first, own.width, end - first},
                            out + (size_t)(first - y) * (size_t)own.width);
}

GullyRows scene_land_rows(SceneLand* land) {
    return (GullyRows){.read = read_land, .context = land};
}
