// SPDX-License-Identifier: MIT
/// Heights of a level are multiples of a quantum b, a power of two: n = round(z / b) is a function
/// of the cell alone, so tiles that share it agree. A tile sends its lowest n as a = b n, and the
/// others above it in 16 bits. b is the smallest that lets every tile of the level fit; it grows
/// when one no longer does, and then all of the level is sent again by itself, since all have
/// changed. The other planes have a scale of their own, a power of two above what is there, so that
/// what is at rest stays the same.
#include "frame.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { HEIGHT_STEPS = 65534, HEIGHT_OUTSIDE = 65535 };
static const float LARGEST_HEIGHT = 1e30f; ///< [m]; INFINITY is that of no cell
enum { SMALLEST_QUANTUM = -13 };           ///< power of two: an eighth of a millimetre
enum { LARGEST_NUMBER = 1 << 22 }; ///< of quanta above 0, so that all of it is exact in floats

typedef struct Seen {
    uint64_t samples; ///< hash of what the plane was packed from; 0 = never
    uint64_t packed;  ///< hash of what was sent
} Seen;

struct Framer {
    int64_t session;
    unsigned planes;
    int tile_count;
    TileKey tiles[WANT_TILES];
    Seen seen[WANT_TILES][PLANE_COUNT], before[WANT_TILES][PLANE_COUNT];
    int quantum[TILE_LEVELS]; ///< powers of two
    uint8_t* bytes;
    size_t size, room;
};

Framer* framer_create(void) {
    Framer* framer = calloc(1, sizeof *framer);
    if (framer) framer->session = -1;
    return framer;
}

void framer_destroy(Framer* framer) {
    if (framer) free(framer->bytes);
    free(framer);
}

// ---- what the page has --------------------------------------------------------------------------

/// Makes the list of tiles that of a shot; what is known of tiles that stay is kept.
static void follow_tiles(Framer* framer, const Shot* shot) {
    if (framer->session != shot->session) {
        framer->session = shot->session;
        framer->tile_count = 0;
        for (int level = 0; level < TILE_LEVELS; level++)
            framer->quantum[level] = SMALLEST_QUANTUM;
    }
    memcpy(framer->before, framer->seen, sizeof framer->seen);
    unsigned same = framer->planes & shot->want->planes;
    for (int i = 0, old = 0; i < shot->tile_count; i++) {
        while (old < framer->tile_count && framer->tiles[old] < shot->tiles[i])
            old++;
        bool known = old < framer->tile_count && framer->tiles[old] == shot->tiles[i];
        for (int plane = 0; plane < PLANE_COUNT; plane++)
            framer->seen[i][plane] =
                known && same & 1u << plane ? framer->before[old][plane] : (Seen){0};
    }
    memcpy(framer->tiles, shot->tiles, (size_t)shot->tile_count * sizeof *shot->tiles);
    framer->tile_count = shot->tile_count;
    framer->planes = shot->want->planes;
}

// ---- heights ------------------------------------------------------------------------------------

typedef struct Span {
    float low, high;
} Span;

/// Loops below go over so many samples at once, or else the order of the comparisons would forbid
/// vectors; what is left over is done alone.
enum { LANES = 16, WHOLE_LANES = TILE_SAMPLES / LANES * LANES };

static Span span_of(const float* samples) {
    float low[LANES], high[LANES];
    for (int k = 0; k < LANES; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0; i < WHOLE_LANES; i += LANES) {
        for (int k = 0; k < LANES; k++) { // comparisons with NaN are false
            low[k] = samples[i + k] < low[k] ? samples[i + k] : low[k];
            high[k] = samples[i + k] > high[k] ? samples[i + k] : high[k];
        }
    }
    Span span = {INFINITY, -INFINITY};
    for (int i = WHOLE_LANES; i < TILE_SAMPLES; i++) {
        span.low = samples[i] < span.low ? samples[i] : span.low;
        span.high = samples[i] > span.high ? samples[i] : span.high;
    }
    for (int k = 0; k < LANES; k++) {
        span.low = low[k] < span.low ? low[k] : span.low;
        span.high = high[k] > span.high ? high[k] : span.high;
    }
    return span;
}

