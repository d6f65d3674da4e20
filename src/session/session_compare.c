// SPDX-License-Identifier: MIT
// The history as a list that people read, states that they pin, and the one state that the present is
// compared with. None of it is a record: it changes nothing that is simulated.
#include <stdio.h>
#include <string.h>

#include "session_commands.h"

// ---- the history as a list ----------------------------------------------------------------------

/// What is other than in the scene before an entry (0) and after it (1).
static void sides_of(const GullySession* session, size_t index, const SessionState* sides[2]) {
    const SessionHistory* history = &session->history;
    const SessionEntry* items = history->items;
    if (items[index].undone) {
        const bool first = index == 0 || !items[index - 1].undone;
        sides[0] = first ? &session->state : &items[index - 1].state;
        sides[1] = &items[index].state;
    } else {
        const bool last = index + 1 == history->count || items[index + 1].undone;
        sides[0] = &items[index].state;
        sides[1] = last ? &session->state : &items[index + 1].state;
    }
}

static void add_change(json_t* list, const char* key, json_t* before, json_t* after) {
    if (!json_equal(before, after))
        json_array_append_new(
            list, json_pack("{s:s, s:O, s:O}", "key", key, "before", before, "after", after));
    json_decref(before);
    json_decref(after);
}

/// Adds the parameters that a part of the changes names on one side and that differ on the other;
/// `seen` leaves out those that the other side has named already.
static void add_set(json_t* list, const json_t* set, const json_t* seen, GullySettings* before,
                    GullySettings* after) {
    const char* key;
    json_t* value;
    json_object_foreach((json_t*)set, key, value) {
        if (json_object_get(seen, key)) continue;
        add_change(list, key, session_value(before, key), session_value(after, key));
    }
}

static void add_switches(json_t* list, const json_t* set, const json_t* seen,
                         const GullySettings* before, const GullySettings* after) {
    const char* key;
    json_t* value;
    json_object_foreach((json_t*)set, key, value) {
        if (json_object_get(seen, key)) continue;
        add_change(list, key, json_boolean(gully_settings_is_on(before, key)),
                   json_boolean(gully_settings_is_on(after, key)));
    }
}

/// The parameters that an entry has changed: [{"key", "before", "after"}, ...].
static json_t* changes_json(const GullySession* session, size_t index) {
    const SessionState* sides[2];
    GullySettings* settings[2] = {NULL, NULL};
    json_t* list = json_array();
    sides_of(session, index, sides);
    const bool known = sides[0]->changes && sides[1]->changes;
    bool good = known && !json_equal(sides[0]->changes, sides[1]->changes);
    for (int i = 0; good && i < 2; i++)
        good =
            session_settings(session, sides[i]->changes, sides[i]->phase, &settings[i]) == GULLY_OK;
    if (good) {
        const json_t *before = json_object_get(sides[0]->changes, "set"),
                     *after = json_object_get(sides[1]->changes, "set");
        add_set(list, before, NULL, settings[0], settings[1]);
        add_set(list, after, before, settings[0], settings[1]);
        before = json_object_get(sides[0]->changes, "switch");
        after = json_object_get(sides[1]->changes, "switch");
        add_switches(list, before, NULL, settings[0], settings[1]);
        add_switches(list, after, before, settings[0], settings[1]);
    }
    gully_settings_destroy(settings[0]);
    gully_settings_destroy(settings[1]);
    return list;
}

/// An entry; NULL = it is forgotten.
static json_t* entry_json(const GullySession* session, size_t index) {
    const int64_t number = (int64_t)index + 1;
    const char* name = gully_editor_entry_name(session->editor, number);
    GullyMoment* moment;
    if (!name || gully_editor_entry_moment(session->editor, number, &moment)) return NULL;
    json_t* entry =
        json_pack("{s:I, s:s, s:b, s:I, s:o}", "number", (json_int_t)number, "name", name, "undone",
                  session->history.items[index].undone, "step",
                  (json_int_t)gully_moment_step(moment), "changes", changes_json(session, index));
    gully_moment_release(moment);
    return entry;
}

GullyStatus do_history(Command* command) {
    const GullySession* session = command->session;
    json_t *entries = json_array(), *pins = json_array();
    for (size_t i = 0; i < session->history.count; i++) {
        json_t* entry = entry_json(session, i);
        if (entry) json_array_append_new(entries, entry);
    }
    for (int i = 0; i < session->comparison.pin_count; i++) {
        const Pin* pin = &session->comparison.pins[i];
        json_array_append_new(pins, json_pack("{s:I, s:s, s:I}", "pin", (json_int_t)pin->number,
                                              "name", pin->name, "step",
                                              (json_int_t)gully_moment_step(pin->moment)));
    }
    json_object_set_new(command->reply, "entries", entries);
    json_object_set_new(command->reply, "pins", pins);
    return GULLY_OK;
}

// ---- pins ---------------------------------------------------------------------------------------

