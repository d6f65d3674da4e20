// SPDX-License-Identifier: MIT
/// Runs a case: makes its world, its settings and its simulation, steps, and notes all numbers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_run.h"
#include "field_hash.h"

static const double cell_x = 10, cell_y = 8; // [m]

bool run_did(Run* run, const char* name, GullyStatus status) {
    char what[40];
    snprintf(what, sizeof what, CASE_CALL "%s", name);
    run->note(run->to, what, run->sim ? gully_sim_steps(run->sim) : 0, status == GULLY_OK);
    return status == GULLY_OK;
}

// ---- patterns -----------------------------------------------------------------------------------

GullyRect run_rect(Run* run) {
    const Case* c = run->c;
    GullyRect rect = {.x = random_below(&run->random, c->width),
                      .y = random_below(&run->random, c->height)};
    rect.width = 1 + random_below(&run->random, c->width - rect.x);
    rect.height = 1 + random_below(&run->random, c->height - rect.y);
    return rect;
}

float* run_pattern(Run* run, GullyRect rect, double low, double high) {
    const size_t count = (size_t)rect.width * (size_t)rect.height;
    float* values = malloc(sizeof *values * count);
    if (!values) abort();
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(low + (high - low) * random_share(&run->random));
    return values;
}

bool run_write_pattern(Run* run, GullyField field, GullyRect rect, double low, double high) {
    float* values = run_pattern(run, rect, low, high);
    bool done = run_did(run, "write", gully_world_write(run->world, field, rect, values));
    free(values);
    return done;
}

// ---- the world ----------------------------------------------------------------------------------

/// Takes pieces of 5 x 4 cells out of the domain, one in eight.
static void punch_holes(const Case* c, float* heights) {
    for (int y = 0; y < c->height; y++) {
        for (int x = 0; x < c->width; x++) {
            uint64_t place = c->seed + (uint64_t)(x / 5) * 7919 + (uint64_t)(y / 4) * 104729;
            if (random_below(&place, 8) == 0)
                heights[(size_t)y * (size_t)c->width + (size_t)x] = NAN;
        }
    }
}

/// Ground of one of the generators, or flat for a pond.
static float* make_heights(Run* run) {
    const Case* c = run->c;
    static const double reliefs[] = {20, 200, 600}, offsets[] = {0, 4000, -300};
    uint64_t state = c->seed;
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = c->width;
    params.height = c->height;
    params.seed = random_below(&state, 1000);
    params.relief = reliefs[random_below(&state, 3)];
    params.offset = offsets[random_below(&state, 3)];
    const char* kind = gully_generator_info(random_below(&state, gully_generator_count()))->name;
    float* heights = calloc((size_t)c->width * (size_t)c->height, sizeof *heights);
    if (!heights) abort();
    if (!c->pond) run_did(run, "generate", gully_generate(kind, &params, heights));
    if (c->holes) punch_holes(c, heights);
    return heights;
}

static bool lay_materials(Run* run) {
    const int count = run->c->materials;
    const GullyRect all = gully_world_all(run->world);
    bool done =
        run_did(run, "materials", gully_world_set_materials(run->world, run->materials, count));
    for (int m = 1; done && m < count; m++)
        done = run_write_pattern(run, GULLY_LAYER(m), all, 0, m % 2 ? 2 : 0.05);
    return done;
}

/// Dries the world but for a rectangle in its middle, with waves. After the simulation was made:
/// a law may begin with water.
static bool fill_pond(Run* run) {
    const Case* c = run->c;
    GullyRect rect = {c->width / 3, c->height / 3, c->width / 8 + 1, c->height / 8 + 1};
    return run_did(run, "dry", gully_world_fill(run->world, GULLY_WATER, 0)) &&
           run_write_pattern(run, GULLY_TERRAIN, rect, -20, -19) &&
           run_write_pattern(run, GULLY_WATER, rect, 8, 10);
}

bool run_open(Run* run, RunWay way) {
    const Case* c = run->c;
    float* heights = make_heights(run);
    GullyWorldDef def = gully_world_def(c->width, c->height);
    def.cell_x = cell_x;
    def.cell_y = cell_y;
    def.tile_size = way.tile_size;
    def.half = c->half;
    def.heights = heights;
    bool done = run_did(run, "create world", gully_world_create(&def, &run->world));
    free(heights);
    if (done && c->materials) done = lay_materials(run);
    if (done && c->hard)
        done = run_write_pattern(run, GULLY_HARDNESS, gully_world_all(run->world), 0.2, 1);
    if (!done) return false;
    GullySimDef sim_def = gully_sim_def();
    sim_def.seed = c->seed;
    sim_def.threads = way.threads;
    sim_def.plain = way.plain;
    sim_def.masks = c->masks;
    sim_def.velocity = c->velocity;
    done = run_did(run, "create", gully_sim_create(run->world, run->settings, &sim_def, &run->sim));
    return done && (!c->pond || fill_pond(run));
}

