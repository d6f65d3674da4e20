// SPDX-License-Identifier: MIT
#include "strokes.h"

#include <math.h>
#include <stdlib.h>

#include "editor.h"
#include "limits.h"

/// A call that asks for more dabs is a mistake, or malice.
enum { MOST_DABS = 100000 };

// ---- a stroke -----------------------------------------------------------------------------------

/// Octaves of bumps down to the size of two cells, six at most.
static int count_octaves(double scale, double cell) {
    int octaves = 1;
    while (octaves < 6 && scale >= 4 * cell) {
        scale /= 2;
        octaves++;
    }
    return octaves;
}

static double* create_numbers(size_t count) {
    return malloc(count * sizeof(double));
}

static GullyStatus prepare_stroke(const GullyEditor* editor, Stroke* stroke) {
    GullyWorld* world = editor->world;
    const GullyBrush* brush = &stroke->brush;
    const BrushKind* kind = stroke->kind;
    double smallest = fmin(world->cell_x, world->cell_y);
    stroke->spacing = fmax(brush->radius / 4, smallest / 2);
    stroke->level = NAN;
    stroke->noise_scale = fmax(brush->scale > 0 ? brush->scale : brush->radius / 2, smallest);
    stroke->noise =
        noise_fractal((uint64_t)brush->seed, count_octaves(stroke->noise_scale, smallest));
    stroke->weights = create_numbers((size_t)world->width);
    stroke->values = create_numbers((size_t)world->width);
    bool good = stroke->weights && stroke->values;
    if (good && !kind->change && !kind->law) good = dab_create_window(stroke, world);
    stroke->strength = brush->strength;
    if (good && limits_there(brush)) {
        const double width = fmin(2 * brush->radius / world->cell_x + 3, world->width);
        const double height = fmin(2 * brush->radius / world->cell_y + 3, world->height);
        stroke->allowed = malloc((size_t)width * (size_t)height);
        good = stroke->allowed != NULL;
    }
    if (!good) return gully_fail(GULLY_NO_MEMORY, "no memory for a brush of %g m", brush->radius);
    if (kind->law)
        return plot_create(editor->sim, editor->settings, kind->law, brush, &stroke->plot);
    return world_add_common(world, FIELD_BIT(kind->field));
}

void stroke_end(Stroke* stroke) {
    plot_destroy(stroke->plot);
    free(stroke->allowed);
    free(stroke->weights);
    free(stroke->values);
    free(stroke->heights);
    free(stroke->sums);
    *stroke = (Stroke){0};
}

GullyStatus gully_editor_begin_stroke(GullyEditor* editor, const char* kind,
                                      const GullyBrush* brush) {
    Stroke stroke = {.brush = *brush};
    GullyStatus status = brush_check(editor->world, kind, brush, &stroke.kind);
    if (!status && stroke.kind->info.held)
        status = gully_fail(GULLY_BAD_INPUT, "brush: %s is held, it makes no strokes", kind);
    if (!status) status = prepare_stroke(editor, &stroke);
    if (status) {
        stroke_end(&stroke);
        return status;
    }
    stroke_end(&editor->stroke);
    editor->stroke = stroke;
    return GULLY_OK;
}

GullyStatus gully_editor_press(GullyEditor* editor, double pressure) {
    Stroke* stroke = &editor->stroke;
    if (!stroke->kind) return gully_fail(GULLY_BAD_INPUT, "no stroke was begun");
    if (!(pressure >= 0 && pressure <= 1))
        return gully_fail(GULLY_BAD_INPUT, "a pressure of %g; allowed: 0 to 1", pressure);
    stroke->brush.strength = stroke->strength * pressure;
    return GULLY_OK;
}

void gully_editor_end_stroke(GullyEditor* editor) {
    stroke_end(&editor->stroke);
}

// ---- the way ------------------------------------------------------------------------------------

static double distance(GullyPoint a, GullyPoint b) {
    double dx = b.x - a.x, dy = b.y - a.y;
    return sqrt(dx * dx + dy * dy);
}

/// Whether the points can be walked along.
static GullyStatus check_points(const Stroke* stroke, const GullyPoint* points, int count) {
    double way = 0;
    for (int i = 0; i < count; i++) {
        const GullyPoint last = i > 0 ? points[i - 1] : stroke->begun ? stroke->last : points[0];
        if (!isfinite(points[i].x) || !isfinite(points[i].y))
            return gully_fail(GULLY_BAD_INPUT, "a point of the stroke is no number");
        way += distance(last, points[i]);
    }
    if (way / stroke->spacing <= MOST_DABS) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT,
                      "a stroke of %g m with a brush of %g m; allowed: up to %g m at once", way,
                      stroke->brush.radius, MOST_DABS * stroke->spacing);
}

/// Dab n lies n times the spacing along the way: where points are put does not matter.
static GullyStatus walk_to(GullyEditor* editor, GullyPoint to) {
    Stroke* stroke = &editor->stroke;
    const GullyPoint from = stroke->begun ? stroke->last : to;
    const double length = distance(from, to), end = stroke->walked + length;
    GullyStatus status = GULLY_OK;
    while (!status && (double)stroke->dabs * stroke->spacing <= end) {
        double at = (double)stroke->dabs++ * stroke->spacing;
        double share = length > 0 ? (at - stroke->walked) / length : 0;
        double x = from.x + share * (to.x - from.x), y = from.y + share * (to.y - from.y);
        status = dab_do(editor, (GullyPoint){x, y});
    }
    stroke->begun = true;
    stroke->last = to;
    stroke->walked = end;
    return status;
}

GullyStatus gully_editor_stroke_to(GullyEditor* editor, const GullyPoint* points, int count) {
    if (!editor->stroke.kind) return gully_fail(GULLY_BAD_INPUT, "no stroke was begun");
    if (count < 1) return GULLY_OK;
    GullyStatus status = check_points(&editor->stroke, points, count);
    if (!status) status = editor_prepare(editor);
    if (status) return status;
    editor_commit(editor);
    for (int i = 0; i < count && !status; i++)
        status = walk_to(editor, points[i]);
    return status;
}
