// SPDX-License-Identifier: MIT
/// Water supply (W1) to (W4): decides what a step brings and to which cells; supply_pass.c adds it.
#ifndef SUPPLY_H
#define SUPPLY_H

#include "pace.h"
#include "settings.h"
#include "supply.cell.h"
#include "tiles.h"

typedef struct Disc Disc;

typedef struct Supply {
    const GullySettings* settings; // borrowed
    uint64_t seed;
    const StepPace* pace;  // borrowed
    int width, height;     // of the world, in finest cells
    double cell_x, cell_y; // of those [m]
    int columns, rows;     // of the cells that get the water
    double pattern_scale;  // of the pattern in the world; 0 = there is none
    int pattern_octaves;
    Disc* discs;      // as drawn
    int* order;       // of adding them
    int* row_counts;  // [rows + 1], to compute in
    int* covered;     // [columns + 1]: finest cells of a disc in each cell of a row, as differences
    SupplyStep* step; // the constants of the pass, and its tables:
    int *starts, *ends;
    SupplyKind* kinds;
    SupplySpan* spans;
    SupplyBox* boxes;
} Supply;

/// Gets ready for these settings with that time step. On failure nothing has changed.
GullyStatus supply_prepare(Supply* supply, const GullyWorld* world, const GullySettings* settings,
                           double dt, const StepPace* pace);
void supply_free(Supply* supply);

/// Draws the supply of a step; false if there is none. The boxes of its drops and sources are
/// step->boxes, supply_boxes(step). On a coarser level it is that of all finest steps in it, and a
/// cell gets the mean of its finest cells.
bool supply_begin_step(Supply* supply, const StepClock* clock, int64_t step);

/// Fills the pattern of seasonal rain, if there is any and it is not what is there already.
GullyStatus supply_fill_pattern(Supply* supply, GullyWorld* world);

#endif
