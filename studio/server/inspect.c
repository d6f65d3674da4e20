// SPDX-License-Identifier: MIT
#include "inspect.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PREVIEW = 128 }; ///< samples along the longer side

// ---- what is told -------------------------------------------------------------------------------

static GullyStatus read_numbers(const GullyReadRow* row, const json_t* value, GullyTold* out) {
    const int count = json_is_number(value) ? 1 : (int)json_array_size(value);
    bool good = count >= row->fewest && count <= row->most;
    for (int i = 0; good && i < count; i++) {
        const json_t* item = json_is_number(value) ? value : json_array_get(value, (size_t)i);
        out->numbers[i] = json_number_value(item);
        good = json_is_number(item) && out->numbers[i] >= row->low && out->numbers[i] <= row->high;
    }
    out->count = count;
    if (good) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "read: %s: %s is wanted, numbers from %g to %g", row->name,
                      row->arguments, row->low, row->high);
}

static GullyStatus read_row(const GullyReadRow* row, const json_t* value, GullyReadDef* out) {
    void* member = (char*)out + row->offset;
    if (!row->choice) return read_numbers(row, value, member);
    if (!json_is_string(value))
        return gully_fail(GULLY_BAD_INPUT, "read: %s: one of %s is wanted", row->name,
                          row->arguments);
    *(const char**)member = json_string_value(value);
    return GULLY_OK;
}

GullyStatus told_parse(const json_t* object, GullyReadDef* out) {
    int count;
    const GullyReadRow* rows = gully_read_rows(&count);
    const char* key;
    json_t* value;
    *out = (GullyReadDef){0};
    json_object_foreach((json_t*)object, key, value) {
        int i = 0;
        while (i < count && strcmp(rows[i].name, key) != 0)
            i++;
        if (i == count)
            return gully_fail(GULLY_BAD_INPUT,
                              "read: unknown key '%.32s'; allowed: range, cell, extent, nodata_in, "
                              "band, unit",
                              key);
        GullyStatus status = read_row(&rows[i], value, out);
        if (status != GULLY_OK) return status;
    }
    return GULLY_OK;
}

// ---- what it is like ----------------------------------------------------------------------------

typedef struct Extremes {
    float low, high;
    size_t holes;
} Extremes;

static Extremes extremes_of(const GullyRaster* raster) {
    Extremes found = {INFINITY, -INFINITY, 0};
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    for (size_t i = 0; i < count; i++) {
        const float value = raster->values[i];
        found.holes += isnan(value) ? 1 : 0;
        if (value < found.low) found.low = value;
        if (value > found.high) found.high = value;
    }
    if (found.holes == count) found.low = found.high = 0;
    return found;
}

json_t* preview_json(const float* values, int columns, int rows, float low, float high) {
    const int longer = columns > rows ? columns : rows, most = longer < PREVIEW ? longer : PREVIEW;
    const int width = (int)fmax(1, (double)columns * most / longer);
    const int height = (int)fmax(1, (double)rows * most / longer);
    const float span = fmaxf(high - low, 1e-30f);
    json_t* list = json_array();
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const size_t i = (size_t)x * (size_t)columns / (size_t)width;
            const size_t j = (size_t)y * (size_t)rows / (size_t)height;
            const float value = values[j * (size_t)columns + i];
            const int share = isnan(value) ? -1 : (int)(255 * (value - low) / span + 0.5f);
            json_array_append_new(list, json_integer(share));
        }
    }
    return json_pack("{s:i, s:i, s:o}", "width", width, "height", height, "shares", list);
}

static double greatest_count(const GullyRaster* raster) {
    return strcmp(raster->type, "Byte") == 0     ? 255
           : strcmp(raster->type, "UInt16") == 0 ? 65535
                                                 : 0;
}

/// To two digits.
static double rounded(double value) {
    const double unit = pow(10, floor(log10(value)) - 1);
    return round(value / unit) * unit;
}

