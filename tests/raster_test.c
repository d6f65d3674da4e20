// SPDX-License-Identifier: MIT
// Reading rasters: what is read is what is there, cell sizes against closed forms, and every bad
// input has its message.
//
// Inputs are made without GDAL: ESRI ASCII grids, and VRT files (GDAL's XML) over raw numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gully/raster.h"
#include "raster_cases.h"
#include "scratch.h"

#define PI 3.14159265358979323846
#define WGS84_GRADS                                                                                \
    "GEOGCS[\"in grads\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"          \
    "PRIMEM[\"Greenwich\",0],UNIT[\"grad\",0.015707963267949]]"

// ---- inputs ----

static void assert_bad_input(const char* path, const char* part) {
    GullyRaster raster;
    memset(&raster, 0x55, sizeof raster);
    assert_int_equal(gully_raster_read(path, NULL, NULL, &raster), GULLY_BAD_INPUT);
    assert_message(path, part);
    assert_null(raster.values);
    assert_null(raster.georeference.projection);
}

// ---- reading ----

static void test_nodata_and_types(void** state) {
    (void)state;
    GullyRaster raster;

    const int16_t shorts[6] = {-32768, -32767, 0, 1, 32767, -32768};
    const Vrt int16 = {.width = 3,
                       .height = 2,
                       .type = "Int16",
                       .bytes = 2,
                       .numbers = shorts,
                       .band = "<NoDataValue>-32768</NoDataValue>"};
    read_good(write_vrt("short.vrt", &int16), NULL, NULL, &raster);
    assert_values(&raster, (float[]){NAN, -32767, 0, 1, 32767, NAN});
    assert_string_equal(raster.type, "Int16");
    assert_string_equal(raster.driver, "VRT");
    gully_raster_free(&raster);

    // Out of the type's range: no byte is that.
    const unsigned char bytes[3] = {0, 241, 255};
    const Vrt byte = {.width = 3,
                      .height = 1,
                      .type = "Byte",
                      .bytes = 1,
                      .numbers = bytes,
                      .band = "<NoDataValue>-9999</NoDataValue>"};
    read_good(write_vrt("byte.vrt", &byte), NULL, NULL, &raster);
    assert_values(&raster, (float[]){0, 241, 255});
    gully_raster_free(&raster);

    const Vrt signed_byte = {
        .width = 3,
        .height = 1,
        .type = "Byte",
        .bytes = 1,
        .numbers = bytes,
        .band = "<Metadata domain=\"IMAGE_STRUCTURE\"><MDI key=\"PIXELTYPE\">SIGNEDBYTE</MDI>"
                "</Metadata><NoDataValue>-1</NoDataValue>"};
    read_good(write_vrt("signed.vrt", &signed_byte), NULL, NULL, &raster);
    assert_values(&raster, (float[]){0, -15, NAN});
    assert_string_equal(raster.type, "Int8");
    gully_raster_free(&raster);

    // As a double 0.1 is not the float 0.1; and the lowest float, written with ten digits.
    const float floats[6] = {0.1f, 1.5f, NAN, INFINITY, -INFINITY, -FLT_MAX};
    Vrt real = {.width = 3,
                .height = 2,
                .type = "Float32",
                .bytes = 4,
                .numbers = floats,
                .band = "<NoDataValue>0.1</NoDataValue>"};
    read_good(write_vrt("float.vrt", &real), NULL, NULL, &raster);
    assert_values(&raster, (float[]){NAN, 1.5f, NAN, NAN, NAN, -FLT_MAX});
    gully_raster_free(&raster);
    real.band = "<NoDataValue>-3.402823466e+38</NoDataValue>";
    read_good(write_vrt("lowest.vrt", &real), NULL, NULL, &raster);
    assert_values(&raster, (float[]){0.1f, 1.5f, NAN, NAN, NAN, NAN});
    gully_raster_free(&raster);

    // Two 64-bit integers that are the same double.
    const int64_t longs[2] = {9007199254740993, 9007199254740992};
    const Vrt int64 = {.width = 2,
                       .height = 1,
                       .type = "Int64",
                       .bytes = 8,
                       .numbers = longs,
                       .band = "<NoDataValue>9007199254740993</NoDataValue>"};
    read_good(write_vrt("long.vrt", &int64), NULL, NULL, &raster);
    assert_values(&raster, (float[]){NAN, 9007199254740992.0f});
    gully_raster_free(&raster);

    // A finite double that no float holds.
    const double doubles[4] = {1e39, -1e300, 1.0 / 3.0, 3.4e38};
    const Vrt wide = {.width = 2, .height = 2, .type = "Float64", .bytes = 8, .numbers = doubles};
    read_good(write_vrt("double.vrt", &wide), NULL, NULL, &raster);
    assert_values(&raster, (float[]){NAN, NAN, (float)(1.0 / 3.0), 3.4e38f});
    gully_raster_free(&raster);
}

