// SPDX-License-Identifier: MIT
// `wind` against the plain reference in double (support/reference_wind.c), case by case.
//
// What may differ is float32 (support/reference_cases.h). The law is continuous, but for wet cells
// and, with materials, for what `thermal` takes for the topmost one; small differences stay small.
#include <math.h>

#include "reference_cases.h"
#include "reference_wind.h"

// clang-format off
static const ReferenceStack sand_on_rock = {2, {{0.2, 5, 50, 0}, {2, 0.5, 33, 0.5}}};
static const ReferenceStack thin_sand = {3, {{0.2, 5, 50, 0}, {1, 1, 38, 1.0}, {2, 0.5, 33, 4e-3}}};
static const ReferenceStack rock = {1, {{0.3, 2, 40, 0}}};

#define OTHER "params.shadow=11 params.reach=9 params.speedup=2.5 params.most=0.8 params.threshold=0.6 params.capacity=0.05 params.saturation=4 params.settle=2 params.calm=2 params.reptation=0.2 params.rate=2 "

static const ReferenceCase cases[] = {
    // name                  size     cell    tile  terrain         steps and what else
    {"one cell",             1, 1,    2, 3,   8,    terrain_rough,  20,   .set = ALL_OPEN},
    {"one cell, closed",     1, 1,    2, 3,   8,    terrain_rough,  20,   .set = "params.direction=200"},
    {"one row",              17, 1,   2, 3,   8,    terrain_rough,  50,   .set = "boundary.east=open"},
    {"one column",           1, 17,   2, 3,   8,    terrain_rough,  50,   .set = "params.direction=-70"},
    {"defaults",             97, 61,  1, 1,   32,   terrain_rough,  50,   .set = ""},
    {"to the east",          97, 61,  2, 2,   32,   terrain_rough,  50,   .set = "params.direction=0 " ALL_OPEN},
    {"to the south",         97, 61,  2, 2,   8,    terrain_rough,  50,   .set = "params.direction=90 " ALL_OPEN},
    {"to the west",          97, 61,  2, 2,   32,   terrain_rough,  50,   .set = "params.direction=180 " ALL_OPEN},
    {"to the north",         97, 61,  2, 2,   8,    terrain_rough,  50,   .set = "params.direction=270 " ALL_OPEN},
    {"30 degrees",           97, 61,  1, 1,   8,    terrain_rough,  50,   .set = "params.direction=30 " ALL_OPEN},
    {"south-west",           97, 61,  1, 1,   8,    terrain_rough,  50,   .set = "params.direction=135 boundary.west=open"},
    {"250 degrees",          97, 61,  1, 1,   100,  terrain_rough,  50,   .set = "params.direction=250 boundary.north=open"},
    {"-20 degrees",          97, 61,  1, 1,   32,   terrain_rough,  50,   .set = "params.direction=-20"},
    {"non-square cells",     97, 61,  3, 5,   32,   terrain_rough,  50,   .set = "params.direction=60 boundary.south=open"},
    {"walls",                97, 61,  2, 2,   8,    terrain_holes,  50,   .set = "params.direction=40"},
    {"walls, open",          97, 61,  2, 2,   32,   terrain_holes,  50,   .set = "params.direction=205 " ALL_OPEN},
    {"high up",              97, 61,  10, 10, 32,   terrain_alpine, 50,   .set = "params.direction=10"},
    {"plain",                64, 64,  1, 1,   32,   terrain_plane,  100,  .set = "params.direction=10 params.bedrock=-100"},
    {"little sand",          97, 61,  2, 2,   32,   terrain_rough,  50,   .set = "params.bedrock=11 params.direction=30 params.reptation=0.3"},
    {"much reptation",       64, 64,  1, 1,   32,   terrain_rough,  3,    .set = "params.reptation=50 params.bedrock=9"},
    {"four in a step",       97, 61,  1, 1,   32,   terrain_rough,  30,   .set = "params.rate=4 params.direction=30"},
    {"twelve in a step",     64, 64,  1, 1,   32,   terrain_rough,  10,   .set = "params.rate=24 dt=0.5 params.direction=30"},
    {"every fourth step",    97, 61,  1, 1,   32,   terrain_rough,  50,   .set = "params.rate=0.25 thermal.talus=20"},
    {"every third, short",   97, 61,  1, 1,   8,    terrain_rough,  50,   .set = "params.rate=3.3333333333333335 dt=0.1 thermal.rate=1"},
    {"one and a half",       97, 61,  1, 1,   32,   terrain_rough,  50,   .set = "params.rate=1.5 thermal.talus=20"},
    {"never",                64, 64,  1, 1,   32,   terrain_rough,  10,   .set = "params.rate=0 thermal.talus=20"},
    {"other air",            97, 61,  2, 2,   32,   terrain_rough,  50,   .set = OTHER "params.direction=75"},
    {"slip faces",           97, 61,  1, 1,   32,   terrain_rough,  50,   .set = "params.direction=30 thermal.rate=1 thermal.talus=33"},
    {"sand on rock",         97, 61,  2, 2,   32,   terrain_rough,  50,   .set = "params.direction=30 boundary.east=open", .stack = &sand_on_rock},
    {"thin sand",            97, 61,  2, 2,   8,    terrain_holes,  50,   .set = "params.direction=120 boundary.south=open", .stack = &thin_sand},
    {"rock alone",           64, 64,  2, 2,   8,    terrain_rough,  50,   .set = "params.direction=120", .stack = &rock},
    {"springs",              97, 61,  5, 8,   32,   terrain_rough,  50,   .set = "params.direction=30 boundary.east=open", SPRINGS},
    {"beside pipe",          97, 61,  5, 8,   32,   terrain_rough,  50,   .model = "pipe", .set = "wind.direction=30 wind.rate=2 thermal.rate=0.5 dt=0.25", SPRINGS},
    {"beside pipe, walls",   97, 61,  5, 8,   8,    terrain_holes,  50,   .model = "pipe", .set = "wind.direction=200 wind.rate=4 dt=0.25 params.evaporation=0.02 params.dry_depth=1e-3 " ALL_OPEN, .stack = &sand_on_rock, SPRINGS},
    {"everything",           97, 61,  2, 3,   100,  terrain_holes,  30,   .set = OTHER "params.direction=50 params.bedrock=5 dt=0.4 params.rate=3 thermal.talus=20 boundary.east=open boundary.south=open", SPRINGS},
};
// clang-format on

