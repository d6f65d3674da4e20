// SPDX-License-Identifier: MIT
// Layered ground (MODELS.md L) under `pipe` and `thermal`, against the plain reference in double
// (support/reference_layers.c), case by case.
//
// What may differ is float32 (support/reference_cases.h). The scale of every layer is that of the
// ground, its largest change; where a threshold or the end of a layer leaves little of it, the
// change that there would be without.
//
// What slides is not continuous in the thickness: a layer that is barely there decides the talus,
// and only it slides. Therefore all cells are compared after one step, and all but a hundredth of
// them at the end. With many thin layers that a stream takes away and thermal moves, such ties are
// many, as they are in the reference with noise of 6e-8 in its velocities. That case is marked
// wild; a tenth of its cells may be off at the end.
#include "reference_cases.h"
#include "reference_layers.h"

// clang-format off
static const ReferenceStack rock = {1, {{0.3, 2, 20, 0}}};
static const ReferenceStack plain_rock = {1, {{1, 0, -1, 0}}};
static const ReferenceStack sand_on_rock = {2, {{0.2, 5, 50, 0}, {2, 0.5, 30, 0.5}}};
static const ReferenceStack bare_rock = {2, {{0.2, 5, 50, 0}, {2, 0.5, 30, 0}}};
static const ReferenceStack loose_rock = {2, {{0.2, 5, 25, 0}, {2, 0.5, 20, 0}}};
static const ReferenceStack soil = {3, {{0.2, 5, 50, 0}, {1, 1, 38, 1.0}, {2, 0.5, 30, 0.2}}};
static const ReferenceStack thin_soil = {3, {{0.2, 5, 50, 0}, {1, 1, 38, 1e-3}, {2, 0.5, 30, 3e-4}}};
static const ReferenceStack thick_soil = {3, {{0.2, 5, 50, 0}, {1, 1, 38, 300}, {2, 0.5, 30, 100}}};
static const ReferenceStack hard_pan = {3, {{1, 0, 50, 0}, {0, 0, 40, 2e-3}, {2, 0, 30, 1e-3}}};
static const ReferenceStack heavy_pan = {3, {{1, 0, 50, 0}, {1, 300, 40, 2e-3}, {2, 0, 30, 1e-3}}};
static const ReferenceStack hard_to_soft = {4, {{3, 0, -1, 0}, {1, 0, -1, 2e-3}, {0.3, 0, -1, 1e-3}, {0.1, 0, -1, 5e-4}}};
static const ReferenceStack five = {5, {{0.2, 4, 45, 0}, {0.5, 3, 40, 0.01}, {1, 2, 35, 0.01}, {1.5, 1, 30, 0.005}, {2, 0.5, 28, 0.002}}};
static const ReferenceStack six = {6, {{0.1, 2, 45, 0}, {0.4, 3, -1, 0.1}, {0.6, 0, 50, 0.2}, {1, 1, 30, 0}, {1.5, 0.1, 35, 0.05}, {2, 0.5, -1, 0.02}}};
static const ReferenceStack seven = {7, {{0.1, 2, 45, 0}, {1.4, 3, 20, 1e-3}, {0.6, 0, 50, 2e-3}, {1, 1, 30, 1e-3}, {1.5, 0.1, 35, 5e-4}, {0.7, 2, 25, 1e-4}, {2, 0.5, 33, 2e-4}}};
static const ReferenceStack eight = {8, {{0.1, 2, 5, 0}, {1.4, 1.5, 4, 4e-3}, {0.6, 0.2, 6, 4e-3}, {1, 1, 3, 3e-3}, {1.5, 0.1, 4.5, 2e-3}, {0.7, 0.7, 3.5, 2e-3}, {1.2, 0.3, 2.5, 1e-3}, {2, 0.5, 2, 1e-3}}};

