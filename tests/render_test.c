// SPDX-License-Identifier: MIT
// Pictures: light from the right side, water, overlays, holes, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "gully/render.h"

enum { SIDE = 64, CELLS = SIDE * SIDE };

typedef struct Pixel {
    int r, g, b;
} Pixel;

/// Fields of a small land; those that are switched on are shown.
typedef struct Fields {
    float values[GULLY_FIELD_COUNT][CELLS];
    bool on[GULLY_FIELD_COUNT];
    GullyMaterial materials[2];
    int material_count;
} Fields;

static Fields* fields_new(void) {
    Fields* fields = calloc(1, sizeof *fields);
    assert_non_null(fields);
    fields->on[GULLY_TERRAIN] = true;
    return fields;
}

static void fill(Fields* fields, GullyField field, float value) {
    fields->on[field] = true;
    for (int k = 0; k < CELLS; k++)
        fields->values[field][k] = value;
}

/// The picture of them; free() it.
static unsigned char* draw(const Fields* fields, const GullyRenderDef* def) {
    GullyRenderInput input = {.width = SIDE, .height = SIDE, .cell_x = 10, .cell_y = 10};
    for (int f = 0; f < GULLY_FIELD_COUNT; f++)
        input.fields[f] = fields->on[f] ? fields->values[f] : NULL;
    input.materials = fields->materials;
    input.material_count = fields->material_count;
    GullyScenery* scenery;
    if (gully_scenery_create(&input, def, &scenery)) fail_msg("%s", gully_message());
    unsigned char* rgb = malloc((size_t)def->width * (size_t)def->height * 3);
    assert_non_null(rgb);
    if (gully_render(scenery, def, rgb)) fail_msg("%s", gully_message());
    gully_scenery_destroy(scenery);
    return rgb;
}

static GullyRenderDef relief(void) {
    GullyRenderDef def = gully_render_def(SIDE, SIDE);
    def.view = GULLY_VIEW_RELIEF;
    return def;
}

/// Mean of a rectangle of a picture that is SIDE wide.
static Pixel mean_of(const unsigned char* rgb, int left, int top, int width, int height) {
    int sum[3] = {0};
    for (int y = top; y < top + height; y++)
        for (int x = left; x < left + width; x++)
            for (int c = 0; c < 3; c++)
                sum[c] += rgb[3 * (y * SIDE + x) + c];
    int count = width * height;
    return (Pixel){sum[0] / count, sum[1] / count, sum[2] / count};
}

static int brightness(Pixel p) {
    return p.r + p.g + p.b;
}

/// The middle of a relief of these fields.
static Pixel middle(const Fields* fields, unsigned overlays) {
    GullyRenderDef def = relief();
    def.overlays = overlays;
    unsigned char* rgb = draw(fields, &def);
    Pixel pixel = mean_of(rgb, 24, 24, 16, 16);
    free(rgb);
    return pixel;
}

static void flat_land_is_evenly_lit(void** state) {
    (void)state;
    Fields* fields = fields_new();
    GullyRenderDef def = relief();
    unsigned char* rgb = draw(fields, &def);
    int whole = brightness(mean_of(rgb, 0, 0, SIDE, SIDE));
    for (int y = 0; y < SIDE; y += 16)
        for (int x = 0; x < SIDE; x += 16)
            assert_in_range(brightness(mean_of(rgb, x, y, 16, 16)), whole - 75, whole + 75);
    free(rgb);
    free(fields);
}

/// How much darker the ground is east of a ridge than west of it, sun in that direction.
static int darker_in_the_east(double sun_azimuth) {
    Fields* fields = fields_new();
    for (int y = 0; y < SIDE; y++)
        for (int x = 30; x < 34; x++)
            fields->values[GULLY_TERRAIN][y * SIDE + x] = 60;
    GullyRenderDef def = relief();
    def.sun_azimuth = sun_azimuth;
    def.sun_elevation = 25; // the shadow is 13 cells long
    unsigned char* rgb = draw(fields, &def);
    int west = brightness(mean_of(rgb, 20, 8, 8, 48));
    int east = brightness(mean_of(rgb, 36, 8, 8, 48));
    free(rgb);
    free(fields);
    return west - east;
}

static void a_ridge_casts_its_shadow_away_from_the_sun(void** state) {
    (void)state;
    assert_true(darker_in_the_east(270) > 100);
    assert_true(darker_in_the_east(90) < -100);
    assert_in_range(darker_in_the_east(0) + 30, 0, 60);
}

static void a_shadow_ends_where_the_sun_is_seen(void** state) {
    (void)state;
    Fields* fields = fields_new();
    for (int y = 0; y < SIDE; y++)
        for (int x = 10; x < 14; x++)
            fields->values[GULLY_TERRAIN][y * SIDE + x] = 60;
    GullyRenderDef def = relief();
    def.sun_azimuth = 270;
    def.sun_elevation = 25; // 60 m / tan 25 = 129 m = 12.9 cells east of column 13
    unsigned char* rgb = draw(fields, &def);
    int dark = brightness(mean_of(rgb, 16, 8, 8, 48)),
        light = brightness(mean_of(rgb, 29, 8, 8, 48));
    assert_true(light - dark > 100);
    free(rgb);
    free(fields);
}

