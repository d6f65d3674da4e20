// SPDX-License-Identifier: MIT
/// Sessions in which tiles choose their levels: undo, journeys, files and replays come to the same bits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scratch.h"
#include "session_cases.h"

#define LEVELS_SCENE                                                                               \
    "{\"gully\": 1, \"seed\": 5, \"cell_size\": [10, 10],"                                         \
    " \"terrain\": {\"generate\": \"island\", \"width\": 150, \"height\": 130, \"relief\": 60},"   \
    " \"rain\": {\"rate\": 1e-3}, \"thermal\": {},"                                                \
    " \"sources\": [{\"x\": 700, \"y\": 600, \"radius\": 40, \"rate\": 0.02, \"until\": 40}],"     \
    " \"levels\": {\"error\": 0.6, \"tile\": 16, \"max\": 2},"                                     \
    " \"program\": [{\"name\": \"wet\", \"steps\": 100},"                                          \
    "  {\"name\": \"dry\", \"steps\": 1000, \"set\": {\"rain.rate\": 0}}]}"

static void step(GullySession* session, int64_t steps) {
    OK(gully_session_step(session, steps));
}

static void stroke(GullySession* session, int x) {
    act(session,
        "{\"do\": \"stroke\", \"brush\": \"lower\", \"radius\": 90, \"points\": [[%d, 600]]}", x);
    act(session, "{\"do\": \"end\"}");
}

/// Levels in use.
static GullyLevels levels_of(GullySession* session) {
    GullyLevels levels;
    OK(gully_sim_levels(gully_session_sim(session), &levels));
    return levels;
}

/// What was undone was never done.
static void test_undo(void** state) {
    (void)state;
    GullySession *edited = begin(LEVELS_SCENE, 2, NULL), *straight = begin(LEVELS_SCENE, 1, NULL);
    step(edited, 52);
    stroke(edited, 500);
    step(edited, 40);
    act(edited, "{\"do\": \"undo\"}");
    assert_int_equal(gully_sim_steps(gully_session_sim(edited)), 52);
    step(straight, 52);
    assert_same_session(edited, straight);
    const GullyLevels levels = levels_of(straight);
    assert_true(levels.share[0] > 0 && levels.share[0] < 1 && levels.changes > 0);
    for (int i = 0; i < 4; i++) {
        step(edited, 24);
        step(straight, 24);
        assert_same_session(edited, straight);
    }
    const GullyLevels one = levels_of(edited), other = levels_of(straight);
    assert_memory_equal(&one, &other, sizeof one);
    gully_session_destroy(edited);
    gully_session_destroy(straight);
}

static void test_journeys(void** state) {
    (void)state;
    GullySession* session = begin(LEVELS_SCENE, 2, NULL);
    step(session, 40);
    stroke(session, 800);
    step(session, 60);
    char* there = hashes_of(session);
    step(session, 72);
    char* end = hashes_of(session);
    act(session, "{\"do\": \"seek\", \"step\": 100}");
    assert_hashes(session, there);
    act(session, "{\"do\": \"seek\", \"step\": 172}");
    assert_hashes(session, end);
    free(there);
    free(end);
    gully_session_destroy(session);
}

static void test_files(void** state) {
    (void)state;
    char* folder = strdup(in_scratch("levels"));
    GullySession *session = begin(LEVELS_SCENE, 2, NULL), *opened, *replayed;
    GullySessionDef def = gully_session_def();
    step(session, 36);
    stroke(session, 700);
    step(session, 92);
    act(session, "{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": 0.4}");
    step(session, 44);
    if (gully_session_save(session, folder)) fail_msg("%s", gully_message());
    if (gully_session_open(folder, &def, &opened)) fail_msg("%s", gully_message());
    if (gully_session_replay(folder, &def, &replayed)) fail_msg("%s", gully_message());
    assert_same_session(session, opened);
    assert_same_session(session, replayed);
    for (int i = 0; i < 3; i++) {
        step(session, 28);
        step(opened, 28);
        step(replayed, 28);
        assert_same_session(session, opened);
        assert_same_session(session, replayed);
    }
    gully_session_destroy(session);
    gully_session_destroy(opened);
    gully_session_destroy(replayed);
    free(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undo),
        cmocka_unit_test(test_journeys),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
