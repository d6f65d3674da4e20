// SPDX-License-Identifier: MIT
// Scenes over geological time: rasters of uplift and rain, models that follow each other, and a start on
// coarser grids.
#include "gully/gully.h"
#include "ok.h"
#include "scene_cases.h"
#include "scratch.h"

#include <math.h>

#define TERRAIN                                                                                    \
    "\"gully\": 1, \"terrain\": {\"generate\": \"mountains\", \"width\": 80, \"height\": 70}"
#define OPEN                                                                                       \
    "\"boundary\": {\"west\": \"open\", \"east\": \"open\", \"north\": \"open\", \"south\": "      \
    "\"open\"}"
#define STREAM "{" TERRAIN ", " OPEN ", \"model\": \"stream\", "

/// Writes a raster of one value, but for one cell.
static void write_map(const char* name, int width, int height, float value, float first) {
    GullyRaster raster = {.width = width, .height = height, .cell_x = 10, .cell_y = 10};
    raster.georeference = gully_georeference_plain(height, 10, 10);
    raster.values = malloc((size_t)(width * height) * sizeof *raster.values);
    assert_non_null(raster.values);
    for (int k = 0; k < width * height; k++)
        raster.values[k] = k ? value : first;
    if (gully_raster_write(in_scratch(name), &raster)) fail_msg("%s", gully_message());
    gully_raster_free(&raster);
}

static GullyScene* scene_of(const char* text) {
    GullyScene* scene = NULL;
    if (gully_scene_parse(text, strlen(text), "t.json", scratch_folder(), NULL, 0, &scene))
        fail_msg("%s\nfor %s", gully_message(), text);
    return scene;
}

static GullyStatus make_world(const char* text, GullyWorld** world) {
    GullyScene* scene = scene_of(text);
    GullyGeoreference georeference;
    GullyStatus status = gully_scene_world(scene, world, &georeference);
    free(georeference.projection);
    gully_scene_destroy(scene);
    return status;
}

/// Runs a scene, and gives the hash of its ground.
static uint64_t run(const char* text, int threads, GullyBudget* budget) {
    GullyScene* scene = scene_of(text);
    GullyGeoreference georeference;
    GullyWorld* world;
    GullySim* sim = NULL;
    GullySimDef def = gully_sim_def();
    def.threads = threads;
    OK(gully_scene_world(scene, &world, &georeference));
    OK(gully_scene_start(scene, world, threads));
    for (int n = 0; n < gully_scene_phase_count(scene); n++) {
        const GullyPhase* phase = gully_scene_phase(scene, n);
        if (sim)
            OK(gully_sim_apply(sim, phase->settings));
        else
            OK(gully_sim_create(world, phase->settings, &def, &sim));
        OK(gully_sim_step(sim, phase->steps));
    }
    OK(gully_sim_budget(sim, budget));
    const uint64_t hash = gully_world_hash(world, GULLY_TERRAIN);
    gully_sim_destroy(sim);
    gully_world_destroy(world);
    free(georeference.projection);
    gully_scene_destroy(scene);
    return hash;
}

// ---- rasters ------------------------------------------------------------------------------------

static void test_rasters_give_uplift_and_rain(void** state) {
    (void)state;
    write_map("up.tif", 80, 70, 0x1p-10f, 0x1p-10f);
    write_map("rain.tif", 80, 70, 0.5f, 0.5f);
    GullyBudget of_maps, of_numbers, of_half;
    const uint64_t maps = run(STREAM "\"params\": {\"uplift\": {\"file\": \"up.tif\"}, "
                                     "\"rain\": {\"file\": \"rain.tif\"}}, \"steps\": 9}",
                              1, &of_maps);
    const uint64_t numbers = run(STREAM "\"params\": {\"uplift\": 0.0009765625, \"rain\": 0.5}, "
                                        "\"steps\": 9}",
                                 2, &of_numbers);
    assert_true(maps == numbers);
    assert_memory_equal(&of_maps, &of_numbers, sizeof of_maps);
    assert_true(of_maps.solid.uplifted > 0);
    // A phase may go back to a number.
    run(STREAM "\"params\": {\"uplift\": {\"file\": \"up.tif\"}, \"rain\": 0.5}, \"program\": ["
               "{\"steps\": 3}, {\"steps\": 6, \"set\": {\"params.uplift\": 0}}]}",
        1, &of_half);
    assert_true(fabs(3 * of_half.solid.uplifted - of_maps.solid.uplifted) <
                1e-9 * of_maps.solid.uplifted);
}

