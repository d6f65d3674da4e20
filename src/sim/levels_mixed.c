/// A block where levels meet, as docs/levels.md defines it: every level sees the whole world at its own
/// resolution and steps it; a tile takes what its own level says; then both sides of a border between
/// levels agree on what crossed it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "levels_inside.h"

// ---- pictures -----------------------------------------------------------------------------------

/// A cell of the flat view in a coarser tile: what covers it.
static void cover_cell(const LevelGrid* coarse, LevelGrid* grid, int x, int y) {
    const int r = coarse->scale / grid->scale;
    const size_t at = sheet_at(&grid->flat, x, y);
    if (!sheet_has(&coarse->now, x / r, y / r)) {
        grid->flat.cells[LEVEL_B][at] = NAN;
        return;
    }
    const size_t from = sheet_at(&coarse->now, x / r, y / r);
    for (int f = 0; f < grid->flat.count; f++) {
        const bool flows = grid->flat.kinds[f] >= LEVEL_WEST;
        grid->flat.cells[f][at] = coarse->now.cells[f][from] / (flows ? r : 1);
    }
}

/// A level's view of the world for slopes and neighbours.
static void make_flat(Levels* levels, LevelGrid* grid) {
    const size_t cells = (size_t)grid->flat.width * (size_t)grid->flat.height;
    for (int f = 0; f < grid->flat.count; f++)
        memcpy(grid->flat.cells[f], grid->now.cells[f], cells * sizeof(double));
    for (int y = 0; y < grid->flat.height; y++) {
        for (int x = 0; x < grid->flat.width; x++) {
            if (grid->marks[sheet_at(&grid->flat, x, y)] != MARK_GHOST) continue;
            const int level = level_at(&levels->map, x * grid->scale, y * grid->scale);
            LevelGrid* owner = &levels->grids[level];
            if (level > grid->level) {
                cover_cell(owner, grid, x, y);
            } else {
                const int r = grid->scale / owner->scale;
                picture_restrict(&owner->now, (Square){x * r, y * r, r}, &grid->flat, x, y);
            }
        }
    }
}

/// Whether steps of a level need some cell of a square: it is smaller than what they need around a tile,
/// so its corners tell.
static bool is_needed(const LevelGrid* grid, Square s) {
    const int last = s.side - 1;
    for (int i = 0; i < 4; i++) {
        const int x = s.x + i % 2 * last, y = s.y + i / 2 * last;
        if (grid->marks[sheet_at(&grid->flat, x, y)] == MARK_GHOST) return true;
    }
    return false;
}

/// Turns a level's flat view into its picture: coarser tiles by (I).
static void make_picture(Levels* levels, LevelGrid* grid) {
    for (int p = grid->level + 1; p <= levels->coarsest; p++) {
        const LevelGrid* coarse = &levels->grids[p];
        if (!coarse->world) continue;
        const int r = coarse->scale / grid->scale;
        for (int y = 0; y < coarse->flat.height; y++) {
            for (int x = 0; x < coarse->flat.width; x++) {
                const Square square = {x * r, y * r, r};
                if (coarse->marks[sheet_at(&coarse->flat, x, y)] != MARK_OWN) continue;
                if (!sheet_has(&coarse->flat, x, y) || !is_needed(grid, square)) continue;
                picture_prolong(&coarse->flat, x, y, &grid->flat, square);
            }
        }
    }
}

static GullyStatus load_all(Levels* levels) {
    GullyStatus status = GULLY_OK;
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (grid->world) status = sheet_load(&grid->now, grid->world, &grid->fields, grid->marks);
    }
    return status;
}

GullyStatus levels_look(Levels* levels) {
    GullyStatus status = load_all(levels);
    for (int q = 0; q <= levels->coarsest && levels->map.levels && !status; q++) {
        if (levels->grids[q].world) make_flat(levels, &levels->grids[q]);
    }
    return status;
}

/// Shows every level the whole world. Pictures of finer levels are made first: they are made of the
/// coarser ones' flat views.
static GullyStatus show_all(Levels* levels) {
    GullyStatus status = levels_look(levels);
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (!grid->world) continue;
        make_picture(levels, grid);
        status = sheet_store(&grid->flat, grid->world, &grid->fields, grid->marks, true);
    }
    return status;
}

