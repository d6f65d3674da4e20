// SPDX-License-Identifier: MIT
// PNG out.

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "plain_image.h"

static void put_word(unsigned char* at, uint32_t word) {
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(word >> (24 - 8 * i));
}

/// Writes a chunk around `length` bytes that stand at `at` + 8 already; returns what follows it.
static unsigned char* put_chunk(unsigned char* at, const char* name, size_t length) {
    put_word(at, (uint32_t)length);
    memcpy(at + 4, name, 4);
    put_word(at + 8 + length, (uint32_t)crc32(0, at + 4, (uInt)length + 4));
    return at + 12 + length;
}

/// Rows with the filter "up" in front of each, which suits terrain.
static unsigned char* filter_rows(size_t row, size_t height, const unsigned char* bytes) {
    unsigned char* out = malloc((row + 1) * height);
    for (size_t y = 0; out && y < height; y++) {
        unsigned char* to = out + y * (row + 1);
        *to++ = y > 0 ? 2 : 0;
        for (size_t i = 0; i < row; i++)
            to[i] = (unsigned char)(bytes[y * row + i] - (y > 0 ? bytes[(y - 1) * row + i] : 0));
    }
    return out;
}

GullyStatus png_encode(int width, int height, int channels, int bits, const unsigned char* bytes,
                       void** out, size_t* size) {
    static const unsigned char start[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const unsigned char colors[] = {0, 0, 4, 2, 6}; // by channels
    size_t row = (size_t)width * (size_t)channels * (size_t)bits / 8, rows = (size_t)height;
    uLong most = compressBound((uLong)((row + 1) * rows));
    unsigned char* filtered = filter_rows(row, rows, bytes);
    unsigned char *file = filtered ? malloc(most + 128) : NULL, *at = file;
    *out = NULL;
    if (file) {
        memcpy(at, start, sizeof start);
        at += sizeof start;
        put_word(at + 8, (uint32_t)width);
        put_word(at + 12, (uint32_t)height);
        memcpy(at + 16, (unsigned char[]){(unsigned char)bits, colors[channels], 0, 0, 0}, 5);
        at = put_chunk(at, "IHDR", 13);
        uLongf length = most;
        if (compress2(at + 8, &length, filtered, (uLong)((row + 1) * rows), 6) == Z_OK) {
            at = put_chunk(at, "IDAT", length);
            at = put_chunk(at, "IEND", 0);
            *out = file;
            *size = (size_t)(at - file);
        }
    }
    free(filtered);
    if (*out) return GULLY_OK;
    free(file);
    return gully_fail(GULLY_NO_MEMORY, "a picture of %d x %d pixels cannot be made: no memory",
                      width, height);
}
