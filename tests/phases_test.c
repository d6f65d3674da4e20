/// Settings that change within a run: both steppers agree, and flows go on as they were.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gully/gully.h"
#include "ok.h"

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
    assert_int_equal(gully_settings_create("thermal", &other), GULLY_OK);
    assert_int_equal(gully_sim_apply(run.sim, other), GULLY_BAD_INPUT);
    gully_settings_destroy(other);
    OK(gully_sim_step(run.sim, 10));
    assert_true(gully_world_hash(run.world, GULLY_TERRAIN) ==
                gully_world_hash(same.world, GULLY_TERRAIN));
    close_run(&run);
    close_run(&same);
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
        cmocka_unit_test(test_check_changes_nothing),
        cmocka_unit_test(test_law_infos_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
