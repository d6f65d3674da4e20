// SPDX-License-Identifier: MIT
#include "drape.h"

#include <stdint.h>
#include <stdlib.h>

#include "measure.h"
#include "overlays.h"

// ---- noise --------------------------------------------------------------------------------------

static float lattice(int x, int y) {
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (float)(h >> 8) * (2.0f / 16777216) - 1;
}

static float smooth_noise(double x, double y) {
    double fx = floor(x), fy = floor(y);
    int i = (int)fx, j = (int)fy;
    float u = (float)(x - fx), v = (float)(y - fy);
    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    float north = lattice(i, j) + u * (lattice(i + 1, j) - lattice(i, j));
    float south = lattice(i, j + 1) + u * (lattice(i + 1, j + 1) - lattice(i, j + 1));
    return north + v * (south - north);
}

float drape_noise(double x, double y) {
    float sum = 0, weight = 0.55f;
    for (int octave = 0; octave < 4; octave++) {
        sum += weight * smooth_noise(x, y);
        double turned = 1.6 * x + 1.2 * y + 17.3;
        y = 1.6 * y - 1.2 * x + 5.1;
        x = turned;
        weight *= 0.6f;
    }
    return sum;
}

float drape_opacity(float thickness, float half, int power) {
    float t = clampf(thickness / half, 0, 1000);
    float strength = t;
    for (int k = 1; k < power; k++)
        strength *= t;
    return strength / (1 + strength);
}

// ---- the ground ---------------------------------------------------------------------------------

/// What the palette's colours are without the cost of their powers: filled once.
typedef struct Painting {
    const Land* land;
    const Scale* scale;
    const GullyPalette* palette;
    unsigned overlays;
    unsigned char (*bytes)[4];
    Rgb belts[256];
    Rgb strata[1024];
    Rgb rock, dark_rock, soil, gravel, meadow, snow, water;
    Rgb plain; // under masks, whose colours then mean something
} Painting;

/// The layer of rock at a height, a little bent and not equally thick everywhere.
static Rgb layer_color(const Painting* p, float height, float rough) {
    float level = height + 0.012f * rough;
    return p->strata[(int)(1023 * clampf(level, 0, 1))];
}

/// Rock where it is steep, plants where it is not, soil and gravel where water was at work, snow on
/// what is high and not too steep. `rough` breaks up the borders between them.
static Rgb natural_color(const Painting* p, size_t k, float steepness, float rough, float fine) {
    const GullyScenery* scenery = p->land->scenery;
    float height = (scenery->fields[GULLY_TERRAIN][k] - p->scale->lowest) / p->scale->relief;
    float level = height;
    height += 0.07f * rough;
    Rgb color = p->belts[(int)(255 * clampf(height, 0, 1))];
    color = rgb_scale(color, 1 + 0.22f * fine);

    float flow = field_at(scenery, GULLY_FLOW, k) / p->scale->flow;
    float moist = log1pf(300 * clampf(flow, 0, 1)) / log1pf(300);
    color = rgb_mix(color, p->meadow,
                    p->palette->moist * ramp(moist, 0.1f, 0.6f) * (1 - ramp(height, 0.5f, 0.8f)));

    float wear = field_at(scenery, GULLY_WEAR, k),
          left = field_at(scenery, GULLY_DEPOSIT, k) - wear;
    color = rgb_mix(color, p->soil, 0.45f * drape_opacity(wear, p->scale->wear, 2));

    float steep = steepness / p->scale->steep + 0.25f * rough + 0.12f * fine;
    Rgb rock = rgb_mix(p->rock, p->dark_rock, clampf(0.5f + 0.6f * fine, 0, 1));
    float bare = p->palette->bare, line = p->palette->snow_line;
    if (p->palette->strata[0]) {
        Rgb layer = rgb_scale(layer_color(p, level, rough), 1 + 0.1f * fine);
        color = rgb_mix(color, layer, p->palette->layered);
        rock = rgb_mix(layer, rock, 0.15f);
        color = rgb_mix(color, rock, ramp(steep, bare, bare + 0.53f));
    } else {
        color =
            rgb_mix(color, rock, ramp(steep + 0.5f * ramp(height, 0.5f, 1), bare, bare + 0.53f));
    }
    float gravel = p->palette->gravelled * drape_opacity(left, p->scale->deposit, 2);
    color = rgb_mix(color, p->gravel, gravel);

    float river = p->palette->river * ramp(moist, 0.8f, 0.97f) * (1 - ramp(steepness, 0.12f, 0.4f));
    color = rgb_mix(color, p->water, river);

    float white = ramp(height + 0.05f * fine, line, line + 0.08f) * (1 - ramp(steep, 0.85f, 1.25f));
    return rgb_mix(color, p->snow, 0.95f * white);
}

