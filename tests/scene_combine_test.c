// SPDX-License-Identifier: MIT
// Scenes: terrains, layers and beginnings that are combined out of generators and rasters.

#include "ok.h"
#include "scene_cases.h"
#include "scratch.h"

#include <math.h>

#include "gully/generate.h"

// A raster of 3 x 2 cells of 5 m; row 0 is the first.
static void write_grid(const char* name, const char* rows) {
    FILE* file = fopen(in_scratch(name), "w");
    assert_non_null(file);
    fprintf(file,
            "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\ncellsize 5\nnodata_value -9999\n%s",
            rows);
    fclose(file);
}

static GullyStatus make(const char* text, const char* const* sets, int count, GullyWorld** world,
                        GullyGeoreference* place) {
    GullyScene* scene = NULL;
    GullyStatus status =
        gully_scene_parse(text, strlen(text), "t.json", scratch_folder(), sets, count, &scene);
    if (status) fail_msg("%s\nfor %s", gully_message(), text);
    status = gully_scene_world(scene, world, place);
    gully_scene_destroy(scene);
    return status;
}

static GullyWorld* made_with(const char* text, const char* set) {
    GullyWorld* world = NULL;
    GullyGeoreference place;
    if (make(text, &set, set ? 1 : 0, &world, &place))
        fail_msg("%s\nfor %s", gully_message(), text);
    free(place.projection);
    return world;
}

static void not_made(const char* text, const char* expected) {
    GullyWorld* world = NULL;
    GullyGeoreference place;
    GullyStatus status = make(text, NULL, 0, &world, &place);
    if (status != GULLY_BAD_INPUT || world || place.projection) fail_msg("made for %s", text);
    if (!strstr(gully_message(), expected))
        fail_msg("expected \"%s\"\n     got \"%s\"\nfor %s", expected, gully_message(), text);
}

// The field of a world that is not needed any more; free() it.
static float* field_of(GullyWorld* world, GullyField field) {
    size_t cells = (size_t)gully_world_width(world) * (size_t)gully_world_height(world);
    float* values = malloc(cells * sizeof *values);
    assert_non_null(values);
    OK(gully_world_read(world, field, gully_world_all(world), values));
    gully_world_destroy(world);
    return values;
}

static void check_field(const char* text, GullyField field, const float* expected, int count) {
    float* values = field_of(made_with(text, NULL), field);
    for (int n = 0; n < count; n++)
        if (values[n] != expected[n] && !(isnan(values[n]) && isnan(expected[n])))
            fail_msg("%s of cell %d is %g, not %g", gully_field_name(field), n, (double)values[n],
                     (double)expected[n]);
    free(values);
}

// A kind of 40 x 30 cells; free() it.
static float* alone(const char* kind, int seed, double relief, double offset) {
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = 40;
    params.height = 30;
    params.seed = seed;
    params.relief = relief;
    params.offset = offset;
    float* values = malloc(40 * 30 * sizeof *values);
    assert_non_null(values);
    assert_int_equal(gully_generate(kind, &params, values), GULLY_OK);
    return values;
}

#define TERRAIN(terrain) "{\"gully\": 1, \"terrain\": " terrain ", \"steps\": 1}"
#define COMBINE(layers) TERRAIN("{\"width\": 40, \"height\": 30, \"combine\": [" layers "]}")
#define CELLS (40 * 30)

// ---- terrain ------------------------------------------------------------------------------------

