// SPDX-License-Identifier: MIT
/// States: a simulation that goes on from one is the same as one that was never left, bit for bit
/// in every field and account, for every law, whatever tiles and threads there were before and are
/// after.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "busy.h"
#include "gully/state.h"
#include "ok.h"
#include "sanitized.h"
#include "terrains.h"

enum { WIDTH = 120, HEIGHT = SANITIZED ? 50 : 75, STEPS = 13, LEFT_AT = 6 };

static const GullySource source = {.x = 150,
                                   .y = 110,
                                   .radius = 30,
                                   .rate = 0.02,
                                   .concentration = 0.1,
                                   .from = 1,
                                   .until = GULLY_FOREVER};

/// How a simulation is computed, which must not show; and what the world is.
typedef struct Way {
    int threads, tile_size;
    bool plain, half;
} Way;

typedef struct Run {
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Run;

static void lay(GullyWorld* world) {
    GullyMaterial materials[3] = {gully_material("rock", 0), gully_material("soil", 1),
                                  gully_material("sand", 2)};
    materials[1].erodibility = 3;
    assert_int_equal(gully_world_set_materials(world, materials, 3), GULLY_OK);
    assert_int_equal(gully_world_fill(world, GULLY_LAYER_1, 0.3f), GULLY_OK);
    assert_int_equal(gully_world_fill(world, GULLY_LAYER_2, 0.01f), GULLY_OK);
}

static Run open_run(const GullyLawInfo* law, Way way, bool layered) {
    Run run = {.settings = busy_settings(law, &source)};
    if (law->add_on) gully_settings_switch(run.settings, law->name, true); // twice in a step
    float* heights = terrain_make(terrain_holes, WIDTH, HEIGHT);
    GullyWorldDef def = gully_world_def(WIDTH, HEIGHT);
    def.cell_x = 2;
    def.cell_y = 3;
    def.tile_size = way.tile_size;
    def.half = way.half;
    def.heights = heights;
    assert_int_equal(gully_world_create(&def, &run.world), GULLY_OK);
    free(heights);
    if (layered) lay(run.world);
    GullySimDef sim_def = gully_sim_def();
    sim_def.threads = way.threads;
    sim_def.plain = way.plain;
    sim_def.velocity = true;
    sim_def.seed = 7;
    if (gully_sim_create(run.world, run.settings, &sim_def, &run.sim))
        fail_msg("%s", gully_message());
    return run;
}

static void close_run(Run* run) {
    gully_sim_destroy(run->sim);
    gully_settings_destroy(run->settings);
    gully_world_destroy(run->world);
}

/// A state with its cells.
typedef struct Kept {
    void* head;
    size_t head_size;
    unsigned char* cells;
    size_t size;
} Kept;

static Kept keep(const GullySim* sim) {
    GullyState* state;
    assert_int_equal(gully_state_of(sim, &state), GULLY_OK);
    Kept kept = {.size = gully_state_info(state)->bytes};
    const void* head = gully_state_head(state, &kept.head_size);
    kept.head = malloc(kept.head_size);
    memcpy(kept.head, head, kept.head_size);
    kept.cells = malloc(kept.size);
    for (int64_t i = 0; i < gully_state_info(state)->pieces; i++)
        OK(gully_state_read(state, sim, i, kept.cells + gully_state_piece(state, i).offset));
    gully_state_destroy(state);
    return kept;
}

static void restore(const Kept* kept, GullySim* sim) {
    GullyState* state;
    if (gully_state_parse(kept->head, kept->head_size, &state)) fail_msg("%s", gully_message());
    if (gully_state_begin(state, sim)) fail_msg("%s", gully_message());
    for (int64_t i = 0; i < gully_state_info(state)->pieces; i++)
        OK(gully_state_write(state, sim, i, kept->cells + gully_state_piece(state, i).offset));
    OK(gully_state_end(state, sim));
    gully_state_destroy(state);
}

static void drop(Kept* kept) {
    free(kept->head);
    free(kept->cells);
}

static bool is_same(const Kept* a, const Kept* b) {
    return a->head_size == b->head_size && a->size == b->size &&
           memcmp(a->head, b->head, a->head_size) == 0 && memcmp(a->cells, b->cells, a->size) == 0;
}

/// What users see of a simulation, in which it does not show how halves are stored.
static void assert_looks_same(const GullySim* a, const GullySim* b) {
    GullyBudget budget_a, budget_b;
    OK(gully_sim_budget(a, &budget_a));
    OK(gully_sim_budget(b, &budget_b));
    assert_memory_equal(&budget_a, &budget_b, sizeof budget_a);
    assert_true(gully_sim_time(a) == gully_sim_time(b));
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++)
        assert_true(gully_world_hash(gully_sim_world(a), field) ==
                    gully_world_hash(gully_sim_world(b), field));
}

