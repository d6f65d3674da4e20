// SPDX-License-Identifier: MIT
// Rays and horizons against plain ones: small steps along the ray, every cell looked at.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "horizon.h"
#include "land.h"

enum { WIDTH = 45, HEIGHT = 38 };

static double random_number(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/// Hills with a hole in them, 8 x 12 m a cell.
static GullyScenery* make_scenery(void) {
    static float heights[WIDTH * HEIGHT];
    uint64_t state = 7;
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
        int x = k % WIDTH, y = k / WIDTH;
        heights[k] = (float)(40 * sin(0.3 * x) * cos(0.23 * y) + 6 * random_number(&state));
        if (x > 20 && x < 26 && y > 12 && y < 17) heights[k] = NAN;
    }
    GullyRenderInput input = {.width = WIDTH, .height = HEIGHT, .cell_x = 8, .cell_y = 12};
    input.fields[GULLY_TERRAIN] = heights;
    GullyRenderDef def = gully_render_def(640, 480);
    GullyScenery* scenery;
    assert_int_equal(gully_scenery_create(&input, &def, &scenery), GULLY_OK);
    return scenery;
}

/// Height of the surface, or -INFINITY in a hole and outside.
static double surface_at(const Land* land, double x, double y) {
    if (x < 0 || y < 0 || x > land->width - 1 || y > land->height - 1) return -INFINITY;
    double height = (double)place_value(land, land->surface, land_place(land, x, y));
    Place p = land_place(land, x, y);
    const float* s = land->surface + p.k;
    bool hole = isnan(s[0] + s[1] + s[land->width] + s[land->width + 1]);
    return hole ? -INFINITY : height;
}

/// Where a ray gets below the surface, by small steps; INFINITY = nowhere.
static double plain_cast(const Land* land, Vec from, Vec direction) {
    for (double t = 0; t < 1500; t += 0.05) {
        double x = from.x + t * direction.x / land->cell_x;
        double y = from.y + t * direction.y / land->cell_y;
        double z = from.z + t * direction.z;
        if (z >= land->base && z <= surface_at(land, x, y)) return t;
    }
    return INFINITY;
}

static void rays_hit_what_they_should(void** state) {
    (void)state;
    GullyScenery* scenery = make_scenery();
    Pool* pool;
    assert_int_equal(pool_create(1, &pool), GULLY_OK);
    Land* land = land_create(scenery, 1, pool);
    uint64_t seed = 3;
    int hits = 0, misses = 0, walls = 0;
    for (int i = 0; i < 600; i++) {
        Vec from = {random_number(&seed) * 90 - 22, random_number(&seed) * 76 - 19,
                    60 + 60 * random_number(&seed)};
        Vec to = {random_number(&seed) * WIDTH, random_number(&seed) * HEIGHT,
                  100 * random_number(&seed) - 60};
        Vec direction = vec_unit(
            (Vec){(to.x - from.x) * land->cell_x, (to.y - from.y) * land->cell_y, to.z - from.z});
        Hit hit = land_cast(land, from, direction, 1500);
        double expected = plain_cast(land, from, direction);
        if (hit.kind == HIT_NOTHING) {
            misses++;
            assert_true(isinf(expected));
            continue;
        }
        hits++;
        walls += hit.kind != HIT_SURFACE;
        // A step may jump over a crest that the ray only touches.
        if (expected < hit.t - 1e-6) fail_msg("ray %d: %g instead of %g", i, hit.t, expected);
        if (expected > hit.t + 0.06) {
            double x = hit.at.x, y = hit.at.y;
            assert_true(fabs(hit.at.z - surface_at(land, x, y)) < 0.1);
        }
    }
    assert_true(hits > 300 && misses > 20 && walls > 20);
    land_destroy(land);
    pool_destroy(pool);
    gully_scenery_destroy(scenery);
}

/// What casting rays to the sun says, where there is no doubt.
static void shadows_are_where_rays_to_the_sun_are_stopped(void** state) {
    (void)state;
    GullyScenery* scenery = make_scenery();
    Pool* pool;
    assert_int_equal(pool_create(2, &pool), GULLY_OK);
    Land* land = land_create(scenery, 1, pool);
    for (int azimuth = 10; azimuth < 360; azimuth += 50) {
        Vec sun = vec_compass(azimuth, 20);
        Daylight daylight;
        assert_true(daylight_create(land, sun, pool, &daylight));
        int wrong = 0, sure = 0, dark = 0;
        for (int k = 0; k < WIDTH * HEIGHT; k++) {
            int x = k % WIDTH, y = k / WIDTH;
            if (isnan(land->surface[k]) || (daylight.sun[k] > 5 && daylight.sun[k] < 250)) continue;
            Vec from = {x, y, (double)land->surface[k] + 0.5};
            bool stopped = land_cast(land, from, sun, INFINITY).kind != HIT_NOTHING;
            wrong += stopped == (daylight.sun[k] > 128);
            dark += stopped;
            sure++;
        }
        assert_true(dark > 100 && sure > 1000);
        assert_true(wrong * 20 < sure);
        daylight_destroy(&daylight);
    }
    land_destroy(land);
    pool_destroy(pool);
    gully_scenery_destroy(scenery);
}

static void a_pit_sees_less_sky_than_a_summit(void** state) {
    (void)state;
    enum { SIDE = 41 };
    static float heights[SIDE * SIDE];
    for (int k = 0; k < SIDE * SIDE; k++)
        heights[k] = (float)hypot(k % SIDE - 20, k / SIDE - 20); // a cone, 45 degrees, upside down
    GullyRenderInput input = {.width = SIDE, .height = SIDE, .cell_x = 1, .cell_y = 1};
    input.fields[GULLY_TERRAIN] = heights;
    GullyRenderDef def = gully_render_def(100, 100);
    Pool* pool;
    assert_int_equal(pool_create(1, &pool), GULLY_OK);
    for (int up = 0; up < 2; up++) {
        for (int k = 0; k < SIDE * SIDE && up; k++)
            heights[k] = -heights[k];
        GullyScenery* scenery;
        assert_int_equal(gully_scenery_create(&input, &def, &scenery), GULLY_OK);
        Land* land = land_create(scenery, 1, pool);
        Daylight daylight;
        assert_true(daylight_create(land, vec_compass(0, 45), pool, &daylight));
        int sky = daylight.sky[20 * SIDE + 20];
        if (up)
            assert_int_equal(sky, 255);
        else
            assert_in_range(sky, 124, 131); // cos(45)^2
        daylight_destroy(&daylight);
        land_destroy(land);
        gully_scenery_destroy(scenery);
    }
    pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_hit_what_they_should),
        cmocka_unit_test(shadows_are_where_rays_to_the_sun_are_stopped),
        cmocka_unit_test(a_pit_sees_less_sky_than_a_summit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
