// SPDX-License-Identifier: MIT
/// A state on cells half as large: nothing is lost, for any law, and land and water keep their shape.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "busy.h"
#include "gully/state.h"
#include "ok.h"
#include "terrains.h"

enum { WIDTH = 44, HEIGHT = 31, STEPS = 9 };

static const GullySource source = {.x = 60,
                                   .y = 50,
                                   .radius = 12,
                                   .rate = 0.02,
                                   .concentration = 0.1,
                                   .from = 0,
                                   .until = GULLY_FOREVER};

/// A simulation and its world.
typedef struct Run {
    GullyWorld* world;
    GullySim* sim;
} Run;

static GullyWorld* make_world(int factor, bool half, TerrainMaker maker) {
    float* heights = terrain_make(maker, factor * WIDTH, factor * HEIGHT);
    GullyWorldDef def = gully_world_def(factor * WIDTH, factor * HEIGHT);
    GullyWorld* world;
    def.cell_x = 3.0 / factor;
    def.cell_y = 2.0 / factor;
    def.heights = heights;
    def.half = half;
    OK(gully_world_create(&def, &world));
    free(heights);
    return world;
}

static void lay(GullyWorld* world) {
    GullyMaterial materials[3] = {gully_material("rock", 0), gully_material("soil", 1),
                                  gully_material("sand", 2)};
    OK(gully_world_set_materials(world, materials, 3));
    OK(gully_world_fill(world, GULLY_LAYER_1, 0.3f));
    OK(gully_world_fill(world, GULLY_LAYER_2, 0.05f));
}

static GullySim* simulate(GullyWorld* world, const GullySettings* settings) {
    GullySimDef def = gully_sim_def();
    GullySim* sim;
    def.threads = 2;
    def.velocity = true;
    OK(gully_sim_create(world, settings, &def, &sim));
    return sim;
}

static void close_run(Run* run) {
    gully_sim_destroy(run->sim);
    gully_world_destroy(run->world);
}

/// The same number to all the places that sums over a world keep.
static void same(double a, double b, double scale, const char* what, const char* of) {
    if (fabs(a - b) <= 1e-14 * scale) return;
    fail_msg("%s of %s: %.17g, not %.17g", what, of, b, a);
}

static void check_volumes(const GullyWorld* old, const GullyWorld* new, const char* law) {
    static const GullyField fields[] = {GULLY_TERRAIN, GULLY_WATER,   GULLY_SEDIMENT,
                                        GULLY_WEAR,    GULLY_DEPOSIT, GULLY_LAYER_0,
                                        GULLY_LAYER_1, GULLY_LAYER_2};
    const double ground = fabs(gully_world_volume(old, GULLY_TERRAIN));
    const int count = gully_world_material_count(old) > 0 ? 8 : 5;
    for (int n = 0; n < count; n++) {
        const double before = gully_world_volume(old, fields[n]);
        const bool solid = fields[n] == GULLY_TERRAIN || fields[n] == GULLY_LAYER_0;
        same(before, gully_world_volume(new, fields[n]), solid ? ground : fabs(before) + 1e-9,
             gully_field_name(fields[n]), law);
    }
}

/// Each four cells have the mean of the one that they lie in, and what is no cell stays none.
static void check_cells(const GullyWorld* old, const GullyWorld* new, GullyField field) {
    float *before = terrain_read(old, field), *after = terrain_read(new, field);
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        const int x = 2 * (n % WIDTH), y = 2 * (n / WIDTH), width = 2 * WIDTH;
        const float* at = after + y * width + x;
        const double mean =
            ((double)at[0] + (double)at[1] + (double)at[width] + (double)at[width + 1]) / 4;
        assert_int_equal(isnan(before[n]), isnan(mean));
        if (isnan(mean)) continue;
        assert_true(fabs(mean - (double)before[n]) <= 1e-6 * (fabs(mean) + 1e-3));
    }
    free(before);
    free(after);
}

static void check_budgets(const Run* old, const Run* new, const char* law) {
    GullyBudget a, b;
    OK(gully_sim_budget(old->sim, &a));
    OK(gully_sim_budget(new->sim, &b));
    same(a.water.residual, b.water.residual, a.water.moved + 1, "residual of water", law);
    same(a.solid.residual, b.solid.residual, a.solid.moved + fabs(a.solid.ground), "residual", law);
    same(a.water.rain, b.water.rain, a.water.rain, "rain", law);
    same(a.solid.eroded, b.solid.eroded, a.solid.eroded, "eroded", law);
}

static void refine_law(const GullyLawInfo* law, bool half, bool layered) {
    GullySettings* settings = busy_settings(law, &source);
    spare_routing(law, settings);
    Run old = {.world = make_world(1, half, terrain_holes)};
    Run new = {.world = make_world(2, half, terrain_rough)};
    if (layered) {
        lay(old.world);
        lay(new.world);
    }
    old.sim = simulate(old.world, settings);
    OK(gully_sim_step(old.sim, STEPS));
    new.sim = simulate(new.world, settings);
    OK(gully_sim_refine(old.sim, new.sim));
    assert_int_equal(gully_sim_steps(new.sim), STEPS);
    assert_true(gully_sim_time(new.sim) == gully_sim_time(old.sim));
    check_volumes(old.world, new.world, law->name);
    check_cells(old.world, new.world, GULLY_TERRAIN);
    check_cells(old.world, new.world, GULLY_WATER);
    check_cells(old.world, new.world, GULLY_WEAR);
    check_cells(old.world, new.world, GULLY_FLOW);
    check_budgets(&old, &new, law->name);
    // And it goes on, with nothing lost.
    OK(gully_sim_step(new.sim, 5));
    GullyBudget budget;
    OK(gully_sim_budget(new.sim, &budget));
    assert_int_equal(gully_sim_steps(new.sim), STEPS + 5);
    assert_true(fabs(budget.water.residual) <= 1e-6 * (budget.water.moved + 1));
    assert_true(fabs(budget.solid.residual) <= 1e-6 * (budget.solid.moved + 1));
    close_run(&old);
    close_run(&new);
    gully_settings_destroy(settings);
}

