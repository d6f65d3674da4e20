// SPDX-License-Identifier: MIT
/// How a world is divided: every awake row belongs to exactly one block, and no thread has much more
/// to do than the others. That blocks never show in a result is the business
/// of battery_threads_test.c and activity_threads_test.c.
#include "blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "supply.cell.h"
#include "terrains.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/// A world with the pipe law, its activity map and its blocks.
typedef struct Case {
    GullyWorld* world;
    Activity* activity;
    Plan plan;
    int slots[FIELD_IDS];
    int threads, least;
    Blocks blocks;
} Case;

static Case* begin_case(int width, int height, int tile_size, int threads) {
    Case* c = calloc(1, sizeof *c);
    assert_non_null(c);
    float* flat = terrain_constant(10, width, height);
    c->world = terrain_world(flat, width, height, 1, 1, tile_size);
    free(flat);
    for (int id = 0; id < FIELD_IDS; id++)
        c->slots[id] = id < COMMON_FIELDS ? c->world->common[id] : -1;
    const Law* law = law_find("pipe");
    StepEntry passes[MAX_ENTRIES];
    for (int i = 0; i < law->pass_count; i++)
        passes[i + 1] = (StepEntry){&law->passes[i], law, c->slots, law, NULL, NULL};
    passes[0] = (StepEntry){law_supply()->passes, law_supply(), c->slots, law_supply(), NULL, NULL};
    assert_int_equal(plan_create(passes, law->pass_count + 1, 0, &c->plan), GULLY_OK);
    plan_bind(&c->plan, c->world);
    assert_int_equal(activity_create(c->world, &c->activity), GULLY_OK);
    c->threads = threads;
    c->least = 2 * c->plan.reach;
    assert_int_equal(blocks_create(c->world, threads, &c->blocks), GULLY_OK);
    return c;
}

static void end_case(Case* c) {
    blocks_destroy(&c->blocks);
    activity_destroy(c->activity);
    plan_destroy(&c->plan);
    gully_world_destroy(c->world);
    free(c);
}

static void divide_world(Case* c, const SupplyStep* falls) {
    const void* consts[MAX_ENTRIES] = {falls};
    activity_begin(c->activity, &c->plan, 1, consts);
    blocks_divide(&c->blocks, c->world, c->activity, (RowRange){0, c->world->height}, c->threads,
                  c->least);
}

static void rain_everywhere(Case* c) {
    const SupplyStep rain = {.rain = 1e-3f};
    divide_world(c, &rain);
}

/// Water in a rectangle; everything else has come to rest.
static void fill_pond(Case* c, GullyRect pond) {
    float* water = terrain_constant(1, pond.width, pond.height);
    assert_int_equal(gully_world_write(c->world, GULLY_WATER, pond, water), GULLY_OK);
    free(water);
    divide_world(c, NULL); // all is awake at first
    for (int tx = 0; tx < c->world->tiles_x; tx++) {
        for (int y = 0; y < c->world->height; y += PATCH)
            activity_end_rows(c->activity, &c->plan, tx, y);
    }
    divide_world(c, NULL);
}

// ---- what must hold of any blocks ---------------------------------------------------------------

static bool is_awake(const Case* c, int tx, int y) {
    ActiveSpan columns = activity_span(c->activity, tx, y, y + 1);
    return columns.from < columns.to;
}

static int owners_of(const Case* c, int tx, int y) {
    int owners = 0;
    for (int i = 0; i < c->blocks.count; i++) {
        const Block* block = &c->blocks.list[i];
        owners += block->panel == tx && block->first <= y && y < block->end;
    }
    return owners;
}

static void check_owners(const Case* c) {
    for (int tx = 0; tx < c->world->tiles_x; tx++) {
        for (int y = 0; y < c->world->height; y++) {
            int owners = owners_of(c, tx, y);
            assert_true(owners <= 1);
            if (is_awake(c, tx, y)) assert_int_equal(owners, 1);
        }
    }
}

