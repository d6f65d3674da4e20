// SPDX-License-Identifier: MIT
// How alike terrains are: on pairs for which correlation, differences and volumes are known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/generate.h"
#include "gully/likeness.h"
#include "ok.h"

enum { SIDE = 60, CELLS = SIDE * SIDE };

static float first[CELLS], second[CELLS], start[CELLS];

static GullyHeights heights_of(const float* values, int side) {
    double cell = 600.0 / side; // all cover 600 m
    return (GullyHeights){values, side, side, cell, cell};
}

typedef double Surface(double x, double y); // [m]

static void fill(float* values, int side, Surface* surface) {
    double cell = 600.0 / side;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            values[y * side + x] = (float)surface((x + 0.5) * cell, (y + 0.5) * cell);
}

static double hills(double x, double y) {
    return 80 * sin(2 * M_PI * x / 600) + 50 * cos(2 * M_PI * y / 300) + 0.1 * x;
}

// Waves that only a low-pass takes away: 40 m long.
static double hills_with_waves(double x, double y) {
    return hills(x, y) + 30 * cos(2 * M_PI * x / 40);
}

static double plane(double x, double y) {
    return 100 + 0.5 * x - 0.25 * y;
}

static GullyLikeness compare(int side_a, int side_b, double low_pass) {
    GullyHeights a = heights_of(first, side_a), b = heights_of(second, side_b);
    GullyLikenessDef def = gully_likeness_default();
    def.low_pass = low_pass;
    GullyLikeness likeness;
    OK(gully_likeness_measure(&a, &b, &def, &likeness));
    return likeness;
}

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.9g instead of %.9g", value, expected);
}

// ---- tests --------------------------------------------------------------------------------------

static void test_same(void** state) {
    (void)state;
    fill(first, SIDE, hills);
    fill(second, SIDE, hills);
    GullyLikeness l = compare(SIDE, SIDE, 100);
    assert_near(l.correlation, 1, 1e-12);
    assert_true(l.max == 0 && l.rms == 0 && l.a.above == l.b.above && l.cells == CELLS);
}

static void test_opposite_and_shifted(void** state) {
    (void)state;
    fill(first, SIDE, hills);
    for (int i = 0; i < CELLS; i++)
        second[i] = 7 - first[i];
    assert_near(compare(SIDE, SIDE, 0).correlation, -1, 1e-9);
    for (int i = 0; i < CELLS; i++)
        second[i] = 2 * first[i] + 1000;
    assert_near(compare(SIDE, SIDE, 50).correlation, 1, 1e-9);
    for (int i = 0; i < CELLS; i++)
        second[i] = first[i] + 3;
    GullyLikeness l = compare(SIDE, SIDE, 50);
    assert_near(l.max, 3, 1e-4);
    assert_near(l.mean, 3, 1e-4);
    assert_near(l.rms, 3, 1e-4);
    assert_near(l.b.above - l.a.above, 3 * 600.0 * 600, 20);
}

// A wave of length w has exp(-2 (pi s / w)^2) left, s = low-pass / sqrt 12.
static void test_low_pass_takes_waves_away(void** state) {
    (void)state;
    fill(first, SIDE, hills);
    fill(second, SIDE, hills_with_waves);
    assert_true(compare(SIDE, SIDE, 0).correlation < 0.97);
    assert_true(compare(SIDE, SIDE, 80).correlation > 0.9995);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            first[y * SIDE + x] = 0;
            second[y * SIDE + x] = (float)cos(2 * M_PI * x / 20);
        }
    }
    double left = exp(-2 * pow(M_PI * 160 / sqrt(12) / 200, 2)); // of waves of 200 m
    assert_near(compare(SIDE, SIDE, 160).rms, left / sqrt(2), 0.02);
}

