// SPDX-License-Identifier: MIT
/// Sessions: every command, what is refused, the way back, phases.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sanitized.h"
#include "session_cases.h"

// ---- commands -----------------------------------------------------------------------------------

static void test_every_command(void** state) {
    (void)state;
    GullySession* session = begin(RICH_SCENE, 2, NULL);
    char* before = hashes_of(session);
    act(session,
        "{\"do\": \"stroke\", \"brush\": \"raise\", \"radius\": 60, \"points\": [[200, 200]]}");
    char* after = hashes_of(session);
    assert_string_not_equal(before, after);
    free(before);
    free(after);
    act(session, "{\"do\": \"more\", \"points\": [[300, 220], [400, 260]]}");
    OK(gully_session_step(session, 3));
    act(session, "{\"do\": \"more\", \"points\": [[420, 300]]}");
    act(session, "{\"do\": \"end\"}");
    assert_int_equal(status_number(session, "records"), 4);
    act(session, "{\"do\": \"end\"}"); // of nothing: no record
    assert_int_equal(status_number(session, "records"), 4);
    assert_int_equal(status_number(session, "depth"), 1);

    act(session, "{\"do\": \"hold\", \"brush\": \"rain\", \"radius\": 50, \"at\": [400, 300], "
                 "\"begin\": true}");
    OK(gully_session_step(session, 5));
    act(session, "{\"do\": \"hold\", \"brush\": \"rain\", \"radius\": 50, \"at\": [300, 300]}");
    OK(gully_session_step(session, 5));
    act(session, "{\"do\": \"release\"}");
    act(session, "{\"do\": \"release\"}");
    assert_int_equal(status_number(session, "records"), 7);
    assert_int_equal(status_number(session, "depth"), 2);

    json_t* copy = ask(session, "{\"do\": \"copy\", \"rect\": [10, 10, 20, 15]}");
    assert_int_equal(json_integer_value(json_object_get(copy, "width")), 20);
    assert_int_equal(json_integer_value(json_object_get(copy, "height")), 15);
    act(session,
        "{\"do\": \"paste\", \"clip\": \"%s\", \"x\": 500, \"y\": 300, \"angle\": 30, \"fit\": "
        "true}",
        json_string_value(json_object_get(copy, "clip")));
    json_decref(copy);

    float values[6] = {1, 2, 3, 4, 5, 6};
    GullyRaster raster = {.width = 3, .height = 2, .cell_x = 1, .cell_y = 1, .values = values};
    char name[64], again[64];
    assert_int_equal(gully_session_add_raster(session, &raster, name), GULLY_OK);
    assert_int_equal(gully_session_add_raster(session, &raster, again), GULLY_OK);
    assert_string_equal(name, again);
    act(session,
        "{\"do\": \"stamp\", \"raster\": \"%s\", \"x\": 300, \"y\": 300, \"width\": 100, "
        "\"height\": 80}",
        name);

    act(session, "{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": 0.9}");
    act(session, "{\"do\": \"set\", \"key\": \"thermal.neighbours\", \"value\": \"4\"}");
    act(session, "{\"do\": \"set\", \"key\": \"params.film\", \"value\": false}");
    act(session, "{\"do\": \"set\", \"key\": \"dt\", \"value\": \"auto\"}");
    act(session, "{\"do\": \"reset\", \"key\": \"params.film\"}");
    act(session, "{\"do\": \"switch\", \"add_on\": \"thermal\", \"on\": false}");
    act(session, "{\"do\": \"reset\", \"key\": \"thermal\"}");
    json_t* added =
        ask(session, "{\"do\": \"add_source\", \"x\": 100, \"y\": 100, \"rate\": 0.01}");
    assert_int_equal(json_integer_value(json_object_get(added, "index")), 1);
    json_decref(added);
    act(session, "{\"do\": \"move_source\", \"index\": 1, \"x\": 150}");
    act(session, "{\"do\": \"remove_source\", \"index\": 0}");
    act(session, "{\"do\": \"material\", \"index\": 1, \"key\": \"talus\", \"value\": 25}");
    act(session, "{\"do\": \"phase\", \"index\": 2, \"hold\": true}");
    OK(gully_session_step(session, 3));

    json_t* description = parse_free(gully_session_describe(session));
    const json_t* sources = json_object_get(description, "sources");
    assert_int_equal(json_array_size(sources), 1);
    assert_true(json_number_value(json_object_get(json_array_get(sources, 0), "x")) == 150);
    const json_t* soil = json_array_get(json_object_get(description, "materials"), 1);
    assert_string_equal(json_string_value(json_object_get(soil, "name")), "soil");
    assert_true(json_number_value(json_object_get(soil, "talus")) == 25);
    assert_true(json_is_true(json_object_get(description, "held")));
    json_decref(description);

    json_t* undone = ask(session, "{\"do\": \"undo\", \"id\": 7}");
    assert_string_equal(json_string_value(json_object_get(undone, "name")), "phase");
    json_decref(undone);
    json_t* redone = ask(session, "{\"do\": \"redo\"}");
    assert_string_equal(json_string_value(json_object_get(redone, "name")), "phase");
    json_decref(redone);
    json_t* picked = ask(session, "{\"do\": \"pick\", \"at\": [104, 83]}");
    json_t* cell = json_object_get(picked, "cell");
    assert_int_equal(json_integer_value(json_array_get(cell, 0)), 10);
    assert_int_equal(json_integer_value(json_array_get(cell, 1)), 10);
    float height;
    OK(gully_world_read(gully_sim_world(gully_session_sim(session)), GULLY_TERRAIN,
                        (GullyRect){10, 10, 1, 1}, &height));
    const json_t* values_there = json_object_get(picked, "values");
    assert_true(json_number_value(json_object_get(values_there, "terrain")) == (double)height);
    json_decref(picked);
    gully_session_destroy(session);
}

