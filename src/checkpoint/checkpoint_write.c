// Writing a checkpoint: several threads pack pieces, each writes its own when it is its turn.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint_inside.h"
#include "files.h"
#include "workers.h"

typedef struct Writing {
    const GullyCheckpoint* checkpoint;
    bool (*stop)(void);
    int descriptor;
    uint64_t head_hash;
    atomic_llong next; // piece to pack
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    int64_t turn; // piece to write; with the mutex, as what follows
    uint64_t all; // hash of all hashes
    int error;    // errno, WAS_STOPPED or NOT_READ
} Writing;

/// Errors beside those of errno: the caller asked to stop; a thread failed to read a piece.
enum { WAS_STOPPED = -1, NOT_READ = -2 };

/// Writes a chunk whose payload is `stored` bytes; returns its hash. Sets the error if it fails.
static uint64_t write_chunk(Writing* writing, Chunk chunk, const void* payload) {
    unsigned char header[CHUNK_HEADER];
    if (!writing->error && writing->stop && writing->stop()) writing->error = WAS_STOPPED;
    if (writing->error) return 0;
    chunk_write(&chunk, header);
    writing->error = gully_descriptor_write(writing->descriptor, header, sizeof header);
    if (!writing->error)
        writing->error = gully_descriptor_write(writing->descriptor, payload, (size_t)chunk.stored);
    return chunk.hash;
}

static Chunk make_chunk(ChunkKind kind, int64_t number, const void* payload, size_t stored,
                        size_t content, uint64_t head) {
    Chunk chunk = {.kind = kind, .number = (uint64_t)number, .stored = stored, .content = content};
    chunk.hash = chunk_hash(&chunk, payload, head);
    return chunk;
}

static void write_beginning(Writing* writing) {
    const GullyCheckpoint* checkpoint = writing->checkpoint;
    unsigned char header[FILE_HEADER];
    size_t size, note_size = strlen(checkpoint->note);
    const void* head = gully_state_head(checkpoint->state, &size);
    file_header_write(header);
    uint64_t seed = chunk_bytes_hash(header, sizeof header, 0);
    Chunk first = make_chunk(CHUNK_HEAD, 0, head, size, size, seed);
    writing->head_hash = first.hash;
    Chunk second = make_chunk(CHUNK_NOTE, 0, checkpoint->note, note_size, note_size, first.hash);
    writing->error = gully_descriptor_write(writing->descriptor, header, sizeof header);
    const uint64_t hashes[2] = {write_chunk(writing, first, head),
                                write_chunk(writing, second, checkpoint->note)};
    writing->all = chunk_bytes_hash(hashes, sizeof hashes, 0);
}

/// Writes a piece when those before it are written, or leaves its error; false if writing is over.
static bool write_in_turn(Writing* writing, int64_t index, const Chunk* chunk, const void* payload,
                          int error) {
    pthread_mutex_lock(&writing->mutex);
    while (writing->turn != index && !writing->error)
        pthread_cond_wait(&writing->moved, &writing->mutex);
    if (!writing->error) writing->error = error;
    uint64_t hash = write_chunk(writing, *chunk, payload);
    writing->all = chunk_bytes_hash(&hash, sizeof hash, writing->all);
    writing->turn++;
    bool good = !writing->error;
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
            chunk = make_chunk(CHUNK_CELLS, i, payload, packed, piece.size, writing->head_hash);
        int error = status ? NOT_READ : payload ? 0 : ENOMEM;
        good = write_in_turn(writing, i, &chunk, payload, error);
    }
    packer_destroy(packer);
    return status;
}

/// Writes all of it. A piece that could not be read is the status; else the error says what failed.
static GullyStatus write_all(Writing* writing, int threads) {
    GullyStatus status = GULLY_OK;
    write_beginning(writing);
    if (!writing->error) {
        pthread_mutex_init(&writing->mutex, NULL);
        pthread_cond_init(&writing->moved, NULL);
        status = workers_run(threads, pack_pieces, writing);
        pthread_cond_destroy(&writing->moved);
        pthread_mutex_destroy(&writing->mutex);
    }
    int64_t pieces = gully_checkpoint_info(writing->checkpoint)->pieces;
    write_chunk(
        writing,
        make_chunk(CHUNK_END, pieces, &writing->all, END_PAYLOAD, END_PAYLOAD, writing->head_hash),
        &writing->all);
    if (!writing->error) writing->error = gully_descriptor_sync(writing->descriptor);
    return status;
}

static GullyStatus raise_error(const char* path, int error) {
    if (error == WAS_STOPPED) return gully_fail(GULLY_CANCELLED, "%s: interrupted", path);
    return gully_fail(error == ENOMEM ? GULLY_NO_MEMORY : GULLY_IO, "%s: cannot be written: %s",
                      path, strerror(error));
}

GullyStatus gully_checkpoint_write(const GullyCheckpoint* checkpoint, const char* path, int threads,
                                   bool (*stop)(void)) {
    assert(checkpoint->copy || checkpoint->sim);
    GullyStagedFile staged;
    Writing writing = {.checkpoint = checkpoint, .stop = stop};
    GullyStatus status = gully_staged_begin(path, &staged, &writing.descriptor);
    if (status != GULLY_OK) return status;
    status = write_all(&writing, threads);
    if (close(writing.descriptor) != 0 && !writing.error) writing.error = errno;
    if (!writing.error) return gully_staged_keep(&staged, NULL);
    gully_staged_drop(&staged);
    return status ? gully_fail_in(status, "%s", path) : raise_error(path, writing.error);
}
