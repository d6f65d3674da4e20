// SPDX-License-Identifier: MIT
#include "history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "editor.h"

GullyStatus history_create(History* history, const GullySim* sim, size_t most_bytes) {
    const GullyWorld* world = gully_sim_world(sim);
    history->most_bytes = most_bytes;
    history->places = patches_along(world->width) * patches_along(world->height);
    history->changed = calloc((size_t)history->places, sizeof *history->changed);
    return history->changed ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for an editor");
}

// ---- entries ------------------------------------------------------------------------------------

static void drop(Entry** stack) {
    Entry* top = *stack;
    *stack = top->below;
    snapshot_release(top->snapshot);
    free(top);
}

static void drop_all(Entry** stack) {
    while (*stack)
        drop(stack);
}

static void push(Entry** stack, Entry* entry) {
    entry->below = *stack;
    *stack = entry;
}

/// Forgets the oldest entry of a stack, but not the newest; false if there is no other.
static bool forget_oldest(Entry* stack) {
    if (!stack || !stack->below) return false;
    while (stack->below->below)
        stack = stack->below;
    drop(&stack->below);
    return true;
}

/// Whether a patch of what is known is still pending: then others may count on it.
static bool is_pending(History* history) {
    while (history->kept < history->places && snapshot_is_kept(history->known, history->kept))
        history->kept++;
    return history->kept < history->places;
}

/// Forgets as much as is too much: what is only known first, then the past, then the future.
static void trim(History* history) {
    while (history->bytes > history->most_bytes) {
        Snapshot* known = history->known;
        if (known && known->references == 1 && !is_pending(history)) {
            snapshot_release(history->known);
            history->known = NULL;
        } else if (!forget_oldest(history->undo) && !forget_oldest(history->redo)) {
            return;
        }
    }
}

static void forget_all(History* history) {
    drop_all(&history->undo);
    drop_all(&history->redo);
    drop_all(&history->prepared);
    snapshot_release(history->known);
    history->known = NULL;
    if (history->lost) history->losses++;
    history->lost = false;
}

void history_forget_lost(History* history) {
    if (history->lost) forget_all(history);
}

void history_destroy(History* history) {
    forget_all(history);
    free(history->changed);
}

// ---- what is kept -------------------------------------------------------------------------------

static bool keep_place(History* history, const GullyWorld* world, int place) {
    if (!snapshot_keep(history->known, world, place)) history->lost = true;
    return !history->lost;
}

void history_touch(History* history, const GullyWorld* world, GullyRect rect) {
    if (!history->known || history->lost || history->changed_count == history->places) return;
    if (rect.width == 0 || rect.height == 0) return;
    const int columns = patches_along(world->width);
    for (int y = rect.y / PATCH_SIDE; y <= (rect.y + rect.height - 1) / PATCH_SIDE; y++) {
        for (int x = rect.x / PATCH_SIDE; x <= (rect.x + rect.width - 1) / PATCH_SIDE; x++) {
            const int place = y * columns + x;
            if (history->changed[place]) continue;
            if (!keep_place(history, world, place)) return;
            history->changed[place] = true;
            history->changed_count++;
        }
    }
    trim(history);
}

bool history_keep(History* history, const GullyWorld* world, int places) {
    if (!history->known || history->lost || history->kept == history->places) return true;
    if (world_bytes(world) > history->most_bytes / 4) return true;
    for (; history->kept < history->places && places > 0; places--) {
        if (!keep_place(history, world, history->kept)) return true;
        history->kept++;
    }
    if (history->kept < history->places) return false;
    trim(history);
    return true;
}

// ---- what is known ------------------------------------------------------------------------------

/// From now on a snapshot is what the world is.
static void know(GullyEditor* editor, Snapshot* snapshot) {
    History* history = &editor->history;
    snapshot_hold(snapshot);
    snapshot_release(history->known);
    history->known = snapshot;
    memset(history->changed, 0, (size_t)history->places * sizeof *history->changed);
    history->changed_count = history->kept = 0;
}

void editor_touch(GullyEditor* editor, GullyRect rect) {
    editor->world->edits++;
    history_touch(&editor->history, editor->world, rect);
}

/// A snapshot that is most like the present; NULL = none.
static const Snapshot* nearest_snapshot(const History* history) {
    if (history->known) return history->known;
    const Entry* entry = history->undo ? history->undo : history->redo;
    return entry ? entry->snapshot : NULL;
}

GullyStatus history_take(GullyEditor* editor, Snapshot** out) {
    History* history = &editor->history;
    GullyStatus status =
        snapshot_take(editor->sim, editor->settings, nearest_snapshot(history),
                      history->known ? history->changed : NULL, &history->bytes, out);
    if (!status) know(editor, *out);
    return status;
}

/// An entry with the state as it is now.
static GullyStatus make_entry(GullyEditor* editor, const char* name, Entry** out) {
    Entry* entry = calloc(1, sizeof *entry);
    *out = NULL;
    if (!entry) return gully_fail(GULLY_NO_MEMORY, "no memory for the history");
    snprintf(entry->name, sizeof entry->name, "%s", name);
    GullyStatus status = history_take(editor, &entry->snapshot);
    if (status)
        free(entry);
    else
        *out = entry;
    return status;
}

// ---- edits --------------------------------------------------------------------------------------

