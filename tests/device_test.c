// SPDX-License-Identifier: MIT
/// The device gives the processor's bits: every law, its choices, layers, half precision, supply,
/// sides, nodata and odd sizes, with edits, phases and states in between. Runs on PoCL, an OpenCL
/// that computes on the processor.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device.h"
#include "device_cases.h"
#include "gully/gully.h"
#include "law.h"
#include "ok.h"
#include "sanitized.h"
#include "terrains.h"

/// On the device with kernels of the passes or, where every patch is awake, with chains.
enum { DEVICE, CHAINS, SWEEP, PLAIN, WAYS };

/// One world, stepped in several ways.
typedef struct Trial {
    const DeviceCase* name;
    bool no_chains; // that way is left out: compiling is what takes time here
    GullySettings* settings;
    GullyWorld* world[WAYS];
    GullySim* sim[WAYS];
} Trial;

// ---- making -------------------------------------------------------------------------------------

static float* make_ground(const DeviceCase* c) {
    float* heights = terrain_make(terrain_rough, c->width, c->height);
    for (int i = 0; i < c->width * c->height; i++)
        heights[i] = 800 + 3 * heights[i];
    if (c->holes) terrain_punch(heights, c->width, c->height);
    return heights;
}

static void add_materials(const DeviceCase* c, GullyWorld* world) {
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    for (int m = 0; m < c->materials; m++) {
        char name[GULLY_MATERIAL_NAME];
        snprintf(name, sizeof name, "material%d", m);
        materials[m] = gully_material(name, m);
        materials[m].erodibility = 0.5 + 0.4 * m;
        materials[m].critical_shear = m % 3;
        materials[m].talus = 20 + 5 * (m % 4);
    }
    OK(gully_world_set_materials(world, materials, c->materials));
    float* layer = terrain_make(NULL, c->width, c->height);
    for (int m = 1; m < c->materials; m++) {
        for (int i = 0; i < c->width * c->height; i++)
            layer[i] =
                (float)fmax(0, terrain_noise(i % c->width, i / c->width, 9, (uint32_t)m) - 0.4);
        OK(gully_world_write(world, GULLY_LAYER(m), gully_world_all(world), layer));
    }
    free(layer);
}

static void add_start(const DeviceCase* c, GullyWorld* world) {
    float* cells = terrain_make(NULL, c->width, c->height);
    for (int i = 0; i < c->width * c->height; i++)
        cells[i] = (float)fmax(0, 3 * terrain_noise(i % c->width, i / c->width, 12, 7) - 1.5);
    if (c->lake) OK(gully_world_write(world, GULLY_WATER, gully_world_all(world), cells));
    for (int i = 0; i < c->width * c->height; i++)
        cells[i] = (float)terrain_noise(i % c->width, i / c->width, 7, 3);
    if (c->hardness) OK(gully_world_write(world, GULLY_HARDNESS, gully_world_all(world), cells));
    free(cells);
}

static GullyWorld* make_world(const DeviceCase* c, int tile_size) {
    float* heights = make_ground(c);
    GullyWorldDef def = gully_world_def(c->width, c->height);
    def.cell_x = 2;
    def.cell_y = 2.5;
    def.tile_size = tile_size;
    def.half = c->half;
    def.heights = heights;
    GullyWorld* world;
    OK(gully_world_create(&def, &world));
    free(heights);
    if (c->materials > 0) add_materials(c, world);
    add_start(c, world);
    return world;
}

static void add_source(GullySettings* settings, double x, double y, double concentration) {
    const GullySource source = {.x = x,
                                .y = y,
                                .radius = 9,
                                .rate = 0.2,
                                .concentration = concentration,
                                .from = 0.1,
                                .until = GULLY_FOREVER};
    OK(gully_settings_add_source(settings, &source));
}

static GullySettings* make_settings(const DeviceCase* c) {
    GullySettings* settings;
    OK(gully_settings_create(c->model, &settings));
    for (int i = 0; i < DEVICE_CASE_KEYS && c->keys[i]; i += 2)
        OK(gully_settings_set_text(settings, c->keys[i], c->keys[i + 1]));
    if (c->thermal) OK(gully_settings_switch(settings, "thermal", true));
    if (c->sources) {
        add_source(settings, 10, 12, 0);
        add_source(settings, c->width, c->height * 2, 0.1);
    }
    return settings;
}

