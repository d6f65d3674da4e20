#include "levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lease.h"
#include "levels_inside.h"

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

// ---- from the world to its levels ---------------------------------------------------------------

/// A strip of the outer world: as many rows as a cell of the coarsest level has.
static GullyStatus create_strip(const Levels* levels, Sheet* strip) {
    return sheet_create(levels->sim->world->width, 1 << levels->coarsest, &levels->fields, strip);
}

/// Remembers all rows of the outer world.
static GullyStatus remember(Levels* levels, Sheet* strip) {
    const GullyWorld* world = levels->sim->world;
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < world->height && !status; y += strip->height) {
        strip->y = y;
        status = sheet_load(strip, world, &levels->fields, NULL);
        if (!status)
            status = sheet_store(strip, levels->memory, &levels->memory_fields, NULL, false);
    }
    return status;
}

/// Puts the cells that are a level's own into its world, and takes those out of it that no step needs.
static GullyStatus store_own(LevelGrid* grid) {
    const size_t cells = (size_t)grid->now.width * (size_t)grid->now.height;
    if (!grid->marks) return sheet_store(&grid->now, grid->world, &grid->fields, NULL, true);
    unsigned char* marks = malloc(cells);
    if (!marks) return gully_fail(GULLY_NO_MEMORY, "no memory for a level of %zu cells", cells);
    for (size_t i = 0; i < cells; i++)
        marks[i] = grid->marks[i] != MARK_GHOST;
    GullyStatus status = sheet_store(&grid->now, grid->world, &grid->fields, marks, true);
    free(marks);
    return status;
}

/// Makes the cells of a level means of the outer world's.
static GullyStatus take_means(Levels* levels, LevelGrid* grid, Sheet* strip) {
    GullyStatus status = GULLY_OK;
    grid->cells = 0;
    for (int y = 0; y < grid->now.height && !status; y++) {
        strip->y = y * grid->scale;
        strip->height = grid->scale;
        status = sheet_load(strip, levels->sim->world, &levels->fields, NULL);
        for (int x = 0; x < grid->now.width && !status; x++) {
            const Square square = {x * grid->scale, y * grid->scale, grid->scale};
            if (level_owns(grid, &levels->map, x, y))
                picture_means(strip, square, &grid->now, x, y);
            else
                grid->now.cells[LEVEL_B][sheet_at(&grid->now, x, y)] = NAN;
            grid->cells += sheet_has(&grid->now, x, y);
        }
    }
    const size_t bytes = (size_t)grid->now.width * (size_t)grid->now.height * sizeof(double);
    memcpy(grid->before.cells[LEVEL_B], grid->now.cells[LEVEL_B], bytes);
    return status ? status : store_own(grid);
}

// ---- and back -----------------------------------------------------------------------------------

/// The finest cells in a row of a level's cells.
static GullyStatus refine_row(Levels* levels, const LevelGrid* grid, int y, ReliefChange change,
                              const Sheet* before, Sheet* fine, unsigned char* marks,
                              double* room) {
    const Sheet* flat = levels->map.levels ? &grid->flat : &grid->now;
    memset(marks, 0, (size_t)fine->width * (size_t)fine->height);
    for (int x = 0; x < grid->now.width; x++) {
        if (!sheet_has(flat, x, y) || !level_owns(grid, &levels->map, x, y)) continue;
        const Square square = {x * grid->scale, y * grid->scale, grid->scale};
        if (grid->scale == 1)
            picture_copy(flat, x, y, before, fine);
        else
            picture_refine(flat, &grid->before, x, y, before, fine, square, change, room);
        for (int j = 0; j < grid->scale; j++)
            memset(marks + sheet_at(fine, square.x, square.y + j), 1, (size_t)grid->scale);
    }
    return sheet_store(fine, levels->sim->world, &levels->fields, marks, false);
}

static GullyStatus refine_rows(Levels* levels, LevelGrid* grid, ReliefChange change, Sheet* before,
                               Sheet* fine) {
    unsigned char* marks = malloc((size_t)fine->width * (size_t)grid->scale);
    double* room = malloc(3 * (size_t)grid->scale * (size_t)grid->scale * sizeof *room);
    GullyStatus status =
        marks && room ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for a strip of cells");
    for (int y = 0; y < grid->now.height && !status; y++) {
        before->y = fine->y = y * grid->scale;
        before->height = fine->height = grid->scale;
        status = sheet_load(before, levels->memory, &levels->memory_fields, NULL);
        if (!status) status = refine_row(levels, grid, y, change, before, fine, marks, room);
    }
    free(marks);
    free(room);
    return status;
}

