// SPDX-License-Identifier: MIT
// What pipe and newton leave on smooth slopes: furrows that do not know the grid; and of pipe no
// washboards, and the same wear at any time step and resolution.
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "gully/gully.h"
#include "ok.h"
#include "terrains.h"

/// A square of ground in the rain.
typedef struct Plot {
    const float* heights;
    int size;        // [cells]
    double cell;     // [m]
    double seconds;  // of rain
    double dt_share; // of the longest time step that `auto` takes
    const char* pipes;
    double friction, capacity;
    bool open;
} Plot;

static void set_number(GullySettings* settings, const char* key, double value) {
    if (gully_settings_set_number(settings, key, value)) fail_msg("%s", gully_message());
}

static GullySettings* settings_of(const Plot* plot, double dt) {
    static const char* const sides[] = {"boundary.west", "boundary.east", "boundary.north",
                                        "boundary.south"};
    GullySettings* settings;
    assert_int_equal(gully_settings_create("pipe", &settings), GULLY_OK);
    set_number(settings, "rain.rate", 1e-3);
    set_number(settings, "params.friction", plot->friction);
    set_number(settings, "params.capacity", plot->capacity);
    set_number(settings, "dt", dt);
    assert_int_equal(gully_settings_set_text(settings, "params.pipes", plot->pipes), GULLY_OK);
    for (int n = 0; n < 4 && plot->open; n++)
        assert_int_equal(gully_settings_set_text(settings, sides[n], "open"), GULLY_OK);
    return settings;
}

/// Runs the settings, which it destroys, on a square of ground, and gives a field; free() it.
static float* field_after(const float* heights, int size, double cell, GullySettings* settings,
                          int steps, GullyField field) {
    GullyWorld* world = terrain_world(heights, size, size, cell, cell, 0);
    GullySimDef def = gully_sim_def();
    GullySim* sim;
    if (gully_sim_create(world, settings, &def, &sim)) fail_msg("%s", gully_message());
    OK(gully_sim_step(sim, steps));
    float* values = terrain_read(world, field);
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    return values;
}

/// Lets it rain, and gives a field; free() it.
static float* rained_on(const Plot* plot, GullyField field) {
    const double longest = 0.9 * sqrt(plot->cell / (4 * 9.81)), dt = longest * plot->dt_share;
    return field_after(plot->heights, plot->size, plot->cell, settings_of(plot, dt),
                       (int)lround(plot->seconds / dt), field);
}

// ---- a cone -------------------------------------------------------------------------------------

enum { CONE = 256 };

/// A cone of 0.25 slope, cells of 2 m, with noise of 5 cm.
static float* make_cone(void) {
    float* heights = terrain_make(NULL, CONE, CONE);
    uint32_t seed = 1;
    for (int c = 0; c < CONE * CONE; c++) {
        const double x = c % CONE - 0.5 * (CONE - 1), y = c / CONE - 0.5 * (CONE - 1);
        seed = seed * 1664525u + 1013904223u;
        const double noise = 0.05 * 3.46 * ((double)(seed >> 8) * 0x1p-24 - 0.5);
        heights[c] = (float)(200 - 0.25 * 2 * hypot(x, y) + noise);
    }
    return heights;
}

/// The largest of the 4-fold and 8-fold harmonics of wear by direction, as a share of the mean, in
/// a ring around the top.
static double uneven_wear(const float* wear) {
    double mean = 0;
    double complex four = 0, eight = 0;
    for (int c = 0; c < CONE * CONE; c++) {
        const double x = c % CONE - 0.5 * (CONE - 1), y = c / CONE - 0.5 * (CONE - 1);
        const double r = hypot(x, y), direction = atan2(y, x);
        if (r < 30 || r > 90) continue;
        mean += (double)wear[c];
        four += (double)wear[c] * cexp(4 * I * direction);
        eight += (double)wear[c] * cexp(8 * I * direction);
    }
    return 2 * fmax(cabs(four), cabs(eight)) / mean;
}

static double cone_in_rain(const char* pipes) {
    float* heights = make_cone();
    const Plot plot = {heights, CONE, 2, 190, 1, pipes, 2, 2, true};
    float* wear = rained_on(&plot, GULLY_WEAR);
    const double uneven = uneven_wear(wear);
    free(heights);
    free(wear);
    return uneven;
}