static unsigned char root_byte(float light) {
    return (unsigned char)(255 * sqrtf(clampf(light, 0, 1)) + 0.5f);
}

static void paint_row(void* context, int y, int worker) {
    (void)worker;
    const Painting* p = context;
    const Land* land = p->land;
    const unsigned masks = GULLY_OVERLAY_DEPOSIT | GULLY_OVERLAY_FLOW | GULLY_OVERLAY_WEAR;
    const unsigned whole = GULLY_OVERLAY_MATERIALS | GULLY_OVERLAY_SLOPE;
    double side = land->width > land->height ? land->width : land->height;
    for (int x = 0; x < land->width; x++) {
        size_t k = (size_t)y * (size_t)land->width + (size_t)x;
        if (isnan(land->ground[k])) continue;
        Vec slope = land_corner_slope(land, land->ground, x, y);
        float steepness = (float)sqrt(vec_dot(slope, slope));
        float rough = drape_noise(x * 24 / side, y * 24 / side);
        float fine = drape_noise(x * 160 / side, y * 160 / side);
        Rgb color = natural_color(p, k, steepness, rough, fine);
        if (p->overlays & masks) color = rgb_mix(color, p->plain, 0.85f);
        if (p->overlays) {
            color =
                overlays_paint(land, p->scale, p->overlays, k, steepness / land->exaggerate, color);
            if (p->overlays & whole) color = rgb_scale(color, 1 + 0.08f * fine);
        }
        p->bytes[k][0] = root_byte(color.r);
        p->bytes[k][1] = root_byte(color.g);
        p->bytes[k][2] = root_byte(color.b);
    }
}

/// The colours of the palette as light.
static void mix_paints(Painting* p) {
    const GullyPalette* palette = p->palette;
    p->rock = rgb_of(palette->rock);
    p->dark_rock = rgb_of(palette->dark_rock);
    p->soil = rgb_of(palette->soil);
    p->gravel = rgb_of(palette->gravel);
    p->meadow = rgb_of(palette->meadow);
    p->snow = rgb_of(palette->snow);
    p->water = rgb_mix(rgb_of(palette->shallow), rgb_of(palette->deep), 0.35f);
    p->plain = rgb_of(0xa39c90);
    for (int i = 0; i < 256; i++)
        p->belts[i] = palette_belt(palette, (float)i / 255);
    for (int i = 0; palette->strata[0] && i < 1024; i++)
        p->strata[i] = palette_stratum(palette, (float)i / 1023, drape_noise(0.5, i * 0.09));
}

bool drape_create(const Land* land, const GullyPalette* palette, unsigned overlays, Pool* pool,
                  Drape* out) {
    out->palette = palette;
    out->bytes = calloc((size_t)land->width * (size_t)land->height, sizeof *out->bytes);
    if (!out->bytes || !scale_measure(land, &out->scale)) {
        drape_destroy(out);
        gully_fail(GULLY_NO_MEMORY, "not enough memory to draw a picture");
        return false;
    }
    Painting painting = {
        .land = land,
        .scale = &out->scale,
        .palette = palette,
        .overlays = overlays,
        .bytes = out->bytes,
    };
    mix_paints(&painting);
    pool_run(pool, land->height, paint_row, &painting);
    return true;
}

void drape_destroy(Drape* drape) {
    free(drape->bytes);
    drape->bytes = NULL;
}

static Rgb decode(const unsigned char* bytes, float weight) {
    const float one = 1.0f / (255 * 255);
    float r = (float)bytes[0], g = (float)bytes[1], b = (float)bytes[2];
    return (Rgb){weight * one * r * r, weight * one * g * g, weight * one * b * b};
}

Rgb drape_color(const Land* land, const Drape* drape, Place place) {
    const unsigned char(*at)[4] = (const unsigned char(*)[4])drape->bytes + place.k;
    Rgb sum = decode(at[0], (1 - place.u) * (1 - place.v));
    sum = rgb_add(sum, decode(at[1], place.u * (1 - place.v)), 1);
    sum = rgb_add(sum, decode(at[land->width], (1 - place.u) * place.v), 1);
    return rgb_add(sum, decode(at[land->width + 1], place.u * place.v), 1);
}
