// SPDX-License-Identifier: MIT
// Rasters of other programs whose heights are in feet, whose map is larger than the ground or whose
// first row is in the south. GDAL writes them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gdal.h>
#include <ogr_srs_api.h>

#include "gully/export.h"
#include "raster_cases.h"
#include "scratch.h"

#define PI 3.14159265358979323846

static const double FOOT = 0.3048, SURVEY_FOOT = 1200.0 / 3937.0;

enum { WIDTH = 12, HEIGHT = 9, CELLS = WIDTH * HEIGHT };

static float number(int x, int y) {
    return (float)(100 + 3 * x + 7 * y);
}

/// What GDAL is to write.
typedef struct Foreign {
    const char* place;   ///< as OSRSetFromUserInput takes it
    const char* unit;    ///< of the band; NULL = none
    double transform[6]; ///< all 0 = cells of 10 units, north up
} Foreign;

static const char* write_foreign(const char* name, const Foreign* foreign) {
    GDALAllRegister();
    float values[CELLS];
    for (int i = 0; i < CELLS; i++)
        values[i] = number(i % WIDTH, i / WIDTH);
    double transform[6] = {500000, 10, 0, 200000, 0, -10};
    if (foreign->transform[1] != 0.0) memcpy(transform, foreign->transform, sizeof transform);
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("GTiff"), in_scratch(name), WIDTH, HEIGHT,
                                      1, GDT_Float32, NULL);
    assert_non_null(dataset);
    OGRSpatialReferenceH place = OSRNewSpatialReference(NULL);
    OSRSetAxisMappingStrategy(place, OAMS_TRADITIONAL_GIS_ORDER);
    assert_int_equal(OSRSetFromUserInput(place, foreign->place), OGRERR_NONE);
    GDALSetSpatialRef(dataset, place);
    OSRDestroySpatialReference(place);
    GDALSetGeoTransform(dataset, transform);
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    if (foreign->unit != NULL) GDALSetRasterUnitType(band, foreign->unit);
    assert_int_equal(
        GDALRasterIO(band, GF_Write, 0, 0, WIDTH, HEIGHT, values, WIDTH, HEIGHT, GDT_Float32, 0, 0),
        CE_None);
    GDALClose(dataset);
    return in_scratch(name);
}

static void assert_heights(const GullyRaster* raster, double unit) {
    for (int i = 0; i < CELLS; i++)
        assert_near((double)raster->values[i], (double)number(i % WIDTH, i / WIDTH) * unit, 1e-4);
}

static void assert_note(const GullyRaster* raster, const char* part) {
    if (strstr(raster->notes, part) == NULL)
        fail_msg("\"%s\" is not in the notes \"%s\"", part, raster->notes);
}

// ---- feet ----

