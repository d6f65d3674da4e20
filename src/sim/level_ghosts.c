// SPDX-License-Identifier: MIT
/// Ghosts: pictures of other levels' cells beside a level's own, as far as its steps of a block read them.
///
///     ┌──────┬──────┐
///     │ ghost: rows │   a tile above or below one of the level's own: some of its rows, with strips
///     ├─┬────┴────┬─┤
///     │ │         │ │   a tile of the level: the columns beside it are in its strips
///     │ │   own   │ │
///     └─┴─────────┴─┘
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "activity.h"
#include "level_window.h"
#include "store.h"

// ---- which --------------------------------------------------------------------------------------

/// Cells around a level's tiles that its steps of a block read, and one more for the registers.
static int halo_of(const LevelGrid* grid) {
    const StepList* list = grid->sim->list;
    return plan_step_reach(list->entries, list->entry_count) * level_block_steps(grid) + 1;
}

static GullyStatus add_part(LevelGrid* grid, int owner, GullyRect cells) {
    const int count = grid->part_count;
    if ((count & (count - 1)) == 0) { // room for 1, 2, 4, ...
        const size_t room = count ? 2 * (size_t)count : 1;
        GhostPart* grown = realloc(grid->parts_seen, room * sizeof *grown);
        if (!grown) return gully_fail(GULLY_NO_MEMORY, "no memory for the borders of a level");
        grid->parts_seen = grown;
    }
    grid->parts_seen[grid->part_count++] = (GhostPart){.owner = owner, .cells = cells};
    return GULLY_OK;
}

/// Adds what rows of a tile of the level's world have to show of other levels.
static GullyStatus add_rows(const Levels* levels, LevelGrid* grid, GullyRect rows) {
    const LevelMap* map = &levels->map;
    const int n = grid->tile, halo = halo_of(grid);
    const GullyRect inside = {0, rows.y, grid->world->width, rows.height};
    const GullyRect wide = level_common(
        (GullyRect){rows.x - halo, rows.y, rows.width + 2 * halo, rows.height}, inside);
    const int y = rows.y / n;
    GullyStatus status = GULLY_OK;
    for (int x = wide.x / n; x <= (wide.x + wide.width - 1) / n && !status; x++) {
        const int owner = y * map->tiles_x + x;
        if (level_owns(grid, map, owner)) continue;
        status = add_part(grid, owner, level_common(level_tile_cells(grid, map, owner), wide));
    }
    return status;
}

/// Adds the rows of a tile that lie as near to one of the level's own above or below as steps read.
static GullyStatus add_beside(const Levels* levels, LevelGrid* grid, GullyRect cells) {
    const LevelMap* map = &levels->map;
    const int n = grid->tile, halo = halo_of(grid), x = cells.x / n;
    GullyStatus status = GULLY_OK;
    for (int y = (cells.y - halo) / n - 1; y <= (cells.y + n + halo) / n && !status; y++) {
        const int tile = y * map->tiles_x + x;
        if (y < 0 || y >= map->tiles_y || !level_owns(grid, map, tile)) continue;
        const GullyRect near = {cells.x, y * n - halo, cells.width, n + 2 * halo};
        const GullyRect rows = level_common(near, cells);
        if (rows.height > 0) status = add_rows(levels, grid, rows);
    }
    return status;
}

/// Whether steps touch rows of a tile: patches that near to one of the level's own in the same panel can be
/// awake.
static bool is_near(const Levels* levels, const LevelGrid* grid, GullyRect cells) {
    enum { NEAR_ROWS = 4 * PATCH };
    const LevelMap* map = &levels->map;
    const int n = grid->tile, x = cells.x / n, around = (NEAR_ROWS - 1) / n + 1;
    for (int y = cells.y / n - around; y <= cells.y / n + around; y++)
        if (y >= 0 && y < map->tiles_y && level_owns(grid, map, y * map->tiles_x + x)) return true;
    return false;
}

/// Adds the cells of a tile that the level steps for another one (level_shadows.c): in parts that are made of
/// few enough finest rows for a processor's own cache.
static GullyStatus add_own(LevelGrid* grid, int owner, GullyRect cells) {
    enum { FINEST_ROWS = 16 };
    const int rows = grid->scale < FINEST_ROWS ? FINEST_ROWS / grid->scale : 1;
    GullyStatus status = GULLY_OK;
    for (int y = cells.y; y < cells.y + cells.height && !status; y += rows)
        status =
            add_part(grid, owner, level_common((GullyRect){cells.x, y, cells.width, rows}, cells));
    return status;
}