/// What a file that does not say it most likely means: an image has 10 m a cell and a relief that
/// suits its size; heights in metres have the cell that makes such a relief of them. null = it says
/// enough.
static json_t* guess_json(const GullyRaster* raster, const Extremes* found) {
    const double cell = 10, steepness = 0.12; // relief over the longer side
    const int longer = raster->width > raster->height ? raster->width : raster->height;
    const double used = (double)found->high - (double)found->low, most = greatest_count(raster);
    if (!(used > 0)) return json_null();
    if (most > 0) {
        const double high = rounded(steepness * cell * longer * most / used);
        return json_pack("{s:[f, f], s:f}", "range", 0.0, high, "cell", cell);
    }
    return json_pack("{s:f}", "cell", rounded(used / (steepness * longer)));
}

static bool has_sidecar(const char* path) {
    char beside[PATH_MAX + 8];
    snprintf(beside, sizeof beside, "%s.json", path);
    return access(beside, R_OK) == 0;
}

static json_t* raster_json(const GullyRaster* raster, const char* path, bool told) {
    const Extremes found = extremes_of(raster);
    const bool sidecar = has_sidecar(path), placed = raster->georeference.known || sidecar;
    json_t* guess = placed || told ? json_null() : guess_json(raster, &found);
    return json_pack(
        "{s:i, s:i, s:[f, f], s:f, s:f, s:I, s:s, s:s, s:i, s:f, s:b, s:b, s:s, s:o, s:o}", "width",
        raster->width, "height", raster->height, "cell", raster->cell_x, raster->cell_y, "low",
        (double)found.low, "high", (double)found.high, "holes", (json_int_t)found.holes, "type",
        raster->type, "driver", raster->driver, "bands", raster->bands, "counts",
        greatest_count(raster), "sidecar", sidecar, "placed", placed, "notes", raster->notes,
        "guess", guess, "preview",
        preview_json(raster->values, raster->width, raster->height, found.low, found.high));
}

void inspect_raster(void* context) {
    Command* command = context;
    Engine* engine = command->engine;
    const Message* message = &command->message;
    char path[PATH_MAX];
    GullyReadDef told;
    json_t* more = NULL;
    GullyStatus status =
        folders_find_raster(&engine->folders, engine->folders.root, message->file, path);
    if (status != GULLY_OK) gate_count(&engine->gate, REFUSED_PATH);
    if (status == GULLY_OK) status = told_parse(message->read, &told);
    if (status == GULLY_OK) status = gully_raster_read_as(path, &told, &command->raster);
    if (status == GULLY_OK)
        more = raster_json(&command->raster, path, json_object_size(message->read) > 0);
    reply(engine, command, status, more);
    command_free(command);
}

// ---- upside down --------------------------------------------------------------------------------

GullyStatus inspect_flip(const char* path, const json_t* read, char out[PATH_MAX]) {
    GullyReadDef told;
    GullyRaster raster = {0};
    if (snprintf(out, PATH_MAX, "%s-flipped.tif", path) >= PATH_MAX)
        return gully_fail(GULLY_BAD_INPUT, "%s: the path is too long", path);
    GullyStatus status = told_parse(read, &told);
    if (status == GULLY_OK) status = gully_raster_read_as(path, &told, &raster);
    if (status != GULLY_OK) return status;
    const size_t width = (size_t)raster.width, row = width * sizeof(float);
    float* kept = malloc(row);
    for (int y = 0; kept && y < raster.height / 2; y++) {
        float* upper = raster.values + (size_t)y * width;
        float* lower = raster.values + (size_t)(raster.height - 1 - y) * width;
        memcpy(kept, upper, row);
        memcpy(upper, lower, row);
        memcpy(lower, kept, row);
    }
    if (!raster.georeference.known)
        raster.georeference = gully_georeference_plain(raster.height, raster.cell_x, raster.cell_y);
    status = kept ? gully_raster_write(out, &raster)
                  : gully_fail(GULLY_NO_MEMORY, "%s: no memory to turn it", path);
    free(kept);
    gully_raster_free(&raster);
    return status;
}
