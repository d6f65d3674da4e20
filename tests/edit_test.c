// SPDX-License-Identifier: MIT
/// Brushes: each does what its row of the table says, where it says, and the budget knows.
#include "edits.h"

enum { WIDTH = 150, HEIGHT = 130, X = 70, Y = 60 }; // and the cell that most dabs are at

static const GullyPoint centre = {X * 10.0, Y * 10.0};

// ---- what a brush is ----------------------------------------------------------------------------

static void test_table(void** state) {
    (void)state;
    assert_true(gully_brush_count() >= 12);
    for (int i = 0; i < gully_brush_count(); i++) {
        const GullyBrushInfo* info = gully_brush_info(i);
        assert_ptr_equal(gully_brush_find(info->name), info);
        assert_true(info->strength > 0 && info->strength <= info->most);
        assert_true(strlen(info->summary) > 0 && strlen(info->unit) > 0);
    }
    assert_null(gully_brush_find("hammer"));
}

static void test_weight(void** state) {
    (void)state;
    GullyBrush brush = {.radius = 100, .falloff = 0.4};
    assert_true(gully_brush_weight(&brush, 0) == 1);
    assert_true(gully_brush_weight(&brush, 60) == 1);
    assert_near(gully_brush_weight(&brush, 80), 0.5, 1e-12);
    assert_near(gully_brush_weight(&brush, 90), 0.25 * 0.25 * 2.5, 1e-12);
    assert_true(gully_brush_weight(&brush, 100) == 0);
    assert_true(gully_brush_weight(&brush, 101) == 0);
    brush.falloff = 0;
    assert_true(gully_brush_weight(&brush, 100) == 1);
    assert_true(gully_brush_weight(&brush, 100.001) == 0);
}

// ---- raise and lower ----------------------------------------------------------------------------

static double distance_to(int x, int y, double cell_y) {
    double dx = x * 10.0 - centre.x, dy = y * cell_y - centre.y;
    return sqrt(dx * dx + dy * dy);
}

/// Every cell rises by the strength times its weight, the budget by the volume under that.
static void check_raise(const char* kind, double sign, double cell_y) {
    Bench bench = open_bench((BenchDef){.cell_y = cell_y});
    OK(gully_world_fill(bench.world, GULLY_TERRAIN, 3000.25f));
    double before = budget_of(&bench).solid.edits, sum = 0;
    GullyBrush brush = make_brush(kind, 125);
    brush.strength = 2.5;
    dab(&bench, kind, brush, centre.x, centre.y);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            double change = sign * 2.5 * gully_brush_weight(&brush, distance_to(x, y, cell_y));
            assert_near(at(&bench, GULLY_TERRAIN, x, y), 3000.25 + change, 2e-4);
            if (change == 0) assert_true(at(&bench, GULLY_TERRAIN, x, y) == 3000.25);
            sum += change;
        }
    }
    assert_near(budget_of(&bench).solid.edits - before, sum * 10 * cell_y, 1e-5);
    assert_balanced(&bench);
    close_bench(&bench);
}

static void test_raise_and_lower(void** state) {
    (void)state;
    check_raise("raise", 1, 10);
    check_raise("raise", 1, 7);
    check_raise("lower", -1, 10);
    Bench bench = open_bench((BenchDef){0});
    GullyBrush brush = make_brush("raise", 125);
    brush.strength = 2.5;
    dab(&bench, "raise", brush, centre.x, centre.y);
    assert_true(at(&bench, GULLY_TERRAIN, X, Y) == 2.5);
    close_bench(&bench);
}

/// What does not fit into a float is kept: many small dabs add up.
static void test_small_dabs_add_up(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    OK(gully_world_fill(bench.world, GULLY_TERRAIN, 4000));
    GullyBrush brush = make_brush("raise", 0);
    brush.strength = 1e-5;
    for (int i = 0; i < 1000; i++)
        dab(&bench, "raise", brush, centre.x, centre.y);
    assert_near(at(&bench, GULLY_TERRAIN, X, Y), 4000.01, 3e-4);
    GullyBudget budget = budget_of(&bench);
    assert_near(budget.solid.edits - 4000.0 * WIDTH * HEIGHT * 100, 1, 1e-6);
    close_bench(&bench);
}

