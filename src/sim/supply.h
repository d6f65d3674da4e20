/// Water supply (W1) to (W4): uniform rain, drops, sources, and rain that comes and goes.
#ifndef SUPPLY_H
#define SUPPLY_H

#include "settings.h"
#include "tiles.h"

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
    const int* row_start;  // index of the first disc whose first row is at least this one
    int tallest;           // rows of the tallest disc
} SupplyStep;

typedef struct Supply {
    const GullySettings* settings; // borrowed
    uint64_t seed;
    int width, height;
    Disc* discs; // as drawn, and sorted
    Disc* sorted;
    int capacity;
    int* row_start;       // [height + 1]
    double pattern_scale; // of the pattern in the world; 0 = there is none
    int pattern_octaves;
    SupplyStep step;
} Supply;

extern const Pass supply_pass;

/// Gets ready for these settings with that time step. On failure nothing has changed.
GullyStatus supply_prepare(Supply* supply, const GullyWorld* world, const GullySettings* settings,
                           double dt);
void supply_free(Supply* supply);

/// Draws what falls in the step that starts at `time`; false if nothing does.
bool supply_begin_step(Supply* supply, int64_t step, double time, double dt);

/// Fills the pattern of seasonal rain, if there is any and it is not what is there already.
void supply_fill_pattern(Supply* supply, GullyWorld* world);

#endif