static void test_feet(void** state) {
    (void)state;
    static const struct {
        Foreign file;
        double unit; ///< [m]
        const char* note;
    } cases[] = {
        {{"EPSG:32618", NULL, {0}}, 1.0, ""},
        {{"EPSG:32618", "m", {0}}, 1.0, ""},
        {{"EPSG:32618", "degrees", {0}}, 1.0, ""},
        {{"EPSG:32618", "ft", {0}}, FOOT, "heights in feet, the unit of the band, became metres"},
        {{"EPSG:32618", "US survey foot", {0}}, SURVEY_FOOT, "in US survey feet, the unit"},
        {{"EPSG:32618", "cm", {0}}, 0.01, "in centimetres"},
        {{"EPSG:26918+6360", NULL, {0}}, SURVEY_FOOT, "heights in US survey feet, the unit of"},
        {{"EPSG:26918+5703", NULL, {0}}, 1.0, ""},
        {{"EPSG:2263", NULL, {0}}, SURVEY_FOOT, "taken for US survey feet, as the projection's"},
        {{"EPSG:2263", "metre", {0}}, 1.0, ""},
        {{"EPSG:32618", "yd", {0}}, 0.9144, "in yards, the unit of the band"},
        {{"EPSG:32618", "furlong", {0}}, 1.0, "its unit 'furlong' is no length that is known"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        GullyRaster raster;
        read_good(write_foreign("foreign.tif", &cases[i].file), NULL, NULL, &raster);
        assert_heights(&raster, cases[i].unit);
        assert_note(&raster, cases[i].note);
        if (cases[i].note[0] == '\0') assert_string_equal(raster.notes, "");
        gully_raster_free(&raster);
    }
}

/// A scale that the caller gives makes metres, and numbers that are no heights have no unit.
static void test_told(void** state) {
    (void)state;
    const Foreign file = {"EPSG:2263", NULL, {0}};
    const double scale = 2.0;
    GullyRaster raster;
    read_good(write_foreign("told.tif", &file), &scale, NULL, &raster);
    assert_heights(&raster, 2.0);
    gully_raster_free(&raster);
    assert_int_equal(
        gully_raster_read_as(in_scratch("told.tif"), &(GullyReadDef){.plain = true}, &raster),
        GULLY_OK);
    assert_heights(&raster, 1.0);
    gully_raster_free(&raster);
}

/// What was made metres stays metres in every format that we write, and keeps no feet.
static void test_written_again(void** state) {
    (void)state;
    static const char* const places[] = {"EPSG:2263", "EPSG:26918+6360", "EPSG:2263+6360"};
    static const char* const files[] = {"a.tif", "a.asc", "a.exr", "a.r32", "a.png"};
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        const Foreign file = {places[p], NULL, {0}};
        GullyRaster raster, back;
        read_good(write_foreign("feet.tif", &file), NULL, NULL, &raster);
        assert_string_equal(raster.unit, "m");
        assert_null(strstr(raster.georeference.projection, "COMPOUND"));
        for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
            if (strstr(files[i], "exr") != NULL && !exr_is_built()) continue;
            GullyExportDef def = gully_export_default();
            assert_int_equal(gully_export(in_scratch(files[i]), "a", &raster, &def, NULL),
                             GULLY_OK);
            read_good(in_scratch(files[i]), NULL, NULL, &back);
            for (int k = 0; k < CELLS; k++)
                assert_near((double)back.values[k], (double)raster.values[k], 1e-3);
            assert_near(back.cell_x, raster.cell_x, 1e-9);
            gully_raster_free(&back);
        }
        GullyExportDef cog = gully_export_default();
        cog.format = "cog";
        assert_int_equal(gully_export(in_scratch("c.tif"), "c", &raster, &cog, NULL), GULLY_OK);
        read_good(in_scratch("c.tif"), NULL, NULL, &back);
        assert_values(&back, raster.values);
        gully_raster_free(&back);
        gully_raster_free(&raster);
    }
}

static void test_mosaic_of_feet(void** state) {
    (void)state;
    const Foreign west = {"EPSG:32618", "ft", {500000, 10, 0, 200000, 0, -10}};
    const Foreign east = {"EPSG:32618", "ft", {500120, 10, 0, 200000, 0, -10}};
    write_foreign("west.tif", &west);
    write_foreign("east.tif", &east);
    const char* paths[] = {in_scratch("west.tif"), in_scratch("east.tif")};
    GullyRaster whole;
    assert_int_equal(gully_mosaic_read(paths, 2, &(GullyReadDef){0}, &whole), GULLY_OK);
    assert_int_equal(whole.width, 2 * WIDTH);
    assert_near((double)whole.values[0], 100.0 * FOOT, 1e-4);
    gully_raster_free(&whole);

    const Foreign metres = {"EPSG:32618", "m", {500120, 10, 0, 200000, 0, -10}};
    write_foreign("east.tif", &metres);
    assert_int_equal(gully_mosaic_read(paths, 2, &(GullyReadDef){0}, &whole), GULLY_BAD_INPUT);
    assert_message(in_scratch("east.tif"), "its unit is 'm', that of");
}

static void test_name_and_unit(void** state) {
    (void)state;
    GullyRaster raster = make_raster(5, 4), back;
    gully_raster_describe(&raster, "flow", "m2/s");
    assert_int_equal(gully_raster_write(in_scratch("flow.tif"), &raster), GULLY_OK);
    read_good(in_scratch("flow.tif"), NULL, NULL, &back);
    assert_string_equal(back.name, "flow");
    assert_string_equal(back.unit, "m2/s");
    assert_values(&back, raster.values);
    gully_raster_free(&back);
    gully_raster_free(&raster);
}

// ---- Mercator ----