static void test_a_cone_wears_alike_in_all_directions(void** state) {
    (void)state;
    const double four = cone_in_rain("4"), eight = cone_in_rain("8");
    print_message("    wear by direction: %.2f %% with four pipes, %.2f %% with eight\n",
                  100 * four, 100 * eight);
    assert_true(eight < 0.03);
    assert_true(four > 2 * eight); // or the measure sees nothing
}

/// The same under `newton`: rain, time step, and how long.
typedef struct NewtonRain {
    double rate, dt; // [m/s], [s]
    int steps;
} NewtonRain;

static double cone_under_newton(const NewtonRain* rain, const char* isotropic) {
    static const char* const sides[] = {"boundary.west", "boundary.east", "boundary.north",
                                        "boundary.south"};
    float* heights = make_cone();
    GullySettings* settings;
    assert_int_equal(gully_settings_create("newton", &settings), GULLY_OK);
    set_number(settings, "rain.rate", rain->rate);
    set_number(settings, "dt", rain->dt);
    assert_int_equal(gully_settings_set_text(settings, "params.isotropic", isotropic), GULLY_OK);
    for (int n = 0; n < 4; n++)
        assert_int_equal(gully_settings_set_text(settings, sides[n], "open"), GULLY_OK);
    float* wear = field_after(heights, CONE, 2, settings, rain->steps, GULLY_WEAR);
    const double uneven = uneven_wear(wear);
    free(heights);
    free(wear);
    return uneven;
}

static void test_newton_wears_a_cone_alike_in_all_directions(void** state) {
    (void)state;
    static const NewtonRain rains[] = {{1e-2, 0.1, 40}, {1e-2, 0.1, 200}, {1e-3, 1, 200}};
    for (size_t n = 0; n < sizeof rains / sizeof *rains; n++) {
        const double paper = cone_under_newton(&rains[n], "false");
        const double alike = cone_under_newton(&rains[n], "true");
        print_message("    newton, %d steps of %g s: %.2f %% as in the paper, %.2f %% isotropic\n",
                      rains[n].steps, rains[n].dt, 100 * paper, 100 * alike);
        assert_true(alike < 0.03);
        assert_true(paper > 2 * alike); // or the measure sees nothing
    }
}

// ---- washboards ---------------------------------------------------------------------------------

enum { SLOPE = 128 };

/// A plane with noise of 2 mm; `fall` is its slope.
static float* make_slope(double fall, double cell) {
    float* heights = terrain_make(NULL, SLOPE, SLOPE);
    uint32_t seed = 1;
    for (int c = 0; c < SLOPE * SLOPE; c++) {
        seed = seed * 1664525u + 1013904223u;
        heights[c] = (float)(fall * cell * (SLOPE - c % SLOPE) +
                             0.002 * 3.46 * ((double)(seed >> 8) * 0x1p-24 - 0.5));
    }
    return heights;
}

/// How much the depth of water varies down the slope, against its mean.
static double waves_on_slope(double fall, double cell, double friction, const char* pipes) {
    float* heights = make_slope(fall, cell);
    const Plot plot = {heights, SLOPE, cell, 200, 1, pipes, friction, 0, true};
    float* water = rained_on(&plot, GULLY_WATER);
    double mean = 0, spread = 0;
    for (int j = 10; j < SLOPE - 10; j++) {
        for (int i = 60; i < 118; i++) {
            const float* d = &water[j * SLOPE + i];
            const double bend = (double)*d - 0.5 * ((double)d[-4] + (double)d[4]); // no trend
            mean += (double)*d;
            spread += bend * bend;
        }
    }
    const double count = (SLOPE - 20) * 58;
    free(heights);
    free(water);
    return sqrt(spread / count) / (mean / count);
}

