// SPDX-License-Identifier: MIT
// EXR files of other programs: whatever channels, types, compressions, tiles and parts they have,
// the right channel is read to the last bit, or the file is refused with what it is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exr_file.h"
#include "gully/export.h"
#include "raster_cases.h"

#define H EXR_PIXEL_HALF
#define F EXR_PIXEL_FLOAT
#define U EXR_PIXEL_UINT

/// Reads a file that is made so, and asserts that channel `expected` of its list was taken. Lossy
/// compressions may be off by `tolerance`.
static void assert_read(const ExrFile* file, int expected, double tolerance) {
    size_t size;
    GullyRaster raster;
    unsigned char* bytes = exr_file_make(file, &size);
    assert_non_null(bytes);
    if (gully_exr_decode("made.exr", bytes, size, 0, &raster) != GULLY_OK)
        fail_msg("compression %d, storage %d: %s", (int)file->compression, (int)file->storage,
                 gully_message());
    assert_int_equal(raster.width, file->width);
    assert_int_equal(raster.height, file->height);
    for (int y = 0; y < file->height; y++)
        for (int x = 0; x < file->width; x++) {
            double number = (double)exr_file_number(file, expected, x, y);
            double read = (double)raster.values[y * file->width + x];
            if (!(fabs(read - number) <= tolerance))
                fail_msg("compression %d, storage %d, cell %d, %d: %g, not %g",
                         (int)file->compression, (int)file->storage, x, y, read, number);
        }
    gully_raster_free(&raster);
    free(bytes);
}

static void assert_refused(const ExrFile* file, const char* part) {
    size_t size;
    GullyRaster raster;
    unsigned char* bytes = exr_file_make(file, &size);
    assert_non_null(bytes);
    assert_int_equal(gully_exr_decode("made.exr", bytes, size, 0, &raster), GULLY_BAD_INPUT);
    assert_message("made.exr", part);
    assert_null(raster.values);
    free(bytes);
}

/// Three and four channels of halves once crashed; of RGBA floats alpha was read.
static void test_colours(void** state) {
    (void)state;
    for (int type = 0; type < 3; type++) {
        exr_pixel_type_t t = (exr_pixel_type_t)type;
        ExrFile rgb = {40, 50, .channels = {{"R", t, 1}, {"G", t, 1}, {"B", t, 1}}};
        ExrFile rgba = {40, 50, .channels = {{"R", t, 1}, {"G", t, 1}, {"B", t, 1}, {"A", t, 1}}};
        rgb.compression = rgba.compression = EXR_COMPRESSION_ZIP;
        assert_read(&rgb, 0, 0.0);
        assert_read(&rgba, 0, 0.0);
    }
}