#define HUNGRY "params.friction=0.3 rain.rate=1e-3 params.capacity=3 params.dissolve=0.8 params.deposit=0.7 "
#define WATER "rain.rate=1e-3 params.gravity=5 params.friction=0.5 params.capacity=4 params.dissolve=0.9 params.deposit=0.4 params.min_tilt=0.05 params.depth_limit=0.3 params.evaporation=0.02 params.softening=1 params.exchange_water=on params.dry_depth=0.015 params.drag=0.02 boundary.east=open boundary.south=open " // all that it can do

static const ReferenceCase cases[] = {
    // name                  size     cell    tile  terrain         steps and what else
    {"one cell",             1, 1,    2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-3 " ALL_OPEN, .stack = &soil, .water = 1, .sediment = 0.1f},
    {"one row",              17, 1,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-3 boundary.west=open", .stack = &soil, .water = 0.1f},
    {"one column",           1, 17,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-3 thermal.talus=20", .stack = &soil, .water = 0.1f},
    {"rock",                 64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3", .stack = &rock, .water = 0.5f},
    {"rock that slides",     64, 64,  5, 5,   32,   terrain_alpine, 50,   .set = "rain.rate=1e-3 thermal.talus=60", .stack = &rock},
    {"plain rock",           64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3 thermal.talus=5", .stack = &plain_rock, .water = 0.5f},
    {"sand on rock",         97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3", .stack = &sand_on_rock, .water = 0.2f},
    {"bare rock",            97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3", .stack = &bare_rock, .water = 0.2f, .sediment = 0.01f},
    {"soil",                 97, 61,  5, 8,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3", .stack = &soil, .water = 0.5f},
    {"soil, walls",          97, 61,  5, 8,   8,    terrain_holes,  50,   .set = "rain.rate=1e-3 " ALL_OPEN, .stack = &soil, .water = 0.3f, .sediment = 0.01f, .hardness = true, SPRINGS},
    {"thin soil",            97, 61,  5, 8,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3", .stack = &thin_soil, .water = 0.5f},
    {"thin soil, hungry",    97, 61,  10, 10, 32,   terrain_rough,  50,   .set = HUNGRY, .stack = &thin_soil, .water = 0.5f},
    {"thick soil",           97, 61,  5, 8,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3", .stack = &thick_soil, .water = 0.5f},
    {"thick soil, high up",  97, 61,  10, 10, 32,   terrain_alpine, 50,   .set = "rain.rate=1e-3", .stack = &thick_soil, .water = 0.1f},
    {"hard pan",             64, 64,  10, 10, 32,   terrain_rough,  50,   .set = HUNGRY, .stack = &hard_pan, .water = 0.5f},
    {"heavy pan",            64, 64,  10, 10, 32,   terrain_rough,  30,   .set = HUNGRY, .stack = &heavy_pan, .water = 0.5f},
    {"hard to soft",         64, 64,  10, 10, 32,   terrain_rough,  15,   .set = HUNGRY, .stack = &hard_to_soft, .water = 0.5f},
    {"five",                 64, 64,  10, 7,  32,   terrain_rough,  50,   .set = HUNGRY, .stack = &five, .water = 0.5f},
    {"six",                  64, 64,  10, 7,  8,    terrain_rough,  50,   .set = HUNGRY "boundary.south=open", .stack = &six, .water = 0.5f},
    {"seven",                64, 64,  10, 7,  32,   terrain_holes,  50,   .set = HUNGRY, .stack = &seven, .water = 0.5f, SPRINGS},
    {"eight",                64, 64,  10, 7,  32,   terrain_rough,  50,   .set = HUNGRY, .stack = &eight, .water = 0.5f},
    {"strong drag",          64, 64,  10, 10, 32,   terrain_rough,  50,   .set = HUNGRY "params.drag=0.1", .stack = &soil, .water = 0.5f},
    {"weak drag",            64, 64,  10, 10, 32,   terrain_rough,  50,   .set = HUNGRY "params.drag=1e-3", .stack = &soil, .water = 0.5f},
    {"rates beyond 1",       64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.dissolve=20 params.deposit=60", .stack = &thin_soil, .water = 0.2f},
    {"hard rock",            64, 64,  10, 10, 32,   terrain_rough,  50,   .set = HUNGRY "params.softening=20", .stack = &soil, .water = 0.5f, .sediment = 0.02f, .hardness = true},
    {"water exchange",       64, 64,  10, 10, 32,   terrain_rough,  50,   .set = HUNGRY "params.exchange_water=on", .stack = &thin_soil, .water = 0.2f},
    {"eight pipes",          97, 61,  5, 8,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.pipes=8", .stack = &soil, .water = 0.2f, .sediment = 0.01f, SPRINGS},
    {"semi_lagrangian",      97, 61,  5, 8,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.transport=semi_lagrangian", .stack = &soil, .water = 0.2f, .sediment = 0.01f, SPRINGS},
    {"dries early",          97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.dry_depth=1e-3 params.evaporation=0.05", .stack = &soil, .water = 0.05f, .sediment = 0.01f},
    {"thermal",              97, 61,  10, 10, 32,   terrain_alpine, 50,   .set = "rain.rate=1e-3 thermal.rate=0.2", .stack = &soil},
    {"thermal, four",        64, 64,  10, 7,  8,    terrain_alpine, 50,   .set = "rain.rate=1e-3 thermal.neighbours=4 thermal.talus=25 thermal.rate=0.5", .stack = &six},
    {"slides: rock",         64, 64,  10, 7,  32,   terrain_alpine, 50,   .model = "thermal", .set = "params.talus=20 params.rate=0.1", .stack = &rock},
    {"slides: bare rock",    64, 64,  10, 7,  32,   terrain_alpine, 50,   .model = "thermal", .set = "params.talus=20 params.rate=0.1", .stack = &loose_rock},
    {"slides: sand",         64, 64,  10, 7,  32,   terrain_alpine, 50,   .model = "thermal", .set = "params.talus=20 params.rate=0.1", .stack = &sand_on_rock},
    {"slides: thick soil",   64, 64,  10, 7,  32,   terrain_alpine, 50,   .model = "thermal", .set = "params.talus=20 params.rate=0.1", .stack = &thick_soil},
    {"slides: six",          64, 64,  10, 7,  32,   terrain_alpine, 50,   .model = "thermal", .set = "params.talus=20 params.rate=0.1", .stack = &six},
    {"slides: eight",        97, 61,  10, 7,  8,    terrain_alpine, 50,   .model = "thermal", .set = "params.talus=20 params.rate=3 params.neighbours=4", .stack = &eight},
    {"slides: hardness",     97, 61,  1, 1,   8,    terrain_holes,  50,   .model = "thermal", .set = "rain.rate=1e-3 params.rate=0.2 boundary.west=open params.hardness_talus=0.3", .stack = &soil, .water = 0.1f, .sediment = 0.1f, .hardness = true, SPRINGS},
    {"everything",           97, 61,  5, 8,   100,  terrain_holes,  3,    .set = WATER "thermal.rate=0.3 thermal.talus=5 thermal.hardness_talus=0.1", .stack = &eight, .water = 0.02f, .sediment = 0.01f, .hardness = true, SPRINGS},
    {"everything, long",     97, 61,  5, 8,   100,  terrain_holes,  50,   .set = WATER "thermal.rate=0.3 thermal.talus=5 thermal.hardness_talus=0.1", .stack = &eight, .water = 0.02f, .sediment = 0.01f, .hardness = true, SPRINGS, .wild = true},
    {"all but thermal",      97, 61,  5, 8,   100,  terrain_holes,  50,   .set = WATER, .stack = &eight, .water = 0.02f, .sediment = 0.01f, .hardness = true, SPRINGS},
};
// clang-format on

static const ReferenceSuite suite = {
    .name = "layers_reference",
    .model = "pipe",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .scale = REFERENCE_WHOLE,
    .few = 0.01,
    .ledger = 10,
};

/// The reference itself, by hand: water of 1 m/s, 10 Pa, digs through three layers.
static void test_digging_by_hand(void** state) {
    (void)state;
    const GullyMaterial materials[4] = {
        {.erodibility = 0.5, .critical_shear = 5},
        {.erodibility = 2, .critical_shear = 2},
        {.erodibility = 9, .critical_shear = 1},
        {.erodibility = 1, .critical_shear = 0},
    };
    const float heights[1] = {100}, low[1] = {0.25f}, top[1] = {0.125f};
    ReferenceDef def = {.width = 1, .height = 1, .lx = 1, .ly = 1, .dt = 0.5};
    def.heights = heights;
    def.materials = materials;
    def.material_count = 4;
    def.thickness[1] = low;
    def.thickness[3] = top;
    def.pipe.dissolve = 0.25;
    def.pipe.drag = 0.01;
    Reference* ref = reference_create(&def);
    ref->v[0] = 1;
    // A hunger of 4 takes an eighth of it, 0.5, of the top; 0.375 of that is left to the second
    // material (the third is not there), which is 2 * 0.8 times as easy: 0.6; and 0.35 of that to
    // the bedrock, which is 0.25/1.6 as easy.
    double rest = 0.35 * 0.25 / 1.6;
    assert_close(reference_dig(ref, 0, 4), 0.125 + 0.25 + rest);
    assert_close(ref->layer[3][0], 0);
    assert_close(ref->layer[1][0], 0);
    assert_close(ref->b[0], 100 - 0.375 - rest);
    assert_close(reference_bedrock(ref, 0), 100 - 0.375 - rest);
    reference_lay(ref, 0, 2);
    assert_close(ref->layer[3][0], 2);
    ref->v[0] = 0.5; // 2.5 Pa
    reference_lay(ref, 0, -2);
    assert_close(reference_dig(ref, 0, 4), 0);
    reference_destroy(ref);
}

/// A row of three: rock to the left and sand to the right of the lower middle.
static void test_sliding_by_hand(void** state) {
    (void)state;
    const GullyMaterial materials[3] = {{.talus = 45}, {.talus = 0}, {.talus = -1}};
    const float heights[3] = {9, 1, 4}, thickness[3] = {0, 0, 0.25f}, none[3] = {0};
    ReferenceDef def = {.width = 3, .height = 1, .lx = 2, .ly = 1, .dt = 0.5};
    def.heights = heights;
    def.materials = materials;
    def.material_count = 3;
    def.thickness[1] = thickness;
    def.thickness[2] = none;
    def.run_thermal = true;
    def.thermal.rate = 0.25;
    Reference* ref = reference_create(&def);
    reference_thermal(ref);
    // The rock stands 6 above its talus line and gives 1/16 of that, as sediment; the sand 3 above
    // its own, and gives less than it has: 3/16.
    assert_close(ref->b[0], 9 - 0.375);
    assert_close(ref->b[1], 1 + 0.375 + 0.1875);
    assert_close(ref->b[2], 4 - 0.1875);
    assert_close(ref->layer[2][1], 0.375);
    assert_close(ref->layer[1][1], 0.1875);
    assert_close(ref->layer[1][2], 0.0625);
    reference_thermal(ref);
    assert_close(ref->layer[1][2], 0); // all that is left of it
    assert_close(ref->b[2], 4 - 0.25);
    reference_destroy(ref);
}

/// The comparison is worth something: it sees 1 % in the parameters of any material, and in the
/// drag.
static void test_every_parameter_is_noticed(void** state) {
    (void)state;
    for (int m = 0; m < eight.count; m++) {
        reference_wants_notice(&suite, "eight", 1, (ReferenceChange){NULL, m, "erodibility"});
        reference_wants_notice(&suite, "eight", 1, (ReferenceChange){NULL, m, "critical_shear"});
        reference_wants_notice(&suite, "everything", 1, (ReferenceChange){NULL, m, "talus"});
    }
    reference_wants_notice(&suite, "eight", 1, (ReferenceChange){"params", 0, "drag"});
}

int main(void) {
    const struct CMUnitTest own[] = {
        cmocka_unit_test(test_digging_by_hand),
        cmocka_unit_test(test_sliding_by_hand),
        cmocka_unit_test(test_every_parameter_is_noticed),
    };
    return reference_run(&suite, own, sizeof own / sizeof *own);
}
