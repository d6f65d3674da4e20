// SPDX-License-Identifier: MIT
#include "engine.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "devices.h"
#include "opening.h"

/// How long things may take, and how often they happen [s].
static const double CHUNK = 0.008;         ///< steps between two looks at the queue
static const double LONG_CHUNK = 0.5;      ///< of a block of steps that takes longer than that
static const double ROUNDS_CHUNK = 0.05;   ///< of rounds before a first step
static const double EDITING_CHUNK = 0.015; ///< and while someone edits
static const double COMMANDING = 0.05;     ///< commands between two chunks
static const double EDITING = 0.5;         ///< after an edit more are expected
static const double FRAME = 1.0 / 30;      ///< between two shots, unless there was an edit
static const double ARRIVAL = 0.002;       ///< between two looks for a view that is coming
static const double AFTER_EDIT = 0.25;     ///< from an edit's shot to one of anything else: a page
                                           ///< that draws slowly shows the hand's work first
static const double WELCOME = 2.5;         ///< a page that is opening comes first, so long at most
static const double WELCOME_SHARE = 0.2;   ///< of the time for steps, meanwhile
static const double EDITING_SHARE = 0.4;   ///< and while someone edits: the page needs to draw
static const double SHOT_SHARE = 0.05;     ///< of the time may go into shots
static const double BUDGET_SHARE = 0.01;   ///< and into budgets
static const double STATUS = 0.5;          ///< each one makes a page draw its panels anew
static const double DESCRIBE = 0.25;
static const double KEEP = 0.9;   ///< so that no more than a second is lost
static const double IDLE = 0.1;   ///< the longest wait
static const double UNSEEN = 5;   ///< a page that is loaded anew is away for a moment
static const double PATIENCE = 2; ///< of who wants to post a command and finds no room

enum { KEPT_PLACES = 8 }; ///< of an undo's state, between two looks at the clock

double engine_clock(void) {
    return clock_seconds(CLOCK_MONOTONIC);
}