static void test_channel_names(void** state) {
    (void)state;
    const ExrFile files[] = {
        {9, 5, .channels = {{"Y", F, 1}, {"R", F, 1}, {"Z", F, 1}}},
        {9, 5, .channels = {{"z", F, 1}, {"R", F, 1}, {"A", H, 1}, {"height", U, 1}}},
        {9, 5, .channels = {{"terrain.Height", H, 1}, {"R", U, 1}, {"B", F, 1}}},
        {9, 5, .channels = {{"height", H, 1}, {"a.height", U, 1}, {"z.height", F, 1}}},
        {9, 5, .channels = {{"r", H, 1}, {"g", H, 1}, {"b", H, 1}}},
        {9, 5, .channels = {{"whatever", F, 1}}},
        {8, 6, .channels = {{"Y", H, 1}, {"RY", H, 2}, {"BY", H, 2}}}, // luminance and chroma
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        assert_read(&files[i], 0, 0.0);

    size_t size;
    GullyRaster raster;
    unsigned char* bytes = exr_file_make(&files[4], &size);
    assert_int_equal(gully_exr_decode("made.exr", bytes, size, 0, &raster), GULLY_OK);
    assert_string_equal(raster.notes, "read channel r of b, g, r; --band takes another");
    assert_int_equal(raster.band, 3);
    assert_int_equal(raster.bands, 3);
    gully_raster_free(&raster);
    free(bytes);

    bytes = exr_file_make(&files[4], &size); // b, g, r
    assert_int_equal(gully_exr_decode("made.exr", bytes, size, 1, &raster), GULLY_OK);
    assert_near((double)raster.values[0], (double)exr_file_number(&files[4], 2, 0, 0), 0.0);
    gully_raster_free(&raster);
    assert_int_equal(gully_exr_decode("made.exr", bytes, size, 4, &raster), GULLY_BAD_INPUT);
    assert_message("made.exr", "there is no band 4; its channels are b, g, r");
    free(bytes);

    ExrFile open = {9, 5, .channels = {{"elevation", F, 1}, {"A", F, 1}, {"B", F, 1}}};
    assert_refused(&open, "which of its channels has the heights? There are A, B, elevation; one "
                          "must be called Y, Z, height or R");
    ExrFile two = {9, 5, .channels = {{"water.height", F, 1}, {"ground.height", F, 1}}};
    assert_refused(&two, "There are ground.height, water.height");
    ExrFile sparse = {8, 6, .channels = {{"Y", F, 2}, {"A", F, 1}}};
    assert_refused(&sparse, "channel Y has a number for every 2 x 2 cells only");
}

/// Every compression of scan lines and of tiles, in sizes that fill no chunk.
static void test_compressions(void** state) {
    (void)state;
    static const ExrChannel channels[][5] = {
        {{"Y", F, 1}},
        {{"R", H, 1}, {"G", H, 1}, {"B", H, 1}, {"A", H, 1}},
        {{"Z", U, 1}, {"A", H, 1}, {"B", F, 1}},
    };
    for (int c = EXR_COMPRESSION_NONE; c <= EXR_COMPRESSION_B44A; c++)
        for (int set = 0; set < 3; set++) {
            ExrFile file = {77, 45, .min_x = -3, .min_y = 11, .tile = 32};
            memcpy(file.channels, channels[set], sizeof channels[set]);
            file.compression = (exr_compression_t)c;
            bool lossy = c >= EXR_COMPRESSION_B44 && file.channels[0].type == EXR_PIXEL_HALF;
            double tolerance = lossy ? 8.0 : 0.0;
            assert_read(&file, 0, tolerance);
            file.storage = EXR_STORAGE_TILED;
            assert_read(&file, 0, tolerance);
            file.levels = EXR_TILE_MIPMAP_LEVELS;
            assert_read(&file, 0, tolerance);
        }
}

/// Floats are not made smaller by B44: then OpenEXR's C++ library, and so most programs, leave the rows of
/// the channels one after another, as they are without compression. Its C library writes them otherwise.
static void test_chunks_as_they_are(void** state) {
    (void)state;
    enum { ACROSS = 20, DOWN = 15, BYTES = ACROSS * DOWN * 3 * 4 };
    const ExrFile file = {ACROSS, DOWN, .channels = {{"R", F, 1}, {"G", F, 1}, {"B", F, 1}},
                          .compression = EXR_COMPRESSION_B44};
    size_t size;
    unsigned char* bytes = exr_file_make(&file, &size);
    int32_t packed;
    memcpy(&packed, bytes + size - BYTES - 4, sizeof packed);
    assert_int_equal(packed, BYTES);
    unsigned char* to = bytes + size - BYTES;
    for (int y = 0; y < DOWN; y++)
        for (int c = 2; c >= 0; c--) // B, G, R
            for (int x = 0; x < ACROSS; x++, to += 4) {
                float number = exr_file_number(&file, c, x, y);
                memcpy(to, &number, sizeof number);
            }
    GullyRaster raster;
    assert_int_equal(gully_exr_decode("made.exr", bytes, size, 0, &raster), GULLY_OK);
    for (int i = 0; i < ACROSS * DOWN; i++)
        assert_near((double)raster.values[i],
                    (double)exr_file_number(&file, 0, i % ACROSS, i / ACROSS), 0.0);
    gully_raster_free(&raster);
    free(bytes);
}

static void test_order_and_parts(void** state) {
    (void)state;
    ExrFile file = {33, 70, .channels = {{"R", H, 1}, {"G", H, 1}, {"B", H, 1}}};
    file.compression = EXR_COMPRESSION_ZIP;
    file.order = EXR_LINEORDER_DECREASING_Y;
    assert_read(&file, 0, 0.0);
    file.order = EXR_LINEORDER_INCREASING_Y;
    file.parts = 3;
    assert_read(&file, 0, 0.0);
    file.parts = 1;
    file.storage = EXR_STORAGE_TILED;
    file.tile = 16;
    assert_read(&file, 0, 0.0);
}

static void test_refused(void** state) {
    (void)state;
    ExrFile deep = {8, 8, .channels = {{"Z", F, 1}}, .storage = EXR_STORAGE_DEEP_SCANLINE};
    assert_refused(&deep, "is a deep EXR file");
    static const exr_compression_t wavelets[] = {EXR_COMPRESSION_DWAA, EXR_COMPRESSION_DWAB};
    static const char* const names[] = {"DWAA", "DWAB"};
    for (int i = 0; i < 2; i++) {
        ExrFile file = {64, 64, .channels = {{"R", H, 1}, {"G", H, 1}}, .garbage = true};
        file.compression = wavelets[i];
        assert_refused(&file, names[i]);
    }
    ExrFile damaged = {64, 64, .channels = {{"Y", F, 1}}, .garbage = true};
    for (int c = EXR_COMPRESSION_NONE; c <= EXR_COMPRESSION_B44A; c++) {
        damaged.compression = (exr_compression_t)c;
        assert_refused(&damaged,
                       "is damaged, cut short, or not to be read by this OpenEXR library");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colours),         cmocka_unit_test(test_channel_names),
        cmocka_unit_test(test_compressions),    cmocka_unit_test(test_chunks_as_they_are),
        cmocka_unit_test(test_order_and_parts), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
