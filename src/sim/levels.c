// SPDX-License-Identifier: MIT
#include "levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lease.h"
#include "level_window.h"
#include "store.h"

static const GullyLevelsParams* params_of(const GullySettings* settings) {
    return settings_values(settings, "levels");
}

// ---- checks -------------------------------------------------------------------------------------

bool gully_settings_have_levels(const GullySettings* settings) {
    const GullyLevelsParams* levels = params_of(settings);
    return levels->fixed > 0 || levels->map || levels->detail > 0 || levels->error > 0;
}

GullyStatus gully_settings_check_levels(const GullySettings* settings) {
    const Law* model = settings->model;
    GullyStatus status = GULLY_OK;
    if (!model->coarsens)
        return gully_fail(GULLY_BAD_INPUT,
                          "levels: the model %s knows none; allowed: leave them out, or a model "
                          "that does (pipe)",
                          model->name);
    status = model->coarsens(settings_values(settings, "params"));
    for (int i = 0; i < settings->section_count && !status; i++) {
        const Section* section = &settings->sections[i];
        if (!section->on || section->add_on == model) continue;
        if (!section->add_on->coarsens)
            return gully_fail(GULLY_BAD_INPUT,
                              "levels: the law %s knows none; allowed: leave one of them out",
                              section->add_on->name);
        status = section->add_on->coarsens(section->values);
    }
    return status;
}

GullyStatus levels_check(const GullySim* sim, const GullySettings* settings) {
    const GullyLevelsParams* levels = params_of(settings);
    const GullyWorld* world = sim->world;
    if (!gully_settings_have_levels(settings)) return GULLY_OK;
    GullyStatus status = gully_settings_check_levels(settings);
    if (status) return status;
    if (world->half)
        return gully_fail(GULLY_BAD_INPUT, "levels: a world of half precision has none");
    if (sim->def.backend == GULLY_GPU)
        return gully_fail(GULLY_BAD_INPUT,
                          "levels: the processor steps them; leave out the device");
    if (ranks_share(world->ranks))
        return gully_fail(GULLY_BAD_INPUT,
                          "levels: one process steps them; leave out mpirun, or the levels");
    return level_map_check(levels, world);
}

bool levels_wanted(const GullySim* sim) {
    return !sim->is_level && gully_settings_have_levels(sim->list->settings);
}

// ---- showing ------------------------------------------------------------------------------------

/// Gives the outer world the cells of the levels, which stay as they are.
static GullyStatus show(Levels* levels, ReliefChange change) {
    Turning turning = {0};
    GullyStatus status = change == CHANGE_STEPS ? levels_pay(levels) : GULLY_OK;
    for (int tile = 0; tile < level_map_tiles(&levels->map) && !status; tile++)
        status = turn_finest(levels, tile, change, &levels->lenses[0], &turning);
    turning_end(&turning);
    levels_free_sheets(levels);
    return status;
}

/// Shows the outer world to whoever wants to see its cells; on any thread.
static GullyStatus fetch(void* home) {
    Levels* levels = home;
    GullyWorld* world = levels->sim->world;
    GullyStatus status = GULLY_OK;
    pthread_mutex_lock(&levels->lock);
    if (!levels->is_showing && atomic_load(&world->is_away)) {
        levels->is_showing = true;
        status = show(levels, CHANGE_LINES);
        levels->is_showing = false;
        levels->leases = atomic_load(&world->leases);
        if (!status) levels->view = VIEW_SHOWN;
        atomic_store(&world->is_away, status != GULLY_OK);
    }
    pthread_mutex_unlock(&levels->lock);
    return status;
}

// ---- entering and leaving -----------------------------------------------------------------------

void levels_rest(const Levels* levels) {
    store_rest(levels->memory);
    store_rest(levels->sim->world);
}

/// A row of tiles of the map that is turned into cells of their levels.
typedef struct Filling {
    Levels* levels;
    int first; // tile
    Turning* turnings;
} Filling;

static void fill_tile(void* context, int index, int worker) {
    const Filling* filling = context;
    Lens* lens = &filling->levels->lenses[worker];
    Turning* turning = &filling->turnings[worker];
    const int tile = filling->first + index;
    if (lens->status) return;
    GullyStatus status = turn_remember(filling->levels, tile, turning);
    if (!status) status = turn_coarser(filling->levels, tile, turning);
    levels_note(lens, status);
}