/// Leaves a run in the middle, goes on from its state in another way, and compares the end with
/// that of a run that was not left.
static void check_law(const GullyLawInfo* law, Way before, Way after, bool layered) {
    Run whole = open_run(law, after, layered), left = open_run(law, before, layered);
    OK(gully_sim_step(whole.sim, STEPS));
    OK(gully_sim_step(left.sim, LEFT_AT));
    Kept kept = keep(left.sim);
    Run resumed = open_run(law, after, layered);
    OK(gully_sim_step(resumed.sim, 4)); // what was there before must not matter
    restore(&kept, resumed.sim);
    assert_int_equal(gully_sim_steps(resumed.sim), LEFT_AT);
    assert_looks_same(left.sim, resumed.sim);
    OK(gully_sim_step(resumed.sim, STEPS - LEFT_AT));
    Kept a = keep(whole.sim), b = keep(resumed.sim);
    if (!is_same(&a, &b)) fail_msg("%s%s differs", law->name, layered ? " with layers" : "");
    assert_looks_same(whole.sim, resumed.sim);
    drop(&a);
    drop(&b);
    drop(&kept);
    close_run(&resumed);
    close_run(&left);
    close_run(&whole);
}

static void check_all(Way before, Way after) {
    for (int i = 0; i < gully_law_count(); i++) {
        const GullyLawInfo law = *gully_law_info(i);
        if (!SANITIZED || !law.layers) check_law(&law, before, after, false);
        if (law.layers) check_law(&law, before, after, true);
    }
}

static void test_goes_on_with_other_tiles_and_threads(void** state) {
    (void)state;
    check_all((Way){1, 0, false, false}, (Way){2, 32, false, false});
    check_all((Way){3, 13, false, false}, (Way){1, WIDTH, false, false});
}

static void test_goes_on_with_the_other_stepper(void** state) {
    (void)state;
    check_all((Way){2, 32, true, false}, (Way){2, 64, false, false});
    check_all((Way){2, 64, false, false}, (Way){2, 32, true, false});
}

static void test_half_precision(void** state) {
    (void)state;
    check_all((Way){2, 32, false, true}, (Way){1, 64, false, true});
    check_all((Way){2, 32, true, true}, (Way){2, 64, false, true});
    check_all((Way){2, 64, false, true}, (Way){1, 32, true, true});
}

// ---- settings that change -----------------------------------------------------------------------

/// The phases of a run: another dt, an add-on that comes and goes, fields that were not there,
/// edits.
static void begin_phase(Run* run, int phase) {
    float hard[20 * 10];
    for (int i = 0; i < 200; i++)
        hard[i] = 0.25f;
    bool thermal = phase % 2 == 1;
    gully_settings_switch(run->settings, "thermal", thermal);
    set_number(run->settings, "dt", thermal ? 0.02 : 0.03);
    set_number(run->settings, "rain.season.octaves", 2 + phase);
    if (phase == 1)
        gully_world_write(run->world, GULLY_HARDNESS, (GullyRect){50, 40, 20, 10}, hard);
    if (phase == 2) gully_world_fill(run->world, GULLY_WATER, 0.1f);
    if (gully_sim_apply(run->sim, run->settings)) fail_msg("%s", gully_message());
}

static void test_phases(void** state) {
    (void)state;
    enum { PHASES = 4, PHASE_STEPS = 8, DONE = 3 };
    const GullyLawInfo law = *gully_law_find("pipe");
    const Way first = {2, 32, false, false}, second = {1, 50, false, false};
    Run whole = open_run(&law, first, false);
    for (int phase = 0; phase < PHASES; phase++) {
        begin_phase(&whole, phase);
        OK(gully_sim_step(whole.sim, DONE));
        Kept kept = keep(whole.sim);
        Run resumed = open_run(&law, second, false);
        gully_settings_destroy(resumed.settings);
        assert_int_equal(gully_settings_copy(whole.settings, &resumed.settings), GULLY_OK);
        assert_int_equal(gully_sim_apply(resumed.sim, resumed.settings), GULLY_OK);
        restore(&kept, resumed.sim);
        OK(gully_sim_step(whole.sim, PHASE_STEPS - DONE));
        OK(gully_sim_step(resumed.sim, PHASE_STEPS - DONE));
        Kept a = keep(whole.sim), b = keep(resumed.sim);
        if (!is_same(&a, &b)) fail_msg("left in phase %d it differs", phase);
        assert_looks_same(whole.sim, resumed.sim);
        drop(&a);
        drop(&b);
        drop(&kept);
        close_run(&resumed);
    }
    close_run(&whole);
}

