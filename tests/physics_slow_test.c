// SPDX-License-Identifier: MIT
// What the laws are for: piles at their talus angle, waves at their speed, lakes that level out,
// water that comes and goes where it should, rock that resists.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "gully/sim.h"
#include "ok.h"
#include "terrains.h"

// ---- a laboratory: one world, one law -----------------------------------------------------------

typedef struct Lab {
    int width, height; // [cells]
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
} Lab;

static Lab lab_open(const char* law, const float* heights, int width, int height, double lx,
                    double ly) {
    Lab lab = {.width = width, .height = height};
    lab.world = terrain_world(heights, width, height, lx, ly, 0);
    assert_int_equal(gully_settings_create(law, &lab.settings), GULLY_OK);
    return lab;
}

static void lab_set(Lab* lab, const char* key, double value) {
    if (gully_settings_set_number(lab->settings, key, value)) fail_msg("%s", gully_message());
}

static void lab_text(Lab* lab, const char* key, const char* text) {
    if (gully_settings_set_text(lab->settings, key, text)) fail_msg("%s", gully_message());
}

/// Water that neither takes up ground nor evaporates.
static void lab_pure_water(Lab* lab) {
    lab_set(lab, "params.capacity", 0);
    lab_set(lab, "params.evaporation", 0);
}

static void lab_source(Lab* lab, const GullySource* source) {
    assert_int_equal(gully_settings_add_source(lab->settings, source), GULLY_OK);
}

static void lab_water(Lab* lab, const float* depths) {
    GullyRect all = gully_world_all(lab->world);
    assert_int_equal(gully_world_write(lab->world, GULLY_WATER, all, depths), GULLY_OK);
}

/// Starts with the settings so far, or goes on.
static void lab_step(Lab* lab, int steps) {
    GullySimDef def = gully_sim_def();
    def.threads = 1; // the worlds here are small
    if (!lab->sim && gully_sim_create(lab->world, lab->settings, &def, &lab->sim)) {
        fail_msg("%s", gully_message());
    }
    OK(gully_sim_step(lab->sim, steps));
}

static GullyBudget lab_budget(const Lab* lab) {
    GullyBudget budget;
    OK(gully_sim_budget(lab->sim, &budget));
    return budget;
}

static void lab_close(Lab* lab) {
    gully_sim_destroy(lab->sim);
    gully_settings_destroy(lab->settings);
    gully_world_destroy(lab->world);
}

static bool near(double value, double wanted, double relative) {
    return fabs(value - wanted) <= relative * fabs(wanted);
}

// ---- thermal ------------------------------------------------------------------------------------

enum { HEAP = 65 };

static void make_box(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        bool inside = abs(c % width - width / 2) <= 8 && abs(c / width - height / 2) <= 8;
        out[c] = inside ? 15 : 0;
    }
}

static void make_cone(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        double r = hypot(c % width - width / 2, c / width - height / 2);
        out[c] = (float)fmax(0, 30 - 2.5 * r);
    }
}

/// The steepest way down from any cell, over the tangent of the talus angle.
static double steepest(const float* b, double lx, double ly, int neighbours, double talus) {
    double most = 0;
    for (int j = 1; j < HEAP - 1; j++) {
        for (int i = 1; i < HEAP - 1; i++) {
            for (int n = 0; n < 9; n++) {
                int di = n % 3 - 1, dj = n / 3 - 1;
                if (n == 4 || (neighbours == 4 && di && dj)) continue;
                double drop = (double)b[j * HEAP + i] - (double)b[(j + dj) * HEAP + i + di];
                most = fmax(most, drop / hypot(di * lx, dj * ly));
            }
        }
    }
    return most / tan(talus * acos(-1.0) / 180);
}

/// The mean slope of the eastern flank between 1/4 and 3/4 of the height.
static double flank(const float* b, double lx) {
    const float* row = b + HEAP / 2 * HEAP;
    float top = row[HEAP / 2];
    int first = HEAP / 2, last;
    while (row[first] > 0.75f * top)
        first++;
    for (last = first; row[last + 1] > 0.25f * top; last++)
        continue;
    assert_true(last - first >= 3);
    return (double)(row[first] - row[last]) / ((last - first) * lx);
}

