// SPDX-License-Identifier: MIT
/// The world through its rectangles: tiles must not show.
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define XXH_INLINE_ALL
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <xxhash.h>
#pragma GCC diagnostic pop

#include "gully/gully.h"
#include "ok.h"

enum { WIDTH = 97, HEIGHT = 61 };

static float heights[HEIGHT][WIDTH];

static int make_heights(void** state) {
    (void)state;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++)
            heights[y][x] = (x * y) % 13 == 5 ? NAN : (float)(1000 * y + x);
    }
    return 0;
}

static GullyWorld* make_world(int tile_size) {
    GullyWorldDef def = gully_world_def(WIDTH, HEIGHT);
    def.tile_size = tile_size;
    def.heights = &heights[0][0];
    GullyWorld* world;
    if (gully_world_create(&def, &world)) fail_msg("%s", gully_message());
    return world;
}

static const int tile_sizes[] = {1, 2, 8, 32, 100, 0};
enum { TILE_SIZES = sizeof tile_sizes / sizeof *tile_sizes };

static void test_rectangles(void** state) {
    (void)state;
    const GullyRect rects[] = {
        {0, 0, WIDTH, HEIGHT}, {96, 60, 1, 1}, {5, 7, 40, 33}, {31, 31, 2, 2}, {3, 3, 0, 5}};
    static float out[HEIGHT * WIDTH];
    for (int t = 0; t < TILE_SIZES; t++) {
        GullyWorld* world = make_world(tile_sizes[t]);
        for (size_t r = 0; r < sizeof rects / sizeof *rects; r++) {
            OK(gully_world_read(world, GULLY_TERRAIN, rects[r], out));
            for (int y = 0; y < rects[r].height; y++) {
                for (int x = 0; x < rects[r].width; x++) {
                    float expected = heights[rects[r].y + y][rects[r].x + x];
                    float got = out[y * rects[r].width + x];
                    assert_true(got == expected || (isnan(got) && isnan(expected)));
                }
            }
        }
        gully_world_destroy(world);
    }
    gully_world_destroy(NULL);
}

static void test_hash_sees_cells_not_tiles(void** state) {
    (void)state;
    uint64_t first = 0;
    for (int t = 0; t < TILE_SIZES; t++) {
        GullyWorld* world = make_world(tile_sizes[t]);
        uint64_t hash = gully_world_hash(world, GULLY_TERRAIN);
        if (t == 0) first = hash;
        assert_true(hash == first);
        float one = 0.5f;
        assert_int_equal(gully_world_write(world, GULLY_TERRAIN, (GullyRect){50, 50, 1, 1}, &one),
                         0);
        assert_true(gully_world_hash(world, GULLY_TERRAIN) != first);
        gully_world_destroy(world);
    }
}

/// What moves elsewhere is another field: two cells, two rows, two stretches of 64 cells.
static void test_hash_sees_places(void** state) {
    (void)state;
    const int places[][2] = {{0, 0}, {1, 0}, {0, 1}, {64, 0}, {65, 0}, {64, 1}, {96, 60}};
    enum { PLACES = sizeof places / sizeof *places };
    uint64_t hashes[PLACES];
    const float one = 0.5f;
    for (int i = 0; i < PLACES; i++) {
        GullyWorld* world = make_world(0);
        OK(gully_world_write(world, GULLY_WATER, (GullyRect){places[i][0], places[i][1], 1, 1},
                             &one));
        hashes[i] = gully_world_hash(world, GULLY_WATER);
        for (int j = 0; j < i; j++)
            assert_true(hashes[j] != hashes[i]);
        gully_world_destroy(world);
    }
}

