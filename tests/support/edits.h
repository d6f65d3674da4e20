// SPDX-License-Identifier: MIT
/// What the tests of editing share: a world with a simulation and an editor, and its state.
#ifndef EDITS_H
#define EDITS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/gully.h"
#include "ok.h"
#include "terrains.h"

/// How a bench is made; zero means default.
typedef struct BenchDef {
    TerrainMaker terrain;   // flat
    int width, height;      // 150 x 130
    double cell_x, cell_y;  // 10 m
    int tile_size, threads; // 1 thread
    bool half;
    int materials;     // layers of 2 m, the last of 0.5 m
    const char* model; // pipe
    size_t most_bytes;
} BenchDef;

typedef struct Bench {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
    GullyEditor* editor;
} Bench;

#define assert_near(got, wanted, error)                                                            \
    do {                                                                                           \
        double got_ = (got), wanted_ = (wanted);                                                   \
        if (!(fabs(got_ - wanted_) <= (error)))                                                    \
            fail_msg("%s is %.12g, not %.12g", #got, got_, wanted_);                               \
    } while (0)

static inline void lay_materials(GullyWorld* world, int count) {
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    static const char* const names[] = {"rock", "soil", "sand", "silt"};
    for (int m = 0; m < count; m++)
        materials[m] = gully_material(names[m], m);
    OK(gully_world_set_materials(world, materials, count));
    for (int m = 1; m < count; m++)
        OK(gully_world_fill(world, GULLY_LAYER(m), m == count - 1 ? 0.5f : 2));
}

static inline Bench open_bench(BenchDef want) {
    Bench bench = {0};
    GullyWorldDef def =
        gully_world_def(want.width ? want.width : 150, want.height ? want.height : 130);
    float* heights =
        terrain_make(want.terrain ? want.terrain : terrain_flat, def.width, def.height);
    def.cell_x = want.cell_x > 0 ? want.cell_x : 10;
    def.cell_y = want.cell_y > 0 ? want.cell_y : 10;
    def.tile_size = want.tile_size;
    def.half = want.half;
    def.heights = heights;
    OK(gully_world_create(&def, &bench.world));
    free(heights);
    if (want.materials) lay_materials(bench.world, want.materials);
    OK(gully_settings_create(want.model ? want.model : "pipe", &bench.settings));
    GullySimDef sim_def = gully_sim_def();
    sim_def.threads = want.threads ? want.threads : 1;
    sim_def.velocity = true;
    OK(gully_sim_create(bench.world, bench.settings, &sim_def, &bench.sim));
    OK(gully_editor_create(bench.sim, bench.settings, want.most_bytes, &bench.editor));
    return bench;
}

static inline void close_bench(Bench* bench) {
    gully_editor_destroy(bench->editor);
    gully_sim_destroy(bench->sim);
    gully_settings_destroy(bench->settings);
    gully_world_destroy(bench->world);
}

/// A brush with the strength that is good to begin with.
static inline GullyBrush make_brush(const char* kind, double radius) {
    GullyBrush brush;
    gully_params_default(gully_brush_table(), &brush);
    brush.radius = radius;
    brush.strength = gully_brush_find(kind)->strength;
    return brush;
}

static inline void stroke(Bench* bench, const char* kind, GullyBrush brush,
                          const GullyPoint* points, int count) {
    OK(gully_editor_begin_stroke(bench->editor, kind, &brush));
    OK(gully_editor_stroke_to(bench->editor, points, count));
    gully_editor_end_stroke(bench->editor);
}

static inline void dab(Bench* bench, const char* kind, GullyBrush brush, double x, double y) {
    stroke(bench, kind, brush, &(GullyPoint){x, y}, 1);
}

static inline double at(const Bench* bench, GullyField field, int x, int y) {
    float value;
    OK(gully_world_read(bench->world, field, (GullyRect){x, y, 1, 1}, &value));
    return (double)value;
}

/// A hash of eight bytes at a time.
static inline uint64_t hash_more(uint64_t hash, const void* bytes, size_t size) {
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = size;
        memcpy(&word, (const char*)bytes + i, size - i < 8 ? size - i : 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

/// Of every bit of the state: all fields with those of the law, the books.
static inline uint64_t state_hash(const GullySim* sim) {
    GullyState* state;
    size_t size;
    OK(gully_state_of(sim, &state));
    const void* head = gully_state_head(state, &size);
    uint64_t hash = hash_more(0xcbf29ce484222325u, head, size);
    unsigned char* piece = malloc(GULLY_STATE_PIECE);
    for (int64_t i = 0; i < gully_state_info(state)->pieces; i++) {
        OK(gully_state_read(state, sim, i, piece));
        hash = hash_more(hash, piece, gully_state_piece(state, i).size);
    }
    free(piece);
    gully_state_destroy(state);
    return hash;
}

/// Of all that users see, in which it does not show whether a field is there or only its default.
static inline uint64_t seen_hash(const Bench* bench) {
    GullyBudget budget;
    OK(gully_sim_budget(bench->sim, &budget));
    uint64_t hash = hash_more(0, &budget, sizeof budget);
    const double time = gully_sim_time(bench->sim);
    hash = hash_more(hash, &time, sizeof time);
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++) {
        uint64_t part = gully_world_hash(bench->world, field);
        hash = hash_more(hash, &part, sizeof part);
    }
    return hash;
}

/// That the ledger closes: nothing came or went that is not counted.
static inline void assert_balanced(const Bench* bench) {
    GullyBudget budget;
    OK(gully_sim_budget(bench->sim, &budget));
    assert_true(fabs(budget.water.residual) <= 1e-9 * (1 + budget.water.present));
    assert_true(fabs(budget.solid.residual) <= 1e-9 * (1 + fabs(budget.solid.ground)));
}

static inline GullyBudget budget_of(const Bench* bench) {
    GullyBudget budget;
    OK(gully_sim_budget(bench->sim, &budget));
    return budget;
}

#endif
