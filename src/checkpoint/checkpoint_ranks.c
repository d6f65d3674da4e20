// SPDX-License-Identifier: MIT
#include "checkpoint_ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint_chunks.h"
#include "files.h"
#include "workers.h"

/// A piece that is packed.
typedef struct Packed {
    Chunk chunk;
    unsigned char* payload;
} Packed;

/// The writing of all ranks.
typedef struct Sharing {
    const GullyCheckpoint* checkpoint;
    const GullyWorld* world;
    const GullyRanks* ranks;
    int threads;
    ChunkWriter writer;   // its `all` goes from rank to rank
    int64_t offset;       // where the next field begins in the file
    int64_t field_pieces; // of each field
    int64_t base;         // the first piece of the field that has its turn
    int64_t first, end;   // those of its pieces that begin in the own rows
    unsigned char* tail;  // the last of them, in which rows of other ranks may be
    Packed* packed;       // they
    atomic_llong next;    // one to pack
} Sharing;

// ---- who has what -------------------------------------------------------------------------------

/// Cells of a piece within its field, first .. end-1.
typedef struct Cells {
    int64_t first, end;
} Cells;

static Cells cells_of(const GullyState* state, int64_t piece) {
    const GullyStateInfo* info = gully_state_info(state);
    const GullyStatePiece at = gully_state_piece(state, piece);
    const int64_t all = (int64_t)info->width * info->height;
    // A field's cells stand one after another, and those of the fields before it before them.
    const int64_t pieces = (all - 1) / (GULLY_STATE_PIECE / 4) + 1;
    const int64_t first = piece % pieces * (GULLY_STATE_PIECE / 4);
    return (Cells){first, first + (int64_t)at.size / at.number};
}

static Cells cells_of_rank(const GullyWorld* world, int rank) {
    const GullyRect part = gully_world_part(world, rank);
    return (Cells){(int64_t)part.y * part.width, (int64_t)(part.y + part.height) * part.width};
}

bool checkpoint_has_own(const GullyState* state, const GullyWorld* world, int64_t piece) {
    const Cells cells = cells_of(state, piece);
    const Cells own = cells_of_rank(world, gully_world_ranks(world)->rank);
    return cells.first < own.end && cells.end > own.first;
}

/// The pieces of a field that begin in the rows of a rank.
static Cells pieces_of_rank(const GullyWorld* world, int rank) {
    const int64_t most = GULLY_STATE_PIECE / 4;
    const Cells cells = cells_of_rank(world, rank);
    return (Cells){(cells.first + most - 1) / most, (cells.end + most - 1) / most};
}

// ---- cells of other ranks -----------------------------------------------------------------------

/// The part of a piece that a rank keeps, in bytes of the piece.
static Cells part_of(const Sharing* sharing, int64_t piece, int rank) {
    const GullyState* state = sharing->checkpoint->state;
    const Cells cells = cells_of(state, piece), own = cells_of_rank(sharing->world, rank);
    const int64_t number = gully_state_piece(state, piece).number;
    const int64_t first = own.first > cells.first ? own.first : cells.first;
    const int64_t end = own.end < cells.end ? own.end : cells.end;
    return (Cells){(first - cells.first) * number,
                   (end > first ? end - cells.first : first - cells.first) * number};
}

/// Sends the own cells of a piece that begins in rows of another rank; and receives what is missing of
/// the last of the own pieces.
static GullyStatus complete_tail(const Sharing* sharing, unsigned char* buffer) {
    const GullyRanks* ranks = sharing->ranks;
    const int64_t base = sharing->base;
    const int64_t before = sharing->first - 1, last = base + sharing->end - 1;
    GullyStatus status = GULLY_OK, begun = GULLY_OK;
    for (int rank = 0; rank < ranks->count; rank++) {
        const Cells theirs = pieces_of_rank(sharing->world, rank);
        if (rank < ranks->rank && before >= theirs.first && before < theirs.end) {
            const Cells part = part_of(sharing, base + before, ranks->rank);
            GullyMessage message = {rank, true, buffer + part.first,
                                    (size_t)(part.end - part.first)};
            if (part.end <= part.first) continue;
            status = gully_state_read(sharing->checkpoint->state, sharing->checkpoint->sim,
                                      base + before, buffer);
            begun = ranks->begin(ranks->context, &message, 1);
        } else if (rank > ranks->rank && sharing->end > sharing->first) {
            const Cells part = part_of(sharing, last, rank);
            GullyMessage message = {rank, false, sharing->tail + part.first,
                                    (size_t)(part.end - part.first)};
            if (part.end > part.first) begun = ranks->begin(ranks->context, &message, 1);
        }
        status = status ? status : begun;
    }
    begun = ranks->finish(ranks->context);
    status = status ? status : begun;
    if (!status && sharing->end > sharing->first)
        status = gully_state_read(sharing->checkpoint->state, sharing->checkpoint->sim, last,
                                  sharing->tail);
    return status;
}