/// The same one after another: cells that are none are counted where they go.
static void fill_row(void* context, int item, int worker) {
    const Filling* filling = context;
    (void)item;
    for (int i = 0; i < filling->levels->map.tiles_x; i++)
        fill_tile(context, i, worker);
}

/// Makes the levels of the world. Rows of tiles go one by one, so that not everything is there twice.
static GullyStatus fill_levels(Levels* levels) {
    const GullyWorld* world = levels->sim->world;
    const int rows = world->tile_height, threads = pool_threads(levels->sim->pool);
    Filling filling = {levels, 0, calloc((size_t)threads, sizeof(Turning))};
    GullyStatus status =
        filling.turnings ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for levels");
    for (int y = 0; y < levels->map.tiles_y && !status; y++) {
        filling.first = y * levels->map.tiles_x;
        if (world->has_holes)
            pool_run(levels->sim->pool, 1, fill_row, &filling);
        else
            pool_run(levels->sim->pool, levels->map.tiles_x, fill_tile, &filling);
        status = levels_status(levels);
        if (levels->map.tile % rows == 0) levels_rest(levels);
    }
    for (int i = 0; filling.turnings && i < threads; i++)
        turning_end(&filling.turnings[i]);
    free(filling.turnings);
    if (!status) levels_rest(levels);
    levels_count_cells(levels);
    return status;
}

void levels_count_cells(Levels* levels) {
    for (int q = 0; q <= MAX_LEVEL; q++)
        levels->grids[q].cells = 0;
    for (int tile = 0; tile < level_map_tiles(&levels->map); tile++)
        levels->grids[level_of_tile(&levels->map, tile)].cells += levels->tile_cells[tile];
}

/// Room for each thread to see other levels.
static GullyStatus open_lenses(Levels* levels) {
    const size_t numbers = REGISTER_AMOUNTS * (size_t)level_ring_size(levels->map.tile);
    const int threads = pool_threads(levels->sim->pool);
    levels->lenses = calloc((size_t)threads, sizeof *levels->lenses);
    for (int i = 0; levels->lenses && i < threads; i++) {
        levels->lenses[i].give = calloc(numbers, sizeof(double));
        if (!levels->lenses[i].give) return gully_fail(GULLY_NO_MEMORY, "no memory for levels");
    }
    return levels->lenses ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for levels");
}

void levels_free_sheets(Levels* levels) {
    for (int i = 0; levels->lenses && i < pool_threads(levels->sim->pool); i++) {
        sheet_free(&levels->lenses[i].picture);
        sheet_free(&levels->lenses[i].flat);
        sheet_free(&levels->lenses[i].part);
    }
}

static void close_lenses(Levels* levels) {
    levels_free_sheets(levels);
    for (int i = 0; levels->lenses && i < pool_threads(levels->sim->pool); i++)
        free(levels->lenses[i].give);
    free(levels->lenses);
}

void levels_note(Lens* lens, GullyStatus status) {
    lens->status = status;
    if (status) snprintf(lens->message, sizeof lens->message, "%s", gully_message());
}

GullyStatus levels_status(Levels* levels) {
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < pool_threads(levels->sim->pool); i++) {
        Lens* lens = &levels->lenses[i];
        if (lens->status && !status) status = gully_fail(lens->status, "%s", lens->message);
        lens->status = GULLY_OK;
    }
    return status;
}

GullyStatus levels_choose_map(GullySim* sim) {
    const GullyLevelsParams* params = params_of(sim->list->settings);
    const bool same = memcmp(params, &sim->level_params, sizeof *params) == 0;
    if (same && sim->level_map.levels && !params->map) return GULLY_OK;
    level_map_free(&sim->level_map);
    memcpy(&sim->level_params, params, sizeof *params);
    sim->level_age = 0;
    return level_map_make(params, sim->world, &sim->level_map);
}

