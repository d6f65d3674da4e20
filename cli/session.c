// SPDX-License-Identifier: MIT
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "checkpoints.h"
#include "cluster.h"
#include "command.h"
#include "console.h"
#include "interrupt.h"
#include "outputs.h"
#include "read_options.h"
#include "report.h"
#include "run_plan.h"

// ---- ranks --------------------------------------------------------------------------------------

bool session_shares(const Session* session) {
    return session->ranks->count > 1;
}

bool session_speaks(const Session* session) {
    return session->ranks->rank == 0;
}

static GullyStatus agree(const Session* session, GullyStatus status) {
    return gully_ranks_agree(session->ranks, status);
}

/// Whether all ranks run the same thing: the scene, and what the user asked for beside it.
static GullyStatus compare_ranks(const Session* session) {
    const SessionRequest* request = session->request;
    char* text = gully_scene_text(session->scene);
    const size_t size = (text ? strlen(text) : 0) + strlen(request->folder) + 256;
    char* all = malloc(size);
    GullyStatus status = gully_fail(GULLY_NO_MEMORY, "no memory to compare ranks");
    if (all && text) {
        snprintf(all, size, "%s %s %lld %lld %lld %d %d %d %x", text, request->folder,
                 (long long)gully_scene_steps(session->scene), (long long)request->checkpoint_every,
                 (long long)(request->frames ? request->frames->every : 0), request->checkpoints,
                 request->resume, request->dry_run, request->outputs);
        status = cluster_compare(session->ranks, all);
    }
    free(all);
    free(text);
    return status;
}

/// Lets the numbers of all ranks be the same, so that they do the same: the time that steps took on the
/// slowest, and whether anybody has asked to stop.
static GullyStatus look_together(Session* session, double* taken) {
    int64_t nanoseconds = (int64_t)(*taken * 1e9), asked = interrupt_asked();
    GullyStatus status = gully_ranks_most(session->ranks, GULLY_OK, &nanoseconds);
    if (status == GULLY_OK) status = gully_ranks_most(session->ranks, GULLY_OK, &asked);
    if (session_shares(session)) *taken = (double)nanoseconds * 1e-9;
    session->asked = (int)asked;
    return status;
}

// ---- opening ------------------------------------------------------------------------------------

static GullyStatus load_scene(Session* session) {
    const SessionRequest* request = session->request;
    GullyStatus status =
        request->built_in
            ? gully_scene_parse(request->built_in, strlen(request->built_in), request->scene, ".",
                                request->sets, request->set_count, &session->scene)
            : gully_scene_load(request->scene, request->sets, request->set_count, &session->scene);
    if (status == GULLY_OK && request->steps >= 0)
        status = gully_scene_set_steps(session->scene, request->steps);
    return status;
}

void session_weigh(const Session* session, double volumes[GULLY_MAX_MATERIALS]) {
    for (int m = 0; m < gully_world_material_count(session->world); m++)
        volumes[m] = gully_world_volume(session->world, GULLY_LAYER(m));
}

/// Checks every phase, so that a wrong one is refused before anything runs. Phases of a repeated
/// program share their settings: the first round is enough.
static GullyStatus check_phases(const Session* session) {
    const GullySettings* first = gully_scene_phase(session->scene, 0)->settings;
    for (int i = 1; i < gully_scene_phase_count(session->scene); i++) {
        const GullyPhase* phase = gully_scene_phase(session->scene, i);
        if (phase->settings == first) break;
        GullyStatus status = gully_sim_check(session->sim, phase->settings);
        if (status != GULLY_OK)
            return gully_fail_in(status, "%s: phase %d (%s)", session->request->scene, i + 1,
                                 phase->name);
    }
    return GULLY_OK;
}