void run_close_editor(Run* run) {
    if (!run->editor) return;
    GullySettings* settings = NULL;
    if (gully_settings_copy(gully_editor_settings(run->editor), &settings) == GULLY_OK) {
        gully_settings_destroy(run->settings);
        run->settings = settings;
    }
    gully_editor_destroy(run->editor);
    run->editor = NULL;
}

void run_close(Run* run) {
    run_close_editor(run);
    gully_sim_destroy(run->sim);
    gully_world_destroy(run->world);
    run->sim = NULL;
    run->world = NULL;
}

// ---- settings -----------------------------------------------------------------------------------

static void set_number(Run* run, const char* key, double value) {
    run_did(run, key, gully_settings_set_number(run->settings, key, value));
}

static void set_param(Run* run, const char* section, const GullyParam* param, double value) {
    char key[96], text[32];
    snprintf(key, sizeof key, "%s.%s", section, param->name);
    if (param->kind == GULLY_KIND_number) {
        set_number(run, key, value);
        return;
    }
    gully_param_text(param, value, text, sizeof text);
    run_did(run, key, gully_settings_set_text(run->settings, key, text));
}

/// A value of a parameter: its default, half or twice it, none, or any of a choice.
static double pick_value(Run* run, const GullyParam* param) {
    static const double factors[] = {1, 1, 0.5, 2};
    if (param->kind != GULLY_KIND_number)
        return param->low + random_below(&run->random, (int)(param->high - param->low) + 1);
    double value = param->fallback * factors[random_below(&run->random, 4)];
    if (param->fallback == 0 && random_below(&run->random, 3) == 0) value = 1;
    return fmin(fmax(value, param->low), param->high);
}

static void mix_section(Run* run, const char* section) {
    const GullyParamTable* table = NULL;
    if (!gully_settings_section(run->settings, section, &table)) return;
    for (int p = 0; p < table->count; p++)
        set_param(run, section, &table->rows[p], pick_value(run, &table->rows[p]));
}

void run_set_supply(Run* run, unsigned supply) {
    set_number(run, "rain.rate", supply & SUPPLY_RAIN ? 1e-3 : 0);
    set_number(run, "rain.drops.drops_per_second", supply & SUPPLY_DROPS ? 40 : 0);
    set_number(run, "rain.drops.radius", 25);
    set_number(run, "rain.drops.depth", 0.02);
    set_number(run, "rain.season.rate", supply & SUPPLY_SEASON ? 2e-3 : 0);
    set_number(run, "rain.season.t_peak", 3);
    set_number(run, "rain.season.sigma", 2);
    gully_settings_clear_sources(run->settings);
    for (int i = 0; i < 3 && supply & SUPPLY_SOURCES; i++) {
        GullySource source;
        gully_params_default(gully_source_table(), &source);
        source.x = cell_x * random_below(&run->random, run->c->width);
        source.y = cell_y * random_below(&run->random, run->c->height);
        source.radius = 30.0 * i;
        source.rate = 0.02;
        source.concentration = 0.1 * i;
        source.from = i;
        if (i == 2) source.until = 4;
        run_did(run, "source", gully_settings_add_source(run->settings, &source));
    }
}

void run_set_sides(Run* run, unsigned open) {
    static const char* const sides[] = {"west", "east", "north", "south"};
    for (int i = 0; i < 4; i++) {
        char key[32];
        snprintf(key, sizeof key, "boundary.%s", sides[i]);
        run_did(run, key,
                gully_settings_set_text(run->settings, key, open >> i & 1 ? "open" : "closed"));
    }
}

void run_switch_add_ons(Run* run, bool on) {
    for (int i = 0; i < gully_law_count(); i++) {
        const GullyLawInfo* law = gully_law_info(i);
        if (law->add_on)
            run_did(run, "switch", gully_settings_switch(run->settings, law->name, on));
    }
}

