/// Splat maps: by rules or by the materials of a run, as pictures of four channels.
#include "splat_files.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/mesh.h"
#include "gully/splat.h"
#include "run_folder.h"

enum { CHANNELS = 4 };

typedef struct Splat {
    int count;
    GullyPaint paints[GULLY_MAX_PAINTS];
    unsigned char* weights; ///< `count` bytes a cell
} Splat;

// ---- by rules -----------------------------------------------------------------------------------

static GullyStatus take_rules(const SplatRequest* request, Splat* splat) {
    if (request->rules) return gully_splat_rules_read(request->rules, splat->paints, &splat->count);
    const GullyPaint* paints = gully_default_paints(&splat->count);
    memcpy(splat->paints, paints, (size_t)splat->count * sizeof *paints);
    return GULLY_OK;
}

static GullyStatus paint_rules(Atlas* atlas, Splat* splat) {
    const float* maps[GULLY_QUANTITY_COUNT] = {0};
    for (int k = 0; k < splat->count; k++) {
        for (int i = 0; i < splat->paints[k].range_count; i++) {
            GullyQuantity quantity = splat->paints[k].ranges[i].quantity;
            GullyStatus status = atlas_quantity(atlas, quantity, &maps[quantity]);
            if (status != GULLY_OK) return status;
        }
    }
    gully_splat_by_rules(splat->paints, splat->count, maps, &atlas->heights, splat->weights);
    return GULLY_OK;
}

// ---- by materials -------------------------------------------------------------------------------

static GullyStatus take_materials(const Atlas* atlas, Splat* splat) {
    splat->count = atlas->material_count;
    for (int k = 0; k < splat->count; k++)
        snprintf(splat->paints[k].name, GULLY_PAINT_NAME, "%s", atlas->materials[k]);
    if (splat->count > 0) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: has no materials; they come from the folder of a run that had some",
                      atlas->input);
}

static GullyStatus read_layer(const Atlas* atlas, const char* name, GullyRaster* layer) {
    char file[GULLY_PAINT_NAME + 8];
    snprintf(file, sizeof file, "layer-%s", name);
    char* path = folder_file(atlas->input, file, ".tif");
    if (!path)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: its report names the material %s, but %s.tif is not "
                          "there",
                          atlas->input, name, file);
    GullyStatus status = same_size_read(path, &atlas->ground, layer);
    free(path);
    return status;
}

static GullyStatus paint_materials(const Atlas* atlas, double blend, Splat* splat) {
    GullyRaster layers[GULLY_MAX_PAINTS] = {0};
    const float* values[GULLY_MAX_PAINTS] = {0};
    GullyStatus status = GULLY_OK;
    for (int k = 1; k < splat->count && status == GULLY_OK; k++) {
        status = read_layer(atlas, splat->paints[k].name, &layers[k]);
        values[k] = layers[k].values;
    }
    if (status == GULLY_OK)
        gully_splat_by_layers(values, splat->count, blend, &atlas->heights, splat->weights);
    for (int k = 1; k < splat->count; k++)
        gully_raster_free(&layers[k]);
    return status;
}

// ---- files --------------------------------------------------------------------------------------

static void file_name(int picture, char* buffer, size_t size) {
    if (picture == 0)
        snprintf(buffer, size, "splat.png");
    else
        snprintf(buffer, size, "splat-%d.png", picture + 1);
}

static GullyStatus write_picture(const Atlas* atlas, const Splat* splat, int picture,
                                 GullyOutputs* set, const char* path) {
    size_t cells = (size_t)atlas->ground.width * (size_t)atlas->ground.height;
    GullyTexture texture = {atlas->ground.width, atlas->ground.height, CHANNELS,
                            calloc(cells, CHANNELS)};
    if (!texture.pixels) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    int first = picture * CHANNELS, count = splat->count - first;
    if (count > CHANNELS) count = CHANNELS;
    for (size_t i = 0; i < cells; i++)
        memcpy(texture.pixels + CHANNELS * i, splat->weights + i * (size_t)splat->count + first,
               (size_t)count);
    GullyStatus status = gully_outputs_texture(set, path, &texture);
    free(texture.pixels);
    return status;
}

static GullyStatus write_key(const Splat* splat, GullyOutputs* set, const char* path) {
    json_t* channels = json_array();
    for (int k = 0; k < splat->count; k++) {
        char file[32], channel[2] = {"RGBA"[k % CHANNELS], 0};
        file_name(k / CHANNELS, file, sizeof file);
        json_array_append_new(channels, json_pack("{s:s, s:s, s:s}", "name", splat->paints[k].name,
                                                  "file", file, "channel", channel));
    }
    json_t* root = json_pack("{s:o}", "paints", channels);
    char* text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    if (!text) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    GullyStatus status = gully_outputs_file(set, path, text, strlen(text));
    free(text);
    return status;
}

// A picture, or after the last one the key.
static GullyStatus write_file(const Atlas* atlas, const SplatRequest* request, const Splat* splat,
                              int picture, const char* name) {
    char* path = folder_path(request->folder, name, "");
    if (!path) return GULLY_NO_MEMORY;
    bool is_key = picture * CHANNELS >= splat->count;
    GullyStatus status = is_key ? write_key(splat, request->set, path)
                                : write_picture(atlas, splat, picture, request->set, path);
    free(path);
    return status;
}

static GullyStatus write_files(const Atlas* atlas, const SplatRequest* request, const Splat* splat,
                               SplatWrote* wrote, void* context) {
    GullyStatus status = GULLY_OK;
    int pictures = (splat->count + CHANNELS - 1) / CHANNELS;
    for (int i = 0; i <= pictures && status == GULLY_OK; i++) {
        char name[32] = "splat.json";
        if (i < pictures) file_name(i, name, sizeof name);
        status = write_file(atlas, request, splat, i, name);
        if (status == GULLY_OK) wrote(context, name);
    }
    return status;
}

GullyStatus splat_write(Atlas* atlas, const SplatRequest* request, SplatWrote* wrote,
                        void* context) {
    bool can = atlas->material_count > 0 && !request->rules;
    bool materials =
        strcmp(request->by, "materials") == 0 || (strcmp(request->by, "auto") == 0 && can);
    Splat splat = {0};
    GullyStatus status = materials ? take_materials(atlas, &splat) : take_rules(request, &splat);
    if (status != GULLY_OK) return status;
    size_t cells = (size_t)atlas->ground.width * (size_t)atlas->ground.height;
    splat.weights = malloc(cells * (size_t)splat.count);
    if (!splat.weights)
        status = gully_fail(GULLY_NO_MEMORY, "not enough memory for the splat map");
    else
        status =
            materials ? paint_materials(atlas, request->blend, &splat) : paint_rules(atlas, &splat);
    if (status == GULLY_OK) status = write_files(atlas, request, &splat, wrote, context);
    free(splat.weights);
    return status;
}