static void test_mask(void** state) {
    (void)state;
    const float floats[4] = {1, 2, 3, 4};
    write_plain("mask.raw", (const unsigned char[]){255, 0, 1, 0}, 4);
    const Vrt vrt = {.width = 2,
                     .height = 2,
                     .type = "Float32",
                     .bytes = 4,
                     .numbers = floats,
                     .dataset =
                         "<MaskBand><VRTRasterBand dataType=\"Byte\" subClass=\"VRTRawRasterBand\">"
                         "<SourceFilename relativeToVRT=\"1\">mask.raw</SourceFilename>"
                         "<PixelOffset>1</PixelOffset><LineOffset>2</LineOffset>"
                         "</VRTRasterBand></MaskBand>"};
    GullyRaster raster;
    read_good(write_vrt("masked.vrt", &vrt), NULL, NULL, &raster);
    assert_values(&raster, (float[]){1, NAN, 3, NAN});
    gully_raster_free(&raster);
}

static void test_alpha_is_no_mask(void** state) {
    (void)state;
    const float floats[2] = {1, 2};
    write_plain("alpha.raw", (const unsigned char[]){0, 255}, 2);
    const Vrt vrt = {
        .width = 2,
        .height = 1,
        .type = "Float32",
        .bytes = 4,
        .numbers = floats,
        .dataset = "<VRTRasterBand dataType=\"Byte\" band=\"2\" subClass=\"VRTRawRasterBand\">"
                   "<ColorInterp>Alpha</ColorInterp>"
                   "<SourceFilename relativeToVRT=\"1\">alpha.raw</SourceFilename>"
                   "<PixelOffset>1</PixelOffset><LineOffset>2</LineOffset></VRTRasterBand>"};
    GullyRaster raster;
    read_good(write_vrt("alpha.vrt", &vrt), NULL, NULL, &raster);
    assert_values(&raster, (float[]){1, 2});
    gully_raster_free(&raster);
}

static void test_scale_and_offset(void** state) {
    (void)state;
    const uint16_t numbers[4] = {0, 1, 1000, 65535};
    const Vrt vrt = {.width = 4,
                     .height = 1,
                     .type = "UInt16",
                     .bytes = 2,
                     .numbers = numbers,
                     .band =
                         "<NoDataValue>65535</NoDataValue><Offset>-500</Offset><Scale>0.1</Scale>"};
    const char* path = write_vrt("scaled.vrt", &vrt);
    const double scale = 2.0, offset = 7.0;
    GullyRaster raster;
    read_good(path, NULL, NULL, &raster);
    assert_values(&raster, (float[]){-500, (float)(1 * 0.1 - 500), -400, NAN});
    gully_raster_free(&raster);
    read_good(path, &scale, NULL, &raster);
    assert_values(&raster, (float[]){-500, -498, 1500, NAN});
    gully_raster_free(&raster);
    read_good(path, NULL, &offset, &raster);
    assert_values(&raster, (float[]){7, (float)(1 * 0.1 + 7), 107, NAN});
    gully_raster_free(&raster);
    read_good(path, &scale, &offset, &raster);
    assert_values(&raster, (float[]){7, 9, 2007, NAN});
    gully_raster_free(&raster);
}

