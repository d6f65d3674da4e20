// SPDX-License-Identifier: MIT
// TIFF in: strips and tiles, plain, deflated or packed, with the place and the words of GeoTIFF and
// GDAL. Classic files only, which have up to 4 GiB.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // memmem
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "plain_image.h"
#include "tiff_tags.h"

typedef struct Tiff {
    const char* path;
    const unsigned char* bytes;
    size_t size;
    bool big; ///< endian
    size_t directory;
    int entries;
    // What the directory says.
    uint32_t width, height, block_width, block_height;
    int samples, bits, compression, predictor;
    bool separate; ///< a band after another
} Tiff;

/// Values of a tag.
typedef struct Entry {
    int type;
    uint32_t count;
    size_t at; ///< of the first
} Entry;

static GullyStatus damaged(const Tiff* tiff) {
    return gully_fail(GULLY_BAD_INPUT, "%s: is damaged or cut short", tiff->path);
}

/// The number in so many bytes; 0 beyond the end.
static uint64_t number(const Tiff* tiff, size_t at, int bytes) {
    uint64_t bits = 0;
    if (at > tiff->size || tiff->size - at < (size_t)bytes) return 0;
    for (int i = 0; i < bytes; i++)
        bits |= (uint64_t)tiff->bytes[at + (size_t)i] << 8 * (tiff->big ? bytes - 1 - i : i);
    return bits;
}

static int type_bytes(int type) {
    static const int bytes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8};
    return type > 0 && type <= TIFF_DOUBLE ? bytes[type] : 0;
}

static bool find(const Tiff* tiff, int tag, Entry* out) {
    for (int i = 0; i < tiff->entries; i++) {
        size_t at = tiff->directory + 2 + 12 * (size_t)i;
        if ((int)number(tiff, at, 2) != tag) continue;
        *out = (Entry){(int)number(tiff, at + 2, 2), (uint32_t)number(tiff, at + 4, 4), at + 8};
        uint64_t bytes = (uint64_t)out->count * (uint64_t)type_bytes(out->type);
        if (bytes > 4) out->at = (size_t)number(tiff, at + 8, 4);
        return bytes > 0 && out->at <= tiff->size && bytes <= tiff->size - out->at;
    }
    return false;
}

static uint32_t whole_at(const Tiff* tiff, const Entry* entry, uint32_t index) {
    int bytes = type_bytes(entry->type);
    return index < entry->count
               ? (uint32_t)number(tiff, entry->at + index * (size_t)bytes, bytes > 4 ? 4 : bytes)
               : 0;
}

static uint32_t whole(const Tiff* tiff, int tag, uint32_t otherwise) {
    Entry entry;
    return find(tiff, tag, &entry) ? whole_at(tiff, &entry, 0) : otherwise;
}

static double real_at(const Tiff* tiff, const Entry* entry, uint32_t index) {
    uint64_t bits = entry->type == TIFF_DOUBLE ? number(tiff, entry->at + 8 * index, 8) : 0;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// ---- blocks ----

/// Returns how many bytes came out.
static size_t unpack_bits(const unsigned char* from, size_t size, unsigned char* to, size_t room) {
    size_t at = 0, out = 0;
    while (at < size && out < room) {
        int head = (signed char)from[at++];
        size_t count = head >= 0 ? (size_t)head + 1 : (size_t)(1 - head);
        if (head == -128) continue;
        for (size_t i = 0; i < count && out < room && at < size; i++)
            to[out++] = head >= 0 ? from[at++] : from[at];
        if (head < 0) at++;
    }
    return out;
}

/// Undoes the difference of neighbours in a row of whole numbers, which are in the file's order.
static void add_up(const Tiff* tiff, unsigned char* row, size_t columns, int samples) {
    size_t bytes = (size_t)tiff->bits / 8, pixel = bytes * (size_t)samples;
    for (size_t i = pixel; i < columns * pixel; i += bytes) {
        int carry = 0;
        for (size_t k = 0; k < bytes; k++) {
            size_t place = tiff->big ? bytes - 1 - k : k;
            carry += row[i + place] + row[i + place - pixel];
            row[i + place] = (unsigned char)carry;
            carry >>= 8;
        }
    }
}

/// The same of floats, whose bytes stand in planes, the highest first.
static bool add_up_floats(const Tiff* tiff, unsigned char* row, size_t columns, int samples) {
    size_t bytes = (size_t)tiff->bits / 8, count = columns * (size_t)samples;
    unsigned char* copy = malloc(count * bytes);
    if (!copy) return false;
    for (size_t i = (size_t)samples; i < count * bytes; i++)
        row[i] = (unsigned char)(row[i] + row[i - (size_t)samples]);
    memcpy(copy, row, count * bytes);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < bytes; k++)
            row[i * bytes + (tiff->big ? k : bytes - 1 - k)] = copy[k * count + i];
    free(copy);
    return true;
}

