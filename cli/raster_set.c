/// The rasters of a run's folder.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pictures.h"

static const GullyField usual_fields[] = {
    GULLY_TERRAIN, GULLY_WATER, GULLY_SEDIMENT, GULLY_FLOW, GULLY_WEAR, GULLY_DEPOSIT,
};

enum { USUAL_FIELDS = sizeof usual_fields / sizeof usual_fields[0] };

static bool is_folder(const char* path) {
    struct stat entry;
    return stat(path, &entry) == 0 && S_ISDIR(entry.st_mode);
}

/// Reads FOLDER/NAME.tif into a field of the set; without complaint if it is not there, unless it
/// has to be.
static GullyStatus read_field(const char* folder, const char* name, GullyField field, bool required,
                              RasterSet* set) {
    size_t size = strlen(folder) + strlen(name) + 8;
    char* path = malloc(size);
    if (!path) return gully_fail(GULLY_FAILED, "no memory to read %s", name);
    snprintf(path, size, "%s/%s.tif", folder, name);
    GullyStatus status = GULLY_OK;
    GullyRaster* raster = &set->rasters[field];
    const GullyRaster* terrain = &set->rasters[GULLY_TERRAIN];
    if (required && access(path, F_OK) != 0)
        status =
            gully_fail(GULLY_BAD_INPUT,
                       "%s: there is no %s.tif in this folder; it wants a raster or the folder "
                       "of a run",
                       folder, name);
    else if (access(path, F_OK) == 0)
        status = gully_raster_read(path, NULL, NULL, raster);
    if (status == GULLY_OK && raster->values &&
        (raster->width != terrain->width || raster->height != terrain->height))
        status = gully_fail(GULLY_BAD_INPUT, "%s: %d x %d cells, but the terrain has %d x %d", path,
                            raster->width, raster->height, terrain->width, terrain->height);
    free(path);
    return status;
}

/// Of "#rrggbb"; the material keeps its own if it is something else.
static void set_color(GullyMaterial* material, const char* text) {
    unsigned color;
    if (text && strlen(text) == 7 && sscanf(text, "#%6x", &color) == 1) material->color = color;
}

/// The materials that the report of a run names, with the colours of its scene.
static void read_materials(const char* folder, RasterSet* set) {
    size_t size = strlen(folder) + 16;
    char* path = malloc(size);
    if (!path) return;
    snprintf(path, size, "%s/report.json", folder);
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

static GullyStatus read_folder(const char* folder, RasterSet* set) {
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < USUAL_FIELDS && status == GULLY_OK; i++)
        status =
            read_field(folder, gully_field_name(usual_fields[i]), usual_fields[i], i == 0, set);
    if (status == GULLY_OK) read_materials(folder, set);
    for (int m = 0; m < set->material_count && status == GULLY_OK; m++) {
        char name[16 + GULLY_MATERIAL_NAME];
        snprintf(name, sizeof name, "layer-%s", set->materials[m].name);
        status = read_field(folder, name, GULLY_LAYER(m), false, set);
    }
    return status;
}

GullyStatus raster_set_read(const char* path, RasterSet* out) {
    memset(out, 0, sizeof *out);
    GullyStatus status = is_folder(path)
                             ? read_folder(path, out)
                             : gully_raster_read(path, NULL, NULL, &out->rasters[GULLY_TERRAIN]);
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
