// SPDX-License-Identifier: MIT
/// The bits themselves: what these runs gave when they were written down, with any compiler, vector
/// width, number of threads and tile size. A change here is a change of numbers: say so in CHANGELOG.md
/// (`numerics:`) and write down the new ones, which a failing test prints.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gully/gully.h"
#include "law.h"
#include "ok.h"

enum { WIDTH = 201, HEIGHT = 143, STEPS = 60 };

typedef struct Case {
    const char* name;
    const char* model;
    const char* keys[8]; // key, value, key, value, ...
    bool thermal;
    uint64_t hash; // of all fields
    int materials; // 0 = none
    bool half;     // precision
} Case;

static const Case cases[] = {
    {"flux", "pipe", {"rain.rate", "1e-3"}, false, .hash = UINT64_C(0x52bbc925f1b9e98b)},
    {"flux, everything on",
     "pipe",
     {"rain.rate", "5e-4", "params.softening", "2", "params.exchange_water", "on",
      "rain.drops.drops_per_second", "20"},
     true,
     .hash = UINT64_C(0x230f064166aafad6)},
    {"semi_lagrangian",
     "pipe",
     {"rain.rate", "1e-3", "params.transport", "semi_lagrangian", "boundary.east", "open"},
     true,
     .hash = UINT64_C(0x500314fceb107370)},
    {"as in Mei's paper",
     "pipe",
     {"rain.rate", "1e-3", "params.film", "off", "params.friction", "0", "params.depth_limit", "0"},
     false,
     .hash = UINT64_C(0x8425138c28ae80d1)},
    {"eight pipes",
     "pipe",
     {"rain.rate", "1e-3", "params.pipes", "8", "boundary.east", "open"},
     true,
     .hash = UINT64_C(0xe7451c2ce32e2668)},
    {"isotropic newton",
     "newton",
     {"rain.rate", "1e-3", "params.isotropic", "on", "boundary.east", "open"},
     true,
     .hash = UINT64_C(0x8251e37b73990b7b)},
    {"season",
     "pipe",
     {"rain.season.rate", "2e-3", "boundary.south", "open"},
     false,
     .hash = UINT64_C(0xe60018a711929f9e)},
    {"wind",
     "wind",
     {"params.direction", "200", "params.rate", "2", "boundary.west", "open"},
     true,
     .hash = UINT64_C(0x97a9573ead9936f4)},
    {"stream",
     "stream",
     {"boundary.west", "open", "boundary.south", "open", "params.uplift", "1e-3", "params.route",
      "60"},
     false,
     .hash = UINT64_C(0xfeafabb72e3d9547)},
    {"stream, everything on",
     "stream",
     {"boundary.north", "open", "params.deposition", "1", "params.rain", "0.7", "params.route",
      "40"},
     true,
     .hash = UINT64_C(0x2be46bb48addd520)},
    {"thermal", "thermal", {"params.talus", "20"}, false, .hash = UINT64_C(0xa3b03243284091cf)},
    {"thermal, 4",
     "thermal",
     {"params.talus", "20", "params.neighbours", "4"},
     false,
     .hash = UINT64_C(0xe259b8d80862dd06)},
    {"diffusion",
     "diffusion",
     {"rain.rate", "1e-2", "boundary.east", "open"},
     false,
     .hash = UINT64_C(0xc0ddc5fc4ae12628)},
    {"diffusion, everything on",
     "diffusion",
     {"rain.rate", "1e-2", "params.relax", "1"},
     true,
     .hash = UINT64_C(0x13f1a954214f7f4e)},
    {"newton",
     "newton",
     {"params.w_min", "0.01", "boundary.west", "open"},
     false,
     .hash = UINT64_C(0x9198831217c297d1)},
    {"newton as in the paper",
     "newton",
     {"params.w_min", "0.01", "params.w_0", "0.05", "params.move", "all"},
     true,
     .hash = UINT64_C(0x8e985f088b2af7de)},
    {"layers",
     "pipe",
     {"rain.rate", "1e-3"},
     true,
     .hash = UINT64_C(0xd0896a1aa843c7ae),
     .materials = 3},
    {"eight layers",
     "pipe",
     {"rain.rate", "1e-3", "params.pipes", "8"},
     true,
     .hash = UINT64_C(0x7485ec5581a78fc8),
     .materials = 8},
    {"stream in layers",
     "stream",
     {"boundary.west", "open", "params.route", "40"},
     true,
     .hash = UINT64_C(0x662293d3d4c203b0),
     .materials = 3},
    {"wind on sand",
     "wind",
     {"params.rate", "2"},
     true,
     .hash = UINT64_C(0xa44e49091235c708),
     .materials = 3},
    {"half",
     "pipe",
     {"rain.rate", "1e-3", "params.softening", "2"},
     true,
     .hash = UINT64_C(0x5f3b96ee06b5a4f2),
     .half = true},
    {"half, newton",
     "newton",
     {"params.w_min", "0.01"},
     false,
     .hash = UINT64_C(0x1e03668aa08b65e1),
     .half = true},
    {"half, layers",
     "pipe",
     {"rain.rate", "1e-3", "params.transport", "semi_lagrangian"},
     true,
     .hash = UINT64_C(0x5b89d4a81d60caab),
     .materials = 3,
     .half = true},
};

