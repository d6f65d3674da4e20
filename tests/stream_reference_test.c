// SPDX-License-Identifier: MIT
// The stream law against a plain reading of its equations in double precision.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gully/gully.h"
#include "ok.h"
#include "reference_cases.h"
#include "reference_stream.h"

#define OUTLET "boundary.west=open"
#define RISING "params.uplift=1e-3 params.erodibility=2.5e-5 params.creep=0.02"

static const ReferenceStack strata = {3, {{0.2, 0, 50, 0}, {1, 0, 35, 3}, {2.5, 0, 30, 0.5}}};
static const ReferenceStack hard_on_soft = {3, {{1, 0, -1, 0}, {0.1, 0, -1, 0.3}, {3, 0, -1, 0.1}}};

// clang-format off
static const ReferenceCase cases[] = {
    // name                cells     size    tiles terrain       steps
    {"defaults",           97, 61,   10, 10, 32,   terrain_rough,  50,  .set = ALL_OPEN},
    {"high mountains",     97, 61,   20, 20, 32,   terrain_alpine, 50,  .set = ALL_OPEN},
    {"one outlet",         64, 64,   10, 10, 16,   terrain_rough,  50,  .set = OUTLET},
    {"a bowl",             64, 64,   10, 10, 64,   terrain_basin,  50,  .set = OUTLET},
    {"closed",             40, 40,   10, 10, 16,   terrain_rough,  20,  .set = ""},
    {"rising",             97, 61,   20, 20, 100,  terrain_alpine, 50,  .set = ALL_OPEN " " RISING},
    {"rising plane",       64, 64,   30, 20, 32,   terrain_plane,  50,  .set = OUTLET " " RISING},
    {"not routed",         64, 64,   10, 10, 32,   terrain_rough,  20,  .set = ALL_OPEN " params.route=0", .wild = true},
    {"routed a little",    64, 64,   10, 15, 32,   terrain_alpine, 20,  .set = OUTLET " params.route=20", .wild = true},
    {"holes",              97, 61,   10, 8,  32,   terrain_holes,  50,  .set = ALL_OPEN " " RISING},
    {"deposition",         97, 61,   10, 10, 32,   terrain_rough,  50,  .set = ALL_OPEN " params.deposition=1"},
    {"much deposition",    64, 64,   10, 10, 32,   terrain_basin,  50,  .set = OUTLET " params.deposition=50 params.erodibility=1e-3"},
    {"trap",               97, 61,   10, 10, 32,   terrain_rough,  50,  .set = ALL_OPEN " params.trap=on", .sediment = 0.02f},
    {"much creep",         64, 64,   10, 10, 32,   terrain_alpine, 20,  .set = ALL_OPEN " params.creep=1"},
    {"steepest receiver",  64, 64,   10, 10, 32,   terrain_alpine, 20,  .set = ALL_OPEN " params.spread=4"},
    {"area alone",         64, 64,   10, 10, 32,   terrain_alpine, 20,  .set = ALL_OPEN " params.area_exponent=1 params.erodibility=1e-7"},
    {"heads, large cells", 64, 64,   20, 30, 32,   terrain_alpine, 20,  .set = ALL_OPEN " params.head=20000"},
    {"heads, small cells", 64, 64,   4,  4,  32,   terrain_alpine, 20,  .set = ALL_OPEN " params.head=3000 params.spread=4"},
    {"little rain",        64, 64,   10, 10, 32,   terrain_rough,  20,  .set = ALL_OPEN " params.rain=0.1 params.tilt=1e-4"},
    {"long steps",         64, 64,   10, 10, 32,   terrain_alpine, 20,  .set = ALL_OPEN " dt=10000 " RISING},
    {"hardness",           97, 61,   10, 10, 32,   terrain_rough,  50,  .set = ALL_OPEN, .hardness = true},
    {"sediment",           64, 64,   10, 10, 32,   terrain_rough,  50,  .set = ALL_OPEN " params.deposition=2", .sediment = 0.3f},
    {"strata",             97, 61,   10, 10, 32,   terrain_rough,  50,  .set = ALL_OPEN " params.deposition=0.5", .stack = &strata},
    {"hard on soft",       64, 64,   10, 10, 32,   terrain_rough,  20,  .set = ALL_OPEN " " RISING, .stack = &hard_on_soft, .hardness = true},
    {"thermal",            97, 61,   10, 10, 32,   terrain_alpine, 20,  .set = ALL_OPEN " thermal.rate=0.2 thermal.talus=38"},
    {"everything",         97, 61,   12, 8,  100,  terrain_holes,  30,  .set = ALL_OPEN " params.route=40 dt=300 params.uplift=5e-4 params.erodibility=1e-4 params.area_exponent=0.5 params.head=3000 params.grain=6 params.spread=1.5 params.creep=0.03 params.deposition=1 params.tilt=2e-3 params.rain=0.7 thermal.rate=1e-4 thermal.talus=5", .hardness = true, .sediment = 0.01f},
};
// clang-format on

