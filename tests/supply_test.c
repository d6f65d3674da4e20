// SPDX-License-Identifier: MIT
/// Rain that is not uniform: drops (W2) and seasons (W4). Uniform rain and sources are in
/// reference_test and physics_slow_test.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gully/gully.h"
#include "ok.h"
#include "sanitized.h"

enum { WIDTH = 60, HEIGHT = 40, CELLS = WIDTH * HEIGHT };

static const double cell_x = 10, cell_y = 8, dt = 0.25;

typedef struct Sky {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Sky;

/// Flat ground on which water stays where it falls: hardly any gravity, nothing dries.
static Sky open_sky(void) {
    Sky sky = {0};
    GullyWorldDef def = gully_world_def(WIDTH, HEIGHT);
    def.cell_x = cell_x;
    def.cell_y = cell_y;
    def.tile_size = 16;
    assert_int_equal(gully_world_create(&def, &sky.world), GULLY_OK);
    assert_int_equal(gully_settings_create("pipe", &sky.settings), GULLY_OK);
    GullyPipeParams* pipe = gully_settings_section(sky.settings, "params", NULL);
    pipe->gravity = 1e-3;
    pipe->evaporation = pipe->capacity = pipe->dry_depth = 0;
    assert_int_equal(gully_settings_set_number(sky.settings, "dt", dt), GULLY_OK);
    return sky;
}

static void start(Sky* sky, uint64_t seed) {
    GullySimDef def = gully_sim_def();
    def.seed = seed;
    if (gully_sim_create(sky->world, sky->settings, &def, &sky->sim))
        fail_msg("%s", gully_message());
}

static void close_sky(Sky* sky) {
    gully_sim_destroy(sky->sim);
    gully_settings_destroy(sky->settings);
    gully_world_destroy(sky->world);
}

static double rained(const Sky* sky) {
    GullyBudget budget;
    OK(gully_sim_budget(sky->sim, &budget));
    assert_true(fabs(budget.water.residual) <= 1e-6 * budget.water.moved);
    return budget.water.rain;
}

static uint64_t hash_of_drops(uint64_t seed) {
    Sky sky = open_sky();
    GullyDropsParams* drops = gully_settings_section(sky.settings, "rain.drops", NULL);
    *drops = (GullyDropsParams){.drops_per_second = 7.3, .depth = 0.01};
    start(&sky, seed);
    for (int step = 1; step <= 100; step++) {
        OK(gully_sim_step(sky.sim, 1));
        // As many as should have fallen by now, each on one cell.
        double expected = floor(7.3 * (step * dt)) * 0.01 * cell_x * cell_y;
        assert_true(fabs(rained(&sky) - expected) <= 1e-6 * expected);
    }
    uint64_t hash = gully_world_hash(sky.world, GULLY_WATER);
    close_sky(&sky);
    return hash;
}

static void test_drops_are_counted(void** state) {
    (void)state;
    uint64_t first = hash_of_drops(1);
    assert_true(hash_of_drops(1) == first);
    assert_true(hash_of_drops(2) != first);
}

/// When a drop falls does not depend on how many steps are asked for at once, also at times that
/// are no round numbers.
static void test_drops_do_not_see_chunks(void** state) {
    (void)state;
    for (int n = 1; n <= 20; n += SANITIZED ? 10 : 1) {
        uint64_t hash[2];
        for (int whole = 0; whole < 2; whole++) {
            Sky sky = open_sky();
            GullyDropsParams* drops = gully_settings_section(sky.settings, "rain.drops", NULL);
            *drops = (GullyDropsParams){.drops_per_second = 3, .depth = 0.01};
            gully_settings_set_number(sky.settings, "dt", 0.02 * n);
            start(&sky, 1);
            OK(gully_sim_step(sky.sim, 8));
            gully_settings_set_number(sky.settings, "dt", 0.1);
            assert_int_equal(gully_sim_apply(sky.sim, sky.settings), GULLY_OK);
            for (int step = 0; step < 600; step += whole ? 600 : 1)
                OK(gully_sim_step(sky.sim, whole ? 600 : 1));
            hash[whole] = gully_world_hash(sky.world, GULLY_WATER);
            close_sky(&sky);
        }
        assert_true(hash[0] == hash[1]);
    }
}

static void test_drops_fall_everywhere(void** state) {
    (void)state;
    Sky sky = open_sky();
    GullyDropsParams* drops = gully_settings_section(sky.settings, "rain.drops", NULL);
    *drops = (GullyDropsParams){.drops_per_second = 20000, .depth = 1e-3, .radius = 11};
    start(&sky, 1);
    OK(gully_sim_step(sky.sim, 4));
    static float water[CELLS];
    OK(gully_world_read(sky.world, GULLY_WATER, gully_world_all(sky.world), water));
    double quarter[4] = {0}, all = 0, least = INFINITY;
    for (int i = 0; i < CELLS; i++) {
        quarter[(i % WIDTH >= WIDTH / 2) + 2 * (i / WIDTH >= HEIGHT / 2)] += (double)water[i];
        all += (double)water[i];
        least = fmin(least, (double)water[i]);
    }
    assert_true(least > 0);
    for (int q = 0; q < 4; q++)
        assert_true(fabs(quarter[q] / all - 0.25) < 0.01);
    // 11 m around a centre are 5 cells on average: the disc's area over a cell's is 4.75.
    double per_drop = all / 20000 / 1e-3;
    assert_true(per_drop > 4.4 && per_drop < 4.8); // some of a disc lies outside
    close_sky(&sky);
}

static void test_a_season_is_a_bell_in_time(void** state) {
    (void)state;
    Sky sky = open_sky();
    GullySeasonParams* season = gully_settings_section(sky.settings, "rain.season", NULL);
    season->rate = 1e-3;
    season->t_peak = 10;
    season->sigma = 4;
    start(&sky, 1);
    double before = 0, at_start = 0, most = 0;
    for (int step = 0; step < 80; step++) {
        double q = (step * dt - 10) / 4;
        OK(gully_sim_step(sky.sim, 1));
        double fell = rained(&sky) - before;
        before = rained(&sky);
        if (step == 0) at_start = fell / exp(-q * q / 2);
        assert_true(fabs(fell - at_start * exp(-q * q / 2)) <= 1e-5 * at_start);
        most = fmax(most, fell);
    }
    double mean = most / (1e-3 * dt * CELLS * cell_x * cell_y); // of the pattern
    assert_true(mean > 0.3 && mean < 0.7);
    close_sky(&sky);
}

static void test_a_season_has_a_pattern(void** state) {
    (void)state;
    Sky sky = open_sky();
    GullySeasonParams* season = gully_settings_section(sky.settings, "rain.season", NULL);
    season->rate = 1e-3;
    assert_int_equal(gully_settings_set_number(sky.settings, "rain.rate", 5e-4), GULLY_OK);
    start(&sky, 1);
    OK(gully_sim_step(sky.sim, 1)); // at the peak, t = 0
    static float water[CELLS];
    OK(gully_world_read(sky.world, GULLY_WATER, gully_world_all(sky.world), water));
    double least = INFINITY, most = 0;
    for (int i = 0; i < CELLS; i++) {
        double pattern = ((double)water[i] / dt - 5e-4) / 1e-3; // without the uniform rain
        least = fmin(least, pattern);
        most = fmax(most, pattern);
    }
    assert_true(least > -1e-3 && most < 1 + 1e-3 && most - least > 0.3);
    close_sky(&sky);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drops_are_counted),
        cmocka_unit_test(test_drops_do_not_see_chunks),
        cmocka_unit_test(test_drops_fall_everywhere),
        cmocka_unit_test(test_a_season_is_a_bell_in_time),
        cmocka_unit_test(test_a_season_has_a_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