static void settle_heap(TerrainMaker heap, int neighbours, double lx, double ly, double talus) {
    float* heights = terrain_make(heap, HEAP, HEAP);
    Lab lab = lab_open("thermal", heights, HEAP, HEAP, lx, ly);
    lab_set(&lab, "params.neighbours", neighbours);
    lab_set(&lab, "params.talus", talus);
    lab_set(&lab, "params.rate", 0.25);
    double before = terrain_volume(lab.world, GULLY_TERRAIN);
    lab_step(&lab, 4000);
    float* after = terrain_read(lab.world, GULLY_TERRAIN);
    double start = steepest(heights, lx, ly, neighbours, talus);
    double end = steepest(after, lx, ly, neighbours, talus);
    double slope = flank(after, lx) / tan(talus * acos(-1.0) / 180);
    double volume = terrain_volume(lab.world, GULLY_TERRAIN);
    print_message("    steepest %.2f -> %.4f of the talus, flank %.4f, volume %+.1e\n", start, end,
                  slope, volume / before - 1);
    assert_true(start > 1.5);
    assert_true(end < 1.01);
    assert_true(near(slope, 1, 0.03));
    assert_true(near(volume, before, 1e-6));
    assert_true(fabs(lab_budget(&lab).solid.residual) <= 1e-6 * lab_budget(&lab).solid.slid);
    lab_close(&lab);
    free(heights);
    free(after);
}

static void test_heaps_end_at_their_talus(void** state) {
    (void)state;
    settle_heap(make_box, 8, 1, 1, 32);
    settle_heap(make_box, 4, 1, 1, 32);
    settle_heap(make_cone, 8, 1, 1, 40);
    settle_heap(make_cone, 4, 1, 1, 40);
    settle_heap(make_cone, 8, 1, 1.5, 30);
}

// ---- waves --------------------------------------------------------------------------------------

enum { CHANNEL = 2000 };

/// Where the water along the channel falls through a depth, between cells [cells].
static double crossing(const Lab* lab, double depth) {
    float* d = terrain_read(lab->world, GULLY_WATER);
    int i = 0;
    while (i < CHANNEL - 2 && (double)d[i + 1] > depth)
        i++;
    double place = i + ((double)d[i] - depth) / (double)(d[i] - d[i + 1]);
    free(d);
    return place;
}

/// A smooth step in the level of still water sends half of itself each way. (A step and not a bump:
/// all of it drives one way, so that of two opposite pipes one stays shut. Where both are open,
/// behind a crest, the paper's pipes push twice: MODELS.md P, time step.)
static void measure_wave(bool along_x, bool film, double depth, double area, double wanted) {
    const double length = 2, width = 5; // of a cell, along and across the channel [m]
    const double bump = 1e-3;           // [m]
    float* water = terrain_make(NULL, CHANNEL, 1);
    for (int n = 0; n < CHANNEL; n++) {
        water[n] = (float)(depth + bump * 0.5 * (1 - tanh((n - CHANNEL / 2) / 20.0)));
    }
    Lab lab = lab_open("pipe", NULL, along_x ? CHANNEL : 1, along_x ? 1 : CHANNEL,
                       along_x ? length : width, along_x ? width : length);
    lab_pure_water(&lab);
    lab_text(&lab, "params.film", film ? "on" : "off");
    lab_set(&lab, "params.friction", 0);
    lab_set(&lab, "params.pipe_area", area);
    lab_water(&lab, water);
    lab_step(&lab, 300);
    double front = crossing(&lab, depth + 0.25 * bump);
    double back = crossing(&lab, depth + 0.75 * bump);
    double start = gully_sim_time(lab.sim);
    lab_step(&lab, 1000);
    double time = gully_sim_time(lab.sim) - start;
    double ahead = (crossing(&lab, depth + 0.25 * bump) - front) * length / time;
    double behind = (back - crossing(&lab, depth + 0.75 * bump)) * length / time;
    print_message("    %s, film %s: %.4f and %.4f m/s, theory %.4f\n", along_x ? "x" : "y",
                  film ? "on" : "off", ahead, behind, wanted);
    assert_true(near(ahead, wanted, 0.02));
    assert_true(near(behind, wanted, 0.02));
    lab_close(&lab);
    free(water);
}

