// The engine against the plain reference in double (support/reference.c), case by case.
//
// What may differ is float32. A quantity that takes some ten operations a step is right to about
// 16 * 2^-24 = 1e-6 of its scale after one step; the roundings of n steps are independent and the
// scheme is stable, so they add up like a random walk, to 1e-6 * sqrt(n). The scale of a field is
// its largest value; of the ground its largest change, plus half a unit in the last place of the
// height, because a height is read as one float; of a velocity W/(width * depth), what errors of
// that size in W and in the depth make of it where the water is thin.
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
#include "sanitized.h"
#include "terrains.h"

/// Of the scale, after some steps.
static double tolerance(int steps) {
    return 1e-6 * sqrt(steps);
}

typedef struct Case {
    const char* name;
    int width, height; // [cells]
    double lx, ly;     // [m]
    int tile_size;     // [cells]
    TerrainMaker terrain;
    const char* model;
    const char* set;       // "key=value key=value ..."; a key of thermal's switches it on
    float water, sediment; // at the start [m]
    bool hardness;         // a pattern of 0..1, else 1
    const GullySource* sources;
    int source_count;
    int steps;
} Case;

#define NO_SOURCES NULL, 0
#define SOURCES(list) list, (int)(sizeof list / sizeof *list)

static const GullySource springs[] = {
    {.x = 101, .y = 83, .radius = 35, .rate = 0.02, .concentration = 0.1, .until = GULLY_FOREVER},
    {.x = 203, .y = 151, .radius = 0, .rate = 0.2, .from = 3.05, .until = 9.05},
    {.x = -500, .y = 61, .radius = 20, .rate = 0.3, .concentration = 0.5, .until = GULLY_FOREVER},
    {.x = 330, .y = 300, .radius = 60, .rate = 0.01, .until = GULLY_FOREVER},
};

static const GullySource spring[] = {
    {.x = 1, .y = 1, .radius = 3, .rate = 0.02, .concentration = 0.1, .until = GULLY_FOREVER},
};

