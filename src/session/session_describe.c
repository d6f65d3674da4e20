// SPDX-License-Identifier: MIT
// What a session is, as JSON: all that a user interface is built from, and what it shows.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session_commands.h"

// JSON has no NaN.
static json_t* number_json(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static char* dump(json_t* json) {
    char* text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text ? text : strdup("{}");
}

// ---- tables -------------------------------------------------------------------------------------

static json_t* value_json(const GullyParam* row, double value) {
    char text[64];
    switch (row->kind) {
    case GULLY_KIND_flag:
        return json_boolean(value != 0);
    case GULLY_KIND_integer:
        return json_integer((json_int_t)value);
    case GULLY_KIND_choice:
        gully_param_text(row, value, text, sizeof text);
        return json_string(text);
    case GULLY_KIND_number:
    case GULLY_KIND_map:
        break;
    }
    return json_real(value);
}

/// A row of a table; `params` has its present value, `scene` the one that a reset gives (or NULL).
static json_t* row_json(const GullyParam* row, const void* params, const void* scene) {
    static const char* const kinds[] = {"number", "integer", "flag", "choice", "number"};
    json_t* json = json_pack("{s:s, s:s, s:o, s:f, s:f, s:s, s:s}", "name", row->name, "kind",
                             kinds[row->kind], "default", value_json(row, row->fallback), "low",
                             row->low, "high", row->high, "unit", row->unit, "help", row->help);
    if (params) json_object_set_new(json, "value", value_json(row, gully_param_get(row, params)));
    if (scene) json_object_set_new(json, "scene", value_json(row, gully_param_get(row, scene)));
    return json;
}

static json_t* rows_json(const GullyParamTable* table, const void* params, const void* scene) {
    json_t* list = json_array();
    for (int n = 0; n < table->count; n++)
        json_array_append_new(list, row_json(&table->rows[n], params, scene));
    return list;
}

static json_t* table_json(const GullyParamTable* table) {
    return json_pack("{s:o}", "rows", rows_json(table, NULL, NULL));
}

/// The parameters of a struct as an object.
static void add_values(json_t* object, const GullyParamTable* table, const void* params) {
    for (int n = 0; n < table->count; n++)
        json_object_set_new(object, table->rows[n].name,
                            value_json(&table->rows[n], gully_param_get(&table->rows[n], params)));
}

// ---- parts --------------------------------------------------------------------------------------

static json_t* world_json(const GullySession* session) {
    const GullyWorld* world = session->world;
    return json_pack(
        "{s:i, s:i, s:[f, f], s:f, s:f, s:s, s:s}", "width", gully_world_width(world), "height",
        gully_world_height(world), "cell_size", gully_world_cell_x(world),
        gully_world_cell_y(world), "low", session->low, "high", session->high, "terrain",
        session->terrain, "model",
        gully_settings_model(session_phase(session, session->state.changes, 0)->settings));
}

static json_t* section_json(GullySettings* now, GullySettings* scene, const char* name) {
    const GullyParamTable* table;
    const void* params = gully_settings_section(now, name, &table);
    const GullyLawInfo* law =
        gully_law_find(strcmp(name, "params") == 0 ? gully_settings_model(now) : name);
    bool add_on = law && law->add_on && strcmp(name, "params") != 0;
    json_t* json =
        json_pack("{s:s, s:s, s:b, s:b}", "name", name, "summary", law ? law->summary : "",
                  "add_on", add_on, "on", !add_on || gully_settings_is_on(now, name));
    if (add_on) json_object_set_new(json, "scene", json_boolean(gully_settings_is_on(scene, name)));
    const GullyParamTable* scene_table;
    const void* before = gully_settings_section(scene, name, &scene_table);
    if (scene_table != table) before = NULL; // the scene has another model
    json_object_set_new(json, "rows", rows_json(table, params, before));
    return json;
}

json_t* session_value(GullySettings* settings, const char* key) {
    const GullyParamTable* table;
    const char* dot = strrchr(key, '.');
    char section[64] = "";
    if (dot) snprintf(section, sizeof section, "%.*s", (int)(dot - key), key);
    const void* params = gully_settings_section(settings, section, &table);
    const GullyParam* row = params ? gully_params_find(table, dot ? dot + 1 : key) : NULL;
    return row ? value_json(row, gully_param_get(row, params)) : json_null();
}

static json_t* sections_json(GullySettings* now, GullySettings* scene) {
    json_t* list = json_array();
    const char* name;
    for (int n = 0; (name = gully_settings_section_name(now, n)); n++)
        json_array_append_new(list, section_json(now, scene, name));
    return list;
}

static json_t* brushes_json(void) {
    json_t* list = json_array();
    for (int i = 0; i < gully_brush_count(); i++) {
        const GullyBrushInfo* info = gully_brush_info(i);
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:f, s:f, s:b, s:b}", "name", info->name, "summary",
                            info->summary, "unit", info->unit, "strength", info->strength, "most",
                            info->most, "held", info->held, "layers", info->layers));
    }
    return list;
}