static void test_waves_travel_at_their_speed(void** state) {
    (void)state;
    double fixed = sqrt(9.81 * 8 / 5); // sqrt(g*A/w), w = 5 m across
    double shallow = sqrt(9.81 * 1.2); // sqrt(g*depth)
    measure_wave(true, false, 1, 8, fixed);
    measure_wave(false, false, 1, 8, fixed);
    measure_wave(true, true, 1.2, 0, shallow);
    measure_wave(false, true, 1.2, 0, shallow);
}

/// The spread of the water's level over the cells deeper than `least` [m].
static double unevenness(const Lab* lab, float least) {
    float* b = terrain_read(lab->world, GULLY_TERRAIN);
    float* d = terrain_read(lab->world, GULLY_WATER);
    float low = INFINITY, high = -INFINITY;
    for (int c = 0; c < lab->width * lab->height; c++) {
        if (d[c] < least) continue;
        low = fminf(low, b[c] + d[c]);
        high = fmaxf(high, b[c] + d[c]);
    }
    free(b);
    free(d);
    return (double)(high - low);
}

static void make_bowl(float* out, int width, int height) {
    for (int c = 0; c < width * height; c++) {
        double x = 2.0 * (c % width) / width - 1;
        double y = 2.0 * (c / width) / height - 1;
        out[c] = (float)(2 * (x * x + y * y));
    }
}

static void settle_dam(TerrainMaker bed, float depth, int steps) {
    float* heights = terrain_make(bed, 60, 24);
    float* water = terrain_make(NULL, 60, 24);
    for (int c = 0; c < 60 * 24; c++)
        water[c] = c % 60 < 30 ? depth : 0;
    Lab lab = lab_open("pipe", heights, 60, 24, 2, 2);
    lab_pure_water(&lab);
    lab_set(&lab, "params.friction", 0.3); // with more of it the last millimetres creep
    lab_water(&lab, water);
    double before = terrain_volume(lab.world, GULLY_WATER);
    lab_step(&lab, 5);
    double start = unevenness(&lab, 0.01f);
    lab_step(&lab, steps);
    double end = unevenness(&lab, 0.01f);
    print_message("    level uneven by %.2f m -> %.1e m\n", start, end);
    assert_true(start > 0.5 * (double)depth);
    assert_true(end < 1e-4 * (double)depth);
    assert_true(near(terrain_volume(lab.world, GULLY_WATER), before, 1e-6));
    lab_close(&lab);
    free(heights);
    free(water);
}

static void test_dam_break_settles(void** state) {
    (void)state;
    settle_dam(terrain_flat, 2, 4000);
    settle_dam(make_bowl, 2, 2000);
}

// ---- water in, water out ------------------------------------------------------------------------

static void test_rain_is_rate_times_time_times_area(void** state) {
    (void)state;
    float* heights = terrain_make(terrain_holes, 97, 61);
    int cells = 0;
    for (int c = 0; c < 97 * 61; c++)
        cells += !isnan(heights[c]);
    Lab lab = lab_open("pipe", heights, 97, 61, 2, 3);
    lab_pure_water(&lab);
    lab_set(&lab, "params.dry_depth", 0);
    lab_set(&lab, "rain.rate", 1e-4);
    lab_step(&lab, 500);
    double wanted = 1e-4 * gully_sim_time(lab.sim) * cells * 2 * 3;
    assert_true(cells < 97 * 61);
    assert_true(near(lab_budget(&lab).water.rain, wanted, 1e-6));
    assert_true(near(terrain_volume(lab.world, GULLY_WATER), wanted, 1e-6));
    lab_close(&lab);
    free(heights);
}

static void test_evaporation_is_a_power(void** state) {
    (void)state;
    const double rate = 0.01, dt = 0.1;
    const int steps = 1000;
    float* water = terrain_constant(2, 40, 30);
    Lab lab = lab_open("pipe", NULL, 40, 30, 2, 2);
    lab_set(&lab, "params.evaporation", rate);
    lab_set(&lab, "dt", dt);
    lab_water(&lab, water);
    lab_step(&lab, steps);
    double wanted = 2 * pow(1 - rate * dt, steps);
    float* after = terrain_read(lab.world, GULLY_WATER);
    for (int c = 0; c < 40 * 30; c++) {
        assert_true(near((double)after[c], wanted, steps * 0x1p-24)); // a float factor, each step
    }
    double gone = (2 - wanted) * 40 * 30 * 2 * 2;
    assert_true(near(lab_budget(&lab).water.evaporated, gone, steps * 0x1p-24));
    lab_close(&lab);
    free(water);
    free(after);
}

