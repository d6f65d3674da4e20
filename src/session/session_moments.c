// SPDX-License-Identifier: MIT
// The past of a session: moments that are kept while it runs, and the way to any step. Records and
// steps make the same bits again, so between two moments the way is played.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session_commands.h"

/// When moments are kept.
static const double EVERY = 4;    // [s], at most that often
static const double SHARE = 0.01; // of the time
enum { MOST_MOMENTS = 24 };

typedef struct Moment {
    int64_t step;
    size_t records; // before it
    uint64_t hash;  // of those
    SessionState state;
    GullyMoment* kept;
} Moment;

struct Moments {
    Moment list[MOST_MOMENTS + 1]; // by step
    int count;
    double due;      // [s] the next one
    int64_t present; // the step that a journey into the past began at
};

// ---- the list -----------------------------------------------------------------------------------

static void drop(struct Moments* moments, int index) {
    Moment* moment = &moments->list[index];
    gully_moment_release(moment->kept);
    session_state_free(&moment->state);
    moments->count--;
    memmove(moment, moment + 1, (size_t)(moments->count - index) * sizeof *moment);
}

void moments_free(GullySession* session) {
    while (session->moments && session->moments->count > 0)
        drop(session->moments, session->moments->count - 1);
    free(session->moments);
    session->moments = NULL;
}

/// The moment that is missed least: its neighbours are nearest to each other, for their age. The first
/// and the last stay.
static int least_missed(const struct Moments* moments) {
    int least = -1;
    double nearest = 0;
    const double last = (double)moments->list[moments->count - 1].step;
    for (int i = 1; i + 1 < moments->count; i++) {
        double gap = (double)(moments->list[i + 1].step - moments->list[i - 1].step);
        double share = gap / (1 + last - (double)moments->list[i - 1].step);
        if (least >= 0 && share >= nearest) continue;
        nearest = share;
        least = i;
    }
    return least;
}

static void thin(GullySession* session) {
    struct Moments* moments = session->moments;
    const size_t most = gully_editor_most_bytes(session->editor) / 2;
    while (moments->count > MOST_MOMENTS ||
           (moments->count > 2 && gully_editor_bytes(session->editor) > most))
        drop(moments, least_missed(moments));
}

static bool is_known(const GullySession* session, const RecordList* records, int64_t step,
                     size_t count) {
    const struct Moments* moments = session->moments;
    for (int i = 0; i < moments->count; i++) {
        const Moment* moment = &moments->list[i];
        if (moment->step == step && moment->records == count &&
            moment->hash == records_hash(records, count))
            return true;
    }
    return false;
}

void moments_take(GullySession* session) {
    if (!session->moments) session->moments = calloc(1, sizeof *session->moments);
    struct Moments* moments = session->moments;
    const int64_t step = gully_sim_steps(session->sim);
    const size_t count = session->records.count;
    if (!moments || is_known(session, &session->records, step, count)) return;
    Moment moment = {.step = step,
                     .records = count,
                     .hash = records_hash(&session->records, count),
                     .state = session_state_copy(&session->state)};
    if (gully_editor_moment(session->editor, &moment.kept)) { // then there is one fewer
        session_state_free(&moment.state);
        return;
    }
    int place = moments->count++;
    for (; place > 0 && moments->list[place - 1].step > step; place--)
        moments->list[place] = moments->list[place - 1];
    moments->list[place] = moment;
    thin(session);
}

void moments_keep(GullySession* session) {
    struct Moments* moments = session->moments;
    const double now = session_clock();
    if (!moments || now < moments->due || session->state.stroke || session->state.held) return;
    moments_take(session);
    // The cells are copied later, about a gigabyte in a second.
    const double each = (double)gully_world_cells(session->world) * 100e-9;
    moments->due = now + (each / SHARE > EVERY ? each / SHARE : EVERY);
}

/// Whether a moment is one of what records say.
static bool belongs(const Moment* moment, const RecordList* records) {
    if (moment->records > records->count || moment->hash != records_hash(records, moment->records))
        return false;
    return moment->records == records->count ||
           records->items[moment->records].step >= moment->step;
}

/// The last moment up to a step; NULL = there is none.
static const Moment* find_moment(const GullySession* session, int64_t step) {
    const struct Moments* moments = session->moments;
    for (int i = moments ? moments->count - 1 : -1; i >= 0; i--) {
        const Moment* moment = &moments->list[i];
        if (moment->step <= step && belongs(moment, &session->records)) return moment;
    }
    return NULL;
}