static void test_nearest_cell_is_part(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    GullyBrush brush = make_brush("raise", 0);
    brush.strength = 4;
    dab(&bench, "raise", brush, 703, 596);
    brush.radius = 2;
    dab(&bench, "raise", brush, 1004, 1004.9);
    assert_true(at(&bench, GULLY_TERRAIN, 70, 60) == 4);
    assert_true(at(&bench, GULLY_TERRAIN, 100, 100) == 4);
    assert_near(gully_world_volume(bench.world, GULLY_TERRAIN), 800, 1e-9);
    dab(&bench, "raise", brush, -6, 100); // outside
    dab(&bench, "raise", brush, 1e300, -1e300);
    assert_near(gully_world_volume(bench.world, GULLY_TERRAIN), 800, 1e-9);
    close_bench(&bench);
}

static void test_limits(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.materials = 3});
    OK(gully_world_fill(bench.world, GULLY_TERRAIN, 9.999e6f));
    GullyBrush brush = make_brush("raise", 50);
    brush.strength = 1e4;
    dab(&bench, "raise", brush, centre.x, centre.y);
    assert_true(at(&bench, GULLY_TERRAIN, X, Y) == 1e7);
    brush.layer = 1;
    dab(&bench, "raise", brush, centre.x, centre.y);
    assert_true(at(&bench, GULLY_TERRAIN, X, Y) == 1e7);
    assert_true(at(&bench, GULLY_LAYER_1, X, Y) == 2);
    OK(gully_world_fill(bench.world, GULLY_TERRAIN, -9.999e6f));
    brush.layer = -1;
    dab(&bench, "lower", brush, centre.x, centre.y);
    assert_true(at(&bench, GULLY_TERRAIN, X, Y) == -1e7);
    assert_balanced(&bench);
    close_bench(&bench);
}

// ---- layers -------------------------------------------------------------------------------------

static void expect_stack(const Bench* bench, double rock, double soil, double sand) {
    assert_near(at(bench, GULLY_LAYER_0, X, Y), rock, 1e-6);
    assert_near(at(bench, GULLY_LAYER_1, X, Y), soil, 1e-6);
    assert_near(at(bench, GULLY_LAYER_2, X, Y), sand, 1e-6);
    assert_near(at(bench, GULLY_TERRAIN, X, Y), rock + soil + sand, 1e-6);
}

static void test_layers(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.materials = 3});
    GullyBrush brush = make_brush("raise", 50);
    expect_stack(&bench, -2.5, 2, 0.5);
    brush.layer = 1;
    dab(&bench, "raise", brush, centre.x, centre.y); // sand rides on it
    expect_stack(&bench, -2.5, 3, 0.5);
    brush.strength = 7;
    dab(&bench, "lower", brush, centre.x, centre.y); // no more than there is
    expect_stack(&bench, -2.5, 0, 0.5);
    brush.layer = 0;
    dab(&bench, "raise", brush, centre.x, centre.y);
    expect_stack(&bench, 4.5, 0, 0.5);
    brush.layer = -1;
    dab(&bench, "lower", brush, centre.x, centre.y);
    expect_stack(&bench, -2.5, 0, 0.5);
    brush.layer = 2;
    brush.strength = 1;
    dab(&bench, "raise", brush, centre.x, centre.y);
    expect_stack(&bench, -2.5, 0, 1.5);
    assert_balanced(&bench);
    brush.layer = 3;
    assert_int_equal(gully_editor_begin_stroke(bench.editor, "raise", &brush), GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "layer"));
    close_bench(&bench);
    bench = open_bench((BenchDef){0});
    brush.layer = 1;
    assert_int_equal(gully_editor_begin_stroke(bench.editor, "raise", &brush), GULLY_BAD_INPUT);
    close_bench(&bench);
}

static void make_bumps(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++)
        out[c] = (c % width / 3 + c / width / 3) % 2 ? 104 : 100;
}

