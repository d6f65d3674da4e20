#include "rest.h"

#include <stdlib.h>
#include <string.h>

#include "supply.cell.h"

struct Rest {
    const GullyWorld* world;
    int rows;         // of blocks
    int columns;      // of blocks, of all panels
    int* panel_start; // a panel's first column of blocks
    uint8_t* active;  // [rows][columns]
    uint8_t* awake;   // one row of blocks, while it is found
    Columns* hulls;   // [rows][panels]: the columns that are awake
    bool all;         // everything is awake in this sweep
};

static int blocks_of(int cells) {
    return (cells + REST_BLOCK - 1) / REST_BLOCK;
}

static const Tile* panel_of(const Rest* rest, int tx) {
    return &rest->world->tiles[tx]; // its topmost tile
}

GullyStatus rest_create(const GullyWorld* world, Rest** out) {
    *out = NULL;
    Rest* rest = calloc(1, sizeof *rest);
    if (!rest) return gully_fail(GULLY_FAILED, "no memory for a stepper");
    rest->world = world;
    rest->rows = blocks_of(world->height);
    rest->panel_start = calloc((size_t)world->tiles_x, sizeof *rest->panel_start);
    for (int tx = 0; rest->panel_start && tx < world->tiles_x; tx++) {
        rest->panel_start[tx] = rest->columns;
        rest->columns += blocks_of(world->tiles[tx].width);
    }
    size_t blocks = (size_t)rest->rows * (size_t)rest->columns;
    rest->active = malloc(blocks);
    rest->awake = malloc((size_t)rest->columns);
    rest->hulls = calloc((size_t)rest->rows * (size_t)world->tiles_x, sizeof *rest->hulls);
    if (!rest->panel_start || !rest->active || !rest->awake || !rest->hulls) {
        rest_destroy(rest);
        return gully_fail(GULLY_FAILED, "no memory for %zu blocks", blocks);
    }
    rest_wake(rest);
    *out = rest;
    return GULLY_OK;
}

void rest_destroy(Rest* rest) {
    if (!rest) return;
    free(rest->panel_start);
    free(rest->active);
    free(rest->awake);
    free(rest->hulls);
    free(rest);
}

void rest_wake(Rest* rest) {
    memset(rest->active, 1, (size_t)rest->rows * (size_t)rest->columns);
}

static uint8_t* active_row(const Rest* rest, int row) {
    return rest->active + (size_t)row * (size_t)rest->columns;
}

uint8_t* rest_marks(Rest* rest, int tx, int y) {
    if (rest->all) return NULL;
    return active_row(rest, y / REST_BLOCK) + rest->panel_start[tx];
}

// ---- what is awake ------------------------------------------------------------------------------

/// The column of blocks that a column of cells is in.
static int block_of(const Rest* rest, int x) {
    int tx = x / rest->world->tile_width;
    return rest->panel_start[tx] + (x - panel_of(rest, tx)->x) / REST_BLOCK;
}

/// The same, for a column that may lie outside the world.
static int block_near(const Rest* rest, double x) {
    int last = rest->world->width - 1;
    return block_of(rest, x < 0 ? 0 : x > last ? last : (int)x);
}

/// Makes a rectangle of cells active.
static void mark_box(Rest* rest, SupplyBox box) {
    int from = block_of(rest, box.first_column), to = block_of(rest, box.end_column - 1);
    for (int row = box.first_row / REST_BLOCK; row <= (box.end_row - 1) / REST_BLOCK; row++)
        memset(active_row(rest, row) + from, 1, (size_t)(to - from + 1));
}

/// Makes active what water falls on in one of the steps; true if it falls everywhere.
static bool mark_supplies(Rest* rest, int steps, const void* const* supplies) {
    for (int i = 0; i < steps; i++) {
        const SupplyStep* step = supplies[i];
        if (!step) continue;
        if (step->rain > 0 || step->season > 0) return true;
        for (int n = 0; n < step->boxes; n++)
            mark_box(rest, supply_boxes(step)[n]);
    }
    return false;
}

/// Wakes the blocks of a row of blocks around those that are active in another.
static void wake_around(Rest* rest, int row, int distance) {
    if (row < 0 || row >= rest->rows) return;
    const GullyWorld* world = rest->world;
    const uint8_t* active = active_row(rest, row);
    for (int tx = 0; tx < world->tiles_x; tx++) {
        const Tile* panel = panel_of(rest, tx);
        for (int i = 0; i < blocks_of(panel->width); i++) {
            if (!active[rest->panel_start[tx] + i]) continue;
            int end = (i + 1) * REST_BLOCK < panel->width ? (i + 1) * REST_BLOCK : panel->width;
            int from = block_near(rest, panel->x + i * REST_BLOCK - distance);
            int to = block_near(rest, panel->x + end - 1 + distance);
            memset(rest->awake + from, 1, (size_t)(to - from + 1));
        }
    }
}

