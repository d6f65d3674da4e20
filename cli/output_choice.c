// SPDX-License-Identifier: MIT
#include "output_choice.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "session.h"

/// What can be written; layers follow from the materials.
static const struct {
    const char* name;
    bool usual; ///< also if nobody asks for it
    int count;
    GullyField fields[2];
} rows[] = {
    {"terrain", true, 1, {GULLY_TERRAIN}},
    {"water", true, 1, {GULLY_WATER}},
    {"sediment", true, 1, {GULLY_SEDIMENT}},
    {"flow", true, 1, {GULLY_FLOW}},
    {"wear", true, 1, {GULLY_WEAR}},
    {"deposit", true, 1, {GULLY_DEPOSIT}},
    {"velocity", false, 2, {GULLY_VELOCITY_X, GULLY_VELOCITY_Y}},
    {"layers", true, 0, {0}},
    {"preview", true, 0, {0}},
};

enum { ROWS = sizeof rows / sizeof rows[0] };
static_assert(ROWS - 1 + GULLY_MAX_MATERIALS <= SESSION_FIELDS, "no room for the layers");

static OutputChoice usual_choice(void) {
    OutputChoice choice = 0;
    for (int i = 0; i < ROWS; i++)
        choice |= rows[i].usual ? 1u << i : 0;
    return choice;
}

static bool is_chosen(OutputChoice choice, int row) {
    return (choice ? choice : usual_choice()) >> row & 1;
}

bool output_chosen(OutputChoice choice, const char* name) {
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0) return is_chosen(choice, i);
    assert(false); // it is an output of the table
    return false;
}

/// Adds a word of the list; false after a message.
static bool add_word(const char* command, const char* word, OutputChoice* choice) {
    const char* names[ROWS + 1] = {0};
    for (int i = 0; i < ROWS; i++) {
        names[i] = rows[i].name;
        if (strcmp(word, rows[i].name) != 0) continue;
        *choice |= 1u << i;
        return true;
    }
    char problem[64];
    snprintf(problem, sizeof problem, "%s: --outputs: no such output", command);
    unknown_name(problem, word, names);
    return false;
}

bool output_choice_read(const char* command, const char* text, bool velocity, OutputChoice* out) {
    *out = text ? 0 : usual_choice();
    for (bool more = text != NULL; more;) {
        char word[32];
        size_t length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (!add_word(command, word, out)) return false;
        more = text[length] == ',';
        text += length + more;
    }
    return !velocity || add_word(command, "velocity", out);
}

static void list_field(Session* session, GullyField field, const char* name) {
    SessionField* row = &session->fields[session->field_count++];
    row->field = field;
    snprintf(row->name, sizeof row->name, "%s", name);
}

GullyStatus output_choice_list(Session* session) {
    OutputChoice choice = session->request->outputs;
    int materials = gully_world_material_count(session->world);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < rows[i].count && is_chosen(choice, i); k++)
            list_field(session, rows[i].fields[k], gully_field_name(rows[i].fields[k]));
    if (!output_chosen(choice, "layers")) return GULLY_OK;
    if (materials == 0 && session->request->outputs_named)
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: has no materials, so no layers to write; --outputs "
                          "layers goes with materials",
                          session->request->scene);
    for (int m = 0; m < materials; m++) {
        char name[sizeof session->fields->name];
        snprintf(name, sizeof name, "layer-%s", gully_world_material(session->world, m)->name);
        list_field(session, GULLY_LAYER(m), name);
    }
    return GULLY_OK;
}
