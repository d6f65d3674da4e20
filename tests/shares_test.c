/// How threads share a world: every row of what is awake belongs to exactly one share, and no
/// thread has much more to do than the others. That shares never show in a result is the business
/// of battery_threads_test.c and rest_threads_test.c.
#include "shares.h"

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

/// A world with the pipe law, what is awake in it, and its shares.
typedef struct Case {
    GullyWorld* world;
    Rest* rest;
    Plan plan;
    int slots[FIELD_IDS];
    int threads, least;
    Shares shares;
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
    SweepPass passes[MAX_STEP_PASSES];
    for (int i = 0; i < law->pass_count; i++)
        passes[i] = (SweepPass){&law->passes[i], law, c->slots, NULL};
    assert_int_equal(plan_create(passes, law->pass_count, &c->plan), GULLY_OK);
    plan_bind(&c->plan, c->world);
    assert_int_equal(rest_create(c->world, &c->rest), GULLY_OK);
    c->threads = threads;
    c->least = 2 * c->plan.reach;
    assert_int_equal(shares_create(c->world, threads, &c->shares), GULLY_OK);
    return c;
}

static void end_case(Case* c) {
    shares_destroy(&c->shares);
    rest_destroy(c->rest);
    plan_destroy(&c->plan);
    gully_world_destroy(c->world);
    free(c);
}

static void find_shares(Case* c, const SupplyStep* falls) {
    const void* supplies[MAX_BLOCK] = {falls};
    rest_begin(c->rest, &c->plan, 1, supplies);
    shares_find(&c->shares, c->world, c->rest, c->threads, c->least);
}

static void rain_everywhere(Case* c) {
    const SupplyStep rain = {.rain = 1e-3f};
    find_shares(c, &rain);
}

/// Water in a rectangle; everything else has come to rest.
static void fill_pond(Case* c, GullyRect pond) {
    float* water = terrain_constant(1, pond.width, pond.height);
    assert_int_equal(gully_world_write(c->world, GULLY_WATER, pond, water), GULLY_OK);
    free(water);
    find_shares(c, NULL); // all is awake at first
    for (int tx = 0; tx < c->world->tiles_x; tx++) {
        for (int y = 0; y < c->world->height; y += REST_BLOCK)
            rest_end_rows(c->rest, &c->plan, tx, y);
    }
    find_shares(c, NULL);
}

// ---- what must hold of any shares ---------------------------------------------------------------

static bool is_awake(const Case* c, int tx, int y) {
    Columns columns = rest_awake(c->rest, tx, y, y + 1);
    return columns.from < columns.to;
}

static int owners_of(const Case* c, int tx, int y) {
    int owners = 0;
    for (int i = 0; i < c->shares.count; i++) {
        const Share* share = &c->shares.list[i];
        owners += share->tx == tx && share->first <= y && y < share->end;
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

/// Both sides of a cut know it, and it leaves room for the copies of the rows beside it.
static void check_cuts(const Case* c) {
    assert_true(c->shares.cut_count < c->threads);
    for (int i = 0; i < c->shares.count; i++) {
        const Share* share = &c->shares.list[i];
        assert_int_equal(share->north >= 0, share->first > 0);
        assert_int_equal(share->south >= 0, share->end < c->world->height);
        assert_true(share->end == c->world->height || share->end - share->first >= c->least);
        if (share->north >= 0) {
            const Cut* cut = &c->shares.cuts[share->north];
            assert_true(cut->tx == share->tx && cut->row == share->first);
        }
        if (share->south >= 0) {
            const Cut* cut = &c->shares.cuts[share->south];
            assert_true(cut->tx == share->tx && cut->row == share->end);
        }
        assert_int_equal(share->first % REST_BLOCK, 0); // blocks of the rest belong to one share
        if (i > 0) assert_true(share->awake <= share[-1].awake);
    }
}

/// What the busiest thread has to do, if each takes the next share when it is done with one.
static int64_t busiest(const Case* c) {
    int64_t load[64] = {0}, most = 0;
    for (int i = 0; i < c->shares.count; i++) {
        int idle = 0;
        for (int t = 1; t < c->threads; t++)
            idle = load[t] < load[idle] ? t : idle;
        load[idle] += c->shares.list[i].awake;
        most = load[idle] > most ? load[idle] : most;
    }
    return most;
}

static int64_t all_awake(const Case* c) {
    int64_t sum = 0;
    for (int i = 0; i < c->shares.count; i++)
        sum += c->shares.list[i].awake;
    return sum;
}

static void check(const Case* c) {
    check_owners(c);
    check_cuts(c);
}

// ---- tests --------------------------------------------------------------------------------------

static void test_all_awake(void** state) {
    (void)state;
    static const struct {
        int width, height, tile_size, threads;
        int cuts; // as few as balance it
    } cases[] = {
        {1024, 1024, 1024, 1, 0}, {1024, 1024, 1024, 2, 1}, {1024, 1024, 512, 2, 0},
        {1536, 1024, 512, 2, 1},  {1000, 1000, 512, 2, 0},  {1024, 1024, 1024, 7, 6},
        {1024, 1024, 512, 3, 2},  {2048, 1024, 512, 8, 4},  {300, 400, 64, 3, 2},
    };
    for (int n = 0; n < COUNT(cases); n++) {
        Case* c = begin_case(cases[n].width, cases[n].height, cases[n].tile_size, cases[n].threads);
        rain_everywhere(c);
        check(c);
        assert_int_equal(c->shares.cut_count, cases[n].cuts);
        assert_true(all_awake(c) == (int64_t)cases[n].width * cases[n].height);
        assert_true((double)busiest(c) < 1.1 * (double)all_awake(c) / cases[n].threads);
        end_case(c);
    }
}

/// Too small to be cut as often as there are threads, or at all.
static void test_no_room(void** state) {
    (void)state;
    for (int height = 1; height < 200; height += 13) {
        for (int threads = 1; threads <= 9; threads += 4) {
            Case* c = begin_case(70, height, 1024, threads);
            rain_everywhere(c);
            check(c);
            assert_true(c->shares.cut_count <= height / c->least);
            end_case(c);
        }
    }
}

/// Cuts go where the water is.
static void test_pond(void** state) {
    (void)state;
    static const GullyRect ponds[] = {
        {400, 100, 200, 200}, {10, 700, 100, 320}, {900, 0, 124, 1024}};
    for (int n = 0; n < COUNT(ponds); n++) {
        Case* c = begin_case(1024, 1024, n % 2 ? 512 : 1024, 2);
        fill_pond(c, ponds[n]);
        check(c);
        assert_int_equal(c->shares.count, 2);
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
        for (int y = 0; y < c->world->height; y += REST_BLOCK)
            rest_end_rows(c->rest, &c->plan, tx, y);
    }
    find_shares(c, NULL);
    check(c);
    assert_int_equal(c->shares.count, 0);
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