/// The columns of a panel from its first to its last block that is awake.
static Columns hull_of(const Rest* rest, int tx) {
    const uint8_t* awake = rest->awake + rest->panel_start[tx];
    const int width = panel_of(rest, tx)->width;
    int first = 0, last = blocks_of(width) - 1;
    while (first <= last && !awake[first])
        first++;
    while (last >= first && !awake[last])
        last--;
    int to = (last + 1) * REST_BLOCK;
    return (Columns){first * REST_BLOCK, to < width ? to : width};
}

/// Whether every law of a step says where it is at rest.
static bool laws_rest(const Plan* plan) {
    for (int k = 0; k < plan->stages_per_step; k++) {
        const Law* law = plan->stages[k].what.law;
        if (law && !law->rest && !law->marks_moving) return false;
    }
    return true;
}

void rest_begin(Rest* rest, const Plan* plan, int steps, const void* const* supplies) {
    rest->all = !laws_rest(plan) || mark_supplies(rest, steps, supplies);
    if (rest->all) {
        rest_wake(rest);
        return;
    }
    const int around = plan->reach / REST_BLOCK + 1;
    for (int row = 0; row < rest->rows; row++) {
        memset(rest->awake, 0, (size_t)rest->columns);
        for (int beside = row - around; beside <= row + around; beside++)
            wake_around(rest, beside, around * REST_BLOCK);
        for (int tx = 0; tx < rest->world->tiles_x; tx++)
            rest->hulls[row * rest->world->tiles_x + tx] = hull_of(rest, tx);
    }
    memset(rest->active, 0, (size_t)rest->rows * (size_t)rest->columns);
}

Columns rest_awake(const Rest* rest, int tx, int first, int end) {
    if (rest->all) return (Columns){0, panel_of(rest, tx)->width};
    Columns hull = {0, 0};
    int top = first < 0 ? 0 : first / REST_BLOCK;
    int bottom = end > rest->world->height ? rest->rows - 1 : end < 1 ? -1 : (end - 1) / REST_BLOCK;
    for (int row = top; row <= bottom; row++) {
        Columns other = rest->hulls[row * rest->world->tiles_x + tx];
        if (other.from >= other.to) continue;
        if (hull.from >= hull.to) hull = other;
        if (other.from < hull.from) hull.from = other.from;
        if (other.to > hull.to) hull.to = other.to;
    }
    return hull;
}

// ---- what is active -----------------------------------------------------------------------------

/// Whether a field is 0 in a part of a row.
static bool is_zero(const GullyWorld* world, const Tile* tile, int slot, int row, int from,
                    int to) {
    if (!is_narrow(world, slot)) return is_all_zero(tile_row(world, tile, slot, row), from, to);
    const Half* halves = tile_half_row(world, tile, slot, row);
    unsigned any = 0; // a negative number that was rounded to 0 has its sign still, for a step
    for (int i = from; i < to; i++)
        any |= halves[i];
    return any == 0;
}

/// Whether a law is at rest in a part of a row.
static bool rests(const Rest* rest, const Stage* stage, const Tile* tile, int row, int from,
                  int count) {
    for (FieldSet left = stage->what.law->rest; left; left &= left - 1) {
        int slot = stage->what.slots[__builtin_ctzll(left)];
        if (slot >= 0 && !is_zero(rest->world, tile, slot, row, from, from + count)) return false;
    }
    return true;
}

/// Whether all laws that say so by their fields are at rest in a block.
static bool block_rests(const Rest* rest, const Plan* plan, int tx, int first, int end, int from,
                        int count) {
    const GullyWorld* world = rest->world;
    for (int y = first; y < end; y++) {
        const Tile* tile = tile_of_row(world, tx, y);
        const Law* last = NULL;
        for (int k = 0; k < plan->stages_per_step; k++) {
            const Stage* stage = &plan->stages[k];
            if (!stage->what.law || stage->what.law == last) continue;
            last = stage->what.law;
            if (!rests(rest, stage, tile, y - tile->y, from, count)) return false;
        }
    }
    return true;
}

void rest_end_rows(Rest* rest, const Plan* plan, int tx, int y) {
    if (rest->all) return;
    int row = y / REST_BLOCK, first = row * REST_BLOCK;
    int end = first + REST_BLOCK < rest->world->height ? first + REST_BLOCK : rest->world->height;
    Columns hull = rest->hulls[row * rest->world->tiles_x + tx];
    uint8_t* active = active_row(rest, row) + rest->panel_start[tx];
    for (int from = hull.from; from < hull.to; from += REST_BLOCK) {
        int count = hull.to - from < REST_BLOCK ? hull.to - from : REST_BLOCK;
        uint8_t* block = &active[from / REST_BLOCK];
        if (!*block) *block = !block_rests(rest, plan, tx, first, end, from, count);
    }
}
