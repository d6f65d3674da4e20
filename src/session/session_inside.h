// SPDX-License-Identifier: MIT
/// A session from the inside: what the files of this folder share.
///
/// session_create.c  the object, its phases and steps
/// session_state.c   what a session has changed of its scene, and the settings that follow
/// session_history.c records, undo and redo
/// session_do.c      commands: reading and dispatching them
/// session_edits.c   those that edit the ground; session_changes.c those that change parameters;
/// session_bundle.c  many of those at once; session_program.c the phases
/// session_moments.c the past: moments that are kept, and the way to any step
/// session_compare.c the history as a list, pins, and what the present is compared with
/// session_sides.c   the layers along the sides of the world
/// session_describe.c what it is, as JSON
/// session_stock.c   rasters and copies by their names
/// session_journal.c the text of a journal
/// session_folder.c  the other files of a folder
/// session_keep.c    the folder that it is kept in; session_save.c one that it is saved to
/// session_open.c    going on with one
/// session_double.c  one whose land is another one's in smaller cells, and the state that it starts from
#ifndef SESSION_INSIDE_H
#define SESSION_INSIDE_H

#include <jansson.h>

#include "gully/checkpoint.h"
#include "gully/session.h"

// ---- state --------------------------------------------------------------------------------------

/// What a session is beside its world. Undo and checkpoints keep it.
typedef struct SessionState {
    json_t* changes; // what is not as in the scene; replaced as a whole, so states may share it
    json_t* held;    // the command that holds a brush; NULL = none does
    int phase;
    int64_t phase_step; // done in it
    bool phase_held;
    bool stroke; // one has begun and not ended
} SessionState;

SessionState session_state_copy(const SessionState* state);
void session_state_free(SessionState* state);

/// As JSON, and back: what is wrong in it is refused. A state that was refused is empty.
json_t* session_state_json(const SessionState* state);
GullyStatus session_state_parse(const GullySession* session, const json_t* json, SessionState* out);

/// A copy of the changes in which a part ("set", "switch", "sources", "materials") is another one,
/// which is taken over; NULL removes it. NULL without memory.
json_t* session_changes_with(const json_t* changes, const char* part, json_t* value);

/// The settings of a phase with these changes.
GullyStatus session_settings(const GullySession* session, const json_t* changes, int phase,
                             GullySettings** out);

/// The phases that are run through, over and over.
typedef struct Program {
    json_t* phases; // as a scene's program; NULL = the scene's own
    GullyScene* scene;
    int round; // phases until they repeat
    int64_t steps;
} Program;

typedef struct ProgramList {
    Program* items;
    int count;
} ProgramList;

bool programs_create(GullySession* session);
void programs_free(GullySession* session);

/// The program with these changes, and one of its phases.
GullyStatus session_program(const GullySession* session, const json_t* changes, Program* out);
const GullyPhase* session_phase(const GullySession* session, const json_t* changes, int index);
json_t* session_phases_json(const GullySession* session);

/// Whether every phase could be run with these changes.
GullyStatus session_check_phases(const GullySession* session, const json_t* changes);

/// The materials with these changes.
GullyStatus session_materials(const GullySession* session, const json_t* changes,
                              GullyMaterial out[GULLY_MAX_MATERIALS]);
GullyStatus session_give_materials(GullySession* session, const json_t* changes);

// ---- records and history ------------------------------------------------------------------------

/// A command with the step at which it was given.
typedef struct Record {
    char* text; // compact JSON
    int64_t step;
    uint64_t hash; // of all records up to this one
} Record;

typedef struct RecordList {
    Record* items;
    size_t count, capacity;
} RecordList;

bool records_reserve(RecordList* list, size_t more);
/// Takes over the text; there must be room.
void records_push(RecordList* list, char* text, int64_t step);
void records_cut(RecordList* list, size_t count);
void records_free(RecordList* list);
uint64_t records_hash(const RecordList* list, size_t count); // of the first so many

/// An entry of the editor's history, as the session sees it: what there is on its other side. That
/// is what was before it, or, if it was undone, what was then.
typedef struct SessionEntry {
    size_t base;        // records that both sides have
    RecordList records; // beyond those, on the other side
    SessionState state; // there
    bool undone;
} SessionEntry;

typedef struct SessionHistory {
    SessionEntry* items; // those that were undone too; every command may move them
    size_t count, capacity;
} SessionHistory;

/// Room for one more entry, before the editor is asked to change something.
GullyStatus history_reserve(GullySession* session);
/// Notes the entry that the editor has begun, if it has; `before` and the number of records are of
/// the moment before that.
void history_follow(GullySession* session, const SessionState* before, size_t records);
void history_free(SessionHistory* history);