// ---- settling -----------------------------------------------------------------------------------

/// Sides and corners of a tile, in the order of neighbours: the tile behind.
static const int behind_x[EDGES] = {-1, 1, 0, 0, -1, 1, 1, -1};
static const int behind_y[EDGES] = {0, 0, -1, 1, -1, 1, -1, 1};
static const int opposite[EDGES] = {EDGE_E,  EDGE_W,  EDGE_S,  EDGE_N,
                                    EDGE_SE, EDGE_NW, EDGE_SW, EDGE_NE};

/// A border between a coarse tile and a finer one.
typedef struct LevelBorder {
    LevelGrid *coarse, *fine;
    int tile, behind; // their numbers
    int side;         // of the coarse tile, or its corner
} LevelBorder;

/// The cell of a tile, counted within it, that a place of a side or corner belongs to.
static int border_cell(int side, int k, int n) {
    const int last = n - 1;
    const int column = side == EDGE_E || side == EDGE_SE || side == EDGE_NE   ? last
                       : side == EDGE_W || side == EDGE_NW || side == EDGE_SW ? 0
                                                                              : k;
    const int row = side == EDGE_S || side == EDGE_SE || side == EDGE_SW   ? last
                    : side == EDGE_N || side == EDGE_NW || side == EDGE_NE ? 0
                                                                           : k;
    return row * n + column;
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

/// Adds to what the cells of the coarse tile are to give: `take` has [amounts][n x n].
static void add_differences(Levels* levels, const LevelBorder* border, double* take) {
    const int n = border->coarse->registers.tile, r = border->fine->registers.tile / n;
    const int places = border->side >= EDGE_NW ? 1 : n;
    for (int amount = 0; amount < REGISTER_AMOUNTS; amount++) {
        for (int k = 0; k < places; k++) {
            const double here =
                border_sum(&border->coarse->registers, border->tile, amount, border->side, k, 1);
            const double there = border_sum(&border->fine->registers, border->behind, amount,
                                            opposite[border->side], k, r);
            take[(size_t)amount * (size_t)n * (size_t)n +
                 (size_t)border_cell(border->side, k, n)] += here + there;
            if (amount != REGISTER_WATER) continue;
            levels->settled += fabs(here + there);
            levels->crossed += fabs(there);
        }
    }
}

/// The finer tile behind a side or corner of a tile, if there is one.
static bool find_border(Levels* levels, LevelGrid* grid, int tile, int side, LevelBorder* out) {
    const LevelMap* map = &levels->map;
    const int x = tile % map->tiles_x + behind_x[side], y = tile / map->tiles_x + behind_y[side];
    if (x < 0 || y < 0 || x >= map->tiles_x || y >= map->tiles_y) return false;
    const int behind = y * map->tiles_x + x, level = map->levels[behind];
    *out = (LevelBorder){grid, &levels->grids[level], tile, behind, side};
    return level < grid->level;
}

/// (S) Lets a cell give what it is to give, per area of the cell.
static void settle_cell(LevelGrid* grid, size_t at, const double give[REGISTER_AMOUNTS]) {
    Sheet* now = &grid->now;
    const double d = now->cells[LEVEL_D][at] - grid->owed[at] - give[REGISTER_WATER];
    const double s = now->cells[LEVEL_S][at] - give[REGISTER_SEDIMENT];
    now->cells[LEVEL_D][at] = fmax(0, d);
    grid->owed[at] = fmax(0, -d);
    now->cells[LEVEL_S][at] = fmax(0, s);
    now->cells[LEVEL_B][at] += fmin(0, s) - give[REGISTER_GROUND]; // the ground pays
    for (int f = 0, material = 1; f < now->count; f++) {
        if (now->kinds[f] != LEVEL_AMOUNT) continue;
        now->cells[f][at] = fmax(0, now->cells[f][at] - give[REGISTER_GROUND + material++]);
    }
}

/// Settles the cells along the borders of a tile; `take` is 0 again then.
static void settle_tile(LevelGrid* grid, int tile, double* take, unsigned char* marks) {
    const int n = grid->registers.tile;
    const int x0 = tile % grid->registers.tiles_x * n, y0 = tile / grid->registers.tiles_x * n;
    for (int i = 0; i < n * n; i++) {
        const int x = x0 + i % n, y = y0 + i / n;
        double give[REGISTER_AMOUNTS];
        if (i % n != 0 && i % n != n - 1 && i / n != 0 && i / n != n - 1) continue;
        for (int amount = 0; amount < REGISTER_AMOUNTS; amount++) {
            double* sum = &take[(size_t)amount * (size_t)n * (size_t)n + (size_t)i];
            give[amount] = *sum / grid->registers.area;
            *sum = 0;
        }
        if (!sheet_has(&grid->now, x, y)) continue;
        settle_cell(grid, sheet_at(&grid->now, x, y), give);
        marks[sheet_at(&grid->now, x, y)] = 1;
    }
}

/// Settles the borders of all tiles of a level with finer ones.
static GullyStatus settle_level(Levels* levels, LevelGrid* grid) {
    const LevelMap* map = &levels->map;
    const size_t n = (size_t)grid->registers.tile;
    const size_t cells = (size_t)grid->now.width * (size_t)grid->now.height;
    double* take = calloc(REGISTER_AMOUNTS * n * n, sizeof *take);
    unsigned char* marks = calloc(cells, 1);
    GullyStatus status = take && marks
                             ? GULLY_OK
                             : gully_fail(GULLY_NO_MEMORY, "no memory for borders between levels");
    for (int tile = 0; tile < map->tiles_x * map->tiles_y && !status; tile++) {
        int borders = 0;
        LevelBorder border;
        if (map->levels[tile] != grid->level) continue;
        for (int side = 0; side < EDGES; side++) {
            if (!find_border(levels, grid, tile, side, &border)) continue;
            add_differences(levels, &border, take);
            borders++;
        }
        if (borders > 0) settle_tile(grid, tile, take, marks);
    }
    if (!status) status = sheet_store(&grid->now, grid->world, &grid->fields, marks, false);
    free(take);
    free(marks);
    return status;
}

// ---- blocks -------------------------------------------------------------------------------------

static void clear_registers(LevelGrid* grid) {
    const Registers* registers = &grid->registers;
    const size_t rows = (size_t)registers->tiles_x * (size_t)registers->tiles_y * REGISTER_AMOUNTS;
    memset(registers->sums, 0, rows * (size_t)register_places(registers) * sizeof *registers->sums);
}

static GullyStatus run_block(Levels* levels) {
    GullyStatus status = show_all(levels);
    for (int q = 0; q <= levels->coarsest && !status; q++) {
        LevelGrid* grid = &levels->grids[q];
        if (!grid->sim) continue;
        clear_registers(grid);
        status = gully_sim_step(grid->sim, LEVEL_BLOCK / grid->parts);
    }
    if (!status) status = load_all(levels);
    for (int q = 1; q <= levels->coarsest && !status; q++) {
        if (levels->grids[q].world) status = settle_level(levels, &levels->grids[q]);
    }
    return status;
}

GullyStatus levels_run_mixed(Levels* levels, int64_t blocks) {
    GullyStatus status = GULLY_OK;
    for (int64_t i = 0; i < blocks && !status; i++)
        status = run_block(levels);
    return status;
}

void levels_pay(Levels* levels) {
    for (int q = 0; q <= levels->coarsest; q++) {
        LevelGrid* grid = &levels->grids[q];
        const size_t cells = (size_t)grid->now.width * (size_t)grid->now.height;
        for (size_t i = 0; grid->owed && i < cells; i++) {
            const double paid = fmin(grid->owed[i], grid->now.cells[LEVEL_D][i]);
            grid->owed[i] -= paid;
            grid->now.cells[LEVEL_D][i] -= paid;
            grid->flat.cells[LEVEL_D][i] -= paid;
        }
    }
}

double levels_owed(const Levels* levels) {
    double sum = 0;
    for (int q = 0; q <= levels->coarsest; q++) {
        const LevelGrid* grid = &levels->grids[q];
        const size_t cells = (size_t)grid->now.width * (size_t)grid->now.height;
        for (size_t i = 0; grid->owed && i < cells; i++)
            sum += grid->owed[i] * grid->scale * grid->scale;
    }
    return sum;
}
