// SPDX-License-Identifier: MIT
#include "stage.h"

#include <stdlib.h>

GullyStatus stage_create(const GullyScenery* scenery, const GullyRenderDef* def, Pool* pool,
                         Stage* out) {
    *out = (Stage){.overlays = def->overlays};
    if (!gully_palette_info(def->palette))
        return gully_fail(GULLY_BAD_INPUT, "palette %d: not in the list", def->palette);
    out->sky = sky_create(def->sun_azimuth, def->sun_elevation);
    out->land = land_create(scenery, def->exaggerate, pool);
    if (!out->land ||
        !drape_create(out->land, gully_palette_info(def->palette), def->overlays, pool,
                      &out->drape) ||
        !daylight_create(out->land, out->sky.sun, pool, &out->daylight)) {
        stage_destroy(out);
        return GULLY_NO_MEMORY;
    }
    out->size = hypot(out->land->width * out->land->cell_x, out->land->height * out->land->cell_y);
    return GULLY_OK;
}

void stage_destroy(Stage* stage) {
    daylight_destroy(&stage->daylight);
    drape_destroy(&stage->drape);
    land_destroy(stage->land);
    stage->land = NULL;
}

// ---- ground -------------------------------------------------------------------------------------

static float share_at(const Stage* stage, const unsigned char* shares, Place place) {
    const unsigned char* at = shares + place.k;
    const unsigned char* south_row = at + stage->land->width;
    float north = (float)at[0] + place.u * (float)(at[1] - at[0]);
    float south = (float)south_row[0] + place.u * (float)(south_row[1] - south_row[0]);
    return (north + place.v * (south - north)) / 255;
}

/// Bumps finer than the cells, which the heights do not have: more of them where it is steep.
static Vec roughened(const Stage* stage, Place place, Vec slope) {
    const Land* land = stage->land;
    double x = (double)(place.k % (size_t)land->width) + (double)place.u;
    double y = (double)(place.k / (size_t)land->width) + (double)place.v;
    double steep = 0.05 + 0.22 * fmin(sqrt(vec_dot(slope, slope)), 1.5);
    slope.x += steep * (double)drape_noise(0.9 * x, 0.9 * y);
    slope.y += steep * (double)drape_noise(0.9 * x + 57.1, 0.9 * y - 23.7);
    return slope;
}

Rgb stage_ground(const Stage* stage, Place place) {
    Vec slope = roughened(stage, place, land_slope(stage->land, stage->land->ground, place));
    Vec normal = vec_unit((Vec){-slope.x, -slope.y, 1});
    Rgb color = drape_color(stage->land, &stage->drape, place);
    float sun = share_at(stage, stage->daylight.sun, place);
    float open = share_at(stage, stage->daylight.sky, place);
    float facing = fmaxf((float)vec_dot(normal, stage->sky.sun), 0);
    Rgb light = rgb_scale(stage->sky.sunlight, sun * facing);
    light = rgb_add(light, stage->sky.skylight, open * open);
    // What the slopes around throw back has their colour, about that of this place.
    Rgb bounced = rgb_scale(rgb_times(stage->sky.sunlight, color), 0.35f * (1 - open));
    return rgb_times(color, rgb_add(light, bounced, 1));
}

Rgb stage_surface(const Stage* stage, Vec at, Vec direction) {
    const Land* land = stage->land;
    Place place = land_place(land, at.x, at.y);
    Rgb ground = stage_ground(stage, place);
    const float* water = land->scenery->fields[GULLY_WATER];
    float depth = water ? place_value(land, water, place) : 0;
    if (!(depth > 0.05f * stage->drape.scale.water)) return ground;
    return stage_water(stage, place, at, direction, depth, ground);
}

// ---- walls --------------------------------------------------------------------------------------

/// Layers of the earth: light and dark ones, thick and thin, nearly level.
static Rgb stratum_color(const Stage* stage, Vec at, float down) {
    const Land* land = stage->land;
    float relief = fmaxf(land->highest - land->lowest, (float)(0.02 * stage->size));
    double along = (at.x * land->cell_x + at.y * land->cell_y) / stage->size;
    double level = at.z / (double)relief + 0.03 * (double)drape_noise(4 * along, 0.5);
    float thick = drape_noise(1.5 * along, 7 * level), thin = drape_noise(5 * along, 40 * level);
    Rgb color = rgb_mix(rgb_of(0x6b5a49), rgb_of(0x9c8666), clampf(0.5f + 0.9f * thick, 0, 1));
    color = rgb_scale(color, 1 + 0.22f * thin);
    float soil = 1 - ramp(down, 0.012f * relief, 0.03f * relief);
    return rgb_mix(color, rgb_of(0x453627), 0.8f * soil);
}

/// The material that lies so deep under the surface, or the strata of one that has no name.
static Rgb earth_color(const Stage* stage, Vec at, Place place, float down) {
    const GullyScenery* scenery = stage->land->scenery;
    if (!(stage->overlays & GULLY_OVERLAY_MATERIALS) || scenery->material_count == 0)
        return stratum_color(stage, at, down);
    int m = scenery->material_count - 1;
    for (; m > 0; m--) {
        const float* layer = scenery->fields[GULLY_LAYER(m)];
        float thickness =
            layer ? stage->land->exaggerate * place_value(stage->land, layer, place) : 0;
        if (down < thickness) break;
        down -= thickness;
    }
    return rgb_of(scenery->materials[m].color);
}

