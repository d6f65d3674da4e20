/// What a law is: parameters, fields, and passes over rows. The stepper does the rest.
#ifndef LAW_H
#define LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact.h"
#include "fields.h"
#include "gully/params.h"
#include "gully/world.h"

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

enum { SPARE_ROWS = 6, MOVING_BLOCK = 16 };

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
    bool walls;               // whether there may be nodata cells, or it is the first or last row
    bool side[SIDES];         // whether `from`, `to` or y is at that side of the world
    bool open[SIDES];         // and it is open
    float* spare[SPARE_ROWS]; // rows to compute in
    Exact* accounts;          // [ACCOUNTS], to be added to
    uint8_t* moving;          // for each MOVING_BLOCK columns, whether a law is at work; or NULL
    const void* consts;       // what the law's `prepare` has made
} PassRow;

/// A pass must not write a field that it reads beside the cell: then the order of cells cannot
/// matter. What it reads to one side only is worth saying: more passes then fit into a sweep.
typedef struct Pass {
    const char* name;
    FieldSet reads;        // at the cell itself
    FieldSet reads_before; // also in the row and the column before, to the north and the west
    FieldSet reads_after;  // also in the row and the column after
    FieldSet reads_around; // also at the eight neighbours
    FieldSet writes;
    FieldSet shows; // of those: what no pass reads and the next step makes anew, so that of several
                    // steps only the last has to; out[] is NULL in the others
    void (*row)(const PassRow* row);
} Pass;

static inline FieldSet pass_reads_before(const Pass* pass) {
    return pass->reads_before | pass->reads_around;
}

static inline FieldSet pass_reads_after(const Pass* pass) {
    return pass->reads_after | pass->reads_around;
}

static inline FieldSet pass_reads(const Pass* pass) {
    return pass->reads | pass->reads_before | pass->reads_after | pass->reads_around;
}

typedef struct LawField {
    const char* name;
    float outside; // its value there, and before anything was computed
    bool scratch;  // needed only within a step
    bool per_step; // an amount per time step: scaled when dt changes
} LawField;

/// What a law's constants depend on, beside its parameters.
typedef struct StepInfo {
    double dt;                      // [s]
    double cell_x, cell_y;          // [m]
    const GullyMaterial* materials; // bottom to top
    int material_count;             // 0 = one material, without a name
} StepInfo;

/// Passes that run together, where a step is a list of them that users choose. No passes: the water
/// supply.
typedef struct Operator {
    const char* name;
    int first, count; // passes
} Operator;

typedef struct Law {
    const char* name;
    const char* summary;
    const char* source;
    bool add_on; // runs after the model, in a section of its own
    const GullyParamTable* params;
    const LawField* fields; // its own
    int field_count;
    const Pass* passes;
    int pass_count;
    const Operator* operators; // in the order of the default cycle; NULL: supply, then all passes
    int operator_count;
    bool layers;             // knows materials
    bool still_water_erodes; // also where nothing flows, by its parameter `dissolve`
    bool counts_steps;       // depends on the number of steps, not on their length alone
    /// Where the law does nothing, which then costs nothing: in cells where all of these fields are
    /// 0, there and at all neighbours; or where its passes do not call mark_moving. Neither said:
    /// it works everywhere.
    FieldSet rest;
    bool marks_moving;
    size_t consts_size;
    /// Fills the constants for the parameters.
    void (*prepare)(const void* params, const StepInfo* info, void* consts);
    /// Common fields that these parameters need beyond those that are always there; NULL = none.
    FieldSet (*needs)(const void* params);
    /// Largest stable time step [s] (info->dt is not set); NULL = no limit.
    double (*max_dt)(const void* params, const StepInfo* info);
    /// Changes the world before the first step; NULL = nothing to do.
    void (*start)(const void* params, GullyWorld* world);
} Law;