// ---- what is refused ----------------------------------------------------------------------------

static GullyStatus begin(const Kept* kept, GullySim* sim) {
    GullyState* state;
    assert_int_equal(gully_state_parse(kept->head, kept->head_size, &state), GULLY_OK);
    GullyStatus status = gully_state_begin(state, sim);
    gully_state_destroy(state);
    return status;
}

static void expect_refused(const Kept* kept, Run* run, const char* named) {
    Kept before = keep(run->sim);
    assert_int_equal(begin(kept, run->sim), GULLY_BAD_INPUT);
    if (strncmp(gully_message(), named, strlen(named)) != 0)
        fail_msg("'%s' does not begin with %s", gully_message(), named);
    Kept after = keep(run->sim);
    assert_true(is_same(&before, &after));
    drop(&before);
    drop(&after);
    close_run(run);
}

static void test_refuses_what_differs(void** state) {
    (void)state;
    const GullyLawInfo pipe = *gully_law_find("pipe"), other = *gully_law_find("thermal");
    const Way way = {1, 0, false, false};
    Run run = open_run(&pipe, way, false);
    OK(gully_sim_step(run.sim, 2));
    Kept kept = keep(run.sim);
    Run wrong = open_run(&other, way, false);
    expect_refused(&kept, &wrong, "model: ");
    wrong = open_run(&pipe, way, true);
    expect_refused(&kept, &wrong, "materials: ");
    wrong = open_run(&pipe, (Way){1, 0, false, true}, false);
    expect_refused(&kept, &wrong, "half: ");
    wrong = open_run(&pipe, way, false);
    set_number(wrong.settings, "dt", 0.01);
    assert_int_equal(gully_sim_apply(wrong.sim, wrong.settings), GULLY_OK);
    expect_refused(&kept, &wrong, "dt: ");
    drop(&kept);
    close_run(&run);
}

static void test_refuses_pieces_of_others(void** state) {
    (void)state;
    const GullyLawInfo pipe = *gully_law_find("pipe");
    Run run = open_run(&pipe, (Way){1, 0, false, false}, false);
    GullyWorldDef def = gully_world_def(9, 7);
    GullySimDef sim_def = gully_sim_def();
    GullyWorld* small;
    GullySim* other;
    OK(gully_world_create(&def, &small));
    OK(gully_world_fill(small, GULLY_TERRAIN, 10)); // some ground for every add-on
    OK(gully_sim_create(small, run.settings, &sim_def, &other));
    GullyState* kept;
    OK(gully_state_of(run.sim, &kept));
    float* piece = calloc(1, GULLY_STATE_PIECE);
    const int64_t bad[] = {-1, gully_state_info(kept)->pieces};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(gully_state_read(kept, run.sim, bad[i], piece), GULLY_BAD_INPUT);
        assert_int_equal(gully_state_write(kept, run.sim, bad[i], piece), GULLY_BAD_INPUT);
        assert_non_null(strstr(gully_message(), "the state has no piece"));
    }
    assert_int_equal(gully_state_read(kept, other, 0, piece), GULLY_BAD_INPUT);
    assert_int_equal(gully_state_write(kept, other, 0, piece), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "the world 9 x 7"));
    free(piece);
    gully_state_destroy(kept);
    gully_sim_destroy(other);
    gully_world_destroy(small);
    close_run(&run);
}

/// Bytes that were changed are refused or are another state; nothing else happens.
static void test_heads_of_any_bytes(void** state) {
    (void)state;
    const GullyLawInfo pipe = *gully_law_find("pipe");
    Run run = open_run(&pipe, (Way){1, 0, false, false}, false);
    Kept kept = keep(run.sim);
    unsigned char* head = kept.head;
    GullyState* parsed;
    for (size_t size = 0; size < kept.head_size; size++)
        assert_int_equal(gully_state_parse(head, size, &parsed), GULLY_BAD_INPUT);
    for (size_t bit = 0; bit < kept.head_size * 8; bit++) {
        head[bit / 8] ^= (unsigned char)(1 << bit % 8);
        if (gully_state_parse(head, kept.head_size, &parsed) == GULLY_OK) {
            const GullyStateInfo* info = gully_state_info(parsed);
            GullyStatePiece last = gully_state_piece(parsed, info->pieces - 1);
            assert_true(last.offset + last.size == info->bytes);
            gully_state_destroy(parsed);
        }
        head[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    drop(&kept);
    close_run(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on_with_other_tiles_and_threads),
        cmocka_unit_test(test_goes_on_with_the_other_stepper),
        cmocka_unit_test(test_refuses_pieces_of_others),
        cmocka_unit_test(test_half_precision),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_refuses_what_differs),
        cmocka_unit_test(test_heads_of_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
