/// What a pass sees of the world: one row of cells. With cell.h, the language of the laws' rows.
#ifndef ROW_H
#define ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact.h"
#include "fields.h"

/// A law's own fields are numbered from here, in the order of its list.
enum { LAW_FIELDS = COMMON_FIELDS, MAX_LAW_FIELDS = 16, FIELD_IDS = LAW_FIELDS + MAX_LAW_FIELDS };

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
    bool has_boundary;            // it may see nodata cells, or is the first or last row
    bool side[SIDES];             // whether `from`, `to` or y is at that side of the world
    bool open[SIDES];             // and it is open
    float* scratch[SCRATCH_ROWS]; // rows to compute in
    Exact* accounts;              // [ACCOUNTS], to be added to
    uint8_t* moving;    // for each MOVING_BLOCK columns, whether a law is at work; or NULL
    const void* consts; // made by the law's `prepare`
} PassRow;

/// For every cell that a pass has to compute. Declares that they do not depend on each other, so
/// that the compiler may compute several at once also where a field is updated in place.
#if defined(ONE_CELL_AT_A_TIME)
#define INDEPENDENT
#elif defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif
#define CELLS(i, from, to) INDEPENDENT for (int i = (from); i < (to); i++)
#define EACH_CELL(i, row) CELLS(i, (row)->from, (row)->to)

/// For a loop that is compiled several times, with some of its parameters known: the compiler must
/// not make one function of it.
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/// Some columns of a row. Where several loops work on the same columns, one chunk goes through all
/// of them before the next: what they hand on stays in the nearest cache, and while one loop waits
/// for memory another computes.
typedef struct Chunk {
    int at, count;
} Chunk;

/// Most chunks have this many columns, which GCC then knows: it writes out such a loop, without a
/// beginning and an end. Clang must not know it: it would forget that the cells are independent and
/// compute one at a time.
enum { CHUNK = 64 };

ALWAYS_INLINE int chunk_size(void) {
    int size = CHUNK;
#if defined(__clang__)
    __asm__("" : "+r"(size));
#endif
    return size;
}

/// Does the last, calls of what is compiled for each use (ALWAYS_INLINE), for every `chunk` of a
/// row.
#define EACH_CHUNK(chunk, row, ...)                                                                \
    do {                                                                                           \
        int at_ = (row)->from;                                                                     \
        for (; at_ + CHUNK <= (row)->to; at_ += CHUNK) {                                           \
            const Chunk chunk = {at_, chunk_size()};                                               \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
        if (at_ < (row)->to) {                                                                     \
            const Chunk chunk = {at_, (row)->to - at_};                                            \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    } while (0)

/// For every cell of a chunk: i is its place in the row, i - chunk.at that in the chunk.
#define CELLS_OF(chunk, i) CELLS(i, (chunk).at, (chunk).at + (chunk).count)

/// Whether columns from .. to-1 of a row are 0.
static inline bool is_all_zero(const float* row, int from, int to) {
    uint32_t largest = 0;
    for (int i = from; i < to; i++)
        largest |= exact_size(row[i]);
    return largest == 0;
}

/// The columns of a chunk that are the row's own; none if the count is not above 0.
static inline Chunk own_part(const PassRow* row, Chunk chunk) {
    const int end = chunk.at + chunk.count;
    const int at = chunk.at > row->first ? chunk.at : row->first;
    return (Chunk){at, (end < row->end ? end : row->end) - at};
}

/// Adds the numbers of a chunk of a row to an account: those of the row's own columns.
static inline void count_chunk(const PassRow* row, Chunk chunk, Account account,
                               const float* numbers) {
    const Chunk own = own_part(row, chunk);
    if (own.count > 0) exact_add_row(&row->accounts[account], numbers + own.at, own.count);
}

static inline void count_row(const PassRow* row, Account account, const float* numbers) {
    exact_add_row(&row->accounts[account], numbers + row->first, row->end - row->first);
}

/// Says where a law is at work: in the columns of a chunk where a number is not 0.
static inline void mark_moving(const PassRow* row, Chunk chunk, const float* numbers) {
    if (!row->moving) return;
    const Chunk own = own_part(row, chunk);
    for (int i = own.at; i < own.at + own.count; i++) {
        uint8_t* block = &row->moving[i / MOVING_BLOCK];
        if (*block)
            i |= MOVING_BLOCK - 1; // known: on to the next
        else
            *block = numbers[i] != 0;
    }
}

#endif