/// The nearest whole number of one up to LARGEST_NUMBER; NaN stays. A library's function would be
/// called for each.
static float whole(float value) {
    const float shift = 12582912; // 1.5 * 2^23: sums with it have no fraction
    return value + shift - shift;
}

/// Whether heights of that span fit into 16 bits of quanta.
static bool span_fits(Span span, int quantum) {
    double b = ldexp(1, quantum), most = fmax(fabs((double)span.low), fabs((double)span.high));
    return ((double)span.high - (double)span.low) / b <= HEIGHT_STEPS - 1 &&
           most / b <= LARGEST_NUMBER;
}

/// Finds the quanta of all levels.
static void fit_quanta(Framer* framer, const Shot* shot) {
    for (int t = 0; t < shot->tile_count; t++) {
        const float* samples = shot_samples(shot, t, GULLY_TERRAIN);
        Span span = samples ? span_of(samples) : (Span){0};
        int* quantum = &framer->quantum[tile_level(shot->tiles[t])];
        while (span.low <= span.high && !span_fits(span, *quantum))
            ++*quantum;
    }
}

static void pack_height(const float* samples, int quantum, float ab[2], uint16_t* out) {
    double b = ldexp(1, quantum);
    float per_b = (float)(1 / b);
    float low = span_of(samples).low;
    float lowest = low <= LARGEST_HEIGHT ? whole(low * per_b) : 0; // rounding keeps the order
    for (int i = 0; i < TILE_SAMPLES; i++) {
        float step = whole(samples[i] * per_b) - lowest;
        out[i] = step >= 0 ? (uint16_t)(int)step : HEIGHT_OUTSIDE;
    }
    ab[0] = (float)((double)lowest * b);
    ab[1] = (float)b;
}

// ---- the others ---------------------------------------------------------------------------------

/// The least power of two that is not below what is there; 0 if there is nothing.
static float scale_of(float most) {
    if (!(most > 0)) return 0;
    int exponent;
    float fraction = frexpf(most, &exponent);
    return ldexpf(1, fraction == 0.5f ? exponent - 1 : exponent);
}

static void pack_roots_16(const float* samples, float ab[2], uint16_t* out) {
    ab[0] = scale_of(span_of(samples).high);
    float per_a = ab[0] > 0 ? 1 / ab[0] : 0;
    for (int i = 0; i < TILE_SAMPLES; i++) {
        float share = samples[i] > 0 ? samples[i] * per_a : 0;
        out[i] = (uint16_t)(int)(sqrtf(share) * 65535 + 0.5f);
    }
}

static void pack_roots_8(const float* samples, float ab[2], uint8_t* out) {
    ab[0] = scale_of(span_of(samples).high);
    float per_a = ab[0] > 0 ? 1 / ab[0] : 0;
    for (int i = 0; i < TILE_SAMPLES; i++) {
        float share = samples[i] > 0 ? samples[i] * per_a : 0;
        out[i] = (uint8_t)(int)(sqrtf(share) * 255 + 0.5f);
    }
}

static void pack_velocity(const float* x, const float* y, float ab[2], int8_t* out) {
    Span right = span_of(x), down = span_of(y);
    ab[0] = scale_of(fmaxf(fmaxf(-right.low, right.high), fmaxf(-down.low, down.high)));
    float per_a = ab[0] > 0 ? 127 / ab[0] : 0;
    for (int i = 0; i < TILE_SAMPLES; i++) {
        float to_right = whole(x[i] * per_a), to_bottom = whole(y[i] * per_a);
        out[2 * i] = (int8_t)(to_right == to_right ? (int)to_right : 0);
        out[2 * i + 1] = (int8_t)(to_bottom == to_bottom ? (int)to_bottom : 0);
    }
}

