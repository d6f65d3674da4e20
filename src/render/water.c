// SPDX-License-Identifier: MIT
// Water: what it lets through of the ground, what it scatters itself, and what it mirrors.
#include "stage.h"

/// Share of the light that a smooth surface of water mirrors (Schlick 1994).
static float mirrored(float facing) {
    float rest = 1 - clampf(facing, 0, 1);
    float rest2 = rest * rest;
    return 0.02f + 0.98f * rest2 * rest2 * rest;
}

/// Ripples, from the wind: steeper where it is deep.
static Vec rippled(const Stage* stage, Vec at, Vec slope, float calm) {
    const Land* land = stage->land;
    double x = at.x * land->cell_x, y = at.y * land->cell_y;
    double size = 0.0035 * stage->size;
    double steep = 0.025 * (double)calm;
    slope.x += steep * (double)drape_noise(x / size, y / size);
    slope.y += steep * (double)drape_noise(y / size + 31.7, x / size - 11.3);
    return slope;
}

/// Sky or land, whichever is seen in the mirror.
static Rgb mirror_image(const Stage* stage, Vec at, Vec direction) {
    const Land* land = stage->land;
    if (direction.z < 0.01) direction = vec_unit((Vec){direction.x, direction.y, 0.01});
    Vec from = at;
    from.z += 0.05 * (land->cell_x + land->cell_y);
    Hit hit = land_cast(land, from, direction, 0.5 * stage->size);
    if (hit.kind == HIT_SURFACE) return stage_ground(stage, land_place(land, hit.at.x, hit.at.y));
    return sky_color(&stage->sky, direction);
}

/// Colour of the water itself: clear and blue, or of what floats in it.
static Rgb body_color(const Stage* stage, Place place, float deep) {
    const float* sediment = stage->land->scenery->fields[GULLY_SEDIMENT];
    const GullyPalette* palette = stage->drape.palette;
    Rgb clear = rgb_mix(rgb_of(palette->shallow), rgb_of(palette->deep), deep);
    if (!sediment) return clear;
    bool overlaid = stage->overlays & GULLY_OVERLAY_SEDIMENT;
    float load = place_value(stage->land, sediment, place);
    Rgb silt = overlaid ? overlay_color(GULLY_OVERLAY_SEDIMENT) : rgb_of(0x8a8a68);
    float share = drape_opacity(load, stage->drape.scale.sediment, 1);
    return rgb_mix(clear, silt, overlaid ? 0.9f * share : 0.35f * share);
}

Rgb stage_water(const Stage* stage, Place place, Vec at, Vec direction, float depth, Rgb ground) {
    const Land* land = stage->land;
    const Scale* scale = &stage->drape.scale;
    float cover = drape_opacity(depth, scale->water, 4);
    Rgb wet = rgb_scale(ground, 1 - 0.35f * drape_opacity(depth, 0.5f * scale->water, 2));
    if (cover < 0.02f) return wet;

    float calm = drape_opacity(depth, scale->water, 1);
    Vec slope = rippled(stage, at, land_slope(land, land->surface, place), calm);
    Vec normal = vec_unit((Vec){-slope.x, -slope.y, 1});
    float sun = (float)stage->daylight.sun[place.k] / 255;
    float open = (float)stage->daylight.sky[place.k] / 255;
    Rgb light =
        rgb_scale(stage->sky.sunlight, sun * fmaxf((float)vec_dot(normal, stage->sky.sun), 0));
    light = rgb_add(light, stage->sky.skylight, open);

    float deep = drape_opacity(depth, scale->lake, 1);
    float thick = 0.5f + 0.5f * drape_opacity(depth, 0.25f * scale->lake, 1);
    Rgb body = rgb_times(body_color(stage, place, deep), light);
    Rgb color = rgb_mix(wet, body, thick);

    float facing = -(float)vec_dot(normal, direction);
    float share = mirrored(facing);
    if (share > 0.021f && cover > 0.3f) {
        Vec out = vec_add(direction, normal, 2 * (double)facing);
        color = rgb_mix(color, mirror_image(stage, at, out), share);
        float glint = clampf((float)vec_dot(out, stage->sky.sun), 0, 1);
        color = rgb_add(color, stage->sky.sunlight, 1.5f * share * sun * powf(glint, 250));
    }
    return rgb_mix(wet, color, cover);
}