/// A way to run a case, which must not show in the result.
typedef struct Way {
    int threads, tile_size;
    bool plain;
} Way;

static void make_heights(float* heights) {
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = WIDTH;
    params.height = HEIGHT;
    params.offset = 2500;
    assert_int_equal(gully_generate("mountains", &params, heights), GULLY_OK);
    for (int y = 60; y < 70; y++) {
        for (int x = 30; x < 50; x++)
            heights[y * WIDTH + x] = NAN;
    }
}

/// Materials above the bedrock, each 0 to 2 m thick, each softer than the one below.
static void lay(GullyWorld* world, int count, int width, int height) {
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    float* layer = malloc((size_t)(width * height) * sizeof *layer);
    assert_non_null(layer);
    for (int m = 0; m < count; m++) {
        materials[m] = gully_material("material", m);
        materials[m].erodibility = 0.3 + 0.2 * m;
        materials[m].critical_shear = m == 1 ? 0.5 : 0;
        materials[m].talus = 40 - 3 * m;
    }
    OK(gully_world_set_materials(world, materials, count));
    for (int m = 1; m < count; m++) {
        for (int c = 0; c < width * height; c++)
            layer[c] = (float)((c % width * 7 + c / width * 13 + m * 29) % 64) / 32;
        OK(gully_world_write(world, GULLY_LAYER(m), gully_world_all(world), layer));
    }
    free(layer);
}

/// Hash of all fields after a run on the first columns and rows of the terrain.
static uint64_t run_corner(const Case* c, const Way* way, int width, int height) {
    static float heights[WIDTH * HEIGHT];
    make_heights(heights);
    for (int y = 0; y < height; y++)
        memmove(heights + y * width, heights + y * WIDTH, (size_t)width * sizeof *heights);
    GullyWorldDef def = gully_world_def(width, height);
    def.cell_x = 20;
    def.cell_y = 15;
    def.heights = heights;
    def.tile_size = way->tile_size;
    def.half = c->half;
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
    assert_int_equal(gully_world_create(&def, &world), GULLY_OK);
    if (c->materials > 0) lay(world, c->materials, width, height);
    assert_int_equal(gully_settings_create(c->model, &settings), GULLY_OK);
    for (int i = 0; i < 8 && c->keys[i]; i += 2) {
        if (gully_settings_set_text(settings, c->keys[i], c->keys[i + 1]))
            fail_msg("%s", gully_message());
    }
    gully_settings_switch(settings, "thermal", c->thermal);
    GullySource source = {.x = 900, .y = 300, .radius = 40, .rate = 0.01, .until = GULLY_FOREVER};
    assert_int_equal(gully_settings_add_source(settings, &source), GULLY_OK);
    GullySimDef sim_def = gully_sim_def();
    sim_def.threads = way->threads;
    sim_def.velocity = true;
    sim_def.plain = way->plain;
    assert_int_equal(gully_sim_create(world, settings, &sim_def, &sim), GULLY_OK);
    OK(gully_sim_step(sim, STEPS));
    uint64_t hash = 0;
    for (GullyField field = 0; field <= GULLY_VELOCITY_Y; field++)
        hash = hash * 31 + gully_world_hash(world, field);
    for (int m = 0; m < c->materials; m++)
        hash = hash * 31 + gully_world_hash(world, GULLY_LAYER(m));
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    return hash;
}

static void check(const Case* c, const Way* way, int width) {
    law_use_width(width);
    uint64_t hash = run_corner(c, way, WIDTH, HEIGHT);
    if (hash != c->hash) {
        fail_msg("%s with %d threads, tiles of %d, %s%s: 0x%016" PRIx64, c->name, way->threads,
                 way->tile_size, law_width_name(width), way->plain ? ", plain" : "", hash);
    }
}

static void test_case(void** state) {
    static const Way ways[] = {{1, 0, true}, {1, 0, false}, {2, 64, true}, {3, 37, false}};
    int widest = law_width_count() - 1;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        check(*state, &ways[i], widest);
    for (int width = 0; width < widest; width++)
        check(*state, &ways[1], width);
}

/// Tiles narrower than the halo, at every distance from the sides.
static void test_narrow_tiles(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint64_t expected = run_corner(&cases[i], &(Way){1, 0, true}, 45, 13);
        for (int tile_size = 1; tile_size <= 18; tile_size += 1 + tile_size / 3) {
            if (run_corner(&cases[i], &(Way){2, tile_size, false}, 45, 13) != expected)
                fail_msg("%s differs with tiles of %d", cases[i].name, tile_size);
        }
    }
}

int main(void) {
    enum { CASES = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[CASES + 1] = {[CASES] = cmocka_unit_test(test_narrow_tiles)};
    for (int i = 0; i < CASES; i++) {
        tests[i] = (struct CMUnitTest){
            .name = cases[i].name, .test_func = test_case, .initial_state = (void*)&cases[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
