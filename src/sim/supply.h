/// Water supply (W1) to (W4): decides what a step brings and to which cells; supply_pass.c adds it.
#ifndef SUPPLY_H
#define SUPPLY_H

#include "settings.h"
#include "supply.cell.h"
#include "tiles.h"

typedef struct Disc Disc;

typedef struct Supply {
    const GullySettings* settings; // borrowed
    uint64_t seed;
    int width, height;
    double cell_x, cell_y; // [m]
    double pattern_scale;  // of the pattern in the world; 0 = there is none
    int pattern_octaves;
    Disc* discs;      // as drawn
    int* order;       // of adding them
    int* row_counts;  // [height + 1], to compute in
    SupplyStep* step; // the constants of the pass, and its tables:
    int *starts, *ends;
    SupplyKind* kinds;
    SupplySpan* spans;
    SupplyBox* boxes;
} Supply;

/// Gets ready for these settings with that time step. On failure nothing has changed.
GullyStatus supply_prepare(Supply* supply, const GullyWorld* world, const GullySettings* settings,
                           double dt);
void supply_free(Supply* supply);

/// Draws the supply of the step that starts at `time`; false if there is none. The boxes of its
/// drops and sources are step->boxes, supply_boxes(step).
bool supply_begin_step(Supply* supply, int64_t step, double time, double dt);

/// Fills the pattern of seasonal rain, if there is any and it is not what is there already.
GullyStatus supply_fill_pattern(Supply* supply, GullyWorld* world);

#endif
