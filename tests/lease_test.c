// SPDX-License-Identifier: MIT
// Leases of tiles, and walks over a world in runs of cells.
#include "lease.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "gully/gully.h"
#include "ok.h"

enum { WIDTH = 611, HEIGHT = 37 };

static const int tile_sizes[] = {1, 7, 32, 300, 700, 0};
enum { TILE_SIZES = sizeof tile_sizes / sizeof *tile_sizes };

static GullyWorld* make_world(int tile_size, bool half) {
    GullyWorldDef def = gully_world_def(WIDTH, HEIGHT);
    def.tile_size = tile_size;
    def.half = half;
    GullyWorld* world;
    OK(gully_world_create(&def, &world));
    return world;
}

/// A number that halves can hold, another one for each of many cells.
static float number_at(int x, int y) {
    return (float)((x * 31 + y * 17) % 1999) / 1024;
}

static void fill_water(GullyWorld* world) {
    float* values = malloc(sizeof *values * WIDTH * HEIGHT);
    for (int c = 0; c < WIDTH * HEIGHT; c++)
        values[c] = number_at(c % WIDTH, c / WIDTH);
    OK(gully_world_write(world, GULLY_WATER, gully_world_all(world), values));
    free(values);
}

/// Every cell of a rectangle comes once, with its own numbers, whatever the tiles and the storage.
static void check_walk(GullyWorld* world, GullyRect rect) {
    const int slots[3] = {world->common[WATER], -1, world->common[GROUND]};
    unsigned char* seen = calloc(WIDTH * HEIGHT, 1);
    int64_t cells = 0;
    Runs runs;
    runs_begin_read(&runs, world, rect, slots, 3);
    while (runs_next(&runs)) {
        assert_true(runs.count >= 1 && runs.count <= (world->packed ? RUN_CELLS : WIDTH));
        assert_null(runs.cells[1]);
        if (cells == 0) assert_false(world_is_free(world));
        for (int i = 0; i < runs.count; i++, cells++) {
            const int x = runs.x + i, y = runs.y;
            assert_in_range(x, rect.x, rect.x + rect.width - 1);
            assert_in_range(y, rect.y, rect.y + rect.height - 1);
            assert_int_equal(seen[y * WIDTH + x]++, 0);
            assert_true(runs.cells[0][i] == number_at(x, y));
            assert_true(runs.cells[2][i] == 0);
        }
    }
    OK(runs_end(&runs));
    assert_true(world_is_free(world));
    assert_int_equal(cells, (int64_t)rect.width * rect.height);
    free(seen);
}

static void test_walks_see_each_cell_once(void** state) {
    (void)state;
    const GullyRect rects[] = {{0, 0, WIDTH, HEIGHT}, {5, 3, 400, 20},  {610, 36, 1, 1},
                               {299, 0, 2, HEIGHT},   {0, 7, WIDTH, 1}, {9, 9, 0, 5}};
    for (int t = 0; t < TILE_SIZES * 2; t++) {
        GullyWorld* world = make_world(tile_sizes[t / 2], t % 2);
        fill_water(world);
        for (size_t r = 0; r < sizeof rects / sizeof *rects; r++)
            check_walk(world, rects[r]);
        gully_world_destroy(world);
    }
}

/// What is written through a walk is there afterwards, rounded where the field keeps halves.
static void test_walks_write(void** state) {
    (void)state;
    for (int t = 0; t < TILE_SIZES * 2; t++) {
        GullyWorld* world = make_world(tile_sizes[t / 2], t % 2);
        fill_water(world);
        const GullyRect rect = {100, 5, 350, 20};
        Runs runs;
        runs_begin(&runs, world, rect, &world->common[WATER], 1, ACCESS_READ_WRITE);
        while (runs_next(&runs)) {
            for (int i = 0; i < runs.count; i += 2)
                runs.cells[0][i] += 0.1f;
        }
        OK(runs_end(&runs));
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                float got, old = number_at(x, y), raised = old + 0.1f;
                OK(gully_world_read(world, GULLY_WATER, (GullyRect){x, y, 1, 1}, &got));
                bool inside = x >= 100 && x < 450 && y >= 5 && y < 25;
                bool is_new = got == (t % 2 ? half_round(raised) : raised);
                assert_true(got == old || (inside && is_new));
            }
        }
        gully_world_destroy(world);
    }
}

