// SPDX-License-Identifier: MIT
#include "activity.h"

#include <stdlib.h>
#include <string.h>

#include "lease.h"
#include "store.h"

struct Activity {
    const GullyWorld* world;
    int panels;        // columns of tiles, or one
    int panel_width;   // of all but the last [cells]
    int rows;          // of patches
    int columns;       // of patches, of all panels
    int* panel_start;  // a panel's first column of patches
    uint8_t* active;   // [rows][columns]
    uint8_t* awake;    // [rows][columns]
    ActiveSpan* spans; // [rows][panels]: the awake columns
    bool woken;        // laws have work everywhere in this run
    bool all;          // everything is awake in it
};

static int patches_of(int cells) {
    return (cells + PATCH - 1) / PATCH;
}

static int panel_x(const Activity* activity, int panel) {
    return panel * activity->panel_width;
}

static int width_of(const Activity* activity, int panel) {
    const int left = activity->world->width - panel_x(activity, panel);
    return left < activity->panel_width ? left : activity->panel_width;
}

static GullyStatus create(const GullyWorld* world, int panels, int panel_width, Activity** out) {
    *out = NULL;
    Activity* activity = calloc(1, sizeof *activity);
    if (!activity) return gully_fail(GULLY_NO_MEMORY, "no memory for a stepper");
    activity->world = world;
    activity->panels = panels;
    activity->panel_width = panel_width;
    activity->rows = patches_of(world->height);
    activity->panel_start = calloc((size_t)panels, sizeof *activity->panel_start);
    for (int panel = 0; activity->panel_start && panel < panels; panel++) {
        activity->panel_start[panel] = activity->columns;
        activity->columns += patches_of(width_of(activity, panel));
    }
    const size_t patches = (size_t)activity->rows * (size_t)activity->columns;
    const size_t spans = (size_t)activity->rows * (size_t)panels;
    activity->active = malloc(patches);
    activity->awake = malloc(patches);
    activity->spans = calloc(spans, sizeof *activity->spans);
    if (!activity->panel_start || !activity->active || !activity->awake || !activity->spans) {
        activity_destroy(activity);
        return gully_fail(GULLY_NO_MEMORY, "no memory for %zu patches", patches);
    }
    activity_wake(activity);
    *out = activity;
    return GULLY_OK;
}

GullyStatus activity_create(const GullyWorld* world, Activity** out) {
    return create(world, world->tiles_x, world->tile_width, out);
}

GullyStatus activity_create_whole(const GullyWorld* world, Activity** out) {
    return create(world, 1, world->width, out);
}

void activity_destroy(Activity* activity) {
    if (!activity) return;
    free(activity->panel_start);
    free(activity->active);
    free(activity->awake);
    free(activity->spans);
    free(activity);
}

void activity_wake(Activity* activity) {
    memset(activity->active, 1, (size_t)activity->rows * (size_t)activity->columns);
}

void activity_clear(Activity* activity) {
    memset(activity->active, 0, (size_t)activity->rows * (size_t)activity->columns);
}

static uint8_t* active_row(const Activity* activity, int row) {
    return activity->active + (size_t)row * (size_t)activity->columns;
}

static uint8_t* awake_row(const Activity* activity, int row) {
    return activity->awake + (size_t)row * (size_t)activity->columns;
}

bool activity_is_all(const Activity* activity) {
    return activity->all;
}

int activity_rows(const Activity* activity) {
    return activity->rows;
}

int activity_columns(const Activity* activity) {
    return activity->columns;
}

const uint8_t* activity_awake(const Activity* activity, int row) {
    return awake_row(activity, row);
}

uint8_t* activity_active(Activity* activity, int row) {
    return active_row(activity, row);
}

uint8_t* activity_marks(Activity* activity, int panel, int y) {
    if (activity->all) return NULL;
    return active_row(activity, y / PATCH) + activity->panel_start[panel];
}

// ---- what is awake ------------------------------------------------------------------------------

/// The column of patches that a column of cells is in; columns outside the world count as those at
/// its side.
static int patch_near(const Activity* activity, int x) {
    const int last = activity->world->width - 1, inside = x < 0 ? 0 : x > last ? last : x;
    const int panel = inside / activity->panel_width;
    return activity->panel_start[panel] + (inside - panel_x(activity, panel)) / PATCH;
}

