// SPDX-License-Identifier: MIT
/// The terrain, what lies beside it, and what follows from it.
#include "atlas.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/export.h"
#include "run_folder.h"

static const char* const field_names[ATLAS_FIELDS] = {"water", "flow", "wear", "deposit"};

static GullyStatus no_memory(void) {
    return gully_fail(GULLY_NO_MEMORY, "not enough memory for the maps");
}

static size_t cell_count(const Atlas* atlas) {
    return (size_t)atlas->ground.width * (size_t)atlas->ground.height;
}

// ---- reading ------------------------------------------------------------------------------------

static GullyStatus resize(GullyRaster* raster, int width, int height) {
    GullyRaster resized;
    if (!raster->values || (raster->width == width && raster->height == height)) return GULLY_OK;
    GullyStatus status = gully_raster_resample(raster, width, height, &resized);
    if (status != GULLY_OK) return status;
    gully_raster_free(raster);
    *raster = resized;
    return GULLY_OK;
}

GullyStatus atlas_read(const Atlas* atlas, const char* path, GullyRaster* out) {
    const GullyRaster like = {.width = atlas->width, .height = atlas->height};
    GullyStatus status = same_size_read(path, &like, out);
    return status == GULLY_OK ? resize(out, atlas->ground.width, atlas->ground.height) : status;
}

GullyStatus atlas_resize(Atlas* atlas, int width, int height) {
    GullyStatus status = resize(&atlas->ground, width, height);
    for (int i = 0; i < ATLAS_FIELDS && status == GULLY_OK; i++)
        status = resize(&atlas->fields[i], width, height);
    atlas->heights = ground_heights(&atlas->ground);
    return status;
}

static GullyStatus read_field(Atlas* atlas, int field, const char* file) {
    char* beside = file ? NULL : folder_file(atlas->input, field_names[field], ".tif");
    GullyStatus status = GULLY_OK;
    if (file || beside) status = atlas_read(atlas, file ? file : beside, &atlas->fields[field]);
    free(beside);
    return status;
}

/// The names of a run's materials, from its report. A report that is none is left alone.
static void read_materials(Atlas* atlas) {
    char* path = folder_file(atlas->input, "report", ".json");
    json_t* report = path ? json_load_file(path, 0, NULL) : NULL;
    json_t* materials = json_object_get(report, "materials");
    size_t count = json_array_size(materials);
    for (size_t i = 0; i < count && count <= GULLY_MAX_PAINTS; i++) {
        const char* name = json_string_value(json_object_get(json_array_get(materials, i), "name"));
        if (!name) break;
        snprintf(atlas->materials[i], sizeof atlas->materials[i], "%s", name);
        atlas->material_count = (int)i + 1;
    }
    json_decref(report);
    free(path);
}

GullyStatus atlas_open(const char* input, const GullyReadDef* def,
                       const char* const files[ATLAS_FIELDS], Atlas* atlas) {
    *atlas = (Atlas){.input = input};
    GullyStatus status = ground_read(input, def, &atlas->ground);
    atlas->width = atlas->ground.width;
    atlas->height = atlas->ground.height;
    for (int i = 0; i < ATLAS_FIELDS && status == GULLY_OK; i++)
        status = read_field(atlas, i, files[i]);
    if (status == GULLY_OK) {
        atlas->heights = ground_heights(&atlas->ground);
        read_materials(atlas);
    } else {
        atlas_close(atlas);
    }
    return status;
}

void atlas_close(Atlas* atlas) {
    gully_raster_free(&atlas->ground);
    for (int i = 0; i < ATLAS_FIELDS; i++)
        gully_raster_free(&atlas->fields[i]);
    for (int i = 0; i < GULLY_MAP_COUNT; i++)
        free(atlas->maps[i]);
    free(atlas->level);
    *atlas = (Atlas){0};
}

// ---- making -------------------------------------------------------------------------------------

GullyStatus atlas_map(Atlas* atlas, GullyMap map, const float** out) {
    GullyStatus status = GULLY_OK;
    if (!atlas->maps[map]) {
        float* values = malloc(cell_count(atlas) * sizeof(float));
        if (!values) return no_memory();
        status = map == GULLY_MAP_WETNESS
                     ? gully_wetness(&atlas->heights, atlas->fields[ATLAS_FLOW].values, values)
                     : gully_map_make(map, &atlas->heights, values);
        atlas->maps[map] = values;
    }
    *out = atlas->maps[map];
    return status;
}

static GullyStatus make_level(Atlas* atlas) {
    if (atlas->level) return GULLY_OK;
    atlas->level = malloc(cell_count(atlas) * sizeof(float));
    if (!atlas->level) return no_memory();
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < cell_count(atlas); i++) {
        low = fminf(low, atlas->ground.values[i]); // of NaN and a number the number
        high = fmaxf(high, atlas->ground.values[i]);
    }
    for (size_t i = 0; i < cell_count(atlas); i++)
        atlas->level[i] = high > low ? (atlas->ground.values[i] - low) / (high - low) : 0;
    return GULLY_OK;
}

/// Where a quantity comes from.
static const struct {
    enum { FROM_MAP, FROM_HEIGHT, FROM_LEVEL, FROM_FIELD } from;
    int index; ///< of the map or field
} origins[GULLY_QUANTITY_COUNT] = {
    [GULLY_QUANTITY_SLOPE] = {FROM_MAP, GULLY_MAP_SLOPE},
    [GULLY_QUANTITY_HEIGHT] = {FROM_HEIGHT, 0},
    [GULLY_QUANTITY_LEVEL] = {FROM_LEVEL, 0},
    [GULLY_QUANTITY_WETNESS] = {FROM_MAP, GULLY_MAP_WETNESS},
    [GULLY_QUANTITY_CURVATURE] = {FROM_MAP, GULLY_MAP_MEAN},
    [GULLY_QUANTITY_ASPECT] = {FROM_MAP, GULLY_MAP_ASPECT},
    [GULLY_QUANTITY_WATER] = {FROM_FIELD, ATLAS_WATER},
    [GULLY_QUANTITY_FLOW] = {FROM_FIELD, ATLAS_FLOW},
    [GULLY_QUANTITY_WEAR] = {FROM_FIELD, ATLAS_WEAR},
    [GULLY_QUANTITY_DEPOSIT] = {FROM_FIELD, ATLAS_DEPOSIT},
};

GullyStatus atlas_quantity(Atlas* atlas, GullyQuantity quantity, const float** out) {
    GullyStatus status = GULLY_OK;
    int index = origins[quantity].index;
    switch (origins[quantity].from) {
    case FROM_MAP:
        return atlas_map(atlas, (GullyMap)index, out);
    case FROM_HEIGHT:
        *out = atlas->ground.values;
        break;
    case FROM_LEVEL:
        status = make_level(atlas);
        *out = atlas->level;
        break;
    case FROM_FIELD:
        *out = atlas->fields[index].values;
        if (!*out)
            status = gully_fail(GULLY_BAD_INPUT,
                                "%s is asked for by a rule and is not there; --%s names its raster",
                                field_names[index], field_names[index]);
        break;
    }
    return status;
}
