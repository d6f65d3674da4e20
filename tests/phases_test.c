// SPDX-License-Identifier: MIT
/// Settings that change within a run: both steppers agree, and flows go on as they were.
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

enum { WIDTH = 150, HEIGHT = 90 };

typedef struct Run {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Run;

static Run open_run(int threads, int tile_size, bool plain) {
    static float heights[WIDTH * HEIGHT];
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = WIDTH;
    params.height = HEIGHT;
    assert_int_equal(gully_generate("mountains", &params, heights), GULLY_OK);
    Run run = {0};
    GullyWorldDef def = gully_world_def(WIDTH, HEIGHT);
    def.cell_x = def.cell_y = 20;
    def.tile_size = tile_size;
    def.heights = heights;
    assert_int_equal(gully_world_create(&def, &run.world), GULLY_OK);
    assert_int_equal(gully_settings_create("pipe", &run.settings), GULLY_OK);
    assert_int_equal(gully_settings_set_number(run.settings, "rain.rate", 1e-3), GULLY_OK);
    GullySimDef sim_def = gully_sim_def();
    sim_def.threads = threads;
    sim_def.plain = plain;
    sim_def.velocity = true;
    assert_int_equal(gully_sim_create(run.world, run.settings, &sim_def, &run.sim), GULLY_OK);
    return run;
}

static void set(Run* run, const char* key, const char* text) {
    if (gully_settings_set_text(run->settings, key, text)) fail_msg("%s", gully_message());
}

static void apply_and_step(Run* run, int steps) {
    if (gully_sim_apply(run->sim, run->settings)) fail_msg("%s", gully_message());
    OK(gully_sim_step(run->sim, steps));
}

static void close_run(Run* run) {
    gully_sim_destroy(run->sim);
    gully_settings_destroy(run->settings);
    gully_world_destroy(run->world);
}

/// Everything that can change does: a law comes and goes, dt, sides, fields that were not there.
static uint64_t hash_of_phases(int threads, int tile_size, bool plain, GullyBudget* budget) {
    Run run = open_run(threads, tile_size, plain);
    OK(gully_sim_step(run.sim, 33));
    gully_settings_switch(run.settings, "thermal", true);
    set(&run, "dt", "0.3");
    apply_and_step(&run, 20);
    float hard[20 * 10];
    for (int i = 0; i < 200; i++)
        hard[i] = 0.25f;
    GullyRect rect = {55, 40, 20, 10};
    assert_int_equal(gully_world_write(run.world, GULLY_HARDNESS, rect, hard), GULLY_OK);
    OK(gully_sim_step(run.sim, 7));
    set(&run, "params.softening", "3");
    set(&run, "boundary.east", "open");
    set(&run, "rain.drops.drops_per_second", "40");
    set(&run, "rain.drops.radius", "50");
    apply_and_step(&run, 18);
    gully_settings_switch(run.settings, "thermal", false);
    set(&run, "rain.season.rate", "1e-3");
    set(&run, "params.transport", "semi_lagrangian");
    set(&run, "boundary.east", "closed");
    apply_and_step(&run, 11);
    OK(gully_sim_budget(run.sim, budget));
    assert_true(fabs(budget->water.residual) <= 1e-6 * budget->water.moved);
    assert_true(fabs(budget->solid.residual) <= 1e-6 * budget->solid.moved);
    assert_true(budget->water.left > 0 && budget->solid.slid > 0);
    uint64_t hash = 0;
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++)
        hash = hash * 31 + gully_world_hash(run.world, field);
    close_run(&run);
    return hash;
}

static void test_both_steppers_agree(void** state) {
    (void)state;
    GullyBudget expected, budget;
    uint64_t hash = hash_of_phases(1, 0, true, &expected);
    const struct {
        int threads, tile_size;
        bool plain;
    } ways[] = {{1, 0, false}, {2, 32, false}, {3, 13, false}, {2, 32, true}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (SANITIZED && i % 2 == 0) continue;
        if (hash_of_phases(ways[i].threads, ways[i].tile_size, ways[i].plain, &budget) != hash)
            fail_msg("%d threads, tiles of %d differ", ways[i].threads, ways[i].tile_size);
        assert_memory_equal(&budget, &expected, sizeof budget);
    }
}

