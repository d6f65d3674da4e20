// SPDX-License-Identifier: MIT
/// A case of the comparison of bits (same.c): a world, a law and its settings, and what is done
/// between the steps. Compiled against the headers of either version, so cases use only what both
/// have.
#ifndef CASE_H
#define CASE_H

#include <stdint.h>

#include "cases.h"
#include "gully/gully.h"

/// What happens between two runs of steps.
typedef enum CaseEvent {
    EVENT_NONE,
    EVENT_APPLY, ///< other parameters, another dt, other sources and sides
    EVENT_WRITE, ///< values written into the world
    EVENT_EDIT,  ///< a stroke, a stamp or a copy
    EVENT_UNDO,  ///< undo or redo
    EVENT_STATE, ///< the state goes into another simulation, of other tiles and threads
    EVENT_COUNT
} CaseEvent;

enum { CASE_EVENTS = 4 };

/// How the ground is wet.
enum { SUPPLY_RAIN = 1, SUPPLY_DROPS = 2, SUPPLY_SEASON = 4, SUPPLY_SOURCES = 8, SUPPLY_ALL = 15 };

typedef struct Case {
    const char* group; ///< which part of the list it belongs to
    const GullyLawInfo* law;
    uint64_t seed; ///< of the terrain, the patterns, the events and all that is random
    int width, height;
    int tile_size, threads;
    int materials;
    bool half, masks, velocity, plain;
    bool holes; ///< cells outside the domain
    bool hard;  ///< a pattern of hardness
    bool pond;  ///< flat ground, dry but for a rectangle
    bool mixed; ///< every parameter of the model at random, and the time step
    bool add_ons;
    unsigned supply;         ///< SUPPLY_*
    unsigned open_sides;     ///< bits: west, east, north, south
    int cycle;               ///< of a law with operators: 0 = its own, else random of that length
    const char* section;     ///< of `param`: "params" or an add-on
    const GullyParam* param; ///< a parameter that has another value, or NULL
    double value;            ///< its value
    int brush;               ///< of EVENT_EDIT; -1 = random
    CaseEvent events[CASE_EVENTS];
} Case;

/// The case of an index.
Case case_make(int index);

/// Tiles of that size, but of one cell only in a small world: each takes some KiB.
int case_tile_size(const Case* c, int wanted);

// ---- random numbers -----------------------------------------------------------------------------

/// The next of a sequence (splitmix64), the same on every machine.
static inline uint64_t random_next(uint64_t* state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// An integer from 0 to count - 1.
static inline int random_below(uint64_t* state, int count) {
    return (int)(random_next(state) >> 33) % count;
}

/// A number from 0 to below 1.
static inline double random_share(uint64_t* state) {
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

#endif
