// SPDX-License-Identifier: MIT
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
    GullyStatus status = atlas_read(atlas, path, layer);
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

/// A picture of the splat map: some paints, a channel each.
typedef struct Page {
    char stem[GULLY_PAINT_NAME + 8]; ///< of its file
    int first, count;                ///< paints
    int channels;
} Page;

/// The pictures: four paints each, or one if they are grey.
static int list_pages(const Splat* splat, bool grey, Page pages[GULLY_MAX_PAINTS]) {
    int count = 0, channels = grey ? 1 : CHANNELS;
    for (int first = 0; first < splat->count; first += channels, count++) {
        Page* page = &pages[count];
        int left = splat->count - first;
        *page = (Page){.first = first, .channels = channels};
        page->count = left < channels ? left : channels;
        if (grey)
            snprintf(page->stem, sizeof page->stem, "splat-%s", splat->paints[first].name);
        else if (count == 0)
            snprintf(page->stem, sizeof page->stem, "splat");
        else
            snprintf(page->stem, sizeof page->stem, "splat-%d", count + 1);
    }
    return count;
}

/// The name of a page for the key and the report: a file, or the folder of its tiles.
static void page_name(const Page* page, bool tiles, char* buffer, size_t size) {
    snprintf(buffer, size, "%.*s%s", (int)sizeof page->stem, page->stem, tiles ? "/" : ".png");
}

static GullyStatus write_page(const Atlas* atlas, const SplatRequest* request, const Splat* splat,
                              const Page* page) {
    size_t cells = (size_t)atlas->ground.width * (size_t)atlas->ground.height;
    size_t channels = (size_t)page->channels;
    GullyTexture texture = {atlas->ground.width, atlas->ground.height, page->channels,
                            calloc(cells, channels)};
    if (!texture.pixels) return gully_fail(GULLY_NO_MEMORY, "not enough memory for a splat map");
    for (size_t i = 0; i < cells; i++)
        memcpy(texture.pixels + channels * i,
               splat->weights + i * (size_t)splat->count + page->first, (size_t)page->count);
    GullyStatus status =
        picture_export(request->folder, page->stem, &texture, request->def, request->tiles);
    free(texture.pixels);
    return status;
}

static GullyStatus write_key(const SplatRequest* request, const Splat* splat, const Page* pages,
                             int count) {
    json_t* list = json_array();
    for (int p = 0; p < count; p++) {
        for (int k = 0; k < pages[p].count; k++) {
            char file[GULLY_PAINT_NAME + 16], channel[2] = {"RGBA"[k], 0};
            page_name(&pages[p], request->tiles != NULL, file, sizeof file);
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:s}", "name", splat->paints[pages[p].first + k].name,
                                "file", file, "channel", request->grey ? "grey" : channel));
        }
    }
    json_t* root = json_pack("{s:o}", "paints", list);
    char* text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    char* path = folder_path(request->folder, "splat", ".json");
    GullyStatus status = GULLY_OK;
    if (!text || !path)
        status = gully_fail(GULLY_NO_MEMORY, "splat.json: not enough memory");
    else if (!request->def->dry_run)
        status = gully_outputs_file(request->def->outputs, path, text, strlen(text));
    free(path);
    free(text);
    return status;
}

static GullyStatus write_files(const Atlas* atlas, const SplatRequest* request, const Splat* splat,
                               SplatWrote* wrote, void* context) {
    Page pages[GULLY_MAX_PAINTS];
    int count = list_pages(splat, request->grey, pages);
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < count && status == GULLY_OK; i++) {
        char name[GULLY_PAINT_NAME + 16];
        status = write_page(atlas, request, splat, &pages[i]);
        page_name(&pages[i], request->tiles != NULL, name, sizeof name);
        if (status == GULLY_OK) wrote(context, name);
    }
    if (status == GULLY_OK) status = write_key(request, splat, pages, count);
    if (status == GULLY_OK) wrote(context, "splat.json");
    return status;
}

GullyStatus picture_export(const char* folder, const char* stem, const GullyTexture* texture,
                           const GullyExportDef* def, const GullyTilesDef* tiles) {
    char* inside = tiles ? folder_path(folder, stem, "") : NULL;
    if (tiles && !inside) return GULLY_NO_MEMORY;
    GullyStatus status = gully_export_picture(tiles ? inside : folder, stem, texture, def, tiles);
    free(inside);
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
