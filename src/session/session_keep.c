// SPDX-License-Identifier: MIT
// The folder in which a session is kept as it goes: its journal line by line, a checkpoint now and
// then.
//
// What cannot be written (a full disk) does not stop a session: gully_session_keep() says so and
// tries again. The journal is a new file each time that it is begun, so another session that
// replaces this one in its folder is not disturbed.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "gully/checkpoint.h"
#include "session_inside.h"

enum { KEPT = 3 };                // checkpoints
static const double EVERY = 20;   // seconds from one to the next,
static const double SHARE = 0.02; // and as much of the time as copying the state may take
static const double LATER = 80;   // seconds until it is tried again without memory for a copy

struct Keeper {
    char* folder;
    int journal;  // its descriptor
    bool broken;  // the journal lacks something, or a raster
    int64_t step; // that it has
    // Checkpoints.
    double due;             // by the clock [s]
    int64_t number;         // of the next
    int64_t taken_step;     // of the last,
    uint64_t taken_records; // and the hash of its records
    bool runs;              // a thread writes one, or has written it
    atomic_bool done;       // it has
    pthread_t thread;
    bool threaded; ///< it writes; else whoever keeps the session did
    GullyCheckpoint* taken;
    char* target;
    GullyStatus status; // of the writing
    char message[512];
};

// ---- the journal --------------------------------------------------------------------------------

static void append(Keeper* keeper, const char* text, size_t size) {
    if (keeper->broken) return; // a line may be torn: nothing can follow it
    if (!text || keeper->journal < 0 || gully_descriptor_write(keeper->journal, text, size) != 0)
        keeper->broken = true;
}

/// Writes the whole journal anew, under its name when it is whole, and goes on at its end.
static GullyStatus rewrite(GullySession* session) {
    Keeper* keeper = session->keeper;
    size_t size;
    char* path = session_path(keeper->folder, JOURNAL_FILE);
    char* text = journal_lines(session, -1, 0, NULL, false, &size);
    GullyStatus status = stock_write_used(&session->stock, keeper->folder);
    if (!status && path && text)
        status = gully_file_write(path, text, size);
    else if (!status)
        status = gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", keeper->folder);
    int journal = status ? -1 : open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (!status && journal < 0)
        status = gully_fail(GULLY_IO, "%s: cannot be written: %s", path, strerror(errno));
    if (!status) {
        if (keeper->journal >= 0) close(keeper->journal);
        keeper->journal = journal;
        keeper->broken = false;
        keeper->step = gully_sim_steps(session->sim);
    }
    free(path);
    free(text);
    return status;
}

void keeper_record(GullySession* session, size_t from, bool cut, bool travels) {
    Keeper* keeper = session->keeper;
    size_t size;
    if (!keeper) return;
    char* text = journal_lines(session, cut ? (int64_t)from : -1, from, NULL, false, &size);
    append(keeper, text, size);
    free(text);
    keeper->step = gully_sim_steps(session->sim);
    if (travels) keeper->due = 0; // the last checkpoints may be of what is gone
}

void keeper_use(GullySession* session, const StockItem* item) {
    Keeper* keeper = session->keeper;
    if (keeper && stock_write(item, keeper->folder)) keeper->broken = true;
}

// ---- checkpoints --------------------------------------------------------------------------------

static void* write_taken(void* context) {
    Keeper* keeper = context;
    keeper->status = gully_checkpoint_write(keeper->taken, keeper->target, 1, NULL);
    snprintf(keeper->message, sizeof keeper->message, "%s", gully_message());
    gully_checkpoint_close(keeper->taken);
    keeper->taken = NULL;
    keeper->done = true;
    return NULL;
}

static void remove_old(const Keeper* keeper) {
    enum { MOST = 64 };
    int64_t numbers[MOST];
    int count = session_checkpoints(keeper->folder, numbers, MOST);
    for (int i = KEPT; i < count; i++) {
        char* path = session_checkpoint_path(keeper->folder, numbers[i]);
        if (path) unlink(path);
        free(path);
    }
}

/// Ends with the checkpoint that was being written, after waiting for it.
static GullyStatus settle(Keeper* keeper) {
    if (!keeper->runs) return GULLY_OK;
    if (keeper->threaded) pthread_join(keeper->thread, NULL);
    keeper->runs = false;
    free(keeper->target);
    keeper->target = NULL;
    if (keeper->status) return gully_fail(keeper->status, "%s", keeper->message);
    remove_old(keeper);
    return GULLY_OK;
}

/// Whether the last checkpoint is of this moment.
static bool is_taken(const GullySession* session) {
    const Keeper* keeper = session->keeper;
    return keeper->taken_step == gully_sim_steps(session->sim) &&
           keeper->taken_records == records_hash(&session->records, session->records.count);
}

