// SPDX-License-Identifier: MIT
// Layers of generators: every blend and mask against a computation by hand, the same on any threads
// and at any resolution.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "generated.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static GullyGenerateDef def_of(int width, int height, const GullyGenerateLayer* layers, int count) {
    return (GullyGenerateDef){
        .width = width,
        .height = height,
        .cell_x = 10,
        .cell_y = 10,
        .layers = layers,
        .count = count,
    };
}

static GullyGenerateLayer layer_of(const float* values, int blend, double amount) {
    GullyGenerateLayer layer = gully_generate_layer(NULL);
    layer.source.values = values;
    layer.blend = blend;
    layer.amount = amount;
    return layer;
}

static void combine(const GullyGenerateDef* def, float* heights) {
    if (gully_generate_layers(def, heights)) fail_msg("%s", gully_message());
}

static void check(const float* values, const float* expected, int count, const char* what) {
    for (int k = 0; k < count; k++)
        if (values[k] != expected[k] && !(isnan(values[k]) && isnan(expected[k])))
            fail_msg("%s: cell %d is %g, not %g", what, k, (double)values[k], (double)expected[k]);
}

// ---- blends -------------------------------------------------------------------------------------

static void test_every_blend(void** state) {
    (void)state;
    static const float below[] = {10, 20, -4}, above[] = {12, 0.5f, 2};
    static const struct {
        int blend;
        double amount;
        float expected[3];
    } rows[] = {
        {GULLY_BLEND_ADD, 1, {22, 20.5f, -2}},
        {GULLY_BLEND_ADD, 0.5, {16, 20.25f, -3}},
        {GULLY_BLEND_ADD, 2, {34, 21, 0}},
        {GULLY_BLEND_SUBTRACT, 1, {-2, 19.5f, -6}},
        {GULLY_BLEND_SUBTRACT, 0.5, {4, 19.75f, -5}},
        {GULLY_BLEND_MULTIPLY, 1, {120, 10, -8}},
        {GULLY_BLEND_MULTIPLY, 0.5, {65, 15, -6}},
        {GULLY_BLEND_MIN, 1, {10, 0.5f, -4}},
        {GULLY_BLEND_MIN, 0.5, {10, 10.25f, -4}},
        {GULLY_BLEND_MAX, 1, {12, 20, 2}},
        {GULLY_BLEND_MAX, 0.5, {11, 20, -1}},
        {GULLY_BLEND_MIX, 1, {12, 0.5f, 2}},
        {GULLY_BLEND_MIX, 0.25, {10.5f, 15.125f, -2.5f}},
        {GULLY_BLEND_MIX, 0, {10, 20, -4}},
    };
    const GullyParam* row = gully_params_find(gully_generate_layer_table(), "blend");
    bool seen[6] = {0};
    for (int n = 0; n < COUNT(rows); n++) {
        GullyGenerateLayer layers[] = {layer_of(below, GULLY_BLEND_ADD, 1),
                                       layer_of(above, rows[n].blend, rows[n].amount)};
        GullyGenerateDef def = def_of(3, 1, layers, 2);
        float heights[3];
        char name[32];
        combine(&def, heights);
        gully_param_text(row, rows[n].blend, name, sizeof name);
        check(heights, rows[n].expected, 3, name);
        seen[rows[n].blend] = true;
    }
    for (int n = 0; n <= (int)row->high; n++)
        assert_true(seen[n]);
}

// The names of a scene are the blends they say.
static void test_names_of_blends(void** state) {
    (void)state;
    static const char* const names[] = {"add", "subtract", "multiply", "min", "max", "mix"};
    const GullyParam* row = gully_params_find(gully_generate_layer_table(), "blend");
    for (int n = 0; n < COUNT(names); n++) {
        GullyGenerateLayer layer = gully_generate_layer("fbm");
        assert_int_equal(gully_param_set_text(row, &layer, names[n]), GULLY_OK);
        assert_int_equal(layer.blend, n);
    }
    assert_int_equal(row->high, COUNT(names) - 1);
}

static void test_first_layer_is_on_level_ground(void** state) {
    (void)state;
    static const float values[] = {3, -5};
    static const float expected[][2] = {{3, -5}, {-3, 5}, {0, 0}, {0, -5}, {3, 0}, {3, -5}};
    for (int blend = 0; blend < COUNT(expected); blend++) {
        GullyGenerateLayer layer = layer_of(values, blend, 1);
        GullyGenerateDef def = def_of(1, 2, &layer, 1);
        float heights[2];
        combine(&def, heights);
        check(heights, expected[blend], 2, "first");
    }
    GullyGenerateDef none = def_of(2, 1, NULL, 0);
    float heights[2] = {7, 7};
    combine(&none, heights);
    check(heights, (float[]){0, 0}, 2, "no layers");
}

