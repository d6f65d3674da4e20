// SPDX-License-Identifier: MIT
#include "level_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "level_picture.h"
#include "level_rule.h"

static int tile_of(const GullyLevelsParams* params, const GullyWorld* world) {
    const int longer = world->width > world->height ? world->width : world->height;
    return params->tile > 0 ? params->tile : longer < 4096 ? 256 : 512;
}

static size_t tile_count(const LevelMap* map) {
    return (size_t)map->tiles_x * (size_t)map->tiles_y;
}

bool level_map_has(const LevelMap* map, int level) {
    if (!map->levels) return level == map->fixed;
    return memchr(map->levels, level, tile_count(map)) != NULL;
}

int level_map_coarsest(const LevelMap* map) {
    int level = MAX_LEVEL;
    while (level > 0 && !level_map_has(map, level))
        level--;
    return level;
}

// ---- detail -------------------------------------------------------------------------------------

/// The ground of a tile and of `side` cells around it, as means of side x side cells.
typedef struct Means {
    const float* fine; // the world's ground, NaN = none
    int width, height; // of the world
    int side;
} Means;

/// The mean of a square, NaN if it is not whole.
static double mean_at(const Means* means, int x, int y) {
    const int side = means->side;
    if (x < 0 || y < 0 || (x + 1) * side > means->width || (y + 1) * side > means->height)
        return NAN;
    double sum = 0;
    for (int j = y * side; j < (y + 1) * side; j++) {
        for (int i = x * side; i < (x + 1) * side; i++)
            sum += (double)means->fine[(size_t)j * (size_t)means->width + (size_t)i];
    }
    return sum / ((double)side * side);
}

/// Half the difference of the means on either side; 0 beside what is none.
static double slope_at(const Means* means, int x, int y, int dx, int dy) {
    const double slope = (mean_at(means, x + dx, y + dy) - mean_at(means, x - dx, y - dy)) / 2;
    return isnan(slope) ? 0 : slope;
}

/// Adds what a level cannot hold of a square: the squares of the differences to its line.
static void add_detail(const Means* means, int x, int y, double* sum, double* cells) {
    const int side = means->side;
    const double mean = mean_at(means, x, y);
    if (isnan(mean)) return;
    const double sx = slope_at(means, x, y, 1, 0), sy = slope_at(means, x, y, 0, 1);
    for (int j = 0; j < side; j++) {
        for (int i = 0; i < side; i++) {
            const size_t at =
                (size_t)(y * side + j) * (size_t)means->width + (size_t)(x * side + i);
            const double line =
                mean + sx * ((i + 0.5) / side - 0.5) + sy * ((j + 0.5) / side - 0.5);
            *sum += ((double)means->fine[at] - line) * ((double)means->fine[at] - line);
        }
    }
    *cells += (double)side * side;
}

/// The rms over a tile of what a level cannot hold [m].
static double detail_of(const Means* means, int tile, int tx, int ty) {
    const int count = tile / means->side;
    double sum = 0, cells = 0;
    for (int y = ty * count; y < (ty + 1) * count; y++) {
        for (int x = tx * count; x < (tx + 1) * count; x++)
            add_detail(means, x, y, &sum, &cells);
    }
    return cells > 0 ? sqrt(sum / cells) : 0;
}

void level_map_balance(const LevelMap* map, unsigned char* levels) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (int n = 0; n < 9 * map->tiles_x * map->tiles_y; n++) {
            const int at = n / 9, x = at % map->tiles_x + n % 3 - 1;
            const int y = at / map->tiles_x + n % 9 / 3 - 1;
            if (x < 0 || y < 0 || x >= map->tiles_x || y >= map->tiles_y) continue;
            const int most = levels[y * map->tiles_x + x] + 1;
            if (levels[at] <= most) continue;
            levels[at] = (unsigned char)most;
            changed = true;
        }
    }
}

static GullyStatus find_details(const GullyLevelsParams* params, GullyWorld* world, LevelMap* map) {
    const size_t cells = (size_t)world->width * (size_t)world->height;
    float* ground = malloc(cells * sizeof *ground);
    if (!ground) return gully_fail(GULLY_NO_MEMORY, "no memory to look at %zu cells", cells);
    GullyStatus status = gully_world_read(world, GULLY_TERRAIN, gully_world_all(world), ground);
    for (int at = 0; at < map->tiles_x * map->tiles_y && !status; at++) {
        for (int level = 1; level <= params->max; level++) {
            const Means means = {ground, world->width, world->height, 1 << level};
            if (detail_of(&means, map->tile, at % map->tiles_x, at / map->tiles_x) > params->detail)
                break;
            map->levels[at] = (unsigned char)level;
        }
    }
    free(ground);
    if (!status) level_map_balance(map, map->levels);
    return status;
}

