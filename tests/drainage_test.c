// SPDX-License-Identifier: MIT
// Measures of drainage on surfaces where they are known in closed form.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/drainage.h"
#include "gully/generate.h"
#include "ok.h"

enum { LARGEST = 256 * 256 };

static float values[LARGEST];

typedef double Surface(double x, double y); // columns and rows [cells]

static GullyHeights make(Surface* surface, int width, int height, double cell) {
    assert_true(width * height <= LARGEST);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            values[y * width + x] = (float)surface(x, y);
    return (GullyHeights){values, width, height, cell, cell};
}

static GullyDrainage measure(const GullyHeights* heights) {
    GullyDrainageDef def = gully_drainage_default();
    GullyDrainage drainage;
    OK(gully_drainage_measure(heights, &def, &drainage));
    return drainage;
}

static GullyDrainage measure_of(Surface* surface, int width, int height, double cell) {
    GullyHeights heights = make(surface, width, height, cell);
    return measure(&heights);
}

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.9g instead of %.9g", value, expected);
}

// A number that depends on the seed and its arguments alone, 0..1.
static double random_at(uint32_t seed, uint32_t index) {
    uint64_t bits = (seed + 1) * 0x9e3779b97f4a7c15u + index * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return (double)((bits ^ (bits >> 31)) >> 11) / 9007199254740992.0;
}

// ---- hollows ------------------------------------------------------------------------------------

static double with_pit(double x, double y) {
    bool pit = x >= 20 && x < 30 && y >= 40 && y < 47;
    return 100 + 0.1 * x - (pit ? 5 : 0);
}

static double with_two_pits(double x, double y) {
    bool slit = x >= 60 && x < 62 && y >= 10 && y < 90; // one that spills into the other
    return with_pit(x, y) - (slit ? 3 : 0);
}

static double dent_at_the_side(double x, double y) {
    return 100 + 0.1 * y - (x < 10 && y > 20 && y < 30 ? 7 : 0);
}

static void test_hollows_are_pits(void** state) {
    (void)state;
    GullyDrainage d = measure_of(with_pit, 100, 100, 10);
    assert_int_equal(d.cells, 10000);
    assert_near(d.hollows, 70.0 / 10000, 1e-12);
    assert_near(measure_of(with_two_pits, 100, 100, 10).hollows, 230.0 / 10000, 1e-12);
    assert_true(measure_of(dent_at_the_side, 100, 100, 10).hollows == 0); // water leaves there
}

// ---- hypsometric integral -----------------------------------------------------------------------

// Strips that fall to the north. The integral of a strip z = y^p is 1 / (p + 1), and a little more
// for one of 60 cells.
static double straight(double x, double y) {
    (void)x;
    return y;
}

static double parabola(double x, double y) {
    (void)x;
    return y * y;
}

static double root(double x, double y) {
    (void)x;
    return 50 * sqrt(y);
}

static void test_hypsometric_integral_of_strips(void** state) {
    (void)state;
    assert_near(measure_of(straight, 60, 62, 10).hypsometric, 1.0 / 2, 1e-6);
    assert_near(measure_of(parabola, 60, 62, 10).hypsometric, 1.0 / 3, 0.005);
    assert_near(measure_of(root, 60, 62, 10).hypsometric, 2.0 / 3, 0.01);
}

// ---- concavity and Hack's exponent --------------------------------------------------------------

static double theta;
static int half_width; // of a valley [cells]

// The height along a channel whose slope is 0.3 A^-theta, A being proportional to the way upstream.
static double profile(double upstream) {
    return -0.3 * 10 * pow(2 * half_width + 1, -theta) * pow(upstream, 1 - theta) / (1 - theta);
}

// A valley of constant width that drains to the west.
static double valley(double x, double y) {
    return 1000 + profile(251 - x) + 6 * fabs(y - half_width);
}

static void test_concavity_of_a_valley(void** state) {
    (void)state;
    static const double thetas[] = {0, 0.2, 0.4, 0.6};
    half_width = 20;
    for (int i = 0; i < 4; i++) {
        theta = thetas[i];
        assert_near(measure_of(valley, 250, 2 * half_width + 1, 10).concavity, theta, 0.03);
    }
}

