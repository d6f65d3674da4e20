// SPDX-License-Identifier: MIT
/// A command of a session: what its functions get, and how they read its values.
#ifndef SESSION_COMMANDS_H
#define SESSION_COMMANDS_H

#include "scene_view.h"
#include "session_inside.h"

typedef enum CommandKind {
    COMMAND_RECORDS, // changes the session and becomes a record
    COMMAND_TRAVELS, // goes back and forth in the history
    COMMAND_ASKS,    // changes nothing
} CommandKind;

enum { COMMAND_KEYS = 5 };

typedef struct Command Command;

/// A row of the table of commands.
typedef struct CommandRow {
    const char* name;
    const char* keys[COMMAND_KEYS];        // beside those of the table
    const GullyParamTable* (*table)(void); // of the parameters that stand in the command, or NULL
    GullyStatus (*run)(Command* command);
    CommandKind kind;
} CommandRow;

struct Command {
    GullySession* session;
    const CommandRow* row;
    json_t* object; // the command
    json_t* reply;  // to be filled in
    SceneDocument document;
    SceneView view;   // for the functions that read scenes: commands are read by the same ones
    bool records;     // may be unset by a command that did nothing
    bool joins;       // it belongs to the entry of the history that is there
    bool replaceable; // it says all that the record before it said
    char what[192];   // it changes, if the next command may join it
};

/// Fails with "command: key: problem".
GullyStatus command_fail(const Command* command, const char* key, const char* problem);

/// Values of keys; what is missing is refused. A flag may be missing.
const json_t* command_value(const Command* command, const char* key, const char* expected);
GullyStatus command_text(const Command* command, const char* key, const char* expected,
                         const char** out);
GullyStatus command_integer(const Command* command, const char* key, int64_t low, int64_t high,
                            int64_t* out);
GullyStatus command_flag(const Command* command, const char* key, bool* out);
GullyStatus command_point(const Command* command, const char* key, GullyPoint* out);
/// The list "points"; free() it.
GullyStatus command_points(const Command* command, GullyPoint** out, int* count);

/// Fills in the parameters of a table that the command has.
GullyStatus command_rows(const Command* command, const GullyParamTable* table, void* params);

/// Whether a parameter's row allows a value, and whether an add-on of that name is known.
GullyStatus command_check_value(const Command* command, const char* key, const json_t* value);
GullyStatus command_check_add_on(const Command* command, const ScenePath* path, const char* name);

/// Begins an entry of the history, unless the last command changed the same (`what`): then this one
/// belongs to its entry.
void command_mark_or_join(Command* command, const char* name, const char* what);

// session_edits.c
GullyStatus do_stroke(Command* command);
GullyStatus do_more(Command* command);
GullyStatus do_end(Command* command);
GullyStatus do_hold(Command* command);
GullyStatus do_release(Command* command);
GullyStatus do_stamp(Command* command);
GullyStatus do_copy(Command* command);
GullyStatus do_paste(Command* command);

// session_changes.c
GullyStatus do_set(Command* command);
GullyStatus do_reset(Command* command);
GullyStatus do_switch(Command* command);
GullyStatus do_add_source(Command* command);
GullyStatus do_move_source(Command* command);
GullyStatus do_remove_source(Command* command);
GullyStatus do_material(Command* command);
GullyStatus do_phase(Command* command);

// session_bundle.c
GullyStatus do_change(Command* command);

// session_moments.c
GullyStatus do_seek(Command* command);

// session_compare.c
GullyStatus do_history(Command* command);
GullyStatus do_pin(Command* command);
GullyStatus do_unpin(Command* command);
GullyStatus do_compare(Command* command);

// session_program.c
GullyStatus do_program(Command* command);

// session_describe.c
GullyStatus do_hash(Command* command);
GullyStatus do_pick(Command* command);

// session_sides.c
GullyStatus do_sides(Command* command);

#endif
