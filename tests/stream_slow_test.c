// SPDX-License-Identifier: MIT
// The scenes of `stream`, on smaller land: it measures like real land afterwards, and it is the
// same land with larger cells. `make realism-stream` asks that of nine grounds of 1024 x 1024 cells.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gully/drainage.h"
#include "gully/gully.h"
#include "gully/likeness.h"
#include "gully/scene.h"
#include "ok.h"
#include "scene_files.h"
#include "terrains.h"

static const double SIDE = 2560; // of the land [m]

/// Runs all phases of a scene. `before` and `after` become the ground at the start and at the end;
/// free their values.
static void play(GullyScene* scene, GullyHeights* before, GullyHeights* after) {
    GullyWorld* world;
    GullySim* sim = NULL;
    GullyGeoreference place;
    GullySimDef def = gully_sim_def();
    def.threads = 2;
    if (gully_scene_world(scene, &world, &place)) fail_msg("%s", gully_message());
    free(place.projection);
    *before =
        (GullyHeights){.width = gully_world_width(world), .height = gully_world_height(world)};
    before->cell_x = gully_world_cell_x(world);
    before->cell_y = gully_world_cell_y(world);
    *after = *before;
    before->values = terrain_read(world, GULLY_TERRAIN);
    for (int n = 0; n < gully_scene_phase_count(scene); n++) {
        const GullyPhase* phase = gully_scene_phase(scene, n);
        if (sim)
            OK(gully_sim_apply(sim, phase->settings));
        else
            OK(gully_sim_create(world, phase->settings, &def, &sim));
        OK(gully_sim_step(sim, phase->steps));
    }
    after->values = terrain_read(world, GULLY_TERRAIN);
    gully_sim_destroy(sim);
    gully_world_destroy(world);
    gully_scene_destroy(scene);
}

/// The scene on the same land with `cells` cells a side, with fewer steps; `more` ends with NULL.
static void play_small(const char* name, int cells, const char* const* more, GullyHeights* before,
                       GullyHeights* after) {
    char width[48], height[48], size[48];
    snprintf(width, sizeof width, "terrain.width=%d", cells);
    snprintf(height, sizeof height, "terrain.height=%d", cells);
    snprintf(size, sizeof size, "cell_size=%.9g", SIDE / cells);
    const char* sets[8] = {width, height, size, "terrain.relief=150"};
    int count = 4;
    while (*more)
        sets[count++] = *more++;
    play(load_scene(name, sets, count), before, after);
}

static const char* const AGEING[] = {"steps=300", "dt=250", NULL};
static const char* const RISING[] = {"program.0.steps=150", "program.1.steps=300", "dt=250", NULL};

// ---- drainage -----------------------------------------------------------------------------------

/// Limits of a measure; those of realism.sh with EVERY=1.
typedef struct Limits {
    const char* name;
    double low, high;
} Limits;

static const Limits limits[] = {
    {"concavity", 0.22, 0.54}, {"hack", 0.42, 0.60},       {"hollows", 0, 0.03},
    {"bifurcation", 3.6, 5},   {"length_ratio", 1.7, 2.8}, {"hypsometric", 0.36, 0.60},
    {"rose4", 0, 0.18},        {"rose8", 0, 0.18},
};

enum { LIMITS = sizeof limits / sizeof *limits };

/// How many measures of a terrain are inside their limits.
static int count_inside(const GullyHeights* heights) {
    GullyDrainage drainage;
    GullyDrainageDef def = gully_drainage_default();
    OK(gully_drainage_measure(heights, &def, &drainage));
    int rows, inside = 0;
    const GullyDrainageMeasure* measures = gully_drainage_measures(&rows);
    for (int n = 0; n < LIMITS; n++) {
        for (int row = 0; row < rows; row++) {
            if (strcmp(measures[row].name, limits[n].name) != 0) continue;
            const double value = gully_drainage_value(&drainage, row);
            const bool good = value >= limits[n].low && value <= limits[n].high;
            inside += good;
            print_message(" %s %.3f%s", limits[n].name, value, good ? "" : "*");
        }
    }
    print_message("\n");
    return inside;
}

static void check_drainage(const char* name, const char* const* more) {
    GullyHeights before, after;
    play_small(name, 256, more, &before, &after);
    assert_true(count_inside(&before) < LIMITS);
    assert_int_equal(count_inside(&after), LIMITS);
    free((void*)before.values);
    free((void*)after.values);
}

static void test_ageing_land_drains_like_land(void** state) {
    (void)state;
    check_drainage("ageing", AGEING);
}

static void test_rising_land_drains_like_land(void** state) {
    (void)state;
    check_drainage("rising", RISING);
}

// ---- resolution ---------------------------------------------------------------------------------

static void test_the_same_land_with_larger_cells(void** state) {
    (void)state;
    GullyHeights starts[2], ends[2];
    GullyLikeness likeness;
    GullyLikenessDef def = gully_likeness_default();
    def.low_pass = SIDE / 16;
    for (int n = 0; n < 2; n++)
        play_small("ageing", 256 >> n, AGEING, &starts[n], &ends[n]);
    OK(gully_likeness_measure(&ends[1], &ends[0], &def, &likeness));
    print_message("    correlation %.4f\n", likeness.correlation);
    assert_true(likeness.correlation > 0.97 && likeness.correlation < 1);
    for (int n = 0; n < 2; n++) {
        free((void*)starts[n].values);
        free((void*)ends[n].values);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ageing_land_drains_like_land),
        cmocka_unit_test(test_rising_land_drains_like_land),
        cmocka_unit_test(test_the_same_land_with_larger_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