// ---- packing ------------------------------------------------------------------------------------

static GullyStatus no_memory(void) {
    return gully_fail(GULLY_NO_MEMORY, "no memory to pack a checkpoint");
}

static GullyStatus pack_piece(Sharing* sharing, Packer* packer, int64_t piece, bool is_last,
                              Packed* out) {
    const GullyState* state = sharing->checkpoint->state;
    const GullyStatePiece place = gully_state_piece(state, piece);
    const void* numbers = is_last ? sharing->tail : packer_buffer(packer);
    GullyStatus status = GULLY_OK;
    if (!is_last)
        status = gully_state_read(state, sharing->checkpoint->sim, piece, packer_buffer(packer));
    if (status) return status;
    size_t size = 0;
    const void* payload = packer_pack(packer, numbers, place.size, place.number, &size);
    out->payload = payload ? malloc(size) : NULL;
    if (!out->payload) return no_memory();
    memcpy(out->payload, payload, size);
    out->chunk =
        chunk_make(CHUNK_CELLS, piece, payload, size, place.size, sharing->writer.head_hash);
    return GULLY_OK;
}

/// On several threads: packs the own pieces of the field that has its turn.
static GullyStatus pack_pieces(void* context) {
    Sharing* sharing = context;
    Packer* packer = packer_create();
    GullyStatus status = packer ? GULLY_OK : no_memory();
    int64_t i;
    while (!status && (i = atomic_fetch_add(&sharing->next, 1)) < sharing->end - sharing->first) {
        const int64_t within = sharing->first + i;
        status = pack_piece(sharing, packer, sharing->base + within, within == sharing->end - 1,
                            &sharing->packed[i]);
    }
    packer_destroy(packer);
    return status;
}

// ---- a field ------------------------------------------------------------------------------------

/// Where the own chunks of the field begin: after those of the ranks before. Moves on to the next field.
static GullyStatus find_place(Sharing* sharing, GullyStatus status, int64_t* place) {
    const GullyRanks* ranks = sharing->ranks;
    int64_t own = 0, *all = calloc((size_t)ranks->count, sizeof *all);
    for (int64_t i = 0; i < sharing->end - sharing->first && !status; i++)
        own += CHUNK_HEADER + (int64_t)sharing->packed[i].chunk.stored;
    status = gully_ranks_agree(ranks, !status && !all ? no_memory() : status);
    if (!status) status = ranks->gather(ranks->context, &own, sizeof own, all);
    *place = sharing->offset;
    for (int rank = 0; rank < ranks->count && !status; rank++) {
        *place += rank < ranks->rank ? all[rank] : 0;
        sharing->offset += all[rank];
    }
    free(all);
    return status;
}

/// Adds the hashes of the own chunks to those of the ranks before, and passes them on. The last rank
/// passes them to the first, for the next field.
static GullyStatus pass_hashes(Sharing* sharing) {
    const GullyRanks* ranks = sharing->ranks;
    const int count = ranks->count, before = (ranks->rank + count - 1) % count;
    uint64_t* all = &sharing->writer.all;
    GullyMessage from = {before, false, all, sizeof *all};
    GullyMessage to = {(ranks->rank + 1) % count, true, all, sizeof *all};
    GullyStatus status = GULLY_OK;
    if (ranks->rank > 0) status = ranks->begin(ranks->context, &from, 1);
    if (!status) status = ranks->finish(ranks->context);
    for (int64_t i = 0; i < sharing->end - sharing->first; i++)
        chunk_add_hash(&sharing->writer, sharing->packed[i].chunk.hash);
    if (!status) status = ranks->begin(ranks->context, &to, 1);
    if (!status) status = ranks->finish(ranks->context);
    if (!status && ranks->rank == 0) status = ranks->begin(ranks->context, &from, 1);
    return status ? status : ranks->finish(ranks->context);
}

static void write_packed(Sharing* sharing, int64_t place) {
    ChunkWriter* writer = &sharing->writer;
    if (lseek(writer->descriptor, (off_t)place, SEEK_SET) < 0 && !writer->error)
        writer->error = errno;
    for (int64_t i = 0; i < sharing->end - sharing->first; i++)
        chunk_put(writer, sharing->packed[i].chunk, sharing->packed[i].payload);
}

static void free_packed(Sharing* sharing) {
    for (int64_t i = 0; sharing->packed && i < sharing->end - sharing->first; i++)
        free(sharing->packed[i].payload);
    free(sharing->packed);
    sharing->packed = NULL;
}