typedef struct Case {
    const char* text;
    const char* expected;
} Case;

static void test_refused(void** state) {
    (void)state;
    static const Case cases[] = {
        {"", "command: is no JSON object"},
        {"[1]", "command: is no JSON object {\"do\": NAME, ...}: it is a list"},
        {"{\"do\": 1}", "do: expected a command's name, got a number"},
        {"{}", "do: missing"},
        {"{\"do\": \"undoo\"}", "do: unknown command; allowed: stroke, more"},
        {"{\"do\": \"undoo\"}", "did you mean undo?"},
        {"{\"do\": \"undo\", \"step\": 3}", "undo: step: unknown key; allowed: do, id"},
        {"{\"do\": \"undo\"}", "undo: there is nothing to undo"},
        {"{\"do\": \"redo\"}", "redo: there is nothing to redo"},
        {"{\"do\": \"stroke\", \"points\": [[1, 2]]}", "stroke: brush: missing"},
        {"{\"do\": \"stroke\", \"brush\": \"raize\", \"points\": [[1, 2]]}", "did you mean raise?"},
        {"{\"do\": \"stroke\", \"brush\": \"rain\", \"points\": [[1, 2]]}",
         "is held, it makes no strokes"},
        {"{\"do\": \"stroke\", \"brush\": \"raise\"}", "stroke: points: missing"},
        {"{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": []}",
         "points: has 0 points; allowed: 1 to 65536"},
        {"{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[1]]}",
         "points[0]: has 1 numbers"},
        {"{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[1, 2], [1, \"a\"]]}",
         "points[1][1]: expected a number"},
        {"{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[1e10, 2]]}",
         "points[0][0]: 1e+10 is out of range"},
        {"{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[1e999, 2]]}", "overflow"},
        {"{\"do\": \"stroke\", \"brush\": \"raise\", \"radius\": -1, \"points\": [[1, 2]]}",
         "radius: -1 is out of range; allowed: a number from 0"},
        {"{\"do\": \"stroke\", \"brush\": \"raise\", \"raduis\": 1, \"points\": [[1, 2]]}",
         "did you mean radius?"},
        {"{\"do\": \"stroke\", \"brush\": \"raise\", \"layer\": 5, \"points\": [[1, 2]]}", "layer"},
        {"{\"do\": \"more\", \"points\": [[1, 2]]}", "more: there is no stroke to go on with"},
        {"{\"do\": \"hold\", \"brush\": \"raise\", \"at\": [1, 2], \"begin\": true}",
         "it cannot be held; allowed: rain"},
        {"{\"do\": \"hold\", \"brush\": \"rain\", \"at\": [1, 2]}", "hold: begin: nothing is held"},
        {"{\"do\": \"hold\", \"brush\": \"rain\", \"at\": [1, 2], \"begin\": 1}",
         "begin: expected true or false"},
        {"{\"do\": \"hold\", \"brush\": \"rain\", \"begin\": true}", "at: missing"},
        {"{\"do\": \"hold\", \"brush\": \"rain\", \"at\": [1, 2], \"begin\": true, \"strength\": "
         "9999}",
         "strength: 9999 is out of range; allowed: up to"},
        {"{\"do\": \"stamp\", \"raster\": \"x\"}",
         "stamp: raster: there is no such raster; allowed: none"},
        {"{\"do\": \"paste\", \"clip\": \"../x\"}", "paste: clip: there is no such copy"},
        {"{\"do\": \"copy\", \"rect\": [0, 0, 0, 5]}",
         "rect[2]: 0 is out of range; allowed: a whole number from 1 to 90"},
        {"{\"do\": \"copy\", \"rect\": [80, 0, 11, 5]}",
         "rect[2]: 11 is out of range; allowed: a whole number from 1 to 10"},
        {"{\"do\": \"copy\", \"rect\": [1, 2, 3]}", "rect: has 3 numbers"},
        {"{\"do\": \"set\", \"key\": \"params.capacty\", \"value\": 1}", "did you mean capacity?"},
        {"{\"do\": \"set\", \"key\": \"parms.capacity\", \"value\": 1}", "did you mean params?"},
        {"{\"do\": \"set\", \"key\": \"capacity\", \"value\": 1}", "key: no such parameter"},
        {"{\"do\": \"set\", \"key\": \"params.capacity\"}", "set: value: missing"},
        {"{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": \"much\"}",
         "value: expected a number from 0"},
        {"{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": -1}",
         "value: -1 is out of range"},
        {"{\"do\": \"set\", \"key\": \"params.transport\", \"value\": \"cart\"}",
         "value: \"cart\" is unknown; allowed: one of semi_lagrangian, flux"},
        {"{\"do\": \"set\", \"key\": \"dt\", \"value\": 50}", "dt: 50 s is unstable"},
        {"{\"do\": \"set\", \"key\": \"params.gravity\", \"value\": 1000}",
         "unstable in phase 2 (dry)"},
        {"{\"do\": \"reset\", \"key\": \"x\"}", "reset: key: no such parameter"},
        {"{\"do\": \"switch\", \"add_on\": \"thermak\", \"on\": true}", "did you mean thermal?"},
        {"{\"do\": \"switch\", \"add_on\": \"thermal\"}", "switch: on: missing"},
        {"{\"do\": \"add_source\", \"rate\": 101}", "rate: 101 is out of range"},
        {"{\"do\": \"add_source\", \"from\": 5, \"until\": 5}", "allowed: from < until"},
        {"{\"do\": \"move_source\", \"index\": 1}",
         "index: 1 is out of range; allowed: a whole number from 0 to 0"},
        {"{\"do\": \"remove_source\"}", "index: missing"},
        {"{\"do\": \"material\", \"index\": 3, \"key\": \"talus\", \"value\": 1}",
         "index: 3 is out of range"},
        {"{\"do\": \"material\", \"index\": 1, \"key\": \"tallus\", \"value\": 1}",
         "did you mean talus?"},
        {"{\"do\": \"material\", \"index\": 1, \"key\": \"talus\", \"value\": 99}",
         "value: 99 is out of range"},
        {"{\"do\": \"phase\", \"index\": 3}",
         "index: 3 is out of range; allowed: a whole number from 0 to 2"},
        {"{\"do\": \"pick\", \"at\": [-6, 0]}",
         "pick: at: x = -6 m is outside; allowed: from -5 to 895 m"},
        {"{\"do\": \"hash\", \"do\": \"hash\"}", "duplicate"},
    };
    GullySession* session = begin(RICH_SCENE, 1, NULL);
    OK(gully_session_step(session, 2));
    for (int i = 0; i < COUNT(cases); i++)
        refuse(session, cases[i].text, cases[i].expected);
    char* large = malloc((1 << 20) + 2);
    memset(large, ' ', (1 << 20) + 1);
    large[(1 << 20) + 1] = '\0';
    refuse(session, large, "allowed: up to 1048576");
    memset(large, '[', 1 << 20); // as deep as it can be
    refuse(session, large, "command: ");
    free(large);
    gully_session_destroy(session);

    session = begin(PLAIN_SCENE, 1, NULL);
    refuse(session, "{\"do\": \"material\", \"index\": 0, \"key\": \"talus\", \"value\": 1}",
           "no materials");
    refuse(session, "{\"do\": \"remove_source\", \"index\": 0}", "there are no sources");
    gully_session_destroy(session);
}