static void water_is_blue(void** state) {
    (void)state;
    Fields* fields = fields_new();
    Pixel dry = middle(fields, 0);
    fill(fields, GULLY_WATER, 5);
    Pixel wet = middle(fields, 0);
    assert_true(wet.b > wet.r + 25);
    assert_true(dry.b < dry.r);
    free(fields);
}

static void overlays_have_their_colors(void** state) {
    (void)state;
    Fields* fields = fields_new();
    Pixel plain = middle(fields, 0);
    fill(fields, GULLY_DEPOSIT, 2);
    Pixel red = middle(fields, GULLY_OVERLAY_DEPOSIT);
    assert_true(red.r > red.g + 60 && red.r > red.b + 60);
    fields->on[GULLY_DEPOSIT] = false;
    fill(fields, GULLY_WEAR, 2);
    Pixel orange = middle(fields, GULLY_OVERLAY_WEAR);
    assert_true(orange.r > orange.b + 60 && orange.g > orange.b + 20);
    fields->on[GULLY_WEAR] = false;
    fill(fields, GULLY_FLOW, 0.5f);
    Pixel blue = middle(fields, GULLY_OVERLAY_FLOW);
    assert_true(blue.b > blue.r + 60);
    fields->on[GULLY_FLOW] = false;
    fill(fields, GULLY_WATER, 3);
    Pixel clear = middle(fields, GULLY_OVERLAY_SEDIMENT);
    fill(fields, GULLY_SEDIMENT, 0.5f);
    Pixel green = middle(fields, GULLY_OVERLAY_SEDIMENT);
    assert_true(green.g > green.r + 20 && green.g > green.b + 10);
    assert_true(clear.b > clear.g);
    assert_true(abs(plain.r - plain.g) < 60);
    free(fields);
}

static void slopes_go_from_green_to_red(void** state) {
    (void)state;
    Fields* fields = fields_new();
    Pixel flat = middle(fields, GULLY_OVERLAY_SLOPE);
    for (int k = 0; k < CELLS; k++)
        fields->values[GULLY_TERRAIN][k] = 15.0f * (float)(k % SIDE); // 56 degrees
    Pixel steep = middle(fields, GULLY_OVERLAY_SLOPE);
    assert_true(flat.g > flat.r + 20);
    assert_true(steep.r > steep.g + 40);
    free(fields);
}

static void materials_have_their_colors(void** state) {
    (void)state;
    Fields* fields = fields_new();
    fields->material_count = 2;
    fields->materials[0] = gully_material("rock", 0);
    fields->materials[1] = gully_material("sand", 1);
    fields->materials[0].color = 0x20c020;
    fields->materials[1].color = 0xc02020;
    fill(fields, GULLY_LAYER_0, 0);
    fill(fields, GULLY_LAYER_1, 0);
    Pixel rock = middle(fields, GULLY_OVERLAY_MATERIALS);
    fill(fields, GULLY_LAYER_1, 1);
    Pixel sand = middle(fields, GULLY_OVERLAY_MATERIALS);
    assert_true(rock.g > rock.r + 60);
    assert_true(sand.r > sand.g + 60);
    free(fields);
}

static void no_ground_is_not_drawn(void** state) {
    (void)state;
    Fields* fields = fields_new();
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE / 2; x++)
            fields->values[GULLY_TERRAIN][y * SIDE + x] = NAN;
    GullyRenderDef def = relief();
    unsigned char* rgb = draw(fields, &def);
    Pixel none = mean_of(rgb, 4, 4, 16, 56), ground = mean_of(rgb, 40, 4, 16, 56);
    assert_true(none.r > 200 && none.r == none.r && abs(none.r - none.b) < 12); // paper
    assert_true(brightness(none) - brightness(ground) > 150);
    free(rgb);
    // From above in perspective: the table on the left, ground on the right.
    def = gully_render_def(SIDE, SIDE);
    def.elevation = 90;
    def.azimuth = 180;
    rgb = draw(fields, &def);
    Pixel table = mean_of(rgb, 10, 26, 8, 12);
    ground = mean_of(rgb, 46, 26, 8, 12);
    assert_true(abs(table.r - table.g) < 25);
    assert_true(ground.g > ground.b + 15);
    free(rgb);
    for (int k = 0; k < CELLS; k++)
        fields->values[GULLY_TERRAIN][k] = NAN;
    free(draw(fields, &def)); // nothing at all is no trouble
    free(fields);
}

static void sides_of_holes_are_earth(void** state) {
    (void)state;
    Fields* fields = fields_new();
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            fields->values[GULLY_TERRAIN][y * SIDE + x] = y >= SIDE / 2 ? NAN : x < 4 ? 0 : 300;
    GullyRenderDef def = gully_render_def(SIDE, SIDE);
    def.azimuth = 180;
    def.elevation = 5;
    def.sun_azimuth = 180;
    unsigned char* rgb = draw(fields, &def);
    int earth = 0;
    for (int y = 0; y < SIDE; y++) {
        Pixel p = mean_of(rgb, 28, y, 8, 1);
        assert_true(p.b < p.r + 40); // no water
        earth += p.r > p.b + 25;
    }
    assert_true(earth >= 3);
    free(rgb);
    free(fields);
}

