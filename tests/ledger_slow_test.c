// SPDX-License-Identifier: MIT
// Nothing is lost in 10,000 steps: for every law, on low and on high mountains, with closed sides
// and with open ones, and in deep lakes. The ledger's own residual is checked, and, without
// trusting it, the sums of what can be read back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "gully/sim.h"
#include "ok.h"
#include "terrains.h"

enum { SIZE = 72, CELLS = SIZE * SIZE, STEPS = 10000 };

static const double cell = 10;    // [m]
static const double limit = 1e-5; // MODELS.md, Budget: residual over what moved

// ---- places -------------------------------------------------------------------------------------

static void hills(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        out[c] = (float)(600 * terrain_noise(c % width, c / width, 96, 11));
    }
}

/// A rough bed 100 m below steep shores.
static void deep_basin(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        double x = 2.0 * (c % width) / width - 1;
        double y = 2.0 * (c / width) / height - 1;
        double bowl = 100 * pow(fmin(1, x * x + y * y), 4);
        out[c] = (float)(bowl + 40 * terrain_noise(c % width, c / width, 16, 3));
    }
}

typedef struct Place {
    const char* name;
    TerrainMaker terrain;
    double rain;     // [m/s]
    float lake;      // level of the water at the start [m]; 0 = dry
    bool open;       // all four sides
    const char* set; // one more "key=value", if the law has the key
} Place;

static const Place places[] = {
    {"600 m, closed", hills, 1e-4, 0, false, NULL},
    {"600 m, open", hills, 1e-4, 0, true, NULL},
    {"4,000 m, closed", terrain_alpine, 1e-4, 0, false, NULL},
    {"4,000 m, open", terrain_alpine, 1e-4, 0, true, NULL},
    {"4,000 m, open, hungry", terrain_alpine, 1e-4, 0, true, "params.capacity=5"},
    {"deep lake", deep_basin, 1e-5, 60, false, "params.evaporation=0"},
};
enum { PLACES = sizeof places / sizeof *places, MOST_LAWS = 32 };

typedef struct Trial {
    const GullyLawInfo* law;
    const Place* place;
    char name[80];
} Trial;

/// Whether the place asks for nothing that the law does not have, besides no evaporation. In this
/// rain laws of dry land have nothing to do; wind_slow_test has a ledger of its own.
static bool applies(const GullyLawInfo* law, const Place* place) {
    if (law->dry_only) return false;
    if (!place->set || place->lake > 0) return true;
    return gully_params_find(law->params, "capacity") != NULL;
}

// ---- a run --------------------------------------------------------------------------------------

static GullySettings* settings_for(const Trial* trial) {
    const Place* place = trial->place;
    GullySettings* settings = NULL;
    assert_int_equal(gully_settings_create(trial->law->name, &settings), GULLY_OK);
    assert_int_equal(gully_settings_set_number(settings, "rain.rate", place->rain), GULLY_OK);
    static const char* const sides[] = {"boundary.west", "boundary.east", "boundary.north",
                                        "boundary.south"};
    for (int n = 0; n < 4; n++) {
        gully_settings_set_text(settings, sides[n], place->open ? "open" : "closed");
    }
    if (place->set) {
        char key[64];
        snprintf(key, sizeof key, "%s", place->set);
        char* equals = strchr(key, '=');
        const char* value = equals + 1;
        *equals = '\0';
        const GullyParam* row = gully_params_find(trial->law->params, strchr(key, '.') + 1);
        bool is_share = row && strcmp(row->name, "evaporation") == 0 && !row->unit[0];
        if (is_share) value = "1"; // of what is left, instead of a rate: nothing evaporates
        if (row) {
            assert_int_equal(gully_settings_set_text(settings, key, value), GULLY_OK);
        }
    }
    for (int n = 0; n < gully_law_count(); n++) {
        const GullyLawInfo* other = gully_law_info(n);
        if (other->add_on && other != trial->law && !other->dry_only)
            gully_settings_switch(settings, other->name, true);
    }
    return settings;
}

static float* water_at_start(const Place* place, const float* heights) {
    float* water = terrain_make(NULL, SIZE, SIZE);
    for (int c = 0; c < CELLS; c++)
        water[c] = fmaxf(0, place->lake - heights[c]);
    return place->lake > 0 ? water : (free(water), NULL);
}

