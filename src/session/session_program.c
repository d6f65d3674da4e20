// SPDX-License-Identifier: MIT
// The phases of a session: those of its scene, or a program of its own, which is a part of its
// changes. Each program that was in force is kept parsed as long as the session lives: undo comes
// back to it.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session_commands.h"

enum { MOST_PHASES = 1000 };

// ---- programs -----------------------------------------------------------------------------------

/// The program of a scene that repeats it is one round, since a session repeats it anyway.
static void find_round(Program* program) {
    const GullyScene* scene = program->scene;
    int count = gully_scene_phase_count(scene);
    program->round = 1;
    while (program->round < count &&
           gully_scene_phase(scene, program->round) != gully_scene_phase(scene, 0))
        program->round++;
    program->steps = 0;
    for (int i = 0; i < program->round; i++)
        program->steps += gully_scene_phase(scene, i)->steps;
}

/// The scene as JSON, with another list of phases.
static char* scene_text_with(const GullyScene* scene, const json_t* phases) {
    char* text = gully_scene_text(scene);
    json_t* root = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    json_object_del(root, "steps");
    json_object_del(root, "repeat");
    json_object_set(root, "program", (json_t*)phases);
    text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text;
}

/// Messages about the text of a scene begin with "name:line: "; nobody has seen that text.
static GullyStatus without_line(GullyStatus status) {
    const char* message = gully_message();
    const char* end = strncmp(message, "program:", 8) == 0 ? message + 8 : message;
    while (end > message && isdigit((unsigned char)*end))
        end++;
    if (end > message && strncmp(end, ": ", 2) == 0) message = end + 2;
    return gully_fail(status, "%s", message);
}

static GullyStatus parse_program(const GullySession* session, const json_t* phases, Program* out) {
    char* text = scene_text_with(session->scene, phases);
    if (!text) return gully_fail(GULLY_NO_MEMORY, "no memory for a program");
    *out = (Program){0};
    GullyStatus status = gully_scene_parse(
        text, strlen(text), "program", gully_scene_folder(session->scene), NULL, 0, &out->scene);
    free(text);
    if (status) return without_line(status);
    out->phases = json_deep_copy(phases);
    find_round(out);
    return GULLY_OK;
}

bool programs_create(GullySession* session) {
    ProgramList* list = calloc(1, sizeof *list);
    Program* first = list ? calloc(1, sizeof *first) : NULL;
    session->programs = list;
    if (!first) return false;
    first->scene = session->scene;
    find_round(first);
    list->items = first;
    list->count = 1;
    return true;
}

void programs_free(GullySession* session) {
    ProgramList* list = session->programs;
    for (int i = 1; list && i < list->count; i++) { // the first is the session's scene
        gully_scene_destroy(list->items[i].scene);
        json_decref(list->items[i].phases);
    }
    if (list) free(list->items);
    free(list);
    session->programs = NULL;
}

GullyStatus session_program(const GullySession* session, const json_t* changes, Program* out) {
    ProgramList* list = session->programs;
    const json_t* phases = json_object_get(changes, "program");
    *out = list->items[0];
    if (!phases) return GULLY_OK;
    for (int i = list->count - 1; i > 0; i--) {
        if (!json_equal(list->items[i].phases, phases)) continue;
        *out = list->items[i];
        return GULLY_OK;
    }
    Program* items = realloc(list->items, (size_t)(list->count + 1) * sizeof *items);
    if (!items) return gully_fail(GULLY_NO_MEMORY, "no memory for a program");
    list->items = items;
    GullyStatus status = parse_program(session, phases, out);
    if (!status) list->items[list->count++] = *out;
    return status;
}

const GullyPhase* session_phase(const GullySession* session, const json_t* changes, int index) {
    Program program;
    if (session_program(session, changes, &program)) program = session->programs->items[0];
    return gully_scene_phase(program.scene, index < program.round ? index : 0);
}

