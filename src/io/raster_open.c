// SPDX-License-Identifier: MIT
// Rasters in: which reader takes a path. A folder is a set of tiles; a file may have a sidecar.

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "exr.h"
#include "json_parts.h"
#include "notes.h"
#include "raster_files.h"
#include "raw.h"
#include "read_def.h"
#include "sidecar.h"
#include "tile_set.h"

/// What the numbers of a source are.
typedef enum SourceNumbers {
    ARE_HEIGHTS,
    ARE_TOLD,    ///< heights by what the reader is told
    ARE_SIDECAR, ///< heights by what the sidecar says
} SourceNumbers;

struct GullyRasterStream {
    char* path;
    GullyReadDef def; ///< without its scale and offset, which are the caller's
    GullyRaster head;
    RasterSource source;
    SourceNumbers numbers;
    NumberMeaning meaning; ///< of those that are no heights yet
    bool flip;             ///< the first row of the source is the last
    OddNumbers odd;
    int seen;                                   ///< rows that were looked at for odd numbers
    char after[sizeof((GullyRaster){0}.notes)]; ///< notes that come after those on odd numbers
};

// ---- which reader ----

typedef GullyStatus Opener(const char* path, const GullySidecar* sidecar, const GullyReadDef* def,
                           GullyRasterStream* stream);

static GullyStatus open_raw(const char* path, const GullySidecar* sidecar, const GullyReadDef* def,
                            GullyRasterStream* stream) {
    (void)def;
    if (sidecar != NULL) return raw_open(path, sidecar, &stream->head, &stream->source);
    struct stat info;
    if (stat(path, &info) != 0) return gully_fail(GULLY_BAD_INPUT, "%s: no such file", path);
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: raw numbers do not say what they mean; there must be a sidecar %s.json, "
                      "or gully convert can be told with --raw-size and --raw-range",
                      path, path);
}

static int band_of(const GullyReadDef* def) {
    return def->band.count > 0 ? (int)def->band.numbers[0] : 0;
}

static GullyStatus open_exr(const char* path, const GullySidecar* sidecar, const GullyReadDef* def,
                            GullyRasterStream* stream) {
    char* bytes;
    size_t size;
    GullyStatus status = bytes_read(path, SIZE_MAX / 2, &bytes, &size);
    if (status) return status;
    status = gully_exr_decode(path, bytes, size, band_of(def), &stream->head);
    free(bytes);
    if (!status) status = source_of_values(&stream->head, &stream->source);
    stream->source.noted = sidecar == NULL;
    return status;
}

static GullyStatus open_file(const char* path, const GullySidecar* sidecar, const GullyReadDef* def,
                             GullyRasterStream* stream) {
    static const double one = 1.0, zero = 0.0; // what the numbers mean is the sidecar's to say
    const GullyReadDef numbers = {.scale = &one, .offset = &zero, .band = def->band};
    return raster_file_open(path, sidecar != NULL ? &numbers : def, &stream->head, &stream->source);
}

static GullyStatus open_tiles(const char* path, const GullySidecar* sidecar,
                              const GullyReadDef* def, GullyRasterStream* stream) {
    (void)sidecar, (void)def;
    return tiles_open(path, &stream->head, &stream->source);
}

static const struct {
    const char* extension;
    Opener* opener;
} openers[] = {{"r16", open_raw}, {"r32", open_raw}, {"raw", open_raw}, {"exr", open_exr}};

static Opener* opener_of(const char* path) {
    if (tiles_are_at(path)) return open_tiles;
    const char* dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof openers / sizeof openers[0]; ++i)
        if (strcasecmp(dot + 1, openers[i].extension) == 0) return openers[i].opener;
    return open_file;
}

// ---- what the numbers mean ----

/// What the caller says of the numbers counts more than the sidecar.
static GullyStatus overrule(const char* path, const GullyReadDef* def, GullySidecar* sidecar) {
    double unit = read_def_unit(def);
    if (def->range.count > 0 && sidecar->numbers != GULLY_UINT16)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: holds metres, as its sidecar says; a range goes with counts", path);
    if (def->range.count > 0) {
        sidecar->min = def->range.numbers[0];
        sidecar->max = def->range.numbers[1];
    }
    if (def->unit != NULL && sidecar->numbers != GULLY_UINT16)
        return gully_fail(GULLY_BAD_INPUT, "%s: holds metres, as its sidecar says, and no %s", path,
                          def->unit);
    sidecar->min *= unit;
    sidecar->max *= unit;
    if (def->nodata_in.count > 0) {
        sidecar->has_nodata = true;
        sidecar->nodata = def->nodata_in.numbers[0];
    }
    return GULLY_OK;
}

/// Decides how the numbers of the source become heights.
static GullyStatus find_meaning(GullyRasterStream* stream, const GullySidecar* sidecar,
                                const GullyReadDef* def, bool heights) {
    if (sidecar != NULL) {
        stream->numbers = ARE_SIDECAR;
        stream->meaning = sidecar_meaning(sidecar, def->scale, def->offset);
        stream->flip = sidecar->flip;
        snprintf(stream->head.unit, sizeof stream->head.unit, "m");
        return sidecar_place(stream->path, sidecar, &stream->head);
    }
    stream->numbers = heights ? ARE_HEIGHTS : ARE_TOLD;
    if (heights) return GULLY_OK;
    return read_def_meaning(stream->path, def, &stream->head, &stream->meaning);
}