static void test_ascii_grid(void** state) {
    (void)state;
    write_text("grid.asc", "ncols 3\nnrows 2\nxllcorner 1000\nyllcorner 2000\ncellsize 2.5\n"
                           "NODATA_value -9999\n1.5 2 -9999\n4 5 6.25\n");
    GullyRaster raster;
    read_good(in_scratch("grid.asc"), NULL, NULL, &raster);
    assert_int_equal(raster.width, 3);
    assert_int_equal(raster.height, 2);
    assert_values(&raster, (float[]){1.5f, 2, NAN, 4, 5, 6.25f});
    assert_string_equal(raster.driver, "AAIGrid");
    assert_true(raster.georeference.known);
    assert_false(raster.georeference.geographic);
    const double transform[6] = {1000, 2.5, 0, 2005, 0, -2.5};
    assert_memory_equal(raster.georeference.transform, transform, sizeof transform);
    assert_true(raster.cell_x == 2.5 && raster.cell_y == 2.5);
    gully_raster_free(&raster);
    assert_holds(scratch_folder(), "grid.asc ");
}

/// More rows than are read at once, and a width that does not divide anything.
static void test_many_rows(void** state) {
    (void)state;
    enum { WIDTH = 1237, HEIGHT = 1801 };
    double* numbers = malloc(WIDTH * HEIGHT * sizeof *numbers);
    assert_non_null(numbers);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        numbers[i] = i % 1009 == 0 ? -1.0 : i * 0.25;
    const Vrt vrt = {.width = WIDTH,
                     .height = HEIGHT,
                     .type = "Float64",
                     .bytes = 8,
                     .numbers = numbers,
                     .band = "<NoDataValue>-1</NoDataValue>"};
    GullyRaster raster;
    read_good(write_vrt("many.vrt", &vrt), NULL, NULL, &raster);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        if (i % 1009 == 0)
            assert_true(isnan(raster.values[i]));
        else
            assert_true(raster.values[i] == (float)numbers[i]);
    }
    gully_raster_free(&raster);
    free(numbers);
}

// ---- cell sizes ----

/// Metres per degree of latitude, from the semi-axes: M = (a b)^2 / (a^2 cos^2 + b^2 sin^2)^(3/2).
static double degree_of_latitude(double lat) {
    const double a = 6378137.0, b = 6356752.314245179;
    double w2 = a * a * cos(lat) * cos(lat) + b * b * sin(lat) * sin(lat);
    return a * b * a * b / pow(w2, 1.5) * PI / 180;
}

/// Metres per degree of longitude, from the reduced latitude: the circle has the radius a cos beta
/// with tan beta = b / a tan lat.
static double degree_of_longitude(double lat) {
    const double a = 6378137.0, b = 6356752.314245179;
    return a * cos(atan(b / a * tan(lat))) * PI / 180;
}

