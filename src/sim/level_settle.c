// SPDX-License-Identifier: MIT
/// (S) Settling: after a block both sides of a border between levels agree on what crossed it. The finer
/// side is right; the coarse cells along the border give or take the difference.
#include <math.h>
#include <string.h>

#include "level_window.h"
#include "store.h"

/// Sides and corners of a tile, in the order of neighbours: the tile behind.
static const int behind_x[EDGES] = {-1, 1, 0, 0, -1, 1, 1, -1};
static const int behind_y[EDGES] = {0, 0, -1, 1, -1, 1, -1, 1};
static const int opposite[EDGES] = {EDGE_E,  EDGE_W,  EDGE_S,  EDGE_N,
                                    EDGE_SE, EDGE_NW, EDGE_SW, EDGE_NE};

/// A border between a coarse tile and a finer one.
typedef struct LevelBorder {
    const LevelGrid *coarse, *fine;
    int tile, behind; // in the map
    int side;         // of the coarse tile, or its corner
} LevelBorder;

/// Amounts that are registered in a world.
static int amounts_of(const Levels* levels) {
    const int materials = levels->sim->world->material_count;
    return REGISTER_GROUND + (materials > 0 ? materials : 1);
}

void levels_clear_registers(Levels* levels) {
    for (int q = 0; q <= levels->coarsest; q++) {
        const LevelGrid* grid = &levels->grids[q];
        const size_t sums = (size_t)amounts_of(levels) * (size_t)register_places(&grid->registers);
        for (int i = 0; grid->world && i < level_map_tiles(&levels->map); i++)
            if (grid->registers.sums[i]) memset(grid->registers.sums[i], 0, sums * sizeof(double));
    }
}

/// The place of a side or corner among the cells along the sides of a tile.
static int ring_of_side(int side, int k, int n) {
    const int last = n - 1;
    const bool east = side == EDGE_E || side == EDGE_SE || side == EDGE_NE;
    const bool west = side == EDGE_W || side == EDGE_NW || side == EDGE_SW;
    const bool south = side == EDGE_S || side == EDGE_SE || side == EDGE_SW;
    const bool north = side == EDGE_N || side == EDGE_NW || side == EDGE_NE;
    return level_ring_place(n, east ? last : west ? 0 : k, south ? last : north ? 0 : k);
}

/// What a side of the border registered at a place; of the finer tile, at the cells beside it.
static double border_sum(const Registers* registers, int tile, int amount, int side, int k, int r) {
    const double* sums = register_sums(registers, tile, amount);
    if (side >= EDGE_NW) return sums[4 * registers->tile + side - EDGE_NW];
    double sum = 0;
    for (int j = 0; j < r; j++)
        sum += sums[side * registers->tile + k * r + j];
    return sum;
}

/// Adds to what the cells of the coarse tile are to give.
static void add_differences(const Levels* levels, const LevelBorder* border, SettlingTile* settling,
                            double* give) {
    const int n = border->coarse->tile, r = border->fine->tile / n;
    const int places = border->side >= EDGE_NW ? 1 : n;
    for (int amount = 0; amount < amounts_of(levels); amount++) {
        for (int k = 0; k < places; k++) {
            const double here =
                border_sum(&border->coarse->registers, border->tile, amount, border->side, k, 1);
            const double there = border_sum(&border->fine->registers, border->behind, amount,
                                            opposite[border->side], k, r);
            give[amount * level_ring_size(n) + ring_of_side(border->side, k, n)] += here + there;
            if (amount != REGISTER_WATER) continue;
            settling->settled += fabs(here + there);
            settling->crossed += fabs(there);
        }
    }
}

/// The finer tile behind a side or corner of a tile, if there is one.
static bool find_border(const Levels* levels, const LevelGrid* grid, int tile, int side,
                        LevelBorder* out) {
    const LevelMap* map = &levels->map;
    const int x = tile % map->tiles_x + behind_x[side], y = tile / map->tiles_x + behind_y[side];
    if (x < 0 || y < 0 || x >= map->tiles_x || y >= map->tiles_y) return false;
    const int behind = y * map->tiles_x + x, level = map->levels[behind];
    *out = (LevelBorder){grid, &levels->grids[level], tile, behind, side};
    return level < grid->level;
}

// ---- cells --------------------------------------------------------------------------------------

