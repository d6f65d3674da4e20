// SPDX-License-Identifier: MIT
#include "size_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "busy.h"
#include "gully/state.h"
#include "terrains.h"

static const GullyField fields[SIZE_FIELDS] = {
    GULLY_TERRAIN, GULLY_WATER,      GULLY_SEDIMENT, GULLY_HARDNESS, GULLY_FLOW,   GULLY_WEAR,
    GULLY_DEPOSIT, GULLY_VELOCITY_X, GULLY_LAYER_0,  GULLY_LAYER_1,  GULLY_LAYER_2};

static void patchy(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++)
        out[c] = (float)fmax(0, terrain_noise(c % width, c / width, 9, 8) - 0.4);
}

static int width_of(const SizeWay* way) {
    return way->width ? way->width : SIZE_WIDTH;
}

/// Rock, soil and sand, if the law knows materials.
static void lay(GullyWorld* world, const SizeWay* way) {
    const GullyMaterial materials[3] = {gully_material("rock", 0), gully_material("soil", 1),
                                        gully_material("sand", 2)};
    if (!way->law->layers) return;
    float* soil = terrain_make(patchy, width_of(way), way->height);
    MUST(gully_world_set_materials(world, materials, 3));
    MUST(gully_world_write(world, GULLY_LAYER_1, gully_world_all(world), soil));
    MUST(gully_world_fill(world, GULLY_LAYER_2, 0.01f));
    free(soil);
}

GullyWorld* size_world(const SizeWay* way, const GullyRanks* ranks) {
    float* heights = terrain_make(terrain_holes, width_of(way), way->height);
    GullyWorldDef def = gully_world_def(width_of(way), way->height);
    GullyWorld* world;
    def.cell_x = 2;
    def.cell_y = 3;
    def.tile_size = way->tile_size;
    def.half = way->half;
    def.memory = way->memory;
    def.heights = heights;
    def.ranks = ranks;
    MUST(gully_world_create(&def, &world));
    lay(world, way);
    free(heights);
    return world;
}

GullySettings* size_settings(const SizeWay* way) {
    const GullySource source = {.x = 60,
                                .y = 3 * way->edit.y + 10,
                                .radius = 70,
                                .rate = 0.02,
                                .concentration = 0.1,
                                .until = GULLY_FOREVER};
    GullySettings* settings = way->sleeps ? NULL : busy_settings(way->law, &source);
    if (settings) return settings;
    MUST(gully_settings_create(way->law->name, &settings));
    spare_routing(way->law, settings);
    MUST(gully_settings_add_source(settings, &source));
    return settings;
}

GullySim* size_begin(const SizeWay* way, const GullyRanks* ranks) {
    GullySettings* settings = size_settings(way);
    GullySimDef def = gully_sim_def();
    GullySim* sim;
    def.threads = way->threads;
    def.velocity = true;
    MUST(gully_sim_create(size_world(way, ranks), settings, &def, &sim));
    gully_settings_destroy(settings);
    return sim;
}

void size_end(GullySim* sim) {
    GullyWorld* world = gully_sim_world(sim);
    gully_sim_destroy(sim);
    gully_world_destroy(world);
}

void size_edit(const SizeWay* way, GullyWorld* world) {
    const int cells = way->edit.width * way->edit.height;
    float* level = terrain_constant(5, way->edit.width, way->edit.height);
    if (cells > 0) {
        MUST(gully_world_write(world, GULLY_TERRAIN, way->edit, level));
        MUST(gully_world_write(world, GULLY_WATER, way->edit, level));
    }
    free(level);
}

SizeState size_state(int width, int height) {
    enum { CELL_BYTES = 400 }; // pages that nobody writes take no memory
    SizeState state = {.cells = calloc((size_t)width * (size_t)height, CELL_BYTES)};
    if (!state.cells) abort();
    return state;
}

void size_state_free(SizeState* state) {
    free(state->head);
    free(state->cells);
}

void size_keep(SizeState* out, const GullySim* sim) {
    GullyState* state;
    MUST(gully_state_of(sim, &state));
    for (int64_t i = 0; i < gully_state_info(state)->pieces; i++)
        MUST(gully_state_read(state, sim, i, out->cells + gully_state_piece(state, i).offset));
    if (gully_world_ranks(gully_sim_world(sim))->rank == 0) {
        const void* head = gully_state_head(state, &out->head_size);
        free(out->head);
        out->head = malloc(out->head_size);
        if (!out->head) abort();
        memcpy(out->head, head, out->head_size);
    }
    gully_state_destroy(state);
}

void size_restore(const SizeState* kept, GullySim* sim) {
    GullyState* state;
    MUST(gully_state_parse(kept->head, kept->head_size, &state));
    MUST(gully_state_begin(state, sim));
    for (int64_t i = 0; i < gully_state_info(state)->pieces; i++)
        MUST(gully_state_write(state, sim, i, kept->cells + gully_state_piece(state, i).offset));
    MUST(gully_state_end(state, sim));
    gully_state_destroy(state);
}

SizeOutcome size_outcome(const GullySim* sim) {
    const GullyWorld* world = gully_sim_world(sim);
    SizeOutcome out = {.block = gully_sim_block(sim)};
    for (int f = 0; f < SIZE_FIELDS; f++)
        out.hashes[f] = gully_world_hash(world, fields[f]);
    MUST(gully_sim_budget(sim, &out.budget));
    gully_world_memory(world, &out.memory);
    out.cells = gully_world_cells(world);
    out.volume = gully_world_volume(world, GULLY_LAYER_0);
    return out;
}

void size_check_same(const SizeWay* way, const SizeOutcome* got, const SizeOutcome* wanted) {
    for (int f = 0; f < SIZE_FIELDS; f++)
        if (got->hashes[f] != wanted->hashes[f])
            fail_msg("%s: %s differs on %d ranks with %zu bytes each, tiles of %d", way->law->name,
                     gully_field_name(fields[f]), way->ranks, way->memory, way->tile_size);
    assert_memory_equal(&got->budget, &wanted->budget, sizeof wanted->budget);
    assert_true(got->cells == wanted->cells);
    assert_true(got->volume == wanted->volume);
}
