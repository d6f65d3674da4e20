// SPDX-License-Identifier: MIT
#include "reference_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ok.h"
#include "reference_laws.h"
#include "sanitized.h"

static const double few_wild = 0.1;     // of the cells
static const double ledger_wild = 1e-3; // of the scale

const GullySource reference_spring[1] = {
    {.x = 1, .y = 1, .radius = 3, .rate = 0.02, .concentration = 0.1, .until = GULLY_FOREVER},
};

const GullySource reference_springs[4] = {
    {.x = 101, .y = 83, .radius = 35, .rate = 0.02, .concentration = 0.1, .until = GULLY_FOREVER},
    {.x = 203, .y = 151, .radius = 0, .rate = 0.2, .from = 3.05, .until = 9.05},
    {.x = -500, .y = 61, .radius = 20, .rate = 0.3, .concentration = 0.5, .until = GULLY_FOREVER},
    {.x = 330, .y = 300, .radius = 60, .rate = 0.01, .until = GULLY_FOREVER},
};

const GullySource reference_muddy_springs[4] = {
    {.x = 101, .y = 83, .radius = 35, .rate = 0.02, .concentration = 0.1, .until = GULLY_FOREVER},
    {.x = 203, .y = 151, .radius = 0, .rate = 0.2, .from = 3.05, .until = 9.05},
    {.x = -500, .y = 61, .radius = 20, .rate = 0.3, .concentration = 0.9, .until = GULLY_FOREVER},
    {.x = 330, .y = 300, .radius = 60, .rate = 0.01, .until = GULLY_FOREVER},
};

/// Of the scale, after some steps.
static double tolerance(int64_t steps) {
    return 1e-6 * sqrt((double)steps);
}

// ---- a case as settings -------------------------------------------------------------------------

typedef struct Words {
    char text[1024];
    char* at[64];
    int count;
} Words;

/// Splits a text at its spaces; NULL has no words.
static void split(const char* text, Words* words) {
    enum { MOST = sizeof words->at / sizeof *words->at };
    words->count = 0;
    int length = snprintf(words->text, sizeof words->text, "%s", text ? text : "");
    assert_true(length < (int)sizeof words->text);
    char* rest = words->text;
    for (char* word; (word = strtok_r(rest, " ", &rest));) {
        assert_true(words->count < MOST);
        words->at[words->count++] = word;
    }
}

static void set_all(GullySettings* settings, const char* set) {
    Words words;
    split(set, &words);
    for (int n = 0; n < words.count; n++) {
        char* key = words.at[n];
        char* value = strchr(key, '=');
        *value++ = '\0';
        if (gully_settings_set_text(settings, key, value)) fail_msg("%s", gully_message());
        key[strcspn(key, ".")] = '\0'; // now the section
        const GullyLawInfo* law = gully_law_find(key);
        if (law && law->add_on) gully_settings_switch(settings, key, true);
    }
}

static void set_cycle(GullySettings* settings, const char* cycle) {
    Words words;
    split(cycle, &words);
    if (gully_settings_set_cycle(settings, (const char* const*)words.at, words.count))
        fail_msg("%s", gully_message());
}

static GullySettings* settings_of(const char* model, const ReferenceCase* test) {
    GullySettings* settings = NULL;
    assert_int_equal(gully_settings_create(model, &settings), GULLY_OK);
    set_all(settings, test->set);
    if (gully_law_find(model)->operators || test->cycle) set_cycle(settings, test->cycle);
    for (int n = 0; n < test->source_count; n++) {
        assert_int_equal(gully_settings_add_source(settings, &test->sources[n]), GULLY_OK);
    }
    return settings;
}

/// MODELS.md P: if not given, 0.9 of the stable limit for `pipe`, 500 years for `stream`, 1 s for
/// the others.
static double time_step(const char* model, const ReferenceCase* test, GullySettings* settings) {
    double dt = ((GullyTimeParams*)gully_settings_section(settings, "", NULL))->dt;
    if (dt > 0) return dt;
    if (strcmp(model, "stream") == 0) return 500;
    if (strcmp(model, "pipe") != 0) return 1;
    const GullyPipeParams* p = gully_settings_section(settings, "params", NULL);
    double a = test->lx * test->ly;
    double A = p->pipe_area > 0 ? p->pipe_area : a;
    double length_x = p->pipe_length > 0 ? p->pipe_length : test->lx;
    double length_y = p->pipe_length > 0 ? p->pipe_length : test->ly;
    return 0.9 * sqrt(a / (2 * p->gravity * A * (1 / length_x + 1 / length_y)));
}

