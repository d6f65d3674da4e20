// SPDX-License-Identifier: MIT
#include "scene_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_levels.h"

// ---- sections -----------------------------------------------------------------------------------
// The settings know their sections by names like "rain" and "rain.drops"; the scene has an object
// for each, the second within the first.

// The names of the sections right below one: "drops" and "season" of "rain".
static void add_subsections(const GullySettings* settings, const char* section, SceneNames* names) {
    size_t length = strlen(section);
    const char* name;
    for (int n = 0; (name = gully_settings_section_name(settings, n)); n++) {
        if (strncmp(name, section, length) != 0 || name[length] != '.') continue;
        scene_names_add(names, name + length + 1);
    }
}

static GullyStatus read_object(const SceneView* view, const ScenePath* path, const json_t* object,
                               GullySettings* settings, const char* section) {
    const GullyParamTable* table;
    void* params = gully_settings_section(settings, section, &table);
    SceneNames below = {0};
    add_subsections(settings, section, &below);
    return scene_table(view, path, object, table, &below, params);
}

// An add-on is on if the scene has its section; null is as good as absent.
static GullyStatus read_top_section(const SceneView* view, GullySettings* settings,
                                    const char* section) {
    const GullyLawInfo* law = gully_law_find(section);
    bool add_on = law && law->add_on;
    const json_t* object = json_object_get(view->root, section);
    if (!object || (add_on && json_is_null(object))) return GULLY_OK;
    if (strcmp(section, "levels") == 0) return scene_levels_read(view, object, settings);
    ScenePath path = scene_path_key(NULL, section);
    GullyStatus status = read_object(view, &path, object, settings, section);
    if (!status && add_on) status = gully_settings_switch(settings, section, true);
    return status;
}

static GullyStatus read_subsection(const SceneView* view, GullySettings* settings,
                                   const char* section) {
    const char* dot = strchr(section, '.');
    char first[64];
    snprintf(first, sizeof first, "%.*s", (int)(dot - section), section);
    const json_t* object = json_object_get(json_object_get(view->root, first), dot + 1);
    if (!object) return GULLY_OK;
    ScenePath path = scene_path_key(NULL, first);
    path = scene_path_key(&path, dot + 1);
    return read_object(view, &path, object, settings, section);
}

static GullyStatus read_sections(const SceneView* view, GullySettings* settings) {
    GullyStatus status = GULLY_OK;
    const char* name;
    for (int n = 0; !status && (name = gully_settings_section_name(settings, n)); n++) {
        if (strchr(name, '.'))
            status = read_subsection(view, settings, name);
        else if (name[0])
            status = read_top_section(view, settings, name);
    }
    return status;
}

// ---- sources ------------------------------------------------------------------------------------

static GullyStatus read_source(const SceneView* view, const ScenePath* path, const json_t* object,
                               GullySettings* settings) {
    GullySource source;
    gully_params_default(gully_source_table(), &source);
    GullyStatus status = scene_table(view, path, object, gully_source_table(), NULL, &source);
    if (status) return status;
    if (source.from >= source.until) {
        bool ends = json_object_get(object, "until") != NULL;
        ScenePath place = scene_path_key(path, ends ? "until" : "from");
        return scene_fail(view, &place,
                          "the source ends (%.9g s) before it begins (%.9g s); allowed: from < "
                          "until",
                          source.until, source.from);
    }
    status = gully_settings_add_source(settings, &source);
    return status ? scene_fail_in(view, path, status, NULL) : GULLY_OK;
}

static GullyStatus read_sources(const SceneView* view, GullySettings* settings) {
    ScenePath path = scene_path_key(NULL, "sources");
    const json_t* list = json_object_get(view->root, "sources");
    if (!list) return GULLY_OK;
    if (!json_is_array(list)) return scene_fail_type(view, &path, list, "a list of sources [...]");
    GullyStatus status = GULLY_OK;
    size_t index;
    json_t* source;
    json_array_foreach(list, index, source) {
        ScenePath place = scene_path_index(&path, index);
        status = read_source(view, &place, source, settings);
        if (status) break;
    }
    return status;
}

// ---- cycle --------------------------------------------------------------------------------------

static GullyStatus refuse_cycle(const SceneView* view, const ScenePath* path, const char* model) {
    SceneNames models = {0};
    for (int n = 0; n < gully_law_count(); n++)
        if (gully_law_info(n)->operators) scene_names_add(&models, gully_law_info(n)->name);
    char problem[160];
    snprintf(problem, sizeof problem,
             "a step of %.60s is always the same: leave it out, or take a model whose step can be "
             "chosen",
             model);
    return scene_fail_name(view, path, "", &models, problem);
}

// Reads a list of texts, each of them first as a cycle of its own: a message then names it.
static GullyStatus read_entries(const SceneView* view, const ScenePath* path, const json_t* list,
                                GullySettings* settings, const char** entries) {
    GullyStatus status = GULLY_OK;
    size_t count = json_array_size(list);
    for (size_t n = 0; n < count && !status; n++) {
        ScenePath place = scene_path_index(path, n);
        const json_t* entry = json_array_get(list, n);
        status =
            scene_string(view, &place, entry, "an operator's name, or NAME*COUNT", &entries[n]);
        if (status) break;
        status = gully_settings_set_cycle(settings, &entries[n], 1);
        if (status) status = scene_fail_in(view, &place, status, "cycle");
    }
    if (status) return status;
    status = gully_settings_set_cycle(settings, entries, (int)count);
    return status ? scene_fail_in(view, path, status, "cycle") : GULLY_OK;
}

