// SPDX-License-Identifier: MIT
// The files of a run. Each is a job of its own, so that all threads write; a job holds a band of one
// field.
#include "outputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "interrupt.h"
#include "report.h"

/// A job at the end of a run.
typedef struct Output {
    Job job;
    Session* session;
    GullyOutputs* set; ///< that its file belongs to
    GullyStatus (*write)(Session* session, GullyOutputs* set, int index);
    int index; ///< of the field or picture
} Output;

/// Path of an output file; NULL with a message if there is no memory. Free it with free().
static char* output_path(const Session* session, const char* name, const char* suffix) {
    const char* folder = session->request->folder;
    size_t size = strlen(folder) + strlen(name) + strlen(suffix) + 2;
    char* path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s%s", folder, name, suffix);
    else
        gully_fail(GULLY_NO_MEMORY, "no memory to write %s%s", name, suffix);
    return path;
}

// ---- pictures -----------------------------------------------------------------------------------

/// Makes the PNG of what was taken from the world.
static GullyStatus draw_picture(void* context) {
    Picture* picture = context;
    GullyStatus status = gully_preview_encode(picture->preview, &picture->bytes, &picture->size);
    gully_preview_destroy(picture->preview);
    picture->preview = NULL;
    return status == GULLY_OK ? status : gully_fail_in(status, "%s", picture->file);
}

/// A new picture of the session, still without content; NULL with a message if there are too many.
static Picture* add_picture(Session* session, const char* file) {
    if (session->picture_count == SESSION_PICTURES) {
        gully_fail(GULLY_FAILED, "%s: more than %d pictures", file, SESSION_PICTURES);
        return NULL;
    }
    Picture* picture = &session->pictures[session->picture_count++];
    *picture = (Picture){.file = file};
    return picture;
}

/// Takes what the last picture shows, and lets it be drawn.
static GullyStatus take_picture(void* context) {
    const Session* session = context;
    Picture* picture = (Picture*)&session->pictures[session->picture_count - 1];
    GullyStatus status = gully_preview_create(session->world, &picture->preview);
    if (status != GULLY_OK) return gully_fail_in(status, "%s", picture->file);
    picture->job = (Job){.run = draw_picture, .context = picture};
    background_add(session->background, &picture->job);
    return GULLY_OK;
}

GullyStatus outputs_take_picture(Session* session, const char* file) {
    Picture* picture = add_picture(session, file);
    if (!picture) return GULLY_FAILED;
    return gully_world_lead(session->world, 0, take_picture, session);
}

/// Writes a picture that is drawn.
static GullyStatus write_picture(Session* session, GullyOutputs* set, int index) {
    const Picture* picture = &session->pictures[index];
    char* path = output_path(session, picture->file, "");
    if (!path) return GULLY_NO_MEMORY;
    GullyStatus status = gully_outputs_file(set, path, picture->bytes, picture->size);
    free(path);
    return status;
}

/// Takes, draws and writes a picture of the end.
static GullyStatus write_preview(Session* session, GullyOutputs* set, int index) {
    Picture* picture = &session->pictures[index];
    GullyStatus status = gully_preview_create(session->world, &picture->preview);
    if (status != GULLY_OK) return gully_fail_in(status, "%s", picture->file);
    status = draw_picture(picture);
    return status == GULLY_OK ? write_picture(session, set, index) : status;
}

// ---- rasters ------------------------------------------------------------------------------------

/// A field on its way into a file.
typedef struct FieldRows {
    const Session* session;
    GullyField field;
    int64_t finite; ///< cells so far
} FieldRows;

static GullyStatus read_field(void* context, int y, int count, float* out) {
    FieldRows* rows = context;
    GullyRect rect = {0, y, gully_world_width(rows->session->world), count};
    GullyStatus status = gully_world_read(rows->session->world, rows->field, rect, out);
    size_t cells = status == GULLY_OK ? (size_t)count * (size_t)rect.width : 0;
    for (size_t i = 0; i < cells; i++)
        rows->finite += isfinite(out[i]) != 0;
    return status;
}

