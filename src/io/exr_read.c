// SPDX-License-Identifier: MIT
// EXR in through OpenEXR's C API: one channel of the first part, whatever the other channels are.
//
// OpenEXR reads and decompresses chunks (some scan lines, or a tile). A chunk holds its rows one
// after another, and a row the channels one after another, in the order of their names. Unpacking
// is our own: of OpenEXR's routines those for three and four channels write to every channel, asked
// for or not.

#include "gully/export.h"

#include "exr.h"

#ifdef GULLY_OPENEXR

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "exr_memory.h"
#include "names.h"
#include "notes.h"
#include "raster_files.h"

/// A file while it is read.
typedef struct Reading {
    const char* name; ///< for messages
    exr_context_t file;
    const ExrMemory* memory;
    int band; ///< that is asked for, from 1; 0 = the one with the heights
    const exr_attr_chlist_t* channels;
    int chosen; ///< of them
    exr_storage_t storage;
    exr_compression_t compression;
    exr_attr_box2i_t window; ///< of the data, in pixels
    GullyRaster* out;
    exr_decode_pipeline_t pipeline;
    exr_result_t (*decompress)(exr_decode_pipeline_t* pipeline); ///< OpenEXR's own
    bool started;                                                ///< the pipeline
    int column, row; ///< where the chunk in the pipeline begins in the raster
} Reading;

static const char* const compressions[] = {
    [EXR_COMPRESSION_NONE] = "uncompressed", [EXR_COMPRESSION_RLE] = "RLE",
    [EXR_COMPRESSION_ZIPS] = "ZIPS",         [EXR_COMPRESSION_ZIP] = "ZIP",
    [EXR_COMPRESSION_PIZ] = "PIZ",           [EXR_COMPRESSION_PXR24] = "PXR24",
    [EXR_COMPRESSION_B44] = "B44",           [EXR_COMPRESSION_B44A] = "B44A",
    [EXR_COMPRESSION_DWAA] = "DWAA",         [EXR_COMPRESSION_DWAB] = "DWAB",
};

static GullyStatus refuse(const Reading* r, const char* what) {
    return gully_fail(GULLY_BAD_INPUT, "%s: %s%s%s", r->name, what,
                      r->memory->first[0] != '\0' ? ": " : "", r->memory->first);
}

// ---- which channel ----

/// Names of channels that hold heights, the likeliest first.
static const char* const height_names[] = {"Y", "Z", "height", "R"};
enum { HEIGHT_NAMES = sizeof height_names / sizeof height_names[0] };

/// How likely a channel holds heights: 0 the likeliest. "terrain.height" counts as "height", but
/// after a "height" of no layer.
static int likelihood(const char* name) {
    const char* dot = strrchr(name, '.');
    const char* bare = dot != NULL ? dot + 1 : name;
    for (int i = 0; i < HEIGHT_NAMES; ++i)
        if (strcasecmp(bare, height_names[i]) == 0) return 2 * i + (dot != NULL);
    return INT_MAX;
}

/// The channel that holds the heights by its name, or because there is no other. -1 if that is
/// open.
static int height_channel(const exr_attr_chlist_t* channels) {
    int chosen = -1, best = INT_MAX;
    bool alone = true;
    for (int i = 0; i < channels->num_channels; ++i) {
        int rank = likelihood(channels->entries[i].name.str);
        if (rank < best) {
            best = rank;
            chosen = i;
            alone = true;
        } else if (rank == best && rank < INT_MAX) {
            alone = false; // "water.height" and "ground.height"
        }
    }
    if (channels->num_channels == 1) return 0;
    return alone ? chosen : -1;
}

static void list_channels(const exr_attr_chlist_t* channels, char* buffer, size_t size) {
    buffer[0] = '\0';
    for (int i = 0; i < channels->num_channels; ++i)
        names_append(buffer, size, channels->entries[i].name.str);
}

