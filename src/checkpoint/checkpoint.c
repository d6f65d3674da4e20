// SPDX-License-Identifier: MIT
#include "gully/checkpoint.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint_inside.h"
#include "checkpoint_ranks.h"
#include "workers.h"

enum { MOST_NOTE = 16 << 20 };

static GullyCheckpoint* create_checkpoint(const char* name) {
    GullyCheckpoint* checkpoint = calloc(1, sizeof *checkpoint);
    if (checkpoint) checkpoint->name = strdup(name);
    if (checkpoint && checkpoint->name) return checkpoint;
    free(checkpoint);
    gully_fail(GULLY_NO_MEMORY, "%s: no memory", name);
    return NULL;
}

void gully_checkpoint_close(GullyCheckpoint* checkpoint) {
    if (!checkpoint) return;
    if (checkpoint->mapped) munmap(checkpoint->mapped, checkpoint->size);
    gully_state_destroy(checkpoint->state);
    free(checkpoint->chunks);
    free(checkpoint->copy);
    free(checkpoint->note);
    free(checkpoint->name);
    free(checkpoint);
}

const GullyStateInfo* gully_checkpoint_info(const GullyCheckpoint* checkpoint) {
    return gully_state_info(checkpoint->state);
}

const char* gully_checkpoint_note(const GullyCheckpoint* checkpoint) {
    return checkpoint->note;
}

// ---- taking -------------------------------------------------------------------------------------

GullyStatus gully_checkpoint_borrow(const GullySim* sim, const char* note, GullyCheckpoint** out) {
    assert(strlen(note) <= MOST_NOTE);
    *out = NULL;
    GullyCheckpoint* checkpoint = create_checkpoint("checkpoint");
    if (!checkpoint) return GULLY_NO_MEMORY;
    checkpoint->sim = sim;
    checkpoint->note = strdup(note);
    GullyStatus status = checkpoint->note
                             ? gully_state_of(sim, &checkpoint->state)
                             : gully_fail(GULLY_NO_MEMORY, "no memory for a checkpoint");
    if (status == GULLY_OK)
        *out = checkpoint;
    else
        gully_checkpoint_close(checkpoint);
    return status;
}

typedef struct Copying {
    GullyCheckpoint* checkpoint;
    atomic_llong next;
} Copying;

static bool is_zero(const unsigned char* bytes, size_t count) {
    return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

/// Copies pieces, but for those of zeros: the copy is zeros that take no memory before it is written
/// to, and of a dry world nearly all is.
static GullyStatus copy_pieces(void* context) {
    Copying* copying = context;
    const GullyCheckpoint* checkpoint = copying->checkpoint;
    const GullyState* state = checkpoint->state;
    unsigned char* piece = malloc(GULLY_STATE_PIECE);
    GullyStatus status =
        piece ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for a checkpoint");
    int64_t i;
    while (!status && (i = atomic_fetch_add(&copying->next, 1)) < gully_state_info(state)->pieces) {
        const GullyStatePiece place = gully_state_piece(state, i);
        status = gully_state_read(state, checkpoint->sim, i, piece);
        if (!status && !is_zero(piece, place.size))
            memcpy(checkpoint->copy + place.offset, piece, place.size);
    }
    free(piece);
    return status;
}

GullyStatus gully_checkpoint_take(const GullySim* sim, const char* note, int threads,
                                  GullyCheckpoint** out) {
    GullyStatus status = gully_checkpoint_borrow(sim, note, out);
    if (status != GULLY_OK) return status;
    GullyCheckpoint* checkpoint = *out;
    size_t bytes = gully_checkpoint_info(checkpoint)->bytes;
    checkpoint->copy = calloc(bytes, 1);
    if (checkpoint->copy) {
        Copying copying = {.checkpoint = checkpoint};
        status = workers_run(threads, copy_pieces, &copying);
    } else {
        status = gully_fail(GULLY_NO_MEMORY, "no memory for a checkpoint: %zu MiB", bytes >> 20);
    }
    checkpoint->sim = NULL;
    if (status) {
        gully_checkpoint_close(checkpoint);
        *out = NULL;
    }
    return status;
}

/// Memory that programs can still have [bytes]; a guess if the system does not say.
static unsigned long long available_memory(void) {
    char line[128];
    unsigned long long kilobytes = 0;
    FILE* file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1) break;
    }
    if (file) fclose(file);
    return kilobytes > 0 ? kilobytes * 1024 : 1ull << 30;
}

