// SPDX-License-Identifier: MIT
#include "border.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/// Panels are equally wide but for the last one: rows come in two pitches.
enum { FULL_WIDTH, LAST_PANEL, PITCHES };

struct Borders {
    GullyWorld* world;
    float* outside[PITCHES]; // a row of every field's outside value, laid out like a tile's row
    bool* boundary;          // [panels][height]: rows that see a nodata cell or a side
    float* seam_rows;        // copies of the rows around all seams
    size_t seam_floats;      // of one seam
    size_t seam_room;        // seams that there is memory for
    int64_t layout, edits;   // of the world, as last seen
    const Band* band;        // the rows that a sweep is visiting; NULL = another stepper's
};

GullyStatus borders_create(GullyWorld* world, Borders** out) {
    *out = NULL;
    Borders* borders = calloc(1, sizeof *borders);
    if (!borders) return gully_fail(GULLY_NO_MEMORY, "no memory for borders");
    borders->world = world;
    borders->layout = borders->edits = -1;
    borders->boundary = malloc((size_t)world->tiles_x * (size_t)world->height);
    if (!borders->boundary) {
        borders_destroy(borders);
        return gully_fail(GULLY_NO_MEMORY, "no memory for borders of %d panels", world->tiles_x);
    }
    *out = borders;
    return GULLY_OK;
}

void borders_destroy(Borders* borders) {
    if (!borders) return;
    for (int i = 0; i < PITCHES; i++)
        free(borders->outside[i]);
    free(borders->boundary);
    free(borders->seam_rows);
    free(borders);
}

static const Tile* panel_of(const GullyWorld* world, int panel) {
    return &world->tiles[panel]; // its topmost tile
}

/// What lies to the west or east of all blocks of a panel.
static BorderKind kind_beside(const GullyWorld* world, int panel, Side side) {
    const int last = side == WEST ? 0 : world->tiles_x - 1;
    return panel == last ? BORDER_OUTSIDE : BORDER_BLOCK;
}

// ---- the outside --------------------------------------------------------------------------------

static int pitch_of(const GullyWorld* world, int panel) {
    return panel == world->tiles_x - 1 ? LAST_PANEL : FULL_WIDTH;
}

/// The row north or south of the world.
static float* outside_row(const Borders* borders, int panel) {
    return borders->outside[pitch_of(borders->world, panel)] + MARGIN;
}

static GullyStatus make_outside_row(Borders* borders, int panel) {
    const GullyWorld* world = borders->world;
    const size_t pitch = panel_of(world, panel)->pitch;
    const size_t row = (size_t)world->row_size * (pitch / 2) + 2 * MARGIN;
    const size_t floats = (row + VECTOR - 1) / VECTOR * VECTOR;
    float** place = &borders->outside[pitch_of(world, panel)];
    free(*place);
    *place = aligned_alloc(64, floats * sizeof **place);
    if (!*place) return gully_fail(GULLY_NO_MEMORY, "no memory for borders of %zu columns", pitch);
    memset(*place, 0, floats * sizeof **place);
    for (int slot = 0; slot < world->field_count; slot++) {
        if (!is_in_place(world, slot)) continue; // its windows have their own
        float* numbers = *place + MARGIN + (size_t)world->start[slot] * (pitch / 2);
        for (size_t i = 0; i < pitch; i++)
            numbers[i] = world->fields[slot].outside;
    }
    return GULLY_OK;
}

/// The columns of a panel just beyond the sides of the world.
typedef struct OutsideColumns {
    int west, east;
} OutsideColumns;

static OutsideColumns outside_columns(const GullyWorld* world, const Tile* tile) {
    return (OutsideColumns){-tile->x - 1, world->width - tile->x};
}

void border_mark_columns(const GullyWorld* world, int panel, float* row, float outside) {
    const Tile* tile = panel_of(world, panel);
    const OutsideColumns columns = outside_columns(world, tile);
    if (columns.west >= -STRIP) row[columns.west] = outside;
    if (columns.east < tile->width + STRIP) row[columns.east] = outside;
}

