// SPDX-License-Identifier: MIT
// Commands: a table of them, and the way from bytes to one of them.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session_commands.h"

enum { MOST_BYTES = 1 << 20 }; // of a command

// ---- the commands -------------------------------------------------------------------------------

static GullyStatus do_undo(Command* command) {
    const char* name = gully_editor_undo_name(command->session->editor);
    json_t* reply = json_pack("{s:s}", "name", name ? name : "");
    GullyStatus status = session_undo(command->session);
    if (!status) json_object_update(command->reply, reply);
    json_decref(reply);
    return status;
}

static GullyStatus do_redo(Command* command) {
    const char* name = gully_editor_redo_name(command->session->editor);
    json_t* reply = json_pack("{s:s}", "name", name ? name : "");
    GullyStatus status = session_redo(command->session);
    if (!status) json_object_update(command->reply, reply);
    json_decref(reply);
    return status;
}

static const CommandRow rows[] = {
    {"stroke", {"brush", "points", "pressure"}, gully_brush_table, do_stroke, COMMAND_RECORDS},
    {"more", {"points", "pressure"}, NULL, do_more, COMMAND_RECORDS},
    {"end", {NULL}, NULL, do_end, COMMAND_RECORDS},
    {"hold", {"brush", "at", "begin"}, gully_brush_table, do_hold, COMMAND_RECORDS},
    {"release", {NULL}, NULL, do_release, COMMAND_RECORDS},
    {"stamp", {"raster"}, gully_stamp_table, do_stamp, COMMAND_RECORDS},
    {"copy", {"rect", "points"}, NULL, do_copy, COMMAND_ASKS},
    {"paste", {"clip"}, gully_stamp_table, do_paste, COMMAND_RECORDS},
    {"set", {"key", "value"}, NULL, do_set, COMMAND_RECORDS},
    {"reset", {"key"}, NULL, do_reset, COMMAND_RECORDS},
    {"switch", {"add_on", "on"}, NULL, do_switch, COMMAND_RECORDS},
    {"change", {"name", "set", "switch", "clear", "all"}, NULL, do_change, COMMAND_RECORDS},
    {"add_source", {NULL}, gully_source_table, do_add_source, COMMAND_RECORDS},
    {"move_source", {"index"}, gully_source_table, do_move_source, COMMAND_RECORDS},
    {"remove_source", {"index"}, NULL, do_remove_source, COMMAND_RECORDS},
    {"material", {"index", "key", "value"}, NULL, do_material, COMMAND_RECORDS},
    {"phase", {"index", "hold"}, NULL, do_phase, COMMAND_RECORDS},
    {"program", {"phases", "name", "clear"}, NULL, do_program, COMMAND_RECORDS},
    {"seek", {"step", "near", "keep"}, NULL, do_seek, COMMAND_TRAVELS},
    {"undo", {NULL}, NULL, do_undo, COMMAND_TRAVELS},
    {"redo", {NULL}, NULL, do_redo, COMMAND_TRAVELS},
    {"history", {NULL}, NULL, do_history, COMMAND_ASKS},
    {"pin", {"name"}, NULL, do_pin, COMMAND_ASKS},
    {"unpin", {"pin"}, NULL, do_unpin, COMMAND_ASKS},
    {"compare", {"to", "number"}, NULL, do_compare, COMMAND_ASKS},
    {"hash", {NULL}, NULL, do_hash, COMMAND_ASKS},
    {"sides", {"samples", "end"}, NULL, do_sides, COMMAND_ASKS},
    {"pick", {"at"}, NULL, do_pick, COMMAND_ASKS},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

// ---- messages -----------------------------------------------------------------------------------

/// Messages about a scene begin with "file:line: "; a command has no lines.
static GullyStatus say_command(GullyStatus status, const char* name) {
    char prefix[64];
    const char* message = gully_message();
    int length = snprintf(prefix, sizeof prefix, "%s:1: ", name);
    if (strncmp(message, prefix, (size_t)length) == 0) message += length;
    length = snprintf(prefix, sizeof prefix, "%s: ", name);
    if (strncmp(message, prefix, (size_t)length) == 0) message += length;
    return gully_fail(status, "%s: %s", name, message);
}

// ---- values -------------------------------------------------------------------------------------

GullyStatus command_fail(const Command* command, const char* key, const char* problem) {
    ScenePath path = scene_path_key(NULL, key);
    return scene_fail(&command->view, &path, "%s", problem);
}

const json_t* command_value(const Command* command, const char* key, const char* expected) {
    const json_t* value = json_object_get(command->object, key);
    char problem[256];
    snprintf(problem, sizeof problem, "missing; expected %s", expected);
    if (!value) command_fail(command, key, problem);
    return value;
}

GullyStatus command_text(const Command* command, const char* key, const char* expected,
                         const char** out) {
    const json_t* value = command_value(command, key, expected);
    ScenePath path = scene_path_key(NULL, key);
    return value ? scene_string(&command->view, &path, value, expected, out) : GULLY_BAD_INPUT;
}

GullyStatus command_integer(const Command* command, const char* key, int64_t low, int64_t high,
                            int64_t* out) {
    char expected[64];
    snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)low,
             (long long)high);
    const json_t* value = command_value(command, key, expected);
    ScenePath path = scene_path_key(NULL, key);
    return value ? scene_integer(&command->view, &path, value, low, high, out) : GULLY_BAD_INPUT;
}