/// Settles what does not depend on the values.
static GullyStatus settle(GullyRasterStream* stream, const GullySidecar* sidecar,
                          const GullyReadDef* def, Opener* opener) {
    GullyStatus status = find_meaning(stream, sidecar, def, opener == open_file);
    if (status) return status;
    bool told = stream->numbers == ARE_TOLD;
    stream->odd = read_def_odd(def, told ? stream->meaning.scale : stream->source.scale,
                               told ? stream->meaning.offset : stream->source.offset);
    stream->odd.explained = stream->numbers == ARE_SIDECAR;
    // A sidecar's file was read without what the caller says.
    if (stream->numbers == ARE_SIDECAR) stream->odd.plain = !stream->source.noted;
    char before[sizeof stream->head.notes];
    memcpy(before, stream->head.notes, sizeof before);
    stream->head.notes[0] = '\0';
    read_def_finish(def, sidecar != NULL || opener == open_tiles, &stream->head);
    memcpy(stream->after, stream->head.notes, sizeof stream->after);
    memcpy(stream->head.notes, before, sizeof before);
    return GULLY_OK;
}

// ---- opening ----

void gully_raster_close(GullyRasterStream* stream) {
    if (stream == NULL) return;
    if (stream->source.close != NULL) stream->source.close(stream->source.rows.context);
    gully_raster_free(&stream->head);
    free(stream->path);
    free(stream);
}

const GullyRaster* gully_raster_head(const GullyRasterStream* stream) {
    return &stream->head;
}

static GullyStatus open_stream(const char* path, const GullySidecar* sidecar,
                               const GullyReadDef* def, GullyRasterStream** out) {
    GullyRasterStream* stream = calloc(1, sizeof *stream);
    if (stream != NULL) stream->path = strdup(path);
    GullyStatus status = GULLY_OK;
    if (stream == NULL || stream->path == NULL)
        status = gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    Opener* opener = opener_of(path);
    if (!status) {
        stream->def = *def;
        stream->def.scale = stream->def.offset = NULL;
        status = opener(path, sidecar, def, stream);
    }
    if (!status) status = settle(stream, sidecar, def, opener);
    if (status)
        gully_raster_close(stream);
    else
        *out = stream;
    return status;
}

GullyStatus gully_raster_open(const char* path, const GullyReadDef* def, GullyRasterStream** out) {
    assert(path != NULL && def != NULL && out != NULL);
    *out = NULL;
    GullySidecar sidecar = {0};
    bool found = false;
    GullyStatus status = read_def_check(path, def);
    if (status == GULLY_OK) status = sidecar_find(path, &sidecar, &found);
    if (status == GULLY_OK && found) status = overrule(path, def, &sidecar);
    if (status == GULLY_OK) status = open_stream(path, found ? &sidecar : NULL, def, out);
    gully_sidecar_free(&sidecar);
    return status;
}

// ---- rows ----

/// All rows have been read: what there is to say about them is noted.
static void note_all(GullyRasterStream* stream) {
    if (stream->source.noted) odd_numbers_note(&stream->odd, &stream->head);
    for (char* line = stream->after; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool more = line[length] == '\n';
        line[length] = '\0';
        raster_note(&stream->head, "%s", line);
        line += length + more;
    }
}

GullyStatus gully_raster_rows(GullyRasterStream* stream, int y, int count, float* out) {
    int width = stream->head.width, height = stream->head.height;
    assert(y >= 0 && count >= 0 && count <= height - y);
    size_t cells = (size_t)count * (size_t)width;
    int first = stream->flip ? height - y - count : y;
    GullyStatus status = stream->source.rows.read(stream->source.rows.context, first, count, out);
    if (status) return status;
    bool unseen = y == stream->seen && stream->source.noted;
    if (stream->numbers == ARE_SIDECAR && unseen) odd_numbers_count(&stream->odd, out, cells);
    if (stream->numbers != ARE_HEIGHTS) numbers_mean(&stream->meaning, out, cells);
    if (stream->numbers != ARE_SIDECAR && unseen) odd_numbers_count(&stream->odd, out, cells);
    if (stream->flip) rows_flip(out, width, count);
    status = read_def_check_counts(stream->path, &stream->def, stream->head.type, out, cells);
    if (status || y != stream->seen) return status;
    stream->seen = y + count;
    if (stream->seen == height) note_all(stream);
    return GULLY_OK;
}

// ---- at once ----

GullyStatus gully_raster_read_as(const char* path, const GullyReadDef* def, GullyRaster* out) {
    *out = (GullyRaster){0};
    GullyRasterStream* stream;
    GullyStatus status = gully_raster_open(path, def, &stream);
    if (status) return status;
    int width = stream->head.width, height = stream->head.height;
    float* values = malloc((size_t)width * (size_t)height * sizeof *values);
    status = values ? gully_raster_rows(stream, 0, height, values)
                    : gully_fail(GULLY_NO_MEMORY, "%s: not enough memory for %d x %d cells", path,
                                 width, height);
    if (!status) {
        *out = stream->head;
        out->values = values;
        stream->head = (GullyRaster){0};
    } else {
        free(values);
    }
    gully_raster_close(stream);
    return status;
}

GullyStatus gully_raster_read(const char* path, const double* scale, const double* offset,
                              GullyRaster* out) {
    return gully_raster_read_as(path, &(GullyReadDef){.scale = scale, .offset = offset}, out);
}
