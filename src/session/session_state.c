// SPDX-License-Identifier: MIT
// What a session has changed of its scene. The changes are a JSON object:
//
//     {"set": {"params.capacity": 0.5}, "switch": {"thermal": true},
//      "sources": [{"x": 120, ...}], "materials": {"1": {"talus": 30}}}
//
// each part only if there is something in it; `sources` only when the list is the session's own.
#include <stdlib.h>
#include <string.h>

#include "scene_view.h"
#include "session_inside.h"

SessionState session_state_copy(const SessionState* state) {
    SessionState copy = *state;
    json_incref(copy.changes);
    json_incref(copy.held);
    return copy;
}

void session_state_free(SessionState* state) {
    json_decref(state->changes);
    json_decref(state->held);
    *state = (SessionState){0};
}

json_t* session_state_json(const SessionState* state) {
    return json_pack("{s:O, s:O?, s:i, s:I, s:b, s:b}", "changes", state->changes, "held",
                     state->held, "phase", state->phase, "phase_step",
                     (json_int_t)state->phase_step, "phase_held", state->phase_held, "stroke",
                     state->stroke);
}

GullyStatus session_state_parse(const GullySession* session, const json_t* json,
                                SessionState* out) {
    *out = (SessionState){0};
    json_t *changes = NULL, *held = NULL;
    json_int_t phase = -1, phase_step = -1;
    int phase_held = 0, stroke = 0;
    Program program;
    if (json_unpack((json_t*)json, "{s:o, s?:o, s:I, s:I, s:b, s:b}", "changes", &changes, "held",
                    &held, "phase", &phase, "phase_step", &phase_step, "phase_held", &phase_held,
                    "stroke", &stroke) != 0 ||
        !json_is_object(changes) || session_program(session, changes, &program) || phase < 0 ||
        phase >= program.round || phase_step < 0)
        return gully_fail(GULLY_BAD_INPUT, "the state of the session is not one of this scene");
    *out = (SessionState){.changes = json_incref(changes),
                          .held = json_is_object(held) ? json_incref(held) : NULL,
                          .phase = (int)phase,
                          .phase_step = phase_step,
                          .phase_held = phase_held,
                          .stroke = stroke};
    return GULLY_OK;
}

json_t* session_changes_with(const json_t* changes, const char* part, json_t* value) {
    json_t* copy = json_copy((json_t*)changes);
    bool empty = !value || (json_is_object(value) && json_object_size(value) == 0);
    int failed = 0;
    if (copy && empty)
        json_object_del(copy, part);
    else if (copy)
        failed = json_object_set(copy, part, value);
    json_decref(value);
    if (copy && !failed) return copy;
    json_decref(copy);
    gully_fail(GULLY_NO_MEMORY, "no memory for a change");
    return NULL;
}

// ---- settings -----------------------------------------------------------------------------------

static GullyStatus put_value(GullySettings* settings, const char* key, const json_t* value) {
    if (json_is_string(value)) {
        const char* text = json_string_value(value);
        bool automatic = strcmp(key, "dt") == 0 && strcmp(text, "auto") == 0;
        return automatic ? gully_settings_set_number(settings, key, 0)
                         : gully_settings_set_text(settings, key, text);
    }
    double number = json_is_boolean(value) ? json_is_true(value) : json_number_value(value);
    return gully_settings_set_number(settings, key, number);
}

static GullyStatus put_sources(GullySettings* settings, const json_t* list) {
    static const SceneDocument document = {
        .name = (char*)"session", .text = (char*)"{}", .length = 2};
    const SceneView view = {.document = &document};
    GullyStatus status = GULLY_OK;
    size_t index;
    json_t* object;
    if (!list) return GULLY_OK;
    gully_settings_clear_sources(settings);
    json_array_foreach(list, index, object) {
        ScenePath path = scene_path_key(NULL, "sources");
        path = scene_path_index(&path, index);
        GullySource source;
        gully_params_default(gully_source_table(), &source);
        status = scene_table(&view, &path, object, gully_source_table(), NULL, &source);
        if (!status) status = gully_settings_add_source(settings, &source);
        if (status) break;
    }
    return status;
}

