// SPDX-License-Identifier: MIT
/// Chunks on their way into a file.
#ifndef GULLY_CHECKPOINT_CHUNKS_H
#define GULLY_CHECKPOINT_CHUNKS_H

#include "checkpoint_inside.h"

typedef struct ChunkWriter {
    int descriptor;
    bool (*stop)(void); // or NULL
    uint64_t head_hash;
    uint64_t all; // hash of all hashes
    int error;    // errno, WAS_STOPPED or NOT_READ
} ChunkWriter;

/// Errors beside those of errno: the caller asked to stop; a thread failed to read a piece.
enum { WAS_STOPPED = -1, NOT_READ = -2 };

Chunk chunk_make(ChunkKind kind, int64_t number, const void* payload, size_t stored, size_t content,
                 uint64_t head);

/// Writes a chunk whose payload is `stored` bytes; returns its hash. Sets the error if it fails.
uint64_t chunk_put(ChunkWriter* writer, Chunk chunk, const void* payload);

/// Adds a chunk to the hash of all.
void chunk_add_hash(ChunkWriter* writer, uint64_t hash);

/// Sets the hash of the head, with which all others begin.
void chunk_head_hash(ChunkWriter* writer, const GullyCheckpoint* checkpoint);

/// What comes before the cells: the head and the note; and what comes after them.
void chunks_begin(ChunkWriter* writer, const GullyCheckpoint* checkpoint);
void chunks_end(ChunkWriter* writer, const GullyCheckpoint* checkpoint);

/// Says what the error was.
GullyStatus chunks_fail(const char* path, int error);

#endif
