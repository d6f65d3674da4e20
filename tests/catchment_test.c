// SPDX-License-Identifier: MIT
// Catchments: filled hollows, receivers and areas against plain computations, ways against fall lines.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catchment.h"
#include "gully/generate.h"
#include "ok.h"

enum { WIDTH = 61, HEIGHT = 47, CELLS = WIDTH * HEIGHT };

static float values[CELLS];
static GullyDrainageDef def;

static Catchment make(double cell_x, double cell_y) {
    static GullyHeights heights;
    heights = (GullyHeights){values, WIDTH, HEIGHT, cell_x, cell_y};
    def = gully_drainage_default();
    Catchment c;
    OK(catchment_make(&heights, &def, &c));
    return c;
}

// Whole decimetres, so that there is level ground, and some cells without data.
static void rough(uint64_t seed) {
    for (int i = 0; i < CELLS; i++) {
        float height = gully_fractal(seed, (i % WIDTH) / 20.0, (i / WIDTH) / 20.0, 5);
        bool hole = i % 97 == 5 || (i % WIDTH > 40 && i % WIDTH < 44 && i / WIDTH > 20);
        values[i] = hole ? NAN : roundf(300 * height) / 10;
    }
}

static bool is_inside(int x, int y) {
    return x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT && isfinite(values[y * WIDTH + x]);
}

static bool leaves(int cell) {
    int x = cell % WIDTH, y = cell / WIDTH;
    return !is_inside(x - 1, y) || !is_inside(x + 1, y) || !is_inside(x, y - 1) ||
           !is_inside(x, y + 1);
}

// Lowers levels from endless until each is the ground or the lowest level around it.
static void fill_plainly(float* level) {
    for (int i = 0; i < CELLS; i++)
        level[i] = isfinite(values[i]) && leaves(i) ? values[i] : INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < CELLS; i++) {
            if (!isfinite(values[i]) || leaves(i)) continue;
            float lowest = INFINITY;
            for (int k = 0; k < DIRECTIONS; k++)
                if (is_inside(i % WIDTH + step_x[k], i / WIDTH + step_y[k]))
                    lowest = fminf(lowest, level[i + step_y[k] * WIDTH + step_x[k]]);
            float filled = fmaxf(values[i], lowest);
            changed |= filled < level[i];
            level[i] = fminf(filled, level[i]);
        }
    }
}

static void test_levels_are_the_plain_ones(void** state) {
    (void)state;
    static float level[CELLS];
    for (uint64_t seed = 1; seed < 6; seed++) {
        rough(seed);
        fill_plainly(level);
        Catchment c = make(10, 7);
        int hollows = 0;
        for (uint32_t i = 0; i < CELLS; i++) {
            if (!isfinite(values[i])) continue;
            assert_true(c.level[i] == level[i]);
            hollows += in_hollow(&c, i);
        }
        assert_true(hollows > 20); // else nothing was looked at
        catchment_free(&c);
    }
}

// Every cell comes after its receiver, which is no higher, and through the outlets drains all there is.
static void test_ways_lead_out(void** state) {
    (void)state;
    static uint32_t rank[CELLS];
    for (uint64_t seed = 1; seed < 6; seed++) {
        rough(seed);
        Catchment c = make(seed % 2 ? 10 : 6, 10);
        uint32_t area = 0, cells = 0;
        for (uint32_t i = 0; i < CELLS; i++)
            cells += isfinite(values[i]) != 0;
        assert_int_equal(c.count, cells);
        for (uint32_t i = 0; i < c.count; i++) {
            uint32_t cell = c.order[i];
            rank[cell] = i;
            assert_int_equal(c.way[cell] == LEAVES, leaves((int)cell));
            if (c.way[cell] == LEAVES) {
                area += c.area[cell];
                continue;
            }
            assert_true(rank[receiver(&c, cell)] < i);
            assert_true(c.level[receiver(&c, cell)] <= c.level[cell]);
            assert_true(c.area[receiver(&c, cell)] > c.area[cell]);
        }
        assert_int_equal(area, cells);
        catchment_free(&c);
    }
}

// On a plane a way keeps within a cell of the fall line, whatever that is to the grid.
static void test_ways_follow_the_slope(void** state) {
    (void)state;
    for (int degrees = 0; degrees < 360; degrees += 7) {
        double east = cos(degrees * M_PI / 180), south = sin(degrees * M_PI / 180);
        for (int i = 0; i < CELLS; i++)
            values[i] = (float)(500 - 3 * (i % WIDTH) * east - 2 * (i / WIDTH) * south);
        Catchment c = make(3, 2); // the fall line is (east, south), in metres
        uint32_t from = (HEIGHT / 2) * WIDTH + WIDTH / 2, cell = from;
        while (c.way[cell] != LEAVES) {
            cell = receiver(&c, cell);
            double dx = 3 * ((double)(cell % WIDTH) - from % WIDTH);
            double dy = 2 * ((double)(cell / WIDTH) - from / WIDTH);
            if (fabs(dx * south - dy * east) > 3)
                fail_msg("%d degrees: %g m, %g m is beside the fall line", degrees, dx, dy);
        }
        catchment_free(&c);
    }
}

// The longest way is that along a side and down the middle of a gutter.
static void test_lengths(void** state) {
    (void)state;
    for (int i = 0; i < CELLS; i++)
        values[i] = (float)(100 * abs(i / WIDTH - HEIGHT / 2) + 0.001 * (i % WIDTH));
    Catchment c = make(3, 2);
    uint32_t outlet = HEIGHT / 2 * WIDTH;
    assert_int_equal(c.way[outlet], LEAVES);
    int down = HEIGHT / 2 - 1; // from beside the north or south side
    assert_true(fabs((double)c.length[outlet] - ((WIDTH - 2) * 3 + down * 2)) < 1e-3);
    assert_int_equal(c.area[outlet], (WIDTH - 2) * (HEIGHT - 2) + 1);
    catchment_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_are_the_plain_ones),
        cmocka_unit_test(test_ways_lead_out),
        cmocka_unit_test(test_ways_follow_the_slope),
        cmocka_unit_test(test_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