/// Cells of 10 m on the map at 47 degrees north, against the radii of curvature of the ellipsoid:
/// along the parallel N cos(lat) / a, along the meridian M cos(lat) / a.
static void test_web_mercator(void** state) {
    (void)state;
    const double a = 6378137.0, e2 = 0.00669437999014;
    double y = a * log(tan(PI / 4.0 + 0.5 * 47.0 * PI / 180.0));
    Foreign file = {"EPSG:3857", NULL, {1224514.0, 10, 0, y + 5.0 * HEIGHT, 0, -10}};
    GullyRaster raster;
    read_good(write_foreign("web.tif", &file), NULL, NULL, &raster);
    double s = sin(47.0 * PI / 180.0), c = cos(47.0 * PI / 180.0), w2 = 1.0 - e2 * s * s;
    assert_near(raster.cell_x, 10.0 * c / sqrt(w2), 1e-4);
    assert_near(raster.cell_y, 10.0 * c * (1.0 - e2) / (w2 * sqrt(w2)), 1e-4);
    assert_note(&raster, "cells of 10 x 10 m on it are 6.83");
    gully_raster_free(&raster);

    // At the equator a map of the ellipsoid is as large as the ground.
    Foreign world = {"EPSG:3395", NULL, {0, 10, 0, 5.0 * HEIGHT, 0, -10}};
    read_good(write_foreign("world.tif", &world), NULL, NULL, &raster);
    assert_near(raster.cell_x, 10.0, 1e-4);
    assert_near(raster.cell_y, 10.0, 1e-4);
    gully_raster_free(&raster);
}

/// Maps that are off by more than a twentieth are measured, others are left as they are, also where
/// meridians meet.
static void test_distorted_maps(void** state) {
    (void)state;
    GullyRaster raster;
    const double degree = 6378137.0 * PI / 180.0; // [m], along the equator
    // Plate Carree: a degree is as long in both directions, which it is at the equator only.
    Foreign flat = {"EPSG:32662", NULL, {0, 10, 0, 47.0 * degree + 5.0 * HEIGHT, 0, -10}};
    read_good(write_foreign("flat.tif", &flat), NULL, NULL, &raster);
    assert_near(raster.cell_x, 10.0 * cos(47.0 * PI / 180.0) * 1.00179, 1e-3); // N / a
    assert_near(raster.cell_y, 9.9867, 1e-3);                                  // M / a
    assert_note(&raster,
                "a map without the lengths of the ground: cells of 10 x 10 m on it are 6.8");
    gully_raster_free(&raster);

    const char* const near[] = {"EPSG:32618", "EPSG:3413", "EPSG:3035"};
    for (int i = 0; i < 3; i++) {
        // Of the second one the pole is beside the middle, of the third one the middle is elsewhere.
        double x = i == 0 ? 500000 : i == 1 ? -10.0 * WIDTH / 2 + 3 : 4321000;
        Foreign same = {near[i], NULL, {x, 10, 0, i == 1 ? 5.0 * HEIGHT + 2 : 3210000, 0, -10}};
        read_good(write_foreign("same.tif", &same), NULL, NULL, &raster);
        assert_near(raster.cell_x, 10.0, 0.0);
        assert_near(raster.cell_y, 10.0, 0.0);
        assert_string_equal(raster.notes, "");
        gully_raster_free(&raster);
    }
}

/// Degrees and Mercator maps of Mars are measured on Mars.
static void test_other_planets(void** state) {
    (void)state;
    GullyRaster raster;
    const char* sphere = "+proj=longlat +R=3396190 +no_defs";
    Foreign mars = {sphere, NULL, {10, 0.001, 0, 0.0005 * HEIGHT, 0, -0.001}};
    read_good(write_foreign("mars.tif", &mars), NULL, NULL, &raster);
    assert_near(raster.cell_x, 0.001 * 3396190.0 * PI / 180.0, 1e-5);
    assert_near(raster.cell_y, 0.001 * 3396190.0 * PI / 180.0, 1e-5);
    gully_raster_free(&raster);

    const double y = 3396190.0 * log(tan(PI / 4.0 + 0.5 * PI / 3.0)); // at 60 degrees
    Foreign map = {
        "+proj=merc +R=3396190 +units=m +no_defs", NULL, {0, 10, 0, y + 5.0 * HEIGHT, 0, -10}};
    read_good(write_foreign("map.tif", &map), NULL, NULL, &raster);
    assert_near(raster.cell_x, 5.0, 1e-4);
    assert_near(raster.cell_y, 5.0, 1e-4);
    gully_raster_free(&raster);

    Foreign flat = {
        "+proj=eqc +R=3396190 +units=m +no_defs", NULL, {0, 10, 0, 5.0 * HEIGHT, 0, -10}};
    read_good(write_foreign("flat.tif", &flat), NULL, NULL, &raster);
    assert_near(raster.cell_x, 10.0, 0.0);
    gully_raster_free(&raster);
}

// ---- the south first ----

static const Foreign SOUTH = {"EPSG:32618", NULL, {500000, 10, 0, 200000, 0, 10}};

