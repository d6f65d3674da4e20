// SPDX-License-Identifier: MIT
// Raw numbers: 16-bit steps or 32-bit floats, row after row, nothing else.

#include "raw.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "json_parts.h"
#include "sidecar.h"

enum { STEPS = 65535 };

// ---- numbers as bytes ----

static size_t bytes_of(GullyNumbers numbers) {
    return numbers == GULLY_FLOAT32 ? 4 : 2;
}

/// The number in `size` bytes at `bytes`, whatever order this machine has.
static uint32_t load(const unsigned char* bytes, size_t size, bool big_endian) {
    uint32_t bits = 0;
    for (size_t i = 0; i < size; ++i)
        bits |= (uint32_t)bytes[i] << 8 * (big_endian ? size - 1 - i : i);
    return bits;
}

static void store(unsigned char* bytes, size_t size, bool big_endian, uint32_t bits) {
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (unsigned char)(bits >> 8 * (big_endian ? size - 1 - i : i));
}

// ---- reading ----

/// A raw file of so many bytes as a raster without values.
static GullyStatus make_head(const char* name, unsigned long long size, const GullySidecar* sidecar,
                             GullyRaster* out) {
    static const char* const names[] = {"UInt16", "Int16", "Float32"};
    *out = (GullyRaster){.width = sidecar->width, .height = sidecar->height, .driver = "raw"};
    assert(out->width > 0 && out->height > 0 && out->width <= INT_MAX / out->height);
    size_t count = (size_t)out->width * (size_t)out->height;
    if (size != count * bytes_of(sidecar->numbers))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: has %llu bytes; %d x %d numbers of %zu bytes would be %zu", name,
                          size, out->width, out->height, bytes_of(sidecar->numbers),
                          count * bytes_of(sidecar->numbers));
    snprintf(out->type, sizeof out->type, "%s", names[sidecar->numbers]);
    return GULLY_OK;
}

static void load_all(const unsigned char* bytes, GullyNumbers numbers, bool big_endian,
                     size_t count, float* out) {
    size_t each = bytes_of(numbers);
    for (size_t i = 0; i < count; ++i) {
        uint32_t bits = load(bytes + i * each, each, big_endian);
        if (numbers == GULLY_FLOAT32)
            memcpy(&out[i], &bits, sizeof bits);
        else
            out[i] = numbers == GULLY_UINT16 ? (float)bits : (float)(int16_t)bits;
    }
}

GullyStatus gully_raw_decode(const char* name, const void* bytes, size_t size,
                             const GullySidecar* sidecar, GullyRaster* out) {
    GullyStatus status = make_head(name, size, sidecar, out);
    if (status) return status;
    size_t count = (size_t)out->width * (size_t)out->height;
    out->values = malloc(count * sizeof(float));
    if (out->values == NULL)
        return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory for %d x %d cells", name,
                          out->width, out->height);
    NumberMeaning meaning = sidecar_meaning(sidecar, NULL, NULL);
    load_all(bytes, sidecar->numbers, sidecar->big_endian, count, out->values);
    numbers_mean(&meaning, out->values, count);
    if (sidecar->flip) rows_flip(out->values, out->width, out->height);
    status = sidecar_place(name, sidecar, out);
    if (status) gully_raster_free(out);
    return status;
}

GullyStatus gully_raw_read(const char* path, const GullySidecar* sidecar, GullyRaster* out) {
    *out = (GullyRaster){0};
    char* bytes;
    size_t size;
    GullyStatus status = bytes_read(path, SIZE_MAX / 2, &bytes, &size);
    if (status) return status;
    status = gully_raw_decode(path, bytes, size, sidecar, out);
    free(bytes);
    return status;
}

// ---- reading rows ----

typedef struct RawSource {
    int descriptor;
    GullyNumbers numbers;
    bool big_endian;
    size_t width;
    char* path;
    unsigned char* row;
} RawSource;

static bool read_at(const RawSource* source, unsigned char* bytes, size_t size, off_t offset) {
    while (size > 0) {
        ssize_t count = pread(source->descriptor, bytes, size, offset);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes += count;
        size -= (size_t)count;
        offset += count;
    }
    return true;
}

