// SPDX-License-Identifier: MIT
/// A block where levels meet, as docs/levels.md defines it, word for word: every level sees the whole
/// world at its own resolution and steps all of it; a tile takes what its own level says. It is the
/// reference for levels_mixed.c, and what `plain` simulations run.
#include <math.h>
#include <stdlib.h>

#include "levels_inside.h"

/// A level's cells, and the whole world as the level sees it.
typedef struct Picture {
    Sheet now, flat;
    unsigned char* others; // for each cell, whether it is another level's
} Picture;

typedef struct PlainRun {
    Levels* levels;
    Picture pictures[MAX_LEVEL + 1];
    int64_t blocks;
    GullyStatus status;
} PlainRun;

static GullyRect all_of(const LevelGrid* grid) {
    return gully_world_all(grid->world);
}

/// The level that a cell belongs to.
static LevelGrid* owner_of(Levels* levels, const LevelGrid* grid, int x, int y) {
    const LevelMap* map = &levels->map;
    return &levels->grids[map->levels[y / grid->tile * map->tiles_x + x / grid->tile]];
}

static GullyStatus open_pictures(PlainRun* run) {
    Levels* levels = run->levels;
    for (int q = 0; q <= levels->coarsest; q++) {
        LevelGrid* grid = &levels->grids[q];
        Picture* picture = &run->pictures[q];
        if (!grid->world) continue;
        const int width = grid->world->width, height = grid->world->height;
        GullyStatus status = sheet_fit(&picture->now, all_of(grid), &grid->fields);
        if (!status) status = sheet_fit(&picture->flat, all_of(grid), &grid->fields);
        picture->others = malloc((size_t)width * (size_t)height);
        if (!status && !picture->others)
            status = gully_fail(GULLY_NO_MEMORY, "no memory for a level of %d x %d cells", width,
                                height);
        if (status) return status;
        for (int i = 0; i < width * height; i++)
            picture->others[i] = owner_of(levels, grid, i % width, i / width) != grid;
    }
    return GULLY_OK;
}

static void close_pictures(PlainRun* run) {
    for (int q = 0; q <= MAX_LEVEL; q++) {
        sheet_free(&run->pictures[q].now);
        sheet_free(&run->pictures[q].flat);
        free(run->pictures[q].others);
    }
}

/// A cell of the flat view in a coarser tile: what covers it.
static void cover_cell(const Sheet* coarse, int r, Sheet* flat, int x, int y) {
    const size_t at = sheet_at(flat, x, y);
    if (!sheet_has(coarse, x / r, y / r)) {
        flat->cells[LEVEL_B][at] = NAN;
        return;
    }
    for (int f = 0; f < flat->count; f++)
        flat->cells[f][at] = coarse->cells[f][sheet_at(coarse, x / r, y / r)] /
                             (flat->kinds[f] >= LEVEL_WEST ? r : 1);
}

/// A level's view of the world for slopes and neighbours.
static void make_flat(PlainRun* run, const LevelGrid* grid, Sheet* flat) {
    for (int y = 0; y < flat->height; y++) {
        for (int x = 0; x < flat->width; x++) {
            const size_t at = sheet_at(flat, x, y);
            const LevelGrid* owner = owner_of(run->levels, grid, x, y);
            const Sheet* other = &run->pictures[owner->level].now;
            for (int f = 0; f < flat->count && owner->level == grid->level; f++)
                flat->cells[f][at] = other->cells[f][at];
            if (owner->level > grid->level) {
                cover_cell(other, owner->scale / grid->scale, flat, x, y);
            } else if (owner->level < grid->level) {
                const int r = grid->scale / owner->scale;
                picture_restrict(other, (Square){x * r, y * r, r}, flat, x, y);
            }
        }
    }
}

/// Turns a level's flat view into its picture: coarser tiles by (I).
static void make_picture(PlainRun* run, const LevelGrid* grid, Sheet* out) {
    for (int p = grid->level + 1; p <= run->levels->coarsest; p++) {
        const LevelGrid* coarse = &run->levels->grids[p];
        const Picture* other = &run->pictures[p];
        const int r = coarse->scale / grid->scale;
        for (int i = 0; coarse->world && i < other->flat.width * other->flat.height; i++) {
            const int x = i % other->flat.width, y = i / other->flat.width;
            if (other->others[i] || !sheet_has(&other->flat, x, y)) continue;
            picture_prolong(&other->flat, x, y, out, (Square){x * r, y * r, r});
        }
    }
}

/// Looks at the cells of every level, and at the whole world as each sees it.
static GullyStatus look_all(PlainRun* run) {
    Levels* levels = run->levels;
    GullyStatus status = GULLY_OK;
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (grid->world)
            status = sheet_load(&run->pictures[q].now, all_of(grid), grid->world, &grid->fields);
    }
    for (int q = 0; q <= levels->coarsest && !status; q++)
        if (levels->grids[q].world) make_flat(run, &levels->grids[q], &run->pictures[q].flat);
    return status;
}

/// Shows every level the whole world. Pictures of finer levels are made first: they are made of the
/// coarser ones' flat views.
static GullyStatus show_all(PlainRun* run) {
    Levels* levels = run->levels;
    GullyStatus status = look_all(run);
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (!grid->world) continue;
        make_picture(run, grid, &run->pictures[q].flat);
        status = sheet_store(&run->pictures[q].flat, grid->world, &grid->fields,
                             run->pictures[q].others, true);
    }
    return status;
}

/// On a thread of the pool, which flushes denormal numbers.
static void show_task(void* context, int item, int worker) {
    (void)item, (void)worker;
    PlainRun* run = context;
    run->status = show_all(run);
}

static GullyStatus run_block(PlainRun* run) {
    Levels* levels = run->levels;
    pool_run(levels->sim->pool, 1, show_task, run);
    GullyStatus status = run->status;
    levels_clear_registers(levels);
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (grid->sim) status = gully_sim_step(grid->sim, level_block_steps(grid));
    }
    if (!status && levels->shadows) status = shadows_compare(levels);
    return status ? status : levels_settle_borders(levels);
}

GullyStatus levels_run_plain(Levels* levels, int64_t blocks) {
    PlainRun run = {.levels = levels};
    GullyStatus status = open_pictures(&run);
    for (int64_t i = 0; i < blocks && !status; i++)
        status = run_block(&run);
    close_pictures(&run);
    return status;
}

// ---- shadows ------------------------------------------------------------------------------------

/// A level that sees the whole world for one block.
typedef struct PlainShadow {
    PlainRun run;
    LevelGrid* grid;
    Sheet picture;
} PlainShadow;

static void fill_task(void* context, int item, int worker) {
    (void)item, (void)worker;
    PlainShadow* shadow = context;
    LevelGrid* grid = shadow->grid;
    GullyStatus status = look_all(&shadow->run);
    if (!status) status = sheet_fit(&shadow->picture, all_of(grid), &grid->fields);
    if (!status) {
        make_flat(&shadow->run, grid, &shadow->picture);
        make_picture(&shadow->run, grid, &shadow->picture);
        status = sheet_store(&shadow->picture, grid->world, &grid->fields, NULL, true);
    }
    shadow->run.status = status;
}

GullyStatus levels_fill_picture(Levels* levels, LevelGrid* grid) {
    PlainShadow shadow = {.run = {.levels = levels}, .grid = grid};
    GullyStatus status = open_pictures(&shadow.run);
    if (!status) {
        pool_run(levels->sim->pool, 1, fill_task, &shadow);
        status = shadow.run.status;
    }
    close_pictures(&shadow.run);
    sheet_free(&shadow.picture);
    return status;
}
