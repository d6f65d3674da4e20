// SPDX-License-Identifier: MIT
/// Shadows: a block of tiles as coarser levels would have stepped it (level_rule.h).
///
/// A shadow is a level's world for one block. It has the tiles of all finer levels, which it sees as any
/// level sees others' cells, and what its steps read beside those. What comes of it is the change of the
/// ground in each of its cells; nothing else stays of it.
#include <math.h>
#include <stdlib.h>

#include "level_window.h"

/// The change of a tile's ground at coarser levels.
typedef struct ShadowTile {
    double* before;                // ground of the tile's own cells before the block; NaN = no cell
    double* change[MAX_LEVEL + 2]; // by each coarser level, of its cells; NULL = not looked at
} ShadowTile;

struct Shadows {
    ShadowTile* tiles;     // of the map
    TileMeasure* measures; //
    int count;             // of tiles
    int max;               // coarsest level of a tile
    bool all;              // the levels were never chosen before
    bool* mine;            // the tiles of the shadow that is stepped now
};

static const LevelFields ground_and_water = {{{.kind = LEVEL_HEIGHT}, {.kind = LEVEL_DEPTH}}, 2};

/// The grid's ground, and its water.
static LevelFields fields_of(const LevelGrid* grid, int count) {
    LevelFields fields = ground_and_water;
    for (int f = 0; f < count; f++)
        fields.list[f] = grid->fields.list[f];
    fields.count = count;
    return fields;
}

static GullyRect cells_of(const Levels* levels, const LevelGrid* grid, int tile) {
    return level_around(grid, level_tile_cells(grid, &levels->map, tile), 0);
}

static const LevelGrid* grid_of(const Levels* levels, int tile) {
    return &levels->grids[level_of_tile(&levels->map, tile)];
}

/// The coarsest shadow of a tile at a level. At first a tile may go to any; later one level at a time, which
/// takes fewer shadows.
static int deepest_of(const Shadows* shadows, int level) {
    return shadows->all && level < shadows->max ? shadows->max : level + 1;
}

const TileMeasure* shadows_measures(const Levels* levels) {
    return levels->shadows->measures;
}

void shadows_end(Levels* levels) {
    Shadows* shadows = levels->shadows;
    if (!shadows) return;
    levels_free_sheets(levels);
    for (int i = 0; shadows->tiles && i < shadows->count; i++) {
        free(shadows->tiles[i].before);
        for (int k = 0; k < MAX_LEVEL + 2; k++)
            free(shadows->tiles[i].change[k]);
    }
    free(shadows->tiles);
    free(shadows->measures);
    free(shadows->mine);
    free(shadows);
    levels->shadows = NULL;
}

// ---- before a block -----------------------------------------------------------------------------

/// Reads the ground of a tile in a level's world; of its own level also whether it has water.
static GullyStatus read_ground(const Levels* levels, const LevelGrid* grid, int tile, Sheet* sheet,
                               int fields) {
    const LevelFields list = fields_of(grid, fields);
    const GullyRect cells = cells_of(levels, grid, tile);
    GullyStatus status = sheet_fit(sheet, cells, &list);
    return status || cells.width == 0 || cells.height == 0
               ? status
               : sheet_load(sheet, cells, grid->world, &list);
}

static size_t cells_in(const Sheet* sheet) {
    return (size_t)sheet->width * (size_t)sheet->height;
}

static double* copy_ground(const Sheet* sheet) {
    double* copy = malloc(cells_in(sheet) * sizeof *copy + 1);
    for (size_t i = 0; copy && i < cells_in(sheet); i++)
        copy[i] = sheet->cells[LEVEL_B][i];
    if (!copy) gully_fail(GULLY_NO_MEMORY, "no memory to compare levels");
    return copy;
}

/// What threads do to the tiles of a level.
typedef struct Reading {
    Levels* levels;
    const LevelGrid* shadow; // NULL = each tile at its own level
} Reading;

