// SPDX-License-Identifier: MIT
/// What checkpoint.c, which takes and opens checkpoints, and checkpoint_write.c share.
#ifndef GULLY_CHECKPOINT_INSIDE_H
#define GULLY_CHECKPOINT_INSIDE_H

#include "checkpoint_format.h"
#include "gully/checkpoint.h"

typedef struct StoredChunk {
    Chunk chunk;
    const unsigned char* payload;
} StoredChunk;

struct GullyCheckpoint {
    char* name; // of the file, for messages
    GullyState* state;
    char* note;
    // Of one to write: a copy of the cells, or where they are.
    unsigned char* copy;
    const GullySim* sim;
    // Of one that was read.
    const GullyRanks* ranks; // that have checked it
    const unsigned char* bytes;
    void* mapped; // the same, if they are a file's
    size_t size;
    uint64_t head_hash;
    StoredChunk* chunks; // of the pieces
};

#endif