/// A lake on flat ground with a swell in it: the limiter has nothing to do.
static void make_swell(Run* run) {
    static float water[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        water[i] = 5 + 0.5f * cosf((float)(i % WIDTH) * 0.1f);
    assert_int_equal(gully_world_fill(run->world, GULLY_TERRAIN, 0), GULLY_OK);
    assert_int_equal(gully_world_write(run->world, GULLY_WATER, gully_world_all(run->world), water),
                     GULLY_OK);
}

static double mean_speed(const Run* run) {
    static float u[WIDTH * HEIGHT];
    OK(gully_world_read(run->world, GULLY_VELOCITY_X, gully_world_all(run->world), u));
    double sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        sum += fabs((double)u[i]);
    return sum / (WIDTH * HEIGHT);
}

/// Outflows are kept per step, so they must be scaled when the step changes.
static void test_flow_goes_on_when_dt_changes(void** state) {
    (void)state;
    const bool plain[] = {true, false};
    for (int i = 0; i < 2; i++) {
        Run run = open_run(1, 0, plain[i]);
        make_swell(&run);
        OK(gully_sim_step(run.sim, 8));
        double before = mean_speed(&run), time = gully_sim_time(run.sim);
        set(&run, "dt", "0.1");
        apply_and_step(&run, 1);
        print_message("    %g of the speed before\n", mean_speed(&run) / before);
        assert_true(fabs(mean_speed(&run) / before - 1) < 0.02);
        assert_true(fabs(gully_sim_time(run.sim) - time - 0.1) < 1e-9);
        close_run(&run);
    }
}

static void test_what_is_refused_changes_nothing(void** state) {
    (void)state;
    Run run = open_run(1, 0, false), same = open_run(1, 0, false);
    OK(gully_sim_step(run.sim, 10));
    OK(gully_sim_step(same.sim, 20));
    set(&run, "dt", "50");
    assert_int_equal(gully_sim_apply(run.sim, run.settings), GULLY_BAD_INPUT);
    GullySettings* other;
    assert_int_equal(gully_settings_create("stream", &other), GULLY_OK);
    GullyStreamParams* params = gully_settings_section(other, "params", NULL);
    params->uplift = GULLY_MAPPED; // and the world has no map
    assert_int_equal(gully_sim_apply(run.sim, other), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "params.uplift"));
    gully_settings_destroy(other);
    OK(gully_sim_step(run.sim, 10));
    assert_true(gully_world_hash(run.world, GULLY_TERRAIN) ==
                gully_world_hash(same.world, GULLY_TERRAIN));
    close_run(&run);
    close_run(&same);
}

// ---- models that follow each other --------------------------------------------------------------

/// Goes on with another model: rain, all sides open, and the slopes of `thermal`.
static void go_on(Run* run, const char* model, int steps) {
    static const char* const sides[] = {"boundary.west", "boundary.east", "boundary.north",
                                        "boundary.south"};
    gully_settings_destroy(run->settings);
    OK(gully_settings_create(model, &run->settings));
    for (int i = 0; i < 4; i++)
        set(run, sides[i], "open");
    set(run, "rain.rate", "1e-4");
    OK(gully_settings_switch(run->settings, "thermal", true));
    apply_and_step(run, steps);
}

