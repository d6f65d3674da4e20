// SPDX-License-Identifier: MIT
/// The rasters of a run's folder.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"
#include "run_folder.h"

static const GullyField usual_fields[] = {GULLY_WATER, GULLY_SEDIMENT, GULLY_FLOW, GULLY_WEAR,
                                          GULLY_DEPOSIT};

enum { USUAL_FIELDS = sizeof usual_fields / sizeof usual_fields[0] };

/// Reads NAME.tif of a run's folder into a field of the set, if it is there.
static GullyStatus read_field(const char* folder, const char* name, GullyField field,
                              RasterSet* set) {
    char* file = folder_file(folder, name, ".tif");
    GullyStatus status = GULLY_OK;
    if (file) status = same_size_read(file, &set->rasters[GULLY_TERRAIN], &set->rasters[field]);
    free(file);
    return status;
}

/// Of "#rrggbb"; the material keeps its own if it is something else.
static void set_color(GullyMaterial* material, const char* text) {
    unsigned color;
    if (text && strlen(text) == 7 && sscanf(text, "#%6x", &color) == 1) material->color = color;
}

/// The materials that the report of a run names, with the colours of its scene.
static void read_materials(const char* folder, RasterSet* set) {
    char* path = folder_file(folder, "report", ".json");
    if (!path) return;
    json_t* report = json_load_file(path, 0, NULL);
    const json_t* list = json_object_get(json_object_get(report, "scene"), "materials");
    for (size_t i = 0; i < json_array_size(list) && i < GULLY_MAX_MATERIALS; i++) {
        const json_t* row = json_array_get(list, i);
        const char* name = json_string_value(json_object_get(row, "name"));
        if (!name || strlen(name) >= GULLY_MATERIAL_NAME || strchr(name, '/')) break;
        GullyMaterial* material = &set->materials[set->material_count];
        *material = gully_material(name, (int)i);
        set_color(material, json_string_value(json_object_get(row, "color")));
        set->material_count++;
    }
    json_decref(report);
    free(path);
}

GullyStatus raster_set_read(const char* path, const GullyReadDef* def, RasterSet* out) {
    memset(out, 0, sizeof *out);
    GullyStatus status = ground_read(path, def, &out->rasters[GULLY_TERRAIN]);
    for (int i = 0; i < USUAL_FIELDS && status == GULLY_OK; i++)
        status = read_field(path, gully_field_name(usual_fields[i]), usual_fields[i], out);
    if (status == GULLY_OK) read_materials(path, out);
    for (int m = 0; m < out->material_count && status == GULLY_OK; m++) {
        char name[16 + GULLY_MATERIAL_NAME];
        snprintf(name, sizeof name, "layer-%s", out->materials[m].name);
        status = read_field(path, name, GULLY_LAYER(m), out);
    }
    if (status != GULLY_OK) raster_set_free(out);
    return status;
}

void raster_set_free(RasterSet* set) {
    for (int f = 0; f < GULLY_FIELD_COUNT; f++)
        gully_raster_free(&set->rasters[f]);
    memset(set, 0, sizeof *set);
}

GullyRenderInput raster_set_input(const RasterSet* set) {
    const GullyRaster* terrain = &set->rasters[GULLY_TERRAIN];
    GullyRenderInput input = {
        .width = terrain->width,
        .height = terrain->height,
        .cell_x = terrain->cell_x,
        .cell_y = terrain->cell_y,
        .materials = set->materials,
        .material_count = set->material_count,
    };
    for (int f = 0; f < GULLY_FIELD_COUNT; f++)
        input.fields[f] = set->rasters[f].values;
    return input;
}
