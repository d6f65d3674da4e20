// SPDX-License-Identifier: MIT
/// Levels that change while a simulation runs, by the parameter `error` (level_rule.h). They follow from
/// the state and the settings alone: the first block after the settings and every eighth are compared with
/// coarser levels, and then each tile gets its level. Whoever looks, and on how many threads it runs, does
/// not show.
#include <stdlib.h>
#include <string.h>

#include "levels_inside.h"

/// Blocks from one choice of levels to the next.
enum { CHOICE_BLOCKS = 8 };

/// The world itself as the only level, to compare it with coarser ones.
static GullyStatus watch(GullySim* sim, Levels** out) {
    GullyStatus status = levels_create(sim, out);
    if (!status) level_grid_borrow(&(*out)->grids[0], sim, &(*out)->map);
    return status;
}

static void end_watch(Levels* levels) {
    if (!levels) return;
    levels->grids[0] = (LevelGrid){0};
    levels_destroy(levels);
}

/// Runs a block and compares it with coarser levels.
static GullyStatus compare_block(GullySim* sim, Levels* levels) {
    GullyStatus status = shadows_begin(levels, &sim->coarse_cell_steps);
    if (!status) status = levels_advance(sim, 1);
    if (!status && !sim->levels) status = shadows_compare(levels);
    return status;
}

/// Chooses the level of each tile.
static void choose(GullySim* sim, const Levels* levels, unsigned char* wanted) {
    const LevelMap* map = &sim->level_map;
    LevelErrors expected;
    level_rule(shadows_measures(levels), map, sim->level_params.error, sim->level_params.max,
               wanted, &expected);
    sim->level_errors.error += expected.error;
    sim->level_errors.change += expected.change;
    for (int i = 0; i < level_map_tiles(map); i++)
        sim->level_changes += wanted[i] != map->levels[i];
}

/// Follows a choice. Where no tile is coarser, the world is stored and stepped as without levels.
static GullyStatus follow(GullySim* sim, const unsigned char* wanted) {
    const size_t tiles = (size_t)level_map_tiles(&sim->level_map);
    bool some = false;
    for (size_t i = 0; i < tiles; i++)
        some |= wanted[i] > 0;
    GullyStatus status = GULLY_OK;
    if (sim->levels && some) {
        status = levels_change(sim->levels, wanted);
        sim->is_torn = status != GULLY_OK;
        return status;
    }
    if (sim->levels) status = levels_leave(sim);
    if (!status) memcpy(sim->level_map.levels, wanted, tiles);
    return status ? status : levels_enter(sim);
}

static GullyStatus step_and_choose(GullySim* sim) {
    unsigned char* wanted = malloc((size_t)level_map_tiles(&sim->level_map));
    Levels *watched = NULL, *levels = sim->levels;
    GullyStatus status =
        wanted ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for a map of levels");
    if (!status && !levels) status = watch(sim, &watched);
    if (!levels) levels = watched;
    if (!status) status = compare_block(sim, levels);
    if (!status) choose(sim, levels, wanted);
    if (levels) shadows_end(levels);
    end_watch(watched);
    if (!status) status = follow(sim, wanted);
    free(wanted);
    return status;
}

GullyStatus levels_step_by_error(GullySim* sim, int64_t blocks) {
    GullyStatus status = levels_choose_map(sim);
    while (blocks > 0 && !status) {
        const int64_t since = sim->level_age % CHOICE_BLOCKS, left = CHOICE_BLOCKS - since;
        const int64_t now = since == 0 ? 1 : left < blocks ? left : blocks;
        if (!sim->levels) status = levels_enter(sim); // somebody wrote, or the settings changed
        if (!status) status = since == 0 ? step_and_choose(sim) : levels_advance(sim, now);
        sim->level_age += now;
        blocks -= now;
    }
    return status;
}
