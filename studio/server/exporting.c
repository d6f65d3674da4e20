// SPDX-License-Identifier: MIT
#include "exporting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "export_maps.h"
#include "gully/export.h"
#include "gully/mesh.h"

typedef struct Export {
    Engine* engine;
    Command* command;
    GullyRaster raster;
    char name[128]; ///< of the file, without extension
} Export;

static void export_free(Export* export) {
    gully_raster_free(&export->raster);
    command_free(export->command);
    free(export);
}

// ---- on the clerk's thread ----------------------------------------------------------------------

static GullyStatus write_mesh(Export* export, char path[PATH_MAX]) {
    const char* format = export->command->message.format;
    char file[160];
    snprintf(file, sizeof file, "%s.%s", export->name, format ? format : "glb");
    GullyStatus status =
        file_name_is_plain(file)
            ? folders_path(&export->engine->folders, ".gully/exports", file, path)
            : gully_fail(GULLY_BAD_INPUT, "format: there is no such format of meshes");
    if (status == GULLY_OK) status = gully_mesh_format_check(path);
    if (status != GULLY_OK) return status;
    const GullyRaster* raster = &export->raster;
    GullyHeights heights = {raster->values, raster->width, raster->height, raster->cell_x,
                            raster->cell_y};
    GullyMeshDef def = gully_mesh_default();
    if (!isnan(export->command->message.error)) def.error = export->command->message.error;
    GullyMesh mesh = {0};
    status = gully_mesh_create(&heights, &def, &mesh);
    if (status == GULLY_OK) status = gully_mesh_write(path, &mesh, NULL);
    gully_mesh_free(&mesh);
    return status;
}

/// The terrain at the size that is asked for, as a picture.
static GullyStatus write_picture(Export* export, char path[PATH_MAX]) {
    const Message* message = &export->command->message;
    GullyRaster* raster = &export->raster;
    char file[160];
    snprintf(file, sizeof file, "%s.png", export->name);
    GullyStatus status = folders_path(&export->engine->folders, ".gully/exports", file, path);
    if (status == GULLY_OK && message->width > 0 && message->height > 0) {
        GullyRaster other;
        status = gully_raster_resample(raster, (int)message->width, (int)message->height, &other);
        if (status == GULLY_OK) gully_raster_free(raster);
        if (status == GULLY_OK) *raster = other;
    }
    return status == GULLY_OK ? export_picture(path, message->field, raster) : status;
}

static GullyStatus write_raster(Export* export, char path[PATH_MAX], GullyExported* exported) {
    const Message* message = &export->command->message;
    GullyExportDef def = gully_export_default();
    def.preset = message->preset;
    def.format = message->format ? message->format : message->preset ? NULL : "tif";
    def.width = (int)message->width;
    def.height = (int)message->height;
    def.low = message->low;
    def.high = message->high;
    def.flip = message->flip;
    GullyStatus status = folders_path(&export->engine->folders, ".gully/exports/", "", path);
    if (status != GULLY_OK) return status;
    status = export_make_map(message->field, &export->raster);
    if (status == GULLY_OK)
        status = gully_export(path, export->name, &export->raster, &def, exported);
    if (status == GULLY_OK) snprintf(path, PATH_MAX, "%s", exported->path);
    return status;
}

static void write_export(void* context) {
    Export* export = context;
    char path[PATH_MAX];
    const char* field = export->command->message.field;
    GullyExported exported = {0};
    GullyStatus status = strcmp(field, "mesh") == 0 ? write_mesh(export, path)
                         : export_is_picture(field) ? write_picture(export, path)
                                                    : write_raster(export, path, &exported);
    struct stat info;
    if (status == GULLY_OK && stat(path, &info) != 0)
        status = gully_fail(GULLY_IO, "%s: cannot be written", path);
    json_t* more = NULL;
    if (status == GULLY_OK) {
        const char* name = strrchr(path, '/') + 1;
        more = json_pack("{s:s, s:I}", "name", name, "size", (json_int_t)info.st_size);
        if (exported.format)
            json_object_update_new(
                more, json_pack("{s:i, s:i}", "width", exported.width, "height", exported.height));
        if (exported.format && exported.format->sidecar)
            json_object_set_new(more, "sidecar", json_sprintf("%s.json", name));
    }
    reply(export->engine, export->command, status, more);
    export_free(export);
}

// ---- on the engine's thread ---------------------------------------------------------------------

/// The field of that name, or the terrain for what is made of it; -1 if there is none.
static int find_field(const char* name) {
    if (strcmp(name, "mesh") == 0 || export_is_made(name)) return GULLY_TERRAIN;
    for (int field = 0; field < GULLY_FIELD_COUNT; field++)
        if (strcmp(gully_field_name((GullyField)field), name) == 0) return field;
    return -1;
}

static GullyStatus copy_field(const GullySession* session, GullyField field, GullyRaster* out) {
    const GullyWorld* world = gully_sim_world(gully_session_sim(session));
    const GullyGeoreference* georeference = gully_session_georeference(session);
    *out = (GullyRaster){
        .width = gully_world_width(world),
        .height = gully_world_height(world),
        .cell_x = gully_world_cell_x(world),
        .cell_y = gully_world_cell_y(world),
        .georeference = *georeference,
    };
    out->georeference.projection =
        georeference->projection ? strdup(georeference->projection) : NULL;
    gully_raster_describe(out, gully_field_name(field), gully_field_unit(field));
    out->values = malloc((size_t)out->width * (size_t)out->height * sizeof *out->values);
    if (!out->values) return gully_fail(GULLY_NO_MEMORY, "no memory for a copy of the field");
    return gully_world_read(world, field, gully_world_all(world), out->values);
}

GullyStatus exporting_begin(Engine* engine, Command* command) {
    int field = find_field(command->message.field);
    if (field < 0)
        return gully_fail(GULLY_BAD_INPUT,
                          "field: '%.64s' is none; there are terrain, water, "
                          "sediment, hardness, flow, wear, deposit, mesh, slope, normal, "
                          "splat, ...",
                          command->message.field);
    folders_clear_exports(&engine->folders, EXPORT_AGE);
    Export* export = calloc(1, sizeof *export);
    if (!export) return gully_fail(GULLY_NO_MEMORY, "no memory for an export");
    export->engine = engine;
    const char* name = export_is_made(command->message.field) ? command->message.field
                                                              : gully_field_name((GullyField)field);
    snprintf(export->name, sizeof export->name, "%s-%06lld", name,
             (long long)gully_sim_steps(gully_session_sim(engine->session)));
    GullyStatus status = copy_field(engine->session, (GullyField)field, &export->raster);
    export->command = status == GULLY_OK ? command : NULL;
    if (status == GULLY_OK && !clerk_post(&engine->clerk, write_export, export)) {
        gate_count(&engine->gate, REFUSED_BUSY);
        export->command = NULL;
        status = gully_fail(GULLY_FAILED, "too many files are being written already");
    }
    if (status != GULLY_OK) export_free(export);
    return status;
}