GullyStatus do_pin(Command* command) {
    Comparison* comparison = &command->session->comparison;
    const char* name;
    GullyStatus status = command_text(command, "name", "a name for the pin", &name);
    if (status) return status;
    if (comparison->pin_count == MOST_PINS)
        return gully_fail(GULLY_BAD_INPUT, "%d states are pinned already; unpin one first",
                          MOST_PINS);
    Pin* pin = &comparison->pins[comparison->pin_count];
    status = gully_editor_moment(command->session->editor, &pin->moment);
    if (status) return status;
    scene_clip(name, pin->name, sizeof pin->name);
    pin->number = ++comparison->last_pin;
    comparison->pin_count++;
    json_object_set_new(command->reply, "pin", json_integer(pin->number));
    return GULLY_OK;
}

static GullyStatus find_pin(const Command* command, const char* key, int* index) {
    const Comparison* comparison = &command->session->comparison;
    int64_t number;
    GullyStatus status = command_integer(command, key, 1, INT32_MAX, &number);
    if (status) return status;
    for (*index = 0; *index < comparison->pin_count; ++*index)
        if (comparison->pins[*index].number == number) return GULLY_OK;
    return command_fail(command, key, "there is no such pin");
}

GullyStatus do_unpin(Command* command) {
    Comparison* comparison = &command->session->comparison;
    int index;
    GullyStatus status = find_pin(command, "pin", &index);
    if (status) return status;
    Pin* pin = &comparison->pins[index];
    gully_moment_release(pin->moment);
    comparison->pin_count--;
    memmove(pin, pin + 1, (size_t)(comparison->pin_count - index) * sizeof *pin);
    return GULLY_OK;
}

// ---- what the present is compared with ----------------------------------------------------------

void comparison_free(GullySession* session) {
    Comparison* comparison = &session->comparison;
    while (comparison->pin_count > 0)
        gully_moment_release(comparison->pins[--comparison->pin_count].moment);
    gully_moment_release(comparison->reference);
    comparison->reference = NULL;
}

const GullyMoment* gully_session_reference(const GullySession* session) {
    return session->comparison.reference;
}

json_t* comparison_json(const GullySession* session) {
    const Comparison* comparison = &session->comparison;
    if (!comparison->reference) return json_null();
    return json_pack("{s:I, s:s, s:I}", "reference", (json_int_t)comparison->number, "name",
                     comparison->name, "step",
                     (json_int_t)gully_moment_step(comparison->reference));
}

static GullyStatus find_start(const Command* command, GullyMoment** out, char name[64]) {
    const GullyMoment* first = moments_first(command->session);
    if (!first) return gully_fail(GULLY_BAD_INPUT, "nothing is kept of the past");
    const int64_t step = gully_moment_step(first);
    snprintf(name, 64, step == 0 ? "the start" : "step %lld", (long long)step);
    return gully_moment_share(first, out);
}

static GullyStatus find_entry(const Command* command, GullyMoment** out, char name[64]) {
    const GullySession* session = command->session;
    int64_t number;
    GullyStatus status =
        command_integer(command, "number", 1, (int64_t)session->history.count, &number);
    if (status) return status;
    const char* entry = gully_editor_entry_name(session->editor, number);
    const bool undone = session->history.items[number - 1].undone;
    snprintf(name, 64, "%s ", undone ? "after" : "before");
    scene_clip(entry ? entry : "", name + strlen(name), 64 - strlen(name));
    return gully_editor_entry_moment(session->editor, number, out);
}

static GullyStatus find_pinned(const Command* command, GullyMoment** out, char name[64]) {
    int index;
    GullyStatus status = find_pin(command, "number", &index);
    if (status) return status;
    const Pin* pin = &command->session->comparison.pins[index];
    snprintf(name, 64, "%s", pin->name);
    return gully_moment_share(pin->moment, out);
}

static GullyStatus find_none(const Command* command, GullyMoment** out, char name[64]) {
    (void)command;
    *out = NULL;
    name[0] = '\0';
    return GULLY_OK;
}

GullyStatus do_compare(Command* command) {
    static const struct {
        const char* to;
        GullyStatus (*find)(const Command* command, GullyMoment** out, char name[64]);
    } ways[] = {
        {"none", find_none}, {"start", find_start}, {"entry", find_entry}, {"pin", find_pinned}};
    Comparison* comparison = &command->session->comparison;
    const char* to;
    GullyStatus status = command_text(command, "to", "none, start, entry or pin", &to);
    if (status) return status;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(ways[i].to, to) != 0) continue;
        GullyMoment* moment;
        char name[64];
        status = ways[i].find(command, &moment, name);
        if (status) return status;
        gully_moment_release(comparison->reference);
        comparison->reference = moment;
        comparison->number++;
        snprintf(comparison->name, sizeof comparison->name, "%s", name);
        json_object_set_new(command->reply, "compare", comparison_json(command->session));
        return GULLY_OK;
    }
    return command_fail(command, "to", "unknown; allowed: none, start, entry, pin");
}
