// SPDX-License-Identifier: MIT
/// Undo and redo: back to every bit, so that a simulation goes on as if nothing had been done.
#include <limits.h>

#include "edits.h"

#include "sanitized.h"

enum { WIDTH = 150, HEIGHT = 130 };

/// Rain and a source, so that everything moves.
static void make_busy(Bench* bench) {
    const GullySource source = {
        .x = 500, .y = 400, .radius = 60, .rate = 0.05, .concentration = 0.1, .until = 1e9};
    gully_settings_set_number(bench->settings, "rain.rate", 2e-3);
    gully_settings_set_number(bench->settings, "rain.drops.drops_per_second", 20);
    gully_settings_set_number(bench->settings, "rain.drops.radius", 40);
    gully_settings_set_text(bench->settings, "boundary.west", "open");
    OK(gully_settings_add_source(bench->settings, &source));
    OK(gully_editor_apply(bench->editor, bench->settings));
}

static Bench open_busy(BenchDef def) {
    if (!def.terrain) def.terrain = terrain_holes;
    Bench bench = open_bench(def);
    make_busy(&bench);
    OK(gully_sim_step(bench.sim, 13));
    return bench;
}

static void paint(Bench* bench, const char* kind, double x, double y) {
    gully_editor_mark(bench->editor, kind);
    stroke(bench, kind, make_brush(kind, 120), (GullyPoint[]){{x, y}, {x + 300, y + 200}}, 2);
}

// ---- back to every bit --------------------------------------------------------------------------

/// Changes that a simulation has to come back from. Fields that they add stay, with their default.
typedef void Change(Bench* bench);

static void change_ground(Bench* bench) {
    paint(bench, "raise", 400, 300);
}

static void change_water(Bench* bench) {
    paint(bench, "water", 900, 700);
    OK(gully_sim_step(bench->sim, 50));
}

static void change_dt(Bench* bench) {
    gully_editor_mark(bench->editor, "dt");
    gully_settings_set_number(bench->settings, "dt", 0.11);
    gully_settings_clear_sources(bench->settings);
    OK(gully_editor_apply(bench->editor, bench->settings));
    OK(gully_sim_step(bench->sim, 7));
}

static void change_only_dt(Bench* bench) {
    gully_editor_mark(bench->editor, "dt");
    gully_settings_set_number(bench->settings, "dt", 0.11);
    OK(gully_editor_apply(bench->editor, bench->settings));
}

static void change_laws(Bench* bench) {
    gully_editor_mark(bench->editor, "thermal");
    gully_settings_switch(bench->settings, "thermal", true);
    gully_settings_set_number(bench->settings, "params.softening", 5);
    gully_settings_set_number(bench->settings, "rain.season.rate", 1e-3);
    OK(gully_editor_apply(bench->editor, bench->settings));
    OK(gully_sim_step(bench->sim, 50));
}

static void change_hardness(Bench* bench) {
    paint(bench, "harden", 300, 300);
    OK(gully_sim_step(bench->sim, 5));
}

static void change_holes(Bench* bench) {
    float heights[20 * 3];
    for (int i = 0; i < 60; i++)
        heights[i] = i % 2 ? NAN : 20;
    paint(bench, "lower", 1000, 100);
    OK(gully_world_write(bench->world, GULLY_TERRAIN, (GullyRect){50, 60, 20, 3}, heights));
    OK(gully_sim_step(bench->sim, 9));
}

static void change_by_rain(Bench* bench) {
    GullyBrush brush = make_brush("rain", 200);
    gully_editor_mark(bench->editor, "rain");
    OK(gully_editor_hold(bench->editor, "rain", &brush, (GullyPoint){700, 700}));
    OK(gully_sim_step(bench->sim, 9));
}