static GullyStatus choose_channel(Reading* r) {
    char list[400];
    list_channels(r->channels, list, sizeof list);
    if (r->channels->num_channels < 1) return refuse(r, "is an EXR file without a channel");
    if (r->band > r->channels->num_channels)
        return gully_fail(GULLY_BAD_INPUT, "%s: there is no band %d; its channels are %s", r->name,
                          r->band, list);
    r->chosen = r->band > 0 ? r->band - 1 : height_channel(r->channels);
    if (r->chosen < 0)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: which of its channels has the heights? There are %s; one must be "
                          "called Y, Z, height or R, or --band (in a scene: band) gives its place "
                          "in this list",
                          r->name, list);
    const exr_attr_chlist_entry_t* channel = &r->channels->entries[r->chosen];
    if (channel->x_sampling == 1 && channel->y_sampling == 1) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: channel %s has a number for every %d x %d cells only; must be every one",
                      r->name, channel->name.str, (int)channel->x_sampling,
                      (int)channel->y_sampling);
}

// ---- the shape ----

/// Bytes that all channels of a cell take, at least.
static uint64_t cell_bytes(const exr_attr_chlist_t* channels) {
    uint64_t bytes = 0;
    for (int i = 0; i < channels->num_channels; ++i) {
        const exr_attr_chlist_entry_t* channel = &channels->entries[i];
        if (channel->x_sampling == 1 && channel->y_sampling == 1)
            bytes += channel->pixel_type == EXR_PIXEL_HALF ? 2 : 4;
    }
    return bytes;
}

static GullyStatus check_size(Reading* r) {
    int64_t width = (int64_t)r->window.max.x - r->window.min.x + 1;
    int64_t height = (int64_t)r->window.max.y - r->window.min.y + 1;
    // Compressed a thousandfold at most: a file that claims more is no reason to ask for memory.
    uint64_t most = 1100 * r->memory->size;
    if (width < 1 || height < 1 || width > INT_MAX / height ||
        (uint64_t)(width * height) > most / cell_bytes(r->channels))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: has %lld x %lld cells in %llu bytes, which is wrong", r->name,
                          (long long)width, (long long)height, (unsigned long long)r->memory->size);
    r->out->width = (int)width;
    r->out->height = (int)height;
    return GULLY_OK;
}

/// Finds out what the file is, and gives the raster its size.
static GullyStatus read_shape(Reading* r) {
    if (exr_get_storage(r->file, 0, &r->storage) != EXR_ERR_SUCCESS ||
        exr_get_data_window(r->file, 0, &r->window) != EXR_ERR_SUCCESS ||
        exr_get_channels(r->file, 0, &r->channels) != EXR_ERR_SUCCESS ||
        exr_get_compression(r->file, 0, &r->compression) != EXR_ERR_SUCCESS ||
        r->compression >= EXR_COMPRESSION_LAST_TYPE)
        return refuse(r, "is a damaged EXR file");
    if (r->storage == EXR_STORAGE_DEEP_SCANLINE || r->storage == EXR_STORAGE_DEEP_TILED)
        return refuse(r, "is a deep EXR file, with several numbers to a cell; must be a flat one");
    GullyStatus status = choose_channel(r);
    return status ? status : check_size(r);
}

// ---- the numbers ----

static float half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float size = exponent == 0 ? ldexpf((float)fraction, -24)
                               : ldexpf((float)(1024 + fraction), exponent - 25);
    if (exponent == 31) size = NAN; // infinite, or none
    return bits >> 15 ? -size : size;
}

