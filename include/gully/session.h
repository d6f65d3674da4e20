// SPDX-License-Identifier: MIT
/// A session: a scene and everything that was done to it since. Each change is a small record, a
/// JSON object with the step at which it was made; scene and records played again give the same
/// bits. docs/sessions.md has the commands and the files, docs/protocol.md how the studio uses
/// them.
///
///     gully_session_create(scene, &def, &session);
///     gully_session_do(session, "{\"do\": \"stroke\", \"brush\": \"raise\", ...}", size, &reply);
///     gully_session_step(session, 100);
///     gully_session_do(session, "{\"do\": \"undo\"}", size, &reply);
///     gully_session_save(session, "valley");
///
/// One thread at a time may use a session; what it does in the background is its own business.
#ifndef GULLY_SESSION_H
#define GULLY_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gully/edit.h"
#include "gully/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GullySession GullySession;

typedef struct GullySessionDef {
    int made;          ///< GULLY_DEF_MADE: set by gully_session_def()
    int threads;       ///< 0 = one per processor
    size_t undo_bytes; ///< as gully_editor_create
    bool velocity;     ///< keep the velocity of the water, to be shown
    /// What steps at first, as in GullySimDef; gully_sim_use(gully_session_sim(session), ...) changes
    /// it. No bit depends on it, so it is no record.
    GullyBackend backend;
    const char* device;
    /// Memory that the cells may take, in bytes, and the folder that keeps what does not fit, as in
    /// GullyWorldDef; 0 and NULL = as the scene says. No bit depends on it.
    size_t memory;
    const char* scratch;
    /// A folder in which the session is kept as it goes (gully_session_keep), made if missing; NULL
    /// = nowhere. What is in there of another session is replaced.
    const char* folder;
    /// Told how far long work is, 0..1: opening, replaying. If it returns false, the work is given
    /// up.
    bool (*progress)(void* context, double share);
    void* context;
} GullySessionDef;

GULLY_API GullySessionDef gully_session_def(void);

/// Starts a session; the scene belongs to it from now on, also if that fails. It must be what its
/// text says: a program that gully_scene_set_steps has cut would be whole again when the session is
/// opened.
GULLY_API GullyStatus gully_session_create(GullyScene* scene, const GullySessionDef* def,
                                           GullySession** out);

/// Goes on with a session that a folder holds, saved or kept, also after a crash: from the newest
/// whole checkpoint that belongs to it, and from there by playing the records and steps that
/// follow. Undo begins anew; a stroke is ended and a brush that was held is let go, by records.
/// `def->folder` may be the same folder, to go on keeping it there; in another one all of it is
/// copied.
GULLY_API GullyStatus gully_session_open(const char* folder, const GullySessionDef* def,
                                         GullySession** out);

/// The same from the very beginning, without checkpoints: scene, records, steps.
GULLY_API GullyStatus gully_session_replay(const char* folder, const GullySessionDef* def,
                                           GullySession** out);

/// Starts a session whose land is that of another one as it is now, in cells half as large: the same
/// extent, laws, parameters, program and moment (gully_sim_refine says what stays of the fields).
/// Sources stay where they are on the ground. The other one is left as it is. It starts from a state
/// that is kept with it, so it is opened and replayed as any other. Fails, with a message, if it does
/// not fit into the memory that cells may take.
GULLY_API GullyStatus gully_session_double(const GullySession* of, const GullySessionDef* def,
                                           GullySession** out);

/// Waits for what is being written; NULL is allowed.
GULLY_API void gully_session_destroy(GullySession* session);

/// Before the first step after an edit the whole state is kept, for undo. In a large world that
/// takes a while: this keeps at most so many places of 64 x 64 cells and says whether all are.
GULLY_API bool gully_session_keep_places(GullySession* session, int places);

/// Runs steps, through the phases of the scene: after the last one the first begins again, unless a
/// phase is held. Fails as gully_sim_step does.
GULLY_API GullyStatus gully_session_step(GullySession* session, int64_t steps) GULLY_MUST_CHECK;

/// Steps until the program of the scene is over and its first phase begins again; -1 = it never is: a
/// phase is held, or none has steps.
GULLY_API int64_t gully_session_left(const GullySession* session);

/// Steps until another phase begins; INT64_MAX if none does.
GULLY_API int64_t gully_session_phase_left(const GullySession* session);

/// Does what a command says and gives the reply, both JSON objects (docs/sessions.md). The bytes
/// may be anything. Fails with a message that says what is wrong and what is allowed; then nothing
/// has changed and there is no reply. Free the reply with free().
GULLY_API GullyStatus gully_session_do(GullySession* session, const char* text, size_t size,
                                       char** reply);

/// All that a user interface is built from, as a JSON object: the world, the sections of parameters
/// with their tables and present values, brushes, stamps, materials, phases, sources. Free it with
/// free().
GULLY_API char* gully_session_describe(const GullySession* session);

/// What changes all the time, as a JSON object: steps, time, phase, undo and redo; with the budget,
/// which takes a pass over the world, if asked for. Free it with free().
GULLY_API char* gully_session_status(const GullySession* session, bool budget);

/// Adds a raster that stamps may use, a copy of it; the name to use in commands goes to `name`.
GULLY_API GullyStatus gully_session_add_raster(GullySession* session, const GullyRaster* raster,
                                               char name[64]);

/// Keeps the session in its folder: records as they are made, the present step now, and a
/// checkpoint in the background now and then. To be called about every second; takes no time to
/// speak of, but for copying the state when a checkpoint is due: at most 2 % of the time. Nothing
/// without a folder. Fails if the folder cannot be written (a full disk): the session goes on, and
/// the next call tries again. After a crash what was kept is there again.
GULLY_API GullyStatus gully_session_keep(GullySession* session);

/// Writes all of it into a folder, made if missing, with a checkpoint of the present. A session
/// that is there is replaced when the new one is whole; a folder that holds something else is
/// refused.
GULLY_API GullyStatus gully_session_save(GullySession* session, const char* folder);

/// What a folder holds, without opening it.
typedef struct GullySessionInfo {
    char terrain[64]; ///< what it is of, in a few words: "mountains, 1024 x 1024"
    int64_t steps;    ///< that were done
    int64_t records;
    bool closed; ///< it was saved there, or destroyed properly; false after a crash
} GullySessionInfo;

/// Fails if there is no session.
GULLY_API GullyStatus gully_session_look(const char* folder, GullySessionInfo* out);

/// The hashes that its fields had when it was saved or closed, as the command `hash` gives them: a
/// JSON object. Free it with free(). NULL if they are not known: it was neither, or went on after
/// that.
GULLY_API GullyStatus gully_session_look_hashes(const char* folder, char** out);

GULLY_API GullySim* gully_session_sim(const GullySession* session);
GULLY_API const GullyGeoreference* gully_session_georeference(const GullySession* session);

/// What the present is compared with (the command `compare`); NULL = nothing. It is the session's, and
/// stays until the next command.
GULLY_API const GullyMoment* gully_session_reference(const GullySession* session);

/// Counts every change but steps: a user interface asks for the description again when it has
/// grown.
GULLY_API int64_t gully_session_changes(const GullySession* session);

#ifdef __cplusplus
}
#endif

#endif