void borders_mark_tile(GullyWorld* world, int index) {
    Tile* tile = &world->tiles[index];
    const OutsideColumns columns = outside_columns(world, tile);
    const bool west = columns.west >= -STRIP, east = columns.east < tile->width + STRIP;
    if (!tile->cells || tile->is_marked) return;
    for (int row = 0; (west || east) && row < tile->height; row++) {
        for (int slot = 0; slot < world->field_count; slot++) {
            const float outside = world->fields[slot].outside;
            if (west) tile_set(world, tile, slot, row, columns.west, outside);
            if (east) tile_set(world, tile, slot, row, columns.east, outside);
        }
    }
    tile->is_marked = true;
}

// ---- nodata cells -------------------------------------------------------------------------------

/// Whether cells of a tile can be in the strips of a panel, or beside them.
static bool is_near(const Tile* tile, const Tile* panel) {
    return tile->x <= panel->x + panel->width + STRIP && tile->x + tile->width >= panel->x - STRIP;
}

/// Finds the rows of a panel that see a nodata cell, or the first or last row of the world.
static void find_boundary_rows(const GullyWorld* world, int panel, bool* rows) {
    memset(rows, 0, (size_t)world->height * sizeof *rows);
    rows[0] = rows[world->height - 1] = true;
    for (int i = 0; world->has_holes && i < world->tiles_x * world->tiles_y; i++) {
        const Tile* tile = &world->tiles[i];
        const bool near = is_near(tile, panel_of(world, panel));
        for (int row = 0; near && row < tile->height; row++) {
            if (!tile->holes[row]) continue;
            const int y = tile->y + row;
            if (y > 0) rows[y - 1] = true;
            rows[y] = true;
            if (y < world->height - 1) rows[y + 1] = true;
        }
    }
}

const bool* border_boundary_rows(const Borders* borders, int panel) {
    return borders->boundary + (size_t)panel * (size_t)borders->world->height;
}

void borders_forget(Borders* borders) {
    borders->edits = -1;
}

GullyStatus borders_bind(Borders* borders) {
    GullyWorld* world = borders->world;
    if (world->edits != borders->edits) {
        const size_t height = (size_t)world->height;
        for (int panel = 0; panel < world->tiles_x; panel++)
            find_boundary_rows(world, panel, borders->boundary + (size_t)panel * height);
        borders->edits = world->edits;
    }
    if (world->layout == borders->layout) return GULLY_OK;
    GullyStatus status = make_outside_row(borders, 0);
    if (!status) status = make_outside_row(borders, world->tiles_x - 1);
    if (status) return status;
    borders->layout = world->layout;
    return GULLY_OK;
}

// ---- strips -------------------------------------------------------------------------------------

/// Columns of another tile that a strip holds a copy of.
typedef struct StripSpan {
    const Tile* owner;
    int from, to, count; // column there, column here
} StripSpan;

/// Lists the spans of one strip, from the tile outwards. Narrow tiles give several.
static int list_spans(const GullyWorld* world, const Tile* tile, int panel, Side side, int columns,
                      StripSpan* spans) {
    const int step = side == WEST ? -1 : 1;
    int count = 0;
    for (int filled = 0; filled < columns && kind_beside(world, panel, side) == BORDER_BLOCK;) {
        tile += step;
        panel += step;
        const int take = tile->width < columns - filled ? tile->width : columns - filled;
        const int there = side == WEST ? tile->width - take : 0;
        const int here = side == WEST ? -filled - take : filled;
        spans[count++] = (StripSpan){tile, there, here, take};
        filled += take;
    }
    return count;
}

/// Whether the cells of a span, which are another level's, are in the strip already.
static bool is_kept(const GullyWorld* world, const Tile* owner) {
    return world->keeps_strips && owner->is_ghost;
}