/// Bytes of a row of a block.
static size_t row_bytes(const Tiff* tiff, int samples) {
    return (size_t)tiff->block_width * (size_t)samples * (size_t)tiff->bits / 8;
}

/// Unpacks a block, of which `needed` rows lie in the image, into `out`, which has `size` bytes and
/// is zero. A block without bytes stays so: the file is sparse.
static GullyStatus read_block(const Tiff* tiff, size_t at, size_t packed, int samples,
                              uint32_t needed, unsigned char* out, size_t size) {
    if (packed == 0) return GULLY_OK;
    if (at > tiff->size || packed > tiff->size - at) return damaged(tiff);
    const size_t row = row_bytes(tiff, samples);
    uLongf length = (uLongf)(packed < size ? packed : size);
    int code = Z_OK;
    if (tiff->compression == 1) {
        memcpy(out, tiff->bytes + at, length);
    } else if (tiff->compression == 32773) {
        length = (uLongf)unpack_bits(tiff->bytes + at, packed, out, size);
    } else {
        length = (uLongf)size;
        code = uncompress(out, &length, tiff->bytes + at, (uLong)packed);
    }
    if ((code != Z_OK && code != Z_BUF_ERROR) || length < needed * row) return damaged(tiff);
    for (size_t y = 0; y < needed && tiff->predictor > 1; y++) {
        if (tiff->predictor == 2)
            add_up(tiff, out + y * row, tiff->block_width, samples);
        else if (!add_up_floats(tiff, out + y * row, tiff->block_width, samples))
            return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", tiff->path);
    }
    return GULLY_OK;
}

/// Puts the wanted sample of a block into the image, little endian.
static void place_block(const Tiff* tiff, const unsigned char* block, uint32_t left, uint32_t top,
                        int sample, int samples, unsigned char* out) {
    size_t bytes = (size_t)tiff->bits / 8, pixel = bytes * (size_t)samples;
    for (uint32_t y = 0; y < tiff->block_height && top + y < tiff->height; y++)
        for (uint32_t x = 0; x < tiff->block_width && left + x < tiff->width; x++) {
            const unsigned char* from =
                block + ((size_t)y * tiff->block_width + x) * pixel + (size_t)sample * bytes;
            unsigned char* to = out + ((size_t)(top + y) * tiff->width + left + x) * bytes;
            for (size_t k = 0; k < bytes; k++)
                to[k] = from[tiff->big ? bytes - 1 - k : k];
        }
}

/// The most bytes of all blocks, with what lies outside of the image.
#define MOST_BYTES (UINT64_C(1) << 32)

static GullyStatus read_blocks(const Tiff* tiff, int band, unsigned char* out) {
    Entry offsets, sizes;
    bool tiled = find(tiff, TIFF_TILE_OFFSETS, &offsets);
    if (!(tiled || find(tiff, TIFF_STRIP_OFFSETS, &offsets)) ||
        !find(tiff, tiled ? TIFF_TILE_SIZES : TIFF_STRIP_SIZES, &sizes))
        return damaged(tiff);
    uint32_t across = (tiff->width - 1) / tiff->block_width + 1;
    uint32_t down = (tiff->height - 1) / tiff->block_height + 1;
    int samples = tiff->separate ? 1 : tiff->samples;
    uint32_t first = tiff->separate ? (uint32_t)(band - 1) * across * down : 0;
    size_t room = row_bytes(tiff, samples) * tiff->block_height;
    if ((uint64_t)across * down > MOST_BYTES / room) return damaged(tiff);
    unsigned char* block = malloc(room);
    GullyStatus status =
        block ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", tiff->path);
    for (uint32_t i = 0; i < across * down && !status; i++) {
        const uint32_t top = i / across * tiff->block_height, below = tiff->height - top;
        memset(block, 0, room);
        status = read_block(tiff, whole_at(tiff, &offsets, first + i),
                            whole_at(tiff, &sizes, first + i), samples,
                            below < tiff->block_height ? below : tiff->block_height, block, room);
        if (!status)
            place_block(tiff, block, i % across * tiff->block_width, top,
                        tiff->separate ? 0 : band - 1, samples, out);
    }
    free(block);
    return status;
}

