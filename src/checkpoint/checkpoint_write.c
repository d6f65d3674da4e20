// SPDX-License-Identifier: MIT
// Writing a checkpoint: several threads pack pieces, each writes its own when it is its turn.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "checkpoint_chunks.h"
#include "checkpoint_ranks.h"
#include "files.h"
#include "workers.h"

typedef struct Writing {
    const GullyCheckpoint* checkpoint;
    atomic_llong next; // piece to pack
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    int64_t turn;       // piece to write; with the mutex, as what follows
    ChunkWriter writer; //
} Writing;

/// Writes a piece when those before it are written, or leaves its error; false if writing is over.
static bool write_in_turn(Writing* writing, int64_t index, const Chunk* chunk, const void* payload,
                          int error) {
    pthread_mutex_lock(&writing->mutex);
    ChunkWriter* writer = &writing->writer;
    while (writing->turn != index && !writer->error)
        pthread_cond_wait(&writing->moved, &writing->mutex);
    if (!writer->error) writer->error = error;
    chunk_add_hash(writer, chunk_put(writer, *chunk, payload));
    writing->turn++;
    bool good = !writer->error;
    pthread_cond_broadcast(&writing->moved);
    pthread_mutex_unlock(&writing->mutex);
    return good;
}

/// The numbers of a piece: in the checkpoint's copy, or read into the packer's buffer.
static GullyStatus find_numbers(const GullyCheckpoint* checkpoint, int64_t index, Packer* packer,
                                const void** out) {
    GullyStatePiece piece = gully_state_piece(checkpoint->state, index);
    *out = checkpoint->copy ? checkpoint->copy + piece.offset : packer_buffer(packer);
    if (checkpoint->copy) return GULLY_OK;
    return gully_state_read(checkpoint->state, checkpoint->sim, index, packer_buffer(packer));
}

static GullyStatus pack_pieces(void* context) {
    Writing* writing = context;
    const GullyCheckpoint* checkpoint = writing->checkpoint;
    const int64_t pieces = gully_checkpoint_info(checkpoint)->pieces;
    Packer* packer = packer_create();
    GullyStatus status = GULLY_OK;
    int64_t i;
    bool good = true;
    while (good && (i = atomic_fetch_add(&writing->next, 1)) < pieces) {
        GullyStatePiece piece = gully_state_piece(checkpoint->state, i);
        const void *numbers = NULL, *payload = NULL;
        size_t packed = 0;
        Chunk chunk = {0};
        if (packer) status = find_numbers(checkpoint, i, packer, &numbers);
        if (packer && !status)
            payload = packer_pack(packer, numbers, piece.size, piece.number, &packed);
        if (payload)
            chunk =
                chunk_make(CHUNK_CELLS, i, payload, packed, piece.size, writing->writer.head_hash);
        int error = status ? NOT_READ : payload ? 0 : ENOMEM;
        good = write_in_turn(writing, i, &chunk, payload, error);
    }
    packer_destroy(packer);
    return status;
}

/// Writes all of it. A piece that could not be read is the status; else the error says what failed.
static GullyStatus write_all(Writing* writing, int threads) {
    ChunkWriter* writer = &writing->writer;
    GullyStatus status = GULLY_OK;
    chunks_begin(writer, writing->checkpoint);
    if (!writer->error) {
        pthread_mutex_init(&writing->mutex, NULL);
        pthread_cond_init(&writing->moved, NULL);
        status = workers_run(threads, pack_pieces, writing);
        pthread_cond_destroy(&writing->moved);
        pthread_mutex_destroy(&writing->mutex);
    }
    chunks_end(writer, writing->checkpoint);
    if (!writer->error) writer->error = gully_descriptor_sync(writer->descriptor);
    return status;
}

/// Whether other processes keep a part of the cells.
static bool is_shared(const GullyCheckpoint* checkpoint) {
    return checkpoint->sim && gully_world_ranks(gully_sim_world(checkpoint->sim))->count > 1;
}

GullyStatus gully_checkpoint_write(const GullyCheckpoint* checkpoint, const char* path, int threads,
                                   bool (*stop)(void)) {
    assert(checkpoint->copy || checkpoint->sim);
    if (is_shared(checkpoint)) return checkpoint_write_shared(checkpoint, path, threads, stop);
    GullyStagedFile staged;
    Writing writing = {.checkpoint = checkpoint, .writer.stop = stop};
    ChunkWriter* writer = &writing.writer;
    GullyStatus status = gully_staged_begin(path, &staged, &writer->descriptor);
    if (status != GULLY_OK) return status;
    status = write_all(&writing, threads);
    if (close(writer->descriptor) != 0 && !writer->error) writer->error = errno;
    if (!writer->error) return gully_staged_keep(&staged, NULL);
    gully_staged_drop(&staged);
    return status ? gully_fail_in(status, "%s", path) : chunks_fail(path, writer->error);
}
