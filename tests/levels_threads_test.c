// SPDX-License-Identifier: MIT
/// Levels of the whole world: cheaper, close to the finest level, nothing lost, the relief comes back.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gully/gully.h"
#include "law.h"
#include "ok.h"
#include "pipe.rows.h"
#include "terrains.h"
#include "thermal.rows.h"

static void expect_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.9g is not %.9g", value, expected);
}

typedef struct Case {
    int width, height, threads, tile;
    bool plain, materials, punched;
} Case;

typedef struct Run {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Run;

static void set(Run* run, const char* key, const char* text) {
    OK(gully_settings_set_text(run->settings, key, text));
}

static void add_materials(GullyWorld* world) {
    const GullyMaterial materials[3] = {gully_material("rock", 0), gully_material("soil", 1),
                                        gully_material("sand", 2)};
    OK(gully_world_set_materials(world, materials, 3));
    OK(gully_world_fill(world, GULLY_LAYER_1, 0.5f));
}

/// Mountains under rain, drops and a source that brings sediment, with thermal weathering.
static Run open_run(const Case* c) {
    float* heights = terrain_make(terrain_rough, c->width, c->height);
    if (c->punched) terrain_punch(heights, c->width, c->height);
    Run run = {.world = terrain_world(heights, c->width, c->height, 10, 10, c->tile)};
    free(heights);
    if (c->materials) add_materials(run.world);
    OK(gully_settings_create("pipe", &run.settings));
    set(&run, "rain.rate", "1e-3");
    set(&run, "rain.drops.drops_per_second", "3");
    set(&run, "rain.drops.radius", "25");
    set(&run, "rain.season.rate", "1e-4");
    set(&run, "thermal.talus", "20");
    set(&run, "boundary.east", "open");
    OK(gully_settings_switch(run.settings, "thermal", true));
    const GullySource source = {.x = 300,
                                .y = 200,
                                .radius = 33,
                                .rate = 0.01,
                                .concentration = 0.1,
                                .from = 0,
                                .until = 30};
    OK(gully_settings_add_source(run.settings, &source));
    GullySimDef def = gully_sim_def();
    def.threads = c->threads;
    def.plain = c->plain;
    OK(gully_sim_create(run.world, run.settings, &def, &run.sim));
    return run;
}

static void close_run(Run* run) {
    gully_sim_destroy(run->sim);
    gully_settings_destroy(run->settings);
    gully_world_destroy(run->world);
}

/// Goes on at a level.
static void step_at(Run* run, const char* level, int steps) {
    set(run, "levels.fixed", level);
    OK(gully_sim_apply(run->sim, run->settings));
    OK(gully_sim_step(run->sim, steps));
}

static void expect_balance(const Run* run, double most) {
    GullyBudget budget;
    OK(gully_sim_budget(run->sim, &budget));
    const double water = fabs(budget.water.residual) / budget.water.moved;
    const double solid = fabs(budget.solid.residual) / budget.solid.moved;
    if (!(water <= most && solid <= most)) fail_msg("residuals %g, %g of what moved", water, solid);
}

// ---- constants ----------------------------------------------------------------------------------

/// (Z) A step that stands for four does what four do.
static void test_long_steps_are_put_together(void** state) {
    (void)state;
    const Law *pipe = law_find("pipe"), *thermal = law_find("thermal");
    GullyPipeParams p;
    GullyThermalParams t;
    gully_params_default(pipe->params, &p);
    gully_params_default(thermal->params, &t);
    p.dissolve = 1, p.deposit = 0.7, p.evaporation = 0.5, t.rate = 0.1;
    const StepInfo one = {.dt = 0.5, .cell_x = 10, .cell_y = 10};
    const StepInfo four = {.dt = 2, .cell_x = 40, .cell_y = 40, .parts = 4, .scale = 4};
    PipeRowConsts a, b;
    ThermalRowConsts ta, tb;
    pipe->prepare(&p, &one, &a);
    pipe->prepare(&p, &four, &b);
    thermal->prepare(&t, &one, &ta);
    thermal->prepare(&t, &four, &tb);
    const double keep = 1 - (double)-a.pipe.evaporated;
    expect_near((double)b.pipe.decay, pow((double)a.pipe.decay, 4), 1e-6);
    expect_near((double)b.pipe.dissolve, 1 - pow(1 - (double)a.pipe.dissolve, 4), 1e-6);
    expect_near((double)b.pipe.deposit, 1 - pow(1 - (double)a.pipe.deposit, 4), 1e-6);
    expect_near(1 + (double)b.pipe.evaporated, pow(keep, 4), 1e-6);
    expect_near(2 * (double)tb.thermal.strength, 1 - pow(1 - 2 * (double)ta.thermal.strength, 4),
                1e-6);
    expect_near((double)(b.pipe.area / b.pipe.width_x), (double)(a.pipe.area / a.pipe.width_x),
                1e-6);
    // A pipe that nothing but gravity drives: four steps at the finest level.
    double flow = 0;
    for (int i = 0; i < 4; i++)
        flow = flow * (double)a.pipe.decay + (double)a.pipe.push_x / one.dt * 100;
    expect_near((double)b.pipe.push_x / four.dt * 1600 / flow, 0.25, 1e-6);
}

// ---- results ------------------------------------------------------------------------------------

enum { SIZE = 256 };

/// The rms of a difference of two arrays, of means of `side` x `side` cells.
static double rms(const float* a, const float* b) {
    double sum = 0;
    for (int i = 0; i < SIZE * SIZE; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sqrt(sum / (SIZE * SIZE));
}

static double mean_change(const float* now, const float* start, int x, int y) {
    double sum = 0;
    for (int k = 0; k < 16; k++) {
        const int at = (4 * y + k / 4) * SIZE + 4 * x + k % 4;
        sum += (double)now[at] - (double)start[at];
    }
    return sum / 16;
}

/// The correlation of two changes, as means of 4 x 4 cells.
static double correlation(const float* a, const float* b, const float* start) {
    double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    const double n = SIZE * SIZE / 16.0;
    for (int i = 0; i < SIZE * SIZE / 16; i++) {
        const double u = mean_change(a, start, i % (SIZE / 4), i / (SIZE / 4));
        const double v = mean_change(b, start, i % (SIZE / 4), i / (SIZE / 4));
        sa += u, sb += v, saa += u * u, sbb += v * v, sab += u * v;
    }
    return (sab - sa * sb / n) / sqrt((saa - sa * sa / n) * (sbb - sb * sb / n));
}

typedef struct Outcome {
    float* terrain;
    double eroded, cell_steps;
} Outcome;

/// The demo's rain on its mountains, at a level.
static Outcome run_demo(const float* heights, const char* level) {
    Run run = {.world = terrain_world(heights, SIZE, SIZE, 10, 10, 0)};
    OK(gully_settings_create("pipe", &run.settings));
    set(&run, "params.capacity", "1");
    set(&run, "rain.rate", "1e-3");
    for (int i = 0; i < 4; i++) {
        static const char* const sides[] = {"boundary.west", "boundary.east", "boundary.north",
                                            "boundary.south"};
        set(&run, sides[i], "open");
    }
    const GullySimDef def = gully_sim_def();
    OK(gully_sim_create(run.world, run.settings, &def, &run.sim));
    step_at(&run, level, 448);
    set(&run, "rain.rate", "0");
    set(&run, "params.evaporation", "0.03");
    step_at(&run, level, 152);
    GullyBudget budget;
    GullyLevels levels;
    OK(gully_sim_budget(run.sim, &budget));
    OK(gully_sim_levels(run.sim, &levels));
    const Outcome out = {terrain_read(run.world, GULLY_TERRAIN), budget.solid.eroded,
                         levels.cell_steps};
    close_run(&run);
    return out;
}

static void test_a_level_is_cheaper_and_close(void** state) {
    (void)state;
    float* heights = malloc(sizeof(float) * SIZE * SIZE);
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = SIZE;
    params.seed = 7;
    params.relief = 300;
    params.octaves = 5;
    OK(gully_generate("mountains", &params, heights));
    const Outcome fine = run_demo(heights, "0"), coarse = run_demo(heights, "1");
    const double error = rms(coarse.terrain, fine.terrain) / rms(fine.terrain, heights);
    const double alike = correlation(coarse.terrain, fine.terrain, heights);
    const double volume = coarse.eroded / fine.eroded, fewer = fine.cell_steps / coarse.cell_steps;
    if (!(error <= 0.36 && alike >= 0.985 && fabs(volume - 1) <= 0.05 && fewer >= 7))
        fail_msg("error %g, correlation %g, volume %g, %g times fewer cell-steps", error, alike,
                 volume, fewer);
    free(heights);
    free(fine.terrain);
    free(coarse.terrain);
}

// ---- nothing is lost ----------------------------------------------------------------------------

static void test_changes_of_level_lose_nothing(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        const Case c = {
            .width = 101, .height = 86, .materials = variant & 1, .punched = variant & 2};
        static const char* const levels[] = {"1", "0", "2", "3", "1", "0", "4", "0"};
        Run run = open_run(&c);
        if (variant & 1) set(&run, "params.pipes", "8");
        for (int i = 0; i < 8; i++) {
            step_at(&run, levels[i], 20 + 3 * i);
            expect_balance(&run, 1e-7);
        }
        close_run(&run);
    }
}

/// A source weighs the same at every level, and so do drops.
static void test_supply_is_the_same_at_every_level(void** state) {
    (void)state;
    GullyBudget at[4];
    for (int level = 0; level < 4; level++) {
        const Case c = {.width = 128, .height = 64};
        const char text[2] = {(char)('0' + level), 0};
        Run run = open_run(&c);
        step_at(&run, text, 80);
        OK(gully_sim_budget(run.sim, &at[level]));
        close_run(&run);
        expect_near(at[level].water.sources / at[0].water.sources, 1, 1e-6);
        expect_near(at[level].water.rain / at[0].water.rain, 1, 1e-6);
        expect_near(at[level].solid.sources / at[0].solid.sources, 1, 1e-6);
    }
}

static void test_relief_comes_back(void** state) {
    (void)state;
    const Case c = {.width = 90, .height = 70, .punched = true};
    float* heights = terrain_make(terrain_rough, c.width, c.height);
    Run run = {.world = terrain_world(heights, c.width, c.height, 10, 10, 0)};
    const uint64_t before = gully_world_hash(run.world, GULLY_TERRAIN);
    const GullySimDef def = gully_sim_def();
    OK(gully_settings_create("pipe", &run.settings));
    OK(gully_sim_create(run.world, run.settings, &def, &run.sim));
    step_at(&run, "2", 40); // no water
    assert_true(gully_world_hash(run.world, GULLY_TERRAIN) == before);
    step_at(&run, "0", 4);
    assert_true(gully_world_hash(run.world, GULLY_TERRAIN) == before);
    close_run(&run);
    free(heights);
}

/// How far the water of a lake is from its level at most [m], over ground that is deep enough.
static double unrest(const GullyWorld* world, double level, int width, int height) {
    float *ground = terrain_read(world, GULLY_TERRAIN), *water = terrain_read(world, GULLY_WATER);
    double most = 0;
    for (int i = 0; i < width * height; i++) {
        if ((double)ground[i] > level - 3) continue;
        most = fmax(most, fabs((double)ground[i] + (double)water[i] - level));
    }
    free(ground);
    free(water);
    return most;
}

static void test_a_lake_stays_at_rest(void** state) {
    (void)state;
    enum { WIDTH = 96, HEIGHT = 64 };
    const double level = 12;
    float* heights = terrain_make(terrain_rough, WIDTH, HEIGHT);
    float* depths = malloc(sizeof(float) * WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        heights[i] *= 0.45f; // all of it under water
        depths[i] = (float)(level - (double)heights[i]);
    }
    Run run = {.world = terrain_world(heights, WIDTH, HEIGHT, 10, 10, 0)};
    OK(gully_world_write(run.world, GULLY_WATER, gully_world_all(run.world), depths));
    const GullySimDef def = gully_sim_def();
    OK(gully_settings_create("pipe", &run.settings));
    set(&run, "params.evaporation", "0");
    set(&run, "params.friction", "0");
    OK(gully_sim_create(run.world, run.settings, &def, &run.sim));
    for (int i = 3; i >= 0; i--) {
        const char text[2] = {(char)('0' + i), 0};
        step_at(&run, text, 100);
        assert_true(unrest(run.world, level, WIDTH, HEIGHT) < 1e-4);
    }
    close_run(&run);
    free(heights);
    free(depths);
}

// ---- the same bits ------------------------------------------------------------------------------

static const GullyField HASHED[] = {GULLY_TERRAIN, GULLY_WATER,   GULLY_SEDIMENT, GULLY_FLOW,
                                    GULLY_WEAR,    GULLY_DEPOSIT, GULLY_LAYER_1,  GULLY_LAYER_2};
enum { HASHES = sizeof HASHED / sizeof *HASHED };

static void hashes_of(const Case* c, bool looks, uint64_t out[HASHES]) {
    Run run = open_run(c);
    step_at(&run, "1", 36);
    GullyBudget budget;
    if (looks) OK(gully_sim_budget(run.sim, &budget));
    OK(gully_sim_step(run.sim, 20));
    step_at(&run, "2", 30);
    step_at(&run, "0", 10);
    for (int i = 0; i < HASHES; i++)
        out[i] = gully_world_hash(run.world, HASHED[i]);
    close_run(&run);
}

static void test_same_bits_on_any_threads(void** state) {
    (void)state;
    uint64_t first[HASHES], other[HASHES];
    Case c = {.width = 101, .height = 86, .threads = 1, .materials = true, .punched = true};
    hashes_of(&c, false, first);
    for (int variant = 0; variant < 3; variant++) {
        c.threads = 1 + variant;
        c.tile = variant == 1 ? 17 : 0;
        c.plain = variant == 2;
        hashes_of(&c, true, other); // looking changes nothing either
        assert_memory_equal(first, other, sizeof first);
    }
}

static void test_level_0_is_no_level(void** state) {
    (void)state;
    const Case c = {.width = 64, .height = 48};
    Run a = open_run(&c), b = open_run(&c);
    OK(gully_sim_step(a.sim, 37));
    step_at(&b, "0", 37);
    assert_int_equal(gully_sim_steps(b.sim), 37);
    for (int i = 0; i < HASHES; i++)
        assert_true(gully_world_hash(a.world, HASHED[i]) == gully_world_hash(b.world, HASHED[i]));
    close_run(&a);
    close_run(&b);
}

// ---- use ----------------------------------------------------------------------------------------

static void test_steps_come_in_blocks(void** state) {
    (void)state;
    const Case c = {.width = 64, .height = 48};
    Run run = open_run(&c);
    step_at(&run, "1", 5);
    assert_int_equal(gully_sim_block(run.sim), 4);
    assert_int_equal(gully_sim_steps(run.sim), 8);
    expect_near(gully_sim_time(run.sim), 8 * gully_sim_dt(run.sim), 1e-9);
    close_run(&run);
}

static void test_writing_between_steps_counts(void** state) {
    (void)state;
    const Case c = {.width = 64, .height = 48};
    Run run = open_run(&c);
    step_at(&run, "2", 20);
    float deep[100];
    for (int i = 0; i < 100; i++)
        deep[i] = 3;
    OK(gully_world_write(run.world, GULLY_WATER, (GullyRect){20, 20, 10, 10}, deep));
    OK(gully_sim_step(run.sim, 40));
    expect_balance(&run, 1e-7);
    GullyBudget budget;
    OK(gully_sim_budget(run.sim, &budget));
    assert_true(budget.water.edits > 29000);
    close_run(&run);
}

static void test_reading_at_a_level(void** state) {
    (void)state;
    const float heights[12] = {1, 3, 5, 7, 1, 3, 5, 9, 2, 2, 2, NAN};
    float out[2];
    GullyWorld* world = terrain_world(heights, 4, 3, 1, 1, 0);
    OK(gully_world_read_level(world, GULLY_TERRAIN, 1, (GullyRect){0, 0, 2, 1}, out));
    expect_near((double)out[0], 2, 0);
    expect_near((double)out[1], 6.5, 0);
    assert_int_equal(gully_world_read_level(world, GULLY_TERRAIN, 1, (GullyRect){0, 0, 2, 2}, out),
                     GULLY_BAD_INPUT);
    assert_int_equal(gully_world_read_level(world, GULLY_TERRAIN, 9, (GullyRect){0, 0, 1, 1}, out),
                     GULLY_BAD_INPUT);
    gully_world_destroy(world);
}

static void expect_refused(const char* model, const char* key, const char* value,
                           const char* word) {
    float* heights = terrain_make(terrain_rough, 32, 32);
    GullyWorld* world = terrain_world(heights, 32, 32, 10, 10, 0);
    GullySettings* settings;
    GullySim* sim;
    const GullySimDef def = gully_sim_def();
    OK(gully_settings_create(model, &settings));
    OK(gully_settings_set_text(settings, "levels.fixed", "1"));
    if (key && value) OK(gully_settings_set_text(settings, key, value));
    if (key && !value) OK(gully_settings_switch(settings, key, true));
    assert_int_equal(gully_sim_create(world, settings, &def, &sim), GULLY_BAD_INPUT);
    if (!strstr(gully_message(), word)) fail_msg("\"%s\" does not say %s", gully_message(), word);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    free(heights);
}

static void test_laws_that_know_no_levels(void** state) {
    (void)state;
    expect_refused("newton", NULL, NULL, "newton");
    expect_refused("diffusion", NULL, NULL, "diffusion");
    expect_refused("stream", NULL, NULL, "stream");
    expect_refused("pipe", "wind", NULL, "wind");
    expect_refused("pipe", "params.transport", "semi_lagrangian", "semi_lagrangian");
    expect_refused("pipe", "levels.fixed", "8", "levels.fixed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_steps_are_put_together),
        cmocka_unit_test(test_a_level_is_cheaper_and_close),
        cmocka_unit_test(test_changes_of_level_lose_nothing),
        cmocka_unit_test(test_supply_is_the_same_at_every_level),
        cmocka_unit_test(test_relief_comes_back),
        cmocka_unit_test(test_a_lake_stays_at_rest),
        cmocka_unit_test(test_same_bits_on_any_threads),
        cmocka_unit_test(test_level_0_is_no_level),
        cmocka_unit_test(test_steps_come_in_blocks),
        cmocka_unit_test(test_writing_between_steps_counts),
        cmocka_unit_test(test_reading_at_a_level),
        cmocka_unit_test(test_laws_that_know_no_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
