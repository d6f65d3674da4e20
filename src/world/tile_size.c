// SPDX-License-Identifier: MIT
#include "tile_size.h"

#include <unistd.h>

#include "pool.h"

/// The widest tile that is chosen without being asked for. If a processor's own cache holds the
/// rows of a panel, with all that the steps of a sweep need of them, a panel stays within it. If
/// not, they come from the cache that processors share whatever the width, as long as the panels of
/// all of them fit; and a wide panel has fewer strips to compute and fewer rows to begin.
static int widest_chosen(void) {
    enum { WIDE = 1024, WIDEST = 4096 };
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long own = sysconf(_SC_LEVEL2_CACHE_SIZE), shared = sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
    const long own = 0, shared = 0; // unknown
#endif
    int width = WIDE;
    if (own <= 0 || own >= WIDE * TILE_COLUMN_BYTES) return width;
    while (width < WIDEST && 2L * width * TILE_COLUMN_BYTES * pool_processors() <= shared / 4 * 3)
        width *= 2;
    return width;
}

/// The height of a tile that is chosen without being asked for. A small budget must hold some rows
/// of tiles, with all the fields that laws may ask for.
static int chosen_height(int width, size_t budget) {
    enum { HIGH = 256, LOW = VECTOR, TILE_ROWS = 4, CELL_BYTES = 80 };
    const size_t rows = budget / TILE_ROWS / CELL_BYTES / (size_t)width;
    return budget == 0 || rows >= HIGH ? HIGH : rows <= LOW ? LOW : (int)rows / LOW * LOW;
}

/// A rank has as many rows as any step reads beyond it, so that they are those of one neighbour.
enum { LEAST_ROWS = STRIP };

static RankRows rows_of(int height, int tile, int rank, int count) {
    const int64_t tiles = (height - 1) / tile + 1;
    const int64_t end = tiles * (rank + 1) / count * tile;
    return (RankRows){(int)(tiles * rank / count * tile), end < height ? (int)end : height};
}

/// Whether every one of so many ranks has enough rows, in tiles of some height.
static bool can_share(int height, int tile, int count) {
    for (int rank = 0; rank < count; rank++) {
        const RankRows rows = rows_of(height, tile, rank, count);
        if (rows.end - rows.first < LEAST_ROWS) return false;
    }
    return true;
}

/// Rows of the rank that has most of them.
static int most_rows(int height, int tile, int count) {
    int most = 0;
    for (int rank = 0; rank < count; rank++) {
        const RankRows rows = rows_of(height, tile, rank, count);
        most = rows.end - rows.first > most ? rows.end - rows.first : most;
    }
    return most;
}

/// The highest tiles, up to those chosen, with which no rank has 2 % more rows than it must; or those
/// that come nearest to it.
static int shared_height(const GullyWorld* world) {
    const int height = world->height, count = world->ranks->count;
    const int fair = (height - 1) / count + 1;
    int best = VECTOR;
    for (int tile = world->tile_height; tile >= VECTOR; tile -= VECTOR) {
        const int most = most_rows(height, tile, count);
        if (!can_share(height, tile, count)) continue;
        if (most < most_rows(height, best, count)) best = tile;
        if (most <= fair + fair / 50) return tile;
    }
    return best;
}

void tile_size_choose(GullyWorld* world, int asked, size_t budget) {
    const int columns = (world->width - 1) / widest_chosen() + 1;
    const int width = ((world->width - 1) / columns / VECTOR + 1) * VECTOR;
    world->tile_width = asked ? asked : width;
    world->tile_height = asked ? asked : chosen_height(world->width, budget);
    if (!asked && ranks_share(world->ranks)) world->tile_height = shared_height(world);
}

// ---- ranks --------------------------------------------------------------------------------------

RankRows rank_rows(const GullyWorld* world, int rank) {
    return rows_of(world->height, world->tile_height, rank, world->ranks->count);
}

GullyStatus rank_rows_check(const GullyWorld* world) {
    const int count = world->ranks->count, tile = world->tile_height;
    if (count == 1) return GULLY_OK;
    if (tile % VECTOR != 0)
        return gully_fail(GULLY_BAD_INPUT,
                          "tile_size: tiles of %d cells cannot be shared by ranks; allowed: "
                          "multiples of %d, 0 = chosen",
                          tile, VECTOR);
    if (can_share(world->height, tile, count)) return GULLY_OK;
    int most = count;
    while (most > 1 && !can_share(world->height, tile, most))
        most--;
    return gully_fail(GULLY_BAD_INPUT,
                      "%d ranks cannot share a world of %d rows; allowed: at most %d, since each "
                      "needs %d rows or more",
                      count, world->height, most, LEAST_ROWS);
}