int64_t gully_session_phase_left(const GullySession* session) {
    const SessionState* state = &session->state;
    Program program;
    if (state->phase_held || session_program(session, state->changes, &program) ||
        program.steps == 0)
        return INT64_MAX;
    return gully_scene_phase(program.scene, state->phase)->steps - state->phase_step;
}

int64_t gully_session_left(const GullySession* session) {
    const SessionState* state = &session->state;
    Program program;
    if (state->phase_held || session_program(session, state->changes, &program) ||
        program.steps == 0)
        return -1;
    int64_t left = -state->phase_step;
    for (int i = state->phase; i < program.round; i++)
        left += gully_scene_phase(program.scene, i)->steps;
    return left;
}

// ---- as JSON ------------------------------------------------------------------------------------

json_t* session_phases_json(const GullySession* session) {
    Program program;
    if (session_program(session, session->state.changes, &program)) return json_array();
    char* text = gully_scene_text(program.scene);
    json_t* root = text ? json_loads(text, 0, NULL) : NULL;
    const json_t* sources = json_object_get(root, "program");
    json_t* list = json_array();
    for (int i = 0; i < program.round && i < MOST_PHASES; i++) {
        const GullyPhase* phase = gully_scene_phase(program.scene, i);
        const json_t* source = json_array_get(sources, (size_t)i);
        json_t* set = json_object_get(source, "set");
        const char* own = json_string_value(json_object_get(source, "model"));
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:b, s:I, s:o}", "name", phase->name, "model",
                                        gully_settings_model(phase->settings), "own_model",
                                        own != NULL, "steps", (json_int_t)phase->steps, "set",
                                        set ? json_incref(set) : json_object()));
    }
    json_decref(root);
    free(text);
    return list;
}

// ---- the command --------------------------------------------------------------------------------

/// Where a session goes on in another program: in the phase of the same name, or else at the
/// beginning of the one in its place.
static void find_place(const GullySession* session, const Program* program, SessionState* state) {
    const char* name = session_phase(session, state->changes, state->phase)->name;
    for (int i = 0; i < program->round; i++) {
        if (strcmp(gully_scene_phase(program->scene, i)->name, name) != 0) continue;
        state->phase = i;
        return;
    }
    state->phase = state->phase < program->round ? state->phase : program->round - 1;
    state->phase_step = 0;
}

/// The changes with other phases; `clear`: without what holds in all of them.
static json_t* changes_with_phases(const json_t* changes, const json_t* phases, bool clear) {
    json_t* result = session_changes_with(changes, "program", json_deep_copy(phases));
    for (int i = 0; clear && result && i < 2; i++) {
        json_t* fewer = session_changes_with(result, i == 0 ? "set" : "switch", NULL);
        json_decref(result);
        result = fewer;
    }
    return result;
}

GullyStatus do_program(Command* command) {
    GullySession* session = command->session;
    static const char expected[] = "a list of 1 to 1000 phases, as a scene's program";
    const json_t* list = command_value(command, "phases", expected);
    if (!list) return GULLY_BAD_INPUT;
    if (!json_is_array(list) || json_array_size(list) < 1 || json_array_size(list) > MOST_PHASES) {
        ScenePath path = scene_path_key(NULL, "phases");
        return scene_fail_type(&command->view, &path, list, expected);
    }
    const char* name = "program";
    bool clear = false;
    GullyStatus status = command_flag(command, "clear", &clear);
    if (!status && json_object_get(command->object, "name"))
        status = command_text(command, "name", "what the history calls it", &name);
    if (status) return status;
    json_t* changes = changes_with_phases(session->state.changes, list, clear);
    Program program;
    if (!changes) return GULLY_NO_MEMORY;
    status = session_program(session, changes, &program);
    if (status) {
        json_decref(changes);
        return status;
    }
    const SessionState before = session->state;
    find_place(session, &program, &session->state);
    command_mark_or_join(command, name, name);
    status = session_change(session, changes);
    if (status) {
        session->state.phase = before.phase;
        session->state.phase_step = before.phase_step;
    }
    return status;
}
