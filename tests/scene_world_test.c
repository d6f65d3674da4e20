// SPDX-License-Identifier: MIT
// Scenes: the world they make, of a file or generated, with its cells, its place on the earth and
// what is there at the start.

#include "ok.h"
#include "scene_cases.h"
#include "scratch.h"

#include <math.h>
#include <unistd.h>

// An ESRI ASCII grid of 3 x 2 cells; row 0 is the first.
static void write_grid(const char* name, const char* head, const char* rows) {
    FILE* file = fopen(in_scratch(name), "w");
    assert_non_null(file);
    fprintf(file, "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\n%snodata_value -9999\n%s", head,
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

static GullyWorld* made_with(const char* text, const char* const* sets, int count,
                             GullyGeoreference* place) {
    GullyWorld* world = NULL;
    if (make(text, sets, count, &world, place)) fail_msg("%s\nfor %s", gully_message(), text);
    return world;
}

static GullyWorld* made(const char* text, GullyGeoreference* place) {
    return made_with(text, NULL, 0, place);
}

static void not_made(const char* text, const char* expected) {
    GullyWorld* world = NULL;
    GullyGeoreference place;
    GullyStatus status = make(text, NULL, 0, &world, &place);
    if (status != GULLY_BAD_INPUT || world || place.projection) fail_msg("made for %s", text);
    if (!strstr(gully_message(), expected))
        fail_msg("expected \"%s\"\n     got \"%s\"\nfor %s", expected, gully_message(), text);
}

static void check_field(const GullyWorld* world, GullyField field, const float* expected) {
    float values[6];
    assert_int_equal(gully_world_width(world), 3);
    assert_int_equal(gully_world_height(world), 2);
    OK(gully_world_read(world, field, gully_world_all(world), values));
    for (int n = 0; n < 6; n++)
        if (values[n] != expected[n] && !(isnan(values[n]) && isnan(expected[n])))
            fail_msg("%s of cell %d is %g, not %g", gully_field_name(field), n, (double)values[n],
                     (double)expected[n]);
}

static void check_cells(const GullyWorld* world, double x, double y) {
    assert_true(fabs(gully_world_cell_x(world) - x) <= 1e-12 * x);
    assert_true(fabs(gully_world_cell_y(world) - y) <= 1e-12 * y);
}

static void check_transform(const GullyGeoreference* place, const double* expected) {
    for (int n = 0; n < 6; n++)
        if (fabs(place->transform[n] - expected[n]) > 1e-9)
            fail_msg("transform[%d] is %g, not %g", n, place->transform[n], expected[n]);
}

#define FILE_SCENE(more) "{\"gully\": 1, \"terrain\": {\"file\": \"dem.asc\"" more ", \"steps\": 1}"

static void write_dem(void) {
    write_grid("dem.asc", "cellsize 5\n", "1 2 3\n4 -9999 6\n");
}

// ---- terrain ------------------------------------------------------------------------------------

static void terrain_of_a_file(void** state) {
    (void)state;
    write_dem();
    GullyGeoreference place;
    GullyWorld* world = made(FILE_SCENE("}"), &place);
    check_field(world, GULLY_TERRAIN, (float[]){1, 2, 3, 4, NAN, 6});
    check_field(world, GULLY_WATER, (float[]){0, 0, 0, 0, NAN, 0});
    check_field(world, GULLY_HARDNESS, (float[]){1, 1, 1, 1, NAN, 1});
    check_cells(world, 5, 5);
    check_transform(&place, (double[]){100, 5, 0, 210, 0, -5});
    gully_world_destroy(world);
    free(place.projection);

    world = made(FILE_SCENE(", \"scale\": 2, \"offset\": -1}"), &place);
    check_field(world, GULLY_TERRAIN, (float[]){1, 3, 5, 7, NAN, 11});
    gully_world_destroy(world);
    free(place.projection);
}

static void terrain_beside_the_scene_file(void** state) {
    (void)state;
    write_dem();
    FILE* file = fopen(in_scratch("scene.json"), "w");
    fputs(FILE_SCENE("}"), file);
    fclose(file);
    GullyScene* scene = NULL;
    assert_int_equal(gully_scene_load(in_scratch("scene.json"), NULL, 0, &scene), GULLY_OK);
    GullyWorld* world = NULL;
    GullyGeoreference place;
    assert_int_equal(gully_scene_world(scene, &world, &place), GULLY_OK);
    gully_world_destroy(world);
    free(place.projection);
    gully_scene_destroy(scene);

    char text[256]; // an absolute path stays
    snprintf(text, sizeof text,
             "{\"gully\": 1, \"terrain\": {\"file\": \"%s\"},\n\"initial\": {\"water\": "
             "{\"file\":\n\"none.asc\"}}, \"steps\": 1}",
             in_scratch("dem.asc"));
    not_made(text, "t.json:2: initial.water.file: ");
    not_made("{\"gully\": 1,\n\"terrain\": {\"file\": \"none.tif\"}, \"steps\": 1}",
             "t.json:2: terrain.file: ");
    assert_non_null(strstr(gully_message(), "none.tif: no such file"));
}

static void generated_terrain(void** state) {
    (void)state;
    GullyGeoreference place;
    GullyWorld* world =
        made("{\"gully\": 1, \"terrain\": {\"generate\": \"mountains\", \"width\": 33,"
             "\"height\": 20, \"relief\": 50, \"offset\": 7}, \"steps\": 1}",
             &place);
    assert_int_equal(gully_world_width(world), 33);
    assert_int_equal(gully_world_height(world), 20);
    check_cells(world, 10, 10);
    check_transform(&place, gully_georeference_plain(20, 10, 10).transform);
    float values[33 * 20], low = INFINITY, high = -INFINITY;
    OK(gully_world_read(world, GULLY_TERRAIN, gully_world_all(world), values));
    for (int n = 0; n < 33 * 20; n++) {
        low = fminf(low, values[n]);
        high = fmaxf(high, values[n]);
    }
    assert_true(low == 7 && high == 57);
    gully_world_destroy(world);
    free(place.projection);

    world = made("{\"gully\": 1, \"terrain\": {\"generate\": \"mountains\", \"width\": 3,"
                 "\"height\": 2}, \"cell_size\": [2, 4], \"steps\": 1}",
                 &place);
    check_cells(world, 2, 4);
    check_transform(&place, gully_georeference_plain(2, 2, 4).transform);
    gully_world_destroy(world);
    free(place.projection);
}

// ---- cells --------------------------------------------------------------------------------------

static void cell_size_overrides(void** state) {
    (void)state;
    write_dem();
    GullyGeoreference place;
    GullyWorld* world = made(FILE_SCENE("}, \"cell_size\": [20, 30]"), &place);
    check_cells(world, 20, 30);
    check_transform(&place, (double[]){100, 20, 0, 210, 0, -30}); // signs and origin kept
    gully_world_destroy(world);
    free(place.projection);
}

// Writes a GeoTIFF of 3 x 2 cells at 1.
static void write_tiff(const char* name, const double* transform, const char* projection) {
    float values[6] = {1, 1, 1, 1, 1, 1};
    GullyRaster raster = {.width = 3, .height = 2, .values = values};
    memcpy(raster.georeference.transform, transform, sizeof raster.georeference.transform);
    raster.georeference.known = true;
    raster.georeference.projection = (char*)projection;
    if (gully_raster_write(in_scratch(name), &raster)) fail_msg("%s", gully_message());
}

#define TIFF_SCENE(more)                                                                           \
    "{\"gully\": 1, \"terrain\": {\"file\": \"dem.tif\"}" more ", \"steps\": 1}"

static void cell_size_keeps_a_rotation(void** state) {
    (void)state;
    write_tiff("dem.tif", (double[]){500, 3, 4, 700, 4, -3}, NULL); // 5 m, turned
    GullyGeoreference place;
    GullyWorld* world = made(TIFF_SCENE(", \"cell_size\": [10, 20]"), &place);
    check_cells(world, 10, 20);
    check_transform(&place, (double[]){500, 6, 16, 700, 8, -12});
    gully_world_destroy(world);
    free(place.projection);
}

static void cell_size_of_degrees(void** state) {
    (void)state;
    static const char WGS84[] =
        "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
        "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]";
    const double transform[] = {10, 0.001, 0, 50.001, 0, -0.001};
    write_tiff("dem.tif", transform, WGS84);
    GullyGeoreference place;
    GullyWorld* world = made(TIFF_SCENE(""), &place); // at 50 degrees north
    assert_true(fabs(gully_world_cell_x(world) - 71.6958) < 0.001);
    assert_true(fabs(gully_world_cell_y(world) - 111.2293) < 0.001);
    assert_true(place.geographic);
    check_transform(&place, transform);
    gully_world_destroy(world);
    free(place.projection);

    world = made(TIFF_SCENE(", \"cell_size\": [70, 111]"), &place);
    check_cells(world, 70, 111);
    assert_true(place.geographic && place.projection);
    check_transform(&place, transform); // still degrees
    gully_world_destroy(world);
    free(place.projection);
}

static void dt_on_the_cells_of_a_file(void** state) {
    (void)state;
    write_grid("fine.asc", "cellsize 0.5\n", "1 2 3\n4 5 6\n");
#define FINE(more) "{\"gully\": 1, \"terrain\": {\"file\": \"fine.asc\"}, \"steps\": 1,\n" more "}"
    not_made(FINE("\"dt\": 0.5"), "t.json:2: dt: 0.5 s is beyond the stable limit, ");
    assert_non_null(strstr(gully_message(), " s on cells of 0.5 x 0.5 m"));
    not_made("{\"gully\": 1, \"terrain\": {\"file\": \"fine.asc\"}, \"program\": [{\"steps\": 1},\n"
             "{\"steps\": 1, \"set\": {\"dt\": 0.5}}]}",
             "t.json:2: program[1].set.dt: 0.5 s is beyond the stable limit of program[1], ");
    GullyGeoreference place;
    gully_world_destroy(made(FINE("\"dt\": 0.01"), &place));
    gully_world_destroy(made(FINE("\"dt\": 0.5, \"cell_size\": 10"), &place));
    gully_world_destroy(made(FINE("\"dt\": 0.5, \"allow_unstable\": true"), &place));
}

// ---- at the start -------------------------------------------------------------------------------

static void initial_numbers_and_files(void** state) {
    (void)state;
    write_dem();
    write_grid("water.asc", "cellsize 5\n", "0.5 -9999 0\n1 -7 2\n"); // -7 is outside the terrain
    write_grid("hard.asc", "cellsize 5\n", "0.5 -9999 0\n1 1 1\n");
    GullyGeoreference place;
    GullyWorld* world =
        made(FILE_SCENE("}, \"initial\": {\"water\": {\"file\": \"water.asc\"},"
                        "\"sediment\": 0.25, \"hardness\": {\"file\": \"hard.asc\"}}"),
             &place);
    check_field(world, GULLY_WATER, (float[]){0.5f, 0, 0, 1, NAN, 2});
    check_field(world, GULLY_SEDIMENT, (float[]){0.25f, 0.25f, 0.25f, 0.25f, NAN, 0.25f});
    check_field(world, GULLY_HARDNESS, (float[]){0.5f, 0, 0, 1, NAN, 1});
    gully_world_destroy(world);
    free(place.projection);
}

static void a_file_of_nodata(void** state) {
    (void)state;
    write_dem();
    write_grid("none.asc", "cellsize 5\n", "-9999 -9999 -9999\n-9999 -9999 -9999\n");
    not_made("{\"gully\": 1,\n\"terrain\": {\"file\": \"none.asc\"}, \"steps\": 1}",
             "t.json:2: terrain.file: none.asc: has no valid cell");
    GullyGeoreference place; // at the start it counts as 0
    GullyWorld* world =
        made(FILE_SCENE("}, \"initial\": {\"hardness\": {\"file\": \"none.asc\"}}"), &place);
    check_field(world, GULLY_HARDNESS, (float[]){0, 0, 0, 0, NAN, 0});
    gully_world_destroy(world);
    free(place.projection);
}

static void bad_initial_files(void** state) {
    (void)state;
    write_dem();
    write_grid("minus.asc", "cellsize 5\n", "0 0 0\n0 0 -3\n");
    write_grid("two.asc", "cellsize 5\n", "0 2 0\n0 0 0\n");
    FILE* file = fopen(in_scratch("small.asc"), "w");
    fputs("ncols 1\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 5\n1\n1\n", file);
    fclose(file);
    not_made(FILE_SCENE("},\n\"initial\": {\"water\": {\"file\": \"minus.asc\"}}"),
             "t.json:2: initial.water.file: minus.asc: -3 in column 2 of row 1 is out of range; "
             "allowed: water from 0 to 1e+06 [m]");
    not_made(FILE_SCENE("},\n\"initial\": {\"sediment\": {\"file\": \"minus.asc\"}}"),
             "initial.sediment.file: minus.asc: -3");
    not_made(
        FILE_SCENE("},\n\"initial\": {\"hardness\": {\"file\": \"two.asc\"}}"),
        "initial.hardness.file: two.asc: 2 in column 1 of row 0 is out of range; allowed: hard");
    not_made(FILE_SCENE("},\n\"initial\": {\"water\": {\"file\": \"small.asc\"}}"),
             "initial.water.file: small.asc has 1 x 2 cells; allowed: 3 x 2, as the terrain");
}

// ---- materials and layers -----------------------------------------------------------------------

#define LAYERED(layers)                                                                            \
    FILE_SCENE("},\n\"materials\": [{\"name\": \"rock\", \"erodibility\": 0.25, \"color\": "       \
               "\"#01a2Ff\"}, {\"name\": \"soil\", \"critical_shear\": 5, \"talus\": 40}, "        \
               "{\"name\": \"sand\", \"density\": 1600}],\n\"layers\": " layers)

static void materials_of_a_scene(void** state) {
    (void)state;
    write_dem();
    GullyGeoreference place;
    GullyWorld* world = made(FILE_SCENE("}"), &place);
    assert_int_equal(gully_world_material_count(world), 0);
    gully_world_destroy(world);

    world = made(LAYERED("{}"), &place);
    assert_int_equal(gully_world_material_count(world), 3);
    const GullyMaterial *rock = gully_world_material(world, 0), *soil = rock + 1, *sand = rock + 2;
    assert_string_equal(rock->name, "rock");
    assert_true(rock->erodibility == 0.25 && rock->color == 0x01a2ff);
    assert_string_equal(soil->name, "soil");
    assert_true(soil->erodibility == 1 && soil->critical_shear == 5 && soil->talus == 40);
    assert_string_equal(sand->name, "sand");
    assert_true(sand->talus == -1 && sand->density == 1600);
    assert_true(sand->color == gully_material("sand", 2).color); // of its place
    check_field(world, GULLY_LAYER(0), (float[]){1, 2, 3, 4, NAN, 6});
    check_field(world, GULLY_LAYER(2), (float[]){0, 0, 0, 0, NAN, 0});
    gully_world_destroy(world);
}

// Layers are part of the terrain: it stays as high as it is, the bedrock below them gives way.
static void layers_of_numbers_and_files(void** state) {
    (void)state;
    write_dem();
    write_grid("sand.asc", "cellsize 5\n", "0.5 -9999 0\n1 -7 9\n"); // -7 is outside the terrain
    GullyGeoreference place;
    GullyWorld* world = made(LAYERED("{\"soil\": 2, \"sand\": {\"file\": \"sand.asc\"}}"), &place);
    check_field(world, GULLY_TERRAIN, (float[]){1, 2, 3, 4, NAN, 6});
    check_field(world, GULLY_LAYER(1), (float[]){2, 2, 2, 2, NAN, 2});
    check_field(world, GULLY_LAYER(2), (float[]){0.5f, 0, 0, 1, NAN, 9});
    check_field(world, GULLY_LAYER(0), (float[]){-1.5f, 0, 1, 1, NAN, -5});
    gully_world_destroy(world);

    static const char* const SETS[] = {"materials.1.erodibility=0.5", "layers.soil=3",
                                       "materials.2.name=gravel", "layers.gravel.file=sand.asc",
                                       "layers.sand=null"};
    world = made_with(LAYERED("{\"sand\": 1}"), SETS, COUNT(SETS), &place);
    assert_true(gully_world_material(world, 1)->erodibility == 0.5);
    assert_string_equal(gully_world_material(world, 2)->name, "gravel");
    check_field(world, GULLY_LAYER(1), (float[]){3, 3, 3, 3, NAN, 3});
    check_field(world, GULLY_LAYER(2), (float[]){0.5f, 0, 0, 1, NAN, 9});
    gully_world_destroy(world);
}

static void bad_layer_files(void** state) {
    (void)state;
    write_dem();
    write_grid("minus.asc", "cellsize 5\n", "0 0 0\n0 0 -3\n");
    write_text("small.asc", "ncols 1\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 5\n1\n1\n");
    not_made(LAYERED("{\"soil\": {\"file\": \"minus.asc\"}}"),
             "t.json:3: layers.soil.file: minus.asc: -3 in column 2 of row 1 is out of range; "
             "allowed: soil from 0 to 1e+06 [m]");
    not_made(LAYERED("{\"sand\": {\"file\": \"small.asc\"}}"),
             "layers.sand.file: small.asc has 1 x 2 cells; allowed: 3 x 2, as the terrain");
    not_made(LAYERED("{\"soil\": 1,\n\"sand\": {\"file\": \"none.tif\"}}"),
             "t.json:4: layers.sand.file: ");
    assert_non_null(strstr(gully_message(), "none.tif: no such file"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terrain_of_a_file),
        cmocka_unit_test(terrain_beside_the_scene_file),
        cmocka_unit_test(generated_terrain),
        cmocka_unit_test(cell_size_overrides),
        cmocka_unit_test(cell_size_keeps_a_rotation),
        cmocka_unit_test(cell_size_of_degrees),
        cmocka_unit_test(dt_on_the_cells_of_a_file),
        cmocka_unit_test(initial_numbers_and_files),
        cmocka_unit_test(a_file_of_nodata),
        cmocka_unit_test(bad_initial_files),
        cmocka_unit_test(materials_of_a_scene),
        cmocka_unit_test(layers_of_numbers_and_files),
        cmocka_unit_test(bad_layer_files),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