/// Bytes from a row of a tile to the next.
static size_t row_bytes(const GullyWorld* world, const Tile* tile) {
    return (size_t)world->row_size * (tile->pitch / 2) * sizeof(float);
}

/// Copies a span of rows first .. end-1. Spans of one or two cache lines are copied without a call.
static void copy_span(const GullyWorld* world, const Tile* tile, int slot, int first, int end,
                      StripSpan span) {
    enum { LINE = 64 };
    const size_t bytes = (size_t)span.count * tile_number_bytes(world, slot);
    const size_t to_step = row_bytes(world, tile), from_step = row_bytes(world, span.owner);
    char* to = tile_number(world, tile, slot, first, span.to);
    const char* from = tile_number(world, span.owner, slot, first, span.from);
    for (int row = first; row < end; row++, to += to_step, from += from_step) {
        if (bytes == LINE)
            memcpy(to, from, LINE);
        else if (bytes == 2 * LINE)
            memcpy(to, from, 2 * LINE);
        else
            memcpy(to, from, bytes);
    }
}

void border_fill_strips(GullyWorld* world, int tile_index, int slot, int first, int end,
                        int columns) {
    const Tile* tile = &world->tiles[tile_index];
    const int panel = tile_index % world->tiles_x;
    StripSpan spans[2 * STRIP];
    const int west = list_spans(world, tile, panel, WEST, columns, spans);
    const int count = west + list_spans(world, tile, panel, EAST, columns, spans + west);
    for (int i = west; i < count; i++)
        spans[i].to += tile->width;
    for (int i = 0; i < count; i++)
        if (!is_kept(world, spans[i].owner)) copy_span(world, tile, slot, first, end, spans[i]);
}

// ---- seams --------------------------------------------------------------------------------------

bool borders_reserve_seams(Borders* borders, size_t seams, int depth) {
    const size_t rows = 2 * (size_t)depth * band_row_floats(borders->world, 0); // the widest panel
    const size_t floats = (rows + VECTOR - 1) / VECTOR * VECTOR + 3 * MARGIN;
    if (seams != borders->seam_room || floats != borders->seam_floats) {
        const size_t bytes = seams * floats * sizeof *borders->seam_rows;
        free(borders->seam_rows);
        borders->seam_rows = seams ? aligned_alloc(64, bytes) : NULL;
        if (borders->seam_rows) memset(borders->seam_rows, 0, bytes);
        borders->seam_floats = floats;
        borders->seam_room = seams;
    }
    return borders->seam_rows != NULL;
}

/// A row of the copies around a seam, counted from it. Those before it are one block's, those after it
/// another's, and passes may look a column beyond their rows: a margin lies between.
static float* seam_row(float* cells, const GullyWorld* world, int panel, int depth, int row) {
    return cells + (size_t)(row + depth) * band_row_floats(world, panel) + (row < 0 ? 0 : MARGIN);
}

/// Copies a row near a seam: what is awake of it, and what passes may read beside that.
static void copy_row(const Borders* borders, const Plan* plan, const Activity* activity, int panel,
                     int y, float* to) {
    const GullyWorld* world = borders->world;
    const Tile* tile = panel_of(world, panel);
    const int around = plan->fringe + 2, margin = around * PATCH;
    const ActiveSpan awake = activity_span(activity, panel, y - around, y + around);
    if (awake.from >= awake.to) return;
    const int from = awake.from > margin ? awake.from - margin : -STRIP;
    const int end = awake.to + margin < tile->width ? awake.to + margin : tile->width + STRIP;
    const char* row = (const char*)band_row(borders->band, panel, y);
    for (int slot = 0; slot < world->field_count; slot++) {
        const size_t number = tile_number_bytes(world, slot);
        const size_t start = (size_t)world->start[slot] * (tile->pitch / 2) * sizeof(float);
        const size_t at = start + (size_t)(STRIP + from) * number;
        memcpy((char*)to + at, row + at, (size_t)(end - from) * number);
    }
}