static void change_by_stamps(Bench* bench) {
    GullyClip* clip;
    GullyStamp stamp;
    gully_params_default(gully_stamp_table(), &stamp);
    stamp.x = 640;
    stamp.y = 640;
    stamp.angle = 33;
    gully_editor_mark(bench->editor, "paste");
    OK(gully_editor_copy(bench->editor, (GullyRect){20, 20, 50, 50}, &clip));
    OK(gully_editor_paste(bench->editor, clip, &stamp));
    gully_clip_destroy(clip);
}

/// A step that reaches too far for a sweep: fields of halves are stored in another way from then
/// on.
static void change_cycle(Bench* bench) {
    static const char* const cycle[] = {"rain", "erode", "transport*30", "mix*20", "evaporate"};
    gully_editor_mark(bench->editor, "cycle");
    OK(gully_settings_set_cycle(bench->settings, cycle, 5));
    OK(gully_editor_apply(bench->editor, bench->settings));
    paint(bench, "water", 300, 300);
    OK(gully_editor_undo(bench->editor));
    OK(gully_editor_redo(bench->editor));
    OK(gully_editor_undo(bench->editor));
}

static Change* const changes[] = {change_ground,  change_water,   change_dt,
                                  change_only_dt, change_laws,    change_hardness,
                                  change_holes,   change_by_rain, change_by_stamps};
enum { CHANGES = sizeof changes / sizeof *changes };

static void check_change(Change* change, BenchDef def) {
    Bench bench = open_busy(def), never = open_busy(def);
    const uint64_t before = seen_hash(&bench);
    assert_true(seen_hash(&never) == before);
    change(&bench);
    const uint64_t after = seen_hash(&bench), after_bits = state_hash(bench.sim);
    OK(gully_editor_undo(bench.editor));
    assert_true(seen_hash(&bench) == before);
    const uint64_t before_bits = state_hash(bench.sim);
    OK(gully_editor_redo(bench.editor));
    assert_true(seen_hash(&bench) == after);
    assert_true(state_hash(bench.sim) == after_bits);
    OK(gully_editor_undo(bench.editor));
    assert_true(state_hash(bench.sim) == before_bits);
    assert_int_equal(gully_sim_steps(bench.sim), gully_sim_steps(never.sim));
    assert_true(gully_sim_dt(bench.sim) == gully_sim_dt(never.sim));
    OK(gully_sim_step(bench.sim, 23));
    OK(gully_sim_step(never.sim, 23));
    assert_true(seen_hash(&bench) == seen_hash(&never));
    close_bench(&bench);
    close_bench(&never);
}

/// All of them; under a sanitizer every third.
static void check_changes(BenchDef def, int first) {
    for (int i = SANITIZED ? first : 0; i < CHANGES; i += SANITIZED ? 3 : 1)
        check_change(changes[i], def);
}

static void test_back_to_every_bit(void** state) {
    (void)state;
    check_changes((BenchDef){0}, 0);
    check_changes((BenchDef){.materials = 3, .tile_size = 50}, 1);
}

static void test_half_precision(void** state) {
    (void)state;
    check_changes((BenchDef){.half = true}, 2);
    check_change(change_cycle, (BenchDef){.half = true, .model = "diffusion"});
}

static void test_other_sizes(void** state) {
    (void)state;
    check_change(change_water, (BenchDef){.width = 128, .height = 64, .terrain = terrain_rough});
    check_change(change_water, (BenchDef){.width = 65, .height = 129, .tile_size = 7});
    check_change(change_water, (BenchDef){.width = 1, .height = 1, .terrain = terrain_flat});
    check_change(change_water, (BenchDef){.model = "diffusion"});
    check_change(change_water, (BenchDef){.model = "newton"});
}

/// A simulation that is asleep wakes where it is edited, and where that is taken back.
static void test_wakes(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = terrain_rough, .tile_size = 32});
    Bench plain = open_bench((BenchDef){.terrain = terrain_rough});
    for (int i = 0; i < 2; i++) {
        OK(gully_sim_step(bench.sim, 40));
        OK(gully_sim_step(plain.sim, 40));
        paint(&bench, "water", 700, 700);
        paint(&plain, "water", 700, 700);
    }
    OK(gully_sim_step(bench.sim, 40));
    OK(gully_sim_step(plain.sim, 40));
    assert_true(seen_hash(&bench) == seen_hash(&plain));
    assert_true(gully_world_volume(bench.world, GULLY_SEDIMENT) > 0);
    close_bench(&bench);
    close_bench(&plain);
}