/// Makes a rectangle of cells active; it may extend beyond the sides.
static void wake_cells(void* context, CellRect cells) {
    Activity* activity = context;
    const int height = activity->world->height;
    const int first = cells.first_row < 0 ? 0 : cells.first_row;
    const int end = cells.end_row > height ? height : cells.end_row;
    if (first >= end || cells.first_column >= cells.end_column) return;
    const int from = patch_near(activity, cells.first_column);
    const int to = patch_near(activity, cells.end_column - 1);
    for (int row = first / PATCH; row <= (end - 1) / PATCH; row++)
        memset(active_row(activity, row) + from, 1, (size_t)(to - from + 1));
}

void activity_wake_cells(Activity* activity, CellRect cells) {
    wake_cells(activity, cells);
}

/// Lets laws wake the cells that a run will change by itself; true if some law wakes all.
static bool wake_by_laws(Activity* activity, const StepEntry* entries, int count, int steps,
                         StepConsts consts) {
    for (int k = 0; k < steps * count; k++) {
        const Law* law = entries[k % count].law;
        if (law->wakes && consts[k] && law->wakes(consts[k], wake_cells, activity)) return true;
    }
    return false;
}

/// Wakes the patches of a row that lie around the active ones of another row.
static void wake_around(Activity* activity, int row, int other, int distance) {
    if (other < 0 || other >= activity->rows) return;
    const uint8_t* active = active_row(activity, other);
    uint8_t* awake = awake_row(activity, row);
    for (int panel = 0; panel < activity->panels; panel++) {
        const int x = panel_x(activity, panel), width = width_of(activity, panel);
        for (int i = 0; i < patches_of(width); i++) {
            if (!active[activity->panel_start[panel] + i]) continue;
            int end = (i + 1) * PATCH < width ? (i + 1) * PATCH : width;
            int from = patch_near(activity, x + i * PATCH - distance);
            int to = patch_near(activity, x + end - 1 + distance);
            memset(awake + from, 1, (size_t)(to - from + 1));
        }
    }
}

/// The columns of a panel from its first to its last awake patch, in a row.
static ActiveSpan span_of(const Activity* activity, int row, int panel) {
    const uint8_t* awake = awake_row(activity, row) + activity->panel_start[panel];
    const int width = width_of(activity, panel);
    int first = 0, last = patches_of(width) - 1;
    while (first <= last && !awake[first])
        first++;
    while (last >= first && !awake[last])
        last--;
    int to = (last + 1) * PATCH;
    return (ActiveSpan){first * PATCH, to < width ? to : width};
}

/// Whether every law of a step says where it has work to do.
static bool laws_rest(const StepEntry* entries, int count) {
    for (int k = 0; k < count; k++) {
        const Law* law = entries[k].law;
        if (!law->rest && !law->marks_moving && !law->wakes) return false;
    }
    return true;
}

/// Whether some patches are known to have no cells. Panels are columns of tiles then.
static bool has_missing(const Activity* activity) {
    const GullyWorld* world = activity->world;
    const bool some = world->missing_tiles > 0 || world->has_ghosts;
    return some && activity->panels == world->tiles_x;
}

/// Whether rows first .. end-1 of a panel, of those inside the world, have no cells, or only cells that
/// are another level's.
static bool is_empty(const GullyWorld* world, int panel, int first, int end) {
    const int top = first > 0 ? first / world->tile_height : 0;
    const int bottom = (end < world->height ? end - 1 : world->height - 1) / world->tile_height;
    for (int row = top; row <= bottom; row++) {
        const Tile* tile = &world->tiles[row * world->tiles_x + panel];
        if (!tile->is_missing && !tile->is_ghost) return false;
    }
    return true;
}

/// Lets the patches of a row sleep that have no cells of their own, whatever the laws say. Those within
/// reach of one in the same panel stay awake: its steps need their strips, where other panels' cells change.
static void sleep_missing(Activity* activity, int row, int around) {
    const int first = (row - around) * PATCH, end = (row + around + 1) * PATCH;
    for (int panel = 0; panel < activity->panels; panel++) {
        if (!is_empty(activity->world, panel, first, end)) continue;
        memset(awake_row(activity, row) + activity->panel_start[panel], 0,
               (size_t)patches_of(width_of(activity, panel)));
    }
}

void activity_begin_step(Activity* activity, const StepEntry* entries, int count, int reach,
                         int steps, StepConsts consts) {
    activity_wake_laws(activity, entries, count, steps, consts);
    activity_spread(activity, reach, 0);
}