static void the_camera_stands_where_it_is_told(void** state) {
    (void)state;
    // A red half in the west: seen from the south it is on the left, from the north on the right.
    Fields* fields = fields_new();
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE / 2; x++)
            fields->values[GULLY_DEPOSIT][y * SIDE + x] = 2;
    fields->on[GULLY_DEPOSIT] = true;
    for (int side = 0; side < 2; side++) {
        GullyRenderDef def = gully_render_def(SIDE, SIDE);
        def.overlays = GULLY_OVERLAY_DEPOSIT;
        def.azimuth = side == 0 ? 180 : 0;
        def.elevation = 60;
        unsigned char* rgb = draw(fields, &def);
        Pixel left = mean_of(rgb, 16, 28, 10, 8), right = mean_of(rgb, 38, 28, 10, 8);
        int redder = (left.r - left.g) - (right.r - right.g);
        assert_true(side == 0 ? redder > 40 : redder < -40);
        free(rgb);
    }
    free(fields);
}

static void strange_sizes_are_drawn(void** state) {
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 7}, {2, 2}, {3, 1000}, {257, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int width = sizes[i][0], height = sizes[i][1];
        float* heights = calloc((size_t)width * (size_t)height, sizeof *heights);
        GullyRenderInput input = {.width = width, .height = height, .cell_x = 3, .cell_y = 0.5};
        input.fields[GULLY_TERRAIN] = heights;
        for (int view = 0; view < 2; view++) {
            GullyRenderDef def = gully_render_def(33, 17);
            def.view = (GullyRenderView)view;
            GullyScenery* scenery;
            unsigned char rgb[33 * 17 * 3];
            assert_int_equal(gully_scenery_create(&input, &def, &scenery), GULLY_OK);
            assert_int_equal(gully_render(scenery, &def, rgb), GULLY_OK);
            gully_scenery_destroy(scenery);
        }
        free(heights);
    }
}

/// Steep and gentle land in the colours of a palette.
static unsigned char* draw_in(const Fields* fields, int palette) {
    GullyRenderDef def = relief();
    def.palette = palette;
    return draw(fields, &def);
}

static void palettes_differ(void** state) {
    (void)state;
    Fields* fields = fields_new();
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++)
            fields->values[GULLY_TERRAIN][y * SIDE + x] = 0.2f * (float)(x * x) / SIDE;
    }
    int count = 0;
    while (gully_palette_name(count))
        assert_non_null(gully_palette_summary(count++));
    assert_true(count >= 7);
    assert_string_equal(gully_palette_name(0), "alpine");
    for (int a = 0; a < count; a++) {
        unsigned char* one = draw_in(fields, a);
        for (int b = a + 1; b < count; b++) {
            unsigned char* other = draw_in(fields, b);
            assert_memory_not_equal(one, other, SIDE * SIDE * 3);
            free(other);
        }
        free(one);
    }
    free(fields);
}

static void numbers_out_of_range_are_refused(void** state) {
    (void)state;
    float heights[4] = {0};
    unsigned char rgb[12];
    GullyRenderInput input = {.width = 2, .height = 2, .cell_x = 1, .cell_y = 1};
    input.fields[GULLY_TERRAIN] = heights;
    GullyRenderDef def = gully_render_def(2, 2);
    GullyScenery* scenery;
    assert_int_equal(gully_scenery_create(&input, &def, &scenery), GULLY_OK);
    def.elevation = 120;
    assert_int_equal(gully_render(scenery, &def, rgb), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "elevation"));
    def = gully_render_def(2, 2);
    def.palette = 99;
    assert_int_equal(gully_render(scenery, &def, rgb), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "palette 99"));
    def = (GullyRenderDef){.width = 2, .height = 2}; // without the defaults
    assert_int_equal(gully_render(scenery, &def, rgb), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "gully_render_def()"));
    gully_scenery_destroy(scenery);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_land_is_evenly_lit),
        cmocka_unit_test(a_ridge_casts_its_shadow_away_from_the_sun),
        cmocka_unit_test(a_shadow_ends_where_the_sun_is_seen),
        cmocka_unit_test(water_is_blue),
        cmocka_unit_test(overlays_have_their_colors),
        cmocka_unit_test(slopes_go_from_green_to_red),
        cmocka_unit_test(materials_have_their_colors),
        cmocka_unit_test(no_ground_is_not_drawn),
        cmocka_unit_test(sides_of_holes_are_earth),
        cmocka_unit_test(the_camera_stands_where_it_is_told),
        cmocka_unit_test(strange_sizes_are_drawn),
        cmocka_unit_test(palettes_differ),
        cmocka_unit_test(numbers_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