/// A cell of a tile that is pinned.
typedef struct PinnedCell {
    const LevelGrid* grid;
    const Tile* tile;
    int row, column;
} PinnedCell;

static float* number_at(const PinnedCell* cell, int slot) {
    return tile_row(cell->grid->world, cell->tile, slot, cell->row) + cell->column;
}

static double value_of(const PinnedCell* cell, int f) {
    const LevelField* field = &cell->grid->beside.list[f];
    if (field->slot < 0) return 0;
    const double low = field->low >= 0 ? (double)*number_at(cell, field->low) : 0;
    return ((double)*number_at(cell, field->slot) + low) * field->unit;
}

/// Sets a field; `s` is the sediment that the cell has then. True if that changes a bit.
static bool set_value(const PinnedCell* cell, int f, double value, double s) {
    const LevelField* field = &cell->grid->beside.list[f];
    if (field->slot < 0) return false;
    const LevelNumber number = level_number(&cell->grid->beside, f, value, s);
    float* high = number_at(cell, field->slot);
    bool changed = bits_of(*high) != bits_of(number.high);
    *high = number.high;
    if (field->low < 0) return changed;
    float* low = number_at(cell, field->low);
    changed |= bits_of(*low) != bits_of(number.low);
    *low = number.low;
    return changed;
}

static bool is_cell_at(const PinnedCell* cell) {
    return *number_at(cell, cell->grid->beside.list[LEVEL_B].slot) <= GROUND_MAX;
}

/// Lets a cell give what it is to give, in metres of finest cells. `give` has an amount every `stride`
/// numbers, which are 0 then. True if that changes a bit.
static bool settle_cell(const PinnedCell* cell, double* owed, double* give, int stride) {
    const LevelFields* fields = &cell->grid->beside;
    const double area = cell->grid->registers.area;
    const double ground = give[REGISTER_GROUND * stride] / area;
    const double d = value_of(cell, LEVEL_D) - *owed - give[REGISTER_WATER * stride] / area;
    const double s = value_of(cell, LEVEL_S) - give[REGISTER_SEDIMENT * stride] / area;
    const double b = value_of(cell, LEVEL_B) + (fmin(0, s) - ground); // the ground pays
    bool changed = set_value(cell, LEVEL_B, b, fmax(0, s));
    changed |= set_value(cell, LEVEL_D, fmax(0, d), 0);
    changed |= set_value(cell, LEVEL_S, fmax(0, s), 0);
    *owed = fmax(0, -d);
    give[REGISTER_WATER * stride] = give[REGISTER_SEDIMENT * stride] = 0;
    give[REGISTER_GROUND * stride] = 0;
    for (int f = 0, material = 1; f < fields->count; f++) {
        if (fields->list[f].kind != LEVEL_AMOUNT) continue;
        double* slid = &give[(REGISTER_GROUND + material++) * stride];
        changed |= set_value(cell, f, fmax(0, value_of(cell, f) - *slid / area), 0);
        *slid = 0;
    }
    return changed;
}

typedef bool CellTask(const PinnedCell* cell, double* owed, double* give, int stride);

/// Calls for the cells along the sides of a tile; true if one of them changed.
static GullyStatus each_side_cell(const Levels* levels, const LevelGrid* grid, int tile,
                                  CellTask* task, double* give, bool* changed) {
    const int n = grid->tile, at = level_world_tile(grid, &levels->map, tile);
    *changed = false;
    if (at < 0) return GULLY_OK;
    PinnedCell cell = {grid, &grid->world->tiles[at], 0, 0};
    GullyStatus status = store_pin(grid->world, at, ALL_SLOTS, true);
    if (status) return status;
    for (cell.row = 0; cell.row < cell.tile->height; cell.row++) {
        for (cell.column = 0; cell.column < cell.tile->width; cell.column++) {
            const int place = level_ring_place(n, cell.column, cell.row);
            if (place < 0) {
                cell.column = n - 2 < cell.tile->width ? n - 2 : cell.tile->width;
                continue;
            }
            if (!is_cell_at(&cell)) continue;
            *changed |= task(&cell, &grid->owed[tile][place], give ? give + place : NULL,
                             level_ring_size(n));
        }
    }
    store_unpin(grid->world, at);
    return status;
}

// ---- all of them --------------------------------------------------------------------------------

