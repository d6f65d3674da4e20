// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // O_TMPFILE
#include "scratch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bits.h"

/// Rows that one call to the system reads or writes.
enum { ROWS_AT_ONCE = 256 };

struct Scratch {
    char* folder;
    int file; // -1 = not made yet
    int tiles;
    size_t place_bytes;            // room for a field of a tile
    KeptField* fields[MAX_FIELDS]; // [tile]; made when a field is first written
    int64_t read, written;         // [bytes]
};

GullyStatus scratch_create(const GullyWorld* world, const char* folder, Scratch** out) {
    Scratch* scratch = calloc(1, sizeof *scratch);
    *out = scratch;
    if (scratch) scratch->folder = strdup(folder);
    if (!scratch || !scratch->folder) return gully_fail(GULLY_NO_MEMORY, "no memory for a world");
    scratch->file = -1;
    scratch->tiles = world->tiles_x * world->tiles_y;
    const Tile* largest = &world->tiles[0];
    scratch->place_bytes = (size_t)largest->width * (size_t)largest->height * sizeof(float);
    return GULLY_OK;
}

void scratch_destroy(Scratch* scratch) {
    if (!scratch) return;
    for (int slot = 0; slot < MAX_FIELDS; slot++) {
        for (int tile = 0; scratch->fields[slot] && tile < scratch->tiles; tile++)
            free(scratch->fields[slot][tile].in);
        free(scratch->fields[slot]);
    }
    if (scratch->file >= 0) close(scratch->file);
    free(scratch->folder);
    free(scratch);
}

int64_t scratch_bytes_read(const Scratch* scratch) {
    return scratch->read;
}

int64_t scratch_bytes_written(const Scratch* scratch) {
    return scratch->written;
}

// ---- the file -----------------------------------------------------------------------------------

static GullyStatus fail_scratch(const Scratch* scratch, const char* action) {
    const bool is_full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    return gully_fail(GULLY_IO, "scratch folder %s: cannot %s: %s%s", scratch->folder, action,
                      strerror(errno),
                      is_full ? "; give a folder with more room (--scratch) or more memory "
                                "(--memory)"
                              : "");
}

/// Opens a file without a name; where the system has no such files, one whose name is removed.
static int open_nameless(const char* folder) {
#ifdef O_TMPFILE
    const int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
#endif
    char* path = NULL;
    int named = -1;
    if (asprintf(&path, "%s/gully-scratch-XXXXXX", folder) >= 0) named = mkstemp(path);
    if (named >= 0) unlink(path);
    free(path);
    return named;
}

static GullyStatus open_file(Scratch* scratch) {
    if (scratch->file >= 0) return GULLY_OK;
    scratch->file = open_nameless(scratch->folder);
    return scratch->file >= 0 ? GULLY_OK : fail_scratch(scratch, "make a file");
}

/// Where a row of a field of a tile is in the file.
static off_t place_of(const Scratch* scratch, const GullyWorld* world, int tile, int slot, int row,
                      size_t number) {
    const size_t place = (size_t)slot * (size_t)scratch->tiles + (size_t)tile;
    const size_t before = (size_t)row * (size_t)world->tiles[tile].width * number;
    return (off_t)(place * scratch->place_bytes + before);
}

typedef ssize_t (*MoveRows)(int file, const struct iovec* rows, int count, off_t at);

/// Reads or writes all bytes of some rows; a call may move fewer than it was asked for.
static bool move_bytes(int file, struct iovec* rows, int count, off_t at, MoveRows move) {
    while (count > 0) {
        ssize_t moved = move(file, rows, count, at);
        if (moved < 0 && errno == EINTR) continue;
        if (moved == 0) errno = EIO;
        if (moved <= 0) return false;
        at += moved;
        for (; count > 0 && (size_t)moved >= rows->iov_len; rows++, count--)
            moved -= (ssize_t)rows->iov_len;
        if (count == 0) break;
        rows->iov_base = (char*)rows->iov_base + moved;
        rows->iov_len -= (size_t)moved;
    }
    return true;
}

// ---- rows ---------------------------------------------------------------------------------------

static bool has_row(const KeptField* kept, int row) {
    return kept->in[row / 8] >> (row % 8) & 1;
}

/// Whether all numbers of a row have the bits of one.
static bool is_filled(const void* row, int count, float value, size_t number) {
    uint32_t any = 0;
    if (number == sizeof(float)) {
        const uint32_t* numbers = row;
        for (int i = 0; i < count; i++)
            any |= numbers[i] ^ bits_of(value);
    } else {
        const Half* halves = row;
        const Half same = half_pack(half_round(value));
        for (int i = 0; i < count; i++)
            any |= (uint32_t)(halves[i] ^ same);
    }
    return any == 0;
}

static void fill_row(void* row, int count, float value, size_t number) {
    for (int i = 0; i < count; i++) {
        if (number == sizeof(float))
            ((float*)row)[i] = value;
        else
            ((Half*)row)[i] = half_pack(half_round(value));
    }
}

/// The value that a tile's rows of a field most likely hold throughout.
static float likely_fill(const GullyWorld* world, const Tile* tile, int slot) {
    const bool is_ground = slot == world->common[GROUND];
    if (is_ground && *tile_row(world, tile, slot, 0) > GROUND_MAX) return GROUND_NODATA;
    return world->fields[slot].value;
}

/// What the file has of a field; NULL = nothing: the field has its value everywhere.
static const KeptField* find_kept(const Scratch* scratch, int tile, int slot) {
    const KeptField* tiles = scratch->fields[slot];
    return tiles && tiles[tile].in ? &tiles[tile] : NULL;
}

