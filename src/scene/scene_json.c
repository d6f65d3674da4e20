// SPDX-License-Identifier: MIT
#include "scene_json.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_path.h"

GullyStatus scene_no_memory(void) {
    return gully_fail(GULLY_NO_MEMORY, "out of memory for the scene");
}

const char* scene_type_name(const json_t* value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        break;
    }
    return "null";
}

// ---- changing values ----------------------------------------------------------------------------

// An edit on its way down the dotted key.
typedef struct Edit {
    const char* dotted;
    size_t reached; // bytes of it that lead to `at`
    json_t* at;
    json_t* value; // borrowed
} Edit;

static GullyStatus refuse_edit(const Edit* edit) {
    char way[SCENE_TEXT], here[SCENE_TEXT];
    scene_clip(edit->dotted, way, sizeof way);
    size_t reached = edit->reached < sizeof here ? edit->reached : sizeof here - 1;
    memcpy(here, edit->dotted, reached);
    here[reached] = '\0';
    if (!json_is_array(edit->at))
        return gully_fail(GULLY_BAD_INPUT, "cannot set %s: %s is %s, not an object", way, here,
                          scene_type_name(edit->at));
    size_t size = json_array_size(edit->at);
    if (size == 0)
        return gully_fail(GULLY_BAD_INPUT, "cannot set %s: %s is an empty list", way, here);
    return gully_fail(GULLY_BAD_INPUT,
                      "cannot set %s: %s is a list; allowed after it: an index from 0 to %zu", way,
                      here, size - 1);
}

static bool element_index(const json_t* list, const char* key, size_t* index) {
    if (!isdigit((unsigned char)key[0])) return false;
    char* end;
    unsigned long long number = strtoull(key, &end, 10);
    *index = (size_t)number;
    return *end == '\0' && number < json_array_size(list);
}

static GullyStatus put(const Edit* edit, const char* key) {
    bool remove = json_is_null(edit->value);
    int failed = 0;
    if (json_is_object(edit->at)) {
        if (!remove)
            failed = json_object_set(edit->at, key, edit->value);
        else if (json_object_get(edit->at, key))
            failed = json_object_del(edit->at, key);
    } else {
        size_t index;
        if (!json_is_array(edit->at) || !element_index(edit->at, key, &index))
            return refuse_edit(edit);
        failed = remove ? json_array_remove(edit->at, index)
                        : json_array_set(edit->at, index, edit->value);
    }
    return failed ? scene_no_memory() : GULLY_OK;
}

// Goes one key down. `at` becomes NULL if there is nothing and nothing is needed.
static GullyStatus descend(Edit* edit, const char* key) {
    json_t* next = NULL;
    if (json_is_object(edit->at)) {
        next = json_object_get(edit->at, key);
        if (json_is_null(next)) next = NULL;
        if (!next && !json_is_null(edit->value)) {
            next = json_object();
            if (json_object_set_new(edit->at, key, next)) return scene_no_memory();
        }
    } else {
        size_t index;
        if (!json_is_array(edit->at) || !element_index(edit->at, key, &index))
            return refuse_edit(edit);
        next = json_array_get(edit->at, index);
    }
    edit->at = next;
    return GULLY_OK;
}

// Where the rest of a dotted key is one key: what a phase sets has dots in its names.
static size_t whole_from(const char* dotted) {
    size_t index;
    int used = 0;
    if (sscanf(dotted, "program.%zu.set.%n", &index, &used) == 1 && used > 0) return (size_t)used;
    return SIZE_MAX;
}

static GullyStatus walk_edit(Edit edit, char* keys) {
    size_t whole = whole_from(edit.dotted);
    char* key = keys;
    for (int depth = 1; depth <= SCENE_DEPTH; depth++) {
        size_t start = (size_t)(key - keys);
        char* dot = start == whole ? NULL : strchr(key, '.');
        if (dot) *dot = '\0';
        if (key[0] == '\0')
            return gully_fail(GULLY_BAD_INPUT, "a part of the key is empty; allowed: words with "
                                               "dots between them, as in params.capacity");
        edit.reached = start > 0 ? start - 1 : 0;
        if (!dot) return put(&edit, key);
        GullyStatus status = descend(&edit, key);
        if (status || !edit.at) return status;
        key = dot + 1;
    }
    return gully_fail(GULLY_BAD_INPUT, "the key has more than %d parts", SCENE_DEPTH);
}

