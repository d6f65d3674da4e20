// SPDX-License-Identifier: MIT
#include "brushes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "limits.h"
#include "strokes.h"

#define ROW(...) GULLY_PARAM_ROW(GullyBrush, __VA_ARGS__)
static const GullyParam brush_rows[] = {GULLY_BRUSH_PARAMS(ROW)};
#undef ROW
static const GullyParamTable brush_table = {
    "brush", brush_rows, (int)(sizeof brush_rows / sizeof *brush_rows), sizeof(GullyBrush)};

const GullyParamTable* gully_brush_table(void) {
    return &brush_table;
}

// ---- what they do to a cell: the change of its value --------------------------------------------

static double add(const Dab* dab, double value, double weight, GullyPoint at) {
    (void)value, (void)at;
    return dab->brush->strength * weight;
}

static double take(const Dab* dab, double value, double weight, GullyPoint at) {
    return -add(dab, value, weight, at);
}

static double level(const Dab* dab, double value, double weight, GullyPoint at) {
    (void)at;
    return dab->brush->strength * weight * (dab->stroke->level - value);
}

static double roughen(const Dab* dab, double value, double weight, GullyPoint at) {
    (void)value;
    double scale = dab->stroke->noise_scale;
    return dab->brush->strength * weight *
           noise_fbm(&dab->stroke->noise, at.x / scale, at.y / scale);
}

static double to_hard(const Dab* dab, double value, double weight, GullyPoint at) {
    (void)at;
    return dab->brush->strength * weight * (0 - value);
}

static double to_soft(const Dab* dab, double value, double weight, GullyPoint at) {
    (void)at;
    return dab->brush->strength * weight * (1 - value);
}

// ---- the table ----------------------------------------------------------------------------------

// clang-format off
static const BrushKind kinds[] = {
    // name, summary, unit, strength, most, held, layers           field      change   law, levels
    {{"raise",   "heaps up ground, or one of its layers",
      "m",       1,    1e4, false, true},                          GROUND,    add,     NULL, false},
    {{"lower",   "takes ground away, or one of its layers as far as there is any",
      "m",       1,    1e4, false, true},                          GROUND,    take,    NULL, false},
    {{"smooth",  "evens out what is smaller than an eighth of the radius",
      "share",   0.5,  1,   false, true},                          GROUND,    NULL,    NULL, false},
    {{"flatten", "draws the ground towards its height under the first point of the stroke",
      "share",   0.3,  1,   false, true},                          GROUND,    level,   NULL, true},
    {{"noise",   "adds bumps and hollows",
      "m",       0.5,  1e4, false, true},                          GROUND,    roughen, NULL, false},
    {{"water",   "pours water",
      "m",       0.2,  1e4, false, false},                         WATER,     add,     NULL, false},
    {{"dry",     "takes water away; the sediment in it stays",
      "m",       0.2,  1e4, false, false},                         WATER,     take,    NULL, false},
    {{"rain",    "rains on a place while it is held",
      "m/s",     0.01, 1,   true,  false},                         WATER,     NULL,    NULL, false},
    {{"erode",   "lets rain run off that carves, and drops what it carried",
      "m",       0.03, 10,  false, false},                         GROUND,    NULL,    "pipe", false},
    {{"thermal", "lets slide what is steeper than the talus angle",
      "share",   0.5,  1,   false, false},                         GROUND,    NULL,    "thermal", false},
    {{"harden",  "makes the ground harder to erode",
      "share",   0.2,  1,   false, false},                         HARDNESS,  to_hard, NULL, false},
    {{"soften",  "makes the ground as soft as its material is",
      "share",   0.2,  1,   false, false},                         HARDNESS,  to_soft, NULL, false},
};
// clang-format on

enum { KINDS = sizeof kinds / sizeof *kinds };

int gully_brush_count(void) {
    return KINDS;
}

const GullyBrushInfo* gully_brush_info(int index) {
    return &kinds[index].info;
}

static const BrushKind* find_kind(const char* name) {
    for (int i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].info.name, name) == 0) return &kinds[i];
    }
    return NULL;
}

const GullyBrushInfo* gully_brush_find(const char* name) {
    const BrushKind* kind = find_kind(name);
    return kind ? &kind->info : NULL;
}