bool gully_checkpoint_fits(const GullySim* sim) {
    GullyState* state;
    if (gully_state_of(sim, &state) != GULLY_OK) return false;
    size_t bytes = gully_state_info(state)->bytes;
    gully_state_destroy(state);
    return available_memory() / 2 >= bytes;
}

// ---- opening ------------------------------------------------------------------------------------

static GullyStatus damaged(const GullyCheckpoint* checkpoint, const char* what) {
    return gully_fail(GULLY_BAD_INPUT, "%s: the checkpoint is damaged: %s", checkpoint->name, what);
}

/// Reads the header of the chunk at `*at` and goes behind it; NULL, or what is wrong.
static const char* next_chunk(const GullyCheckpoint* checkpoint, ChunkKind kind, uint64_t number,
                              size_t* at, StoredChunk* out) {
    static const char cut[] = "it ends too early";
    if (checkpoint->size - *at < CHUNK_HEADER) return cut;
    if (!chunk_read(checkpoint->bytes + *at, &out->chunk) || out->chunk.kind != kind ||
        out->chunk.number != number)
        return "a part of it is not what it should be";
    *at += CHUNK_HEADER;
    if (out->chunk.stored > checkpoint->size - *at) return cut;
    out->payload = checkpoint->bytes + *at;
    *at += (size_t)out->chunk.stored;
    return NULL;
}

static bool is_whole(const StoredChunk* stored, uint64_t head) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION // no fuzzer finds bytes of a given hash
    (void)stored, (void)head;
    return true;
#else
    return chunk_hash(&stored->chunk, stored->payload, head) == stored->chunk.hash;
#endif
}

/// Whether the end has the hash of all hashes.
static bool is_end(const StoredChunk* end, uint64_t all) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    (void)end, (void)all;
    return true;
#else
    return memcmp(end->payload, &all, END_PAYLOAD) == 0;
#endif
}

/// The head and the note.
static GullyStatus read_beginning(GullyCheckpoint* checkpoint, size_t* at, uint64_t* all) {
    StoredChunk head, note;
    if (checkpoint->size < FILE_HEADER) return damaged(checkpoint, "it ends too early");
    const char* wrong = file_header_check(checkpoint->bytes);
    if (wrong) return gully_fail(GULLY_BAD_INPUT, "%s: %s", checkpoint->name, wrong);
    *at = FILE_HEADER;
    wrong = next_chunk(checkpoint, CHUNK_HEAD, 0, at, &head);
    if (!wrong && !is_whole(&head, chunk_bytes_hash(checkpoint->bytes, FILE_HEADER, 0)))
        wrong = "the checksum of its head is wrong";
    if (!wrong) wrong = next_chunk(checkpoint, CHUNK_NOTE, 0, at, &note);
    if (!wrong && (!is_whole(&note, head.chunk.hash) || note.chunk.stored > MOST_NOTE))
        wrong = "the checksum of its note is wrong";
    if (wrong) return damaged(checkpoint, wrong);
    checkpoint->head_hash = head.chunk.hash;
    checkpoint->note = strndup((const char*)note.payload, (size_t)note.chunk.stored);
    if (!checkpoint->note) return gully_fail(GULLY_NO_MEMORY, "%s: no memory", checkpoint->name);
    const uint64_t hashes[2] = {head.chunk.hash, note.chunk.hash};
    *all = chunk_bytes_hash(hashes, sizeof hashes, 0);
    GullyStatus status =
        gully_state_parse(head.payload, (size_t)head.chunk.stored, &checkpoint->state);
    return status == GULLY_OK ? status : gully_fail_in(status, "%s", checkpoint->name);
}

