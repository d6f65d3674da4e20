// SPDX-License-Identifier: MIT
// EXR out through OpenEXR's C API: one part of scan lines, 32-bit float, ZIP (lossless), north
// first unless the sidecar says otherwise; channel Y, or one for each of several rasters. The
// georeference stands in the attributes that GDAL's own driver uses.

#include "exr.h"

#ifdef GULLY_OPENEXR

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exr_memory.h"
#include "raw.h"

bool exr_is_there(void) {
    return true;
}

/// What is written: the channels and the place of all of them.
typedef struct Image {
    const GullyRaster* like; ///< for its size and place
    int count;
    const char* names[EXR_CHANNELS];
    const float* values[EXR_CHANNELS]; ///< row by row, as the file has them
} Image;

static bool add_channels(exr_context_t file, int part, const Image* image) {
    for (int i = 0; i < image->count; ++i)
        if (exr_add_channel(file, part, image->names[i], EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LINEAR,
                            1, 1) != EXR_ERR_SUCCESS)
            return false;
    return true;
}

static bool write_header(exr_context_t file, const Image* image) {
    int part;
    const GullyRaster* raster = image->like;
    if (exr_add_part(file, "terrain", EXR_STORAGE_SCANLINE, &part) != EXR_ERR_SUCCESS ||
        exr_initialize_required_attr_simple(file, part, raster->width, raster->height,
                                            EXR_COMPRESSION_ZIP) != EXR_ERR_SUCCESS ||
        !add_channels(file, part, image))
        return false;
    const GullyGeoreference* georeference = &raster->georeference;
    const double* t = georeference->transform;
    const exr_attr_m33d_t m = {{t[1], t[2], t[0], t[4], t[5], t[3], 0.0, 0.0, 1.0}};
    if (georeference->known && exr_attr_set_m33d(file, part, EXR_TRANSFORM, &m) != EXR_ERR_SUCCESS)
        return false;
    if (georeference->known && georeference->projection != NULL &&
        exr_attr_set_string(file, part, EXR_PROJECTION, georeference->projection) !=
            EXR_ERR_SUCCESS)
        return false;
    return exr_write_header(file) == EXR_ERR_SUCCESS;
}

/// Tells a channel of a chunk, whose rows begin at y, where its numbers are. The file has its
/// channels in an order of its own.
static void aim_channel(const Image* image, int y, exr_coding_channel_info_t* channel) {
    size_t width = (size_t)image->like->width;
    for (int i = 0; i < image->count; ++i)
        if (strcmp(channel->channel_name, image->names[i]) == 0)
            channel->encode_from_ptr = (const uint8_t*)(image->values[i] + (size_t)y * width);
    channel->user_bytes_per_element = sizeof(float);
    channel->user_data_type = EXR_PIXEL_FLOAT;
    channel->user_pixel_stride = sizeof(float);
    channel->user_line_stride = image->like->width * (int)sizeof(float);
}

static bool write_chunks(exr_context_t file, const Image* image) {
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    int32_t lines;
    exr_result_t result = exr_get_scanlines_per_chunk(file, 0, &lines);
    for (int y = 0; y < image->like->height && result == EXR_ERR_SUCCESS; y += lines) {
        exr_chunk_info_t chunk;
        result = exr_write_scanline_chunk_info(file, 0, y, &chunk);
        if (result != EXR_ERR_SUCCESS) break;
        result = y == 0 ? exr_encoding_initialize(file, 0, &chunk, &pipeline)
                        : exr_encoding_update(file, 0, &chunk, &pipeline);
        if (result != EXR_ERR_SUCCESS) break;
        for (int i = 0; i < pipeline.channel_count; ++i)
            aim_channel(image, y, &pipeline.channels[i]);
        if (y == 0) result = exr_encoding_choose_default_routines(file, 0, &pipeline);
        if (result == EXR_ERR_SUCCESS) result = exr_encoding_run(file, 0, &pipeline);
    }
    exr_encoding_destroy(file, &pipeline);
    return result == EXR_ERR_SUCCESS;
}

static GullyStatus write_image(const char* path, const Image* image, GullyOutputs* outputs) {
    ExrMemory memory = {0};
    exr_context_initializer_t start = exr_memory_initializer(&memory);
    start.flags = 0;
    exr_context_t file = NULL;
    bool done = image->like->width < INT_MAX / 4 &&
                exr_start_write(&file, path, EXR_WRITE_FILE_DIRECTLY, &start) == EXR_ERR_SUCCESS &&
                write_header(file, image) && write_chunks(file, image);
    if (file != NULL && exr_finish(&file) != EXR_ERR_SUCCESS) done = false;
    GullyStatus status =
        done ? gully_outputs_file(outputs, path, memory.grown, memory.size)
             : gully_fail(GULLY_FAILED, "%s: cannot be made: %s", path,
                          memory.first[0] != '\0' ? memory.first : "not enough memory");
    free(memory.grown);
    return status;
}

GullyStatus exr_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                      GullyOutputs* outputs) {
    float* metres = metres_encode(raster, sidecar);
    if (metres == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    Image image = {.like = raster, .count = 1, .names = {"Y"}, .values = {metres}};
    GullyStatus status = write_image(path, &image, outputs);
    free(metres);
    return status;
}

GullyStatus gully_exr_write(const char* path, const GullyRaster* rasters, int count,
                            GullyOutputs* outputs) {
    Image image = {.like = rasters, .count = count};
    if (count < 1 || count > EXR_CHANNELS)
        return gully_fail(GULLY_BAD_INPUT, "%s: %d channels; allowed: 1 to %d", path, count,
                          EXR_CHANNELS);
    for (int i = 0; i < count; ++i) {
        if (rasters[i].width != rasters->width || rasters[i].height != rasters->height)
            return gully_fail(GULLY_BAD_INPUT, "%s: %s has another size than %s", path,
                              rasters[i].name, rasters->name);
        image.names[i] = i == 0 ? "Y" : rasters[i].name;
        image.values[i] = rasters[i].values;
    }
    return write_image(path, &image, outputs);
}

#else

bool exr_is_there(void) {
    return false;
}

GullyStatus exr_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                      GullyOutputs* outputs) {
    (void)raster;
    (void)sidecar;
    (void)outputs;
    return gully_fail(GULLY_BAD_INPUT, "%s: %s", path, EXR_ABSENT);
}

GullyStatus gully_exr_write(const char* path, const GullyRaster* rasters, int count,
                            GullyOutputs* outputs) {
    (void)rasters;
    (void)count;
    (void)outputs;
    return gully_fail(GULLY_BAD_INPUT, "%s: %s", path, EXR_ABSENT);
}

#endif
