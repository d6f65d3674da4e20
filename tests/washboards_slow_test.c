// SPDX-License-Identifier: MIT
// No rain of a scene or of a preset of the studio breaks up into roll waves, which carve
// washboards: not on gentle slopes, and not on the steepest that stay.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "gully/gully.h"
#include "gully/scene.h"
#include "ok.h"
#include "terrains.h"

enum { SLOPE = 128 };

/// A plane with noise of 2 mm; `fall` is its slope.
static float* make_slope(double fall, double cell) {
    float* heights = terrain_make(NULL, SLOPE, SLOPE);
    for (int c = 0; c < SLOPE * SLOPE; c++) {
        const int x = c % SLOPE, y = c / SLOPE;
        heights[c] = (float)(fall * cell * (SLOPE - x) + 0.007 * terrain_noise(x, y, 1, 3));
    }
    return heights;
}

/// How much the depth of rain that runs down a slope varies along it, against its mean. `water` is
/// how the water flows.
static double waves(const GullyPipeParams* water, double rain, double fall, double cell) {
    float* heights = make_slope(fall, cell);
    GullyWorld* world = terrain_world(heights, SLOPE, SLOPE, cell, cell, 0);
    GullySettings* settings = NULL;
    GullySim* sim = NULL;
    OK(gully_settings_create("pipe", &settings));
    GullyPipeParams* params = gully_settings_section(settings, "params", NULL);
    *params = *water;
    params->capacity = 0; // the slope stays as it is
    OK(gully_settings_set_number(settings, "rain.rate", rain));
    OK(gully_settings_set_text(settings, "boundary.east", "open"));
    const int steps = (int)lround(200 / (0.9 * gully_settings_max_dt(settings, cell, cell)));
    GullySimDef def = gully_sim_def();
    if (gully_sim_create(world, settings, &def, &sim)) fail_msg("%s", gully_message());
    OK(gully_sim_step(sim, steps));
    float* depth = terrain_read(world, GULLY_WATER);
    double mean = 0, spread = 0;
    for (int y = 10; y < SLOPE - 10; y++) {
        for (int x = 60; x < 118; x++) {
            const float* d = &depth[y * SLOPE + x];
            const double bend = (double)*d - 0.5 * ((double)d[-4] + (double)d[4]); // no trend
            mean += (double)*d;
            spread += bend * bend;
        }
    }
    const double count = (SLOPE - 20) * 58;
    gully_sim_destroy(sim);
    gully_settings_destroy(settings);
    gully_world_destroy(world);
    free(heights);
    free(depth);
    return sqrt(spread / count) / (mean / count);
}

/// Checks gentle slopes and steep ones.
static void check(const char* name, const GullyPipeParams* water, double rain, double steepest,
                  double cell) {
    double worst = 0, worst_fall = 0;
    for (int n = 1; n <= 4; n++) {
        const double fall = steepest * n / 4, found = waves(water, rain, fall, cell);
        if (found >= worst) worst_fall = fall, worst = found;
    }
    print_message("    %s: waves of %.3f at most, on a slope of %.2f of %.2f\n", name, worst,
                  worst_fall, steepest);
    if (!(worst < 0.05)) fail_msg("%s: roll waves", name);
}

// ---- scenes -------------------------------------------------------------------------------------