/// Adds the entry that the editor has begun by itself; there is room.
void history_push(GullySession* session, SessionEntry entry);

GullyStatus session_undo(GullySession* session);
GullyStatus session_redo(GullySession* session);

// ---- stock --------------------------------------------------------------------------------------

/// A raster or a copy that commands name.
typedef struct StockItem {
    char name[64];
    bool used; // by a record
    float* values;
    int width, height;
    GullyClip* clip; // instead of the values
} StockItem;

typedef struct Stock {
    StockItem* items;
    int count, capacity;
} Stock;

enum { STOCK_UNUSED = 32 }; // kept in memory, of those that no record uses

const StockItem* stock_find(const Stock* stock, const char* name, bool clip);
GullyStatus stock_add_raster(Stock* stock, const float* values, int width, int height,
                             char name[64]);
/// Takes over the copy, also if it fails.
GullyStatus stock_add_clip(Stock* stock, GullyClip* clip, char name[64]);
void stock_use(Stock* stock, const char* name);
void stock_free(Stock* stock);

/// Files of the items in a folder of a session.
GullyStatus stock_write(const StockItem* item, const char* folder);
GullyStatus stock_write_used(const Stock* stock, const char* folder);
GullyStatus stock_read(Stock* stock, const char* folder, const char* name, bool clip);

// ---- the object ---------------------------------------------------------------------------------

typedef struct Keeper Keeper;   // of the folder, session_keep.c
typedef struct Moments Moments; // of the past, session_moments.c

enum { MOST_PINS = 16 };

/// A state that a user keeps by a name. It goes with the session: it is in no file.
typedef struct Pin {
    char name[64];
    int64_t number; // from 1
    GullyMoment* moment;
} Pin;

/// What a user keeps, and what the present is compared with.
typedef struct Comparison {
    Pin pins[MOST_PINS];
    int pin_count;
    int64_t last_pin;
    GullyMoment* reference; // NULL = nothing is compared
    int64_t number;         // changes with the reference
    char name[64];          // of the reference
} Comparison;

struct GullySession {
    GullySessionDef def; // with copies of its texts
    GullyScene* scene;
    GullyWorld* world;
    GullySim* sim;
    GullyEditor* editor;
    GullyGeoreference georeference;
    GullyMaterial materials[GULLY_MAX_MATERIALS]; // as in the scene
    ProgramList* programs;                        // the scene's, and those of its own
    double low, high;                             // of the terrain at the start [m]
    char terrain[64];                             // in words
    char id[32];                                  // of this session, wherever it is
    char created[32];
    json_t* start;            // hashes of the scene's world
    int doubled;              // how often the cells were doubled: it then starts from a state,
    char* begun;              // in this file; NULL = nowhere yet
    GullyCheckpoint* started; // until it is there
    const GullySession* of;   // whose state that is, while this one is made
    int64_t first;            // step that it starts at
    SessionState state;
    RecordList records;
    SessionHistory history;
    char last[192];   // what the last record changes, if the next one of the same is part of it
    bool replaceable; // the last record, by the next one of the same
    bool replays;     // records are played: nothing is kept, and there is no way back
    Stock stock;
    Keeper* keeper;   // NULL = it is kept nowhere
    Moments* moments; // NULL = none yet
    Comparison comparison;
    int64_t changes;
};

/// Makes world, simulation and editor of the scene, with a state (NULL = that of the start); what
/// there was of them goes. The checkpoint (or NULL) is restored.
GullyStatus session_build(GullySession* session, const SessionState* state,
                          const GullyCheckpoint* checkpoint);

/// An empty session around a scene, which it takes over.
GullyStatus session_allocate(GullyScene* scene, const GullySessionDef* def, GullySession** out);

/// Applies the settings of phases that are entered, as long as the present one is over.
void session_pass_phases(GullySession* session);

/// The phase's settings and place; the state follows if they could be applied.
GullyStatus session_enter(GullySession* session, int phase, bool hold);

/// Changes what is other than in the scene, if that can be applied: takes over the changes.
GullyStatus session_change(GullySession* session, json_t* changes);

/// Marks the history, unless records are played.
void session_mark(GullySession* session, const char* name);

/// Of no particular origin [s].
double session_clock(void);

/// Hashes of every field but the velocities, as {"terrain": "hexadecimal", ...}.
json_t* session_hashes(const GullySession* session);

/// Keys of hashes in a session's files: of the fields at its start, and at its end. Older files have
/// "start" and "hashes", which were computed otherwise and are left alone.
#define START_HASHES "start_hashes"
#define FIELD_HASHES "field_hashes"

