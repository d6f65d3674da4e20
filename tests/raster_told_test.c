// SPDX-License-Identifier: MIT
// What a reader is told about a raster (GULLY_READ_TABLE), and what it notes if it is told nothing.
// GDAL writes the files.
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

#include "gully/export.h"
#include "raster_cases.h"
#include "scratch.h"

enum { WIDTH = 4, HEIGHT = 3, CELLS = WIDTH * HEIGHT };

/// Writes bands of numbers; `driver` PNG goes through a copy.
static const char* write_bands(const char* name, const char* driver, GDALDataType type, int bands,
                               const double* numbers) {
    GDALAllRegister();
    bool copy = strcmp(driver, "GTiff") != 0;
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName(copy ? "MEM" : driver), in_scratch(name),
                                      WIDTH, HEIGHT, bands, type, NULL);
    assert_non_null(dataset);
    for (int b = 0; b < bands; b++)
        assert_int_equal(GDALRasterIO(GDALGetRasterBand(dataset, b + 1), GF_Write, 0, 0, WIDTH,
                                      HEIGHT, (void*)(numbers + b * CELLS), WIDTH, HEIGHT,
                                      GDT_Float64, 0, 0),
                         CE_None);
    if (copy) {
        GDALDatasetH made = GDALCreateCopy(GDALGetDriverByName(driver), in_scratch(name), dataset,
                                           FALSE, NULL, NULL, NULL);
        assert_non_null(made);
        GDALClose(made);
    }
    GDALClose(dataset);
    return in_scratch(name);
}

static void read_told(const char* path, const GullyReadDef* def, GullyRaster* out) {
    if (gully_raster_read_as(path, def, out) != GULLY_OK) fail_msg("%s", gully_message());
}

static void assert_refused(const char* path, const GullyReadDef* def, const char* part) {
    GullyRaster raster;
    assert_int_equal(gully_raster_read_as(path, def, &raster), GULLY_BAD_INPUT);
    assert_message(path, part);
    assert_null(raster.values);
}

static void assert_note(const GullyRaster* raster, const char* part) {
    if (strstr(raster->notes, part) == NULL)
        fail_msg("\"%s\" is not in the notes \"%s\"", part, raster->notes);
}

static const double COUNTS[CELLS] = {0, 1, 2, 3, 100, 101, 102, 103, 252, 253, 254, 255};

// ---- the table ----

static void test_table(void** state) {
    (void)state;
    int count;
    const GullyReadRow* rows = gully_read_rows(&count);
    assert_int_equal(count, 6);
    assert_string_equal(rows[0].name, "range");
    assert_int_equal(rows[0].fewest, 2);
    assert_string_equal(rows[1].arguments, "X [Y]");
    assert_int_equal(rows[1].fewest, 1);
    assert_int_equal(rows[1].most, 2);
    assert_string_equal(rows[3].name, "nodata_in");
    assert_string_equal(rows[3].option, "nodata-in");
    assert_true(rows[5].choice);
}

// ---- counts ----