static json_t* materials_json(const GullySession* session) {
    json_t* list = json_array();
    for (int m = 0; m < gully_world_material_count(session->world); m++) {
        const GullyMaterial* material = gully_world_material(session->world, m);
        char color[16];
        snprintf(color, sizeof color, "#%06x", material->color & 0xffffff);
        json_t* object = json_pack("{s:s, s:s}", "name", material->name, "color", color);
        add_values(object, gully_material_table(), material);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t* sources_json(const GullySettings* settings) {
    json_t* list = json_array();
    for (int i = 0; i < gully_settings_source_count(settings); i++) {
        json_t* object = json_object();
        add_values(object, gully_source_table(), gully_settings_source(settings, i));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t* laws_json(void) {
    json_t* list = json_array();
    for (int i = 0; i < gully_law_count(); i++) {
        const GullyLawInfo* law = gully_law_info(i);
        json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:b}", "name", law->name, "summary",
                                              law->summary, "add_on", law->add_on, "layers",
                                              law->layers));
    }
    return list;
}

static json_t* history_json(const GullySession* session) {
    const GullyEditor* editor = session->editor;
    return json_pack(
        "{s:s?, s:s?, s:I, s:I, s:I}", "undo", gully_editor_undo_name(editor), "redo",
        gully_editor_redo_name(editor), "depth", (json_int_t)gully_editor_depth(editor), "records",
        (json_int_t)session->records.count, "bytes", (json_int_t)gully_editor_bytes(editor));
}

char* gully_session_describe(const GullySession* session) {
    const SessionState* state = &session->state;
    GullySettings *now, *scene;
    json_t* json = json_object();
    if (session_settings(session, state->changes, state->phase, &now)) return dump(json);
    if (session_settings(session, NULL, state->phase, &scene)) {
        gully_settings_destroy(now);
        return dump(json);
    }
    json_object_set_new(json, "world", world_json(session));
    json_object_set_new(json, "laws", laws_json());
    json_object_set_new(json, "sections", sections_json(now, scene));
    json_object_set_new(json, "brushes", brushes_json());
    json_object_set_new(json, "brush", table_json(gully_brush_table()));
    json_object_set_new(json, "stamp", table_json(gully_stamp_table()));
    json_object_set_new(json, "source", table_json(gully_source_table()));
    json_object_set_new(json, "material", table_json(gully_material_table()));
    json_object_set_new(json, "materials", materials_json(session));
    json_object_set_new(json, "sources", sources_json(now));
    json_object_set_new(json, "own_sources",
                        json_boolean(json_object_get(state->changes, "sources") != NULL));
    json_object_set_new(json, "phases", session_phases_json(session));
    json_object_set_new(json, "phase", json_integer(state->phase));
    json_object_set_new(json, "held", json_boolean(state->phase_held));
    json_object_set_new(json, "history", history_json(session));
    gully_settings_destroy(now);
    gully_settings_destroy(scene);
    return dump(json);
}

// ---- status -------------------------------------------------------------------------------------

#define NUMBER(object, budget, name) json_object_set_new(object, #name, number_json((budget)->name))

/// null if the world could not be added up.
static json_t* budget_json(const GullySession* session) {
    GullyBudget budget;
    if (gully_sim_budget(session->sim, &budget) != GULLY_OK) return json_null();
    json_t *water = json_object(), *solid = json_object();
    NUMBER(water, &budget.water, initial);
    NUMBER(water, &budget.water, rain);
    NUMBER(water, &budget.water, sources);
    NUMBER(water, &budget.water, exchanged);
    NUMBER(water, &budget.water, edits);
    NUMBER(water, &budget.water, evaporated);
    NUMBER(water, &budget.water, left);
    NUMBER(water, &budget.water, rounded);
    NUMBER(water, &budget.water, present);
    NUMBER(water, &budget.water, residual);
    NUMBER(water, &budget.water, moved);
    NUMBER(solid, &budget.solid, initial);
    NUMBER(solid, &budget.solid, sources);
    NUMBER(solid, &budget.solid, uplifted);
    NUMBER(solid, &budget.solid, edits);
    NUMBER(solid, &budget.solid, left);
    NUMBER(solid, &budget.solid, transport_loss);
    NUMBER(solid, &budget.solid, rounded);
    NUMBER(solid, &budget.solid, ground);
    NUMBER(solid, &budget.solid, suspended);
    NUMBER(solid, &budget.solid, residual);
    NUMBER(solid, &budget.solid, eroded);
    NUMBER(solid, &budget.solid, deposited);
    NUMBER(solid, &budget.solid, slid);
    NUMBER(solid, &budget.solid, moved);
    return json_pack("{s:o, s:o}", "water", water, "solid", solid);
}

char* gully_session_status(const GullySession* session, bool budget) {
    const SessionState* state = &session->state;
    json_t* json =
        json_pack("{s:I, s:f, s:f, s:s, s:s, s:i, s:s, s:I, s:b, s:b, s:b}", "step",
                  (json_int_t)gully_sim_steps(session->sim), "time", gully_sim_time(session->sim),
                  "dt", gully_sim_dt(session->sim), "time_unit",
                  gully_law_find(gully_sim_model(session->sim))->time_unit, "model",
                  gully_sim_model(session->sim), "phase", state->phase, "phase_name",
                  session_phase(session, state->changes, state->phase)->name, "phase_step",
                  (json_int_t)state->phase_step, "phase_held", state->phase_held, "stroke",
                  state->stroke, "held", state->held != NULL);
    json_object_set_new(json, "left", json_integer(gully_session_left(session)));
    json_object_set_new(json, "moments", moments_json(session));
    json_object_set_new(json, "reach", json_integer(moments_reach(session)));
    json_object_set_new(json, "compare", comparison_json(session));
    json_t* history = history_json(session);
    json_object_update(json, history);
    json_decref(history);
    if (budget) json_object_set_new(json, "budget", budget_json(session));
    return dump(json);
}

// ---- questions ----------------------------------------------------------------------------------

GullyStatus do_hash(Command* command) {
    json_object_set_new(command->reply, "step",
                        json_integer(gully_sim_steps(command->session->sim)));
    json_object_set_new(command->reply, "hashes", session_hashes(command->session));
    return GULLY_OK;
}

/// The cell whose centre is nearest to a place along a side.
static GullyStatus find_cell(const Command* command, const char* side, double place, double cell,
                             int count, int* out) {
    double index = floor(place / cell + 0.5);
    if (index >= 0 && index < count) {
        *out = (int)index;
        return GULLY_OK;
    }
    ScenePath path = scene_path_key(NULL, "at");
    return scene_fail(&command->view, &path, "%s = %.9g m is outside; allowed: from %.9g to %.9g m",
                      side, place, -0.5 * cell, (count - 0.5) * cell);
}

GullyStatus do_pick(Command* command) {
    const GullySession* session = command->session;
    const GullyWorld* world = session->world;
    GullyPoint at;
    int i = 0, j = 0, layers = gully_world_material_count(world);
    GullyStatus status = command_point(command, "at", &at);
    if (!status)
        status =
            find_cell(command, "x", at.x, gully_world_cell_x(world), gully_world_width(world), &i);
    if (!status)
        status =
            find_cell(command, "y", at.y, gully_world_cell_y(world), gully_world_height(world), &j);
    if (status) return status;
    json_t* values = json_object();
    for (GullyField field = GULLY_TERRAIN; field < GULLY_LAYER(layers) && !status; field++) {
        float value = NAN;
        status = gully_world_read(world, field, (GullyRect){i, j, 1, 1}, &value);
        json_object_set_new(values, gully_field_name(field), number_json((double)value));
    }
    json_object_set_new(command->reply, "cell", json_pack("[i, i]", i, j));
    json_object_set_new(command->reply, "values", values);
    return status;
}