/// Defines a law's descriptor: `DEFINE_LAW(pipe) = {...}`. A law's file is compiled once for each
/// of the processor's vector widths (cmake/module.cmake), which gives LAW_WIDTH; all give the same
/// bits.
#ifndef LAW_WIDTH
#define LAW_WIDTH baseline
#endif
#define LAW_NAME_(name, width) law_##name##_##width
#define LAW_NAME(name, width) LAW_NAME_(name, width)
#define DEFINE_LAW(name)                                                                           \
    extern const Law LAW_NAME(name, LAW_WIDTH);                                                    \
    const Law LAW_NAME(name, LAW_WIDTH)

/// The table of laws, from models.inc, for this processor.
int law_count(void);
const Law* law_at(int index);
const Law* law_find(const char* name);

/// The water supply, which runs before the model of every step, and rounding to half precision,
/// which ends a step in a world that wants it: in no table.
const Law* law_supply(void);
const Law* law_half(void);

/// The same law, compiled for one cell at a time, on any processor of the family.
const Law* law_plain(const Law* law);

/// The widths that were compiled and that this processor has, widest last: "plain", "baseline", ...
/// law_use_width takes one of them for laws that are looked up from then on; for tests.
int law_width_count(void);
const char* law_width_name(int width);
void law_use_width(int width);

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

/// Some columns of a row. Where several loops work on the same columns, one piece goes through all
/// of them before the next: what they hand on stays in the nearest cache, and while one loop waits
/// for memory another computes.
typedef struct Piece {
    int at, count;
} Piece;

/// Most pieces have this many columns, which GCC then knows: it writes out such a loop, without a
/// beginning and an end. Clang must not know it: it would forget that the cells are independent and
/// compute one at a time.
enum { PIECE = 64 };

ALWAYS_INLINE int piece_size(void) {
    int size = PIECE;
#if defined(__clang__)
    __asm__("" : "+r"(size));
#endif
    return size;
}

/// Does the last, calls of what is compiled for each use (ALWAYS_INLINE), for every `piece` of a
/// row.
#define EACH_PIECE(piece, row, ...)                                                                \
    do {                                                                                           \
        int at_ = (row)->from;                                                                     \
        for (; at_ + PIECE <= (row)->to; at_ += PIECE) {                                           \
            const Piece piece = {at_, piece_size()};                                               \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
        if (at_ < (row)->to) {                                                                     \
            const Piece piece = {at_, (row)->to - at_};                                            \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    } while (0)

/// For every cell of a piece: i is its place in the row, i - piece.at that in the piece.
#define CELLS_OF(piece, i) CELLS(i, (piece).at, (piece).at + (piece).count)

/// Whether columns from .. to-1 of a row are 0.
static inline bool is_all_zero(const float* row, int from, int to) {
    uint32_t largest = 0;
    for (int i = from; i < to; i++)
        largest |= exact_size(row[i]);
    return largest == 0;
}

/// The columns of a piece that are the row's own; none if the count is not above 0.
static inline Piece own_part(const PassRow* row, Piece piece) {
    const int end = piece.at + piece.count;
    const int at = piece.at > row->first ? piece.at : row->first;
    return (Piece){at, (end < row->end ? end : row->end) - at};
}

/// Adds the numbers of a piece of a row to an account: those of the row's own columns.
static inline void count_piece(const PassRow* row, Piece piece, Account account,
                               const float* numbers) {
    const Piece own = own_part(row, piece);
    if (own.count > 0) exact_add_row(&row->accounts[account], numbers + own.at, own.count);
}

static inline void count_row(const PassRow* row, Account account, const float* numbers) {
    exact_add_row(&row->accounts[account], numbers + row->first, row->end - row->first);
}

/// Says where a law is at work: in the columns of a piece where a number is not 0.
static inline void mark_moving(const PassRow* row, Piece piece, const float* numbers) {
    if (!row->moving) return;
    const Piece own = own_part(row, piece);
    for (int i = own.at; i < own.at + own.count; i++) {
        uint8_t* block = &row->moving[i / MOVING_BLOCK];
        if (*block)
            i |= MOVING_BLOCK - 1; // known: on to the next
        else
            *block = numbers[i] != 0;
    }
}

#define LAW_TABLE(Struct, rows_)                                                                   \
    { "params", rows_, (int)(sizeof(rows_) / sizeof *(rows_)), sizeof(Struct) }

#endif
