// SPDX-License-Identifier: MIT
/// What the present is compared with: the history as a list, pins, and fields as they were.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sanitized.h"
#include "session_cases.h"

static const GullyField seen[] = {GULLY_TERRAIN, GULLY_WATER,   GULLY_SEDIMENT, GULLY_FLOW,
                                  GULLY_WEAR,    GULLY_DEPOSIT, GULLY_LAYER_1};
enum { SEEN = sizeof seen / sizeof seen[0] };

/// All values of the fields, one after the other.
static float* values_of(const GullySession* session, const GullyMoment* was, size_t* count) {
    const GullyWorld* world = gully_sim_world(gully_session_sim((GullySession*)session));
    const GullyRect all = {0, 0, gully_world_width(world), gully_world_height(world)};
    const size_t cells = (size_t)all.width * (size_t)all.height;
    float* values = malloc(SEEN * cells * sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < SEEN; i++) {
        float* out = values + (size_t)i * cells;
        OK(was ? gully_moment_read(was, seen[i], all, out)
               : gully_world_read(world, seen[i], all, out));
    }
    *count = SEEN * cells;
    return values;
}

/// The reference has every bit of what was noted.
static void assert_was(const GullySession* session, const float* noted, size_t count) {
    float* was = values_of(session, gully_session_reference(session), &count);
    assert_memory_equal(was, noted, count * sizeof *was);
    free(was);
}

static json_t* entry_of(const json_t* history, size_t index) {
    return json_array_get(json_object_get(history, "entries"), index);
}

static void test_fields_as_they_were(void** state) {
    (void)state;
    GullySession* session = begin(RICH_SCENE, 2, NULL);
    size_t count;
    float* start = values_of(session, NULL, &count);
    OK(gully_session_step(session, 12));
    float* before = values_of(session, NULL, &count);
    act(session,
        "{\"do\": \"stroke\", \"brush\": \"raise\", \"radius\": 60, \"points\": [[200, 200]]}");
    act(session, "{\"do\": \"end\"}");
    act(session, "{\"do\": \"pin\", \"name\": \"the hill\"}");
    float* pinned = values_of(session, NULL, &count);
    act(session, "{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": 0.9}");
    OK(gully_session_step(session, 9));

    act(session, "{\"do\": \"compare\", \"to\": \"entry\", \"number\": 1}");
    assert_was(session, before, count);
    OK(gully_session_step(session, 9));
    assert_was(session, before, count);
    act(session, "{\"do\": \"compare\", \"to\": \"start\"}");
    assert_was(session, start, count);
    act(session, "{\"do\": \"compare\", \"to\": \"pin\", \"number\": 1}");
    assert_was(session, pinned, count);
    act(session, "{\"do\": \"undo\"}");
    act(session, "{\"do\": \"undo\"}");
    assert_was(session, pinned, count);
    act(session, "{\"do\": \"compare\", \"to\": \"none\"}");
    assert_null(gully_session_reference(session));
    free(start);
    free(before);
    free(pinned);
    gully_session_destroy(session);
}

static void test_history_as_a_list(void** state) {
    (void)state;
    GullySession* session = begin(RICH_SCENE, 2, NULL);
    OK(gully_session_step(session, 3));
    act(session,
        "{\"do\": \"stroke\", \"brush\": \"raise\", \"radius\": 60, \"points\": [[200, 200]]}");
    act(session, "{\"do\": \"end\"}");
    act(session, "{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": 0.9}");
    act(session, "{\"do\": \"set\", \"key\": \"dt\", \"value\": 0.05}");
    act(session, "{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": 0.3}");
    act(session, "{\"do\": \"switch\", \"add_on\": \"thermal\", \"on\": false}");
    act(session, "{\"do\": \"undo\"}");
    json_t* history = ask(session, "{\"do\": \"history\"}");
    assert_int_equal(json_array_size(json_object_get(history, "entries")), 5);
    assert_int_equal(json_array_size(json_object_get(entry_of(history, 0), "changes")), 0);
    assert_int_equal(json_integer_value(json_object_get(entry_of(history, 0), "step")), 3);
    const json_t* last = json_array_get(json_object_get(entry_of(history, 3), "changes"), 0);
    assert_string_equal(json_string_value(json_object_get(last, "key")), "params.capacity");
    assert_true(fabs(json_real_value(json_object_get(last, "before")) - 0.9) < 1e-9);
    assert_true(fabs(json_real_value(json_object_get(last, "after")) - 0.3) < 1e-9);
    assert_true(json_is_false(json_object_get(entry_of(history, 3), "undone")));
    const json_t* undone = entry_of(history, 4);
    assert_true(json_is_true(json_object_get(undone, "undone")));
    const json_t* off = json_array_get(json_object_get(undone, "changes"), 0);
    assert_true(json_is_true(json_object_get(off, "before")));
    assert_true(json_is_false(json_object_get(off, "after")));
    json_decref(history);
    gully_session_destroy(session);
}

static void test_refused(void** state) {
    (void)state;
    GullySession* session = begin(PLAIN_SCENE, 1, NULL);
    refuse(session, "{\"do\": \"compare\", \"to\": \"lunch\"}", "none, start, entry, pin");
    refuse(session, "{\"do\": \"compare\", \"to\": \"entry\", \"number\": 1}", "out of range");
    refuse(session, "{\"do\": \"compare\", \"to\": \"pin\", \"number\": 1}", "no such pin");
    refuse(session, "{\"do\": \"unpin\", \"pin\": 3}", "no such pin");
    for (int i = 0; i < 16; i++)
        act(session, "{\"do\": \"pin\", \"name\": \"%d\"}", i);
    refuse(session, "{\"do\": \"pin\", \"name\": \"more\"}", "unpin one first");
    act(session, "{\"do\": \"unpin\", \"pin\": 3}");
    act(session, "{\"do\": \"pin\", \"name\": \"more\"}");
    gully_session_destroy(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_as_they_were),
        cmocka_unit_test(test_history_as_a_list),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