void activity_begin(Activity* activity, const Plan* plan, int steps, StepConsts consts) {
    activity_wake_laws(activity, plan->entries, plan->step_passes, steps, consts);
    activity_spread(activity, plan_visit_reach(plan, steps), plan->fringe);
}

bool activity_wake_laws(Activity* activity, const StepEntry* entries, int count, int steps,
                        StepConsts consts) {
    activity->woken =
        !laws_rest(entries, count) || wake_by_laws(activity, entries, count, steps, consts);
    if (activity->woken) activity_wake(activity);
    return activity->woken;
}

int activity_margin(int reach, int fringe) {
    return reach / PATCH + 1 + fringe + 3;
}

void activity_spread(Activity* activity, int reach, int fringe) {
    const GullyWorld* world = activity->world;
    activity->all = activity->woken && !has_missing(activity);
    if (activity->all) return;
    const int around = reach / PATCH + 1, panels = activity->panels;
    const int margin = activity_margin(reach, fringe);
    const int first = world->first_row / PATCH - margin, end = patches_of(world->end_row) + margin;
    for (int row = first > 0 ? first : 0; row < end && row < activity->rows; row++) {
        memset(awake_row(activity, row), 0, (size_t)activity->columns);
        for (int beside = row - around; beside <= row + around; beside++)
            wake_around(activity, row, beside, around * PATCH);
        if (has_missing(activity)) sleep_missing(activity, row, around);
        for (int panel = 0; panel < panels; panel++)
            activity->spans[row * panels + panel] = span_of(activity, row, panel);
    }
    activity_clear(activity);
}

ActiveSpan activity_span(const Activity* activity, int panel, int first, int end) {
    if (activity->all) return (ActiveSpan){0, width_of(activity, panel)};
    ActiveSpan span = {0, 0};
    const int height = activity->world->height;
    const int top = first < 0 ? 0 : first / PATCH;
    const int bottom = end > height ? activity->rows - 1 : end < 1 ? -1 : (end - 1) / PATCH;
    for (int row = top; row <= bottom; row++) {
        ActiveSpan other = activity->spans[row * activity->panels + panel];
        if (other.from >= other.to) continue;
        if (span.from >= span.to) span = other;
        if (other.from < span.from) span.from = other.from;
        if (other.to > span.to) span.to = other.to;
    }
    return span;
}

// ---- what is active -----------------------------------------------------------------------------

/// Whether a law is at rest in some cells of a tile.
static bool rests(const GullyWorld* world, const StepEntry* entry, const Tile* tile,
                  GullyRect cells) {
    for (FieldSet left = entry->law->rest; left; left &= left - 1) {
        const int slot = entry->slots[__builtin_ctzll(left)];
        if (slot >= 0 && !tile_is_zero(world, tile, slot, cells)) return false;
    }
    return true;
}

/// Whether all laws that say so by their fields are at rest in some cells of a tile.
static bool all_rest(const GullyWorld* world, const Plan* plan, const Tile* tile, GullyRect cells) {
    const Law* last = NULL;
    for (int k = 0; k < plan->step_passes; k++) {
        const StepEntry* entry = &plan->passes[k].entry;
        if (entry->law == last) continue;
        last = entry->law;
        if (!rests(world, entry, tile, cells)) return false;
    }
    return true;
}

/// The same in some rows of a patch, which may belong to several tiles.
static bool patch_rests(const Activity* activity, const Plan* plan, int panel, int first, int end,
                        ActiveSpan columns) {
    for (int y = first; y < end;) {
        const Tile* tile = tile_of_row(activity->world, panel, y);
        const int bottom = tile->y + tile->height, stop = bottom < end ? bottom : end;
        const GullyRect cells = {columns.from, y - tile->y, columns.to - columns.from, stop - y};
        if (!all_rest(activity->world, plan, tile, cells)) return false;
        y = stop;
    }
    return true;
}

void activity_end_rows(Activity* activity, const Plan* plan, int panel, int y) {
    if (activity->all) return;
    const int row = y / PATCH, first = row * PATCH, height = activity->world->height;
    const int end = first + PATCH < height ? first + PATCH : height;
    const ActiveSpan span = activity->spans[row * activity->panels + panel];
    uint8_t* active = active_row(activity, row) + activity->panel_start[panel];
    for (int from = span.from; from < span.to; from += PATCH) {
        const int to = span.to - from < PATCH ? span.to : from + PATCH;
        uint8_t* patch = &active[from / PATCH];
        if (!*patch)
            *patch = !patch_rests(activity, plan, panel, first, end, (ActiveSpan){from, to});
    }
}

