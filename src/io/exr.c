// EXR in and out through OpenEXR's C API, from and to memory.
//
// Written: one part of scan lines, channel Y, 32-bit float, ZIP (lossless), north first unless the
// sidecar says otherwise. The georeference stands in the attributes that GDAL's own driver uses.

#include "exr.h"

#ifdef GULLY_OPENEXR

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openexr.h>

#include "gdal_calls.h"
#include "raw.h"

static const char TRANSFORM[] = "gdal:geoTransform", PROJECTION[] = "gdal:crsWkt";

bool exr_is_there(void) {
    return true;
}

/// A file in memory, as OpenEXR reads and writes it.
typedef struct Memory {
    const unsigned char* bytes; ///< of a file that is read
    unsigned char* grown;       ///< of one that is written
    uint64_t size, capacity;
    char first[200]; ///< what OpenEXR complained about first
} Memory;

static Memory* memory_of(exr_const_context_t context) {
    void* data = NULL;
    exr_get_user_data(context, &data);
    return data;
}

static void complain(exr_const_context_t context, exr_result_t code, const char* text) {
    (void)code;
    Memory* memory = context != NULL ? memory_of(context) : NULL;
    if (memory != NULL && memory->first[0] == '\0')
        snprintf(memory->first, sizeof memory->first, "%s", text);
}

static int64_t memory_size(exr_const_context_t context, void* data) {
    (void)context;
    return (int64_t)((Memory*)data)->size;
}

static int64_t memory_read(exr_const_context_t context, void* data, void* buffer, uint64_t size,
                           uint64_t offset, exr_stream_error_func_ptr_t error) {
    (void)context;
    (void)error;
    const Memory* memory = data;
    if (offset >= memory->size) return 0;
    if (size > memory->size - offset) size = memory->size - offset;
    memcpy(buffer, memory->bytes + offset, size);
    return (int64_t)size;
}

static int64_t memory_write(exr_const_context_t context, void* data, const void* buffer,
                            uint64_t size, uint64_t offset, exr_stream_error_func_ptr_t error) {
    (void)context;
    (void)error;
    Memory* memory = data;
    uint64_t end = offset + size;
    if (end > memory->capacity) {
        uint64_t capacity = end + end / 2;
        unsigned char* grown = realloc(memory->grown, capacity);
        if (grown == NULL) return -1;
        memset(grown + memory->capacity, 0, capacity - memory->capacity);
        memory->grown = grown;
        memory->capacity = capacity;
    }
    memcpy(memory->grown + offset, buffer, size);
    if (end > memory->size) memory->size = end;
    return (int64_t)size;
}

static exr_context_initializer_t initializer(Memory* memory) {
    exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
    start.error_handler_fn = complain;
    start.user_data = memory;
    start.read_fn = memory_read;
    start.size_fn = memory_size;
    start.write_fn = memory_write;
    start.flags = EXR_CONTEXT_FLAG_STRICT_HEADER | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    return start;
}

// ---- reading ----

static GullyStatus refuse(const char* name, const char* what, const Memory* memory) {
    return gully_fail(GULLY_BAD_INPUT, "%s: %s%s%s", name, what,
                      memory->first[0] != '\0' ? ": " : "", memory->first);
}

/// Checks that the file is what we read and gives the raster its size.
static GullyStatus read_shape(const char* name, exr_context_t file, const Memory* memory,
                              int* first_row, GullyRaster* out) {
    exr_storage_t storage;
    exr_attr_box2i_t window;
    if (exr_get_storage(file, 0, &storage) != EXR_ERR_SUCCESS ||
        exr_get_data_window(file, 0, &window) != EXR_ERR_SUCCESS)
        return refuse(name, "is a damaged EXR file", memory);
    if (storage != EXR_STORAGE_SCANLINE)
        return refuse(name, "is an EXR file of tiles or deep pixels; must be plain scan lines",
                      memory);
    int64_t width = (int64_t)window.max.x - window.min.x + 1;
    int64_t height = (int64_t)window.max.y - window.min.y + 1;
    // Compressed a thousandfold at most: a file that claims more is no reason to ask for memory.
    if (width < 1 || height < 1 || width > INT_MAX / height ||
        (uint64_t)(width * height) > 1100 * memory->size)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: has %lld x %lld cells in %llu bytes, which is wrong", name,
                          (long long)width, (long long)height, (unsigned long long)memory->size);
    out->width = (int)width;
    out->height = (int)height;
    *first_row = window.min.y;
    return GULLY_OK;
}

