// SPDX-License-Identifier: MIT
// Generated terrains are what they are called.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "generated.h"

enum { SIDE = 256, HALF = SIDE / 2 };

/// A square terrain of relief 1; free() it.
static float* square(const char* kind, int seed) {
    GullyGenerateParams params = generated_params(SIDE, SIDE, seed);
    params.relief = 1;
    return generated(kind, &params);
}

/// As seen from the middle, borders at -1 and 1.
static double height_at(const float* heights, double u, double v) {
    int x = (int)((u + 1) * HALF), y = (int)((v + 1) * HALF);
    assert_true(x >= 0 && x < SIDE && y >= 0 && y < SIDE);
    return heights[y * SIDE + x];
}

static double from_middle(int x, int y) {
    double u = (x + 0.5) / HALF - 1, v = (y + 0.5) / HALF - 1;
    return sqrt(u * u + v * v);
}

static double laplacian(const float* h, int x, int y) {
    const float* c = h + y * SIDE + x;
    return (double)c[-1] + (double)c[1] + (double)c[-SIDE] + (double)c[SIDE] - 4 * (double)c[0];
}

// ---- noise --------------------------------------------------------------------------------------

static void test_valleys_of_mountains_are_smoother_than_peaks(void** state) {
    (void)state;
    float* h = square("mountains", 1);
    double rough[2] = {0}, count[2] = {0};
    for (int y = 1; y < SIDE - 1; y++) {
        for (int x = 1; x < SIDE - 1; x++) {
            int high = h[y * SIDE + x] > 0.5f;
            rough[high] += fabs(laplacian(h, x, y));
            count[high]++;
        }
    }
    assert_true(rough[1] / count[1] > 1.5 * rough[0] / count[0]);
    free(h);
}

/// Of the curvature: < 0 if crests are sharper than valleys.
static double skewness(const char* kind) {
    float* h = square(kind, 1);
    double squares = 0, cubes = 0, cells = (SIDE - 2) * (SIDE - 2);
    for (int y = 1; y < SIDE - 1; y++) {
        for (int x = 1; x < SIDE - 1; x++) {
            double c = laplacian(h, x, y);
            squares += c * c / cells;
            cubes += c * c * c / cells;
        }
    }
    free(h);
    return cubes / (squares * sqrt(squares));
}

static void test_crests_and_creases(void** state) {
    (void)state;
    assert_true(fabs(skewness("fbm")) < 0.2);
    assert_true(skewness("ridged") < -0.5);
    assert_true(skewness("billowy") > 0.5);
}

static void test_warped_is_not_where_it_was(void** state) {
    (void)state;
    float* plain = square("fbm", 1);
    float* warped = square("warped", 1);
    assert_true(fabs(correlation(plain, warped, SIDE * SIDE)) < 0.9);
    free(plain);
    free(warped);
}

// ---- landforms ----------------------------------------------------------------------------------

static void test_island_is_in_the_sea(void** state) {
    (void)state;
    for (int seed = 1; seed <= 8; seed++) {
        float* h = square("island", seed);
        double highest_border = 0, inner = 0, cells = 0;
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                double height = h[y * SIDE + x];
                if (from_middle(x, y) >= 1) highest_border = fmax(highest_border, height);
                if (from_middle(x, y) > 0.3) continue;
                inner += height;
                cells++;
            }
        }
        assert_true(highest_border < 0.25);
        assert_true(inner / cells > highest_border + 0.2);
        free(h);
    }
}

static void test_rim_of_volcano_is_above_its_caldera(void** state) {
    (void)state;
    for (int seed = 1; seed <= 8; seed++) {
        float* h = square("volcano", seed);
        double caldera = height_at(h, 0, 0);
        for (int k = 0; k < 64; k++) {
            double c = cos(k * acos(-1) / 32), s = sin(k * acos(-1) / 32), rim = 0;
            for (double r = 0.1; r < 0.35; r += 0.005)
                rim = fmax(rim, height_at(h, r * c, r * s));
            assert_true(rim > caldera + 0.05);
            double flank = height_at(h, 0.5 * c, 0.5 * s), foot = height_at(h, 0.98 * c, 0.98 * s);
            assert_true(rim > flank + 0.1 && flank > foot + 0.3);
        }
        free(h);
    }
}