// ---- the history --------------------------------------------------------------------------------

static void test_marks(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    GullyEditor* editor = bench.editor;
    assert_int_equal(gully_editor_undo(editor), GULLY_BAD_INPUT);
    assert_int_equal(gully_editor_redo(editor), GULLY_BAD_INPUT);
    assert_null(gully_editor_undo_name(editor));
    gully_editor_mark(editor, "one");
    assert_int_equal(gully_editor_depth(editor), 0); // nothing was done yet
    assert_true(gully_editor_bytes(editor) == 0);
    gully_editor_mark(editor, "two");
    GullyBrush brush = make_brush("raise", 0);
    dab(&bench, "raise", brush, 100, 100);
    dab(&bench, "raise", brush, 100, 100); // the same entry
    assert_string_equal(gully_editor_undo_name(editor), "two");
    assert_int_equal(gully_editor_depth(editor), 1);
    gully_editor_mark(editor, "three");
    dab(&bench, "raise", brush, 100, 100);
    assert_int_equal(gully_editor_depth(editor), 2);
    OK(gully_editor_undo(editor));
    assert_true(at(&bench, GULLY_TERRAIN, 10, 10) == 2);
    assert_string_equal(gully_editor_undo_name(editor), "two");
    assert_string_equal(gully_editor_redo_name(editor), "three");
    OK(gully_editor_undo(editor));
    assert_true(at(&bench, GULLY_TERRAIN, 10, 10) == 0);
    assert_int_equal(gully_editor_depth(editor), 0);
    assert_string_equal(gully_editor_redo_name(editor), "two");
    OK(gully_editor_redo(editor));
    OK(gully_editor_redo(editor));
    assert_true(at(&bench, GULLY_TERRAIN, 10, 10) == 3);
    assert_int_equal(gully_editor_redo(editor), GULLY_BAD_INPUT);
    OK(gully_editor_undo(editor));
    gully_editor_mark(editor, "four");
    gully_editor_mark(editor, NULL);
    dab(&bench, "lower", brush, 100, 100); // still entry two
    assert_int_equal(gully_editor_depth(editor), 1);
    assert_true(at(&bench, GULLY_TERRAIN, 10, 10) == 1);
    OK(gully_editor_redo(editor));
    assert_true(at(&bench, GULLY_TERRAIN, 10, 10) == 3);
    OK(gully_editor_undo(editor));
    gully_editor_mark(editor, "five");
    dab(&bench, "lower", brush, 100, 100); // what could be redone is forgotten
    assert_null(gully_editor_redo_name(editor));
    assert_true(at(&bench, GULLY_TERRAIN, 10, 10) == 0);
    close_bench(&bench);
}

/// Redo is what undo left, also if there were steps since, and these can be had again too.
static void test_redo_after_steps(void** state) {
    (void)state;
    Bench bench = open_busy((BenchDef){0});
    paint(&bench, "raise", 400, 300);
    OK(gully_sim_step(bench.sim, 20));
    uint64_t left = state_hash(bench.sim);
    OK(gully_editor_undo(bench.editor));
    OK(gully_sim_step(bench.sim, 31));
    uint64_t since = state_hash(bench.sim);
    assert_true(since != left);
    OK(gully_editor_redo(bench.editor));
    assert_true(state_hash(bench.sim) == left);
    OK(gully_editor_undo(bench.editor));
    assert_true(state_hash(bench.sim) == since);
    close_bench(&bench);
}