/// Whether settings have a key. A parameter that was changed while another model ran has no meaning
/// for this one.
static bool has_key(GullySettings* settings, const char* key) {
    const GullyParamTable* table;
    if (strncmp(key, "params.", 7) != 0) return true;
    gully_settings_section(settings, "params", &table);
    return gully_params_find(table, key + 7) != NULL;
}

GullyStatus session_settings(const GullySession* session, const json_t* changes, int phase,
                             GullySettings** out) {
    GullySettings* settings;
    *out = NULL;
    GullyStatus status =
        gully_settings_copy(session_phase(session, changes, phase)->settings, &settings);
    if (status) return status;
    const char* key;
    json_t* value;
    json_object_foreach(json_object_get(changes, "set"), key, value) {
        if (!status && has_key(settings, key)) status = put_value(settings, key, value);
    }
    json_object_foreach(json_object_get(changes, "switch"), key, value) {
        if (!status) status = gully_settings_switch(settings, key, json_is_true(value));
    }
    if (!status) status = put_sources(settings, json_object_get(changes, "sources"));
    if (status)
        gully_settings_destroy(settings);
    else
        *out = settings;
    return status;
}

static GullyStatus check_phase(const GullySession* session, const json_t* changes, int phase) {
    GullySettings* settings;
    GullyStatus status = session_settings(session, changes, phase, &settings);
    if (status) return status;
    double cell_x = gully_world_cell_x(session->world), cell_y = gully_world_cell_y(session->world);
    double limit = gully_settings_max_dt(settings, cell_x, cell_y);
    const GullyTimeParams* time = gully_settings_section(settings, "", NULL);
    if (limit > 0 && time->dt > limit && !time->allow_unstable)
        status = gully_fail(
            GULLY_BAD_INPUT,
            "dt: %g s is unstable in phase %d (%s), on cells of %g x %g m; allowed: "
            "up to %.6g s, \"auto\", or any with allow_unstable",
            time->dt, phase, session_phase(session, changes, phase)->name, cell_x, cell_y, limit);
    gully_settings_destroy(settings);
    return status;
}

GullyStatus session_check_phases(const GullySession* session, const json_t* changes) {
    const GullySettings* last = NULL;
    Program program;
    GullyStatus status = session_program(session, changes, &program);
    for (int phase = 0; !status && phase < program.round; phase++) {
        const GullySettings* settings = gully_scene_phase(program.scene, phase)->settings;
        if (settings != last) status = check_phase(session, changes, phase);
        last = settings;
    }
    return status;
}

// ---- materials ----------------------------------------------------------------------------------

static GullyStatus put_material(const json_t* object, GullyMaterial* material) {
    const char* key;
    json_t* value;
    GullyStatus status = GULLY_OK;
    json_object_foreach((json_t*)object, key, value) {
        const GullyParam* row = gully_params_find(gully_material_table(), key);
        if (!row || !json_is_number(value))
            return gully_fail(GULLY_BAD_INPUT, "materials: \"%.60s\" is no parameter of one", key);
        status = gully_param_set_number(row, material, json_number_value(value));
        if (status) break;
    }
    return status;
}

GullyStatus session_materials(const GullySession* session, const json_t* changes,
                              GullyMaterial out[GULLY_MAX_MATERIALS]) {
    memcpy(out, session->materials, sizeof session->materials);
    const char* key;
    json_t* value;
    GullyStatus status = GULLY_OK;
    json_object_foreach(json_object_get(changes, "materials"), key, value) {
        int index = atoi(key);
        if (index < 0 || index >= gully_world_material_count(session->world))
            return gully_fail(GULLY_BAD_INPUT, "materials: there is no %.60s", key);
        status = put_material(value, &out[index]);
        if (status) break;
    }
    return status;
}

GullyStatus session_give_materials(GullySession* session, const json_t* changes) {
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    int count = gully_world_material_count(session->world);
    if (count == 0) return GULLY_OK;
    GullyStatus status = session_materials(session, changes, materials);
    return status ? status : gully_world_set_materials(session->world, materials, count);
}
