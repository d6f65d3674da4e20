// SPDX-License-Identifier: MIT
/// What the tests of sessions share: a small scene with everything in it, commands that must be
/// done, commands that must be refused and why.
#ifndef SESSION_CASES_H
#define SESSION_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/session.h"
#include "ok.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/// Two phases, one without steps, layers, rain that depends on the time.
#define RICH_SCENE                                                                                 \
    "{\"gully\": 1, \"seed\": 5, \"cell_size\": [10, 8],"                                          \
    " \"terrain\": {\"generate\": \"mountains\", \"width\": 90, \"height\": 70, \"relief\": 80},"  \
    " \"materials\": [{\"name\": \"rock\"}, {\"name\": \"soil\"}, {\"name\": \"sand\"}],"          \
    " \"layers\": {\"soil\": 2, \"sand\": 0.5}, \"thermal\": {},"                                  \
    " \"rain\": {\"rate\": 1e-3, \"drops\": {\"drops_per_second\": 3, \"radius\": 30},"            \
    "   \"season\": {\"rate\": 1e-3, \"t_peak\": 5, \"sigma\": 3}},"                               \
    " \"sources\": [{\"x\": 300, \"y\": 200, \"radius\": 40, \"rate\": 0.01, \"until\": 4}],"      \
    " \"program\": [{\"name\": \"wet\", \"steps\": 17},"                                           \
    "  {\"name\": \"none\", \"steps\": 0, \"set\": {\"dt\": 0.02}},"                               \
    "  {\"name\": \"dry\", \"steps\": 9, \"set\": {\"rain.rate\": 0, \"dt\": 0.1}}],"              \
    " \"repeat\": 3}"

/// The same without materials, for any law.
#define BARE_SCENE(model)                                                                          \
    "{\"gully\": 1, \"seed\": 5, \"cell_size\": [10, 8], \"model\": \"" model "\","                \
    " \"terrain\": {\"generate\": \"mountains\", \"width\": 90, \"height\": 70, \"relief\": 80},"  \
    " \"rain\": {\"rate\": 1e-3, \"drops\": {\"drops_per_second\": 3, \"radius\": 30}},"           \
    " \"program\": [{\"name\": \"wet\", \"steps\": 17},"                                           \
    "  {\"name\": \"none\", \"steps\": 0, \"set\": {\"dt\": 0.02}},"                               \
    "  {\"name\": \"dry\", \"steps\": 9, \"set\": {\"rain.rate\": 0, \"dt\": 0.1}}]}"

#define PLAIN_SCENE                                                                                \
    "{\"gully\": 1, \"cell_size\": [10, 10], \"rain\": {\"rate\": 1e-3},"                          \
    " \"terrain\": {\"generate\": \"mountains\", \"width\": 64, \"height\": 48, \"relief\": 60},"  \
    " \"steps\": 1000}"

static inline GullyScene* scene_of(const char* text) {
    GullyScene* scene = NULL;
    if (gully_scene_parse(text, strlen(text), "t.json", NULL, NULL, 0, &scene))
        fail_msg("%s", gully_message());
    return scene;
}

/// A session on so many threads, kept in a folder (NULL = nowhere).
static inline GullySession* begin(const char* scene, int threads, const char* folder) {
    GullySessionDef def = gully_session_def();
    GullySession* session = NULL;
    def.threads = threads;
    def.folder = folder;
    if (gully_session_create(scene_of(scene), &def, &session)) fail_msg("%s", gully_message());
    return session;
}

/// Does a command; the reply is the caller's.
static inline json_t* ask(GullySession* session, const char* text) {
    char* reply = NULL;
    if (gully_session_do(session, text, strlen(text), &reply))
        fail_msg("%s\nfor %s", gully_message(), text);
    json_t* answer = json_loads(reply, 0, NULL);
    assert_true(json_is_object(answer));
    free(reply);
    return answer;
}

GULLY_PRINTF(2, 3) static inline void act(GullySession* session, const char* format, ...) {
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_decref(ask(session, text));
}

/// The number or text under a path of keys "a.b" in what a session says of itself.
static inline json_t* parse_free(char* text) {
    json_t* json = json_loads(text, 0, NULL);
    assert_non_null(json);
    free(text);
    return json;
}

static inline int64_t status_number(const GullySession* session, const char* key) {
    json_t* status = parse_free(gully_session_status(session, false));
    const json_t* value = json_object_get(status, key);
    assert_true(json_is_integer(value));
    int64_t number = json_integer_value(value);
    json_decref(status);
    return number;
}

/// The hashes of all fields, as a text to compare; free() it.
static inline char* hashes_of(GullySession* session) {
    json_t* answer = ask(session, "{\"do\": \"hash\"}");
    const json_t* hashes = json_object_get(answer, "hashes");
    assert_true(json_object_size(hashes) >= 7);
    char* text = json_dumps(hashes, JSON_SORT_KEYS);
    json_decref(answer);
    return text;
}

static inline void assert_hashes(GullySession* session, const char* expected) {
    char* hashes = hashes_of(session);
    assert_string_equal(hashes, expected);
    free(hashes);
}

/// The same step, fields, budget, records and description.
static inline void assert_same_session(GullySession* a, GullySession* b) {
    char* hashes = hashes_of(a);
    assert_int_equal(gully_sim_steps(gully_session_sim(a)), gully_sim_steps(gully_session_sim(b)));
    assert_true(gully_sim_time(gully_session_sim(a)) == gully_sim_time(gully_session_sim(b)));
    assert_hashes(b, hashes);
    free(hashes);
    GullyBudget one, other;
    OK(gully_sim_budget(gully_session_sim(a), &one));
    OK(gully_sim_budget(gully_session_sim(b), &other));
    assert_memory_equal(&one, &other, sizeof one);
    json_t *describe_a = parse_free(gully_session_describe(a)),
           *describe_b = parse_free(gully_session_describe(b));
    json_object_del(describe_a, "history"); // undo begins anew
    json_object_del(describe_b, "history");
    assert_true(json_equal(describe_a, describe_b));
    json_decref(describe_a);
    json_decref(describe_b);
}

/// A command that must be refused, with these words, and change nothing.
static inline void refuse(GullySession* session, const char* text, const char* expected) {
    char* reply = (char*)"";
    char *before = gully_session_describe(session), *hashes = hashes_of(session);
    int64_t changes = gully_session_changes(session);
    GullyStatus status = gully_session_do(session, text, strlen(text), &reply);
    if (status != GULLY_BAD_INPUT || reply) fail_msg("status %d for %s", (int)status, text);
    if (!strstr(gully_message(), expected))
        fail_msg("expected \"%s\"\n     got \"%s\"\nfor %s", expected, gully_message(), text);
    assert_int_equal(gully_session_changes(session), changes);
    char* after = gully_session_describe(session);
    assert_string_equal(before, after);
    assert_hashes(session, hashes);
    free(before);
    free(after);
    free(hashes);
}

#endif