/// As the header says it, so that other programs can compute it: a sum, whatever the order.
static void test_hash_is_a_sum_over_places(void** state) {
    (void)state;
    GullyWorld* world = make_world(32);
    uint64_t sum = 0;
    for (int x = WIDTH - WIDTH % 64; x >= 0; x -= 64) {
        for (int y = HEIGHT - 1; y >= 0; y--) {
            float values[64];
            const int count = WIDTH - x < 64 ? WIDTH - x : 64;
            OK(gully_world_read(world, GULLY_TERRAIN, (GullyRect){x, y, count, 1}, values));
            const uint64_t seed = (uint64_t)y << 32 | (uint64_t)(x / 64);
            sum += XXH3_64bits_withSeed(values, (size_t)count * sizeof *values, seed);
        }
    }
    assert_true(gully_world_hash(world, GULLY_TERRAIN) == sum);
    gully_world_destroy(world);
}

static void test_writes_are_read_back_and_counted(void** state) {
    (void)state;
    GullyWorld* world = make_world(32);
    GullySettings* settings;
    GullySim* sim;
    GullySimDef def = gully_sim_def();
    assert_int_equal(gully_settings_create("pipe", &settings), GULLY_OK);
    assert_int_equal(gully_sim_create(world, settings, &def, &sim), GULLY_OK);

    assert_int_equal(gully_world_fill(world, GULLY_WATER, 2), GULLY_OK);
    float values[4] = {0.25f, 0.5f, 0.75f, 1};
    GullyRect rect = {40, 1, 2, 2}; // 40 * 2 = 80 and 41 * 2 = 82: no nodata cell
    assert_int_equal(gully_world_write(world, GULLY_HARDNESS, rect, values), GULLY_OK);
    float back[4];
    OK(gully_world_read(world, GULLY_HARDNESS, rect, back));
    assert_memory_equal(back, values, sizeof back);
    OK(gully_world_read(world, GULLY_WATER, rect, back));
    for (int i = 0; i < 4; i++)
        assert_true(back[i] == 2);

    // A cell that is taken out takes its water with it; one that comes in is dry.
    int cells = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        cells += !isnan((&heights[0][0])[i]);
    float nothing = NAN, ground = 7;
    assert_int_equal(gully_world_write(world, GULLY_TERRAIN, (GullyRect){2, 2, 1, 1}, &nothing), 0);
    OK(gully_world_read(world, GULLY_WATER, (GullyRect){2, 2, 1, 1}, back));
    assert_true(isnan(back[0]));
    GullyBudget budget;
    OK(gully_sim_budget(sim, &budget));
    assert_true(budget.water.edits == 2.0 * (cells - 1));
    assert_true(fabs(budget.water.residual) < 1e-9 && fabs(budget.solid.residual) < 1e-6);
    assert_true(budget.solid.edits == -2002.0);
    assert_int_equal(gully_world_write(world, GULLY_TERRAIN, (GullyRect){2, 2, 1, 1}, &ground), 0);
    OK(gully_sim_step(sim, 3)); // the new cell floods
    OK(gully_world_read(world, GULLY_WATER, (GullyRect){2, 2, 1, 1}, back));
    assert_true(back[0] > 0);

    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
}

static void test_what_is_refused(void** state) {
    (void)state;
    GullyWorld* world = make_world(0);
    float bad = -1;
    assert_int_equal(gully_world_write(world, GULLY_WATER, (GullyRect){0, 0, 1, 1}, &bad),
                     GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "water of cell (0, 0) is -1"));
    bad = NAN;
    assert_int_equal(gully_world_write(world, GULLY_SEDIMENT, (GullyRect){3, 4, 1, 1}, &bad),
                     GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "(3, 4)"));
    gully_world_destroy(world);

    GullyWorldDef def = gully_world_def(0, 5);
    assert_int_equal(gully_world_create(&def, &world), GULLY_BAD_INPUT);
    def = gully_world_def(5, 5);
    def.cell_x = -1;
    assert_int_equal(gully_world_create(&def, &world), GULLY_BAD_INPUT);
    assert_null(world);
    float far[1] = {3e38f}; // nodata that nobody declared
    def = gully_world_def(1, 1);
    def.heights = far;
    assert_int_equal(gully_world_create(&def, &world), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "terrain of cell (0, 0) is 3e+38"));
}