// Means over cells of a plane are its heights at their centres; cells that are cut in two are level,
// so with those it may be some hundredths of a cell beside.
static void test_other_cells(void** state) {
    (void)state;
    static const int sides[] = {60, 30, 20, 24, 37, 7};
    for (int i = 0; i < 6; i++) {
        fill(first, sides[i], plane);
        fill(second, SIDE, plane);
        GullyLikeness l = compare(sides[i], SIDE, 0);
        assert_int_equal(l.width, sides[i]);
        assert_int_equal(l.cells, sides[i] * sides[i]);
        assert_near(l.max, 0, SIDE % sides[i] == 0 ? 1e-3 : 0.75);
        assert_near(l.correlation, 1, 1e-4);
        l = compare(sides[i], SIDE, 160);
        assert_near(l.correlation, 1, 1e-4);
    }
}

static void test_changes_and_volumes(void** state) {
    (void)state;
    fill(start, SIDE, hills);
    for (int i = 0; i < CELLS; i++) {
        float change = i % SIDE < 20 ? -2.0f : i % SIDE < 30 ? 1.0f : 0.0f;
        first[i] = start[i] + change;
        second[i] = start[i] + 1.5f * change;
    }
    GullyHeights a = heights_of(first, SIDE), b = heights_of(second, SIDE);
    GullyHeights before = heights_of(start, SIDE);
    GullyLikenessDef def = gully_likeness_default();
    def.low_pass = 60;
    def.start_a = def.start_b = &before;
    GullyLikeness l;
    OK(gully_likeness_measure(&a, &b, &def, &l));
    assert_near(l.correlation, 1, 1e-6);
    assert_near(l.a.eroded, 2 * 200.0 * 600, 30);
    assert_near(l.a.deposited, 100.0 * 600, 30);
    assert_near(l.b.eroded / l.a.eroded, 1.5, 1e-4);
    assert_near(l.b.deposited / l.a.deposited, 1.5, 1e-4);
}

static void test_nodata(void** state) {
    (void)state;
    fill(first, SIDE, hills);
    fill(second, SIDE, hills);
    for (int i = 0; i < 10 * SIDE; i++)
        first[i] = NAN;
    for (int i = 0; i < CELLS; i++)
        if (i % SIDE < 6) second[i] = INFINITY;
    GullyLikeness l = compare(SIDE, SIDE, 0);
    assert_int_equal(l.cells, 50 * 54);
    assert_true(l.max == 0);
    assert_near(l.correlation, 1, 1e-12);
    for (int i = 0; i < CELLS; i++)
        second[i] = NAN;
    l = compare(SIDE, SIDE, 50);
    assert_true(l.cells == 0 && isnan(l.correlation));
}

static void refuse(const GullyHeights* a, const GullyHeights* b, const GullyLikenessDef* def,
                   const char* message) {
    GullyLikeness l;
    assert_int_equal(gully_likeness_measure(a, b, def, &l), GULLY_BAD_INPUT);
    if (!strstr(gully_message(), message)) fail_msg("no '%s' in: %s", message, gully_message());
}

static void test_wrong_input(void** state) {
    (void)state;
    GullyHeights a = heights_of(first, SIDE), b = heights_of(second, SIDE), c = b;
    GullyLikenessDef def = gully_likeness_default(), none = {0};
    refuse(&a, &b, &none, "gully_likeness_default");
    c.cell_x = 11;
    refuse(&a, &c, &def, "the extents differ: 600 x 600 m and 660 x 600 m");
    def.low_pass = -1;
    refuse(&a, &b, &def, "low-pass");
    def.low_pass = 0;
    def.start_a = &a;
    refuse(&a, &b, &def, "both terrains need a start");
    GullyHeights small = heights_of(start, 30);
    def.start_b = &small;
    refuse(&a, &b, &def, "60 x 60, and this has 30 x 30");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_opposite_and_shifted),
        cmocka_unit_test(test_low_pass_takes_waves_away),
        cmocka_unit_test(test_other_cells),
        cmocka_unit_test(test_changes_and_volumes),
        cmocka_unit_test(test_nodata),
        cmocka_unit_test(test_wrong_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
