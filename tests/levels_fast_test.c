// SPDX-License-Identifier: MIT
/// Tiles of different levels: the fast form has the bits of the plain one, whatever is in the world, and
/// needs work and memory only where its tiles are.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gully/gully.h"
#include "ok.h"
#include "sanitized.h"
#include "terrains.h"

enum { WIDTH = 150, HEIGHT = 131, MOST_TILES = 19 * 17 };

/// What is in a world, beside the terrain.
typedef struct Case {
    const char* name;
    uint32_t seed;
    int tile, most;
    const char* pipes;
    bool dry; // a river on dry land, no rain
    bool thermal, materials, punched, open, drops, hard;
} Case;

static const Case cases[] = {
    {.name = "rain", .seed = 1, .tile = 32, .most = 3, .pipes = "4", .thermal = true},
    {.name = "river", .seed = 2, .tile = 32, .most = 2, .pipes = "4", .dry = true},
    {.name = "river that slides",
     .seed = 3,
     .tile = 32,
     .most = 3,
     .pipes = "8",
     .dry = true,
     .thermal = true,
     .open = true},
    {.name = "small tiles", .seed = 4, .tile = 8, .most = 3, .pipes = "4", .dry = true},
    {.name = "layers",
     .seed = 5,
     .tile = 16,
     .most = 2,
     .pipes = "8",
     .thermal = true,
     .materials = true,
     .open = true,
     .drops = true},
    {.name = "holes",
     .seed = 6,
     .tile = 32,
     .most = 3,
     .pipes = "4",
     .thermal = true,
     .punched = true,
     .drops = true},
    {.name = "holes and layers, dry",
     .seed = 7,
     .tile = 64,
     .most = 3,
     .pipes = "8",
     .dry = true,
     .thermal = true,
     .materials = true,
     .punched = true,
     .open = true},
    {.name = "hardness",
     .seed = 8,
     .tile = 16,
     .most = 1,
     .pipes = "4",
     .hard = true,
     .thermal = true},
};

static void set(GullySettings* settings, const char* key, const char* text) {
    OK(gully_settings_set_text(settings, key, text));
}

static GullyWorld* make_world(const Case* c) {
    float* heights = terrain_make(terrain_rough, WIDTH, HEIGHT);
    if (c->punched) terrain_punch(heights, WIDTH, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT && c->punched; i++) // and a whole tile
        if (i % WIDTH / 32 == 2 && i / WIDTH / 32 == 1) heights[i] = NAN;
    GullyWorld* world = terrain_world(heights, WIDTH, HEIGHT, 10, 10, 0);
    free(heights);
    if (c->hard) {
        float* hardness = terrain_constant(0.4f, WIDTH, HEIGHT);
        for (int i = 0; i < WIDTH * HEIGHT; i += 7)
            hardness[i] = 0.9f;
        OK(gully_world_write(world, GULLY_HARDNESS, gully_world_all(world), hardness));
        free(hardness);
    }
    if (!c->materials) return world;
    const GullyMaterial materials[3] = {gully_material("rock", 0), gully_material("soil", 1),
                                        gully_material("sand", 2)};
    OK(gully_world_set_materials(world, materials, 3));
    OK(gully_world_fill(world, GULLY_LAYER_1, 0.5f));
    return world;
}

static void set_levels(const Case* c, GullyWorld* world, uint32_t seed) {
    unsigned char map[MOST_TILES];
    const int tiles_x = (WIDTH - 1) / c->tile + 1, tiles_y = (HEIGHT - 1) / c->tile + 1;
    for (int i = 0; i < tiles_x * tiles_y; i++) {
        seed = seed * 1664525u + 1013904223u;
        map[i] = (unsigned char)((seed >> 16) % (uint32_t)(c->most + 1));
    }
    OK(gully_world_set_levels(world, tiles_x, tiles_y, map));
}

static GullySettings* make_settings(const Case* c) {
    GullySettings* settings;
    OK(gully_settings_create("pipe", &settings));
    OK(gully_settings_set_number(settings, "levels.map", 1));
    OK(gully_settings_set_number(settings, "levels.tile", c->tile));
    set(settings, "params.pipes", c->pipes);
    set(settings, "thermal.talus", "14");
    if (!c->dry) set(settings, "rain.rate", "1e-3");
    if (c->drops) set(settings, "rain.drops.drops_per_second", "2");
    if (c->drops) set(settings, "rain.drops.radius", "25");
    if (c->open) set(settings, "boundary.east", "open");
    if (c->open) set(settings, "boundary.north", "open");
    if (c->thermal) OK(gully_settings_switch(settings, "thermal", true));
    const GullySource source = {
        .x = 620, .y = 655, .radius = 33, .rate = 0.05, .concentration = 0.1, .until = 1e9};
    OK(gully_settings_add_source(settings, &source));
    return settings;
}

