// SPDX-License-Identifier: MIT
#include "checkpoints.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console.h"
#include "gully/checkpoint.h"
#include "interrupt.h"
#include "scene_difference.h"

enum { KEPT = 2 };

struct Checkpoints {
    char* paths[KEPT];
    int next;              ///< the one to write
    bool others;           ///< the other one is not of this run
    bool speaks;           ///< this rank removes files
    int64_t due;           ///< step; INT64_MAX = never
    json_t* start;         ///< hashes of the world before the first step
    Background* writer;    ///< one thread
    Job job;               ///< the present one
    atomic_bool busy;      ///< until its file is written
    GullyCheckpoint* kept; ///< what it writes
    const char* target;    ///< where
};

// ---- what belongs to a run ----------------------------------------------------------------------

static json_t* scene_object(const Session* session) {
    char* text = gully_scene_text(session->scene);
    json_t* scene = text ? json_loads(text, 0, NULL) : NULL;
    json_object_del(scene, "memory"); // another budget gives the same result
    free(text);
    return scene;
}

/// Whether a part of a scene comes from a file, so that the scene does not say all of it.
static bool names_file(const json_t* part) {
    const char* key;
    json_t* value;
    size_t index;
    json_object_foreach((json_t*)part, key, value) {
        if (strcmp(key, "file") == 0 || names_file(value)) return true;
    }
    json_array_foreach(part, index, value) {
        if (names_file(value)) return true;
    }
    return false;
}

/// Hashes of what the scene has made of files, so that another one under the same name is noticed.
static json_t* start_object(const Session* session) {
    json_t *start = json_object(), *scene = scene_object(session);
    bool from_files = names_file(scene);
    int layers = gully_world_material_count(session->world);
    json_decref(scene);
    if (!from_files) return start;
    for (GullyField field = GULLY_TERRAIN; field <= GULLY_RAINFALL; field++) {
        if (field > GULLY_HARDNESS && field <= GULLY_LAYER_0) continue;
        if (field >= GULLY_LAYER(layers) && field <= GULLY_LAYER_7) continue;
        json_object_set_new(start, gully_field_name(field),
                            json_sprintf("%016" PRIx64, gully_world_hash(session->world, field)));
    }
    return start;
}

/// What is kept with the state; free() it.
static char* make_note(const Session* session) {
    json_t* note = json_pack("{s:s, s:i, s:f, s:O, s:o}", "version", gully_version(), "phase",
                             session->phase, "wall_time", session->wall_time, "start",
                             session->checkpoints->start, "scene", scene_object(session));
    char* text = note ? json_dumps(note, JSON_COMPACT) : NULL;
    json_decref(note);
    if (!text) gully_fail(GULLY_NO_MEMORY, "no memory for a checkpoint");
    return text;
}

// ---- going on -----------------------------------------------------------------------------------

static GullyStatus refuse(const char* path, const char* what) {
    return gully_fail(GULLY_BAD_INPUT,
                      "%s: the checkpoint is of another run: %s; go on with what it was, or start "
                      "anew without --resume",
                      path, what);
}

/// Whether the checkpoint is one of this run.
static GullyStatus check_note(const Session* session, const GullyCheckpoint* checkpoint,
                              const char* path, const json_t* note) {
    char what[1024] = "";
    const char* version = json_string_value(json_object_get(note, "version"));
    if (!version || strcmp(version, gully_version()) != 0) {
        snprintf(what, sizeof what,
                 "it was written by Gully %s, this is %s, whose results may "
                 "differ",
                 version ? version : "of no known version", gully_version());
        return refuse(path, what);
    }
    uint64_t seed = gully_checkpoint_info(checkpoint)->seed;
    if (seed != gully_scene_seed(session->scene)) {
        snprintf(what, sizeof what, "seed: %" PRIu64 ", in the checkpoint %" PRIu64,
                 gully_scene_seed(session->scene), seed);
        return refuse(path, what);
    }
    json_t* scene = scene_object(session);
    scene_difference(scene, json_object_get(note, "scene"), what, sizeof what);
    json_decref(scene);
    if (what[0]) return refuse(path, what);
    const char* field;
    json_t* hash;
    json_object_foreach(session->checkpoints->start, field, hash) {
        if (json_equal(hash, json_object_get(json_object_get(note, "start"), field))) continue;
        snprintf(what, sizeof what, "%s: its values at the start were others", field);
        return refuse(path, what);
    }
    return GULLY_OK;
}

/// Finds the steps of each phase that a checkpoint has done; false if the run is too short for it.
static bool count_phases(Session* session, int phase, int64_t steps) {
    if (phase < 0 || phase >= gully_scene_phase_count(session->scene)) return false;
    for (int i = 0; i < phase; i++) {
        session->phase_steps[i] = gully_scene_phase(session->scene, i)->steps;
        steps -= session->phase_steps[i];
    }
    session->phase_steps[phase] = steps;
    session->phase = phase;
    return steps >= 0 && steps <= gully_scene_phase(session->scene, phase)->steps;
}