/// What the settings say; the arrays and the time step are still missing.
static ReferenceDef reference_def(const char* model, const ReferenceCase* test,
                                  GullySettings* settings) {
    ReferenceDef def = {.width = test->width,
                        .height = test->height,
                        .lx = test->lx,
                        .ly = test->ly,
                        .sources = test->sources,
                        .source_count = test->source_count};
    bool thermal_alone = strcmp(model, "thermal") == 0, wind_alone = strcmp(model, "wind") == 0;
    const char* thermal = thermal_alone ? "params" : "thermal";
    const char* wind = wind_alone ? "params" : "wind";
    def.run_pipe = strcmp(model, "pipe") == 0;
    def.run_thermal = thermal_alone || gully_settings_is_on(settings, "thermal");
    def.run_wind = wind_alone || gully_settings_is_on(settings, "wind");
    def.wind = *(GullyWindParams*)gully_settings_section(settings, wind, NULL);
    if (def.run_pipe)
        def.pipe = *(GullyPipeParams*)gully_settings_section(settings, "params", NULL);
    def.thermal = *(GullyThermalParams*)gully_settings_section(settings, thermal, NULL);
    def.boundary = *(GullyBoundaryParams*)gully_settings_section(settings, "boundary", NULL);
    def.rain = ((GullyRainParams*)gully_settings_section(settings, "rain", NULL))->rate;
    return def;
}

// ---- a case as what is there at the start -------------------------------------------------------

typedef struct Start {
    float *heights, *water, *sediment, *hardness;
    float* thickness[GULLY_MAX_MATERIALS];
} Start;

static void hardness_pattern(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        double k = 2 * terrain_noise(c % width, c / width, 12, 5) - 0.5;
        out[c] = (float)fmin(fmax(k, 0), 1);
    }
}

/// A layer comes and goes.
static float* thickness_of(const ReferenceCase* test, int material) {
    float* out = terrain_make(NULL, test->width, test->height);
    for (int c = 0; c < test->width * test->height; c++) {
        uint32_t seed = 100 + 10 * (uint32_t)material;
        double amount = 2 * terrain_noise(c % test->width, c / test->width, 9, seed) - 0.9;
        out[c] = (float)(test->stack->material[material].thickness * fmin(fmax(amount, 0), 1));
    }
    return out;
}

static Start start_of(const ReferenceCase* test) {
    int width = test->width, height = test->height;
    Start start = {.heights = terrain_make(test->terrain, width, height),
                   .water = terrain_constant(test->water, width, height),
                   .sediment = terrain_constant(test->sediment, width, height)};
    if (test->hardness) start.hardness = terrain_make(hardness_pattern, width, height);
    for (int m = 1; test->stack && m < test->stack->count; m++)
        start.thickness[m] = thickness_of(test, m);
    return start;
}

static void start_free(Start* start) {
    free(start->heights);
    free(start->water);
    free(start->sediment);
    free(start->hardness);
    for (int m = 0; m < GULLY_MAX_MATERIALS; m++)
        free(start->thickness[m]);
}

static void materials_of(const ReferenceStack* stack, GullyMaterial* out) {
    for (int m = 0; m < stack->count; m++) {
        char name[32];
        snprintf(name, sizeof name, "material%d", m);
        out[m] = gully_material(name, m);
        out[m].erodibility = stack->material[m].erodibility;
        out[m].critical_shear = stack->material[m].critical_shear;
        out[m].talus = stack->material[m].talus;
    }
}

// ---- a case as a simulation and a reference -----------------------------------------------------

typedef struct Pair {
    const ReferenceSuite* suite;
    const ReferenceLaw* law;
    GullyWorld* world;
    GullySim* sim;
    void* ref;
    GullyMaterial materials[GULLY_MAX_MATERIALS]; // the reference's
} Pair;