// clang-format off
static const Case cases[] = {
    // name                  size     cell    tile  terrain         model      settings  water sediment hardness sources steps
    {"one cell",             1, 1,    1, 1,   8,    terrain_rough,  "pipe",    "rain.rate=1e-3", 0, 0, false, SOURCES(spring), 50},
    {"one cell, all open",   1, 1,    2, 3,   8,    terrain_rough,  "pipe",    "rain.rate=1e-3 boundary.west=open boundary.east=open boundary.north=open boundary.south=open", 1, 0.1f, false, NO_SOURCES, 50},
    {"one column",           1, 17,   2, 3,   8,    terrain_rough,  "pipe",    "rain.rate=1e-3 boundary.south=open", 0, 0, false, SOURCES(spring), 50},
    {"one row",              17, 1,   2, 3,   8,    terrain_rough,  "pipe",    "rain.rate=1e-3 boundary.west=open", 0, 0, false, SOURCES(spring), 50},
    {"one row, thermal",     17, 1,   1, 1,   100,  terrain_rough,  "pipe",    "rain.rate=1e-3 thermal.talus=10", 0, 0, true, NO_SOURCES, 50},
    {"two by two",           2, 2,    1, 1,   8,    terrain_plane,  "pipe",    "rain.rate=1e-3", 0.1f, 0, false, SOURCES(spring), 50},
    {"defaults",             97, 61,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3", 0, 0, false, NO_SOURCES, 50},
    {"non-square cells",     97, 61,  5, 8,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3", 0, 0, false, NO_SOURCES, 50},
    {"walls",                97, 61,  5, 8,   32,   terrain_holes,  "pipe",    "rain.rate=1e-3", 0.3f, 0, false, SOURCES(springs), 50},
    {"flooded",              64, 64,  5, 5,   8,    terrain_basin,  "pipe",    "rain.rate=1e-3", 3, 0, false, NO_SOURCES, 50},
    {"west open",            64, 64,  5, 5,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3 boundary.west=open", 0.5f, 0.01f, false, NO_SOURCES, 50},
    {"east open",            64, 64,  5, 5,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3 boundary.east=open", 0.5f, 0.01f, false, NO_SOURCES, 50},
    {"north open",           64, 64,  5, 5,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3 boundary.north=open", 0.5f, 0.01f, false, NO_SOURCES, 50},
    {"south open",           64, 64,  5, 5,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3 boundary.south=open", 0.5f, 0.01f, false, NO_SOURCES, 50},
    {"all open, walls",      97, 61,  6, 4,   100,  terrain_holes,  "pipe",    "rain.rate=1e-3 boundary.west=open boundary.east=open boundary.north=open boundary.south=open", 0.5f, 0.01f, true, SOURCES(springs), 50},
    {"film off",             97, 61,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.film=off", 0.5f, 0, false, NO_SOURCES, 50},
    {"as in the paper",      64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.film=off params.friction=0 params.depth_limit=0 params.transport=semi_lagrangian boundary.east=open", 0.5f, 0, false, NO_SOURCES, 50},
    {"no friction",          64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.friction=0", 0.5f, 0, false, NO_SOURCES, 50},
    {"strong friction",      64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.friction=20", 0.5f, 0, false, NO_SOURCES, 50},
    {"moon",                 64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.gravity=1.62", 0.5f, 0, false, NO_SOURCES, 50},
    {"narrow pipes",         64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.pipe_area=3", 0.5f, 0, false, NO_SOURCES, 50},
    {"long pipes",           64, 64,  5, 10,  32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.pipe_length=17 params.film=off", 0.5f, 0, false, NO_SOURCES, 50},
    {"hungry water",         64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.capacity=3 params.dissolve=0.8 params.deposit=0.7", 0.2f, 0, false, NO_SOURCES, 50},
    {"rates beyond 1",       64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.dissolve=50 params.deposit=60", 0.2f, 0, false, NO_SOURCES, 50},
    {"tilt and depth",       64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.min_tilt=0.3 params.depth_limit=1.5", 0.5f, 0, false, NO_SOURCES, 50},
    {"no tilt, no limit",    64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.min_tilt=0 params.depth_limit=0", 0.5f, 0, false, NO_SOURCES, 50},
    {"heat",                 64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.evaporation=0.5", 0.5f, 0.01f, false, NO_SOURCES, 50},
    {"all evaporates",       64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.evaporation=10", 0.5f, 0.01f, false, NO_SOURCES, 50},
    {"dries early",          97, 61,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.dry_depth=1e-3 params.evaporation=0.05", 0.05f, 0.01f, false, NO_SOURCES, 50},
    {"never dries",          97, 61,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.dry_depth=0", 0, 0, false, NO_SOURCES, 50},
    {"hard rock",            64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3", 0.5f, 0, true, NO_SOURCES, 50},
    {"rock softens",         64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.softening=20", 0.5f, 0.02f, true, NO_SOURCES, 50},
    {"water exchange",       64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.exchange_water=on params.capacity=3", 0.2f, 0, false, NO_SOURCES, 50},
    {"mud",                  64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.exchange_water=on params.deposit=1", 0.01f, 0.2f, false, NO_SOURCES, 50},
    {"semi_lagrangian",      97, 61,  5, 8,   32,   terrain_rough,  "pipe",    "rain.rate=1e-3 params.transport=semi_lagrangian", 0.2f, 0.01f, false, SOURCES(springs), 50},
    {"semi_lagrangian, walls", 97, 61, 8, 5,  8,    terrain_holes,  "pipe",    "rain.rate=1e-3 params.transport=semi_lagrangian boundary.west=open boundary.north=open", 0.2f, 0.01f, true, SOURCES(springs), 50},
    {"semi_lagrangian, row", 17, 1,   2, 3,   8,    terrain_rough,  "pipe",    "rain.rate=1e-3 params.transport=semi_lagrangian", 0.2f, 0.01f, false, NO_SOURCES, 50},
    {"short steps",          64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 dt=0.01", 0.2f, 0, false, NO_SOURCES, 50},
    {"unstable steps",       64, 64,  10, 10, 32,   terrain_rough,  "pipe",    "rain.rate=1e-3 dt=0.6 allow_unstable=on", 0.2f, 0, false, NO_SOURCES, 20},
    {"mountains",            97, 61,  10, 10, 32,   terrain_alpine, "pipe",    "rain.rate=1e-3 thermal.rate=0.2", 0, 0, false, NO_SOURCES, 50},
    {"thermal, 4",           64, 64,  10, 7,  8,    terrain_alpine, "pipe",    "rain.rate=1e-3 thermal.neighbours=4 thermal.talus=25 thermal.rate=0.5", 0, 0, false, NO_SOURCES, 50},
    {"thermal, hardness",    64, 64,  10, 7,  8,    terrain_rough,  "pipe",    "rain.rate=1e-3 thermal.talus=1 thermal.hardness_talus=0.1 params.softening=1", 0.5f, 0, true, NO_SOURCES, 50},
    {"thermal alone",        64, 64,  10, 7,  32,   terrain_alpine, "thermal", "params.talus=20 params.rate=0.1", 0, 0, false, NO_SOURCES, 50},
    {"thermal alone, rain",  97, 61,  1, 1,   8,    terrain_holes,  "thermal", "rain.rate=1e-3 params.neighbours=4 params.rate=3 boundary.west=open params.hardness_talus=0.3", 0.1f, 0.1f, true, SOURCES(springs), 50},
    {"everything",           97, 61,  5, 8,   100,  terrain_holes,  "pipe",    "rain.rate=1e-3 params.gravity=5 params.pipe_area=0.1 dt=0.5 params.pipe_length=7 params.friction=0.5 params.capacity=2 params.dissolve=0.3 params.deposit=0.4 params.min_tilt=0.05 params.depth_limit=0.3 params.evaporation=0.02 params.softening=5 params.exchange_water=on params.dry_depth=0.015 thermal.rate=0.3 thermal.talus=5 thermal.hardness_talus=0.1 boundary.east=open boundary.south=open", 0.02f, 0.01f, true, SOURCES(springs), 50},
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
        if (gully_settings_set_text(settings, key, value) != GULLY_OK)
            fail_msg("%s", gully_message());
        if (strncmp(key, "thermal.", 8) == 0) gully_settings_switch(settings, "thermal", true);
    }
    for (int n = 0; n < test->source_count; n++) {
        assert_int_equal(gully_settings_add_source(settings, &test->sources[n]), GULLY_OK);
    }
    return settings;
}

static void hardness_pattern(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        double k = 2 * terrain_noise(c % width, c / width, 12, 5) - 0.5;
        out[c] = (float)fmin(fmax(k, 0), 1);
    }
}

typedef struct Pair {
    GullyWorld* world;
    GullySim* sim;
    Reference* ref;
    float* heights;
} Pair;

/// MODELS.md P: 0.9 of the stable limit for `pipe`, 1 s for the others.
static double automatic_dt(const ReferenceDef* def) {
    if (!def->run_pipe) return 1;
    const GullyPipeParams* p = &def->pipe;
    double a = def->lx * def->ly;
    double A = p->pipe_area > 0 ? p->pipe_area : a;
    double length_x = p->pipe_length > 0 ? p->pipe_length : def->lx;
    double length_y = p->pipe_length > 0 ? p->pipe_length : def->ly;
    return 0.9 * sqrt(a / (2 * p->gravity * A * (1 / length_x + 1 / length_y)));
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
    def.dt = ((GullyTimeParams*)gully_settings_section(settings, "", NULL))->dt;
    if (def.dt <= 0) def.dt = automatic_dt(&def);
    return def;
}

/// Starts a case on both sides. `change`, if given, makes the reference another one.
static Pair pair_create(const Case* test, void (*change)(ReferenceDef*, const void*),
                        const void* argument) {
    int width = test->width, height = test->height;
    Pair pair = {.heights = terrain_make(test->terrain, width, height)};
    float* water = terrain_constant(test->water, width, height);
    float* sediment = terrain_constant(test->sediment, width, height);
    float* hardness = terrain_make(hardness_pattern, width, height);
    GullySettings* settings = settings_of(test);
    ReferenceDef def = reference_def(test, settings);
    def.heights = pair.heights;
    def.water = water;
    def.sediment = sediment;
    if (test->hardness) def.hardness = hardness;

    pair.world = terrain_world(pair.heights, width, height, test->lx, test->ly, test->tile_size);
    GullyRect all = gully_world_all(pair.world);
    assert_int_equal(gully_world_write(pair.world, GULLY_WATER, all, water), GULLY_OK);
    assert_int_equal(gully_world_write(pair.world, GULLY_SEDIMENT, all, sediment), GULLY_OK);
    if (test->hardness) {
        assert_int_equal(gully_world_write(pair.world, GULLY_HARDNESS, all, hardness), GULLY_OK);
    }
    GullySimDef sim_def = gully_sim_def();
    sim_def.velocity = true;
    sim_def.threads = 2;
    if (gully_sim_create(pair.world, settings, &sim_def, &pair.sim))
        fail_msg("%s", gully_message());
    assert_true(fabs(gully_sim_dt(pair.sim) - def.dt) <= 1e-12 * def.dt);

    if (change) change(&def, argument);
    pair.ref = reference_create(&def);
    gully_settings_destroy(settings);
    free(water);
    free(sediment);
    free(hardness);
    return pair;
}

static void pair_step(Pair* pair, int steps) {
    gully_sim_step(pair->sim, steps);
    reference_step(pair->ref, steps);
}

static void pair_destroy(Pair* pair) {
    gully_sim_destroy(pair->sim);
    gully_world_destroy(pair->world);
    reference_destroy(pair->ref);
    free(pair->heights);
}

// ---- comparing ----------------------------------------------------------------------------------

/// The worst difference seen, in units of the scale of its quantity.
typedef struct Worst {
    double error;
    char where[160];
} Worst;

static void note(Worst* worst, double difference, double scale, const char* what, int i, int j,
                 double got, double wanted) {
    double error = difference > 0 ? difference / fmax(scale, 1e-30) : 0;
    if (isnan(difference)) error = INFINITY;
    if (error <= worst->error) return;
    worst->error = error;
    snprintf(worst->where, sizeof worst->where, "%s at (%d, %d): %.9g, reference %.9g", what, i, j,
             got, wanted);
}

static double largest(const Reference* ref, const double* field) {
    double most = 0;
    for (int c = 0; c < ref->def.width * ref->def.height; c++) {
        if (ref->inside[c]) most = fmax(most, fabs(field[c]));
    }
    return most;
}

/// Half a unit in the last place: what reading a number as a float may cost.
static double read_error(double value) {
    float near = (float)fabs(value);
    return (double)(nextafterf(near, INFINITY) - near) / 2;
}

static void compare_field(const Pair* pair, GullyField field, const double* values, double factor,
                          double scale, Worst* worst) {
    float* got = terrain_read(pair->world, field);
    for (int c = 0; c < pair->ref->def.width * pair->ref->def.height; c++) {
        int i = c % pair->ref->def.width, j = c / pair->ref->def.width;
        if (!pair->ref->inside[c]) {
            assert_true(isnan(got[c]));
            continue;
        }
        double wanted = values[c] * factor;
        double difference = fabs((double)got[c] - wanted);
        if (field == GULLY_TERRAIN) difference -= read_error(wanted);
        note(worst, difference, scale, gully_field_name(field), i, j, (double)got[c], wanted);
    }
    free(got);
}

static void compare_velocity(const Pair* pair, GullyField field, const double* values,
                             const double* discharge, double across, Worst* worst) {
    const Reference* ref = pair->ref;
    float* got = terrain_read(pair->world, field);
    double flow = largest(ref, discharge) / across;
    double depth = fmax(largest(ref, ref->d1), largest(ref, ref->d2));
    for (int c = 0; c < ref->def.width * ref->def.height; c++) {
        if (!ref->inside[c]) continue;
        double dbar = (ref->d1[c] + ref->d2[c]) / 2;
        double scale = (flow + fabs(values[c]) * depth) / fmax(dbar, 1e-4);
        note(worst, fabs((double)got[c] - values[c]), scale, gully_field_name(field),
             c % ref->def.width, c / ref->def.width, (double)got[c], values[c]);
    }
    free(got);
}

static void compare_fields(const Pair* pair, Worst* worst) {
    const Reference* ref = pair->ref;
    double moved = fmax(largest(ref, ref->wear), largest(ref, ref->deposit));
    for (int c = 0; c < ref->def.width * ref->def.height; c++) {
        if (ref->inside[c]) moved = fmax(moved, fabs(ref->b[c] - (double)pair->heights[c]));
    }
    double mean = 1 / (double)ref->steps;
    compare_field(pair, GULLY_TERRAIN, ref->b, 1, moved, worst);
    compare_field(pair, GULLY_WATER, ref->d, 1, fmax(largest(ref, ref->d), largest(ref, ref->d1)),
                  worst);
    compare_field(pair, GULLY_SEDIMENT, ref->s, 1, fmax(largest(ref, ref->s), moved), worst);
    compare_field(pair, GULLY_HARDNESS, ref->k, 1, 1, worst);
    compare_field(pair, GULLY_FLOW, ref->flow_sum, mean, mean * largest(ref, ref->flow_sum), worst);
    compare_field(pair, GULLY_WEAR, ref->wear, 1, moved, worst);
    compare_field(pair, GULLY_DEPOSIT, ref->deposit, 1, moved, worst);
    compare_velocity(pair, GULLY_VELOCITY_X, ref->u, ref->wx, ref->def.ly, worst);
    compare_velocity(pair, GULLY_VELOCITY_Y, ref->v, ref->wy, ref->def.lx, worst);
}

static void compare_term(Worst* worst, const char* name, double got, double wanted, double scale) {
    note(worst, fabs(got - wanted), fmax(fabs(wanted), scale), name, 0, 0, got, wanted);
}

/// Each term to its own size; what comes of a difference, to the size of what it is the difference
/// of: erosion and deposition are two sides of C - s.
static void compare_ledger(const Pair* pair, Worst* worst) {
    const Reference* ref = pair->ref;
    const ReferenceLedger* wanted = &ref->ledger;
    GullyBudget got;
    gully_sim_budget(pair->sim, &got);
    double carried = wanted->eroded + wanted->deposited + wanted->solid_sources;
    compare_term(worst, "rain", got.water.rain, wanted->rain, 0);
    compare_term(worst, "water sources", got.water.sources, wanted->water_sources, 0);
    compare_term(worst, "exchanged", got.water.exchanged, wanted->exchanged, carried);
    compare_term(worst, "evaporated", got.water.evaporated, wanted->evaporated, 0);
    compare_term(worst, "water left", got.water.left, wanted->water_left, 0);
    compare_term(worst, "water present", got.water.present, reference_volume(ref, ref->d),
                 got.water.moved);
    compare_term(worst, "solid sources", got.solid.sources, wanted->solid_sources, 0);
    compare_term(worst, "solid left", got.solid.left, wanted->solid_left, 0);
    compare_term(worst, "transport loss", got.solid.transport_loss, wanted->transport_loss,
                 carried);
    compare_term(worst, "suspended", got.solid.suspended, reference_volume(ref, ref->s), carried);
    compare_term(worst, "eroded", got.solid.eroded, wanted->eroded, carried);
    compare_term(worst, "deposited", got.solid.deposited, wanted->deposited, carried);
    compare_term(worst, "slid", got.solid.slid, wanted->slid, 0);
}

static Worst compare(const Pair* pair) {
    Worst worst = {0};
    compare_fields(pair, &worst);
    compare_ledger(pair, &worst);
    return worst;
}

// ---- tests --------------------------------------------------------------------------------------

static void test_case(void** state) {
    const Case* test = *state;
    Pair pair = pair_create(test, NULL, NULL);
    pair_step(&pair, 1);
    Worst first = compare(&pair);
    pair_step(&pair, fewer(test->steps) - 1);
    Worst last = compare(&pair);
    print_message("    1 step: %.1e (%s); %d steps: %.1e (%s)\n", first.error, first.where,
                  fewer(test->steps), last.error, last.where);
    if (first.error > tolerance(1)) fail_msg("after 1 step, %s", first.where);
    if (last.error > tolerance(fewer(test->steps))) fail_msg("at the end, %s", last.where);
    pair_destroy(&pair);
}

static const Case* find_case(const char* name) {
    for (int n = 0; n < CASE_COUNT; n++) {
        if (strcmp(cases[n].name, name) == 0) return &cases[n];
    }
    return NULL;
}

/// Makes a parameter of the reference a little different: 1 % more, the other choice.
static void disturb(const GullyParam* row, void* params) {
    char* member = (char*)params + row->offset;
    if (row->kind == GULLY_KIND_number) *(double*)(void*)member *= 1.01;
    if (row->kind == GULLY_KIND_flag) *(bool*)(void*)member ^= true;
    if (row->kind == GULLY_KIND_choice) *(int*)(void*)member ^= 1;
}

static void disturb_pipe(ReferenceDef* def, const void* row) {
    disturb(row, &def->pipe);
}

static void disturb_thermal(ReferenceDef* def, const void* row) {
    disturb(row, &def->thermal);
}

static void wants_notice(const char* law, void (*change)(ReferenceDef*, const void*)) {
    const Case* test = find_case("everything");
    const GullyParamTable* table = gully_law_find(law)->params;
    for (int n = 0; n < table->count; n++) {
        // Only with materials; layers_reference_test has some.
        if (strcmp(table->rows[n].name, "drag") == 0) continue;
        Pair pair = pair_create(test, change, &table->rows[n]);
        pair_step(&pair, 10);
        if (compare(&pair).error <= 10 * tolerance(10)) {
            fail_msg("%s %s does not matter to the comparison", law, table->rows[n].name);
        }
        pair_destroy(&pair);
    }
}

/// The comparison is worth something: it sees 1 % in any parameter of any law.
static void test_every_parameter_is_noticed(void** state) {
    (void)state;
    wants_notice("pipe", disturb_pipe);
    wants_notice("thermal", disturb_thermal);
}

int main(void) {
    struct CMUnitTest tests[CASE_COUNT + 1] = {cmocka_unit_test(test_every_parameter_is_noticed)};
    for (int n = 0; n < CASE_COUNT; n++) {
        tests[n + 1] = (struct CMUnitTest){.name = cases[n].name,
                                           .test_func = test_case,
                                           .initial_state = (void*)(uintptr_t)&cases[n]};
    }
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