/// Smoothing with a layer takes from that layer only, and no more than there is.
static void test_smooth_with_a_layer(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = make_bumps, .materials = 3});
    float rock[21 * 21], after[21 * 21];
    const GullyRect rect = {X - 10, Y - 10, 21, 21};
    OK(gully_world_read(bench.world, GULLY_LAYER_0, rect, rock));
    GullyBrush brush = make_brush("smooth", 100);
    brush.layer = 2;
    brush.strength = 1;
    for (int i = 0; i < 5; i++)
        dab(&bench, "smooth", brush, centre.x, centre.y);
    OK(gully_world_read(bench.world, GULLY_LAYER_0, rect, after));
    for (int i = 0; i < 21 * 21; i++)
        assert_near((double)after[i], (double)rock[i], 5e-4);
    float* sand = terrain_read(bench.world, GULLY_LAYER_2);
    int bare = 0, thick = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        assert_true(sand[i] >= 0);
        bare += sand[i] == 0;
        thick += sand[i] > 0.6f;
    }
    assert_true(bare > 10 && thick > 10);
    free(sand);
    assert_balanced(&bench);
    close_bench(&bench);
}

// ---- smooth, flatten, noise ---------------------------------------------------------------------

typedef struct Spread {
    double mean, variance, roughness;
} Spread;

/// Of the ground within a distance of the centre [m].
static Spread spread_within(const Bench* bench, double radius) {
    double sum = 0, squares = 0, rough = 0, count = 0;
    for (int y = 1; y < HEIGHT - 1; y++) {
        for (int x = 1; x < WIDTH - 1; x++) {
            if (distance_to(x, y, 10) > radius) continue;
            double h = at(bench, GULLY_TERRAIN, x, y);
            double right = at(bench, GULLY_TERRAIN, x + 1, y) - h;
            sum += h;
            squares += h * h;
            rough += right * right;
            count++;
        }
    }
    return (Spread){sum / count, squares / count - sum / count * (sum / count), rough / count};
}

static void test_smooth(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = terrain_rough});
    Spread before = spread_within(&bench, 150);
    double outside = at(&bench, GULLY_TERRAIN, X + 31, Y);
    GullyBrush brush = make_brush("smooth", 300);
    for (int i = 0; i < 6; i++)
        dab(&bench, "smooth", brush, centre.x, centre.y);
    Spread after = spread_within(&bench, 150);
    assert_true(after.roughness < 0.5 * before.roughness);
    assert_true(after.variance < before.variance);
    assert_near(after.mean, before.mean, 0.3);
    assert_true(at(&bench, GULLY_TERRAIN, X + 31, Y) == outside);
    assert_balanced(&bench);
    close_bench(&bench);
}

/// One dab, cell by cell against the mean of the nine cells that were there.
static void test_smooth_is_a_mean(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = terrain_holes});
    float* before = terrain_read(bench.world, GULLY_TERRAIN);
    GullyBrush brush = make_brush("smooth", 95); // one cell to each side
    dab(&bench, "smooth", brush, 500, 650);      // a nodata block is there
    float* after = terrain_read(bench.world, GULLY_TERRAIN);
    int changed = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            double sum = 0, count = 0, dx = x * 10 - 500.0, dy = y * 10 - 650.0;
            double weight = gully_brush_weight(&brush, sqrt(dx * dx + dy * dy));
            double old = (double)before[y * WIDTH + x], new = (double)after[y * WIDTH + x];
            assert_true(isnan(old) == isnan(new));
            if (weight == 0 || isnan(old)) continue;
            for (int n = 0; n < 9; n++) {
                double beside = (double)before[(y + n / 3 - 1) * WIDTH + x + n % 3 - 1];
                if (isnan(beside)) continue;
                sum += beside;
                count++;
            }
            assert_near(new, old + 0.5 * weight * (sum / count - old), 3e-6);
            changed += new != old;
        }
    }
    assert_true(changed > 200);
    free(before);
    free(after);
    close_bench(&bench);
}

