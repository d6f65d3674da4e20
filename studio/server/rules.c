// SPDX-License-Identifier: MIT
#include "rules.h"

#include <string.h>

/// Parts of a scene that are rules; the others are its ground.
static const char* const sections[] = {"params", "thermal", "wind", "rain", "boundary"};
enum { SECTIONS = sizeof sections / sizeof *sections };

/// Puts a value at a path with dots into an object of objects.
static void put(json_t* object, const char* path, json_t* value) {
    const char* dot = strchr(path, '.');
    if (!dot) {
        json_object_set(object, path, value);
        return;
    }
    char name[64];
    const size_t length =
        (size_t)(dot - path) < sizeof name ? (size_t)(dot - path) : sizeof name - 1;
    memcpy(name, path, length);
    name[length] = '\0';
    json_t* inner = json_object_get(object, name);
    if (!inner) json_object_set_new(object, name, inner = json_object());
    put(inner, dot + 1, value);
}

/// Whether a phase has another model than its scene: the scene's params and dt are not for that one.
static bool has_other_model(const json_t* scene, const json_t* phase) {
    const char* own = json_string_value(json_object_get(phase, "model"));
    const char* model = json_string_value(json_object_get(scene, "model"));
    return own && strcmp(own, model ? model : "pipe") != 0;
}

/// What holds in a phase: what the scene says, and on top of it what the phase does. What neither
/// names is as if a scene did not name it.
static json_t* rules_of(const json_t* scene, const json_t* phase) {
    json_t* rules = json_object();
    const bool other = has_other_model(scene, phase);
    for (int i = 0; i < SECTIONS; i++) {
        const json_t* section = other && i == 0 ? NULL : json_object_get(scene, sections[i]);
        const bool add_on = strcmp(sections[i], "thermal") == 0 || strcmp(sections[i], "wind") == 0;
        if (section || !add_on)
            json_object_set_new(rules, sections[i],
                                section ? json_deep_copy(section) : json_object());
    }
    const char* key;
    json_t* value;
    json_t* dt = other ? NULL : json_object_get(scene, "dt");
    json_object_set_new(rules, "dt", dt ? json_incref(dt) : json_string("auto"));
    json_object_foreach(json_object_get(phase, "set"), key, value) put(rules, key, value);
    return rules;
}

static json_t* phase_of(const json_t* scene, const json_t* phase) {
    json_t* model = json_object_get(phase, "model");
    if (!model) model = json_object_get(scene, "model");
    json_t* result = json_pack("{s:o}", "set", rules_of(scene, phase));
    const char* name = json_string_value(json_object_get(phase, "name"));
    json_t* steps = json_object_get(phase, "steps");
    json_object_set_new(result, "name", json_string(name ? name : "run"));
    json_object_set_new(result, "steps", steps ? json_incref(steps) : json_integer(1));
    if (model) json_object_set(result, "model", model);
    return result;
}

json_t* rules_program(const json_t* scene) {
    json_t* list = json_array();
    size_t index;
    const json_t* phase;
    json_array_foreach(json_object_get(scene, "program"), index, phase) {
        json_array_append_new(list, phase_of(scene, phase));
    }
    if (json_array_size(list) == 0) json_array_append_new(list, phase_of(scene, scene));
    return list;
}

json_t* rules_text(const json_t* scene) {
    json_t* program = rules_program(scene);
    json_t* text = json_string("");
    const char* model = "";
    json_int_t steps = 0;
    const size_t count = json_array_size(program);
    for (size_t i = 0; i < count; i++) {
        const json_t* phase = json_array_get(program, i);
        const json_t* next = json_array_get(program, i + 1);
        const char* before = json_string_value(text);
        const char* own = json_string_value(json_object_get(phase, "model"));
        const char* name = json_string_value(json_object_get(phase, "name"));
        const char* then = json_string_value(json_object_get(next, "model"));
        steps += json_integer_value(json_object_get(phase, "steps"));
        model = own ? own : "pipe";
        const bool last = !next || strcmp(then ? then : "pipe", model) != 0;
        json_t* longer = last ? json_sprintf("%s%s: %" JSON_INTEGER_FORMAT " steps of %s%s", before,
                                             name, steps, model, next ? "; " : "")
                              : json_sprintf("%s%s, ", before, name);
        if (last) steps = 0;
        json_decref(text);
        text = longer;
    }
    json_decref(program);
    return text;
}
