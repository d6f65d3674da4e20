// SPDX-License-Identifier: MIT
/// The rule by which tiles get their levels while a simulation runs (docs/levels.md).
///
/// From time to time a block is stepped at coarser levels as well, as a shadow. With c the change of a
/// tile's ground in the block at its own level q, and c_k that at a coarser level k,
///
///     e_k       = rms(c - c_k)                       over the cells of the tile
///     E_q^2     = 0.36 (1.25 e_(q+1))^2              error against the finest level; 0 at level 0
///     E_(q-1)^2 = 0.36 E_q^2                         0 at level 0
///     E_k^2     = E_q^2 + e_k^2                      k > q
///     cost_k    = E_k^2 + (error R)^2 8^-k           R = rms of c over all active tiles
///
/// A tile goes to the level of the least cost among q-1 .. max, of those that were looked at, if that is less
/// by a factor of 1.5. At first that is all of them, later those up to q+1. One
/// step of a level makes 8 times fewer cell-steps than those of the next finer.
#ifndef LEVEL_RULE_H
#define LEVEL_RULE_H

#include "level_map.h"
#include "level_picture.h"

/// What a tile did in a block.
typedef struct TileMeasure {
    double area;               // in finest cells, of those in the domain
    double change;             // rms of the change of its ground [m]
    double off[MAX_LEVEL + 2]; // e_k [m], of levels coarser than its own; NaN = not looked at
    bool is_wet;               // some cell has water
} TileMeasure;

/// The error to expect: sums over tiles of area times the square of a tile's error, and of its change.
typedef struct LevelErrors {
    double error, change;
} LevelErrors;

/// The coarsest level that a shadow of a tile has: one more than that of any tile.
static inline int level_deepest_shadow(int max) {
    return max + 1;
}

/// Finds the levels of all tiles; `wanted` may not be the map's own list.
void level_rule(const TileMeasure* tiles, const LevelMap* map, double error, int max,
                unsigned char* wanted, LevelErrors* expected);

#endif