static void layers_of_generators(void** state) {
    (void)state;
    float* heights = field_of(
        made_with(COMBINE("{\"generate\": \"fbm\"}, {\"generate\": \"volcano\", \"relief\": 900, "
                          "\"offset\": -50, \"seed\": 8, \"blend\": \"max\"},"
                          "{\"generate\": \"canyon\", \"blend\": \"subtract\", \"amount\": 0.5, "
                          "\"mask\": {\"generate\": \"island\"}}, "
                          "{\"generate\": \"billowy\", \"blend\": \"multiply\"}"),
                  NULL),
        GULLY_TERRAIN);
    // Without a seed they count up from the terrain's; a mask is 1000 from its layer. Factors are
    // 0..1.
    float *fbm = alone("fbm", 1, 600, 0), *volcano = alone("volcano", 8, 900, -50);
    float *canyon = alone("canyon", 3, 600, 0), *island = alone("island", 1003, 1, 0);
    float* billowy = alone("billowy", 4, 1, 0);
    for (int k = 0; k < CELLS; k++) {
        double height = fmax(fbm[k], volcano[k]);
        height = (height - 0.5 * island[k] * canyon[k]) * billowy[k];
        if (fabs(heights[k] - height) > 1e-3) fail_msg("%g, not %g", (double)heights[k], height);
    }
    free(heights);
    free(fbm);
    free(volcano);
    free(canyon);
    free(island);
    free(billowy);
}

static void size_of_generated_layers(void** state) {
    (void)state;
    GullyWorld* world = made_with(COMBINE("{\"generate\": \"fbm\"}"), NULL);
    assert_int_equal(gully_world_width(world), 40);
    assert_int_equal(gully_world_height(world), 30);
    assert_true(gully_world_cell_x(world) == 10 && gully_world_cell_y(world) == 10);
    gully_world_destroy(world);
    world = made_with(TERRAIN("{\"height\": 3, \"combine\": [{\"generate\": \"plane\"}]}, "
                              "\"cell_size\": [2, 4]"),
                      NULL);
    assert_int_equal(gully_world_width(world), 512);
    assert_int_equal(gully_world_height(world), 3);
    assert_true(gully_world_cell_x(world) == 2 && gully_world_cell_y(world) == 4);
    gully_world_destroy(world);
}

static void seed_of_the_terrain(void** state) {
    (void)state;
#define SEEDED COMBINE("{\"generate\": \"fbm\", \"seed\": 4}, {\"generate\": \"fbm\"}")
    float *four = alone("fbm", 4, 600, 0), *eight = alone("fbm", 8, 600, 0);
    float* heights = field_of(made_with(SEEDED, "terrain.seed=7"), GULLY_TERRAIN);
    for (int k = 0; k < CELLS; k++)
        assert_true(heights[k] == (float)((double)four[k] + (double)eight[k]));
    free(heights);
    heights = field_of(made_with(SEEDED, "terrain.combine.1.seed=4"), GULLY_TERRAIN);
    for (int k = 0; k < CELLS; k++)
        assert_true(heights[k] == 2 * four[k]);
    free(heights);
    free(four);
    free(eight);
    float *last = alone("fbm", 2147483647, 600, 0), *wrapped = alone("fbm", 0, 600, 0);
    heights = field_of(made_with(COMBINE("{\"generate\": \"plane\", \"relief\": 0}, "
                                         "{\"generate\": \"fbm\"}"),
                                 "terrain.seed=2147483647"),
                       GULLY_TERRAIN);
    assert_memory_equal(heights, wrapped, CELLS * sizeof *heights);
    assert_true(memcmp(heights, last, CELLS * sizeof *heights) != 0);
    free(heights);
    free(last);
    free(wrapped);
}

