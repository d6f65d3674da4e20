// SPDX-License-Identifier: MIT
// The preview: its size, its colours, and that one strange cell does not change the rest.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "gully/generate.h"
#include "gully/picture.h"
#include "gully/sim.h"
#include "ok.h"
#include "terrains.h"

enum { SIDE = 48 };

typedef struct Pixel {
    int r, g, b;
} Pixel;

/// The picture; free() it.
static unsigned char* draw(const GullyWorld* world) {
    int width, height;
    gully_preview_size(world, &width, &height);
    unsigned char* rgb = malloc((size_t)width * (size_t)height * 3);
    assert_non_null(rgb);
    if (gully_preview_draw(world, rgb)) fail_msg("%s", gully_message());
    return rgb;
}

/// One pixel of the picture.
static Pixel pixel_at(const GullyWorld* world, int x, int y) {
    int width, height;
    gully_preview_size(world, &width, &height);
    assert_true(x < width && y < height);
    unsigned char* rgb = draw(world);
    const unsigned char* at = rgb + 3 * (y * width + x);
    Pixel pixel = {at[0], at[1], at[2]};
    free(rgb);
    return pixel;
}

static void assert_grey(Pixel pixel) {
    assert_true(pixel.r == 128 && pixel.g == 128 && pixel.b == 128);
}

static int blueness(Pixel p) {
    return 2 * p.b - p.r - p.g;
}

static int greenness(Pixel p) {
    return 2 * p.g - p.r - p.b;
}

static int redness(Pixel p) {
    return 2 * p.r - p.g - p.b;
}

static GullyWorld* hills(void) {
    float* heights = terrain_make(terrain_rough, SIDE, SIDE);
    GullyWorld* world = terrain_world(heights, SIDE, SIDE, 10, 10, 0);
    free(heights);
    return world;
}

static void put(GullyWorld* world, GullyField field, int x, int y, float value) {
    assert_int_equal(gully_world_write(world, field, (GullyRect){x, y, 1, 1}, &value), GULLY_OK);
}

// ---- size ---------------------------------------------------------------------------------------

static void test_size(void** state) {
    (void)state;
    static const int rows[][4] = {
        {1, 1, 1, 1},       {7, 1, 7, 1},        {100, 60, 100, 60},  {2048, 3, 2048, 3},
        {2049, 3, 1025, 2}, {10, 4096, 5, 2048}, {5000, 10, 1667, 4},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        GullyWorld* world = terrain_world(NULL, rows[k][0], rows[k][1], 1, 1, 0);
        int width, height;
        gully_preview_size(world, &width, &height);
        assert_int_equal(width, rows[k][2]);
        assert_int_equal(height, rows[k][3]);
        free(draw(world));
        gully_world_destroy(world);
    }
}

// 5000 x 10 cells become 1667 x 4 pixels of 3 x 3 cells, less at the east and the south.
static void test_averages_down(void** state) {
    (void)state;
    enum { WIDTH = 5000, HEIGHT = 10 };
    float* heights = terrain_make(terrain_plane, WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            bool gone = x < 3 && y < 3;                      // pixel (0, 0), all of it
            bool partly = x >= 3 && x < 6 && y < 3 && x > 3; // pixel (1, 0), but for one column
            bool corner = x >= 4998 && y == 9;               // pixel (1666, 3), its 2 x 1 cells
            if (gone || partly || corner) heights[y * WIDTH + x] = NAN;
        }
    }
    GullyWorld* world = terrain_world(heights, WIDTH, HEIGHT, 10, 10, 0);
    assert_grey(pixel_at(world, 0, 0));
    assert_grey(pixel_at(world, 1666, 3));
    Pixel partly = pixel_at(world, 1, 0);
    assert_true(redness(partly) != 0 || blueness(partly) != 0);

    Pixel dry = pixel_at(world, 700, 1);
    for (int y = 3; y < 6; y++) {
        for (int x = 2100; x < 2103; x++)
            put(world, GULLY_WATER, x, y, 1);
    }
    assert_true(blueness(pixel_at(world, 700, 1)) > blueness(dry) + 100);
    assert_true(blueness(pixel_at(world, 702, 1)) < blueness(dry) + 20);
    gully_world_destroy(world);
    free(heights);
}

// ---- colours ------------------------------------------------------------------------------------

static void test_outside_is_grey(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_holes, SIDE, SIDE);
    GullyWorld* world = terrain_world(heights, SIDE, SIDE, 10, 10, 0);
    unsigned char* rgb = draw(world);
    for (int k = 0; k < SIDE * SIDE; k++) {
        bool grey = rgb[3 * k] == 128 && rgb[3 * k + 1] == 128 && rgb[3 * k + 2] == 128;
        assert_true(grey == isnan(heights[k]));
    }
    free(rgb);
    gully_world_destroy(world);
    free(heights);
}