/// A step of so many operators of the law, each up to 20 times; 0 = the law's own.
static void set_cycle(Run* run, int length) {
    enum { MOST = 8 };
    char operators[256], entries[MOST][64];
    const char *names[16], *list[MOST];
    int count = 0;
    snprintf(operators, sizeof operators, "%s", run->c->law->operators);
    for (char* word = strtok(operators, "|"); word && count < 16; word = strtok(NULL, "|"))
        names[count++] = word;
    for (int i = 0; i < length && i < MOST; i++) {
        int times = 1 + random_below(&run->random, random_below(&run->random, 3) ? 3 : 20);
        snprintf(entries[i], sizeof entries[i], "%s*%d", names[random_below(&run->random, count)],
                 times);
        list[i] = entries[i];
    }
    run_did(run, "cycle", gully_settings_set_cycle(run->settings, list, length));
}

void run_mix_settings(Run* run) {
    static const double shares[] = {0, 0.3, 0.7};
    mix_section(run, "params");
    for (int i = 0; i < gully_law_count(); i++) {
        if (gully_law_info(i)->add_on) mix_section(run, gully_law_info(i)->name);
    }
    if (run->c->law->operators) set_cycle(run, random_below(&run->random, 6));
    const double most = gully_settings_max_dt(run->settings, cell_x, cell_y);
    set_number(run, "dt", shares[random_below(&run->random, 3)] * (most > 0 ? most : 1));
}

static bool make_settings(Run* run) {
    const Case* c = run->c;
    if (!run_did(run, "settings", gully_settings_create(c->law->name, &run->settings)))
        return false;
    if (c->mixed) run_mix_settings(run);
    if (c->param) set_param(run, c->section, c->param, c->value);
    if (c->law->operators) set_cycle(run, c->cycle);
    if (c->add_ons) run_switch_add_ons(run, true);
    run_set_supply(run, c->supply);
    run_set_sides(run, c->open_sides);
    return true;
}

// ---- numbers ------------------------------------------------------------------------------------

static void note_number(Run* run, const char* what, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    run->note(run->to, what, gully_sim_steps(run->sim), bits);
}

static void note_budget(Run* run) {
    GullyBudget budget;
    memset(&budget, 0, sizeof budget);
    (void)gully_sim_budget(run->sim, &budget);
#define WATER(member) note_number(run, "water." #member, budget.water.member)
#define SOLID(member) note_number(run, "solid." #member, budget.solid.member)
    WATER(initial);
    WATER(rain);
    WATER(sources);
    WATER(exchanged);
    WATER(edits);
    WATER(evaporated);
    WATER(left);
    WATER(rounded);
    WATER(present);
    WATER(residual);
    WATER(moved);
    SOLID(initial);
    SOLID(sources);
    SOLID(edits);
    SOLID(left);
    SOLID(transport_loss);
    SOLID(rounded);
    SOLID(ground);
    SOLID(suspended);
    SOLID(residual);
    SOLID(eroded);
    SOLID(deposited);
    SOLID(slid);
    SOLID(moved);
#undef WATER
#undef SOLID
}

/// Everything that can be read of the world and the simulation.
static void note_moment(Run* run) {
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++) {
        char what[40];
        run->note(run->to, gully_field_name(field), gully_sim_steps(run->sim),
                  field_hash(run->world, field));
        snprintf(what, sizeof what, "volume of %s", gully_field_name(field));
        note_number(run, what, gully_world_volume(run->world, field));
    }
    note_budget(run);
    note_number(run, "time", gully_sim_time(run->sim));
    note_number(run, "dt", gully_sim_dt(run->sim));
    note_number(run, "cells", (double)gully_world_cells(run->world));
}

// ---- the case -----------------------------------------------------------------------------------

void case_run(int index, CaseNote* note, void* to) {
    static const int segments[] = {1, 2, 3, 5, 5, 7, 10, 13};
    const Case c = case_make(index);
    Run run = {.c = &c, .random = ~c.seed, .note = note, .to = to};
    for (int m = 0; m < c.materials; m++) {
        char name[GULLY_MATERIAL_NAME];
        snprintf(name, sizeof name, "material%d", m);
        run.materials[m] = gully_material(name, m);
        run.materials[m].erodibility = 0.2 + 0.4 * m;
        run.materials[m].critical_shear = m == 0 ? 5 : 0;
        if (m % 2) run.materials[m].talus = 25 + 3 * m;
    }
    if (make_settings(&run) && run_open(&run, (RunWay){c.tile_size, c.threads, c.plain})) {
        note_moment(&run);
        for (int i = 0; i <= CASE_EVENTS && run.sim; i++) {
            (void)gully_sim_step(run.sim, segments[random_below(&run.random, 8)]);
            note_moment(&run);
            if (i < CASE_EVENTS && c.events[i] != EVENT_NONE) {
                run_event(&run, c.events[i]);
                if (run.sim) note_moment(&run);
            }
        }
    }
    run_close(&run);
    gully_settings_destroy(run.settings);
}
