// SPDX-License-Identifier: MIT
#include "checkpoint_format.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "gully/state.h"

#define XXH_INLINE_ALL
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <xxhash.h>
#pragma GCC diagnostic pop

/// The end of line shows what a transfer as text did to a file.
static const char magic[8] = {'G', 'U', 'L', 'L', 'Y', '\r', '\n', 0x1a};

enum { LEVEL = 1 }; // of compression: more of it costs much time and saves little of such numbers

static void put(unsigned char** at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        *(*at)++ = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char** at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t) * (*at)++ << (8 * i);
    return value;
}

uint64_t chunk_bytes_hash(const void* bytes, size_t size, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, size, seed);
}

uint64_t chunk_hash(const Chunk* chunk, const void* payload, uint64_t head) {
    unsigned char bytes[CHUNK_HEADER];
    chunk_write(chunk, bytes);
    uint64_t seed = chunk_bytes_hash(bytes, CHUNK_HEADER - sizeof chunk->hash, head);
    return chunk_bytes_hash(payload, (size_t)chunk->stored, seed);
}

void file_header_write(unsigned char bytes[FILE_HEADER]) {
    unsigned char* at = bytes + sizeof magic;
    memcpy(bytes, magic, sizeof magic);
    put(&at, CHECKPOINT_VERSION, 4);
    put(&at, 0, 4);
}

const char* file_header_check(const unsigned char bytes[FILE_HEADER]) {
    const unsigned char* at = bytes + sizeof magic;
    if (memcmp(bytes, magic, sizeof magic) != 0) return "it is no checkpoint of Gully";
    if (get(&at, 4) != CHECKPOINT_VERSION)
        return "it has a version that this program does not know";
    return get(&at, 4) == 0 ? NULL : "its header is damaged";
}

void chunk_write(const Chunk* chunk, unsigned char bytes[CHUNK_HEADER]) {
    unsigned char* at = bytes;
    put(&at, chunk->kind, 4);
    put(&at, 0, 4);
    put(&at, chunk->number, 8);
    put(&at, chunk->stored, 8);
    put(&at, chunk->content, 8);
    put(&at, chunk->hash, 8);
}

bool chunk_read(const unsigned char bytes[CHUNK_HEADER], Chunk* chunk) {
    const unsigned char* at = bytes;
    chunk->kind = (uint32_t)get(&at, 4);
    bool reserved = get(&at, 4) == 0;
    chunk->number = get(&at, 8);
    chunk->stored = get(&at, 8);
    chunk->content = get(&at, 8);
    chunk->hash = get(&at, 8);
    return reserved;
}

// ---- packing ------------------------------------------------------------------------------------

struct Packer {
    ZSTD_CCtx* compressor;
    ZSTD_DCtx* decompressor;
    unsigned char* buffer; // of a piece
    unsigned char* planes; // the same, byte by byte of its numbers
    unsigned char* packed;
    size_t packed_room;
};

Packer* packer_create(void) {
    Packer* packer = calloc(1, sizeof *packer);
    if (!packer) return NULL;
    packer->packed_room = ZSTD_compressBound(GULLY_STATE_PIECE);
    packer->compressor = ZSTD_createCCtx();
    packer->decompressor = ZSTD_createDCtx();
    packer->buffer = malloc(GULLY_STATE_PIECE);
    packer->planes = malloc(GULLY_STATE_PIECE);
    packer->packed = malloc(packer->packed_room);
    if (packer->compressor && packer->decompressor && packer->buffer && packer->planes &&
        packer->packed)
        return packer;
    packer_destroy(packer);
    return NULL;
}

void packer_destroy(Packer* packer) {
    if (!packer) return;
    ZSTD_freeCCtx(packer->compressor);
    ZSTD_freeDCtx(packer->decompressor);
    free(packer->buffer);
    free(packer->planes);
    free(packer->packed);
    free(packer);
}

void* packer_buffer(Packer* packer) {
    return packer->buffer;
}

/// All first bytes of the numbers, then all second ones: signs and exponents of neighbours are
/// alike.
static void split_planes(const unsigned char* numbers, size_t count, int bytes,
                         unsigned char* planes) {
    for (int b = 0; b < bytes; b++) {
        for (size_t i = 0; i < count; i++)
            planes[(size_t)b * count + i] = numbers[i * (size_t)bytes + (size_t)b];
    }
}

static void join_planes(const unsigned char* planes, size_t count, int bytes,
                        unsigned char* numbers) {
    for (int b = 0; b < bytes; b++) {
        for (size_t i = 0; i < count; i++)
            numbers[i * (size_t)bytes + (size_t)b] = planes[(size_t)b * count + i];
    }
}

const void* packer_pack(Packer* packer, const void* bytes, size_t size, int number,
                        size_t* packed) {
    split_planes(bytes, size / (size_t)number, number, packer->planes);
    *packed = ZSTD_compressCCtx(packer->compressor, packer->packed, packer->packed_room,
                                packer->planes, size, LEVEL);
    return ZSTD_isError(*packed) ? NULL : packer->packed;
}

const void* packer_unpack(Packer* packer, const void* packed, size_t packed_size, size_t size,
                          int number) {
    size_t got = ZSTD_decompressDCtx(packer->decompressor, packer->planes, GULLY_STATE_PIECE,
                                     packed, packed_size);
    if (ZSTD_isError(got) || got != size) return NULL;
    join_planes(packer->planes, size / (size_t)number, number, packer->buffer);
    return packer->buffer;
}