static void pack_share(const float* samples, float ab[2], uint8_t* out) {
    ab[0] = 1;
    for (int i = 0; i < TILE_SAMPLES; i++) {
        float share = samples[i] > 0 ? samples[i] : 0;
        out[i] = (uint8_t)(int)((share < 1 ? share : 1) * 255 + 0.5f);
    }
}

/// A layer hides what is below it as far as it is thick, fully from this on [m].
static const float OPAQUE = 0.25f;

static void pack_material(const Shot* shot, int tile, uint8_t* out) {
    const float* layers[GULLY_MAX_MATERIALS] = {0};
    for (int m = 1; m < shot->material_count; m++)
        layers[m] = shot_samples(shot, tile, GULLY_LAYER(m));
    for (int i = 0; i < TILE_SAMPLES; i++, out += 4) {
        float color[3] = {128, 128, 128};
        for (int m = 0; m < shot->material_count; m++) {
            float share = m == 0 ? 1 : layers[m][i] / OPAQUE;
            share = share > 0 ? (share < 1 ? share : 1) : 0;
            for (int c = 0; c < 3; c++) {
                float part = (float)(shot->colors[m] >> (16 - 8 * c) & 255);
                color[c] += share * (part - color[c]);
            }
        }
        for (int c = 0; c < 3; c++)
            out[c] = (uint8_t)(int)(color[c] + 0.5f);
        out[3] = 255;
    }
}

// ---- planes -------------------------------------------------------------------------------------

static const struct {
    int bytes; ///< of a sample
    GullyField field;
} planes[PLANE_COUNT] = {
    [PLANE_HEIGHT] = {2, GULLY_TERRAIN},      [PLANE_WATER] = {2, GULLY_WATER},
    [PLANE_VELOCITY] = {2, GULLY_VELOCITY_X}, [PLANE_SEDIMENT] = {1, GULLY_SEDIMENT},
    [PLANE_DEPOSIT] = {1, GULLY_DEPOSIT},     [PLANE_FLOW] = {1, GULLY_FLOW},
    [PLANE_WEAR] = {1, GULLY_WEAR},           [PLANE_HARDNESS] = {1, GULLY_HARDNESS},
    [PLANE_MATERIAL] = {4, GULLY_LAYER_1},
};

enum { PLANE_HEAD = 8, LARGEST_PLANE = PLANE_HEAD + 4 * TILE_SAMPLES };

/// With its padding.
static size_t plane_size(Plane plane) {
    return PLANE_HEAD + ((size_t)planes[plane].bytes * TILE_SAMPLES + 3) / 4 * 4;
}

/// Hash of the samples that a plane is packed from, and of how; never 0.
static uint64_t hash_samples(const Framer* framer, const Shot* shot, int tile, Plane plane) {
    size_t bytes = TILE_SAMPLES * sizeof(float);
    uint64_t hash =
        plane == PLANE_HEIGHT ? (uint64_t)framer->quantum[tile_level(shot->tiles[tile])] : plane;
    if (plane == PLANE_MATERIAL) {
        hash = XXH3_64bits_withSeed(shot->colors, sizeof shot->colors, hash);
        for (int m = 1; m < shot->material_count; m++)
            hash = XXH3_64bits_withSeed(shot_samples(shot, tile, GULLY_LAYER(m)), bytes, hash);
    } else {
        hash = XXH3_64bits_withSeed(shot_samples(shot, tile, planes[plane].field), bytes, hash);
    }
    if (plane == PLANE_VELOCITY)
        hash = XXH3_64bits_withSeed(shot_samples(shot, tile, GULLY_VELOCITY_Y), bytes, hash);
    return hash | 1;
}