/// Both blocks at a seam know it, and it leaves room for the copies of the rows beside it.
static void check_seams(const Case* c) {
    assert_true(c->blocks.seam_count < c->threads);
    for (int i = 0; i < c->blocks.count; i++) {
        const Block* block = &c->blocks.list[i];
        assert_int_equal(block->side[NORTH].seam >= 0, block->first > 0);
        assert_int_equal(block->side[SOUTH].seam >= 0, block->end < c->world->height);
        assert_true(block->end == c->world->height || block->end - block->first >= c->least);
        if (block->side[NORTH].seam >= 0) {
            const Seam* seam = &c->blocks.seams[block->side[NORTH].seam];
            assert_true(seam->panel == block->panel && seam->row == block->first);
        }
        if (block->side[SOUTH].seam >= 0) {
            const Seam* seam = &c->blocks.seams[block->side[SOUTH].seam];
            assert_true(seam->panel == block->panel && seam->row == block->end);
        }
        assert_int_equal(block->first % PATCH, 0); // a patch belongs to one block
        if (i > 0) assert_true(block->awake <= block[-1].awake);
    }
}

/// What the busiest thread has to do, if each takes the next block when it is done with one.
static int64_t busiest(const Case* c) {
    int64_t load[64] = {0}, most = 0;
    for (int i = 0; i < c->blocks.count; i++) {
        int idle = 0;
        for (int t = 1; t < c->threads; t++)
            idle = load[t] < load[idle] ? t : idle;
        load[idle] += c->blocks.list[i].awake;
        most = load[idle] > most ? load[idle] : most;
    }
    return most;
}

static int64_t all_awake(const Case* c) {
    int64_t sum = 0;
    for (int i = 0; i < c->blocks.count; i++)
        sum += c->blocks.list[i].awake;
    return sum;
}

static void check(const Case* c) {
    check_owners(c);
    check_seams(c);
}

// ---- tests --------------------------------------------------------------------------------------

static void test_all_awake(void** state) {
    (void)state;
    static const struct {
        int width, height, tile_size, threads;
        int seams; // as few as balance the threads
    } cases[] = {
        {1024, 1024, 1024, 1, 0}, {1024, 1024, 1024, 2, 1}, {1024, 1024, 512, 2, 0},
        {1536, 1024, 512, 2, 1},  {1000, 1000, 512, 2, 0},  {1024, 1024, 1024, 7, 6},
        {1024, 1024, 512, 3, 2},  {2048, 1024, 512, 8, 4},  {300, 400, 64, 3, 2},
    };
    for (int n = 0; n < COUNT(cases); n++) {
        Case* c = begin_case(cases[n].width, cases[n].height, cases[n].tile_size, cases[n].threads);
        rain_everywhere(c);
        check(c);
        assert_int_equal(c->blocks.seam_count, cases[n].seams);
        assert_true(all_awake(c) == (int64_t)cases[n].width * cases[n].height);
        assert_true((double)busiest(c) < 1.1 * (double)all_awake(c) / cases[n].threads);
        end_case(c);
    }
}

/// Too small to be divided among all threads, or at all.
static void test_no_room(void** state) {
    (void)state;
    for (int height = 1; height < 200; height += 13) {
        for (int threads = 1; threads <= 9; threads += 4) {
            Case* c = begin_case(70, height, 1024, threads);
            rain_everywhere(c);
            check(c);
            assert_true(c->blocks.seam_count <= height / c->least);
            end_case(c);
        }
    }
}

/// Seams go where the water is.
static void test_pond(void** state) {
    (void)state;
    static const GullyRect ponds[] = {
        {400, 100, 200, 200}, {10, 700, 100, 320}, {900, 0, 124, 1024}};
    for (int n = 0; n < COUNT(ponds); n++) {
        Case* c = begin_case(1024, 1024, n % 2 ? 512 : 1024, 2);
        fill_pond(c, ponds[n]);
        check(c);
        assert_int_equal(c->blocks.count, 2);
        assert_true(all_awake(c) > ponds[n].width * ponds[n].height);
        assert_true(all_awake(c) < 1024 * 1024 / 3);
        assert_true((double)busiest(c) < 0.6 * (double)all_awake(c));
        end_case(c);
    }
}

static void test_nothing_awake(void** state) {
    (void)state;
    Case* c = begin_case(200, 200, 100, 3);
    fill_pond(c, (GullyRect){0, 0, 1, 1});
    gully_world_fill(c->world, GULLY_WATER, 0);
    for (int tx = 0; tx < c->world->tiles_x; tx++) {
        for (int y = 0; y < c->world->height; y += PATCH)
            activity_end_rows(c->activity, &c->plan, tx, y);
    }
    divide_world(c, NULL);
    check(c);
    assert_int_equal(c->blocks.count, 0);
    end_case(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_awake),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_pond),
        cmocka_unit_test(test_nothing_awake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