static void test_nothing_but_outside(void** state) {
    (void)state;
    float* heights = terrain_constant(NAN, 5, 4);
    GullyWorld* world = terrain_world(heights, 5, 4, 1, 1, 0);
    assert_grey(pixel_at(world, 4, 3));
    gully_world_destroy(world);
    free(heights);
}

static void test_water_is_blue(void** state) {
    (void)state;
    GullyWorld* world = hills();
    int dry = blueness(pixel_at(world, 20, 30));
    put(world, GULLY_WATER, 20, 30, 0.2f);
    int river = blueness(pixel_at(world, 20, 30));
    put(world, GULLY_WATER, 20, 30, 20);
    Pixel lake = pixel_at(world, 20, 30);
    assert_true(river > dry + 100);
    assert_true(lake.b > 2 * lake.r && lake.b < 200); // deep, not pale
    gully_world_destroy(world);
}

static void test_films_are_faint(void** state) {
    (void)state;
    GullyWorld* world = hills();
    int dry = blueness(pixel_at(world, 20, 30));
    assert_int_equal(gully_world_fill(world, GULLY_WATER, 0.005f), GULLY_OK);
    int film = blueness(pixel_at(world, 20, 30));
    assert_int_equal(gully_world_fill(world, GULLY_WATER, 0.3f), GULLY_OK);
    int flood = blueness(pixel_at(world, 20, 30));
    assert_true(film < dry + 12 && flood > dry + 100);
    gully_world_destroy(world);
}

static void test_sediment_is_green(void** state) {
    (void)state;
    GullyWorld* world = hills();
    put(world, GULLY_WATER, 20, 30, 0.3f);
    int clear = greenness(pixel_at(world, 20, 30));
    put(world, GULLY_SEDIMENT, 20, 30, 0.01f);
    assert_true(greenness(pixel_at(world, 20, 30)) > clear + 50);
    gully_world_destroy(world);
}

// Sediment where there is no water settles in the first step.
static void test_deposits_are_red(void** state) {
    (void)state;
    GullyWorld* world = terrain_world(NULL, SIDE, SIDE, 10, 10, 0);
    int bare = redness(pixel_at(world, 20, 30));
    put(world, GULLY_SEDIMENT, 20, 30, 0.05f);
    GullySettings* settings = NULL;
    GullySim* sim = NULL;
    GullySimDef def = gully_sim_def();
    def.threads = 1;
    assert_int_equal(gully_settings_create("pipe", &settings), GULLY_OK);
    assert_int_equal(gully_sim_create(world, settings, &def, &sim), GULLY_OK);
    OK(gully_sim_step(sim, 1));
    float* deposit = terrain_read(world, GULLY_DEPOSIT);
    assert_true(deposit[30 * SIDE + 20] > 0.04f);
    assert_true(redness(pixel_at(world, 20, 30)) > bare + 50);
    assert_true(redness(pixel_at(world, 5, 5)) < bare + 10);
    free(deposit);
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
}

// ---- materials ----------------------------------------------------------------------------------

enum { ROCK = 0x7f3010, SOIL = 0x10c020, SAND = 0xe0e0b0 };

/// Says what the ground is made of, without layers yet.
static void lay_materials(GullyWorld* world) {
    GullyMaterial stack[] = {gully_material("rock", 0), gully_material("soil", 1),
                             gully_material("sand", 2)};
    static const unsigned colors[] = {ROCK, SOIL, SAND};
    for (int k = 0; k < 3; k++)
        stack[k].color = colors[k];
    assert_int_equal(gully_world_set_materials(world, stack, 3), GULLY_OK);
}

/// Whether a pixel is, up to rounding, so much of one colour and the rest of another.
static void assert_mixed(Pixel pixel, unsigned from, unsigned to, double share) {
    const int shown[] = {pixel.r, pixel.g, pixel.b};
    for (int k = 0; k < 3; k++) {
        double a = from >> (16 - 8 * k) & 255, b = to >> (16 - 8 * k) & 255;
        assert_true(fabs(shown[k] - (a + share * (b - a))) <= 1);
    }
}

// Flat ground has its colour unshaded: that of the topmost material, whatever is below.
static void test_materials_on_top(void** state) {
    (void)state;
    GullyWorld* world = terrain_world(NULL, SIDE, SIDE, 10, 10, 0);
    lay_materials(world);
    assert_mixed(pixel_at(world, 3, 3), ROCK, ROCK, 0);
    put(world, GULLY_LAYER(1), 4, 4, 2);
    put(world, GULLY_LAYER(1), 5, 5, 2);
    put(world, GULLY_LAYER(2), 5, 5, 0.5f);
    put(world, GULLY_LAYER(2), 6, 6, 0.5f);
    assert_mixed(pixel_at(world, 3, 3), ROCK, ROCK, 0);
    assert_mixed(pixel_at(world, 4, 4), SOIL, SOIL, 0);
    assert_mixed(pixel_at(world, 5, 5), SAND, SAND, 0);
    assert_mixed(pixel_at(world, 6, 6), SAND, SAND, 0);
    gully_world_destroy(world);
}

