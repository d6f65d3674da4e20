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
#include "terrains.h"

enum { WIDTH = 90, HEIGHT = SANITIZED ? 600 : 1300, TILE_SIZES = 2 };

static const int tile_sizes[TILE_SIZES] = {32, 23};

static const GullySource source = {
    .x = 60, .y = 1310, .radius = 70, .rate = 0.02, .concentration = 0.1, .until = GULLY_FOREVER};

static const GullyField fields[] = {GULLY_TERRAIN, GULLY_WATER,   GULLY_SEDIMENT, GULLY_HARDNESS,
                                    GULLY_FLOW,    GULLY_WEAR,    GULLY_DEPOSIT,  GULLY_VELOCITY_X,
                                    GULLY_LAYER_0, GULLY_LAYER_1, GULLY_LAYER_2};
enum { FIELDS = sizeof fields / sizeof *fields };

typedef struct Way {
    int tile_size, threads;
    bool half, sleeps; // half precision; dry but for a source
    size_t memory;     // 0 = all that there is
} Way;

typedef struct Outcome {
    uint64_t hashes[FIELDS];
    GullyBudget budget;
    GullyMemory memory;
    int block;
} Outcome;

static void patchy(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++)
        out[c] = (float)fmax(0, terrain_noise(c % width, c / width, 9, 8) - 0.4);
}

/// Rock, soil and sand, if the law knows materials.
static void lay(GullyWorld* world, const GullyLawInfo* law) {
    GullyMaterial materials[3] = {gully_material("rock", 0), gully_material("soil", 1),
                                  gully_material("sand", 2)};
    float* soil = terrain_make(patchy, WIDTH, HEIGHT);
    if (law->layers) {
        OK(gully_world_set_materials(world, materials, 3));
        OK(gully_world_write(world, GULLY_LAYER_1, gully_world_all(world), soil));
        OK(gully_world_fill(world, GULLY_LAYER_2, 0.01f));
    }
    free(soil);
}

static GullyWorld* make_world(const GullyLawInfo* law, const Way* way) {
    float* heights = terrain_make(terrain_holes, WIDTH, HEIGHT);
    GullyWorldDef def = gully_world_def(WIDTH, HEIGHT);
    GullyWorld* world;
    def.cell_x = 2;
    def.cell_y = 3;
    def.tile_size = way->tile_size;
    def.half = way->half;
    def.memory = way->memory;
    def.heights = heights;
    OK(gully_world_create(&def, &world));
    lay(world, law);
    free(heights);
    return world;
}

static GullySettings* make_settings(const GullyLawInfo* law, const Way* way) {
    GullySettings* settings = way->sleeps ? NULL : busy_settings(law, &source);
    if (settings) return settings;
    OK(gully_settings_create(law->name, &settings));
    spare_routing(law, settings);
    OK(gully_settings_add_source(settings, &source));
    return settings;
}

/// Digs a hole and fills it, wherever the cells are.
static void edit(GullyWorld* world) {
    static const GullyRect rect = {20, 440, 40, 30};
    float cells[40 * 30];
    for (int i = 0; i < 40 * 30; i++)
        cells[i] = 5;
    OK(gully_world_write(world, GULLY_TERRAIN, rect, cells));
    OK(gully_world_write(world, GULLY_WATER, rect, cells));
}

static Outcome run(const GullyLawInfo* law, const Way* way) {
    GullyWorld* world = make_world(law, way);
    GullySettings* settings = make_settings(law, way);
    GullySimDef def = gully_sim_def();
    GullySim* sim = NULL;
    Outcome out;
    def.threads = way->threads;
    def.velocity = true;
    OK(gully_sim_create(world, settings, &def, &sim));
    OK(gully_sim_step(sim, 1));
    OK(gully_sim_step(sim, SANITIZED ? 6 : 27));
    edit(world);
    OK(gully_sim_step(sim, 7));
    for (int f = 0; f < FIELDS; f++)
        out.hashes[f] = gully_world_hash(world, fields[f]);
    OK(gully_sim_budget(sim, &out.budget));
    gully_world_memory(world, &out.memory);
    out.block = gully_sim_block(sim);
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    return out;
}

static void compare(const GullyLawInfo* law, Way way) {
    const Outcome wanted = run(law, &way);
    const size_t whole = wanted.memory.peak;
    assert_true(wanted.memory.bytes_read == 0 && wanted.memory.bytes_written == 0);
    for (int part = 2; part <= (SANITIZED ? 2 : 4); part += 2) {
        way.memory = whole / (size_t)part;
        way.threads = part == 2 ? 3 : 1;
        const Outcome got = run(law, &way);
        for (int f = 0; f < FIELDS; f++)
            if (got.hashes[f] != wanted.hashes[f])
                fail_msg("%s: %s differs with 1/%d of the memory, tiles of %d", law->name,
                         gully_field_name(fields[f]), part, way.tile_size);
        assert_memory_equal(&got.budget, &wanted.budget, sizeof got.budget);
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
        if (index == 0 || index % TILE_SIZES == n)
            compare(law, (Way){.tile_size = tile_sizes[n], .threads = 2});
    if (index == 0 && !SANITIZED) compare(law, (Way){.tile_size = 32, .threads = 2, .half = true});
}

static void test_same_bits_of_a_dry_world(void** state) {
    (void)state;
    compare(gully_law_find("pipe"), (Way){.tile_size = 32, .threads = 2, .sleeps = true});
}

/// A simulation that needs its scratch file, and what it was made of.
typedef struct Case {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Case;

static Case begin(const Way* way) {
    Case c = {.world = make_world(gully_law_find("pipe"), way),
              .settings = make_settings(gully_law_find("pipe"), way)};
    GullySimDef def = gully_sim_def();
    OK(gully_sim_create(c.world, c.settings, &def, &c.sim));
    return c;
}

static void end(Case* c) {
    gully_sim_destroy(c->sim);
    gully_settings_destroy(c->settings);
    gully_world_destroy(c->world);
}

/// A visit needs some rows at once.
static void test_too_little(void** state) {
    (void)state;
    const Way way = {.tile_size = 32, .threads = 1, .memory = 300000};
    Case c = begin(&way);
    assert_int_equal(gully_sim_step(c.sim, 1), GULLY_NO_MEMORY);
    assert_non_null(strstr(gully_message(), "or more (--memory)"));
    end(&c);
}

/// When the disk is full in the middle of a step, the simulation says so and does not go on; a state
/// that was kept before does.
static void test_full_disk(void** state) {
    (void)state;
    const Way way = {.tile_size = 32, .threads = 2, .memory = 8000000};
    Case c = begin(&way);
    struct rlimit limit, before;
    GullyMemory memory;
    OK(gully_sim_step(c.sim, 5));
    gully_world_memory(c.world, &memory);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 1 << 20;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_int_equal(gully_sim_step(c.sim, 50), GULLY_IO);
    assert_non_null(strstr(gully_message(), "scratch folder"));
    setrlimit(RLIMIT_FSIZE, &before);
    GullyState* kept;
    assert_int_equal(gully_state_of(c.sim, &kept), GULLY_FAILED);
    assert_int_equal(gully_sim_step(c.sim, 1), GULLY_FAILED);
    assert_non_null(strstr(gully_message(), "half way"));
    end(&c);
}

/// A folder that cannot be written to is named.
static void test_bad_folder(void** state) {
    (void)state;
    GullyWorldDef def = gully_world_def(WIDTH, HEIGHT);
    GullyWorld* world;
    float* heights = terrain_make(terrain_rough, WIDTH, HEIGHT);
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
