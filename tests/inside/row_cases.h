// SPDX-License-Identifier: MIT
/// Small worlds on which the passes of every law can be run in two ways: on whole rows, as the
/// steppers do, and on rows of one cell that know nothing but what the pass declares, as a device
/// does. No line knows a law by name.
#ifndef ROW_CASES_H
#define ROW_CASES_H

#include "law.h"

/// A world without tiles: every field with a border of one cell.
typedef struct Grid {
    int width, height;
    bool open[SIDES];
    bool ask_all; // every row has_boundary, as the plain stepper says
    float* fields[FIELD_IDS];
    float outside[FIELD_IDS]; // also the value of a field that the grid does not have
    bool scratch[FIELD_IDS];
} Grid;

/// A law with constants, on a grid.
typedef struct RowCase {
    char name[128];
    const Law* law;
    Pass passes[32]; // of the law
    const void* consts;
    Grid grid;
} RowCase;

/// Runs a pass on a row of one cell; returns what it counted in `counted`.
typedef void RunCell(void* context, const RowCase* c, const Pass* pass, PassRow* row,
                     Exact counted[ACCOUNTS]);

/// How a run of cases went.
typedef struct RowResult {
    int64_t cells;    // compared
    FieldSet written; // fields that changed
    AccountSet counted;
} RowResult;

/// Calls `each` for every case: all laws of the table, the supply and rounding, with all choices of
/// their parameters, several materials, masks, sides and shapes of a grid.
void each_row_case(void (*each)(void* context, RowCase* c), void* context);

/// Runs some steps of a case on whole rows, and every pass of them again cell by cell with `run`.
/// Both must write and count the same, and only what the pass declares.
void check_row_case(RowCase* c, int steps, RunCell* run, void* context, RowResult* result);

#endif