/// A walk that ends early gives back what it has, and stores what it wrote.
static void test_a_walk_may_end_early(void** state) {
    (void)state;
    for (int half = 0; half < 2; half++) {
        GullyWorld* world = make_world(32, half);
        Runs runs;
        runs_begin(&runs, world, gully_world_all(world), &world->common[WATER], 1, ACCESS_WRITE);
        assert_true(runs_next(&runs));
        for (int i = 0; i < runs.count; i++)
            runs.cells[0][i] = 3;
        OK(runs_end(&runs));
        assert_true(world_is_free(world));
        float got;
        OK(gully_world_read(world, GULLY_WATER, (GullyRect){0, 0, 1, 1}, &got));
        assert_true(got == 3);
        gully_world_destroy(world);
    }
}

static void test_pins_are_counted(void** state) {
    (void)state;
    GullyWorld* world = make_world(300, false);
    OK(world_pin(world, 1, SLOT_BIT(world->common[GROUND]), ACCESS_READ));
    OK(world_pin(world, 1, SLOT_BIT(world->common[GROUND]), ACCESS_READ_WRITE));
    world_unpin(world, 1);
    assert_false(world_is_free(world));
    world_unpin(world, 1);
    assert_true(world_is_free(world));
    gully_world_destroy(world);
}

/// Nobody adds fields, which moves all cells, while somebody looks at some.
static void test_pinned_cells_stay(void** state) {
    (void)state;
#ifdef NDEBUG
    skip(); // asserts are what is tested
#else
    GullyWorld* world = make_world(0, false);
    OK(world_pin(world, 0, SLOT_BIT(world->common[GROUND]), ACCESS_READ));
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        _exit(gully_world_fill(world, GULLY_HARDNESS, 0.5f) == GULLY_OK);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    world_unpin(world, 0);
    gully_world_destroy(world);
#endif
}

/// Numbers go from one storage to the other and back, in rows that cross tiles.
static void test_numbers_as_they_are_stored(void** state) {
    (void)state;
    for (int t = 0; t < TILE_SIZES * 2; t++) {
        const bool half = t % 2;
        GullyWorld *from = make_world(tile_sizes[t / 2], half), *to = make_world(45, half);
        GullyWorld* other = make_world(10, !half);
        fill_water(from);
        const int slot = from->common[WATER];
        const size_t number = world_number(from, slot);
        assert_int_equal(number, half ? 2 : 4);
        char* row = malloc(number * WIDTH);
        for (int y = 0; y < HEIGHT; y++) {
            OK(world_copy_out(from, slot, 3, y, WIDTH - 3, row));
            OK(world_copy_in(to, slot, 3, y, WIDTH - 3, row, number));
            OK(world_copy_in(other, slot, 3, y, WIDTH - 3, row, number));
        }
        float water = 0;
        for (int c = 0; c < WIDTH * HEIGHT; c += 13) {
            const GullyRect cell = {c % WIDTH, c / WIDTH, 1, 1};
            const float wanted = cell.x < 3 ? 0 : number_at(cell.x, cell.y);
            OK(gully_world_read(to, GULLY_WATER, cell, &water));
            assert_true(water == wanted);
            OK(gully_world_read(other, GULLY_WATER, cell, &water));
            assert_true(water == wanted);
        }
        free(row);
        gully_world_destroy(from);
        gully_world_destroy(to);
        gully_world_destroy(other);
    }
}

/// The budget counts the numbers that are stored, not those that were written.
static void test_edits_count_what_is_kept(void** state) {
    (void)state;
    GullyWorld* world = make_world(0, true);
    OK(gully_world_fill(world, GULLY_SEDIMENT, 0.3f));
    const double volume = gully_world_volume(world, GULLY_SEDIMENT);
    assert_true(fabs(volume - 0.3 * WIDTH * HEIGHT) > 1e-3);
    assert_true(exact_value(world->edited_solid) == volume);
    OK(gully_world_fill(world, GULLY_WATER, 0.3f));
    assert_true(exact_value(world->edited_water) == gully_world_volume(world, GULLY_WATER));
    gully_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks_see_each_cell_once),
        cmocka_unit_test(test_walks_write),
        cmocka_unit_test(test_a_walk_may_end_early),
        cmocka_unit_test(test_pins_are_counted),
        cmocka_unit_test(test_pinned_cells_stay),
        cmocka_unit_test(test_numbers_as_they_are_stored),
        cmocka_unit_test(test_edits_count_what_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
