// SPDX-License-Identifier: MIT
#include "level_window.h"

#include <math.h>

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

GullyRect level_common(GullyRect a, GullyRect b) {
    const int x = larger(a.x, b.x), y = larger(a.y, b.y);
    return (GullyRect){x, y, larger(0, smaller(a.x + a.width, b.x + b.width) - x),
                       larger(0, smaller(a.y + a.height, b.y + b.height) - y)};
}

GullyRect level_around(const LevelGrid* grid, GullyRect rect, int margin) {
    const GullyRect wide = {rect.x - margin, rect.y - margin, rect.width + 2 * margin,
                            rect.height + 2 * margin};
    return level_common(wide, (GullyRect){0, 0, grid->world->width, grid->world->height});
}

static const LevelFields* list_of(const LevelGrid* grid, bool all) {
    return all ? &grid->fields : &grid->beside;
}

/// Cells that are `side` times as large and cover some others.
static GullyRect coarser_cells(GullyRect cells, int side) {
    const int x = cells.x / side, y = cells.y / side;
    return (GullyRect){x, y, (cells.x + cells.width - 1) / side - x + 1,
                       (cells.y + cells.height - 1) / side - y + 1};
}

static GullyRect finer_cells(GullyRect cells, int side) {
    return (GullyRect){cells.x * side, cells.y * side, cells.width * side, cells.height * side};
}

/// (R) Cells of a finer level.
static GullyStatus see_finer(const LevelGrid* fine, int side, GullyRect cells, bool all, Lens* lens,
                             Sheet* out) {
    const GullyRect finer = finer_cells(cells, side);
    GullyStatus status = sheet_fit(&lens->part, finer, list_of(fine, all));
    if (!status) status = sheet_load(&lens->part, finer, fine->world, list_of(fine, all));
    if (!status) picture_restrict_all(&lens->part, side, out, cells);
    return status;
}

/// A cell of the flat view in a coarser tile: what covers it.
static void cover_cell(const Sheet* coarse, int side, Sheet* out, int x, int y) {
    const size_t at = sheet_at(out, x, y);
    if (!sheet_has(coarse, x / side, y / side)) {
        out->cells[LEVEL_B][at] = NAN;
        return;
    }
    const size_t from = sheet_at(coarse, x / side, y / side);
    for (int f = 0; f < out->count; f++)
        out->cells[f][at] = coarse->cells[f][from] / (out->kinds[f] >= LEVEL_WEST ? side : 1);
}

/// Cells of a coarser level, constant in each.
static GullyStatus see_coarser(const LevelGrid* coarse, int side, GullyRect cells, bool all,
                               Lens* lens, Sheet* out) {
    const GullyRect cover = coarser_cells(cells, side);
    GullyStatus status = sheet_fit(&lens->part, cover, list_of(coarse, all));
    if (!status) status = sheet_load(&lens->part, cover, coarse->world, list_of(coarse, all));
    for (int y = cells.y; y < cells.y + cells.height && !status; y++)
        for (int x = cells.x; x < cells.x + cells.width; x++)
            cover_cell(&lens->part, side, out, x, y);
    return status;
}

/// Cells of a level that one tile has, as the flat view shows them.
static GullyStatus see_tile(const Levels* levels, const LevelGrid* grid, int tile, GullyRect cells,
                            bool all, Lens* lens, Sheet* out) {
    const LevelGrid* owner = &levels->grids[level_of_tile(&levels->map, tile)];
    if (owner->level == grid->level)
        return sheet_load(out, cells, owner->world, list_of(owner, all));
    if (owner->level < grid->level)
        return see_finer(owner, grid->scale / owner->scale, cells, all, lens, out);
    return see_coarser(owner, owner->scale / grid->scale, cells, all, lens, out);
}

GullyStatus window_flat(const Levels* levels, const LevelGrid* grid, GullyRect rect, bool all,
                        Lens* lens, Sheet* out) {
    const LevelMap* map = &levels->map;
    const GullyRect tiles = coarser_cells(rect, grid->tile);
    GullyStatus status = sheet_fit(out, rect, list_of(grid, all));
    for (int y = tiles.y; y < tiles.y + tiles.height; y++) {
        for (int x = tiles.x; x < tiles.x + tiles.width && !status; x++) {
            const int tile = y * map->tiles_x + x;
            const GullyRect cells = level_common(level_tile_cells(grid, map, tile), rect);
            status = see_tile(levels, grid, tile, cells, all, lens, out);
        }
    }
    return status;
}

/// (I) Cells of a coarser level as squares of finer ones.
static void prolong(const Sheet* flat, GullyRect cells, int side, Sheet* out) {
    for (int y = cells.y; y < cells.y + cells.height; y++) {
        for (int x = cells.x; x < cells.x + cells.width; x++) {
            const Square square = {x * side, y * side, side};
            if (sheet_has(flat, x, y)) {
                picture_prolong(flat, x, y, out, square);
                continue;
            }
            for (int i = 0; i < side * side; i++)
                out->cells[LEVEL_B][sheet_at(out, square.x + i % side, square.y + i / side)] = NAN;
        }
    }
}

GullyStatus window_picture(const Levels* levels, const LevelGrid* grid, int tile, GullyRect cells,
                           Lens* lens, Sheet* out) {
    const LevelGrid* owner = &levels->grids[level_of_tile(&levels->map, tile)];
    const int side = owner->scale / grid->scale;
    if (owner->level <= grid->level) {
        GullyStatus status = sheet_fit(out, cells, &grid->beside);
        return status ? status : see_tile(levels, grid, tile, cells, false, lens, out);
    }
    const GullyRect cover = coarser_cells(cells, side);
    GullyStatus status =
        window_flat(levels, owner, level_around(owner, cover, 1), false, lens, &lens->flat);
    if (!status) status = sheet_fit(out, finer_cells(cover, side), &grid->beside);
    if (!status) prolong(&lens->flat, cover, side, out);
    return status;
}