// ---- the way back -------------------------------------------------------------------------------

static void test_undo_takes_records_away(void** state) {
    (void)state;
    GullySession* session = begin(RICH_SCENE, 2, NULL);
    OK(gully_session_step(session, 20));
    char* start = hashes_of(session);
    act(session,
        "{\"do\": \"stroke\", \"brush\": \"lower\", \"radius\": 80, \"points\": [[300, 300]]}");
    OK(gully_session_step(session, 10));
    act(session, "{\"do\": \"more\", \"points\": [[500, 300]]}");
    act(session, "{\"do\": \"end\"}");
    act(session, "{\"do\": \"switch\", \"add_on\": \"thermal\", \"on\": false}");
    OK(gully_session_step(session, 10));
    char* end = hashes_of(session);
    assert_int_equal(status_number(session, "records"), 4);
    act(session, "{\"do\": \"undo\"}");
    assert_int_equal(status_number(session, "records"), 3);
    assert_int_equal(status_number(session, "step"), 30);
    act(session, "{\"do\": \"undo\"}");
    assert_int_equal(status_number(session, "records"), 0);
    assert_int_equal(status_number(session, "step"), 20);
    assert_int_equal(status_number(session, "phase"), 2);
    assert_int_equal(status_number(session, "phase_step"), 3);
    assert_hashes(session, start);
    act(session, "{\"do\": \"redo\"}");
    act(session, "{\"do\": \"redo\"}");
    assert_hashes(session, end);
    assert_int_equal(status_number(session, "records"), 4);
    assert_int_equal(status_number(session, "step"), 40);
    act(session, "{\"do\": \"undo\"}");
    act(session, "{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": 0.3}");
    refuse(session, "{\"do\": \"redo\"}", "nothing to redo");
    assert_int_equal(status_number(session, "records"), 4);
    free(start);
    free(end);
    gully_session_destroy(session);
}