/// From the places that can be reached in a row, along low ground: those in the row to the south.
/// How many.
static int reach_south(const float* row, float low, bool* reached) {
    int count = 0;
    for (int x = 0; x < SIDE; x++)
        reached[x] = reached[x] && row[x] < low;
    for (int x = 1; x < SIDE; x++)
        reached[x] = reached[x] || (reached[x - 1] && row[x] < low);
    for (int x = SIDE - 2; x >= 0; x--)
        reached[x] = reached[x] || (reached[x + 1] && row[x] < low);
    for (int x = 0; x < SIDE; x++)
        count += reached[x];
    return count;
}

// Water can go from north to south along the bottom; on both sides there is a plateau.
static void test_canyon_goes_through(void** state) {
    (void)state;
    for (int seed = 1; seed <= 8; seed++) {
        float* h = square("canyon", seed);
        bool reached[SIDE];
        double west = 0, east = 0;
        for (int x = 0; x < SIDE; x++)
            reached[x] = true;
        for (int y = 0; y < SIDE; y++) {
            assert_true(reach_south(h + y * SIDE, 0.15f, reached) > 0);
            west += h[y * SIDE] / (double)SIDE;
            east += h[y * SIDE + SIDE - 1] / (double)SIDE;
        }
        assert_true(west > 0.85 && east > 0.85);
        free(h);
    }
}

// Gently up from the west, steeply down to the east.
static void test_dunes_know_the_wind(void** state) {
    (void)state;
    for (int seed = 1; seed <= 4; seed++) {
        float* h = square("dunes", seed);
        int rising = 0, cells = 0;
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x + 1 < SIDE; x++) {
                rising += h[y * SIDE + x + 1] > h[y * SIDE + x];
                cells++;
            }
        }
        assert_true(rising > 0.58 * cells && rising < 0.85 * cells);
        free(h);
    }
}

static void test_letters_are_mountains(void** state) {
    (void)state;
    static const double on[][2] = {
        {-0.72, 0.45}, {-0.72, 0.2}, {-0.72, -0.3}, {-0.5, -0.52}, {-0.2, -0.25}, {-0.5, 0.02},
        {0.44, -0.52}, {0.17, -0.1}, {0.17, 0.1},   {0.44, 0.52},  {0.71, 0.25},  {0.55, 0.08},
    };
    static const double off[][2] = {
        {-0.95, 0},  {0.95, 0},   {0, 0.9},     {0, -0.9},   {-0.46, -0.25},
        {-0.4, 0.4}, {-0.1, 0.5}, {0.44, -0.2}, {0.9, -0.1}, {-0.9, 0.9},
    };
    for (int seed = 1; seed <= 8; seed++) {
        float* h = square("letters", seed);
        for (size_t k = 0; k < sizeof on / sizeof on[0]; k++)
            assert_true(height_at(h, on[k][0], on[k][1]) > 0.5);
        for (size_t k = 0; k < sizeof off / sizeof off[0]; k++)
            assert_true(height_at(h, off[k][0], off[k][1]) < 0.2);
        free(h);
    }
}

// ---- grounds of the papers' figures -------------------------------------------------------------

static void test_plane(void** state) {
    (void)state;
    GullyGenerateParams params = generated_params(40, 81, 1);
    params.relief = 80;
    params.offset = 100;
    float* heights = generated("plane", &params);
    for (int y = 0; y < params.height; y++) {
        for (int x = 0; x < params.width; x++) {
            float height = heights[y * params.width + x];
            assert_true(fabsf(height - (float)(180 - y)) < 2e-5f);
            assert_true(height == heights[y * params.width]);
        }
    }
    free(heights);
}

static double row_mean(const float* h, int y) {
    double sum = 0;
    for (int x = 0; x < SIDE; x++)
        sum += h[y * SIDE + x];
    return sum / SIDE;
}