static GullyStatus refuse_kind(const char* name) {
    char names[256] = "";
    for (int i = 0, used = 0; i < KINDS && used < (int)sizeof names; i++)
        used += snprintf(names + used, sizeof names - (size_t)used, "%s%s", i ? ", " : "",
                         kinds[i].info.name);
    return gully_fail(GULLY_BAD_INPUT, "brush: \"%.60s\" is unknown; allowed: %s", name, names);
}

GullyStatus brush_check(const GullyWorld* world, const char* kind, const GullyBrush* brush,
                        const BrushKind** out) {
    *out = find_kind(kind);
    if (!*out) return refuse_kind(kind);
    const GullyBrushInfo* info = &(*out)->info;
    GullyStatus status = gully_params_check(&brush_table, brush);
    if (status) return gully_fail_in(status, "brush %s", kind);
    if (brush->strength > info->most)
        return gully_fail(GULLY_BAD_INPUT,
                          "brush %s: strength: %g is too much; allowed: 0 to %g %s", kind,
                          brush->strength, info->most, info->unit);
    if (info->held && limits_there(brush))
        return gully_fail(GULLY_BAD_INPUT, "brush %s: it is held, and has no limits", kind);
    int layers = world->material_count > 0 ? world->material_count : 1;
    if (info->layers && brush->layer >= layers)
        return gully_fail(GULLY_BAD_INPUT,
                          "brush %s: layer: there is no layer %d; allowed: up to %d, or below 0",
                          kind, brush->layer, layers - 1);
    if (brush->material >= layers)
        return gully_fail(GULLY_BAD_INPUT,
                          "brush %s: material: there is no material %d; allowed: up to %d, or "
                          "below 0",
                          kind, brush->material, layers - 1);
    return GULLY_OK;
}

// ---- where they act -----------------------------------------------------------------------------

double gully_brush_weight(const GullyBrush* brush, double distance) {
    if (distance > brush->radius) return 0;
    double fading = brush->falloff * brush->radius, left = brush->radius - distance;
    if (left >= fading) return 1;
    double t = left / fading;
    return t * t * (3 - 2 * t);
}

/// A brush smaller than a cell takes the whole of the cell that its centre is in.
typedef struct Nearest {
    bool there;
    int x, y;
} Nearest;

static Nearest nearest_cell(const GullyWorld* world, const GullyBrush* brush, GullyPoint at) {
    if (brush->radius >= fmax(world->cell_x, world->cell_y)) return (Nearest){false, 0, 0};
    double x = floor(at.x / world->cell_x + 0.5), y = floor(at.y / world->cell_y + 0.5);
    if (!(x >= 0 && x < world->width && y >= 0 && y < world->height)) return (Nearest){false, 0, 0};
    return (Nearest){true, (int)x, (int)y};
}

static Reach with(Reach reach, int cell) {
    if (reach.from >= reach.end) return (Reach){cell, cell + 1};
    return (Reach){cell < reach.from ? cell : reach.from, cell >= reach.end ? cell + 1 : reach.end};
}

GullyRect dab_rect(const GullyWorld* world, const GullyBrush* brush, GullyPoint at) {
    const Nearest nearest = nearest_cell(world, brush, at);
    Reach x = cells_within(at.x, brush->radius, world->cell_x, world->width);
    Reach y = cells_within(at.y, brush->radius, world->cell_y, world->height);
    if (nearest.there) {
        x = with(x, nearest.x);
        y = with(y, nearest.y);
    }
    return (GullyRect){x.from, y.from, x.end - x.from, y.end - y.from};
}

Run dab_row(const GullyWorld* world, const GullyBrush* brush, GullyPoint at, int y,
            double* weights) {
    const Nearest nearest = nearest_cell(world, brush, at);
    const bool is_nearest_row = nearest.there && nearest.y == y;
    const double dy = y * world->cell_y - at.y, half2 = brush->radius * brush->radius - dy * dy;
    Reach x = {0, 0};
    if (half2 >= 0) x = cells_within(at.x, sqrt(half2), world->cell_x, world->width);
    if (is_nearest_row) x = with(x, nearest.x);
    for (int i = x.from; i < x.end; i++) {
        double dx = i * world->cell_x - at.x;
        double weight = gully_brush_weight(brush, sqrt(dx * dx + dy * dy));
        weights[i - x.from] = is_nearest_row && i == nearest.x ? 1 : weight;
    }
    return (Run){x.from, y, x.end - x.from};
}