static GullyStatus write_field(Sharing* sharing, unsigned char* buffer) {
    int64_t place = 0;
    GullyStatus status = complete_tail(sharing, buffer);
    sharing->next = 0;
    sharing->packed = calloc((size_t)(sharing->end - sharing->first) + 1, sizeof *sharing->packed);
    if (!status && !sharing->packed) status = no_memory();
    if (!status) status = workers_run(sharing->threads, pack_pieces, sharing);
    status = find_place(sharing, status, &place);
    if (!status) status = pass_hashes(sharing);
    if (!status) write_packed(sharing, place);
    free_packed(sharing);
    return status;
}

// ---- the file -----------------------------------------------------------------------------------

/// A name that rank 0 has chosen, and where the cells begin in that file.
typedef struct Start {
    char temporary[4096];
    int64_t offset;
    uint64_t all;
} Start;

static GullyStatus hear_start(const GullyRanks* ranks, Start* start) {
    Start* all = malloc((size_t)ranks->count * sizeof *all);
    GullyStatus status = gully_ranks_agree(ranks, all ? GULLY_OK : no_memory());
    if (!status) status = ranks->gather(ranks->context, start, sizeof *start, all);
    if (!status) *start = all[0];
    free(all);
    return status;
}

/// Rank 0 makes the file and writes what comes before the cells; the others open it.
static GullyStatus open_file(Sharing* sharing, const char* path, GullyStagedFile* staged) {
    ChunkWriter* writer = &sharing->writer;
    const bool leads = sharing->ranks->rank == 0;
    Start start = {.offset = 0};
    GullyStatus status = GULLY_OK;
    if (leads) status = gully_staged_begin(path, staged, &writer->descriptor);
    if (leads && !status) {
        chunks_begin(writer, sharing->checkpoint);
        start.all = writer->all;
        start.offset = lseek(writer->descriptor, 0, SEEK_CUR);
        snprintf(start.temporary, sizeof start.temporary, "%s", staged->temporary);
        if (writer->error) status = chunks_fail(path, writer->error);
    }
    status = gully_ranks_agree(sharing->ranks, status);
    if (!status) status = hear_start(sharing->ranks, &start);
    if (status) return status;
    sharing->offset = start.offset;
    if (!leads) {
        chunk_head_hash(writer, sharing->checkpoint);
        writer->descriptor = open(start.temporary, O_WRONLY | O_CLOEXEC);
        if (writer->descriptor < 0)
            status = gully_fail(GULLY_IO,
                                "%s: rank %d cannot write it: %s; ranks need a folder "
                                "that all of them see",
                                path, sharing->ranks->rank, strerror(errno));
    }
    return gully_ranks_agree(sharing->ranks, status);
}

/// Writes the end, brings the file to the disk and gives it its name.
static GullyStatus close_file(Sharing* sharing, const char* path, GullyStagedFile* staged,
                              GullyStatus status) {
    ChunkWriter* writer = &sharing->writer;
    if (!status && staged->temporary) {
        if (lseek(writer->descriptor, (off_t)sharing->offset, SEEK_SET) < 0) writer->error = errno;
        chunks_end(writer, sharing->checkpoint);
    }
    if (!status && !writer->error) writer->error = gully_descriptor_sync(writer->descriptor);
    if (writer->descriptor >= 0 && close(writer->descriptor) != 0 && !writer->error)
        writer->error = errno;
    if (!status && writer->error) status = chunks_fail(path, writer->error);
    status = gully_ranks_agree(sharing->ranks, status);
    if (status && staged->temporary) gully_staged_drop(staged);
    if (!status && staged->temporary) status = gully_staged_keep(staged, NULL);
    return gully_ranks_agree(sharing->ranks, status);
}

GullyStatus checkpoint_write_shared(const GullyCheckpoint* checkpoint, const char* path,
                                    int threads, bool (*stop)(void)) {
    const GullyWorld* world = gully_sim_world(checkpoint->sim);
    const GullyStateInfo* info = gully_state_info(checkpoint->state);
    const GullyRanks* ranks = gully_world_ranks(world);
    const int64_t most = GULLY_STATE_PIECE / 4, cells = (int64_t)info->width * info->height;
    const Cells pieces = pieces_of_rank(world, ranks->rank);
    Sharing sharing = {.checkpoint = checkpoint,
                       .world = world,
                       .ranks = ranks,
                       .threads = threads,
                       .writer = {.stop = stop, .descriptor = -1},
                       .field_pieces = (cells - 1) / most + 1,
                       .first = pieces.first,
                       .end = pieces.end,
                       .tail = malloc(GULLY_STATE_PIECE)};
    unsigned char* buffer = malloc(GULLY_STATE_PIECE);
    GullyStagedFile staged = {0};
    GullyStatus status = gully_ranks_agree(ranks, sharing.tail && buffer ? GULLY_OK : no_memory());
    if (!status) status = open_file(&sharing, path, &staged);
    for (; sharing.base < info->pieces && !status; sharing.base += sharing.field_pieces)
        status = write_field(&sharing, buffer);
    status = close_file(&sharing, path, &staged, status);
    free(sharing.tail);
    free(buffer);
    return status;
}