static void nothing_is_lost(void** state) {
    (void)state;
    for (int i = 0; i < gully_law_count(); i++) {
        const GullyLawInfo* law = gully_law_info(i);
        if (law->add_on) continue;
        refine_law(law, false, false);
        if (law->layers) refine_law(law, false, true);
        refine_law(law, true, false);
    }
}

/// A lake in a bowl, of a level that no cell's middle has, and dry land around it.
static void fill_lake(GullyWorld* world, float level) {
    float* ground = terrain_read(world, GULLY_TERRAIN);
    for (int n = 0; n < WIDTH * HEIGHT; n++)
        ground[n] = ground[n] < level ? level - ground[n] : 0;
    OK(gully_world_write(world, GULLY_WATER, gully_world_all(world), ground));
    free(ground);
}

static void bowl(float* out, int width, int height) {
    for (int n = 0; n < width * height; n++) {
        const double x = (n % width + 0.5) / width - 0.5,
                     y = ((double)(n / width) + 0.5) / height - 0.5;
        out[n] = (float)(3000 + 60 * (x * x + y * y));
    }
}

static void a_lake_stays_flat(void** state) {
    (void)state;
    const float level = 3005.25f;
    GullySettings* settings;
    OK(gully_settings_create("pipe", &settings));
    Run old = {.world = make_world(1, false, bowl)},
        new = {.world = make_world(2, false, terrain_flat)};
    fill_lake(old.world, level);
    old.sim = simulate(old.world, settings);
    new.sim = simulate(new.world, settings);
    OK(gully_sim_refine(old.sim, new.sim));
    float *ground = terrain_read(new.world, GULLY_TERRAIN),
          *water = terrain_read(new.world, GULLY_WATER);
    float* before = terrain_read(old.world, GULLY_WATER);
    int deep = 0;
    for (int n = 0; n < 4 * WIDTH * HEIGHT; n++) {
        const int parent = n / (2 * WIDTH) / 2 * WIDTH + n % (2 * WIDTH) / 2;
        if (before[parent] < 1.5f) continue; // the shore keeps its depth
        deep++;
        assert_true(fabsf(ground[n] + water[n] - level) <= 1e-3f);
    }
    assert_true(deep > 400);
    free(ground);
    free(water);
    free(before);
    close_run(&old);
    close_run(&new);
    gully_settings_destroy(settings);
}

/// A parabola comes out as the means of the parabola: no steps from cell to cell.
static void slopes_stay_smooth(void** state) {
    (void)state;
    GullySettings* settings;
    OK(gully_settings_create("pipe", &settings));
    Run old = {.world = make_world(1, false, bowl)},
        new = {.world = make_world(2, false, terrain_flat)};
    old.sim = simulate(old.world, settings);
    new.sim = simulate(new.world, settings);
    OK(gully_sim_refine(old.sim, new.sim));
    float *ground = terrain_read(new.world, GULLY_TERRAIN),
          *fine = terrain_make(bowl, 2 * WIDTH, 2 * HEIGHT);
    double worst = 0, copied = 0;
    for (int y = 2; y < 2 * HEIGHT - 2; y++) {
        for (int x = 2; x < 2 * WIDTH - 2; x++) {
            const int n = y * 2 * WIDTH + x;
            const bool middle = abs(x - WIDTH) < 4 || abs(y - HEIGHT) < 4; // where it is level
            if (middle) continue;
            worst = fmax(worst, fabs((double)ground[n] - (double)fine[n]));
            copied = fmax(copied,
                          fabs((double)ground[n] - (double)ground[y / 2 * 4 * WIDTH + x / 2 * 2]));
        }
    }
    assert_true(copied > 0.2); // m from cell to cell
    assert_true(worst < 0.02); // centres and means differ by less
    free(ground);
    free(fine);
    close_run(&old);
    close_run(&new);
    gully_settings_destroy(settings);
}

static void what_does_not_fit_is_refused(void** state) {
    (void)state;
    GullySettings *pipe, *newton;
    OK(gully_settings_create("pipe", &pipe));
    OK(gully_settings_create("newton", &newton));
    Run old = {.world = make_world(1, false, bowl)};
    Run other = {.world = make_world(1, false, bowl)},
        model = {.world = make_world(2, false, bowl)};
    Run half = {.world = make_world(2, true, bowl)};
    old.sim = simulate(old.world, pipe);
    other.sim = simulate(other.world, pipe);
    model.sim = simulate(model.world, newton);
    half.sim = simulate(half.world, pipe);
    const uint64_t hash = gully_world_hash(other.world, GULLY_TERRAIN);
    assert_int_equal(gully_sim_refine(old.sim, other.sim), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "twice as many as 44 x 31"));
    assert_true(hash == gully_world_hash(other.world, GULLY_TERRAIN));
    assert_int_equal(gully_sim_refine(old.sim, model.sim), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "pipe and newton"));
    assert_int_equal(gully_sim_refine(old.sim, half.sim), GULLY_BAD_INPUT);
    close_run(&old);
    close_run(&other);
    close_run(&model);
    close_run(&half);
    gully_settings_destroy(pipe);
    gully_settings_destroy(newton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(a_lake_stays_flat),
        cmocka_unit_test(slopes_stay_smooth),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
