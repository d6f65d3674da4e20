// SPDX-License-Identifier: MIT
/// What cell.h and row.h need from the language that they are compiled in: the C form, for the
/// processor. The OpenCL form of the same names is src/device/prelude.h.
#ifndef TARGET_H
#define TARGET_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits.h"
#include "exact.h"

// ---- functions and memory -----------------------------------------------------------------------

/// A formula of a cell file, and any other function of a rows file.
#define CELL static inline
#define INLINE static inline

/// For a loop that is compiled several times, with some of its parameters known: the compiler must
/// not make one function of it.
#ifndef ALWAYS_INLINE // rows that flush denormals make one function of it (src/flushed)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#endif

/// A row function, which a pass names.
#define ROW_FUNCTION static inline

/// An array that is known when a law is compiled.
#define CONSTANT_ARRAY static const

/// Memory that all cells share: the constants of a law.
#define SHARED

#define CACHE_ALIGNED _Alignas(64)

/// A decision that is made once for all cells. A device compiles a law for the value, which it then
/// gets as a macro of this name (Law.known).
#define KNOWN(name, value) (value)

/// Whether the world stores a field that a pass writes: row->out is NULL if not.
#define IS_STORED(row, id) ((row)->out[id] != NULL)

// ---- loops --------------------------------------------------------------------------------------

/// The turns of a loop do not depend on each other, so the compiler may compute several at once
/// also where a field is updated in place.
#if defined(ONE_CELL_AT_A_TIME)
#define INDEPENDENT
#elif defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/// A loop of a few turns inside a loop over cells. Unrolled, it lets several cells be computed at
/// once.
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

/// A loop over fields, around loops over cells. A device unrolls it, since a field in registers has
/// no number that could be computed.
#define FIELD_LOOP

/// Whether all rows have one cell, at column 0. A device keeps such a row in registers, unless its
/// place in memory depends on data: then a row function takes the general way at once.
enum { ONE_CELL_ROWS = 0 };

/// For the cells from .. to-1, which are some of the row's, or none.
#define SOME_CELLS(i, from, to) for (int i = (from); i < (to); i++)

/// Columns of a chunk (row.h).
enum { CHUNK = 64 };

/// Runs `body` once per chunk of a row. What it calls must be ALWAYS_INLINE.
///
/// GCC is told how long the full chunks are, and unrolls their loops without a prologue and an
/// epilogue; what is left comes after them. Clang must not know: it would forget that the cells are
/// independent and compute one at a time.
#if defined(__clang__)
#define EACH_CHUNK(chunk, row, body)                                                               \
    do {                                                                                           \
        for (int at_ = (row)->from; at_ < (row)->to; at_ += CHUNK) {                               \
            const int left_ = (row)->to - at_;                                                     \
            const Chunk chunk = {at_, left_ < CHUNK ? left_ : CHUNK};                              \
            body;                                                                                  \
        }                                                                                          \
    } while (0)
#else
#define EACH_CHUNK(chunk, row, body)                                                               \
    do {                                                                                           \
        int at_ = (row)->from;                                                                     \
        for (; at_ + CHUNK <= (row)->to; at_ += CHUNK) {                                           \
            const Chunk chunk = {at_, CHUNK};                                                      \
            body;                                                                                  \
        }                                                                                          \
        if (at_ < (row)->to) {                                                                     \
            const Chunk chunk = {at_, (row)->to - at_};                                            \
            body;                                                                                  \
        }                                                                                          \
    } while (0)
#endif

// ---- arithmetic ---------------------------------------------------------------------------------

/// 0 and 1 for `least`, `most`, `clamped` and factors: GCC makes one instruction of them, but
/// several where it sees a constant.
extern const float cell_zero, cell_one;

/// Correctly rounded. A device that divides otherwise has to be repaired here.
CELL float divide(float a, float b) {
    return a / b;
}

CELL float square_root(float x) {
    return sqrtf(x);
}

/// A product of two differences, or of what was made of such. It may be denormal although they are
/// no traces (src/flushed), so it is flushed here where the processor cannot.
CELL float flushed_product(float a, float b) {
    const float product = a * b;
#if defined(__wasm__)
    const bool is_denormal = product < 0x1p-126f && product > -0x1p-126f;
    return is_denormal ? 0.0f : product;
#else
    return product;
#endif
}

// ---- exact sums ---------------------------------------------------------------------------------

/// A sum of the budget. Every number becomes an integer before it is added, so the order of adding
/// does not matter.
typedef Exact Tally;

/// Adds numbers, each rounded to the nearest multiple of 2^-54, ties to even.
static inline void tally_add_row(Tally* sum, const float* numbers, int count) {
    exact_add_row(sum, numbers, count);
}

/// The same, with the positive numbers and the negative ones in sums of their own, both without
/// sign.
static inline void tally_add_signed_row(Tally* above, Tally* below, const float* numbers,
                                        int count) {
    exact_add_signed_row(above, below, numbers, count);
}

/// Adds a number several times: it is cut off to a multiple of 2^-72 first.
static inline void tally_add_times(Tally* sum, float number, int times) {
    exact_add(sum, (double)number, times);
}

/// Adds a product, which is exact and then cut off to a multiple of 2^-72.
static inline void tally_add_product(Tally* sum, float a, float b) {
    exact_add(sum, (double)a * (double)b, 1);
}

#endif