static void write_field(GullyWorld* world, GullyField field, const float* values) {
    if (gully_world_write(world, field, gully_world_all(world), values))
        fail_msg("%s", gully_message());
}

static GullyWorld* world_of(const ReferenceCase* test, const Start* start,
                            const GullyMaterial* materials) {
    GullyWorld* world = terrain_world(start->heights, test->width, test->height, test->lx, test->ly,
                                      test->tile_size);
    if (test->stack && gully_world_set_materials(world, materials, test->stack->count))
        fail_msg("%s", gully_message());
    for (int m = 1; test->stack && m < test->stack->count; m++)
        write_field(world, GULLY_LAYER(m), start->thickness[m]);
    write_field(world, GULLY_WATER, start->water);
    write_field(world, GULLY_SEDIMENT, start->sediment);
    if (start->hardness) write_field(world, GULLY_HARDNESS, start->hardness);
    return world;
}

static void disturb(GullySettings* settings, GullyMaterial* materials,
                    const ReferenceChange* change) {
    const GullyParamTable* table = gully_material_table();
    void* params = change->section ? gully_settings_section(settings, change->section, &table)
                                   : &materials[change->material];
    const GullyParam* row = gully_params_find(table, change->parameter);
    char* member = (char*)params + row->offset;
    if (row->kind == GULLY_KIND_number || row->kind == GULLY_KIND_map)
        *(double*)(void*)member *= 1.01;
    if (row->kind == GULLY_KIND_flag) *(bool*)(void*)member ^= true;
    if (row->kind == GULLY_KIND_choice) *(int*)(void*)member ^= 1;
}

static void create_sim(Pair* pair, const GullySettings* settings) {
    GullySimDef def = gully_sim_def();
    def.threads = 2;
    def.velocity = pair->suite->flow;
    if (gully_sim_create(pair->world, settings, &def, &pair->sim)) fail_msg("%s", gully_message());
}

static void create_reference(Pair* pair, const ReferenceCase* test, const Start* start,
                             GullySettings* settings, double dt) {
    ReferenceDef def = reference_def(pair->law->name, test, settings);
    def.dt = dt;
    def.heights = start->heights;
    def.water = start->water;
    def.sediment = start->sediment;
    def.hardness = start->hardness;
    if (test->stack) {
        def.materials = pair->materials;
        def.material_count = test->stack->count;
    }
    for (int m = 0; m < GULLY_MAX_MATERIALS; m++)
        def.thickness[m] = start->thickness[m];
    void* params = gully_settings_section(settings, "params", NULL);
    pair->ref = pair->law->create(&def, params, test->cycle);
}

/// Starts a case on both sides. With a `change` (may be NULL) the reference is another one.
static void pair_open(Pair* pair, const ReferenceSuite* suite, const ReferenceCase* test,
                      const ReferenceChange* change) {
    const char* model = test->model ? test->model : suite->model;
    *pair = (Pair){.suite = suite, .law = reference_law(model)};
    Start start = start_of(test);
    GullySettings* settings = settings_of(model, test);
    if (test->stack) materials_of(test->stack, pair->materials);
    pair->world = world_of(test, &start, pair->materials);
    create_sim(pair, settings);
    double dt = time_step(model, test, settings);
    assert_true(fabs(gully_sim_dt(pair->sim) - dt) <= 1e-12 * dt);
    if (change) disturb(settings, pair->materials, change);
    create_reference(pair, test, &start, settings, dt);
    gully_settings_destroy(settings);
    start_free(&start);
}

static ReferenceGap pair_step(Pair* pair, int steps) {
    OK(gully_sim_step(pair->sim, steps));
    pair->law->step(pair->ref, steps);
    Reference* grid = pair->law->grid(pair->ref);
    ReferenceGap gap = reference_compare(grid, pair->sim, pair->suite->scale);
    if (pair->suite->flow) pair->law->compare_flow(pair->ref, pair->world, &gap);
    return gap;
}

static void pair_close(Pair* pair) {
    gully_sim_destroy(pair->sim);
    gully_world_destroy(pair->world);
    pair->law->destroy(pair->ref);
}

// ---- tests --------------------------------------------------------------------------------------

