// SPDX-License-Identifier: MIT
/// Undo in worlds that are mostly asleep: it keeps the cells that change, and no others, and a
/// simulation goes on from there as if nothing had been done.
#include "edits.h"

enum { SIDE = 900, ENTRIES = 6 };

/// Strokes and steps: some of them run into what others left.
static void act(Bench* bench, int i) {
    static const char* const kinds[ENTRIES] = {"water",  "raise", "water",
                                               "harden", "lower", "water"};
    static const int steps[ENTRIES] = {30, 7, 1, 12, 55, 3};
    const double x = 900 + 1100 * (i % 3), y = 1300 + 900 * (i / 3);
    gully_editor_mark(bench->editor, kinds[i]);
    stroke(bench, kinds[i], make_brush(kinds[i], 150), (GullyPoint[]){{x, y}, {x + 400, y + 100}},
           2);
    OK(gully_sim_step(bench->sim, steps[i]));
}

static Bench open_dry(const char* add_on, int tile_size) {
    Bench bench = open_bench((BenchDef){
        .terrain = terrain_rough, .width = SIDE, .height = SIDE, .tile_size = tile_size});
    if (add_on) gully_settings_switch(bench.settings, add_on, true);
    OK(gully_editor_apply(bench.editor, bench.settings));
    OK(gully_sim_step(bench.sim, 5));
    return bench;
}

static void go_back_and_forth(const char* add_on, int tile_size) {
    Bench bench = open_dry(add_on, tile_size), straight = open_dry(add_on, 0);
    uint64_t hashes[ENTRIES + 1], later[ENTRIES + 1];
    for (int i = 0; i <= ENTRIES; i++) {
        hashes[i] = seen_hash(&bench);
        later[i] = seen_hash(&straight);
        assert_true(hashes[i] == later[i]); // tiles of another size
        if (i < ENTRIES) act(&bench, i);
        if (i < ENTRIES) act(&straight, i);
    }
    for (int i = ENTRIES - 1; i >= 0; i--) {
        OK(gully_editor_undo(bench.editor));
        assert_true(seen_hash(&bench) == hashes[i]);
    }
    for (int i = 0; i < ENTRIES / 2; i++)
        OK(gully_editor_redo(bench.editor));
    for (int i = ENTRIES / 2; i < ENTRIES; i++) {
        assert_true(seen_hash(&bench) == later[i]);
        act(&bench, i); // again, from what undo and redo left
    }
    assert_true(seen_hash(&bench) == later[ENTRIES]);
    close_bench(&bench);
    close_bench(&straight);
}

static void test_goes_on(void** state) {
    (void)state;
    go_back_and_forth(NULL, 100);
    go_back_and_forth("thermal", 64);
}

/// A stroke into a dry world, and the steps of the pond that it makes, keep little of it.
static void test_keeps_what_changes(void** state) {
    (void)state;
    Bench bench = open_dry(NULL, 0);
    const size_t world = (size_t)SIDE * SIDE * sizeof(float); // one field
    act(&bench, 0);
    assert_true(gully_editor_bytes(bench.editor) < world / 4);
    OK(gully_sim_step(bench.sim, 100));
    assert_true(gully_editor_bytes(bench.editor) < world / 2);
    OK(gully_editor_undo(bench.editor));
    assert_true(gully_editor_bytes(bench.editor) < world);
    close_bench(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_keeps_what_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