static void note_taken(GullySession* session) {
    Keeper* keeper = session->keeper;
    keeper->taken_step = gully_sim_steps(session->sim);
    keeper->taken_records = records_hash(&session->records, session->records.count);
}

/// Copies the state and has it written beside the simulation.
static GullyStatus begin_checkpoint(GullySession* session) {
    Keeper* keeper = session->keeper;
    double start = session_clock();
    keeper->due = start + LATER;
    if (!gully_checkpoint_fits(session->sim)) return GULLY_OK;
    char* note = session_note(session);
    keeper->target = session_checkpoint_path(keeper->folder, keeper->number);
    GullyStatus status = note && keeper->target ? GULLY_OK : GULLY_NO_MEMORY;
    if (!status)
        status = gully_checkpoint_take(session->sim, note, gully_sim_threads(session->sim),
                                       &keeper->taken);
    free(note);
    keeper->done = false;
    keeper->threaded = !status && pthread_create(&keeper->thread, NULL, write_taken, keeper) == 0;
    if (!status && !keeper->threaded) write_taken(keeper); // then the simulation waits for it
    if (status) {
        free(keeper->target);
        keeper->target = NULL;
        return status;
    }
    keeper->runs = true;
    keeper->number++;
    note_taken(session);
    double pause = (session_clock() - start) / SHARE;
    keeper->due = start + (pause > EVERY ? pause : EVERY);
    return GULLY_OK;
}

GullyStatus gully_session_keep(GullySession* session) {
    Keeper* keeper = session->keeper;
    moments_keep(session);
    if (!keeper) return GULLY_OK;
    GullyStatus status = keeper->broken ? rewrite(session) : GULLY_OK;
    if (!status && keeper->step != gully_sim_steps(session->sim)) {
        size_t size;
        char* text = journal_lines(session, -1, session->records.count, NULL, false, &size);
        append(keeper, text, size);
        free(text);
        keeper->step = gully_sim_steps(session->sim);
        if (keeper->broken) status = rewrite(session);
    }
    if (keeper->runs && keeper->done) {
        GullyStatus written = settle(keeper);
        if (!status) status = written;
    }
    // Within a stroke the editor knows what no checkpoint has.
    bool due = session_clock() >= keeper->due && !session->state.stroke && !is_taken(session);
    if (!status && due && !keeper->runs) status = begin_checkpoint(session);
    return status;
}

// ---- the folder ---------------------------------------------------------------------------------

static bool same_folder(const char* a, const char* b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

bool keeper_is_at(const GullySession* session, const char* folder) {
    return session->def.folder && same_folder(session->def.folder, folder);
}

GullyStatus keeper_create(GullySession* session, bool same) {
    const char* folder = session->def.folder;
    GullyStatus status = gully_folder_make(folder);
    if (status) return status;
    gully_folder_tidy(folder);
    if (!same) {
        session_folder_clear(folder);
        status = session_start_write(session, folder, true);
        if (!status) status = session_file_write(session, folder);
        if (status) return status;
    }
    Keeper* keeper = calloc(1, sizeof *keeper);
    if (!keeper) return gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", folder);
    session->keeper = keeper;
    keeper->folder = strdup(folder);
    keeper->journal = -1;
    keeper->taken_step = -1;
    bool fresh = gully_sim_steps(session->sim) == session->first && session->records.count == 0;
    keeper->due = same || fresh ? session_clock() + EVERY : 0;
    int64_t newest;
    keeper->number = session_checkpoints(folder, &newest, 1) > 0 ? newest + 1 : 1;
    status = keeper->folder ? rewrite(session)
                            : gully_fail(GULLY_NO_MEMORY, "%s: not enough memory", folder);
    if (status) keeper_destroy(session, false);
    return status;
}

/// A last line with the hashes of the fields.
static void append_hashes(GullySession* session, bool closed) {
    size_t size;
    json_t* hashes = session_hashes(session);
    char* text = journal_lines(session, -1, session->records.count, hashes, closed, &size);
    append(session->keeper, text, size);
    free(text);
    json_decref(hashes);
}

void keeper_destroy(GullySession* session, bool closed) {
    Keeper* keeper = session->keeper;
    if (!keeper) return;
    settle(keeper);
    if (closed && keeper->broken) rewrite(session);
    if (closed) append_hashes(session, true);
    if (keeper->journal >= 0) close(keeper->journal);
    free(keeper->folder);
    free(keeper);
    session->keeper = NULL;
}

GullyStatus keeper_save(GullySession* session) {
    Keeper* keeper = session->keeper;
    settle(keeper);
    GullyStatus status = rewrite(session);
    if (!status) status = session_checkpoint_write(session, keeper->folder, keeper->number);
    if (status) return status;
    keeper->number++;
    keeper->due = session_clock() + EVERY;
    note_taken(session);
    remove_old(keeper);
    append_hashes(session, false);
    return GULLY_OK;
}
