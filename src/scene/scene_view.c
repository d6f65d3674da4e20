// SPDX-License-Identifier: MIT
#include "scene_view.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/raster.h"

// ---- messages with their place ------------------------------------------------------------------

// The place of a path below the phase, at `key` of its `section` (NULL: of the phase itself), which
// covers the first `used` parts of the path.
static ScenePath below_phase(const SceneView* view, const char* section, const char* key,
                             const ScenePath* path, int used) {
    ScenePath place = scene_path_key(NULL, "program");
    place = scene_path_index(&place, view->index);
    if (section) place = scene_path_key(&place, section);
    place = scene_path_key(&place, key);
    for (int n = used; n < path->count; n++) {
        assert(place.count < SCENE_DEPTH);
        place.parts[place.count++] = path->parts[n];
    }
    return place;
}

// The path as the file has it: what a phase says or sets stands below that phase.
static ScenePath path_in_file(const SceneView* view, const ScenePath* path) {
    ScenePath best = *path;
    const char* key;
    json_t* value;
    json_object_foreach(json_object_get(view->phase, "set"), key, value) {
        int used;
        if (scene_path_meets(path, key, &used)) best = below_phase(view, "set", key, path, used);
    }
    const char* first = path->count > 0 ? path->parts[0].key : NULL;
    if (first && json_object_get(view->phase, first))
        return below_phase(view, NULL, first, path, 1);
    return best;
}

// Writes "file:line: path", or "--set KEY=VALUE: path" for what the last such --set brought in.
static void place_text(const SceneView* view, const ScenePath* path, char* buffer, size_t size) {
    const SceneDocument* document = view->document;
    ScenePath place = path_in_file(view, path);
    char shown[SCENE_TEXT];
    scene_path_text(&place, shown, sizeof shown);
    const char* colon = shown[0] ? ": " : "";
    for (int n = document->set_count - 1; n >= 0; n--) {
        int used;
        if (!scene_path_meets(&place, document->sets[n].key, &used)) continue;
        char set[128];
        scene_clip(document->sets[n].text, set, sizeof set);
        snprintf(buffer, size, "--set %s%s%s", set, colon, shown);
        return;
    }
    int line = scene_path_line(&place, document->text, document->length);
    snprintf(buffer, size, "%s:%d%s%s", document->name, line, colon, shown);
}

GullyStatus scene_fail(const SceneView* view, const ScenePath* path, const char* format, ...) {
    char message[1536];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    gully_fail(GULLY_BAD_INPUT, "%s", message);
    return scene_fail_in(view, path, GULLY_BAD_INPUT, NULL);
}

GullyStatus scene_fail_in(const SceneView* view, const ScenePath* path, GullyStatus status,
                          const char* name) {
    char place[1024];
    place_text(view, path, place, sizeof place);
    const char* message = gully_message();
    size_t length = name ? strlen(name) : 0;
    if (length && strncmp(message, name, length) == 0 && strncmp(message + length, ": ", 2) == 0)
        message += length + 2;
    return gully_fail(status, "%s: %s", place, message);
}

GullyStatus scene_fail_type(const SceneView* view, const ScenePath* path, const json_t* value,
                            const char* expected) {
    return scene_fail(view, path, "expected %s, got %s", expected, scene_type_name(value));
}

// ---- names --------------------------------------------------------------------------------------

void scene_names_add(SceneNames* names, const char* name) {
    assert(names->count < (int)(sizeof names->names / sizeof names->names[0]));
    names->names[names->count++] = name;
}

void scene_names_add_rows(SceneNames* names, const GullyParamTable* table) {
    for (int n = 0; n < table->count; n++)
        scene_names_add(names, table->rows[n].name);
}

bool scene_names_have(const SceneNames* names, const char* name) {
    for (int n = 0; n < names->count; n++)
        if (strcmp(names->names[n], name) == 0) return true;
    return false;
}

// How many letters to add, drop or change to make one word of the other (Levenshtein).
static size_t word_distance(const char* a, const char* b) {
    enum { LONGEST = 40 };
    size_t width = strlen(b), row[LONGEST + 1];
    if (strlen(a) > LONGEST || width > LONGEST) return SIZE_MAX;
    for (size_t i = 0; i <= width; i++)
        row[i] = i;
    for (size_t j = 1; a[j - 1]; j++) {
        size_t diagonal = row[0];
        row[0] = j;
        for (size_t i = 1; i <= width; i++) {
            size_t changed = diagonal + (a[j - 1] != b[i - 1]);
            size_t shorter = (row[i] < row[i - 1] ? row[i] : row[i - 1]) + 1;
            diagonal = row[i];
            row[i] = changed < shorter ? changed : shorter;
        }
    }
    return row[width];
}

static const char* nearest_name(const SceneNames* names, const char* given) {
    const char* best = NULL;
    size_t least = strlen(given) / 3 + 1;
    for (int n = 0; n < names->count; n++) {
        size_t distance = word_distance(given, names->names[n]);
        if (distance > least || distance >= strlen(names->names[n])) continue;
        if (best && distance == least) continue;
        least = distance;
        best = names->names[n];
    }
    return best;
}

