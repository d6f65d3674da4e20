// SPDX-License-Identifier: MIT
/// Edits, steps, undo and redo: the same bits for any threads and tiles.
#include "edits.h"

#include "sanitized.h"

enum { MARKS = 8 };

/// What a state is after each part of a session.
static void play(BenchDef def, uint64_t hashes[MARKS]) {
    Bench bench = open_bench(def);
    GullyEditor* editor = bench.editor;
    int n = 0;
    gully_settings_set_number(bench.settings, "rain.rate", 1e-3);
    OK(gully_editor_apply(editor, bench.settings));
    for (int i = 0; i < gully_brush_count(); i++) {
        const GullyBrushInfo* info = gully_brush_info(i);
        if (info->held) continue;
        gully_editor_mark(editor, info->name);
        stroke(&bench, info->name, make_brush(info->name, 150),
               (GullyPoint[]){{100 + 70 * i, 300}, {90 + 60 * i, 310 + 40 * i}}, 2);
        if (i == 5) hashes[n++] = state_hash(bench.sim);
        OK(gully_sim_step(bench.sim, 3));
    }
    hashes[n++] = state_hash(bench.sim);
    GullyBrush brush = make_brush("rain", 150);
    gully_editor_mark(editor, "rain");
    OK(gully_editor_hold(editor, "rain", &brush, (GullyPoint){600, 650}));
    OK(gully_sim_step(bench.sim, fewer(12)));
    OK(gully_editor_release(editor));
    hashes[n++] = state_hash(bench.sim);
    GullyClip* clip;
    GullyStamp stamp;
    gully_params_default(gully_stamp_table(), &stamp);
    stamp.x = 650;
    stamp.y = 480;
    stamp.angle = 25;
    stamp.falloff = 0.3;
    gully_editor_mark(editor, "paste");
    OK(gully_editor_copy(editor, (GullyRect){31, 33, 40, 50}, &clip));
    OK(gully_editor_paste(editor, clip, &stamp));
    gully_clip_destroy(clip);
    hashes[n++] = state_hash(bench.sim);
    OK(gully_editor_undo(editor));
    OK(gully_editor_undo(editor));
    OK(gully_editor_undo(editor));
    hashes[n++] = state_hash(bench.sim);
    OK(gully_sim_step(bench.sim, 4));
    hashes[n++] = state_hash(bench.sim);
    OK(gully_editor_redo(editor));
    OK(gully_editor_redo(editor));
    hashes[n++] = state_hash(bench.sim);
    OK(gully_sim_step(bench.sim, 4));
    hashes[n++] = state_hash(bench.sim);
    assert_int_equal(n, MARKS);
    close_bench(&bench);
}

static void check(BenchDef def) {
    static const int tiles[] = {32, 100, 256};
    uint64_t first[MARKS], other[MARKS];
    def.width = 100;
    def.height = 90;
    def.threads = 1;
    def.tile_size = 32;
    play(def, first);
    for (int i = 0; i < 9; i++) {
        def.threads = 1 + i % 3;
        def.tile_size = tiles[i / 3];
        if (i == 0 || (SANITIZED && i != 5)) continue;
        play(def, other);
        for (int n = 0; n < MARKS; n++) {
            if (first[n] != other[n])
                fail_msg("%d threads, tiles of %d: part %d differs", def.threads, def.tile_size, n);
        }
    }
}

static void test_same_bits(void** state) {
    (void)state;
    check((BenchDef){.terrain = terrain_holes});
}

static void test_same_bits_with_layers(void** state) {
    (void)state;
    check((BenchDef){.terrain = terrain_alpine, .materials = 3});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_same_bits_with_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
