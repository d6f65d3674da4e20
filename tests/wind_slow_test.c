// SPDX-License-Identifier: MIT
// What wind makes of sand: dunes that grow, slip, wander and collect behind hills.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "gully/sim.h"
#include "ok.h"
#include "terrains.h"

static const double talus = 33; // of sand [deg]

static double degrees(double slope) {
    return atan(slope) * 180 / acos(-1);
}

// ---- a desert -----------------------------------------------------------------------------------

/// Cells of 1 m, open sides, wind and talus.
typedef struct Desert {
    int width, height;
    GullyWorld* world;
    GullySettings* settings;
    GullySim* sim;
    float* ground; // as read last; ours
} Desert;

static Desert desert_create(float* heights, int width, int height, double direction) {
    Desert desert = {.width = width, .height = height, .ground = heights};
    desert.world = terrain_world(heights, width, height, 1, 1, 0);
    assert_int_equal(gully_settings_create("wind", &desert.settings), GULLY_OK);
    gully_settings_set_number(desert.settings, "params.direction", direction);
    gully_settings_switch(desert.settings, "thermal", true);
    gully_settings_set_number(desert.settings, "thermal.rate", 1);
    gully_settings_set_number(desert.settings, "thermal.talus", talus);
    static const char* const sides[] = {"boundary.west", "boundary.east", "boundary.north",
                                        "boundary.south"};
    for (int n = 0; n < 4; n++)
        gully_settings_set_text(desert.settings, sides[n], "open");
    return desert;
}

static void desert_blow(Desert* desert, int steps) {
    if (!desert->sim) {
        GullySimDef def = gully_sim_def();
        if (gully_sim_create(desert->world, desert->settings, &def, &desert->sim))
            fail_msg("%s", gully_message());
    }
    OK(gully_sim_step(desert->sim, steps));
    free(desert->ground);
    desert->ground = terrain_read(desert->world, GULLY_TERRAIN);
}

static void desert_destroy(Desert* desert) {
    gully_sim_destroy(desert->sim);
    gully_settings_destroy(desert->settings);
    gully_world_destroy(desert->world);
    free(desert->ground);
}

static double ground_at(const Desert* desert, int x, int y) {
    return (double)desert->ground[y * desert->width + x];
}

static double highest(const Desert* desert) {
    double most = 0;
    for (int c = 0; c < desert->width * desert->height; c++)
        most = fmax(most, (double)desert->ground[c]);
    return most;
}

/// The steepest way down from a cell, as `thermal` sees it, as a slope.
static double steepest(const Desert* desert, int x, int y) {
    double most = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            double drop = ground_at(desert, x, y) - ground_at(desert, x + dx, y + dy);
            if (dx || dy) most = fmax(most, drop / hypot(dx, dy));
        }
    }
    return most;
}

/// The gradient of the ground.
static void gradient(const Desert* desert, int x, int y, double* gx, double* gy) {
    *gx = (ground_at(desert, x + 1, y) - ground_at(desert, x - 1, y)) / 2;
    *gy = (ground_at(desert, x, y + 1) - ground_at(desert, x, y - 1)) / 2;
}

