// SPDX-License-Identifier: MIT
/// What a pass sees of the world: one row of cells. With cell.h, this is the language of the files
/// NAME.rows.h, which compile as C and as OpenCL C 1.2.
///
/// The processor runs a row function on long rows, a device on rows of one cell: it gathers what
/// the pass declares to read, and stores what it declares to write. So a row function must not look
/// at cells and fields that its pass does not declare, nor write to them. The common subset of both
/// languages: no double, no library call, no pointer to a function, no keyword or builtin function
/// of OpenCL C as a name (half, kernel, global, local, clamp, step, mix, distance, all, any ...).
/// Constants of a law are floats and ints.
#ifndef ROW_H
#define ROW_H

#include "fields.h"
#include "target.h"

/// A law's own fields are numbered from here, in the order of its list.
enum { LAW_FIELDS = COMMON_FIELDS, MAX_LAW_FIELDS = 18, FIELD_IDS = LAW_FIELDS + MAX_LAW_FIELDS };

/// The rows of a field that a pass sees, if it declares to read it around.
enum { NORTH_ROW, HERE, SOUTH_ROW, ROWS };

/// What the budget counts, each in metres times cells.
typedef enum Account {
    WATER_RAIN,
    WATER_SOURCES,
    WATER_EXCHANGED, // from ground to water, signed
    WATER_EVAPORATED,
    WATER_LEFT,
    WATER_ROUNDED, // to half precision, signed
    SOLID_SOURCES,
    SOLID_LEFT,
    SOLID_TRANSPORT_LOSS,
    SOLID_ROUNDED,
    SOLID_ERODED,
    SOLID_DEPOSITED,
    SOLID_SLID,
    SOLID_UPLIFTED,
    ACCOUNTS
} Account;

enum { SCRATCH_ROWS = 6, MOVING_BLOCK = 16 };

/// One row of one tile, as a pass gets it. It computes columns `from` to `to`-1, which may reach
/// beyond the tile: columns that another tile owns and computes too, so that several passes can run
/// without waiting for each other. It counts only its own, `first` to `end`-1. A field that is read
/// beside the cell can be read one column further on either side.
typedef struct PassRow {
    const float* in[FIELD_IDS][ROWS]; // a field that the world does not have reads as its value
    float* out[FIELD_IDS];            // NULL where the world does not have the field
    int from, to;                     // columns to compute
    int first, end;                   // those of them to count
    int x, y;                         // column 0 of the row, in the world
    bool has_boundary;                // it may see nodata cells, or is the first or last row
    bool side[SIDES];                 // whether `from`, `to` or y is at that side of the world
    bool open[SIDES];                 // and it is open
    float* scratch[SCRATCH_ROWS];     // rows to compute in: columns `from` to `to`, included
    Tally* accounts;                  // [ACCOUNTS], to be added to
    uint8_t* moving;           // for each MOVING_BLOCK columns, whether a law is at work; or NULL
    const SHARED void* consts; // made by the law's `prepare`
} PassRow;

/// A law's constants.
#define CONSTS(Struct, row) ((const SHARED Struct*)(row)->consts)

// ---- loops --------------------------------------------------------------------------------------

/// For every cell that a pass has to compute.
#define CELLS(i, from, to) INDEPENDENT for (int i = (from); i < (to); i++)
#define EACH_CELL(i, row) CELLS(i, (row)->from, (row)->to)

/// Some columns of a row. Where several loops work on the same columns, one chunk goes through all
/// of them before the next (EACH_CHUNK): what they hand on stays in the nearest cache, and while
/// one loop waits for memory another computes.
typedef struct Chunk {
    int at, count;
} Chunk;

/// For every cell of a chunk: i is its place in the row, i - chunk.at that in the chunk.
#define CELLS_OF(chunk, i) CELLS(i, (chunk).at, (chunk).at + (chunk).count)

/// The bits of a number without its sign: 0 only for 0 and -0. A loop collects them with |.
INLINE uint32_t nonzero_bits(float x) {
    return bits_of(x) & 0x7fffffffu;
}

/// Whether columns from .. to-1 of a row are 0.
INLINE bool is_all_zero(const float* row, int from, int to) {
    uint32_t found = 0;
    for (int i = from; i < to; i++)
        found |= nonzero_bits(row[i]);
    return found == 0;
}

// ---- the budget: a pass declares the accounts that it counts ------------------------------------

/// The columns of a chunk that are the row's own; none if the count is not above 0.
INLINE Chunk own_part(const PassRow* row, Chunk chunk) {
    const int chunk_end = chunk.at + chunk.count;
    const int at = chunk.at > row->first ? chunk.at : row->first;
    const int end = chunk_end < row->end ? chunk_end : row->end;
    const Chunk own = {at, end - at};
    return own;
}

/// Whether a column is the row's own.
INLINE bool is_own_column(const PassRow* row, int i) {
    return i >= row->first && i < row->end;
}

/// Adds the numbers of the row's own columns to an account, each rounded to the nearest multiple of
/// 2^-54.
INLINE void count_row(const PassRow* row, Account account, const float* numbers) {
    tally_add_row(&row->accounts[account], numbers + row->first, row->end - row->first);
}

/// The same for a chunk of the row.
INLINE void count_chunk(const PassRow* row, Chunk chunk, Account account, const float* numbers) {
    const Chunk own = own_part(row, chunk);
    if (own.count > 0) tally_add_row(&row->accounts[account], numbers + own.at, own.count);
}

/// The same with the positive numbers in one account and the size of the negative ones in another.
INLINE void count_signed_row(const PassRow* row, Account above, Account below,
                             const float* numbers) {
    tally_add_signed_row(&row->accounts[above], &row->accounts[below], numbers + row->first,
                         row->end - row->first);
}

/// Adds the same number for several cells; it is cut off to a multiple of 2^-72 first. The caller
/// makes sure that those are the row's own.
INLINE void count_times(const PassRow* row, Account account, float number, int cells) {
    tally_add_times(&row->accounts[account], number, cells);
}

/// Adds an exact product, cut off to a multiple of 2^-72, for a cell that is the row's own.
INLINE void count_product(const PassRow* row, Account account, float a, float b) {
    tally_add_product(&row->accounts[account], a, b);
}

// ---- activity -----------------------------------------------------------------------------------

/// Says where a law is at work: in the columns of a chunk where a number is not 0.
INLINE void mark_moving(const PassRow* row, Chunk chunk, const float* numbers) {
    if (!row->moving) return;
    const Chunk own = own_part(row, chunk);
    for (int i = own.at; i < own.at + own.count; i++) {
        uint8_t* block = &row->moving[i / MOVING_BLOCK];
        if (*block)
            i |= MOVING_BLOCK - 1; // known: on to the next
        else
            *block = numbers[i] != 0.0f;
    }
}

#endif