static void test_smooth_leaves_even_ground(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    OK(gully_world_fill(bench.world, GULLY_TERRAIN, 1234.567f));
    uint64_t before = gully_world_hash(bench.world, GULLY_TERRAIN);
    dab(&bench, "smooth", make_brush("smooth", 300), centre.x, centre.y);
    dab(&bench, "smooth", make_brush("smooth", 300), 0, 0);
    assert_true(gully_world_hash(bench.world, GULLY_TERRAIN) == before);
    close_bench(&bench);
}

static void test_flatten(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = terrain_rough});
    double level = at(&bench, GULLY_TERRAIN, 40, 40);
    GullyBrush brush = make_brush("flatten", 100);
    OK(gully_editor_begin_stroke(bench.editor, "flatten", &brush));
    for (int i = 0; i < 30; i++) // the level stays that of the first point
        OK(gully_editor_stroke_to(bench.editor, (GullyPoint[]){{400, 400}, {900, 600}}, 2));
    gully_editor_end_stroke(bench.editor);
    assert_near(at(&bench, GULLY_TERRAIN, 40, 40), level, 1e-6);
    assert_near(at(&bench, GULLY_TERRAIN, 65, 50), level, 1e-4);
    assert_near(at(&bench, GULLY_TERRAIN, 90, 60), level, 1e-4);
    assert_balanced(&bench);
    close_bench(&bench);
}

static uint64_t noise_hash(int seed, double scale) {
    Bench bench = open_bench((BenchDef){0});
    GullyBrush brush = make_brush("noise", 400);
    brush.seed = seed;
    brush.scale = scale;
    dab(&bench, "noise", brush, centre.x, centre.y);
    assert_true(at(&bench, GULLY_TERRAIN, X + 41, Y) == 0);
    Spread spread = spread_within(&bench, 200);
    assert_true(spread.variance > 0.01 && spread.variance < 1); // strength 0.5 m
    assert_balanced(&bench);
    uint64_t hash = gully_world_hash(bench.world, GULLY_TERRAIN);
    close_bench(&bench);
    return hash;
}

static void test_noise(void** state) {
    (void)state;
    uint64_t one = noise_hash(1, 80);
    assert_true(noise_hash(1, 80) == one);
    assert_true(noise_hash(2, 80) != one);
    assert_true(noise_hash(1, 60) != one);
    assert_true(noise_hash(1, 0) == noise_hash(1, 200)); // half the radius
}

// ---- water and hardness -------------------------------------------------------------------------

static void check_water(bool half) {
    Bench bench = open_bench((BenchDef){.terrain = terrain_rough, .half = half});
    GullyBrush brush = make_brush("water", 100);
    double sum = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++)
            sum += 0.2 * gully_brush_weight(&brush, distance_to(x, y, 10));
    }
    uint64_t ground = gully_world_hash(bench.world, GULLY_TERRAIN);
    OK(gully_world_fill(bench.world, GULLY_SEDIMENT, 0.25f));
    dab(&bench, "water", brush, centre.x, centre.y);
    assert_near(at(&bench, GULLY_WATER, X, Y), 0.2, half ? 1e-4 : 1e-8);
    assert_near(budget_of(&bench).water.edits, sum * 100, half ? 0.01 : 1e-6);
    brush.strength = 0.05;
    dab(&bench, "dry", brush, centre.x, centre.y);
    assert_near(at(&bench, GULLY_WATER, X, Y), 0.15, half ? 1e-4 : 1e-8);
    brush.strength = 5;
    brush.radius = 300;
    dab(&bench, "dry", brush, centre.x, centre.y);
    assert_true(gully_world_volume(bench.world, GULLY_WATER) == 0);
    assert_true(budget_of(&bench).water.edits == 0);
    float* water = terrain_read(bench.world, GULLY_WATER);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_true(water[i] >= 0);
    free(water);
    assert_true(at(&bench, GULLY_SEDIMENT, X, Y) == 0.25);
    assert_true(gully_world_hash(bench.world, GULLY_TERRAIN) == ground);
    assert_balanced(&bench);
    close_bench(&bench);
}

static void test_water(void** state) {
    (void)state;
    check_water(false);
    check_water(true);
}