static int by_size(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/// The slope of the slip faces: the median of what falls downwind by more than 30 degrees [deg].
static double slip_face(const Desert* desert, double direction) {
    const double cx = cos(direction * acos(-1) / 180), cy = sin(direction * acos(-1) / 180);
    double* angles = malloc((size_t)(desert->width * desert->height) * sizeof *angles);
    int count = 0;
    assert_non_null(angles);
    for (int y = 1; y < desert->height - 1; y++) {
        for (int x = 1; x < desert->width - 1; x++) {
            double gx, gy, angle = degrees(steepest(desert, x, y));
            gradient(desert, x, y, &gx, &gy);
            if (gx * cx + gy * cy < 0 && angle > 30) angles[count++] = angle;
        }
    }
    assert_true(count > 100);
    qsort(angles, (size_t)count, sizeof *angles, by_size);
    double median = angles[count / 2];
    free(angles);
    return median;
}

/// The direction that the slopes mostly face, which is across the crests: of the larger eigenvalue
/// of the mean of grad b grad b^T, 0 to 180 [deg].
static double across_crests(const Desert* desert) {
    double xx = 0, xy = 0, yy = 0;
    for (int y = 1; y < desert->height - 1; y++) {
        for (int x = 1; x < desert->width - 1; x++) {
            double gx, gy;
            gradient(desert, x, y, &gx, &gy);
            xx += gx * gx;
            xy += gx * gy;
            yy += gy * gy;
        }
    }
    return fmod(atan2(2 * xy, xx - yy) / 2 * 180 / acos(-1) + 180, 180);
}

// ---- a field of sand ----------------------------------------------------------------------------

enum { FIELD = 288 };

/// A flat patch of sand with noise, 2 m thick, on bedrock.
static float* patch_of_sand(void) {
    float* heights = terrain_make(NULL, FIELD, FIELD);
    for (int c = 0; c < FIELD * FIELD; c++) {
        int x = c % FIELD, y = c / FIELD;
        double from = hypot(x - FIELD / 2.0, y - FIELD / 2.0);
        double depth = 2 + 0.5 * terrain_noise(x, y, 3, 7);
        heights[c] = (float)(depth * fmin(fmax((110 - from) / 20, 0), 1));
    }
    return heights;
}

typedef struct Dunes {
    double height; // [m]
    double slip;   // [deg]
    double across; // of the crests [deg]
} Dunes;

/// The dunes of 10,000 steps, and a ledger that closes.
static Dunes dunes_of(double direction) {
    Desert desert = desert_create(patch_of_sand(), FIELD, FIELD, direction);
    desert_blow(&desert, 10000);
    const Dunes dunes = {highest(&desert), slip_face(&desert, direction), across_crests(&desert)};
    GullyBudget budget;
    OK(gully_sim_budget(desert.sim, &budget));
    print_message("    from %g degrees: %.2f m, slip faces of %.1f degrees, facing %.1f; residual "
                  "%.1e of the sand\n",
                  direction, dunes.height, dunes.slip, dunes.across,
                  budget.solid.residual / budget.solid.initial);
    assert_true(fabs(budget.solid.residual) <= 1e-9 * budget.solid.initial);
    assert_true(budget.solid.suspended > 0 && budget.solid.left > 0);
    desert_destroy(&desert);
    return dunes;
}

static void test_dunes_in_any_wind(void** state) {
    (void)state;
    const Dunes straight = dunes_of(0), askew = dunes_of(30);
    assert_true(straight.height >= 5 && askew.height >= 5);
    assert_true(fabs(askew.height - straight.height) <= 0.4 * straight.height);
    assert_true(fabs(straight.slip - talus) <= 2 && fabs(askew.slip - talus) <= 2);
    assert_true(fmin(straight.across, 180 - straight.across) <= 15);
    assert_true(fabs(askew.across - 30) <= 15);
}

// ---- single dunes -------------------------------------------------------------------------------

/// A ridge across the wind.
static float* ridge(int width, int height, double top, double size) {
    float* heights = terrain_make(NULL, width, height);
    for (int c = 0; c < width * height; c++)
        heights[c] = (float)(top * exp(-pow((c % width - 100) / size, 2)));
    return heights;
}

/// Where the sand of the middle row is [m].
static double centre(const Desert* desert) {
    double sum = 0, moment = 0;
    for (int x = 0; x < desert->width; x++) {
        sum += ground_at(desert, x, desert->height / 2);
        moment += x * ground_at(desert, x, desert->height / 2);
    }
    return moment / sum;
}

/// How fast a ridge wanders once it has its shape [m per step].
static double speed_of_ridge(double top, double size) {
    Desert desert = desert_create(ridge(400, 9, top, size), 400, 9, 0);
    desert_blow(&desert, 1500);
    double before = centre(&desert);
    desert_blow(&desert, 1500);
    double speed = (centre(&desert) - before) / 1500;
    print_message("    %.2f m: %.4f m a step\n", highest(&desert), speed);
    desert_destroy(&desert);
    return speed;
}

static void test_low_dunes_are_faster(void** state) {
    (void)state;
    double low = speed_of_ridge(3, 17), middle = speed_of_ridge(4.5, 22);
    double high = speed_of_ridge(8, 35);
    assert_true(high > 0.001);
    assert_true(low > 1.1 * middle && middle > 1.1 * high);
}

/// A heap of sand on bare ground becomes a barchan: its horns run ahead of its back.
static void test_a_heap_becomes_a_barchan(void** state) {
    (void)state;
    enum { SIZE = 192 };
    float* heights = terrain_make(NULL, SIZE, SIZE);
    for (int c = 0; c < SIZE * SIZE; c++) {
        double from = hypot(c % SIZE - 60, c / SIZE - SIZE / 2);
        heights[c] = (float)(7 * exp(-pow(from / 32, 2)));
    }
    Desert desert = desert_create(heights, SIZE, SIZE, 0);
    desert_blow(&desert, 4000);
    int back[SIZE]; // the first column with sand
    for (int y = 0; y < SIZE; y++) {
        back[y] = SIZE;
        for (int x = SIZE - 1; x >= 0; x--)
            if (ground_at(&desert, x, y) > 0.3) back[y] = x;
    }
    int widest = 0; // how far from the middle row there is sand
    for (int y = 0; y < SIZE; y++)
        if (back[y] < SIZE && abs(y - SIZE / 2) > widest) widest = abs(y - SIZE / 2);
    const int north = back[SIZE / 2 - widest + 2], south = back[SIZE / 2 + widest - 2];
    print_message("    back at %d m, horns at %d and %d m, %d m beside\n", back[SIZE / 2], north,
                  south, widest);
    assert_true(widest > 15);
    assert_true(north > back[SIZE / 2] + 15 && south > back[SIZE / 2] + 15);
    desert_destroy(&desert);
}

// ---- a hill of rock -----------------------------------------------------------------------------

/// Sand collects in the lee of a hill, more than before it and beside it.
static void test_sand_collects_behind_a_hill(void** state) {
    (void)state;
    enum { SIZE = 128 };
    float* heights = terrain_make(NULL, SIZE, SIZE);
    for (int c = 0; c < SIZE * SIZE; c++) {
        double from = hypot(c % SIZE - 50, c / SIZE - SIZE / 2);
        heights[c] = (float)(12 * exp(-pow(from / 12, 2)) + 0.3);
    }
    Desert desert = desert_create(heights, SIZE, SIZE, 0);
    GullyMaterial materials[2] = {gully_material("rock", 0), gully_material("sand", 1)};
    materials[0].talus = 80;
    OK(gully_world_set_materials(desert.world, materials, 2));
    OK(gully_world_fill(desert.world, GULLY_LAYER_1, 0.3f));
    desert_blow(&desert, 1500);
    float* sand = terrain_read(desert.world, GULLY_LAYER_1);
    double lee = 0, front = 0, beside = 0;
    for (int y = SIZE / 2 - 5; y < SIZE / 2 + 5; y++) {
        for (int x = 0; x < 20; x++) {
            lee += (double)sand[y * SIZE + 58 + x];
            front += (double)sand[y * SIZE + 42 - x];
            beside += (double)sand[(y - 45) * SIZE + 58 + x];
        }
    }
    print_message("    sand behind the hill %.2f m, before it %.2f m, beside it %.2f m\n",
                  lee / 200, front / 200, beside / 200);
    assert_true(lee > 200 * 0.5 && lee > 2 * front && lee > 2 * beside);
    free(sand);
    desert_destroy(&desert);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dunes_in_any_wind),
        cmocka_unit_test(test_low_dunes_are_faster),
        cmocka_unit_test(test_a_heap_becomes_a_barchan),
        cmocka_unit_test(test_sand_collects_behind_a_hill),
    };
    return cmocka_run_group_tests_name("wind", tests, NULL, NULL);
}