static const ReferenceSuite suite = {
    .name = "wind_reference",
    .model = "wind",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .scale = REFERENCE_WHOLE,
    .few = 0.01,
    .ledger = 10,
};

/// The reference itself, by hand: a step down of 3 m in a row of four cells of 2 m.
static void test_a_step_down_by_hand(void** state) {
    (void)state;
    const float heights[4] = {4, 4, 1, 1};
    ReferenceDef def = {.width = 4, .height = 1, .lx = 2, .ly = 1, .dt = 1};
    def.heights = heights;
    def.run_wind = true;
    def.boundary.east = 1;
    def.wind = (GullyWindParams){.rate = 1, .shadow = 45, .reach = 4, .speedup = 0};
    def.wind.most = 1;
    def.wind.threshold = 0.5;
    def.wind.capacity = 0.3;
    def.wind.saturation = 2 / log(2); // half in a hop
    def.wind.settle = 2 / log(4);     // three quarters
    def.wind.calm = 2;
    Reference* ref = reference_create(&def);
    reference_step(ref, 1);
    // The shadow falls by 2 m a hop. Behind the edge it stands 1 m above the ground, half of calm:
    // the wind blows at 1/2, the threshold, and carries nothing. Elsewhere half of the capacity is
    // lifted, hops on, and leaves the last cell.
    assert_close(ref->shelter[2], 2);
    assert_close(ref->b[0], 4 - 0.15);
    assert_close(ref->b[1], 4 - 0.15);
    assert_close(ref->b[2], 1);
    assert_close(ref->b[3], 1 - 0.15);
    assert_close(ref->air[0], 0);
    assert_close(ref->air[1], 0.15);
    assert_close(ref->air[2], 0.15);
    assert_close(ref->air[3], 0);
    assert_close(ref->ledger.solid_left, 2 * 0.15);
    reference_step(ref, 1);
    // Now 1.15 m below the edge's shadow, less 1 m of its own ground: half in calm still, and of
    // what came 5/8 settles there.
    assert_close(ref->shelter[2], 2 - 0.15 + 0.15);
    assert_close(ref->b[2], 1 + 0.15 * 0.625);
    reference_destroy(ref);
}

/// The comparison is worth something: it sees 1 % in any parameter.
static void test_every_parameter_is_noticed(void** state) {
    (void)state;
    reference_wants_notice_of_all(&suite, "everything", 30, "params", NULL);
}

int main(void) {
    const struct CMUnitTest own[] = {
        cmocka_unit_test(test_a_step_down_by_hand),
        cmocka_unit_test(test_every_parameter_is_noticed),
    };
    return reference_run(&suite, own, sizeof own / sizeof *own);
}