static double row_value(const GullySession* session, const char* section, const char* name,
                        const char* what) {
    json_t* description = parse_free(gully_session_describe(session));
    size_t i, j;
    json_t *part, *row;
    double value = -1;
    json_array_foreach(json_object_get(description, "sections"), i, part) {
        if (strcmp(json_string_value(json_object_get(part, "name")), section) != 0) continue;
        json_array_foreach(json_object_get(part, "rows"), j, row) {
            if (strcmp(json_string_value(json_object_get(row, "name")), name) == 0)
                value = json_number_value(json_object_get(row, what));
        }
    }
    json_decref(description);
    return value;
}

static void test_sets_of_one_parameter_are_one_entry(void** state) {
    (void)state;
    GullySession* session = begin(PLAIN_SCENE, 1, NULL);
    for (int i = 1; i <= 5; i++) // at the same step the last one is all that counts
        act(session, "{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": 0.%d}", i);
    assert_int_equal(status_number(session, "depth"), 1);
    assert_int_equal(status_number(session, "records"), 1);
    OK(gully_session_step(session, 3));
    act(session, "{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": 0.8}");
    assert_int_equal(status_number(session, "depth"), 1);
    assert_int_equal(status_number(session, "records"), 2);
    act(session, "{\"do\": \"set\", \"key\": \"params.dissolve\", \"value\": 0.1}");
    act(session, "{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": 0.7}");
    assert_int_equal(status_number(session, "depth"), 3);
    assert_int_equal(status_number(session, "records"), 4);
    assert_true(row_value(session, "params", "capacity", "value") == 0.7);
    assert_true(row_value(session, "params", "capacity", "scene") == 0.6);
    act(session, "{\"do\": \"undo\"}");
    assert_true(row_value(session, "params", "capacity", "value") == 0.8);
    act(session, "{\"do\": \"set\", \"key\": \"params.capacity\", \"value\": 0.5}"); // a new entry
    assert_int_equal(status_number(session, "depth"), 3);
    act(session, "{\"do\": \"undo\"}");
    act(session, "{\"do\": \"undo\"}");
    act(session, "{\"do\": \"undo\"}");
    assert_true(row_value(session, "params", "capacity", "value") == 0.6);
    assert_int_equal(status_number(session, "step"), 0);
    assert_int_equal(status_number(session, "records"), 0);
    // A change of dt scales what flows: none of these may be left out.
    act(session, "{\"do\": \"set\", \"key\": \"dt\", \"value\": 0.1}");
    act(session, "{\"do\": \"set\", \"key\": \"dt\", \"value\": 0.2}");
    assert_int_equal(status_number(session, "records"), 2);
    assert_int_equal(status_number(session, "depth"), 1);
    gully_session_destroy(session);
}

