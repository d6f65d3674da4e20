// SPDX-License-Identifier: MIT
// `newton` against the plain reference in double (support/reference_newton.c), case by case.
//
// What may differ is float32 (support/reference_cases.h). The law is not continuous: a neighbour
// that is barely lower, or not, makes a pit of a cell or changes the mean level by a whole share.
// Therefore all cells are compared after one step, and all but a hundredth of them at the end. On
// steep ground and with move = all, which piles water up into towers, such ties are many, and what
// they change grows, in the reference too: noise of 6e-8 in each of its steps leads it as far from
// itself as the engine is. Those cases are marked wild; a tenth of their cells may be off at the
// end.
#include <math.h>

#include "reference_cases.h"
#include "reference_newton.h"

// clang-format off
static const ReferenceCase cases[] = {
    // name                  size     cell    tile  terrain         steps and what else
    {"one cell",             1, 1,    1, 1,   8,    terrain_rough,  50,   .set = "rain.rate=1e-2", SPRING},
    {"one cell, all open",   1, 1,    2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-2 " ALL_OPEN, .water = 1, .sediment = 0.1f},
    {"one column",           1, 17,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.south=open", SPRING},
    {"one row",              17, 1,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.west=open", SPRING},
    {"one row, sides open",  17, 1,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.north=open boundary.south=open", .water = 0.3f, .sediment = 0.1f},
    {"two by two",           2, 2,    1, 1,   8,    terrain_plane,  50,   .set = "rain.rate=1e-2", .water = 0.1f, SPRING},
    {"defaults",             97, 61,  10, 10, 32,   terrain_rough,  50,   .set = ""},
    {"rain",                 97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2"},
    {"non-square cells",     97, 61,  5, 8,   32,   terrain_rough,  50,   .set = "rain.rate=1e-2"},
    {"walls",                97, 61,  5, 8,   32,   terrain_holes,  50,   .set = "rain.rate=1e-2", .water = 0.3f, MUDDY_SPRINGS},
    {"plane",                64, 64,  5, 5,   32,   terrain_plane,  50,   .set = "rain.rate=1e-2 boundary.east=open", .water = 0.3f},
    {"flooded",              61, 64,  5, 5,   8,    terrain_basin,  50,   .set = "rain.rate=1e-2", .water = 2.5f},
    {"mountains",            97, 61,  10, 10, 32,   terrain_alpine, 50,   .set = "rain.rate=1e-2", .wild = true},
    {"west open",            64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.west=open", .water = 0.5f, .sediment = 0.01f},
    {"east open",            61, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.east=open", .water = 0.5f, .sediment = 0.01f},
    {"north open",           64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.north=open", .water = 0.5f, .sediment = 0.01f},
    {"south open",           64, 64,  5, 5,   32,   terrain_rough,  50,   .set = "rain.rate=1e-2 boundary.south=open", .water = 0.5f, .sediment = 0.01f},
    {"all open, walls",      97, 61,  6, 4,   100,  terrain_holes,  50,   .set = "rain.rate=1e-2 " ALL_OPEN, .water = 0.5f, .sediment = 0.01f, MUDDY_SPRINGS},
    {"move all",             97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.move=all", .wild = true},
    {"move all, walls",      97, 61,  6, 4,   8,    terrain_holes,  30,   .set = "rain.rate=1e-2 params.move=all " ALL_OPEN, .water = 0.2f, .sediment = 0.01f, MUDDY_SPRINGS, .wild = true},
    {"move all, mountains",  97, 61,  10, 10, 32,   terrain_alpine, 30,   .set = "rain.rate=1e-2 params.move=all boundary.north=open", .wild = true},
    {"move all, twice",      97, 61,  6, 4,   8,    terrain_holes,  2,    .set = "rain.rate=1e-2 params.move=all " ALL_OPEN, .water = 0.2f, .sediment = 0.01f, MUDDY_SPRINGS},
    {"as in the paper",      64, 64,  10, 10, 32,   terrain_rough,  30,   .set = "params.move=all params.capacity=250", .wild = true},
    {"no initial water",     64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.w_min=0 params.w_0=0", MUDDY_SPRINGS},
    {"much initial water",   64, 64,  10, 10, 32,   terrain_holes,  50,   .set = "params.w_min=0.1 params.w_0=2", .water = 0.3f},
    {"moon",                 64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.gravity=1.62"},
    {"no gravity",           64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.gravity=0", .sediment = 0.1f},
    {"no friction",          64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.friction=0"},
    {"all friction",         64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.friction=1"},
    {"heat",                 64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.evaporation=0.7", .water = 0.5f, .sediment = 0.01f},
    {"no heat",              64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.evaporation=1", .sediment = 0.01f},
    {"all evaporates",       64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.evaporation=0", .water = 0.5f, .sediment = 0.01f},
    {"holds little",         64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.capacity=0.01", .water = 0.1f, .sediment = 0.1f},
    {"holds nothing",        64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.capacity=0", .water = 0.1f, .sediment = 0.1f},
    {"drops all",            64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.capacity=0.05 params.deposit=1", .water = 0.1f, .sediment = 0.1f},
    {"dissolves all",        64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.dissolve=1 params.capacity=0.5"},
    {"dissolves nothing",    64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.dissolve=0", .water = 0.1f, .sediment = 0.1f},
    {"pits fill",            64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.pit_deposit=0.7", .water = 0.1f, .sediment = 0.1f},
    {"pits do not fill",     64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.pit_deposit=0", .water = 0.1f, .sediment = 0.1f},
    {"dries early",          97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-3 params.dry_depth=0.02 params.evaporation=0.9", .water = 0.05f, .sediment = 0.01f},
    {"never dries",          97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "params.dry_depth=0"},
    {"never dries, all",     97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "params.dry_depth=0 params.move=all", .sediment = 0.01f, .wild = true},
    {"short steps",          64, 64,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 dt=0.1", MUDDY_SPRINGS},
    {"long steps",           64, 64,  10, 10, 32,   terrain_rough,  20,   .set = "rain.rate=1e-3 dt=7", MUDDY_SPRINGS},
    {"isotropic",            97, 61,  10, 10, 32,   terrain_rough,  50,   .set = "rain.rate=1e-2 params.isotropic=true"},
    {"isotropic, one row",   17, 1,   2, 3,   8,    terrain_rough,  50,   .set = "rain.rate=1e-2 params.isotropic=true boundary.west=open boundary.north=open", SPRING},
    {"isotropic, walls",     97, 61,  5, 8,   32,   terrain_holes,  50,   .set = "rain.rate=1e-2 params.isotropic=true params.friction=0.9 " ALL_OPEN, .water = 0.3f, MUDDY_SPRINGS},
    {"isotropic, all moves", 97, 61,  6, 4,   8,    terrain_holes,  2,    .set = "rain.rate=1e-2 params.isotropic=true params.move=all params.dissolve=1 params.deposit=0.9 " ALL_OPEN, .water = 0.2f, .sediment = 0.01f, MUDDY_SPRINGS},
    {"isotropic, mountains", 97, 61,  10, 10, 32,   terrain_alpine, 50,   .set = "rain.rate=1e-2 params.isotropic=true", .wild = true},
    {"thermal",              97, 61,  10, 10, 32,   terrain_alpine, 50,   .set = "rain.rate=1e-2 thermal.rate=0.2", .wild = true},
    {"thermal, 4",           64, 64,  10, 7,  8,    terrain_alpine, 20,   .set = "rain.rate=1e-2 thermal.neighbours=4 thermal.talus=25 thermal.rate=0.5"},
    {"everything",           97, 61,  5, 8,   100,  terrain_holes,  50,   .set = "rain.rate=1e-2 dt=0.7 params.w_min=0.02 params.w_0=0.1 params.gravity=8 params.friction=0.2 params.evaporation=0.9 params.capacity=0.06 params.deposit=0.2 params.dissolve=0.3 params.pit_deposit=0.3 params.dry_depth=0.015 thermal.rate=0.3 thermal.talus=5 boundary.east=open boundary.south=open", .water = 0.02f, .sediment = 0.01f, MUDDY_SPRINGS},
};
// clang-format on

static const ReferenceSuite suite = {
    .name = "newton_reference",
    .model = "newton",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .flow = true,
    .scale = REFERENCE_WHOLE,
    .few = 0.01,
    .ledger = 10,
};

/// The reference itself, by hand: a row of three, the first one wet, 3 m apart; it falls by 4 m,
/// then by 1 m.
static ReferenceNewton* three_steps_down(double capacity, const float* water) {
    static const float heights[3] = {3, 0, -1}, sediment[3] = {0.1f, 0, 0};
    ReferenceDef def = {.width = 3, .height = 1, .lx = 3, .ly = 7, .dt = 0.5};
    def.heights = heights;
    def.water = water;
    def.sediment = sediment;
    GullyNewtonParams params = {.gravity = 20, .evaporation = 1, .capacity = capacity};
    params.deposit = 0.05;
    params.dissolve = 0.04;
    params.pit_deposit = -1;
    params.move = 1;
    return reference_newton_create(&def, &params);
}

static void test_digging_by_hand(void** state) {
    (void)state;
    const float water[3] = {1, 0, 0};
    ReferenceNewton* ref = three_steps_down(0.05, water);
    reference_newton_step(ref, 1);
    // The level falls from 4 to 0: half of what is above the mean is all of the water. It goes
    // along (3, 0, 4), 5 m, and gains 20 * 4/5 * 0.5 = 8 m/s on it: it can hold 0.4 and takes 4 %
    // of 0.3.
    double s = (double)0.1f, e = 0.04 * (0.4 - s);
    assert_close(ref->grid->d[0], 0);
    assert_close(ref->grid->d[1], 1);
    assert_close(ref->grid->b[1], -e);
    assert_close(ref->grid->s[1], s + e);
    assert_close(ref->v[1].x, 4.8);
    assert_close(ref->v[1].z, 6.4);
    assert_close(ref->grid->ledger.eroded, 21 * e);
    reference_newton_destroy(ref);
}

static void test_settling_by_hand(void** state) {
    (void)state;
    const float water[3] = {1, 0, 2};
    ReferenceNewton* ref = three_steps_down(0.01, water);
    ref->params.friction = 0.5;
    ref->v[0] = (ReferenceVector){2, 0, 0};
    reference_newton_step(ref, 1);
    // Half of the old velocity is left of (2, 0, 0), and the water can hold 0.01 |v|, less than it
    // has. The last cell stands at level 1 and gives half of 1 - 1/2; its own digging is none, as
    // the middle is a pit.
    ReferenceVector v = {5.8, 0, 6.4};
    double e = 0.05 * ((double)0.1f - 0.01 * hypot(v.x, v.z));
    double back = 0.25;
    assert_close(ref->grid->d[1], 1 + back);
    assert_close(ref->grid->d[2], 2 - back);
    assert_close(ref->grid->b[1], e);
    assert_close(ref->grid->s[1], (double)0.1f - e);
    double gain = 10 / sqrt(10); // 20 * 1/sqrt(10) * 0.5
    assert_close(ref->v[1].x, (v.x - back * gain * 3 / sqrt(10)) / (1 + back));
    reference_newton_destroy(ref);
}

/// The comparison is worth something: it sees 1 % in any parameter, and each side.
static void test_every_parameter_is_noticed(void** state) {
    (void)state;
    reference_wants_notice_of_all(&suite, "everything", 50, "params", NULL);
    reference_wants_notice_of_all(&suite, "everything", 50, "boundary", NULL);
}

int main(void) {
    const struct CMUnitTest own[] = {
        cmocka_unit_test(test_digging_by_hand),
        cmocka_unit_test(test_settling_by_hand),
        cmocka_unit_test(test_every_parameter_is_noticed),
    };
    return reference_run(&suite, own, sizeof own / sizeof *own);
}