GullyStatus command_flag(const Command* command, const char* key, bool* out) {
    const json_t* value = json_object_get(command->object, key);
    ScenePath path = scene_path_key(NULL, key);
    if (value && !json_is_boolean(value))
        return scene_fail_type(&command->view, &path, value, "true or false");
    if (value) *out = json_is_true(value);
    return GULLY_OK;
}

static GullyStatus read_point(const Command* command, const ScenePath* path, const json_t* value,
                              GullyPoint* out) {
    static const char expected[] = "a point [x, y] in metres";
    const double most = 1e9;
    if (!json_is_array(value)) return scene_fail_type(&command->view, path, value, expected);
    if (json_array_size(value) != 2)
        return scene_fail(&command->view, path, "has %zu numbers; expected %s",
                          json_array_size(value), expected);
    ScenePath x = scene_path_index(path, 0), y = scene_path_index(path, 1);
    GullyStatus status =
        scene_number(&command->view, &x, json_array_get(value, 0), -most, most, "m", &out->x);
    if (status) return status;
    return scene_number(&command->view, &y, json_array_get(value, 1), -most, most, "m", &out->y);
}

GullyStatus command_point(const Command* command, const char* key, GullyPoint* out) {
    const json_t* value = command_value(command, key, "a point [x, y] in metres");
    ScenePath path = scene_path_key(NULL, key);
    return value ? read_point(command, &path, value, out) : GULLY_BAD_INPUT;
}

GullyStatus command_points(const Command* command, GullyPoint** out, int* count) {
    enum { MOST = 65536 };
    char expected[64];
    snprintf(expected, sizeof expected, "1 to %d points [[x, y], ...]", MOST);
    const json_t* list = command_value(command, "points", expected);
    ScenePath path = scene_path_key(NULL, "points");
    size_t size = json_array_size(list);
    *out = NULL;
    if (!list) return GULLY_BAD_INPUT;
    if (!json_is_array(list)) return scene_fail_type(&command->view, &path, list, expected);
    if (size < 1 || size > MOST)
        return scene_fail(&command->view, &path, "has %zu points; allowed: 1 to %d", size, MOST);
    GullyPoint* points = malloc(size * sizeof *points);
    GullyStatus status = points ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for points");
    for (size_t i = 0; i < size && !status; i++) {
        ScenePath place = scene_path_index(&path, i);
        status = read_point(command, &place, json_array_get(list, i), &points[i]);
    }
    if (status) {
        free(points);
        return status;
    }
    *out = points;
    *count = (int)size;
    return GULLY_OK;
}

GullyStatus command_rows(const Command* command, const GullyParamTable* table, void* params) {
    GullyStatus status = GULLY_OK;
    for (int n = 0; n < table->count && !status; n++) {
        const json_t* value = json_object_get(command->object, table->rows[n].name);
        ScenePath path = scene_path_key(NULL, table->rows[n].name);
        if (value) status = scene_row(&command->view, &path, value, &table->rows[n], params);
    }
    return status;
}

// ---- dispatching --------------------------------------------------------------------------------

