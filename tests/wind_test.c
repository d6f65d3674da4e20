// SPDX-License-Identifier: MIT
// Wind as a part of a run: what it asks for, when it blows, and what it leaves alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "gully/sim.h"
#include "ok.h"
#include "terrains.h"

enum { WIDTH = 61, HEIGHT = 47 };

typedef struct Run {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Run;

/// A run of some model on rough ground that has not begun.
static Run run_on(TerrainMaker terrain, const char* model, double dt) {
    Run run = {0};
    float* heights = terrain_make(terrain, WIDTH, HEIGHT);
    run.world = terrain_world(heights, WIDTH, HEIGHT, 2, 2, 32);
    free(heights);
    OK(gully_settings_create(model, &run.settings));
    OK(gully_settings_set_number(run.settings, "dt", dt));
    return run;
}

static GullyStatus run_begin(Run* run) {
    GullySimDef def = gully_sim_def();
    def.threads = 2;
    return gully_sim_create(run->world, run->settings, &def, &run->sim);
}

static void run_step(Run* run, int steps) {
    if (!run->sim) OK(run_begin(run));
    OK(gully_sim_step(run->sim, steps));
}

static void run_end(Run* run) {
    gully_sim_destroy(run->sim);
    gully_settings_destroy(run->settings);
    gully_world_destroy(run->world);
}

static uint64_t ground_of(const Run* run) {
    return gully_world_hash(run->world, GULLY_TERRAIN);
}

// ---- what it asks for ---------------------------------------------------------------------------

static void refuses(Run* run, const char* message) {
    assert_int_equal(run_begin(run), GULLY_BAD_INPUT);
    assert_null(run->sim);
    if (!strstr(gully_message(), message))
        fail_msg("\"%s\" is not in: %s", message, gully_message());
}

static void test_wants_sand(void** state) {
    (void)state;
    Run run = run_on(terrain_rough, "wind", 1);
    OK(gully_settings_set_number(run.settings, "params.bedrock", 50));
    refuses(&run, "none is higher than 50 m; lower wind.bedrock");
    OK(gully_settings_set_number(run.settings, "params.bedrock", 5));
    OK(run_begin(&run));
    run_end(&run);

    run = run_on(terrain_rough, "pipe", 0.1);
    const GullyMaterial materials[2] = {gully_material("rock", 0), gully_material("dust", 1)};
    OK(gully_world_set_materials(run.world, materials, 2));
    OK(gully_settings_switch(run.settings, "wind", true));
    refuses(&run, "of dust there is nothing at the start");
    const float little = 0.01f;
    OK(gully_world_write(run.world, GULLY_LAYER_1, (GullyRect){40, 30, 1, 1}, &little));
    OK(run_begin(&run));
    run_end(&run);
}

static void test_wants_some_time(void** state) {
    (void)state;
    Run run = run_on(terrain_rough, "pipe", 0.1);
    OK(gully_settings_switch(run.settings, "wind", true));
    OK(gully_settings_set_number(run.settings, "wind.rate", 1001));
    refuses(&run, "wind.rate: 1001 per s are 101 in a step of 0.1; allowed: up to 100");
    OK(gully_settings_set_number(run.settings, "wind.rate", 1000));
    OK(run_begin(&run));
    run_end(&run);
    run = run_on(terrain_rough, "wind", 1);
    assert_int_equal(gully_settings_set_number(run.settings, "params.capacity", -1),
                     GULLY_BAD_INPUT);
    assert_int_equal(gully_settings_set_number(run.settings, "params.threshold", 1),
                     GULLY_BAD_INPUT);
    run_end(&run);
}

// ---- when it blows ------------------------------------------------------------------------------

/// The ground after some hops of a wind that blows `rate` times a second.
static uint64_t ground_after(double rate, double dt, int steps) {
    Run run = run_on(terrain_rough, "wind", dt);
    OK(gully_settings_set_number(run.settings, "params.rate", rate));
    OK(gully_settings_set_number(run.settings, "params.direction", 25));
    run_step(&run, steps);
    const uint64_t hash = ground_of(&run);
    run_end(&run);
    return hash;
}

/// Hops count, not how they are divided into steps.
static void test_hops_make_the_time(void** state) {
    (void)state;
    const uint64_t twelve = ground_after(1, 1, 12);
    assert_true(ground_after(1, 1, 11) != twelve);
    assert_true(ground_after(1, 0.5, 24) == twelve);
    assert_true(ground_after(0.1, 1, 111) == twelve); // at 0, 10, ... 110 s
    assert_true(ground_after(0.1, 1, 110) != twelve);
    assert_true(ground_after(3, 1, 4) == twelve);
    assert_true(ground_after(30, 0.1, 4) == twelve);
    assert_true(ground_after(12, 1, 1) == twelve);
    assert_true(ground_after(1.5, 1, 8) == twelve); // 2, 1, 2, 1 ...
    assert_true(ground_after(1.0 / 0.3, 0.1, 36) == twelve);
}

/// The time that hops are due depends on the step, not on who asks: settings that are applied
/// again, steps one by one and steps at once are the same run.
static void test_hops_know_the_step(void** state) {
    (void)state;
    Run one = run_on(terrain_rough, "pipe", 0.1), other = run_on(terrain_rough, "pipe", 0.1);
    Run* const runs[] = {&one, &other};
    for (int i = 0; i < 2; i++) {
        OK(gully_settings_switch(runs[i]->settings, "wind", true));
        OK(gully_settings_set_number(runs[i]->settings, "wind.rate", 1 / 0.7));
    }
    run_step(&one, 60);
    for (int n = 0; n < 60; n++) {
        run_step(&other, 1);
        if (n % 5 == 0) OK(gully_sim_apply(other.sim, other.settings));
    }
    assert_true(ground_of(&one) == ground_of(&other));
    run_end(&one);
    run_end(&other);
}

// ---- what it leaves alone -----------------------------------------------------------------------

/// Ground under water, and all but the last material.
static void test_rock_and_wet_sand_stay(void** state) {
    (void)state;
    Run run = run_on(terrain_rough, "wind", 1);
    const GullyMaterial materials[3] = {gully_material("rock", 0), gully_material("soil", 1),
                                        gully_material("sand", 2)};
    OK(gully_world_set_materials(run.world, materials, 3));
    OK(gully_world_fill(run.world, GULLY_LAYER_1, 1));
    OK(gully_world_fill(run.world, GULLY_LAYER_2, 0.02f));
    for (int y = 0; y < HEIGHT; y++) {
        const float wet = 0.5f;
        for (int x = 20; x < 40; x++)
            OK(gully_world_write(run.world, GULLY_WATER, (GullyRect){x, y, 1, 1}, &wet));
    }
    float* rock = terrain_read(run.world, GULLY_LAYER_0);
    run_step(&run, 100);
    float* rock_after = terrain_read(run.world, GULLY_LAYER_0);
    float* soil = terrain_read(run.world, GULLY_LAYER_1);
    float* sand = terrain_read(run.world, GULLY_LAYER_2);
    int taken = 0;
    for (int c = 0; c < WIDTH * HEIGHT; c++) {
        const int x = c % WIDTH;
        assert_true(soil[c] == 1);
        assert_true(rock_after[c] - rock[c] < 1e-5f && rock[c] - rock_after[c] < 1e-5f);
        if (x >= 20 && x < 40) assert_true(sand[c] >= 0.0199999f);
        taken += sand[c] < 0.01f;
    }
    assert_true(taken > WIDTH * HEIGHT / 4);
    free(rock);
    free(rock_after);
    free(soil);
    free(sand);
    run_end(&run);
}

/// In a world of half precision what wind keeps has all its bits: heights would be off by metres.
static void test_halves_do_not_matter(void** state) {
    (void)state;
    uint64_t hashes[2];
    for (int half = 0; half < 2; half++) {
        float* heights = terrain_make(terrain_alpine, WIDTH, HEIGHT);
        GullyWorldDef def = gully_world_def(WIDTH, HEIGHT);
        def.heights = heights;
        def.cell_x = def.cell_y = 20;
        def.half = half;
        Run run = {0};
        OK(gully_world_create(&def, &run.world));
        OK(gully_settings_create("wind", &run.settings));
        run_step(&run, 50);
        hashes[half] = ground_of(&run);
        run_end(&run);
        free(heights);
    }
    assert_true(hashes[0] == hashes[1]);
}

/// What moves between two cells is rounded by 3e-8 at most, up or down.
static void assert_lost_nothing(const GullyBudget* budget) {
    print_message("    %.1e of what moved is missing\n",
                  budget->solid.residual / budget->solid.moved);
    assert_true(fabs(budget->solid.residual) < 1e-8 * budget->solid.moved);
}

/// Sand in the air stays there when the wind is switched off, and is not forgotten.
static void test_calm_loses_nothing(void** state) {
    (void)state;
    Run run = run_on(terrain_rough, "thermal", 1);
    GullyBudget blowing, calm;
    OK(gully_settings_switch(run.settings, "wind", true));
    run_step(&run, 20);
    OK(gully_sim_budget(run.sim, &blowing));
    OK(gully_settings_switch(run.settings, "wind", false));
    OK(gully_sim_apply(run.sim, run.settings));
    run_step(&run, 20);
    OK(gully_sim_budget(run.sim, &calm));
    assert_true(blowing.solid.suspended > 0);
    assert_true(calm.solid.suspended == blowing.solid.suspended);
    assert_lost_nothing(&calm);
    run_end(&run);
}

/// A cell that is taken out of the domain takes the sand over it along, and is a wall from then on.
static void test_walls_can_be_built(void** state) {
    (void)state;
    Run run = run_on(terrain_rough, "wind", 1);
    GullyBudget before, after;
    run_step(&run, 20);
    OK(gully_sim_budget(run.sim, &before));
    for (int y = 10; y < 30; y++) {
        const float nothing[3] = {NAN, NAN, NAN};
        OK(gully_world_write(run.world, GULLY_TERRAIN, (GullyRect){25, y, 3, 1}, nothing));
    }
    OK(gully_sim_budget(run.sim, &after));
    assert_true(after.solid.suspended < before.solid.suspended);
    assert_lost_nothing(&after);
    run_step(&run, 20);
    OK(gully_sim_budget(run.sim, &after));
    assert_true(after.solid.left == 0);
    assert_lost_nothing(&after);
    run_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wants_sand),
        cmocka_unit_test(test_wants_some_time),
        cmocka_unit_test(test_hops_make_the_time),
        cmocka_unit_test(test_hops_know_the_step),
        cmocka_unit_test(test_rock_and_wet_sand_stay),
        cmocka_unit_test(test_halves_do_not_matter),
        cmocka_unit_test(test_calm_loses_nothing),
        cmocka_unit_test(test_walls_can_be_built),
    };
    return cmocka_run_group_tests_name("wind", tests, NULL, NULL);
}