static void test_long_history(void** state) {
    (void)state;
    enum { ENTRIES = 12 };
    Bench bench = open_busy((BenchDef){0});
    uint64_t hashes[ENTRIES + 1];
    for (int i = 0; i < ENTRIES; i++) {
        hashes[i] = seen_hash(&bench);
        if (i % 3 == 0) OK(gully_sim_step(bench.sim, 3));
        if (i % 3 == 0) hashes[i] = seen_hash(&bench);
        if (i % 4 == 1)
            changes[i / 4 + 2](&bench);
        else
            paint(&bench, gully_brush_info(i % 7)->name, 100 + 80 * i, 50 + 60 * i);
    }
    hashes[ENTRIES] = seen_hash(&bench);
    for (int round = 0; round < 2; round++) {
        for (int i = ENTRIES; i > 0; i--) {
            assert_true(seen_hash(&bench) == hashes[i]);
            OK(gully_editor_undo(bench.editor));
        }
        for (int i = 0; i < ENTRIES; i++) {
            assert_true(seen_hash(&bench) == hashes[i]);
            OK(gully_editor_redo(bench.editor));
        }
    }
    close_bench(&bench);
}

static void test_what_is_held_is_released(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    change_by_rain(&bench);
    assert_true(budget_of(&bench).water.sources > 0);
    OK(gully_editor_undo(bench.editor));
    OK(gully_sim_step(bench.sim, 5));
    assert_true(budget_of(&bench).water.sources == 0);
    OK(gully_editor_redo(bench.editor));
    double fallen = budget_of(&bench).water.sources;
    OK(gully_sim_step(bench.sim, 5));
    assert_true(budget_of(&bench).water.sources == fallen && fallen > 0);
    GullyBrush brush = make_brush("raise", 10);
    OK(gully_editor_begin_stroke(bench.editor, "raise", &brush));
    OK(gully_editor_undo(bench.editor));
    assert_int_equal(gully_editor_stroke_to(bench.editor, &(GullyPoint){0, 0}, 1), GULLY_BAD_INPUT);
    OK(gully_editor_apply(bench.editor, bench.settings)); // and it does not come back
    OK(gully_sim_step(bench.sim, 5));
    assert_true(budget_of(&bench).water.sources == 0);
    close_bench(&bench);
}

/// Writes of others between two edits belong to the entry before, also while nothing steps.
static void test_writes_are_noticed(void** state) {
    (void)state;
    Bench bench = open_busy((BenchDef){.terrain = terrain_rough});
    const uint64_t first = seen_hash(&bench);
    paint(&bench, "raise", 100, 100);
    OK(gully_world_fill(bench.world, GULLY_WATER, 0.5f));
    const uint64_t second = seen_hash(&bench);
    paint(&bench, "raise", 100, 100);
    OK(gully_world_fill(bench.world, GULLY_WATER, 0.25f));
    const uint64_t third = seen_hash(&bench);
    OK(gully_editor_undo(bench.editor));
    assert_true(seen_hash(&bench) == second);
    OK(gully_editor_undo(bench.editor));
    assert_true(seen_hash(&bench) == first);
    OK(gully_editor_redo(bench.editor));
    OK(gully_editor_redo(bench.editor));
    assert_true(seen_hash(&bench) == third);
    close_bench(&bench);
}

static void test_materials_come_back(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.materials = 3});
    paint(&bench, "raise", 400, 300);
    GullyMaterial materials[3];
    for (int m = 0; m < 3; m++)
        materials[m] = *gully_world_material(bench.world, m);
    materials[1].erodibility = 7;
    OK(gully_world_set_materials(bench.world, materials, 3));
    OK(gully_editor_undo(bench.editor));
    assert_true(gully_world_material(bench.world, 1)->erodibility == 1);
    OK(gully_editor_redo(bench.editor));
    assert_true(gully_world_material(bench.world, 1)->erodibility == 7);
    close_bench(&bench);
}

// ---- memory -------------------------------------------------------------------------------------