static KeptField* make_kept(Scratch* scratch, const GullyWorld* world, int tile, int slot) {
    KeptField** tiles = &scratch->fields[slot];
    if (!*tiles) *tiles = calloc((size_t)scratch->tiles, sizeof **tiles);
    if (!*tiles) return NULL;
    KeptField* kept = &(*tiles)[tile];
    if (!kept->in) kept->in = calloc((size_t)world->tiles[tile].height / 8 + 1, 1);
    return kept->in ? kept : NULL;
}

int scratch_rows(const Scratch* scratch, const GullyWorld* world, int tile, int slot) {
    const KeptField* kept = find_kept(scratch, tile, slot);
    const float fill = kept ? kept->fill : world->fields[slot].value;
    if (bits_of(fill) != 0) return world->tiles[tile].height;
    return kept ? kept->row_count : 0;
}

// ---- fields of tiles ----------------------------------------------------------------------------

/// Writes the rows from `first` on that are in the file, as many as lie side by side there.
static GullyStatus write_rows(Scratch* scratch, const GullyWorld* world, int tile, int slot,
                              const KeptField* kept, int first, int* end) {
    struct iovec rows[ROWS_AT_ONCE];
    const Tile* from = &world->tiles[tile];
    const size_t bytes = (size_t)from->width * kept->number;
    int count = 0;
    for (; count < ROWS_AT_ONCE && first + count < from->height && has_row(kept, first + count);
         count++)
        rows[count] = (struct iovec){tile_number(world, from, slot, first + count, 0), bytes};
    *end = first + count;
    if (!move_bytes(scratch->file, rows, count,
                    place_of(scratch, world, tile, slot, first, kept->number), pwritev))
        return fail_scratch(scratch, "write");
    scratch->written += (int64_t)((size_t)count * bytes);
    return GULLY_OK;
}

GullyStatus scratch_write(Scratch* scratch, const GullyWorld* world, int tile, int slot) {
    const Tile* from = &world->tiles[tile];
    KeptField* kept = make_kept(scratch, world, tile, slot);
    if (!kept) return gully_fail(GULLY_NO_MEMORY, "no memory for a list of tiles");
    kept->fill = likely_fill(world, from, slot);
    kept->number = tile_number_bytes(world, slot);
    kept->row_count = 0;
    memset(kept->in, 0, (size_t)from->height / 8 + 1);
    for (int row = 0; row < from->height; row++) {
        const void* numbers = tile_number(world, from, slot, row, 0);
        if (is_filled(numbers, from->width, kept->fill, kept->number)) continue;
        kept->in[row / 8] |= (unsigned char)(1 << row % 8);
        kept->row_count++;
    }
    GullyStatus status = kept->row_count > 0 ? open_file(scratch) : GULLY_OK;
    for (int row = 0; row < from->height && !status;) {
        if (has_row(kept, row))
            status = write_rows(scratch, world, tile, slot, kept, row, &row);
        else
            row++;
    }
    return status;
}

/// Reads rows as write_rows writes them. Numbers of another size go through `memory`.
static GullyStatus read_rows(Scratch* scratch, const GullyWorld* world, int tile, int slot,
                             const KeptField* kept, int first, int* end) {
    struct iovec rows[ROWS_AT_ONCE];
    const Tile* to = &world->tiles[tile];
    const size_t bytes = (size_t)to->width * kept->number;
    const bool is_same = kept->number == tile_number_bytes(world, slot);
    char* copy = is_same ? NULL : malloc(bytes);
    if (!is_same && !copy) return gully_fail(GULLY_NO_MEMORY, "no memory for a row");
    const int most = is_same ? ROWS_AT_ONCE : 1;
    int count = 0;
    for (; count < most && first + count < to->height && has_row(kept, first + count); count++)
        rows[count] =
            (struct iovec){is_same ? tile_number(world, to, slot, first + count, 0) : copy, bytes};
    *end = first + count;
    const bool is_done =
        move_bytes(scratch->file, rows, count,
                   place_of(scratch, world, tile, slot, first, kept->number), preadv);
    if (is_done && !is_same)
        tile_copy_in((GullyWorld*)world, to, slot, first, 0, to->width, copy, kept->number);
    free(copy);
    if (!is_done) return fail_scratch(scratch, "read");
    scratch->read += (int64_t)((size_t)count * bytes);
    return GULLY_OK;
}

GullyStatus scratch_read(Scratch* scratch, const GullyWorld* world, int tile, int slot) {
    const Tile* to = &world->tiles[tile];
    const KeptField* kept = find_kept(scratch, tile, slot);
    const float fill = kept ? kept->fill : world->fields[slot].value;
    GullyStatus status = GULLY_OK;
    for (int row = 0; row < to->height && !status;) {
        if (kept && has_row(kept, row)) {
            status = read_rows(scratch, world, tile, slot, kept, row, &row);
            continue;
        }
        if (bits_of(fill) != 0)
            fill_row(tile_number(world, to, slot, row, 0), to->width, fill,
                     tile_number_bytes(world, slot));
        row++;
    }
    return status;
}

void scratch_read_ahead(const Scratch* scratch, const GullyWorld* world, int tile, int slot) {
#ifdef POSIX_FADV_WILLNEED
    const KeptField* kept = find_kept(scratch, tile, slot);
    if (!kept || kept->row_count == 0) return;
    posix_fadvise(scratch->file, place_of(scratch, world, tile, slot, 0, kept->number),
                  (off_t)scratch->place_bytes, POSIX_FADV_WILLNEED);
#else
    (void)scratch, (void)world, (void)tile, (void)slot;
#endif
}