static GullySim* make_sim(const DeviceCase* c, GullyWorld* world, GullySettings* settings,
                          int way) {
    GullySimDef def = gully_sim_def();
    def.seed = 5;
    def.threads = 2;
    def.masks = !c->no_masks;
    def.velocity = c->velocity;
    def.plain = way == PLAIN;
    def.backend = way <= CHAINS ? GULLY_GPU : GULLY_CPU;
    def.device = "portable computing";
    GullySim* sim;
    device_style_of_gpus(way == CHAINS);
    OK(gully_sim_create(world, settings, &def, &sim));
    device_style_of_gpus(false);
    gully_sim_wait(sim); // else the processor would do the first steps
    return sim;
}

static bool leaves_out(const Trial* trial, int way) {
    return way == CHAINS && trial->no_chains;
}

static void begin_ways(Trial* trial, const DeviceCase* c, bool no_chains) {
    *trial = (Trial){.name = c, .no_chains = no_chains, .settings = make_settings(c)};
    for (int way = 0; way < WAYS; way++) {
        if (leaves_out(trial, way)) continue;
        trial->world[way] = make_world(c, way <= CHAINS ? 48 : way == SWEEP ? 0 : 64);
        trial->sim[way] = make_sim(c, trial->world[way], trial->settings, way);
    }
}

static void begin(Trial* trial, const DeviceCase* c) {
    begin_ways(trial, c, false);
}

static void end(Trial* trial) {
    for (int way = 0; way < WAYS; way++) {
        if (leaves_out(trial, way)) continue;
        gully_sim_destroy(trial->sim[way]);
        gully_world_destroy(trial->world[way]);
    }
    gully_settings_destroy(trial->settings);
}

// ---- comparing ----------------------------------------------------------------------------------

static const char* const way_names[WAYS] = {"on the device", "on the device, with chains",
                                            "with the sweep", "with the plain stepper"};

static void compare_field(const Trial* trial, GullyField field, int way, int other) {
    const int width = trial->name->width, height = trial->name->height;
    float* found = terrain_read(trial->world[way], field);
    float* expected = terrain_read(trial->world[other], field);
    int count = 0, first = -1;
    for (int c = width * height - 1; c >= 0; c--) {
        if (memcmp(&found[c], &expected[c], sizeof *found) == 0) continue;
        first = c;
        count++;
    }
    if (count > 0)
        fail_msg("%s, after %" PRId64 " steps: %s differs in %d of %d x %d cells, first at (%d, "
                 "%d): %.9g %s, %.9g %s",
                 trial->name->name, gully_sim_steps(trial->sim[way]), gully_field_name(field),
                 count, width, height, first % width, first / width, (double)found[first],
                 way_names[way], (double)expected[first], way_names[other]);
    free(found);
    free(expected);
}

static void compare_ways(const Trial* trial, int way, int other) {
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++) {
        if (gully_world_hash(trial->world[way], field) !=
            gully_world_hash(trial->world[other], field))
            compare_field(trial, field, way, other);
    }
    GullyBudget budgets[2];
    OK(gully_sim_budget(trial->sim[way], &budgets[0]));
    OK(gully_sim_budget(trial->sim[other], &budgets[1]));
    const double *found = (const double*)&budgets[0], *expected = (const double*)&budgets[1];
    for (size_t i = 0; i < sizeof *budgets / sizeof *found; i++) {
        if (memcmp(&found[i], &expected[i], sizeof *found) != 0)
            fail_msg("%s: number %zu of the budget is %.17g %s, %.17g %s", trial->name->name, i,
                     found[i], way_names[way], expected[i], way_names[other]);
    }
}

static void compare(const Trial* trial) {
    for (int way = DEVICE; way <= CHAINS; way++) {
        for (int other = SWEEP; other < WAYS && !leaves_out(trial, way); other++)
            compare_ways(trial, way, other);
    }
}

static void step(Trial* trial, int steps) {
    GullySimDevice device;
    for (int way = 0; way < WAYS; way++) {
        if (!leaves_out(trial, way)) OK(gully_sim_step(trial->sim[way], steps));
    }
    for (int way = DEVICE; way <= CHAINS; way++) {
        if (leaves_out(trial, way)) continue;
        gully_sim_device(trial->sim[way], &device);
        if (device.state != GULLY_STEPS_ON_DEVICE)
            fail_msg("%s: the device does not step: %s", trial->name->name, device.message);
    }
    compare(trial);
}

/// A brush stroke: some ground and some water.
static void edit(Trial* trial) {
    const int width = trial->name->width, height = trial->name->height;
    const GullyRect rect = {width / 4, height / 3, (width + 2) / 3, (height + 3) / 4};
    float* hill = terrain_constant(812.5f, rect.width, rect.height);
    float* pool = terrain_constant(0.25f, rect.width, rect.height);
    for (int way = 0; way < WAYS; way++) {
        if (leaves_out(trial, way)) continue;
        OK(gully_world_write(trial->world[way], GULLY_TERRAIN, rect, hill));
        OK(gully_world_write(trial->world[way], GULLY_WATER, rect, pool));
    }
    free(hill);
    free(pool);
}

