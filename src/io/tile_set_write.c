// SPDX-License-Identifier: MIT
// A terrain cut into tiles. All share one range of heights, so that they fit at the seams; all have
// the same size, except that without a preset the last column and row take what is left.

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export_plan.h"
#include "gully/mesh.h"
#include "json_parts.h"

/// How one side of the terrain is cut.
typedef struct Cut {
    int side, step; ///< cells of a tile, and from one tile to the next
    int count;      ///< tiles
} Cut;

static Cut cut_side(const GullyTilesDef* tiles, int cells) {
    int step = tiles->overlap ? tiles->side - 1 : tiles->side;
    int shared = tiles->side - step;
    int count = cells <= tiles->side ? 1 : (cells - shared + step - 1) / step;
    return (Cut){.side = tiles->side, .step = step, .count = count};
}

/// The number of cells that whole tiles make, at least so many: nothing gets coarser.
static int whole_tiles(const GullyTilesDef* tiles, int cells) {
    int step = tiles->overlap ? tiles->side - 1 : tiles->side;
    int shared = tiles->side - step;
    int count = (cells - shared + step - 1) / step;
    return (count < 1 ? 1 : count) * step + shared;
}

static GullyStatus choose_size(const char* folder, const GullyRaster* raster,
                               const GullyExportDef* def, const GullyTilesDef* tiles,
                               const Preset* preset, int* width, int* height) {
    bool given = plan_size(raster, def, NULL, width, height);
    bool whole = preset != NULL && preset->info.sizes != NULL;
    if (!given) *width = raster->width;
    if (!given) *height = raster->height;
    if (!whole) return GULLY_OK;
    if (!preset_takes_side(preset, tiles->side)) {
        char list[128];
        preset_list_sides(preset, list, sizeof list);
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: preset %s does not take tiles of %d cells; it takes %s", folder,
                          preset->info.name, tiles->side, list);
    }
    int whole_width = whole_tiles(tiles, *width), whole_height = whole_tiles(tiles, *height);
    bool both = def->width > 0 && def->height > 0;
    if (both && (whole_width != *width || whole_height != *height))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: preset %s wants whole tiles, %d x %d cells are none; the next "
                          "size is %dx%d",
                          folder, preset->info.name, *width, *height, whole_width, whole_height);
    *width = whole_width;
    *height = whole_height;
    return GULLY_OK;
}

/// A window of a raster as a raster of its own; its projection stays the whole's.
static GullyRaster window_of(const GullyRaster* raster, int x, int y, int width, int height) {
    GullyRaster part = *raster;
    part.width = width;
    part.height = height;
    part.values = malloc((size_t)width * (size_t)height * sizeof(float));
    double* t = part.georeference.transform;
    const double* whole = raster->georeference.transform;
    t[0] = whole[0] + x * whole[1] + y * whole[2];
    t[3] = whole[3] + x * whole[4] + y * whole[5];
    for (int row = 0; row < height && part.values != NULL; ++row)
        memcpy(part.values + (size_t)row * (size_t)width,
               raster->values + (size_t)(y + row) * (size_t)raster->width + (size_t)x,
               (size_t)width * sizeof(float));
    return part;
}

/// What the tiles of a set share.
typedef struct Set {
    const char *folder, *name;
    const ExportPlan* plan;
    Cut across, down;
    json_t* list; ///< of tiles, for the index
} Set;

static bool tile_name(const char* name, const Preset* preset, const Cut* down, int column, int row,
                      const char* extension, char* buffer, size_t size) {
    bool from_south = preset != NULL && preset->from_south;
    if (from_south) row = down->count - 1 - row;
    int used = from_south ? snprintf(buffer, size, "%s_%d_%d.%s", name, column, row, extension)
                          : snprintf(buffer, size, "%s_x%d_y%d.%s", name, column, row, extension);
    return used >= 0 && (size_t)used < size;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

static GullyStatus write_tile(const Set* set, int column, int row) {
    const GullyRaster* whole = &set->plan->raster;
    int x = column * set->across.step, y = row * set->down.step;
    int width = least(set->across.side, whole->width - x);
    int height = least(set->down.side, whole->height - y);
    char name[256], path[1024], extension[16];
    plan_extension(set->plan, extension, sizeof extension);
    if (!tile_name(set->name, set->plan->preset, &set->down, column, row, extension, name,
                   sizeof name) ||
        (size_t)snprintf(path, sizeof path, "%s/%s", set->folder, name) >= sizeof path)
        return gully_fail(GULLY_BAD_INPUT, "%s: the names of the tiles are too long", set->folder);
    GullyRaster part = window_of(whole, x, y, width, height);
    if (part.values == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    GullyStatus status = plan_write(set->plan, path, &part);
    free(part.values);
    json_array_append_new(set->list, json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:i}", "file", name,
                                               "column", column, "row", row, "x", x, "y", y,
                                               "width", width, "height", height));
    return status;
}

/// The index; takes the list of tiles over.
static json_t* index_json(const Set* set, const GullyTilesDef* tiles) {
    const GullyRaster* whole = &set->plan->raster;
    return json_pack("{s:i, s:s, s:i, s:i, s:i, s:b, s:i, s:i, s:f, s:f, s:[f, f], s:o, s:o}", //
                     "gully_tiles", 1, "format", set->plan->format->info.name,                 //
                     "width", whole->width, "height", whole->height,                           //
                     "tile", tiles->side, "overlap", tiles->overlap,                           //
                     "columns", set->across.count, "rows", set->down.count,                    //
                     "min", set->plan->sidecar.min, "max", set->plan->sidecar.max,             //
                     "cell_size", whole->cell_x, whole->cell_y,                                //
                     "georeference", georeference_json(&whole->georeference), "tiles", set->list);
}

