#include "stage.h"

#include <stdlib.h>

GullyStatus stage_create(const GullyScenery* scenery, const GullyRenderDef* def, Pool* pool,
                         Stage* out) {
    *out = (Stage){.overlays = def->overlays};
    out->sky = sky_create(def->sun_azimuth, def->sun_elevation);
    out->land = land_create(scenery, def->exaggerate, pool);
    if (!out->land || !drape_create(out->land, def->overlays, pool, &out->drape) ||
        !daylight_create(out->land, out->sky.sun, pool, &out->daylight)) {
        stage_destroy(out);
        return GULLY_FAILED;
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

/// Colours of the earth from the surface down, and how many of them a height of the relief has.
static const unsigned strata[] = {0x8a7458, 0x7b6650, 0x927d62, 0x6f5d4b, 0x84705a, 0x796858};

enum { STRATA = sizeof strata / sizeof strata[0] };

static Rgb stratum_color(const Stage* stage, Vec at, float down) {
    const Land* land = stage->land;
    float relief = fmaxf(land->highest - land->lowest, (float)(0.02 * stage->size));
    double along = (at.x * land->cell_x + at.y * land->cell_y) / stage->size;
    float bend = 0.05f * drape_noise(6 * along, 0.5) * relief;
    float place = 26 * ((float)at.z + bend) / relief;
    int number = (int)floorf(place);
    float within = place - (float)number;
    Rgb lower = rgb_of(strata[((number * 7) % STRATA + STRATA) % STRATA]);
    Rgb upper = rgb_of(strata[(((number + 1) * 7) % STRATA + STRATA) % STRATA]);
    Rgb color = rgb_mix(lower, upper, ramp(within, 0.75f, 1));
    color = rgb_scale(color, 1 + 0.12f * drape_noise(200 * along, (double)(place * 2)));
    float soil = 1 - ramp(down, 0.012f * relief, 0.025f * relief);
    return rgb_mix(color, rgb_of(0x4a3a2a), 0.85f * soil);
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

static bool in_shadow(const Stage* stage, Vec at, Vec normal) {
    const Land* land = stage->land;
    double lift = 0.02 * (land->cell_x + land->cell_y);
    Vec from = {at.x + lift * normal.x / land->cell_x, at.y + lift * normal.y / land->cell_y,
                at.z + lift * normal.z};
    return land_cast(land, from, stage->sky.sun, INFINITY).kind != HIT_NOTHING;
}

Rgb stage_wall(const Stage* stage, const Hit* hit, Vec direction) {
    const Land* land = stage->land;
    bool is_x = hit->kind == HIT_WALL_X;
    Vec normal = {is_x ? -copysign(1, direction.x) : 0, is_x ? 0 : -copysign(1, direction.y), 0};
    Place place = land_place(land, hit->at.x, hit->at.y);
    float down = place_value(land, land->ground, place) - (float)hit->at.z;
    Rgb color = down > 0 ? earth_color(stage, hit->at, place, down) : rgb_of(0x2f6f96);
    float facing = fmaxf((float)vec_dot(normal, stage->sky.sun), 0);
    if (facing > 0 && in_shadow(stage, hit->at, normal)) facing = 0;
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
    Vec up = {0, 0, 1};
    bool dark = in_shadow(stage, at, up);
    // Light from all around, less blue than the sky's: the table throws it about.
    Rgb around = rgb_mix(stage->sky.skylight, (Rgb){0.72f, 0.68f, 0.62f}, 0.5f);
    Rgb light = rgb_scale(around, open);
    if (!dark) light = rgb_add(light, stage->sky.sunlight, (float)stage->sky.sun.z);
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
