// SPDX-License-Identifier: MIT
/// Where a brush may act, and how hard it is pressed.
#include "edits.h"

enum { WIDTH = 150, HEIGHT = 130 };

/// Flat in the west; from column 60 on it rises to the east by 10 m a cell: 45 degrees.
static void lay_ramp(Bench* bench) {
    for (int y = 0; y < HEIGHT; y++) {
        float row[WIDTH];
        for (int x = 0; x < WIDTH; x++)
            row[x] = x < 60 ? 100.0f : 100.0f + 10.0f * (float)(x - 60);
        OK(gully_world_write(bench->world, GULLY_TERRAIN, (GullyRect){0, y, WIDTH, 1}, row));
    }
}

/// Columns of row 60 that a wide dab on column 75 has raised: the first and the last; -1 = none.
typedef struct Span {
    int first, last;
} Span;

static Span raised(Bench* bench, GullyBrush brush) {
    float before[WIDTH], after[WIDTH];
    const GullyRect row = {0, 60, WIDTH, 1};
    OK(gully_world_read(bench->world, GULLY_TERRAIN, row, before));
    gully_editor_mark(bench->editor, "raise");
    dab(bench, "raise", brush, 750, 600);
    OK(gully_world_read(bench->world, GULLY_TERRAIN, row, after));
    Span span = {-1, -1};
    for (int x = 0; x < WIDTH; x++) {
        if (after[x] == before[x]) continue;
        if (span.first < 0) span.first = x;
        span.last = x;
    }
    OK(gully_editor_undo(bench->editor));
    return span;
}

static GullyBrush wide_brush(void) {
    GullyBrush brush = make_brush("raise", 305);
    brush.falloff = 0;
    brush.strength = 4;
    return brush;
}

static void test_slope_and_height(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    lay_ramp(&bench);
    GullyBrush brush = wide_brush();
    Span span = raised(&bench, brush);
    assert_true(span.first == 45 && span.last == 105);
    brush.slope_low = 40; // the foot of the ramp has half its slope
    span = raised(&bench, brush);
    assert_true(span.first == 61 && span.last == 105);
    brush = wide_brush();
    brush.slope_high = 5;
    span = raised(&bench, brush);
    assert_true(span.first == 45 && span.last == 59);
    brush = wide_brush();
    brush.height_low = 200;
    brush.height_high = 300;
    span = raised(&bench, brush);
    assert_true(span.first == 70 && span.last == 80);
    brush.height_low = 5000;
    brush.height_high = 6000;
    assert_true(raised(&bench, brush).first == -1);
    assert_balanced(&bench);
    close_bench(&bench);
}

/// What water has done limits a brush cell by cell, as far as the brush reaches.
static void test_fields(void** state) {
    (void)state;
    static const struct {
        GullyField field;
        size_t low;
    } limits[] = {{GULLY_WEAR, offsetof(GullyBrush, wear_low)},
                  {GULLY_FLOW, offsetof(GullyBrush, flow_low)},
                  {GULLY_HARDNESS, offsetof(GullyBrush, hardness_low)}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        Bench bench = open_bench((BenchDef){.terrain = terrain_alpine});
        OK(gully_world_fill(bench.world, GULLY_WATER, 0.5f));
        GullyBrush brush = make_brush("harden", 150);
        dab(&bench, "harden", brush, 750, 600);
        OK(gully_sim_step(bench.sim, 20));
        float values[WIDTH], before[WIDTH], after[WIDTH];
        const GullyRect row = {0, 60, WIDTH, 1};
        OK(gully_world_read(bench.world, limits[i].field, row, values));
        OK(gully_world_read(bench.world, GULLY_TERRAIN, row, before));
        double least = 0; // the mean: there is more and less
        for (int x = 45; x <= 105; x++)
            least += (double)values[x] / 61;
        brush = wide_brush();
        memcpy((char*)&brush + limits[i].low, &least, sizeof least);
        dab(&bench, "raise", brush, 750, 600);
        OK(gully_world_read(bench.world, GULLY_TERRAIN, row, after));
        int changed = 0, kept = 0;
        for (int x = 45; x <= 105; x++) {
            const bool allowed = (double)values[x] >= least;
            assert_true((after[x] != before[x]) == allowed);
            changed += allowed;
            kept += !allowed;
        }
        assert_true(changed > 0 && kept > 0);
        close_bench(&bench);
    }
}

