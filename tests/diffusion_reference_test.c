// SPDX-License-Identifier: MIT
// `diffusion` against the plain reference in double (support/reference_diffusion.c), case by case.
//
// What may differ is float32 (support/reference_cases.h). Transport (B3) is not continuous: a
// neighbour that is barely lower, or not, changes the mean level by a whole share. Such a tie, of
// less than 1e-7 m, is met about once in a million cells and steps; a few cells are then off by
// 1e-4, and fade again. Therefore all cells are compared after one step, and all but a hundredth of
// them at the end. With relax = 1 water sloshes to and fro and any difference grows tenfold in
// seven steps; that case is a short one.
#include "reference_cases.h"
#include "reference_diffusion.h"

// clang-format off
static const ReferenceCase cases[] = {
    // name                  size     cell    tile  terrain         steps and what else
    {"one cell",             1, 1,    1, 1,   8,    terrain_rough,  50,   .set = "rain.rate=1e-2", SPRING},
    {"one cell, all open",   1, 1,    2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-2 " ALL_OPEN, .water = 1, .sediment = 0.1f},
    {"one column",           1, 17,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.south=open", SPRING},
    {"one row",              17, 1,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.west=open", SPRING},
    {"one row, sides open",  17, 1,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.north=open boundary.south=open", .water = 0.3f, .sediment = 0.1f},
    {"two by two",           2, 2,    1, 1,   8,    terrain_plane,  50,   .set = "rain.rate=1e-2", .water = 0.1f, SPRING},
    {"defaults",             97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2"},
    {"non-square cells",     97, 61,  5, 8,   32,   terrain_rough,  50,   .set = "rain.rate=1e-2"},
    {"walls",                97, 61,  5, 8,   32,   terrain_holes,  50,   .set = "rain.rate=1e-2", .water = 0.3f, MUDDY_SPRINGS},
    {"plane",                64, 64,  5, 5,   32,   terrain_plane,  50,   .set = "rain.rate=1e-2 boundary.east=open", .water = 0.3f},
    {"flooded",              61, 64,  5, 5,   8,    terrain_basin,  50,   .set = "rain.rate=1e-2", .water = 2.5f},
    {"mountains",            97, 61,  10, 10, 32,   terrain_alpine, 50,   .set = "rain.rate=1e-2"},
    {"west open",            64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.west=open", .water = 0.5f, .sediment = 0.01f},
    {"east open",            64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.east=open", .water = 0.5f, .sediment = 0.01f},
    {"north open",           64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.north=open", .water = 0.5f, .sediment = 0.01f},
    {"south open",           64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.south=open", .water = 0.5f, .sediment = 0.01f},
    {"all open, walls",      97, 61,  6, 4,   100,  terrain_holes,  50,   .set = "rain.rate=1e-2 " ALL_OPEN, .water = 0.5f, .sediment = 0.01f, MUDDY_SPRINGS},
    {"slow dissolving",      64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.dissolve=1e-3", .water = 0.5f},
    {"no dissolving",        64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.dissolve=0", .water = 0.5f, .sediment = 0.2f},
    {"soon saturated",       64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.dissolve=20 params.saturation=0.02", .water = 0.5f},
    {"holds nothing",        64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.saturation=0", .water = 0.5f, .sediment = 0.2f},
    {"heat",                 64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.evaporation=1", .water = 0.5f, .sediment = 0.01f},
    {"no heat",              64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.evaporation=0", .water = 0.5f, .sediment = 0.01f},
    {"dries early",          97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.dry_threshold=0.03", .water = 0.05f, .sediment = 0.01f},
    {"never dries",          97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.dry_threshold=0", .water = 0.1f},
    {"not relaxed",          64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.relax=0", .water = 0.5f, .sediment = 0.1f},
    {"little relaxed",       64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.relax=0.1", .water = 0.5f, .sediment = 0.1f},
    {"fully relaxed",        64, 64,  10, 10, 32,   terrain_rough,  8,    .set = "rain.rate=1e-2 params.relax=1 boundary.south=open", .water = 0.5f, .sediment = 0.1f},
    {"short steps",          64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 dt=0.1", .water = 0.2f, MUDDY_SPRINGS},
    {"long steps",           64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 dt=7", .water = 0.2f, MUDDY_SPRINGS},
    {"transport * 5",        97, 61,  10, 10, 32,   terrain_rough,  30,   .set = "rain.rate=1e-2", .cycle = "rain erode transport*5 mix evaporate deposit"},
    {"transport * 9, open",  97, 61,  10, 10, 8,    terrain_holes,  20,   .set = "rain.rate=1e-2 " ALL_OPEN, .cycle = "rain erode transport*9 mix evaporate deposit", .water = 0.1f, MUDDY_SPRINGS},
    {"mix * 4",              64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2", .cycle = "rain erode transport mix*4 evaporate deposit", .water = 0.5f, MUDDY_SPRINGS},
    {"mix alone",            64, 64,  10, 10, 32,   terrain_holes,  50,   .set = "rain.rate=1e-2 " ALL_OPEN, .cycle = "rain mix*3", .water = 0.5f, MUDDY_SPRINGS},
    {"transport alone",      64, 64,  10, 10, 32,   terrain_holes,  50,   .set = "rain.rate=1e-2 " ALL_OPEN, .cycle = "transport", .water = 0.5f, .sediment = 0.1f},
    {"rain alone",           64, 64,  10, 10, 32,   terrain_holes,  50,   .set = "rain.rate=1e-2", .cycle = "rain", MUDDY_SPRINGS},
    {"rain twice",           64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2", .cycle = "rain*2 erode transport evaporate deposit", MUDDY_SPRINGS},
    {"rain at both ends",    64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2", .cycle = "rain erode transport mix deposit rain", MUDDY_SPRINGS},
    {"erode alone",          64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2", .cycle = "erode", .water = 0.5f},
    {"erode * 3",            64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.dissolve=0.1", .cycle = "rain erode*3 transport deposit"},
    {"evaporate alone",      64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2", .cycle = "evaporate", .water = 0.5f, .sediment = 0.1f},
    {"evaporate * 2",        64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2", .cycle = "rain erode evaporate transport evaporate deposit", .water = 0.5f, .sediment = 0.1f},
    {"dry season",           97, 61,  5, 8,   32,   terrain_holes,  50,   .set = "rain.rate=1e-2", .cycle = "transport*2 mix evaporate deposit", .water = 0.5f, .sediment = 0.1f, MUDDY_SPRINGS},
    {"wet season",           97, 61,  5, 8,   32,   terrain_holes,  50,   .set = "rain.rate=1e-2", .cycle = "rain erode transport*2 mix", MUDDY_SPRINGS},
    {"never deposits",       64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.dry_threshold=0.02", .cycle = "rain erode transport mix evaporate", .water = 0.05f, .sediment = 0.1f},
    {"backwards",            64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2", .cycle = "deposit evaporate mix transport erode rain", .water = 0.1f, .sediment = 0.1f, MUDDY_SPRINGS},
    {"around and around",    64, 64,  10, 7,  32,   terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.west=open", .cycle = "transport rain mix transport deposit erode mix transport*2 evaporate transport", .water = 0.1f, .sediment = 0.1f, MUDDY_SPRINGS},
    {"thermal",              97, 61,  10, 10, 32,   terrain_alpine, 50,   .set = "rain.rate=1e-2 thermal.rate=0.2"},
    {"thermal, 4",           64, 64,  10, 7,  8,    terrain_alpine, 50,   .set = "rain.rate=1e-2 thermal.neighbours=4 thermal.talus=25 thermal.rate=0.5", .cycle = "rain erode transport*3 mix evaporate deposit"},
    {"everything",           97, 61,  5, 8,   100,  terrain_holes,  50,   .set = "rain.rate=1e-2 dt=0.7 params.dissolve=0.1 params.saturation=0.15 params.evaporation=0.08 params.dry_threshold=0.02 params.relax=0.6 thermal.rate=0.3 thermal.talus=5 boundary.east=open boundary.south=open", .cycle = "rain erode transport*2 mix transport mix evaporate deposit", .water = 0.02f, .sediment = 0.01f, MUDDY_SPRINGS},
};
// clang-format on

static const ReferenceSuite suite = {
    .name = "diffusion_reference",
    .model = "diffusion",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .scale = REFERENCE_WHOLE,
    .few = 0.01,
    .ledger = 10,
};

/// The reference itself, by hand: a row of three, the middle one wet.
static void test_transport_by_hand(void** state) {
    (void)state;
    const float heights[3] = {0, 1, 1.5f}, water[3] = {0, 1, 0}, sediment[3] = {0, 0.5f, 0};
    ReferenceDef def = {.width = 3, .height = 1, .lx = 2, .ly = 3, .dt = 1};
    def.heights = heights;
    def.water = water;
    def.sediment = sediment;
    GullyDiffusionParams params = {.relax = 0.5};
    ReferenceDiffusion* ref = reference_diffusion_create(&def, &params, "transport");
    reference_diffusion_step(ref, 1);
    // Levels 0, 2, 1.5: the mean is 7/6, so 5/12 moves, 4/5 of it to the left.
    const double wanted[3] = {1.0 / 3, 7.0 / 12, 1.0 / 12};
    for (int c = 0; c < 3; c++) {
        assert_close(ref->grid->d[c], wanted[c]);
        assert_close(ref->grid->s[c], wanted[c] / 2);
    }
    reference_diffusion_destroy(ref);
}

static void test_open_side_by_hand(void** state) {
    (void)state;
    const float heights[2] = {7, 7}, water[2] = {0.3f, 0.3f}, sediment[2] = {0.03f, 0.06f};
    ReferenceDef def = {.width = 2, .height = 1, .lx = 2, .ly = 3, .dt = 1};
    def.heights = heights;
    def.water = water;
    def.sediment = sediment;
    def.boundary.east = 1;
    def.boundary.south = 1;
    GullyDiffusionParams params = {.relax = 1};
    ReferenceDiffusion* ref = reference_diffusion_create(&def, &params, "transport");
    reference_diffusion_step(ref, 1);
    // With one side open half of the water leaves, with two of them two thirds.
    assert_close(ref->grid->d[0], (double)0.3f / 2);
    assert_close(ref->grid->d[1], (double)0.3f / 3);
    assert_close(ref->grid->ledger.water_left, 6 * (double)0.3f * 7 / 6);
    assert_close(ref->grid->ledger.solid_left, 6 * ((double)0.03f / 2 + (double)0.06f * 2 / 3));
    reference_diffusion_destroy(ref);
}

static void test_mix_by_hand(void** state) {
    (void)state;
    const float water[4] = {1, 2, 0, 4}, sediment[4] = {0.5f, 0.25f, 1, 0};
    ReferenceDef def = {.width = 2, .height = 2, .lx = 1, .ly = 1, .dt = 1};
    def.water = water;
    def.sediment = sediment;
    GullyDiffusionParams params = {.relax = 0.9};
    ReferenceDiffusion* ref = reference_diffusion_create(&def, &params, "mix");
    reference_diffusion_step(ref, 1);
    // A tenth of what the shallower of two could hold more: 0.375 and 0.5 from the first cell to
    // the second and the fourth, 0.125 * 2 from the second to the fourth; the third is dry.
    assert_close(ref->grid->s[0], 0.5 - 0.0375 - 0.05);
    assert_close(ref->grid->s[1], 0.25 + 0.0375 - 0.025);
    assert_close(ref->grid->s[2], 1);
    assert_close(ref->grid->s[3], 0.05 + 0.025);
    reference_diffusion_destroy(ref);
}

/// The comparison is worth something: it sees 1 % in any parameter, and each side.
static void test_every_parameter_is_noticed(void** state) {
    (void)state;
    reference_wants_notice_of_all(&suite, "everything", 50, "params", NULL);
    reference_wants_notice_of_all(&suite, "everything", 50, "boundary", NULL);
}

int main(void) {
    const struct CMUnitTest own[] = {
        cmocka_unit_test(test_transport_by_hand),
        cmocka_unit_test(test_open_side_by_hand),
        cmocka_unit_test(test_mix_by_hand),
        cmocka_unit_test(test_every_parameter_is_noticed),
    };
    return reference_run(&suite, own, sizeof own / sizeof *own);
}