static bool is_wet(const Sheet* sheet) {
    for (size_t i = 0; i < cells_in(sheet); i++)
        if (sheet->cells[LEVEL_B][i] == sheet->cells[LEVEL_B][i] && sheet->cells[LEVEL_D][i] > 0)
            return true;
    return false;
}

/// Notes the ground of a tile before the block, at its own level or at a shadow's.
static void note_before(void* context, int tile, int worker) {
    const Reading* reading = context;
    Levels* levels = reading->levels;
    Shadows* shadows = levels->shadows;
    Lens* lens = &levels->lenses[worker];
    const LevelGrid* grid = reading->shadow ? reading->shadow : grid_of(levels, tile);
    if (lens->status || (reading->shadow && !shadows->mine[tile])) return;
    GullyStatus status = read_ground(levels, grid, tile, &lens->part, 1);
    double* ground = status ? NULL : copy_ground(&lens->part);
    if (!status && !ground) status = GULLY_NO_MEMORY;
    if (reading->shadow)
        shadows->tiles[tile].change[grid->level] = ground;
    else
        shadows->tiles[tile].before = ground;
    levels_note(lens, status);
}

/// Turns the ground of a shadow before the block into its change.
static void note_change(void* context, int tile, int worker) {
    const Reading* reading = context;
    Levels* levels = reading->levels;
    const LevelGrid* shadow = reading->shadow;
    Lens* lens = &levels->lenses[worker];
    double* change = levels->shadows->tiles[tile].change[shadow->level];
    if (lens->status || !levels->shadows->mine[tile]) return;
    GullyStatus status = read_ground(levels, shadow, tile, &lens->part, 1);
    for (size_t i = 0; !status && i < cells_in(&lens->part); i++)
        change[i] = lens->part.cells[LEVEL_B][i] - change[i];
    levels_note(lens, status);
}

static GullyStatus each_tile(Levels* levels, const LevelGrid* shadow, PoolTask task) {
    Reading reading = {levels, shadow};
    pool_run(levels->sim->pool, level_map_tiles(&levels->map), task, &reading);
    return levels_status(levels);
}

/// Shows a shadow the cells of its tiles and those beside.
static GullyStatus fill_shadow(Levels* levels, LevelGrid* shadow) {
    if (levels->sim->def.plain) return levels_fill_picture(levels, shadow);
    GullyStatus status = level_list_ghosts(levels, shadow);
    return status ? status : level_fill_ghosts(levels, shadow);
}

/// Cells of the tiles that a shadow steps.
static double shadow_cells(const Levels* levels, const LevelGrid* shadow) {
    double cells = 0;
    for (int i = 0; i < levels->shadows->count; i++) {
        if (!levels->shadows->mine[i]) continue;
        const GullyRect rect = cells_of(levels, shadow, i);
        cells += (double)rect.width * rect.height;
    }
    return cells;
}

/// Steps a block at a coarser level than some tiles have.
static GullyStatus cast_shadow(Levels* levels, int level, double* cell_steps) {
    Shadows* shadows = levels->shadows;
    LevelGrid shadow = {0};
    bool some = false;
    for (int i = 0; i < shadows->count; i++) {
        const int own = level_of_tile(&levels->map, i);
        shadows->mine[i] = own < level && level <= deepest_of(shadows, own);
        some |= shadows->mine[i];
    }
    if (!some) return GULLY_OK;
    GullyStatus status = level_grid_open(&shadow, levels->sim, &levels->map, level);
    shadow.mine = shadows->mine;
    if (!status) status = fill_shadow(levels, &shadow);
    if (!status) status = each_tile(levels, &shadow, note_before);
    if (!status) status = gully_sim_step(shadow.sim, level_block_steps(&shadow));
    if (!status) status = each_tile(levels, &shadow, note_change);
    if (!status) *cell_steps += shadow_cells(levels, &shadow) * level_block_steps(&shadow);
    level_grid_close(&shadow, &levels->map);
    return status;
}