static void test_slope_falls_to_the_south(void** state) {
    (void)state;
    for (int seed = 1; seed <= 8; seed++) {
        float* h = square("slope", seed);
        double off = 0;
        for (int y = 0; y + 1 < SIDE; y++)
            assert_true(row_mean(h, y + 1) < row_mean(h, y));
        for (int k = 0; k < SIDE * SIDE; k++)
            off = fmax(off, fabs(h[k] - (1 - (k / SIDE + 0.5) / SIDE)));
        assert_true(off > 0.003 && off < 0.05); // rough, but slightly
        free(h);
    }
}

static void test_basin_is_lowest_in_the_middle(void** state) {
    (void)state;
    for (int seed = 1; seed <= 8; seed++) {
        float* h = square("basin", seed);
        double floor_low = INFINITY, floor_high = 0, slopes_low = INFINITY;
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                double height = h[y * SIDE + x];
                double u = fabs((x + 0.5) / HALF - 1), v = fabs((y + 0.5) / HALF - 1);
                if (fmax(u, v) < 0.19) {
                    floor_low = fmin(floor_low, height);
                    floor_high = fmax(floor_high, height);
                }
                if (fmax(u, v) > 0.3) slopes_low = fmin(slopes_low, height - 0.9 * fmax(u, v));
            }
        }
        assert_true(floor_low < 0.01 && floor_high < 0.06); // flat, and the lowest is there
        assert_true(slopes_low > -0.2);                     // every slope goes up to the border
        free(h);
    }
}

/// Highest of the cells from one column up to another.
static float highest(const float* row, int from, int to) {
    float high = -INFINITY;
    for (int x = from; x <= to; x++)
        high = fmaxf(high, row[x]);
    return high;
}

// In every row the bed is lower than the banks on both sides; it has no gaps, falls and winds.
static void test_channel_has_banks(void** state) {
    (void)state;
    enum { NEAR = SIDE / 8 };
    for (int seed = 1; seed <= 8; seed++) {
        float* h = square("channel", seed);
        int west_most = SIDE, east_most = 0, last = -1;
        for (int y = 0; y < SIDE; y++) {
            const float* row = h + y * SIDE;
            int bed = 0;
            for (int x = 0; x < SIDE; x++)
                if (row[x] < row[bed]) bed = x;
            assert_true(bed >= NEAR && bed + NEAR < SIDE);
            assert_true(highest(row, bed - NEAR, bed) > row[bed] + 0.04f);
            assert_true(highest(row, bed, bed + NEAR) > row[bed] + 0.04f);
            assert_true(last < 0 || (abs(bed - last) <= SIDE / 16 && row[bed] < row[last - SIDE]));
            last = bed;
            west_most = bed < west_most ? bed : west_most;
            east_most = bed > east_most ? bed : east_most;
        }
        assert_true(east_most - west_most > SIDE / 8);
        free(h);
    }
}

static void test_pool_holds_water(void** state) {
    (void)state;
    for (int seed = 1; seed <= 8; seed++) {
        float* h = square("pool", seed);
        double rim = 1, bottom = 0, rough = 0, smooth = 0;
        for (int y = 1; y < SIDE - 1; y++) {
            for (int x = 1; x < SIDE - 1; x++) {
                double r = from_middle(x, y), height = h[y * SIDE + x];
                double bend = fabs(laplacian(h, x, y));
                if (r > 0.85) rim = fmin(rim, height);
                if (r > 0.85) smooth = fmax(smooth, bend);
                if (r < 0.45) bottom = fmax(bottom, height);
                if (r < 0.45) rough = fmax(rough, bend);
            }
        }
        assert_true(rim > bottom + 0.4 && rough > 10 * smooth && bottom > 0.1);
        free(h);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valleys_of_mountains_are_smoother_than_peaks),
        cmocka_unit_test(test_crests_and_creases),
        cmocka_unit_test(test_warped_is_not_where_it_was),
        cmocka_unit_test(test_island_is_in_the_sea),
        cmocka_unit_test(test_rim_of_volcano_is_above_its_caldera),
        cmocka_unit_test(test_canyon_goes_through),
        cmocka_unit_test(test_dunes_know_the_wind),
        cmocka_unit_test(test_letters_are_mountains),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_slope_falls_to_the_south),
        cmocka_unit_test(test_basin_is_lowest_in_the_middle),
        cmocka_unit_test(test_channel_has_banks),
        cmocka_unit_test(test_pool_holds_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
