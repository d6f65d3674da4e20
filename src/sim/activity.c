#include "activity.h"

#include <stdlib.h>
#include <string.h>

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
    bool all;          // everything is awake in this run
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

void activity_begin_step(Activity* activity, const StepEntry* entries, int count, int reach,
                         int steps, StepConsts consts) {
    activity->all =
        !laws_rest(entries, count) || wake_by_laws(activity, entries, count, steps, consts);
    if (activity->all) {
        activity_wake(activity);
        return;
    }
    const int around = reach / PATCH + 1, panels = activity->panels;
    for (int row = 0; row < activity->rows; row++) {
        memset(awake_row(activity, row), 0, (size_t)activity->columns);
        for (int beside = row - around; beside <= row + around; beside++)
            wake_around(activity, row, beside, around * PATCH);
        for (int panel = 0; panel < panels; panel++)
            activity->spans[row * panels + panel] = span_of(activity, row, panel);
    }
    memset(activity->active, 0, (size_t)activity->rows * (size_t)activity->columns);
}

void activity_begin(Activity* activity, const Plan* plan, int steps, StepConsts consts) {
    activity_begin_step(activity, plan->entries, plan->step_passes, plan->reach, steps, consts);
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
    const ActiveSpan span = activity->spans[row * activity->panels + panel];
    uint8_t* active = active_row(activity, row) + activity->panel_start[panel];
    for (int from = span.from; from < span.to; from += PATCH) {
        const int to = span.to - from < PATCH ? span.to : from + PATCH;
        uint8_t* patch = &active[from / PATCH];
        if (!*patch)
            *patch = !patch_rests(activity, plan, panel, first, end, (ActiveSpan){from, to});
    }
}