/// Does what a JSON object says. `reply` may be NULL.
GullyStatus session_perform(GullySession* session, json_t* object, json_t* reply);

/// A record as JSON, without its step.
json_t* record_object(const Record* record);

// ---- doubling -----------------------------------------------------------------------------------

#define START_FILE "start.gully"
enum { MOST_DOUBLED = 16 };

/// Doubles the cells of the scene's world as often as those of the session were, and halves them in
/// the georeference.
GullyStatus session_double_world(GullySession* session);

/// The state that the session starts in, but for its cells; and brings these into the simulation.
GullyStatus session_start_state(GullySession* session, SessionState* out);
GullyStatus session_start_cells(GullySession* session);

/// Writes that state into a folder, if it is not the scene's. `stays`: it is found there from now on.
GullyStatus session_start_write(GullySession* session, const char* folder, bool stays);

// ---- the past -----------------------------------------------------------------------------------

/// Keeps the present as a moment; moments_keep does when it is time.
void moments_take(GullySession* session);
void moments_keep(GullySession* session);
void moments_free(GullySession* session);

/// The earliest moment that is kept, the start as a rule; NULL = none is.
const GullyMoment* moments_first(const GullySession* session);

/// The steps that moments are of; the last step that a seek can go to.
json_t* moments_json(const GullySession* session);
int64_t moments_reach(const GullySession* session);

/// Plays records from one on, and steps until `step`; records of later steps are left out.
GullyStatus session_play(GullySession* session, const RecordList* records, size_t from,
                         int64_t step);

// ---- comparing ----------------------------------------------------------------------------------

/// Lets go of pins and of the reference.
void comparison_free(GullySession* session);

/// What the present is compared with, as JSON; null = nothing.
json_t* comparison_json(const GullySession* session);

/// A parameter by its key ("rain.rate"); null = there is none.
json_t* session_value(GullySettings* settings, const char* key);

// ---- files --------------------------------------------------------------------------------------

#define SESSION_FILE "session.json"
#define JOURNAL_FILE "journal.jsonl"

/// What a journal says: the records that count, and how far it went.
typedef struct Journal {
    RecordList records;
    int64_t step;
    bool closed;
    json_t* hashes; // of the fields at the end; NULL = not known
} Journal;

/// Reads a journal's text, which may be anything. A last line that is not whole is left out.
GullyStatus journal_parse(const char* name, const char* text, size_t size, Journal* out);
GullyStatus journal_read(const char* folder, Journal* out);
void journal_free(Journal* journal);

/// Lines for a journal: its first so many records (< 0 = no such line) are followed by those of the
/// session from `from` on, then its step unless the last record has it, with the hashes of the
/// fields if they are given; `closed` = it ends here. NULL without memory; free() it.
char* journal_lines(const GullySession* session, int64_t cut, size_t from, json_t* hashes,
                    bool closed, size_t* size);

/// "FOLDER/NAME"; NULL with a message without memory. Free it.
char* session_path(const char* folder, const char* name);

/// Writes session.json.
GullyStatus session_file_write(const GullySession* session, const char* folder);
/// Reads it: a session that has its scene and nothing else.
GullyStatus session_file_read(const char* folder, const GullySessionDef* def, GullySession** out);
GullyStatus session_file_look(const char* folder, json_t** out);

/// What goes with a checkpoint, as JSON text: free() it. NULL with a message without memory.
char* session_note(const GullySession* session);

/// Writes a checkpoint of the present, while nothing else happens.
GullyStatus session_checkpoint_write(const GullySession* session, const char* folder,
                                     int64_t number);

/// Removes what a session has put into a folder, and nothing else.
void session_folder_clear(const char* folder);

/// Numbers of the checkpoints in a folder, the newest first; returns how many, at most `most`.
int session_checkpoints(const char* folder, int64_t* numbers, int most);
char* session_checkpoint_path(const char* folder, int64_t number);

/// Begins to keep the session in its folder; `same` = it holds this session already.
GullyStatus keeper_create(GullySession* session, bool same);
/// Says that it has ended, unless it did not come that far.
void keeper_destroy(GullySession* session, bool closed);
/// Notes the records from `from` on; `cut` = others stood there before, `travels` = by undo or
/// redo.
void keeper_record(GullySession* session, size_t from, bool cut, bool travels);
void keeper_use(GullySession* session, const StockItem* item);
/// Whether a folder is the one that the session is kept in.
bool keeper_is_at(const GullySession* session, const char* folder);
/// Brings all of it to the folder now, with a checkpoint.
GullyStatus keeper_save(GullySession* session);

#endif
