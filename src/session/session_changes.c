// SPDX-License-Identifier: MIT
// Commands that change parameters: of the laws, of sources, of materials, and the phase.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session_commands.h"

enum { MOST_SOURCES = 1024 };

void command_mark_or_join(Command* command, const char* name, const char* what) {
    GullySession* session = command->session;
    snprintf(command->what, sizeof command->what, "%s %s", command->row->name, what);
    command->joins = !session->replays && strcmp(session->last, command->what) == 0;
    if (!command->joins) session_mark(session, name);
}

// ---- parameters ---------------------------------------------------------------------------------

/// Finds section and row of a key; the settings are those of the present phase, to be freed.
static GullyStatus find_row(const Command* command, const char* key, GullySettings** settings,
                            void** params, const GullyParam** row) {
    const GullySession* session = command->session;
    ScenePath path = scene_path_key(NULL, "key");
    const GullyParamTable* table;
    const char *dot = strrchr(key, '.'), *name;
    char section[64] = "";
    if (dot) snprintf(section, sizeof section, "%.*s", (int)(dot - key), key);
    SceneNames names = {0};
    GullyStatus status =
        session_settings(session, session->state.changes, session->state.phase, settings);
    if (status) return status;
    *params = gully_settings_section(*settings, section, &table);
    *row = *params ? gully_params_find(table, dot ? dot + 1 : key) : NULL;
    if (*row) return GULLY_OK;
    if (*params) scene_names_add_rows(&names, table);
    for (int n = 0; (!*params || !dot) && (name = gully_settings_section_name(*settings, n)); n++)
        if (name[0]) scene_names_add(&names, name);
    gully_settings_destroy(*settings);
    *settings = NULL;
    bool known = *params && dot;
    return scene_fail_name(&command->view, &path,
                           known ? dot + 1
                           : dot ? section
                                 : key,
                           &names,
                           known ? "no such parameter in its section"
                                 : "no such parameter; keys are SECTION.NAME, or dt");
}

static GullyStatus read_key(const Command* command, const char** out) {
    return command_text(command, "key", "a key, as in \"params.capacity\"", out);
}

GullyStatus command_check_value(const Command* command, const char* key, const json_t* value) {
    GullySettings* settings;
    void* params;
    const GullyParam* row;
    ScenePath path = scene_path_key(NULL, "value");
    GullyStatus status = find_row(command, key, &settings, &params, &row);
    if (status) return status;
    bool automatic = strcmp(key, "dt") == 0 && json_is_string(value) &&
                     strcmp(json_string_value(value), "auto") == 0;
    if (!automatic) status = scene_row(&command->view, &path, value, row, params);
    gully_settings_destroy(settings);
    return status;
}

/// Replaces a part of the changes, which is taken over.
static GullyStatus change_part(GullySession* session, const char* part, json_t* value) {
    return session_change(session, session_changes_with(session->state.changes, part, value));
}

/// A copy of a part of the changes that is an object; empty if there is none.
static json_t* copy_part(const GullySession* session, const char* part) {
    const json_t* value = json_object_get(session->state.changes, part);
    return value ? json_deep_copy(value) : json_object();
}

GullyStatus do_set(Command* command) {
    GullySession* session = command->session;
    const char* key;
    GullyStatus status = read_key(command, &key);
    if (status) return status;
    const json_t* value = command_value(command, "value", "a number, a text, true or false");
    if (!value) return GULLY_BAD_INPUT;
    status = command_check_value(command, key, value);
    if (status) return status;
    json_t* set = copy_part(session, "set");
    if (!set || json_object_set(set, key, (json_t*)value)) {
        json_decref(set);
        return gully_fail(GULLY_NO_MEMORY, "no memory for a change");
    }
    command_mark_or_join(command, key, key);
    command->replaceable = true;
    return change_part(session, "set", set);
}

/// Whether the scene can be gone back to: by the name of a parameter, or of an add-on.
static GullyStatus check_reset(const Command* command, const char* key) {
    const GullyLawInfo* law = gully_law_find(key);
    GullySettings* settings;
    void* params;
    const GullyParam* row;
    if (law && law->add_on) return GULLY_OK;
    GullyStatus status = find_row(command, key, &settings, &params, &row);
    if (!status) gully_settings_destroy(settings);
    return status;
}

