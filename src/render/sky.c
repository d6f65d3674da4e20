// SPDX-License-Identifier: MIT
#include "sky.h"

Sky sky_create(double azimuth, double elevation) {
    float low = 1 - ramp((float)elevation, 3, 35); // a low sun is warm
    Sky sky = {.sun = vec_compass(azimuth, elevation)};
    sky.sunlight = rgb_mix((Rgb){3.6f, 3.2f, 2.6f}, (Rgb){3.5f, 2.3f, 1.3f}, 0.8f * low);
    sky.skylight = rgb_mix((Rgb){0.46f, 0.60f, 0.84f}, (Rgb){0.42f, 0.50f, 0.72f}, low);
    sky.horizon = rgb_mix((Rgb){1.25f, 1.36f, 1.46f}, (Rgb){1.5f, 1.2f, 0.95f}, 0.6f * low);
    sky.zenith = rgb_mix((Rgb){0.26f, 0.52f, 1.02f}, (Rgb){0.24f, 0.40f, 0.80f}, low);
    return sky;
}

Rgb sky_color(const Sky* sky, Vec direction) {
    float up = clampf((float)direction.z, 0, 1);
    Rgb color = rgb_mix(sky->horizon, sky->zenith, powf(up, 0.55f));
    float near_sun = clampf((float)vec_dot(direction, sky->sun), 0, 1);
    float near2 = near_sun * near_sun, near8 = near2 * near2 * near2 * near2;
    return rgb_add(color, sky->sunlight, 0.06f * near2 + 0.10f * near8);
}

Rgb sky_through_air(const Sky* sky, Vec direction, double distance, Rgb color) {
    if (sky->haze <= 0 || distance <= sky->clear) return color;
    float share = 1 - expf((float)(-sky->haze * (distance - sky->clear)));
    Rgb air = sky_color(sky, vec_unit((Vec){direction.x, direction.y, 0.02}));
    return rgb_mix(color, rgb_scale(air, 0.9f), share);
}

static float expose(float x) {
    x *= 0.46f;
    return clampf(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 0, 1);
}

Rgb sky_expose(Rgb light) {
    return (Rgb){expose(light.r), expose(light.g), expose(light.b)};
}