/// While nothing steps, an entry takes what its stroke has changed and no more; all else of the
/// state is kept later, piece by piece, and at the latest when a step changes it.
static void test_strokes_share(void** state) {
    (void)state;
    enum { PATCH = 64 * 64 * 4 };
    Bench bench = open_busy((BenchDef){.width = 640, .height = 640, .terrain = terrain_rough});
    paint(&bench, "raise", 400, 300);
    const size_t whole = (size_t)640 * 640 * 4 * 5;
    assert_true(gully_editor_bytes(bench.editor) < whole / 4);
    int pieces = 1;
    for (; !gully_editor_keep(bench.editor, 7); pieces++)
        assert_true(pieces < 100);
    assert_int_equal(pieces, (100 + 6) / 7);
    size_t first = gully_editor_bytes(bench.editor);
    assert_true(first > whole);
    const uint64_t before = state_hash(bench.sim);
    gully_editor_mark(bench.editor, "dab");
    dab(&bench, "raise", make_brush("raise", 50), 3200, 3200); // where four patches meet
    size_t second = gully_editor_bytes(bench.editor) - first;
    assert_true(second <
                40000 + 20 * PATCH); // of the stroke before: one patch of ground, maybe two
    OK(gully_editor_undo(bench.editor));
    assert_true(state_hash(bench.sim) == before);
    OK(gully_editor_redo(bench.editor));
    OK(gully_editor_undo(bench.editor));
    assert_true(state_hash(bench.sim) == before);
    assert_true(gully_editor_bytes(bench.editor) < first + 80000 + 40 * PATCH);
    close_bench(&bench);
}

// ---- any way through the history ----------------------------------------------------------------

enum { MOST_ENTRIES = 400 };

/// Hashes of the states that undo and redo lead to.
typedef struct Path {
    uint64_t past[MOST_ENTRIES], future[MOST_ENTRIES];
    int pasts, futures;
} Path;

static int any(unsigned* seed, int below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (int)((*seed >> 8) % (unsigned)below);
}

static void write_somewhere(Bench* bench, unsigned* seed) {
    const GullyRect rect = {any(seed, 140), any(seed, 120), 10, 10};
    float depths[100];
    for (int i = 0; i < 100; i++)
        depths[i] = 0.01f * (float)any(seed, 50);
    OK(gully_world_write(bench->world, GULLY_WATER, rect, depths));
}

static void edit_somehow(Bench* bench, unsigned* seed, bool marked) {
    const char* kind = gully_brush_info(any(seed, gully_brush_count()))->name;
    if (gully_brush_find(kind)->held) kind = "raise";
    if (marked) gully_editor_mark(bench->editor, kind);
    const double dt = 0.1 + 0.01 * any(seed, 4);
    if (any(seed, 6) == 0) {
        gully_settings_set_number(bench->settings, "dt", dt);
        OK(gully_editor_apply(bench->editor, bench->settings));
    } else {
        dab(bench, kind, make_brush(kind, 60), 10 * any(seed, 150), 10 * any(seed, 130));
    }
}

static void go_back_or_forth(Bench* bench, Path* path, bool back) {
    int *from = back ? &path->pasts : &path->futures, *to = back ? &path->futures : &path->pasts;
    uint64_t *leads = back ? path->past : path->future, *left = back ? path->future : path->past;
    if (*from == 0) return;
    left[(*to)++] = seen_hash(bench);
    OK(back ? gully_editor_undo(bench->editor) : gully_editor_redo(bench->editor));
    assert_true(seen_hash(bench) == leads[--*from]);
}