static void test_one_generator_is_itself(void** state) {
    (void)state;
    for (int g = 0; g < gully_generator_count(); g++) {
        const char* kind = gully_generator_info(g)->name;
        GullyGenerateParams params = generated_params(61, 40, 3);
        GullyGenerateLayer layer = gully_generate_layer(kind);
        layer.source.params.seed = 3;
        layer.source.params.offset = params.offset = 100;
        GullyGenerateDef def = def_of(61, 40, &layer, 1);
        float *alone = generated(kind, &params), heights[61 * 40];
        combine(&def, heights);
        check(heights, alone, 61 * 40, kind);
        free(alone);
    }
}

static void test_generators_are_stretched_before(void** state) {
    (void)state;
    GullyGenerateLayer layers[] = {gully_generate_layer("fbm"), gully_generate_layer("volcano")};
    layers[0].source.params.relief = 250;
    layers[1].source.params.relief = 900;
    layers[1].source.params.offset = -100;
    layers[1].blend = GULLY_BLEND_MAX;
    GullyGenerateDef def = def_of(50, 70, layers, 2);
    GullyGenerateParams first = generated_params(50, 70, 1), second = first;
    first.relief = 250;
    second.relief = 900;
    second.offset = -100;
    float *a = generated("fbm", &first), *b = generated("volcano", &second), heights[50 * 70];
    combine(&def, heights);
    for (int k = 0; k < 50 * 70; k++)
        assert_true(heights[k] == fmaxf(a[k], b[k]));
    free(a);
    free(b);
}

static void test_nodata(void** state) {
    (void)state;
    static const float below[] = {1, NAN, 3, NAN}, above[] = {10, 20, NAN, NAN};
    static const float nowhere[] = {0, 0, 0, 1};
    for (int blend = 0; blend < 6; blend++) {
        GullyGenerateLayer layers[] = {layer_of(below, GULLY_BLEND_ADD, 1),
                                       layer_of(above, blend, 1)};
        GullyGenerateDef def = def_of(2, 2, layers, 2);
        float heights[4];
        combine(&def, heights);
        assert_true(!isnan(heights[0]) && isnan(heights[1]) && isnan(heights[2]) &&
                    isnan(heights[3]));

        layers[1].mask.kind = GULLY_MASK_VALUES; // what does not count does not take away
        layers[1].mask.source.values = nowhere;
        combine(&def, heights);
        check(heights, (float[]){1, NAN, 3, NAN}, 4, "nodata behind a mask");
    }
}

// ---- masks --------------------------------------------------------------------------------------

enum { CELLS = 7 };

// The mask where it looks at these values.
static void mask_of(const float* looked_at, GullyGenerateMask mask, float* out) {
    static const float ones[CELLS] = {1, 1, 1, 1, 1, 1, 1};
    GullyGenerateLayer layer = layer_of(ones, GULLY_BLEND_ADD, 1);
    GullyGenerateDef def = def_of(CELLS, 1, &layer, 1);
    def.ground = looked_at;
    layer.mask = mask;
    layer.mask.source.values = looked_at;
    combine(&def, out);
}

static void test_mask_of_values(void** state) {
    (void)state;
    static const float values[CELLS] = {0, 0.25f, 1, -3, 7, NAN, 0.5f};
    float mask[CELLS];
    mask_of(values, (GullyGenerateMask){.kind = GULLY_MASK_VALUES}, mask);
    check(mask, (float[]){0, 0.25f, 1, 0, 1, 0, 0.5f}, CELLS, "values");
    mask_of(values, (GullyGenerateMask){.kind = GULLY_MASK_VALUES, .invert = true}, mask);
    check(mask, (float[]){1, 0.75f, 0, 1, 0, 0, 0.5f}, CELLS, "values, inverted");
}

static void test_mask_of_a_range(void** state) {
    (void)state;
    static const float heights[CELLS] = {99, 100, 150, 200, 201, NAN, -500};
    static const GullyMaskKind kinds[] = {GULLY_MASK_HEIGHT, GULLY_MASK_VALUES};
    for (int k = 0; k < COUNT(kinds); k++) {
        GullyGenerateMask range = {.kind = kinds[k], .has_range = true, .low = 100, .high = 200};
        float mask[CELLS];
        mask_of(heights, range, mask);
        check(mask, (float[]){0, 1, 1, 1, 0, 0, 0}, CELLS, "range");
        range.fade = 4; // smoothly: 3 t^2 - 2 t^3 at t = 3/4
        mask_of(heights, range, mask);
        check(mask, (float[]){0.84375f, 1, 1, 1, 0.84375f, 0, 0}, CELLS, "range that fades");
        range.invert = true;
        mask_of(heights, range, mask);
        check(mask, (float[]){0.15625f, 0, 0, 0, 0.15625f, 0, 1}, CELLS, "range, inverted");
    }
}