static void test_geographic_cells(void** state) {
    (void)state;
    GullyRaster raster;
    // 10 x 20 cells of 0.1 x 0.05 degrees, the centre at the latitude asked for.
    const double latitudes[] = {0, 36.5, -45, 60, 89};
    for (int i = 0; i < 5; ++i) {
        char transform[128];
        snprintf(transform, sizeof transform, "10,0.1,0,%.17g,0,-0.05", latitudes[i] + 0.5);
        read_cells(WGS84, transform, &raster);
        double lat = latitudes[i] * PI / 180;
        assert_near(raster.cell_x, 0.1 * degree_of_longitude(lat), 1e-7);
        assert_near(raster.cell_y, 0.05 * degree_of_latitude(lat), 1e-7);
        assert_true(raster.georeference.geographic && raster.georeference.known);
        assert_non_null(raster.georeference.projection);
        gully_raster_free(&raster);
    }
    // What tables print, in km: at the equator 111.320 and 110.574, at 60 degrees 55.800 and
    // 111.412.
    read_cells(WGS84, "0,1,0,10,0,-1", &raster);
    assert_near(raster.cell_x, 111320, 1);
    assert_near(raster.cell_y, 110574, 1);
    gully_raster_free(&raster);
    read_cells(WGS84, "0,1,0,70,0,-1", &raster);
    assert_near(raster.cell_x, 55800, 1);
    assert_near(raster.cell_y, 111412, 1);
    gully_raster_free(&raster);
    // In grads: 50 of them are 45 degrees.
    read_cells(WGS84_GRADS, "0,1,0,60,0,-1", &raster);
    assert_near(raster.cell_x, 0.9 * degree_of_longitude(PI / 4), 1e-6);
    assert_near(raster.cell_y, 0.9 * degree_of_latitude(PI / 4), 1e-6);
    gully_raster_free(&raster);
    // Turned by 90 degrees: a step along the row goes north.
    read_cells(WGS84, "0,0,-1,-5,1,0", &raster);
    assert_near(raster.cell_x, degree_of_latitude(0), 1e-6);
    assert_near(raster.cell_y, degree_of_longitude(0), 1e-6);
    gully_raster_free(&raster);
}

static void test_projected_cells(void** state) {
    (void)state;
    GullyRaster raster;
    read_cells(MERCATOR("UNIT[\"metre\",1]"), "500000,30,0,5000000,0,-20", &raster);
    assert_near(raster.cell_x, 30, 1e-12);
    assert_near(raster.cell_y, 20, 1e-12);
    assert_false(raster.georeference.geographic);
    gully_raster_free(&raster);
    read_cells(MERCATOR("UNIT[\"foot\",0.3048]"), "500000,10,0,5000000,0,-20", &raster);
    assert_near(raster.cell_x, 3.048, 1e-12);
    assert_near(raster.cell_y, 6.096, 1e-12);
    gully_raster_free(&raster);
    read_cells(MERCATOR("UNIT[\"US survey foot\",0.304800609601219]"),
               "500000,1000,0,5000000,0,-1000", &raster);
    assert_near(raster.cell_x, 1200000.0 / 3937.0, 1e-9);
    gully_raster_free(&raster);
    // Turned, 3-4-5 triangles; the first row in the south.
    read_cells(NULL, "0,3,-8,0,4,6", &raster);
    assert_near(raster.cell_x, 5, 1e-12);
    assert_near(raster.cell_y, 10, 1e-12);
    assert_true(raster.georeference.known);
    assert_null(raster.georeference.projection);
    gully_raster_free(&raster);
}

static void test_no_georeference(void** state) {
    (void)state;
    GullyRaster raster;
    const double plain[6] = {0, 1, 0, 20, 0, -1};
    const char* const transforms[] = {NULL, "5,0,0,5,0,0", "0,nan,0,0,0,-1"};
    for (int i = 0; i < 3; ++i) {
        read_cells(WGS84, transforms[i], &raster);
        assert_false(raster.georeference.known);
        assert_false(raster.georeference.geographic);
        assert_null(raster.georeference.projection);
        assert_true(raster.cell_x == 1 && raster.cell_y == 1);
        assert_memory_equal(raster.georeference.transform, plain, sizeof plain);
        gully_raster_free(&raster);
    }
    GullyGeoreference made = gully_georeference_plain(7, 2.0, 3.0);
    const double transform[6] = {0, 2, 0, 21, 0, -3};
    assert_memory_equal(made.transform, transform, sizeof transform);
    assert_false(made.known || made.geographic);
    assert_null(made.projection);
}

// ---- bad inputs ----