GullyStatus scene_fail_name(const SceneView* view, const ScenePath* path, const char* given,
                            const SceneNames* names, const char* problem) {
    char list[1024] = "";
    size_t used = 0;
    for (int n = 0; n < names->count && used < sizeof list; n++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", n ? ", " : "",
                                 names->names[n]);
    const char* nearest = nearest_name(names, given);
    return scene_fail(view, path, "%s; allowed: %s%s%s%s", problem, list[0] ? list : "none",
                      nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

GullyStatus scene_check_keys(const SceneView* view, const ScenePath* path, const json_t* object,
                             const SceneNames* names) {
    if (!json_is_object(object)) return scene_fail_type(view, path, object, "an object {...}");
    const char* key;
    json_t* value;
    json_object_foreach((json_t*)object, key, value) {
        if (scene_names_have(names, key)) continue;
        ScenePath place = scene_path_key(path, key);
        return scene_fail_name(view, &place, key, names, "unknown key");
    }
    return GULLY_OK;
}

// ---- values -------------------------------------------------------------------------------------

GullyStatus scene_number(const SceneView* view, const ScenePath* path, const json_t* value,
                         double low, double high, const char* unit, double* out) {
    char allowed[128];
    snprintf(allowed, sizeof allowed, "a number from %.9g to %.9g%s%s%s", low, high,
             unit[0] ? " [" : "", unit, unit[0] ? "]" : "");
    if (!json_is_number(value)) return scene_fail_type(view, path, value, allowed);
    *out = json_number_value(value);
    if (*out >= low && *out <= high) return GULLY_OK;
    return scene_fail(view, path, "%.9g is out of range; allowed: %s", *out, allowed);
}

GullyStatus scene_integer(const SceneView* view, const ScenePath* path, const json_t* value,
                          int64_t low, int64_t high, int64_t* out) {
    char allowed[96];
    snprintf(allowed, sizeof allowed, "a whole number from %lld to %lld", (long long)low,
             (long long)high);
    if (!json_is_number(value)) return scene_fail_type(view, path, value, allowed);
    if (json_is_integer(value)) {
        *out = json_integer_value(value);
        if (*out >= low && *out <= high) return GULLY_OK;
        return scene_fail(view, path, "%lld is out of range; allowed: %s", (long long)*out,
                          allowed);
    }
    double real = json_real_value(value);
    if (real != floor(real))
        return scene_fail(view, path, "%.9g is not a whole number; allowed: %s", real, allowed);
    if (!(real >= (double)low && real <= (double)high && fabs(real) <= 0x1p62))
        return scene_fail(view, path, "%.9g is out of range; allowed: %s", real, allowed);
    *out = (int64_t)real;
    return GULLY_OK;
}

GullyStatus scene_string(const SceneView* view, const ScenePath* path, const json_t* value,
                         const char* expected, const char** out) {
    if (!json_is_string(value)) return scene_fail_type(view, path, value, expected);
    *out = json_string_value(value);
    return GULLY_OK;
}

// ---- files --------------------------------------------------------------------------------------

GullyStatus scene_file(const SceneView* view, const ScenePath* path, const json_t* value,
                       const char** out) {
    ScenePath place = scene_path_key(path, "file");
    GullyStatus status = scene_string(view, &place, value, "a file's name", out);
    if (!status && !**out) status = scene_fail(view, &place, "expected a file's name, got \"\"");
    return status;
}

char* scene_file_path(const char* folder, const char* file) {
    bool whole = file[0] == '/' || folder[0] == '\0' || gully_raster_is_part(file);
    size_t size = strlen(folder) + strlen(file) + 2;
    char* path = malloc(size);
    if (path) snprintf(path, size, "%s%s%s", whole ? "" : folder, whole ? "" : "/", file);
    return path;
}

// ---- rows of tables -----------------------------------------------------------------------------

// A map is given by a raster, which scene_start.h reads.
static GullyStatus read_map(const SceneView* view, const ScenePath* path, const json_t* object,
                            const GullyParam* row, void* params) {
    SceneNames names = {{"file"}, 1};
    const char* file;
    GullyStatus status = scene_check_keys(view, path, object, &names);
    if (!status) status = scene_file(view, path, json_object_get(object, "file"), &file);
    if (!status) gully_param_set_mapped(row, params);
    return status;
}

GullyStatus scene_row(const SceneView* view, const ScenePath* path, const json_t* value,
                      const GullyParam* row, void* params) {
    if (row->kind == GULLY_KIND_map && json_is_object(value))
        return read_map(view, path, value, row, params);
    bool choice = row->kind == GULLY_KIND_choice, flag = row->kind == GULLY_KIND_flag;
    GullyStatus status;
    if (flag && json_is_boolean(value)) {
        status = gully_param_set_number(row, params, json_is_true(value) ? 1 : 0);
    } else if (!flag && json_is_number(value)) {
        status = gully_param_set_number(row, params, json_number_value(value));
    } else if (choice && json_is_string(value)) {
        status = gully_param_set_text(row, params, json_string_value(value));
    } else {
        char allowed[256];
        gully_param_allowed(row, allowed, sizeof allowed);
        return scene_fail_type(view, path, value, allowed);
    }
    return status ? scene_fail_in(view, path, status, row->name) : GULLY_OK;
}

GullyStatus scene_table(const SceneView* view, const ScenePath* path, const json_t* object,
                        const GullyParamTable* table, const SceneNames* others, void* params) {
    SceneNames names = {0};
    if (others) names = *others;
    scene_names_add_rows(&names, table);
    GullyStatus status = scene_check_keys(view, path, object, &names);
    for (int n = 0; n < table->count && !status; n++) {
        const GullyParam* row = &table->rows[n];
        const json_t* value = json_object_get(object, row->name);
        ScenePath place = scene_path_key(path, row->name);
        if (value) status = scene_row(view, &place, value, row, params);
    }
    return status;
}