/// Claims the folder for this run until it ends, however it does. Where folders cannot be locked
/// everyone may write.
static GullyStatus lock_folder(Session* session) {
    const char* folder = session->request->folder;
    session->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (session->lock < 0 || flock(session->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return GULLY_OK;
    return gully_fail(
        GULLY_FAILED,
        "%s: another run writes into this folder; wait for it, or take another folder", folder);
}

/// Whether the disk has room for the rasters of the run: better to know before it than after.
static GullyStatus check_room(const Session* session) {
    const char* folder = session->request->folder;
    double cells = (double)gully_world_width(session->world) * gully_world_height(session->world);
    double needed = cells * (double)sizeof(float) * session->field_count;
    struct statvfs disk;
    if (statvfs(folder, &disk) != 0 || disk.f_blocks == 0) return GULLY_OK; // it does not say
    double left = (double)disk.f_bavail * (double)disk.f_frsize;
    if (needed <= left) return GULLY_OK;
    return gully_fail(GULLY_FAILED,
                      "%s: the files of this run need %.1f MiB, and the disk has %.1f MiB left; "
                      "nothing was run",
                      folder, needed / 1048576, left / 1048576);
}

/// Makes the folder, for this run alone.
static GullyStatus claim_folder(Session* session) {
    const char* folder = session->request->folder;
    GullyStatus status = gully_folder_make(folder);
    if (status == GULLY_OK) status = lock_folder(session);
    if (status == GULLY_OK) status = check_room(session);
    if (status == GULLY_OK) gully_folder_tidy(folder); // what a killed run has left
    return status;
}

/// With a device that was asked for, waits until it can step: what is wrong with it is said before
/// anything is written.
static GullyStatus wait_for_device(Session* session) {
    if (session->request->backend.backend != GULLY_GPU) return GULLY_OK;
    progress_say("compiling kernels");
    gully_sim_wait(session->sim);
    gully_sim_device(session->sim, &session->device);
    if (session->device.state != GULLY_DEVICE_FAILED) return GULLY_OK;
    return gully_fail(GULLY_DEVICE, "%s", session->device.message);
}

/// Whether anything that is written or drawn shows what water did on its way.
static bool needs_masks(const SessionRequest* request) {
    static const char* const names[] = {"flow", "wear", "deposit", "preview"};
    bool needed = request->snapshots || (request->frames && request->frames->every > 0);
    for (int i = 0; i < 4; i++)
        needed = needed || output_chosen(request->outputs, names[i]);
    return needed;
}

static GullyStatus create_sim(Session* session) {
    const SessionRequest* request = session->request;
    GullySimDef def = gully_sim_def();
    def.seed = gully_scene_seed(session->scene);
    def.threads = request->threads ? request->threads : cluster_threads();
    def.velocity = output_chosen(request->outputs, "velocity");
    def.masks = needs_masks(request);
    def.backend = request->backend.backend;
    def.device = request->backend.device;
    GullyStatus status = gully_sim_create(
        session->world, gully_scene_phase(session->scene, 0)->settings, &def, &session->sim);
    if (status == GULLY_OK || status == GULLY_DEVICE) return status; // else the scene is to blame
    return gully_fail_in(status, "%s", request->scene);
}

static GullyStatus run_coarse(void* context) {
    const Session* session = context;
    return gully_scene_start(session->scene, session->world, session->request->threads);
}

/// Begins on coarser grids, if the scene says so and the run does not go on from a checkpoint. The
/// simulation that may have been restored is not of use for that.
static GullyStatus start_coarse(Session* session) {
    if (session->resumed || !gully_scene_starts_coarse(session->scene)) return GULLY_OK;
    gully_sim_destroy(session->sim);
    session->sim = NULL;
    progress_say("beginning on coarser grids");
    GullyStatus status = gully_world_lead(session->world, 0, run_coarse, session);
    if (status != GULLY_OK) return gully_fail_in(status, "%s: start", session->request->scene);
    status = create_sim(session);
    if (status != GULLY_OK) return status;
    session_weigh(session, session->materials_before);
    return wait_for_device(session);
}

/// A folder that is there, on the disk of the outputs: their own may not be made yet.
static const char* outputs_disk(Session* session) {
    char* folder = session->disk;
    snprintf(folder, sizeof session->disk, "%s", session->request->folder);
    while (access(folder, W_OK | X_OK) != 0) {
        char* slash = strrchr(folder, '/');
        if (!slash) return "."; // a name of the current folder
        *(slash == folder ? slash + 1 : slash) = '\0';
        if (strcmp(folder, "/") == 0) break;
    }
    return folder;
}

static GullyStatus open_session(Session* session) {
    const SessionRequest* request = session->request;
    GullyStatus status = agree(session, load_scene(session));
    if (status == GULLY_OK) status = compare_ranks(session);
    if (status != GULLY_OK) return status;
    progress_say("reading terrain");
    const char* scratch = request->scratch ? request->scratch : outputs_disk(session);
    gully_scene_set_memory(session->scene, request->memory, scratch);
    gully_scene_set_ranks(session->scene, session->ranks);
    status = gully_scene_world(session->scene, &session->world, &session->georeference);
    if (status != GULLY_OK) return status;
    if (!request->quiet) read_notes_print(request->scene, gully_scene_notes(session->scene));
    status = output_choice_list(session);
    if (status != GULLY_OK) return status;
    session->valid_cells = gully_world_cells(session->world);
    if (request->checkpoints && !request->dry_run) status = checkpoints_open(session);
    if (status != GULLY_OK) return status;

    status = create_sim(session);
    if (status != GULLY_OK) return status;
    status = check_phases(session);
    if (status == GULLY_OK) status = wait_for_device(session);
    if (status != GULLY_OK) return status;
    session_weigh(session, session->materials_before);
    status = background_create(gully_sim_threads(session->sim), &session->background);
    if (status != GULLY_OK) return status;

    if (request->dry_run) return GULLY_OK;

    int phases = gully_scene_phase_count(session->scene);
    session->phase_steps = calloc((size_t)phases, sizeof *session->phase_steps);
    if (!session->phase_steps)
        return gully_fail(GULLY_NO_MEMORY, "no memory for %d phases", phases);
    if (request->resume) status = checkpoints_resume(session);
    if (status == GULLY_OK && session_speaks(session)) status = claim_folder(session);
    status = agree(session, status);
    if (status == GULLY_OK) status = start_coarse(session);
    if (status != GULLY_OK) return status;
    return frames_create(request->frames, request->folder, session->world, session->background,
                         gully_sim_threads(session->sim), &session->frames);
}

static void close_session(Session* session) {
    checkpoints_close(session);
    background_destroy(session->background); // before what its jobs look at
    frames_destroy(session->frames);
    for (int i = 0; i < session->picture_count; i++) {
        gully_preview_destroy(session->pictures[i].preview);
        free(session->pictures[i].bytes);
    }
    free(session->phase_steps);
    free(session->georeference.projection);
    gully_sim_destroy(session->sim);
    gully_world_destroy(session->world);
    gully_scene_destroy(session->scene);
    if (session->lock >= 0) close(session->lock);
}

// ---- running ------------------------------------------------------------------------------------

/// Takes the snapshots that belong to this moment, each once.
static GullyStatus take_snapshots(Session* session, const char* phase) {
    const Snapshot* row = session->request->snapshots;
    for (; row && row->file; row++) {
        bool now = phase && row->phase ? strcmp(phase, row->phase) == 0 : phase == row->phase;
        for (int i = 0; i < session->picture_count; i++)
            now = now && strcmp(session->pictures[i].file, row->file) != 0;
        GullyStatus status = now ? outputs_take_picture(session, row->file) : GULLY_OK;
        if (status != GULLY_OK) return status;
    }
    return GULLY_OK;
}

/// Looks what the device does, and says if it has failed.
static void watch_device(Session* session) {
    const bool had_failed = session->device.state == GULLY_DEVICE_FAILED;
    gully_sim_device(session->sim, &session->device);
    if (session->device.state == GULLY_DEVICE_FAILED && !had_failed)
        console_error("the device has failed, and the processor goes on: %s",
                      session->device.message);
}

static const char* progress_label(const Session* session, const GullyPhase* phase) {
    if (checkpoints_busy(session)) return "saving";
    if (session->device.state == GULLY_BUILDS_PROGRAMS) return "compiling kernels";
    return phase->name[0] ? phase->name : "running";
}

static void show_progress(const Session* session, const GullyPhase* phase) {
    int64_t done = gully_sim_steps(session->sim), total = gully_scene_steps(session->scene);
    double rate = session->wall_time > 0 ? (double)done / session->wall_time : 0; // [steps/s]
    Progress progress = {
        .label = progress_label(session, phase),
        .done = done,
        .total = total,
        .speed = rate * (double)session->valid_cells * 1e-6,
        .seconds_left = rate > 0 ? (double)(total - done) / rate : -1,
    };
    progress_show(&progress);
}

/// As long as an eye blinks: what is done between two looks at the user [s].
static const double BLINK = 0.075;

/// Runs what the model has to do before its first step, in pieces.
static GullyStatus run_rounds(Session* session) {
    int64_t left = 0, total, chunk = gully_sim_block(session->sim);
    GullyStatus status = gully_sim_prepare(session->sim, 0, &left);
    total = left;
    while (status == GULLY_OK && left > 0 && !session->asked) {
        progress_show(&(Progress){
            .label = "finding ways", .done = total - left, .total = total, .seconds_left = -1});
        const double start = clock_seconds();
        status = gully_sim_prepare(session->sim, chunk, &left);
        double taken = clock_seconds() - start;
        if (status == GULLY_OK) status = look_together(session, &taken);
        session->wall_time += taken;
        chunk = (int64_t)fmin(fmax((double)chunk * BLINK / fmax(taken, 1e-6), 1), 1e6);
    }
    return status;
}

static GullyStatus take_now(void* context) {
    const Session* session = context;
    return frames_take(session->frames, session->sim, session->world);
}

/// Takes a frame if it is time for one; rank 0 draws it.
static GullyStatus take_frame(Session* session) {
    if (!frames_are_due(session->frames, session->sim)) return GULLY_OK;
    return gully_world_lead(session->world, 0, take_now, session);
}

/// Runs a phase in chunks of steps that take about as long as an eye blinks.
static GullyStatus run_phase(Session* session, const GullyPhase* phase, int64_t* done) {
    int64_t chunk = gully_sim_block(session->sim);
    GullyStatus status = run_rounds(session);
    if (status != GULLY_OK) return status;
    show_progress(session, phase);
    while (*done < phase->steps && !session->asked) {
        if (chunk > phase->steps - *done) chunk = phase->steps - *done;
        chunk = frames_until(session->frames, session->sim, chunk);
        if (chunk > checkpoints_until(session)) chunk = checkpoints_until(session);
        if (session->request->backend.backend == GULLY_GPU) gully_sim_wait(session->sim);
        double start = clock_seconds();
        const int64_t before = gully_sim_steps(session->sim);
        status = gully_sim_step(session->sim, chunk);
        if (status != GULLY_OK) return status;
        double taken = clock_seconds() - start;
        *done += gully_sim_steps(session->sim) - before; // with levels, whole blocks
        status = look_together(session, &taken);
        if (status != GULLY_OK) return status;
        session->wall_time += taken;
        double fit = (double)chunk * BLINK / fmax(taken, 1e-6);
        chunk = (int64_t)fmin(fmax(fit, 1), 4 * (double)chunk);
        const int64_t block = gully_sim_block(session->sim);
        chunk = (chunk + block - 1) / block * block; // what is computed together stays so
        watch_device(session);
        checkpoints_step(session);
        status = take_frame(session);
        if (status != GULLY_OK) return status;
        show_progress(session, phase);
    }
    return GULLY_OK;
}

static GullyStatus simulate(Session* session) {
    GullyStatus status = session->resumed ? GULLY_OK : take_snapshots(session, NULL);
    if (status == GULLY_OK) status = take_frame(session);
    bool applied = true; // the simulation begins with the settings of this phase
    for (int i = session->phase; i < gully_scene_phase_count(session->scene) && status == GULLY_OK;
         i++) {
        const GullyPhase* phase = gully_scene_phase(session->scene, i);
        session->phase = i;
        if (!applied) status = gully_sim_apply(session->sim, phase->settings);
        if (status != GULLY_OK) return gully_fail_in(status, "phase %d (%s)", i + 1, phase->name);
        applied = false;
        status = run_phase(session, phase, &session->phase_steps[i]);
        if (status != GULLY_OK) return status;
        session->interrupted = session->phase_steps[i] < phase->steps;
        if (session->interrupted) break;
        status = take_snapshots(session, phase->name);
    }
    return status;
}

// ---- all of it ----------------------------------------------------------------------------------

/// Says what came out; returns the exit code.
static int tell(const Session* session, json_t* report) {
    const SessionRequest* request = session->request;
    if (request->json && session_speaks(session))
        console_json(json_incref(report));
    else if (!request->quiet && session_speaks(session))
        report_print(session);
    if (!session->interrupted) return EXIT_DONE;
    console_error("interrupted after %lld of %lld steps; what was done until then is in %s%s",
                  (long long)gully_sim_steps(session->sim),
                  (long long)gully_scene_steps(session->scene), request->folder,
                  session->saved ? ", and --resume goes on from there" : "");
    return EXIT_INTERRUPTED;
}

/// A run that only says what it would do.
static int tell_plan(Session* session) {
    GullyStatus status = agree(session, open_session(session));
    progress_clear();
    int code = status == GULLY_OK ? EXIT_DONE : console_fail(status);
    if (status == GULLY_OK && session->request->json && session_speaks(session))
        code = console_json(plan_make(session));
    else if (status == GULLY_OK && !session->request->quiet && session_speaks(session))
        plan_print(session);
    close_session(session);
    return code;
}

/// Lets signals ask for an end.
static void watch(Session* session) {
    if (!session_shares(session)) {
        interrupt_watch();
        return;
    }
    const bool saves = session->checkpoints && session->request->checkpoint_every > 0;
    snprintf(session->last_words, sizeof session->last_words,
             "gully: mpirun ends this run: a rank has died, or mpirun was stopped. %s %s%s\n",
             saves ? "--resume goes on from the last checkpoint in"
                   : "Without --checkpoint there is nothing to go on from in",
             session->request->folder, saves ? ", with any number of ranks" : "");
    interrupt_watch_rank(session_speaks(session) ? session->last_words : NULL);
}

/// Runs and writes; leaves the report.
static GullyStatus run_all(Session* session, json_t** report) {
    double start = clock_seconds();
    GullyStatus status = agree(session, open_session(session));
    double opened = clock_seconds();
    session->times.start = opened - start;
    if (status == GULLY_OK) {
        watch(session);
        status = agree(session, simulate(session));
        session->times.simulate = clock_seconds() - opened;
    }
    if (status == GULLY_OK && session->interrupted) session->saved = checkpoints_last(session);
    if (status == GULLY_OK) status = agree(session, outputs_write(session, report));
    if (status == GULLY_OK && !session->interrupted && session_speaks(session))
        status = frames_finish(session->frames);
    status = agree(session, status);
    if (status == GULLY_OK && !session->interrupted) checkpoints_remove(session);
    progress_clear();
    return status;
}

int session_run(const SessionRequest* request) {
    Session session = {.request = request, .lock = -1};
    json_t* report = NULL;
    int code;
    GullyStatus status = cluster_open(&session.ranks);
    if (status == GULLY_OK && session_shares(&session) && request->standard)
        status =
            gully_fail(GULLY_BAD_INPUT, "a scene on standard input, which only one of the ranks "
                                        "can read; give a file");
    if (status != GULLY_OK) {
        code = console_fail(status);
        cluster_close();
        return code;
    }
    progress_enable(!request->quiet);
    if (request->dry_run) {
        code = tell_plan(&session);
    } else {
        status = run_all(&session, &report);
        code = status == GULLY_OK ? tell(&session, report) : console_fail(status);
        if (status != GULLY_OK && interrupt_asked() >= 2) code = EXIT_INTERRUPTED;
        json_decref(report);
        close_session(&session);
    }
    cluster_close();
    return code;
}
