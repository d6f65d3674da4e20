// SPDX-License-Identifier: MIT
#include "editor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// A quarter of the machine's memory.
static size_t choose_bytes(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages * (size_t)page / 4 : (size_t)1 << 30;
}

/// Something else than an edit is about to change cells.
static void keep_cells(void* watcher, GullyRect cells) {
    GullyEditor* editor = watcher;
    history_touch(&editor->history, editor->world, cells);
}

GullyStatus gully_editor_create(GullySim* sim, const GullySettings* settings, size_t most_bytes,
                                GullyEditor** out) {
    *out = NULL;
    if (gully_sim_world(sim)->watch)
        return gully_fail(GULLY_BAD_INPUT, "a world has one editor, and this one has it already");
    GullyEditor* editor = calloc(1, sizeof *editor);
    if (!editor) return gully_fail(GULLY_NO_MEMORY, "no memory for an editor");
    editor->sim = sim;
    editor->world = gully_sim_world(sim);
    GullyStatus status = gully_settings_copy(settings, &editor->settings);
    if (!status)
        status = history_create(&editor->history, sim, most_bytes ? most_bytes : choose_bytes());
    if (status) {
        gully_editor_destroy(editor);
        return status;
    }
    editor->world->watch = keep_cells;
    editor->world->watcher = editor;
    *out = editor;
    return GULLY_OK;
}

void gully_editor_destroy(GullyEditor* editor) {
    if (!editor) return;
    gully_editor_release(editor);
    if (editor->world->watcher == editor) editor->world->watch = NULL;
    stroke_end(&editor->stroke);
    history_destroy(&editor->history);
    gully_settings_destroy(editor->settings);
    free(editor);
}

bool gully_editor_keep(GullyEditor* editor, int places) {
    return history_keep(&editor->history, editor->world, places);
}

// ---- settings -----------------------------------------------------------------------------------

GullyStatus editor_apply_held(GullyEditor* editor, const GullySettings* settings,
                              const GullySource* held) {
    if (!held) return gully_sim_apply(editor->sim, settings);
    GullySettings* both;
    GullyStatus status = gully_settings_copy(settings, &both);
    if (status) return status;
    status = gully_settings_add_source(both, held);
    if (!status) status = gully_sim_apply(editor->sim, both);
    gully_settings_destroy(both);
    return status;
}

GullyStatus gully_editor_apply(GullyEditor* editor, const GullySettings* settings) {
    GullySettings* copy;
    GullyStatus status = gully_settings_copy(settings, &copy);
    if (status) return status;
    status = editor_prepare(editor);
    const double dt = gully_sim_dt(editor->sim);
    const char* model = gully_sim_model(editor->sim);
    if (!status) status = editor_apply_held(editor, copy, editor->holds ? &editor->held : NULL);
    if (status) {
        gully_settings_destroy(copy);
        return status;
    }
    // Amounts per step have been scaled, or another model has taken over.
    if (gully_sim_dt(editor->sim) != dt || strcmp(gully_sim_model(editor->sim), model) != 0)
        editor_touch(editor, gully_world_all(editor->world));
    editor_commit(editor);
    gully_settings_destroy(editor->settings);
    editor->settings = copy;
    return GULLY_OK;
}

const GullySettings* gully_editor_settings(const GullyEditor* editor) {
    return editor->settings;
}

// ---- what is held -------------------------------------------------------------------------------

static GullyStatus check_place(GullyPoint at) {
    const double most = 1e9; // as that of a source
    if (at.x >= -most && at.x <= most && at.y >= -most && at.y <= most) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "a point at (%g, %g); allowed: from %g to %g m", at.x, at.y,
                      -most, most);
}

GullyStatus gully_editor_hold(GullyEditor* editor, const char* kind, const GullyBrush* brush,
                              GullyPoint at) {
    const BrushKind* found;
    GullyStatus status = brush_check(editor->world, kind, brush, &found);
    if (!status && !found->info.held)
        status = gully_fail(GULLY_BAD_INPUT, "brush: %s makes strokes, it cannot be held", kind);
    if (!status) status = check_place(at);
    if (!status) status = editor_prepare(editor);
    if (status) return status;
    const GullySource source = {.x = at.x,
                                .y = at.y,
                                .radius = brush->radius,
                                .rate = brush->strength,
                                .from = -1e9,
                                .until = GULLY_FOREVER};
    status = editor_apply_held(editor, editor->settings, &source);
    if (status) return status;
    editor_commit(editor);
    editor->holds = true;
    editor->held = source;
    return GULLY_OK;
}

GullyStatus gully_editor_release(GullyEditor* editor) {
    if (!editor->holds) return GULLY_OK;
    GullyStatus status = gully_sim_apply(editor->sim, editor->settings);
    if (!status) editor->holds = false;
    return status;
}
