#include "session.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "console.h"
#include "gully/picture.h"
#include "interrupt.h"
#include "report.h"

const GullyField session_fields[] = {
    GULLY_TERRAIN, GULLY_WATER, GULLY_SEDIMENT, GULLY_FLOW, GULLY_WEAR, GULLY_DEPOSIT,
};
const int session_field_count = sizeof session_fields / sizeof session_fields[0];

static int64_t cell_count(const Session* session) {
    return (int64_t)gully_world_width(session->world) * gully_world_height(session->world);
}

/// Reads a whole field; NULL with a message if there is no memory. Free it with free().
static float* read_field(const Session* session, GullyField field) {
    float* values = malloc(sizeof(float) * (size_t)cell_count(session));
    if (!values) {
        gully_fail(GULLY_FAILED, "no memory to read %s: %lld cells", gully_field_name(field),
                   (long long)cell_count(session));
        return NULL;
    }
    gully_world_read(session->world, field, gully_world_all(session->world), values);
    return values;
}

static int64_t count_finite(const Session* session, const float* values) {
    int64_t finite = 0;
    for (int64_t i = 0; i < cell_count(session); i++)
        finite += isfinite(values[i]) != 0;
    return finite;
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

static GullyStatus count_valid(Session* session) {
    float* heights = read_field(session, GULLY_TERRAIN);
    if (!heights) return GULLY_FAILED;
    session->valid_cells = count_finite(session, heights);
    free(heights);
    return GULLY_OK;
}

/// Applies every phase once without stepping, so that a wrong one is refused before anything runs.
/// Phases of a repeated program share their settings: the first round is enough.
static GullyStatus check_phases(Session* session) {
    const GullySettings* first = gully_scene_phase(session->scene, 0)->settings;
    for (int i = 1; i < gully_scene_phase_count(session->scene); i++) {
        const GullyPhase* phase = gully_scene_phase(session->scene, i);
        if (phase->settings == first) break;
        GullyStatus status = gully_sim_apply(session->sim, phase->settings);
        if (status != GULLY_OK)
            return gully_fail_in(status, "%s: phase %d (%s)", session->request->scene, i + 1,
                                 phase->name);
    }
    return GULLY_OK;
}

static GullyStatus open_session(Session* session) {
    const SessionRequest* request = session->request;
    GullyStatus status = load_scene(session);
    if (status != GULLY_OK) return status;
    progress_say("reading terrain");
    status = gully_scene_world(session->scene, &session->world, &session->georeference);
    if (status != GULLY_OK) return status;
    status = count_valid(session);
    if (status != GULLY_OK) return status;

    GullySimDef def = gully_sim_def();
    def.seed = gully_scene_seed(session->scene);
    def.threads = request->threads;
    status = gully_sim_create(session->world, gully_scene_phase(session->scene, 0)->settings, &def,
                              &session->sim);
    if (status != GULLY_OK) return gully_fail_in(status, "%s", request->scene);
    status = check_phases(session);
    if (status != GULLY_OK) return status;

    int phases = gully_scene_phase_count(session->scene);
    session->phase_steps = calloc((size_t)phases, sizeof *session->phase_steps);
    if (!session->phase_steps) return gully_fail(GULLY_FAILED, "no memory for %d phases", phases);
    return gully_folder_make(request->folder);
}

static void close_session(Session* session) {
    for (int i = 0; i < session->picture_count; i++)
        free(session->pictures[i].rgb);
    free(session->phase_steps);
    free(session->georeference.projection);
    gully_sim_destroy(session->sim);
    gully_world_destroy(session->world);
    gully_scene_destroy(session->scene);
}

// ---- running ------------------------------------------------------------------------------------

/// Draws the world as it is now; the picture is written with the other outputs.
static GullyStatus take_picture(Session* session, const char* file) {
    if (session->picture_count == SESSION_PICTURES)
        return gully_fail(GULLY_FAILED, "%s: more than %d pictures", file, SESSION_PICTURES);
    Picture picture = {.file = file};
    gully_preview_size(session->world, &picture.width, &picture.height);
    picture.rgb = malloc(3 * (size_t)picture.width * (size_t)picture.height);
    if (!picture.rgb) return gully_fail(GULLY_FAILED, "no memory for %s", file);
    session->pictures[session->picture_count++] = picture;
    return gully_preview_draw(session->world, picture.rgb);
}

/// Takes the snapshots that belong to this moment, each once.
static GullyStatus take_snapshots(Session* session, const char* phase) {
    const Snapshot* row = session->request->snapshots;
    for (; row && row->file; row++) {
        bool now = phase && row->phase ? strcmp(phase, row->phase) == 0 : phase == row->phase;
        for (int i = 0; i < session->picture_count; i++)
            now = now && strcmp(session->pictures[i].file, row->file) != 0;
        GullyStatus status = now ? take_picture(session, row->file) : GULLY_OK;
        if (status != GULLY_OK) return status;
    }
    return GULLY_OK;
}

static void show_progress(const Session* session, const GullyPhase* phase) {
    int64_t done = gully_sim_steps(session->sim), total = gully_scene_steps(session->scene);
    double rate = session->wall_time > 0 ? (double)done / session->wall_time : 0; // [steps/s]
    Progress progress = {
        .label = phase->name[0] ? phase->name : "running",
        .done = done,
        .total = total,
        .speed = rate * (double)session->valid_cells * 1e-6,
        .seconds_left = rate > 0 ? (double)(total - done) / rate : -1,
    };
    progress_show(&progress);
}

/// Runs a phase in chunks of steps that take about as long as an eye blinks.
static void run_phase(Session* session, const GullyPhase* phase, int64_t* done) {
    const double target = 0.075; // [s]
    int64_t chunk = 1;
    show_progress(session, phase);
    while (*done < phase->steps && !interrupt_asked()) {
        if (chunk > phase->steps - *done) chunk = phase->steps - *done;
        double start = clock_seconds();
        gully_sim_step(session->sim, chunk);
        double taken = clock_seconds() - start;
        session->wall_time += taken;
        *done += chunk;
        double fit = (double)chunk * target / fmax(taken, 1e-6);
        chunk = (int64_t)fmin(fmax(fit, 1), 4 * (double)chunk);
        show_progress(session, phase);
    }
}

static GullyStatus simulate(Session* session) {
    GullyStatus status = take_snapshots(session, NULL);
    for (int i = 0; i < gully_scene_phase_count(session->scene) && status == GULLY_OK; i++) {
        const GullyPhase* phase = gully_scene_phase(session->scene, i);
        status = gully_sim_apply(session->sim, phase->settings);
        if (status != GULLY_OK) return gully_fail_in(status, "phase %d (%s)", i + 1, phase->name);
        run_phase(session, phase, &session->phase_steps[i]);
        session->interrupted = session->phase_steps[i] < phase->steps;
        if (session->interrupted) break;
        status = take_snapshots(session, phase->name);
    }
    return status;
}

// ---- writing ------------------------------------------------------------------------------------

/// Path of an output file; NULL with a message if there is no memory. Free it with free().
static char* output_path(const Session* session, const char* name, const char* suffix) {
    const char* folder = session->request->folder;
    size_t size = strlen(folder) + strlen(name) + strlen(suffix) + 2;
    char* path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s%s", folder, name, suffix);
    else
        gully_fail(GULLY_FAILED, "no memory to write %s%s", name, suffix);
    return path;
}

static GullyStatus write_field(const Session* session, GullyField field) {
    float* values = read_field(session, field);
    char* path = output_path(session, gully_field_name(field), ".tif");
    GullyRaster raster = {
        .width = gully_world_width(session->world),
        .height = gully_world_height(session->world),
        .cell_x = gully_world_cell_x(session->world),
        .cell_y = gully_world_cell_y(session->world),
        .georeference = session->georeference,
        .values = values,
    };
    int64_t lost = values ? session->valid_cells - count_finite(session, values) : 0;
    GullyStatus status = GULLY_FAILED;
    if (values && lost > 0)
        gully_fail(GULLY_FAILED,
                   "the run became unstable: %lld cells of %s are no finite number after %lld "
                   "steps; take a smaller dt, without allow_unstable. Nothing has been written",
                   (long long)lost, gully_field_name(field),
                   (long long)gully_sim_steps(session->sim));
    else if (values && path)
        status = gully_raster_write(path, &raster);
    free(path);
    free(values);
    return status;
}

static GullyStatus write_picture(const Session* session, const Picture* picture) {
    char* path = output_path(session, picture->file, "");
    if (!path) return GULLY_FAILED;
    GullyStatus status = gully_picture_write(path, picture->width, picture->height, picture->rgb);
    free(path);
    return status;
}

static GullyStatus write_report(const Session* session, const json_t* report) {
    char* text = json_dumps(report, REPORT_FORMAT);
    char* path = output_path(session, "report", ".json");
    GullyStatus status = gully_fail(GULLY_FAILED, "no memory for the report");
    if (text && path) {
        size_t length = strlen(text);
        text[length++] = '\n'; // in the place of the 0: a text file ends with a line
        status = gully_file_write(path, text, length);
    }
    free(path);
    free(text);
    return status;
}

/// Writes everything to temporary names; the report last.
static GullyStatus write_all(const Session* session, const json_t* report) {
    GullyStatus status = GULLY_OK;
    int items = session_field_count + session->picture_count;
    for (int i = 0; i < items && status == GULLY_OK; i++) {
        if (interrupt_asked() >= 2) return gully_fail(GULLY_FAILED, "interrupted twice: no files");
        status = i < session_field_count
                     ? write_field(session, session_fields[i])
                     : write_picture(session, &session->pictures[i - session_field_count]);
    }
    return status == GULLY_OK ? write_report(session, report) : status;
}

static GullyStatus write_outputs(Session* session, json_t** report) {
    progress_say("writing %s", session->request->folder);
    GullyStatus status = take_picture(session, "preview.png");
    if (status != GULLY_OK) return status;
    *report = report_make(session);
    if (!*report) return gully_fail(GULLY_FAILED, "no memory for the report");
    interrupt_hold(true);
    gully_outputs_begin();
    status = write_all(session, *report);
    if (status == GULLY_OK)
        status = gully_outputs_commit();
    else
        gully_outputs_abandon();
    interrupt_hold(false);
    return status;
}

// ---- all of it ----------------------------------------------------------------------------------

/// Says what came out; returns the exit code.
static int tell(const Session* session, json_t* report) {
    const SessionRequest* request = session->request;
    if (request->json)
        console_json(json_incref(report));
    else if (!request->quiet)
        report_print(session);
    if (!session->interrupted) return EXIT_DONE;
    console_error("interrupted after %lld of %lld steps; what was done until then is in %s",
                  (long long)gully_sim_steps(session->sim),
                  (long long)gully_scene_steps(session->scene), request->folder);
    return EXIT_INTERRUPTED;
}

int session_run(const SessionRequest* request) {
    Session session = {.request = request};
    json_t* report = NULL;
    progress_enable(!request->quiet);
    GullyStatus status = open_session(&session);
    if (status == GULLY_OK) {
        interrupt_watch();
        status = simulate(&session);
    }
    if (status == GULLY_OK) status = write_outputs(&session, &report);
    progress_clear();
    int code = status == GULLY_OK ? tell(&session, report) : console_fail(status);
    if (status != GULLY_OK && interrupt_asked() >= 2) code = EXIT_INTERRUPTED;
    json_decref(report);
    close_session(&session);
    return code;
}