// ---- what the file says about itself ----

static GullyStatus read_directory(Tiff* tiff) {
    tiff->width = whole(tiff, TIFF_WIDTH, 0);
    tiff->height = whole(tiff, TIFF_HEIGHT, 0);
    tiff->samples = (int)whole(tiff, TIFF_SAMPLES, 1);
    tiff->bits = (int)whole(tiff, TIFF_BITS, 1);
    tiff->compression = (int)whole(tiff, TIFF_COMPRESSION, 1);
    tiff->predictor = (int)whole(tiff, TIFF_PREDICTOR, 1);
    tiff->separate = whole(tiff, TIFF_PLANAR, 1) == 2;
    tiff->block_width = whole(tiff, TIFF_TILE_WIDTH, tiff->width);
    uint32_t rows = whole(tiff, TIFF_STRIP_ROWS, tiff->height);
    tiff->block_height = whole(tiff, TIFF_TILE_HEIGHT, rows < tiff->height ? rows : tiff->height);
    if (tiff->width < 1 || tiff->height < 1 || tiff->height > (uint32_t)PLAIN_CELLS / tiff->width)
        return gully_fail(GULLY_BAD_INPUT, "%s: has %u x %u cells; 1 to %d in all are read here",
                          tiff->path, tiff->width, tiff->height, PLAIN_CELLS);
    if (tiff->samples < 1 || tiff->samples > 64 || tiff->block_width < 1 ||
        tiff->block_height < 1 || tiff->block_width > 1 << 24 ||
        tiff->block_height > (uint32_t)PLAIN_CELLS / tiff->block_width / (uint32_t)tiff->samples)
        return damaged(tiff);
    if (tiff->bits != 8 && tiff->bits != 16 && tiff->bits != 32 && tiff->bits != 64)
        return gully_fail(GULLY_BAD_INPUT, "%s: numbers of %d bits; 8, 16, 32 or 64 are read here",
                          tiff->path, tiff->bits);
    int c = tiff->compression;
    if ((c == 1 || c == 8 || c == 32946 || c == 32773) && tiff->predictor <= 3) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: its compression (%d) is not read here; gdal_translate -co "
                      "COMPRESS=DEFLATE makes one that is",
                      tiff->path, c);
}

static void read_place(const Tiff* tiff, PlainImage* out) {
    Entry scale, tie, all;
    double* t = out->transform;
    if (find(tiff, TIFF_TRANSFORM, &all) && all.count >= 16) {
        static const int from[6] = {3, 0, 1, 7, 4, 5};
        for (int i = 0; i < 6; i++)
            t[i] = real_at(tiff, &all, (uint32_t)from[i]);
        out->placed = true;
    } else if (find(tiff, TIFF_PIXEL_SCALE, &scale) && find(tiff, TIFF_TIE_POINT, &tie) &&
               scale.count >= 2 && tie.count >= 6) {
        t[1] = real_at(tiff, &scale, 0);
        t[5] = -real_at(tiff, &scale, 1);
        t[0] = real_at(tiff, &tie, 3) - real_at(tiff, &tie, 0) * t[1];
        t[3] = real_at(tiff, &tie, 4) - real_at(tiff, &tie, 1) * t[5];
        out->placed = true;
    }
}

/// Metres of a unit by EPSG's number; 0 = not known.
static double unit_of_number(uint32_t number) {
    return number == 9002 ? 0.3048 : number == 9003 ? 1200.0 / 3937.0 : 0.0;
}

static bool is_of(uint32_t code, const uint32_t* codes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (codes[i] == code) return true;
    return false;
}

enum { USER_DEFINED = 32767 };