/// Made by hand it would silently lack the defaults: square cells of 1 m, masks.
static void test_definitions_by_hand_are_refused(void** state) {
    (void)state;
    GullyWorld* world = make_world(0);
    GullyWorld* other;
    GullyWorldDef by_hand = {.width = 3, .height = 3, .cell_x = 1, .cell_y = 1};
    assert_int_equal(gully_world_create(&by_hand, &other), GULLY_BAD_INPUT);
    assert_null(other);
    assert_non_null(strstr(gully_message(), "gully_world_def()"));
    GullySettings* settings;
    GullySim* sim;
    OK(gully_settings_create("pipe", &settings));
    GullySimDef zero = {0};
    assert_int_equal(gully_sim_create(world, settings, &zero, &sim), GULLY_BAD_INPUT);
    assert_null(sim);
    assert_non_null(strstr(gully_message(), "gully_sim_def()"));
    gully_settings_destroy(settings);
    gully_world_destroy(world);
}

static void test_version(void** state) {
    (void)state;
    int major, minor, patch;
    assert_int_equal(sscanf(gully_version(), "%d.%d.%d", &major, &minor, &patch), 3);
    assert_int_equal(major, GULLY_VERSION_MAJOR);
    assert_int_equal(minor, GULLY_VERSION_MINOR);
    assert_int_equal(patch, GULLY_VERSION_PATCH);
    assert_int_equal(major * 10000 + minor * 100 + patch, GULLY_VERSION_NUMBER);
    assert_string_equal(gully_version(), GULLY_VERSION);
}

/// Also in builds without asserts: a message, and no cell is touched.
static void test_bad_places_are_refused(void** state) {
    (void)state;
    const GullyRect bad[] = {{-1, 0, 1, 1},         {0, -1, 1, 1},        {0, 0, WIDTH + 1, 1},
                             {0, 0, 1, HEIGHT + 1}, {WIDTH, 0, 1, 1},     {3, 3, -1, 1},
                             {3, 3, 1, -1},         {WIDTH - 1, 0, 2, 1}, {0, HEIGHT, 1, 1},
                             {1, 1, INT_MAX, 1},    {INT_MAX, 1, 1, 1},   {1, INT_MIN, 1, 1}};
    GullyWorld* world = make_world(32);
    float value = 1;
    const uint64_t before = gully_world_hash(world, GULLY_TERRAIN);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(gully_world_read(world, GULLY_TERRAIN, bad[i], &value), GULLY_BAD_INPUT);
        assert_non_null(strstr(gully_message(), "not inside the world of 97 x 61 cells"));
        assert_int_equal(gully_world_write(world, GULLY_TERRAIN, bad[i], &value), GULLY_BAD_INPUT);
        assert_true(value == 1);
    }
    const GullyRect one = {0, 0, 1, 1};
    const GullyField none[] = {(GullyField)-1, GULLY_FIELD_COUNT, (GullyField)1000};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(gully_world_read(world, none[i], one, &value), GULLY_BAD_INPUT);
        assert_int_equal(gully_world_write(world, none[i], one, &value), GULLY_BAD_INPUT);
        assert_non_null(strstr(gully_message(), "no field number"));
    }
    assert_int_equal(gully_world_write(world, GULLY_FLOW, one, &value), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "flow: this field can only be read"));
    assert_int_equal(gully_world_write(world, GULLY_LAYER_2, one, &value), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "layer_2: the world has 0 materials"));
    assert_true(gully_world_hash(world, GULLY_TERRAIN) == before);
    gully_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_places_are_refused),
        cmocka_unit_test(test_definitions_by_hand_are_refused),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_rectangles),
        cmocka_unit_test(test_hash_sees_cells_not_tiles),
        cmocka_unit_test(test_hash_sees_places),
        cmocka_unit_test(test_hash_is_a_sum_over_places),
        cmocka_unit_test(test_writes_are_read_back_and_counted),
        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, make_heights, NULL);
}
