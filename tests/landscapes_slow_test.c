// SPDX-License-Identifier: MIT
// The landscapes of the gallery (docs/gallery.md) and the demo, on fewer and larger cells: nothing
// is lost or out of hand, threads do not show, and each has what its name says.
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
#include "gully/scene.h"
#include "ok.h"
#include "terrains.h"

enum { SIDE = 112, CELLS = SIDE * SIDE };

/// A landscape at its end, and the ground that it began with.
typedef struct Landscape {
    GullyScene* scene;
    GullyWorld* world;
    GullySim* sim;
    double cell; // [m]
    float* start;
    float* ground;
} Landscape;

static GullyScene* load(const char* name, double cell) {
    char path[1024], width[48], height[48], size[48];
    const char* here = strrchr(__FILE__, '/');
    snprintf(path, sizeof path, "%.*s/../scenes/%s.json", (int)(here - __FILE__), __FILE__, name);
    snprintf(width, sizeof width, "terrain.width=%d", SIDE);
    snprintf(height, sizeof height, "terrain.height=%d", SIDE);
    snprintf(size, sizeof size, "cell_size=%.9g", cell);
    const char* sets[] = {width, height, size};
    GullyScene* scene = NULL;
    if (gully_scene_load(path, sets, 3, &scene)) fail_msg("%s", gully_message());
    return scene;
}

/// Runs a scene that is `extent` metres wide.
static Landscape run(const char* name, double extent, int threads) {
    Landscape land = {.cell = extent / SIDE};
    land.scene = load(name, land.cell);
    GullyGeoreference place;
    if (gully_scene_world(land.scene, &land.world, &place)) fail_msg("%s", gully_message());
    free(place.projection);
    land.start = terrain_read(land.world, GULLY_TERRAIN);
    GullySimDef def = gully_sim_def();
    def.seed = gully_scene_seed(land.scene);
    def.threads = threads;
    const GullyPhase* phase = gully_scene_phase(land.scene, 0);
    if (gully_sim_create(land.world, phase->settings, &def, &land.sim))
        fail_msg("%s", gully_message());
    for (int i = 0; i < gully_scene_phase_count(land.scene); i++) {
        phase = gully_scene_phase(land.scene, i);
        if (gully_sim_apply(land.sim, phase->settings)) fail_msg("%s", gully_message());
        OK(gully_sim_step(land.sim, phase->steps));
    }
    land.ground = terrain_read(land.world, GULLY_TERRAIN);
    return land;
}

static void end(Landscape* land) {
    free(land->start);
    free(land->ground);
    gully_sim_destroy(land->sim);
    gully_world_destroy(land->world);
    gully_scene_destroy(land->scene);
}

/// The ledger is closed and all is finite.
static void check_sound(const char* name, const Landscape* land) {
    GullyBudget budget;
    OK(gully_sim_budget(land->sim, &budget));
    double water = fabs(budget.water.residual), solid = fabs(budget.solid.residual);
    print_message("    %s: %.1e of the water, %.1e of the solid is missing\n", name,
                  budget.water.moved > 0 ? water / budget.water.moved : 0,
                  solid / budget.solid.moved);
    assert_true(water <= 1e-6 * budget.water.moved);
    assert_true(solid <= 1e-6 * budget.solid.moved);
    assert_true(budget.solid.eroded > 0);
    for (int field = GULLY_TERRAIN; field < GULLY_FIELD_COUNT; field++) {
        float* values = terrain_read(land->world, (GullyField)field);
        for (int c = 0; c < CELLS; c++)
            assert_true(isfinite(values[c]));
        free(values);
    }
}

/// Runs it on one thread and on two, to the same bits.
static Landscape run_checked(const char* name, double extent) {
    Landscape land = run(name, extent, 1), other = run(name, extent, 2);
    check_sound(name, &land);
    for (int field = GULLY_TERRAIN; field < GULLY_FIELD_COUNT; field++) {
        if (gully_world_hash(land.world, (GullyField)field) !=
            gully_world_hash(other.world, (GullyField)field))
            fail_msg("%s: %s differs on two threads", name, gully_field_name((GullyField)field));
    }
    end(&other);
    return land;
}