// ---- filling ------------------------------------------------------------------------------------

typedef struct Filling {
    Borders* borders;
    Blocks* blocks;
    int first_tile; // of the band
    const Plan* plan;
    const Activity* activity;
} Filling;

/// Fills the strips of a tile, in rows that are awake.
static void fill_tile(void* context, int index, int worker) {
    (void)worker;
    const Filling* filling = context;
    const Plan* plan = filling->plan;
    GullyWorld* world = filling->borders->world;
    index += filling->first_tile;
    const Tile* tile = &world->tiles[index];
    if (tile_is_left_out(world, tile)) return;
    for (int first = 0, end; first < tile->height; first = end) {
        end = first + PATCH < tile->height ? first + PATCH : tile->height;
        // Passes at the fringe of what is awake read further rows.
        const ActiveSpan awake = activity_span(filling->activity, index % world->tiles_x,
                                               tile->y + first - PATCH, tile->y + end + PATCH);
        if (awake.from >= awake.to) continue;
        for (int i = 0; i < plan->border_count; i++)
            border_fill_strips(world, index, plan->border[i], first, end, plan->strip);
    }
}

/// Fills the strips of a row that is no tile's but a copy, beyond the band.
static void fill_beyond(const Borders* borders, const Plan* plan, const Activity* activity,
                        int panel, int y) {
    const GullyWorld* world = borders->world;
    const Tile* tile = panel_of(world, panel);
    const ActiveSpan awake = activity_span(activity, panel, y - PATCH, y + PATCH);
    if (awake.from >= awake.to) return;
    StripSpan spans[2 * STRIP];
    const int columns = plan->strip;
    const int west = list_spans(world, tile, panel, WEST, columns, spans);
    const int count = west + list_spans(world, tile, panel, EAST, columns, spans + west);
    char* row = (char*)band_row(borders->band, panel, y);
    for (int i = 0; i < count; i++) {
        const StripSpan* span = &spans[i];
        if (is_kept(world, span->owner)) continue;
        const char* other =
            (const char*)band_row(borders->band, (int)(span->owner - world->tiles), y);
        const int to = i < west ? span->to : span->to + tile->width;
        for (int k = 0; k < plan->border_count; k++) {
            const int slot = plan->border[k];
            const size_t number = tile_number_bytes(world, slot);
            const size_t start = (size_t)world->start[slot] * sizeof(float);
            memcpy(row + start * (tile->pitch / 2) + (size_t)(STRIP + to) * number,
                   other + start * (span->owner->pitch / 2) + (size_t)(STRIP + span->from) * number,
                   (size_t)span->count * number);
        }
    }
}

void borders_fill_beyond(Borders* borders, const Plan* plan, const Activity* activity, Side side) {
    const GullyWorld* world = borders->world;
    const Band* band = borders->band;
    const int first = side == NORTH ? band->first - band->depth : band->end;
    const int top = first > 0 ? first : 0;
    for (int panel = 0; panel < world->tiles_x && world->tiles_x > 1; panel++)
        for (int y = top; y < first + band->depth && y < world->height; y++)
            fill_beyond(borders, plan, activity, panel, y);
}

/// Copies the rows around a seam before blocks change them.
static void fill_seam(void* context, int index, int worker) {
    (void)worker;
    const Filling* filling = context;
    const Borders* borders = filling->borders;
    const GullyWorld* world = borders->world;
    const Seam seam = filling->blocks->seams[index];
    const int depth = filling->plan->reach;
    float* cells = borders->seam_rows + (size_t)index * borders->seam_floats + MARGIN;
    for (int y = seam.row - depth; y < seam.row + depth; y++)
        if (y >= 0 && y < world->height)
            copy_row(borders, filling->plan, filling->activity, seam.panel, y,
                     seam_row(cells, world, seam.panel, depth, y - seam.row));
}