static void layers_of_files(void** state) {
    (void)state;
    write_grid("dem.asc", "1 2 3\n4 -9999 6\n");
    write_grid("more.asc", "10 20 30\n-9999 50 60\n");
    write_grid("mask.asc", "1 0.5 0\n0 1 -9999\n");
    GullyWorld* world = NULL;
    GullyGeoreference place;
    make(TERRAIN("{\"combine\": [{\"file\": \"dem.asc\", \"scale\": 2, \"offset\": 1}, {\"file\": "
                 "\"more.asc\", \"mask\": {\"file\": \"mask.asc\"}}]}"),
         NULL, 0, &world, &place);
    assert_true(gully_world_cell_x(world) == 5 && place.known); // as the first file
    assert_true(place.transform[0] == 100 && place.transform[3] == 210);
    float *heights = field_of(world, GULLY_TERRAIN), expected[] = {13, 15, 7, 9, NAN, 13};
    for (int n = 0; n < 6; n++)
        assert_true(heights[n] == expected[n] || (isnan(heights[n]) && n == 4));
    free(heights);
    free(place.projection);

#define TWO "{\"file\": \"dem.asc\"}, {\"file\": \"more.asc\", \"blend\": "
    check_field(TERRAIN("{\"combine\": [" TWO "\"mix\"}]}"), GULLY_TERRAIN,
                (float[]){10, 20, 30, NAN, NAN, 60}, 6);
    check_field(TERRAIN("{\"width\": 3, \"height\": 2, \"combine\": [" TWO
                        "\"add\", \"mask\": {\"file\": \"mask.asc\", \"range\": [0.4, 0.6]}}]}"),
                GULLY_TERRAIN, (float[]){1, 22, 3, 4, NAN, 6}, 6);
    check_field(TERRAIN("{\"combine\": [" TWO
                        "\"min\", \"mask\": {\"height\": [3, 5], \"invert\": true}}]}"),
                GULLY_TERRAIN, (float[]){1, 2, 3, 4, NAN, 6}, 6);
    check_field(TERRAIN("{\"combine\": [" TWO
                        "\"add\", \"mask\": {\"height\": [3, 5], \"invert\": true}}]}"),
                GULLY_TERRAIN, (float[]){11, 22, 3, 4, NAN, 66}, 6);
    world = made_with(TERRAIN("{\"combine\": [{\"generate\": \"fbm\"}, {\"file\": \"dem.asc\"}]}, "
                              "\"cell_size\": 8"),
                      NULL);
    assert_int_equal(gully_world_width(world), 3);
    assert_true(gully_world_cell_x(world) == 8);
    gully_world_destroy(world);
}

static void bad_files(void** state) {
    (void)state;
    write_grid("dem.asc", "1 2 3\n4 -9999 6\n");
    write_grid("none.asc", "-9999 -9999 -9999\n-9999 -9999 -9999\n");
    write_text("small.asc", "ncols 1\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 5\n1\n1\n");
    not_made(TERRAIN("{\"combine\": [{\"file\": \"dem.asc\"},\n{\"file\": \"small.asc\"}]}"),
             "t.json:2: terrain.combine[1].file: small.asc has 1 x 2 cells; allowed: 3 x 2, as the "
             "terrain");
    not_made(TERRAIN("{\"combine\": [{\"file\": \"dem.asc\",\n\"mask\": {\"file\": "
                     "\"small.asc\"}}]}"),
             "t.json:2: terrain.combine[0].mask.file: small.asc has 1 x 2 cells; allowed: 3 x 2");
    not_made(TERRAIN("{\"width\": 4, \"combine\": [\n{\"file\": \"dem.asc\"}]}"),
             "t.json:2: terrain.combine[0].file: dem.asc has 3 x 2 cells; allowed: 4 x 2");
    not_made(TERRAIN("{\"combine\": [\n{\"file\": \"missing.tif\"}]}"),
             "t.json:2: terrain.combine[0].file: ");
    assert_non_null(strstr(gully_message(), "missing.tif: no such file"));
    not_made(TERRAIN("{\"combine\": [\n{\"generate\": \"fbm\", \"mask\":\n{\"file\": "
                     "\"missing.tif\"}}]}"),
             "t.json:3: terrain.combine[0].mask.file: ");
    not_made(TERRAIN("{\n\"combine\": [{\"file\": \"none.asc\"}, {\"generate\": \"fbm\"}]}"),
             "t.json:2: terrain.combine: has no valid cell");
}

static void too_much(void** state) {
    (void)state;
#define HUGE                                                                                       \
    "{\"generate\": \"plane\", \"relief\": 0, \"offset\": 20000, \"blend\": \"multiply\", "        \
    "\"amount\": 100}"
#define FOUR HUGE "," HUGE "," HUGE "," HUGE
    not_made(COMBINE("{\"generate\": \"fbm\", \"offset\": 1}," FOUR "," FOUR),
             "t.json:1: terrain: what the layers make goes beyond 1e+30, first in ");
}