static void test_materials_come_back(void** state) {
    (void)state;
    GullySession* session = begin(RICH_SCENE, 1, NULL);
    const GullyWorld* world = gully_sim_world(gully_session_sim(session));
    act(session, "{\"do\": \"material\", \"index\": 1, \"key\": \"erodibility\", \"value\": 0}");
    act(session, "{\"do\": \"material\", \"index\": 1, \"key\": \"erodibility\", \"value\": 9}");
    act(session, "{\"do\": \"material\", \"index\": 1, \"key\": \"talus\", \"value\": 20}");
    assert_int_equal(status_number(session, "depth"), 2);
    assert_int_equal(status_number(session, "records"), 2);
    OK(gully_session_step(session, 5));
    char* end = hashes_of(session);
    act(session, "{\"do\": \"undo\"}");
    assert_true(gully_world_material(world, 1)->talus == -1);
    assert_true(gully_world_material(world, 1)->erodibility == 9);
    act(session, "{\"do\": \"undo\"}");
    assert_true(gully_world_material(world, 1)->erodibility == 1);
    OK(gully_session_step(session, 5));
    GullySession* plain = begin(RICH_SCENE, 1, NULL);
    OK(gully_session_step(plain, 5));
    assert_same_session(session, plain);
    act(session, "{\"do\": \"redo\"}");
    act(session, "{\"do\": \"redo\"}");
    assert_true(gully_world_material(world, 1)->talus == 20);
    assert_hashes(session, end);
    free(end);
    gully_session_destroy(session);
    gully_session_destroy(plain);
}

// ---- phases -------------------------------------------------------------------------------------

/// The same scene as `gully run` runs it.
static void run_scene(GullyScene* scene, int64_t steps, GullyWorld** world, GullySim** sim) {
    GullyGeoreference georeference;
    GullySimDef def = gully_sim_def();
    def.seed = gully_scene_seed(scene);
    def.threads = 1;
    assert_int_equal(gully_scene_world(scene, world, &georeference), GULLY_OK);
    assert_int_equal(gully_sim_create(*world, gully_scene_phase(scene, 0)->settings, &def, sim),
                     GULLY_OK);
    for (int i = 0; i < gully_scene_phase_count(scene) && steps > 0; i++) {
        const GullyPhase* phase = gully_scene_phase(scene, i);
        int64_t chunk = phase->steps < steps ? phase->steps : steps;
        assert_int_equal(gully_sim_apply(*sim, phase->settings), GULLY_OK);
        OK(gully_sim_step(*sim, chunk));
        steps -= chunk;
    }
    free(georeference.projection);
}

static void test_phases_as_in_a_run(void** state) {
    (void)state;
    GullyScene* scene = scene_of(RICH_SCENE);
    GullyWorld* world;
    GullySim* sim;
    run_scene(scene, 70, &world, &sim);
    GullySession* session = begin(RICH_SCENE, 2, NULL);
    for (int i = 0; i < 7; i++)
        OK(gully_session_step(session, 10));
    const GullyWorld* other = gully_sim_world(gully_session_sim(session));
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++)
        assert_true(gully_world_hash(world, field) == gully_world_hash(other, field));
    assert_true(gully_sim_time(sim) == gully_sim_time(gully_session_sim(session)));
    gully_session_destroy(session);
    gully_sim_destroy(sim);
    gully_world_destroy(world);
    gully_scene_destroy(scene);
}

