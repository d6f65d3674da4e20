// SPDX-License-Identifier: MIT
/// How checkpoints are stored (docs/checkpoints.md): a file header and chunks.
///
/// All numbers little-endian. A chunk's hash covers its payload and its header, and begins with the
/// hash of the head, so that a chunk of another file does not fit. The end has a hash of all
/// hashes.
#ifndef GULLY_CHECKPOINT_FORMAT_H
#define GULLY_CHECKPOINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHECKPOINT_VERSION = 1, FILE_HEADER = 16, CHUNK_HEADER = 40, END_PAYLOAD = 8 };

typedef enum ChunkKind {
    CHUNK_HEAD = 1, // of the state; as it is
    CHUNK_NOTE,     // of the program; as it is
    CHUNK_CELLS,    // a piece of the state; packed
    CHUNK_END,      // hash of all hashes
} ChunkKind;

typedef struct Chunk {
    uint32_t kind;
    uint64_t number;  // of the piece
    uint64_t stored;  // bytes of the payload
    uint64_t content; // bytes that it unpacks to
    uint64_t hash;
} Chunk;

uint64_t chunk_bytes_hash(const void* bytes, size_t size, uint64_t seed);

/// The hash that belongs to a chunk; `head` is that of the head, or of the file header for the head
/// itself.
uint64_t chunk_hash(const Chunk* chunk, const void* payload, uint64_t head);

void file_header_write(unsigned char bytes[FILE_HEADER]);

/// NULL, or what is wrong.
const char* file_header_check(const unsigned char bytes[FILE_HEADER]);

void chunk_write(const Chunk* chunk, unsigned char bytes[CHUNK_HEADER]);

/// False if it is none.
bool chunk_read(const unsigned char bytes[CHUNK_HEADER], Chunk* chunk);

// ---- packing: one for each thread ---------------------------------------------------------------

typedef struct Packer Packer;

/// NULL without memory.
Packer* packer_create(void);
void packer_destroy(Packer* packer);

/// Packs up to GULLY_STATE_PIECE bytes of numbers; the result belongs to the packer. NULL if it
/// cannot.
const void* packer_pack(Packer* packer, const void* bytes, size_t size, int number, size_t* packed);

/// The other way; NULL if it does not unpack to exactly that size.
const void* packer_unpack(Packer* packer, const void* packed, size_t packed_size, size_t size,
                          int number);

/// Room for a piece.
void* packer_buffer(Packer* packer);

#endif
