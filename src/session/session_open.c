// SPDX-License-Identifier: MIT
// Going on with a session: from the newest checkpoint that belongs to it, or from its beginning,
// and from there by playing what follows.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gully/checkpoint.h"
#include "session_inside.h"

// ---- playing ------------------------------------------------------------------------------------

typedef struct Playing {
    GullySession* session;
    int64_t first, last; // steps
    int64_t chunk;
} Playing;

static GullyStatus show(const Playing* playing) {
    const GullySessionDef* def = &playing->session->def;
    int64_t done = gully_sim_steps(playing->session->sim) - playing->first;
    int64_t total = playing->last - playing->first;
    double share = total > 0 ? (double)done / (double)total : 1;
    if (!def->progress || def->progress(def->context, share)) return GULLY_OK;
    return gully_fail(GULLY_CANCELLED, "the session was not opened: it was given up");
}

/// Steps until `step`, with a word about it now and then.
static GullyStatus play_until(Playing* playing, int64_t step) {
    const double target = 0.1; // seconds from one word to the next
    GullySession* session = playing->session;
    GullyStatus status = show(playing);
    while (!status && gully_sim_steps(session->sim) < step) {
        int64_t left = step - gully_sim_steps(session->sim), block = gully_sim_block(session->sim);
        int64_t chunk = playing->chunk < left ? playing->chunk : left;
        double start = session_clock();
        status = gully_session_step(session, chunk);
        if (status) return status;
        double fit = (double)chunk * target / fmax(session_clock() - start, 1e-6);
        playing->chunk = (int64_t)fmin(fmax(fit, 1), 4 * (double)playing->chunk);
        playing->chunk = (playing->chunk + block - 1) / block * block;
        status = show(playing);
    }
    return status;
}

static GullyStatus play_record(GullySession* session, const Record* record, size_t index) {
    json_t* object = record_object(record);
    GullyStatus status = object ? session_perform(session, object, NULL)
                                : gully_fail(GULLY_BAD_INPUT, "it cannot be read");
    json_decref(object);
    return status ? gully_fail_in(status, "record %zu, at step %lld", index + 1,
                                  (long long)record->step)
                  : GULLY_OK;
}

GullyStatus session_play(GullySession* session, const RecordList* records, size_t from,
                         int64_t step) {
    Playing playing = {
        .session = session, .first = gully_sim_steps(session->sim), .last = step, .chunk = 1};
    GullyStatus status = GULLY_OK;
    for (size_t i = from; i < records->count && records->items[i].step <= step && !status; i++) {
        status = play_until(&playing, records->items[i].step);
        if (!status) status = play_record(session, &records->items[i], i);
    }
    return status ? status : play_until(&playing, step);
}

// ---- checkpoints --------------------------------------------------------------------------------

/// Whether a checkpoint is a moment of what the journal says, and how many records came before it.
static bool belongs(const GullySession* session, const Journal* journal, const json_t* note,
                    int64_t step, size_t* count) {
    const char* id = json_string_value(json_object_get(note, "session"));
    const char* hash = json_string_value(json_object_get(note, "hash"));
    json_int_t records = json_integer_value(json_object_get(note, "records"));
    const RecordList* list = &journal->records;
    char expected[32];
    if (!id || strcmp(id, session->id) != 0 || !hash || records < 0) return false;
    if ((size_t)records > list->count || step > journal->step) return false;
    *count = (size_t)records;
    snprintf(expected, sizeof expected, "%016llx", (unsigned long long)records_hash(list, *count));
    if (strcmp(hash, expected) != 0) return false;
    if (*count > 0 && list->items[*count - 1].step > step) return false;
    if (*count == list->count) return true;
    // Of a stroke that goes on the checkpoint does not have all.
    bool stroke = json_is_true(json_object_get(json_object_get(note, "state"), "stroke"));
    bool goes_on = strstr(list->items[*count].text, "\"do\":\"more\"") != NULL;
    return list->items[*count].step >= step && !(stroke && goes_on);
}

/// Gives the session the records that came before a checkpoint.
static GullyStatus take_records(GullySession* session, const Journal* journal, size_t count) {
    records_cut(&session->records, 0);
    if (!records_reserve(&session->records, count))
        return gully_fail(GULLY_NO_MEMORY, "no memory for %zu records", count);
    for (size_t i = 0; i < count; i++) {
        char* text = strdup(journal->records.items[i].text);
        if (!text) return gully_fail(GULLY_NO_MEMORY, "no memory for %zu records", count);
        records_push(&session->records, text, journal->records.items[i].step);
    }
    return GULLY_OK;
}

