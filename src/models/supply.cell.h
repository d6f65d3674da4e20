// SPDX-License-Identifier: MIT
/// Water supply: the constants of the pass, which src/sim/supply.c makes for every step.
#ifndef SUPPLY_CELL_H
#define SUPPLY_CELL_H

#include "cell.h"

/// The supply of one step. Tables follow it in the same block of memory,
/// which is all 32-bit words, so that it can be copied to a device as it is:
///
///   int starts[rows], ends[rows]   the spans of each row of the world
///   SupplyKind kinds[kinds]
///   SupplySpan spans[spans]
///   SupplyBox boxes[boxes]
CELL_STRUCT(SupplyStep) {
    float rain;   // (W1) on every cell [m]
    float season; // (W4) times the pattern [m]
    int rows;     // of the world
    int kinds, spans;
    int boxes; // 0: no drops or sources in this step, and no tables
};

/// What drops, or one of the sources, add to each of their cells.
CELL_STRUCT(SupplyKind) {
    float water, sediment; // [m]
    int is_source;         // bool
};

/// Columns of a row of the world that get water, in the order of adding.
CELL_STRUCT(SupplySpan) {
    int first, end; // columns
    int kind;
    float share; // of the kind's amounts: 1, or less where a coarse cell is covered in part
};

/// The cells that a drop or a source lies within.
CELL_STRUCT(SupplyBox) {
    int first_row, end_row, first_column, end_column;
};

INLINE const SHARED int* supply_starts(const SHARED SupplyStep* supply) {
    return (const SHARED int*)(supply + 1);
}

INLINE const SHARED int* supply_ends(const SHARED SupplyStep* supply) {
    return supply_starts(supply) + supply->rows;
}

INLINE const SHARED SupplyKind* supply_kinds(const SHARED SupplyStep* supply) {
    return (const SHARED SupplyKind*)(supply_ends(supply) + supply->rows);
}

INLINE const SHARED SupplySpan* supply_spans(const SHARED SupplyStep* supply) {
    return (const SHARED SupplySpan*)(supply_kinds(supply) + supply->kinds);
}

INLINE const SHARED SupplyBox* supply_boxes(const SHARED SupplyStep* supply) {
    return (const SHARED SupplyBox*)(supply_spans(supply) + supply->spans);
}

#endif