/// Finds where the pieces are, and that they are all.
static GullyStatus list_chunks(GullyCheckpoint* checkpoint, size_t at, uint64_t all) {
    const uint64_t pieces = (uint64_t)gully_checkpoint_info(checkpoint)->pieces;
    if (pieces > checkpoint->size / CHUNK_HEADER) return damaged(checkpoint, "it ends too early");
    checkpoint->chunks = malloc((size_t)pieces * sizeof *checkpoint->chunks);
    if (!checkpoint->chunks) return gully_fail(GULLY_NO_MEMORY, "%s: no memory", checkpoint->name);
    const char* wrong = NULL;
    for (uint64_t i = 0; i < pieces && !wrong; i++) {
        StoredChunk* stored = &checkpoint->chunks[i];
        wrong = next_chunk(checkpoint, CHUNK_CELLS, i, &at, stored);
        if (!wrong &&
            stored->chunk.content != gully_state_piece(checkpoint->state, (int64_t)i).size)
            wrong = "a part of it is not what it should be";
        if (!wrong) all = chunk_bytes_hash(&stored->chunk.hash, sizeof stored->chunk.hash, all);
    }
    StoredChunk end;
    if (!wrong) wrong = next_chunk(checkpoint, CHUNK_END, pieces, &at, &end);
    if (!wrong && (end.chunk.stored != END_PAYLOAD || !is_whole(&end, checkpoint->head_hash) ||
                   !is_end(&end, all)))
        wrong = "its end does not fit";
    if (!wrong && at != checkpoint->size) wrong = "something follows its end";
    return wrong ? damaged(checkpoint, wrong) : GULLY_OK;
}

/// Unpacks all pieces, into a simulation if there is one.
typedef struct Unpacking {
    const GullyCheckpoint* checkpoint;
    GullySim* sim; // or NULL
    atomic_llong next;
    atomic_bool failed; // one of the threads: the others stop
} Unpacking;

static GullyStatus unpack_piece(const Unpacking* unpacking, Packer* packer, int64_t index) {
    const GullyCheckpoint* checkpoint = unpacking->checkpoint;
    const StoredChunk* stored = &checkpoint->chunks[index];
    const GullyStatePiece piece = gully_state_piece(checkpoint->state, index);
    const void* numbers = NULL;
    if (is_whole(stored, checkpoint->head_hash))
        numbers = packer_unpack(packer, stored->payload, (size_t)stored->chunk.stored, piece.size,
                                piece.number);
    if (!numbers) return damaged(checkpoint, "the checksum of a part is wrong");
    if (!unpacking->sim) return GULLY_OK;
    return gully_state_write(checkpoint->state, unpacking->sim, index, numbers);
}

/// Whether this rank needs a piece; to check them, each takes some.
static bool is_wanted(const Unpacking* unpacking, int64_t index) {
    const GullyCheckpoint* checkpoint = unpacking->checkpoint;
    if (!unpacking->sim) return index % checkpoint->ranks->count == checkpoint->ranks->rank;
    return checkpoint_has_own(checkpoint->state, gully_sim_world(unpacking->sim), index);
}

static GullyStatus unpack_pieces(void* context) {
    Unpacking* unpacking = context;
    const int64_t pieces = gully_checkpoint_info(unpacking->checkpoint)->pieces;
    Packer* packer = packer_create();
    GullyStatus status =
        packer ? GULLY_OK
               : gully_fail(GULLY_NO_MEMORY, "%s: no memory", unpacking->checkpoint->name);
    int64_t i;
    while (!status && !unpacking->failed && (i = atomic_fetch_add(&unpacking->next, 1)) < pieces)
        if (is_wanted(unpacking, i)) status = unpack_piece(unpacking, packer, i);
    if (status) unpacking->failed = true;
    packer_destroy(packer);
    return status;
}