// ---- cells that were written --------------------------------------------------------------------

/// Where a law's fields are stored, of those that are.
static SlotSet slots_of(const StepEntry* entry, FieldSet fields) {
    SlotSet slots = 0;
    for (FieldSet left = fields; left; left &= left - 1) {
        const int slot = entry->slots[__builtin_ctzll(left)];
        slots |= slot < 0 ? 0 : SLOT_BIT(slot);
    }
    return slots;
}

/// The slots by which the laws of a plan say where they rest and what settles; false if some law does
/// not say it so.
static bool find_rest_slots(const Plan* plan, SlotSet* rest, SlotSet* settling) {
    bool is_said = true;
    *rest = *settling = 0;
    for (int k = 0; k < plan->step_passes; k++) {
        const StepEntry* entry = &plan->passes[k].entry;
        const Law* law = entry->law;
        is_said = is_said && (law->rest || law->wakes) && !law->marks_moving;
        *rest |= slots_of(entry, law->rest);
        *settling |= slots_of(entry, law->settles);
    }
    return is_said;
}

/// Whether some fields of a patch's row have their default value.
static bool has_defaults(const GullyWorld* world, const Tile* tile, SlotSet slots, int row,
                         ActiveSpan columns) {
    float cells[PATCH];
    const int count = columns.to - columns.from;
    for (SlotSet left = slots; left; left &= left - 1) {
        const int slot = __builtin_ctzll(left);
        tile_load(world, tile, slot, row, columns.from, count, cells);
        for (int i = 0; i < count; i++)
            if (cells[i] != world->fields[slot].value) return false;
    }
    return true;
}

/// Whether a step changes nothing in some rows of a patch that was written.
static bool is_settled(const Activity* activity, const Plan* plan, SlotSet settling,
                       const Tile* tile, int panel, int first, int end, ActiveSpan columns) {
    for (int y = first; y < end && settling; y++)
        if (!has_defaults(activity->world, tile, settling, y - tile->y, columns)) return false;
    return patch_rests(activity, plan, panel, first, end, columns);
}

/// Whether a tile that is pinned for its ground has no cell of the domain.
static bool has_no_cells(const GullyWorld* world, const Tile* tile) {
    for (int row = 0; row < tile->height; row++) {
        if (!tile->holes[row]) return false;
        const float* ground = tile_row(world, tile, world->common[GROUND], row);
        for (int x = 0; x < tile->width; x++)
            if (ground[x] <= GROUND_MAX) return false;
    }
    return true;
}

/// Makes the patches of a tile active in which a law may have work.
static void find_active(Activity* activity, const Plan* plan, int index, bool is_said,
                        SlotSet settling) {
    const GullyWorld* world = activity->world;
    const Tile* tile = &world->tiles[index];
    const int panel = index % world->tiles_x, bottom = tile->y + tile->height;
    for (int y = tile->y, end; y < bottom; y = end) {
        end = (y / PATCH + 1) * PATCH < bottom ? (y / PATCH + 1) * PATCH : bottom;
        uint8_t* active = active_row(activity, y / PATCH) + activity->panel_start[panel];
        for (int from = 0; from < tile->width; from += PATCH) {
            const int to = tile->width - from < PATCH ? tile->width : from + PATCH;
            const ActiveSpan columns = {from, to};
            if (!is_said || !is_settled(activity, plan, settling, tile, panel, y, end, columns))
                active[from / PATCH] = 1;
        }
    }
}

GullyStatus activity_look(Activity* activity, const Plan* plan, int index) {
    const GullyWorld* world = activity->world;
    SlotSet rest, settling;
    const bool is_said = find_rest_slots(plan, &rest, &settling);
    const SlotSet slots = rest | settling | SLOT_BIT(world->common[GROUND]);
    GullyStatus status = world_pin(world, index, slots, ACCESS_READ);
    if (status) return status;
    const bool is_missing = has_no_cells(world, &world->tiles[index]);
    if (!is_missing) find_active(activity, plan, index, is_said, settling);
    world_unpin(world, index);
    return store_set_missing((GullyWorld*)world, index, is_missing);
}