GullyStatus editor_prepare(GullyEditor* editor) {
    History* history = &editor->history;
    drop_all(&history->prepared); // of an edit that failed
    if (history->lost) forget_all(history);
    return history->marked ? make_entry(editor, history->name, &history->prepared) : GULLY_OK;
}

void editor_commit(GullyEditor* editor) {
    History* history = &editor->history;
    if (!history->prepared) return;
    drop_all(&history->redo);
    push(&history->undo, history->prepared);
    history->prepared = NULL;
    history->marked = false;
    history->depth++;
    trim(history);
}

void gully_editor_mark(GullyEditor* editor, const char* name) {
    History* history = &editor->history;
    history->marked = name;
    snprintf(history->name, sizeof history->name, "%s", name ? name : "");
}

// ---- undo and redo ------------------------------------------------------------------------------

/// Gives the simulation the fields, the materials and the settings of a snapshot.
static GullyStatus enter(GullyEditor* editor, const Snapshot* snapshot) {
    GullyWorld* world = editor->world;
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    const int material_count = world->material_count;
    GullySettings* settings;
    GullyStatus status = gully_settings_copy(snapshot->settings, &settings);
    if (status) return status;
    const bool is_same = sim_has_settings(editor->sim, settings) &&
                         material_count == snapshot->material_count &&
                         memcmp(world->materials, snapshot->materials, sizeof materials) == 0;
    memcpy(materials, world->materials, sizeof materials);
    memcpy(world->materials, snapshot->materials, sizeof materials);
    world->material_count = snapshot->material_count;
    status = state_fields_add(&snapshot->fields, world);
    if (!status && !is_same) status = gully_sim_apply(editor->sim, settings);
    if (status) {
        memcpy(world->materials, materials, sizeof materials);
        world->material_count = material_count;
        gully_settings_destroy(settings);
        return status;
    }
    gully_settings_destroy(editor->settings);
    editor->settings = settings;
    return GULLY_OK;
}

/// Goes to a snapshot; what is left becomes an entry of that name.
static GullyStatus go_to(GullyEditor* editor, Snapshot* snapshot, const char* name, Entry** out) {
    Entry* left;
    GullyStatus status = make_entry(editor, name, &left);
    if (status) return status;
    const double dt = gully_sim_dt(editor->sim);
    const char* model = gully_sim_model(editor->sim);
    status = enter(editor, snapshot);
    if (status) {
        drop(&left);
        return status;
    }
    // Another time step or model has changed amounts everywhere: then nothing is as it was left.
    const bool scaled =
        gully_sim_dt(editor->sim) != dt || strcmp(gully_sim_model(editor->sim), model) != 0;
    status = editor->history.lost
                 ? gully_fail(GULLY_NO_MEMORY, "no memory to keep what undo goes back to")
                 : snapshot_write(snapshot, scaled ? NULL : left->snapshot, editor->sim);
    if (status) {
        drop(&left);
        return status;
    }
    know(editor, snapshot);
    gully_editor_end_stroke(editor);
    editor->holds = false; // its source went with the settings
    *out = left;
    return GULLY_OK;
}

/// Goes to the newest state of one stack; what is left becomes the newest of the other.
static GullyStatus go(GullyEditor* editor, Entry** from, Entry** to) {
    Entry* left;
    GullyStatus status = go_to(editor, (*from)->snapshot, (*from)->name, &left);
    if (status) return status;
    drop(from);
    push(to, left);
    trim(&editor->history);
    return GULLY_OK;
}

GullyStatus gully_editor_undo(GullyEditor* editor) {
    History* history = &editor->history;
    if (history->lost) forget_all(history);
    if (!history->undo) return gully_fail(GULLY_BAD_INPUT, "there is nothing to undo");
    GullyStatus status = go(editor, &history->undo, &history->redo);
    if (!status) history->depth--;
    return status;
}

GullyStatus gully_editor_redo(GullyEditor* editor) {
    History* history = &editor->history;
    if (history->lost) forget_all(history);
    if (!history->redo) return gully_fail(GULLY_BAD_INPUT, "there is nothing to redo");
    GullyStatus status = go(editor, &history->redo, &history->undo);
    if (!status) history->depth++;
    return status;
}

GullyStatus gully_editor_go(GullyEditor* editor, const GullyMoment* moment, const char* name) {
    History* history = &editor->history;
    Entry* left;
    GullyStatus status = moment_check(moment);
    if (!status) status = go_to(editor, moment->snapshot, name, &left);
    if (status) return status;
    drop_all(&history->redo);
    push(&history->undo, left);
    history->marked = false;
    history->depth++;
    trim(history);
    return GULLY_OK;
}

const char* gully_editor_undo_name(const GullyEditor* editor) {
    const History* history = &editor->history;
    return history->undo && !history->lost ? history->undo->name : NULL;
}

const char* gully_editor_redo_name(const GullyEditor* editor) {
    const History* history = &editor->history;
    return history->redo && !history->lost ? history->redo->name : NULL;
}

int64_t gully_editor_depth(const GullyEditor* editor) {
    return editor->history.depth;
}

size_t gully_editor_bytes(const GullyEditor* editor) {
    return editor->history.bytes;
}

size_t gully_editor_most_bytes(const GullyEditor* editor) {
    return editor->history.most_bytes;
}