static void test_hardness(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = terrain_holes});
    GullyBrush brush = make_brush("harden", 100);
    brush.strength = 0.25;
    dab(&bench, "harden", brush, centre.x, centre.y);
    assert_near(at(&bench, GULLY_HARDNESS, X, Y), 0.75, 1e-7);
    assert_true(at(&bench, GULLY_HARDNESS, X + 11, Y) == 1);
    brush.strength = 1;
    dab(&bench, "harden", brush, centre.x, centre.y);
    assert_true(at(&bench, GULLY_HARDNESS, X, Y) == 0);
    brush.strength = 0.5;
    dab(&bench, "soften", brush, centre.x, centre.y);
    assert_near(at(&bench, GULLY_HARDNESS, X, Y), 0.5, 1e-7);
    for (int i = 0; i < 60; i++)
        dab(&bench, i < 30 ? "soften" : "harden", brush, centre.x, centre.y);
    float* hardness = terrain_read(bench.world, GULLY_HARDNESS);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_true(isnan(hardness[i]) || (hardness[i] >= 0 && hardness[i] <= 1));
    free(hardness);
    OK(gully_sim_step(bench.sim, 2));
    assert_balanced(&bench);
    close_bench(&bench);
}

// ---- erode and thermal --------------------------------------------------------------------------

static void make_slope(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) // 27 deg on cells of 10 m
        out[c] = (float)(2000 - 5 * (c % width) +
                         3 * terrain_noise(c % width, (double)(c / width), 12, 3));
}

static void make_cliff(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++)
        out[c] = c % width < width / 2 ? 300 : 0;
}

typedef struct Carved {
    double size, lowest; // mean without its sign, and the largest loss [m]
} Carved;

/// How the ground changed in the middle of some dabs; nothing beyond them may change, nor the
/// water.
static Carved carve(Bench* bench, const char* kind, GullyBrush brush, int times) {
    float* before = terrain_read(bench->world, GULLY_TERRAIN);
    uint64_t water = gully_world_hash(bench->world, GULLY_WATER);
    uint64_t sediment = gully_world_hash(bench->world, GULLY_SEDIMENT);
    for (int i = 0; i < times; i++)
        dab(bench, kind, brush, centre.x, centre.y);
    float* after = terrain_read(bench->world, GULLY_TERRAIN);
    double sum = 0, count = 0, lowest = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            int c = y * WIDTH + x;
            double change = (double)after[c] - (double)before[c], far = distance_to(x, y, 10);
            assert_true(isnan(before[c]) == isnan(after[c]));
            if (isnan(before[c])) continue;
            if (far >= brush.radius) assert_true(change == 0);
            if (far > brush.radius / 2) continue;
            sum += fabs(change);
            lowest = fmin(lowest, change);
            count++;
        }
    }
    free(before);
    free(after);
    assert_true(gully_world_hash(bench->world, GULLY_WATER) == water);
    assert_true(gully_world_hash(bench->world, GULLY_SEDIMENT) == sediment);
    assert_balanced(bench);
    return (Carved){sum / count, lowest};
}

static void test_erode(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = make_slope});
    GullyBrush brush = make_brush("erode", 200);
    Carved few = carve(&bench, "erode", brush, 5), many = carve(&bench, "erode", brush, 50);
    assert_true(few.size > 0.1 && few.lowest < -0.5 && few.lowest > -20);
    assert_true(many.size > 2 * few.size && many.lowest > -200);
    close_bench(&bench);
    bench = open_bench((BenchDef){0}); // where nothing flows nothing is carved
    assert_true(carve(&bench, "erode", brush, 5).size < 0.01);
    close_bench(&bench);
}