// ---- at the start -------------------------------------------------------------------------------

#define SOIL(layers)                                                                               \
    "{\"gully\": 1, \"terrain\": {\"generate\": \"fbm\", \"width\": 40, \"height\": 30},\n"        \
    "\"materials\": [{\"name\": \"rock\"}, {\"name\": \"soil\"}, {\"name\": \"sand\"}],\n"         \
    "\"layers\": " layers ", \"steps\": 1}"

// Below 0 counts as 0. Terrain and layers have seeds of their own.
static void a_layer_by_generator(void** state) {
    (void)state;
    float* soil = field_of(
        made_with(SOIL("{\"soil\": {\"generate\": \"fbm\", \"relief\": 3, \"offset\": -1}}"), NULL),
        GULLY_LAYER(1));
    float* expected = alone("fbm", 400, 3, -1);
    int none = 0;
    for (int k = 0; k < CELLS; k++) {
        assert_true(soil[k] == fmaxf(expected[k], 0));
        none += soil[k] == 0;
    }
    assert_true(none > CELLS / 50 && none < CELLS / 2);
    free(soil);
    free(expected);
    soil = field_of(made_with(SOIL("{\"sand\": {\"generate\": \"dunes\", \"seed\": 3}}"), NULL),
                    GULLY_LAYER(2));
    expected = alone("dunes", 3, 1, 0); // 1 m, if nothing is said
    assert_memory_equal(soil, expected, CELLS * sizeof *soil);
    free(soil);
    free(expected);
}

// Masks look at the terrain.
static void a_layer_where_it_is_low(void** state) {
    (void)state;
#define PLANE "{\"generate\": \"plane\", \"relief\": 0, \"offset\": 5, \"mask\": "
    static const char* const TEXTS[] = {
        SOIL("{\"soil\": " PLANE "{\"height\": [0, 250]}}}"),
        SOIL("{\"soil\": {\"combine\": [" PLANE "{\"height\": [0, 250]}}]}}"),
    };
    for (int n = 0; n < COUNT(TEXTS); n++) {
        float* soil = field_of(made_with(TEXTS[n], NULL), GULLY_LAYER(1));
        float* terrain = field_of(made_with(TEXTS[n], NULL), GULLY_TERRAIN);
        for (int k = 0; k < CELLS; k++)
            assert_true(soil[k] == (terrain[k] <= 250 ? 5 : 0));
        free(soil);
        free(terrain);
    }
}

static void a_layer_where_it_is_flat(void** state) {
    (void)state;
    write_grid("dem.asc", "0 1 2\n0 1 2\n"); // 11 degrees
#define ON_DEM(mask)                                                                               \
    "{\"gully\": 1, \"terrain\": {\"file\": \"dem.asc\"}, \"materials\": [{\"name\": \"a\"}, "     \
    "{\"name\": \"b\"}], \"layers\": {\"b\": " PLANE "{\"slope\": " mask "}}}, \"steps\": 1}"
    check_field(ON_DEM("[0, 11]"), GULLY_LAYER(1), (float[]){0, 0, 0, 0, 0, 0}, 6);
    check_field(ON_DEM("[0, 12]"), GULLY_LAYER(1), (float[]){5, 5, 5, 5, 5, 5}, 6);
    check_field(ON_DEM("[11, 90]"), GULLY_LAYER(1), (float[]){5, 5, 5, 5, 5, 5}, 6);
}