static bool go_on_from(GullySession* session, const Journal* journal, const char* path) {
    GullyCheckpoint* checkpoint;
    SessionState state = {0};
    size_t count;
    int threads = session->def.threads > 0 ? session->def.threads : 2;
    if (gully_checkpoint_open(path, threads, &checkpoint)) return false;
    json_t* note = json_loads(gully_checkpoint_note(checkpoint), 0, NULL);
    bool fits = belongs(session, journal, note, gully_checkpoint_info(checkpoint)->steps, &count) &&
                session_state_parse(session, json_object_get(note, "state"), &state) == GULLY_OK;
    json_decref(note);
    bool done = fits && session_build(session, &state, checkpoint) == GULLY_OK &&
                take_records(session, journal, count) == GULLY_OK;
    session_state_free(&state);
    gully_checkpoint_close(checkpoint);
    return done;
}

/// Goes on from the newest checkpoint that is whole and belongs to the session; false if there is
/// none.
static bool find_checkpoint(GullySession* session, const Journal* journal, const char* folder) {
    enum { MOST = 64 };
    int64_t numbers[MOST];
    int count = session_checkpoints(folder, numbers, MOST);
    bool found = false;
    for (int i = 0; i < count && !found; i++) {
        char* path = session_checkpoint_path(folder, numbers[i]);
        found = path && go_on_from(session, journal, path);
        free(path);
    }
    return found;
}

// ---- all of it ----------------------------------------------------------------------------------

/// Reads the rasters and copies that the records use.
static GullyStatus read_stock(GullySession* session, const Journal* journal, const char* folder) {
    GullyStatus status = GULLY_OK;
    for (size_t i = 0; i < journal->records.count && !status; i++) {
        if (!strstr(journal->records.items[i].text, "\"do\":\"stamp\"") &&
            !strstr(journal->records.items[i].text, "\"do\":\"paste\""))
            continue;
        json_t* object = record_object(&journal->records.items[i]);
        const char* raster = json_string_value(json_object_get(object, "raster"));
        const char* clip = json_string_value(json_object_get(object, "clip"));
        if (raster) status = stock_read(&session->stock, folder, raster, false);
        if (clip && !status) status = stock_read(&session->stock, folder, clip, true);
        json_decref(object);
    }
    return status;
}

/// Nobody holds a brush any more. What was done until here is what the records say.
static GullyStatus let_go(GullySession* session) {
    const char* names[] = {session->state.stroke ? "end" : NULL,
                           session->state.held ? "release" : NULL};
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < 2 && !status; i++) {
        json_t* object = names[i] ? json_pack("{s:s}", "do", names[i]) : NULL;
        if (object) status = session_perform(session, object, NULL);
        json_decref(object);
    }
    session->last[0] = '\0';
    session->replays = false;
    return status;
}

static GullyStatus bring_back(GullySession* session, const Journal* journal, const char* folder,
                              bool from_start) {
    session->replays = true;
    GullyStatus status = read_stock(session, journal, folder);
    if (!status && (from_start || !find_checkpoint(session, journal, folder)))
        status = session_build(session, NULL, NULL);
    if (!status)
        status = session_play(session, &journal->records, session->records.count, journal->step);
    return status ? status : let_go(session);
}

static GullyStatus open_session(const char* folder, const GullySessionDef* def, bool from_start,
                                GullySession** out) {
    assert(folder && def && out);
    GullySession* session;
    Journal journal = {0};
    *out = NULL;
    GullyStatus status = gully_def_check(def->made, "gully_session_def");
    if (!status) status = session_file_read(folder, def, &session);
    if (status) return status;
    status = journal_read(folder, &journal);
    if (!status) {
        status = bring_back(session, &journal, folder, from_start);
        if (status) gully_fail_in(status, "%s", folder);
    }
    if (!status && def->folder) status = keeper_create(session, keeper_is_at(session, folder));
    journal_free(&journal);
    if (status)
        gully_session_destroy(session);
    else
        *out = session;
    return status;
}

GullyStatus gully_session_open(const char* folder, const GullySessionDef* def, GullySession** out) {
    return open_session(folder, def, false, out);
}

GullyStatus gully_session_replay(const char* folder, const GullySessionDef* def,
                                 GullySession** out) {
    return open_session(folder, def, true, out);
}
