// SPDX-License-Identifier: MIT
/// Reading a scene's values, with messages that say where each of them stands.
///
/// Jansson gives values without lines; a message gets its line by looking for the value's path in
/// the text. A value that a --set or a phase's `set` brought in is blamed on that.
#ifndef SCENE_VIEW_H
#define SCENE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "gully/params.h"
#include "scene_json.h"
#include "scene_path.h"

/// What is being read: the scene, or its values as one phase has them.
typedef struct SceneView {
    const SceneDocument* document;
    json_t* root;
    json_t* phase; // the phase's object; NULL: the scene itself
    size_t index;  // of the phase
} SceneView;

/// Fails with "file:line: path: message", or "--set KEY=VALUE: path: message".
GullyStatus scene_fail(const SceneView* view, const ScenePath* path, const char* format, ...)
    GULLY_PRINTF(3, 4);

/// Puts the same before the message there is, without the name that it begins with (or NULL).
GullyStatus scene_fail_in(const SceneView* view, const ScenePath* path, GullyStatus status,
                          const char* name);

/// Names that are allowed at some place.
typedef struct SceneNames {
    const char* names[64];
    int count;
} SceneNames;

void scene_names_add(SceneNames* names, const char* name);
void scene_names_add_rows(SceneNames* names, const GullyParamTable* table);
bool scene_names_have(const SceneNames* names, const char* name);

/// Fails with "problem; allowed: the names", and the nearest of them to what was given ("": none).
GullyStatus scene_fail_name(const SceneView* view, const ScenePath* path, const char* given,
                            const SceneNames* names, const char* problem);

/// Fails unless the value is an object that has no keys but these.
GullyStatus scene_check_keys(const SceneView* view, const ScenePath* path, const json_t* object,
                             const SceneNames* names);

/// Fails with "expected this, got that".
GullyStatus scene_fail_type(const SceneView* view, const ScenePath* path, const json_t* value,
                            const char* expected);

/// A value of a certain kind; `low` and `high` are both allowed.
GullyStatus scene_number(const SceneView* view, const ScenePath* path, const json_t* value,
                         double low, double high, const char* unit, double* out);
GullyStatus scene_integer(const SceneView* view, const ScenePath* path, const json_t* value,
                          int64_t low, int64_t high, int64_t* out);
GullyStatus scene_string(const SceneView* view, const ScenePath* path, const json_t* value,
                         const char* expected, const char** out);

/// The name of a file, which stands below the path as "file".
GullyStatus scene_file(const SceneView* view, const ScenePath* path, const json_t* value,
                       const char** out);

/// Where a file is that a scene names, with `folder` as the start of relative paths; NULL without
/// memory. Free it with free().
char* scene_file_path(const char* folder, const char* file);

/// A row's value into its struct.
GullyStatus scene_row(const SceneView* view, const ScenePath* path, const json_t* value,
                      const GullyParam* row, void* params);

/// Every row of a table that the object has a value for, and no keys but these and `others`.
GullyStatus scene_table(const SceneView* view, const ScenePath* path, const json_t* object,
                        const GullyParamTable* table, const SceneNames* others, void* params);

#endif