/// A number of that type, little endian at `bytes`, as a float.
static float number_value(const unsigned char* bytes, int type) {
    uint32_t bits = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
    if (type == EXR_PIXEL_HALF) return half_value((uint16_t)bits);
    bits |= (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    if (type == EXR_PIXEL_UINT) return (float)bits;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/// A chunk that its compression could not make smaller is in the file as it is. OpenEXR 3.1 takes
/// such a one of B44 for compressed and mixes up its rows.
static bool is_as_it_is(const exr_chunk_info_t* chunk) {
    return chunk->packed_size == chunk->unpacked_size;
}

static exr_result_t decompress(exr_decode_pipeline_t* pipeline) {
    const Reading* r = pipeline->decoding_user_data;
    return is_as_it_is(&pipeline->chunk) ? EXR_ERR_SUCCESS : r->decompress(pipeline);
}

/// Takes the chosen channel out of a chunk that was decompressed.
static exr_result_t unpack(exr_decode_pipeline_t* pipeline) {
    const Reading* r = pipeline->decoding_user_data;
    const exr_chunk_info_t* chunk = &pipeline->chunk;
    bool packed = pipeline->decompress_fn != NULL && is_as_it_is(chunk);
    const unsigned char* bytes = packed ? pipeline->packed_buffer : pipeline->unpacked_buffer;
    uint64_t left = chunk->unpacked_size;
    // Without compression nothing fills the buffer of a chunk that is shorter than it should be.
    if (r->compression == EXR_COMPRESSION_NONE && chunk->packed_size != chunk->unpacked_size)
        return EXR_ERR_CORRUPT_CHUNK;
    for (int y = 0; y < chunk->height; ++y) {
        for (int c = 0; c < pipeline->channel_count; ++c) {
            const exr_coding_channel_info_t* channel = &pipeline->channels[c];
            if (channel->y_samples > 1 && (chunk->start_y + y) % channel->y_samples != 0) continue;
            size_t each = (size_t)channel->bytes_per_element;
            size_t size = (size_t)channel->width * each;
            if (size > left) return EXR_ERR_CORRUPT_CHUNK;
            float* row = r->out->values + (size_t)(r->row + y) * (size_t)r->out->width + r->column;
            for (int x = 0; c == r->chosen && x < channel->width; ++x)
                row[x] = number_value(bytes + (size_t)x * each, channel->data_type);
            bytes += size;
            left -= size;
        }
    }
    return EXR_ERR_SUCCESS;
}

/// Reads a chunk whose first cell is at that column and row of the raster.
static exr_result_t read_chunk(Reading* r, const exr_chunk_info_t* chunk, int column, int row) {
    if (chunk->width < 1 || chunk->height < 1 || chunk->width > r->out->width - column ||
        chunk->height > r->out->height - row)
        return EXR_ERR_CORRUPT_CHUNK;
    exr_decode_pipeline_t* pipeline = &r->pipeline;
    exr_result_t result = r->started ? exr_decoding_update(r->file, 0, chunk, pipeline)
                                     : exr_decoding_initialize(r->file, 0, chunk, pipeline);
    if (result != EXR_ERR_SUCCESS) return result;
    if (!r->started) {
        r->started = true;
        result = exr_decoding_choose_default_routines(r->file, 0, pipeline);
        r->decompress = pipeline->decompress_fn;
        if (r->decompress != NULL) pipeline->decompress_fn = decompress;
        pipeline->unpack_and_convert_fn = unpack;
        pipeline->decoding_user_data = r;
    }
    r->column = column;
    r->row = row;
    return result == EXR_ERR_SUCCESS ? exr_decoding_run(r->file, 0, pipeline) : result;
}

static exr_result_t read_lines(Reading* r) {
    int32_t lines;
    exr_result_t result = exr_get_scanlines_per_chunk(r->file, 0, &lines);
    if (result == EXR_ERR_SUCCESS && lines < 1) result = EXR_ERR_INVALID_ATTR;
    for (int y = 0; y < r->out->height && result == EXR_ERR_SUCCESS; y += lines) {
        exr_chunk_info_t chunk;
        result = exr_read_scanline_chunk_info(r->file, 0, r->window.min.y + y, &chunk);
        if (result == EXR_ERR_SUCCESS) result = read_chunk(r, &chunk, 0, y);
    }
    return result;
}

/// Reads the tiles of the finest level.
static exr_result_t read_tiles(Reading* r) {
    uint32_t width, height;
    exr_tile_level_mode_t mode;
    exr_tile_round_mode_t rounding;
    exr_result_t result = exr_get_tile_descriptor(r->file, 0, &width, &height, &mode, &rounding);
    if (result == EXR_ERR_SUCCESS &&
        (width < 1 || height < 1 || width > INT_MAX || height > INT_MAX))
        result = EXR_ERR_INVALID_ATTR;
    for (int64_t y = 0; result == EXR_ERR_SUCCESS && y < r->out->height; y += height)
        for (int64_t x = 0; result == EXR_ERR_SUCCESS && x < r->out->width; x += width) {
            exr_chunk_info_t chunk;
            result = exr_read_tile_chunk_info(r->file, 0, (int)(x / width), (int)(y / height), 0, 0,
                                              &chunk);
            if (result == EXR_ERR_SUCCESS) result = read_chunk(r, &chunk, (int)x, (int)y);
        }
    return result;
}

static GullyStatus read_numbers(Reading* r) {
    size_t count = (size_t)r->out->width * (size_t)r->out->height;
    r->out->values = calloc(count, sizeof(float));
    if (r->out->values == NULL)
        return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", r->name);
    exr_result_t result = r->storage == EXR_STORAGE_TILED ? read_tiles(r) : read_lines(r);
    if (r->started) exr_decoding_destroy(r->file, &r->pipeline);
    if (result == EXR_ERR_FEATURE_NOT_IMPLEMENTED)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: is compressed with %s, which this OpenEXR library cannot read; must "
                          "be saved with another compression, such as ZIP",
                          r->name, compressions[r->compression]);
    if (result != EXR_ERR_SUCCESS)
        return refuse(r, "is damaged, cut short, or not to be read by this OpenEXR library");
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(r->out->values[i])) r->out->values[i] = NAN;
    return GULLY_OK;
}