static void initial_by_generator(void** state) {
    (void)state;
    write_grid("dem.asc", "1 2 3\n4 -9999 6\n");
    write_grid("more.asc", "10 20 30\n-9999 50 60\n");
#define INITIAL(initial)                                                                           \
    "{\"gully\": 1, \"terrain\": {\"file\": \"dem.asc\"}, \"initial\": {" initial "}, \"steps\": " \
    "1}"
    check_field(INITIAL("\"water\": {\"combine\": [{\"file\": \"more.asc\"}, {\"generate\": "
                        "\"plane\", \"relief\": 0, \"offset\": 15, \"blend\": \"subtract\"}]}"),
                GULLY_WATER, (float[]){0, 5, 15, 0, NAN, 45}, 6);
    check_field(
        INITIAL("\"hardness\": {\"combine\": [{\"file\": \"more.asc\", \"scale\": 0.025}]}"),
        GULLY_HARDNESS, (float[]){0.25f, 0.5f, 0.75f, 0, NAN, 1}, 6);
    check_field(INITIAL("\"sediment\": {\"generate\": \"plane\"}"), GULLY_SEDIMENT,
                (float[]){1, 1, 1, 0, NAN, 0}, 6);
    check_field(INITIAL("\"hardness\": {\"generate\": \"plane\", \"relief\": 0, \"offset\": 1}"),
                GULLY_HARDNESS, (float[]){1, 1, 1, 1, NAN, 1}, 6);
    write_text("small.asc", "ncols 1\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 5\n1\n1\n");
    not_made(INITIAL("\n\"water\": {\"combine\": [{\"file\": \"small.asc\"}]}"),
             "t.json:2: initial.water.combine[0].file: small.asc has 1 x 2 cells; allowed: 3 x 2");
    not_made(INITIAL("\n\"water\": {\"generate\": \"fbm\", \"mask\": {\"file\": \"small.asc\"}}"),
             "t.json:2: initial.water.mask.file: small.asc has 1 x 2 cells; allowed: 3 x 2");
    not_made(INITIAL("\n\"water\": {\"combine\": [{\"file\": \"missing.tif\"}]}"),
             "t.json:2: initial.water.combine[0].file: ");
}

// ---- what is refused ----------------------------------------------------------------------------

static void good_layers(void** state) {
    (void)state;
    static const char* const LAYERS[] = {
        "{\"generate\": \"fbm\", \"blend\": \"mix\", \"amount\": 0}",
        "{\"generate\": \"fbm\", \"scale\": 1, \"octaves\": 2, \"seed\": 0, \"relief\": 0}",
        "{\"generate\": \"fbm\", \"mask\": {\"generate\": \"fbm\", \"scale\": 2, \"octaves\": 1}}",
        "{\"file\": \"a\", \"mask\": {\"generate\": \"fbm\", \"range\": [0.5, 0.5], \"fade\": 1}}",
        "{\"file\": \"a.tif\", \"mask\": {\"file\": \"b.tif\", \"scale\": 2, \"offset\": -1}}",
        "{\"file\": \"a.tif\", \"mask\": {\"slope\": [0, 90], \"fade\": 3, \"invert\": false}}",
        "{\"file\": \"a.tif\", \"mask\": {\"height\": [-1e9, 1e9]}}",
    };
    for (int n = 0; n < COUNT(LAYERS); n++) {
        char text[512];
        snprintf(text, sizeof text, TERRAIN("{\"combine\": [%s]}"), LAYERS[n]);
        gully_scene_destroy(good(text));
    }
}

