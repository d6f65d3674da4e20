// `newton` against the plain reference in double (support/reference_newton.c), case by case.
//
// What may differ is float32: 1e-6 of a quantity's scale after one step, 1e-6 * sqrt(n) after n, as
// in reference_test.c. The law is not continuous: a neighbour that is barely lower, or not, makes a
// pit of a cell or changes the mean level by a whole share. Therefore all cells are compared after
// one step, and all but a hundredth of them at the end. On steep ground and with move = all, which
// piles water up into towers, such ties are many, and what they change grows, in the reference too:
// noise of 6e-8 in each of its steps leads it as far from itself as the engine is. Those cases are
// marked wild; a tenth of their cells may be off at the end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "gully/sim.h"
#include "reference_newton.h"
#include "sanitized.h"
#include "terrains.h"

/// Of the scale, after some steps.
static double tolerance(int steps) {
    return 1e-6 * sqrt(steps);
}

static const double few = 0.01; // of the cells
static const double few_wild = 0.1;

typedef struct Case {
    const char* name;
    int width, height; // [cells]
    double lx, ly;     // [m]
    int tile_size;     // [cells]
    TerrainMaker terrain;
    const char* set;       // "key=value key=value ..."; a key of thermal's switches it on
    float water, sediment; // at the start [m]
    const GullySource* sources;
    int source_count;
    int steps;
    bool wild; // small differences grow
} Case;

#define NO_SOURCES NULL, 0
#define SOURCES(list) list, (int)(sizeof list / sizeof *list)

static const GullySource springs[] = {
    {.x = 101, .y = 83, .radius = 35, .rate = 0.02, .concentration = 0.1, .until = GULLY_FOREVER},
    {.x = 203, .y = 151, .radius = 0, .rate = 0.2, .from = 3.05, .until = 9.05},
    {.x = -500, .y = 61, .radius = 20, .rate = 0.3, .concentration = 0.9, .until = GULLY_FOREVER},
    {.x = 330, .y = 300, .radius = 60, .rate = 0.01, .until = GULLY_FOREVER},
};

static const GullySource spring[] = {
    {.x = 1, .y = 1, .radius = 3, .rate = 0.02, .concentration = 0.1, .until = GULLY_FOREVER},
};

#define ALL_OPEN "boundary.west=open boundary.east=open boundary.north=open boundary.south=open"