/// Edits, steps, writes of others, undo and redo in any order: every state comes back.
static void walk(BenchDef def, unsigned seed) {
    Bench bench = open_busy(def);
    Path path = {.pasts = 0};
    for (int i = 0; i < (SANITIZED ? 60 : MOST_ENTRIES); i++) {
        switch (any(&seed, 10)) {
        case 0:
            OK(gully_sim_step(bench.sim, 1 + any(&seed, 6)));
            break;
        case 1:
            write_somewhere(&bench, &seed);
            break;
        case 2:
            edit_somehow(&bench, &seed, false);
            break;
        case 3:
            gully_editor_keep(bench.editor, any(&seed, 9));
            break;
        case 4:
        case 5:
            go_back_or_forth(&bench, &path, false);
            break;
        case 6:
        case 7:
            go_back_or_forth(&bench, &path, true);
            break;
        default:
            path.past[path.pasts++] = seen_hash(&bench);
            path.futures = 0;
            edit_somehow(&bench, &seed, true);
        }
    }
    while (path.pasts > 0)
        go_back_or_forth(&bench, &path, true);
    assert_null(gully_editor_undo_name(bench.editor));
    close_bench(&bench);
}

static void test_any_way(void** state) {
    (void)state;
    walk((BenchDef){.terrain = terrain_rough}, 1);
    walk((BenchDef){.terrain = terrain_rough, .materials = 3, .tile_size = 40}, 2);
    walk((BenchDef){.terrain = terrain_rough, .half = true}, 3);
}

/// What a state takes, of a simulation that moves everywhere.
static size_t bytes_of_state(void) {
    Bench bench = open_busy((BenchDef){0});
    paint(&bench, "raise", 400, 300);
    gully_editor_keep(bench.editor, INT_MAX);
    size_t bytes = gully_editor_bytes(bench.editor);
    close_bench(&bench);
    return bytes;
}

/// With room for three states and a half there are three entries, on the way back and forth too.
static void test_oldest_are_forgotten(void** state) {
    (void)state;
    const size_t most = bytes_of_state() * 7 / 2;
    Bench bench = open_busy((BenchDef){.most_bytes = most});
    uint64_t hashes[11];
    for (int i = 0; i < 10; i++) {
        hashes[i] = seen_hash(&bench);
        paint(&bench, "raise", 400, 300);
        OK(gully_sim_step(bench.sim, 5));
        assert_true(gully_editor_bytes(bench.editor) <= most);
    }
    hashes[10] = seen_hash(&bench);
    for (int round = 0; round < 2; round++) {
        for (int i = 9; i >= 7; i--) {
            assert_int_equal(gully_editor_depth(bench.editor), i + 1);
            OK(gully_editor_undo(bench.editor));
            assert_true(seen_hash(&bench) == hashes[i]);
            assert_true(gully_editor_bytes(bench.editor) <= most);
        }
        assert_null(gully_editor_undo_name(bench.editor));
        for (int i = 8; i <= 10; i++) {
            OK(gully_editor_redo(bench.editor));
            assert_true(seen_hash(&bench) == hashes[i]);
        }
    }
    close_bench(&bench);
}

static void test_the_newest_is_kept(void** state) {
    (void)state;
    Bench bench = open_busy((BenchDef){.most_bytes = 1});
    uint64_t before = 0;
    for (int i = 0; i < 3; i++) {
        before = seen_hash(&bench);
        paint(&bench, "raise", 400, 300);
        OK(gully_sim_step(bench.sim, 5));
    }
    uint64_t after = seen_hash(&bench);
    OK(gully_editor_undo(bench.editor));
    assert_true(seen_hash(&bench) == before);
    assert_null(gully_editor_undo_name(bench.editor));
    OK(gully_editor_redo(bench.editor));
    assert_true(seen_hash(&bench) == after);
    close_bench(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_back_to_every_bit),
        cmocka_unit_test(test_half_precision),
        cmocka_unit_test(test_other_sizes),
        cmocka_unit_test(test_wakes),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_redo_after_steps),
        cmocka_unit_test(test_long_history),
        cmocka_unit_test(test_what_is_held_is_released),
        cmocka_unit_test(test_writes_are_noticed),
        cmocka_unit_test(test_materials_come_back),
        cmocka_unit_test(test_any_way),
        cmocka_unit_test(test_strokes_share),
        cmocka_unit_test(test_oldest_are_forgotten),
        cmocka_unit_test(test_the_newest_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