// A row that rises by `slope` degrees in each cell of 10 m; the slope of a cell is over 2 cells.
static void test_mask_of_slopes(void** state) {
    (void)state;
    const double rad = acos(-1) / 180;
    float heights[CELLS] = {0}, mask[CELLS];
    for (int k = 1; k < CELLS; k++)
        heights[k] = heights[k - 1] + (float)(10 * tan((k <= 3 ? 10 : 40) * rad));
    GullyGenerateMask flat = {.kind = GULLY_MASK_SLOPE, .has_range = true, .low = 0, .high = 20};
    mask_of(heights, flat, mask); // cell 3 is between the two: 27 degrees
    check(mask, (float[]){1, 1, 1, 0, 0, 0, 0}, CELLS, "flat");
    GullyGenerateMask steep = {.kind = GULLY_MASK_SLOPE, .has_range = true, .low = 25, .high = 90};
    mask_of(heights, steep, mask);
    check(mask, (float[]){0, 0, 0, 1, 1, 1, 1}, CELLS, "steep");
    flat.fade = 10; // cell 3, in tangents
    mask_of(heights, flat, mask);
    double from = tan(20 * rad), to = tan(30 * rad);
    double t = (to - (tan(10 * rad) + tan(40 * rad)) / 2) / (to - from);
    assert_true(fabs(mask[3] - t * t * (3 - 2 * t)) < 1e-5 && mask[3] > 0.1);
    assert_true(mask[2] == 1 && mask[4] == 0);
    flat.fade = 1000; // ends at 89 degrees
    mask_of(heights, flat, mask);
    for (int k = 0; k < CELLS; k++)
        assert_true(mask[k] > 0.99f && mask[k] <= 1);
}

static void test_mask_of_a_generator(void** state) {
    (void)state;
    static const float zeros[30 * 20];
    float stretched[30 * 20];
    GullyGenerateParams params = generated_params(30, 20, 5);
    params.relief = 1;
    float* unit = generated("island", &params);
    GullyGenerateLayer layers[] = {layer_of(zeros, GULLY_BLEND_ADD, 1),
                                   gully_generate_layer("plane")};
    layers[1].source.params.relief = 0;
    layers[1].source.params.offset = 64;
    layers[1].mask.kind = GULLY_MASK_VALUES;
    layers[1].mask.source.kind = "island";
    layers[1].mask.source.params.seed = 5; // relief and offset do not matter
    layers[1].mask.source.params.offset = 33;
    GullyGenerateDef def = def_of(30, 20, layers, 2);
    combine(&def, stretched);
    for (int k = 0; k < 30 * 20; k++)
        assert_true(stretched[k] == 64 * unit[k]);
    free(unit);
}

// Without a ground of their own, heights are those of the layers below.
static void test_mask_of_what_is_below(void** state) {
    (void)state;
    static const float below[] = {10, 20, 30, 40}, ones[] = {1, 1, 1, 1};
    GullyGenerateLayer layers[] = {layer_of(below, GULLY_BLEND_ADD, 1),
                                   layer_of(ones, GULLY_BLEND_ADD, 1),
                                   layer_of(ones, GULLY_BLEND_ADD, 1)};
    layers[1].mask =
        (GullyGenerateMask){.kind = GULLY_MASK_HEIGHT, .has_range = true, .low = 20, .high = 30};
    layers[2].mask = layers[1].mask;
    GullyGenerateDef def = def_of(4, 1, layers, 3);
    float heights[4];
    combine(&def, heights);
    check(heights, (float[]){10, 22, 31, 40}, 4, "below");
    def.ground = below;
    combine(&def, heights);
    check(heights, (float[]){10, 22, 32, 40}, 4, "ground");
}

// ---- the whole ----------------------------------------------------------------------------------

// One of everything.
static int landscape(GullyGenerateLayer* layers) {
    layers[0] = gully_generate_layer("fbm");
    layers[1] = gully_generate_layer("volcano");
    layers[1].source.params.relief = 900;
    layers[1].blend = GULLY_BLEND_MAX;
    layers[2] = gully_generate_layer("canyon");
    layers[2].source.params.seed = 4;
    layers[2].blend = GULLY_BLEND_SUBTRACT;
    layers[2].amount = 0.5;
    layers[2].mask.kind = GULLY_MASK_VALUES;
    layers[2].mask.source.kind = "island";
    layers[2].mask.source.params.seed = 9;
    layers[3] = gully_generate_layer("ridged");
    layers[3].source.params.relief = 0.5;
    layers[3].source.params.offset = 0.75;
    layers[3].blend = GULLY_BLEND_MULTIPLY;
    layers[4] = gully_generate_layer("dunes");
    layers[4].source.params.relief = 60;
    layers[4].blend = GULLY_BLEND_MIX;
    layers[4].mask = (GullyGenerateMask){
        .kind = GULLY_MASK_SLOPE, .has_range = true, .low = 0, .high = 10, .fade = 15};
    for (int n = 0; n < 5; n++)
        layers[n].source.params.octaves = layers[n].mask.source.params.octaves = 6;
    return 5;
}