static GullyStatus unpack_all(const GullyCheckpoint* checkpoint, GullySim* sim, int threads) {
    Unpacking unpacking = {.checkpoint = checkpoint, .sim = sim};
    return workers_run(threads, unpack_pieces, &unpacking);
}

static GullyStatus check_all(GullyCheckpoint* checkpoint, int threads) {
    size_t at = 0;
    uint64_t all = 0;
    GullyStatus status = read_beginning(checkpoint, &at, &all);
    if (status == GULLY_OK) status = list_chunks(checkpoint, at, all);
    return status == GULLY_OK ? unpack_all(checkpoint, NULL, threads) : status;
}

static GullyStatus parse(const GullyRanks* ranks, const void* bytes, size_t size, const char* name,
                         int threads, GullyCheckpoint** out) {
    *out = NULL;
    GullyCheckpoint* checkpoint = create_checkpoint(name);
    if (!checkpoint) return GULLY_NO_MEMORY;
    checkpoint->ranks = ranks;
    checkpoint->bytes = bytes;
    checkpoint->size = size;
    GullyStatus status = check_all(checkpoint, threads);
    if (status == GULLY_OK)
        *out = checkpoint;
    else
        gully_checkpoint_close(checkpoint);
    return status;
}

GullyStatus gully_checkpoint_parse(const void* bytes, size_t size, const char* name, int threads,
                                   GullyCheckpoint** out) {
    return parse(gully_ranks_alone(), bytes, size, name, threads, out);
}

/// Maps a file into memory; returns 0 or an errno. An empty one is mapped nowhere.
static int map_file(const char* path, void** bytes, size_t* size) {
    struct stat info;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC), error = 0;
    *bytes = NULL;
    if (descriptor < 0) return errno;
    if (fstat(descriptor, &info) != 0) error = errno;
    if (!error && !S_ISREG(info.st_mode)) error = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
    *size = error ? 0 : (size_t)info.st_size;
    if (*size > 0) {
        *bytes = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (*bytes == MAP_FAILED) error = errno;
    }
    close(descriptor);
    return error;
}

static GullyStatus open_file(const GullyRanks* ranks, const char* path, int threads,
                             GullyCheckpoint** out) {
    void* bytes = NULL;
    size_t size = 0;
    *out = NULL;
    int error = map_file(path, &bytes, &size);
    if (error) return gully_fail(GULLY_IO, "%s: cannot be read: %s", path, strerror(error));
    GullyStatus status = parse(ranks, bytes, size, path, threads, out);
    if (status == GULLY_OK)
        (*out)->mapped = bytes;
    else if (bytes)
        munmap(bytes, size);
    return status;
}

GullyStatus gully_checkpoint_open(const char* path, int threads, GullyCheckpoint** out) {
    return open_file(gully_ranks_alone(), path, threads, out);
}

GullyStatus gully_checkpoint_open_shared(const GullyRanks* ranks, const char* path, int threads,
                                         GullyCheckpoint** out) {
    GullyStatus status = gully_ranks_agree(ranks, open_file(ranks, path, threads, out));
    if (!status) return GULLY_OK;
    gully_checkpoint_close(*out);
    *out = NULL;
    return status;
}

GullyStatus gully_checkpoint_restore(const GullyCheckpoint* checkpoint, GullySim* sim,
                                     int threads) {
    assert(checkpoint->bytes);
    GullyStatus status = gully_state_begin(checkpoint->state, sim);
    if (status != GULLY_OK) return gully_fail_in(status, "%s", checkpoint->name);
    status = gully_ranks_agree(gully_world_ranks(gully_sim_world(sim)),
                               unpack_all(checkpoint, sim, threads));
    return status == GULLY_OK ? gully_state_end(checkpoint->state, sim) : status;
}
