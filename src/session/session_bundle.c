// SPDX-License-Identifier: MIT
// Several changes as one entry of the history: a preset, or the way back to the scene.
#include <string.h>

#include "session_commands.h"

/// The object of a key; NULL without one.
static GullyStatus read_object(const Command* command, const char* key, const json_t** out) {
    *out = json_object_get(command->object, key);
    if (!*out || json_is_object(*out)) return GULLY_OK;
    ScenePath path = scene_path_key(NULL, key);
    return scene_fail_type(&command->view, &path, *out, "an object {\"key\": value, ...}");
}

static GullyStatus check_sets(const Command* command, const json_t* sets) {
    const char* key;
    json_t* value;
    GullyStatus status = GULLY_OK;
    json_object_foreach((json_t*)sets, key, value) {
        if (!status) status = command_check_value(command, key, value);
    }
    return status;
}

static GullyStatus check_switches(const Command* command, const json_t* switches) {
    const char* name;
    json_t* value;
    GullyStatus status = GULLY_OK;
    ScenePath path = scene_path_key(NULL, "switch");
    json_object_foreach((json_t*)switches, name, value) {
        ScenePath place = scene_path_key(&path, name);
        if (!status) status = command_check_add_on(command, &path, name);
        if (!status && !json_is_boolean(value))
            status = scene_fail_type(&command->view, &place, value, "true or false");
    }
    return status;
}

/// The present changes with a part of them complemented, or replaced if `clear`. Takes `changes`.
static json_t* with_part(json_t* changes, const char* part, const json_t* more, bool clear) {
    const json_t* now = json_object_get(changes, part);
    json_t* both = now && !clear ? json_deep_copy(now) : json_object();
    if (both && more) json_object_update(both, (json_t*)more);
    json_t* result = changes && both ? session_changes_with(changes, part, both) : NULL;
    json_decref(changes);
    return result;
}

/// All changes at once, as another moment of the session had them. What could not be said by other
/// commands is refused where settings are made of it.
static GullyStatus change_all(Command* command, const char* name, const json_t* all) {
    session_mark(command->session, name);
    return session_change(command->session, json_deep_copy(all));
}

GullyStatus do_change(Command* command) {
    GullySession* session = command->session;
    const char* name;
    const json_t *sets, *switches, *all;
    bool clear = false;
    GullyStatus status = command_text(command, "name", "what the history calls it", &name);
    if (!status) status = read_object(command, "set", &sets);
    if (!status) status = read_object(command, "switch", &switches);
    if (!status) status = read_object(command, "all", &all);
    if (!status && all) return change_all(command, name, all);
    if (!status) status = command_flag(command, "clear", &clear);
    if (!status) status = check_sets(command, sets);
    if (!status) status = check_switches(command, switches);
    if (status) return status;
    json_t* changes = with_part(json_incref(session->state.changes), "set", sets, clear);
    changes = with_part(changes, "switch", switches, clear);
    if (!changes) return gully_fail(GULLY_NO_MEMORY, "no memory for a change");
    session_mark(session, name);
    return session_change(session, changes);
}