/// Hard ground stays; a soft layer goes before the rock under it; other models have the brush too.
static void test_erode_knows_the_ground(void** state) {
    (void)state;
    GullyBrush brush = make_brush("erode", 200);
    Bench bench = open_bench((BenchDef){.terrain = make_slope});
    OK(gully_world_fill(bench.world, GULLY_HARDNESS, 0));
    assert_true(carve(&bench, "erode", brush, 5).size == 0);
    close_bench(&bench);
    bench = open_bench((BenchDef){.terrain = make_slope, .materials = 3});
    double rock = at(&bench, GULLY_LAYER_0, X, Y);
    carve(&bench, "erode", brush, 2);
    assert_near(at(&bench, GULLY_LAYER_0, X, Y), rock, 1e-3);
    assert_true(fabs(at(&bench, GULLY_LAYER_2, X, Y) - 0.5) > 0.005);
    close_bench(&bench);
    bench = open_bench((BenchDef){.terrain = make_slope, .model = "diffusion"});
    assert_true(carve(&bench, "erode", brush, 5).size > 0.1);
    close_bench(&bench);
    bench = open_bench((BenchDef){.terrain = terrain_holes});
    assert_true(carve(&bench, "erode", brush, 5).lowest < 0);
    close_bench(&bench);
}

static void make_funnel(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        int dx = abs(c % width - width / 2), dy = abs(c / width - height / 2);
        out[c] = (float)(4 * (dx > dy ? dx : dy));
    }
}

/// What water took settles again: where nothing can leave, nothing is lost.
static void test_erode_loses_nothing(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = make_funnel, .materials = 3});
    float* before = terrain_read(bench.world, GULLY_TERRAIN);
    GullyBrush brush = make_brush("erode", 5000);
    brush.falloff = 0;
    dab(&bench, "erode", brush, centre.x, centre.y);
    float* after = terrain_read(bench.world, GULLY_TERRAIN);
    double moved = 0, gained = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        moved += fabs((double)after[i] - (double)before[i]);
        gained += (double)after[i] - (double)before[i];
    }
    assert_true(moved > 100 && fabs(gained) < 0.03 * moved);
    free(before);
    free(after);
    close_bench(&bench);
}

/// The steepest slope between neighbours along the middle row, as a tangent.
static double steepest(const Bench* bench) {
    double most = 0;
    for (int x = 1; x < WIDTH; x++)
        most =
            fmax(most, fabs(at(bench, GULLY_TERRAIN, x, Y) - at(bench, GULLY_TERRAIN, x - 1, Y)));
    return most / 10;
}

static void test_thermal(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = make_cliff});
    assert_true(steepest(&bench) == 30);
    GullyBrush brush = make_brush("thermal", 400);
    carve(&bench, "thermal", brush, 1);
    double once = steepest(&bench);
    carve(&bench, "thermal", brush, 40);
    assert_true(once < 25 && steepest(&bench) < 3);
    close_bench(&bench);
    bench = open_bench((BenchDef){.terrain = make_cliff}); // a share of the way
    Bench other = open_bench((BenchDef){.terrain = make_cliff});
    brush.strength = 1;
    double whole = carve(&bench, "thermal", brush, 1).size;
    brush.strength = 0.25;
    assert_near(carve(&other, "thermal", brush, 1).size, whole / 4, 1e-3 * whole);
    close_bench(&other);
    close_bench(&bench);
    bench = open_bench((BenchDef){.terrain = make_slope}); // below the talus angle
    assert_true(carve(&bench, "thermal", brush, 3).size == 0);
    close_bench(&bench);
}

// ---- strokes ------------------------------------------------------------------------------------

enum { POINTS = 9 };
static const GullyPoint way[POINTS] = {{200, 200},   {260, 215}, {261, 215},
                                       {261, 215},   {700, 900}, {690, 880},
                                       {100, 901.5}, {-50, 600}, {1499, 20.25}};

static uint64_t stroked(const char* kind, const int* calls) {
    Bench bench = open_bench((BenchDef){.terrain = terrain_rough});
    GullyBrush brush = make_brush(kind, 70);
    OK(gully_editor_begin_stroke(bench.editor, kind, &brush));
    for (int done = 0; done < POINTS; done += *calls++)
        OK(gully_editor_stroke_to(bench.editor, way + done, *calls));
    gully_editor_end_stroke(bench.editor);
    uint64_t hash = state_hash(bench.sim);
    close_bench(&bench);
    return hash;
}

static void test_calls_do_not_matter(void** state) {
    (void)state;
    const char* const kinds[] = {"raise", "smooth", "flatten", "noise", "water", "erode"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint64_t whole = stroked(kinds[i], (int[]){9});
        assert_true(stroked(kinds[i], (int[]){1, 1, 1, 1, 1, 1, 1, 1, 1}) == whole);
        assert_true(stroked(kinds[i], (int[]){3, 0, 4, 2}) == whole);
    }
}