// clang-format off
static const Case cases[] = {
    // name                  size     cell    tile  terrain         settings  water sediment sources steps wild
    {"one cell",             1, 1,    1, 1,   8,    terrain_rough,  "rain.rate=1e-2", 0, 0, SOURCES(spring), 50, false},
    {"one cell, all open",   1, 1,    2, 3,   8,    terrain_rough,  "rain.rate=1e-2 " ALL_OPEN, 1, 0.1f, NO_SOURCES, 50, false},
    {"one column",           1, 17,   2, 3,   8,    terrain_rough,  "rain.rate=1e-2 boundary.south=open", 0, 0, SOURCES(spring), 50, false},
    {"one row",              17, 1,   2, 3,   8,    terrain_rough,  "rain.rate=1e-2 boundary.west=open", 0, 0, SOURCES(spring), 50, false},
    {"one row, sides open",  17, 1,   2, 3,   8,    terrain_rough,  "rain.rate=1e-2 boundary.north=open boundary.south=open", 0.3f, 0.1f, NO_SOURCES, 50, false},
    {"two by two",           2, 2,    1, 1,   8,    terrain_plane,  "rain.rate=1e-2", 0.1f, 0, SOURCES(spring), 50, false},
    {"defaults",             97, 61,  10, 10, 32,   terrain_rough,  "", 0, 0, NO_SOURCES, 50, false},
    {"rain",                 97, 61,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2", 0, 0, NO_SOURCES, 50, false},
    {"non-square cells",     97, 61,  5, 8,   32,   terrain_rough,  "rain.rate=1e-2", 0, 0, NO_SOURCES, 50, false},
    {"walls",                97, 61,  5, 8,   32,   terrain_holes,  "rain.rate=1e-2", 0.3f, 0, SOURCES(springs), 50, false},
    {"plane",                64, 64,  5, 5,   32,   terrain_plane,  "rain.rate=1e-2 boundary.east=open", 0.3f, 0, NO_SOURCES, 50, false},
    {"flooded",              61, 64,  5, 5,   8,    terrain_basin,  "rain.rate=1e-2", 2.5f, 0, NO_SOURCES, 50, false},
    {"mountains",            97, 61,  10, 10, 32,   terrain_alpine, "rain.rate=1e-2", 0, 0, NO_SOURCES, 50, true},
    {"west open",            64, 64,  5, 5,   32,   terrain_rough,  "rain.rate=1e-2 boundary.west=open", 0.5f, 0.01f, NO_SOURCES, 50, false},
    {"east open",            61, 64,  5, 5,   32,   terrain_rough,  "rain.rate=1e-2 boundary.east=open", 0.5f, 0.01f, NO_SOURCES, 50, false},
    {"north open",           64, 64,  5, 5,   32,   terrain_rough,  "rain.rate=1e-2 boundary.north=open", 0.5f, 0.01f, NO_SOURCES, 50, false},
    {"south open",           64, 64,  5, 5,   32,   terrain_rough,  "rain.rate=1e-2 boundary.south=open", 0.5f, 0.01f, NO_SOURCES, 50, false},
    {"all open, walls",      97, 61,  6, 4,   100,  terrain_holes,  "rain.rate=1e-2 " ALL_OPEN, 0.5f, 0.01f, SOURCES(springs), 50, false},
    {"move all",             97, 61,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.move=all", 0, 0, NO_SOURCES, 50, true},
    {"move all, walls",      97, 61,  6, 4,   8,    terrain_holes,  "rain.rate=1e-2 params.move=all " ALL_OPEN, 0.2f, 0.01f, SOURCES(springs), 30, true},
    {"move all, mountains",  97, 61,  10, 10, 32,   terrain_alpine, "rain.rate=1e-2 params.move=all boundary.north=open", 0, 0, NO_SOURCES, 30, true},
    {"move all, twice",      97, 61,  6, 4,   8,    terrain_holes,  "rain.rate=1e-2 params.move=all " ALL_OPEN, 0.2f, 0.01f, SOURCES(springs), 2, false},
    {"as in the paper",      64, 64,  10, 10, 32,   terrain_rough,  "params.move=all params.capacity=250", 0, 0, NO_SOURCES, 30, true},
    {"no initial water",     64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.w_min=0 params.w_0=0", 0, 0, SOURCES(springs), 50, false},
    {"much initial water",   64, 64,  10, 10, 32,   terrain_holes,  "params.w_min=0.1 params.w_0=2", 0.3f, 0, NO_SOURCES, 50, false},
    {"moon",                 64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.gravity=1.62", 0, 0, NO_SOURCES, 50, false},
    {"no gravity",           64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.gravity=0", 0, 0.1f, NO_SOURCES, 50, false},
    {"no friction",          64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.friction=0", 0, 0, NO_SOURCES, 50, false},
    {"all friction",         64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.friction=1", 0, 0, NO_SOURCES, 50, false},
    {"heat",                 64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.evaporation=0.7", 0.5f, 0.01f, NO_SOURCES, 50, false},
    {"no heat",              64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.evaporation=1", 0, 0.01f, NO_SOURCES, 50, false},
    {"all evaporates",       64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.evaporation=0", 0.5f, 0.01f, NO_SOURCES, 50, false},
    {"holds little",         64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.capacity=0.01", 0.1f, 0.1f, NO_SOURCES, 50, false},
    {"holds nothing",        64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.capacity=0", 0.1f, 0.1f, NO_SOURCES, 50, false},
    {"drops all",            64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.capacity=0.05 params.deposit=1", 0.1f, 0.1f, NO_SOURCES, 50, false},
    {"dissolves all",        64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.dissolve=1 params.capacity=0.5", 0, 0, NO_SOURCES, 50, false},
    {"dissolves nothing",    64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.dissolve=0", 0.1f, 0.1f, NO_SOURCES, 50, false},
    {"pits fill",            64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.pit_deposit=0.7", 0.1f, 0.1f, NO_SOURCES, 50, false},
    {"pits do not fill",     64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.pit_deposit=0", 0.1f, 0.1f, NO_SOURCES, 50, false},
    {"dries early",          97, 61,  10, 10, 32,   terrain_rough,  "rain.rate=1e-3 params.dry_depth=0.02 params.evaporation=0.9", 0.05f, 0.01f, NO_SOURCES, 50, false},
    {"never dries",          97, 61,  10, 10, 32,   terrain_rough,  "params.dry_depth=0", 0, 0, NO_SOURCES, 50, false},
    {"never dries, all",     97, 61,  10, 10, 32,   terrain_rough,  "params.dry_depth=0 params.move=all", 0, 0.01f, NO_SOURCES, 50, true},
    {"short steps",          64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 dt=0.1", 0, 0, SOURCES(springs), 50, false},
    {"long steps",           64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-3 dt=7", 0, 0, SOURCES(springs), 20, false},
    {"thermal",              97, 61,  10, 10, 32,   terrain_alpine, "rain.rate=1e-2 thermal.rate=0.2", 0, 0, NO_SOURCES, 50, true},
    {"thermal, 4",           64, 64,  10, 7,  8,    terrain_alpine, "rain.rate=1e-2 thermal.neighbours=4 thermal.talus=25 thermal.rate=0.5", 0, 0, NO_SOURCES, 20, false},
    {"everything",           97, 61,  5, 8,   100,  terrain_holes,  "rain.rate=1e-2 dt=0.7 params.w_min=0.02 params.w_0=0.1 params.gravity=8 params.friction=0.2 params.evaporation=0.9 params.capacity=0.06 params.deposit=0.2 params.dissolve=0.3 params.pit_deposit=0.3 params.dry_depth=0.015 thermal.rate=0.3 thermal.talus=5 boundary.east=open boundary.south=open", 0.02f, 0.01f, SOURCES(springs), 50, false},
};
// clang-format on

enum { CASE_COUNT = sizeof cases / sizeof *cases };

// ---- one case as settings, a simulation and a reference -----------------------------------------

/// Splits a text at its spaces, in place; returns how many words there are.
static int split(char* text, const char** words, int most) {
    int count = 0;
    char* rest = text;
    for (char* word; count < most && (word = strtok_r(rest, " ", &rest));)
        words[count++] = word;
    return count;
}

static void set_all(GullySettings* settings, const char* set) {
    char text[1024];
    const char* words[64];
    snprintf(text, sizeof text, "%s", set);
    int count = split(text, words, 64);
    for (int n = 0; n < count; n++) {
        char* value = strchr(words[n], '=');
        *value++ = '\0';
        if (gully_settings_set_text(settings, words[n], value)) fail_msg("%s", gully_message());
        if (strncmp(words[n], "thermal.", 8) == 0) gully_settings_switch(settings, "thermal", true);
    }
}

static GullySettings* settings_of(const Case* test) {
    GullySettings* settings = NULL;
    assert_int_equal(gully_settings_create("newton", &settings), GULLY_OK);
    set_all(settings, test->set);
    for (int n = 0; n < test->source_count; n++) {
        assert_int_equal(gully_settings_add_source(settings, &test->sources[n]), GULLY_OK);
    }
    return settings;
}

static ReferenceDef reference_def(const Case* test, GullySettings* settings) {
    ReferenceDef def = {.width = test->width,
                        .height = test->height,
                        .lx = test->lx,
                        .ly = test->ly,
                        .sources = test->sources,
                        .source_count = test->source_count};
    def.run_thermal = gully_settings_is_on(settings, "thermal");
    def.thermal = *(GullyThermalParams*)gully_settings_section(settings, "thermal", NULL);
    def.boundary = *(GullyBoundaryParams*)gully_settings_section(settings, "boundary", NULL);
    def.rain = ((GullyRainParams*)gully_settings_section(settings, "rain", NULL))->rate;
    def.dt = ((GullyTimeParams*)gully_settings_section(settings, "", NULL))->dt;
    if (def.dt <= 0) def.dt = 1;
    return def;
}

typedef struct Pair {
    GullyWorld* world;
    GullySim* sim;
    ReferenceNewton* ref;
} Pair;

/// Changes what the reference computes, to see whether the comparison notices.
typedef void (*Change)(ReferenceDef* def, GullyNewtonParams* params, const void* argument);

static Pair pair_create(const Case* test, Change change, const void* argument) {
    int width = test->width, height = test->height;
    float* heights = terrain_make(test->terrain, width, height);
    float* water = terrain_constant(test->water, width, height);
    float* sediment = terrain_constant(test->sediment, width, height);
    GullySettings* settings = settings_of(test);
    GullyNewtonParams params =
        *(GullyNewtonParams*)gully_settings_section(settings, "params", NULL);
    ReferenceDef def = reference_def(test, settings);
    def.heights = heights;
    def.water = water;
    def.sediment = sediment;

    Pair pair = {0};
    pair.world = terrain_world(heights, width, height, test->lx, test->ly, test->tile_size);
    GullyRect all = gully_world_all(pair.world);
    assert_int_equal(gully_world_write(pair.world, GULLY_WATER, all, water), GULLY_OK);
    assert_int_equal(gully_world_write(pair.world, GULLY_SEDIMENT, all, sediment), GULLY_OK);
    GullySimDef sim_def = gully_sim_def();
    sim_def.threads = 2;
    sim_def.velocity = true;
    if (gully_sim_create(pair.world, settings, &sim_def, &pair.sim))
        fail_msg("%s", gully_message());
    assert_true(fabs(gully_sim_dt(pair.sim) - def.dt) <= 1e-12 * def.dt);

    if (change) change(&def, &params, argument);
    pair.ref = reference_newton_create(&def, &params);
    gully_settings_destroy(settings);
    free(heights);
    free(water);
    free(sediment);
    return pair;
}

/// A velocity is a mean over the water there is: the less of it, the more a rounding in it counts.
static void compare_velocity(const Pair* pair, GullyField field, const double* wanted,
                             ReferenceGap* gap) {
    Reference* grid = pair->ref->grid;
    double fastest =
        hypot(reference_largest(grid, pair->ref->vx), reference_largest(grid, pair->ref->vy));
    float* got = terrain_read(pair->world, field);
    REFERENCE_CELLS(grid) {
        double scale = fastest * fmax(1, 1e-3 / fmax(grid->d[c], 1e-30));
        double difference = fabs((double)got[c] - wanted[c]);
        reference_note(grid, gap, gully_field_name(field), c, difference, scale, (double)got[c],
                       wanted[c]);
    }
    free(got);
}

static ReferenceGap pair_step(Pair* pair, int steps) {
    gully_sim_step(pair->sim, steps);
    reference_newton_step(pair->ref, steps);
    ReferenceGap gap = reference_compare(pair->ref->grid, pair->sim);
    compare_velocity(pair, GULLY_VELOCITY_X, pair->ref->vx, &gap);
    compare_velocity(pair, GULLY_VELOCITY_Y, pair->ref->vy, &gap);
    return gap;
}

static void pair_destroy(Pair* pair) {
    gully_sim_destroy(pair->sim);
    gully_world_destroy(pair->world);
    reference_newton_destroy(pair->ref);
}

// ---- tests --------------------------------------------------------------------------------------

enum { REPORT_SIZE = 1024 };

/// Whether both agree to `slack` times the tolerance: after one step in every cell, at the end in
/// all but a few.
static bool pair_agrees(Pair* pair, const Case* test, double slack, char report[REPORT_SIZE]) {
    ReferenceGap first = pair_step(pair, 1);
    ReferenceGap last = pair_step(pair, fewer(test->steps) - 1);
    double beyond = reference_beyond(pair->ref->grid, slack * tolerance(fewer(test->steps)));
    snprintf(report, REPORT_SIZE,
             "1 step: %.1e (%s), ledger %.1e (%s); %d steps: %.1e (%s), %.2g %% of the cells too "
             "far, ledger %.1e (%s)",
             first.error, first.where, first.ledger, first.term, fewer(test->steps), last.error,
             last.where, 100 * beyond, last.ledger, last.term);
    return fmax(first.error, first.ledger) <= slack * tolerance(1) &&
           beyond <= (test->wild ? few_wild : few) &&
           last.ledger <= (test->wild ? 1e-3 : 10 * slack * tolerance(fewer(test->steps)));
}

static void test_case(void** state) {
    const Case* test = *state;
    Pair pair = pair_create(test, NULL, NULL);
    char report[REPORT_SIZE];
    bool agrees = pair_agrees(&pair, test, 1, report);
    print_message("    %s\n", report);
    if (!agrees) fail_msg("too far from the reference");
    pair_destroy(&pair);
}

static const Case* find_case(const char* name) {
    for (int n = 0; n < CASE_COUNT; n++) {
        if (strcmp(cases[n].name, name) == 0) return &cases[n];
    }
    return NULL;
}

/// Makes a parameter a little different: 1 % more, the other choice.
static void disturb(const GullyParam* row, void* params) {
    char* member = (char*)params + row->offset;
    if (row->kind == GULLY_KIND_number) *(double*)(void*)member *= 1.01;
    if (row->kind == GULLY_KIND_choice) *(int*)(void*)member ^= 1;
}

static void disturb_params(ReferenceDef* def, GullyNewtonParams* params, const void* row) {
    (void)def;
    disturb(row, params);
}

static void disturb_boundary(ReferenceDef* def, GullyNewtonParams* params, const void* row) {
    (void)params;
    disturb(row, &def->boundary);
}

static void wants_notice(const GullyParamTable* table, Change change) {
    char report[REPORT_SIZE];
    for (int n = 0; n < table->count; n++) {
        Pair pair = pair_create(find_case("everything"), change, &table->rows[n]);
        if (pair_agrees(&pair, find_case("everything"), 10, report)) {
            fail_msg("%s does not matter to the comparison", table->rows[n].name);
        }
        pair_destroy(&pair);
    }
}

/// The comparison is worth something: it sees 1 % in any parameter, and each side.
static void test_every_parameter_is_noticed(void** state) {
    (void)state;
    wants_notice(gully_law_find("newton")->params, disturb_params);
    GullySettings* settings = NULL;
    assert_int_equal(gully_settings_create("newton", &settings), GULLY_OK);
    const GullyParamTable* sides = NULL;
    gully_settings_section(settings, "boundary", &sides);
    wants_notice(sides, disturb_boundary);
    gully_settings_destroy(settings);
}

static void assert_near(double got, double wanted) {
    if (!(fabs(got - wanted) <= 1e-12)) fail_msg("%.15g, not %.15g", got, wanted);
}

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
    assert_near(ref->grid->d[0], 0);
    assert_near(ref->grid->d[1], 1);
    assert_near(ref->grid->b[1], -e);
    assert_near(ref->grid->s[1], s + e);
    assert_near(ref->v[1].x, 4.8);
    assert_near(ref->v[1].z, 6.4);
    assert_near(ref->grid->ledger.eroded, 21 * e);
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
    assert_near(ref->grid->d[1], 1 + back);
    assert_near(ref->grid->d[2], 2 - back);
    assert_near(ref->grid->b[1], e);
    assert_near(ref->grid->s[1], (double)0.1f - e);
    double gain = 10 / sqrt(10); // 20 * 1/sqrt(10) * 0.5
    assert_near(ref->v[1].x, (v.x - back * gain * 3 / sqrt(10)) / (1 + back));
    reference_newton_destroy(ref);
}

int main(void) {
    struct CMUnitTest tests[3 + CASE_COUNT] = {
        cmocka_unit_test(test_digging_by_hand),
        cmocka_unit_test(test_settling_by_hand),
        cmocka_unit_test(test_every_parameter_is_noticed),
    };
    for (int n = 0; n < CASE_COUNT; n++) {
        tests[n + 3] = (struct CMUnitTest){.name = cases[n].name,
                                           .test_func = test_case,
                                           .initial_state = (void*)(uintptr_t)&cases[n]};
    }
    return cmocka_run_group_tests_name("newton_reference", tests, NULL, NULL);
}