/// In the file row y is y-th from the south, so in a raster that faces north it is the last but y.
static void assert_north_up(const GullyRaster* raster) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_near((double)raster->values[(HEIGHT - 1 - y) * WIDTH + x], (double)number(x, y),
                        1e-2);
    assert_near(raster->georeference.transform[3], 200000 + 10 * HEIGHT, 1e-9);
    assert_near(raster->georeference.transform[5], -10, 1e-9);
}

static void test_face_north(void** state) {
    (void)state;
    GullyRaster raster;
    read_good(write_foreign("south.tif", &SOUTH), NULL, NULL, &raster);
    assert_heights(&raster, 1.0); // scenes have the order of the file
    assert_note(&raster, "its first row is the southernmost");
    gully_raster_face_north(&raster);
    assert_north_up(&raster);
    gully_raster_face_north(&raster);
    assert_north_up(&raster);
    gully_raster_free(&raster);

    // Turned by half a circle: both ways.
    Foreign half = {"EPSG:32618", NULL, {500000, -10, 0, 200000, 0, 10}};
    read_good(write_foreign("half.tif", &half), NULL, NULL, &raster);
    gully_raster_face_north(&raster);
    assert_near((double)raster.values[0], (double)number(WIDTH - 1, HEIGHT - 1), 0.0);
    assert_near(raster.georeference.transform[0], 500000 - 10 * WIDTH, 1e-9);
    assert_near(raster.georeference.transform[1], 10, 1e-9);
    gully_raster_free(&raster);
}

/// Turned is fine and pointed out; cells that are no rectangles on the ground are refused.
static void test_turned(void** state) {
    (void)state;
    const double c = 10.0 * cos(PI / 6.0), s = 10.0 * sin(PI / 6.0), second = 1.0 / 3600.0;
    GullyRaster raster;
    Foreign turned = {"EPSG:32618", NULL, {500000, c, s, 200000, s, -c}};
    read_good(write_foreign("turned.tif", &turned), NULL, NULL, &raster);
    assert_near(raster.cell_x, 10.0, 1e-9);
    assert_near(raster.cell_y, 10.0, 1e-9);
    assert_note(&raster, "it is turned by 30 degrees");
    gully_raster_free(&raster);

    Foreign west = {"EPSG:32618", NULL, {500000, -10, 0, 200000, 0, -10}};
    read_good(write_foreign("west.tif", &west), NULL, NULL, &raster);
    assert_note(&raster, "its first column is the easternmost");
    gully_raster_free(&raster);

    const Foreign slanted[] = {
        {"EPSG:32618", NULL, {500000, 10, 5, 200000, 0, -10}},
        {"EPSG:4326", NULL, {11, c * second, s * second, 60, s * second, -c * second}},
    };
    for (int i = 0; i < 2; i++) {
        const char* path = write_foreign("slanted.tif", &slanted[i]);
        assert_int_equal(gully_raster_read(path, NULL, NULL, &raster), GULLY_BAD_INPUT);
        assert_message(path, "degrees on the ground; must be 90. GDAL makes such a raster");
    }
}

/// Programs that heed no georeference get the north first; GeoTIFF stays as it is.
static void test_south_exported(void** state) {
    (void)state;
    static const char* const files[] = {"s.png", "s.exr", "s.r32", "s.asc"};
    GullyRaster raster, back;
    read_good(write_foreign("south.tif", &SOUTH), NULL, NULL, &raster);
    GullyExportDef def = gully_export_default();
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (strstr(files[i], "exr") != NULL && !exr_is_built()) continue;
        assert_int_equal(gully_export(in_scratch(files[i]), "s", &raster, &def, NULL), GULLY_OK);
        read_good(in_scratch(files[i]), NULL, NULL, &back);
        assert_north_up(&back);
        gully_raster_free(&back);
    }
    assert_int_equal(gully_export(in_scratch("s.tif"), "s", &raster, &def, NULL), GULLY_OK);
    read_good(in_scratch("s.tif"), NULL, NULL, &back);
    assert_values(&back, raster.values);
    assert_near(back.georeference.transform[5], 10, 0.0);
    gully_raster_free(&back);

    def.preset = "blender";
    assert_int_equal(gully_export(in_scratch("p.tif"), "p", &raster, &def, NULL), GULLY_OK);
    read_good(in_scratch("p.tif"), NULL, NULL, &back);
    assert_north_up(&back);
    gully_raster_free(&back);
    assert_heights(&raster, 1.0); // what was given is as it was
    gully_raster_free(&raster);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_feet, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_told, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_written_again, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_mosaic_of_feet, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_name_and_unit, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_web_mercator, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_distorted_maps, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_other_planets, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_face_north, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_turned, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_south_exported, scratch_make, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