/// A dab knows nothing of the one before but what that did to the world.
static void test_dabs_are_alone(void** state) {
    (void)state;
    const char* const kinds[] = {"smooth", "erode", "thermal"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        Bench one = open_bench((BenchDef){.terrain = make_slope});
        Bench two = open_bench((BenchDef){.terrain = make_slope});
        GullyBrush brush = make_brush(kinds[i], 200); // a dab every 50 m
        stroke(&one, kinds[i], brush, (GullyPoint[]){{700, 600}, {750, 600}}, 2);
        dab(&two, kinds[i], brush, 700, 600);
        dab(&two, kinds[i], brush, 750, 600);
        assert_true(state_hash(one.sim) == state_hash(two.sim));
        close_bench(&one);
        close_bench(&two);
    }
}

/// More points on the same way change nothing but the rounding of where dabs are.
static void test_points_between_do_not_matter(void** state) {
    (void)state;
    Bench a = open_bench((BenchDef){0}), b = open_bench((BenchDef){0});
    GullyBrush brush = make_brush("raise", 60);
    GullyPoint many[101];
    for (int i = 0; i <= 100; i++)
        many[i] = (GullyPoint){200 + 8.1 * i, 300 + 4.7 * i};
    stroke(&a, "raise", brush, many, 101);
    stroke(&b, "raise", brush, (GullyPoint[]){many[0], many[100]}, 2);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++)
            assert_near(at(&a, GULLY_TERRAIN, x, y), at(&b, GULLY_TERRAIN, x, y), 1e-5);
    }
    close_bench(&a);
    close_bench(&b);
}

static void test_spacing(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    GullyBrush brush = make_brush("raise", 40);
    dab(&bench, "raise", brush, 400, 400);
    double one = gully_world_volume(bench.world, GULLY_TERRAIN);
    stroke(&bench, "raise", brush, (GullyPoint[]){{400, 400}, {500, 400}, {500, 400}}, 3);
    assert_near(gully_world_volume(bench.world, GULLY_TERRAIN), 12 * one, 1e-6); // 0..100 m
    brush.radius = 0;                                                            // every 5 m
    double before = gully_world_volume(bench.world, GULLY_TERRAIN);
    stroke(&bench, "raise", brush, (GullyPoint[]){{802, 800}, {846.9, 800}}, 2);
    assert_near(gully_world_volume(bench.world, GULLY_TERRAIN) - before, 900, 1e-6);
    close_bench(&bench);
}

static void test_nodata_and_sides(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = terrain_holes});
    int64_t cells = gully_world_cells(bench.world);
    float* before = terrain_read(bench.world, GULLY_TERRAIN);
    for (int i = 0; i < gully_brush_count(); i++) {
        const GullyBrushInfo* info = gully_brush_info(i);
        if (info->held) continue;
        stroke(&bench, info->name, make_brush(info->name, 150),
               (GullyPoint[]){{-300, -100}, {400, 600}, {1700, 1400}}, 3);
    }
    float* after = terrain_read(bench.world, GULLY_TERRAIN);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_true(isnan(before[i]) == isnan(after[i]));
    assert_int_equal(gully_world_cells(bench.world), cells);
    free(before);
    free(after);
    assert_balanced(&bench);
    OK(gully_sim_step(bench.sim, 20));
    assert_balanced(&bench);
    close_bench(&bench);
}

// ---- what is held -------------------------------------------------------------------------------

