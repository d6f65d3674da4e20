// SPDX-License-Identifier: MIT
// The same bits whatever part of a world fits into memory, for every law, with everything on that a
// step can do: tiles come from a file and go there, bands are visited one after another.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "busy.h"
#include "gully/sim.h"
#include "gully/state.h"
#include "ok.h"
#include "sanitized.h"
#include "size_case.h"
#include "terrains.h"

enum { HEIGHT = SANITIZED ? 600 : 1300, TILE_SIZES = 2 };

static const int tile_sizes[TILE_SIZES] = {32, 23};

static SizeWay way_of(const GullyLawInfo* law, int tile_size) {
    return (SizeWay){.law = law,
                     .height = HEIGHT,
                     .tile_size = tile_size,
                     .ranks = 1,
                     .threads = 2,
                     .edit = {20, 440, 40, 30}};
}

static SizeOutcome run(const SizeWay* way) {
    GullySim* sim = size_begin(way, NULL);
    MUST(gully_sim_step(sim, 1));
    MUST(gully_sim_step(sim, SANITIZED ? 6 : 27));
    size_edit(way, gully_sim_world(sim));
    MUST(gully_sim_step(sim, 7));
    const SizeOutcome out = size_outcome(sim);
    size_end(sim);
    return out;
}

static void compare(SizeWay way) {
    const SizeOutcome wanted = run(&way);
    const size_t whole = wanted.memory.peak;
    assert_true(wanted.memory.bytes_read == 0 && wanted.memory.bytes_written == 0);
    for (int part = 2; part <= (SANITIZED ? 2 : 4); part += 2) {
        way.memory = whole / (size_t)part;
        way.threads = part == 2 ? 3 : 1;
        const SizeOutcome got = run(&way);
        size_check_same(&way, &got, &wanted);
        assert_true(got.memory.peak <= way.memory);
        if (part == 2 && !SANITIZED)
            assert_true(got.block > wanted.block); // several runs in a visit
        assert_true(got.memory.tiles_written > 0 && got.memory.tiles_read > 0);
    }
}

static void test_same_bits(void** state) {
    const GullyLawInfo* law = *state;
    int index = 0;
    while (gully_law_info(index) != law)
        index++;
    if (SANITIZED && index > 0) return; // the first does all that others do, with add-ons
    for (int n = 0; n < (SANITIZED ? 1 : TILE_SIZES);
         n++) // all of them for the first law, one for each other
        if (index == 0 || index % TILE_SIZES == n) compare(way_of(law, tile_sizes[n]));
    SizeWay way = way_of(law, 32);
    way.half = true;
    if (index == 0 && !SANITIZED) compare(way);
}

static void test_same_bits_of_a_dry_world(void** state) {
    (void)state;
    SizeWay way = way_of(gully_law_find("pipe"), 32);
    way.sleeps = true;
    compare(way);
}

/// A visit needs some rows at once.
static void test_too_little(void** state) {
    (void)state;
    SizeWay way = way_of(gully_law_find("pipe"), 32);
    way.memory = 300000;
    GullySim* sim = size_begin(&way, NULL);
    assert_int_equal(gully_sim_step(sim, 1), GULLY_NO_MEMORY);
    assert_non_null(strstr(gully_message(), "or more (--memory)"));
    size_end(sim);
}

/// When the disk is full in the middle of a step, the simulation says so and does not go on; a state
/// that was kept before does.
static void test_full_disk(void** state) {
    (void)state;
    SizeWay way = way_of(gully_law_find("pipe"), 32);
    way.memory = 8000000;
    GullySim* sim = size_begin(&way, NULL);
    struct rlimit limit, before;
    GullyMemory memory;
    OK(gully_sim_step(sim, 5));
    gully_world_memory(gully_sim_world(sim), &memory);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 1 << 20;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_int_equal(gully_sim_step(sim, 50), GULLY_IO);
    assert_non_null(strstr(gully_message(), "scratch folder"));
    setrlimit(RLIMIT_FSIZE, &before);
    GullyState* kept;
    assert_int_equal(gully_state_of(sim, &kept), GULLY_FAILED);
    assert_int_equal(gully_sim_step(sim, 1), GULLY_FAILED);
    assert_non_null(strstr(gully_message(), "half way"));
    size_end(sim);
}

/// A folder that cannot be written to is named.
static void test_bad_folder(void** state) {
    (void)state;
    GullyWorldDef def = gully_world_def(SIZE_WIDTH, HEIGHT);
    GullyWorld* world;
    float* heights = terrain_make(terrain_rough, SIZE_WIDTH, HEIGHT);
    def.memory = 500000;
    def.tile_size = 32;
    def.scratch = "/nowhere/at/all";
    def.heights = heights;
    assert_int_equal(gully_world_create(&def, &world), GULLY_IO);
    assert_non_null(strstr(gully_message(), "scratch folder /nowhere/at/all"));
    free(heights);
}

/// Tiles of nodata take no memory and no file, also in the rain.
static void test_missing_tiles(void** state) {
    (void)state;
    enum { SIZE = SANITIZED ? 512 : 1024, TILE = 64 };
    float* heights = terrain_make(terrain_rough, SIZE, SIZE);
    for (int c = 0; c < SIZE * SIZE; c++) // a strip of land
        if (c % SIZE / TILE != 3) heights[c] = NAN;
    uint64_t hashes[2];
    for (int n = 0; n < 2; n++) {
        GullyWorld* world = terrain_world(heights, SIZE, SIZE, 2, 2, n == 0 ? TILE : 1000);
        GullySettings* settings;
        GullySim* sim;
        GullyMemory memory;
        GullySimDef def = gully_sim_def();
        OK(gully_settings_create("pipe", &settings));
        set_number(settings, "rain.rate", 1e-3);
        OK(gully_sim_create(world, settings, &def, &sim));
        OK(gully_sim_step(sim, 20));
        hashes[n] = gully_world_hash(world, GULLY_TERRAIN) ^ gully_world_hash(world, GULLY_WATER);
        OK(gully_sim_step(sim, 1));
        gully_world_memory(world, &memory);
        if (n == 0) assert_true(memory.tiles_in_memory <= 3 * memory.tiles / (SIZE / TILE));
        assert_true(memory.bytes_written == 0);
        gully_sim_destroy(sim);
        gully_settings_destroy(settings);
        gully_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
    free(heights);
}

enum { MOST_LAWS = 32, OTHERS = 5 };

int main(void) {
    static struct CMUnitTest tests[MOST_LAWS + OTHERS]; // cmocka passes over the empty ones
    const int count = gully_law_count();
    if (count == 0 || count > MOST_LAWS) return 1;
    for (int n = 0; n < count; n++) {
        const GullyLawInfo* law = gully_law_info(n);
        tests[n] = (struct CMUnitTest){
            .name = law->name, .test_func = test_same_bits, .initial_state = (void*)(uintptr_t)law};
    }
    tests[count] = (struct CMUnitTest)cmocka_unit_test(test_same_bits_of_a_dry_world);
    tests[count + 1] = (struct CMUnitTest)cmocka_unit_test(test_too_little);
    tests[count + 2] = (struct CMUnitTest)cmocka_unit_test(test_full_disk);
    tests[count + 3] = (struct CMUnitTest)cmocka_unit_test(test_bad_folder);
    tests[count + 4] = (struct CMUnitTest)cmocka_unit_test(test_missing_tiles);
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
