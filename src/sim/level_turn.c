// SPDX-License-Identifier: MIT
/// Turning: a tile's finest cells become those of its level, and these the finest again.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "level_window.h"

// ---- from the world to its levels ---------------------------------------------------------------

static const LevelFields ground_alone = {{{.kind = LEVEL_HEIGHT}}, 1};

void turning_end(Turning* turning) {
    sheet_free(&turning->before);
    sheet_free(&turning->fine);
    sheet_free(&turning->flat_before);
    sheet_free(&turning->flat);
    free(turning->marks);
    free(turning->room);
    *turning = (Turning){0};
}

static LevelGrid* grid_of(Levels* levels, int tile) {
    return &levels->grids[level_of_tile(&levels->map, tile)];
}

/// The finest cells of some cells of a level.
static GullyRect finest_of(const LevelGrid* grid, GullyRect cells) {
    const int scale = grid->scale;
    return (GullyRect){cells.x * scale, cells.y * scale, cells.width * scale, cells.height * scale};
}

/// The cells of a level that a tile has inside the level's world, with a margin.
static GullyRect cells_of(const Levels* levels, const LevelGrid* grid, int tile, int margin) {
    const GullyRect cells = level_around(grid, level_tile_cells(grid, &levels->map, tile), 0);
    return cells.width > 0 && cells.height > 0 ? level_around(grid, cells, margin) : cells;
}

GullyStatus turn_remember(Levels* levels, int tile, Turning* turning) {
    const GullyWorld* world = levels->sim->world;
    const int side = levels->map.tile;
    const GullyRect all = {tile % levels->map.tiles_x * side, tile / levels->map.tiles_x * side,
                           side, side};
    const GullyRect cells = level_common(all, gully_world_all(world));
    GullyStatus status = sheet_fit(&turning->fine, cells, &levels->fields);
    if (!status) status = sheet_load(&turning->fine, cells, world, &levels->fields);
    if (!status)
        status = sheet_store(&turning->fine, levels->memory, &levels->memory_fields, NULL, false);
    return status;
}

static int64_t count_cells(const Sheet* sheet) {
    const double* ground = sheet->cells[LEVEL_B];
    int64_t count = 0;
    for (int i = 0; i < sheet->width * sheet->height; i++)
        count += ground[i] == ground[i];
    return count;
}

GullyStatus turn_coarser(Levels* levels, int tile, Turning* turning) {
    const LevelGrid* grid = grid_of(levels, tile);
    const GullyRect cells = cells_of(levels, grid, tile, 0);
    const int scale = grid->scale;
    levels->tile_cells[tile] = 0;
    if (cells.width == 0 || cells.height == 0) return GULLY_OK;
    GullyStatus status = sheet_fit(&turning->flat, cells, &grid->fields);
    if (status) return status;
    picture_means_all(&turning->fine, scale, &turning->flat, cells);
    levels->tile_cells[tile] = count_cells(&turning->flat);
    return sheet_store(&turning->flat, grid->world, &grid->fields, NULL, true);
}

// ---- and back -----------------------------------------------------------------------------------

/// What the ground of cells was when they were left behind; those of other levels were none.
static void find_before(const Levels* levels, const LevelGrid* grid, Turning* turning) {
    Sheet* flat = &turning->flat_before;
    const int scale = grid->scale, n = grid->tile;
    for (int y = flat->y; y < flat->y + flat->height; y++) {
        for (int x = flat->x; x < flat->x + flat->width; x++) {
            const int tile = y / n * levels->map.tiles_x + x / n;
            if (level_owns(grid, &levels->map, tile))
                picture_means(&turning->before, (Square){x * scale, y * scale, scale}, flat, x, y);
            else
                flat->cells[LEVEL_B][sheet_at(flat, x, y)] = NAN;
        }
    }
}

static GullyStatus fit_marks(Turning* turning, GullyRect finest) {
    const size_t cells = (size_t)finest.width * (size_t)finest.height;
    if (cells > turning->mark_room) {
        free(turning->marks);
        free(turning->room);
        turning->marks = malloc(cells);
        turning->room = malloc(3 * cells * sizeof *turning->room);
        turning->mark_room = turning->marks && turning->room ? cells : 0;
        if (!turning->mark_room)
            return gully_fail(GULLY_NO_MEMORY, "no memory for a tile of %zu cells", cells);
    }
    memset(turning->marks, 0, cells);
    return GULLY_OK;
}

/// Gets ready to give a tile its finest cells back: how it is, and how it was.
static GullyStatus begin_refining(Levels* levels, const LevelGrid* grid, GullyRect cells,
                                  GullyRect around, Lens* lens, Turning* turning) {
    const GullyRect finest = finest_of(grid, cells), finest_around = finest_of(grid, around);
    GullyStatus status = window_flat(levels, grid, around, true, lens, &turning->flat);
    if (!status) status = sheet_fit(&turning->before, finest_around, &levels->memory_fields);
    if (!status)
        status =
            sheet_load(&turning->before, finest_around, levels->memory, &levels->memory_fields);
    if (!status) status = sheet_fit(&turning->flat_before, around, &ground_alone);
    if (!status) find_before(levels, grid, turning);
    if (!status) status = sheet_fit(&turning->fine, finest, &levels->fields);
    return status ? status : fit_marks(turning, finest);
}

GullyStatus turn_finest(Levels* levels, int tile, ReliefChange change, Lens* lens,
                        Turning* turning) {
    const LevelGrid* grid = grid_of(levels, tile);
    const GullyRect cells = cells_of(levels, grid, tile, 0);
    if (cells.width == 0 || cells.height == 0) return GULLY_OK;
    GullyStatus status =
        begin_refining(levels, grid, cells, cells_of(levels, grid, tile, 1), lens, turning);
    if (status) return status;
    Sheet* fine = &turning->fine;
    for (int i = 0; i < cells.width * cells.height; i++) {
        const int x = cells.x + i % cells.width, y = cells.y + i / cells.width;
        const Square square = {x * grid->scale, y * grid->scale, grid->scale};
        if (!sheet_has(&turning->flat, x, y)) continue;
        if (grid->scale == 1)
            picture_copy(&turning->flat, x, y, &turning->before, fine);
        else
            picture_refine(&turning->flat, &turning->flat_before, x, y, &turning->before, fine,
                           square, change, turning->room);
        for (int j = 0; j < grid->scale; j++)
            memset(turning->marks + sheet_at(fine, square.x, square.y + j), 1, (size_t)grid->scale);
    }
    return sheet_store(fine, levels->sim->world, &levels->fields, turning->marks, false);
}