/// A unit in the last place of a height [m].
static double unit_of(double height) {
    return (double)(nextafterf((float)height, INFINITY) - (float)height);
}

/// What reading as floats does to a sum of depths [m3]: half a unit each, and all the same way,
/// because a lake rises everywhere by the same.
static double error_of_depths(double deepest) {
    return unit_of(deepest) / 2 * CELLS * cell * cell;
}

/// And to a sum of heights [m3]: these are spread evenly, so that errors add up like a random walk;
/// six sigma.
static double error_of_heights(double top) {
    return 6 * unit_of(top) * sqrt(CELLS / 12.0) * cell * cell;
}

/// `initial` is what was read before the first step [m3].
static void check_water(const GullySim* sim, const Place* place, double initial) {
    GullyBudget budget;
    OK(gully_sim_budget(sim, &budget));
    double rained = place->rain * gully_sim_time(sim) * CELLS * cell * cell;
    double present = terrain_volume(gully_sim_world(sim), GULLY_WATER);
    double lost = initial + rained - budget.water.evaporated - budget.water.left - present;
    print_message("    water: residual %.1e, read back %.1e of the rain\n",
                  budget.water.residual / rained, lost / rained);
    assert_true(fabs(budget.water.rain - rained) <= 1e-6 * rained);
    assert_true(place->open || budget.water.left == 0);
    assert_true(fabs(budget.water.residual) < limit * rained);
    assert_true(fabs(lost) < limit * rained + error_of_depths((double)place->lake));
}

static void check_solid(const GullySim* sim, const Place* place, double initial, double top) {
    GullyBudget budget;
    OK(gully_sim_budget(sim, &budget));
    double present = terrain_volume(gully_sim_world(sim), GULLY_TERRAIN) +
                     terrain_volume(gully_sim_world(sim), GULLY_SEDIMENT);
    double lost = initial - budget.solid.left - present;
    double moved = budget.solid.moved;
    print_message("    solid: residual %.1e, read back %.1e (+- %.1e) of the %.2e m3 moved\n",
                  budget.solid.residual / moved, lost / moved, error_of_heights(top) / moved,
                  moved);
    assert_true(moved > 0);
    assert_true(place->open || budget.solid.left == 0);
    assert_true(fabs(budget.solid.residual) < limit * moved);
    assert_true(fabs(lost) < limit * moved + error_of_heights(top));
}

static void test_nothing_is_lost(void** state) {
    const Trial* trial = *state;
    float* heights = terrain_make(trial->place->terrain, SIZE, SIZE);
    float* water = water_at_start(trial->place, heights);
    GullyWorld* world = terrain_world(heights, SIZE, SIZE, cell, cell, 0);
    if (water) gully_world_write(world, GULLY_WATER, gully_world_all(world), water);
    double ground_before = terrain_volume(world, GULLY_TERRAIN);
    double top = 0;
    for (int c = 0; c < CELLS; c++)
        top = fmax(top, (double)heights[c]);
    GullySettings* settings = settings_for(trial);
    GullySimDef def = gully_sim_def();
    GullySim* sim = NULL;
    if (gully_sim_create(world, settings, &def, &sim)) fail_msg("%s", gully_message());
    double water_before = terrain_volume(world, GULLY_WATER); // a law may bring some
    OK(gully_sim_step(sim, STEPS));
    check_water(sim, trial->place, water_before);
    check_solid(sim, trial->place, ground_before, top);
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    free(heights);
    free(water);
}

int main(void) {
    static Trial trials[MOST_LAWS * PLACES];
    static struct CMUnitTest tests[MOST_LAWS * PLACES]; // cmocka passes over the empty ones
    if (gully_law_count() == 0 || gully_law_count() > MOST_LAWS) return 1;
    for (int n = 0; n < gully_law_count() * PLACES; n++) {
        Trial* trial = &trials[n];
        trial->law = gully_law_info(n / PLACES);
        trial->place = &places[n % PLACES];
        if (!applies(trial->law, trial->place)) continue;
        snprintf(trial->name, sizeof trial->name, "%s: %s", trial->law->name, trial->place->name);
        tests[n] = (struct CMUnitTest){
            .name = trial->name, .test_func = test_nothing_is_lost, .initial_state = trial};
    }
    return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