static void test_rain_is_held(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){0});
    GullyBrush brush = make_brush("rain", 100);
    OK(gully_editor_hold(bench.editor, "rain", &brush, centre));
    assert_int_equal(gully_settings_source_count(gully_editor_settings(bench.editor)), 0);
    OK(gully_sim_step(bench.sim, 10));
    double first = budget_of(&bench).water.sources;
    assert_true(first > 0 && at(&bench, GULLY_WATER, X, Y) > 0);
    assert_true(at(&bench, GULLY_WATER, 120, 110) == 0);
    OK(gully_editor_hold(bench.editor, "rain", &brush, (GullyPoint){1200, 1100}));
    OK(gully_sim_step(bench.sim, 10));
    assert_true(at(&bench, GULLY_WATER, 120, 110) > 0);
    assert_near(budget_of(&bench).water.sources, 2 * first, 1e-3 * first);
    OK(gully_editor_apply(bench.editor, bench.settings)); // what is held stays held
    OK(gully_sim_step(bench.sim, 10));
    assert_near(budget_of(&bench).water.sources, 3 * first, 1e-3 * first);
    OK(gully_editor_release(bench.editor));
    OK(gully_editor_release(bench.editor));
    OK(gully_sim_step(bench.sim, 10));
    assert_near(budget_of(&bench).water.sources, 3 * first, 1e-3 * first);
    close_bench(&bench);
}

// ---- what is refused ----------------------------------------------------------------------------

static void refused(GullyStatus status, const char* message) {
    assert_int_equal(status, GULLY_BAD_INPUT);
    if (!strstr(gully_message(), message)) fail_msg("%s: no %s", gully_message(), message);
}

static void test_refuses(void** state) {
    (void)state;
    Bench bench = open_bench((BenchDef){.terrain = terrain_rough});
    GullyEditor* editor = bench.editor;
    uint64_t before = state_hash(bench.sim);
    GullyBrush brush = make_brush("raise", 50), bad = brush;
    gully_editor_mark(editor, "nothing");
    refused(gully_editor_stroke_to(editor, &centre, 1), "no stroke");
    refused(gully_editor_begin_stroke(editor, "hammer", &brush), "raise, lower");
    refused(gully_editor_begin_stroke(editor, "rain", &brush), "held");
    refused(gully_editor_hold(editor, "raise", &brush, centre), "held");
    refused(gully_editor_hold(editor, "rain", &brush, (GullyPoint){NAN, 0}), "point");
    bad.strength = 2;
    refused(gully_editor_begin_stroke(editor, "smooth", &bad), "strength");
    bad.strength = -1;
    refused(gully_editor_begin_stroke(editor, "raise", &bad), "strength");
    bad = brush;
    bad.radius = NAN;
    refused(gully_editor_begin_stroke(editor, "raise", &bad), "radius");
    OK(gully_editor_begin_stroke(editor, "raise", &brush));
    refused(gully_editor_stroke_to(editor, (GullyPoint[]){centre, {NAN, 0}}, 2), "number");
    refused(gully_editor_stroke_to(editor, (GullyPoint[]){centre, {1e9, 0}}, 2), "allowed");
    gully_settings_set_number(bench.settings, "dt", 1000);
    refused(gully_editor_apply(editor, bench.settings), "unstable");
    assert_true(state_hash(bench.sim) == before);
    assert_null(gully_editor_undo_name(editor));
    assert_int_equal(gully_editor_depth(editor), 0);
    OK(gully_editor_stroke_to(editor, &centre, 1)); // the stroke is still good, and the mark
    assert_string_equal(gully_editor_undo_name(editor), "nothing");
    close_bench(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_raise_and_lower),
        cmocka_unit_test(test_small_dabs_add_up),
        cmocka_unit_test(test_nearest_cell_is_part),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_smooth_with_a_layer),
        cmocka_unit_test(test_smooth),
        cmocka_unit_test(test_smooth_is_a_mean),
        cmocka_unit_test(test_smooth_leaves_even_ground),
        cmocka_unit_test(test_flatten),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_water),
        cmocka_unit_test(test_hardness),
        cmocka_unit_test(test_erode),
        cmocka_unit_test(test_erode_knows_the_ground),
        cmocka_unit_test(test_erode_loses_nothing),
        cmocka_unit_test(test_thermal),
        cmocka_unit_test(test_calls_do_not_matter),
        cmocka_unit_test(test_dabs_are_alone),
        cmocka_unit_test(test_points_between_do_not_matter),
        cmocka_unit_test(test_spacing),
        cmocka_unit_test(test_nodata_and_sides),
        cmocka_unit_test(test_rain_is_held),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