// ---- sources ------------------------------------------------------------------------------------

enum { PICTURE_X = 9, PICTURE_Y = 7 };

/// A disc on cells of 2 m x 1 m: '#' is covered, '.' is not, 'w' (a wall) is outside the domain.
typedef struct Disc {
    const char* name;
    double x, y, radius; // [m]
    const char* rows[PICTURE_Y];
} Disc;

// clang-format off
static const Disc discs[] = {
    {"at the radius counts", 8, 3, 4,
     {"...###...",
      "...###...",
      "...###...",
      "..#####..",
      "...###...",
      "...###...",
      "...###..."}},
    {"just short of it", 8, 3, 3.999,
     {"...###...",
      "...###...",
      "...###...",
      "...###...",
      "...###...",
      "...###...",
      "...###..."}},
    {"no radius: the nearest cell", 8.9, 3.4, 0,
     {".........",
      ".........",
      ".........",
      "....#....",
      ".........",
      ".........",
      "........."}},
    {"too small to reach a centre", 9.1, 2.6, 0.3,
     {".........",
      ".........",
      ".........",
      ".....#...",
      ".........",
      ".........",
      "........."}},
    {"far outside: the nearest cell", -300, 4, 2,
     {".........",
      ".........",
      ".........",
      ".........",
      "#........",
      ".........",
      "........."}},
    {"beyond a corner", 40, 90, 1,
     {".........",
      ".........",
      ".........",
      ".........",
      ".........",
      ".........",
      "........#"}},
    {"partly outside", -1, 0, 3.2,
     {"##.......",
      "##.......",
      "#........",
      "#........",
      ".........",
      ".........",
      "........."}},
    {"walls get nothing", 8, 3, 2,
     {".........",
      "....#....",
      "....w....",
      "...#w#...",
      "....#....",
      "....#....",
      "........."}},
    {"and pass nothing on", 8.1, 2.9, 0,
     {".........",
      ".........",
      "...www...",
      "...www...",
      ".........",
      ".........",
      "........."}},
};
// clang-format on

/// One step so short that water has no time to flow.
static void check_disc(const Disc* disc) {
    const double dt = 1e-3, rate = 0.5, concentration = 0.25;
    float heights[PICTURE_X * PICTURE_Y] = {0};
    for (int c = 0; c < PICTURE_X * PICTURE_Y; c++) {
        if (disc->rows[c / PICTURE_X][c % PICTURE_X] == 'w') heights[c] = NAN;
    }
    Lab lab = lab_open("pipe", heights, PICTURE_X, PICTURE_Y, 2, 1);
    lab_pure_water(&lab);
    lab_set(&lab, "params.gravity", 1e-3);
    lab_set(&lab, "params.deposit", 0);
    lab_set(&lab, "params.dry_depth", 0);
    lab_set(&lab, "dt", dt);
    lab_source(&lab, &(GullySource){.x = disc->x,
                                    .y = disc->y,
                                    .radius = disc->radius,
                                    .rate = rate,
                                    .concentration = concentration,
                                    .until = GULLY_FOREVER});
    lab_step(&lab, 1);
    float* water = terrain_read(lab.world, GULLY_WATER);
    float* sediment = terrain_read(lab.world, GULLY_SEDIMENT);
    int covered = 0;
    for (int c = 0; c < PICTURE_X * PICTURE_Y; c++) {
        char mark = disc->rows[c / PICTURE_X][c % PICTURE_X];
        double wanted = mark == '#' ? rate * dt : 0;
        covered += mark == '#';
        if (mark == 'w'
                ? isnan(water[c])
                : fabs((double)water[c] - wanted) <= 1e-6 * rate * dt &&
                      fabs((double)sediment[c] - concentration * wanted) <= 1e-6 * rate * dt) {
            continue;
        }
        fail_msg("%s: cell (%d, %d) has %g m of water", disc->name, c % PICTURE_X, c / PICTURE_X,
                 (double)water[c]);
    }
    GullyBudget budget = lab_budget(&lab);
    assert_true(near(budget.water.sources, covered * rate * dt * 2, 1e-6));
    assert_true(near(budget.solid.sources, covered * concentration * rate * dt * 2, 1e-6));
    free(water);
    free(sediment);
    lab_close(&lab);
}