static void bad_layers(void** state) {
    (void)state;
    static const BadCase LAYERS[] = {
        {"1", "t.json:2: terrain.combine[1]: expected {\"generate\": KIND, ...} or {\"file\": F, "
              "...}, got a number"},
        {"{}", "t.json:2: terrain.combine[1]: has none of file and generate; expected {\"gen"},
        {"{\"file\": \"a\", \"generate\": \"fbm\"}", "combine[1]: has both of file and generate"},
        {"{\"generate\": \"fmb\"}", "t.json:2: terrain.combine[1].generate: no such terrain; all"},
        {"{\"generate\": 3}", "combine[1].generate: expected the name of a terrain, got a number"},
        {"{\"generate\": \"fbm\", \"width\": 3}",
         "combine[1].width: unknown key; allowed: generate, blend, amount, mask, seed, relief, "
         "offset, scale, octaves"},
        {"{\"generate\": \"fbm\", \"blend\": \"plus\"}",
         "combine[1].blend: \"plus\" is unknown; allowed: one of add, subtract, multiply, min, "
         "max, mix"},
        {"{\"generate\": \"fbm\", \"blend\": true}", "combine[1].blend: expected one of add, "},
        {"{\"generate\": \"fbm\", \"amount\": -1}",
         "combine[1].amount: -1 is out of range; allowed: a number from 0 to 100"},
        {"{\"generate\": \"fbm\",\n\"relief\": 1e9}", "t.json:3: terrain.combine[1].relief: 1"},
        {"{\"generate\": \"fbm\", \"seed\": 0.5}", "combine[1].seed: 0.5 is not a whole number"},
        {"{\"file\": \"\"}", "combine[1].file: expected a file's name, got \"\""},
        {"{\"file\": \"a\", \"scale\": \"2\"}", "combine[1].scale: expected a number"},
        {"{\"file\": \"a\", \"seed\": 2}",
         "combine[1].seed: unknown key; allowed: file, blend, amount, mask, scale, offset"},
    };
    for (int n = 0; n < COUNT(LAYERS); n++) {
        char text[512];
        snprintf(text, sizeof text, TERRAIN("{\"combine\": [{\"generate\": \"fbm\"},\n%s]}"),
                 LAYERS[n].text);
        bad(text, LAYERS[n].expected);
    }
}

static void bad_masks(void** state) {
    (void)state;
    static const BadCase MASKS[] = {
        {"1", "t.json:2: terrain.combine[0].mask: expected {\"generate\": KIND, ...}, {\"file\": "
              "F}, {\"height\": [low, high]} or {\"slope\": [low, high]}, got a number"},
        {"{}", "combine[0].mask: has none of generate, file, height and slope; expected {\"gen"},
        {"{\"height\": [1, 2], \"slope\": [1, 2]}", "mask: has more than one of generate, file, h"},
        {"{\"generate\": \"fmb\"}", "combine[0].mask.generate: no such terrain; allowed: mount"},
        {"{\"generate\": \"fbm\", \"relief\": 3}",
         "mask.relief: unknown key; allowed: generate, seed, scale, octaves, range, fade, invert"},
        {"{\"file\": \"a\", \"seed\": 3}",
         "mask.seed: unknown key; allowed: file, scale, offset, range, fade, invert"},
        {"{\"height\": [1, 2], \"range\": [1, 2]}",
         "mask.range: unknown key; allowed: height, fade, invert"},
        {"{\"file\": 1}", "mask.file: expected a file's name, got a number"},
        {"{\"height\": 3}",
         "t.json:2: terrain.combine[0].mask.height: expected [low, high], from -1e+30 to 1e+30 m, "
         "the lower one first"},
        {"{\"height\": [1]}", "mask.height: expected [low, high]"},
        {"{\"height\": [1, 2, 3]}", "mask.height: expected [low, high]"},
        {"{\"height\": [2, 1]}", "mask.height: expected [low, high]"},
        {"{\"height\": [1, \"2\"]}", "mask.height: expected [low, high]"},
        {"{\"slope\": [-1, 2]}", "mask.slope: expected [low, high], from 0 to 90 degrees, the"},
        {"{\"slope\": [1, 91]}", "mask.slope: expected [low, high], from 0 to 90 degrees, the"},
        {"{\"generate\": \"fbm\",\n\"range\": [0.5, 2]}",
         "t.json:3: terrain.combine[0].mask.range: expected [low, high], from 0 to 1, the lower"},
        {"{\"generate\": \"fbm\", \"fade\": 0.1}",
         "mask.fade: fades beyond a range, and this mask has none; expected \"range\": [low, "},
        {"{\"slope\": [1, 2], \"fade\": -1}", "mask.fade: -1 is out of range; allowed: a number "},
        {"{\"slope\": [1, 2], \"invert\": 1}", "mask.invert: expected true or false, got a num"},
    };
    for (int n = 0; n < COUNT(MASKS); n++) {
        char text[512];
        snprintf(text, sizeof text,
                 TERRAIN("{\"combine\": [{\"generate\": \"fbm\",\n\"mask\": %s}]}"), MASKS[n].text);
        bad(text, MASKS[n].expected);
    }
}