/// Whether something stands between a place and a light.
static bool is_hidden(const Stage* stage, Vec at, Vec normal, Vec light) {
    const Land* land = stage->land;
    double lift = 0.02 * (land->cell_x + land->cell_y);
    Vec from = {at.x + lift * normal.x / land->cell_x, at.y + lift * normal.y / land->cell_y,
                at.z + lift * normal.z};
    return land_cast(land, from, light, INFINITY).kind != HIT_NOTHING;
}

/// Share of a broad sun that reaches the floor.
static float sun_on_floor(const Stage* stage, Vec at) {
    enum { RAYS = 6 };
    const double broad = 0.035;
    Vec sun = stage->sky.sun, up = {0, 0, 1};
    Vec aside = vec_unit(fabs(sun.z) < 0.999 ? vec_cross(sun, up) : (Vec){1, 0, 0});
    Vec above = vec_cross(aside, sun);
    // Turned differently in each place, so that the edge is grain and not steps.
    double place = 7919.13 * at.x + 1047.29 * at.y, turn = place - floor(place);
    int seen = 0;
    for (int i = 0; i < RAYS; i++) {
        double angle = (i + turn) * 6.283185307179586 / RAYS;
        double out = broad * sqrt((i + 0.5) / RAYS);
        Vec light = vec_add(sun, aside, out * cos(angle));
        light = vec_unit(vec_add(light, above, out * sin(angle)));
        seen += !is_hidden(stage, at, up, light);
    }
    return (float)seen / RAYS;
}

Rgb stage_wall(const Stage* stage, const Hit* hit, Vec direction) {
    const Land* land = stage->land;
    bool is_x = hit->kind == HIT_WALL_X;
    Vec normal = {is_x ? -copysign(1, direction.x) : 0, is_x ? 0 : -copysign(1, direction.y), 0};
    // A little behind the wall: before it there may be no ground.
    Place place = land_place(land, hit->at.x - 1e-5 * normal.x, hit->at.y - 1e-5 * normal.y);
    float down = place_value(land, land->ground, place) - (float)hit->at.z;
    Rgb color = down > 0 ? earth_color(stage, hit->at, place, down) : rgb_of(0x2f6f96);
    float facing = fmaxf((float)vec_dot(normal, stage->sky.sun), 0);
    if (facing > 0 && is_hidden(stage, hit->at, normal, stage->sky.sun)) facing = 0;
    float height = (float)((hit->at.z - land->base) / (0.06 * stage->size));
    float open = 0.7f + 0.5f * clampf(height, 0, 1);
    Rgb light = rgb_scale(stage->sky.sunlight, facing);
    Rgb from_floor = rgb_scale(stage->sky.sunlight, 0.16f * (float)stage->sky.sun.z);
    light = rgb_add(light, from_floor, 1);
    return rgb_times(color, rgb_add(light, stage->sky.skylight, open));
}

// ---- all of it ----------------------------------------------------------------------------------

/// How far a place on the floor is from the block [m].
static double from_block(const Land* land, Vec at) {
    double x = fmax(fmax(-at.x, at.x - (land->width - 1)), 0) * land->cell_x;
    double y = fmax(fmax(-at.y, at.y - (land->height - 1)), 0) * land->cell_y;
    return hypot(x, y);
}

/// A pale table that the block stands on, and that becomes the sky far away.
static Rgb floor_color(const Stage* stage, Vec from, Vec direction) {
    const Land* land = stage->land;
    double t = (land->base - from.z) / direction.z;
    Vec at = {from.x + t * direction.x / land->cell_x, from.y + t * direction.y / land->cell_y,
              land->base};
    double away = from_block(land, at);
    double thickness = (double)land->highest - land->base;
    float open = 0.45f + 0.55f * (float)(1 - exp(-2.2 * away / thickness));
    // Light from all around, less blue than the sky's: the table throws it about.
    Rgb around = rgb_mix(stage->sky.skylight, (Rgb){0.72f, 0.68f, 0.62f}, 0.5f);
    Rgb light = rgb_scale(around, open);
    double longest = thickness / tan(0.8 * asin(stage->sky.sun.z)); // of the shadows
    float sun = away < longest ? sun_on_floor(stage, at) : 1;
    light = rgb_add(light, stage->sky.sunlight, sun * (float)stage->sky.sun.z);
    Rgb color = rgb_times((Rgb){0.40f, 0.40f, 0.39f}, light);
    Rgb far = sky_color(&stage->sky, vec_unit((Vec){direction.x, direction.y, 0.0}));
    float fade = (float)(1 - exp(-away * away / (0.8 * stage->size * stage->size)));
    return rgb_mix(color, far, fade);
}

Rgb stage_look(const Stage* stage, Vec from, Vec direction) {
    Hit hit = land_cast(stage->land, from, direction, INFINITY);
    if (hit.kind == HIT_NOTHING) {
        if (direction.z < -1e-6 && from.z > stage->land->base)
            return floor_color(stage, from, direction);
        return sky_color(&stage->sky, direction);
    }
    Rgb color = hit.kind == HIT_SURFACE ? stage_surface(stage, hit.at, direction)
                                        : stage_wall(stage, &hit, direction);
    return sky_through_air(&stage->sky, direction, hit.t, color);
}
