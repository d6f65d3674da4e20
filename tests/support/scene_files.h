// SPDX-License-Identifier: MIT
/// The scenes of the project, for tests.
#ifndef SCENE_FILES_H
#define SCENE_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gully/scene.h"

/// A scene of the folder scenes with other settings, as of --set.
static inline GullyScene* load_scene(const char* name, const char* const* sets, int count) {
    char path[1024];
    const char* here = strrchr(__FILE__, '/');
    snprintf(path, sizeof path, "%.*s/../../scenes/%s.json", (int)(here - __FILE__), __FILE__,
             name);
    GullyScene* scene = NULL;
    if (gully_scene_load(path, sets, count, &scene)) fail_msg("%s", gully_message());
    return scene;
}

#endif