// ---- the place ----

/// Takes the place from the attributes, if they are there and right.
static GullyStatus read_place(const char* name, exr_context_t file, GullyRaster* out) {
    exr_attr_m33d_t m;
    out->georeference = gully_georeference_plain(out->height, 1.0, 1.0);
    out->cell_x = out->cell_y = 1.0;
    if (exr_attr_get_m33d(file, 0, EXR_TRANSFORM, &m) != EXR_ERR_SUCCESS) return GULLY_OK;
    const double t[6] = {m.m[2], m.m[0], m.m[1], m.m[5], m.m[3], m.m[4]};
    for (int i = 0; i < 6; ++i)
        if (!isfinite(t[i])) return GULLY_OK;
    if (t[1] * t[5] - t[2] * t[4] == 0.0) return GULLY_OK;
    memcpy(out->georeference.transform, t, sizeof t);
    out->georeference.known = true;
    int32_t length;
    const char* text;
    if (exr_attr_get_string(file, 0, EXR_PROJECTION, &length, &text) == EXR_ERR_SUCCESS &&
        length > 0)
        out->georeference.projection = strndup(text, (size_t)length);
    return raster_measure_cells(name, out);
}

/// Says what else the file holds.
static void note_rest(const Reading* r) {
    int parts = 1;
    char list[400];
    list_channels(r->channels, list, sizeof list);
    if (r->channels->num_channels > 1 && r->band == 0)
        raster_note(r->out, "read channel %s of %s; --band takes another",
                    r->channels->entries[r->chosen].name.str, list);
    if (exr_get_count(r->file, &parts) == EXR_ERR_SUCCESS && parts > 1)
        raster_note(r->out, "read the first of %d parts", parts);
}

static GullyStatus read_all(Reading* r) {
    static const char* const types[] = {"UInt32", "Float16", "Float32"};
    GullyStatus status = read_shape(r);
    if (!status) status = read_numbers(r);
    if (status) return status;
    r->out->band = r->chosen + 1;
    r->out->bands = r->channels->num_channels;
    note_rest(r);
    snprintf(r->out->driver, sizeof r->out->driver, "EXR");
    snprintf(r->out->type, sizeof r->out->type, "%s",
             types[r->channels->entries[r->chosen].pixel_type]);
    return read_place(r->name, r->file, r->out);
}

GullyStatus gully_exr_decode(const char* name, const void* bytes, size_t size, int band,
                             GullyRaster* out) {
    *out = (GullyRaster){0};
    ExrMemory memory = {.bytes = bytes, .size = size};
    exr_context_initializer_t start = exr_memory_initializer(&memory);
    Reading reading = {.name = name, .band = band, .memory = &memory, .out = out};
    if (exr_start_read(&reading.file, name, &start) != EXR_ERR_SUCCESS)
        return refuse(&reading, "is not an EXR file that can be read");
    GullyStatus status = read_all(&reading);
    exr_finish(&reading.file);
    if (status) gully_raster_free(out);
    return status;
}

#else

GullyStatus gully_exr_decode(const char* name, const void* bytes, size_t size, int band,
                             GullyRaster* out) {
    (void)bytes;
    (void)band;
    (void)size;
    *out = (GullyRaster){0};
    return gully_fail(GULLY_BAD_INPUT, "%s: %s", name, EXR_ABSENT);
}

#endif