GullyStatus levels_create(GullySim* sim, Levels** out) {
    Levels* levels = *out = calloc(1, sizeof *levels);
    if (!levels) return gully_fail(GULLY_NO_MEMORY, "no memory for levels");
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&levels->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    levels->sim = sim;
    levels->map = sim->level_map;
    levels->coarsest = level_map_coarsest(&levels->map);
    level_fields_list(sim, sim->world, 1, 1, &levels->fields);
    levels->tile_cells = calloc((size_t)level_map_tiles(&levels->map), sizeof *levels->tile_cells);
    if (!levels->tile_cells) return gully_fail(GULLY_NO_MEMORY, "no memory for levels");
    return open_lenses(levels);
}

void levels_destroy(Levels* levels) {
    if (!levels) return;
    shadows_end(levels);
    for (int q = 0; q <= MAX_LEVEL; q++)
        level_grid_close(&levels->grids[q], &levels->map);
    close_lenses(levels);
    gully_world_destroy(levels->memory);
    pthread_mutex_destroy(&levels->lock);
    free(levels->tile_cells);
    free(levels);
}

GullyStatus levels_open(GullySim* sim) {
    GullyStatus status = levels_create(sim, &sim->levels);
    Levels* levels = sim->levels;
    if (!status) levels->finest_cells = gully_world_cells(sim->world);
    if (!status && levels->finest_cells < 0) status = GULLY_FAILED;
    for (int q = 0; !status && q <= levels->coarsest; q++) {
        if (level_map_has(&levels->map, q))
            status = level_grid_open(&levels->grids[q], sim, &levels->map, q);
    }
    if (!status) status = level_memory_open(sim, &levels->memory, &levels->memory_fields);
    if (status) levels_drop(sim);
    return status;
}

GullyStatus levels_begin(GullySim* sim) {
    Levels* levels = sim->levels;
    GullyStatus status = levels_find_borders(levels);
    sim->world->fetch = fetch;
    sim->world->home = levels;
    levels->leases = atomic_load(&sim->world->leases);
    if (status) levels_drop(sim);
    return status;
}

GullyStatus levels_enter(GullySim* sim) {
    GullyStatus status = levels_choose_map(sim);
    if (status || level_map_coarsest(&sim->level_map) == 0) return status;
    status = sim_use_processor(sim);
    if (!status) status = levels_open(sim);
    if (status) return status;
    status = fill_levels(sim->levels);
    if (!status) return levels_begin(sim);
    levels_drop(sim);
    return status;
}

void levels_drop(GullySim* sim) {
    Levels* levels = sim->levels;
    if (!levels) return;
    sim->owed += levels_owed(levels);
    sim->settled += levels->settled;
    sim->crossed += levels->crossed;
    atomic_store(&sim->world->is_away, false);
    sim->world->fetch = NULL;
    sim->world->home = NULL;
    levels_destroy(levels);
    sim->levels = NULL;
}

void levels_forget_map(GullySim* sim) {
    level_map_free(&sim->level_map);
    memset(&sim->level_params, 0, sizeof sim->level_params);
    sim->level_age = 0;
}

void levels_restart(GullySim* sim) {
    if (sim->levels && sim->levels->view != VIEW_BEHIND) levels_drop(sim);
}

/// Whether somebody wrote to the outer world since it was shown: then its cells count.
static bool was_written(const Levels* levels) {
    const GullyWorld* world = levels->sim->world;
    return levels->view != VIEW_BEHIND && atomic_load(&world->leases) != levels->leases;
}

bool levels_are_current(const GullySim* sim) {
    return sim->levels && !was_written(sim->levels);
}

GullyStatus levels_leave(GullySim* sim) {
    Levels* levels = sim->levels;
    if (!levels) return GULLY_OK;
    GullyStatus status = levels_settle(sim);
    if (!status) world_will_change_all(sim->world);
    if (!status && levels->view != VIEW_SAME && !was_written(levels)) {
        atomic_store(&sim->world->is_away, false);
        status = show(levels, CHANGE_STEPS);
        sim->is_torn = status != GULLY_OK;
    }
    levels_drop(sim);
    return status;
}

// ---- steps --------------------------------------------------------------------------------------

GullyStatus levels_settle(GullySim* sim) {
    Levels* levels = sim->levels;
    for (int q = 0; levels && q <= levels->coarsest; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (!grid->sim) continue;
        GullyStatus status = sim_settle(grid->sim);
        if (status) return status;
        for (int account = 0; account < ACCOUNTS; account++) {
            sim->accounts[account] += grid->sim->accounts[account] * (grid->scale * grid->scale);
            grid->sim->accounts[account] = 0;
        }
    }
    return GULLY_OK;
}

