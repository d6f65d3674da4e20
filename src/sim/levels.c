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
    return params_of(settings)->fixed > 0;
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
    const int shorter = world->width < world->height ? world->width : world->height;
    if (shorter >> levels->fixed < 1)
        return gully_fail(GULLY_BAD_INPUT,
                          "levels.fixed: a cell of level %d is %d cells wide, and the world has %d "
                          "x %d; allowed: a lower level",
                          levels->fixed, 1 << levels->fixed, world->width, world->height);
    return GULLY_OK;
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
        status = sheet_load(strip, world, &levels->fields);
        if (!status)
            status = sheet_store(strip, levels->memory, &levels->memory_fields, NULL, false);
    }
    return status;
}

/// Makes the cells of a level means of the outer world's.
static GullyStatus take_means(Levels* levels, LevelGrid* grid, Sheet* strip) {
    GullyStatus status = GULLY_OK;
    grid->cells = 0;
    for (int y = 0; y < grid->now.height && !status; y++) {
        strip->y = y * grid->scale;
        status = sheet_load(strip, levels->sim->world, &levels->fields);
        for (int x = 0; x < grid->now.width && !status; x++) {
            const Square square = {x * grid->scale, y * grid->scale, grid->scale};
            picture_means(strip, square, &grid->now, x, y);
            grid->cells += sheet_has(&grid->now, x, y);
        }
    }
    const size_t bytes = (size_t)grid->now.width * (size_t)grid->now.height * sizeof(double);
    memcpy(grid->before.cells[LEVEL_B], grid->now.cells[LEVEL_B], bytes);
    return status ? status : sheet_store(&grid->now, grid->world, &grid->fields, NULL, true);
}

// ---- and back -----------------------------------------------------------------------------------

/// The finest cells in a row of a level's cells.
static GullyStatus refine_row(Levels* levels, const LevelGrid* grid, int y, ReliefChange change,
                              const Sheet* before, Sheet* fine, unsigned char* marks,
                              double* room) {
    memset(marks, 0, (size_t)fine->width * (size_t)fine->height);
    for (int x = 0; x < grid->now.width; x++) {
        if (!sheet_has(&grid->now, x, y)) continue;
        const Square square = {x * grid->scale, y * grid->scale, grid->scale};
        picture_refine(&grid->now, &grid->before, x, y, before, fine, square, change, room);
        for (int j = 0; j < grid->scale; j++)
            memset(marks + sheet_at(fine, square.x, square.y + j), 1, (size_t)grid->scale);
    }
    return sheet_store(fine, levels->sim->world, &levels->fields, marks, false);
}

static GullyStatus refine_rows(Levels* levels, LevelGrid* grid, ReliefChange change, Sheet* before,
                               Sheet* fine) {
    const size_t cells = (size_t)fine->width * (size_t)fine->height;
    unsigned char* marks = malloc(cells);
    double* room = malloc(3 * (size_t)grid->scale * (size_t)grid->scale * sizeof *room);
    GullyStatus status =
        marks && room ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for a strip of cells");
    if (!status) status = sheet_load(&grid->now, grid->world, &grid->fields);
    for (int y = 0; y < grid->now.height && !status; y++) {
        before->y = fine->y = y * grid->scale;
        status = sheet_load(before, levels->memory, &levels->memory_fields);
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
    levels->coarsest = params_of(sim->list->settings)->fixed;
    level_fields_list(sim, sim->world, 1, 1, &levels->fields);
    status = level_grid_open(&levels->grids[levels->coarsest], sim, levels->coarsest);
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

/// Whether somebody wrote to the outer world since it was shown: then its cells count.
static bool was_written(const Levels* levels) {
    const GullyWorld* world = levels->sim->world;
    return levels->view != VIEW_BEHIND && atomic_load(&world->leases) != levels->leases;
}

GullyStatus levels_leave(GullySim* sim) {
    Levels* levels = sim->levels;
    if (!levels) return GULLY_OK;
    GullyStatus status = levels_settle(sim);
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
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (!grid->sim) continue;
        const int64_t steps = blocks * (LEVEL_BLOCK / grid->parts);
        status = gully_sim_step(grid->sim, steps);
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
    status = run_blocks(sim->levels, blocks);
    sim->is_torn = status != GULLY_OK;
    sim->levels->view = VIEW_BEHIND;
    atomic_store(&sim->world->is_away, true);
    sim->steps += blocks * LEVEL_BLOCK;
    if (sim->def.masks) sim->world->flow_steps += blocks * LEVEL_BLOCK;
    return status;
}

GullyStatus gully_sim_levels(const GullySim* sim, GullyLevels* out) {
    const int64_t cells = gully_world_cells(sim->world);
    *out = (GullyLevels){.share = {levels_wanted(sim) ? 0 : 1}};
    if (cells < 0) return GULLY_FAILED;
    if (levels_wanted(sim)) out->share[params_of(sim->list->settings)->fixed] = 1;
    out->cell_steps = sim->coarse_cell_steps + (double)sim->uniform_steps * (double)cells;
    return GULLY_OK;
}
