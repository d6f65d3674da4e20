// SPDX-License-Identifier: MIT
#include "field_channels.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "console.h"
#include "pictures.h"

/// The fields that there are, in the size that is asked for.
typedef struct Channels {
    GullyRaster rasters[GULLY_FIELD_COUNT];
    int count;
} Channels;

static void name_channel(const RasterSet* set, GullyField field, GullyRaster* raster) {
    char name[16 + GULLY_MATERIAL_NAME];
    int layer = (int)field - GULLY_LAYER_0;
    snprintf(name, sizeof name, "%s", gully_field_name(field));
    if (layer >= 0) snprintf(name, sizeof name, "layer-%s", set->materials[layer].name);
    gully_raster_describe(raster, name, gully_field_unit(field));
}

static GullyStatus take_channels(const RasterSet* set, int width, int height, Channels* out) {
    for (int f = 0; f < GULLY_FIELD_COUNT; f++) {
        if (!set->rasters[f].values) continue;
        GullyRaster* raster = &out->rasters[out->count++];
        GullyStatus status = gully_raster_resample(&set->rasters[f], width, height, raster);
        if (status != GULLY_OK) return status;
        name_channel(set, (GullyField)f, raster);
    }
    return GULLY_OK;
}

static int tell(const char* to, const ExportOptions* options, const Channels* channels) {
    json_t* names = json_array();
    for (int i = 0; i < channels->count; i++)
        json_array_append_new(names, json_string(i == 0 ? "Y" : channels->rasters[i].name));
    if (options->json)
        return console_json(json_pack("{s:s, s:[i, i], s:o}", "file", to, "size",
                                      channels->rasters->width, channels->rasters->height,
                                      "channels", names));
    size_t index;
    const json_t* name;
    if (!options->quiet) {
        printf("file        %s\nsize        %d x %d cells\nchannels   ", to,
               channels->rasters->width, channels->rasters->height);
        json_array_foreach(names, index, name) printf(" %s", json_string_value(name));
        printf("\n");
    }
    json_decref(names);
    return EXIT_DONE;
}

int fields_convert(const char* in, const char* to, const GullyReadDef* read,
                   const ExportOptions* options, const GullyExportDef* def) {
    const char* dot = strrchr(to, '.');
    if (!dot || strcasecmp(dot, ".exr") != 0 || def->preset || def->format) {
        console_error("convert: --fields makes one EXR file: a name that ends with .exr, without "
                      "--format and --preset");
        return EXIT_USAGE;
    }
    RasterSet set;
    Channels channels = {0};
    GullyExported size;
    GullyExportDef dry = *def; // what the size would be
    dry.dry_run = true;
    GullyStatus status = raster_set_read(in, read, &set);
    if (status != GULLY_OK) return console_fail(status);
    status = gully_export(to, "terrain", &set.rasters[GULLY_TERRAIN], &dry, &size);
    if (status == GULLY_OK) status = take_channels(&set, size.width, size.height, &channels);
    if (status == GULLY_OK && !def->dry_run)
        status = gully_exr_write(to, channels.rasters, channels.count, NULL);
    int code = status == GULLY_OK ? tell(to, options, &channels) : console_fail(status);
    for (int i = 0; i < channels.count; i++)
        gully_raster_free(&channels.rasters[i]);
    raster_set_free(&set);
    return code;
}
