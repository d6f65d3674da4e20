// Layered ground (MODELS.md L) under `pipe` and `thermal`, against the plain reference in double
// (support/reference_layers.c), case by case.
//
// What may differ is float32: 1e-6 of a quantity's scale after one step, 1e-6 * sqrt(n) after n, as
// in reference_test.c. The scale of every layer is that of the ground, its largest change; where a
// threshold or the end of a layer leaves little of it, the change that there would be without.
//
// What slides is not continuous in the thickness: a layer that is barely there decides the talus,
// and only it slides. Therefore all cells are compared after one step, and all but a hundredth of
// them at the end. With many thin layers that a stream takes away and thermal moves, such ties are
// many, as they are in the reference with noise of 6e-8 in its velocities. That case is marked
// wild; a tenth of its cells may be off at the end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "gully/sim.h"
#include "reference.h"
#include "reference_layers.h"
#include "sanitized.h"
#include "terrains.h"

/// Of the scale, after some steps.
static double tolerance(int steps) {
    return 1e-6 * sqrt(steps);
}

/// Materials, bottom to top. The thickness [m] is that of the thickest places; a third of the
/// ground has none of it.
typedef struct Stack {
    int count;
    struct {
        double erodibility, critical_shear, talus;
        double thickness;
    } material[GULLY_MAX_MATERIALS];
} Stack;

// clang-format off
static const Stack rock = {1, {{0.3, 2, 20, 0}}};
static const Stack plain_rock = {1, {{1, 0, -1, 0}}};
static const Stack sand_on_rock = {2, {{0.2, 5, 50, 0}, {2, 0.5, 30, 0.5}}};
static const Stack bare_rock = {2, {{0.2, 5, 50, 0}, {2, 0.5, 30, 0}}};
static const Stack loose_rock = {2, {{0.2, 5, 25, 0}, {2, 0.5, 20, 0}}};
static const Stack soil = {3, {{0.2, 5, 50, 0}, {1, 1, 38, 1.0}, {2, 0.5, 30, 0.2}}};
static const Stack thin_soil = {3, {{0.2, 5, 50, 0}, {1, 1, 38, 1e-3}, {2, 0.5, 30, 3e-4}}};
static const Stack thick_soil = {3, {{0.2, 5, 50, 0}, {1, 1, 38, 300}, {2, 0.5, 30, 100}}};
static const Stack hard_pan = {3, {{1, 0, 50, 0}, {0, 0, 40, 2e-3}, {2, 0, 30, 1e-3}}};
static const Stack heavy_pan = {3, {{1, 0, 50, 0}, {1, 300, 40, 2e-3}, {2, 0, 30, 1e-3}}};
static const Stack hard_to_soft = {4, {{3, 0, -1, 0}, {1, 0, -1, 2e-3}, {0.3, 0, -1, 1e-3}, {0.1, 0, -1, 5e-4}}};
static const Stack five = {5, {{0.2, 4, 45, 0}, {0.5, 3, 40, 0.01}, {1, 2, 35, 0.01}, {1.5, 1, 30, 0.005}, {2, 0.5, 28, 0.002}}};
static const Stack six = {6, {{0.1, 2, 45, 0}, {0.4, 3, -1, 0.1}, {0.6, 0, 50, 0.2}, {1, 1, 30, 0}, {1.5, 0.1, 35, 0.05}, {2, 0.5, -1, 0.02}}};
static const Stack seven = {7, {{0.1, 2, 45, 0}, {1.4, 3, 20, 1e-3}, {0.6, 0, 50, 2e-3}, {1, 1, 30, 1e-3}, {1.5, 0.1, 35, 5e-4}, {0.7, 2, 25, 1e-4}, {2, 0.5, 33, 2e-4}}};
static const Stack eight = {8, {{0.1, 2, 5, 0}, {1.4, 1.5, 4, 4e-3}, {0.6, 0.2, 6, 4e-3}, {1, 1, 3, 3e-3}, {1.5, 0.1, 4.5, 2e-3}, {0.7, 0.7, 3.5, 2e-3}, {1.2, 0.3, 2.5, 1e-3}, {2, 0.5, 2, 1e-3}}};
// clang-format on

