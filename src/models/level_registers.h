// SPDX-License-Identifier: MIT
/// Registers: what crosses the borders of a level's tiles (docs/levels.md). A law that moves something
/// between cells has a pass for them (Law.edges), which runs only where levels meet.
#ifndef LEVEL_REGISTERS_H
#define LEVEL_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>

/// The sides and corners of a tile, in the order of the neighbours of a cell (neighbours.rows.h).
enum { EDGE_W, EDGE_E, EDGE_N, EDGE_S, EDGE_NW, EDGE_SE, EDGE_NE, EDGE_SW, EDGES };

/// What is registered: the ground as a whole, then each material but the bedrock.
enum { REGISTER_WATER, REGISTER_SEDIMENT, REGISTER_GROUND, REGISTER_AMOUNTS = REGISTER_GROUND + 8 };

/// Sums for each tile of the level that lies beside one of another level, by amount and place: the cells
/// along the four sides, then the four corners. All are inwards, in metres of a finest cell.
typedef struct Registers {
    int width, height;    // of the level, in cells
    int tile, shift;      // cells along a tile: 2^shift
    int tiles_x, tiles_y; //
    double area;          // of a cell, in finest cells
    double** sums;        // [tiles][REGISTER_AMOUNTS * places], NULL = none of that tile
} Registers;

static inline int register_places(const Registers* registers) {
    return 4 * registers->tile + 4;
}

/// The sums of a tile and an amount.
static inline double* register_sums(const Registers* registers, int tile, int amount) {
    return registers->sums[tile] + amount * register_places(registers);
}

/// The constants of an edges pass.
typedef struct EdgeConsts {
    const void* law; // its own
    Registers* registers;
} EdgeConsts;

/// Where a cell of a tile registers what it exchanges with a neighbour: at the side that lies between
/// them, or at a corner of the tile. -1 = they are in the same tile, or the neighbour is none.
static inline int register_place(const Registers* registers, int x, int y, int neighbour) {
    static const int dx[EDGES] = {-1, 1, 0, 0, -1, 1, 1, -1};
    static const int dy[EDGES] = {0, 0, -1, 1, -1, 1, -1, 1};
    const int tile = registers->tile, shift = registers->shift;
    const int i = x & (tile - 1), j = y & (tile - 1);
    const int to_x = x + dx[neighbour], to_y = y + dy[neighbour];
    if (to_x < 0 || to_y < 0 || to_x >= registers->width || to_y >= registers->height) return -1;
    const int across = (to_x >> shift) - (x >> shift), down = (to_y >> shift) - (y >> shift);
    if (across && down) return 4 * tile + neighbour - EDGE_NW;
    if (across) return (across > 0 ? EDGE_E : EDGE_W) * tile + j;
    if (down) return (down > 0 ? EDGE_S : EDGE_N) * tile + i;
    return -1;
}

/// The tile that a cell is in.
static inline int register_tile(const Registers* registers, int x, int y) {
    return (y >> registers->shift) * registers->tiles_x + (x >> registers->shift);
}

/// The first column from x on whose cell in row y lies at a border of a tile that has registers; `end`
/// if there is none before.
static inline int next_at_edge(const Registers* registers, int x, int y, int end) {
    const int tile = registers->tile, last = tile - 1;
    while (x < end) {
        const int i = x & last, j = y & last;
        const bool has = registers->sums[register_tile(registers, x, y)];
        if (has && (i == 0 || i == last || j == 0 || j == last)) return x;
        x += has && i < last ? last - i : tile - i;
    }
    return end;
}

/// Adds to a register, per area of a cell [m].
static inline void register_add(Registers* registers, int x, int y, int place, int amount,
                                double inwards) {
    register_sums(registers, register_tile(registers, x, y), amount)[place] +=
        inwards * registers->area;
}

#endif
