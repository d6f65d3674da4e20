// SPDX-License-Identifier: MIT
#include "level_rule.h"

#include <math.h>

/// How errors at one level follow from those at another; found on mountains and on an island.
static const double finer_square = 0.36, coarser_factor = 1.25;
static const double least_gain = 1.5;    // in cost, for a change of level
static const double active_share = 0.01; // of the fastest tile's change

static double square(double x) {
    return x * x;
}

/// The square of a tile's error against the finest level, if it were at level k.
static double error_square(const TileMeasure* tile, int q, int k) {
    const double own = q == 0 ? 0 : finer_square * square(coarser_factor * tile->off[q + 1]);
    if (k == 0) return 0;
    return k < q ? finer_square * own : k == q ? own : own + square(tile->off[k]);
}

/// Mean of the square of the change over active tiles.
static double mean_square(const TileMeasure* tiles, int count) {
    double fastest = 0, sum = 0, area = 0;
    for (int i = 0; i < count; i++)
        fastest = fmax(fastest, tiles[i].change);
    for (int i = 0; i < count; i++) {
        if (tiles[i].area == 0 || !(tiles[i].change > active_share * fastest)) continue;
        sum += square(tiles[i].change) * tiles[i].area;
        area += tiles[i].area;
    }
    return area > 0 ? sum / area : 0;
}

/// A tile where nothing is and nothing happens.
static bool is_idle(const TileMeasure* tile) {
    return !tile->is_wet && tile->change == 0;
}

static int best_level(const TileMeasure* tile, int q, double allowed, int max) {
    int best = q;
    const double now = error_square(tile, q, q) + ldexp(allowed, -3 * q);
    double least = now;
    for (int k = q > 0 ? q - 1 : 0; k <= max; k++) {
        const double cost = error_square(tile, q, k) + ldexp(allowed, -3 * k);
        if (!(cost < least)) continue; // or it was not looked at
        least = cost;
        best = k;
    }
    return least * least_gain < now ? best : q;
}

/// The finest level of the tiles around one where something is, at most `level`.
static int finest_beside(const TileMeasure* tiles, const LevelMap* map, const unsigned char* levels,
                         int tile, int level) {
    for (int n = 0; n < 9; n++) {
        const int x = tile % map->tiles_x + n % 3 - 1, y = tile / map->tiles_x + n / 3 - 1;
        if (x < 0 || y < 0 || x >= map->tiles_x || y >= map->tiles_y) continue;
        const int other = y * map->tiles_x + x;
        if (!is_idle(&tiles[other]) && levels[other] < level) level = levels[other];
    }
    return level;
}

void level_rule(const TileMeasure* tiles, const LevelMap* map, double error, int max,
                unsigned char* wanted, LevelErrors* expected) {
    const int count = level_map_tiles(map);
    const double allowed = square(error) * mean_square(tiles, count);
    for (int i = 0; i < count; i++) {
        const int q = map->levels[i];
        wanted[i] =
            (unsigned char)(is_idle(&tiles[i]) ? max : best_level(&tiles[i], q, allowed, max));
    }
    for (int i = 0; i < count; i++) // something may come to a tile where nothing is
        if (is_idle(&tiles[i]) && tiles[i].area > 0)
            wanted[i] = (unsigned char)finest_beside(tiles, map, wanted, i, max);
    level_map_balance(map, wanted);
    *expected = (LevelErrors){0};
    for (int i = 0; i < count; i++) {
        const double square_of = error_square(&tiles[i], map->levels[i], wanted[i]);
        expected->error += tiles[i].area * (square_of == square_of ? square_of : 0); // NaN: idle
        expected->change += tiles[i].area * square(tiles[i].change);
    }
}
