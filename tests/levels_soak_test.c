// SPDX-License-Identifier: MIT
/// Long runs where levels meet: a lake stays as much at rest as in a uniform world, and nothing is lost over
/// hundreds of changes of the map.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gully/gully.h"
#include "ok.h"
#include "terrains.h"

enum { SIDE = 128, TILE = 16, TILES = SIDE / TILE, CELLS = SIDE * SIDE, STEPS = 10000 };

static unsigned char map[TILES * TILES];

/// A map of levels that no rule made: 0 to `most`.
static void random_map(uint32_t seed, int most) {
    for (int i = 0; i < TILES * TILES; i++) {
        seed = seed * 1664525u + 1013904223u;
        map[i] = (unsigned char)((seed >> 16) % (uint32_t)(most + 1));
    }
}

typedef struct Run {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Run;

static Run open_run(const float* heights, const float* water) {
    Run run = {.world = terrain_world(heights, SIDE, SIDE, 10, 10, 0)};
    OK(gully_world_write(run.world, GULLY_WATER, gully_world_all(run.world), water));
    OK(gully_world_set_levels(run.world, TILES, TILES, map));
    OK(gully_settings_create("pipe", &run.settings));
    OK(gully_settings_set_number(run.settings, "levels.map", 1));
    OK(gully_settings_set_number(run.settings, "levels.tile", TILE));
    return run;
}

static void start(Run* run) {
    GullySimDef def = gully_sim_def();
    def.threads = 2;
    OK(gully_sim_create(run->world, run->settings, &def, &run->sim));
}

static void close_run(Run* run) {
    gully_sim_destroy(run->sim);
    gully_settings_destroy(run->settings);
    gully_world_destroy(run->world);
}

/// How far wet cells are from the level of a lake at most [m], and how much the lake eroded [m3].
static double unrest_of(const Run* run, const float* water, double level, double* eroded) {
    float *b = terrain_read(run->world, GULLY_TERRAIN), *d = terrain_read(run->world, GULLY_WATER);
    GullyBudget budget;
    double most = 0;
    OK(gully_sim_budget(run->sim, &budget));
    for (int i = 0; i < CELLS; i++) {
        const double off = water[i] > 0 ? fabs((double)b[i] + (double)d[i] - level) : (double)d[i];
        most = fmax(most, off);
    }
    *eroded = budget.solid.eroded;
    free(b);
    free(d);
    return most;
}

/// A lake over rough ground that every tile's level can hold, on a map; the deepest water is some 30 m.
static double lake_unrest(uint32_t seed, int most, double* eroded) {
    const double level = 12;
    float* heights = terrain_make(terrain_rough, SIDE, SIDE);
    float* water = terrain_constant(0, SIDE, SIDE);
    random_map(seed, 3); // the same ground for the uniform world
    for (int i = 0; i < CELLS; i++) {
        const int x = i % SIDE, y = i / SIDE, scale = 1 << map[y / TILE * TILES + x / TILE];
        heights[i] = heights[y / scale * scale * SIDE + x / scale * scale];
        water[i] = (float)fmax(0, level - (double)heights[i]);
    }
    if (most == 0) random_map(seed, 0);
    Run run = open_run(heights, water);
    OK(gully_settings_set_number(run.settings, "params.friction", 0));
    OK(gully_settings_set_number(run.settings, "params.evaporation", 0));
    start(&run);
    OK(gully_sim_step(run.sim, STEPS));
    const double off = unrest_of(&run, water, level, eroded);
    close_run(&run);
    free(heights);
    free(water);
    return off;
}

static void test_a_lake_rests_for_long(void** state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 2; seed++) {
        double eroded, uniform_eroded;
        const double uniform = lake_unrest(seed, 0, &uniform_eroded);
        const double off = lake_unrest(seed, 3, &eroded);
        print_message("lake %u: %.3g m off, %.3g m3 eroded; uniform %.3g m, %.3g m3\n", seed, off,
                      eroded, uniform, uniform_eroded);
        // As floats say it: a place of a depth of 12 m is 1e-6 m.
        if (!(off <= uniform + 2e-6 && eroded <= uniform_eroded + 1e-3))
            fail_msg("%g m off, %g m3 eroded; uniform %g, %g", off, eroded, uniform,
                     uniform_eroded);
    }
}

static void test_nothing_is_lost_in_500_changes(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_rough, SIDE, SIDE);
    float* water = terrain_constant(0.02f, SIDE, SIDE);
    for (int i = 0; i < CELLS; i++) // missing tiles
        if (i % SIDE / TILE == 1 && i / SIDE / TILE >= 2 && i / SIDE / TILE < 5) heights[i] = NAN;
    const GullyMaterial materials[2] = {gully_material("rock", 0), gully_material("soil", 1)};
    random_map(1, 3);
    Run run = open_run(heights, water);
    OK(gully_world_set_materials(run.world, materials, 2));
    OK(gully_world_fill(run.world, GULLY_LAYER_1, 1));
    OK(gully_settings_set_number(run.settings, "rain.rate", 2e-4));
    OK(gully_settings_set_number(run.settings, "thermal.talus", 12));
    OK(gully_settings_set_text(run.settings, "boundary.east", "open"));
    OK(gully_settings_switch(run.settings, "thermal", true));
    start(&run);
    GullyBudget budget;
    GullyLevels levels;
    double worst_owed = 0;
    for (uint32_t i = 0; i < 500; i++) {
        random_map(10 + i, 3);
        OK(gully_world_set_levels(run.world, TILES, TILES, map));
        OK(gully_sim_apply(run.sim, run.settings));
        OK(gully_sim_step(run.sim, STEPS / 500));
        OK(gully_sim_levels(run.sim, &levels));
        OK(gully_sim_budget(run.sim, &budget));
        worst_owed = fmax(worst_owed, levels.owed / budget.water.present);
    }
    const double w = fabs(budget.water.residual) / budget.water.moved;
    const double s = fabs(budget.solid.residual) / budget.solid.moved;
    print_message("residuals %.3g, %.3g of what moved; owed %.3g of the water\n", w, s, worst_owed);
    if (!(w <= 1e-8 && s <= 1e-8 && worst_owed <= 1e-4))
        fail_msg("residuals %g, %g; owed %g", w, s, worst_owed);
    close_run(&run);
    free(heights);
    free(water);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_lake_rests_for_long),
        cmocka_unit_test(test_nothing_is_lost_in_500_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