static void test_range(void** state) {
    (void)state;
    const GullyReadDef def = {.range = {2, {-100, 410}}};
    static const struct {
        const char *name, *driver;
        GDALDataType type;
        double greatest;
    } cases[] = {
        {"byte.png", "PNG", GDT_Byte, 255},
        {"short.png", "PNG", GDT_UInt16, 65535},
        {"byte.tif", "GTiff", GDT_Byte, 255},
        {"long.tif", "GTiff", GDT_UInt32, 4294967295.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        GullyRaster raster;
        read_told(write_bands(cases[i].name, cases[i].driver, cases[i].type, 1, COUNTS), &def,
                  &raster);
        for (int k = 0; k < CELLS; k++)
            assert_near((double)raster.values[k], -100 + 510 * COUNTS[k] / cases[i].greatest, 1e-4);
        gully_raster_free(&raster);
    }
    GullyRaster raster;
    double shares[CELLS];
    for (int k = 0; k < CELLS; k++)
        shares[k] = COUNTS[k] / 255;
    read_told(write_bands("share.tif", "GTiff", GDT_Float32, 1, shares), &def, &raster);
    assert_near((double)raster.values[11], 410, 1e-4);
    gully_raster_free(&raster);

    assert_refused(write_bands("metres.tif", "GTiff", GDT_Float32, 1, COUNTS), &def,
                   "its numbers are Float32 and not counts from 0 to 1");
    assert_refused(write_bands("signed.tif", "GTiff", GDT_Int16, 1, COUNTS), &def,
                   "its numbers are Int16; a range goes with counts");
    const GullyReadDef turned = {.range = {2, {5, 5}}};
    assert_refused(in_scratch("byte.png"), &turned, "LOW must be below HIGH");
    const double scale = 2;
    const GullyReadDef both = {.range = {2, {0, 1}}, .scale = &scale};
    assert_refused(in_scratch("byte.png"), &both, "say the same thing");
}

/// What is told overrules a sidecar of counts; one of metres has no range.
static void test_sidecars(void** state) {
    (void)state;
    GullyRaster land = make_raster(WIDTH, HEIGHT), raster;
    GullyExportDef out = gully_export_default();
    assert_int_equal(gully_export(in_scratch("s.r16"), "s", &land, &out, NULL), GULLY_OK);
    assert_int_equal(gully_export(in_scratch("s.r32"), "s", &land, &out, NULL), GULLY_OK);
    const GullyReadDef def = {.range = {2, {0, 10}}, .cell = {1, {7}}};
    read_told(in_scratch("s.r16"), &def, &raster);
    assert_near((double)raster.values[0], 0, 1e-6);
    assert_near((double)raster.values[CELLS - 1], 10, 1e-6);
    assert_near(raster.cell_x, 7, 0);
    assert_near(raster.cell_y, 7, 0);
    assert_string_equal(raster.notes, "");
    gully_raster_free(&raster);
    assert_refused(in_scratch("s.r32"), &def, "holds metres, as its sidecar says");
    gully_raster_free(&land);
}

// ---- the others ----

static void test_cells(void** state) {
    (void)state;
    const char* path = write_bands("c.png", "PNG", GDT_Byte, 1, COUNTS);
    GullyRaster raster;
    const GullyReadDef cell = {.cell = {2, {5, 6}}}, extent = {.extent = {2, {400, 600}}};
    read_told(path, &cell, &raster);
    assert_near(raster.cell_x, 5, 0);
    assert_near(raster.cell_y, 6, 0);
    assert_near(raster.georeference.transform[1], 5, 0);
    gully_raster_free(&raster);
    read_told(path, &extent, &raster);
    assert_near(raster.cell_x, 100, 0);
    assert_near(raster.cell_y, 200, 0);
    gully_raster_free(&raster);
    const GullyReadDef both = {.cell = {1, {5}}, .extent = {2, {400, 600}}};
    assert_refused(path, &both, "cell and extent say the same thing");
}

static void test_nodata(void** state) {
    (void)state;
    const double numbers[CELLS] = {-9999, 1, 2, 3, -9999, 5, 6, 7, 8, 9, 10, -32768};
    const char* path = write_bands("n.tif", "GTiff", GDT_Int16, 1, numbers);
    GullyRaster raster;
    read_told(path, &(GullyReadDef){0}, &raster);
    assert_note(&raster, "2 cells are -9999, which the file does not call nodata; --nodata-in");
    assert_note(&raster, "1 cells are -32768");
    gully_raster_free(&raster);
    const GullyReadDef def = {.nodata_in = {1, {-9999}}};
    read_told(path, &def, &raster);
    assert_values(&raster, (float[]){NAN, 1, 2, 3, NAN, 5, 6, 7, 8, 9, 10, -32768});
    assert_null(strstr(raster.notes, "2 cells"));
    gully_raster_free(&raster);
    // In feet the cells are still those of -9999.
    const GullyReadDef feet = {.unit = "ft"};
    read_told(path, &feet, &raster);
    assert_note(&raster, "2 cells are -9999");
    assert_near((double)raster.values[1], 0.3048, 1e-6);
    gully_raster_free(&raster);
}

/// Fill values that are nearly the lowest float, or NetCDF's own: what the note says to type works.
static void test_huge(void** state) {
    (void)state;
    static const struct {
        double number;
        const char* note;
    } cases[] = {{-3.40282306e38, "2 cells are -3.40282306e+38"},
                 {9.96920997e36, "2 cells are 9.96920997e+36"},
                 {1e20, "2 cells are 1.00000002e+20"},
                 {-99999, "2 cells are -99999"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double n = cases[i].number;
        const double numbers[CELLS] = {n, 1, 2, 3, n, 5, 6, 7, 8, 9, 10, 11};
        const char* path = write_bands("h.tif", "GTiff", GDT_Float32, 1, numbers);
        GullyRaster raster;
        read_told(path, &(GullyReadDef){0}, &raster);
        assert_note(&raster, cases[i].note);
        const char* asked = strstr(raster.notes, "--nodata-in ");
        assert_non_null(asked);
        const GullyReadDef def = {.nodata_in = {1, {strtod(asked + 12, NULL)}}};
        gully_raster_free(&raster);
        read_told(path, &def, &raster);
        assert_true(isnan(raster.values[0]) && isnan(raster.values[4]));
        assert_null(strstr(raster.notes, "cells are"));
        gully_raster_free(&raster);
    }
}

static void test_bands(void** state) {
    (void)state;
    double numbers[3 * CELLS];
    for (int k = 0; k < 3 * CELLS; k++)
        numbers[k] = 1000 * (k / CELLS) + k % CELLS;
    const char* path = write_bands("b.tif", "GTiff", GDT_Float32, 3, numbers);
    GullyRaster raster;
    read_told(path, &(GullyReadDef){0}, &raster);
    assert_near((double)raster.values[1], 1, 0);
    assert_note(&raster, "read band 1 of 3; --band takes another");
    gully_raster_free(&raster);
    const GullyReadDef second = {.band = {1, {2}}};
    read_told(path, &second, &raster);
    assert_near((double)raster.values[1], 1001, 0);
    assert_null(strstr(raster.notes, "band"));
    gully_raster_free(&raster);
    const GullyReadDef fourth = {.band = {1, {4}}}, half = {.band = {1, {1.5}}};
    assert_refused(path, &fourth, "has 3 bands; there is no band 4");
    assert_refused(path, &half, "must be a whole number");
}

static void test_unit(void** state) {
    (void)state;
    const char* path = write_bands("u.tif", "GTiff", GDT_Float32, 1, COUNTS);
    static const struct {
        const char* unit;
        double metres;
    } cases[] = {{"m", 1}, {"ft", 0.3048}, {"ftUS", 1200.0 / 3937.0}, {"cm", 0.01}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const GullyReadDef def = {.unit = cases[i].unit};
        GullyRaster raster;
        read_told(path, &def, &raster);
        assert_near((double)raster.values[4], 100 * cases[i].metres, 1e-5);
        assert_string_equal(raster.unit, "m");
        gully_raster_free(&raster);
    }
    const GullyReadDef none = {.unit = "furlong"};
    assert_refused(path, &none, "'furlong' is no unit; there are m, ft, ftUS, cm");
}

static void test_assumptions(void** state) {
    (void)state;
    GullyRaster raster;
    read_told(write_bands("a.png", "PNG", GDT_UInt16, 1, COUNTS), &(GullyReadDef){0}, &raster);
    assert_note(&raster, "an image that does not say what its numbers mean: they were taken for");
    assert_note(&raster, "no size of the cells: 1 x 1 m was taken; --cell or --extent gives it");
    gully_raster_free(&raster);
    const GullyReadDef all = {.range = {2, {0, 600}}, .cell = {1, {10}}};
    read_told(in_scratch("a.png"), &all, &raster);
    assert_string_equal(raster.notes, "");
    gully_raster_free(&raster);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test_setup_teardown(test_range, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_sidecars, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_cells, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_nodata, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_huge, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_bands, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_unit, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_assumptions, scratch_make, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
