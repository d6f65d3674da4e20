// SPDX-License-Identifier: MIT
/// The rounds that `stream` runs before its first step: in pieces, with states, edits and undo in
/// between, they come to the same bits as at once.
#include "edits.h"
#include "sanitized.h"

enum { ROUTE = 200, STEPS = 5 };

static Bench open_stream(int threads) {
    Bench bench = open_bench((BenchDef){.terrain = terrain_alpine,
                                        .width = SANITIZED ? 80 : 150,
                                        .height = SANITIZED ? 70 : 130,
                                        .model = "stream",
                                        .tile_size = 32,
                                        .threads = threads});
    OK(gully_settings_set_text(bench.settings, "boundary.west", "open"));
    OK(gully_settings_set_number(bench.settings, "params.route", ROUTE));
    OK(gully_editor_apply(bench.editor, bench.settings));
    return bench;
}

static int64_t prepare(const Bench* bench, int64_t most) {
    int64_t left;
    OK(gully_sim_prepare(bench->sim, most, &left));
    return left;
}

/// What comes of a simulation that goes on now.
static uint64_t finish(Bench* bench) {
    OK(gully_sim_step(bench->sim, STEPS));
    const uint64_t hash = state_hash(bench->sim);
    close_bench(bench);
    return hash;
}

static void raise(Bench* bench) {
    gully_editor_mark(bench->editor, "raise");
    dab(bench, "raise", make_brush("raise", 150), 700, 600);
}

static void tilt(Bench* bench) {
    gully_editor_mark(bench->editor, "tilt");
    OK(gully_settings_set_number(bench->settings, "params.tilt", 0.01));
    OK(gully_editor_apply(bench->editor, bench->settings));
}

static void test_pieces_give_the_same_bits(void** state) {
    (void)state;
    static const int pieces[] = {1, 7, 64};
    Bench whole = open_stream(1);
    const uint64_t wanted = finish(&whole);
    for (size_t n = 0; n < sizeof pieces / sizeof *pieces; n++) {
        Bench bench = open_stream(2);
        int64_t left = prepare(&bench, 0);
        assert_int_equal(left, ROUTE);
        while (left > 0) {
            const int64_t before = left;
            left = prepare(&bench, pieces[n]);
            assert_int_equal(left, before > pieces[n] ? before - pieces[n] : 0);
        }
        assert_int_equal(gully_sim_steps(bench.sim), 0);
        assert_int_equal(prepare(&bench, 10), 0); // there are no more
        assert_true(finish(&bench) == wanted);
    }
}

static void test_a_step_runs_what_is_left(void** state) {
    (void)state;
    Bench whole = open_stream(1), begun = open_stream(1);
    assert_int_equal(prepare(&begun, 77), ROUTE - 77);
    assert_true(finish(&begun) == finish(&whole));
}

static void test_other_models_have_none(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = terrain_rough});
    assert_int_equal(prepare(&bench, 10), 0);
    close_bench(&bench);
}

/// Copies the state of a simulation to another.
static void copy_state(const Bench* from, const Bench* to) {
    GullyState *state, *parsed;
    size_t size;
    OK(gully_state_of(from->sim, &state));
    const void* head = gully_state_head(state, &size);
    OK(gully_state_parse(head, size, &parsed));
    OK(gully_state_begin(parsed, to->sim));
    unsigned char* piece = malloc(GULLY_STATE_PIECE);
    for (int64_t i = 0; i < gully_state_info(state)->pieces; i++) {
        OK(gully_state_read(state, from->sim, i, piece));
        OK(gully_state_write(parsed, to->sim, i, piece));
    }
    OK(gully_state_end(parsed, to->sim));
    free(piece);
    gully_state_destroy(state);
    gully_state_destroy(parsed);
}

static void test_a_state_amid_rounds_goes_on(void** state) {
    (void)state;
    Bench whole = open_stream(1), left = open_stream(1), resumed = open_stream(2);
    prepare(&left, 90);
    OK(gully_sim_step(resumed.sim, 3)); // what was there before must not matter
    copy_state(&left, &resumed);
    assert_int_equal(prepare(&resumed, 0), ROUTE - 90);
    close_bench(&left);
    assert_true(finish(&resumed) == finish(&whole));
}

static void test_a_change_amid_rounds_is_one_before_them(void** state) {
    (void)state;
    static void (*const changes[])(Bench*) = {raise, tilt};
    for (size_t n = 0; n < sizeof changes / sizeof *changes; n++) {
        Bench before = open_stream(1), amid = open_stream(1);
        changes[n](&before);
        prepare(&amid, 120);
        changes[n](&amid);
        assert_int_equal(prepare(&amid, 0), ROUTE); // they begin anew
        prepare(&amid, 30);
        OK(gully_sim_step(before.sim, STEPS));
        OK(gully_sim_step(amid.sim, STEPS));
        assert_true(seen_hash(&amid) == seen_hash(&before));
        close_bench(&before);
        close_bench(&amid);
    }
}

static void test_undo_amid_rounds(void** state) {
    (void)state;
    static void (*const changes[])(Bench*) = {raise, tilt};
    for (size_t n = 0; n < sizeof changes / sizeof *changes; n++) {
        for (int steps = 0; steps <= 2; steps += 2) { // undone amid rounds, and after steps
            Bench whole = open_stream(1), undone = open_stream(1);
            prepare(&undone, 50);
            changes[n](&undone);
            prepare(&undone, 60);
            OK(gully_sim_step(undone.sim, steps));
            OK(gully_editor_undo(undone.editor));
            assert_int_equal(gully_sim_steps(undone.sim), 0);
            prepare(&undone, 10);
            OK(gully_sim_step(whole.sim, STEPS));
            OK(gully_sim_step(undone.sim, STEPS));
            assert_true(seen_hash(&undone) == seen_hash(&whole));
            close_bench(&whole);
            close_bench(&undone);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_give_the_same_bits),
        cmocka_unit_test(test_a_step_runs_what_is_left),
        cmocka_unit_test(test_other_models_have_none),
        cmocka_unit_test(test_a_state_amid_rounds_goes_on),
        cmocka_unit_test(test_a_change_amid_rounds_is_one_before_them),
        cmocka_unit_test(test_undo_amid_rounds),
    };
    return cmocka_run_group_tests_name("rounds", tests, NULL, NULL);
}
