// SPDX-License-Identifier: MIT
/// What happens to a case between its steps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case_run.h"

// ---- other settings -----------------------------------------------------------------------------

/// Gives the simulation the settings; if they are refused, those of before come back.
static void apply(Run* run) {
    GullySettings* before = NULL;
    if (!run_did(run, "copy settings", gully_settings_copy(run->settings, &before))) return;
    run_mix_settings(run);
    run_set_supply(run, (unsigned)random_below(&run->random, SUPPLY_ALL + 1));
    run_set_sides(run, (unsigned)random_below(&run->random, 16));
    run_switch_add_ons(run, random_below(&run->random, 2));
    if (run->c->materials && random_below(&run->random, 2)) {
        run->materials[run->c->materials - 1].erodibility *= 0.7;
        run_did(run, "materials",
                gully_world_set_materials(run->world, run->materials, run->c->materials));
    }
    GullyStatus status = run->editor ? gully_editor_apply(run->editor, run->settings)
                                     : gully_sim_apply(run->sim, run->settings);
    if (run_did(run, "apply", status)) {
        gully_settings_destroy(before);
        return;
    }
    gully_settings_destroy(run->settings);
    run->settings = before;
}

// ---- writes -------------------------------------------------------------------------------------

/// Raises or lowers the ground a little, and moves the domain: some cells leave it, some enter.
static void write_ground(Run* run) {
    const GullyRect rect = run_rect(run);
    const size_t count = (size_t)rect.width * (size_t)rect.height;
    float *change = run_pattern(run, rect, -1, 1), *heights = malloc(sizeof *heights * count);
    if (!heights) abort();
    (void)gully_world_read(run->world, GULLY_TERRAIN, rect, heights);
    for (size_t i = 0; i < count; i++) {
        const bool outside = random_below(&run->random, 50) == 0;
        heights[i] = outside ? NAN : isnan(heights[i]) ? change[i] : heights[i] + change[i];
    }
    run_did(run, "write", gully_world_write(run->world, GULLY_TERRAIN, rect, heights));
    free(heights);
    free(change);
}

static void write_fields(Run* run) {
    for (int i = 0; i < 3; i++) {
        const int kind = random_below(&run->random, 6), layers = run->c->materials - 1;
        const GullyRect rect = run_rect(run);
        if (kind == 0) write_ground(run);
        if (kind == 1) run_write_pattern(run, GULLY_WATER, rect, 0, 0.5);
        if (kind == 2) run_write_pattern(run, GULLY_SEDIMENT, rect, 0, 0.02);
        if (kind == 3) run_write_pattern(run, GULLY_HARDNESS, rect, 0, 1);
        if (kind == 4 && layers > 0)
            run_write_pattern(run, GULLY_LAYER(1 + random_below(&run->random, layers)), rect, 0, 1);
        if (kind == 5) run_did(run, "fill", gully_world_fill(run->world, GULLY_WATER, 0.01f));
    }
}

// ---- edits --------------------------------------------------------------------------------------

/// A place in the world [m].
static GullyPoint pick_point(Run* run) {
    return (GullyPoint){gully_world_cell_x(run->world) * run->c->width * random_share(&run->random),
                        gully_world_cell_y(run->world) * run->c->height *
                            random_share(&run->random)};
}

static void paint(Run* run) {
    const int index =
        run->c->brush >= 0 ? run->c->brush : random_below(&run->random, gully_brush_count());
    const GullyBrushInfo* info = gully_brush_info(index);
    GullyBrush brush;
    gully_params_default(gully_brush_table(), &brush);
    brush.radius = 5 + 60 * random_share(&run->random);
    brush.strength = info->strength;
    if (info->layers && run->c->materials)
        brush.layer = random_below(&run->random, run->c->materials);
    gully_editor_mark(run->editor, info->name);
    const GullyPoint start = pick_point(run);
    const GullyPoint points[] = {start, {start.x + 70, start.y + 50}, {start.x + 90, start.y - 40}};
    if (info->held) {
        run_did(run, "hold", gully_editor_hold(run->editor, info->name, &brush, start));
        return;
    }
    if (!run_did(run, "stroke", gully_editor_begin_stroke(run->editor, info->name, &brush))) return;
    run_did(run, "stroke to", gully_editor_stroke_to(run->editor, points, 3));
    gully_editor_end_stroke(run->editor);
}

/// Where and how a stamp or a copy is placed.
static GullyStamp pick_stamp(Run* run) {
    GullyStamp stamp;
    gully_params_default(gully_stamp_table(), &stamp);
    const GullyPoint place = pick_point(run);
    stamp.x = place.x;
    stamp.y = place.y;
    stamp.angle = 40.0 * random_below(&run->random, 3);
    stamp.falloff = 0.5 * random_below(&run->random, 2);
    stamp.amount = 0.7;
    return stamp;
}

