// SPDX-License-Identifier: MIT
// The journal: one JSON object on each line.
//
//     {"do": ..., "step": 120}        a record
//     {"cut": 3}                      of the records so far the first 3 count
//     {"step": 240}                   so far it went
//     {"step": 240, "field_hashes": {...}}  and then the fields were these
//     {"closed": true, "step": 240, "field_hashes": {...}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_parts.h"
#include "scene_path.h"
#include "session_inside.h"

static const size_t MOST_BYTES = UINT32_MAX; // of a journal

void journal_free(Journal* journal) {
    records_free(&journal->records);
    json_decref(journal->hashes);
    *journal = (Journal){0};
}

// ---- reading ------------------------------------------------------------------------------------

static const char* take_record(Journal* journal, json_t* line, int64_t step) {
    RecordList* records = &journal->records;
    if (records->count > 0 && records->items[records->count - 1].step > step)
        return "its step is before that of the record before it";
    char* text = json_dumps(line, JSON_COMPACT);
    if (!text || !records_reserve(records, 1)) {
        free(text);
        return "there is no memory for it";
    }
    records_push(records, text, step);
    return NULL;
}

/// Takes a line; NULL, or what is wrong with it.
static const char* take_line(Journal* journal, json_t* line) {
    const json_t *cut = json_object_get(line, "cut"), *at = json_object_get(line, "step");
    const json_t* hashes = json_object_get(line, FIELD_HASHES);
    int64_t step = json_integer_value(at);
    json_decref(journal->hashes);
    journal->hashes = NULL;
    journal->closed = false;
    if (cut) {
        json_int_t count = json_integer_value(cut);
        if (!json_is_integer(cut) || count < 0 || (size_t)count > journal->records.count)
            return "cut is more than there are records";
        records_cut(&journal->records, (size_t)count);
        return NULL;
    }
    if (!json_is_integer(at) || step < 0) return "step is no whole number from 0 on";
    journal->step = step;
    if (json_object_get(line, "do")) return take_record(journal, line, step);
    if (json_is_object(hashes)) journal->hashes = json_incref((json_t*)hashes);
    journal->closed = json_is_true(json_object_get(line, "closed"));
    return NULL;
}

GullyStatus journal_parse(const char* name, const char* text, size_t size, Journal* out) {
    *out = (Journal){0};
    int number = 1;
    for (size_t at = 0; at < size; number++) {
        const char* end = memchr(text + at, '\n', size - at);
        if (!end) break; // the last line is torn: it was never there
        size_t length = (size_t)(end - (text + at));
        bool last = at + length + 1 >= size;
        json_error_t error;
        json_t* line = json_loadb(text + at, length, JSON_REJECT_DUPLICATES, &error);
        const char* wrong = !line                   ? "it is no JSON object"
                            : !json_is_object(line) ? "it is no object"
                                                    : take_line(out, line);
        json_decref(line);
        at += length + 1;
        if (!wrong || (last && !line)) continue;
        journal_free(out);
        return gully_fail(GULLY_BAD_INPUT, "%s:%d: the line is damaged: %s", name, number, wrong);
    }
    const RecordList* records = &out->records;
    if (records->count > 0 && records->items[records->count - 1].step > out->step)
        out->step = records->items[records->count - 1].step;
    return GULLY_OK;
}

GullyStatus journal_read(const char* folder, Journal* out) {
    char *path = session_path(folder, JOURNAL_FILE), *text;
    size_t size;
    *out = (Journal){0};
    if (!path) return GULLY_NO_MEMORY;
    GullyStatus status = bytes_read(path, MOST_BYTES, &text, &size);
    if (!status) {
        status = journal_parse(path, text, size, out);
        free(text);
    }
    free(path);
    return status;
}

// ---- writing ------------------------------------------------------------------------------------

/// The last line: how far it went.
static char* last_line(int64_t step, json_t* hashes, bool closed) {
    json_t* line = json_object();
    if (closed) json_object_set_new(line, "closed", json_true());
    json_object_set_new(line, "step", json_integer(step));
    if (hashes) json_object_set(line, FIELD_HASHES, hashes);
    char* text = json_dumps(line, JSON_COMPACT);
    json_decref(line);
    return text;
}

char* journal_lines(const GullySession* session, int64_t cut, size_t from, json_t* hashes,
                    bool closed, size_t* size) {
    const RecordList* records = &session->records;
    char* last = last_line(gully_sim_steps(session->sim), hashes, closed);
    size_t room = last ? strlen(last) + 64 : 0, used = 0;
    for (size_t i = from; i < records->count; i++)
        room += strlen(records->items[i].text) + 1;
    char* text = last ? malloc(room) : NULL;
    if (!text) {
        free(last);
        return NULL;
    }
    if (cut >= 0) used += (size_t)snprintf(text, room, "{\"cut\":%lld}\n", (long long)cut);
    for (size_t i = from; i < records->count; i++)
        used += (size_t)snprintf(text + used, room - used, "%s\n", records->items[i].text);
    bool said = from < records->count && !hashes && !closed &&
                records->items[records->count - 1].step == gully_sim_steps(session->sim);
    if (!said) used += (size_t)snprintf(text + used, room - used, "%s\n", last);
    free(last);
    *size = used;
    return text;
}
