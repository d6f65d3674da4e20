// Rasters and files: what is read is what was written, cell sizes against closed forms, every bad
// input has its message, and a file is whole or not there.
//
// Inputs are made without GDAL: ESRI ASCII grids, and VRT files (GDAL's XML) over raw numbers.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gully/raster.h"

#define PI 3.14159265358979323846
#define WGS84                                                                                      \
    "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"            \
    "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]"
#define WGS84_GRADS                                                                                \
    "GEOGCS[\"in grads\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"          \
    "PRIMEM[\"Greenwich\",0],UNIT[\"grad\",0.015707963267949]]"
#define MERCATOR(unit)                                                                             \
    "PROJCS[\"of the test\"," WGS84 ",PROJECTION[\"Transverse_Mercator\"],"                        \
    "PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",9],"                       \
    "PARAMETER[\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],"                      \
    "PARAMETER[\"false_northing\",0]," unit "]"

// ---- a folder for each test ----

static char folder[512];

/// The path of a file in the test's folder; eight of them stay valid.
static const char* in_folder(const char* name) {
    static char paths[8][1024];
    static int next;
    next = (next + 1) % 8;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

static int setup(void** state) {
    (void)state;
    const char* root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/gully-raster-XXXXXX", root != NULL ? root : "/tmp");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static void remove_tree(const char* path) {
    DIR* entries = opendir(path);
    for (struct dirent* entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char child[2048];
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        struct stat info;
        if (lstat(child, &info) == 0 && S_ISDIR(info.st_mode))
            remove_tree(child);
        else
            unlink(child);
    }
    if (entries != NULL) closedir(entries);
    rmdir(path);
}

static int teardown(void** state) {
    (void)state;
    remove_tree(folder);
    return 0;
}

static int compare_names(const void* a, const void* b) {
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

/// Asserts that a folder holds these names (in order, with a space after each) and nothing else,
/// hidden files included.
static void assert_holds(const char* path, const char* expected) {
    char* names[64];
    int count = 0;
    char all[4096] = "";
    DIR* entries = opendir(path);
    assert_non_null(entries);
    for (struct dirent* entry; (entry = readdir(entries)) != NULL && count < 64;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            names[count++] = strdup(entry->d_name);
    closedir(entries);
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 0; i < count; ++i) {
        strncat(all, names[i], sizeof all - strlen(all) - 2);
        strcat(all, " ");
        free(names[i]);
    }
    assert_string_equal(all, expected);
}

static void write_plain(const char* name, const void* bytes, size_t size) {
    FILE* file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char* name, const char* text) {
    write_plain(name, text, strlen(text));
}

static void assert_text(const char* name, const char* expected) {
    char text[256] = "";
    FILE* file = fopen(in_folder(name), "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(text, expected);
}

// ---- inputs ----

/// A raster of one band over raw numbers, as VRT.
typedef struct Vrt {
    int width, height;
    const char* type;
    int bytes;             ///< of a number
    const void* numbers;   ///< NULL = a band without a source: zeros
    const char* transform; ///< NULL = none
    const char* srs;       ///< WKT, NULL = none
    const char* band;      ///< more XML inside the band: nodata, scale, ...
    const char* dataset;   ///< more XML after the band: a mask
} Vrt;

static const char* write_vrt(const char* name, const Vrt* vrt) {
    char raw[256], source[1024] = "", text[8192];
    snprintf(raw, sizeof raw, "%s.raw", name);
    if (vrt->numbers != NULL) {
        size_t size = (size_t)vrt->width * (size_t)vrt->height * (size_t)vrt->bytes;
        write_plain(raw, vrt->numbers, size);
        snprintf(source, sizeof source,
                 "<SourceFilename relativeToVRT=\"1\">%s</SourceFilename>"
                 "<PixelOffset>%d</PixelOffset><LineOffset>%d</LineOffset>"
                 "<ByteOrder>LSB</ByteOrder>",
                 raw, vrt->bytes, vrt->bytes * vrt->width);
    }
    snprintf(text, sizeof text,
             "<VRTDataset rasterXSize=\"%d\" rasterYSize=\"%d\">%s%s%s%s%s%s"
             "<VRTRasterBand dataType=\"%s\" band=\"1\"%s>%s%s</VRTRasterBand>%s</VRTDataset>",
             vrt->width, vrt->height, vrt->srs != NULL ? "<SRS>" : "",
             vrt->srs != NULL ? vrt->srs : "", vrt->srs != NULL ? "</SRS>" : "",
             vrt->transform != NULL ? "<GeoTransform>" : "",
             vrt->transform != NULL ? vrt->transform : "",
             vrt->transform != NULL ? "</GeoTransform>" : "", vrt->type,
             vrt->numbers != NULL ? " subClass=\"VRTRawRasterBand\"" : "",
             vrt->band != NULL ? vrt->band : "", source, vrt->dataset != NULL ? vrt->dataset : "");
    write_text(name, text);
    return in_folder(name);
}

static void read_good(const char* path, const double* scale, const double* offset,
                      GullyRaster* out) {
    if (gully_raster_read(path, scale, offset, out) != GULLY_OK)
        fail_msg("not read: %s", gully_message());
}

/// Asserts that the message starts with the path and says `part` after it.
static void assert_message(const char* path, const char* part) {
    const char* message = gully_message();
    if (strncmp(message, path, strlen(path)) != 0 || strstr(message + strlen(path), part) == NULL)
        fail_msg("\"%s\" does not name \"%s\" and \"%s\"", message, path, part);
}

static void assert_bad_input(const char* path, const char* part) {
    GullyRaster raster;
    memset(&raster, 0x55, sizeof raster);
    assert_int_equal(gully_raster_read(path, NULL, NULL, &raster), GULLY_BAD_INPUT);
    assert_message(path, part);
    assert_null(raster.values);
    assert_null(raster.georeference.projection);
}

static void assert_values(const GullyRaster* raster, const float* expected) {
    for (int i = 0; i < raster->width * raster->height; ++i) {
        bool same =
            isnan(expected[i]) ? isnan(raster->values[i]) != 0 : raster->values[i] == expected[i];
        if (!same)
            fail_msg("value %d is %.9g, not %.9g", i, (double)raster->values[i],
                     (double)expected[i]);
    }
}

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g is not within %g of %.12g", value, tolerance, expected);
}

/// A raster with something in every cell; free() its values.
static GullyRaster make_raster(int width, int height) {
    GullyRaster raster = {.width = width, .height = height, .cell_x = 2.0, .cell_y = 3.0};
    raster.georeference = gully_georeference_plain(height, 2.0, 3.0);
    raster.values = malloc((size_t)width * (size_t)height * sizeof(float));
    assert_non_null(raster.values);
    for (int i = 0; i < width * height; ++i)
        raster.values[i] = (float)i * 0.37f - 100.0f;
    return raster;
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
    read_good(in_folder("grid.asc"), NULL, NULL, &raster);
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
    assert_holds(folder, "grid.asc ");
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

static void read_cells(const char* srs, const char* transform, GullyRaster* raster) {
    const Vrt vrt = {
        .width = 10, .height = 20, .type = "Byte", .bytes = 1, .transform = transform, .srs = srs};
    read_good(write_vrt("cells.vrt", &vrt), NULL, NULL, raster);
    free(raster->values);
    raster->values = NULL;
}

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
    assert_bad_input(in_folder("missing.tif"), ": no such file");
    assert_bad_input(in_folder("no/folder/a.tif"), ": no such file");
    write_text("empty.tif", "");
    assert_bad_input(in_folder("empty.tif"), "empty");
    write_text("text.tif", "Dear diary,\ntoday I was called a raster.\n");
    assert_bad_input(in_folder("text.tif"), "not a raster");
    assert_bad_input(in_folder("text.tif/a.tif"), "Not a directory");
    assert_bad_input(folder, "is a folder");
    assert_bad_input("/dev/null", "a device");
    assert_int_equal(mkfifo(in_folder("pipe.tif"), 0600), 0);
    assert_bad_input(in_folder("pipe.tif"), "is a pipe");
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
    assert_bad_input(in_folder("cut.asc"), "cut short");
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
    assert_bad_input(in_folder("two.nc"),
                     "has no band; it holds several rasters, name one of them: "
                     "NETCDF:");
    char name[1100];
    snprintf(name, sizeof name, "NETCDF:\"%s\":b", in_folder("two.nc"));
    GullyRaster raster;
    read_good(name, NULL, NULL, &raster);
    assert_values(&raster, (float[]){1, 0, 1, 1});
    gully_raster_free(&raster);
}

static void test_cut_tiff(void** state) {
    (void)state;
    GullyRaster raster = make_raster(300, 200);
    const char* path = in_folder("cut.tif");
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

// ---- writing ----

static void test_round_trip(void** state) {
    (void)state;
    // The projection as GDAL words it, from a file.
    GullyRaster source;
    read_cells(MERCATOR("UNIT[\"foot\",0.3048]"), "1,2,0,3,0,-4", &source);

    enum { WIDTH = 129, HEIGHT = 67 };
    GullyRaster raster = make_raster(WIDTH, HEIGHT);
    const double transform[6] = {123456.789, 1.0 / 3.0, 0.1, -987654.321, 0.2, -0.7};
    memcpy(raster.georeference.transform, transform, sizeof transform);
    raster.georeference.projection = source.georeference.projection;
    source.georeference.projection = NULL;
    const float special[8] = {NAN, -0.0f, FLT_MAX, -FLT_MAX, FLT_MIN, 1e-45f, 0.1f, -9999.0f};
    memcpy(raster.values + 1000, special, sizeof special);

    assert_int_equal(gully_raster_write(in_folder("a.tif"), &raster), GULLY_OK);
    unlink(in_folder("cells.vrt"));
    assert_holds(folder, "a.tif ");
    GullyRaster back;
    read_good(in_folder("a.tif"), NULL, NULL, &back);
    assert_int_equal(back.width, WIDTH);
    assert_int_equal(back.height, HEIGHT);
    assert_string_equal(back.driver, "GTiff");
    assert_string_equal(back.type, "Float32");
    assert_true(back.georeference.known);
    assert_memory_equal(back.georeference.transform, transform, sizeof transform);
    assert_near(back.cell_x, 0.3048 * hypot(1.0 / 3.0, 0.2), 1e-12);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        if (!isnan(raster.values[i]))
            assert_memory_equal(&back.values[i], &raster.values[i], sizeof(float));
        else
            assert_true(isnan(back.values[i]));
    assert_holds(folder, "a.tif ");

    // Once it has been through a file, the projection stays as it is.
    assert_int_equal(gully_raster_write(in_folder("b.tif"), &back), GULLY_OK);
    GullyRaster again;
    read_good(in_folder("b.tif"), NULL, NULL, &again);
    assert_string_equal(again.georeference.projection, back.georeference.projection);
    assert_memory_equal(again.georeference.transform, transform, sizeof transform);
    gully_raster_free(&again);
    gully_raster_free(&back);
    gully_raster_free(&raster);
    gully_raster_free(&source);
    gully_raster_free(NULL);
}

static void test_geographic_round_trip(void** state) {
    (void)state;
    GullyRaster source, back;
    read_cells(WGS84, "8,0.25,0,50,0,-0.125", &source);
    source.values = calloc(10 * 20, sizeof(float));
    assert_non_null(source.values);
    assert_int_equal(gully_raster_write(in_folder("geo.tif"), &source), GULLY_OK);
    read_good(in_folder("geo.tif"), NULL, NULL, &back);
    assert_true(back.georeference.geographic);
    assert_true(back.cell_x == source.cell_x && back.cell_y == source.cell_y);
    assert_memory_equal(back.georeference.transform, source.georeference.transform,
                        sizeof source.georeference.transform);
    gully_raster_free(&source);
    gully_raster_free(&back);
}

static void test_picture(void** state) {
    (void)state;
    enum { WIDTH = 13, HEIGHT = 7 };
    unsigned char rgb[WIDTH * HEIGHT * 3];
    for (int i = 0; i < WIDTH * HEIGHT * 3; ++i)
        rgb[i] = (unsigned char)(i * 37);
    assert_int_equal(gully_picture_write(in_folder("p.png"), WIDTH, HEIGHT, rgb), GULLY_OK);
    assert_holds(folder, "p.png ");
    for (int band = 0; band < 3; ++band) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "<VRTDataset rasterXSize=\"13\" rasterYSize=\"7\"><VRTRasterBand dataType=\"Byte\" "
            "band=\"1\"><SimpleSource><SourceFilename relativeToVRT=\"1\">p.png"
            "</SourceFilename><SourceBand>%d</SourceBand></SimpleSource></VRTRasterBand>"
            "</VRTDataset>",
            band + 1);
        write_text("band.vrt", text);
        GullyRaster raster;
        read_good(in_folder("band.vrt"), NULL, NULL, &raster);
        for (int i = 0; i < WIDTH * HEIGHT; ++i)
            assert_true(raster.values[i] == (float)rgb[3 * i + band]);
        gully_raster_free(&raster);
    }
}

static void test_file_rights(void** state) {
    (void)state;
    GullyRaster raster = make_raster(4, 4);
    const unsigned char rgb[3] = {1, 2, 3};
    const mode_t masks[] = {022, 077, 0};
    for (int i = 0; i < 3; ++i) {
        mode_t before = umask(masks[i]);
        GullyStatus bytes = gully_file_write(in_folder("f.txt"), "abc", 3);
        GullyStatus tiff = gully_raster_write(in_folder("f.tif"), &raster);
        GullyStatus png = gully_picture_write(in_folder("f.png"), 1, 1, rgb);
        umask(before);
        assert_true(bytes == GULLY_OK && tiff == GULLY_OK && png == GULLY_OK);
        const char* const names[] = {"f.txt", "f.tif", "f.png"};
        for (int k = 0; k < 3; ++k) {
            struct stat info;
            assert_int_equal(stat(in_folder(names[k]), &info), 0);
            assert_int_equal(info.st_mode & 0777, 0666 & ~masks[i]);
        }
    }
    gully_raster_free(&raster);
}

static void test_links_and_long_names(void** state) {
    (void)state;
    assert_int_equal(mkdir(in_folder("real"), 0777), 0);
    write_text("real/a.txt", "old");
    assert_int_equal(symlink("real/a.txt", in_folder("link.txt")), 0);
    assert_int_equal(gully_file_write(in_folder("link.txt"), "new", 3), GULLY_OK);
    assert_text("real/a.txt", "new");
    assert_holds(folder, "link.txt real ");
    assert_holds(in_folder("real"), "a.txt ");

    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_int_equal(gully_file_write(in_folder(name), "", 0), GULLY_OK);
    assert_int_equal(access(in_folder(name), F_OK), 0);
}

/// Every writer must fail at `path` and say `part`.
static void assert_unwritable(const char* path, const char* part) {
    GullyRaster raster = make_raster(4, 4);
    const unsigned char rgb[3] = {1, 2, 3};
    assert_int_equal(gully_file_write(path, "abc", 3), GULLY_FAILED);
    assert_message(path, part);
    assert_int_equal(gully_raster_write(path, &raster), GULLY_FAILED);
    assert_message(path, part);
    assert_int_equal(gully_picture_write(path, 1, 1, rgb), GULLY_FAILED);
    assert_message(path, part);
    gully_raster_free(&raster);
}

static void test_unwritable(void** state) {
    (void)state;
    write_text("file", "x");
    assert_unwritable(in_folder("file/a.tif"), "Not a directory");
    assert_unwritable(in_folder("missing/a.tif"), "No such file or directory");
    assert_unwritable(folder, "is a folder");
    assert_unwritable("/dev/null", "not a plain file");
    assert_holds(folder, "file ");
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

/// Whether the writers fail for `reason` and leave what was there; for a child process, so it says
/// by its exit code which of them did not.
static int try_full(const char* path, const GullyRaster* raster, const unsigned char* rgb, int size,
                    const char* reason) {
    size_t cells = (size_t)raster->width * (size_t)raster->height;
    if (gully_raster_write(path, raster) != GULLY_FAILED) return 1;
    if (strncmp(gully_message(), path, strlen(path)) != 0) return 2;
    if (strstr(gully_message(), reason) == NULL) return 3;
    if (gully_file_write(path, raster->values, cells * sizeof(float)) != GULLY_FAILED) return 4;
    if (strstr(gully_message(), reason) == NULL) return 5;
    if (gully_picture_write(path, size, size, rgb) != GULLY_FAILED) return 6;
    if (strstr(gully_message(), reason) == NULL) return 7;
    return 0;
}

/// Bytes that do not compress.
static unsigned char* make_noise(size_t size) {
    unsigned char* noise = malloc(size);
    assert_non_null(noise);
    uint32_t x = 1;
    for (size_t i = 0; i < size; ++i) {
        x = x * 1664525u + 1013904223u;
        noise[i] = (unsigned char)(x >> 24);
    }
    return noise;
}

/// Files may not grow beyond a limit, from one that leaves no room at all to one byte too little.
static void test_file_size_limit(void** state) {
    (void)state;
    GullyRaster raster = make_raster(250, 160);
    unsigned char* noise = make_noise(240 * 240 * 3);
    const char* path = in_folder("kept.tif");
    assert_int_equal(gully_raster_write(path, &raster), GULLY_OK);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    rlim_t whole = (rlim_t)info.st_size;
    assert_int_equal(gully_file_write(path, "old", 3), GULLY_OK);

    const rlim_t limits[] = {0, 1000, 65536, 159999, whole - 300, whole - 1};
    for (int i = 0; i < 6; ++i) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            signal(SIGXFSZ, SIG_IGN);
            const struct rlimit limit = {limits[i], limits[i]};
            if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(100);
            if (limits[i] >= 160000) // only the TIFF is too big
                _exit(gully_raster_write(path, &raster) == GULLY_FAILED &&
                              strstr(gully_message(), strerror(EFBIG)) != NULL
                          ? 0
                          : 50);
            _exit(try_full(path, &raster, noise, 240, strerror(EFBIG)));
        }
        int result;
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_true(WIFEXITED(result));
        assert_int_equal(WEXITSTATUS(result), 0);
        assert_text("kept.tif", "old");
        assert_holds(folder, "kept.tif ");
    }
    free(noise);
    gully_raster_free(&raster);
}

/// A disk of 64 KiB; only where mounting is allowed.
static void test_full_disk(void** state) {
    (void)state;
    const char* disk = in_folder("disk");
    assert_int_equal(mkdir(disk, 0777), 0);
    if (mount("none", disk, "tmpfs", 0, "size=64k") != 0) skip();
    GullyRaster raster = make_raster(250, 160), small = make_raster(100, 100);
    unsigned char* noise = make_noise(240 * 240 * 3);
    int tried = try_full(in_folder("disk/a.tif"), &raster, noise, 240, strerror(ENOSPC));
    GullyStatus fits = gully_raster_write(in_folder("disk/small.tif"), &small);
    // In a set the second file finds the room taken by the first.
    gully_outputs_begin();
    GullyStatus first = gully_file_write(in_folder("disk/b.txt"), noise, 20000);
    GullyStatus second = gully_raster_write(in_folder("disk/small.tif"), &small);
    gully_outputs_abandon();
    DIR* entries = opendir(disk);
    int count = 0;
    while (entries != NULL && readdir(entries) != NULL)
        ++count;
    if (entries != NULL) closedir(entries);
    assert_int_equal(umount(disk), 0);
    assert_int_equal(tried, 0);
    assert_int_equal(fits, GULLY_OK);
    assert_int_equal(first, GULLY_OK);
    assert_int_equal(second, GULLY_FAILED);
    assert_int_equal(count, 3); // ".", "..", small.tif
    free(noise);
    gully_raster_free(&raster);
    gully_raster_free(&small);
}

// ---- sets and folders ----

static void test_outputs_commit(void** state) {
    (void)state;
    GullyRaster raster = make_raster(5, 4);
    const unsigned char rgb[3] = {1, 2, 3};
    write_text("a.txt", "old");
    gully_outputs_begin();
    assert_int_equal(gully_file_write(in_folder("a.txt"), "new", 3), GULLY_OK);
    assert_int_equal(gully_raster_write(in_folder("b.tif"), &raster), GULLY_OK);
    assert_int_equal(gully_picture_write(in_folder("c.png"), 1, 1, rgb), GULLY_OK);
    assert_int_equal(gully_file_write(in_folder("a.txt"), "newer", 5), GULLY_OK);
    assert_text("a.txt", "old");
    assert_int_equal(access(in_folder("b.tif"), F_OK), -1);
    assert_int_equal(gully_outputs_commit(), GULLY_OK);
    assert_text("a.txt", "newer");
    assert_holds(folder, "a.txt b.tif c.png ");
    GullyRaster back;
    read_good(in_folder("b.tif"), NULL, NULL, &back);
    assert_values(&back, raster.values);
    gully_raster_free(&back);
    gully_raster_free(&raster);
    // Without a set a write is there at once.
    assert_int_equal(gully_file_write(in_folder("d.txt"), "d", 1), GULLY_OK);
    assert_text("d.txt", "d");
}

static void test_outputs_abandon(void** state) {
    (void)state;
    write_text("a0", "old");
    gully_outputs_begin();
    for (int i = 0; i < 40; ++i) {
        char name[16];
        snprintf(name, sizeof name, "a%d", i);
        assert_int_equal(gully_file_write(in_folder(name), "new", 3), GULLY_OK);
    }
    assert_int_equal(gully_file_write(in_folder("missing/b"), "x", 1), GULLY_FAILED);
    gully_outputs_abandon();
    assert_message(in_folder("missing/b"), "No such file"); // what went wrong is still said
    assert_text("a0", "old");
    assert_holds(folder, "a0 ");
    gully_outputs_begin();
    assert_int_equal(gully_outputs_commit(), GULLY_OK);
    assert_holds(folder, "a0 ");
}

static void test_outputs_commit_fails(void** state) {
    (void)state;
    gully_outputs_begin();
    assert_int_equal(gully_file_write(in_folder("a"), "a", 1), GULLY_OK);
    assert_int_equal(gully_file_write(in_folder("b"), "b", 1), GULLY_OK);
    assert_int_equal(gully_file_write(in_folder("c"), "c", 1), GULLY_OK);
    assert_int_equal(mkdir(in_folder("b"), 0777), 0); // in the way of the second
    assert_int_equal(gully_outputs_commit(), GULLY_FAILED);
    assert_message(in_folder("b"), "Is a directory");
    assert_holds(folder, "a b ");
    assert_int_equal(gully_file_write(in_folder("d"), "d", 1), GULLY_OK); // the set is closed
    assert_text("d", "d");
}

static void test_folder_make(void** state) {
    (void)state;
    struct stat info;
    assert_int_equal(gully_folder_make(in_folder("one/two//three/")), GULLY_OK);
    assert_int_equal(stat(in_folder("one/two/three"), &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    assert_int_equal(gully_folder_make(in_folder("one/two/three")), GULLY_OK);
    assert_int_equal(gully_folder_make("/tmp"), GULLY_OK);
    assert_holds(in_folder("one/two/three"), "");
    assert_holds(folder, "one ");

    write_text("file", "x");
    assert_int_equal(gully_folder_make(in_folder("file")), GULLY_FAILED);
    assert_message(in_folder("file"), "is a file");
    assert_int_equal(gully_folder_make(in_folder("file/a/b")), GULLY_FAILED);
    assert_message(in_folder("file/a/b"), "file is a file");
    assert_int_equal(symlink("nowhere", in_folder("link")), 0);
    assert_int_equal(gully_folder_make(in_folder("link")), GULLY_FAILED);
    assert_message(in_folder("link"), "No such file");
    assert_int_equal(gully_folder_make("/proc/self/a"), GULLY_FAILED);
    assert_message("/proc/self/a", "cannot be made");
    assert_int_equal(gully_folder_make("/proc/self"), GULLY_FAILED); // there, but takes no files
    assert_message("/proc/self", "cannot be written to");
    assert_int_equal(gully_folder_make(""), GULLY_FAILED);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_nodata_and_types),
        TEST(test_mask),
        TEST(test_alpha_is_no_mask),
        TEST(test_scale_and_offset),
        TEST(test_ascii_grid),
        TEST(test_many_rows),
        TEST(test_geographic_cells),
        TEST(test_projected_cells),
        TEST(test_no_georeference),
        TEST(test_bad_files),
        TEST(test_bad_rasters),
        TEST(test_no_band),
        TEST(test_cut_tiff),
        TEST(test_round_trip),
        TEST(test_geographic_round_trip),
        TEST(test_picture),
        TEST(test_file_rights),
        TEST(test_links_and_long_names),
        TEST(test_unwritable),
        TEST(test_file_size_limit),
        TEST(test_full_disk),
        TEST(test_outputs_commit),
        TEST(test_outputs_abandon),
        TEST(test_outputs_commit_fails),
        TEST(test_folder_make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