static void apply(Trial* trial) {
    for (int way = 0; way < WAYS; way++) {
        if (leaves_out(trial, way)) continue;
        OK(gully_sim_apply(trial->sim[way], trial->settings));
        gully_sim_wait(trial->sim[way]);
    }
}

// ---- tests --------------------------------------------------------------------------------------

static void run_case(const DeviceCase* c, bool no_chains) {
    Trial trial;
    begin_ways(&trial, c, no_chains);
    step(&trial, 7);
    edit(&trial);
    step(&trial, 5);
    OK(gully_settings_set_number(trial.settings, "dt", 0.05)); // another phase
    OK(gully_settings_set_text(trial.settings, "boundary.north", "open"));
    apply(&trial);
    step(&trial, 6);
    end(&trial);
}

static void test_every_case(void** state) {
    (void)state;
    for (int i = 0; i < device_case_count; i++) {
        if (SANITIZED && i % 8 != 0) continue;  // others run without
        run_case(&device_cases[i], i % 4 != 0); // chains of every law run in test_every_law
    }
}

static void test_every_size(void** state) {
    (void)state;
    static const int sizes[][2] = {{1, 1},   {1, 40},  {33, 1},   {2, 3},
                                   {16, 16}, {17, 31}, {200, 130}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        DeviceCase c = device_cases[0];
        c.width = sizes[i][0];
        c.height = sizes[i][1];
        c.thermal = true;
        run_case(&c, false);
    }
}

/// Every law of the table runs on a device, with nothing written for it: the tests' own too.
static void test_every_law(void** state) {
    (void)state;
    for (int i = 0; i < law_count(); i++) {
        const DeviceCase c = {.name = law_at(i)->name,
                              .model = law_at(i)->name,
                              .width = 75,
                              .height = 50,
                              .lake = true,
                              .keys = {"rain.rate", "1e-3"}};
        run_case(&c, false);
    }
}

/// Copies the state of one simulation to another.
static void hand_over(const GullySim* from, GullySim* to) {
    GullyState* state;
    OK(gully_state_of(from, &state));
    OK(gully_state_begin(state, to));
    void* piece = malloc(GULLY_STATE_PIECE);
    assert_non_null(piece);
    for (int64_t i = 0; i < gully_state_info(state)->pieces; i++) {
        OK(gully_state_read(state, from, i, piece));
        OK(gully_state_write(state, to, i, piece));
    }
    OK(gully_state_end(state, to));
    free(piece);
    gully_state_destroy(state);
}

/// A checkpoint of one is resumed on the other, in both directions.
static void test_states_change_hands(void** state) {
    (void)state;
    Trial trial;
    begin(&trial, &device_cases[0]);
    for (int way = DEVICE; way <= CHAINS; way++)
        OK(gully_sim_step(trial.sim[way], 9));
    hand_over(trial.sim[DEVICE], trial.sim[SWEEP]);
    OK(gully_sim_step(trial.sim[PLAIN], 9));
    step(&trial, 4);
    for (int way = SWEEP; way < WAYS; way++)
        OK(gully_sim_step(trial.sim[way], 3));
    for (int way = DEVICE; way <= CHAINS; way++)
        hand_over(trial.sim[PLAIN], trial.sim[way]);
    step(&trial, 4);
    end(&trial);
}

/// A simulation changes between processor and device at any step.
static void test_changing_backends(void** state) {
    (void)state;
    Trial trial;
    begin(&trial, &device_cases[1]);
    for (int turn = 0; turn < 4; turn++) {
        OK(gully_sim_use(trial.sim[SWEEP], turn % 2 ? GULLY_CPU : GULLY_GPU, "Portable"));
        gully_sim_wait(trial.sim[SWEEP]);
        step(&trial, 3 + turn);
    }
    end(&trial);
}

/// A field that appears while a device steps: hardness is painted for the first time.
static void test_new_fields(void** state) {
    (void)state;
    Trial trial;
    begin(&trial, &device_cases[0]);
    step(&trial, 3);
    for (int way = 0; way < WAYS; way++)
        OK(gully_world_fill(trial.world[way], GULLY_HARDNESS, 0.5f));
    for (int way = DEVICE; way <= CHAINS; way++)
        gully_sim_wait(trial.sim[way]);
    step(&trial, 4);
    end(&trial);
}