/// The channel that holds the heights: Y, or else the first. -1 if it leaves out cells.
static int height_channel(const exr_coding_channel_info_t* channels, int count) {
    int chosen = 0;
    for (int i = 1; i < count; ++i)
        if (strcmp(channels[i].channel_name, "Y") == 0) chosen = i;
    bool full = count > 0 && channels[chosen].x_samples == 1 && channels[chosen].y_samples == 1;
    return full ? chosen : -1;
}

static exr_result_t read_chunks(exr_context_t file, int first_row, GullyRaster* out) {
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    int32_t lines;
    exr_result_t result = exr_get_scanlines_per_chunk(file, 0, &lines);
    if (result == EXR_ERR_SUCCESS && lines < 1) result = EXR_ERR_INVALID_ATTR;
    for (int y = 0; y < out->height && result == EXR_ERR_SUCCESS; y += lines) {
        exr_chunk_info_t chunk;
        result = exr_read_scanline_chunk_info(file, 0, first_row + y, &chunk);
        if (result != EXR_ERR_SUCCESS) break;
        result = y == 0 ? exr_decoding_initialize(file, 0, &chunk, &pipeline)
                        : exr_decoding_update(file, 0, &chunk, &pipeline);
        if (result != EXR_ERR_SUCCESS) break;
        int chosen = height_channel(pipeline.channels, pipeline.channel_count);
        if (chosen < 0 || chunk.height > out->height - y || chunk.width != out->width) {
            result = EXR_ERR_INVALID_ATTR;
            break;
        }
        exr_coding_channel_info_t* channel = &pipeline.channels[chosen];
        channel->decode_to_ptr = (uint8_t*)(out->values + (size_t)y * (size_t)out->width);
        channel->user_bytes_per_element = sizeof(float);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_pixel_stride = sizeof(float);
        channel->user_line_stride = out->width * (int)sizeof(float);
        if (y == 0) result = exr_decoding_choose_default_routines(file, 0, &pipeline);
        if (result == EXR_ERR_SUCCESS) result = exr_decoding_run(file, 0, &pipeline);
    }
    exr_decoding_destroy(file, &pipeline);
    return result;
}

/// Takes the place from the attributes, if they are there and right.
static GullyStatus read_place(const char* name, exr_context_t file, GullyRaster* out) {
    exr_attr_m33d_t m;
    out->georeference = gully_georeference_plain(out->height, 1.0, 1.0);
    out->cell_x = out->cell_y = 1.0;
    if (exr_attr_get_m33d(file, 0, TRANSFORM, &m) != EXR_ERR_SUCCESS) return GULLY_OK;
    const double t[6] = {m.m[2], m.m[0], m.m[1], m.m[5], m.m[3], m.m[4]};
    for (int i = 0; i < 6; ++i)
        if (!isfinite(t[i])) return GULLY_OK;
    if (t[1] * t[5] - t[2] * t[4] == 0.0) return GULLY_OK;
    memcpy(out->georeference.transform, t, sizeof t);
    out->georeference.known = true;
    int32_t length;
    const char* text;
    if (exr_attr_get_string(file, 0, PROJECTION, &length, &text) == EXR_ERR_SUCCESS && length > 0)
        out->georeference.projection = strndup(text, (size_t)length);
    return gdal_measure_cells(name, out);
}

static GullyStatus read_all(const char* name, exr_context_t file, const Memory* memory,
                            GullyRaster* out) {
    int first_row = 0;
    GullyStatus status = read_shape(name, file, memory, &first_row, out);
    if (status) return status;
    size_t count = (size_t)out->width * (size_t)out->height;
    out->values = calloc(count, sizeof(float));
    if (out->values == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", name);
    exr_result_t result = read_chunks(file, first_row, out);
    if (result != EXR_ERR_SUCCESS)
        return refuse(name, "is damaged, or an EXR file without a channel for every cell", memory);
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(out->values[i])) out->values[i] = NAN;
    snprintf(out->driver, sizeof out->driver, "EXR");
    snprintf(out->type, sizeof out->type, "Float32");
    return read_place(name, file, out);
}

GullyStatus gully_exr_decode(const char* name, const void* bytes, size_t size, GullyRaster* out) {
    *out = (GullyRaster){0};
    Memory memory = {.bytes = bytes, .size = size};
    exr_context_initializer_t start = initializer(&memory);
    exr_context_t file = NULL;
    if (exr_start_read(&file, name, &start) != EXR_ERR_SUCCESS)
        return refuse(name, "is not an EXR file that can be read", &memory);
    GullyStatus status = read_all(name, file, &memory, out);
    exr_finish(&file);
    if (status) gully_raster_free(out);
    return status;
}