const GullyMoment* moments_first(const GullySession* session) {
    const struct Moments* moments = session->moments;
    return moments && moments->count > 0 ? moments->list[0].kept : NULL;
}

// ---- as JSON ------------------------------------------------------------------------------------

json_t* moments_json(const GullySession* session) {
    json_t* list = json_array();
    const struct Moments* moments = session->moments;
    for (int i = 0; moments && i < moments->count; i++) {
        if (i == 0 || moments->list[i].step > moments->list[i - 1].step)
            json_array_append_new(list, json_integer(moments->list[i].step));
    }
    return list;
}

/// Whether the last thing that was done was to go to a step.
static bool travels(const GullySession* session) {
    return strcmp(session->last, "seek") == 0 && gully_editor_undo_name(session->editor);
}

int64_t moments_reach(const GullySession* session) {
    const int64_t step = gully_sim_steps(session->sim);
    return travels(session) && session->moments->present > step ? session->moments->present : step;
}

// ---- going --------------------------------------------------------------------------------------

/// Goes to a moment: an entry of the history that has the records after it on its other side.
static GullyStatus go(GullySession* session, const Moment* moment, const char* name) {
    RecordList left = {0};
    const SessionState before = session->state;
    const size_t count = moment->records;
    if (!records_reserve(&left, session->records.count - count) || history_reserve(session)) {
        records_free(&left);
        return gully_fail(GULLY_NO_MEMORY, "no memory for the records");
    }
    GullyStatus status = gully_editor_go(session->editor, moment->kept, name);
    if (status) {
        records_free(&left);
        return status;
    }
    for (size_t i = count; i < session->records.count; i++)
        records_push(&left, session->records.items[i].text, session->records.items[i].step);
    session->records.count = count;
    session->state = session_state_copy(&moment->state);
    history_push(session, (SessionEntry){.base = count, .records = left, .state = before});
    return GULLY_OK;
}

/// Changes that a journey to the start leaves as they are.
static GullyStatus keep_changes(GullySession* session, const json_t* changes) {
    if (json_equal(changes, session->state.changes)) return GULLY_OK;
    json_t* object =
        json_pack("{s:s, s:s, s:O}", "do", "change", "name", "as it was", "all", changes);
    GullyStatus status = object ? session_perform(session, object, NULL)
                                : gully_fail(GULLY_NO_MEMORY, "no memory for a change");
    json_decref(object);
    return status;
}

/// From the moment on to the step. The last entry of the history has what is to be played.
static GullyStatus play_on(GullySession* session, int64_t step, bool keep) {
    const SessionEntry entry = session->history.items[session->history.count - 1];
    const bool replays = session->replays;
    session->replays = true;
    GullyStatus status = session_play(session, &entry.records, 0, step);
    if (!status && keep) status = keep_changes(session, entry.state.changes);
    session->replays = replays;
    return status;
}

GullyStatus do_seek(Command* command) {
    GullySession* session = command->session;
    int64_t step;
    bool near = false, keep = false;
    GullyStatus status = command_integer(command, "step", 0, moments_reach(session), &step);
    if (!status) status = command_flag(command, "near", &near);
    if (!status) status = command_flag(command, "keep", &keep);
    if (!status && travels(session)) status = session_undo(session); // one journey, one entry
    if (status) return status;
    step = step < session->first ? session->first : step;
    const int64_t present = gully_sim_steps(session->sim);
    const Moment* moment = find_moment(session, step);
    if (!moment)
        return command_fail(command, "step", "this far back nothing is kept; allowed: later steps");
    if (near) step = moment->step;
    char name[48];
    snprintf(name, sizeof name, step == session->first ? "Back to the start" : "Back to step %lld",
             (long long)step);
    const size_t base = moment->records;
    status = go(session, moment, name);
    if (status) return status;
    status = play_on(session, step, keep);
    keeper_record(session, base, true, true);
    if (status) {
        char message[512];
        snprintf(message, sizeof message, "%s", gully_message());
        session_undo(session);
        return gully_fail(status, "%s", message);
    }
    session->moments->present = present;
    snprintf(session->last, sizeof session->last, "seek");
    json_object_set_new(command->reply, "step", json_integer(gully_sim_steps(session->sim)));
    return GULLY_OK;
}