/// Runs blocks at the levels.
static GullyStatus run_blocks(Levels* levels, int64_t blocks) {
    GullyStatus status = GULLY_OK;
    if (levels->map.levels)
        status = levels->sim->def.plain ? levels_run_plain(levels, blocks)
                                        : levels_run_mixed(levels, blocks);
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (!grid->sim) continue;
        const int64_t steps = blocks * (LEVEL_BLOCK / grid->parts);
        if (!levels->map.levels) status = gully_sim_step(grid->sim, steps);
        levels->sim->coarse_cell_steps += (double)steps * (double)grid->cells;
    }
    return status;
}

GullyStatus levels_advance(GullySim* sim, int64_t blocks) {
    if (!sim->levels) return sim_step_finest(sim, blocks * LEVEL_BLOCK);
    world_will_change_all(sim->world);
    GullyStatus status = run_blocks(sim->levels, blocks);
    sim->is_torn = status != GULLY_OK;
    sim->levels->view = VIEW_BEHIND;
    atomic_store(&sim->world->is_away, true);
    sim->steps += blocks * LEVEL_BLOCK;
    sim->coarse_steps += blocks * LEVEL_BLOCK;
    if (sim->def.masks) sim->world->flow_steps += blocks * LEVEL_BLOCK;
    return status;
}

GullyStatus levels_step(GullySim* sim, int64_t steps) {
    const int64_t blocks = (steps - 1) / LEVEL_BLOCK + 1;
    GullyStatus status = GULLY_OK;
    if (sim->levels && was_written(sim->levels)) status = levels_leave(sim);
    if (status) return status;
    if (params_of(sim->list->settings)->error > 0) return levels_step_by_error(sim, blocks);
    if (!sim->levels) status = levels_enter(sim);
    return status ? status : levels_advance(sim, blocks);
}

/// Adds up the area of each level.
static void find_shares(const GullySim* sim, GullyLevels* out) {
    double all = 0;
    for (int q = 0; q <= MAX_LEVEL; q++) {
        const LevelGrid* grid = &sim->levels->grids[q];
        out->share[q] = (double)grid->cells * grid->scale * grid->scale;
        all += out->share[q];
    }
    for (int q = 0; q <= MAX_LEVEL && all > 0; q++)
        out->share[q] /= all;
}

GullyStatus gully_sim_levels(const GullySim* sim, GullyLevels* out) {
    const Levels* levels = sim->levels; // which know: asking the world would show it
    const int64_t cells = levels ? levels->finest_cells : gully_world_cells(sim->world);
    *out = (GullyLevels){.share = {1}};
    if (cells < 0) return GULLY_FAILED;
    if (levels) find_shares(sim, out);
    const double crossed = sim->crossed + (levels ? levels->crossed : 0);
    const double settled = sim->settled + (levels ? levels->settled : 0);
    out->cell_steps =
        sim->coarse_cell_steps + (double)(sim->steps - sim->coarse_steps) * (double)cells;
    out->settled = crossed > 0 ? settled / crossed : 0;
    out->owed = sim_owed(sim) * sim->world->cell_x * sim->world->cell_y;
    if (gully_settings_have_levels(sim->list->settings))
        out->error = params_of(sim->list->settings)->error;
    const LevelErrors* errors = &sim->level_errors;
    out->expected = errors->change > 0 ? sqrt(errors->error / errors->change) : 0;
    out->changes = sim->level_changes;
    return GULLY_OK;
}

const unsigned char* gully_sim_tile_levels(const GullySim* sim, int* tile, int* tiles_x,
                                           int* tiles_y) {
    const LevelMap* map = &sim->level_map;
    const bool has = levels_wanted(sim) && map->levels;
    *tile = has ? map->tile : 0;
    *tiles_x = has ? map->tiles_x : 0;
    *tiles_y = has ? map->tiles_y : 0;
    return has ? map->levels : NULL;
}

double sim_owed(const GullySim* sim) {
    return sim->owed + (sim->levels ? levels_owed(sim->levels) : 0);
}