// A film of sand lets through what is below it; the picture changes little by little with it.
static void test_films_of_materials(void** state) {
    (void)state;
    GullyWorld* world = terrain_world(NULL, SIDE, SIDE, 10, 10, 0);
    lay_materials(world);
    put(world, GULLY_LAYER(1), 5, 5, 1);
    Pixel before = pixel_at(world, 5, 5);
    for (int k = 0; k <= 64; k++) {
        put(world, GULLY_LAYER(2), 5, 5, 0.01f * (float)k / 64);
        Pixel after = pixel_at(world, 5, 5);
        assert_mixed(after, SOIL, SAND, k / 64.0);
        assert_true(abs(after.r - before.r) + abs(after.g - before.g) + abs(after.b - before.b) <
                    16);
        before = after;
    }
    gully_world_destroy(world);
}

// Pixels of several cells mix their colours, those outside the domain left out.
static void test_materials_average(void** state) {
    (void)state;
    enum { WIDE = 2 * GULLY_PREVIEW_SIDE };
    float* heights = terrain_make(NULL, WIDE, 2);
    heights[20] = heights[21] = heights[WIDE + 20] = NAN; // three of the four cells of a pixel
    GullyWorld* world = terrain_world(heights, WIDE, 2, 1, 1, 0);
    lay_materials(world);
    put(world, GULLY_LAYER(2), 8, 1, 50);
    put(world, GULLY_LAYER(2), WIDE - 2, 0, 1);
    put(world, GULLY_LAYER(2), WIDE - 1, 0, 1);
    put(world, GULLY_LAYER(1), 21, 1, 1);
    assert_mixed(pixel_at(world, 0, 0), ROCK, ROCK, 0);
    assert_mixed(pixel_at(world, 4, 0), ROCK, SAND, 0.25); // one cell in four, however thick
    assert_mixed(pixel_at(world, WIDE / 2 - 1, 0), ROCK, SAND, 0.5);
    assert_mixed(pixel_at(world, 10, 0), SOIL, SOIL, 0);
    gully_world_destroy(world);
    free(heights);
}

// Light, water and what is outside are as on ground without materials.
static void test_materials_are_ground(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_holes, SIDE, SIDE);
    GullyWorld* plain = terrain_world(heights, SIDE, SIDE, 10, 10, 0);
    GullyWorld* layered = terrain_world(heights, SIDE, SIDE, 10, 10, 16);
    assert_int_equal(
        gully_world_set_materials(layered, (GullyMaterial[]){gully_material("a", 0)}, 1), GULLY_OK);
    for (int k = 0; k < SIDE * SIDE; k += 5) {
        if (isnan(heights[k])) continue;
        put(plain, GULLY_WATER, k % SIDE, k / SIDE, 30);
        put(layered, GULLY_WATER, k % SIDE, k / SIDE, 30);
    }
    unsigned char *first = draw(plain), *second = draw(layered);
    unsigned color = gully_world_material(layered, 0)->color;
    for (int k = 0; k < SIDE * SIDE; k++) {
        const unsigned char *a = first + 3 * k, *b = second + 3 * k;
        if (isnan(heights[k])) assert_memory_equal(a, b, 3);
        if (isnan(heights[k])) continue;
        if (k % 5 == 0) assert_true(abs(a[0] - b[0]) < 12 && abs(a[2] - b[2]) < 12); // water
        if (k % 5 == 0) continue;
        double light = b[0] / (double)(color >> 16); // the same for all channels
        assert_true(fabs(b[1] - light * (color >> 8 & 255)) <= 2 || b[0] == 255);
        assert_true(fabs(b[2] - light * (color & 255)) <= 2 || b[0] == 255);
    }
    free(first);
    free(second);
    gully_world_destroy(plain);
    gully_world_destroy(layered);
    free(heights);
}

// ---- shading ------------------------------------------------------------------------------------