static void test_sources_cover_their_disc(void** state) {
    (void)state;
    for (size_t n = 0; n < sizeof discs / sizeof *discs; n++)
        check_disc(&discs[n]);
}

/// `from <= t < until`, with times that are exact in binary: the steps at 2, 3 and 4 dt.
static void test_sources_keep_their_hours(void** state) {
    (void)state;
    const double dt = 0x1p-10;
    Lab lab = lab_open("pipe", NULL, 5, 5, 2, 2);
    lab_pure_water(&lab);
    lab_set(&lab, "dt", dt);
    lab_source(&lab, &(GullySource){.x = 4, .y = 4, .rate = 1, .from = 2 * dt, .until = 5 * dt});
    static const int wanted[] = {0, 0, 1, 2, 3, 3, 3};
    for (size_t n = 0; n < sizeof wanted / sizeof *wanted; n++) {
        lab_step(&lab, 1);
        assert_true(fabs(lab_budget(&lab).water.sources - wanted[n] * dt * 4) <= 1e-6 * dt);
    }
    lab_close(&lab);
}

// ---- erosion ------------------------------------------------------------------------------------

enum { FIELD = 96 };

/// Rain on rough ground for some time; the lab is left open.
static Lab rained(double dt, int steps, bool film, float hardness, double softening) {
    float* heights = terrain_make(terrain_rough, FIELD, FIELD);
    Lab lab = lab_open("pipe", heights, FIELD, FIELD, 5, 5);
    lab_set(&lab, "rain.rate", 1e-3);
    lab_set(&lab, "dt", dt);
    lab_text(&lab, "params.film", film ? "on" : "off");
    lab_set(&lab, "params.softening", softening);
    assert_int_equal(gully_world_fill(lab.world, GULLY_HARDNESS, hardness), GULLY_OK);
    lab_step(&lab, steps);
    free(heights);
    return lab;
}

static double eroded(double dt, int steps, bool film, float hardness, double softening) {
    Lab lab = rained(dt, steps, film, hardness, softening);
    double volume = lab_budget(&lab).solid.eroded;
    lab_close(&lab);
    return volume;
}

/// The film is what makes erosion a matter of physics and not of the step: without it the limiter
/// sets the speed of thin water.
static void test_erosion_depends_little_on_the_step(void** state) {
    (void)state;
    double film = eroded(0.15, 800, true, 1, 0) / eroded(0.3, 400, true, 1, 0) - 1;
    double paper = eroded(0.15, 800, false, 1, 0) / eroded(0.3, 400, false, 1, 0) - 1;
    print_message("    half steps erode %+.1f %% with film, %+.1f %% without\n", 100 * film,
                  100 * paper);
    assert_true(fabs(film) < 0.1);
    assert_true(fabs(film) < fabs(paper));
}

static void test_hardness_slows_erosion(void** state) {
    (void)state;
    double soft = eroded(0.3, 400, true, 1, 0);
    double half = eroded(0.3, 400, true, 0.5f, 0);
    assert_true(half > 0.4 * soft && half < 0.7 * soft);
    Lab lab = rained(0.3, 400, true, 0, 5); // softening does not touch what cannot be eroded
    float* wear = terrain_read(lab.world, GULLY_WEAR);
    for (int c = 0; c < FIELD * FIELD; c++)
        assert_true(wear[c] == 0);
    assert_true(lab_budget(&lab).solid.eroded == 0);
    assert_true(soft > 0);
    lab_close(&lab);
    free(wear);
}

static void test_softening_gives_way_over_time(void** state) {
    (void)state;
    double gain[2];
    for (int n = 0; n < 2; n++) {
        int steps = n ? 800 : 200;
        gain[n] = eroded(0.3, steps, true, 0.2f, 5) / eroded(0.3, steps, true, 0.2f, 0);
    }
    print_message("    softening erodes x %.3f after 60 s, x %.3f after 240 s\n", gain[0], gain[1]);
    assert_true(gain[0] > 1);
    assert_true(gain[1] > gain[0]);
}

// ---- what leaves and what is exchanged ----------------------------------------------------------

