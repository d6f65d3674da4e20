// SPDX-License-Identifier: MIT
#include "overlays.h"

/// A cell as overlays see it.
typedef struct Cell {
    const GullyScenery* scenery;
    const Scale* scale;
    size_t k;
    float steepness;
} Cell;

typedef Rgb Painter(const Cell* cell, Rgb color, Rgb below);

Rgb material_color(const GullyScenery* scenery, size_t k) {
    const float opaque = 0.01f; // [m]; a film shows in part what is below
    Rgb color = rgb_of(scenery->materials[0].color);
    for (int m = 1; m < scenery->material_count; m++) {
        float share = clampf(field_at(scenery, GULLY_LAYER(m), k) / opaque, 0, 1);
        color = rgb_mix(color, rgb_of(scenery->materials[m].color), share);
    }
    return color;
}

static Rgb paint_materials(const Cell* cell, Rgb color, Rgb below) {
    (void)color;
    return cell->scenery->material_count > 0 ? material_color(cell->scenery, cell->k) : below;
}

static Rgb paint_slope(const Cell* cell, Rgb color, Rgb below) {
    (void)below;
    const Rgb flat = rgb_of(0x3f8f4f), middle = rgb_of(0xe8d24a);
    float degrees = atanf(cell->steepness) * 57.29578f;
    Rgb gentle = rgb_mix(flat, middle, ramp(degrees, 2, 25));
    return rgb_mix(gentle, color, ramp(degrees, 20, 50));
}

static Rgb paint_deposit(const Cell* cell, Rgb color, Rgb below) {
    float left = field_at(cell->scenery, GULLY_DEPOSIT, cell->k) -
                 field_at(cell->scenery, GULLY_WEAR, cell->k);
    return rgb_mix(below, color, 0.85f * drape_opacity(left, cell->scale->deposit, 2));
}

static Rgb paint_wear(const Cell* cell, Rgb color, Rgb below) {
    float taken = field_at(cell->scenery, GULLY_WEAR, cell->k);
    return rgb_mix(below, color, 0.85f * drape_opacity(taken, 1.5f * cell->scale->wear, 3));
}

static Rgb paint_flow(const Cell* cell, Rgb color, Rgb below) {
    float flow = field_at(cell->scenery, GULLY_FLOW, cell->k) / cell->scale->flow;
    float share = log1pf(200 * clampf(flow, 0, 1)) / log1pf(200); // brooks and rivers
    return rgb_mix(below, color, 0.95f * ramp(share, 0.5f, 1));
}

/// Suspended sediment is in the water, which is painted where it is met.
static Rgb paint_nothing(const Cell* cell, Rgb color, Rgb below) {
    (void)cell, (void)color;
    return below;
}

/// In the order in which they are painted; an overlay's bit is 1 << its place in the names.
static const struct {
    GullyOverlay overlay;
    unsigned color;
    Painter* paint;
} rows[] = {
    {GULLY_OVERLAY_MATERIALS, 0, paint_materials},     //
    {GULLY_OVERLAY_SLOPE, 0xb3261e, paint_slope},      //
    {GULLY_OVERLAY_WEAR, 0xdf8f1e, paint_wear},        //
    {GULLY_OVERLAY_DEPOSIT, 0xc83020, paint_deposit},  //
    {GULLY_OVERLAY_FLOW, 0x1450b8, paint_flow},        //
    {GULLY_OVERLAY_SEDIMENT, 0x2e963e, paint_nothing}, //
};

enum { ROWS = sizeof rows / sizeof rows[0] };

Rgb overlays_paint(const Land* land, const Scale* scale, unsigned overlays, size_t k,
                   float steepness, Rgb ground) {
    Cell cell = {land->scenery, scale, k, steepness};
    for (int i = 0; i < ROWS; i++) {
        if (overlays & rows[i].overlay)
            ground = rows[i].paint(&cell, rgb_of(rows[i].color), ground);
    }
    return ground;
}

Rgb overlay_color(GullyOverlay overlay) {
    int i = 0;
    while (i < ROWS - 1 && rows[i].overlay != overlay)
        i++;
    return rgb_of(rows[i].color);
}

const char* gully_overlay_name(int index) {
    static const char* const names[] = {"sediment", "deposit",   "flow",
                                        "wear",     "materials", "slope"};
    return index < (int)(sizeof names / sizeof names[0]) ? names[index] : NULL;
}