// A pyramid: light from the north-west, no side black, whatever the size of it all.
static void test_light(void** state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        float steepness = (float[]){0.02f, 0.6f, 3}[k];
        float* heights = terrain_make(NULL, SIDE, SIDE);
        for (int c = 0; c < SIDE * SIDE; c++) {
            int x = abs(c % SIDE - SIDE / 2), y = abs(c / SIDE - SIDE / 2);
            heights[c] = steepness * 30 * (float)(SIDE / 2 - (x > y ? x : y));
        }
        GullyWorld* world = terrain_world(heights, SIDE, SIDE, 30, 30, 0);
        Pixel north = pixel_at(world, 24, 8), south = pixel_at(world, 24, 40);
        Pixel west = pixel_at(world, 8, 24), east = pixel_at(world, 40, 24);
        assert_true(north.g > south.g + 10 && west.g > east.g + 10);
        assert_true(south.g > 40 && east.g > 40);
        gully_world_destroy(world);
        free(heights);
    }
}

// The picture of real-looking ground: neither washed out nor black.
static void test_contrast(void** state) {
    (void)state;
    static const struct { double cell, relief; } rows[] = {{62, 3700}, {10, 600}, {0.1, 2}};
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = 128;
    float* heights = terrain_make(NULL, 128, 128);
    for (int k = 0; k < 3; k++) {
        params.relief = rows[k].relief;
        assert_int_equal(gully_generate("mountains", &params, heights), GULLY_OK);
        GullyWorld* world = terrain_world(heights, 128, 128, rows[k].cell, rows[k].cell, 0);
        unsigned char* rgb = draw(world);
        int dark = 0, bright = 0;
        for (int c = 0; c < 128 * 128; c++) {
            dark += rgb[3 * c + 1] < 40;
            bright += rgb[3 * c + 1] > 250;
        }
        assert_true(dark < 128 * 128 / 50 && bright < 128 * 128 / 20);
        free(rgb);
        gully_world_destroy(world);
    }
    free(heights);
}

static void test_one_cell_does_not_change_the_rest(void** state) {
    (void)state;
    GullyWorld* world = hills();
    assert_int_equal(gully_world_fill(world, GULLY_WATER, 0.05f), GULLY_OK);
    assert_int_equal(gully_world_fill(world, GULLY_SEDIMENT, 0.001f), GULLY_OK);
    unsigned char* before = draw(world);
    put(world, GULLY_TERRAIN, 40, 40, 9000);
    put(world, GULLY_WATER, 40, 40, 5000);
    put(world, GULLY_SEDIMENT, 40, 40, 5000);
    unsigned char* after = draw(world);
    for (int k = 0; k < 3 * SIDE * 38; k++) {
        assert_true(abs(before[k] - after[k]) <= 3); // the rows to the north
    }
    free(before);
    free(after);
    gully_world_destroy(world);
}

// Ground without materials keeps its pictures, to the byte. Whoever means to change them writes the
// new number down.
static void test_pictures_stay(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_holes, SIDE, SIDE);
    GullyWorld* world = terrain_world(heights, SIDE, SIDE, 10, 10, 0);
    put(world, GULLY_WATER, 20, 30, 0.2f);
    put(world, GULLY_WATER, 21, 30, 20);
    put(world, GULLY_SEDIMENT, 20, 30, 0.01f);
    unsigned char* rgb = draw(world);
    uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    for (int k = 0; k < 3 * SIDE * SIDE; k++)
        hash = (hash ^ rgb[k]) * 0x100000001b3;
    if (hash != 0xbd2a9c896a54066b)
        fail_msg("the picture's hash is %016llx", (unsigned long long)hash);
    free(rgb);
    gully_world_destroy(world);
    free(heights);
}

static void test_tiles_do_not_show(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_holes, SIDE, SIDE);
    GullyWorld* one = terrain_world(heights, SIDE, SIDE, 10, 10, 0);
    GullyWorld* many = terrain_world(heights, SIDE, SIDE, 10, 10, 16);
    unsigned char* first = draw(one);
    unsigned char* second = draw(many);
    assert_memory_equal(first, second, 3 * SIDE * SIDE);
    free(first);
    free(second);
    gully_world_destroy(one);
    gully_world_destroy(many);
    free(heights);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_averages_down),
        cmocka_unit_test(test_outside_is_grey),
        cmocka_unit_test(test_nothing_but_outside),
        cmocka_unit_test(test_water_is_blue),
        cmocka_unit_test(test_films_are_faint),
        cmocka_unit_test(test_sediment_is_green),
        cmocka_unit_test(test_deposits_are_red),
        cmocka_unit_test(test_materials_on_top),
        cmocka_unit_test(test_films_of_materials),
        cmocka_unit_test(test_materials_average),
        cmocka_unit_test(test_materials_are_ground),
        cmocka_unit_test(test_light),
        cmocka_unit_test(test_contrast),
        cmocka_unit_test(test_one_cell_does_not_change_the_rest),
        cmocka_unit_test(test_pictures_stay),
        cmocka_unit_test(test_tiles_do_not_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
