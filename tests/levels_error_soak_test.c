// SPDX-License-Identifier: MIT
/// Levels by error in long runs: nothing is lost over hundreds of changes that the rule made itself, and the
/// error is about what was asked for on terrains that the rule was not made for.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gully/generate.h"
#include "gully/gully.h"
#include "ok.h"
#include "terrains.h"

typedef struct Run {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Run;

static void start(Run* run, const char* error, int tile) {
    GullySimDef def = gully_sim_def();
    def.threads = 2;
    OK(gully_settings_set_text(run->settings, "levels.error", error));
    OK(gully_settings_set_number(run->settings, "levels.tile", tile));
    OK(gully_sim_create(run->world, run->settings, &def, &run->sim));
}

static void close_run(Run* run) {
    gully_sim_destroy(run->sim);
    gully_settings_destroy(run->settings);
    gully_world_destroy(run->world);
}

// ---- long runs ----------------------------------------------------------------------------------

enum { SIDE = 128, TILE = 16, CELLS = SIDE * SIDE, ROUNDS = 80, ROUND_STEPS = 252 };

/// Rain comes and goes, so that tiles are fine and coarse in turn.
static void test_nothing_is_lost_in_long_runs(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_rough, SIDE, SIDE);
    for (int i = 0; i < CELLS; i++) // missing tiles
        if (i % SIDE / TILE == 1 && i / SIDE / TILE >= 2 && i / SIDE / TILE < 5) heights[i] = NAN;
    const GullyMaterial materials[2] = {gully_material("rock", 0), gully_material("soil", 1)};
    Run run = {.world = terrain_world(heights, SIDE, SIDE, 10, 10, 0)};
    OK(gully_world_set_materials(run.world, materials, 2));
    OK(gully_world_fill(run.world, GULLY_LAYER_1, 1));
    OK(gully_settings_create("pipe", &run.settings));
    OK(gully_settings_set_number(run.settings, "thermal.talus", 12));
    OK(gully_settings_set_text(run.settings, "boundary.east", "open"));
    OK(gully_settings_switch(run.settings, "thermal", true));
    start(&run, "0.8", TILE);
    GullyBudget budget;
    GullyLevels levels;
    double worst_owed = 0;
    for (int i = 0; i < ROUNDS; i++) {
        OK(gully_settings_set_number(run.settings, "rain.rate", i % 2 ? 0 : 1e-3));
        OK(gully_sim_apply(run.sim, run.settings));
        OK(gully_sim_step(run.sim, ROUND_STEPS));
        OK(gully_sim_levels(run.sim, &levels));
        OK(gully_sim_budget(run.sim, &budget));
        worst_owed = fmax(worst_owed, levels.owed / (budget.water.present + 1));
    }
    const double w = fabs(budget.water.residual) / budget.water.moved;
    const double s = fabs(budget.solid.residual) / budget.solid.moved;
    print_message("%d steps, %d changes: residuals %.3g, %.3g of what moved; owed %.3g of the "
                  "water\n",
                  (int)gully_sim_steps(run.sim), (int)levels.changes, w, s, worst_owed);
    assert_true(gully_sim_steps(run.sim) >= 10000 && levels.changes >= 500);
    if (!(w <= 1e-8 && s <= 1e-8 && worst_owed <= 1e-4))
        fail_msg("residuals %g, %g; owed %g", w, s, worst_owed);
    close_run(&run);
    free(heights);
}

// ---- terrains -----------------------------------------------------------------------------------

enum { WIDTH = 1024, STEPS = 600 };

/// A generated terrain, some of them in a sea.
typedef struct Ground {
    const char* kind;
    int seed;
    double relief, sea;
} Ground;

static const Ground grounds[] = {
    {"island", 11, 700, 60}, {"mountains", 12, 600, -1}, {"volcano", 13, 900, 60},
    {"warped", 14, 500, -1}, {"fbm", 15, 500, 100},
};

/// The terrain after some steps in the rain; `start` gets the one before.
static float* erode(const Ground* ground, const char* error, float* first, GullyLevels* levels) {
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = WIDTH;
    params.seed = ground->seed;
    params.relief = ground->relief;
    OK(gully_generate(ground->kind, &params, first));
    float* water = terrain_constant(0, WIDTH, WIDTH);
    for (int i = 0; i < WIDTH * WIDTH; i++)
        water[i] = fmaxf(0, (float)ground->sea - first[i]);
    Run run = {.world = terrain_world(first, WIDTH, WIDTH, 10, 10, 0)};
    OK(gully_world_write(run.world, GULLY_WATER, gully_world_all(run.world), water));
    OK(gully_settings_create("pipe", &run.settings));
    OK(gully_settings_set_number(run.settings, "params.capacity", 1));
    OK(gully_settings_set_number(run.settings, "rain.rate", 1e-3));
    start(&run, error, 64);
    OK(gully_sim_step(run.sim, STEPS));
    OK(gully_sim_levels(run.sim, levels));
    float* end = terrain_read(run.world, GULLY_TERRAIN);
    close_run(&run);
    free(water);
    return end;
}

static void test_the_error_is_as_asked(void** state) {
    (void)state;
    float* first = terrain_constant(0, WIDTH, WIDTH);
    for (size_t n = 0; n < sizeof grounds / sizeof *grounds; n++) {
        GullyLevels fine_levels, levels;
        float* fine = erode(&grounds[n], "0", first, &fine_levels);
        float* coarse = erode(&grounds[n], "0.4", first, &levels);
        double off = 0, change = 0;
        for (int i = 0; i < WIDTH * WIDTH; i++) {
            const double here = (double)fine[i] - (double)first[i];
            const double there = (double)coarse[i] - (double)first[i];
            off += (here - there) * (here - there);
            change += here * here;
        }
        const double error = sqrt(off / change);
        print_message("%s %d: error %.3f, expected %.3f, %.2f times fewer cell-steps\n",
                      grounds[n].kind, grounds[n].seed, error, levels.expected,
                      fine_levels.cell_steps / levels.cell_steps);
        if (!(error >= 0.08 && error <= 0.18))
            fail_msg("%s %d: error %g", grounds[n].kind, grounds[n].seed, error);
        free(fine);
        free(coarse);
    }
    free(first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_lost_in_long_runs),
        cmocka_unit_test(test_the_error_is_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