static void test_bad_files(void** state) {
    (void)state;
    assert_bad_input(in_scratch("missing.tif"), ": no such file");
    assert_bad_input(in_scratch("no/folder/a.tif"), ": no such file");
    write_text("empty.tif", "");
    assert_bad_input(in_scratch("empty.tif"), "empty");
    write_text("text.tif", "Dear diary,\ntoday I was called a raster.\n");
    assert_bad_input(in_scratch("text.tif"), "not a raster");
    assert_bad_input(in_scratch("text.tif/a.tif"), "Not a directory");
    assert_bad_input(scratch_folder(), "is a folder");
    assert_bad_input("/dev/null", "a device");
    assert_int_equal(mkfifo(in_scratch("pipe.tif"), 0600), 0);
    assert_bad_input(in_scratch("pipe.tif"), "is a pipe");
}

static void test_bad_rasters(void** state) {
    (void)state;
    Vrt vrt = {.width = 2, .height = 2, .type = "CFloat32", .bytes = 8};
    assert_bad_input(write_vrt("complex.vrt", &vrt), "CFloat32");
    vrt = (Vrt){.width = 50000, .height = 50000, .type = "Byte", .bytes = 1};
    assert_bad_input(write_vrt("huge.vrt", &vrt), "50000 x 50000 cells; must be 1 to 2147483647");
    vrt = (Vrt){.width = 2,
                .height = 2,
                .type = "Byte",
                .bytes = 1,
                .transform = "0,1,0,95,0,-1",
                .srs = WGS84};
    assert_bad_input(write_vrt("pole.vrt", &vrt), "latitude 94 degrees");
    write_text("cut.asc", "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n4 5");
    assert_bad_input(in_scratch("cut.asc"), "cut short");
}

/// A netCDF file of two variables: GDAL opens it as a list of rasters, itself without a band.
static void test_no_band(void** state) {
    (void)state;
    const uint32_t x = (uint32_t)'x' << 24, y = (uint32_t)'y' << 24; // names, padded
    const uint32_t a = (uint32_t)'a' << 24, b = (uint32_t)'b' << 24;
    const uint32_t one = 0x3f800000; // 1.0f
    // clang-format off
    uint32_t words[] = {
        0x43444601, 0,                     // "CDF" 1, no records
        10, 2, 1, y, 2, 1, x, 2,           // two dimensions of 2
        0, 0,                              // no attributes
        11, 2,                             // two variables:
        1, a, 2, 0, 1, 0, 0, 5, 16, 136,   // float a[y][x], from byte 136
        1, b, 2, 0, 1, 0, 0, 5, 16, 152,   // float b[y][x], from byte 152
        0, 0, 0, 0, one, one, one, 0,      // netCDF's first row is the south
    };
    // clang-format on
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        words[i] = htonl(words[i]);
    write_plain("two.nc", words, sizeof words);
    assert_bad_input(in_scratch("two.nc"),
                     "has no band; it holds several rasters, name one of them: "
                     "NETCDF:");
    char name[1100];
    snprintf(name, sizeof name, "NETCDF:\"%s\":b", in_scratch("two.nc"));
    GullyRaster raster;
    read_good(name, NULL, NULL, &raster);
    assert_values(&raster, (float[]){1, 0, 1, 1});
    gully_raster_free(&raster);
}

static void test_cut_tiff(void** state) {
    (void)state;
    GullyRaster raster = make_raster(300, 200);
    const char* path = in_scratch("cut.tif");
    assert_int_equal(gully_raster_write(path, &raster), GULLY_OK);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    const off_t sizes[] = {info.st_size - 1, info.st_size / 2, 100, 10, 3};
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(truncate(path, sizes[i]), 0);
        assert_bad_input(path, i < 2 ? "cut short" : "not a raster");
    }
    gully_raster_free(&raster);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_make, scratch_remove)
    const struct CMUnitTest tests[] = {
        TEST(test_nodata_and_types), TEST(test_mask),
        TEST(test_alpha_is_no_mask), TEST(test_scale_and_offset),
        TEST(test_ascii_grid),       TEST(test_many_rows),
        TEST(test_geographic_cells), TEST(test_projected_cells),
        TEST(test_no_georeference),  TEST(test_bad_files),
        TEST(test_bad_rasters),      TEST(test_no_band),
        TEST(test_cut_tiff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