// The bottom of the valley is dug out for a while: that is a lake, where nothing can be said. (With
// it the concavity would be 0.7.) The step down to it counts.
static double valley_with_lake(double x, double y) {
    bool dug = x >= 60 && x < 160 && y == half_width;
    return valley(x, y) - (dug ? 3 * (160 - x) + 3 : 0);
}

static void test_concavity_leaves_lakes_out(void** state) {
    (void)state;
    theta = 0.4;
    half_width = 20;
    GullyDrainage d = measure_of(valley_with_lake, 250, 2 * half_width + 1, 10);
    assert_true(d.hollows > 0.005);
    assert_near(d.concavity, theta, 0.06);
}

// In a valley of constant width length is proportional to area, but for the way down its side.
static void test_hack_of_a_valley(void** state) {
    (void)state;
    theta = 0.4;
    half_width = 2;
    assert_near(measure_of(valley, 250, 2 * half_width + 1, 10).hack, 1, 0.05);
}

// ---- a range that rises -------------------------------------------------------------------------

enum { RANGE = 128, RANGE_CELLS = RANGE * RANGE };

static const int east[8] = {1, -1, 0, 0, 1, 1, -1, -1}, south[8] = {0, 0, 1, -1, 1, -1, 1, -1};

static int by_height(const void* a, const void* b) {
    float first = values[*(const int*)a], second = values[*(const int*)b];
    return (first > second) - (first < second);
}

// The steepest neighbour down, the cell itself if there is none.
static int steepest(int cell, double* distance) {
    int best = cell;
    double most = 0;
    for (int k = 0; k < 8; k++) {
        int next = cell + south[k] * RANGE + east[k];
        double drop = ((double)values[cell] - (double)values[next]) / (k < 4 ? 1 : sqrt(2));
        if (!(drop > most)) continue;
        most = drop;
        best = next;
        *distance = k < 4 ? 10 : 10 * sqrt(2);
    }
    return best;
}

// A step of stream power, implicit (Braun & Willett 2013): dz/dt = U - K A^0.45 slope; the sides are
// base level. `order` are the cells inside, from the lowest.
static void rise_and_wear(int* order, int count, int* to, double* area, double* distance) {
    qsort(order, (size_t)count, sizeof *order, by_height);
    for (int i = 0; i < RANGE_CELLS; i++)
        area[i] = 100;
    for (int i = 0; i < count; i++)
        to[order[i]] = steepest(order[i], &distance[order[i]]);
    for (int i = count; i-- > 0;)
        if (to[order[i]] != order[i]) area[to[order[i]]] += area[order[i]];
    for (int i = 0; i < count; i++) {
        int cell = order[i];
        double wear = to[cell] != cell ? 0.2 * pow(area[cell], 0.45) / distance[cell] : 0;
        values[cell] =
            (float)(((double)values[cell] + 1 + wear * (double)values[to[cell]]) / (1 + wear));
    }
}

static void raise_range(void) {
    static int order[RANGE_CELLS], to[RANGE_CELLS];
    static double area[RANGE_CELLS], distance[RANGE_CELLS];
    int count = 0;
    for (int i = 0; i < RANGE_CELLS; i++) {
        bool side =
            i % RANGE == 0 || i % RANGE == RANGE - 1 || i < RANGE || i >= RANGE * (RANGE - 1);
        values[i] = side ? 0 : 5 * (float)random_at(11, (uint32_t)i);
        if (!side) order[count++] = i;
    }
    for (int step = 0; step < 100; step++)
        rise_and_wear(order, count, to, area, distance);
}

// Land that rivers have made measures like real land, and its concavity is the law's.
static void test_a_range_that_rises(void** state) {
    (void)state;
    raise_range();
    GullyHeights heights = {values, RANGE, RANGE, 10, 10};
    GullyDrainage d = measure(&heights);
    assert_near(d.concavity, 0.45, 0.03);
    assert_near(d.hack, 0.58, 0.06);
    assert_near(d.hypsometric, 0.5, 0.05);
    assert_true(d.hollows == 0);
    assert_true(d.length_ratio > 1.7 && d.length_ratio < 2.8);
}

// ---- streams ------------------------------------------------------------------------------------

enum { STRIP = 32, STRIPS = 4, COLUMNS = STRIPS * STRIP - 8, ROWS = 40 };