static void bad_combinations(void** state) {
    (void)state;
    static const BadCase CASES[] = {
        {TERRAIN("{\n\"combine\": []}"), "t.json:2: terrain.combine: has 0 layers; allowed: 1 to "},
        {TERRAIN("{\"combine\": {}}"), "terrain.combine: expected a list of layers [{\"gen"},
        {TERRAIN("{\"combine\": [{\"generate\": \"fbm\"}], \"file\": \"a\"}"), "has more than one"},
        {TERRAIN("{\"combine\": [{\"generate\": \"fbm\"}], \"relief\": 3}"),
         "terrain.relief: unknown key; allowed: combine, width, height, seed"},
        {COMBINE("{\"generate\": \"fbm\"}], \"width\": 0, \"x\": ["), "not valid JSON"},
        {TERRAIN("{\"combine\": [{\"generate\": \"fbm\"}], \"width\": 0}"),
         "terrain.width: 0 is out of range; allowed: a whole number from 1 to 1048576"},
        {TERRAIN("{\"combine\": [{\"generate\": \"fbm\"}], \"width\": 1e6, \"height\": 1e6}"),
         "terrain: has 1000000 x 1000000 cells; allowed: 2147483647 in all"},
        {SOIL("{\"soil\": {\"generate\": \"fbm\", \"blend\": \"add\"}}"),
         "t.json:3: layers.soil.blend: unknown key; allowed: generate, mask, seed, relief, "},
        {SOIL("{\"soil\": {\"generate\": \"fmb\"}}"), "layers.soil.generate: no such terrain; al"},
        {SOIL("{\"soil\": {\"generate\": \"fbm\", \"file\": \"a\"}}"),
         "layers.soil: expected a number, {\"file\": F}, {\"generate\": KIND, ...} or {\"comb"},
        {SOIL("{\"soil\": {\"combine\": [], \"seed\": 1}}"), "layers.soil.seed: unknown key"},
        {SOIL("{\"soil\": {\"combine\": [{\"generate\": \"fbm\"},\n{}]}}"),
         "t.json:4: layers.soil.combine[1]: has none of file and generate"},
        {SOIL("{\"soil\": {\"generate\": \"fbm\",\n\"mask\": {\"slope\": 3}}}"),
         "t.json:4: layers.soil.mask.slope: expected [low, high]"},
        {TERRAIN("{\"file\": \"a\"}, \"initial\": {\"water\": {\"generate\": 1}}"),
         "initial.water.generate: expected the name of a terrain"},
    };
    for (int n = 0; n < COUNT(CASES); n++)
        bad(CASES[n].text, CASES[n].expected);
    char text[4096] = "{\"gully\": 1, \"steps\": 1, \"terrain\": {\"combine\": [";
    for (int n = 0; n < 33; n++)
        strcat(text, n ? ", {\"generate\": \"fbm\"}" : "{\"generate\": \"fbm\"}");
    strcat(text, "]}}");
    bad(text, "terrain.combine: has 33 layers; allowed: 1 to 32");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_of_generators),
        cmocka_unit_test(size_of_generated_layers),
        cmocka_unit_test(seed_of_the_terrain),
        cmocka_unit_test(layers_of_files),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(too_much),
        cmocka_unit_test(a_layer_by_generator),
        cmocka_unit_test(a_layer_where_it_is_low),
        cmocka_unit_test(a_layer_where_it_is_flat),
        cmocka_unit_test(initial_by_generator),
        cmocka_unit_test(good_layers),
        cmocka_unit_test(bad_layers),
        cmocka_unit_test(bad_masks),
        cmocka_unit_test(bad_combinations),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
