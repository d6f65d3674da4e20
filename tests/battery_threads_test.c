// SPDX-License-Identifier: MIT
// The same bits from any number of threads and any tile size, for every law, with everything on
// that a step can do. Small, so that the thread sanitizer can watch it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "busy.h"
#include "gully/sim.h"
#include "ok.h"
#include "sanitized.h"
#include "terrains.h"

enum { WIDTH = 300, HEIGHT = SANITIZED ? 60 : 120, STEPS = 12 };

static const int thread_counts[] = {1, 2, 3, 7};
static const int tile_sizes[] = {32, 100, 256, WIDTH};

static const GullySource source = {
    .x = 200, .y = 310, .radius = 70, .rate = 0.02, .concentration = 0.1, .until = GULLY_FOREVER};

static const GullyField fields[] = {GULLY_TERRAIN,  GULLY_WATER,      GULLY_SEDIMENT,
                                    GULLY_HARDNESS, GULLY_FLOW,       GULLY_WEAR,
                                    GULLY_DEPOSIT,  GULLY_VELOCITY_X, GULLY_VELOCITY_Y,
                                    GULLY_LAYER_0,  GULLY_LAYER_1,    GULLY_LAYER_2};
enum { FIELDS = sizeof fields / sizeof *fields };

typedef struct Hashes {
    uint64_t of[FIELDS];
    GullyBudget budget;
} Hashes;

static void uneven_hardness(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        out[c] = (float)terrain_noise(c % width, c / width, 12, 5);
    }
}

static void patchy(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++)
        out[c] = (float)fmax(0, terrain_noise(c % width, c / width, 9, 8) - 0.4);
}

/// Rock, soil and sand, if the law knows materials.
static void lay(GullyWorld* world, const GullyLawInfo* law) {
    GullyMaterial materials[3] = {gully_material("rock", 0), gully_material("soil", 1),
                                  gully_material("sand", 2)};
    float* soil = terrain_make(patchy, WIDTH, HEIGHT);
    materials[0].critical_shear = 2;
    materials[1].erodibility = 3;
    materials[2].talus = 25;
    if (law->layers) {
        assert_int_equal(gully_world_set_materials(world, materials, 3), GULLY_OK);
        gully_world_write(world, GULLY_LAYER_1, gully_world_all(world), soil);
        gully_world_fill(world, GULLY_LAYER_2, 0.01f);
    }
    free(soil);
}

static Hashes run(const GullyLawInfo* law, int threads, int tile_size, uint64_t seed) {
    float* heights = terrain_make(terrain_holes, WIDTH, HEIGHT);
    float* hardness = terrain_make(uneven_hardness, WIDTH, HEIGHT);
    GullyWorld* world = terrain_world(heights, WIDTH, HEIGHT, 2, 3, tile_size);
    gully_world_write(world, GULLY_HARDNESS, gully_world_all(world), hardness);
    lay(world, law);
    GullySettings* settings = busy_settings(law, &source);
    gully_settings_set_text(settings, "boundary.south", "open");
    GullySimDef def = gully_sim_def();
    def.threads = threads;
    def.seed = seed;
    def.velocity = true;
    GullySim* sim = NULL;
    if (gully_sim_create(world, settings, &def, &sim)) fail_msg("%s", gully_message());
    assert_int_equal(gully_sim_threads(sim), threads);
    OK(gully_sim_step(sim, 1));
    OK(gully_sim_step(sim, STEPS - 1));
    Hashes hashes;
    for (int f = 0; f < FIELDS; f++)
        hashes.of[f] = gully_world_hash(world, fields[f]);
    OK(gully_sim_budget(sim, &hashes.budget));
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    free(heights);
    free(hardness);
    return hashes;
}

static void test_same_bits(void** state) {
    const GullyLawInfo* law = *state;
    Hashes wanted = run(law, 1, 32, 1);
    for (size_t n = 0; n < sizeof tile_sizes / sizeof *tile_sizes; n++) {
        for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
            if (SANITIZED && (n + t) % 3) continue; // every third of them, each at least once
            Hashes got = run(law, thread_counts[t], tile_sizes[n], 1);
            for (int f = 0; f < FIELDS; f++) {
                if (got.of[f] == wanted.of[f]) continue;
                fail_msg("%s differs with %d threads, tiles of %d", gully_field_name(fields[f]),
                         thread_counts[t], tile_sizes[n]);
            }
            assert_memory_equal(&got.budget, &wanted.budget, sizeof got.budget);
        }
    }
}

/// A hash that never changed would prove nothing: other drops make other water.
static void test_other_seeds_give_other_bits(void** state) {
    const GullyLawInfo* law = *state;
    assert_true(run(law, 2, 100, 1).of[1] != run(law, 2, 100, 2).of[1]);
}

enum { MOST_LAWS = 32 };

int main(void) {
    static struct CMUnitTest tests[2 * MOST_LAWS]; // cmocka passes over the empty ones
    int count = gully_law_count();
    if (count == 0 || count > MOST_LAWS) return 1;
    for (int n = 0; n < count; n++) {
        const GullyLawInfo* law = gully_law_info(n);
        void* state = (void*)(uintptr_t)law;
        tests[2 * n] = (struct CMUnitTest){
            .name = law->name, .test_func = test_same_bits, .initial_state = state};
        tests[2 * n + 1] = (struct CMUnitTest){.name = law->name,
                                               .test_func = test_other_seeds_give_other_bits,
                                               .initial_state = state};
    }
    return cmocka_run_group_tests_name("battery_threads", tests, NULL, NULL);
}
