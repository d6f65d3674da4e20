// Tiles put together again, by their index.

#include "tile_set.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json_parts.h"
#include "read_def.h"

static const char INDEX[] = "tiles.json";
enum { MOST_BYTES = 1 << 26 }; // of an index
enum { MOST_TILES = 1 << 20 };

// ---- the index ----

/// A name in the folder of the index, nothing else: an index may come from anywhere.
static bool is_plain_name(const char* name) {
    return name != NULL && name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL &&
           strlen(name) < 256;
}

static GullyStatus parse_tile(const char* name, const json_t* json, const GullyTileIndex* index,
                              GullyTile* tile) {
    const char* file = json_string_value(json_object_get(json, "file"));
    if (!is_plain_name(file))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: a tile's file must be the name of a file beside the index", name);
    GullyStatus status = whole_parse(name, json, "x", 0, index->width - 1, &tile->x);
    if (!status) status = whole_parse(name, json, "y", 0, index->height - 1, &tile->y);
    if (!status) status = whole_parse(name, json, "width", 1, index->width - tile->x, &tile->width);
    if (!status)
        status = whole_parse(name, json, "height", 1, index->height - tile->y, &tile->height);
    if (status) return gully_fail_in(status, "%s: tile %s", name, file);
    tile->file = strdup(file);
    return tile->file != NULL ? GULLY_OK
                              : gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", name);
}

static GullyStatus parse_tiles(const char* name, const json_t* list, GullyTileIndex* out) {
    size_t count = json_array_size(list);
    if (count < 1 || count > MOST_TILES)
        return gully_fail(GULLY_BAD_INPUT, "%s: tiles must be a list of 1 to %d tiles", name,
                          MOST_TILES);
    out->tiles = calloc(count, sizeof *out->tiles);
    if (out->tiles == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", name);
    GullyStatus status = GULLY_OK;
    for (size_t i = 0; i < count && !status; ++i, ++out->count)
        status = parse_tile(name, json_array_get(list, i), out, &out->tiles[i]);
    return status;
}

GullyStatus gully_tile_index_parse(const char* name, const char* text, size_t size,
                                   GullyTileIndex* out) {
    *out = (GullyTileIndex){0};
    json_t* root = marked_json_parse(name, text, size, "gully_tiles");
    if (root == NULL) return GULLY_BAD_INPUT;
    GullyStatus status = size_parse(name, root, &out->width, &out->height);
    if (!status) status = cell_size_parse(name, root, &out->cell_x, &out->cell_y);
    if (!status)
        status = georeference_parse(name, json_object_get(root, "georeference"), out->height,
                                    out->cell_x, out->cell_y, &out->georeference);
    if (!status) status = parse_tiles(name, json_object_get(root, "tiles"), out);
    json_decref(root);
    if (status) gully_tile_index_free(out);
    return status;
}

void gully_tile_index_free(GullyTileIndex* index) {
    if (index == NULL) return;
    for (int i = 0; i < index->count; ++i)
        free(index->tiles[i].file);
    free(index->tiles);
    free(index->georeference.projection);
    *index = (GullyTileIndex){0};
}

// ---- the tiles ----

/// The path of the index of a folder, or the path itself. False if it is too long.
static bool index_path(const char* path, char* buffer, size_t size) {
    struct stat info;
    bool folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    int used = snprintf(buffer, size, "%s%s%s", path, folder ? "/" : "", folder ? INDEX : "");
    return used >= 0 && (size_t)used < size;
}

bool tiles_are_at(const char* path) {
    char index[PATH_MAX];
    if (!index_path(path, index, sizeof index)) return false;
    size_t length = strlen(index), name = strlen(INDEX);
    bool named = length > name && index[length - name - 1] == '/';
    return (named || length == name) && strcmp(index + length - name, INDEX) == 0 &&
           access(index, F_OK) == 0;
}

static GullyStatus place_tile(const char* folder, const GullyTile* tile, unsigned char* covered,
                              GullyRaster* out) {
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s%s", folder, tile->file) >= sizeof path)
        return gully_fail(GULLY_BAD_INPUT, "%s: the name is too long", folder);
    GullyRaster part;
    // What we wrote is in metres, whatever its projection is in.
    GullyStatus status = gully_raster_read_as(path, &(GullyReadDef){.plain = true}, &part);
    if (status) return status;
    if (part.width != tile->width || part.height != tile->height)
        status = gully_fail(GULLY_BAD_INPUT, "%s: has %d x %d cells; the index says %d x %d", path,
                            part.width, part.height, tile->width, tile->height);
    for (int row = 0; row < part.height && !status; ++row) {
        size_t at = (size_t)(tile->y + row) * (size_t)out->width + (size_t)tile->x;
        memcpy(out->values + at, part.values + (size_t)row * (size_t)part.width,
               (size_t)part.width * sizeof(float));
        memset(covered + at, 1, (size_t)part.width);
    }
    gully_raster_free(&part);
    return status;
}

static GullyStatus place_tiles(const char* name, const char* folder, const GullyTileIndex* index,
                               GullyRaster* out) {
    size_t count = (size_t)out->width * (size_t)out->height;
    unsigned char* covered = calloc(count, 1);
    out->values = malloc(count * sizeof(float));
    GullyStatus status = GULLY_OK;
    if (covered == NULL || out->values == NULL)
        status = gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", name);
    for (int i = 0; i < index->count && !status; ++i)
        status = place_tile(folder, &index->tiles[i], covered, out);
    if (!status && memchr(covered, 0, count) != NULL)
        status = gully_fail(GULLY_BAD_INPUT, "%s: its tiles leave cells of %d x %d uncovered", name,
                            out->width, out->height);
    free(covered);
    return status;
}

GullyStatus tiles_read(const char* path, GullyRaster* out) {
    *out = (GullyRaster){.driver = "tiles", .type = "Float32", .unit = "m"};
    char name[PATH_MAX], folder[PATH_MAX];
    if (!index_path(path, name, sizeof name))
        return gully_fail(GULLY_BAD_INPUT, "%s: the name is too long", path);
    snprintf(folder, sizeof folder, "%.*s", (int)(strlen(name) - strlen(INDEX)), name);
    char* text;
    size_t size;
    GullyTileIndex index;
    GullyStatus status = bytes_read(name, MOST_BYTES, &text, &size);
    if (status) return status;
    status = gully_tile_index_parse(name, text, size, &index);
    free(text);
    if (status) return status;
    out->width = index.width;
    out->height = index.height;
    out->cell_x = index.cell_x;
    out->cell_y = index.cell_y;
    out->georeference = index.georeference;
    index.georeference.projection = NULL; // the raster's now
    status = place_tiles(name, folder, &index, out);
    gully_tile_index_free(&index);
    if (status) gully_raster_free(out);
    return status;
}
