// SPDX-License-Identifier: MIT
/// Stamps and copies: where the numbers of a picture come to lie, and what they do there.
#include "edits.h"

enum { WIDTH = 150, HEIGHT = 130, SIDE = 7 };

static GullyStamp make_stamp(double x, double y, int blend) {
    GullyStamp stamp;
    gully_params_default(gully_stamp_table(), &stamp);
    stamp.x = x;
    stamp.y = y;
    stamp.blend = blend;
    return stamp;
}

/// Numbers that are all different.
static void make_picture(float out[SIDE * SIDE]) {
    for (int i = 0; i < SIDE * SIDE; i++)
        out[i] = (float)(1 + i % SIDE + 10 * (i / SIDE));
}

static void test_cell_by_cell(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.cell_x = 0.3, .cell_y = 0.7});
    float picture[SIDE * SIDE];
    make_picture(picture);
    GullyStamp stamp = make_stamp(40 * 0.3, 50 * 0.7, GULLY_BLEND_ADD);
    OK(gully_editor_stamp(bench.editor, &stamp, picture, SIDE, SIDE));
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            int i = x - 37, j = y - 47;
            bool in = i >= 0 && i < SIDE && j >= 0 && j < SIDE;
            assert_true(at(&bench, GULLY_TERRAIN, x, y) ==
                        (in ? (double)picture[j * SIDE + i] : 0));
        }
    }
    double sum = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        sum += (double)picture[i];
    assert_near(budget_of(&bench).solid.edits, sum * 0.21, 1e-9);
    assert_balanced(&bench);
    close_bench(&bench);
}

/// Turned clockwise: what was east is south.
static void test_turns(void** state) {
    (void)state;
    float picture[SIDE * SIDE];
    make_picture(picture);
    for (int turn = -4; turn <= 8; turn++) {
        Bench bench = open_bench((BenchDef){0});
        GullyStamp stamp = make_stamp(400, 500, GULLY_BLEND_ADD);
        stamp.angle = 90 * turn;
        OK(gully_editor_stamp(bench.editor, &stamp, picture, SIDE, SIDE));
        for (int j = -3; j <= 3; j++) {
            for (int i = -3; i <= 3; i++) {
                int u = i, v = j;
                for (int n = 0; n < (turn + 4) % 4; n++) { // clockwise, with y down
                    int old = u;
                    u = -v;
                    v = old;
                }
                assert_true(at(&bench, GULLY_TERRAIN, 40 + u, 50 + v) ==
                            (double)picture[(j + 3) * SIDE + i + 3]);
            }
        }
        close_bench(&bench);
    }
}

/// A ramp stays a ramp, stretched and turned by any angle.
static void test_stretches(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    float ramp[16 * 8];
    for (int i = 0; i < 16 * 8; i++)
        ramp[i] = (float)(i % 16 - 7.5);
    GullyStamp stamp = make_stamp(703, 604, GULLY_BLEND_MIX);
    stamp.width = 640; // 40 m for each
    stamp.height = 400;
    stamp.angle = 30;
    stamp.scale = 2;
    stamp.offset = 100;
    OK(gully_editor_stamp(bench.editor, &stamp, ramp, 16, 8));
    int covered = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            double dx = x * 10 - 703.0, dy = y * 10 - 604.0, c = sqrt(0.75), s = 0.5;
            double u = dx * c + dy * s, v = dy * c - dx * s;
            if (fabs(u) > 299 || fabs(v) > 199) {
                if (fabs(u) > 321 || fabs(v) > 201)
                    assert_true(at(&bench, GULLY_TERRAIN, x, y) == 0);
                continue;
            }
            assert_near(at(&bench, GULLY_TERRAIN, x, y), 100 + 2 * u / 40, 1e-4);
            covered++;
        }
    }
    assert_true(covered > 2000);
    assert_balanced(&bench);
    close_bench(&bench);
}

static void test_blends(void** state) {
    (void)state;
    static const double wanted[] = {4 + 3, 4 - 3, 4 * 3, 3, 4, 3};
    for (int blend = GULLY_BLEND_ADD; blend <= GULLY_BLEND_MIX; blend++) {
        Bench bench = open_bench((BenchDef){0});
        OK(gully_world_fill(bench.world, GULLY_TERRAIN, 4));
        GullyStamp stamp = make_stamp(400, 500, blend);
        const float values[3] = {3, NAN, 3};
        OK(gully_editor_stamp(bench.editor, &stamp, values, 3, 1));
        assert_true(at(&bench, GULLY_TERRAIN, 39, 50) == wanted[blend]);
        assert_true(at(&bench, GULLY_TERRAIN, 40, 50) == 4); // NaN leaves it
        assert_true(at(&bench, GULLY_TERRAIN, 41, 50) == wanted[blend]);
        stamp.amount = 0.5;
        stamp.y = 600;
        OK(gully_editor_stamp(bench.editor, &stamp, values, 1, 1));
        assert_near(at(&bench, GULLY_TERRAIN, 40, 60), (4 + wanted[blend]) / 2, 1e-6);
        close_bench(&bench);
    }
}

