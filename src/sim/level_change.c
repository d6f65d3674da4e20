// SPDX-License-Identifier: MIT
/// Tiles that go from one level to another while a simulation runs. A tile goes by way of the finest level:
/// its ground is remembered there, as when levels are made of a world.
#include <stdlib.h>
#include <string.h>

#include "level_window.h"
#include "store.h"

typedef struct Change {
    Levels* levels;
    int* tiles; // that change
    int count;
    Turning* turnings; // of each thread
} Change;

/// Gives the outer world the finest cells of a tile that leaves its level.
static void leave_level(void* context, int index, int worker) {
    const Change* change = context;
    Lens* lens = &change->levels->lenses[worker];
    if (lens->status) return;
    levels_note(lens, turn_finest(change->levels, change->tiles[index], CHANGE_STEPS, lens,
                                  &change->turnings[worker]));
}

/// Makes cells of the tile's new level of those.
static void enter_level(void* context, int index, int worker) {
    const Change* change = context;
    Levels* levels = change->levels;
    Lens* lens = &levels->lenses[worker];
    const int tile = change->tiles[index];
    if (lens->status) return;
    GullyStatus status = turn_remember(levels, tile, &change->turnings[worker]);
    if (!status) status = turn_coarser(levels, tile, &change->turnings[worker]);
    levels_note(lens, status);
}

/// The same for all, one after another: cells that are none are counted where they go.
static void enter_levels(void* context, int item, int worker) {
    (void)item;
    const Change* change = context;
    for (int i = 0; i < change->count; i++)
        enter_level(context, i, worker);
}

/// What tiles owe is paid before they change; what is not goes to the simulation.
static GullyStatus pay(Levels* levels, const Change* change) {
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < change->count && !status; i++) {
        double owed;
        status = levels_pay_tile(levels, change->tiles[i], &owed);
        levels->sim->owed += owed;
    }
    return status;
}

static GullyStatus open_levels(Levels* levels) {
    GullyStatus status = GULLY_OK;
    levels->coarsest = level_map_coarsest(&levels->map);
    for (int q = 0; q <= levels->coarsest && !status; q++)
        if (!levels->grids[q].world && level_map_has(&levels->map, q))
            status = level_grid_open(&levels->grids[q], levels->sim, &levels->map, q);
    return status;
}

/// Closes levels that no tile has, after their accounts were settled.
static void close_levels(Levels* levels) {
    for (int q = 0; q <= MAX_LEVEL; q++)
        if (levels->grids[q].world && !level_map_has(&levels->map, q))
            level_grid_close(&levels->grids[q], &levels->map);
}

/// Frees the cells of tiles at the levels that they have left.
static void forget_cells(Levels* levels, const Change* change, const unsigned char* left) {
    for (int i = 0; i < change->count; i++) {
        const LevelGrid* grid = &levels->grids[left[change->tiles[i]]];
        const int at = grid->world ? level_world_tile(grid, &levels->map, change->tiles[i]) : -1;
        if (at >= 0) store_forget(grid->world, at);
    }
}

/// Moves the cells of all tiles that change, while the outer world has them.
static GullyStatus move(Levels* levels, Change* change, const unsigned char* wanted) {
    GullyWorld* world = levels->sim->world;
    Pool* pool = levels->sim->pool;
    GullyStatus status = pay(levels, change);
    atomic_store(&world->is_away, false); // the threads write there
    if (!status) {
        pool_run(pool, change->count, leave_level, change);
        status = levels_status(levels);
    }
    for (int i = 0; i < change->count && !status; i++)
        levels->map.levels[change->tiles[i]] = wanted[change->tiles[i]];
    if (!status) status = open_levels(levels);
    if (!status) {
        if (world->has_holes)
            pool_run(pool, 1, enter_levels, change);
        else
            pool_run(pool, change->count, enter_level, change);
        status = levels_status(levels);
    }
    levels_rest(levels);
    atomic_store(&world->is_away, true);
    return status;
}

static GullyStatus change_tiles(Levels* levels, Change* change, const unsigned char* wanted,
                                unsigned char* left) {
    memcpy(left, levels->map.levels, (size_t)level_map_tiles(&levels->map));
    GullyStatus status = levels_settle(levels->sim);
    if (!status) status = move(levels, change, wanted);
    if (status) return status;
    close_levels(levels);
    forget_cells(levels, change, left);
    levels_count_cells(levels);
    return levels_find_borders(levels);
}

GullyStatus levels_change(Levels* levels, const unsigned char* wanted) {
    const int tiles = level_map_tiles(&levels->map), threads = pool_threads(levels->sim->pool);
    Change change = {.levels = levels};
    unsigned char* left = malloc((size_t)tiles);
    change.tiles = malloc((size_t)tiles * sizeof *change.tiles);
    change.turnings = calloc((size_t)threads, sizeof *change.turnings);
    GullyStatus status = GULLY_OK;
    if (!left || !change.tiles || !change.turnings)
        status = gully_fail(GULLY_NO_MEMORY, "no memory to change levels");
    for (int i = 0; i < tiles && !status; i++)
        if (wanted[i] != levels->map.levels[i]) change.tiles[change.count++] = i;
    if (!status && change.count > 0) status = change_tiles(levels, &change, wanted, left);
    for (int i = 0; change.turnings && i < threads; i++)
        turning_end(&change.turnings[i]);
    levels_free_sheets(levels);
    free(change.turnings);
    free(change.tiles);
    free(left);
    return status;
}