/// Adds up the finite cells of all ranks.
static GullyStatus add_up_finite(const GullyRanks* ranks, int64_t* finite) {
    int64_t* all = malloc((size_t)ranks->count * sizeof *all);
    GullyStatus status = gully_ranks_agree(
        ranks,
        all ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for %d ranks", ranks->count));
    if (status == GULLY_OK) status = ranks->gather(ranks->context, finite, sizeof *finite, all);
    *finite = 0;
    for (int rank = 0; rank < ranks->count && status == GULLY_OK; rank++)
        *finite += all[rank];
    free(all);
    return status;
}

static GullyStatus check_finite(const FieldRows* rows, const char* name) {
    int64_t lost = rows->session->valid_cells - rows->finite;
    if (lost <= 0) return GULLY_OK;
    return gully_fail(GULLY_FAILED,
                      "the run became unstable: %lld cells of %s are no finite number after %lld "
                      "steps; take a smaller dt, without allow_unstable. Nothing has been written",
                      (long long)lost, name, (long long)gully_sim_steps(rows->session->sim));
}

/// What rank 0 does for all of them.
typedef struct LeadWork {
    Session* session;
    GullyOutputs* set;
    int index;
    GullyStatus (*write)(Session* session, GullyOutputs* set, int index);
} LeadWork;

static GullyStatus do_work(void* context) {
    const LeadWork* work = context;
    return work->write(work->session, work->set, work->index);
}

static GullyStatus lead(Session* session, GullyOutputs* set, int index,
                        GullyStatus (*write)(Session* session, GullyOutputs* set, int index)) {
    LeadWork work = {session, set, index, write};
    return gully_world_lead(session->world, 0, do_work, &work);
}

static GullyStatus write_raster(Session* session, GullyOutputs* set, int index) {
    const SessionField* row = &session->fields[index];
    char* path = output_path(session, row->name, ".tif");
    if (!path) return GULLY_NO_MEMORY;
    GullyRaster raster = {
        .width = gully_world_width(session->world),
        .height = gully_world_height(session->world),
        .cell_x = gully_world_cell_x(session->world),
        .cell_y = gully_world_cell_y(session->world),
        .georeference = session->georeference,
    };
    gully_raster_describe(&raster, row->name, gully_field_unit(row->field));
    FieldRows field = {.session = session, .field = row->field};
    GullyRows rows = {.read = read_field, .context = &field};
    const GullyRect own = gully_world_own(session->world);
    GullyStatus status = session_shares(session)
                             ? gully_outputs_shared(set, session->ranks, own.y, own.y + own.height,
                                                    path, &raster, &rows)
                             : gully_outputs_rows(set, path, &raster, &rows);
    free(path);
    if (status == GULLY_OK) status = add_up_finite(session->ranks, &field.finite);
    return status == GULLY_OK ? check_finite(&field, row->name) : status;
}

static GullyStatus write_field(Session* session, GullyOutputs* set, int index) {
    SessionField* row = &session->fields[index];
    GullyStatus status = write_raster(session, set, index);
    if (status == GULLY_OK) row->hash = gully_world_hash(session->world, row->field);
    return status;
}

static GullyStatus write_last(Session* session, GullyOutputs* set, int index) {
    return lead(session, set, index, write_preview);
}

// ---- the report ---------------------------------------------------------------------------------

static GullyStatus add_up_budget(Session* session, GullyOutputs* set, int index) {
    (void)set, (void)index;
    session_weigh(session, session->materials_after);
    GullyStatus status = gully_sim_levels(session->sim, &session->levels);
    return status == GULLY_OK ? gully_sim_budget(session->sim, &session->budget) : status;
}

static GullyStatus write_report(const Session* session, GullyOutputs* set, const json_t* report) {
    char* text = json_dumps(report, REPORT_FORMAT);
    char* path = output_path(session, "report", ".json");
    GullyStatus status = gully_fail(GULLY_NO_MEMORY, "no memory for the report");
    if (text && path) {
        size_t length = strlen(text);
        text[length++] = '\n'; // in the place of the 0: a text file ends with a line
        status = gully_outputs_file(set, path, text, length);
    }
    free(path);
    free(text);
    return status;
}

// ---- all of it ----------------------------------------------------------------------------------

static GullyStatus run_output(void* context) {
    Output* output = context;
    if (interrupt_asked() >= 2) return gully_fail(GULLY_CANCELLED, "interrupted twice: no files");
    return output->write(output->session, output->set, output->index);
}

/// The jobs of the end, in the order in which they begin.
typedef struct OutputList {
    Output items[SESSION_FIELDS + SESSION_PICTURES + 1];
    int count;
    GullyStatus status; ///< of ranks, which do not leave them to the background
} OutputList;

static void add_output(OutputList* list, GullyOutputs* set, Session* session,
                       GullyStatus (*write)(Session*, GullyOutputs*, int), int index) {
    Output* output = &list->items[list->count++];
    *output = (Output){.session = session, .set = set, .write = write, .index = index};
    output->job = (Job){.run = run_output, .context = output};
    if (!session_shares(session)) {
        background_add(session->background, &output->job);
    } else if (list->status == GULLY_OK) { // ranks do the same in the same order
        list->status = gully_ranks_agree(session->ranks, run_output(output));
    }
}

static GullyStatus wait_for(const OutputList* list, const Session* session) {
    GullyStatus status = background_wait(session->background);
    return list->status ? list->status : status;
}

/// Writes all but the report to temporary names. The preview takes longest, so it is first; the
/// pictures taken on the way are drawn when the rest is written.
static GullyStatus write_files(Session* session, GullyOutputs* set) {
    OutputList* list = calloc(1, sizeof *list);
    if (!list) return gully_fail(GULLY_NO_MEMORY, "no memory for the outputs");
    bool preview = output_chosen(session->request->outputs, "preview");
    int snapshots = session->picture_count - preview;
    if (preview) add_output(list, set, session, write_last, snapshots);
    for (int i = 0; i < session->field_count; i++)
        add_output(list, set, session, write_field, i);
    add_output(list, set, session, add_up_budget, 0);
    GullyStatus status = wait_for(list, session);
    for (int i = 0; i < snapshots && status == GULLY_OK && session_speaks(session); i++)
        add_output(list, set, session, write_picture, i);
    if (status == GULLY_OK) status = wait_for(list, session);
    free(list);
    return status;
}

/// Writes everything to temporary names; the report last.
static GullyStatus write_all(Session* session, GullyOutputs* set, json_t** report) {
    double start = clock_seconds();
    GullyStatus status = write_files(session, set);
    session->times.write = clock_seconds() - start;
    if (status != GULLY_OK) return status;
    *report = report_make(session);
    if (!*report) return gully_fail(GULLY_NO_MEMORY, "no memory for the report");
    return session_speaks(session) ? write_report(session, set, *report) : GULLY_OK;
}

GullyStatus outputs_write(Session* session, json_t** report) {
    progress_say("writing %s", session->request->folder);
    bool preview = output_chosen(session->request->outputs, "preview");
    if (preview && !add_picture(session, "preview.png")) return GULLY_FAILED;
    interrupt_hold(true);
    GullyOutputs* set;
    GullyStatus status = gully_outputs_create(&set);
    if (status == GULLY_OK) status = write_all(session, set, report);
    status = gully_ranks_agree(session->ranks, status);
    if (status == GULLY_OK)
        status = gully_outputs_commit(set);
    else
        gully_outputs_abandon(set);
    interrupt_hold(false);
    return status;
}
