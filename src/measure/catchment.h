// SPDX-License-Identifier: MIT
// Catchments of a terrain: hollows filled, one receiver a cell, the area and the longest way upstream.
//
// Hollows are filled to where they spill by a priority flood (Barnes, Lehman, Mulla 2014), from the
// cells at which water leaves: those with a direct neighbour outside or without data. Each other
// cell drains to one of its eight neighbours (D8-LTD, Orlandini et al. 2003): of the two on either
// side of its steepest descent, which is that of eight triangular facets (Tarboton 1997), to the
// one that keeps the way from the largest tributary nearest to the line of steepest descent. So a
// way is a chain of steps along the grid, but as a whole it follows the slope and not the grid. A
// cell without a lower neighbour, as on the surface of a filled hollow, drains to the one that the
// flood reached it from.
#ifndef MEASURE_CATCHMENT_H
#define MEASURE_CATCHMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "gully/drainage.h"

// What `way` holds beside directions. UNREACHED only while the flood runs.
enum { DIRECTIONS = 8, LEAVES = 8, NO_DATA = 9, UNREACHED = 10 };

typedef struct Catchment {
    const GullyHeights* heights;
    const GullyDrainageDef* def;
    uint32_t cells;               // of the raster
    uint32_t count;               // of them with data
    double distances[DIRECTIONS]; // to a neighbour [m]
    int64_t steps[DIRECTIONS];    // and in the arrays
    float* level;                 // ground with its hollows full [m]; NAN = no data
    uint32_t* order;              // the cells with data, each after the one that it drains to
    uint8_t* way;                 // direction to the receiver; LEAVES, NO_DATA
    uint32_t* area;               // cells that drain through a cell, itself included
    float* length;                // longest way from upstream [m]
} Catchment;

// Free it also if that fails. The heights and the definition must outlive it.
GullyStatus catchment_make(const GullyHeights* heights, const GullyDrainageDef* def,
                           Catchment* out);
void catchment_free(Catchment* catchment);

// A cell of the surface of a filled hollow.
static inline bool in_hollow(const Catchment* c, uint32_t cell) {
    return c->level[cell] > c->heights->values[cell];
}

// Where a cell drains to. It must not be one at which water leaves.
static inline uint32_t receiver(const Catchment* c, uint32_t cell) {
    return (uint32_t)((int64_t)cell + c->steps[c->way[cell]]);
}

// ---- for the files of a catchment ----------------------------------------------------------------

// The cardinal directions first; a direction's opposite is the other of its pair.
extern const int step_x[DIRECTIONS], step_y[DIRECTIONS];

// Fills level and order; way gets the direction that the flood came from.
GullyStatus catchment_flood(Catchment* catchment);

// Fills area and length, and turns the ways to the steepest descent.
GullyStatus catchment_route(Catchment* catchment);

// Says how far the work has come, 0..1. GULLY_CANCELLED if the caller wants no more of it.
GullyStatus drainage_progress(const GullyDrainageDef* def, double share);

#endif