/// Whether both agree to `slack` times the tolerance: after one step in every cell, later in all
/// but a few.
static bool agrees(const Pair* pair, const ReferenceCase* test, const ReferenceGap* gap,
                   double slack) {
    const Reference* grid = pair->law->grid(pair->ref);
    double allowed = slack * tolerance(grid->steps);
    double few = test->wild ? few_wild : pair->suite->few;
    double ledger = test->wild ? ledger_wild : pair->suite->ledger * allowed;
    if (grid->steps == 1) {
        few = 0;
        ledger = allowed;
    }
    return reference_beyond(grid, allowed) <= few && gap->ledger <= ledger;
}

typedef struct Entry {
    const ReferenceSuite* suite;
    const ReferenceCase* test;
} Entry;

static void test_case(void** state) {
    const Entry* entry = *state;
    int steps = fewer(entry->test->steps);
    Pair pair;
    pair_open(&pair, entry->suite, entry->test, NULL);
    ReferenceGap first = pair_step(&pair, 1);
    bool first_agrees = agrees(&pair, entry->test, &first, 1);
    ReferenceGap last = pair_step(&pair, steps - 1);
    bool last_agrees = agrees(&pair, entry->test, &last, 1);
    double beyond = reference_beyond(pair.law->grid(pair.ref), tolerance(steps));
    print_message("    1 step: %.1e (%s), ledger %.1e (%s); %d steps: %.1e (%s), %.2g %% of the "
                  "cells too far, ledger %.1e (%s)\n",
                  first.error, first.where, first.ledger, first.term, steps, last.error, last.where,
                  100 * beyond, last.ledger, last.term);
    if (!first_agrees) fail_msg("too far from the reference after 1 step");
    if (!last_agrees) fail_msg("too far from the reference at the end");
    pair_close(&pair);
}

static const ReferenceCase* find_case(const ReferenceSuite* suite, const char* name) {
    for (int n = 0; n < suite->case_count; n++) {
        if (strcmp(suite->cases[n].name, name) == 0) return &suite->cases[n];
    }
    fail_msg("no case is named %s", name);
    return NULL;
}

void reference_wants_notice(const ReferenceSuite* suite, const char* name, int steps,
                            ReferenceChange change) {
    const ReferenceCase* test = find_case(suite, name);
    Pair pair;
    pair_open(&pair, suite, test, &change);
    ReferenceGap gap = pair_step(&pair, fewer(steps));
    if (agrees(&pair, test, &gap, 10)) {
        fail_msg("%s (of %s, %d) does not matter to the comparison", change.parameter,
                 change.section ? change.section : "material", change.material);
    }
    pair_close(&pair);
}

void reference_wants_notice_of_all(const ReferenceSuite* suite, const char* name, int steps,
                                   const char* section, const char* except) {
    if (SANITIZED) return; // sanitizers do not look at numbers
    GullySettings* settings = NULL;
    assert_int_equal(gully_settings_create(suite->model, &settings), GULLY_OK);
    const GullyParamTable* table = NULL;
    gully_settings_section(settings, section, &table);
    for (int n = 0; n < table->count; n++) {
        const char* parameter = table->rows[n].name;
        if (except && strcmp(parameter, except) == 0) continue;
        reference_wants_notice(suite, name, steps, (ReferenceChange){section, 0, parameter});
    }
    gully_settings_destroy(settings);
}

int reference_run(const ReferenceSuite* suite, const struct CMUnitTest* own, int own_count) {
    enum { MOST = 128 };
    static struct CMUnitTest tests[MOST]; // cmocka passes over the empty ones
    static Entry entries[MOST];
    if (own_count + suite->case_count > MOST) return 1;
    memcpy(tests, own, (size_t)own_count * sizeof *own);
    for (int n = 0; n < suite->case_count; n++) {
        entries[n] = (Entry){suite, &suite->cases[n]};
        tests[own_count + n] = (struct CMUnitTest){
            .name = suite->cases[n].name, .test_func = test_case, .initial_state = &entries[n]};
    }
    return cmocka_run_group_tests_name(suite->name, tests, NULL, NULL);
}

void assert_close(double got, double wanted) {
    if (!(fabs(got - wanted) <= 1e-12)) fail_msg("%.15g, not %.15g", got, wanted);
}