/// Lists what a tile of the level's world shows of other levels.
static GullyStatus list_tile(const Levels* levels, LevelGrid* grid, int index) {
    const LevelMap* map = &levels->map;
    Tile* tile = &grid->world->tiles[index];
    const GullyRect cells = {tile->x, tile->y, tile->width, tile->height};
    const int in_map = tile->y / grid->tile * map->tiles_x + tile->x / grid->tile;
    const int first = grid->part_count;
    tile->is_ghost = !level_owns(grid, map, in_map);
    GullyStatus status =
        tile->is_ghost ? add_beside(levels, grid, cells) : add_rows(levels, grid, cells);
    if (!status && grid->mine && !tile->is_ghost) status = add_own(grid, in_map, cells);
    tile->is_near = tile->is_ghost && is_near(levels, grid, cells);
    if (grid->part_count > first)
        grid->ghosts[grid->ghost_count++] = (GhostTile){index, first, grid->part_count - first};
    return status;
}

GullyStatus level_list_ghosts(const Levels* levels, LevelGrid* grid) {
    const size_t tiles = (size_t)grid->world->tiles_x * (size_t)grid->world->tiles_y;
    GullyStatus status = GULLY_OK;
    free(grid->ghosts);
    free(grid->parts_seen);
    grid->parts_seen = NULL;
    grid->ghost_count = grid->part_count = 0;
    grid->ghosts = malloc(tiles * sizeof *grid->ghosts);
    if (!grid->ghosts) return gully_fail(GULLY_NO_MEMORY, "no memory for %zu tiles", tiles);
    grid->world->has_ghosts = true;
    grid->world->keeps_strips = !levels->sim->def.plain;
    for (size_t i = 0; i < tiles && !status; i++)
        status = list_tile(levels, grid, (int)i);
    return status;
}

/// Whether a tile of the map lies beside one of another level; and beside one of a finer level.
static bool is_beside(const LevelMap* map, int tile, bool finer) {
    for (int n = 0; n < 9; n++) {
        const int x = tile % map->tiles_x + n % 3 - 1, y = tile / map->tiles_x + n / 3 - 1;
        if (x < 0 || y < 0 || x >= map->tiles_x || y >= map->tiles_y) continue;
        const int other = map->levels[y * map->tiles_x + x], level = map->levels[tile];
        if (finer ? other < level : other != level) return true;
    }
    return false;
}

/// Memory for a tile's sums, or NULL where there are none: what it had before, or zeros.
static double* keep_sums(double* had, bool wanted, size_t count, GullyStatus* status) {
    if (had && wanted) return had;
    free(had);
    double* made = wanted ? calloc(count, sizeof *made) : NULL;
    if (wanted && !made)
        *status = gully_fail(GULLY_NO_MEMORY, "no memory for the borders of a level");
    return made;
}

static bool owes(const double* owed, int count) {
    for (int i = 0; owed && i < count; i++)
        if (owed[i] > 0) return true;
    return false;
}

/// Lists the tiles of a level that settle, with room for what they need for it.
static GullyStatus list_settling(const Levels* levels, LevelGrid* grid) {
    const LevelMap* map = &levels->map;
    const int tiles = level_map_tiles(map), ring = level_ring_size(grid->tile);
    const size_t sums = REGISTER_AMOUNTS * (size_t)register_places(&grid->registers);
    GullyStatus status = GULLY_OK;
    free(grid->settling);
    grid->settling_count = 0;
    grid->settling = malloc((size_t)tiles * sizeof *grid->settling);
    if (!grid->settling) return gully_fail(GULLY_NO_MEMORY, "no memory for %d tiles", tiles);
    for (int i = 0; i < tiles && !status; i++) {
        const bool own = level_owns(grid, map, i), settles = own && is_beside(map, i, true);
        const bool debts = own && owes(grid->owed[i], ring);
        grid->registers.sums[i] =
            keep_sums(grid->registers.sums[i], own && is_beside(map, i, false), sums, &status);
        grid->owed[i] = keep_sums(grid->owed[i], settles || debts, (size_t)ring, &status);
        if (settles || debts)
            grid->settling[grid->settling_count++] = (SettlingTile){i, 0, 0, false};
    }
    return status;
}

GullyStatus levels_find_borders(Levels* levels) {
    GullyStatus status = GULLY_OK;
    for (int q = 0; q <= levels->coarsest && levels->map.levels && !status; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (!grid->world) continue;
        status = level_list_ghosts(levels, grid);
        if (!status) status = list_settling(levels, grid);
    }
    return status;
}

// ---- filling ------------------------------------------------------------------------------------

/// Writes a row of a field's values, or what it holds where there is no cell; true if that changes a bit.
static bool put_row(const LevelFields* fields, int f, LevelNumber none, const double* values,
                    const double* ground, const double* s, int count, float* high, float* low) {
    uint32_t changed = 0;
    for (int i = 0; i < count && !low; i++) {
        const LevelNumber number = level_number(fields, f, values[i], s[i]);
        const float kept = ground[i] == ground[i] ? number.high : none.high;
        changed |= bits_of(kept) ^ bits_of(high[i]);
        high[i] = kept;
    }
    for (int i = 0; i < count && low; i++) {
        const LevelNumber number = level_number(fields, f, values[i], s[i]);
        const bool has = ground[i] == ground[i];
        const LevelNumber kept = {has ? number.high : none.high, has ? number.low : none.low};
        changed |= (bits_of(kept.high) ^ bits_of(high[i])) | (bits_of(kept.low) ^ bits_of(low[i]));
        high[i] = kept.high;
        low[i] = kept.low;
    }
    return changed != 0;
}

