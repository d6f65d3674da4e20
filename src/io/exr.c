// EXR out through OpenEXR's C API: one part of scan lines, channel Y, 32-bit float, ZIP (lossless),
// north first unless the sidecar says otherwise. The georeference stands in the attributes that
// GDAL's own driver uses.

#include "exr.h"

#ifdef GULLY_OPENEXR

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "exr_memory.h"
#include "raw.h"

bool exr_is_there(void) {
    return true;
}

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
    if (georeference->known && exr_attr_set_m33d(file, part, EXR_TRANSFORM, &m) != EXR_ERR_SUCCESS)
        return false;
    if (georeference->known && georeference->projection != NULL &&
        exr_attr_set_string(file, part, EXR_PROJECTION, georeference->projection) !=
            EXR_ERR_SUCCESS)
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
    ExrMemory memory = {0};
    exr_context_initializer_t start = exr_memory_initializer(&memory);
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

#endif