static void test_wrong_rasters(void** state) {
    (void)state;
    write_map("up.tif", 80, 70, 1e-3f, 1e-3f);
    write_map("small.tif", 79, 70, 1e-3f, 1e-3f);
    write_map("below.tif", 80, 70, 1e-3f, -1e-3f);
    static const BadCase files[] = {
        {"small.tif", "79 x 70 cells; allowed: 80 x 70, as the terrain"},
        {"below.tif",
         "in column 0 of row 0 is out of range; allowed: uplift from 0 to 100 [m/year]"},
        {"none.tif", "none.tif"},
    };
    for (int n = 0; n < COUNT(files); n++) {
        char text[1024];
        GullyWorld* world = NULL;
        snprintf(text, sizeof text,
                 STREAM "\"params\": {\"uplift\": {\"file\": \"%s\"}}, \"steps\": 9}",
                 files[n].text);
        assert_int_not_equal(make_world(text, &world), GULLY_OK);
        assert_null(world);
        if (!strstr(gully_message(), files[n].expected) ||
            !strstr(gully_message(), "params.uplift.file"))
            fail_msg("%s: %s", files[n].text, gully_message());
    }
    bad(STREAM "\"params\": {\"uplift\": -1e-3}, \"steps\": 9}", "params.uplift");
    bad(STREAM "\"params\": {\"uplift\": -1}, \"steps\": 9}", "out of range");
    bad(STREAM "\"params\": {\"erodibility\": -1}, \"steps\": 9}", "params.erodibility");
    bad(STREAM "\"params\": {\"rain\": {\"fille\": \"a\"}}, \"steps\": 9}", "params.rain.fille");
    bad(STREAM "\"params\": {\"rain\": \"a\"}, \"steps\": 9}", "or {\"file\": F}");
    bad(STREAM "\"params\": {\"creep\": {\"file\": \"a\"}}, \"steps\": 9}", "params.creep");
    bad(STREAM "\"params\": {\"rain\": {\"file\": \"a.tif\"}}, \"program\": [{\"steps\": 1, "
               "\"set\": {\"params.rain\": {\"file\": \"b.tif\"}}}]}",
        "one for the whole run");
}

// ---- models that follow each other --------------------------------------------------------------

#define CHAIN                                                                                      \
    STREAM "\"dt\": 250, \"params\": {\"creep\": 0.02}, \"rain\": {\"rate\": 1e-4}, "              \
           "\"program\": [{\"steps\": 12},"                                                        \
           "{\"model\": \"pipe\", \"steps\": 20, \"set\": {\"params.capacity\": 0.9}},"            \
           "{\"model\": \"diffusion\", \"steps\": 3, \"cycle\": [\"rain\", \"transport\"]},"       \
           "{\"model\": \"stream\", \"steps\": 5, \"set\": {\"dt\": 100}}], \"repeat\": 2}"

static void test_phases_have_models(void** state) {
    (void)state;
    static const char* const models[] = {"stream", "pipe", "diffusion", "stream"};
    GullyScene* scene = good(CHAIN);
    for (int n = 0; n < 8; n++)
        assert_string_equal(gully_settings_model(settings_of(scene, n)), models[n % 4]);
    const GullyTimeParams* time = SECTION(settings_of(scene, 1), "");
    assert_true(time->dt == 0); // the scene's is of its own model
    const GullyPipeParams* pipe = SECTION(settings_of(scene, 1), "params");
    assert_true(pipe->capacity == 0.9 && pipe->dissolve == 0.05);
    const GullyRainParams* rain = SECTION(settings_of(scene, 1), "rain");
    assert_true(rain->rate == 1e-4);
    const GullyStreamParams* stream = SECTION(settings_of(scene, 3), "params");
    time = SECTION(settings_of(scene, 3), "");
    assert_true(stream->creep == 0.02 && time->dt == 100);
    gully_scene_destroy(scene);
    bad(STREAM "\"program\": [{\"steps\": 1, \"model\": \"pip\"}]}", "program[0].model");
    bad(STREAM "\"program\": [{\"steps\": 1, \"model\": 3}]}", "a model's name");
    bad(STREAM
        "\"program\": [{\"steps\": 1, \"model\": \"pipe\", \"set\": {\"params.creep\": 1}}]}",
        "creep");
    bad(STREAM "\"program\": [{\"steps\": 1, \"model\": \"pipe\", \"set\": {\"dt\": 250}}]}",
        "stable limit");
}

