// SPDX-License-Identifier: MIT
/// A scene's JSON: its text, and the tree that --set made of it.
#ifndef SCENE_JSON_H
#define SCENE_JSON_H

#include <stddef.h>

#include <jansson.h>

#include "gully/status.h"

typedef struct SceneSet {
    char* text; // KEY=VALUE
    char* key;
} SceneSet;

typedef struct SceneDocument {
    char* name; // of the file, for messages
    char* text; // as read
    size_t length;
    SceneSet* sets; // of --set
    int set_count;
    json_t* root; // an object, with every --set in it
} SceneDocument;

/// Parses the text and applies the sets. The text, malloced and with a NUL after its length, is
/// taken over, also by a document that cannot be opened.
GullyStatus scene_document_open(const char* name, char* text, size_t length,
                                const char* const* sets, int count, SceneDocument* out);
void scene_document_close(SceneDocument* document);

/// Changes what stands at a dotted key ("sources.0.rate"), making objects on the way; null removes
/// it. Takes over the value. The message does not say where.
GullyStatus scene_edit(json_t* root, const char* dotted, json_t* value);

/// "a number", "a list", ...
const char* scene_type_name(const json_t* value);

GullyStatus scene_no_memory(void);

#endif