GullyStatus do_reset(Command* command) {
    GullySession* session = command->session;
    const char* key;
    GullyStatus status = read_key(command, &key);
    if (!status) status = check_reset(command, key);
    if (status) return status;
    const char* part =
        json_object_get(json_object_get(session->state.changes, "switch"), key) ? "switch" : "set";
    json_t* rest = copy_part(session, part);
    if (!rest) return gully_fail(GULLY_NO_MEMORY, "no memory for a change");
    if (json_object_get(rest, key)) json_object_del(rest, key);
    command_mark_or_join(command, key, key);
    command->replaceable = true;
    return change_part(session, part, rest);
}

GullyStatus command_check_add_on(const Command* command, const ScenePath* path, const char* name) {
    SceneNames names = {0};
    for (int i = 0; i < gully_law_count(); i++)
        if (gully_law_info(i)->add_on) scene_names_add(&names, gully_law_info(i)->name);
    return scene_names_have(&names, name)
               ? GULLY_OK
               : scene_fail_name(&command->view, path, name, &names, "no such add-on");
}

GullyStatus do_switch(Command* command) {
    GullySession* session = command->session;
    const char* name;
    bool on = false;
    GullyStatus status = command_text(command, "add_on", "an add-on's name", &name);
    if (!status && !command_value(command, "on", "true or false")) status = GULLY_BAD_INPUT;
    if (!status) status = command_flag(command, "on", &on);
    ScenePath path = scene_path_key(NULL, "add_on");
    if (!status) status = command_check_add_on(command, &path, name);
    if (status) return status;
    json_t* part = copy_part(session, "switch");
    if (!part || json_object_set_new(part, name, json_boolean(on))) {
        json_decref(part);
        return gully_fail(GULLY_NO_MEMORY, "no memory for a change");
    }
    session_mark(session, name);
    return change_part(session, "switch", part);
}

// ---- sources ------------------------------------------------------------------------------------

static json_t* source_json(const GullySource* source) {
    const GullyParamTable* table = gully_source_table();
    json_t* object = json_object();
    for (int n = 0; n < table->count; n++)
        json_object_set_new(object, table->rows[n].name,
                            json_real(gully_param_get(&table->rows[n], source)));
    return object;
}

/// The list of sources as a copy: the session's own, or that of the present phase.
static GullyStatus copy_sources(const GullySession* session, json_t** out) {
    GullySettings* settings;
    *out = NULL;
    GullyStatus status =
        session_settings(session, session->state.changes, session->state.phase, &settings);
    if (status) return status;
    json_t* list = json_array();
    for (int i = 0; i < gully_settings_source_count(settings); i++)
        json_array_append_new(list, source_json(gully_settings_source(settings, i)));
    gully_settings_destroy(settings);
    *out = list;
    return list ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for sources");
}

/// Reads what a command says of a source; what it does not say stays.
static GullyStatus read_source(const Command* command, GullySource* source) {
    GullyStatus status = command_rows(command, gully_source_table(), source);
    if (status || source->from < source->until) return status;
    ScenePath path =
        scene_path_key(NULL, json_object_get(command->object, "until") ? "until" : "from");
    return scene_fail(&command->view, &path,
                      "the source ends (%.9g s) before it begins (%.9g s); allowed: from < until",
                      source->until, source->from);
}

static GullyStatus source_index(const Command* command, const json_t* list, size_t* out) {
    int64_t index = 0;
    if (json_array_size(list) == 0) return command_fail(command, "index", "there are no sources");
    GullyStatus status =
        command_integer(command, "index", 0, (int64_t)json_array_size(list) - 1, &index);
    *out = (size_t)index;
    return status;
}