/// Only through the open side, and the ledger says so.
static void test_an_open_side_drains_a_lake(void** state) {
    (void)state;
    static const char* const sides[] = {"boundary.west", "boundary.east", "boundary.north",
                                        "boundary.south"};
    float* water = terrain_constant(1, 12, 9);
    for (int n = 0; n < 4; n++) {
        Lab lab = lab_open("pipe", NULL, 12, 9, 2, 3);
        lab_pure_water(&lab);
        lab_text(&lab, sides[n], "open");
        lab_water(&lab, water);
        lab_step(&lab, 3);
        float* now = terrain_read(lab.world, GULLY_WATER);
        float edges[4] = {now[4 * 12], now[4 * 12 + 11], now[6], now[8 * 12 + 6]};
        for (int m = 0; m < 4; m++)
            assert_true(n == m ? edges[m] < 0.9f : edges[m] == 1);
        free(now);
        lab_step(&lab, 4000);
        GullyBudget budget = lab_budget(&lab);
        double left_over = terrain_volume(lab.world, GULLY_WATER);
        assert_true(near(budget.water.initial, 12 * 9 * 2 * 3, 1e-12));
        assert_true(left_over < 0.1 * budget.water.initial);
        assert_true(near(budget.water.left + budget.water.evaporated,
                         budget.water.initial - left_over, 1e-6));
        assert_true(budget.water.evaporated < 1e-3 * budget.water.left);
        lab_close(&lab);
    }
    free(water);
}

static void test_sediment_leaves_with_the_water(void** state) {
    (void)state;
    float* water = terrain_constant(1, 40, 30);
    Lab lab = lab_open("pipe", NULL, 40, 30, 2, 3);
    lab_pure_water(&lab);
    lab_set(&lab, "params.deposit", 0);
    lab_text(&lab, "boundary.west", "open");
    lab_water(&lab, water);
    assert_int_equal(gully_world_fill(lab.world, GULLY_SEDIMENT, 0.1f), GULLY_OK);
    lab_step(&lab, 100);
    GullyBudget budget = lab_budget(&lab);
    assert_true(budget.water.left > 0.1 * budget.water.initial);
    assert_true(near(budget.solid.left, 0.1 * budget.water.left, 1e-5)); // as rich as the lake
    lab_close(&lab);
    free(water);
}

/// What is taken from the ground becomes water, what is laid down takes its place in it.
static void test_exchange_moves_water(void** state) {
    (void)state;
    double moved[2];
    for (int on = 0; on < 2; on++) {
        float* heights = terrain_make(terrain_rough, FIELD, FIELD);
        float* water = terrain_constant(1, FIELD, FIELD);
        Lab lab = lab_open("pipe", heights, FIELD, FIELD, 5, 5);
        lab_set(&lab, "params.evaporation", 0);
        lab_set(&lab, "params.dry_depth", 0);
        lab_text(&lab, "params.exchange_water", on ? "on" : "off");
        lab_water(&lab, water);
        lab_step(&lab, 40);
        GullyBudget budget = lab_budget(&lab);
        double now = terrain_volume(lab.world, GULLY_WATER);
        moved[on] = budget.water.exchanged;
        assert_true(fabs(now - budget.water.initial - moved[on]) <= 1e-6 * now);
        if (on) assert_true(near(moved[on], budget.solid.eroded - budget.solid.deposited, 1e-3));
        lab_close(&lab);
        free(heights);
        free(water);
    }
    print_message("    exchanged %.2f m3\n", moved[1]);
    assert_true(moved[0] == 0);
    assert_true(moved[1] > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heaps_end_at_their_talus),
        cmocka_unit_test(test_waves_travel_at_their_speed),
        cmocka_unit_test(test_dam_break_settles),
        cmocka_unit_test(test_rain_is_rate_times_time_times_area),
        cmocka_unit_test(test_evaporation_is_a_power),
        cmocka_unit_test(test_sources_cover_their_disc),
        cmocka_unit_test(test_sources_keep_their_hours),
        cmocka_unit_test(test_erosion_depends_little_on_the_step),
        cmocka_unit_test(test_hardness_slows_erosion),
        cmocka_unit_test(test_softening_gives_way_over_time),
        cmocka_unit_test(test_an_open_side_drains_a_lake),
        cmocka_unit_test(test_sediment_leaves_with_the_water),
        cmocka_unit_test(test_exchange_moves_water),
    };
    return cmocka_run_group_tests_name("physics", tests, NULL, NULL);
}