static int by_size(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/// How steep the ground of a scene is: the slope over four cells that one in 20 exceeds; bounded by
/// the talus angle where slopes slide.
static double steepness(GullyScene* scene, double* cell) {
    GullyWorld* world;
    GullyGeoreference place;
    if (gully_scene_world(scene, &world, &place)) fail_msg("%s", gully_message());
    free(place.projection);
    const GullyRect all = gully_world_all(world);
    const int width = all.width, height = all.height;
    float* b = terrain_read(world, GULLY_TERRAIN);
    double* slopes = malloc((size_t)width * (size_t)height * sizeof *slopes);
    int count = 0;
    assert_non_null(slopes);
    *cell = gully_world_cell_x(world);
    for (int y = 0; y < height - 4; y++) {
        for (int x = 0; x < width - 4; x++) {
            const float* p = &b[y * width + x];
            slopes[count++] =
                hypot((double)(p[4] - p[0]), (double)(p[4 * width] - p[0])) / (4 * *cell);
        }
    }
    qsort(slopes, (size_t)count, sizeof *slopes, by_size);
    const double steep = slopes[count * 19 / 20];
    free(slopes);
    free(b);
    gully_world_destroy(world);
    return steep;
}

static const void* section_of(const GullySettings* settings, const char* name) {
    return gully_settings_section((GullySettings*)settings, name, NULL);
}

static void check_scene(const char* name, GullyScene* scene) {
    double steep = 0, cell = 0;
    for (int n = 0; n < gully_scene_phase_count(scene); n++) {
        const GullySettings* settings = gully_scene_phase(scene, n)->settings;
        const GullyRainParams* rain = section_of(settings, "rain");
        if (strcmp(gully_settings_model(settings), "pipe") != 0 || rain->rate <= 0) continue;
        if (steep == 0) steep = steepness(scene, &cell);
        const GullyThermalParams* thermal = section_of(settings, "thermal");
        const double stays = tan(thermal->talus * acos(-1) / 180);
        const bool slides = gully_settings_is_on(settings, "thermal");
        check(name, section_of(settings, "params"), rain->rate, slides ? fmin(steep, stays) : steep,
              cell);
        return; // phases of a scene differ in how long they rain and dry
    }
}

static void scenes(void** state) {
    (void)state;
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%.*s/../scenes", (int)(strrchr(__FILE__, '/') - __FILE__),
             __FILE__);
    DIR* files = opendir(folder);
    assert_non_null(files);
    int count = 0;
    for (struct dirent* file; (file = readdir(files)) != NULL;) {
        if (!strstr(file->d_name, ".json")) continue;
        GullyScene* scene = NULL;
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        if (gully_scene_load(path, NULL, 0, &scene)) fail_msg("%s", gully_message());
        check_scene(file->d_name, scene);
        gully_scene_destroy(scene);
        count++;
    }
    closedir(files);
    assert_true(count >= 20);
}

// ---- presets ------------------------------------------------------------------------------------

/// Takes 'KEY': VALUE, with or without quotes around the value, from a line of presets.ts.
static void take_line(const char* line, GullySettings* settings) {
    char key[64], value[64];
    for (const char* at = line; (at = strchr(at, '\'')) != NULL; at++) {
        if (sscanf(at, "'%63[a-z_.]': '%63[^']'", key, value) != 2 &&
            sscanf(at, "'%63[a-z_.]': %63[0-9.e-]", key, value) != 2)
            continue;
        if (gully_settings_set_text(settings, key, value)) fail_msg("%s", gully_message());
    }
}

static void presets(void** state) {
    (void)state;
    char path[1024], line[1024], name[64] = "";
    snprintf(path, sizeof path, "%.*s/../studio/web/src/presets.ts",
             (int)(strrchr(__FILE__, '/') - __FILE__), __FILE__);
    FILE* file = fopen(path, "r");
    GullySettings* settings = NULL;
    assert_non_null(file);
    int count = 0;
    while (fgets(line, sizeof line, file)) {
        if (strstr(line, "name: '")) {
            gully_settings_destroy(settings);
            OK(gully_settings_create("pipe", &settings));
            OK(gully_settings_switch(settings, "thermal", true));
            sscanf(line, " name: '%63[^']'", name);
        }
        if (settings) take_line(line, settings);
        if (!settings || strcmp(line, "  },\n") != 0) continue;
        const GullyRainParams* rain = gully_settings_section(settings, "rain", NULL);
        const GullyThermalParams* thermal = gully_settings_section(settings, "thermal", NULL);
        if (rain->rate <= 0) continue;
        check(name, gully_settings_section(settings, "params", NULL), rain->rate,
              tan(thermal->talus * acos(-1) / 180), 10);
        count++;
    }
    fclose(file);
    gully_settings_destroy(settings);
    assert_true(count >= 5);
}

// ---- whether waves are seen ---------------------------------------------------------------------

static void little_friction_breaks_up(void** state) {
    (void)state;
    GullyPipeParams water;
    gully_params_default(gully_law_find("pipe")->params, &water);
    water.friction = 0.6;
    assert_true(waves(&water, 1e-3, 0.6, 10) > 0.2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(little_friction_breaks_up),
        cmocka_unit_test(scenes),
        cmocka_unit_test(presets),
    };
    return cmocka_run_group_tests_name("washboards", tests, NULL, NULL);
}