/// Share of the cells that closed hollows cover.
static double hollows(const Landscape* land, const float* ground) {
    const GullyHeights heights = {.width = SIDE,
                                  .height = SIDE,
                                  .cell_x = land->cell,
                                  .cell_y = land->cell,
                                  .values = ground};
    const GullyDrainageDef def = gully_drainage_default();
    GullyDrainage drainage;
    OK(gully_drainage_measure(&heights, &def, &drainage));
    return drainage.hollows;
}

// Streams have given most hollows an outlet, or filled them.
static void check_that_it_drains(const char* name, double extent) {
    Landscape land = run_checked(name, extent);
    double before = hollows(&land, land.start), after = hollows(&land, land.ground);
    print_message("    hollows on %.1f %%, then on %.1f %%\n", 100 * before, 100 * after);
    assert_true(before > 0.1);
    assert_true(after < 0.3 * before);
    end(&land);
}

static void demo(void** state) {
    (void)state;
    check_that_it_drains("demo", 10240);
}

static void alpine(void** state) {
    (void)state;
    check_that_it_drains("alpine", 19200);
}

static void badlands(void** state) {
    (void)state;
    check_that_it_drains("badlands", 1920);
}

/// Mean of what a height has lost, over cells that began between two heights [m].
static double loss(const Landscape* land, float low, float high) {
    double sum = 0;
    int count = 0;
    for (int c = 0; c < CELLS; c++) {
        if (land->start[c] < low || land->start[c] > high) continue;
        sum += (double)(land->start[c] - land->ground[c]);
        count++;
    }
    assert_true(count > 0);
    return sum / count;
}

// The plateau stands while the walls of its canyon wear back.
static void canyon(void** state) {
    (void)state;
    Landscape land = run_checked("canyon", 7680);
    double walls = loss(&land, 200, 380), plateau = loss(&land, 430, 1000);
    print_message("    the walls lose %.1f m, the plateau %.1f m\n", walls, plateau);
    assert_true(walls > 3 && walls > 3 * plateau);
    end(&land);
}

// The sea is still there, and level; valleys are cut into the flanks.
static void island(void** state) {
    (void)state;
    Landscape land = run_checked("island", 15360);
    float* water = terrain_read(land.world, GULLY_WATER);
    double sum = 0;
    int sea = 0, level = 0;
    for (int c = 0; c < CELLS; c++) {
        if (land.ground[c] > -5) continue;
        sum += (double)(land.ground[c] + water[c]);
        sea++;
    }
    for (int c = 0; c < CELLS; c++)
        level += land.ground[c] <= -5 && fabs((double)(land.ground[c] + water[c]) - sum / sea) < 3;
    double flanks = loss(&land, 100, 1000);
    print_message("    %d cells of sea at %.1f m, %d of them level; the flanks lose %.0f m\n", sea,
                  sum / sea, level, flanks);
    assert_true(sea > CELLS / 5 && level > 0.85 * sea);
    assert_true(flanks > 20);
    free(water);
    end(&land);
}

// Terraces: steps in the floor of the valley, between treads that are nearly level.
static void valley(void** state) {
    (void)state;
    Landscape land = run_checked("valley", 9216);
    int treads = 0, risers = 0;
    for (int c = 0; c < CELLS - SIDE; c++) {
        if (c % SIDE == SIDE - 1 || land.start[c] > 240) continue;
        double slope = hypot((double)(land.ground[c + 1] - land.ground[c]),
                             (double)(land.ground[c + SIDE] - land.ground[c])) /
                       land.cell;
        treads += slope < 0.05;
        risers += slope > 0.12;
    }
    print_message("    %d cells of treads, %d of risers\n", treads, risers);
    assert_true(treads > 1500 && risers > 300);
    end(&land);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(demo),   cmocka_unit_test(alpine), cmocka_unit_test(badlands),
        cmocka_unit_test(canyon), cmocka_unit_test(island), cmocka_unit_test(valley),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