static const GullyField hashed[] = {GULLY_TERRAIN, GULLY_WATER,   GULLY_SEDIMENT, GULLY_FLOW,
                                    GULLY_WEAR,    GULLY_DEPOSIT, GULLY_LAYER_1,  GULLY_LAYER_2};
enum { HASHES = sizeof hashed / sizeof *hashed };

/// Runs some blocks on one map and some on another.
static GullySim* run_case(const Case* c, int threads, bool plain, GullyWorld** world) {
    GullySettings* settings = make_settings(c);
    GullySimDef def = gully_sim_def();
    GullySim* sim;
    *world = make_world(c);
    set_levels(c, *world, c->seed);
    def.threads = threads;
    def.plain = plain;
    OK(gully_sim_create(*world, settings, &def, &sim));
    OK(gully_sim_step(sim, 40));
    set_levels(c, *world, c->seed + 100);
    OK(gully_sim_apply(sim, settings));
    OK(gully_sim_step(sim, 20));
    gully_settings_destroy(settings);
    return sim;
}

static void hashes_of(const Case* c, int threads, bool plain, uint64_t out[HASHES]) {
    GullyWorld* world;
    GullySim* sim = run_case(c, threads, plain, &world);
    for (int i = 0; i < HASHES; i++)
        out[i] = gully_world_hash(world, hashed[i]);
    gully_sim_destroy(sim);
    gully_world_destroy(world);
}

static void test_the_bits_of_the_plain_form(void** state) {
    (void)state;
    static const int threads[] = {1, 2, 3, 7};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t plain[HASHES], fast[HASHES];
        hashes_of(&cases[i], 1, true, plain);
        for (int k = 0; k < 4; k++) {
            if (SANITIZED && threads[k] != 3) continue;
            hashes_of(&cases[i], threads[k], false, fast);
            for (int n = 0; n < HASHES; n++)
                if (plain[n] != fast[n])
                    fail_msg("%s, %d threads: other bits in %s", cases[i].name, threads[k],
                             gully_field_name(hashed[n]));
        }
    }
}

/// The balance of all that moved, also in these worlds.
static void test_nothing_is_lost(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GullyWorld* world;
        GullyBudget budget;
        GullySim* sim = run_case(&cases[i], 2, false, &world);
        OK(gully_sim_budget(sim, &budget));
        const double water = fabs(budget.water.residual) / budget.water.moved;
        const double solid = fabs(budget.solid.residual) / budget.solid.moved;
        if (!(water < 1e-6 && solid < 1e-6))
            fail_msg("%s: residuals %g, %g of what moved", cases[i].name, water, solid);
        gully_sim_destroy(sim);
        gully_world_destroy(world);
    }
}

/// A map of level 0 alone is no level: the same bits, and the world itself is stepped.
static void test_a_map_of_the_finest_level_is_none(void** state) {
    (void)state;
    for (int mapped = 0; mapped < 2; mapped++) {
        static uint64_t first[HASHES];
        const Case c = {.tile = 32, .most = 0, .pipes = "8", .thermal = true, .drops = true};
        GullyWorld* world = make_world(&c);
        GullySettings* settings = make_settings(&c);
        const GullySimDef def = gully_sim_def();
        GullySim* sim;
        set_levels(&c, world, 1);
        OK(gully_settings_set_number(settings, "levels.map", mapped));
        OK(gully_sim_create(world, settings, &def, &sim));
        OK(gully_sim_step(sim, 40));
        GullyMemory memory;
        gully_world_memory(world, &memory);
        assert_int_equal(memory.tiles_written, 0); // nothing was put aside
        for (int i = 0; i < HASHES; i++) {
            const uint64_t hash = gully_world_hash(world, hashed[i]);
            if (!mapped) first[i] = hash;
            assert_true(hash == first[i]);
        }
        gully_sim_destroy(sim);
        gully_settings_destroy(settings);
        gully_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_bits_of_the_plain_form),
        cmocka_unit_test(test_nothing_is_lost),
        cmocka_unit_test(test_a_map_of_the_finest_level_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