static void test_phases_repeat_and_hold(void** state) {
    (void)state;
    GullySession* session = begin(RICH_SCENE, 1, NULL);
    static const struct {
        int steps, phase, phase_step;
    } way[] = {{16, 0, 16}, {1, 2, 0}, {8, 2, 8}, {1, 0, 0}, {26 * 5, 0, 0}, {30, 0, 4}};
    for (int i = 0; i < COUNT(way); i++) {
        OK(gully_session_step(session, way[i].steps));
        assert_int_equal(status_number(session, "phase"), way[i].phase);
        assert_int_equal(status_number(session, "phase_step"), way[i].phase_step);
    }
    act(session, "{\"do\": \"phase\", \"index\": 2, \"hold\": true}");
    OK(gully_session_step(session, 50));
    assert_int_equal(status_number(session, "phase"), 2);
    assert_int_equal(status_number(session, "phase_step"), 50);
    assert_true(row_value(session, "rain", "rate", "value") == 0);
    assert_true(gully_sim_dt(gully_session_sim(session)) == 0.1);
    act(session, "{\"do\": \"phase\", \"index\": 1}"); // has no steps: it is over at once
    assert_int_equal(status_number(session, "phase"), 2);
    OK(gully_session_step(session, 9));
    assert_int_equal(status_number(session, "phase"), 0);
    act(session, "{\"do\": \"undo\"}");
    assert_int_equal(status_number(session, "phase_step"), 50);
    act(session, "{\"do\": \"undo\"}");
    assert_int_equal(status_number(session, "phase"), 0);
    assert_int_equal(status_number(session, "phase_step"), 4);
    // What is set holds in all phases.
    act(session, "{\"do\": \"set\", \"key\": \"rain.rate\", \"value\": 0.002}");
    OK(gully_session_step(session, 14));
    assert_int_equal(status_number(session, "phase"), 2);
    assert_true(row_value(session, "rain", "rate", "value") == 0.002);
    assert_true(row_value(session, "rain", "rate", "scene") == 0);
    gully_session_destroy(session);

    session = begin(
        "{\"gully\": 1, \"terrain\": {\"generate\": \"mountains\", \"width\": 20, \"height\": 20},"
        " \"steps\": 0}",
        1, NULL); // never over
    OK(gully_session_step(session, 5));
    assert_int_equal(status_number(session, "phase_step"), 5);
    gully_session_destroy(session);
}

/// The settings of a phase that begins are no edit: what was undone can still be redone.
static void test_redo_after_a_phase(void** state) {
    (void)state;
    GullySession* session = begin(RICH_SCENE, 1, NULL);
    OK(gully_session_step(session, 5));
    act(session, "{\"do\": \"stroke\", \"brush\": \"raise\", \"points\": [[300, 300]]}");
    act(session, "{\"do\": \"end\"}");
    OK(gully_session_step(session, 2));
    char* hashes = hashes_of(session);
    act(session, "{\"do\": \"undo\"}");
    refuse(session, "{\"do\": \"set\", \"key\": \"dt\", \"value\": 100}", "dt");
    OK(gully_session_step(session, 40)); // two phases begin
    act(session, "{\"do\": \"redo\"}");
    assert_int_equal(status_number(session, "step"), 7);
    assert_int_equal(status_number(session, "depth"), 1);
    assert_hashes(session, hashes);
    free(hashes);
    gully_session_destroy(session);
}

/// A journey into the past performs commands, for which the history makes room: however long it is by then.
static void test_the_past_of_a_long_history(void** state) {
    (void)state;
    enum { LONG = 70, GROWS = 60 }; // it grows in between
    GullySession* session = begin(RICH_SCENE, 1, NULL);
    for (int n = 0; n < LONG; n++) {
        char set[96], seek[64];
        snprintf(set, sizeof set, "{\"do\": \"set\", \"key\": \"params.%s\", \"value\": %g}",
                 n % 2 ? "capacity" : "deposit", 0.1 + 0.001 * n);
        act(session, "%s", set);
        OK(gully_session_step(session, 1));
        if (n < GROWS) continue;
        char* hashes = hashes_of(session);
        snprintf(seek, sizeof seek, "{\"do\": \"seek\", \"step\": %d}", n - 5);
        act(session, "%s", seek);
        assert_int_equal(status_number(session, "step"), n - 5);
        act(session, "{\"do\": \"undo\"}");
        assert_hashes(session, hashes);
        free(hashes);
    }
    gully_session_destroy(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_command),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_undo_takes_records_away),
        cmocka_unit_test(test_sets_of_one_parameter_are_one_entry),
        cmocka_unit_test(test_materials_come_back),
        cmocka_unit_test(test_phases_as_in_a_run),
        cmocka_unit_test(test_phases_repeat_and_hold),
        cmocka_unit_test(test_redo_after_a_phase),
        cmocka_unit_test(test_the_past_of_a_long_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