static GullyStatus restore(Session* session, const GullyCheckpoint* checkpoint, const char* path,
                           const json_t* note) {
    const GullyStateInfo* info = gully_checkpoint_info(checkpoint);
    GullyStatus status = check_note(session, checkpoint, path, note);
    if (status != GULLY_OK) return status;
    int phase = (int)json_integer_value(json_object_get(note, "phase"));
    if (!count_phases(session, phase, info->steps))
        return gully_fail(GULLY_BAD_INPUT,
                          "%s: the checkpoint has done %lld steps, the run has only %lld; allowed: "
                          "--steps of at least as many",
                          path, (long long)info->steps,
                          (long long)gully_scene_steps(session->scene));
    status = gully_sim_apply(session->sim, gully_scene_phase(session->scene, phase)->settings);
    if (status == GULLY_OK)
        status =
            gully_checkpoint_restore(checkpoint, session->sim, gully_sim_threads(session->sim));
    if (status != GULLY_OK) return status;
    session->resumed = true;
    session->resumed_from = info->steps;
    session->wall_time = json_number_value(json_object_get(note, "wall_time"));
    if (!session->request->quiet)
        console_error("going on from step %lld, of %s", (long long)info->steps, path);
    return GULLY_OK;
}

/// Opens both files. Those that are damaged are named, and left out.
static bool open_kept(const Session* session, GullyCheckpoint* opened[KEPT]) {
    bool any = false;
    for (int i = 0; i < KEPT; i++) {
        const char* path = session->checkpoints->paths[i];
        opened[i] = NULL;
        int64_t exists = access(path, F_OK) == 0;
        if (gully_ranks_most(session->ranks, GULLY_OK, &exists) != GULLY_OK || !exists) continue;
        any = true;
        if (gully_checkpoint_open_shared(session->ranks, path, gully_sim_threads(session->sim),
                                         &opened[i]) != GULLY_OK)
            console_error("%s; it is left out", gully_message());
    }
    return any;
}

/// The step of the next checkpoint after `steps`.
static int64_t next_due(const Session* session, int64_t steps) {
    int64_t every = session->request->checkpoint_every;
    return every > 0 ? (steps / every + 1) * every : INT64_MAX;
}

GullyStatus checkpoints_resume(Session* session) {
    Checkpoints* checkpoints = session->checkpoints;
    GullyCheckpoint* opened[KEPT];
    bool any = open_kept(session, opened);
    int newest = -1;
    for (int i = 0; i < KEPT; i++) {
        if (opened[i] && (newest < 0 || gully_checkpoint_info(opened[i])->steps >
                                            gully_checkpoint_info(opened[newest])->steps))
            newest = i;
    }
    GullyStatus status = GULLY_OK;
    if (newest >= 0) {
        json_t* note = json_loads(gully_checkpoint_note(opened[newest]), 0, NULL);
        status = restore(session, opened[newest], checkpoints->paths[newest], note);
        json_decref(note);
        checkpoints->next = (newest + 1) % KEPT;
        checkpoints->others = false;
    } else if (!session->request->quiet) {
        console_error("no %scheckpoint in %s: starting from the beginning", any ? "whole " : "",
                      session->request->folder);
    }
    for (int i = 0; i < KEPT; i++)
        gully_checkpoint_close(opened[i]);
    if (session->resumed) checkpoints->due = next_due(session, session->resumed_from);
    return status;
}

// ---- writing ------------------------------------------------------------------------------------

static atomic_bool is_done; ///< the run: no checkpoint is wanted any more

static bool is_over(void) {
    return is_done || interrupt_asked() >= 2;
}

/// The file is written: the next one replaces the one before it.
static void turn_over(Checkpoints* checkpoints) {
    checkpoints->next = (checkpoints->next + 1) % KEPT;
    if (checkpoints->others && checkpoints->speaks) unlink(checkpoints->paths[checkpoints->next]);
    checkpoints->others = false;
}

static GullyStatus write_kept(void* context) {
    Checkpoints* checkpoints = context;
    GullyStatus status = gully_checkpoint_write(checkpoints->kept, checkpoints->target, 1, is_over);
    gully_checkpoint_close(checkpoints->kept);
    checkpoints->kept = NULL;
    checkpoints->busy = false;
    return status;
}

/// Waits until nothing is being written, and says if it could not be.
static void settle(Checkpoints* checkpoints) {
    if (!checkpoints->target) return;
    if (background_wait(checkpoints->writer) == GULLY_OK)
        turn_over(checkpoints);
    else if (!is_over())
        console_error("%s; the run goes on", gully_message());
    checkpoints->target = NULL;
    interrupt_hold(false);
}