static void test_falloff(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    const float one = 1;
    GullyStamp stamp = make_stamp(400, 500, GULLY_BLEND_ADD);
    stamp.width = stamp.height = 400;
    stamp.falloff = 0.5;
    OK(gully_editor_stamp(bench.editor, &stamp, &one, 1, 1));
    assert_true(at(&bench, GULLY_TERRAIN, 40, 50) == 1);
    assert_true(at(&bench, GULLY_TERRAIN, 50, 50) == 1);
    assert_near(at(&bench, GULLY_TERRAIN, 55, 50), 0.5, 1e-6);
    assert_near(at(&bench, GULLY_TERRAIN, 55, 35), 0.25, 1e-6);
    assert_true(at(&bench, GULLY_TERRAIN, 60, 50) == 0);
    close_bench(&bench);
}

static void test_fields(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.materials = 3});
    const float values[2] = {3, -9};
    GullyStamp stamp = make_stamp(405, 500, GULLY_BLEND_ADD);
    stamp.field = 1;
    OK(gully_editor_stamp(bench.editor, &stamp, values, 2, 1));
    assert_true(at(&bench, GULLY_WATER, 40, 50) == 3 && at(&bench, GULLY_WATER, 41, 50) == 0);
    stamp.field = 2;
    OK(gully_editor_stamp(bench.editor, &stamp, values, 2, 1));
    assert_true(at(&bench, GULLY_HARDNESS, 40, 50) == 1 && at(&bench, GULLY_HARDNESS, 41, 50) == 0);
    stamp.field = 3;
    OK(gully_editor_stamp(bench.editor, &stamp, values, 2, 1));
    assert_true(at(&bench, GULLY_LAYER_1, 40, 50) == 5 && at(&bench, GULLY_LAYER_1, 41, 50) == 0);
    assert_true(at(&bench, GULLY_TERRAIN, 40, 50) == 3 && at(&bench, GULLY_TERRAIN, 41, 50) == -2);
    assert_balanced(&bench);
    stamp.layer = 3;
    assert_int_equal(gully_editor_stamp(bench.editor, &stamp, values, 2, 1), GULLY_BAD_INPUT);
    stamp.layer = 1;
    stamp.amount = 2;
    assert_int_equal(gully_editor_stamp(bench.editor, &stamp, values, 2, 1), GULLY_BAD_INPUT);
    stamp.amount = 1;
    assert_int_equal(gully_editor_stamp(bench.editor, &stamp, values, 0, 1), GULLY_BAD_INPUT);
    close_bench(&bench);
}

/// Any number may stand in a picture: the ground stays ground.
static void test_wild_numbers(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = terrain_holes});
    int64_t cells = gully_world_cells(bench.world);
    const float values[4] = {INFINITY, -INFINITY, 1e38f, NAN};
    for (int blend = GULLY_BLEND_ADD; blend <= GULLY_BLEND_MIX; blend++) {
        GullyStamp stamp = make_stamp(700, 600, blend);
        stamp.width = 3000;
        stamp.height = 900;
        stamp.angle = 20 * blend;
        OK(gully_editor_stamp(bench.editor, &stamp, values, 2, 2));
    }
    assert_int_equal(gully_world_cells(bench.world), cells);
    float* ground = terrain_read(bench.world, GULLY_TERRAIN);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_true(isnan(ground[i]) || fabsf(ground[i]) <= 1e7f);
    free(ground);
    GullyStamp away = make_stamp(1e9, -1e9, GULLY_BLEND_MIX);
    OK(gully_editor_stamp(bench.editor, &away, values, 2, 2));
    assert_balanced(&bench);
    close_bench(&bench);
}

// ---- copies -------------------------------------------------------------------------------------

static GullyClip* copy(const Bench* bench, GullyRect rect) {
    GullyClip* clip;
    OK(gully_editor_copy(bench->editor, rect, &clip));
    return clip;
}