/// A range ages, storms run over it, it dries out, and all of it once more.
static uint64_t hash_of_chain(int threads, int tile_size, bool plain, GullyBudget* budget) {
    static const struct {
        const char* model;
        int steps;
    } phases[] = {{"stream", 13}, {"pipe", 17}, {"diffusion", 6}, {"newton", 7}};
    Run run = open_run(threads, tile_size, plain);
    for (int n = 0; n < 8; n++) {
        go_on(&run, phases[n % 4].model, phases[n % 4].steps);
        assert_string_equal(gully_sim_model(run.sim), phases[n % 4].model);
        assert_true(fabs(gully_sim_time(run.sim) - phases[n % 4].steps * gully_sim_dt(run.sim)) <
                    1e-9);
    }
    uint64_t hash = 0;
    for (GullyField field = 0; field <= GULLY_VELOCITY_Y; field++)
        hash = 31 * hash + gully_world_hash(run.world, field);
    OK(gully_sim_budget(run.sim, budget));
    close_run(&run);
    return hash;
}

static void test_models_hand_over(void** state) {
    (void)state;
    GullyBudget expected, budget;
    const uint64_t hash = hash_of_chain(1, 0, true, &expected);
    assert_true(hash == hash_of_chain(2, 32, false, &budget));
    assert_memory_equal(&budget, &expected, sizeof budget);
    assert_true(hash == hash_of_chain(3, 13, false, &budget));
    assert_memory_equal(&budget, &expected, sizeof budget);
    print_message("    water %.1e, solid %.1e of what moved\n",
                  expected.water.residual / expected.water.moved,
                  expected.solid.residual / expected.solid.moved);
    assert_true(fabs(expected.water.residual) <= 1e-6 * expected.water.moved);
    assert_true(fabs(expected.solid.residual) <= 1e-6 * expected.solid.moved);
    assert_true(expected.solid.left > 0 && expected.solid.eroded > 0);
}

/// A model that comes again begins as in a world that it has never seen.
static void test_models_forget(void** state) {
    (void)state;
    float* cells = malloc(WIDTH * HEIGHT * sizeof *cells);
    Run run = open_run(1, 0, false), fresh;
    assert_non_null(cells);
    go_on(&run, "stream", 20);
    go_on(&run, "thermal", 1);
    fresh = open_run(1, 0, false);
    OK(gully_world_read(run.world, GULLY_TERRAIN, gully_world_all(run.world), cells));
    OK(gully_world_write(run.world, GULLY_TERRAIN, gully_world_all(run.world), cells));
    OK(gully_world_write(fresh.world, GULLY_TERRAIN, gully_world_all(run.world), cells));
    OK(gully_world_read(run.world, GULLY_SEDIMENT, gully_world_all(run.world), cells));
    OK(gully_world_write(fresh.world, GULLY_SEDIMENT, gully_world_all(run.world), cells));
    go_on(&run, "stream", 20);
    go_on(&fresh, "stream", 20);
    assert_true(gully_world_hash(run.world, GULLY_TERRAIN) ==
                gully_world_hash(fresh.world, GULLY_TERRAIN));
    assert_true(gully_world_hash(run.world, GULLY_FLOW) ==
                gully_world_hash(fresh.world, GULLY_FLOW));
    free(cells);
    close_run(&run);
    close_run(&fresh);
}

/// Goes on with wind over all ground above 100 m, as a model or beside one.
static void go_on_with_wind(Run* run, const char* model, int steps) {
    const bool alone = strcmp(model, "wind") == 0;
    gully_settings_destroy(run->settings);
    OK(gully_settings_create(model, &run->settings));
    if (!alone) OK(gully_settings_switch(run->settings, "wind", true));
    set(run, alone ? "params.bedrock" : "wind.bedrock", "100");
    apply_and_step(run, steps);
}

static GullyBudget budget_within(const Run* run, double share) {
    GullyBudget budget;
    OK(gully_sim_budget(run->sim, &budget));
    assert_true(fabs(budget.solid.residual) <= share * budget.solid.moved);
    return budget;
}

static GullyBudget budget_of(const Run* run) {
    return budget_within(run, 1e-9);
}

