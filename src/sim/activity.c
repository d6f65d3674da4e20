#include "activity.h"

#include <stdlib.h>
#include <string.h>

struct Activity {
    const GullyWorld* world;
    int rows;          // of patches
    int columns;       // of patches, of all panels
    int* panel_start;  // a panel's first column of patches
    uint8_t* active;   // [rows][columns]
    uint8_t* awake;    // one row of patches, while it is computed
    ActiveSpan* spans; // [rows][panels]: the awake columns
    bool all;          // everything is awake in this run
};

static int patches_of(int cells) {
    return (cells + PATCH - 1) / PATCH;
}

static const Tile* panel_of(const Activity* activity, int panel) {
    return &activity->world->tiles[panel]; // its topmost tile
}

GullyStatus activity_create(const GullyWorld* world, Activity** out) {
    *out = NULL;
    Activity* activity = calloc(1, sizeof *activity);
    if (!activity) return gully_fail(GULLY_NO_MEMORY, "no memory for a stepper");
    activity->world = world;
    activity->rows = patches_of(world->height);
    activity->panel_start = calloc((size_t)world->tiles_x, sizeof *activity->panel_start);
    for (int tx = 0; activity->panel_start && tx < world->tiles_x; tx++) {
        activity->panel_start[tx] = activity->columns;
        activity->columns += patches_of(world->tiles[tx].width);
    }
    const size_t patches = (size_t)activity->rows * (size_t)activity->columns;
    const size_t spans = (size_t)activity->rows * (size_t)world->tiles_x;
    activity->active = malloc(patches);
    activity->awake = malloc((size_t)activity->columns);
    activity->spans = calloc(spans, sizeof *activity->spans);
    if (!activity->panel_start || !activity->active || !activity->awake || !activity->spans) {
        activity_destroy(activity);
        return gully_fail(GULLY_NO_MEMORY, "no memory for %zu patches", patches);
    }
    activity_wake(activity);
    *out = activity;
    return GULLY_OK;
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

static uint8_t* active_row(const Activity* activity, int row) {
    return activity->active + (size_t)row * (size_t)activity->columns;
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
    const int panel = inside / activity->world->tile_width;
    return activity->panel_start[panel] + (inside - panel_of(activity, panel)->x) / PATCH;
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

/// Lets laws wake the cells that a run will change by itself; true if some law wakes all.
static bool wake_by_laws(Activity* activity, const Plan* plan, int steps, StepConsts consts) {
    for (int k = 0; k < steps * plan->step_passes; k++) {
        const Law* law = plan->passes[k].entry.law;
        if (law->wakes && consts[k] && law->wakes(consts[k], wake_cells, activity)) return true;
    }
    return false;
}

/// Wakes the patches of the row under way that lie around the active ones of another row.
static void wake_around(Activity* activity, int row, int distance) {
    if (row < 0 || row >= activity->rows) return;
    const GullyWorld* world = activity->world;
    const uint8_t* active = active_row(activity, row);
    for (int tx = 0; tx < world->tiles_x; tx++) {
        const Tile* panel = panel_of(activity, tx);
        for (int i = 0; i < patches_of(panel->width); i++) {
            if (!active[activity->panel_start[tx] + i]) continue;
            int end = (i + 1) * PATCH < panel->width ? (i + 1) * PATCH : panel->width;
            int from = patch_near(activity, panel->x + i * PATCH - distance);
            int to = patch_near(activity, panel->x + end - 1 + distance);
            memset(activity->awake + from, 1, (size_t)(to - from + 1));
        }
    }
}

/// The columns of a panel from its first to its last awake patch, in the row under way.
static ActiveSpan span_of(const Activity* activity, int panel) {
    const uint8_t* awake = activity->awake + activity->panel_start[panel];
    const int width = panel_of(activity, panel)->width;
    int first = 0, last = patches_of(width) - 1;
    while (first <= last && !awake[first])
        first++;
    while (last >= first && !awake[last])
        last--;
    int to = (last + 1) * PATCH;
    return (ActiveSpan){first * PATCH, to < width ? to : width};
}

/// Whether every law of a step says where it has work to do.
static bool laws_rest(const Plan* plan) {
    for (int k = 0; k < plan->step_passes; k++) {
        const Law* law = plan->passes[k].entry.law;
        if (!law->rest && !law->marks_moving && !law->wakes) return false;
    }
    return true;
}

void activity_begin(Activity* activity, const Plan* plan, int steps, StepConsts consts) {
    activity->all = !laws_rest(plan) || wake_by_laws(activity, plan, steps, consts);
    if (activity->all) {
        activity_wake(activity);
        return;
    }
    const int around = plan->reach / PATCH + 1, panels = activity->world->tiles_x;
    for (int row = 0; row < activity->rows; row++) {
        memset(activity->awake, 0, (size_t)activity->columns);
        for (int beside = row - around; beside <= row + around; beside++)
            wake_around(activity, beside, around * PATCH);
        for (int panel = 0; panel < panels; panel++)
            activity->spans[row * panels + panel] = span_of(activity, panel);
    }
    memset(activity->active, 0, (size_t)activity->rows * (size_t)activity->columns);
}

ActiveSpan activity_span(const Activity* activity, int panel, int first, int end) {
    if (activity->all) return (ActiveSpan){0, panel_of(activity, panel)->width};
    ActiveSpan span = {0, 0};
    const int height = activity->world->height;
    const int top = first < 0 ? 0 : first / PATCH;
    const int bottom = end > height ? activity->rows - 1 : end < 1 ? -1 : (end - 1) / PATCH;
    for (int row = top; row <= bottom; row++) {
        ActiveSpan other = activity->spans[row * activity->world->tiles_x + panel];
        if (other.from >= other.to) continue;
        if (span.from >= span.to) span = other;
        if (other.from < span.from) span.from = other.from;
        if (other.to > span.to) span.to = other.to;
    }
    return span;
}

// ---- what is active -----------------------------------------------------------------------------

/// Whether a law is at rest in a part of a row.
static bool rests(const Activity* activity, const StepEntry* entry, const Tile* tile, int row,
                  ActiveSpan columns) {
    for (FieldSet left = entry->law->rest; left; left &= left - 1) {
        const int slot = entry->slots[__builtin_ctzll(left)];
        if (slot < 0) continue;
        if (!tile_is_zero(activity->world, tile, slot, row, columns.from, columns.to)) return false;
    }
    return true;
}

/// Whether all laws that say so by their fields are at rest in some rows of a patch.
static bool patch_rests(const Activity* activity, const Plan* plan, int panel, int first, int end,
                        ActiveSpan columns) {
    for (int y = first; y < end; y++) {
        const Tile* tile = tile_of_row(activity->world, panel, y);
        const Law* last = NULL;
        for (int k = 0; k < plan->step_passes; k++) {
            const StepEntry* entry = &plan->passes[k].entry;
            if (entry->law == last) continue;
            last = entry->law;
            if (!rests(activity, entry, tile, y - tile->y, columns)) return false;
        }
    }
    return true;
}

void activity_end_rows(Activity* activity, const Plan* plan, int panel, int y) {
    if (activity->all) return;
    const int row = y / PATCH, first = row * PATCH, height = activity->world->height;
    const int end = first + PATCH < height ? first + PATCH : height;
    const ActiveSpan span = activity->spans[row * activity->world->tiles_x + panel];
    uint8_t* active = active_row(activity, row) + activity->panel_start[panel];
    for (int from = span.from; from < span.to; from += PATCH) {
        const int to = span.to - from < PATCH ? span.to : from + PATCH;
        uint8_t* patch = &active[from / PATCH];
        if (!*patch)
            *patch = !patch_rests(activity, plan, panel, first, end, (ActiveSpan){from, to});
    }
}