/// Time that the engine's thread has worked [s], whatever else the machine does.
static double work_clock(void) {
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

/// By which the cost of looking at the world is measured [s]: while a device steps, that is waiting
/// for the cells to come, during which it does not step.
static double look_clock(const Engine* engine) {
    return devices_step(engine) ? engine_clock() : work_clock();
}

// ---- the queue ----------------------------------------------------------------------------------

void command_free(Command* command) {
    if (!command) return;
    message_free(&command->message);
    gully_raster_free(&command->raster);
    free(command);
}

static int count_commands(const Engine* engine, int64_t client) {
    int count = 0;
    for (int i = 0; i < engine->queued; i++)
        count += engine->queue[i]->client == client;
    return count;
}

/// A moment that lies so far ahead [s].
static struct timespec moment_in(double seconds) {
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    double end = (double)moment.tv_nsec * 1e-9 + seconds;
    moment.tv_sec += (time_t)end;
    moment.tv_nsec = (long)((end - floor(end)) * 1e9);
    return moment;
}

bool engine_post(Engine* engine, Command* command) {
    struct timespec until = moment_in(PATIENCE);
    bool room = true;
    pthread_mutex_lock(&engine->mutex);
    while (room && !engine->stopped && count_commands(engine, command->client) >= CLIENT_COMMANDS)
        room = !engine->in_turns &&
               pthread_cond_timedwait(&engine->room, &engine->mutex, &until) != ETIMEDOUT;
    room = room && !engine->stopped && engine->queued < COMMANDS;
    if (room) engine->queue[engine->queued++] = command;
    engine->woken = true;
    pthread_cond_signal(&engine->wake);
    pthread_mutex_unlock(&engine->mutex);
    return room;
}

void engine_welcome(Engine* engine, bool opens) {
    atomic_store(&engine->welcome, opens ? engine_clock() + WELCOME : 0);
}

void engine_wake(Engine* engine) {
    pthread_mutex_lock(&engine->mutex);
    engine->woken = true;
    pthread_cond_signal(&engine->wake);
    pthread_mutex_unlock(&engine->mutex);
}

static Command* take_command(Engine* engine) {
    pthread_mutex_lock(&engine->mutex);
    Command* command = engine->queued > 0 ? engine->queue[0] : NULL;
    if (command) {
        engine->queued--;
        memmove(engine->queue, engine->queue + 1, (size_t)engine->queued * sizeof engine->queue[0]);
        pthread_cond_broadcast(&engine->room);
    }
    pthread_mutex_unlock(&engine->mutex);
    return command;
}

/// Waits until something happens, at most so long [s].
static void wait_for_news(Engine* engine, double seconds) {
    if (seconds <= 0) return;
    struct timespec until = moment_in(fmin(seconds, IDLE));
    pthread_mutex_lock(&engine->mutex);
    while (!engine->woken && engine->queued == 0)
        if (pthread_cond_timedwait(&engine->wake, &engine->mutex, &until) == ETIMEDOUT) break;
    engine->woken = false;
    pthread_mutex_unlock(&engine->mutex);
}

// ---- answers ------------------------------------------------------------------------------------

static void send_json(Engine* engine, int64_t client, json_t* object) {
    char* text = json_dumps(object, JSON_COMPACT);
    if (text) clients_send(&engine->clients, client, text);
    free(text);
    json_decref(object);
}

void reply_ok(Engine* engine, const Command* command, json_t* more) {
    if (command->message.has_id) {
        json_t* answer = json_pack("{s:I, s:b}", "id", command->message.id, "ok", 1);
        if (more) json_object_update_missing(answer, more);
        send_json(engine, command->client, answer);
    }
    json_decref(more);
}

/// Takes all that comes before a name out of a text: people know their files by these.
static void cut_all(char* text, const char* prefix) {
    const size_t length = strlen(prefix);
    for (char* at = text; (at = strstr(at, prefix));)
        memmove(at, at + length, strlen(at + length) + 1);
}

void reply_error(Engine* engine, const Command* command, const char* said) {
    json_t* answer = json_object();
    char message[ENGINE_MESSAGE * 2], root[PATH_MAX + 2];
    snprintf(message, sizeof message, "%s", said);
    snprintf(root, sizeof root, "%s/", engine->folders.root);
    cut_all(message, root);
    cut_all(message, ".gully/uploads/");
    if (command->message.has_id)
        json_object_set_new(answer, "id", json_integer(command->message.id));
    json_t* text = json_string(message);
    json_object_set_new(answer, "error", text ? text : json_string("a message that is no UTF-8"));
    send_json(engine, command->client, answer);
}

void reply(Engine* engine, const Command* command, GullyStatus status, json_t* more) {
    if (status == GULLY_OK) {
        reply_ok(engine, command, more);
    } else {
        reply_error(engine, command, gully_message());
        json_decref(more);
    }
}

// ---- what pages are told ------------------------------------------------------------------------

static json_t* refusals(Engine* engine) {
    json_t* object = json_object();
    for (int i = 0; i < REFUSAL_COUNT; i++)
        json_object_set_new(object, refusal_name((Refusal)i),
                            json_integer(atomic_load(&engine->gate.refused[i])));
    return object;
}

void engine_saved(Engine* engine, const char* name) {
    snprintf(engine->name, sizeof engine->name, "%s", name);
    engine->saved_changes = gully_session_changes(engine->session);
    engine->saved_steps = gully_sim_steps(gully_session_sim(engine->session));
    engine->next_status = 0;
}

void engine_unsaved(Engine* engine) {
    engine->saved_changes = -1;
}

bool engine_is_unsaved(const Engine* engine) {
    if (!engine->session) return false;
    if (engine->saved_changes != gully_session_changes(engine->session)) return true;
    return !engine->untouched &&
           engine->saved_steps != gully_sim_steps(gully_session_sim(engine->session));
}

/// How far the model has come before its first step, or null.
static json_t* routing(const Engine* engine) {
    if (engine->rounds_left == 0) return json_null();
    const double left = (double)engine->rounds_left / (double)engine->rounds;
    return json_pack("{s:s, s:f}", "what", "finding ways for the water", "share", 1 - left);
}

json_t* engine_status(Engine* engine, bool budget) {
    char* text = gully_session_status(engine->session, budget);
    json_t* status = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (!status) status = json_object();
    const GullySim* sim = gully_session_sim(engine->session);
    json_object_set_new(status, "event", json_string("status"));
    json_object_set_new(status, "step", json_integer(gully_sim_steps(sim)));
    json_object_set_new(status, "time", json_real(gully_sim_time(sim)));
    json_object_set_new(status, "name", json_string(engine->name));
    json_object_set_new(status, "unsaved", json_boolean(engine_is_unsaved(engine)));
    json_object_set_new(status, "playing", json_boolean(engine->playing));
    json_object_set_new(status, "repeats", json_boolean(engine->repeats));
    json_object_set_new(status, "ended", json_boolean(engine->ended));
    json_object_set_new(status, "to_go", json_integer(engine->steps_to_go));
    json_object_set_new(status, "unwatched", json_boolean(engine->runs_unwatched));
    json_object_set_new(status, "scale", scales_json(&engine->scales, gully_sim_steps(sim)));
    json_object_set_new(status, "speed", json_real(engine->speed));
    json_object_set_new(status, "steps_per_second", json_real(engine->rate));
    json_object_set_new(status, "mcells_per_second",
                        json_real(engine->rate * (double)engine->cells * 1e-6));
    json_object_set_new(status, "clients", json_integer(clients_count(&engine->clients)));
    json_object_set_new(status, "refused", refusals(engine));
    json_object_set_new(status, "device", devices_status(engine));
    json_object_set_new(status, "busy", routing(engine));
    const char* failure = engine->unstepped[0] ? engine->unstepped
                          : engine->unseen[0]  ? engine->unseen
                                               : engine->unkept;
    json_t* warning = failure[0] ? json_string(failure) : NULL;
    json_object_set_new(status, "warning", warning ? warning : json_null());
    return status;
}

void engine_edited(Engine* engine) {
    engine->edited_moment = ++engine->moment;
    engine->last_edit = engine_clock();
}

static void measure_rate(Engine* engine, double now) {
    double passed = now - engine->last_rate;
    if (passed < 0.45) return;
    engine->rate = (double)engine->steps_counted / passed;
    engine->steps_counted = 0;
    engine->last_rate = now;
}

static void tell_status(Engine* engine, double now) {
    measure_rate(engine, now);
    if (now < engine->next_status) return;
    engine->next_status = now + STATUS;
    if (clients_count(&engine->clients) == 0) return;
    bool budget = now >= engine->next_budget;
    double before = look_clock(engine);
    if (budget && engine->unmeasured > 0) {
        const GullySim* sim = gully_session_sim(engine->session);
        scales_follow(&engine->scales, gully_sim_world(sim), gully_sim_steps(sim));
        engine->unmeasured = 0;
    }
    json_t* status = engine_status(engine, budget);
    if (budget) engine->next_budget = now + fmax(1, (look_clock(engine) - before) / BUDGET_SHARE);
    json_decref(engine->last_status);
    engine->last_status = json_incref(status);
    send_json(engine, 0, status);
}

static void tell_changes(Engine* engine, double now) {
    int64_t changes = gully_session_changes(engine->session);
    if (changes == engine->changes || now < engine->next_describe) return;
    engine->changes = changes;
    engine->next_describe = now + DESCRIBE;
    if (clients_count(&engine->clients) == 0) return;
    char* text = gully_session_describe(engine->session);
    json_t* describe = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (describe)
        send_json(engine, 0, json_pack("{s:s, s:o}", "event", "describe", "describe", describe));
}

/// Keeps the message of a failure for the pages, or clears it.
static void note_failure(char message[ENGINE_MESSAGE], GullyStatus status) {
    snprintf(message, ENGINE_MESSAGE, "%s", status == GULLY_OK ? "" : gully_message());
}

/// Begins a view of a device that steps, so that steps need not wait, unless one is under way. False:
/// the world can be read at once.
static bool begin_view(const Engine* engine, unsigned planes) {
    GullySim* sim = gully_session_sim(engine->session);
    GullyField fields[SHOT_FIELDS];
    return gully_sim_view_begin(sim, fields, shot_fields(gully_sim_world(sim), planes, fields));
}

static bool ask_for_view(Engine* engine) {
    GullySim* sim = gully_session_sim(engine->session);
    const unsigned planes = clients_planes(&engine->clients);
    engine->coming = (Scenery){
        .sim = sim, .planes = planes, .session = engine->session_number, .moment = engine->moment};
    engine->coming_step = gully_sim_steps(sim);
    engine->is_coming = begin_view(engine, planes);
    return engine->is_coming;
}

/// Whether the view that was asked for has come. One that was under way by then is too old: the next
/// is begun.
static bool view_has_come(Engine* engine) {
    const GullyView* view = gully_sim_view(gully_session_sim(engine->session));
    if (view && gully_view_step(view) >= engine->coming_step) {
        engine->coming.view = view;
        return true;
    }
    engine->is_coming = begin_view(engine, engine->coming.planes);
    return false;
}

/// Takes shots, of a view or of the world.
static void shoot(Engine* engine, const Scenery* scenery, bool urgent, double now) {
    double before = scenery->view ? work_clock() : look_clock(engine);
    note_failure(engine->unseen, clients_shoot(&engine->clients, scenery, urgent ? INFINITY : now));
    double after = scenery->view ? work_clock() : look_clock(engine);
    engine->is_coming = false;
    engine->shot_moment = scenery->moment;
    engine->next_shot = now + fmax(urgent ? AFTER_EDIT : FRAME, (after - before) / SHOT_SHARE);
}

/// An edit is shown at once, steps as often as the shares allow.
static void take_shots(Engine* engine, double now) {
    const bool urgent = engine->edited_moment > engine->shot_moment;
    const bool steps = engine->playing || engine->steps_to_go > 0;
    double when = clients_ready_at(&engine->clients, engine->moment);
    if (isinf(when) || (!urgent && (now < engine->next_shot || now < when))) return;
    if (!urgent && engine->is_coming && view_has_come(engine)) {
        shoot(engine, &engine->coming, false, now);
        return;
    }
    if (!urgent && steps && (engine->is_coming || ask_for_view(engine))) {
        engine->next_shot = now + ARRIVAL;
        return;
    }
    const Scenery world = {.sim = gully_session_sim(engine->session),
                           .planes = ~0u,
                           .session = engine->session_number,
                           .moment = engine->moment};
    shoot(engine, &world, urgent, now);
}

static void keep(Engine* engine, double now) {
    if (now < engine->next_keep) return;
    engine->next_keep = now + KEEP;
    note_failure(engine->unkept, gully_session_keep(engine->session)); // one can still work
}

// ---- stepping -----------------------------------------------------------------------------------

/// How many steps to make before the next look at the queue.
static int64_t chunk_steps(const Engine* engine, double now) {
    if (engine->step_seconds <= 0) return 1; // nothing is known yet
    const int64_t block = gully_sim_block(gully_session_sim(engine->session));
    double fit = CHUNK / engine->step_seconds;
    if (fit >= (double)block) return (int64_t)fmin(fit, 1e6) / block * block;
    double longest = now - engine->last_edit > EDITING ? LONG_CHUNK : EDITING_CHUNK;
    return (double)block * engine->step_seconds < longest ? block : (int64_t)fmax(fit, 1);
}

bool engine_is_watched(Engine* engine) {
    const double now = engine_clock();
    if (engine->runs_unwatched || clients_watching(&engine->clients) > 0) engine->watched = now;
    return now - engine->watched < UNSEEN;
}

/// Steps that are left before a program that does not repeat is over; -1 = it never is.
static int64_t left_to_play(const Engine* engine) {
    return engine->playing && !engine->repeats ? gully_session_left(engine->session) : -1;
}

/// Steps that may be made now.
static int64_t due_steps(Engine* engine, double now) {
    int64_t steps = chunk_steps(engine, now), left = left_to_play(engine);
    if (left >= 0 && steps > left) steps = left;
    if (!engine->playing) return steps < engine->steps_to_go ? steps : engine->steps_to_go;
    if (engine->speed <= 0) return steps;
    double passed = now - engine->last_loop;
    engine->credit = fmin(engine->credit + passed * engine->speed, fmax(1, 0.25 * engine->speed));
    return engine->credit < (double)steps ? (int64_t)engine->credit : steps;
}

/// How much of the time may go into steps.
static double step_share(const Engine* engine, double now) {
    if (now < atomic_load(&engine->welcome)) return WELCOME_SHARE;
    return now - engine->last_edit < EDITING ? EDITING_SHARE : 1;
}

/// Keeps the state that undo goes back to, for a while; true if that is done.
static bool keep_for_undo(Engine* engine, double until) {
    while (engine_clock() < until)
        if (gully_session_keep_places(engine->session, KEPT_PLACES)) return true;
    return false;
}

/// Runs some of what the model has to do before its next step; true if that is done.
static bool prepare(Engine* engine, GullyStatus* status) {
    GullySim* sim = gully_session_sim(engine->session);
    const double start = engine_clock();
    *status = gully_sim_prepare(sim, engine->rounds_at_once, &engine->rounds_left);
    const double taken = engine_clock() - start;
    if (*status != GULLY_OK || engine->rounds_left == 0) {
        engine->rounds = engine->rounds_left = 0;
        return true;
    }
    if (engine->rounds < engine->rounds_left) engine->rounds = engine->rounds_left;
    const double fit = (double)engine->rounds_at_once * ROUNDS_CHUNK / fmax(taken, 1e-6);
    engine->rounds_at_once = (int64_t)fmin(fmax(fit, 1), 1e4);
    return false;
}

/// Makes a chunk of steps, or something towards it; false if there was nothing to do.
static bool step(Engine* engine, double now) {
    if (now < engine->rested || !engine_is_watched(engine)) return false;
    const int64_t left = left_to_play(engine);
    int64_t steps = due_steps(engine, now);
    const int64_t phase = gully_session_phase_left(engine->session); // the next may prepare anew
    if (steps > phase) steps = phase;
    engine->last_loop = now;
    if (steps < 1) return false;
    double start = engine_clock();
    if (!keep_for_undo(engine, start + CHUNK)) {
        engine->rested = start + (engine_clock() - start) / step_share(engine, start);
        return true;
    }
    start = engine_clock();
    GullyStatus status;
    if (!prepare(engine, &status)) return true;
    if (status == GULLY_OK) status = gully_session_step(engine->session, steps);
    note_failure(engine->unstepped, status);
    if (status != GULLY_OK) { // the page says why, and a person decides
        engine->playing = false;
        engine->steps_to_go = 0;
        return false;
    }
    double end = engine_clock(), each = (end - start) / (double)steps;
    engine->rested = start + (end - start) / step_share(engine, end);
    engine->step_seconds += (engine->step_seconds > 0 ? 0.3 : 1) * (each - engine->step_seconds);
    engine->steps_counted += steps;
    engine->unmeasured += steps;
    engine->moment++;
    if (engine->playing)
        engine->credit -= engine->speed > 0 ? (double)steps : 0;
    else
        engine->steps_to_go -= steps;
    engine->ended = steps == left;
    if (engine->ended || (!engine->playing && engine->steps_to_go == 0)) engine->next_status = 0;
    if (engine->ended) engine->playing = false;
    return true;
}

/// How long there is nothing to do [s].
static double idle_time(Engine* engine, double now) {
    double next = fmin(engine->next_status, engine->next_keep);
    if (engine->changes != gully_session_changes(engine->session))
        next = fmin(next, engine->next_describe);
    next = fmin(next, fmax(engine->next_shot, clients_ready_at(&engine->clients, engine->moment)));
    if (engine->playing && engine->speed > 0)
        next = fmin(next, now + (1 - engine->credit) / engine->speed);
    if (now < engine->rested) next = fmin(next, engine->rested);
    return next - now;
}

double engine_turn(Engine* engine) {
    double now = engine_clock(), until = now + COMMANDING;
    for (Command* command; now < until && !engine->stop() && (command = take_command(engine));
         now = engine_clock())
        engine_do(engine, command);
    take_shots(engine, now);
    bool stepped = step(engine, now);
    now = engine_clock();
    keep(engine, now);
    tell_changes(engine, now);
    tell_status(engine, now);
    return stepped ? 0 : fmax(0, idle_time(engine, now));
}

void engine_run(Engine* engine) {
    while (!engine->stop())
        wait_for_news(engine, engine_turn(engine));
}

// ---- beginning and end --------------------------------------------------------------------------

/// The token is kept beside the sessions: after a restart pages come in with the address they have.
static GullyStatus open_gate(Engine* engine) {
    char path[PATH_MAX];
    GullyStatus status = folders_path(&engine->folders, ".gully", "token", path);
    return status == GULLY_OK ? gate_create(&engine->gate, path) : status;
}

GullyStatus engine_create(Engine* engine, const StudioDef* def) {
    *engine = (Engine){
        .threads = def->threads,
        .memory = def->memory,
        .scratch = def->scratch,
        .in_turns = def->in_turns,
        .stop = def->stop,
        .folders.lock = -1,
    };
    engine->runs_unwatched = def->runs_unwatched;
    engine->watched = -UNSEEN;
    engine->last_loop = engine->last_rate = engine_clock();
    pthread_mutex_init(&engine->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&engine->wake, &attributes);
    pthread_cond_init(&engine->room, &attributes);
    pthread_condattr_destroy(&attributes);
    clients_create(&engine->clients, !def->in_turns);
    GullyStatus status = folders_open(&engine->folders);
    if (status == GULLY_OK) status = open_gate(engine);
    if (status == GULLY_OK) status = clerk_create(&engine->clerk, def->in_turns);
    if (status == GULLY_OK) status = devices_begin(engine, def);
    if (status == GULLY_OK) status = opening_first(engine, def);
    return status;
}

/// Nobody waits any longer to post a command.
static void stop_posts(Engine* engine) {
    pthread_mutex_lock(&engine->mutex);
    engine->stopped = true;
    pthread_cond_broadcast(&engine->room);
    pthread_mutex_unlock(&engine->mutex);
}

void engine_close(Engine* engine) {
    stop_posts(engine);
    const bool unsaved = engine_is_unsaved(engine);
    gully_session_destroy(engine->session);
    engine->session = NULL;
    if (!unsaved) folders_discard(&engine->folders);
    clients_part(&engine->clients);
}

void engine_destroy(Engine* engine) {
    stop_posts(engine);
    clerk_destroy(&engine->clerk);
    for (Command* command; (command = take_command(engine));)
        command_free(command);
    gully_session_destroy(engine->session);
    clients_destroy(&engine->clients);
    folders_close(&engine->folders);
    json_decref(engine->last_status);
    pthread_cond_destroy(&engine->wake);
    pthread_cond_destroy(&engine->room);
    pthread_mutex_destroy(&engine->mutex);
}