/// A ground with everything: layers, hardness, holes, and remainders that no float holds.
static Bench open_rich_bench(void) {
    Bench bench = open_bench((BenchDef){.terrain = terrain_holes, .materials = 3});
    GullyBrush brush = make_brush("noise", 600);
    stroke(&bench, "noise", brush, (GullyPoint[]){{300, 300}, {900, 900}}, 2);
    brush.layer = 1;
    stroke(&bench, "noise", brush, (GullyPoint[]){{900, 300}, {300, 900}}, 2);
    brush = make_brush("harden", 300);
    stroke(&bench, "harden", brush, (GullyPoint[]){{300, 300}, {900, 900}}, 2);
    dab(&bench, "water", make_brush("water", 900), 600, 600);
    OK(gully_sim_step(bench.sim, 40));
    return bench;
}

static const GullyRect piece = {21, 30, 41, 35};

static GullyStamp over(GullyRect rect, int blend) {
    return make_stamp((rect.x + 0.5 * (rect.width - 1)) * 10,
                      (rect.y + 0.5 * (rect.height - 1)) * 10, blend);
}

static void assert_same_cells(const Bench* bench, GullyField field, GullyRect a, GullyRect b) {
    float *values = malloc(sizeof(float) * 41 * 35), *others = malloc(sizeof(float) * 41 * 35);
    OK(gully_world_read(bench->world, field, a, values));
    OK(gully_world_read(bench->world, field, b, others));
    for (int i = 0; i < a.width * a.height; i++)
        assert_true(values[i] == others[i] || isnan(values[i]) || isnan(others[i]));
    free(values);
    free(others);
}

static void test_paste_in_place_changes_nothing(void** state) {
    (void)state;
    Bench bench = open_rich_bench();
    uint64_t before = state_hash(bench.sim);
    GullyClip* clip = copy(&bench, piece);
    assert_int_equal(gully_clip_width(clip), 41);
    assert_int_equal(gully_clip_height(clip), 35);
    GullyStamp stamp = over(piece, GULLY_BLEND_MIX);
    OK(gully_editor_paste(bench.editor, clip, &stamp));
    assert_true(state_hash(bench.sim) == before);
    gully_clip_destroy(clip);
    close_bench(&bench);
}

/// Also with cells whose centres are no round numbers.
static void test_rounding_of_places_does_not_show(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = terrain_rough, .cell_x = 0.3, .cell_y = 0.7});
    uint64_t before = state_hash(bench.sim);
    GullyClip* clip = copy(&bench, piece);
    GullyStamp stamp = make_stamp(41 * 0.3, 47 * 0.7, GULLY_BLEND_MIX);
    OK(gully_editor_paste(bench.editor, clip, &stamp));
    assert_true(state_hash(bench.sim) == before);
    gully_clip_destroy(clip);
    close_bench(&bench);
}

static void test_paste_elsewhere(void** state) {
    (void)state;
    Bench bench = open_rich_bench();
    GullyClip *clip = copy(&bench, piece), *parsed;
    size_t size;
    const void* bytes = gully_clip_bytes(clip, &size);
    OK(gully_clip_parse(bytes, size, &parsed));
    const GullyRect there = {90, 80, 41, 35};
    GullyStamp stamp = over(there, GULLY_BLEND_MIX);
    int64_t cells = gully_world_cells(bench.world);
    OK(gully_editor_paste(bench.editor, parsed, &stamp));
    assert_int_equal(gully_world_cells(bench.world), cells);
    assert_same_cells(&bench, GULLY_TERRAIN, piece, there);
    assert_same_cells(&bench, GULLY_LAYER_1, piece, there);
    assert_same_cells(&bench, GULLY_LAYER_2, piece, there);
    assert_same_cells(&bench, GULLY_HARDNESS, piece, there);
    assert_balanced(&bench);
    stamp.offset = -7; // beyond the copy nothing changes, and other heights stay other heights
    double beside = at(&bench, GULLY_TERRAIN, 89, 90), inside = at(&bench, GULLY_TERRAIN, 91, 90);
    OK(gully_editor_paste(bench.editor, clip, &stamp));
    assert_true(at(&bench, GULLY_TERRAIN, 89, 90) == beside);
    assert_near(at(&bench, GULLY_TERRAIN, 91, 90), inside - 7, 1e-5);
    gully_clip_destroy(clip);
    gully_clip_destroy(parsed);
    close_bench(&bench);
}