static const ReferenceSuite suite = {
    .name = "stream_reference",
    .model = "stream",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .flow = true,
    .scale = REFERENCE_WHOLE,
    .few = 0.01,
    .ledger = 10,
};

/// The reference itself, by hand: base level, and two steps up from it.
static void test_cutting_by_hand(void** state) {
    (void)state;
    static const float heights[3] = {0, 1, 3}, sediment[3] = {0.1f, 0, 0};
    ReferenceDef def = {.width = 3, .height = 1, .lx = 2, .ly = 3, .dt = 100};
    def.heights = heights;
    def.sediment = sediment;
    def.boundary.west = 1;
    GullyStreamParams params = {.uplift = 1e-2, .erodibility = 1e-3, .area_exponent = 1};
    params.spread = 1;
    params.creep = 6e-3;
    params.tilt = 1e-3;
    params.route = 3;
    params.rain = 1;
    ReferenceStream* ref = reference_stream_create(&def, &params);
    assert_close(ref->w[0], 0);
    assert_close(ref->w[1], 1);
    assert_close(ref->w[2], 3);
    assert_close(ref->A[2], 6);
    assert_close(ref->A[1], 12);
    reference_stream_step(ref, 1);
    // F is 100 * 1e-3 * 12 / 2 = 0.6 and 0.3; a fifteenth of a slope of 2/3 creeps: 0.1 * 2/3.
    double middle = (1 + 1) / 1.6, upper = (3 + 1 + 0.3 * 1) / 1.3, creep = 0.1 * 2 / 3;
    assert_close(ref->grid->b[0], 0);
    assert_close(ref->grid->b[1], middle + creep * (-1 + 2));
    assert_close(ref->grid->b[2], upper - creep * 2);
    assert_close(ref->grid->s[1], 2 - middle);
    assert_close(ref->grid->s[2], 4 - upper);
    assert_close(ref->grid->ledger.solid_left, 6 * ((double)0.1f + creep * 1));
    assert_close(ref->uplifted, 6 * 2);
    reference_stream_destroy(ref);
}

/// The comparison is worth something: it sees 1 % in any parameter, and each side.
static void test_every_parameter_is_noticed(void** state) {
    (void)state;
    reference_wants_notice_of_all(&suite, "everything", 20, "params", "route");
    reference_wants_notice_of_all(&suite, "everything", 20, "boundary", NULL);
}

// ---- maps ---------------------------------------------------------------------------------------

/// The ground after some steps in which uplift and rain are numbers, or maps of a slope of them.
static float* ground_after(bool mapped, float uplift, float rain, double* uplifted) {
    enum { SIZE = 40 };
    float* heights = terrain_make(terrain_rough, SIZE, SIZE);
    GullyWorld* world = terrain_world(heights, SIZE, SIZE, 10, 10, 16);
    GullySettings* settings;
    GullySim* sim;
    GullySimDef def = gully_sim_def();
    GullyBudget budget;
    OK(gully_settings_create("stream", &settings));
    OK(gully_settings_set_text(settings, "boundary.south", "open"));
    GullyStreamParams* params = gully_settings_section(settings, "params", NULL);
    params->uplift = mapped ? GULLY_MAPPED : (double)uplift;
    params->rain = mapped ? GULLY_MAPPED : (double)rain;
    if (mapped) assert_int_equal(gully_world_fill(world, GULLY_UPLIFT, uplift), GULLY_OK);
    if (mapped) assert_int_equal(gully_world_fill(world, GULLY_RAINFALL, rain), GULLY_OK);
    OK(gully_sim_create(world, settings, &def, &sim));
    OK(gully_sim_step(sim, 20));
    OK(gully_sim_budget(sim, &budget));
    *uplifted = budget.solid.uplifted;
    float* ground = terrain_read(world, GULLY_TERRAIN);
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    free(heights);
    return ground;
}

static void test_maps_are_numbers_for_each_cell(void** state) {
    (void)state;
    double as_number, as_map, none;
    // Powers of two, so that factors do not round.
    float* number = ground_after(false, 0x1p-10f, 0.5f, &as_number);
    float* map = ground_after(true, 0x1p-10f, 0.5f, &as_map);
    float* still = ground_after(true, 0, 0.5f, &none);
    assert_memory_equal(number, map, 40 * 40 * sizeof *number);
    assert_true(memcmp(number, still, 40 * 40 * sizeof *number) != 0);
    assert_true(as_number == as_map && none == 0);
    assert_close(as_number, 100.0 * 40 * 39 * 20 * 500 * 0x1p-10);
    free(number);
    free(map);
    free(still);
}

int main(void) {
    const struct CMUnitTest own[] = {
        cmocka_unit_test(test_cutting_by_hand),
        cmocka_unit_test(test_every_parameter_is_noticed),
        cmocka_unit_test(test_maps_are_numbers_for_each_cell),
    };
    return reference_run(&suite, own, sizeof own / sizeof *own);
}
