// SPDX-License-Identifier: MIT
#include "strokes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "editor.h"
#include "limits.h"

Run dab_run(const GullyWorld* world, const Dab* dab, int y, double* weights) {
    const Stroke* stroke = dab->stroke;
    const Run run = dab_row(world, dab->brush, dab->at, y, weights);
    if (!stroke->allowed) return run;
    const GullyRect looked = stroke->looked;
    const unsigned char* allowed =
        stroke->allowed + (size_t)(y - looked.y) * (size_t)looked.width + (run.x - looked.x);
    for (int i = 0; i < run.count; i++)
        weights[i] *= allowed[i];
    return run;
}

// ---- cell by cell -------------------------------------------------------------------------------

/// Changes a row of a field; the surface moves with a layer.
static GullyStatus change_row(GullyWorld* world, const Dab* dab, Run run, const double* values,
                              double* changes) {
    const BrushKind* kind = dab->stroke->kind;
    if (kind->field == GROUND) return cells_raise(world, dab->brush->layer, run, changes);
    for (int i = 0; i < run.count; i++)
        changes[i] += values[i];
    return cells_write(world, kind->field, run, changes);
}

/// A brush that looks at nothing but the cell.
static GullyStatus dab_cells(GullyWorld* world, const Dab* dab, GullyRect rect) {
    const Stroke* stroke = dab->stroke;
    double *weights = stroke->weights, *values = stroke->values;
    GullyStatus status = GULLY_OK;
    for (int y = rect.y; y < rect.y + rect.height && !status; y++) {
        Run run = dab_run(world, dab, y, weights);
        status = cells_read(world, stroke->kind->field, run, values);
        if (status) return status;
        for (int i = 0; i < run.count; i++) {
            GullyPoint at = {(run.x + i) * world->cell_x, y * world->cell_y};
            weights[i] = stroke->kind->change(dab, values[i], weights[i], at);
        }
        status = change_row(world, dab, run, values, weights);
    }
    return status;
}

/// Finds the height that a stroke flattens to: that of the cell of its first dab nearest to the
/// point.
static GullyStatus find_level(const GullyWorld* world, const Dab* dab, GullyRect rect,
                              double* out) {
    double nearest = INFINITY;
    for (int y = rect.y; y < rect.y + rect.height; y++) {
        Run run = dab_row(world, dab->brush, dab->at, y, dab->stroke->weights);
        GullyStatus status = cells_read(world, GROUND, run, dab->stroke->values);
        if (status) return status;
        for (int i = 0; i < run.count; i++) {
            double dx = (run.x + i) * world->cell_x - dab->at.x, dy = y * world->cell_y - dab->at.y;
            double distance2 = dx * dx + dy * dy, height = dab->stroke->values[i];
            if (isnan(height) || distance2 >= nearest) continue;
            nearest = distance2;
            *out = height;
        }
    }
    return GULLY_OK;
}

// ---- smoothing ----------------------------------------------------------------------------------

/// How far to either side a mean is taken [cells].
static int mean_reach(double radius, double cell, int count) {
    double reach = floor(radius / 8 / cell);
    return reach < 1 ? 1 : reach > count ? count : (int)reach;
}

/// A rectangle that is larger on all sides, as far as the world goes.
static GullyRect grown(const GullyWorld* world, GullyRect rect, int x, int y) {
    int left = rect.x - x > 0 ? rect.x - x : 0, top = rect.y - y > 0 ? rect.y - y : 0;
    int right = rect.x + rect.width, bottom = rect.y + rect.height;
    right = world->width - right > x ? right + x : world->width;
    bottom = world->height - bottom > y ? bottom + y : world->height;
    return (GullyRect){left, top, right - left, bottom - top};
}

/// The heights around a dab, and the sums of some rows of them, column by column.
typedef struct Window {
    GullyRect rect;
    double* heights;                     // above `base`; NaN = no cell
    double base;                         // of all [m]: even ground is exactly 0
    double *sums, *counts;               // of each column
    double *sums_before, *counts_before; // of all columns before one
} Window;

static GullyStatus read_window(const GullyWorld* world, const Stroke* stroke, GullyRect rect,
                               Window* out) {
    Window window = {.rect = rect, .heights = stroke->heights, .base = NAN, .sums = stroke->sums};
    size_t row = (size_t)rect.width + 1;
    window.counts = window.sums + row;
    window.sums_before = window.counts + row;
    window.counts_before = window.sums_before + row;
    memset(window.sums, 0, 2 * row * sizeof *window.sums);
    for (int y = 0; y < rect.height; y++) {
        double* heights = window.heights + (size_t)y * (size_t)rect.width;
        GullyStatus status =
            cells_read(world, GROUND, (Run){rect.x, rect.y + y, rect.width}, heights);
        if (status) return status;
        for (int x = 0; x < rect.width; x++) {
            if (isnan(window.base)) window.base = heights[x];
            heights[x] -= window.base;
        }
    }
    *out = window;
    return GULLY_OK;
}

