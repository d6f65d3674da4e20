// SPDX-License-Identifier: MIT
// Rasters and copies that commands name. A name is the hash of what it stands for, so the same
// thing added twice is one, and a file that holds something else is noticed.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint_format.h"
#include "json_parts.h"
#include "session_inside.h"

static const size_t MOST_CLIP = SIZE_MAX / 2; // bytes of a file

static StockItem* find(const Stock* stock, const char* name, bool clip) {
    for (int i = 0; i < stock->count; i++) {
        StockItem* item = &stock->items[i];
        if (strcmp(item->name, name) == 0 && (item->clip != NULL) == clip) return item;
    }
    return NULL;
}

const StockItem* stock_find(const Stock* stock, const char* name, bool clip) {
    return find(stock, name, clip);
}

void stock_use(Stock* stock, const char* name) {
    for (int i = 0; i < stock->count; i++)
        if (strcmp(stock->items[i].name, name) == 0) stock->items[i].used = true;
}

static void drop_item(Stock* stock, int index) {
    free(stock->items[index].values);
    gully_clip_destroy(stock->items[index].clip);
    stock->count--;
    memmove(&stock->items[index], &stock->items[index + 1],
            (size_t)(stock->count - index) * sizeof *stock->items);
}

void stock_free(Stock* stock) {
    while (stock->count > 0)
        drop_item(stock, stock->count - 1);
    free(stock->items);
    *stock = (Stock){0};
}

/// Forgets the oldest of those that no record uses, if there are too many.
static void drop_unused(Stock* stock) {
    int unused = 0, oldest = 0;
    for (int i = stock->count - 1; i >= 0; i--) {
        if (stock->items[i].used) continue;
        unused++;
        oldest = i;
    }
    if (unused > STOCK_UNUSED) drop_item(stock, oldest);
}

/// Puts an item into the list, which takes it over.
static GullyStatus add_item(Stock* stock, StockItem item, char name[64]) {
    snprintf(name, 64, "%s", item.name);
    bool known = stock_find(stock, item.name, item.clip != NULL) != NULL;
    if (!known && stock->count == stock->capacity) {
        int capacity = 2 * stock->capacity + 8;
        StockItem* items = realloc(stock->items, (size_t)capacity * sizeof *items);
        if (items) {
            stock->items = items;
            stock->capacity = capacity;
        }
    }
    if (known || stock->count == stock->capacity) {
        free(item.values);
        gully_clip_destroy(item.clip);
        return known ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for %s", name);
    }
    stock->items[stock->count++] = item;
    drop_unused(stock);
    return GULLY_OK;
}

GullyStatus stock_add_raster(Stock* stock, const float* values, int width, int height,
                             char name[64]) {
    size_t count = (size_t)width * (size_t)height;
    const int size[2] = {width, height};
    StockItem item = {.width = width, .height = height};
    item.values = malloc(count * sizeof(float));
    if (!item.values)
        return gully_fail(GULLY_NO_MEMORY, "no memory for a raster of %d x %d cells", width,
                          height);
    for (size_t i = 0; i < count; i++) // a file gives all of these back as the same
        item.values[i] = isfinite(values[i]) ? values[i] + 0.0f : NAN;
    uint64_t hash = chunk_bytes_hash(size, sizeof size, 0);
    hash = chunk_bytes_hash(item.values, count * sizeof(float), hash);
    snprintf(item.name, sizeof item.name, "raster-%016llx", (unsigned long long)hash);
    return add_item(stock, item, name);
}

GullyStatus stock_add_clip(Stock* stock, GullyClip* clip, char name[64]) {
    StockItem item = {
        .clip = clip, .width = gully_clip_width(clip), .height = gully_clip_height(clip)};
    size_t size;
    const void* bytes = gully_clip_bytes(clip, &size);
    snprintf(item.name, sizeof item.name, "clip-%016llx",
             (unsigned long long)chunk_bytes_hash(bytes, size, 0));
    return add_item(stock, item, name);
}

GullyStatus gully_session_add_raster(GullySession* session, const GullyRaster* raster,
                                     char name[64]) {
    return stock_add_raster(&session->stock, raster->values, raster->width, raster->height, name);
}

// ---- files --------------------------------------------------------------------------------------

/// "FOLDER/rasters/NAME.tif" or "FOLDER/clips/NAME".
static char* item_path(const char* folder, const char* name, bool clip) {
    char place[96];
    snprintf(place, sizeof place, clip ? "clips/%.63s" : "rasters/%.63s.tif", name);
    return session_path(folder, place);
}

GullyStatus stock_write(const StockItem* item, const char* folder) {
    char* place = session_path(folder, item->clip ? "clips" : "rasters");
    char* path = item_path(folder, item->name, item->clip != NULL);
    GullyStatus status = place && path ? gully_folder_make(place) : GULLY_NO_MEMORY;
    if (!status && item->clip) {
        size_t size;
        const void* bytes = gully_clip_bytes(item->clip, &size);
        status = gully_file_write(path, bytes, size);
    } else if (!status) {
        GullyRaster raster = {.width = item->width,
                              .height = item->height,
                              .cell_x = 1,
                              .cell_y = 1,
                              .values = item->values};
        raster.georeference = gully_georeference_plain(item->height, 1, 1);
        status = gully_raster_write(path, &raster);
        free(raster.georeference.projection);
    }
    free(place);
    free(path);
    return status;
}

GullyStatus stock_write_used(const Stock* stock, const char* folder) {
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < stock->count && !status; i++)
        if (stock->items[i].used) status = stock_write(&stock->items[i], folder);
    return status;
}

/// Whether a name is one of ours, so that no file elsewhere is looked for.
static bool is_name(const char* name, bool clip) {
    const char* kind = clip ? "clip-" : "raster-";
    size_t length = strlen(kind);
    if (strncmp(name, kind, length) != 0 || strlen(name) != length + 16) return false;
    for (const char* c = name + length; *c; c++)
        if (!isxdigit((unsigned char)*c)) return false;
    return true;
}

static GullyStatus read_clip(Stock* stock, const char* path, char found[64]) {
    char* bytes;
    size_t size;
    GullyClip* clip;
    GullyStatus status = bytes_read(path, MOST_CLIP, &bytes, &size);
    if (status) return status;
    status = gully_clip_parse(bytes, size, &clip);
    free(bytes);
    return status ? gully_fail_in(status, "%s", path) : stock_add_clip(stock, clip, found);
}

static GullyStatus read_raster(Stock* stock, const char* path, char found[64]) {
    GullyRaster raster = {0};
    GullyStatus status = gully_raster_read(path, NULL, NULL, &raster);
    if (!status)
        status = stock_add_raster(stock, raster.values, raster.width, raster.height, found);
    gully_raster_free(&raster);
    return status;
}

GullyStatus stock_read(Stock* stock, const char* folder, const char* name, bool clip) {
    char found[64] = "";
    if (!is_name(name, clip))
        return gully_fail(GULLY_BAD_INPUT, "\"%.60s\" is no name of a %s", name,
                          clip ? "copy" : "raster");
    if (!stock_find(stock, name, clip)) {
        char* path = item_path(folder, name, clip);
        GullyStatus status = !path  ? GULLY_NO_MEMORY
                             : clip ? read_clip(stock, path, found)
                                    : read_raster(stock, path, found);
        if (!status && strcmp(found, name) != 0)
            status =
                gully_fail(GULLY_BAD_INPUT, "%s: is not what it was: its hash is another", path);
        free(path);
        if (status) return status;
    }
    stock_use(stock, name);
    return GULLY_OK;
}