typedef struct Settling {
    Levels* levels;
    LevelGrid* grid;
} Settling;

/// Settles the borders of a tile with finer ones.
static void settle_tile(void* context, int index, int worker) {
    const Settling* settling = context;
    const Levels* levels = settling->levels;
    SettlingTile* tile = &settling->grid->settling[index];
    Lens* lens = &levels->lenses[worker];
    LevelBorder border;
    if (lens->status) return;
    tile->settled = tile->crossed = 0;
    for (int side = 0; side < EDGES; side++)
        if (find_border(levels, settling->grid, tile->tile, side, &border))
            add_differences(levels, &border, tile, lens->give);
    levels_note(lens, each_side_cell(levels, settling->grid, tile->tile, settle_cell, lens->give,
                                     &tile->changed));
    const size_t numbers =
        (size_t)amounts_of(levels) * (size_t)level_ring_size(settling->grid->tile);
    memset(lens->give, 0, numbers * sizeof *lens->give); // what cells that are none were to give
}

/// Adds up what a level has settled, and wakes what changed.
static void count_settled(Levels* levels, const LevelGrid* grid) {
    Stepper* stepper = grid->sim->stepper;
    for (int i = 0; i < grid->settling_count; i++) {
        const SettlingTile* tile = &grid->settling[i];
        const GullyRect cells = level_tile_cells(grid, &levels->map, tile->tile);
        levels->settled += tile->settled;
        levels->crossed += tile->crossed;
        if (!tile->changed || !stepper->kind->wake) continue;
        const int last_x = cells.x + cells.width - 1, last_y = cells.y + cells.height - 1;
        const CellRect sides[4] = {{cells.y, cells.y + 1, cells.x, last_x + 1},
                                   {last_y, last_y + 1, cells.x, last_x + 1},
                                   {cells.y, last_y + 1, cells.x, cells.x + 1},
                                   {cells.y, last_y + 1, last_x, last_x + 1}};
        for (int side = 0; side < 4; side++)
            stepper->kind->wake(stepper, sides[side]);
    }
}

GullyStatus levels_settle_borders(Levels* levels) {
    GullyStatus status = GULLY_OK;
    for (int q = 1; q <= levels->coarsest && !status; q++) {
        Settling settling = {levels, &levels->grids[q]};
        if (!settling.grid->world) continue;
        pool_run(levels->sim->pool, settling.grid->settling_count, settle_tile, &settling);
        count_settled(levels, settling.grid);
        status = levels_status(levels);
    }
    return status;
}

// ---- what is owed -------------------------------------------------------------------------------

static bool pay(const PinnedCell* cell, double* owed, double* give, int stride) {
    (void)give, (void)stride;
    const double d = value_of(cell, LEVEL_D), paid = fmin(*owed, d);
    *owed -= paid;
    return set_value(cell, LEVEL_D, d - paid, 0);
}

GullyStatus levels_pay(Levels* levels) {
    GullyStatus status = GULLY_OK;
    for (int q = 0; q <= levels->coarsest; q++) {
        const LevelGrid* grid = &levels->grids[q];
        for (int i = 0; i < grid->settling_count && !status; i++) {
            bool changed;
            status = each_side_cell(levels, grid, grid->settling[i].tile, pay, NULL, &changed);
        }
    }
    return status;
}

GullyStatus levels_pay_tile(Levels* levels, int tile, double* owed) {
    const LevelGrid* grid = &levels->grids[level_of_tile(&levels->map, tile)];
    bool changed;
    *owed = 0;
    if (!grid->owed[tile]) return GULLY_OK;
    GullyStatus status = each_side_cell(levels, grid, tile, pay, NULL, &changed);
    for (int k = 0; k < level_ring_size(grid->tile); k++) {
        *owed += grid->owed[tile][k] * grid->registers.area;
        grid->owed[tile][k] = 0;
    }
    return status;
}

double levels_owed(const Levels* levels) {
    double sum = 0;
    for (int q = 0; q <= levels->coarsest; q++) {
        const LevelGrid* grid = &levels->grids[q];
        for (int i = 0; i < grid->settling_count; i++)
            for (int k = 0; k < level_ring_size(grid->tile); k++)
                sum += grid->owed[grid->settling[i].tile][k] * grid->registers.area;
    }
    return sum;
}
