// SPDX-License-Identifier: MIT
/// The engine: the one thread that owns the session. It steps, and between two chunks of steps does
/// what pages ask for and takes the shots that they are sent.
#ifndef STUDIO_ENGINE_H
#define STUDIO_ENGINE_H

#include <pthread.h>

#include "clerk.h"
#include "client.h"
#include "folders.h"
#include "gate.h"
#include "gully/raster.h"
#include "gully/session.h"
#include "message.h"
#include "scales.h"
#include "studio.h"

/// What a page has asked for.
typedef struct Command {
    struct Engine* engine; ///< for the clerk
    Message message;
    int64_t client;
    GullyRaster raster; ///< VERB_ADD_RASTER: what was read
} Command;

/// Commands that may wait, of a client and of all; the clerk may add a few.
enum { CLIENT_COMMANDS = 64, COMMANDS = CLIENTS * CLIENT_COMMANDS * 2 };

enum { ENGINE_MESSAGE = 512 }; ///< bytes of a message for the pages

typedef struct Engine {
    Gate gate;
    Clients clients;
    Folders folders;
    Clerk clerk;
    int threads;         ///< 0 = one per processor
    size_t memory;       ///< that cells may take [bytes]; 0 = as the scene says
    const char* scratch; ///< folder that keeps what does not fit; NULL = ours
    bool in_turns;       ///< on the caller's thread alone: nobody can wait for anybody
    bool (*stop)(void);  ///< asked all the time

    pthread_mutex_t mutex; ///< of the queue
    pthread_cond_t wake;   ///< the engine
    pthread_cond_t room;   ///< those who want to post
    bool stopped;          ///< no more commands are taken
    Command* queue[COMMANDS];
    int queued;
    bool woken;
    _Atomic bool cancelled; ///< long work is to be given up
    _Atomic double welcome; ///< until when a page that is opening comes first [s]

    // What follows belongs to the engine's thread.
    GullyBackend backend; ///< what was asked to step
    char device[128];     ///< part of its name; "" = any GPU
    GullySession* session;
    int64_t session_number;             ///< counts sessions
    char name[SESSION_NAME + 1];        ///< under which it was saved or opened; "" = neither
    int64_t saved_changes, saved_steps; ///< of the session when it was last saved, or began
    bool untouched;                     ///< it plays by itself, and nobody has done anything to it
    bool playing;
    bool repeats;          ///< after the end of the program it begins again; else that is the end
    bool ended;            ///< it came to its end, and waits there
    bool runs_unwatched;   ///< it goes on if nobody looks
    double watched;        ///< when somebody did [s]
    Scales scales;         ///< of colours
    int64_t unmeasured;    ///< steps since they were measured
    double speed;          ///< [steps/s] that was asked for; 0 = as fast as possible
    double credit;         ///< steps that are due at that speed
    int64_t steps_to_go;   ///< asked for while paused
    int64_t cells;         ///< of the domain
    int64_t moment;        ///< changes with every step and edit
    int64_t edited_moment; ///< of the last edit
    int64_t shot_moment;   ///< of the last shot
    Scenery coming;        ///< what shots will be taken of when its view has come
    bool is_coming;
    int64_t coming_step; ///< that the view is of, or a later one
    int64_t changes;     ///< of the session, when it was last described to all
    double step_seconds; ///< that a step takes
    int64_t rounds;      ///< that the model runs before its next step; 0 = none
    int64_t rounds_left; ///< of these
    int64_t rounds_at_once;
    int64_t steps_counted; ///< since the rate was measured
    double rate;           ///< [steps/s]
    json_t* last_status;   ///< the last one that was sent
    const char* busy;      ///< what long work is being done
    // Why steps stopped, pages get no picture, the session cannot be kept; "" = all is well.
    char unstepped[ENGINE_MESSAGE], unseen[ENGINE_MESSAGE], unkept[ENGINE_MESSAGE];

    // Times of the wall clock [s].
    double last_loop, last_edit, last_rate, last_busy;
    double rested; ///< no step before
    double next_keep, next_status, next_budget, next_describe, next_shot;
} Engine;

/// Opens the folders and the first session.
GullyStatus engine_create(Engine* engine, const StudioDef* def);

/// Does what there is to do for a moment. Returns how long there is nothing more to do [s].
double engine_turn(Engine* engine);

/// Runs until it is told to stop.
void engine_run(Engine* engine);

/// Closes the session. Who still posts is refused.
void engine_close(Engine* engine);
void engine_destroy(Engine* engine);

// ---- on any thread

/// Hands over a command, which is the engine's from now on. Waits a little if the client has posted
/// too many already; false if they still wait, then the command is the caller's.
bool engine_post(Engine* engine, Command* command);

/// A page is being opened, or has shown its first picture: on a small machine that takes all it
/// has, so steps hold back a little meanwhile.
void engine_welcome(Engine* engine, bool opens);

/// Something has happened that a waiting engine should look at.
void engine_wake(Engine* engine);

void command_free(Command* command);

/// Answers a command. `more` is an object with the keys of the answer, which it takes, or NULL.
void reply_ok(Engine* engine, const Command* command, json_t* more);
void reply_error(Engine* engine, const Command* command, const char* message);

/// Answers with the library's last message if the status says so, else as reply_ok.
void reply(Engine* engine, const Command* command, GullyStatus status, json_t* more);

// ---- between the engine's own files, on its thread

/// Does what a command says, and answers it. The command is freed.
void engine_do(Engine* engine, Command* command);

/// Tells a client, or with 0 all, what there is.
void engine_hello(Engine* engine, int64_t client);

/// The session is as a saved one of that name, or has just begun ("").
void engine_saved(Engine* engine, const char* name);

/// The session has what no saved one has, from its beginning.
void engine_unsaved(Engine* engine);
bool engine_is_unsaved(const Engine* engine);

/// A status as the event has it.
json_t* engine_status(Engine* engine, bool budget);

/// The session has changed in another way than by stepping.
void engine_edited(Engine* engine);

/// Whether somebody looks, or it goes on all the same.
bool engine_is_watched(Engine* engine);

double engine_clock(void); ///< [s]

#endif