/// Flow in pipes lacks the momentum that it carries along. On a slope S it breaks up into waves if
/// it runs further in the time that friction needs than half a cell: g S / kf^2 > l / 2.
static void test_friction_keeps_flow_on_slopes_smooth(void** state) {
    (void)state;
    static const struct { double fall, cell; } slopes[] = {{0.3, 10}, {1, 10}, {0.3, 3}, {0.6, 1}};
    for (size_t n = 0; n < sizeof slopes / sizeof *slopes; n++) {
        const double fall = slopes[n].fall, cell = slopes[n].cell;
        const double enough = sqrt(2 * 9.81 * fall / cell);
        const double smooth = waves_on_slope(fall, cell, 1.1 * enough, "8");
        const double four = waves_on_slope(fall, cell, 1.1 * enough, "4");
        const double rough = waves_on_slope(fall, cell, 0.55 * enough, "4");
        print_message("    slope %.1f, cells of %g m: friction %.2f is enough; waves of %.3f and "
                      "%.3f with a tenth more, %.3f with half of it\n",
                      fall, cell, enough, smooth, four, rough);
        assert_true(smooth < 0.05 && four < 0.05);
        assert_true(rough > 0.2);
    }
}

// ---- time steps and resolutions -----------------------------------------------------------------

static const double side = 5120; // of the terrain [m]

static float* make_mountains(int size) {
    float* heights = terrain_make(NULL, size, size);
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = size;
    params.relief = 300;
    params.seed = 7;
    assert_int_equal(gully_generate("mountains", &params, heights), GULLY_OK);
    return heights;
}

/// The wear on the terrain of `size` cells, in cells of an eighth of 160 m and more: blocks of
/// 160 m; `total` is the mean [m].
enum { BLOCKS = 32 };
static void wear_in_blocks(int size, double dt_share, double blocks[BLOCKS * BLOCKS],
                           double* total) {
    float* heights = make_mountains(size);
    const Plot plot = {heights, size, side / size, 200, dt_share, "8", 1.6, 1.6, true};
    float* wear = rained_on(&plot, GULLY_WEAR);
    const int across = size / BLOCKS;
    *total = 0;
    for (int b = 0; b < BLOCKS * BLOCKS; b++)
        blocks[b] = 0;
    for (int c = 0; c < size * size; c++) {
        const double share = (double)wear[c] / (across * across);
        blocks[c / size / across * BLOCKS + c % size / across] += share;
        *total += share / (BLOCKS * BLOCKS);
    }
    free(heights);
    free(wear);
}

static double correlation(const double* a, const double* b, double mean_a, double mean_b) {
    double ab = 0, aa = 0, bb = 0;
    for (int n = 0; n < BLOCKS * BLOCKS; n++) {
        ab += (a[n] - mean_a) * (b[n] - mean_b);
        aa += (a[n] - mean_a) * (a[n] - mean_a);
        bb += (b[n] - mean_b) * (b[n] - mean_b);
    }
    return ab / sqrt(aa * bb);
}

static void test_short_steps_wear_the_same(void** state) {
    (void)state;
    static double whole[BLOCKS * BLOCKS], eighth[BLOCKS * BLOCKS];
    double wear, exact;
    wear_in_blocks(256, 1, whole, &wear);
    wear_in_blocks(256, 0.125, eighth, &exact);
    print_message("    wear with dt over that with dt/8: %.4f\n", wear / exact);
    assert_true(fabs(wear / exact - 1) < 0.01);
    assert_true(correlation(whole, eighth, wear, exact) > 0.999);
}

static void test_any_resolution_wears_the_same(void** state) {
    (void)state;
    static double coarse[BLOCKS * BLOCKS], fine[BLOCKS * BLOCKS];
    double wear, finest;
    wear_in_blocks(256, 1, coarse, &wear);
    wear_in_blocks(512, 1, fine, &finest);
    const double alike = correlation(coarse, fine, wear, finest);
    print_message("    wear at 20 m over that at 10 m: %.4f, correlation in 160 m %.4f\n",
                  wear / finest, alike);
    assert_true(fabs(wear / finest - 1) < 0.06);
    assert_true(alike > 0.985);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cone_wears_alike_in_all_directions),
        cmocka_unit_test(test_newton_wears_a_cone_alike_in_all_directions),
        cmocka_unit_test(test_friction_keeps_flow_on_slopes_smooth),
        cmocka_unit_test(test_short_steps_wear_the_same),
        cmocka_unit_test(test_any_resolution_wears_the_same),
    };
    return cmocka_run_group_tests_name("furrows", tests, NULL, NULL);
}