static GullyStatus read_raw_rows(void* context, int y, int count, float* out) {
    const RawSource* source = context;
    size_t size = source->width * bytes_of(source->numbers);
    for (int end = y + count; y < end; ++y, out += source->width) {
        if (!read_at(source, source->row, size, (off_t)y * (off_t)size))
            return gully_fail(GULLY_BAD_INPUT, "%s: cannot be read", source->path);
        load_all(source->row, source->numbers, source->big_endian, source->width, out);
    }
    return GULLY_OK;
}

static void close_raw(void* context) {
    RawSource* source = context;
    if (source->descriptor >= 0) close(source->descriptor);
    free(source->path);
    free(source->row);
    free(source);
}

GullyStatus raw_open(const char* path, const GullySidecar* sidecar, GullyRaster* head,
                     RasterSource* out) {
    RawSource* source = calloc(1, sizeof *source);
    if (source == NULL) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    source->numbers = sidecar->numbers;
    source->big_endian = sidecar->big_endian;
    source->width = (size_t)sidecar->width;
    source->path = strdup(path);
    source->row = malloc(source->width * bytes_of(sidecar->numbers));
    unsigned long long size = 0;
    GullyStatus status = file_open(path, &source->descriptor, &size);
    if (!status) status = make_head(path, size, sidecar, head);
    if (!status && (source->path == NULL || source->row == NULL))
        status = gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    if (status)
        close_raw(source);
    else
        *out = (RasterSource){{.read = read_raw_rows, .context = source}, .close = close_raw};
    return status;
}

// ---- writing ----

/// The step of a height; a height never becomes the number of nodata.
static uint16_t step_of(const GullySidecar* s, float height) {
    if (isnan(height)) return (uint16_t)s->nodata;
    double step = ((double)height - s->min) / (s->max - s->min) * STEPS;
    step = floor(fmin(fmax(step, 0.0), (double)STEPS) + 0.5);
    if (s->has_nodata && step == s->nodata) step += step < STEPS ? 1.0 : -1.0;
    return (uint16_t)step;
}

/// Where a cell of the raster stands in the file.
static size_t place_of(const GullySidecar* s, int x, int y) {
    int row = s->flip ? s->height - 1 - y : y;
    return (size_t)row * (size_t)s->width + (size_t)x;
}

uint16_t* steps_encode(const GullyRaster* raster, const GullySidecar* sidecar) {
    uint16_t* steps = malloc((size_t)raster->width * (size_t)raster->height * sizeof *steps);
    if (steps == NULL) return NULL;
    const float* heights = raster->values;
    for (int y = 0; y < raster->height; ++y)
        for (int x = 0; x < raster->width; ++x)
            steps[place_of(sidecar, x, y)] = step_of(sidecar, *heights++);
    return steps;
}

float* metres_encode(const GullyRaster* raster, const GullySidecar* sidecar) {
    float* metres = malloc((size_t)raster->width * (size_t)raster->height * sizeof *metres);
    if (metres == NULL) return NULL;
    const float* heights = raster->values;
    for (int y = 0; y < raster->height; ++y)
        for (int x = 0; x < raster->width; ++x, ++heights)
            metres[place_of(sidecar, x, y)] = isnan(*heights) ? (float)sidecar->nodata : *heights;
    return metres;
}

/// Heights in whole metres, as HGT has them.
static uint16_t whole_metres(float metres) {
    return (uint16_t)(int16_t)floorf(metres + 0.5f);
}

GullyStatus raw_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                      GullyOutputs* outputs) {
    size_t count = (size_t)raster->width * (size_t)raster->height;
    size_t each = bytes_of(sidecar->numbers);
    bool steps = sidecar->numbers == GULLY_UINT16;
    void* numbers = steps ? (void*)steps_encode(raster, sidecar) : metres_encode(raster, sidecar);
    unsigned char* bytes = malloc(count * each);
    GullyStatus status = GULLY_OK;
    if (numbers == NULL || bytes == NULL)
        status = gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    for (size_t i = 0; i < count && status == GULLY_OK; ++i) {
        uint32_t bits;
        if (sidecar->numbers == GULLY_FLOAT32)
            memcpy(&bits, (float*)numbers + i, sizeof bits);
        else
            bits = steps ? ((uint16_t*)numbers)[i] : whole_metres(((float*)numbers)[i]);
        store(bytes + i * each, each, sidecar->big_endian, bits);
    }
    if (status == GULLY_OK) status = gully_outputs_file(outputs, path, bytes, count * each);
    free(numbers);
    free(bytes);
    return status;
}
