// SPDX-License-Identifier: MIT
/// What the tests of scenes share: text that must be taken, text that must be refused and why.
#ifndef SCENE_CASES_H
#define SCENE_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/scene.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static inline GullyStatus parse_with(const char* text, const char* const* sets, int count,
                                     GullyScene** out) {
    return gully_scene_parse(text, strlen(text), "t.json", NULL, sets, count, out);
}

static inline GullyScene* good_with(const char* text, const char* const* sets, int count) {
    GullyScene* scene = NULL;
    if (parse_with(text, sets, count, &scene)) fail_msg("%s\nfor %s", gully_message(), text);
    assert_non_null(scene);
    return scene;
}

static inline GullyScene* good(const char* text) {
    return good_with(text, NULL, 0);
}

static inline void bad_with(const char* text, const char* const* sets, int count,
                            const char* expected) {
    GullyScene* scene = NULL;
    GullyStatus status = parse_with(text, sets, count, &scene);
    if (status != GULLY_BAD_INPUT || scene) fail_msg("status %d for %s", (int)status, text);
    if (!strstr(gully_message(), expected))
        fail_msg("expected \"%s\"\n     got \"%s\"\nfor %s", expected, gully_message(), text);
}

static inline void bad(const char* text, const char* expected) {
    bad_with(text, NULL, 0, expected);
}

#define SECTION(settings, name) gully_settings_section((GullySettings*)(settings), name, NULL)

static inline const GullySettings* settings_of(const GullyScene* scene, int phase) {
    return gully_scene_phase(scene, phase)->settings;
}

/// Text and what the message about it must contain.
typedef struct BadCase {
    const char* text;
    const char* expected;
} BadCase;

#endif