static const double few = 0.01; // of the cells
static const double few_wild = 0.1;

typedef struct Case {
    const char* name;
    int width, height; // [cells]
    double lx, ly;     // [m]
    int tile_size;     // [cells]
    TerrainMaker terrain;
    const char* model;
    const char* set; // "key=value key=value ..."; a key of thermal's switches it on
    const Stack* stack;
    float water, sediment; // at the start [m]
    bool hardness;         // a pattern of 0..1, else 1
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
    {.x = -500, .y = 61, .radius = 20, .rate = 0.3, .concentration = 0.5, .until = GULLY_FOREVER},
    {.x = 330, .y = 300, .radius = 60, .rate = 0.01, .until = GULLY_FOREVER},
};

#define ALL_OPEN "boundary.west=open boundary.east=open boundary.north=open boundary.south=open"
#define HUNGRY "rain.rate=1e-3 params.capacity=3 params.dissolve=0.8 params.deposit=0.7 "

// clang-format off
static const Case cases[] = {
    // name                  size     cell    tile  terrain         model      settings  stack  water sediment hardness sources steps wild
    {"one cell",             1, 1,    2, 3,   8,    terrain_rough,  "pipe",    "rain.rate=1e-3 " ALL_OPEN, &soil, 1, 0.1f, false, NO_SOURCES, 50, false},
    {"one row",              17, 1,   2, 3,   8,    terrain_rough,  "pipe",    "rain.rate=1e-3 boundary.west=open", &soil, 0.1f, 0, false, NO_SOURCES, 50, false},
    {"one column",           1, 17,   2, 3,   8,    terrain_rough,  "pipe",    "rain.rate=1e-3 thermal.talus=20", &soil, 0.1f, 0, false, NO_SOURCES, 50, false},
    {"rock",                 64, 64,  5, 5,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3", &rock, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"rock that slides",     64, 64,  5, 5,   32,   terrain_alpine, "pipe",    "rain.rate=1e-3 thermal.talus=60", &rock, 0, 0, false, NO_SOURCES, 50, false},
    {"plain rock",           64, 64,  5, 5,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3 thermal.talus=5", &plain_rock, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"sand on rock",         97, 61,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3", &sand_on_rock, 0.2f, 0, false, NO_SOURCES, 50, false},
    {"bare rock",            97, 61,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3", &bare_rock, 0.2f, 0.01f, false, NO_SOURCES, 50, false},
    {"soil",                 97, 61,  5, 8,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3", &soil, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"soil, walls",          97, 61,  5, 8,   8,    terrain_holes,  "pipe",    "rain.rate=1e-3 " ALL_OPEN, &soil, 0.3f, 0.01f, true, SOURCES(springs), 50, false},
    {"thin soil",            97, 61,  5, 8,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3", &thin_soil, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"thin soil, hungry",    97, 61,  10, 10, 32,   terrain_rough,  "pipe",    HUNGRY, &thin_soil, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"thick soil",           97, 61,  5, 8,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3", &thick_soil, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"thick soil, high up",  97, 61,  10, 10, 32,   terrain_alpine, "pipe",    "rain.rate=1e-3", &thick_soil, 0.1f, 0, false, NO_SOURCES, 50, false},
    {"hard pan",             64, 64,  10, 10, 32,   terrain_rough,  "pipe",    HUNGRY, &hard_pan, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"heavy pan",            64, 64,  10, 10, 32,   terrain_rough,  "pipe",    HUNGRY, &heavy_pan, 0.5f, 0, false, NO_SOURCES, 30, false},
    {"hard to soft",         64, 64,  10, 10, 32,   terrain_rough,  "pipe",    HUNGRY, &hard_to_soft, 0.5f, 0, false, NO_SOURCES, 15, false},
    {"five",                 64, 64,  10, 7,  32,   terrain_rough,  "pipe",    HUNGRY, &five, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"six",                  64, 64,  10, 7,  8,    terrain_rough,  "pipe",    HUNGRY "boundary.south=open", &six, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"seven",                64, 64,  10, 7,  32,   terrain_holes,  "pipe",    HUNGRY, &seven, 0.5f, 0, false, SOURCES(springs), 50, false},
    {"eight",                64, 64,  10, 7,  32,   terrain_rough,  "pipe",    HUNGRY, &eight, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"strong drag",          64, 64,  10, 10, 32,   terrain_rough,  "pipe",    HUNGRY "params.drag=0.1", &soil, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"weak drag",            64, 64,  10, 10, 32,   terrain_rough,  "pipe",    HUNGRY "params.drag=1e-3", &soil, 0.5f, 0, false, NO_SOURCES, 50, false},
    {"rates beyond 1",       64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.dissolve=20 params.deposit=60", &thin_soil, 0.2f, 0, false, NO_SOURCES, 50, false},
    {"hard rock",            64, 64,  10, 10, 32,   terrain_rough,  "pipe",    HUNGRY "params.softening=20", &soil, 0.5f, 0.02f, true, NO_SOURCES, 50, false},
    {"water exchange",       64, 64,  10, 10, 32,   terrain_rough,  "pipe",    HUNGRY "params.exchange_water=on", &thin_soil, 0.2f, 0, false, NO_SOURCES, 50, false},
    {"semi_lagrangian",      97, 61,  5, 8,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.transport=semi_lagrangian", &soil, 0.2f, 0.01f, false, SOURCES(springs), 50, false},
    {"dries early",          97, 61,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.dry_depth=1e-3 params.evaporation=0.05", &soil, 0.05f, 0.01f, false, NO_SOURCES, 50, false},
    {"thermal",              97, 61,  10, 10, 32,   terrain_alpine, "pipe",    "rain.rate=1e-3 thermal.rate=0.2", &soil, 0, 0, false, NO_SOURCES, 50, false},
    {"thermal, four",        64, 64,  10, 7,  8,    terrain_alpine, "pipe",    "rain.rate=1e-3 thermal.neighbours=4 thermal.talus=25 thermal.rate=0.5", &six, 0, 0, false, NO_SOURCES, 50, false},
    {"slides: rock",         64, 64,  10, 7,  32,   terrain_alpine, "thermal", "params.talus=20 params.rate=0.1", &rock, 0, 0, false, NO_SOURCES, 50, false},
    {"slides: bare rock",    64, 64,  10, 7,  32,   terrain_alpine, "thermal", "params.talus=20 params.rate=0.1", &loose_rock, 0, 0, false, NO_SOURCES, 50, false},
    {"slides: sand",         64, 64,  10, 7,  32,   terrain_alpine, "thermal", "params.talus=20 params.rate=0.1", &sand_on_rock, 0, 0, false, NO_SOURCES, 50, false},
    {"slides: thick soil",   64, 64,  10, 7,  32,   terrain_alpine, "thermal", "params.talus=20 params.rate=0.1", &thick_soil, 0, 0, false, NO_SOURCES, 50, false},
    {"slides: six",          64, 64,  10, 7,  32,   terrain_alpine, "thermal", "params.talus=20 params.rate=0.1", &six, 0, 0, false, NO_SOURCES, 50, false},
    {"slides: eight",        97, 61,  10, 7,  8,    terrain_alpine, "thermal", "params.talus=20 params.rate=3 params.neighbours=4", &eight, 0, 0, false, NO_SOURCES, 50, false},
    {"slides: hardness",     97, 61,  1, 1,   8,    terrain_holes,  "thermal", "rain.rate=1e-3 params.rate=0.2 boundary.west=open params.hardness_talus=0.3", &soil, 0.1f, 0.1f, true, SOURCES(springs), 50, false},
    {"everything",           97, 61,  5, 8,   100,  terrain_holes,  "pipe",    "rain.rate=1e-3 params.gravity=5 params.friction=0.5 params.capacity=4 params.dissolve=0.9 params.deposit=0.4 params.min_tilt=0.05 params.depth_limit=0.3 params.evaporation=0.02 params.softening=1 params.exchange_water=on params.dry_depth=0.015 params.drag=0.02 thermal.rate=0.3 thermal.talus=5 thermal.hardness_talus=0.1 boundary.east=open boundary.south=open", &eight, 0.02f, 0.01f, true, SOURCES(springs), 3, false},
    {"everything, long",     97, 61,  5, 8,   100,  terrain_holes,  "pipe",    "rain.rate=1e-3 params.gravity=5 params.friction=0.5 params.capacity=4 params.dissolve=0.9 params.deposit=0.4 params.min_tilt=0.05 params.depth_limit=0.3 params.evaporation=0.02 params.softening=1 params.exchange_water=on params.dry_depth=0.015 params.drag=0.02 thermal.rate=0.3 thermal.talus=5 thermal.hardness_talus=0.1 boundary.east=open boundary.south=open", &eight, 0.02f, 0.01f, true, SOURCES(springs), 50, true},
    {"all but thermal",      97, 61,  5, 8,   100,  terrain_holes,  "pipe",    "rain.rate=1e-3 params.gravity=5 params.friction=0.5 params.capacity=4 params.dissolve=0.9 params.deposit=0.4 params.min_tilt=0.05 params.depth_limit=0.3 params.evaporation=0.02 params.softening=1 params.exchange_water=on params.dry_depth=0.015 params.drag=0.02 boundary.east=open boundary.south=open", &eight, 0.02f, 0.01f, true, SOURCES(springs), 50, false},
};
// clang-format on

enum { CASE_COUNT = sizeof cases / sizeof *cases };

// ---- one case as settings, a simulation and a reference -----------------------------------------

static GullySettings* settings_of(const Case* test) {
    GullySettings* settings = NULL;
    assert_int_equal(gully_settings_create(test->model, &settings), GULLY_OK);
    char text[1024];
    snprintf(text, sizeof text, "%s", test->set);
    char* rest = text;
    for (char* key; (key = strtok_r(rest, " ", &rest));) {
        char* value = strchr(key, '=');
        *value++ = '\0';
        if (gully_settings_set_text(settings, key, value)) fail_msg("%s", gully_message());
        if (strncmp(key, "thermal.", 8) == 0) gully_settings_switch(settings, "thermal", true);
    }
    for (int n = 0; n < test->source_count; n++) {
        assert_int_equal(gully_settings_add_source(settings, &test->sources[n]), GULLY_OK);
    }
    return settings;
}

static float* hardness_of(const Case* test) {
    float* out = terrain_constant(1, test->width, test->height);
    for (int c = 0; test->hardness && c < test->width * test->height; c++) {
        double k = 2 * terrain_noise(c % test->width, c / test->width, 12, 5) - 0.5;
        out[c] = (float)fmin(fmax(k, 0), 1);
    }
    return out;
}

/// A layer comes and goes.
static float* thickness_of(const Case* test, int material) {
    float* out = terrain_constant(0, test->width, test->height);
    for (int c = 0; c < test->width * test->height; c++) {
        uint32_t seed = 100 + 10 * (uint32_t)material;
        double amount = 2 * terrain_noise(c % test->width, c / test->width, 9, seed) - 0.9;
        out[c] = (float)(test->stack->material[material].thickness * fmin(fmax(amount, 0), 1));
    }
    return out;
}

static void materials_of(const Stack* stack, GullyMaterial* out) {
    for (int m = 0; m < stack->count; m++) {
        char name[32];
        snprintf(name, sizeof name, "material%d", m);
        out[m] = gully_material(name, m);
        out[m].erodibility = stack->material[m].erodibility;
        out[m].critical_shear = stack->material[m].critical_shear;
        out[m].talus = stack->material[m].talus;
    }
}

/// MODELS.md P: 0.9 of the stable limit for `pipe`, 1 s for the others.
static double automatic_dt(const ReferenceDef* def) {
    if (!def->run_pipe) return 1;
    return 0.9 * sqrt(1 / (2 * def->pipe.gravity * (1 / def->lx + 1 / def->ly)));
}

static ReferenceDef reference_def(const Case* test, GullySettings* settings) {
    ReferenceDef def = {.width = test->width,
                        .height = test->height,
                        .lx = test->lx,
                        .ly = test->ly,
                        .sources = test->sources,
                        .source_count = test->source_count};
    def.run_pipe = strcmp(test->model, "pipe") == 0;
    def.run_thermal = !def.run_pipe || gully_settings_is_on(settings, "thermal");
    if (def.run_pipe)
        def.pipe = *(GullyPipeParams*)gully_settings_section(settings, "params", NULL);
    const char* thermal = def.run_pipe ? "thermal" : "params";
    def.thermal = *(GullyThermalParams*)gully_settings_section(settings, thermal, NULL);
    def.boundary = *(GullyBoundaryParams*)gully_settings_section(settings, "boundary", NULL);
    def.rain = ((GullyRainParams*)gully_settings_section(settings, "rain", NULL))->rate;
    def.dt = automatic_dt(&def);
    return def;
}

typedef struct Pair {
    GullyWorld* world;
    GullySim* sim;
    Reference* ref;
    GullyMaterial materials[GULLY_MAX_MATERIALS]; // the reference's
} Pair;

/// Changes what the reference computes, to see whether the comparison notices.
typedef struct Change {
    const GullyParam* row;
    int material; // -1 = a parameter of pipe
} Change;

/// Makes a parameter a little different: 1 % more.
static void disturb(Pair* pair, ReferenceDef* def, const Change* change) {
    void* params = &def->pipe;
    if (change->material >= 0) params = &pair->materials[change->material];
    *(double*)(void*)((char*)params + change->row->offset) *= 1.01;
}

static void write_field(GullyWorld* world, GullyField field, const float* values) {
    if (gully_world_write(world, field, gully_world_all(world), values))
        fail_msg("%s", gully_message());
}

static Pair* pair_create(const Case* test, const Change* change) {
    int width = test->width, height = test->height;
    Pair* pair = calloc(1, sizeof *pair);
    float* heights = terrain_make(test->terrain, width, height);
    float* water = terrain_constant(test->water, width, height);
    float* sediment = terrain_constant(test->sediment, width, height);
    float* hardness = hardness_of(test);
    float* thickness[GULLY_MAX_MATERIALS] = {0};
    GullySettings* settings = settings_of(test);
    ReferenceDef def = reference_def(test, settings);
    def.heights = heights;
    def.water = water;
    def.sediment = sediment;
    def.hardness = hardness;
    def.materials = pair->materials;
    def.material_count = test->stack->count;
    materials_of(test->stack, pair->materials);

    pair->world = terrain_world(heights, width, height, test->lx, test->ly, test->tile_size);
    if (gully_world_set_materials(pair->world, pair->materials, test->stack->count))
        fail_msg("%s", gully_message());
    for (int m = 1; m < test->stack->count; m++) {
        def.thickness[m] = thickness[m] = thickness_of(test, m);
        write_field(pair->world, GULLY_LAYER(m), thickness[m]);
    }
    write_field(pair->world, GULLY_WATER, water);
    write_field(pair->world, GULLY_SEDIMENT, sediment);
    if (test->hardness) write_field(pair->world, GULLY_HARDNESS, hardness);
    GullySimDef sim_def = gully_sim_def();
    sim_def.threads = 2;
    if (gully_sim_create(pair->world, settings, &sim_def, &pair->sim))
        fail_msg("%s", gully_message());
    assert_true(fabs(gully_sim_dt(pair->sim) - def.dt) <= 1e-12 * def.dt);

    if (change) disturb(pair, &def, change);
    pair->ref = reference_create(&def);
    gully_settings_destroy(settings);
    for (int m = 0; m < GULLY_MAX_MATERIALS; m++)
        free(thickness[m]);
    free(heights);
    free(water);
    free(sediment);
    free(hardness);
    return pair;
}

static ReferenceGap pair_step(Pair* pair, int steps) {
    gully_sim_step(pair->sim, steps);
    reference_step(pair->ref, steps);
    return reference_compare(pair->ref, pair->sim);
}

static void pair_destroy(Pair* pair) {
    gully_sim_destroy(pair->sim);
    gully_world_destroy(pair->world);
    reference_destroy(pair->ref);
    free(pair);
}

// ---- tests --------------------------------------------------------------------------------------

enum { REPORT_SIZE = 1024 };

/// Whether both agree to `slack` times the tolerance: after one step in every cell, at the end in
/// all but a few.
static bool pair_agrees(Pair* pair, const Case* test, double slack, char report[REPORT_SIZE]) {
    ReferenceGap first = pair_step(pair, 1);
    ReferenceGap last = pair_step(pair, fewer(test->steps) - 1);
    double beyond = reference_beyond(pair->ref, slack * tolerance(fewer(test->steps)));
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
    Pair* pair = pair_create(test, NULL);
    char report[REPORT_SIZE];
    bool agrees = pair_agrees(pair, test, 1, report);
    print_message("    %s\n", report);
    if (!agrees) fail_msg("too far from the reference");
    pair_destroy(pair);
}

static const Case* find_case(const char* name) {
    for (int n = 0; n < CASE_COUNT; n++) {
        if (strcmp(cases[n].name, name) == 0) return &cases[n];
    }
    return NULL;
}

static void wants_notice(const char* name, int steps, const GullyParamTable* table,
                         const char* parameter, int material) {
    Change change = {gully_params_find(table, parameter), material};
    Pair* pair = pair_create(find_case(name), &change);
    char report[REPORT_SIZE];
    Case test = *find_case(name);
    test.steps = steps;
    if (pair_agrees(pair, &test, 10, report)) {
        fail_msg("%s of %d does not matter to the comparison", parameter, material);
    }
    pair_destroy(pair);
}

/// The comparison is worth something: it sees 1 % in the parameters of any material, and in the
/// drag.
static void test_every_parameter_is_noticed(void** state) {
    (void)state;
    const GullyParamTable* table = gully_material_table();
    for (int m = 0; m < eight.count; m++) {
        wants_notice("eight", 3, table, "erodibility", m);
        wants_notice("eight", 3, table, "critical_shear", m);
        wants_notice("everything", 3, table, "talus", m);
    }
    wants_notice("eight", 3, gully_law_find("pipe")->params, "drag", -1);
}

static void assert_near(double got, double wanted) {
    if (!(fabs(got - wanted) <= 1e-12)) fail_msg("%.15g, not %.15g", got, wanted);
}

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
    assert_near(reference_dig(ref, 0, 4), 0.125 + 0.25 + rest);
    assert_near(ref->layer[3][0], 0);
    assert_near(ref->layer[1][0], 0);
    assert_near(ref->b[0], 100 - 0.375 - rest);
    assert_near(reference_bedrock(ref, 0), 100 - 0.375 - rest);
    reference_lay(ref, 0, 2);
    assert_near(ref->layer[3][0], 2);
    ref->v[0] = 0.5; // 2.5 Pa
    reference_lay(ref, 0, -2);
    assert_near(reference_dig(ref, 0, 4), 0);
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
    assert_near(ref->b[0], 9 - 0.375);
    assert_near(ref->b[1], 1 + 0.375 + 0.1875);
    assert_near(ref->b[2], 4 - 0.1875);
    assert_near(ref->layer[2][1], 0.375);
    assert_near(ref->layer[1][1], 0.1875);
    assert_near(ref->layer[1][2], 0.0625);
    reference_thermal(ref);
    assert_near(ref->layer[1][2], 0); // all that is left of it
    assert_near(ref->b[2], 4 - 0.25);
    reference_destroy(ref);
}

int main(void) {
    struct CMUnitTest tests[3 + CASE_COUNT] = {
        cmocka_unit_test(test_digging_by_hand),
        cmocka_unit_test(test_sliding_by_hand),
        cmocka_unit_test(test_every_parameter_is_noticed),
    };
    for (int n = 0; n < CASE_COUNT; n++) {
        tests[n + 3] = (struct CMUnitTest){.name = cases[n].name,
                                           .test_func = test_case,
                                           .initial_state = (void*)(uintptr_t)&cases[n]};
    }
    return cmocka_run_group_tests_name("layers_reference", tests, NULL, NULL);
}