// Four valleys that fall to the north, into one that falls to the west along row 1. East of the last
// one too little land is left for a channel.
static double comb(double x, double y) {
    if (y == 0) return 500;
    if (y == 1) return 107 + 0.02 * x;
    double middle = floor(x / STRIP) * STRIP + STRIP / 2;
    return 110 + 4 * fabs(x - middle) + 0.05 * (y - 2);
}

// A valley is a stream of 36 cells; the easternmost goes on for a strip, to where the next one joins
// it. From there the main stream runs for two strips and a half.
static void test_streams_of_a_comb(void** state) {
    (void)state;
    GullyDrainage d = measure_of(comb, COLUMNS, ROWS, 10);
    assert_int_equal(d.orders, 2);
    assert_near(d.bifurcation, STRIPS, 1e-9);
    assert_near(d.length_ratio, 2.5 * STRIP / (36 + STRIP / 4.0), 0.1);
    double cells = STRIPS * 36.0 + 3.5 * STRIP;
    assert_near(d.drainage_density, 1000 * cells * 10 / (COLUMNS * ROWS * 100.0), 1);
}

// ---- alignment ----------------------------------------------------------------------------------

static double turn; // [rad]

// Furrows, 8 cells apart, down a slope that faces west, turned.
static double furrows(double x, double y) {
    double along = x * cos(turn) + y * sin(turn), across = y * cos(turn) - x * sin(turn);
    double phase = fabs(across / 8 - floor(across / 8) - 0.5);
    return 500 + 2 * along + 16 * phase;
}

// A cone, and one with furrows down all sides of it.
static double cone(double x, double y) {
    return 1000 - 2.5 * hypot(x - 127.3, y - 126.1);
}

static double furrowed_cone(double x, double y) {
    double dx = x - 127.3, dy = y - 126.1, furrow = fabs(sin(40 * atan2(dy, dx)));
    return cone(x, y) + 3 * furrow * hypot(dx, dy) / 40;
}

static double fractal(double x, double y) {
    double u = x * cos(turn) - y * sin(turn), v = x * sin(turn) + y * cos(turn);
    return 600 * (double)gully_fractal(5, u / 256, v / 256, 9);
}

static void test_furrows_along_the_grid(void** state) {
    (void)state;
    turn = 0;
    GullyDrainage d = measure_of(furrows, 200, 120, 10);
    assert_near(d.rose4, 1, 1e-6);
    assert_near(d.rose8, 1, 1e-6);
    turn = M_PI / 4;
    d = measure_of(furrows, 200, 200, 10);
    assert_near(d.rose4, 1, 0.01);
    assert_near(d.rose8, 1, 0.03);
}

// Pyramids with furrows down their faces: with 4 the furrows run along two axes, with 8 along the
// diagonals too.
static int faces;

static double pyramid(double x, double y) {
    double dx = x - 127.3, dy = y - 126.1, wide = 2 * M_PI / faces;
    double face = wide * round(atan2(dy, dx) / wide);
    double down = dx * cos(face) + dy * sin(face), across = dy * cos(face) - dx * sin(face);
    return 1000 - 2 * down + 16 * fabs(across / 8 - floor(across / 8) - 0.5);
}

static void test_furrows_in_four_and_eight_directions(void** state) {
    (void)state;
    faces = 4;
    GullyDrainage d = measure_of(pyramid, 256, 256, 10);
    assert_true(d.rose4 > 0.9 && d.rose8 > 0.9);
    faces = 8;
    d = measure_of(pyramid, 256, 256, 10);
    assert_true(d.rose4 < 0.15 && d.rose8 > 0.8);
}

static void test_furrows_in_all_directions(void** state) {
    (void)state;
    GullyDrainage d = measure_of(furrowed_cone, 256, 256, 10);
    assert_true(d.rose4 < 0.1 && d.rose8 < 0.1);
}

// On a smooth cone plain D8 ways follow the grid. It has no channels, and no alignment.
static void test_smooth_slopes_have_no_direction(void** state) {
    (void)state;
    GullyDrainage d = measure_of(cone, 256, 256, 10);
    assert_true(isnan(d.rose4) && isnan(d.rose8));
    assert_true(d.rose8_d8 > 0.5);
}