GullyStatus shadows_begin(Levels* levels, double* cell_steps) {
    Shadows* shadows = levels->shadows = calloc(1, sizeof *shadows);
    const int count = level_map_tiles(&levels->map);
    if (shadows) {
        shadows->count = count;
        shadows->max = levels->sim->level_params.max;
        shadows->all = levels->sim->level_age == 0;
        shadows->tiles = calloc((size_t)count, sizeof *shadows->tiles);
        shadows->measures = calloc((size_t)count, sizeof *shadows->measures);
        shadows->mine = calloc((size_t)count, sizeof *shadows->mine);
    }
    if (!shadows || !shadows->tiles || !shadows->measures || !shadows->mine)
        return gully_fail(GULLY_NO_MEMORY, "no memory to compare levels");
    GullyStatus status = GULLY_OK;
    for (int k = 1; k <= level_deepest_shadow(shadows->max) && !status; k++)
        status = cast_shadow(levels, k, cell_steps);
    return status ? status : each_tile(levels, NULL, note_before);
}

// ---- after it -----------------------------------------------------------------------------------

/// The change of a tile's ground at a coarser level: of `side` cells along one of its own.
typedef struct CoarseChange {
    const double* cells;
    int shift; // side = 2^shift
    int width, height;
} CoarseChange;

/// Adds the squares of a row of changes, less those of the coarser level. Where that has no cell nothing
/// would change.
static double add_row(const double* after, const double* before, int count, const double* coarse,
                      int coarse_count, int shift) {
    double sum = 0;
    for (int x = 0; x < count; x++) {
        const double change = after[x] - before[x];
        const double there = coarse && x >> shift < coarse_count ? coarse[x >> shift] : 0;
        const double off = change - (there == there ? there : 0);
        if (change == change) sum += off * off;
    }
    return sum;
}

/// The sum over the cells of a tile of the squares of its change, or of how far a coarser level's is from it.
static double add_squares(const Sheet* after, const double* before, const CoarseChange* coarse) {
    double sum = 0;
    for (int y = 0; y < after->height; y++) {
        const size_t at = (size_t)y * (size_t)after->width;
        const int row = y >> coarse->shift;
        const bool has = coarse->cells && row < coarse->height;
        sum += add_row(after->cells[LEVEL_B] + at, before + at, after->width,
                       has ? coarse->cells + (size_t)row * (size_t)coarse->width : NULL,
                       coarse->width, coarse->shift);
    }
    return sum;
}

static int64_t count_cells(const Sheet* sheet) {
    int64_t count = 0;
    for (size_t i = 0; i < cells_in(sheet); i++)
        count += sheet->cells[LEVEL_B][i] == sheet->cells[LEVEL_B][i];
    return count;
}

/// Compares the change of a tile with those of its shadows.
static void compare(void* context, int index, int worker) {
    Levels* levels = ((Reading*)context)->levels;
    Shadows* shadows = levels->shadows;
    Lens* lens = &levels->lenses[worker];
    const LevelGrid* grid = grid_of(levels, index);
    const ShadowTile* tile = &shadows->tiles[index];
    TileMeasure* measure = &shadows->measures[index];
    if (lens->status) return;
    GullyStatus status = read_ground(levels, grid, index, &lens->part, 2);
    const Sheet* after = &lens->part;
    const double cells = status ? 0 : (double)count_cells(after);
    *measure = (TileMeasure){0};
    if (!status && cells > 0) {
        measure->area = cells * grid->scale * grid->scale;
        measure->is_wet = is_wet(after);
        measure->change = sqrt(add_squares(after, tile->before, &(CoarseChange){0}) / cells);
    }
    for (int k = grid->level + 1; k < MAX_LEVEL + 2 && measure->area > 0; k++) {
        const int shift = k - grid->level;
        const CoarseChange coarse = {tile->change[k], shift, after->width >> shift,
                                     after->height >> shift};
        measure->off[k] =
            coarse.cells ? sqrt(add_squares(after, tile->before, &coarse) / cells) : NAN;
    }
    levels_note(lens, status);
}

GullyStatus shadows_compare(Levels* levels) {
    return each_tile(levels, NULL, compare);
}
