// SPDX-License-Identifier: MIT
// Moments: states that someone keeps, goes back to, or reads to compare them with the present.
#include <stdlib.h>

#include "editor.h"

static GullyStatus make_moment(GullyEditor* editor, Snapshot* snapshot, GullyMoment** out) {
    GullyMoment* moment = *out = malloc(sizeof *moment);
    if (!moment) {
        snapshot_release(snapshot);
        return gully_fail(GULLY_NO_MEMORY, "no memory for a moment");
    }
    *moment = (GullyMoment){editor, snapshot, editor->history.losses};
    return GULLY_OK;
}

GullyStatus gully_editor_moment(GullyEditor* editor, GullyMoment** out) {
    Snapshot* snapshot = NULL;
    *out = NULL;
    history_forget_lost(&editor->history);
    GullyStatus status = history_take(editor, &snapshot);
    return status ? status : make_moment(editor, snapshot, out);
}

GullyStatus gully_moment_share(const GullyMoment* moment, GullyMoment** out) {
    *out = NULL;
    GullyStatus status = moment_check(moment);
    return status ? status : make_moment(moment->editor, snapshot_hold(moment->snapshot), out);
}

void gully_moment_release(GullyMoment* moment) {
    if (moment) snapshot_release(moment->snapshot);
    free(moment);
}

GullyStatus moment_check(const GullyMoment* moment) {
    const History* history = &moment->editor->history;
    if (!history->lost && moment->losses == history->losses) return GULLY_OK;
    return gully_fail(GULLY_NO_MEMORY, "this moment was lost: there was no memory to keep it");
}

int64_t gully_moment_step(const GullyMoment* moment) {
    return moment->snapshot->books.steps;
}

// ---- entries of the history ---------------------------------------------------------------------

/// The entry of that number: those up to the depth can be undone, the others redone; NULL = it is
/// forgotten, or never was.
static const Entry* find_entry(const GullyEditor* editor, int64_t number) {
    const History* history = &editor->history;
    if (history->lost) return NULL;
    const bool undone = number > history->depth;
    const Entry* entry = undone ? history->redo : history->undo;
    int64_t above = undone ? number - history->depth - 1 : history->depth - number;
    while (entry && above-- > 0)
        entry = entry->below;
    return entry;
}

const char* gully_editor_entry_name(const GullyEditor* editor, int64_t number) {
    const Entry* entry = find_entry(editor, number);
    return entry ? entry->name : NULL;
}

GullyStatus gully_editor_entry_moment(GullyEditor* editor, int64_t number, GullyMoment** out) {
    const Entry* entry = find_entry(editor, number);
    *out = NULL;
    if (!entry)
        return gully_fail(GULLY_BAD_INPUT, "entry %lld of the history is not kept",
                          (long long)number);
    return make_moment(editor, snapshot_hold(entry->snapshot), out);
}

// ---- reading ------------------------------------------------------------------------------------

enum { RUN = 256 }; // cells at once

/// Values of some cells of a row as they were.
static GullyStatus read_run(const Snapshot* snapshot, const GullyWorld* world, int id, int x, int y,
                            int count, float* out) {
    float ground[RUN], cells[RUN];
    bool has;
    GullyStatus status =
        snapshot_read(snapshot, world, world->common[GROUND], x, y, count, ground, &has);
    if (!status)
        status = snapshot_read(snapshot, world, world->common[id], x, y, count, cells, &has);
    if (!status)
        world_present(id, snapshot->books.flow_steps, ground, has ? cells : NULL, count, out);
    return status;
}

GullyStatus gully_moment_read(const GullyMoment* moment, GullyField field, GullyRect rect,
                              float* out) {
    const GullyWorld* world = moment->editor->world;
    const int id = world_field_id(field);
    GullyStatus status = moment_check(moment);
    if (!status && id < 0)
        status = gully_fail(GULLY_BAD_INPUT, "a moment has no field number %d", (int)field);
    if (!status) status = world_check_rect(world, field, rect);
    for (int y = rect.y; y < rect.y + rect.height && !status; y++) {
        for (int x = 0; x < rect.width && !status; x += RUN) {
            const int count = rect.width - x < RUN ? rect.width - x : RUN;
            status = read_run(moment->snapshot, world, id, rect.x + x, y, count, out + x);
        }
        out += rect.width;
    }
    return status;
}