// ---- maps ---------------------------------------------------------------------------------------

/// The coarsest level that cells are needed at: a shadow is coarser than any tile.
static int coarsest_needed(const GullyLevelsParams* params) {
    return params->error > 0 ? level_deepest_shadow(params->max) : params->max;
}

static GullyStatus check_tile(const GullyLevelsParams* params, int tile) {
    const int coarsest = coarsest_needed(params);
    if ((tile & (tile - 1)) != 0)
        return gully_fail(GULLY_BAD_INPUT,
                          "levels.tile: %d is no power of two; allowed: 8, 16, ...", tile);
    if (tile >> coarsest < 1)
        return gully_fail(GULLY_BAD_INPUT,
                          "levels.max: a cell of level %d is larger than a tile of %d cells; "
                          "allowed: a lower level, or larger tiles%s",
                          coarsest, tile,
                          coarsest > params->max ? " (error looks one level further)" : "");
    return GULLY_OK;
}

GullyStatus level_map_check(const GullyLevelsParams* params, const GullyWorld* world) {
    const int ways = (params->fixed > 0) + params->map + (params->detail > 0) + (params->error > 0);
    const int tile = tile_of(params, world);
    if (ways > 1)
        return gully_fail(GULLY_BAD_INPUT, "levels: more than one of fixed, map, detail, error; "
                                           "allowed: one of them");
    const int shorter = world->width < world->height ? world->width : world->height;
    if (params->error > 0 && shorter >> coarsest_needed(params) < 1)
        return gully_fail(
            GULLY_BAD_INPUT,
            "levels.max: a cell of level %d is %d cells wide, and the world has %d x %d; "
            "allowed: a lower level (error looks one level further)",
            coarsest_needed(params), 1 << coarsest_needed(params), world->width, world->height);
    if (shorter >> params->fixed < 1)
        return gully_fail(GULLY_BAD_INPUT,
                          "levels.fixed: a cell of level %d is %d cells wide, and the world has %d "
                          "x %d; allowed: a lower level",
                          params->fixed, 1 << params->fixed, world->width, world->height);
    if (params->fixed > 0) return GULLY_OK;
    GullyStatus status = check_tile(params, tile);
    if (status || !params->map) return status;
    const int tiles_x = (world->width - 1) / tile + 1, tiles_y = (world->height - 1) / tile + 1;
    if (world->level_map && world->level_tiles_x == tiles_x && world->level_tiles_y == tiles_y) {
        for (int i = 0; i < tiles_x * tiles_y; i++) {
            if (world->level_map[i] > params->max)
                return gully_fail(GULLY_BAD_INPUT,
                                  "levels.map: tile (%d, %d) is at level %d; allowed: 0 to %d "
                                  "(levels.max)",
                                  i % tiles_x, i / tiles_x, world->level_map[i], params->max);
        }
        return GULLY_OK;
    }
    return gully_fail(GULLY_BAD_INPUT,
                      "levels.map: %d x %d levels; allowed: %d x %d, one for each tile of %d cells",
                      world->level_tiles_x, world->level_tiles_y, tiles_x, tiles_y, tile);
}

GullyStatus level_map_make(const GullyLevelsParams* params, GullyWorld* world, LevelMap* out) {
    int tile = tile_of(params, world);
    if (params->fixed > 0) tile = 256 >> params->fixed > 0 ? 256 : 1 << params->fixed;
    *out = (LevelMap){.fixed = params->fixed,
                      .tile = tile,
                      .tiles_x = (world->width - 1) / tile + 1,
                      .tiles_y = (world->height - 1) / tile + 1};
    if (params->fixed > 0) return GULLY_OK;
    out->levels = calloc(tile_count(out), 1);
    if (!out->levels) return gully_fail(GULLY_NO_MEMORY, "no memory for a map of levels");
    if (params->error > 0) return GULLY_OK; // the first block is compared with coarser ones
    if (!params->map) return find_details(params, world, out);
    memcpy(out->levels, world->level_map, tile_count(out));
    return GULLY_OK;
}

void level_map_free(LevelMap* map) {
    free(map->levels);
    *map = (LevelMap){0};
}
