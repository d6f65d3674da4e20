// SPDX-License-Identifier: MIT
#include "shot.h"

#include <stdlib.h>
#include <string.h>

int tile_columns(int cells, int level) {
    int64_t squares = cells - 1, tile = (int64_t)TILE_SQUARES << level;
    return squares <= tile ? 1 : (int)((squares + tile - 1) / tile);
}

int tile_levels(int width, int height) {
    int level = 0;
    while (tile_columns(width, level) > 1 || tile_columns(height, level) > 1)
        level++;
    return level + 1;
}

// ---- what to copy -------------------------------------------------------------------------------

int shot_fields(const GullyWorld* world, unsigned planes, GullyField out[SHOT_FIELDS]) {
    static const GullyField one[PLANE_COUNT] = {
        [PLANE_HEIGHT] = GULLY_TERRAIN,      [PLANE_WATER] = GULLY_WATER,
        [PLANE_VELOCITY] = GULLY_VELOCITY_X, [PLANE_SEDIMENT] = GULLY_SEDIMENT,
        [PLANE_DEPOSIT] = GULLY_DEPOSIT,     [PLANE_FLOW] = GULLY_FLOW,
        [PLANE_WEAR] = GULLY_WEAR,           [PLANE_HARDNESS] = GULLY_HARDNESS,
    };
    int count = 0;
    for (int plane = 0; plane < PLANE_MATERIAL; plane++)
        if (planes & 1u << plane) out[count++] = one[plane];
    if (planes & 1u << PLANE_VELOCITY) out[count++] = GULLY_VELOCITY_Y;
    const int materials = planes & 1u << PLANE_MATERIAL ? gully_world_material_count(world) : 0;
    for (int m = 1; m < materials; m++)
        out[count++] = GULLY_LAYER(m);
    return count;
}

static void list_materials(Shot* shot, const GullyWorld* world, unsigned planes) {
    shot->material_count = planes & 1u << PLANE_MATERIAL ? gully_world_material_count(world) : 0;
    for (int m = 0; m < shot->material_count; m++)
        shot->colors[m] = gully_world_material(world, m)->color;
}

static void list_tiles(Shot* shot, const GullyWorld* world, const Want* want) {
    int width = gully_world_width(world), height = gully_world_height(world);
    int levels = tile_levels(width, height);
    shot->tile_count = 0;
    for (int i = 0; i < want->count; i++) {
        TileKey key = want->tiles[i];
        int level = tile_level(key);
        if (level < levels && tile_x(key) < tile_columns(width, level) &&
            tile_y(key) < tile_columns(height, level))
            shot->tiles[shot->tile_count++] = key;
    }
}

static bool make_room(Shot* shot, int width) {
    size_t needed = (size_t)shot->tile_count * (size_t)shot->field_count * TILE_SAMPLES;
    if (needed > shot->room) {
        free(shot->samples);
        shot->samples = malloc(needed * sizeof *shot->samples);
        shot->room = shot->samples ? needed : 0;
    }
    if (width > shot->row_room) {
        free(shot->row);
        shot->row = malloc((size_t)width * sizeof *shot->row);
        shot->row_room = shot->row ? width : 0;
    }
    return needed <= shot->room && width <= shot->row_room;
}

// ---- copying ------------------------------------------------------------------------------------

static int nearest(int64_t cell, int cells) {
    return cell < 0 ? 0 : cell >= cells ? cells - 1 : (int)cell;
}

/// The column or row of the world, of so many, that a tile's sample `i` lies in.
static int sample_cell(int place, int level, int i, int cells) {
    return nearest(((int64_t)TILE_SQUARES * place + i - 1) * (1 << level), cells);
}

/// Where the samples of a field of a tile are.
static float* samples_of(const Shot* shot, int tile, int field) {
    return shot->samples +
           ((size_t)tile * (size_t)shot->field_count + (size_t)field) * TILE_SAMPLES;
}

