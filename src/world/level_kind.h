// SPDX-License-Identifier: MIT
/// What a field means to the levels of a world: how fine cells become a coarse one, and back.
#ifndef LEVEL_KIND_H
#define LEVEL_KIND_H

typedef enum LevelKind {
    LEVEL_NONE,    // it stays behind when the level changes
    LEVEL_HEIGHT,  // b: the ground
    LEVEL_DEPTH,   // d: the water
    LEVEL_CARRIED, // s: goes with the water
    LEVEL_AMOUNT,  // of something on the cell, as a layer [m]: a mean, and constant within a cell
    LEVEL_FACTOR,  // hardness: the same, but from 0 to 1, and not conserved
    LEVEL_VALUE,   // of a moment: a mean, and constant within a cell
    LEVEL_SUM,     // counted since the start: what a level adds is added to every finer cell
    LEVEL_WEST,    // outflow through a side of the cell
    LEVEL_EAST,
    LEVEL_NORTH,
    LEVEL_SOUTH,
    LEVEL_CORNER, // outflow through a corner of the cell
} LevelKind;

#endif
