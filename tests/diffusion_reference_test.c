// `diffusion` against the plain reference in double (support/reference_diffusion.c), case by case.
//
// What may differ is float32: 1e-6 of a quantity's scale after one step, 1e-6 * sqrt(n) after n, as
// in reference_test.c. Transport (B3) is not continuous: a neighbour that is barely lower, or not,
// changes the mean level by a whole share. Such a tie, of less than 1e-7 m, is met about once in a
// million cells and steps; a few cells are then off by 1e-4, and fade again. Therefore all cells
// are compared after one step, and all but a hundredth of them at the end. With relax = 1 water
// sloshes to and fro and any difference grows tenfold in seven steps; that case is a short one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "gully/sim.h"
#include "reference_diffusion.h"
#include "sanitized.h"
#include "terrains.h"

/// Of the scale, after some steps.
static double tolerance(int steps) {
    return 1e-6 * sqrt(steps);
}

static const double few = 0.01; // of the cells

typedef struct Case {
    const char* name;
    int width, height; // [cells]
    double lx, ly;     // [m]
    int tile_size;     // [cells]
    TerrainMaker terrain;
    const char* set;       // "key=value key=value ..."; a key of thermal's switches it on
    const char* cycle;     // "rain transport*3 ..."; NULL = the default
    float water, sediment; // at the start [m]
    const GullySource* sources;
    int source_count;
    int steps;
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
    // name                  size     cell    tile  terrain         settings  cycle  water sediment sources steps
    {"one cell",             1, 1,    1, 1,   8,    terrain_rough,  "rain.rate=1e-2", NULL, 0, 0, SOURCES(spring), 50},
    {"one cell, all open",   1, 1,    2, 3,   8,    terrain_rough,  "rain.rate=1e-2 " ALL_OPEN, NULL, 1, 0.1f, NO_SOURCES, 50},
    {"one column",           1, 17,   2, 3,   8,    terrain_rough,  "rain.rate=1e-2 boundary.south=open", NULL, 0, 0, SOURCES(spring), 50},
    {"one row",              17, 1,   2, 3,   8,    terrain_rough,  "rain.rate=1e-2 boundary.west=open", NULL, 0, 0, SOURCES(spring), 50},
    {"one row, sides open",  17, 1,   2, 3,   8,    terrain_rough,  "rain.rate=1e-2 boundary.north=open boundary.south=open", NULL, 0.3f, 0.1f, NO_SOURCES, 50},
    {"two by two",           2, 2,    1, 1,   8,    terrain_plane,  "rain.rate=1e-2", NULL, 0.1f, 0, SOURCES(spring), 50},
    {"defaults",             97, 61,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2", NULL, 0, 0, NO_SOURCES, 50},
    {"non-square cells",     97, 61,  5, 8,   32,   terrain_rough,  "rain.rate=1e-2", NULL, 0, 0, NO_SOURCES, 50},
    {"walls",                97, 61,  5, 8,   32,   terrain_holes,  "rain.rate=1e-2", NULL, 0.3f, 0, SOURCES(springs), 50},
    {"plane",                64, 64,  5, 5,   32,   terrain_plane,  "rain.rate=1e-2 boundary.east=open", NULL, 0.3f, 0, NO_SOURCES, 50},
    {"flooded",              61, 64,  5, 5,   8,    terrain_basin,  "rain.rate=1e-2", NULL, 2.5f, 0, NO_SOURCES, 50},
    {"mountains",            97, 61,  10, 10, 32,   terrain_alpine, "rain.rate=1e-2", NULL, 0, 0, NO_SOURCES, 50},
    {"west open",            64, 64,  5, 5,   32,   terrain_rough,  "rain.rate=1e-2 boundary.west=open", NULL, 0.5f, 0.01f, NO_SOURCES, 50},
    {"east open",            64, 64,  5, 5,   32,   terrain_rough,  "rain.rate=1e-2 boundary.east=open", NULL, 0.5f, 0.01f, NO_SOURCES, 50},
    {"north open",           64, 64,  5, 5,   32,   terrain_rough,  "rain.rate=1e-2 boundary.north=open", NULL, 0.5f, 0.01f, NO_SOURCES, 50},
    {"south open",           64, 64,  5, 5,   32,   terrain_rough,  "rain.rate=1e-2 boundary.south=open", NULL, 0.5f, 0.01f, NO_SOURCES, 50},
    {"all open, walls",      97, 61,  6, 4,   100,  terrain_holes,  "rain.rate=1e-2 " ALL_OPEN, NULL, 0.5f, 0.01f, SOURCES(springs), 50},
    {"slow dissolving",      64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.dissolve=1e-3", NULL, 0.5f, 0, NO_SOURCES, 50},
    {"no dissolving",        64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.dissolve=0", NULL, 0.5f, 0.2f, NO_SOURCES, 50},
    {"soon saturated",       64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.dissolve=20 params.saturation=0.02", NULL, 0.5f, 0, NO_SOURCES, 50},
    {"holds nothing",        64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.saturation=0", NULL, 0.5f, 0.2f, NO_SOURCES, 50},
    {"heat",                 64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.evaporation=1", NULL, 0.5f, 0.01f, NO_SOURCES, 50},
    {"no heat",              64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.evaporation=0", NULL, 0.5f, 0.01f, NO_SOURCES, 50},
    {"dries early",          97, 61,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.dry_threshold=0.03", NULL, 0.05f, 0.01f, NO_SOURCES, 50},
    {"never dries",          97, 61,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.dry_threshold=0", NULL, 0.1f, 0, NO_SOURCES, 50},
    {"not relaxed",          64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.relax=0", NULL, 0.5f, 0.1f, NO_SOURCES, 50},
    {"little relaxed",       64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.relax=0.1", NULL, 0.5f, 0.1f, NO_SOURCES, 50},
    {"fully relaxed",        64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.relax=1 boundary.south=open", NULL, 0.5f, 0.1f, NO_SOURCES, 8},
    {"short steps",          64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 dt=0.1", NULL, 0.2f, 0, SOURCES(springs), 50},
    {"long steps",           64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-3 dt=7", NULL, 0.2f, 0, SOURCES(springs), 50},
    {"transport * 5",        97, 61,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2", "rain erode transport*5 mix evaporate deposit", 0, 0, NO_SOURCES, 30},
    {"transport * 9, open",  97, 61,  10, 10, 8,    terrain_holes,  "rain.rate=1e-2 " ALL_OPEN, "rain erode transport*9 mix evaporate deposit", 0.1f, 0, SOURCES(springs), 20},
    {"mix * 4",              64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2", "rain erode transport mix*4 evaporate deposit", 0.5f, 0, SOURCES(springs), 50},
    {"mix alone",            64, 64,  10, 10, 32,   terrain_holes,  "rain.rate=1e-2 " ALL_OPEN, "rain mix*3", 0.5f, 0, SOURCES(springs), 50},
    {"transport alone",      64, 64,  10, 10, 32,   terrain_holes,  "rain.rate=1e-2 " ALL_OPEN, "transport", 0.5f, 0.1f, NO_SOURCES, 50},
    {"rain alone",           64, 64,  10, 10, 32,   terrain_holes,  "rain.rate=1e-2", "rain", 0, 0, SOURCES(springs), 50},
    {"rain twice",           64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2", "rain*2 erode transport evaporate deposit", 0, 0, SOURCES(springs), 50},
    {"rain at both ends",    64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2", "rain erode transport mix deposit rain", 0, 0, SOURCES(springs), 50},
    {"erode alone",          64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2", "erode", 0.5f, 0, NO_SOURCES, 50},
    {"erode * 3",            64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.dissolve=0.1", "rain erode*3 transport deposit", 0, 0, NO_SOURCES, 50},
    {"evaporate alone",      64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2", "evaporate", 0.5f, 0.1f, NO_SOURCES, 50},
    {"evaporate * 2",        64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2", "rain erode evaporate transport evaporate deposit", 0.5f, 0.1f, NO_SOURCES, 50},
    {"dry season",           97, 61,  5, 8,   32,   terrain_holes,  "rain.rate=1e-2", "transport*2 mix evaporate deposit", 0.5f, 0.1f, SOURCES(springs), 50},
    {"wet season",           97, 61,  5, 8,   32,   terrain_holes,  "rain.rate=1e-2", "rain erode transport*2 mix", 0, 0, SOURCES(springs), 50},
    {"never deposits",       64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2 params.dry_threshold=0.02", "rain erode transport mix evaporate", 0.05f, 0.1f, NO_SOURCES, 50},
    {"backwards",            64, 64,  10, 10, 32,   terrain_rough,  "rain.rate=1e-2", "deposit evaporate mix transport erode rain", 0.1f, 0.1f, SOURCES(springs), 50},
    {"around and around",    64, 64,  10, 7,  32,   terrain_rough,  "rain.rate=1e-2 boundary.west=open", "transport rain mix transport deposit erode mix transport*2 evaporate transport", 0.1f, 0.1f, SOURCES(springs), 50},
    {"thermal",              97, 61,  10, 10, 32,   terrain_alpine, "rain.rate=1e-2 thermal.rate=0.2", NULL, 0, 0, NO_SOURCES, 50},
    {"thermal, 4",           64, 64,  10, 7,  8,    terrain_alpine, "rain.rate=1e-2 thermal.neighbours=4 thermal.talus=25 thermal.rate=0.5", "rain erode transport*3 mix evaporate deposit", 0, 0, NO_SOURCES, 50},
    {"everything",           97, 61,  5, 8,   100,  terrain_holes,  "rain.rate=1e-2 dt=0.7 params.dissolve=0.1 params.saturation=0.15 params.evaporation=0.08 params.dry_threshold=0.02 params.relax=0.6 thermal.rate=0.3 thermal.talus=5 boundary.east=open boundary.south=open", "rain erode transport*2 mix transport mix evaporate deposit", 0.02f, 0.01f, SOURCES(springs), 50},
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
    assert_int_equal(gully_settings_create("diffusion", &settings), GULLY_OK);
    set_all(settings, test->set);
    for (int n = 0; n < test->source_count; n++) {
        assert_int_equal(gully_settings_add_source(settings, &test->sources[n]), GULLY_OK);
    }
    char text[256];
    const char* words[64];
    snprintf(text, sizeof text, "%s", test->cycle ? test->cycle : "");
    int count = split(text, words, 64);
    if (gully_settings_set_cycle(settings, words, count)) fail_msg("%s", gully_message());
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
    ReferenceDiffusion* ref;
} Pair;

/// Changes what the reference computes, to see whether the comparison notices.
typedef void (*Change)(ReferenceDef* def, GullyDiffusionParams* params, const void* argument);

static Pair pair_create(const Case* test, Change change, const void* argument) {
    int width = test->width, height = test->height;
    float* heights = terrain_make(test->terrain, width, height);
    float* water = terrain_constant(test->water, width, height);
    float* sediment = terrain_constant(test->sediment, width, height);
    GullySettings* settings = settings_of(test);
    GullyDiffusionParams params =
        *(GullyDiffusionParams*)gully_settings_section(settings, "params", NULL);
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
    if (gully_sim_create(pair.world, settings, &sim_def, &pair.sim))
        fail_msg("%s", gully_message());
    assert_true(fabs(gully_sim_dt(pair.sim) - def.dt) <= 1e-12 * def.dt);

    if (change) change(&def, &params, argument);
    pair.ref = reference_diffusion_create(&def, &params, test->cycle);
    gully_settings_destroy(settings);
    free(heights);
    free(water);
    free(sediment);
    return pair;
}

static ReferenceGap pair_step(Pair* pair, int steps) {
    gully_sim_step(pair->sim, steps);
    reference_diffusion_step(pair->ref, steps);
    return reference_compare(pair->ref->grid, pair->sim);
}

static void pair_destroy(Pair* pair) {
    gully_sim_destroy(pair->sim);
    gully_world_destroy(pair->world);
    reference_diffusion_destroy(pair->ref);
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
    return fmax(first.error, first.ledger) <= slack * tolerance(1) && beyond <= few &&
           last.ledger <= 10 * slack * tolerance(fewer(test->steps));
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

static void disturb_params(ReferenceDef* def, GullyDiffusionParams* params, const void* row) {
    (void)def;
    disturb(row, params);
}

static void disturb_boundary(ReferenceDef* def, GullyDiffusionParams* params, const void* row) {
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
    wants_notice(gully_law_find("diffusion")->params, disturb_params);
    GullySettings* settings = NULL;
    assert_int_equal(gully_settings_create("diffusion", &settings), GULLY_OK);
    const GullyParamTable* sides = NULL;
    gully_settings_section(settings, "boundary", &sides);
    wants_notice(sides, disturb_boundary);
    gully_settings_destroy(settings);
}

static void assert_near(double got, double wanted) {
    if (!(fabs(got - wanted) <= 1e-12)) fail_msg("%.15g, not %.15g", got, wanted);
}

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
        assert_near(ref->grid->d[c], wanted[c]);
        assert_near(ref->grid->s[c], wanted[c] / 2);
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
    assert_near(ref->grid->d[0], (double)0.3f / 2);
    assert_near(ref->grid->d[1], (double)0.3f / 3);
    assert_near(ref->grid->ledger.water_left, 6 * (double)0.3f * 7 / 6);
    assert_near(ref->grid->ledger.solid_left, 6 * ((double)0.03f / 2 + (double)0.06f * 2 / 3));
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
    assert_near(ref->grid->s[0], 0.5 - 0.0375 - 0.05);
    assert_near(ref->grid->s[1], 0.25 + 0.0375 - 0.025);
    assert_near(ref->grid->s[2], 1);
    assert_near(ref->grid->s[3], 0.05 + 0.025);
    reference_diffusion_destroy(ref);
}

int main(void) {
    struct CMUnitTest tests[4 + CASE_COUNT] = {
        cmocka_unit_test(test_transport_by_hand),
        cmocka_unit_test(test_open_side_by_hand),
        cmocka_unit_test(test_mix_by_hand),
        cmocka_unit_test(test_every_parameter_is_noticed),
    };
    for (int n = 0; n < CASE_COUNT; n++) {
        tests[n + 4] = (struct CMUnitTest){.name = cases[n].name,
                                           .test_func = test_case,
                                           .initial_state = (void*)(uintptr_t)&cases[n]};
    }
    return cmocka_run_group_tests_name("diffusion_reference", tests, NULL, NULL);
}