/// Takes the samples of a tile out of a row of cells that begins at column `first`.
static void pick_samples(const float* cells, int first, TileKey key, int width, float* out) {
    int level = tile_level(key), column = sample_cell(tile_x(key), level, 0, width);
    if (sample_cell(tile_x(key), level, TILE_SIDE - 1, width) - column == TILE_SIDE - 1) {
        memcpy(out, cells + column - first, TILE_SIDE * sizeof *out);
        return;
    }
    for (int i = 0; i < TILE_SIDE; i++)
        out[i] = cells[sample_cell(tile_x(key), level, i, width) - first];
}

static GullyStatus read_cells(const Scenery* scenery, GullyField field, GullyRect rect,
                              float* out) {
    if (scenery->was) return gully_moment_read(scenery->was, field, rect, out);
    return scenery->view ? gully_view_read(scenery->view, field, rect, out)
                         : gully_world_read(gully_sim_world(scenery->sim), field, rect, out);
}

/// Copies a field of tiles that lie side by side, row by row: long rows are read faster than short
/// ones.
static GullyStatus copy_run(const Shot* shot, const Scenery* scenery, int field, int tile,
                            int count) {
    const GullyWorld* world = gully_sim_world(scenery->sim);
    int width = gully_world_width(world), height = gully_world_height(world);
    TileKey key = shot->tiles[tile];
    int level = tile_level(key), left = sample_cell(tile_x(key), level, 0, width);
    int right = sample_cell(tile_x(key) + count - 1, level, TILE_SIDE - 1, width), before = -1;
    GullyRect cells = {left, 0, right - left + 1, 1};
    for (int j = 0; j < TILE_SIDE; j++) {
        cells.y = sample_cell(tile_y(key), level, j, height);
        GullyStatus status = GULLY_OK;
        if (cells.y != before) // beyond the world's edge a row comes again
            status = read_cells(scenery, shot->fields[field], cells, shot->row);
        if (status != GULLY_OK) return status;
        before = cells.y;
        for (int t = tile; t < tile + count; t++)
            pick_samples(shot->row, cells.x, shot->tiles[t], width,
                         samples_of(shot, t, field) + j * TILE_SIDE);
    }
    return GULLY_OK;
}

/// How many tiles from this one on lie side by side.
static int run_length(const Shot* shot, int tile) {
    int count = 1;
    while (tile + count < shot->tile_count &&
           shot->tiles[tile + count] == shot->tiles[tile] + (TileKey)count)
        count++;
    return count;
}

GullyStatus shot_take(Shot* shot, const Scenery* scenery, Want* want, unsigned planes) {
    const GullySim* sim = scenery->sim;
    const GullyView* view = scenery->view;
    const GullyWorld* world = gully_sim_world(sim);
    want_hold(want);
    want_drop(shot->want);
    shot->want = want;
    shot->planes = planes;
    shot->session = scenery->session;
    shot->step = scenery->was ? gully_moment_step(scenery->was)
                 : view       ? gully_view_step(view)
                              : gully_sim_steps(sim);
    shot->time = view ? gully_view_time(view) : gully_sim_time(sim);
    shot->field_count = shot_fields(world, planes, shot->fields);
    list_materials(shot, world, planes);
    list_tiles(shot, world, want);
    GullyStatus status = GULLY_OK;
    if (!make_room(shot, gully_world_width(world)))
        status =
            gully_fail(GULLY_NO_MEMORY, "no memory for a picture of %d tiles", shot->tile_count);
    for (int t = 0, count; t < shot->tile_count && status == GULLY_OK; t += count) {
        count = run_length(shot, t);
        for (int f = 0; f < shot->field_count && status == GULLY_OK; f++)
            status = copy_run(shot, scenery, f, t, count);
    }
    if (status != GULLY_OK) shot->tile_count = 0;
    return status;
}

void shot_free(Shot* shot) {
    want_drop(shot->want);
    free(shot->samples);
    free(shot->row);
    *shot = (Shot){0};
}

const float* shot_samples(const Shot* shot, int tile, GullyField field) {
    for (int f = 0; f < shot->field_count; f++)
        if (shot->fields[f] == field) return samples_of(shot, tile, f);
    return NULL;
}