// ---- writing ----

static bool write_header(exr_context_t file, const GullyRaster* raster) {
    int part;
    if (exr_add_part(file, "terrain", EXR_STORAGE_SCANLINE, &part) != EXR_ERR_SUCCESS ||
        exr_initialize_required_attr_simple(file, part, raster->width, raster->height,
                                            EXR_COMPRESSION_ZIP) != EXR_ERR_SUCCESS ||
        exr_add_channel(file, part, "Y", EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LINEAR, 1, 1) !=
            EXR_ERR_SUCCESS)
        return false;
    const GullyGeoreference* georeference = &raster->georeference;
    const double* t = georeference->transform;
    const exr_attr_m33d_t m = {{t[1], t[2], t[0], t[4], t[5], t[3], 0.0, 0.0, 1.0}};
    if (georeference->known && exr_attr_set_m33d(file, part, TRANSFORM, &m) != EXR_ERR_SUCCESS)
        return false;
    if (georeference->known && georeference->projection != NULL &&
        exr_attr_set_string(file, part, PROJECTION, georeference->projection) != EXR_ERR_SUCCESS)
        return false;
    return exr_write_header(file) == EXR_ERR_SUCCESS;
}

static bool write_chunks(exr_context_t file, int width, int height, const float* metres) {
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    int32_t lines;
    exr_result_t result = exr_get_scanlines_per_chunk(file, 0, &lines);
    for (int y = 0; y < height && result == EXR_ERR_SUCCESS; y += lines) {
        exr_chunk_info_t chunk;
        result = exr_write_scanline_chunk_info(file, 0, y, &chunk);
        if (result != EXR_ERR_SUCCESS) break;
        result = y == 0 ? exr_encoding_initialize(file, 0, &chunk, &pipeline)
                        : exr_encoding_update(file, 0, &chunk, &pipeline);
        if (result != EXR_ERR_SUCCESS) break;
        exr_coding_channel_info_t* channel = &pipeline.channels[0];
        channel->encode_from_ptr = (const uint8_t*)(metres + (size_t)y * (size_t)width);
        channel->user_bytes_per_element = sizeof(float);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_pixel_stride = sizeof(float);
        channel->user_line_stride = width * (int)sizeof(float);
        if (y == 0) result = exr_encoding_choose_default_routines(file, 0, &pipeline);
        if (result == EXR_ERR_SUCCESS) result = exr_encoding_run(file, 0, &pipeline);
    }
    exr_encoding_destroy(file, &pipeline);
    return result == EXR_ERR_SUCCESS;
}

GullyStatus exr_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                      GullyOutputs* outputs) {
    Memory memory = {0};
    exr_context_initializer_t start = initializer(&memory);
    start.flags = 0;
    exr_context_t file = NULL;
    float* metres = metres_encode(raster, sidecar);
    bool done = metres != NULL && raster->width < INT_MAX / 4 &&
                exr_start_write(&file, path, EXR_WRITE_FILE_DIRECTLY, &start) == EXR_ERR_SUCCESS &&
                write_header(file, raster) &&
                write_chunks(file, raster->width, raster->height, metres);
    if (file != NULL && exr_finish(&file) != EXR_ERR_SUCCESS) done = false;
    free(metres);
    GullyStatus status =
        done ? gully_outputs_file(outputs, path, memory.grown, memory.size)
             : gully_fail(GULLY_FAILED, "%s: cannot be made: %s", path,
                          memory.first[0] != '\0' ? memory.first : "not enough memory");
    free(memory.grown);
    return status;
}

#else

static const char ABSENT[] = "EXR is not in this build: it was made without OpenEXR";

bool exr_is_there(void) {
    return false;
}

GullyStatus gully_exr_decode(const char* name, const void* bytes, size_t size, GullyRaster* out) {
    (void)bytes;
    (void)size;
    *out = (GullyRaster){0};
    return gully_fail(GULLY_BAD_INPUT, "%s: %s", name, ABSENT);
}

GullyStatus exr_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                      GullyOutputs* outputs) {
    (void)raster;
    (void)sidecar;
    (void)outputs;
    return gully_fail(GULLY_BAD_INPUT, "%s: %s", path, ABSENT);
}

#endif