static void test_chains_run(void** state) {
    (void)state;
    GullyBudget one, three;
    const uint64_t hash = run(CHAIN, 1, &one);
    assert_true(hash == run(CHAIN, 3, &three));
    assert_memory_equal(&one, &three, sizeof one);
    assert_true(fabs(one.solid.residual) <= 1e-6 * one.solid.moved && one.water.evaporated > 0);
}

// ---- a start on coarser grids -------------------------------------------------------------------

static void test_start_on_coarser_grids(void** state) {
    (void)state;
    const char* coarse =
        STREAM "\"start\": \"coarse\", \"params\": {\"uplift\": 1e-3, \"erodibility\": 0}, "
               "\"program\": [{\"steps\": 8}, {\"model\": \"pipe\", \"steps\": 2}]}";
    const char* given =
        STREAM "\"start\": \"given\", \"params\": {\"uplift\": 1e-3, \"erodibility\": 0}, "
               "\"program\": [{\"steps\": 8}, {\"model\": \"pipe\", \"steps\": 2}]}";
    GullyBudget first, second, plain;
    const uint64_t hash = run(coarse, 1, &first);
    assert_true(hash == run(coarse, 3, &second));
    assert_memory_equal(&first, &second, sizeof first);
    assert_true(hash != run(given, 1, &plain));
    // Three runs of 8 steps of 500 years came before, which lift the ground by up to 12 m.
    const double area = 80.0 * 70 * 100;
    const double lifted = (first.solid.initial - plain.solid.initial) / area;
    print_message("    the ground begins %.2f m higher\n", lifted);
    assert_true(lifted > 5 && lifted < 12);
    bad(STREAM "\"start\": \"corse\", \"steps\": 1}", "coarse");
    bad(STREAM "\"start\": 1, \"steps\": 1}", "start");
}

/// Nodata stays nodata and layers stay layers, whatever the size.
static void test_start_keeps_holes_and_layers(void** state) {
    (void)state;
    write_map("dem.tif", 83, 75, 50, NAN);
    GullyScene* scene = scene_of("{\"gully\": 1, \"terrain\": {\"file\": \"dem.tif\"}, " OPEN
                                 ", \"model\": \"stream\", \"start\": \"coarse\", \"steps\": 3,"
                                 "\"materials\": [{\"name\": \"rock\"}, {\"name\": \"soil\"}],"
                                 "\"layers\": {\"soil\": 2}, \"initial\": {\"hardness\": 0.5}}");
    GullyGeoreference georeference;
    GullyWorld* world;
    float soil[83], ground[83], hardness[83];
    OK(gully_scene_world(scene, &world, &georeference));
    OK(gully_scene_start(scene, world, 1));
    OK(gully_world_read(world, GULLY_TERRAIN, (GullyRect){0, 0, 83, 1}, ground));
    OK(gully_world_read(world, GULLY_LAYER_1, (GullyRect){0, 40, 83, 1}, soil));
    OK(gully_world_read(world, GULLY_HARDNESS, (GullyRect){0, 40, 83, 1}, hardness));
    assert_true(isnan(ground[0]) && ground[1] == 50);
    assert_true(soil[40] == 2 && hardness[40] == 0.5f);
    gully_world_destroy(world);
    free(georeference.projection);
    gully_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rasters_give_uplift_and_rain),
        cmocka_unit_test(test_wrong_rasters),
        cmocka_unit_test(test_phases_have_models),
        cmocka_unit_test(test_chains_run),
        cmocka_unit_test(test_start_on_coarser_grids),
        cmocka_unit_test(test_start_keeps_holes_and_layers),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
