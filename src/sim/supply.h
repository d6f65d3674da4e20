/// Water supply (W1) to (W4): decides what falls in a step; supply_pass.c lets it fall.
#ifndef SUPPLY_H
#define SUPPLY_H

#include "settings.h"
#include "supply_pass.h"
#include "tiles.h"

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

/// Gets ready for these settings with that time step. On failure nothing has changed.
GullyStatus supply_prepare(Supply* supply, const GullyWorld* world, const GullySettings* settings,
                           double dt);
void supply_free(Supply* supply);

/// Draws what falls in the step that starts at `time`; false if nothing does.
bool supply_begin_step(Supply* supply, int64_t step, double time, double dt);

/// Fills the pattern of seasonal rain, if there is any and it is not what is there already.
void supply_fill_pattern(Supply* supply, GullyWorld* world);

#endif