/// Writes the present state before anything else happens, on all threads.
static GullyStatus write_now(Session* session, const char* note) {
    Checkpoints* checkpoints = session->checkpoints;
    GullyCheckpoint* checkpoint;
    GullyStatus status = gully_checkpoint_borrow(session->sim, note, &checkpoint);
    if (status != GULLY_OK) return status;
    progress_say("saving %s", checkpoints->paths[checkpoints->next]);
    interrupt_hold(true);
    status = gully_checkpoint_write(checkpoint, checkpoints->paths[checkpoints->next],
                                    gully_sim_threads(session->sim), is_over);
    interrupt_hold(false);
    gully_checkpoint_close(checkpoint);
    if (status == GULLY_OK) turn_over(checkpoints);
    return status;
}

/// Copies the present state and writes it beside the simulation; false without the memory.
static bool write_beside(Session* session, const char* note) {
    Checkpoints* checkpoints = session->checkpoints;
    if (session_shares(session) || !gully_checkpoint_fits(session->sim)) return false;
    if (gully_checkpoint_take(session->sim, note, gully_sim_threads(session->sim),
                              &checkpoints->kept) != GULLY_OK)
        return false;
    checkpoints->target = checkpoints->paths[checkpoints->next];
    checkpoints->busy = true;
    checkpoints->job = (Job){.run = write_kept, .context = checkpoints};
    interrupt_hold(true); // there is a temporary file
    background_add(checkpoints->writer, &checkpoints->job);
    return true;
}

int64_t checkpoints_until(const Session* session) {
    if (!session->checkpoints) return INT64_MAX;
    int64_t left = session->checkpoints->due - gully_sim_steps(session->sim);
    return left > 1 ? left : 1;
}

bool checkpoints_busy(const Session* session) {
    return session->checkpoints && session->checkpoints->busy;
}

void checkpoints_step(Session* session) {
    Checkpoints* checkpoints = session->checkpoints;
    if (!checkpoints || checkpoints->busy) return;
    settle(checkpoints);
    int64_t steps = gully_sim_steps(session->sim);
    if (steps < checkpoints->due || steps == gully_scene_steps(session->scene)) return;
    checkpoints->due = next_due(session, steps);
    char* note = make_note(session);
    GullyStatus status = note ? GULLY_OK : GULLY_NO_MEMORY;
    if (note && !write_beside(session, note)) status = write_now(session, note);
    if (status != GULLY_OK && !is_over()) console_error("%s; the run goes on", gully_message());
    free(note);
}

bool checkpoints_last(Session* session) {
    if (!session->checkpoints) return false;
    settle(session->checkpoints);
    char* note = make_note(session);
    GullyStatus status = note ? write_now(session, note) : GULLY_NO_MEMORY;
    free(note);
    if (status != GULLY_OK && !is_over()) console_error("%s", gully_message());
    return status == GULLY_OK;
}

void checkpoints_remove(Session* session) {
    Checkpoints* checkpoints = session->checkpoints;
    if (!checkpoints) return;
    is_done = true;
    settle(checkpoints);
    for (int i = 0; i < KEPT && checkpoints->speaks; i++)
        unlink(checkpoints->paths[i]);
}

// ---- opening ------------------------------------------------------------------------------------

static char* kept_path(const char* folder, int index) {
    size_t size = strlen(folder) + sizeof "/checkpoint-1.gully" + 16;
    char* path = malloc(size);
    if (path) snprintf(path, size, "%s/checkpoint-%d.gully", folder, index + 1);
    return path;
}

GullyStatus checkpoints_open(Session* session) {
    Checkpoints* checkpoints = calloc(1, sizeof *checkpoints);
    session->checkpoints = checkpoints;
    if (!checkpoints) return gully_fail(GULLY_NO_MEMORY, "no memory for checkpoints");
    for (int i = 0; i < KEPT; i++) {
        checkpoints->paths[i] = kept_path(session->request->folder, i);
        if (!checkpoints->paths[i]) return gully_fail(GULLY_NO_MEMORY, "no memory for checkpoints");
    }
    checkpoints->start = start_object(session);
    checkpoints->others = true;
    checkpoints->speaks = session_speaks(session);
    checkpoints->due = next_due(session, 0);
    return background_create(1, &checkpoints->writer);
}

void checkpoints_close(Session* session) {
    Checkpoints* checkpoints = session->checkpoints;
    if (!checkpoints) return;
    if (checkpoints->writer) settle(checkpoints);
    background_destroy(checkpoints->writer);
    for (int i = 0; i < KEPT; i++)
        free(checkpoints->paths[i]);
    json_decref(checkpoints->start);
    free(checkpoints);
    session->checkpoints = NULL;
}