static void test_fractal_ground_has_no_direction(void** state) {
    (void)state;
    for (int degrees = 0; degrees < 45; degrees += 15) {
        turn = degrees * M_PI / 180;
        GullyDrainage d = measure_of(fractal, 256, 256, 10);
        if (!(d.rose4 < 0.1 && d.rose8 < 0.1))
            fail_msg("turned by %d: %g, %g", degrees, d.rose4, d.rose8);
    }
}

// ---- spectrum -----------------------------------------------------------------------------------

enum { WAVES = 600 };

static double beta;

// Waves of all directions, their numbers spread evenly by logarithm: there are k^-2 of them around a
// wave vector k, so that amplitudes of k^(1 - beta/2) have a power of k^-beta.
static double waves(double x, double y) {
    double sum = 0;
    for (uint32_t i = 0; i < WAVES; i++) {
        double k = 2 * M_PI / 256 * pow(128, random_at(1, i)), angle = 2 * M_PI * random_at(2, i);
        double phase = 2 * M_PI * random_at(3, i);
        sum += pow(k, 1 - beta / 2) * cos(k * (x * cos(angle) + y * sin(angle)) + phase);
    }
    return sum;
}

static void test_spectrum_of_waves(void** state) {
    (void)state;
    static const double betas[] = {2, 3, 4};
    for (int i = 0; i < 3; i++) {
        beta = betas[i];
        assert_near(measure_of(waves, 128, 100, 10).spectrum, beta, 0.25);
    }
}

static double checker(double x, double y) {
    return 10 * x + ((int)(x + y) % 2 ? 9 : 0);
}

// A mean over 3 x 3 cells leaves 5/9 or 4/9 of the steps of a checker board.
static void test_roughness_of_a_checker(void** state) {
    (void)state;
    assert_near(measure_of(checker, 40, 30, 10).roughness, 4, 1e-6);
    assert_near(measure_of(straight, 40, 30, 10).roughness, 0, 1e-9);
}

static void test_spectrum_ignores_planes_and_scale(void** state) {
    (void)state;
    beta = 3;
    GullyHeights heights = make(waves, 96, 96, 10);
    double slope = measure(&heights).spectrum;
    for (int i = 0; i < 96 * 96; i++)
        values[i] = 7 * values[i] + (float)(3 * (i % 96) - 2 * (i / 96) + 1000);
    assert_near(measure(&heights).spectrum, slope, 1e-3);
}

// ---- nodata, small terrains, wrong use ----------------------------------------------------------

static double rough(double x, double y) {
    return 3 * x + 40 * (double)gully_fractal(3, x / 20, y / 20, 4);
}

static double rough_in_a_frame(double x, double y) {
    bool inside = x >= 7 && x < 107 && y >= 11 && y < 91;
    return inside ? rough(x - 7, y - 11) : (double)(x > y ? NAN : INFINITY);
}

static void assert_same(double a, double b) {
    if (!(a == b || (isnan(a) && isnan(b)))) fail_msg("%.17g and %.17g", a, b);
}

// A frame of nodata is the side of the raster: every measure is the same, but for the windows that
// the spectrum is made of.
static void test_nodata_is_outside(void** state) {
    (void)state;
    GullyDrainage alone = measure_of(rough, 100, 80, 10);
    GullyDrainage framed = measure_of(rough_in_a_frame, 120, 100, 10);
    assert_int_equal(framed.cells, 8000);
    assert_int_equal(framed.channels, alone.channels);
    framed.spectrum = alone.spectrum;
    int count;
    gully_drainage_measures(&count);
    for (int i = 0; i < count; i++)
        assert_same(gully_drainage_value(&framed, i), gully_drainage_value(&alone, i));
    assert_true(isfinite(alone.concavity) && isfinite(alone.rose8));
}

static double nothing(double x, double y) {
    (void)x;
    (void)y;
    return (double)NAN;
}

static double flat(double x, double y) {
    (void)x;
    (void)y;
    return 12;
}

