// SPDX-License-Identifier: MIT
// Maps against surfaces whose slopes, curvatures and catchments are known in closed form.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/maps.h"

enum { WIDTH = 21, HEIGHT = 17, CELLS = WIDTH * HEIGHT };

static const double cell_x = 3, cell_y = 2; // [m]

typedef double Surface(double x, double y); // east and north of the middle [m]

static float values[CELLS], out[CELLS];

static double east_of(int i) {
    return (i % WIDTH - WIDTH / 2) * cell_x;
}

static double north_of(int i) {
    return (HEIGHT / 2 - i / WIDTH) * cell_y;
}

static GullyHeights make(Surface* surface) {
    for (int i = 0; i < CELLS; i++)
        values[i] = (float)surface(east_of(i), north_of(i));
    return (GullyHeights){values, WIDTH, HEIGHT, cell_x, cell_y};
}

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.9g instead of %.9g", value, expected);
}

static void assert_all(GullyMap map, const GullyHeights* h, double expected, double tolerance) {
    assert_int_equal(gully_map_make(map, h, out), GULLY_OK);
    for (int i = 0; i < CELLS; i++)
        assert_near((double)out[i], expected, tolerance);
}

static bool is_inner(int i) {
    return i % WIDTH > 0 && i % WIDTH < WIDTH - 1 && i / WIDTH > 0 && i / WIDTH < HEIGHT - 1;
}

// ---- planes -------------------------------------------------------------------------------------

static double flat(double x, double y) {
    return 7 + 0 * x * y;
}

static double to_north_east(double x, double y) { // rises 0.75 to the east and 1 to the north
    return 0.75 * x + y;
}

static double up_to_west(double x, double y) {
    return -x + 0 * y;
}

static void test_planes(void** state) {
    (void)state;
    GullyHeights h = make(flat);
    assert_all(GULLY_MAP_SLOPE, &h, 0, 0);
    assert_all(GULLY_MAP_ASPECT, &h, -1, 0);
    h = make(to_north_east); // also at the sides
    assert_all(GULLY_MAP_SLOPE, &h, atan(1.25) * 180 / M_PI, 1e-5);
    assert_all(GULLY_MAP_ASPECT, &h, 180 + atan(0.75) * 180 / M_PI, 1e-4);
    for (int map = GULLY_MAP_PROFILE; map <= GULLY_MAP_MEAN; map++)
        assert_all((GullyMap)map, &h, 0, 1e-9);
    h = make(up_to_west);
    assert_all(GULLY_MAP_ASPECT, &h, 90, 0);
    assert_all(GULLY_MAP_SLOPE, &h, 45, 1e-6);
}

static void test_normals_of_planes(void** state) {
    (void)state;
    static unsigned char rgba[4 * CELLS];
    GullyHeights h = make(flat);
    gully_normal_map(&h, false, rgba);
    assert_memory_equal(rgba, ((unsigned char[]){128, 128, 255, 255}), 4);
    h = make(to_north_east);
    values[0] = NAN;
    double length = sqrt(1 + 0.75 * 0.75 + 1);
    for (int down = 0; down < 2; down++) {
        gully_normal_map(&h, down, rgba);
        assert_memory_equal(rgba, ((unsigned char[]){128, 128, 255, 0}), 4);
        for (int i = 1; i < CELLS; i++) { // also beside nodata and at the sides
            assert_int_equal(rgba[4 * i], lround(127.5 * (1 - 0.75 / length)));
            assert_int_equal(rgba[4 * i + 1], lround(127.5 * (1 - (down ? -1 : 1) / length)));
            assert_int_equal(rgba[4 * i + 2], lround(127.5 * (1 + 1 / length)));
            assert_int_equal(rgba[4 * i + 3], 255);
        }
    }
}

// ---- curved surfaces ----------------------------------------------------------------------------

static double bowl(double x, double y) { // z = (x2 + y2) / 128: exact in floats
    return (x * x + y * y) / 128;
}