/// The file names its projection by EPSG's number.
static void take_projection(uint32_t code, PlainImage* out) {
    static const uint32_t web[] = {3857, 3785, 900913};
    // World Mercator, Plate Carree, and cylinders and ovals of equal area.
    static const uint32_t others[] = {3395,  3832,  54004, 32662, 32663, 4087,  4088,
                                      54001, 54034, 6933,  3410,  54009, 54008, 54030};
    out->mercator = is_of(code, web, sizeof web / sizeof web[0]);
    out->stretched = is_of(code, others, sizeof others / sizeof others[0]);
    // UTM is in metres.
    const bool utm = (code > 32600 && code <= 32660) || (code > 32700 && code <= 32760) ||
                     (code > 26900 && code <= 26923) || (code > 25827 && code <= 25838);
    out->unsaid = code != USER_DEFINED && !utm && !out->mercator && !out->stretched;
}

/// The file describes its projection: by Mercator's formula, or another one that is for the world.
static void take_formula(uint32_t formula, PlainImage* out) {
    static const uint32_t world[] = {7, 17, 18, 20, 23, 24, 25, 28};
    if (is_of(formula, world, sizeof world / sizeof world[0])) out->stretched = true;
}

/// The file has heights above a surface, by EPSG's number, or names their unit.
static void take_vertical(uint32_t system, uint32_t unit, PlainImage* out) {
    const char* name = unit == 9001 ? "m" : unit == 9002 ? "ft" : unit == 9003 ? "ftUS" : NULL;
    if (system == 6360 || system == 6358) name = "ftUS";
    if (system == 8228 || system == 8052 || system == 8050) name = "ft";
    if (!name && system > 0 && system != USER_DEFINED) name = "m";
    if (name) snprintf(out->unit, sizeof out->unit, "%s", name);
}

static void read_geo_keys(const Tiff* tiff, PlainImage* out) {
    Entry keys, reals;
    if (!find(tiff, TIFF_GEO_KEYS, &keys) || keys.type != TIFF_SHORT) return;
    if (!find(tiff, TIFF_GEO_DOUBLES, &reals)) reals = (Entry){0};
    for (uint32_t i = 4; i + 3 < keys.count; i += 4) {
        uint32_t key = whole_at(tiff, &keys, i), value = whole_at(tiff, &keys, i + 3);
        uint32_t place = whole_at(tiff, &keys, i + 1);
        if (key == 2057 && place == TIFF_GEO_DOUBLES && value < reals.count)
            out->axis = real_at(tiff, &reals, value);
        if (place != 0) continue; // its value stands elsewhere
        if (key == 1024) out->geographic = value == 2;
        if (key == 1024) out->projected = value == 1 || value == 2;
        if (key == 1025 && value == 2 && out->placed) { // places are those of the middles
            out->transform[0] -= 0.5 * (out->transform[1] + out->transform[2]);
            out->transform[3] -= 0.5 * (out->transform[4] + out->transform[5]);
        }
        if (key == 2054 && value == 9101) out->angle = 1.0;
        if (key == 2054 && value == 9105) out->angle = 3.14159265358979323846 / 200.0;
        if (key == 3072) take_projection(value, out);
        if (key == 3075) take_formula(value, out);
        if (key == 3076) out->length = unit_of_number(value);
        if (key == 3076) out->unsaid = value == USER_DEFINED;
        if (key == 4096) take_vertical(value, 0, out);
        if (key == 4099) take_vertical(0, value, out);
    }
}

/// The band whose numbers are opacity; 0 = none.
static int find_opacity(const Tiff* tiff) {
    Entry extra;
    if (!find(tiff, TIFF_EXTRA_SAMPLES, &extra) || extra.count > (uint32_t)tiff->samples) return 0;
    for (uint32_t i = 0; i < extra.count; i++) {
        uint32_t what = whole_at(tiff, &extra, i); // 1 and 2: with and without colours by it
        if (what == 1 || what == 2) return tiff->samples - (int)(extra.count - i) + 1;
    }
    return 0;
}

