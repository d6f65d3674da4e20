// SPDX-License-Identifier: MIT
// Slope statistics against terrains whose slopes are known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "gully/analysis.h"

enum { WIDTH = 12, HEIGHT = 8 };

typedef float Height(int x, int y);

static GullySlopeStatistics statistics_of(Height* height, double cell_x, double cell_y) {
    float heights[WIDTH * HEIGHT];
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++)
            heights[y * WIDTH + x] = height(x, y);
    }
    GullySlopeStatistics s;
    gully_slope_statistics(heights, WIDTH, HEIGHT, cell_x, cell_y, &s);
    return s;
}

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static double sum_of_shares(const GullySlopeStatistics* s) {
    double sum = 0;
    for (int k = 0; k < GULLY_SLOPE_CLASSES; k++)
        sum += s->shares[k];
    return sum;
}

// ---- terrains -----------------------------------------------------------------------------------

static float flat(int x, int y) {
    (void)x;
    (void)y;
    return 1234.5f;
}

static float plane(int x, int y) {
    return (float)(4000 + 3 * x - 5 * y);
}

static float checker(int x, int y) {
    return (x + y) % 2 ? 7.0f : -2.0f;
}

// Level in the west, 2 m a cell in the east: columns 0 to 4 are flat.
static float two_halves(int x, int y) {
    (void)y;
    return x <= 5 ? 0.0f : 2.0f * (float)(x - 5);
}

static float stairs(int x, int y) {
    (void)x;
    return (float)(y * y);
}

static float with_holes(int x, int y) {
    return (x + y) % 2 ? (y % 3 ? NAN : -INFINITY) : 5.0f;
}

static float plane_with_hole(int x, int y) {
    return x == 4 && y == 3 ? NAN : plane(x, y);
}

// ---- tests --------------------------------------------------------------------------------------

static void test_flat(void** state) {
    (void)state;
    GullySlopeStatistics s = statistics_of(flat, 10, 10);
    assert_int_equal(s.cells, WIDTH * HEIGHT);
    assert_true(s.gradient.mean == 0 && s.gradient.deviation == 0 && s.gradient.max == 0);
    assert_true(s.erosion_score == 0 && s.shares[0] == 1);
}

// The steeper direction counts, in metres: 3 m in 2 m, against 5 m in 10 m.
static void test_plane_has_one_slope(void** state) {
    (void)state;
    GullySlopeStatistics s = statistics_of(plane, 2, 10);
    assert_true(s.gradient.mean == 1.5 && s.gradient.max == 1.5 && s.gradient.deviation == 0);
    assert_true(s.erosion_score == 0 && s.degrees.deviation == 0);
    assert_near(s.degrees.mean, 56.309932474020215); // atan 1.5
    assert_true(s.shares[GULLY_SLOPE_CLASSES - 1] == 1);

    s = statistics_of(plane, 10, 10);
    assert_true(s.gradient.mean == 0.5 && s.erosion_score == 0);
    assert_true(s.shares[2] == 1); // 26.6 degrees
}

static void test_checker(void** state) {
    (void)state;
    GullySlopeStatistics s = statistics_of(checker, 9, 90);
    assert_true(s.gradient.mean == 1 && s.gradient.deviation == 0 && s.erosion_score == 0);
    assert_near(s.degrees.max, 45);
    assert_true(s.shares[4] == 1); // a class begins with its own angle
}

// 5 of 12 columns have slope 0, 7 have slope g: a share p = 7/12, score sqrt(p (1 - p)) / p.
static void test_two_half_planes(void** state) {
    (void)state;
    double p = 7.0 / 12;
    GullySlopeStatistics s = statistics_of(two_halves, 8, 8);
    assert_near(s.gradient.mean, p * 0.25);
    assert_near(s.gradient.deviation, sqrt(p * (1 - p)) * 0.25);
    assert_near(s.erosion_score, sqrt((1 - p) / p));
    assert_near(s.degrees.mean, p * atan(0.25) * 180 / acos(-1));
    assert_near(s.shares[0], 1 - p);
    assert_near(s.shares[1], p); // 14.04 degrees
    assert_near(sum_of_shares(&s), 1);

    GullySlopeStatistics steeper = statistics_of(two_halves, 2, 8);
    assert_near(steeper.erosion_score, s.erosion_score); // whatever the relief
}

// Rows y = 0 .. 7 of height y^2: the larger step is upwards, 2 y + 1, but 13 in the last row.
static void test_steeper_neighbour_counts(void** state) {
    (void)state;
    static const double slopes[HEIGHT] = {1, 3, 5, 7, 9, 11, 13, 13};
    double mean = 0, squares = 0;
    for (int y = 0; y < HEIGHT; y++)
        mean += slopes[y] / HEIGHT;
    for (int y = 0; y < HEIGHT; y++)
        squares += (slopes[y] - mean) * (slopes[y] - mean) / HEIGHT;
    GullySlopeStatistics s = statistics_of(stairs, 1, 1);
    assert_near(s.gradient.mean, mean);
    assert_near(s.gradient.deviation, sqrt(squares));
    assert_near(s.gradient.max, 13);
    assert_near(s.erosion_score, sqrt(squares) / mean);
}

static void test_nodata_is_no_height(void** state) {
    (void)state;
    GullySlopeStatistics s = statistics_of(plane_with_hole, 10, 10);
    assert_int_equal(s.cells, WIDTH * HEIGHT - 1);
    assert_true(s.gradient.mean == 0.5 && s.erosion_score == 0);

    s = statistics_of(with_holes, 10, 10); // no cell has a neighbour
    assert_int_equal(s.cells, 0);
    assert_true(s.gradient.mean == 0 && s.degrees.max == 0 && s.erosion_score == 0);
    assert_true(sum_of_shares(&s) == 0);
}

static void test_narrow(void** state) {
    (void)state;
    static const float heights[] = {0, 1, 3};
    GullySlopeStatistics s;
    gully_slope_statistics(heights, 3, 1, 1, 100, &s);
    assert_near(s.gradient.mean, 5.0 / 3);
    gully_slope_statistics(heights, 1, 3, 100, 1, &s);
    assert_near(s.gradient.mean, 5.0 / 3);
    gully_slope_statistics(heights, 1, 1, 1, 1, &s);
    assert_int_equal(s.cells, 0);
}

static void test_classes(void** state) {
    (void)state;
    assert_true(gully_slope_class(0) == 0);
    for (int k = 1; k < GULLY_SLOPE_CLASSES; k++)
        assert_true(gully_slope_class(k) > gully_slope_class(k - 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_plane_has_one_slope),
        cmocka_unit_test(test_checker),
        cmocka_unit_test(test_two_half_planes),
        cmocka_unit_test(test_steeper_neighbour_counts),
        cmocka_unit_test(test_nodata_is_no_height),
        cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
