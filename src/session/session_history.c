// SPDX-License-Identifier: MIT
// Records, and the way back. The editor keeps the world of each entry of its history; the session
// keeps beside it how many records there were and what it had changed of the scene.
#include <stdlib.h>
#include <string.h>

#include "checkpoint_format.h"
#include "session_inside.h"

// ---- records ------------------------------------------------------------------------------------

bool records_reserve(RecordList* list, size_t more) {
    if (list->count + more <= list->capacity) return true;
    size_t capacity = 2 * list->capacity + more + 16;
    Record* items = realloc(list->items, capacity * sizeof *items);
    if (!items) return false;
    list->items = items;
    list->capacity = capacity;
    return true;
}

uint64_t records_hash(const RecordList* list, size_t count) {
    return count > 0 ? list->items[count - 1].hash : 0;
}

void records_push(RecordList* list, char* text, int64_t step) {
    uint64_t hash = chunk_bytes_hash(text, strlen(text), records_hash(list, list->count));
    list->items[list->count++] = (Record){text, step, hash};
}

void records_cut(RecordList* list, size_t count) {
    while (list->count > count)
        free(list->items[--list->count].text);
}

void records_free(RecordList* list) {
    records_cut(list, 0);
    free(list->items);
    *list = (RecordList){0};
}

json_t* record_object(const Record* record) {
    json_t* object = json_loads(record->text, 0, NULL);
    json_object_del(object, "step");
    return object;
}

// ---- entries ------------------------------------------------------------------------------------

enum { MOST_ENTRIES = 4096 }; // that can be undone, if the editor's memory is enough for them

static void free_entry(SessionEntry* entry) {
    session_state_free(&entry->state);
    records_free(&entry->records);
}

void history_free(SessionHistory* history) {
    for (size_t i = 0; i < history->count; i++)
        free_entry(&history->items[i]);
    free(history->items);
    *history = (SessionHistory){0};
}

GullyStatus history_reserve(GullySession* session) {
    SessionHistory* history = &session->history;
    if (history->count < history->capacity) return GULLY_OK;
    size_t capacity = 2 * history->capacity + 64;
    SessionEntry* items = realloc(history->items, capacity * sizeof *items);
    if (!items) return gully_fail(GULLY_NO_MEMORY, "no memory for the history");
    history->items = items;
    history->capacity = capacity;
    return GULLY_OK;
}

void history_follow(GullySession* session, const SessionState* before, size_t records) {
    SessionHistory* history = &session->history;
    size_t depth = (size_t)gully_editor_depth(session->editor);
    if (depth == 0 || (depth <= history->count && !history->items[depth - 1].undone))
        return;                     // no new entry
    while (history->count >= depth) // what could be redone is gone
        free_entry(&history->items[--history->count]);
    if (history_reserve(session)) return;
    history->items[history->count++] =
        (SessionEntry){.base = records, .state = session_state_copy(before)};
    if (history->count > MOST_ENTRIES)
        free_entry(&history->items[history->count - 1 - MOST_ENTRIES]);
}

void history_push(GullySession* session, SessionEntry entry) {
    SessionHistory* history = &session->history;
    const size_t depth = (size_t)gully_editor_depth(session->editor);
    while (history->count >= depth)
        free_entry(&history->items[--history->count]);
    history->items[history->count++] = entry;
}

// ---- undo and redo ------------------------------------------------------------------------------

/// The editor has let go of what it held. That is not what the records say, so it is held once more
/// and released by a record.
static void let_go(GullySession* session) {
    json_t* held = session->state.held;
    bool replays = session->replays;
    session->state.stroke = false;
    session->state.held = NULL;
    session->last[0] = '\0';
    if (!held) return;
    session->replays = true; // no entry of the history, nothing for the journal yet
    size_t count = session->records.count;
    json_t *object = json_deep_copy(held), *release = json_pack("{s:s}", "do", "release");
    json_object_set_new(object, "begin", json_true());
    if (object && session_perform(session, object, NULL) == GULLY_OK) {
        records_cut(&session->records, count);
        if (release) session_perform(session, release, NULL);
    }
    session->replays = replays;
    json_decref(object);
    json_decref(release);
    json_decref(held);
}

/// Moves the records from `first` on to the end of another list, which has room for them.
static void move_records(RecordList* from, size_t first, RecordList* to) {
    for (size_t i = first; i < from->count; i++)
        records_push(to, from->items[i].text, from->items[i].step);
    from->count = first;
}

/// Goes to the other side of an entry by a function of the editor.
static GullyStatus travel(GullySession* session, SessionEntry* entry,
                          GullyStatus (*go)(GullyEditor* editor)) {
    RecordList left = {0};
    if (!records_reserve(&left, session->records.count - entry->base) ||
        !records_reserve(&session->records, entry->records.count)) {
        records_free(&left);
        return gully_fail(GULLY_NO_MEMORY, "no memory for the records");
    }
    GullyStatus status = go(session->editor);
    if (status) {
        records_free(&left);
        return status;
    }
    SessionState state = session->state;
    move_records(&session->records, entry->base, &left);
    move_records(&entry->records, 0, &session->records);
    records_free(&entry->records);
    entry->records = left;
    session->state = entry->state;
    entry->state = state;
    entry->undone = !entry->undone;
    const size_t base = entry->base; // the entry may be elsewhere once a command has been performed
    let_go(session);
    keeper_record(session, base, true, true);
    return GULLY_OK;
}

GullyStatus session_undo(GullySession* session) {
    size_t depth = (size_t)gully_editor_depth(session->editor);
    SessionEntry* entry =
        depth > 0 && depth <= session->history.count ? &session->history.items[depth - 1] : NULL;
    if (!entry || !entry->state.changes || !gully_editor_undo_name(session->editor))
        return gully_fail(GULLY_BAD_INPUT, "there is nothing to undo");
    return travel(session, entry, gully_editor_undo);
}

GullyStatus session_redo(GullySession* session) {
    size_t depth = (size_t)gully_editor_depth(session->editor);
    if (depth >= session->history.count || !gully_editor_redo_name(session->editor))
        return gully_fail(GULLY_BAD_INPUT, "there is nothing to redo");
    return travel(session, &session->history.items[depth], gully_editor_redo);
}