static void pack_plane(const Framer* framer, const Shot* shot, int tile, Plane plane,
                       uint8_t* out) {
    const float* samples =
        plane == PLANE_MATERIAL ? NULL : shot_samples(shot, tile, planes[plane].field);
    float ab[2] = {0};
    uint8_t* body = out + PLANE_HEAD;
    memset(out + plane_size(plane) - 4, 0, 4); // the padding
    switch (plane) {
    case PLANE_HEIGHT:
        pack_height(samples, framer->quantum[tile_level(shot->tiles[tile])], ab, (uint16_t*)body);
        break;
    case PLANE_WATER:
        pack_roots_16(samples, ab, (uint16_t*)body);
        break;
    case PLANE_VELOCITY:
        pack_velocity(samples, shot_samples(shot, tile, GULLY_VELOCITY_Y), ab, (int8_t*)body);
        break;
    case PLANE_HARDNESS:
        pack_share(samples, ab, body);
        break;
    case PLANE_MATERIAL:
        pack_material(shot, tile, body);
        break;
    default:
        pack_roots_8(samples, ab, body);
        break;
    }
    memcpy(out, ab, sizeof ab);
}

// ---- frames -------------------------------------------------------------------------------------

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "frames are written as they are in memory");

typedef struct FrameHead {
    uint32_t magic, number;
    double step, time;
    uint32_t tiles, zero;
} FrameHead;

typedef struct TileHead {
    uint8_t level, zero;
    uint16_t planes, x, y;
} TileHead;

/// Room for so many more bytes.
static bool make_room(Framer* framer, size_t more) {
    if (framer->size + more <= framer->room) return true;
    size_t room = 2 * framer->room + more;
    uint8_t* bytes = realloc(framer->bytes, room);
    if (!bytes) return false;
    framer->bytes = bytes;
    framer->room = room;
    return true;
}

/// Appends what has changed in a tile; false without memory.
static bool pack_tile(Framer* framer, const Shot* shot, int tile, uint32_t* count) {
    TileKey key = shot->tiles[tile];
    TileHead head = {(uint8_t)tile_level(key), 0, 0, (uint16_t)tile_x(key), (uint16_t)tile_y(key)};
    size_t start = framer->size;
    if (!make_room(framer, sizeof head + PLANE_COUNT * (size_t)LARGEST_PLANE)) return false;
    framer->size += sizeof head;
    for (int plane = 0; plane < PLANE_COUNT; plane++) {
        if (!(shot->planes & 1u << plane)) continue;
        Seen* seen = &framer->seen[tile][plane];
        uint64_t samples = hash_samples(framer, shot, tile, (Plane)plane);
        if (seen->samples == samples) continue;
        uint8_t* out = framer->bytes + framer->size;
        pack_plane(framer, shot, tile, (Plane)plane, out);
        uint64_t packed = XXH3_64bits(out, plane_size((Plane)plane));
        bool changed = seen->samples == 0 || seen->packed != packed;
        *seen = (Seen){samples, packed};
        if (!changed) continue;
        head.planes |= (uint16_t)(1u << plane);
        framer->size += plane_size((Plane)plane);
    }
    if (head.planes)
        memcpy(framer->bytes + start, &head, sizeof head);
    else
        framer->size = start;
    *count += head.planes != 0;
    return true;
}

const void* framer_pack(Framer* framer, const Shot* shot, uint32_t number, size_t* size) {
    FrameHead head = {0x31594c47, number, (double)shot->step, shot->time, 0, 0};
    framer->size = 0;
    if (!make_room(framer, sizeof head)) return NULL;
    framer->size = sizeof head;
    follow_tiles(framer, shot);
    fit_quanta(framer, shot);
    for (int t = 0; t < shot->tile_count; t++)
        if (!pack_tile(framer, shot, t, &head.tiles)) return NULL;
    memcpy(framer->bytes, &head, sizeof head);
    *size = framer->size;
    return framer->bytes;
}