static const CommandRow* find_row(const char* name) {
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

/// Finds the row of a command, and that it has no keys that do not belong to it.
static GullyStatus read_command(Command* command) {
    SceneNames names = {0};
    const char* name;
    GullyStatus status = command_text(command, "do", "a command's name", &name);
    if (status) return status;
    command->row = find_row(name);
    if (!command->row) {
        ScenePath path = scene_path_key(NULL, "do");
        for (int i = 0; i < ROWS; i++)
            scene_names_add(&names, rows[i].name);
        return scene_fail_name(&command->view, &path, name, &names, "unknown command");
    }
    command->document.name = (char*)command->row->name;
    scene_names_add(&names, "do");
    scene_names_add(&names, "id");
    for (int i = 0; i < COMMAND_KEYS && command->row->keys[i]; i++)
        scene_names_add(&names, command->row->keys[i]);
    if (command->row->table) scene_names_add_rows(&names, command->row->table());
    return scene_check_keys(&command->view, NULL, command->object, &names);
}

/// The text of the record that the command will be; NULL without memory.
static char* record_text(const Command* command, int64_t step) {
    json_t* record = json_copy(command->object);
    char* text = NULL;
    json_object_del(record, "id");
    if (record && json_object_set_new(record, "step", json_integer(step)) == 0)
        text = json_dumps(record, JSON_COMPACT);
    json_decref(record);
    return text;
}

/// The command has been done: it becomes a record. There is room for it.
static void add_record(Command* command, char* text, int64_t step) {
    GullySession* session = command->session;
    bool same = command->joins && session->replaceable && !session->replays &&
                command->replaceable && session->records.count > 0 &&
                session->records.items[session->records.count - 1].step == step;
    if (same) records_cut(&session->records, session->records.count - 1);
    records_push(&session->records, text, step);
    if (!session->replays) keeper_record(session, session->records.count - 1, same, false);
    snprintf(session->last, sizeof session->last, "%s", command->what);
    session->replaceable = command->replaceable;
}

/// Runs a command that becomes a record.
static GullyStatus run_recorded(Command* command) {
    GullySession* session = command->session;
    int64_t step = gully_sim_steps(session->sim);
    SessionState before = session_state_copy(&session->state);
    size_t count = session->records.count;
    double dt = gully_sim_dt(session->sim);
    char* text = record_text(command, step);
    GullyStatus status = GULLY_OK;
    if (!text || !records_reserve(&session->records, 1))
        status = gully_fail(GULLY_NO_MEMORY, "no memory for a record");
    if (!status) status = history_reserve(session);
    command->records = true;
    if (!status) status = command->row->run(command);
    if (status) gully_editor_mark(session->editor, NULL); // it may not have come to its edit
    history_follow(session, &before, count);
    if (!status) session_pass_phases(session); // a phase without steps may have been entered
    // With another dt amounts per step are scaled, which cannot be left out.
    if (gully_sim_dt(session->sim) != dt) command->replaceable = false;
    if (!status && command->records)
        add_record(command, text, step);
    else
        free(text);
    session_state_free(&before);
    return status;
}

GullyStatus session_perform(GullySession* session, json_t* object, json_t* reply) {
    Command command = {.session = session, .object = object};
    command.document = (SceneDocument){.name = (char*)"command", .text = (char*)"{}", .length = 2};
    command.view = (SceneView){.document = &command.document, .root = object};
    command.reply = reply ? json_incref(reply) : json_object();
    GullyStatus status = command.reply ? read_command(&command)
                                       : gully_fail(GULLY_NO_MEMORY, "no memory for a reply");
    if (!status && command.row->kind == COMMAND_RECORDS)
        status = run_recorded(&command);
    else if (!status)
        status = command.row->run(&command);
    json_decref(command.reply);
    if (status) return say_command(status, command.document.name);
    if (command.row->kind != COMMAND_ASKS) session->changes++;
    return GULLY_OK;
}

static GullyStatus parse_command(const char* text, size_t size, json_t** out) {
    json_error_t error;
    *out = NULL;
    if (size > MOST_BYTES)
        return gully_fail(GULLY_BAD_INPUT, "command: has %zu bytes; allowed: up to %d", size,
                          MOST_BYTES);
    *out = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (json_is_object(*out)) return GULLY_OK;
    char problem[JSON_ERROR_TEXT_LENGTH] = "it is a list";
    if (!*out) scene_clip(error.text, problem, sizeof problem);
    json_decref(*out);
    *out = NULL;
    return gully_fail(GULLY_BAD_INPUT, "command: is no JSON object {\"do\": NAME, ...}: %s",
                      problem);
}

GullyStatus gully_session_do(GullySession* session, const char* text, size_t size, char** reply) {
    assert(session && (text || size == 0) && reply);
    json_t *object, *answer = json_object();
    *reply = NULL;
    GullyStatus status = parse_command(text ? text : "", size, &object);
    if (!status) status = session_perform(session, object, answer);
    if (!status) {
        *reply = json_dumps(answer, JSON_COMPACT);
        if (!*reply) *reply = strdup("{}");
    }
    json_decref(object);
    json_decref(answer);
    return status;
}