/// Sand in the air settles when the wind is gone, and is handed on when it is not.
static void test_airborne_sand_settles(void** state) {
    (void)state;
    Run run = open_run(2, 32, false);
    go_on_with_wind(&run, "wind", 30);
    const GullyBudget blown = budget_of(&run);
    assert_true(blown.solid.suspended > 0);
    go_on(&run, "thermal", 0);
    GullyBudget still = budget_of(&run);
    assert_true(still.solid.suspended == 0);
    assert_true(fabs(still.solid.ground - blown.solid.ground - blown.solid.suspended) <=
                1e-9 * blown.solid.moved);
    assert_true(still.solid.deposited > blown.solid.deposited);
    go_on_with_wind(&run, "wind", 30);
    const double carried = budget_of(&run).solid.suspended;
    go_on_with_wind(&run, "thermal", 0); // the wind goes on beside another model
    assert_true(budget_of(&run).solid.suspended == carried);
    go_on_with_wind(&run, "wind", 0);
    assert_true(budget_of(&run).solid.suspended == 0);
    close_run(&run);
}

/// Sediment of streams is on its way out: another model does not get it.
static void test_sediment_of_streams_leaves(void** state) {
    (void)state;
    Run run = open_run(2, 32, false);
    go_on(&run, "stream", 20);
    const GullyBudget flowing = budget_within(&run, 1e-6);
    assert_true(flowing.solid.suspended > 0);
    go_on(&run, "thermal", 0);
    const GullyBudget gone = budget_within(&run, 1e-6);
    assert_true(gone.solid.suspended == 0);
    assert_true(gone.solid.ground == flowing.solid.ground);
    assert_true(fabs(gone.solid.left - flowing.solid.left - flowing.solid.suspended) <=
                1e-9 * gone.solid.left);
    close_run(&run);
}

/// A check refuses what applying would refuse, and changes nothing whatever it says.
static void test_check_changes_nothing(void** state) {
    (void)state;
    Run run = open_run(1, 0, false), same = open_run(1, 0, false);
    OK(gully_sim_step(run.sim, 10));
    OK(gully_sim_step(same.sim, 20));
    set(&run, "rain.rate", "0.01");
    set(&run, "dt", "0.01");
    const size_t bytes = gully_sim_allocated_bytes(run.sim);
    OK(gully_sim_check(run.sim, run.settings));
    set(&run, "dt", "50");
    assert_int_equal(gully_sim_check(run.sim, run.settings), GULLY_BAD_INPUT);
    assert_true(gully_sim_allocated_bytes(run.sim) == bytes);
    OK(gully_sim_step(run.sim, 10));
    assert_true(gully_sim_dt(run.sim) == gully_sim_dt(same.sim));
    assert_true(gully_world_hash(run.world, GULLY_TERRAIN) ==
                gully_world_hash(same.world, GULLY_TERRAIN));
    close_run(&run);
    close_run(&same);
}

/// What is said of a law stays valid when others are asked for.
static void test_law_infos_stay(void** state) {
    (void)state;
    const GullyLawInfo* pipe = gully_law_find("pipe");
    const GullyLawInfo copy = *pipe;
    for (int i = 0; i < gully_law_count(); i++)
        assert_true(gully_law_info(i) == gully_law_find(gully_law_info(i)->name));
    assert_true(gully_law_find("pipe") == pipe && pipe->params == copy.params);
    assert_string_equal(pipe->name, "pipe");
    assert_null(gully_law_info(-1));
    assert_null(gully_law_info(gully_law_count()));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_steppers_agree),
        cmocka_unit_test(test_flow_goes_on_when_dt_changes),
        cmocka_unit_test(test_what_is_refused_changes_nothing),
        cmocka_unit_test(test_models_hand_over),
        cmocka_unit_test(test_models_forget),
        cmocka_unit_test(test_airborne_sand_settles),
        cmocka_unit_test(test_sediment_of_streams_leaves),
        cmocka_unit_test(test_check_changes_nothing),
        cmocka_unit_test(test_law_infos_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