/// What sleeps costs nothing: a pond on dry land wakes and sleeps on the device as on the processor.
static void test_rest(void** state) {
    (void)state;
    const DeviceCase c = {.name = "rest",
                          .model = "pipe",
                          .width = 300,
                          .height = 280,
                          .thermal = true,
                          .holes = true,
                          .sources = true,
                          .keys = {"thermal.talus", "60"}};
    Trial trial;
    begin(&trial, &c);
    for (int turn = 0; turn < 8; turn++)
        step(&trial, 11);
    edit(&trial);
    step(&trial, 20);
    end(&trial);
}

/// Where it rains on every patch, chains do the steps, and pass kernels where patches sleep: chains
/// alone have second buffers. Both get the same bits when one follows the other.
static void test_chains_in_turn(void** state) {
    (void)state;
    const DeviceCase c = {
        .name = "in turn", .model = "pipe", .width = 83, .height = 61, .sources = true};
    Trial trial;
    GullySimDevice kernels, chains;
    begin(&trial, &c);
    step(&trial, 3);
    gully_sim_device(trial.sim[DEVICE], &kernels);
    gully_sim_device(trial.sim[CHAINS], &chains);
    const size_t memory = chains.memory; // no chain has run
    assert_true(chains.bytes_per_cell_step < kernels.bytes_per_cell_step);
    for (int turn = 0; turn < 6; turn++) {
        OK(gully_settings_set_number(trial.settings, "rain.rate", turn % 2 ? 0 : 1e-3));
        apply(&trial);
        step(&trial, 3 + turn);
    }
    gully_sim_device(trial.sim[CHAINS], &chains);
    assert_true(chains.memory > memory);
    end(&trial);
}

/// A view is of the step at which it was begun, and arrives while the device goes on.
static void check_views(int way) {
    static const GullyField fields[] = {GULLY_TERRAIN,  GULLY_WATER, GULLY_FLOW,
                                        GULLY_SEDIMENT, GULLY_WEAR,  GULLY_HARDNESS};
    enum { FIELDS = sizeof fields / sizeof *fields };
    DeviceCase c = device_cases[0];
    c.holes = true;
    Trial trial;
    begin(&trial, &c);
    const GullyRect rect = {3, 5, c.width - 7, c.height - 9};
    float* found = terrain_make(NULL, rect.width, rect.height);
    float* expected = terrain_make(NULL, rect.width, rect.height);
    assert_false(gully_sim_view_begin(trial.sim[SWEEP], fields, FIELDS));
    for (int turn = 0; turn < 5; turn++) {
        OK(gully_sim_step(trial.sim[way], 4));
        OK(gully_sim_step(trial.sim[SWEEP], 4));
        assert_true(gully_sim_view_begin(trial.sim[way], fields, FIELDS));
        OK(gully_sim_step(trial.sim[way], 3));
        const GullyView* view = NULL;
        while (!view || gully_view_step(view) != gully_sim_steps(trial.sim[SWEEP]))
            view = gully_sim_view(trial.sim[way]);
        assert_true(gully_view_time(view) == gully_sim_time(trial.sim[SWEEP]));
        for (int i = 0; i < FIELDS; i++) {
            OK(gully_view_read(view, fields[i], rect, found));
            OK(gully_world_read(trial.world[SWEEP], fields[i], rect, expected));
            assert_memory_equal(found, expected,
                                (size_t)(rect.width * rect.height) * sizeof *found);
        }
        assert_int_equal(gully_view_read(view, GULLY_VELOCITY_X, (GullyRect){-1, 0, 1, 1}, found),
                         GULLY_BAD_INPUT);
        OK(gully_sim_step(trial.sim[SWEEP], 3));
    }
    OK(gully_sim_step(trial.sim[way == DEVICE ? CHAINS : DEVICE], 35));
    OK(gully_sim_step(trial.sim[PLAIN], 35));
    compare(&trial);
    assert_null(gully_sim_view(trial.sim[way])); // the world itself is up to date
    free(found);
    free(expected);
    end(&trial);
}

static void test_views(void** state) {
    (void)state;
    for (int way = DEVICE; way <= CHAINS; way++)
        check_views(way);
}

int main(void) {
    device_cases_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_law),
        cmocka_unit_test(test_every_case),
        cmocka_unit_test(test_every_size),
        cmocka_unit_test(test_states_change_hands),
        cmocka_unit_test(test_changing_backends),
        cmocka_unit_test(test_new_fields),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_chains_in_turn),
        cmocka_unit_test(test_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