/// Four quarter turns of a copy of a copy bring back what there was.
static void test_four_turns(void** state) {
    (void)state;
    const GullyRect square = {60, 60, 31, 31};
    Bench bench = open_bench((BenchDef){.terrain = terrain_rough, .materials = 2});
    uint64_t before = state_hash(bench.sim);
    GullyStamp stamp = over(square, GULLY_BLEND_MIX);
    stamp.angle = 90;
    for (int turn = 0; turn < 4; turn++) {
        GullyClip* clip = copy(&bench, square);
        OK(gully_editor_paste(bench.editor, clip, &stamp));
        gully_clip_destroy(clip);
        if (turn < 3) assert_true(state_hash(bench.sim) != before);
    }
    assert_true(state_hash(bench.sim) == before);
    close_bench(&bench);
}

/// With `fit` the edge of a copy lies as high as the ground there.
static void test_fit(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    GullyBrush brush = make_brush("raise", 100);
    dab(&bench, "raise", brush, 300, 300);
    GullyClip* clip = copy(&bench, (GullyRect){15, 15, 31, 31}); // a hill of 1 m, its edge at 0
    OK(gully_world_fill(bench.world, GULLY_TERRAIN, 500));
    GullyStamp stamp = make_stamp(900, 700, GULLY_BLEND_MIX);
    stamp.fit = true;
    OK(gully_editor_paste(bench.editor, clip, &stamp));
    assert_near(at(&bench, GULLY_TERRAIN, 90, 70), 501, 1e-4);
    assert_near(at(&bench, GULLY_TERRAIN, 76, 70), 500, 1e-4);
    gully_clip_destroy(clip);
    close_bench(&bench);
}

static void test_refuses_copies(void** state) {
    (void)state;
    Bench bench = open_rich_bench(), plain = open_bench((BenchDef){0});
    GullyClip *clip = copy(&bench, piece), *parsed;
    GullyStamp stamp = over(piece, GULLY_BLEND_MIX);
    assert_int_equal(gully_editor_paste(plain.editor, clip, &stamp), GULLY_BAD_INPUT);
    const GullyRect bad[] = {{-1, 0, 5, 5},  {0, 0, 0, 5},         {149, 0, 2, 1},
                             {0, 0, 151, 1}, {2, 2, INT32_MAX, 1}, {INT32_MAX, 0, 1, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(gully_editor_copy(bench.editor, bad[i], &parsed), GULLY_BAD_INPUT);
    gully_clip_destroy(clip);
    close_bench(&bench);
    close_bench(&plain);
}

/// Bytes that were changed are refused or are another copy, which can be pasted.
static void test_any_bytes(void** state) {
    (void)state;
    Bench bench = open_rich_bench();
    GullyClip *clip = copy(&bench, (GullyRect){50, 50, 3, 2}), *parsed;
    size_t size;
    const void* original = gully_clip_bytes(clip, &size);
    unsigned char* bytes = malloc(size + 8);
    memcpy(bytes, original, size);
    assert_int_equal(gully_clip_parse(NULL, 0, &parsed), GULLY_BAD_INPUT);
    for (size_t less = 0; less < size; less++)
        assert_int_equal(gully_clip_parse(bytes, less, &parsed), GULLY_BAD_INPUT);
    assert_int_equal(gully_clip_parse(bytes, size + 8, &parsed), GULLY_BAD_INPUT);
    GullyStamp stamp = make_stamp(700, 600, GULLY_BLEND_MIX);
    int refused = 0;
    for (size_t bit = 0; bit < size * 8; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        if (gully_clip_parse(bytes, size, &parsed))
            refused++;
        else
            gully_editor_paste(bench.editor, parsed, &stamp); // may be refused for its materials
        gully_clip_destroy(parsed);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    assert_true(refused > 100);
    const double bad[] = {1e8, -INFINITY, -1, 2e7, -1e-9, 1.5}; // ground, layers, hardness
    for (size_t i = 0; i < 6; i++) {
        size_t plane = i < 2 ? 0 : i < 4 ? 1 + i % 2 : 3;
        memcpy(bytes, original, size);
        memcpy(bytes + size - (4 - plane) * 3 * 2 * sizeof(double), &bad[i], sizeof bad[i]);
        assert_int_equal(gully_clip_parse(bytes, size, &parsed), GULLY_BAD_INPUT);
    }
    assert_balanced(&bench);
    free(bytes);
    gully_clip_destroy(clip);
    close_bench(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cell_by_cell),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_stretches),
        cmocka_unit_test(test_blends),
        cmocka_unit_test(test_falloff),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_wild_numbers),
        cmocka_unit_test(test_paste_in_place_changes_nothing),
        cmocka_unit_test(test_rounding_of_places_does_not_show),
        cmocka_unit_test(test_paste_elsewhere),
        cmocka_unit_test(test_four_turns),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_refuses_copies),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
