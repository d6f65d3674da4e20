// SPDX-License-Identifier: MIT
/// What a page wants to see: tiles, and planes of them (docs/protocol.md).
#ifndef STUDIO_WANT_H
#define STUDIO_WANT_H

#include <stdatomic.h>
#include <stdint.h>

/// The planes, in the order of their bits.
typedef enum Plane {
    PLANE_HEIGHT,
    PLANE_WATER,
    PLANE_VELOCITY,
    PLANE_SEDIMENT,
    PLANE_DEPOSIT,
    PLANE_FLOW,
    PLANE_WEAR,
    PLANE_HARDNESS,
    PLANE_MATERIAL,
    PLANE_COUNT
} Plane;

/// "height", ...
const char* plane_name(Plane plane);

/// What moves: the other planes change slowly, and are looked at less often.
#define MOVING_PLANES (1u << PLANE_HEIGHT | 1u << PLANE_WATER | 1u << PLANE_VELOCITY)

/// What a brush or a stamp changes: to be seen first.
#define EDITED_PLANES                                                                              \
    (1u << PLANE_HEIGHT | 1u << PLANE_WATER | 1u << PLANE_SEDIMENT | 1u << PLANE_HARDNESS |        \
     1u << PLANE_MATERIAL)

enum {
    TILE_SQUARES = 64,                    ///< along a side
    TILE_SIDE = TILE_SQUARES + 3,         ///< samples along a side
    TILE_SAMPLES = TILE_SIDE * TILE_SIDE, ///
    WANT_TILES = 1024,                    ///< at most
    TILE_LEVELS = 24,                     ///< more than a world can have
    TILE_PLACE = 65535,                   ///< the largest x or y
};

/// A tile as a number; sorted numbers are sorted by level, then row, then column.
typedef uint64_t TileKey;

static inline TileKey tile_key(int level, int x, int y) {
    return (TileKey)level << 32 | (TileKey)y << 16 | (TileKey)x;
}
static inline int tile_level(TileKey key) {
    return (int)(key >> 32);
}
static inline int tile_x(TileKey key) {
    return (int)(key & 0xffff);
}
static inline int tile_y(TileKey key) {
    return (int)(key >> 16 & 0xffff);
}

/// A list of tiles, sorted and each once. Does not change once it is made; several may hold it.
typedef struct Want {
    atomic_int holders;
    unsigned planes; ///< bits of Plane
    int count;
    TileKey tiles[];
} Want;

/// With room for `count` tiles, held once; NULL without memory.
Want* want_create(int count);

/// Brings the tiles into order.
void want_sort(Want* want);

Want* want_hold(Want* want);
void want_drop(Want* want); ///< NULL is allowed

#endif