/// Gives the outer world the cells of the levels, which stay as they are.
static GullyStatus show(Levels* levels, ReliefChange change) {
    Sheet before = {0}, fine = {0};
    GullyStatus status = create_strip(levels, &before);
    if (!status) status = create_strip(levels, &fine);
    if (!status) status = levels_look(levels);
    if (!status && change == CHANGE_STEPS) levels_pay(levels);
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        if (levels->grids[q].world)
            status = refine_rows(levels, &levels->grids[q], change, &before, &fine);
    }
    sheet_free(&before);
    sheet_free(&fine);
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

static GullyStatus fill_levels(Levels* levels) {
    Sheet strip = {0};
    GullyStatus status = create_strip(levels, &strip);
    if (!status) status = level_memory_open(levels->sim, &levels->memory, &levels->memory_fields);
    if (!status) status = remember(levels, &strip);
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        if (levels->grids[q].world) status = take_means(levels, &levels->grids[q], &strip);
    }
    sheet_free(&strip);
    return status;
}

/// Finds the level of each tile, once for the same parameters: details are those of the start.
static GullyStatus choose_map(GullySim* sim) {
    const GullyLevelsParams* params = params_of(sim->list->settings);
    const bool same = memcmp(params, &sim->level_params, sizeof *params) == 0;
    if (same && sim->level_map.levels && !params->map) return GULLY_OK;
    level_map_free(&sim->level_map);
    memcpy(&sim->level_params, params, sizeof *params);
    return level_map_make(params, sim->world, &sim->level_map);
}

static GullyStatus enter(GullySim* sim) {
    GullyStatus status = sim_use_processor(sim);
    if (status) return status;
    Levels* levels = calloc(1, sizeof *levels);
    if (!levels) return gully_fail(GULLY_NO_MEMORY, "no memory for levels");
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&levels->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    sim->levels = levels;
    levels->sim = sim;
    level_fields_list(sim, sim->world, 1, 1, &levels->fields);
    status = choose_map(sim);
    levels->map = sim->level_map;
    levels->coarsest = level_map_coarsest(&levels->map);
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        if (level_map_has(&levels->map, q))
            status = level_grid_open(&levels->grids[q], sim, &levels->map, q);
    }
    if (!status) status = fill_levels(levels);
    sim->world->fetch = fetch;
    sim->world->home = levels;
    levels->leases = atomic_load(&sim->world->leases);
    if (status) levels_drop(sim);
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
    for (int q = 0; q <= MAX_LEVEL; q++)
        level_grid_close(&levels->grids[q]);
    gully_world_destroy(levels->memory);
    pthread_mutex_destroy(&levels->lock);
    free(levels);
    sim->levels = NULL;
}

void levels_restart(GullySim* sim) {
    if (sim->levels && sim->levels->view != VIEW_BEHIND) levels_drop(sim);
}

/// Whether somebody wrote to the outer world since it was shown: then its cells count.
static bool was_written(const Levels* levels) {
    const GullyWorld* world = levels->sim->world;
    return levels->view != VIEW_BEHIND && atomic_load(&world->leases) != levels->leases;
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
    if (levels->map.levels) status = levels_run_mixed(levels, blocks);
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (!grid->sim) continue;
        const int64_t steps = blocks * (LEVEL_BLOCK / grid->parts);
        if (!levels->map.levels) status = gully_sim_step(grid->sim, steps);
        levels->sim->coarse_cell_steps += (double)steps * (double)grid->cells;
    }
    return status;
}

GullyStatus levels_step(GullySim* sim, int64_t steps) {
    const int64_t blocks = (steps - 1) / LEVEL_BLOCK + 1;
    GullyStatus status = GULLY_OK;
    if (sim->levels && was_written(sim->levels)) status = levels_leave(sim);
    if (!status && !sim->levels) status = enter(sim);
    if (status) return status;
    world_will_change_all(sim->world);
    status = run_blocks(sim->levels, blocks);
    sim->is_torn = status != GULLY_OK;
    sim->levels->view = VIEW_BEHIND;
    atomic_store(&sim->world->is_away, true);
    sim->steps += blocks * LEVEL_BLOCK;
    sim->coarse_steps += blocks * LEVEL_BLOCK;
    if (sim->def.masks) sim->world->flow_steps += blocks * LEVEL_BLOCK;
    return status;
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
    const int64_t cells = gully_world_cells(sim->world);
    const Levels* levels = sim->levels;
    *out = (GullyLevels){.share = {1}};
    if (cells < 0) return GULLY_FAILED;
    if (levels) find_shares(sim, out);
    const double crossed = sim->crossed + (levels ? levels->crossed : 0);
    const double settled = sim->settled + (levels ? levels->settled : 0);
    out->cell_steps =
        sim->coarse_cell_steps + (double)(sim->steps - sim->coarse_steps) * (double)cells;
    out->settled = crossed > 0 ? settled / crossed : 0;
    out->owed = sim_owed(sim) * sim->world->cell_x * sim->world->cell_y;
    return GULLY_OK;
}

double sim_owed(const GullySim* sim) {
    return sim->owed + (sim->levels ? levels_owed(sim->levels) : 0);
}
