// SPDX-License-Identifier: MIT
// Half precision: the numbers, and worlds that are made of them.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gully/sim.h"
#include "half.h"
#include "ok.h"
#include "terrains.h"

enum { HALVES = 0x7c00, SIDE = 128 }; // 0x7c00 is infinity, the first that is no number

/// The value of a half, from what its bits mean.
static double meaning(unsigned half) {
    int exponent = (int)(half >> 10 & 31), significand = (int)(half & 1023);
    double value = exponent ? ldexp(1024 + significand, exponent - 25) : ldexp(significand, -24);
    return half & 0x8000 ? -value : value;
}

static void test_all_halves_are_kept(void** state) {
    (void)state;
    for (unsigned sign = 0; sign <= 0x8000; sign += 0x8000) {
        for (unsigned n = 0; n < HALVES; n++) {
            float value = half_unpack((Half)(n | sign));
            assert_true((double)value == meaning(n | sign));
            assert_true(half_round(value) == value);
            assert_int_equal(half_pack(value), n | sign);
        }
    }
}

/// Between two halves the nearer is taken, in the middle the even one.
static void test_the_nearest_is_taken(void** state) {
    (void)state;
    for (unsigned n = 0; n + 1 < HALVES; n++) {
        double low = meaning(n), high = meaning(n + 1), middle = (low + high) / 2;
        float even = (float)(n % 2 ? high : low);
        assert_true(half_round((float)middle) == even);
        assert_true(half_round((float)-middle) == -even);
        assert_true(half_round(nextafterf((float)middle, 0)) == (float)low);
        assert_true(half_round(nextafterf((float)middle, 1e9f)) == (float)high);
    }
    assert_true(half_round(1e6f) == HALF_MOST && half_round(-1e6f) == -HALF_MOST);
    assert_true(half_round(1e-9f) == 0 && half_round(1e-30f) == 0);
}

typedef struct Run {
    GullyWorld* world;
    GullySim* sim;
    GullyBudget budget;
} Run;

static Run run(const char* model, bool half) {
    float* heights = terrain_make(terrain_rough, SIDE, SIDE);
    GullyWorldDef def = gully_world_def(SIDE, SIDE);
    def.heights = heights;
    def.half = half;
    Run run = {0};
    GullySettings* settings = NULL;
    assert_int_equal(gully_world_create(&def, &run.world), GULLY_OK);
    assert_int_equal(gully_settings_create(model, &settings), GULLY_OK);
    assert_int_equal(gully_settings_set_number(settings, "rain.rate", 5e-3), GULLY_OK);
    GullySimDef sim_def = gully_sim_def();
    sim_def.masks = false;
    sim_def.threads = 2;
    if (gully_sim_create(run.world, settings, &sim_def, &run.sim)) fail_msg("%s", gully_message());
    OK(gully_sim_step(run.sim, 100));
    OK(gully_sim_budget(run.sim, &run.budget));
    gully_settings_destroy(settings);
    free(heights);
    return run;
}

static void end(Run* run) {
    gully_sim_destroy(run->sim);
    gully_world_destroy(run->world);
}

/// Root of the mean square of a field, or of what it differs in from another.
static double size_of(const float* a, const float* b) {
    double sum = 0;
    for (int c = 0; c < SIDE * SIDE; c++)
        sum += pow((double)a[c] - (b ? (double)b[c] : 0), 2);
    return sqrt(sum / (SIDE * SIDE));
}

/// It saves memory, it changes the result a little, and the budget knows what rounding took.
static void check_model(const char* model, double memory) {
    float* before = terrain_make(terrain_rough, SIDE, SIDE);
    Run whole = run(model, false), half = run(model, true);
    float* a = terrain_read(whole.world, GULLY_TERRAIN);
    float* b = terrain_read(half.world, GULLY_TERRAIN);
    double changed = size_of(a, before), off = size_of(a, b);
    double bytes =
        (double)gully_sim_allocated_bytes(half.sim) / (double)gully_sim_allocated_bytes(whole.sim);
    print_message("    %s: %.2f of the memory, off by %.1e m where %.1e m changed; rounding took "
                  "%.1e of the water, %.1e of the solid that moved\n",
                  model, bytes, off, changed, half.budget.water.rounded / half.budget.water.moved,
                  half.budget.solid.rounded / half.budget.solid.moved);
    assert_true(bytes <= memory);
    assert_true(off > 0 && off < 0.1 * changed);
    assert_true(whole.budget.water.rounded == 0 && whole.budget.solid.rounded == 0);
    assert_true(half.budget.solid.rounded != 0);
    assert_true(fabs(half.budget.water.residual) <= 1e-6 * half.budget.water.moved);
    assert_true(fabs(half.budget.solid.residual) <= 1e-6 * half.budget.solid.moved);
    end(&whole);
    end(&half);
    free(a);
    free(b);
    free(before);
}

static void test_worlds(void** state) {
    (void)state;
    check_model("newton", 0.65); // 20 bytes a cell instead of 32
    check_model("pipe", 0.65);   // 22 instead of 36
    check_model("diffusion", 0.7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_halves_are_kept),
        cmocka_unit_test(test_the_nearest_is_taken),
        cmocka_unit_test(test_worlds),
    };
    return cmocka_run_group_tests_name("half", tests, NULL, NULL);
}