/// Sand lies on the soil in the east only.
static void test_material(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.materials = 3});
    float none[75 * HEIGHT] = {0};
    OK(gully_world_write(bench.world, GULLY_LAYER(2), (GullyRect){0, 0, 75, HEIGHT}, none));
    GullyBrush brush = wide_brush();
    brush.material = 2;
    Span span = raised(&bench, brush);
    assert_true(span.first == 75 && span.last == 105);
    brush.material = 1;
    span = raised(&bench, brush);
    assert_true(span.first == 45 && span.last == 74);
    brush.material = 0;
    assert_true(raised(&bench, brush).first == -1);
    brush.material = 3;
    assert_int_equal(gully_editor_begin_stroke(bench.editor, "raise", &brush), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "material"));
    close_bench(&bench);
}

/// What smooths, erodes or crumbles keeps to the limits too, and none at all changes no bit.
static void test_all_brushes(void** state) {
    (void)state;
    static const char* const kinds[] = {"lower", "smooth", "flatten", "noise", "erode", "thermal"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Bench bench = open_bench((BenchDef){.terrain = terrain_alpine});
        const uint64_t before = seen_hash(&bench);
        GullyBrush brush = make_brush(kinds[i], 200);
        brush.height_high = -5000;
        gully_editor_mark(bench.editor, kinds[i]);
        dab(&bench, kinds[i], brush, 750, 600);
        assert_true(seen_hash(&bench) == before);
        brush.height_high = 1e7;
        dab(&bench, kinds[i], brush, 750, 600);
        assert_true(seen_hash(&bench) != before);
        close_bench(&bench);
    }
}

static void test_pressure(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    GullyBrush brush = make_brush("raise", 50);
    brush.strength = 8;
    brush.falloff = 0;
    assert_int_equal(gully_editor_press(bench.editor, 0.5), GULLY_BAD_INPUT); // nothing to press
    const double ground = at(&bench, GULLY_TERRAIN, 75, 60);
    OK(gully_editor_begin_stroke(bench.editor, "raise", &brush));
    OK(gully_editor_press(bench.editor, 0.25));
    OK(gully_editor_stroke_to(bench.editor, &(GullyPoint){750, 600}, 1));
    assert_near(at(&bench, GULLY_TERRAIN, 75, 60), ground + 2, 1e-4);
    assert_int_equal(gully_editor_press(bench.editor, 1.5), GULLY_BAD_INPUT);
    OK(gully_editor_press(bench.editor, 0));
    OK(gully_editor_stroke_to(bench.editor, &(GullyPoint){765, 600}, 1));
    gully_editor_end_stroke(bench.editor);
    assert_near(at(&bench, GULLY_TERRAIN, 75, 60), ground + 2, 1e-4);
    dab(&bench, "raise", brush, 750, 600); // the next stroke begins with all of it
    assert_near(at(&bench, GULLY_TERRAIN, 75, 60), ground + 10, 1e-4);
    GullyBrush held = make_brush("rain", 50);
    held.slope_low = 3;
    assert_int_equal(gully_editor_hold(bench.editor, "rain", &held, (GullyPoint){0, 0}),
                     GULLY_BAD_INPUT);
    assert_balanced(&bench);
    close_bench(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slope_and_height), cmocka_unit_test(test_fields),
        cmocka_unit_test(test_material),         cmocka_unit_test(test_all_brushes),
        cmocka_unit_test(test_pressure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