static GullyStatus write_set(Set* set, const GullyTilesDef* tiles, GullyExported* exported) {
    GullyStatus status = GULLY_OK;
    set->list = json_array();
    for (int row = 0; row < set->down.count && !status; ++row)
        for (int column = 0; column < set->across.count && !status; ++column)
            status = write_tile(set, column, row);
    json_t* index = index_json(set, tiles);
    int used = snprintf(exported->path, sizeof exported->path, "%s/tiles.json", set->folder);
    if (!status && (size_t)used >= sizeof exported->path)
        status = gully_fail(GULLY_BAD_INPUT, "%s: the name is too long", set->folder);
    if (!status && !set->plan->dry_run)
        status = json_file_write(exported->path, index, set->plan->outputs);
    json_decref(index);
    return status;
}

static GullyStatus check_tiles(const char* folder, const GullyTilesDef* tiles) {
    if (tiles->side > (tiles->overlap ? 1 : 0)) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "%s: tiles of %d cells; at least %d", folder, tiles->side,
                      tiles->overlap ? 2 : 1);
}

GullyStatus gully_export_tiles(const char* folder, const char* name, const GullyRaster* raster,
                               const GullyExportDef* def, const GullyTilesDef* tiles,
                               GullyExported* exported) {
    GullyExported unused;
    if (exported == NULL) exported = &unused;
    *exported = (GullyExported){0};
    ExportPlan plan;
    int width, height;
    GullyStatus status = plan_format(folder, true, def, &plan);
    if (!status) status = check_tiles(folder, tiles);
    if (!status) status = choose_size(folder, raster, def, tiles, plan.preset, &width, &height);
    if (!status) status = plan_numbers(folder, raster, width, height, def, &plan);
    if (!status && !def->dry_run) status = gully_folder_make(folder);
    if (!status) {
        Set set = {.folder = folder, .name = name, .plan = &plan};
        set.across = cut_side(tiles, plan.raster.width);
        set.down = cut_side(tiles, plan.raster.height);
        status = write_set(&set, tiles, exported);
        *exported = (GullyExported){.format = &plan.format->info,
                                    .width = plan.raster.width,
                                    .height = plan.raster.height,
                                    .low = plan.sidecar.min,
                                    .high = plan.sidecar.max,
                                    .columns = set.across.count,
                                    .rows = set.down.count,
                                    .nodata = plan.nodata,
                                    .filled = plan.filled};
        snprintf(exported->path, sizeof exported->path, "%s/tiles.json", folder);
    }
    plan_free(&plan);
    return status;
}

// ---- pictures ----

/// A picture that is being cut.
typedef struct Album {
    const char *folder, *name;
    const GullyTexture* picture;
    const GullyExportDef* def;
    const Preset* preset; ///< or NULL
    Cut across, down;
} Album;

static GullyStatus write_part(const Album* album, int column, int row) {
    const GullyTexture* whole = album->picture;
    int x = column * album->across.step, y = row * album->down.step;
    GullyTexture part = {.width = least(album->across.side, whole->width - x),
                         .height = least(album->down.side, whole->height - y),
                         .channels = whole->channels};
    size_t channels = (size_t)whole->channels, line = (size_t)part.width * channels;
    char name[256], path[1024];
    if (!tile_name(album->name, album->preset, &album->down, column, row, "png", name,
                   sizeof name) ||
        (size_t)snprintf(path, sizeof path, "%s/%s", album->folder, name) >= sizeof path)
        return gully_fail(GULLY_BAD_INPUT, "%s: the names of the tiles are too long",
                          album->folder);
    part.pixels = malloc(line * (size_t)part.height);
    if (part.pixels == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    for (int k = 0; k < part.height; ++k)
        memcpy(part.pixels + (size_t)k * line,
               whole->pixels + ((size_t)(y + k) * (size_t)whole->width + (size_t)x) * channels,
               line);
    GullyStatus status = gully_outputs_texture(album->def->outputs, path, &part);
    free(part.pixels);
    return status;
}

static GullyStatus write_whole(const char* folder, const char* name, const GullyTexture* picture,
                               const GullyExportDef* def) {
    char path[1024];
    if ((size_t)snprintf(path, sizeof path, "%s/%s.png", folder, name) >= sizeof path)
        return gully_fail(GULLY_BAD_INPUT, "%s: the name is too long", folder);
    return gully_outputs_texture(def->outputs, path, picture);
}

GullyStatus gully_export_picture(const char* folder, const char* name, const GullyTexture* picture,
                                 const GullyExportDef* def, const GullyTilesDef* tiles) {
    Album album = {.folder = folder, .name = name, .picture = picture, .def = def};
    GullyStatus status = gully_def_check(def->made, "gully_export_default");
    if (!status && def->preset != NULL) {
        album.preset = preset_named(def->preset);
        if (album.preset == NULL) return GULLY_BAD_INPUT;
    }
    if (!status && tiles != NULL) status = check_tiles(folder, tiles);
    if (status || def->dry_run) return status;
    status = gully_folder_make(folder);
    if (!status && tiles == NULL) return write_whole(folder, name, picture, def);
    if (status) return status;
    album.across = cut_side(tiles, picture->width);
    album.down = cut_side(tiles, picture->height);
    for (int row = 0; row < album.down.count && !status; ++row)
        for (int column = 0; column < album.across.count && !status; ++column)
            status = write_part(&album, column, row);
    return status;
}