static void stamp_picture(Run* run) {
    const GullyRect rect = {0, 0, 12, 9};
    float* values = run_pattern(run, rect, 0, 1);
    GullyStamp stamp = pick_stamp(run);
    stamp.field = random_below(&run->random, run->c->materials > 1 ? 4 : 3);
    stamp.blend = random_below(&run->random, 6);
    gully_editor_mark(run->editor, "stamp");
    run_did(run, "stamp", gully_editor_stamp(run->editor, &stamp, values, rect.width, rect.height));
    free(values);
}

static void copy_and_paste(Run* run) {
    GullyClip* clip = NULL;
    const GullyStamp stamp = pick_stamp(run);
    if (!run_did(run, "copy", gully_editor_copy(run->editor, run_rect(run), &clip))) return;
    gully_editor_mark(run->editor, "paste");
    run_did(run, "paste", gully_editor_paste(run->editor, clip, &stamp));
    gully_clip_destroy(clip);
}

static bool open_editor(Run* run) {
    if (run->editor) return true;
    return run_did(run, "editor", gully_editor_create(run->sim, run->settings, 0, &run->editor));
}

static void edit(Run* run) {
    if (!open_editor(run)) return;
    for (int i = 0; i < 2; i++) {
        const int kind = run->c->brush >= 0 ? 0 : random_below(&run->random, 4);
        if (kind < 2) paint(run);
        if (kind == 2) stamp_picture(run);
        if (kind == 3) copy_and_paste(run);
    }
}

/// Undoes twice, redoes once; more than there is to undo is refused.
static void undo(Run* run) {
    if (!open_editor(run)) return;
    run_did(run, "undo", gully_editor_undo(run->editor));
    run_did(run, "undo again", gully_editor_undo(run->editor));
    if (random_below(&run->random, 2)) run_did(run, "redo", gully_editor_redo(run->editor));
}

// ---- states -------------------------------------------------------------------------------------

/// A state with its cells.
typedef struct Kept {
    void* head;
    size_t head_size;
    unsigned char* cells;
} Kept;

static bool keep(Run* run, Kept* kept) {
    GullyState* state = NULL;
    if (!run_did(run, "state", gully_state_of(run->sim, &state))) return false;
    const void* head = gully_state_head(state, &kept->head_size);
    kept->head = malloc(kept->head_size);
    kept->cells = malloc(gully_state_info(state)->bytes + 1);
    if (!kept->head || !kept->cells) abort();
    memcpy(kept->head, head, kept->head_size);
    for (int64_t i = 0; i < gully_state_info(state)->pieces; i++)
        (void)gully_state_read(state, run->sim, i,
                               kept->cells + gully_state_piece(state, i).offset);
    gully_state_destroy(state);
    return true;
}

static void restore(Run* run, const Kept* kept) {
    GullyState* state = NULL;
    if (!run_did(run, "parse", gully_state_parse(kept->head, kept->head_size, &state))) return;
    if (run_did(run, "begin", gully_state_begin(state, run->sim))) {
        for (int64_t i = 0; i < gully_state_info(state)->pieces; i++)
            (void)gully_state_write(state, run->sim, i,
                                    kept->cells + gully_state_piece(state, i).offset);
        (void)gully_state_end(state, run->sim);
    }
    gully_state_destroy(state);
}

/// Goes on in another simulation, which has made steps of its own before.
static void move_state(Run* run) {
    static const int threads[] = {1, 2, 3, 7}, tiles[] = {0, 1, 17, 64};
    Kept kept = {0};
    run_close_editor(run);
    const bool has_state = keep(run, &kept);
    RunWay way = {.tile_size = case_tile_size(run->c, tiles[random_below(&run->random, 4)])};
    way.threads = threads[random_below(&run->random, 4)];
    way.plain = random_below(&run->random, 4) == 0;
    run_close(run);
    if (has_state && run_open(run, way)) {
        (void)gully_sim_step(run->sim, random_below(&run->random, 5));
        restore(run, &kept);
    }
    free(kept.head);
    free(kept.cells);
}

void run_event(Run* run, CaseEvent event) {
    if (event == EVENT_APPLY) apply(run);
    if (event == EVENT_WRITE) write_fields(run);
    if (event == EVENT_EDIT) edit(run);
    if (event == EVENT_UNDO) undo(run);
    if (event == EVENT_STATE) move_state(run);
}
