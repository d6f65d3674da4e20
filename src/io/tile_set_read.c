// SPDX-License-Identifier: MIT
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

/// Tiles that are open at once: more than a row of them has, fewer than a program can open files.
enum { MOST_OPEN = 128 };

typedef struct TileSource {
    GullyTileIndex index;
    GullyRasterStream** streams; ///< of the tiles; NULL = closed
    int open;
    char name[PATH_MAX], folder[PATH_MAX];
} TileSource;

static void close_tile(TileSource* source, int n) {
    source->open -= source->streams[n] != NULL;
    gully_raster_close(source->streams[n]);
    source->streams[n] = NULL;
}

static GullyStatus open_tile(TileSource* source, int n) {
    const GullyTile* tile = &source->index.tiles[n];
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s%s", source->folder, tile->file) >= sizeof path)
        return gully_fail(GULLY_BAD_INPUT, "%s: the name is too long", source->folder);
    // What we wrote is in metres, whatever its projection is in.
    const GullyReadDef plain = {.plain = true};
    GullyStatus status = gully_raster_open(path, &plain, &source->streams[n]);
    if (status) return status;
    source->open++;
    const GullyRaster* head = gully_raster_head(source->streams[n]);
    if (head->width == tile->width && head->height == tile->height) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "%s: has %d x %d cells; the index says %d x %d", path,
                      head->width, head->height, tile->width, tile->height);
}

/// Rows that are put together.
typedef struct TileBand {
    int y, count;
    float* values;
    unsigned char* covered;
} TileBand;

/// Puts what the band has of a tile where it belongs. A tile that goes on below stays open.
static GullyStatus place_tile(TileSource* source, int n, const TileBand* band) {
    const GullyTile* tile = &source->index.tiles[n];
    int first = tile->y > band->y ? tile->y : band->y;
    int end = tile->y + tile->height, band_end = band->y + band->count;
    if (end > band_end) end = band_end;
    if (first >= end) return GULLY_OK;
    float* part = malloc((size_t)(end - first) * (size_t)tile->width * sizeof *part);
    GullyStatus status =
        part ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", source->name);
    if (!status && !source->streams[n]) status = open_tile(source, n);
    if (!status) status = gully_raster_rows(source->streams[n], first - tile->y, end - first, part);
    for (int y = first; y < end && !status; ++y) {
        size_t at = (size_t)(y - band->y) * (size_t)source->index.width + (size_t)tile->x;
        const float* row = part + (size_t)(y - first) * (size_t)tile->width;
        memcpy(band->values + at, row, (size_t)tile->width * sizeof *row);
        memset(band->covered + at, 1, (size_t)tile->width);
    }
    free(part);
    if (status || end == tile->y + tile->height || source->open > MOST_OPEN) close_tile(source, n);
    return status;
}

static GullyStatus read_tile_rows(void* context, int y, int count, float* out) {
    TileSource* source = context;
    size_t cells = (size_t)count * (size_t)source->index.width;
    TileBand band = {y, count, out, calloc(cells, 1)};
    GullyStatus status = GULLY_OK;
    if (!band.covered) status = gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", source->name);
    for (int n = 0; n < source->index.count && !status; ++n)
        status = place_tile(source, n, &band);
    if (!status && memchr(band.covered, 0, cells) != NULL)
        status = gully_fail(GULLY_BAD_INPUT, "%s: its tiles leave cells of %d x %d uncovered",
                            source->name, source->index.width, source->index.height);
    free(band.covered);
    return status;
}

static void close_tiles(void* context) {
    TileSource* source = context;
    for (int n = 0; source->streams && n < source->index.count; ++n)
        close_tile(source, n);
    free(source->streams);
    gully_tile_index_free(&source->index);
    free(source);
}

static GullyStatus read_index(const char* path, TileSource* source) {
    if (!index_path(path, source->name, sizeof source->name))
        return gully_fail(GULLY_BAD_INPUT, "%s: the name is too long", path);
    snprintf(source->folder, sizeof source->folder, "%.*s",
             (int)(strlen(source->name) - strlen(INDEX)), source->name);
    char* text;
    size_t size;
    GullyStatus status = bytes_read(source->name, MOST_BYTES, &text, &size);
    if (status) return status;
    status = gully_tile_index_parse(source->name, text, size, &source->index);
    free(text);
    if (status) return status;
    source->streams = calloc((size_t)source->index.count, sizeof *source->streams);
    return source->streams ? GULLY_OK
                           : gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", source->name);
}

GullyStatus tiles_open(const char* path, GullyRaster* head, RasterSource* out) {
    *head = (GullyRaster){.driver = "tiles", .type = "Float32", .unit = "m"};
    TileSource* source = calloc(1, sizeof *source);
    if (source == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    GullyStatus status = read_index(path, source);
    if (status) {
        close_tiles(source);
        return status;
    }
    GullyTileIndex* index = &source->index;
    head->width = index->width;
    head->height = index->height;
    head->cell_x = index->cell_x;
    head->cell_y = index->cell_y;
    head->georeference = index->georeference;
    index->georeference.projection = NULL; // the raster's now
    *out = (RasterSource){.rows = {.read = read_tile_rows, .context = source},
                          .close = close_tiles,
                          .noted = true,
                          .scale = 1.0};
    return GULLY_OK;
}
