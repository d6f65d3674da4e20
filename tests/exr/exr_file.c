// SPDX-License-Identifier: MIT
#include "exr_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---- memory ----

typedef struct Bytes {
    unsigned char* bytes;
    uint64_t size, capacity;
} Bytes;

static int64_t write_bytes(exr_const_context_t context, void* data, const void* buffer,
                           uint64_t size, uint64_t offset, exr_stream_error_func_ptr_t error) {
    (void)context;
    (void)error;
    Bytes* memory = data;
    uint64_t end = offset + size;
    if (end > memory->capacity) {
        uint64_t capacity = 2 * end;
        unsigned char* grown = realloc(memory->bytes, capacity);
        if (grown == NULL) return -1;
        memset(grown + memory->capacity, 0, capacity - memory->capacity);
        memory->bytes = grown;
        memory->capacity = capacity;
    }
    memcpy(memory->bytes + offset, buffer, size);
    if (end > memory->size) memory->size = end;
    return (int64_t)size;
}

static void say_nothing(exr_const_context_t context, exr_result_t code, const char* text) {
    (void)context;
    (void)code;
    (void)text;
}

// ---- the header ----

static int channel_count(const ExrFile* file) {
    int count = 0;
    while (count < EXR_MOST_CHANNELS && file->channels[count].name != NULL)
        count++;
    return count;
}

static bool write_part(exr_context_t context, const ExrFile* file, int index) {
    static const char* const names[] = {"first", "second", "third"};
    exr_attr_box2i_t window;
    window.min.x = file->min_x;
    window.min.y = file->min_y;
    window.max.x = file->min_x + file->width - 1;
    window.max.y = file->min_y + file->height - 1;
    int part;
    bool done = exr_add_part(context, names[index], file->storage, &part) == EXR_ERR_SUCCESS &&
                exr_initialize_required_attr_simple(context, part, file->width, file->height,
                                                    file->compression) == EXR_ERR_SUCCESS &&
                exr_set_data_window(context, part, &window) == EXR_ERR_SUCCESS &&
                exr_set_lineorder(context, part, file->order) == EXR_ERR_SUCCESS;
    if (done && (file->storage == EXR_STORAGE_TILED || file->storage == EXR_STORAGE_DEEP_TILED))
        done = exr_set_tile_descriptor(context, part, (uint32_t)file->tile, (uint32_t)file->tile,
                                       file->levels, EXR_TILE_ROUND_DOWN) == EXR_ERR_SUCCESS;
    for (int i = 0; done && i < channel_count(file); i++) {
        const ExrChannel* channel = &file->channels[i];
        int sampling = channel->sampling > 1 ? channel->sampling : 1;
        done = exr_add_channel(context, part, channel->name, channel->type,
                               EXR_PERCEPTUALLY_LOGARITHMIC, sampling, sampling) == EXR_ERR_SUCCESS;
    }
    return done;
}

// ---- the numbers ----

float exr_file_number(const ExrFile* file, int channel, int x, int y) {
    (void)file;
    return (float)(200 * channel + x + y);
}

/// Room for the numbers of a channel in a chunk: floats, or unsigned integers.
typedef union Cell {
    float real;
    uint32_t natural;
} Cell;

/// Fills in the numbers of a chunk whose first cell is at `x0`, `y0`.
static void fill_chunk(const ExrFile* file, exr_encode_pipeline_t* pipeline, int x0, int y0,
                       Cell* cells) {
    for (int c = 0; c < pipeline->channel_count; c++) {
        exr_coding_channel_info_t* channel = &pipeline->channels[c];
        int own = 0;
        while (strcmp(file->channels[own].name, channel->channel_name) != 0)
            own++;
        bool natural = file->channels[own].type == EXR_PIXEL_UINT;
        int step = file->channels[own].sampling > 1 ? file->channels[own].sampling : 1;
        channel->encode_from_ptr = (const uint8_t*)cells;
        channel->user_bytes_per_element = sizeof(Cell);
        channel->user_data_type = natural ? EXR_PIXEL_UINT : EXR_PIXEL_FLOAT;
        channel->user_pixel_stride = sizeof(Cell);
        channel->user_line_stride = channel->width * (int)sizeof(Cell);
        for (int y = 0; y < channel->height; y++)
            for (int x = 0; x < channel->width; x++, cells++) {
                float number = exr_file_number(file, own, x0 + x * step, y0 + y * step);
                if (natural)
                    cells->natural = (uint32_t)number;
                else
                    cells->real = number;
            }
    }
}