static void test_what_cannot_be_measured_is_nan(void** state) {
    (void)state;
    GullyDrainage d = measure_of(nothing, 30, 20, 1);
    int count;
    gully_drainage_measures(&count);
    for (int i = 0; i < count; i++)
        assert_true(isnan(gully_drainage_value(&d, i)));
    assert_int_equal(d.cells, 0);
    d = measure_of(flat, 1, 1, 1);
    assert_true(d.cells == 1 && d.hollows == 0 && d.channels == 0 && isnan(d.hack));
    d = measure_of(flat, 90, 70, 1);
    assert_true(d.hollows == 0 && isnan(d.concavity) && isnan(d.hypsometric) && isnan(d.rose4));
    assert_true(isnan(d.spectrum));
    d = measure_of(straight, 1, 300, 1);
    assert_true(d.hollows == 0 && d.channels == 0);
}

// The measures are numbers without a unit, but for the density.
static void test_scale_does_not_matter(void** state) {
    (void)state;
    GullyHeights heights = make(rough, 120, 90, 10);
    GullyDrainage small = measure(&heights);
    for (int i = 0; i < 120 * 90; i++)
        values[i] *= 8;
    heights.cell_x = heights.cell_y = 80;
    GullyDrainage large = measure(&heights);
    assert_near(large.drainage_density, small.drainage_density / 8, 1e-9);
    large.drainage_density = small.drainage_density;
    int count;
    gully_drainage_measures(&count);
    for (int i = 0; i < count; i++)
        assert_near(gully_drainage_value(&large, i), gully_drainage_value(&small, i), 1e-6);
}

static bool stop(void* context, double share) {
    assert_true(share >= 0 && share <= 1);
    return ++*(int*)context < 2;
}

static void test_cancel_and_wrong_definitions(void** state) {
    (void)state;
    GullyHeights heights = make(rough, 100, 80, 10);
    GullyDrainageDef def = gully_drainage_default(), none = {0};
    GullyDrainage d;
    int calls = 0;
    def.progress = stop;
    def.context = &calls;
    assert_int_equal(gully_drainage_measure(&heights, &def, &d), GULLY_CANCELLED);
    assert_int_equal(calls, 2);
    assert_int_equal(gully_drainage_measure(&heights, &none, &d), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "gully_drainage_default"));
    def = gully_drainage_default();
    def.channel = 1;
    assert_int_equal(gully_drainage_measure(&heights, &def, &d), GULLY_BAD_INPUT);
}

static void test_the_table(void** state) {
    (void)state;
    int count;
    const GullyDrainageMeasure* rows = gully_drainage_measures(&count);
    assert_int_equal(count, 10);
    assert_string_equal(rows[0].name, "concavity");
    assert_string_equal(rows[count - 1].name, "rose8");
    GullyDrainage d = {.concavity = 0.22, .hack = 0.6, .rose8 = (double)NAN, .rose4 = 0.15};
    assert_true(gully_drainage_value(&d, 1) == 0.6);
    assert_true(gully_drainage_is_real(&d, 0) && gully_drainage_is_real(&d, count - 2));
    assert_false(gully_drainage_is_real(&d, 1) || gully_drainage_is_real(&d, count - 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hollows_are_pits),
        cmocka_unit_test(test_hypsometric_integral_of_strips),
        cmocka_unit_test(test_concavity_of_a_valley),
        cmocka_unit_test(test_concavity_leaves_lakes_out),
        cmocka_unit_test(test_hack_of_a_valley),
        cmocka_unit_test(test_a_range_that_rises),
        cmocka_unit_test(test_streams_of_a_comb),
        cmocka_unit_test(test_furrows_along_the_grid),
        cmocka_unit_test(test_furrows_in_four_and_eight_directions),
        cmocka_unit_test(test_furrows_in_all_directions),
        cmocka_unit_test(test_smooth_slopes_have_no_direction),
        cmocka_unit_test(test_fractal_ground_has_no_direction),
        cmocka_unit_test(test_spectrum_of_waves),
        cmocka_unit_test(test_roughness_of_a_checker),
        cmocka_unit_test(test_spectrum_ignores_planes_and_scale),
        cmocka_unit_test(test_nodata_is_outside),
        cmocka_unit_test(test_what_cannot_be_measured_is_nan),
        cmocka_unit_test(test_scale_does_not_matter),
        cmocka_unit_test(test_cancel_and_wrong_definitions),
        cmocka_unit_test(test_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
