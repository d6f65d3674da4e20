// SPDX-License-Identifier: MIT
// PNG in: grey or colours, 8 or 16 bits, not interlaced.

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "plain_image.h"

static const unsigned char SIGNATURE[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

typedef struct Png {
    const char* path;
    uint32_t width, height;
    int bits, color, channels;
    size_t pixel, row; ///< bytes
} Png;

static uint32_t word(const unsigned char* b) {
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static GullyStatus cut_short(const char* path) {
    return gully_fail(GULLY_BAD_INPUT, "%s: is damaged or cut short", path);
}

/// Reads the head, which is the first chunk.
static GullyStatus read_head(const unsigned char* head, Png* png) {
    static const int channels[] = {1, 0, 3, 1, 2, 0, 4}; // by colour type
    png->width = word(head);
    png->height = word(head + 4);
    png->bits = head[8];
    png->color = head[9];
    png->channels = png->color <= 6 ? channels[png->color] : 0;
    if (png->channels == 0 || png->width == 0 || png->height == 0) return cut_short(png->path);
    if (png->color == 3)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: its numbers are places in a palette of colours, "
                          "not heights; save it as 16-bit grey",
                          png->path);
    if ((png->bits != 8 && png->bits != 16) || head[12] != 0)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: a PNG of %d bits%s; 8 or 16 bits, not interlaced, are read here",
                          png->path, png->bits, head[12] ? ", interlaced" : "");
    if (png->height > (uint32_t)PLAIN_CELLS / png->width)
        return gully_fail(GULLY_BAD_INPUT, "%s: has %u x %u cells; at most %d in all are read here",
                          png->path, png->width, png->height, PLAIN_CELLS);
    png->pixel = (size_t)png->channels * (size_t)png->bits / 8;
    png->row = png->pixel * png->width;
    return GULLY_OK;
}

/// Adds the compressed bytes of all chunks to the stream; what comes out is rows with a filter each.
static GullyStatus inflate_chunks(const Png* png, const unsigned char* bytes, size_t size,
                                  unsigned char* out) {
    z_stream stream = {.next_out = out, .avail_out = (uInt)((png->row + 1) * png->height)};
    if (inflateInit(&stream) != Z_OK)
        return gully_fail(GULLY_NO_MEMORY, "%s: no memory", png->path);
    int code = Z_OK;
    size_t at = sizeof SIGNATURE;
    while (at + 12 <= size && code == Z_OK) {
        size_t length = word(bytes + at);
        if (length > size - at - 12) break;
        if (memcmp(bytes + at + 4, "IDAT", 4) == 0) {
            stream.next_in = (unsigned char*)bytes + at + 8;
            stream.avail_in = (uInt)length;
            if (length > 0) code = inflate(&stream, Z_NO_FLUSH);
        }
        at += length + 12;
    }
    bool whole = stream.avail_out == 0 && code != Z_DATA_ERROR;
    inflateEnd(&stream);
    return whole ? GULLY_OK : cut_short(png->path);
}

static unsigned char paeth(int a, int b, int c) {
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return (unsigned char)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

/// Undoes the filter of a row; `above` is the row before it, or zeros.
static bool unfilter(const Png* png, int filter, const unsigned char* above, unsigned char* row) {
    for (size_t i = 0; i < png->row; i++) {
        int a = i >= png->pixel ? row[i - png->pixel] : 0;
        int b = above[i], c = i >= png->pixel ? above[i - png->pixel] : 0;
        int guess = filter == 0   ? 0
                    : filter == 1 ? a
                    : filter == 2 ? b
                    : filter == 3 ? (a + b) / 2
                                  : paeth(a, b, c);
        row[i] = (unsigned char)(row[i] + guess);
    }
    return filter <= 4;
}

/// Takes one channel of a row, little endian.
static void take_channel(const Png* png, const unsigned char* row, int channel,
                         unsigned char* out) {
    size_t bytes = (size_t)png->bits / 8;
    for (size_t x = 0; x < png->width; x++)
        for (size_t k = 0; k < bytes; k++)
            out[x * bytes + k] = row[x * png->pixel + (size_t)channel * bytes + bytes - 1 - k];
}

static GullyStatus read_pixels(const Png* png, const unsigned char* bytes, size_t size, int channel,
                               PlainImage* out) {
    unsigned char* rows = malloc((png->row + 1) * png->height);
    unsigned char* zeros = calloc(png->row, 1);
    size_t line = (size_t)png->width * (size_t)png->bits / 8;
    out->bytes = malloc(line * png->height);
    GullyStatus status = rows && zeros && out->bytes
                             ? inflate_chunks(png, bytes, size, rows)
                             : gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", png->path);
    const unsigned char* above = zeros;
    for (uint32_t y = 0; y < png->height && !status; y++) {
        unsigned char* row = rows + y * (png->row + 1);
        if (!unfilter(png, row[0], above, row + 1)) status = cut_short(png->path);
        take_channel(png, row + 1, channel, out->bytes + y * line);
        above = row + 1;
    }
    free(rows);
    free(zeros);
    return status;
}

GullyStatus png_decode(const char* path, const unsigned char* bytes, size_t size, int band,
                       PlainImage* out) {
    Png png = {.path = path};
    if (size < 33 || memcmp(bytes, SIGNATURE, sizeof SIGNATURE) != 0 ||
        memcmp(bytes + 12, "IHDR", 4) != 0)
        return cut_short(path);
    GullyStatus status = read_head(bytes + 16, &png);
    if (status) return status;
    if (band > png.channels)
        return gully_fail(GULLY_BAD_INPUT, "%s: has %d bands; there is no band %d", path,
                          png.channels, band);
    *out = (PlainImage){.width = (int)png.width,
                        .height = (int)png.height,
                        .bands = png.channels,
                        .alpha = png.channels % 2 == 0 ? png.channels : 0,
                        .kind = PLAIN_UNSIGNED,
                        .bits = png.bits,
                        .scale = 1};
    return read_pixels(&png, bytes, size, band - 1, out);
}