static exr_result_t write_chunk(const ExrFile* file, exr_context_t context, int part,
                                const exr_chunk_info_t* chunk, int x, int y) {
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    size_t count = (size_t)channel_count(file) * (size_t)chunk->width * (size_t)chunk->height;
    Cell* cells = calloc(count, sizeof *cells);
    exr_result_t result = cells != NULL ? EXR_ERR_SUCCESS : EXR_ERR_OUT_OF_MEMORY;
    if (result == EXR_ERR_SUCCESS)
        result = exr_encoding_initialize(context, part, chunk, &pipeline);
    if (result == EXR_ERR_SUCCESS) {
        fill_chunk(file, &pipeline, x, y, cells);
        result = exr_encoding_choose_default_routines(context, part, &pipeline);
        if (result == EXR_ERR_SUCCESS) result = exr_encoding_run(context, part, &pipeline);
        exr_encoding_destroy(context, &pipeline);
    }
    free(cells);
    return result;
}

static exr_result_t write_lines(const ExrFile* file, exr_context_t context, int part) {
    static const char garbage[20] = "chunks of no meaning";
    int32_t lines;
    exr_result_t result = exr_get_scanlines_per_chunk(context, part, &lines);
    for (int y = 0; result == EXR_ERR_SUCCESS && y < file->height; y += lines) {
        exr_chunk_info_t chunk;
        if (file->garbage) {
            result =
                exr_write_scanline_chunk(context, part, file->min_y + y, garbage, sizeof garbage);
            continue;
        }
        result = exr_write_scanline_chunk_info(context, part, file->min_y + y, &chunk);
        if (result == EXR_ERR_SUCCESS) result = write_chunk(file, context, part, &chunk, 0, y);
    }
    return result;
}

/// Writes the tiles of a level; those of coarser levels have the numbers of the same corner.
static exr_result_t write_level(const ExrFile* file, exr_context_t context, int part, int level) {
    int32_t width, height;
    exr_result_t result = exr_get_level_sizes(context, part, level, level, &width, &height);
    for (int y = 0; result == EXR_ERR_SUCCESS && y < height; y += file->tile)
        for (int x = 0; result == EXR_ERR_SUCCESS && x < width; x += file->tile) {
            exr_chunk_info_t chunk;
            result = exr_write_tile_chunk_info(context, part, x / file->tile, y / file->tile, level,
                                               level, &chunk);
            if (result == EXR_ERR_SUCCESS) result = write_chunk(file, context, part, &chunk, x, y);
        }
    return result;
}

static exr_result_t write_tiles(const ExrFile* file, exr_context_t context, int part) {
    int32_t levels;
    exr_result_t result = exr_get_tile_levels(context, part, &levels, NULL);
    for (int i = 0; result == EXR_ERR_SUCCESS && i < levels; i++)
        result = write_level(file, context, part, i);
    return result;
}

unsigned char* exr_file_make(const ExrFile* file, size_t* size) {
    Bytes memory = {0};
    exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
    start.user_data = &memory;
    start.write_fn = write_bytes;
    start.error_handler_fn = say_nothing;
    exr_context_t context = NULL;
    int parts = file->parts > 1 ? file->parts : 1;
    bool deep = file->storage == EXR_STORAGE_DEEP_SCANLINE || //
                file->storage == EXR_STORAGE_DEEP_TILED;
    bool done =
        exr_start_write(&context, "made.exr", EXR_WRITE_FILE_DIRECTLY, &start) == EXR_ERR_SUCCESS;
    for (int i = 0; done && i < parts; i++)
        done = write_part(context, file, i);
    done = done && exr_write_header(context) == EXR_ERR_SUCCESS;
    for (int i = 0; done && !deep && i < parts; i++)
        done =
            (file->storage == EXR_STORAGE_TILED ? write_tiles(file, context, i)
                                                : write_lines(file, context, i)) == EXR_ERR_SUCCESS;
    if (context != NULL && exr_finish(&context) != EXR_ERR_SUCCESS) done = false;
    *size = (size_t)memory.size;
    if (done) return memory.bytes;
    free(memory.bytes);
    return NULL;
}