/// Writes a field of a part of a picture; true if that changes a bit.
static bool put_field(const LevelGrid* grid, const Tile* tile, int f, const Sheet* sheet,
                      GullyRect cells) {
    const GullyWorld* world = grid->world;
    const LevelField* field = &grid->beside.list[f];
    const bool pair = field->low >= 0;
    const LevelNumber none = {f == LEVEL_B ? GROUND_NODATA : world->fields[field->slot].value,
                              pair ? world->fields[field->low].value : 0};
    const int column = cells.x - tile->x;
    bool changed = false;
    for (int y = cells.y; y < cells.y + cells.height; y++) {
        const size_t at = sheet_at(sheet, cells.x, y);
        float* high = tile_row(world, tile, field->slot, y - tile->y) + column;
        float* low = pair ? tile_row(world, tile, field->low, y - tile->y) + column : NULL;
        changed |= put_row(&grid->beside, f, none, sheet->cells[f] + at, sheet->cells[LEVEL_B] + at,
                           sheet->cells[LEVEL_S] + at, cells.width, high, low);
    }
    return changed;
}

static bool has_holes(const Sheet* sheet, GullyRect cells) {
    bool found = false;
    for (int y = cells.y; y < cells.y + cells.height; y++) {
        const double* ground = sheet->cells[LEVEL_B] + sheet_at(sheet, cells.x, y);
        for (int i = 0; i < cells.width; i++)
            found |= isnan(ground[i]);
    }
    return found;
}

typedef struct Showing {
    Levels* levels;
    LevelGrid* grid;
} Showing;

/// Makes the pictures that a tile shows of other levels, which is pinned.
static GullyStatus fill_parts(Levels* levels, LevelGrid* grid, const GhostTile* ghost, Lens* lens) {
    const Tile* tile = &grid->world->tiles[ghost->tile];
    for (int i = ghost->first; i < ghost->first + ghost->count; i++) {
        GhostPart* part = &grid->parts_seen[i];
        GullyStatus status =
            window_picture(levels, grid, part->owner, part->cells, lens, &lens->picture);
        if (status) return status;
        part->changed = false;
        part->has_holes = has_holes(&lens->picture, part->cells);
        for (int f = 0; f < grid->beside.count; f++)
            if (grid->beside.list[f].slot >= 0)
                part->changed |= put_field(grid, tile, f, &lens->picture, part->cells);
    }
    return GULLY_OK;
}

static void fill_tile(void* context, int index, int worker) {
    const Showing* showing = context;
    LevelGrid* grid = showing->grid;
    const GhostTile* ghost = &grid->ghosts[index];
    Lens* lens = &showing->levels->lenses[worker];
    if (lens->status) return;
    GullyStatus status = store_pin(grid->world, ghost->tile, ALL_SLOTS, true);
    if (!status) {
        status = fill_parts(showing->levels, grid, ghost, lens);
        store_unpin(grid->world, ghost->tile);
    }
    levels_note(lens, status);
}

static void wake(const LevelGrid* grid, GullyRect cells) {
    Stepper* stepper = grid->sim->stepper;
    stepper->kind->wake(
        stepper, (CellRect){cells.y, cells.y + cells.height, cells.x, cells.x + cells.width});
}

/// Notes that rows of a tile have nodata cells.
static void note_holes(GullyWorld* world, int index, GhostPart* part) {
    Tile* tile = &world->tiles[index];
    for (int y = part->cells.y; y < part->cells.y + part->cells.height; y++)
        tile->holes[y - tile->y] = true;
    part->is_noted = true;
    world->has_holes = true;
    world->edits++;
}

/// Lets the level's stepper know what was written.
static void tell(LevelGrid* grid) {
    wake(grid, (GullyRect){0, 0, 0, 0});
    for (int i = 0; i < grid->ghost_count; i++) {
        const GhostTile* ghost = &grid->ghosts[i];
        for (int k = ghost->first; k < ghost->first + ghost->count; k++) {
            GhostPart* part = &grid->parts_seen[k];
            if (part->changed) wake(grid, part->cells);
            if (part->has_holes && !part->is_noted) note_holes(grid->world, ghost->tile, part);
        }
    }
}

GullyStatus level_fill_ghosts(Levels* levels, LevelGrid* grid) {
    Showing showing = {levels, grid};
    pool_run(levels->sim->pool, grid->ghost_count, fill_tile, &showing);
    tell(grid);
    return levels_status(levels);
}

GullyStatus levels_show_beside(Levels* levels) {
    GullyStatus status = GULLY_OK;
    for (int q = 0; q <= levels->coarsest && !status; q++)
        if (levels->grids[q].world) status = level_fill_ghosts(levels, &levels->grids[q]);
    return status;
}
