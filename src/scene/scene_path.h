// SPDX-License-Identifier: MIT
/// Places in a scene: paths of keys and list indices, and the lines on which they stand in its
/// text.
#ifndef SCENE_PATH_H
#define SCENE_PATH_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SCENE_DEPTH = 12, // parts of a path, at most; a scene needs 8
    SCENE_TEXT = 256, // bytes for a path as text
};

typedef struct ScenePart {
    const char* key; // of an object, borrowed; may itself contain dots. NULL: an element of a list
    size_t index;    // of the element
} ScenePart;

/// From the scene's object down. No parts: the scene itself.
typedef struct ScenePath {
    int count;
    ScenePart parts[SCENE_DEPTH];
} ScenePath;

/// The place below another one; a NULL parent is the scene itself.
ScenePath scene_path_key(const ScenePath* parent, const char* key);
ScenePath scene_path_index(const ScenePath* parent, size_t index);

/// Writes it as a person would: "sources[1].rate".
void scene_path_text(const ScenePath* path, char* buffer, size_t size);

/// Whether a dotted key, as of --set ("sources.1.rate"), and a path meet: one leads to the other or
/// beyond it. Then `*used` is how many parts of the path the key covers.
bool scene_path_meets(const ScenePath* path, const char* dotted, int* used);

/// The line of the path in the text of valid JSON: of its key, or where the list's element begins.
/// Of a path that is not there, the line of the innermost place on the way to it.
int scene_path_line(const ScenePath* path, const char* text, size_t length);

/// Copies text for a message: without control characters, and cut at a whole character if too long.
void scene_clip(const char* text, char* buffer, size_t size);

#endif