// For a surface of revolution z = k r2 / 2: profile -k / (1 + k2 r2)^1.5, across -k / (1 + k2
// r2)^0.5.
static void test_bowl(void** state) {
    (void)state;
    static float profile[CELLS], plan[CELLS], mean[CELLS];
    const double k = 1.0 / 64;
    GullyHeights h = make(bowl);
    gully_map_make(GULLY_MAP_SLOPE, &h, out);
    gully_map_make(GULLY_MAP_PROFILE, &h, profile);
    gully_map_make(GULLY_MAP_PLAN, &h, plan);
    gully_map_make(GULLY_MAP_MEAN, &h, mean);
    for (int i = 0; i < CELLS; i++) {
        assert_near((double)mean[i], 0.5 * ((double)profile[i] + (double)plan[i]), 1e-9);
        if (!is_inner(i)) continue;
        double r = hypot(east_of(i), north_of(i)), w = 1 + k * k * r * r;
        assert_near((double)out[i], atan(k * r) * 180 / M_PI, 1e-5);
        assert_near((double)profile[i], -k / pow(w, 1.5), 1e-8);
        assert_near((double)plan[i], -k / sqrt(w), 1e-8);
    }
}

static double saddle(double x, double y) {
    return x * y / 64;
}

// Mean curvature of z = a x y: a3 x y / (1 + a2 (x2 + y2))^1.5.
static void test_saddle(void** state) {
    (void)state;
    const double a = 1.0 / 64;
    GullyHeights h = make(saddle);
    gully_map_make(GULLY_MAP_MEAN, &h, out);
    for (int i = 0; i < CELLS; i++) {
        double x = east_of(i), y = north_of(i);
        if (is_inner(i))
            assert_near((double)out[i], a * a * a * x * y / pow(1 + a * a * (x * x + y * y), 1.5),
                        1e-9);
    }
}

static double ridge(double x, double y) {
    return 10 - x * x / 100 + 0 * y;
}

static void test_bulges_are_positive(void** state) {
    (void)state;
    GullyHeights h = make(ridge);
    gully_map_make(GULLY_MAP_MEAN, &h, out);
    assert_near((double)out[CELLS / 2], 0.01, 1e-6); // -z'' / 2
}

static void test_nodata_stays(void** state) {
    (void)state;
    GullyHeights h = make(bowl);
    for (int i = 0; i < CELLS; i += 5)
        values[i] = i % 2 ? NAN : INFINITY;
    for (int map = 0; map < GULLY_MAP_COUNT; map++) {
        assert_int_equal(gully_map_make((GullyMap)map, &h, out), GULLY_OK);
        for (int i = 0; i < CELLS; i++)
            assert_int_equal(isfinite(out[i]) != 0, isfinite(values[i]) != 0);
    }
}

// ---- wetness ------------------------------------------------------------------------------------

// On a plane, far from its sides, what drains through a cell is the row of cells above it.
static void test_wetness_of_a_plane(void** state) {
    (void)state;
    enum { LONG = 60, ACROSS = 200 };
    static float plane[LONG * ACROSS], wetness[LONG * ACROSS];
    for (int i = 0; i < LONG * ACROSS; i++)
        plane[i] = (float)(LONG - i % LONG);
    GullyHeights h = {plane, LONG, ACROSS, 4, 4};
    assert_int_equal(gully_wetness(&h, NULL, wetness), GULLY_OK);
    for (int x = 0; x < LONG; x++)
        assert_near((double)wetness[ACROSS / 2 * LONG + x], log((x + 1) * 4 / 0.25), 1e-4);
}

static double hollow(double x, double y) { // with a spill at the middle of the east side
    double r = fmax(fabs(x) / cell_x, fabs(y) / cell_y);
    if (r >= 7 && !(fabs(y) < 0.1 && x > 0)) return 50 + 0 * r;
    return r;
}

// A hollow drains over its spill: all that is in it comes out there.
static void test_hollows_spill(void** state) {
    (void)state;
    GullyHeights h = make(hollow);
    gully_map_make(GULLY_MAP_SLOPE, &h, out);
    double slope = tan((double)out[HEIGHT / 2 * WIDTH + WIDTH / 2 + 7] * M_PI / 180);
    gully_wetness(&h, NULL, out);
    double width = sqrt(cell_x * cell_y);
    double area = exp((double)out[HEIGHT / 2 * WIDTH + WIDTH / 2 + 7]) * slope * width;
    assert_true(area >= 13 * 13 * cell_x * cell_y);
}

static void test_wetness_from_flow(void** state) {
    (void)state;
    static float flow[CELLS];
    GullyHeights h = make(up_to_west);
    for (int i = 0; i < CELLS; i++)
        flow[i] = i % 2 ? 2e-3f : 6e-3f;
    gully_wetness(&h, flow, out);
    assert_near((double)out[10] - (double)out[11], log(3), 1e-5);
    for (int i = 0; i < CELLS; i++)
        flow[i] = 0;
    flow[40] = 1;
    gully_wetness(&h, flow, out); // dry cells have their own rain
    assert_near((double)out[10], log(sqrt(cell_x * cell_y)), 1e-5);
}

