// SPDX-License-Identifier: MIT
/// The language of the cell files (NAME.cell.h): formulas for one cell, in the common subset of C
/// and OpenCL C 1.2 (row.h), so that the same lines run on a processor and on a device.
///
/// Functions of floats and of structs passed by value, `?:` instead of branches, the functions
/// below instead of the C library's, `divide` instead of `/`.
#ifndef CELL_H
#define CELL_H

#include "fields.h"
#include "target.h"

#define CELL_STRUCT(name)                                                                          \
    typedef struct name name;                                                                      \
    struct name

CELL float least(float a, float b) {
    return a < b ? a : b;
}

CELL float most(float a, float b) {
    return a > b ? a : b;
}

CELL float clamped(float x, float low, float high) {
    return least(most(x, low), high);
}

/// The square of a difference.
CELL float squared(float x) {
    return flushed_product(x, x);
}

// ---- what is a cell (fields.h) ------------------------------------------------------------------

CELL bool is_cell(float ground) {
    return ground < GROUND_NODATA;
}

/// Whether both are cells, which the higher one tells: a branch would let compilers compute one cell
/// at a time.
CELL bool are_cells(float ground, float other) {
    return is_cell(most(ground, other));
}

/// Marks that something between two cells is not there, since one of them is none. Compares as
/// false with everything, and what is computed with it is a wall again.
#define WALL NAN

CELL bool is_wall(float x) {
    return x != x;
}

// ---- pairs: a value and the remainder that did not fit into it ----------------------------------

CELL_STRUCT(Pair) {
    float value;
    float low;
};

/// value + low + x, without loss: the rounding error of the sum is the new remainder (Knuth's
/// two-sum).
CELL Pair pair_add(float value, float low, float x) {
    float y = low + x;
    Pair sum;
    sum.value = value + y;
    float shift = sum.value - value;
    sum.low = (value - (sum.value - shift)) + (y - shift);
    return sum;
}

/// The same where low + x is no larger than the value (Dekker's: half the work, the same bits).
CELL Pair pair_add_less(float value, float low, float x) {
    float y = low + x;
    Pair sum;
    sum.value = value + y;
    sum.low = y - (sum.value - value);
    return sum;
}

/// pair_add that gives exactly the same pair if nothing is added. Else the remainder of a pair that
/// was rounded, or that is near the smallest numbers there are (below 1e-30), may move into its
/// value: then it would show whether cells where nothing happens are left out.
CELL Pair pair_add_some(float value, float low, float x) {
    Pair sum = pair_add(value, low, x);
    bool some = x != 0.0f;
    Pair kept;
    kept.value = some ? sum.value : value;
    kept.low = some ? sum.low : low;
    return kept;
}

/// The pair where it is above 0, else 0: what rounding took below is set to 0.
CELL Pair pair_not_negative(Pair p) {
    bool above = p.value > 0.0f;
    Pair kept;
    kept.value = most(p.value, cell_zero);
    kept.low = above ? p.low : 0.0f;
    return kept;
}

/// Height of one ground above another, term by term [m]: right to a micrometre at any altitude.
CELL float ground_above(float ground, float low, float other, float other_low) {
    return (ground - other) + (low - other_low);
}

#endif