GullyStatus do_add_source(Command* command) {
    GullySession* session = command->session;
    GullySource source;
    json_t* list;
    gully_params_default(gully_source_table(), &source);
    GullyStatus status = read_source(command, &source);
    if (!status) status = copy_sources(session, &list);
    if (status) return status;
    size_t index = json_array_size(list);
    if (index >= MOST_SOURCES) {
        json_decref(list);
        return gully_fail(GULLY_BAD_INPUT, "there are %d sources already; allowed: up to as many",
                          MOST_SOURCES);
    }
    json_array_append_new(list, source_json(&source));
    session_mark(session, "add_source");
    status = change_part(session, "sources", list);
    if (!status) json_object_set_new(command->reply, "index", json_integer((json_int_t)index));
    return status;
}

/// The numbers of a source in a list.
static void source_of(const json_t* object, GullySource* out) {
    const GullyParamTable* table = gully_source_table();
    gully_params_default(table, out);
    for (int n = 0; n < table->count; n++) {
        const json_t* value = json_object_get(object, table->rows[n].name);
        if (value) gully_param_set_number(&table->rows[n], out, json_number_value(value));
    }
}

GullyStatus do_move_source(Command* command) {
    GullySession* session = command->session;
    GullySource source;
    json_t* list;
    size_t index = 0;
    GullyStatus status = copy_sources(session, &list);
    if (status) return status;
    status = source_index(command, list, &index);
    if (!status) {
        source_of(json_array_get(list, index), &source);
        status = read_source(command, &source);
    }
    if (status) {
        json_decref(list);
        return status;
    }
    json_array_set_new(list, index, source_json(&source));
    char what[32];
    snprintf(what, sizeof what, "%zu", index);
    command_mark_or_join(command, "move_source", what);
    return change_part(session, "sources", list);
}

GullyStatus do_remove_source(Command* command) {
    GullySession* session = command->session;
    json_t* list;
    size_t index = 0;
    GullyStatus status = copy_sources(session, &list);
    if (status) return status;
    status = source_index(command, list, &index);
    if (status) {
        json_decref(list);
        return status;
    }
    json_array_remove(list, index);
    session_mark(session, "remove_source");
    return change_part(session, "sources", list);
}

// ---- materials and phases -----------------------------------------------------------------------

static GullyStatus check_material(const Command* command, const char* key, const json_t* value) {
    const GullyParam* row = gully_params_find(gully_material_table(), key);
    ScenePath path = scene_path_key(NULL, row ? "value" : "key");
    SceneNames names = {0};
    GullyMaterial material = gully_material("", 0);
    if (row) return scene_row(&command->view, &path, value, row, &material);
    scene_names_add_rows(&names, gully_material_table());
    return scene_fail_name(&command->view, &path, key, &names, "no such parameter of a material");
}

GullyStatus do_material(Command* command) {
    GullySession* session = command->session;
    int count = gully_world_material_count(session->world);
    const char* key;
    int64_t index;
    if (count == 0) return command_fail(command, "index", "this world has no materials");
    GullyStatus status = command_integer(command, "index", 0, count - 1, &index);
    if (!status) status = command_text(command, "key", "a parameter's name", &key);
    if (status) return status;
    json_t* value = (json_t*)command_value(command, "value", "a number");
    if (!value) return GULLY_BAD_INPUT;
    status = check_material(command, key, value);
    if (status) return status;
    char place[16], what[160];
    snprintf(place, sizeof place, "%d", (int)index);
    snprintf(what, sizeof what, "%s %.100s", place, key);
    json_t* materials = copy_part(session, "materials");
    json_t* one = json_object_get(materials, place);
    if (!one && materials) json_object_set_new(materials, place, one = json_object());
    if (!one || json_object_set(one, key, value)) {
        json_decref(materials);
        return gully_fail(GULLY_NO_MEMORY, "no memory for a change");
    }
    command_mark_or_join(command, "material", what);
    command->replaceable = true;
    return change_part(session, "materials", materials);
}

GullyStatus do_phase(Command* command) {
    GullySession* session = command->session;
    int64_t index;
    bool hold = false;
    Program program;
    GullyStatus status = session_program(session, session->state.changes, &program);
    if (!status) status = command_integer(command, "index", 0, program.round - 1, &index);
    if (!status) status = command_flag(command, "hold", &hold);
    if (status) return status;
    session_mark(session, "phase");
    return session_enter(session, (int)index, hold);
}