// ---- splat maps ---------------------------------------------------------------------------------

static void assert_sums(const unsigned char* weights, int count) {
    for (int i = 0; i < CELLS; i++) {
        int sum = 0;
        for (int k = 0; k < count; k++)
            sum += weights[i * count + k];
        assert_int_equal(sum, isfinite(values[i]) ? 255 : 0);
    }
}

static void test_rules(void** state) {
    (void)state;
    static unsigned char weights[3 * CELLS];
    GullyHeights h = make(up_to_west); // from 30 m in the west to -30 m
    values[5] = NAN;
    const GullyPaint paints[] = {
        {"high", 1, {{GULLY_QUANTITY_HEIGHT, 12, INFINITY, 12}}},
        {"middle", 1, {{GULLY_QUANTITY_HEIGHT, -12, 12, 0}}},
        {"rest", 0, {{0}}},
    };
    const float* maps[GULLY_QUANTITY_COUNT] = {[GULLY_QUANTITY_HEIGHT] = values};
    gully_splat_by_rules(paints, 3, maps, &h, weights);
    assert_sums(weights, 3);
    const int row = HEIGHT / 2 * WIDTH;
    for (int x = 0; x < WIDTH; x++) {
        double height = (double)values[row + x], u = fmin(fmax((height - 12) / 12 + 0.5, 0), 1);
        const unsigned char* w = weights + 3 * (row + x);
        assert_near(w[0], 255 * (u * u * (3 - 2 * u)), 1);
        if (height > 12 || height < -12) assert_int_equal(w[1], 0);
        if (height < -12) assert_int_equal(w[2], 255);
        if (height >= -12 && height <= 12) assert_int_equal(w[2], 0);
    }
}

static void test_sums_of_many(void** state) {
    (void)state;
    static unsigned char weights[GULLY_MAX_PAINTS * CELLS];
    static float noise[GULLY_MAX_PAINTS][CELLS];
    const float* layers[GULLY_MAX_PAINTS];
    GullyHeights h = make(bowl);
    values[3] = NAN;
    uint32_t state_word = 1;
    for (int k = 0; k < GULLY_MAX_PAINTS; k++) {
        layers[k] = noise[k];
        for (int i = 0; i < CELLS; i++) {
            state_word = state_word * 1664525u + 1013904223u;
            noise[k][i] = (float)(state_word >> 8) / 16777216;
        }
    }
    for (int count = 1; count <= GULLY_MAX_PAINTS; count++) {
        gully_splat_by_layers(layers, count, 3, &h, weights);
        assert_sums(weights, count);
    }
    int count;
    const GullyPaint* paints = gully_default_paints(&count);
    const float* maps[GULLY_QUANTITY_COUNT];
    for (int k = 0; k < GULLY_QUANTITY_COUNT; k++)
        maps[k] = noise[k % GULLY_MAX_PAINTS];
    gully_splat_by_rules(paints, count, maps, &h, weights);
    assert_sums(weights, count);
}

static void test_layers(void** state) {
    (void)state;
    const float rock[] = {100, 100, 100, 100}, soil[] = {0, 1, 0.05f, 1}, sand[] = {0, 0, 0, 0.05f};
    const float* layers[] = {rock, soil, sand};
    const float ground[] = {0, 0, 0, 0};
    GullyHeights h = {ground, 4, 1, 1, 1};
    unsigned char weights[12];
    gully_splat_by_layers(layers, 3, 0.1, &h, weights);
    const unsigned char expected[] = {255, 0, 0, 0, 255, 0, 128, 127, 0, 0, 128, 127};
    for (int i = 0; i < 12; i++)
        assert_near(weights[i], expected[i], 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_normals_of_planes),
        cmocka_unit_test(test_bowl),
        cmocka_unit_test(test_saddle),
        cmocka_unit_test(test_bulges_are_positive),
        cmocka_unit_test(test_nodata_stays),
        cmocka_unit_test(test_wetness_of_a_plane),
        cmocka_unit_test(test_hollows_spill),
        cmocka_unit_test(test_wetness_from_flow),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_sums_of_many),
        cmocka_unit_test(test_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