/// Says what lies beyond each side of a block.
static void describe_sides(const Borders* borders, Block* block, const Plan* plan) {
    for (Side side = WEST; side <= EAST; side++) {
        block->side[side] = (Border){
            .kind = kind_beside(borders->world, block->panel, side),
            .seam = -1,
            .depth = plan->strip,
        };
    }
    for (Side side = NORTH; side <= SOUTH; side++) {
        const int seam = block->side[side].seam;
        Border* border = &block->side[side];
        *border = (Border){.kind = BORDER_OUTSIDE, .seam = seam, .depth = 1};
        const bool is_side =
            side == NORTH ? block->first == 0 : block->end == borders->world->height;
        if (is_side) continue;
        const int row = side == NORTH ? borders->world->first_row : borders->world->end_row;
        border->kind =
            (side == NORTH ? block->first <= row : block->end >= row) ? BORDER_RANK : BORDER_BLOCK;
        border->depth = plan->reach;
        if (seam < 0) continue; // the rows beyond are the band's
        border->cells = borders->seam_rows + (size_t)seam * borders->seam_floats + MARGIN;
    }
}

void borders_fill_strips(Borders* borders, Pool* pool, Blocks* blocks, const Plan* plan,
                         const Activity* activity, const Band* band) {
    const GullyWorld* world = borders->world;
    const int first = band->first / world->tile_height * world->tiles_x;
    const int tiles = ((band->end - 1) / world->tile_height + 1) * world->tiles_x - first;
    Filling filling = {borders, blocks, first, plan, activity};
    borders->band = band;
    for (int i = 0; i < blocks->count; i++)
        describe_sides(borders, &blocks->list[i], plan);
    if (world->tiles_x > 1) pool_run(pool, tiles, fill_tile, &filling);
}

void borders_fill_seams(Borders* borders, Pool* pool, Blocks* blocks, const Plan* plan,
                        const Activity* activity) {
    Filling filling = {.borders = borders, .blocks = blocks, .plan = plan, .activity = activity};
    if (blocks->seam_count > 0) pool_run(pool, blocks->seam_count, fill_seam, &filling);
}

// ---- rows ---------------------------------------------------------------------------------------

/// A row of the band or beyond it. One that sleeps out of memory is read by no pass: any row does.
static float* stored_row(const Borders* borders, int panel, int y) {
    float* row = band_row(borders->band, panel, y);
    return row ? row : outside_row(borders, panel);
}

float* border_row(const Borders* borders, const Block* block, int y) {
    const GullyWorld* world = borders->world;
    const Border *north = &block->side[NORTH], *south = &block->side[SOUTH];
    if (y < 0 || y >= world->height) return outside_row(borders, block->panel);
    const Border* border = y < block->first ? north : south;
    const bool is_own = y >= block->first && y < block->end;
    if (is_own || border->seam < 0) return stored_row(borders, block->panel, y);
    const int row = y - (y < block->first ? block->first : block->end);
    assert(border->kind != BORDER_OUTSIDE && abs(row) <= border->depth);
    return seam_row(border->cells, world, block->panel, border->depth, row);
}

const float* border_field_row(const Borders* borders, int tile_index, int slot, int row) {
    const GullyWorld* world = borders->world;
    const Tile* tile = &world->tiles[tile_index];
    if (row >= 0 && row < tile->height) return tile_row(world, tile, slot, row);
    const int panel = tile_index % world->tiles_x;
    const int beyond = tile_index / world->tiles_x + (row < 0 ? -1 : 1);
    if (beyond < 0 || beyond >= world->tiles_y)
        return outside_row(borders, panel) + (size_t)world->start[slot] * (tile->pitch / 2) + STRIP;
    const Tile* other = &world->tiles[beyond * world->tiles_x + panel];
    return tile_row(world, other, slot, row < 0 ? other->height - 1 : 0);
}