GullyStatus scene_edit(json_t* root, const char* dotted, json_t* value) {
    char* keys = strdup(dotted);
    GullyStatus status = scene_no_memory();
    if (keys && value)
        status = walk_edit((Edit){.dotted = dotted, .at = root, .value = value}, keys);
    free(keys);
    json_decref(value);
    return status;
}

// ---- the document -------------------------------------------------------------------------------

static GullyStatus refuse_json(const char* name, const json_error_t* error) {
    // Jansson has no words for some failures to allocate.
    if (json_error_code(error) == json_error_out_of_memory || !error->text[0])
        return scene_no_memory();
    char problem[JSON_ERROR_TEXT_LENGTH];
    scene_clip(error->text, problem, sizeof problem);
    return gully_fail(GULLY_BAD_INPUT, "%s:%d: not valid JSON: column %d: %s", name,
                      error->line > 0 ? error->line : 1, error->column, problem);
}

static GullyStatus parse_text(SceneDocument* document) {
    const char *name = document->name, *text = document->text;
    size_t length = document->length;
    const char* nul = memchr(text, '\0', length);
    if (nul) {
        int line = 1;
        for (const char* c = text; c < nul; c++)
            line += *c == '\n';
        return gully_fail(GULLY_BAD_INPUT, "%s:%d: not a scene: the text has a NUL byte", name,
                          line);
    }
    if (strspn(text, " \t\r\n") == length)
        return gully_fail(GULLY_BAD_INPUT, "%s: not a scene: the file is empty", name);
    json_error_t error;
    document->root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!document->root) return refuse_json(name, &error);
    if (!json_is_object(document->root))
        return gully_fail(GULLY_BAD_INPUT, "%s:1: a scene is an object {...}, not a list", name);
    return GULLY_OK;
}

// A value of --set: JSON, or else a plain string.
static GullyStatus apply_set(SceneDocument* document, SceneSet* set) {
    const char* equals = strchr(set->text, '=');
    const char* given = equals + 1;
    json_t* value = json_loads(given, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    if (!value) value = json_string(given);
    return scene_edit(document->root, set->key, value);
}

static GullyStatus add_set(SceneDocument* document, const char* text) {
    char shown[128];
    scene_clip(text, shown, sizeof shown);
    const char* equals = strchr(text, '=');
    if (!equals || equals == text)
        return gully_fail(GULLY_BAD_INPUT,
                          "--set %s: expected KEY=VALUE, as in --set params.capacity=0.5", shown);
    json_t* check = json_string(text);
    if (!check) return gully_fail(GULLY_BAD_INPUT, "--set %s: the text is not UTF-8", shown);
    json_decref(check);

    SceneSet* set = &document->sets[document->set_count++];
    set->text = strdup(text);
    set->key = strndup(text, (size_t)(equals - text));
    if (!set->text || !set->key) return scene_no_memory();
    GullyStatus status = apply_set(document, set);
    return status ? gully_fail_in(status, "--set %s", shown) : GULLY_OK;
}

GullyStatus scene_document_open(const char* name, char* text, size_t length,
                                const char* const* sets, int count, SceneDocument* out) {
    *out = (SceneDocument){.name = strdup(name), .text = text, .length = length};
    out->sets = calloc((size_t)count + 1, sizeof *out->sets);
    GullyStatus status = out->name && out->sets ? GULLY_OK : scene_no_memory();
    if (!status) {
        size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; // byte order
        out->length = length - mark;
        memmove(text, text + mark, out->length + 1);
        status = parse_text(out);
    }
    for (int n = 0; n < count && !status; n++)
        status = add_set(out, sets[n]);
    if (status) scene_document_close(out);
    return status;
}

void scene_document_close(SceneDocument* document) {
    for (int n = 0; n < document->set_count; n++) {
        free(document->sets[n].text);
        free(document->sets[n].key);
    }
    free(document->sets);
    free(document->name);
    free(document->text);
    json_decref(document->root);
    *document = (SceneDocument){0};
}