/// Adds a row to the sums of the columns, or takes it away; one outside the window has no cells.
static void sum_row(Window* window, int y, int sign) {
    if (y < 0 || y >= window->rect.height) return;
    const double* heights = window->heights + (size_t)y * (size_t)window->rect.width;
    for (int x = 0; x < window->rect.width; x++) {
        bool is_cell = !isnan(heights[x]);
        window->sums[x] += is_cell ? sign * heights[x] : 0;
        window->counts[x] += is_cell ? sign : 0;
    }
}

static void sum_before(Window* window) {
    window->sums_before[0] = window->counts_before[0] = 0;
    for (int x = 0; x < window->rect.width; x++) {
        window->sums_before[x + 1] = window->sums_before[x] + window->sums[x];
        window->counts_before[x + 1] = window->counts_before[x] + window->counts[x];
    }
}

/// The mean around a column of the window, of the rows that are summed.
static double mean_at(const Window* window, int x, int reach) {
    int from = x > reach ? x - reach : 0;
    int end = window->rect.width - x > reach + 1 ? x + reach + 1 : window->rect.width;
    double count = window->counts_before[end] - window->counts_before[from];
    return (window->sums_before[end] - window->sums_before[from]) / count;
}

/// Draws heights towards the mean around them; all means are those before the dab.
static GullyStatus dab_smooth(GullyWorld* world, const Dab* dab, GullyRect rect) {
    double* weights = dab->stroke->weights;
    int reach_x = mean_reach(dab->brush->radius, world->cell_x, world->width);
    int reach_y = mean_reach(dab->brush->radius, world->cell_y, world->height);
    Window window;
    GullyStatus status =
        read_window(world, dab->stroke, grown(world, rect, reach_x, reach_y), &window);
    if (status) return status;
    int top = rect.y - window.rect.y;
    for (int y = 0; y < top + reach_y; y++)
        sum_row(&window, y, 1);
    for (int y = top; y < top + rect.height && !status; y++) {
        sum_row(&window, y + reach_y, 1);
        sum_row(&window, y - reach_y - 1, -1);
        sum_before(&window);
        Run run = dab_run(world, dab, window.rect.y + y, weights);
        const double* heights = window.heights + (size_t)y * (size_t)window.rect.width;
        for (int i = 0; i < run.count; i++) {
            int x = run.x + i - window.rect.x;
            weights[i] *= dab->brush->strength * (mean_at(&window, x, reach_x) - heights[x]);
        }
        status = cells_raise(world, dab->brush->layer, run, weights);
    }
    return status;
}

bool dab_create_window(Stroke* stroke, const GullyWorld* world) {
    double radius = stroke->brush.radius;
    double reach_x = mean_reach(radius, world->cell_x, world->width) + radius / world->cell_x;
    double reach_y = mean_reach(radius, world->cell_y, world->height) + radius / world->cell_y;
    double width = fmin(2 * reach_x + 3, world->width);
    double height = fmin(2 * reach_y + 3, world->height);
    stroke->heights = malloc((size_t)width * (size_t)height * sizeof(double));
    stroke->sums = malloc(4 * ((size_t)width + 1) * sizeof(double));
    return stroke->heights && stroke->sums;
}

// ---- any brush ----------------------------------------------------------------------------------

GullyStatus dab_do(GullyEditor* editor, GullyPoint at) {
    Stroke* stroke = &editor->stroke;
    const Dab dab = {stroke, &stroke->brush, at};
    const GullyRect rect = dab_rect(editor->world, &stroke->brush, at);
    if (rect.width == 0 || rect.height == 0) return GULLY_OK;
    editor_touch(editor, rect);
    if (stroke->kind->levels && isnan(stroke->level)) {
        GullyStatus status = find_level(editor->world, &dab, rect, &stroke->level);
        if (status) return status;
    }
    if (stroke->allowed) {
        GullyStatus status = limits_look(editor->world, &stroke->brush, rect, stroke->allowed);
        if (status) return status;
        stroke->looked = rect;
    }
    if (stroke->plot) return plot_dab(stroke->plot, editor->world, &dab, stroke->weights);
    if (stroke->kind->change) return dab_cells(editor->world, &dab, rect);
    return dab_smooth(editor->world, &dab, rect);
}