// What a cycle is made of, in words, from "rain|erode|...".
static void cycle_text(const char* operators, char* buffer, size_t size) {
    int used = snprintf(buffer, size, "a list of operators, each as \"NAME\" or \"NAME*COUNT\"; ");
    const char* word = "allowed: ";
    while (*operators && used < (int)size) {
        size_t length = strcspn(operators, "|");
        used +=
            snprintf(buffer + used, size - (size_t)used, "%s%.*s", word, (int)length, operators);
        operators += length + (operators[length] == '|');
        word = ", ";
    }
}

static GullyStatus read_cycle(const SceneView* view, GullySettings* settings) {
    ScenePath path = scene_path_key(NULL, "cycle");
    const json_t* list = json_object_get(view->root, "cycle");
    const GullyLawInfo* law = gully_law_find(gully_settings_model(settings));
    if (!list) return GULLY_OK;
    if (!law->operators) return refuse_cycle(view, &path, law->name);
    char expected[256];
    cycle_text(law->operators, expected, sizeof expected);
    if (!json_is_array(list)) return scene_fail_type(view, &path, list, expected);
    size_t count = json_array_size(list);
    if (count == 0) return scene_fail(view, &path, "is empty; expected %s", expected);
    const char** entries = calloc(count, sizeof *entries);
    if (!entries) return scene_no_memory();
    GullyStatus status = read_entries(view, &path, list, settings, entries);
    free(entries);
    return status;
}

// ---- time ---------------------------------------------------------------------------------------

static GullyStatus read_dt(const SceneView* view, const char* model, const json_t* value,
                           const GullyParam* row, void* time) {
    ScenePath path = scene_path_key(NULL, "dt");
    const char* unit = gully_law_find(model)->time_unit;
    char allowed[96];
    snprintf(allowed, sizeof allowed, "a number of %s, > 0 and at most %.9g, or \"auto\"",
             strcmp(unit, "s") == 0 ? "seconds" : unit, row->high);
    if (json_is_string(value) && strcmp(json_string_value(value), "auto") == 0)
        return gully_param_set_number(row, time, 0);
    if (!json_is_number(value)) return scene_fail_type(view, &path, value, allowed);
    double dt = json_number_value(value);
    if (!(dt > 0 && dt <= row->high))
        return scene_fail(view, &path, "%.9g is out of range; allowed: %s", dt, allowed);
    return gully_param_set_number(row, time, dt);
}

// These stand at the top level of a scene.
static GullyStatus read_time(const SceneView* view, GullySettings* settings) {
    const GullyParamTable* table;
    void* time = gully_settings_section(settings, "", &table);
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < table->count && !status; n++) {
        const GullyParam* row = &table->rows[n];
        const json_t* value = json_object_get(view->root, row->name);
        ScenePath path = scene_path_key(NULL, row->name);
        if (value && strcmp(row->name, "dt") == 0)
            status = read_dt(view, gully_settings_model(settings), value, row, time);
        else if (value)
            status = scene_row(view, &path, value, row, time);
    }
    return status;
}

// ---- all of it ----------------------------------------------------------------------------------

GullyStatus scene_settings_read(const SceneView* view, const char* model, GullySettings** out) {
    *out = NULL;
    GullySettings* settings = NULL;
    GullyStatus status = gully_settings_create(model, &settings);
    if (status) {
        ScenePath path = scene_path_key(NULL, "model");
        return scene_fail_in(view, &path, status, "model");
    }
    status = read_sections(view, settings);
    if (!status) status = read_sources(view, settings);
    if (!status) status = read_cycle(view, settings);
    if (!status) status = read_time(view, settings);
    if (status)
        gully_settings_destroy(settings);
    else
        *out = settings;
    return status;
}

void scene_settings_names(const GullySettings* settings, SceneNames* names) {
    const char* name;
    for (int n = 0; (name = gully_settings_section_name(settings, n)); n++)
        if (name[0] && !strchr(name, '.')) scene_names_add(names, name);
    scene_names_add(names, "sources");
    scene_names_add(names, "cycle");
    scene_names_add(names, "dt");
}

GullyStatus scene_settings_check_dt(const SceneView* view, GullySettings* settings, double cell_x,
                                    double cell_y) {
    const GullyTimeParams* time = gully_settings_section(settings, "", NULL);
    double limit = gully_settings_max_dt(settings, cell_x, cell_y);
    if (time->allow_unstable || limit <= 0 || time->dt <= limit) return GULLY_OK;
    char phase[64] = "";
    if (view->phase) snprintf(phase, sizeof phase, " of program[%zu]", view->index);
    ScenePath path = scene_path_key(NULL, "dt");
    return scene_fail(view, &path,
                      "%.9g s is beyond the stable limit%s, %.9g s on cells of %.9g x %.9g m; "
                      "allowed: a number up to that, \"auto\", or any with allow_unstable: true",
                      time->dt, phase, limit, cell_x, cell_y);
}
