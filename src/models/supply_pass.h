/// What falls in one step, as the pass of the water supply reads it.
#ifndef SUPPLY_PASS_H
#define SUPPLY_PASS_H

#include <stdbool.h>

/// A disc of water that falls in one step: a drop, or a source that is on.
typedef struct Disc {
    double x, y, radius; // [m], from the centre of the first cell
    int near_x, near_y;  // the nearest cell, always part of it
    int first_row, end_row;
    float water, sediment; // added to each of its cells [m]
    bool is_source;
} Disc;

/// What falls in one step, as the pass reads it.
typedef struct SupplyStep {
    double cell_x, cell_y; // [m]
    float rain;            // (W1) on every cell [m]
    float season;          // (W4) times the pattern [m]
    const Disc* discs;     // by first row
    int disc_count;
    const int* row_start;  // index of the first disc whose first row is at least this one
    int tallest;           // rows of the tallest disc
} SupplyStep;

#endif