static void test_same_on_any_threads(void** state) {
    (void)state;
    enum { WIDTH = 129, HEIGHT = 83 };
    static float first[WIDTH * HEIGHT], heights[WIDTH * HEIGHT];
    GullyGenerateLayer layers[5];
    GullyGenerateDef def = def_of(WIDTH, HEIGHT, layers, landscape(layers));
    def.threads = 1;
    combine(&def, first);
    for (int threads = 0; threads <= 7; threads++) {
        def.threads = threads;
        combine(&def, heights);
        assert_memory_equal(heights, first, sizeof first);
    }
}

// At the places that a grid shares with one three times as fine. Where two layers meet in a kink,
// and at the border, slopes are those of other places: few cells.
static void test_same_mountain_at_any_resolution(void** state) {
    (void)state;
    enum { WIDTH = 512, HEIGHT = 96, FINE = 3 * WIDTH };
    static float coarse[WIDTH * HEIGHT], same[WIDTH * HEIGHT], fine[9 * WIDTH * HEIGHT];
    GullyGenerateLayer layers[5];
    GullyGenerateDef def = def_of(WIDTH, HEIGHT, layers, landscape(layers));
    combine(&def, coarse);
    def.width *= 3;
    def.height *= 3;
    def.cell_x /= 3;
    def.cell_y /= 3;
    combine(&def, fine);
    int differ = 0;
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
        int i = k % WIDTH, j = k / WIDTH;
        same[k] = fine[(3 * j + 1) * FINE + 3 * i + 1];
        differ += fabsf(coarse[k] - same[k]) > 6; // a hundredth of the highest
    }
    if (differ > WIDTH * HEIGHT / 40) fail_msg("%d of %d differ", differ, WIDTH * HEIGHT);
    assert_true(correlation(coarse, same, WIDTH * HEIGHT) > 0.999);
}

static void test_unknown_kinds(void** state) {
    (void)state;
    GullyGenerateLayer layers[] = {gully_generate_layer("fbm"), gully_generate_layer("vulcano")};
    GullyGenerateDef def = def_of(2, 1, layers, 2);
    float heights[2] = {1, 2};
    assert_int_equal(gully_generate_layers(&def, heights), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "no terrain \"vulcano\"; the kinds are mountains, "));
    layers[1].source.kind = "volcano";
    layers[1].mask.kind = GULLY_MASK_VALUES;
    layers[1].mask.source.kind = "iland";
    assert_int_equal(gully_generate_layers(&def, heights), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "no terrain \"iland\""));
    assert_true(heights[0] == 1 && heights[1] == 2); // untouched
}

static void test_bounds(void** state) {
    (void)state;
    static const float values[] = {3e38f, -3e38f, 2};
    for (int blend = 0; blend < 6; blend++) {
        GullyGenerateLayer layers[8];
        for (int n = 0; n < 8; n++)
            layers[n] = layer_of(values, n == 0 ? GULLY_BLEND_ADD : blend, 100);
        GullyGenerateDef def = def_of(3, 1, layers, 8);
        float heights[3];
        combine(&def, heights);
        for (int k = 0; k < 3; k++)
            assert_true(fabsf(heights[k]) <= (float)GULLY_HIGHEST);
    }
}

static void test_small_grids(void** state) {
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}};
    for (int n = 0; n < COUNT(sizes); n++) {
        float heights[9];
        GullyGenerateLayer layers[5];
        GullyGenerateDef def = def_of(sizes[n][0], sizes[n][1], layers, landscape(layers));
        combine(&def, heights);
        for (int k = 0; k < sizes[n][0] * sizes[n][1]; k++)
            assert_true(isfinite(heights[k]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_blend),
        cmocka_unit_test(test_names_of_blends),
        cmocka_unit_test(test_first_layer_is_on_level_ground),
        cmocka_unit_test(test_one_generator_is_itself),
        cmocka_unit_test(test_generators_are_stretched_before),
        cmocka_unit_test(test_nodata),
        cmocka_unit_test(test_mask_of_values),
        cmocka_unit_test(test_mask_of_a_range),
        cmocka_unit_test(test_mask_of_slopes),
        cmocka_unit_test(test_mask_of_a_generator),
        cmocka_unit_test(test_mask_of_what_is_below),
        cmocka_unit_test(test_same_on_any_threads),
        cmocka_unit_test(test_same_mountain_at_any_resolution),
        cmocka_unit_test(test_unknown_kinds),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_small_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
