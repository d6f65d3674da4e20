// SPDX-License-Identifier: MIT
// `pipe` and `thermal` against the plain reference in double (support/reference.c), case by case.
//
// What may differ is float32 (support/reference_cases.h), in no cell more. The scale of a field is
// its largest value; of the ground its largest change, plus half a unit in the last place of the
// height, because a height is read as one float; of a velocity W/(width * depth), what errors of
// that size in W and in the depth make of it where the water is thin.
#include "reference_cases.h"

// clang-format off
static const ReferenceCase cases[] = {
    // name                  size     cell    tile  terrain         steps and what else
    {"one cell",             1, 1,    1, 1,   8,    terrain_rough,  50,   .set = "rain.rate=1e-3", SPRING},
    {"one cell, all open",   1, 1,    2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-3 " ALL_OPEN, .water = 1, .sediment = 0.1f},
    {"one column",           1, 17,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-3 boundary.south=open", SPRING},
    {"one row",              17, 1,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-3 boundary.west=open", SPRING},
    {"one row, thermal",     17, 1,   1, 1,   100,  terrain_rough,  50,   .set = "rain.rate=1e-3 thermal.talus=10", .hardness = true},
    {"two by two",           2, 2,    1, 1,   8,    terrain_plane,  50,   .set = "rain.rate=1e-3", .water = 0.1f, SPRING},
    {"defaults",             97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3"},
    {"non-square cells",     97, 61,  5, 8,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3"},
    {"walls",                97, 61,  5, 8,   32,   terrain_holes,  50,   .set = "rain.rate=1e-3", .water = 0.3f, SPRINGS},
    {"flooded",              64, 64,  5, 5,   8,    terrain_basin,  50,   .set = "rain.rate=1e-3", .water = 3},
    {"west open",            64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3 boundary.west=open", .water = 0.5f, .sediment = 0.01f},
    {"east open",            64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3 boundary.east=open", .water = 0.5f, .sediment = 0.01f},
    {"north open",           64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3 boundary.north=open", .water = 0.5f, .sediment = 0.01f},
    {"south open",           64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3 boundary.south=open", .water = 0.5f, .sediment = 0.01f},
    {"all open, walls",      97, 61,  6, 4,   100,  terrain_holes,  50,   .set = "rain.rate=1e-3 " ALL_OPEN, .water = 0.5f, .sediment = 0.01f, .hardness = true, SPRINGS},
    {"film off",             97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.film=off", .water = 0.5f},
    {"as in the paper",      64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.film=off params.friction=0 params.depth_limit=0 params.transport=semi_lagrangian boundary.east=open", .water = 0.5f},
    {"no friction",          64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.friction=0", .water = 0.5f},
    {"strong friction",      64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.friction=20", .water = 0.5f},
    {"moon",                 64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.gravity=1.62", .water = 0.5f},
    {"narrow pipes",         64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.pipe_area=3", .water = 0.5f},
    {"long pipes",           64, 64,  5, 10,  32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.pipe_length=17 params.film=off", .water = 0.5f},
    {"hungry water",         64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.capacity=3 params.dissolve=0.8 params.deposit=0.7", .water = 0.2f},
    {"rates beyond 1",       64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.dissolve=50 params.deposit=60", .water = 0.2f},
    {"tilt and depth",       64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.min_tilt=0.3 params.depth_limit=1.5", .water = 0.5f},
    {"no tilt, no limit",    64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.min_tilt=0 params.depth_limit=0", .water = 0.5f},
    {"heat",                 64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.evaporation=0.5", .water = 0.5f, .sediment = 0.01f},
    {"all evaporates",       64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.evaporation=10", .water = 0.5f, .sediment = 0.01f},
    {"dries early",          97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.dry_depth=1e-3 params.evaporation=0.05", .water = 0.05f, .sediment = 0.01f},
    {"never dries",          97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "params.dry_depth=0", .sediment = 0.01f},
    {"never dries",          97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.dry_depth=0"},
    {"hard rock",            64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3", .water = 0.5f, .hardness = true},
    {"rock softens",         64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.softening=20", .water = 0.5f, .sediment = 0.02f, .hardness = true},
    {"water exchange",       64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.exchange_water=on params.capacity=3", .water = 0.2f},
    {"mud",                  64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.exchange_water=on params.deposit=1", .water = 0.01f, .sediment = 0.2f},
    {"semi_lagrangian",      97, 61,  5, 8,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.transport=semi_lagrangian", .water = 0.2f, .sediment = 0.01f, SPRINGS},
    {"semi_lagrangian, walls", 97, 61, 8, 5,  8,    terrain_holes,  50,   .set = "rain.rate=1e-3 params.transport=semi_lagrangian boundary.west=open boundary.north=open", .water = 0.2f, .sediment = 0.01f, .hardness = true, SPRINGS},
    {"eight pipes",          64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.pipes=8", .water = 0.5f},
    {"eight, unequal cells", 97, 61,  5, 8,   32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.pipes=8 boundary.west=open boundary.south=open", .water = 0.2f, .sediment = 0.01f, SPRINGS},
    {"eight, walls",         97, 61,  8, 5,   8,    terrain_holes,  50,   .set = "rain.rate=1e-3 params.pipes=8 params.softening=2 params.exchange_water=on boundary.east=open boundary.north=open", .water = 0.2f, .sediment = 0.01f, .hardness = true, SPRINGS},
    {"eight, semi_lagrangian", 97, 61, 8, 5,  8,    terrain_holes,  50,   .set = "rain.rate=1e-3 params.pipes=8 params.transport=semi_lagrangian", .water = 0.2f, .sediment = 0.01f, SPRINGS},
    {"eight, no film",       64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.pipes=8 params.film=off params.friction=0 params.pipe_length=12", .water = 0.5f},
    {"eight, one row",       17, 1,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-3 params.pipes=8", .water = 0.2f, .sediment = 0.01f},
    {"semi_lagrangian, row", 17, 1,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-3 params.transport=semi_lagrangian", .water = 0.2f, .sediment = 0.01f},
    {"short steps",          64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 dt=0.01", .water = 0.2f},
    {"unstable steps",       64, 64,  10, 10, 32,   terrain_rough,  20,   .set = "rain.rate=1e-3 dt=0.6 allow_unstable=on", .water = 0.2f},
    {"mountains",            97, 61,  10, 10, 32,   terrain_alpine, 50,   .set = "rain.rate=1e-3 thermal.rate=0.2"},
    {"thermal, 4",           64, 64,  10, 7,  8,    terrain_alpine, 50,   .set = "rain.rate=1e-3 thermal.neighbours=4 thermal.talus=25 thermal.rate=0.5"},
    {"thermal, hardness",    64, 64,  10, 7,  8,    terrain_rough,  50,   .set = "rain.rate=1e-3 thermal.talus=1 thermal.hardness_talus=0.1 params.softening=1", .water = 0.5f, .hardness = true},
    {"thermal alone",        64, 64,  10, 7,  32,   terrain_alpine, 50,   .model = "thermal", .set = "params.talus=20 params.rate=0.1"},
    {"thermal alone, rain",  97, 61,  1, 1,   8,    terrain_holes,  50,   .model = "thermal", .set = "rain.rate=1e-3 params.neighbours=4 params.rate=3 boundary.west=open params.hardness_talus=0.3", .water = 0.1f, .sediment = 0.1f, .hardness = true, SPRINGS},
    {"everything",           97, 61,  5, 8,   100,  terrain_holes,  50,   .set = "rain.rate=1e-3 params.gravity=5 params.pipe_area=0.1 dt=0.5 params.pipe_length=7 params.friction=0.5 params.capacity=2 params.dissolve=0.3 params.deposit=0.4 params.min_tilt=0.05 params.depth_limit=0.3 params.evaporation=0.02 params.softening=5 params.exchange_water=on params.dry_depth=0.015 thermal.rate=0.3 thermal.grain=5 thermal.talus=5 thermal.hardness_talus=0.1 boundary.east=open boundary.south=open", .water = 0.02f, .sediment = 0.01f, .hardness = true, SPRINGS},
};
// clang-format on

static const ReferenceSuite suite = {
    .name = "reference",
    .model = "pipe",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .flow = true,
    .scale = REFERENCE_OWN,
    .few = 0,
    .ledger = 1,
};

/// The comparison is worth something: it sees 1 % in any parameter of any law.
static void test_every_parameter_is_noticed(void** state) {
    (void)state;
    // The drag matters only with materials; layers_reference_test has some.
    reference_wants_notice_of_all(&suite, "everything", 10, "params", "drag");
    reference_wants_notice_of_all(&suite, "everything", 10, "thermal", NULL);
}

int main(void) {
    const struct CMUnitTest own[] = {
        cmocka_unit_test(test_every_parameter_is_noticed),
    };
    return reference_run(&suite, own, sizeof own / sizeof *own);
}