/// Whether one of the next images of the file is a mask of the first one.
static bool has_mask(const Tiff* tiff) {
    enum { MOST = 32, MASK = 4 };
    Tiff next = *tiff;
    for (int i = 0; i < MOST; i++) {
        next.directory = (size_t)number(&next, next.directory + 2 + 12 * (size_t)next.entries, 4);
        if (next.directory == 0 || next.directory >= next.size) return false;
        next.entries = (int)number(&next, next.directory, 2);
        if ((whole(&next, TIFF_SUBFILE, 0) & MASK) != 0) return true;
    }
    return false;
}

/// Copies the text of an item of GDAL's metadata for the band; false if there is none.
static bool find_item(const char* text, const char* role, int band, char* out, size_t size) {
    char mark[64], sample[32];
    snprintf(mark, sizeof mark, "role=\"%s\"", role);
    snprintf(sample, sizeof sample, "sample=\"%d\"", band - 1);
    for (const char* item = text; (item = strstr(item, "<Item ")) != NULL; item++) {
        const char *end = strchr(item, '>'), *close = end ? strchr(end, '<') : NULL;
        if (!close) return false;
        const size_t length = (size_t)(end - item);
        if (!memmem(item, length, mark, strlen(mark)) ||
            !memmem(item, length, sample, strlen(sample)))
            continue;
        snprintf(out, size, "%.*s", (int)(close - end - 1), end + 1);
        return true;
    }
    return false;
}

/// What GDAL has written into a TIFF: nodata, scale, offset, unit, name.
static GullyStatus read_words(const Tiff* tiff, int band, PlainImage* out) {
    Entry entry;
    char number_text[64];
    if (find(tiff, TIFF_GDAL_NODATA, &entry)) {
        snprintf(number_text, sizeof number_text, "%.*s", (int)entry.count,
                 (const char*)tiff->bytes + entry.at);
        out->nodata = strtod(number_text, NULL);
        out->has_nodata = true;
    }
    if (!find(tiff, TIFF_GDAL_METADATA, &entry)) return GULLY_OK;
    char* text = strndup((const char*)tiff->bytes + entry.at, entry.count);
    if (!text) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", tiff->path);
    if (find_item(text, "scale", band, number_text, sizeof number_text))
        out->scale = strtod(number_text, NULL);
    if (find_item(text, "offset", band, number_text, sizeof number_text))
        out->offset = strtod(number_text, NULL);
    find_item(text, "unittype", band, out->unit, sizeof out->unit);
    find_item(text, "description", band, out->name, sizeof out->name);
    free(text);
    return GULLY_OK;
}

GullyStatus tiff_decode(const char* path, const unsigned char* bytes, size_t size, int band,
                        PlainImage* out) {
    static const PlainKind kinds[] = {PLAIN_UNSIGNED, PLAIN_UNSIGNED, PLAIN_SIGNED, PLAIN_FLOAT};
    Tiff tiff = {.path = path, .bytes = bytes, .size = size, .big = size > 0 && bytes[0] == 'M'};
    *out = (PlainImage){.scale = 1};
    if (number(&tiff, 2, 2) == 43)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: is a BigTIFF, which is not read here; gdal_translate -co BIGTIFF=NO "
                          "makes one that is",
                          path);
    tiff.directory = (size_t)number(&tiff, 4, 4);
    tiff.entries = (int)number(&tiff, tiff.directory, 2);
    GullyStatus status = read_directory(&tiff);
    if (status) return status;
    if (band > tiff.samples)
        return gully_fail(GULLY_BAD_INPUT, "%s: has %d bands; there is no band %d", path,
                          tiff.samples, band);
    uint32_t format = whole(&tiff, TIFF_FORMAT, 1);
    if (format > 3 || (format == 3 && tiff.bits < 32) || (format != 3 && tiff.bits == 64))
        return gully_fail(GULLY_BAD_INPUT, "%s: numbers of this type are not read here", path);
    out->width = (int)tiff.width;
    out->height = (int)tiff.height;
    out->bands = tiff.samples;
    out->kind = kinds[format];
    out->bits = tiff.bits;
    read_place(&tiff, out);
    read_geo_keys(&tiff, out);
    out->alpha = find_opacity(&tiff);
    out->masked = has_mask(&tiff);
    status = read_words(&tiff, band, out);
    if (status) return status;
    out->bytes = malloc((size_t)tiff.width * tiff.height * (size_t)tiff.bits / 8);
    if (!out->bytes) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", path);
    return read_blocks(&tiff, band, out->bytes);
}
