// SPDX-License-Identifier: MIT
// Formats out and in again: same heights within a format's own step, same place, same nodata; what
// does not fit is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gdal.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gully/export.h"
#include "raster_cases.h"
#include "scratch.h"

// ---- terrains ----

/// A bumpy slope from `low` to `high` with holes, where the projection of the tests is.
static GullyRaster make_terrain(int width, int height, double low, double high, bool holes) {
    GullyRaster raster = make_raster(width, height);
    GullyRaster placed;
    read_cells(MERCATOR("UNIT[\"metre\",1]"), "500000,2,0,5200000,0,-3", &placed);
    raster.georeference = placed.georeference;
    int count = width * height;
    for (int i = 0; i < count; ++i) {
        double share = (double)i / (count - 1);
        raster.values[i] = (float)(low + (high - low) * share);
        if (holes && i % 17 == 5) raster.values[i] = NAN;
    }
    return raster;
}

static void assert_within(const GullyRaster* a, const GullyRaster* b, double apart) {
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (int i = 0; i < a->width * a->height; ++i) {
        assert_int_equal(isnan(a->values[i]) != 0, isnan(b->values[i]) != 0);
        if (!isnan(a->values[i])) assert_near((double)b->values[i], (double)a->values[i], apart);
    }
}

static void assert_placed(const GullyRaster* a, const GullyRaster* b) {
    for (int i = 0; i < 6; ++i)
        assert_near(b->georeference.transform[i], a->georeference.transform[i], 1e-6);
    assert_near(b->cell_x, a->cell_x, 1e-9);
    assert_near(b->cell_y, a->cell_y, 1e-9);
    assert_int_equal(b->georeference.projection != NULL, a->georeference.projection != NULL);
}

static void export_good(const char* path, const GullyRaster* raster, const GullyExportDef* def,
                        GullyExported* exported) {
    if (gully_export(path, "terrain", raster, def, exported) != GULLY_OK)
        fail_msg("not written: %s", gully_message());
}

static void assert_refused(const char* path, const GullyRaster* raster, const GullyExportDef* def,
                           const char* part) {
    GullyStatus status = gully_export(path, "terrain", raster, def, NULL);
    assert_int_equal(status, GULLY_BAD_INPUT);
    if (strstr(gully_message(), part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", gully_message(), part);
    assert_int_not_equal(access(path, F_OK), 0);
}

// ---- round trips ----

typedef struct RoundTrip {
    const char* file;
    const char* format; ///< NULL = by the name
    double apart;       ///< [m] that the format may be off; of 16 bits in steps
    bool flip, big_endian;
} RoundTrip;

static const RoundTrip round_trips[] = {
    {"a.tif", NULL, 0, false, false},    {"a.tif", "cog", 0, false, false},
    {"a.png", NULL, -0.5, false, false}, {"a.png", NULL, -0.5, true, false},
    {"a.exr", NULL, 0, false, false},    {"a.exr", NULL, 0, true, false},
    {"a.r16", NULL, -0.5, false, false}, {"a.r16", NULL, -0.5, true, true},
    {"a.raw", NULL, -0.5, false, true},  {"a.r32", NULL, 0, false, false},
    {"a.r32", NULL, 0, true, true},      {"a.asc", NULL, 0, false, false},
};

static void test_round_trips(void** state) {
    (void)state;
    for (int holes = 0; holes < 2; ++holes) {
        GullyRaster raster = make_terrain(61, 43, -120.5, 2345.25, holes);
        for (size_t i = 0; i < sizeof round_trips / sizeof round_trips[0]; ++i) {
            const RoundTrip* trip = &round_trips[i];
            if (strstr(trip->file, ".exr") != NULL && !exr_is_built()) continue;
            GullyExportDef def = gully_export_default();
            def.format = trip->format;
            def.flip = trip->flip;
            def.big_endian = trip->big_endian;
            GullyExported exported;
            export_good(in_scratch(trip->file), &raster, &def, &exported);
            GullyRaster back;
            read_good(in_scratch(trip->file), NULL, NULL, &back);
            double step = (exported.high - exported.low) / 65535;
            double apart = trip->apart < 0 ? -trip->apart * step * 1.001 + 3e-4 : trip->apart;
            assert_within(&raster, &back, apart);
            assert_placed(&raster, &back);
            gully_raster_free(&back);
        }
        gully_raster_free(&raster);
    }
}

/// A raster without a georeference keeps its cell size in the sidecar.
static void test_unplaced(void** state) {
    (void)state;
    GullyRaster raster = make_raster(20, 10), back;
    GullyExportDef def = gully_export_default();
    export_good(in_scratch("u.r16"), &raster, &def, NULL);
    read_good(in_scratch("u.r16"), NULL, NULL, &back);
    assert_true(back.cell_x == 2.0 && back.cell_y == 3.0);
    assert_false(back.georeference.known);
    gully_raster_free(&back);
    gully_raster_free(&raster);
}

/// An explicit scale and offset stand in place of the sidecar's.
static void test_scale_and_offset(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(32, 32, 0, 655.35, false), back;
    GullyExportDef def = gully_export_default();
    export_good(in_scratch("s.r16"), &raster, &def, NULL);
    double scale = 2, offset = 5;
    read_good(in_scratch("s.r16"), &scale, &offset, &back);
    assert_near((double)back.values[0], 5, 0);
    assert_near((double)back.values[32 * 32 - 1], 5 + 2 * 65535.0, 0);
    gully_raster_free(&back);
    gully_raster_free(&raster);
}

static void test_definition_by_hand(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(4, 4, 0, 10, false);
    GullyExportDef def = {.width = 4, .height = 4};
    assert_int_equal(gully_export(in_scratch("hand.png"), "w", &raster, &def, NULL),
                     GULLY_BAD_INPUT);
    assert_non_null(strstr(gully_message(), "gully_export_default()"));
    gully_raster_free(&raster);
}

/// EXR says itself where it lies, and holds metres without a sidecar.
static void test_bare_exr(void** state) {
    (void)state;
    if (!exr_is_built()) skip();
    GullyRaster raster = make_terrain(32, 32, 0, 655.35, false), back;
    GullyExportDef def = gully_export_default();
    double scale = 2, offset = 5;
    export_good(in_scratch("s.exr"), &raster, &def, NULL);
    unlink(in_scratch("s.exr.json"));
    read_good(in_scratch("s.exr"), &scale, &offset, &back);
    assert_near((double)back.values[32 * 32 - 1], 5 + 2 * (double)raster.values[32 * 32 - 1], 1e-3);
    assert_placed(&raster, &back);
    gully_raster_free(&back);
    gully_raster_free(&raster);
}

/// A PNG says where it lies and what its steps mean without our sidecar, also with its rows from
/// the south.
static void test_bare_png(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(32, 20, -50, 600, true), back;
    GullyExportDef def = gully_export_default();
    for (int flip = 0; flip < 2; ++flip) {
        def.flip = flip;
        export_good(in_scratch("s.png"), &raster, &def, NULL);
        unlink(in_scratch("s.png.json"));
        read_good(in_scratch("s.png"), NULL, NULL, &back);
        assert_string_equal(back.unit, "m");
        gully_raster_face_north(&back);
        assert_placed(&raster, &back);
        assert_within(&raster, &back, 0.01);
        gully_raster_free(&back);
        // Without the .aux.xml the world file still says where.
        unlink(in_scratch("s.png.aux.xml"));
        read_good(in_scratch("s.png"), NULL, NULL, &back);
        assert_near(back.cell_x, raster.cell_x, 1e-9);
        assert_near(fabs(back.georeference.transform[0]), fabs(raster.georeference.transform[0]),
                    1e-6);
        gully_raster_free(&back);
    }
    gully_raster_free(&raster);
}

static void test_hgt(void** state) {
    (void)state;
    GullyRaster raster = make_raster(1201, 1201), back, place;
    read_cells(WGS84,
               "10.99958333333333333,0.000833333333333333333,0,"
               "48.00041666666666667,0,-0.000833333333333333333",
               &place);
    raster.georeference = place.georeference;
    for (int i = 0; i < 1201 * 1201; ++i)
        raster.values[i] = (float)(i % 4000) - 400.4f;
    raster.values[77] = NAN;
    GullyExportDef def = gully_export_default();
    export_good(in_scratch("N47E011.hgt"), &raster, &def, NULL);
    read_good(in_scratch("N47E011.hgt"), NULL, NULL, &back);
    assert_within(&raster, &back, 0.5001);
    assert_true(back.georeference.geographic);
    for (int i = 0; i < 6; ++i)
        assert_near(back.georeference.transform[i], raster.georeference.transform[i], 1e-9);
    gully_raster_free(&back);
    assert_int_equal(access(in_scratch("N47E011.hgt.json"), F_OK), 0);
    unlink(in_scratch("N47E011.hgt.json")); // as GDAL alone reads it
    read_good(in_scratch("N47E011.hgt"), NULL, NULL, &back);
    assert_string_equal(back.driver, "SRTMHGT");
    assert_within(&raster, &back, 0.5001);
    assert_near(back.georeference.transform[0], raster.georeference.transform[0], 1e-9);
    gully_raster_free(&back);

    assert_refused(in_scratch("N46E011.hgt"), &raster, &def, "the square of one degree");
    assert_refused(in_scratch("alps.hgt"), &raster, &def, "like N47E011.hgt");
    raster.values[5] = 40000;
    assert_refused(in_scratch("N48E011.hgt"), &raster, &def, "-32767 to 32767");
    gully_raster_free(&raster);
    raster = make_raster(30, 30);
    assert_refused(in_scratch("N48E011.hgt"), &raster, &def, "1201 x 1201");
    gully_raster_free(&raster);
}

// ---- 16 bits ----

/// The numbers in a raw file.
static uint16_t* load_steps(const char* path, int count) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    unsigned char* bytes = malloc((size_t)count * 2);
    uint16_t* steps = malloc((size_t)count * sizeof *steps);
    assert_int_equal(fread(bytes, 2, (size_t)count, file), count);
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    for (int i = 0; i < count; ++i)
        steps[i] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
    free(bytes);
    return steps;
}

static void test_all_steps_are_used(void** state) {
    (void)state;
    enum { SIDE = 512 };
    GullyRaster raster = make_terrain(SIDE, SIDE, 100, 101, false);
    GullyExportDef def = gully_export_default();
    export_good(in_scratch("s.r16"), &raster, &def, NULL);
    uint16_t* steps = load_steps(in_scratch("s.r16"), SIDE * SIDE);
    bool* used = calloc(65536, sizeof *used);
    int count = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        count += !used[steps[i]];
        used[steps[i]] = true;
        if (i > 0) assert_true(steps[i] >= steps[i - 1]);
    }
    assert_int_equal(count, 65536);
    free(used);

    // PNG holds the same numbers, as GDAL reads them.
    export_good(in_scratch("s.png"), &raster, &def, NULL);
    GDALDatasetH png = GDALOpen(in_scratch("s.png"), GA_ReadOnly);
    assert_non_null(png);
    uint16_t* pixels = malloc(SIDE * SIDE * sizeof *pixels);
    assert_int_equal(GDALRasterIO(GDALGetRasterBand(png, 1), GF_Read, 0, 0, SIDE, SIDE, pixels,
                                  SIDE, SIDE, GDT_UInt16, 0, 0),
                     CE_None);
    GDALClose(png);
    assert_memory_equal(pixels, steps, SIDE * SIDE * sizeof *pixels);
    free(pixels);
    free(steps);
    gully_raster_free(&raster);
}

static void test_range_and_nodata(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(40, 40, 0, 100, true), back;
    GullyExportDef def = gully_export_default();
    def.low = -50;
    def.high = 150;
    def.nodata = 16384; // the step of 0 m, nearly
    GullyExported exported;
    export_good(in_scratch("r.r16"), &raster, &def, &exported);
    assert_true(exported.low == -50 && exported.high == 150);
    uint16_t* steps = load_steps(in_scratch("r.r16"), 40 * 40);
    assert_int_equal(steps[5], 16384);
    assert_int_equal(steps[0], 16385); // 16383.75 would be nodata
    free(steps);
    read_good(in_scratch("r.r16"), NULL, NULL, &back);
    assert_within(&raster, &back, 1.5 * 200 / 65535);
    gully_raster_free(&back);

    def.high = 99;
    assert_refused(in_scratch("x.r16"), &raster, &def, "would be cut off");
    def.high = -60;
    assert_refused(in_scratch("x.r16"), &raster, &def, "LOW must be below HIGH");
    def = gully_export_default();
    def.low = 0;
    def.high = 200;
    assert_refused(in_scratch("x.exr"), &raster, &def, "a range goes with png16, r16");
    def = gully_export_default();
    def.nodata = 70000;
    assert_refused(in_scratch("x.png"), &raster, &def, "0 to 65535");
    def.nodata = (double)raster.values[3];
    assert_refused(in_scratch("x.tif"), &raster, &def, "also the height of a cell");
    def = gully_export_default();
    def.flip = true;
    assert_refused(in_scratch("x.tif"), &raster, &def, "flip goes with png16, exr, r16, r32");
    def = gully_export_default();
    def.big_endian = true;
    assert_refused(in_scratch("x.png"), &raster, &def, "byte order");
    def = gully_export_default();
    assert_refused(in_scratch("x.jpg"), &raster, &def, "one of tif/tiff, png, exr, r16/raw");
    def.format = "bmp";
    assert_refused(in_scratch("x.bmp"), &raster, &def, "there are tif, cog");

    // -9999 as a height is not taken for nodata.
    def = gully_export_default();
    raster.values[0] = -9999;
    export_good(in_scratch("n.asc"), &raster, &def, NULL);
    read_good(in_scratch("n.asc"), NULL, NULL, &back);
    assert_within(&raster, &back, 0);
    gully_raster_free(&back);
    gully_raster_free(&raster);
}

static void test_flat_and_empty(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(9, 9, 7, 7, false), back;
    GullyExportDef def = gully_export_default();
    export_good(in_scratch("f.r16"), &raster, &def, NULL);
    read_good(in_scratch("f.r16"), NULL, NULL, &back);
    assert_within(&raster, &back, 0);
    gully_raster_free(&back);
    for (int i = 0; i < 81; ++i)
        raster.values[i] = NAN;
    export_good(in_scratch("f.png"), &raster, &def, NULL);
    read_good(in_scratch("f.png"), NULL, NULL, &back);
    assert_within(&raster, &back, 0);
    gully_raster_free(&back);
    gully_raster_free(&raster);
}

// ---- other sizes ----

/// A plane stays a plane, smaller or larger; its place stays.
static void test_resample_plane(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(100, 80, 0, 1, false), out;
    for (int y = 0; y < 80; ++y)
        for (int x = 0; x < 100; ++x)
            raster.values[y * 100 + x] = (float)(x + 0.5) + 3.0f * (float)(y + 0.5);
    static const int sizes[][2] = {{50, 40}, {33, 57}, {300, 161}, {100, 80}};
    for (int i = 0; i < 4; ++i) {
        int width = sizes[i][0], height = sizes[i][1];
        assert_int_equal(gully_raster_resample(&raster, width, height, &out), GULLY_OK);
        double across = 100.0 / width, down = 80.0 / height;
        // A kernel that is stretched by no whole number weighs the two sides a little differently.
        double apart = fmax(across, down) > 1 ? 0.03 * (across + 3 * down) : 1e-4;
        for (int y = height / 4; y < height - height / 4; ++y)
            for (int x = width / 4; x < width - width / 4; ++x)
                assert_near((double)out.values[y * width + x],
                            (x + 0.5) * across + 3 * (y + 0.5) * down, apart);
        assert_near(out.cell_x * width, raster.cell_x * 100, 1e-9);
        assert_near(out.georeference.transform[5] * height, -3.0 * 80, 1e-9);
        gully_raster_free(&out);
    }
    gully_raster_free(&raster);
}

/// What the new cells cannot hold becomes its mean, not a slow wave.
static void test_resample_does_not_alias(void** state) {
    (void)state;
    GullyRaster raster = make_raster(256, 256), out;
    for (int i = 0; i < 256 * 256; ++i)
        raster.values[i] = 100.0f + 10.0f * (float)((i + i / 256) % 2 ? 1 : -1);
    assert_int_equal(gully_raster_resample(&raster, 100, 100, &out), GULLY_OK);
    for (int y = 5; y < 95; ++y)
        for (int x = 5; x < 95; ++x)
            assert_near((double)out.values[y * 100 + x], 100, 0.3);
    gully_raster_free(&out);
    gully_raster_free(&raster);
}

/// Nodata does not leak: heights beside it stay within the heights around, and it stays itself.
static void test_resample_nodata(void** state) {
    (void)state;
    GullyRaster raster = make_raster(64, 64), out;
    for (int i = 0; i < 64 * 64; ++i)
        raster.values[i] = i % 64 < 32 ? 500.0f : NAN;
    static const int sides[] = {31, 64, 100};
    for (int s = 0; s < 3; ++s) {
        int side = sides[s];
        assert_int_equal(gully_raster_resample(&raster, side, side, &out), GULLY_OK);
        for (int x = 0; x < side; ++x) {
            bool hole = (x + 0.5) * 64 / side >= 32;
            float value = out.values[side + x];
            if (hole)
                assert_true(isnan(value));
            else
                assert_true(value == 500.0f);
        }
        gully_raster_free(&out);
    }
    gully_raster_free(&raster);
}

// ---- presets ----

static void assert_preset(const char* preset, const char* file, int width, int height,
                          int wanted_width, int wanted_height) {
    GullyRaster raster = make_terrain(width, height, -10, 300, false), back;
    GullyExportDef def = gully_export_default();
    def.preset = preset;
    GullyExported exported;
    export_good(in_scratch(file), &raster, &def, &exported);
    assert_int_equal(exported.width, wanted_width);
    assert_int_equal(exported.height, wanted_height);
    read_good(in_scratch(file), NULL, NULL, &back);
    assert_int_equal(back.width, wanted_width);
    assert_int_equal(back.height, wanted_height);
    assert_true(back.values[0] < back.values[wanted_width * wanted_height - 1]);
    gully_raster_free(&back);
    gully_raster_free(&raster);
}

static void test_presets(void** state) {
    (void)state;
    assert_preset("unity", "p.raw", 200, 100, 257, 257);
    assert_preset("unity", "p.raw", 129, 129, 129, 129);
    assert_preset("unity", "p.raw", 5, 5, 33, 33);
    assert_preset("unreal", "p.png", 120, 260, 127, 253);
    assert_preset("unreal", "p.r16", 600, 505, 505, 505);
    if (exr_is_built()) assert_preset("godot", "p.exr", 77, 50, 77, 50);
    assert_preset("godot", "p.r16", 77, 50, 77, 50);
    assert_preset("godot", "p.r32", 77, 50, 77, 50);
    assert_preset("blender", "p.tif", 77, 50, 77, 50);
}

/// Zero is step 32768 if the terrain has heights on both sides of it.
static void test_unreal_zero(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(127, 127, -256, 100, false);
    GullyExportDef def = gully_export_default();
    def.preset = "unreal";
    raster.values[5] = 0;
    GullyExported exported;
    export_good(in_scratch("z.r16"), &raster, &def, &exported);
    uint16_t* steps = load_steps(in_scratch("z.r16"), 127 * 127);
    assert_int_equal(steps[0], 0);
    assert_int_equal(steps[5], 32768);
    assert_near(exported.low, -256, 1e-9); // scale_z 100: 1/128 m a step
    assert_near(exported.high, 32767.0 / 128, 1e-9);
    free(steps);
    for (int i = 0; i < 127 * 127; ++i)
        raster.values[i] = 1000.0f + (float)i;
    export_good(in_scratch("z.r16"), &raster, &def, &exported);
    assert_near(exported.low, 1000, 0);
    for (int i = 0; i < 127 * 127; ++i)
        raster.values[i] = (float)i; // from 0 on: no step is lost below it
    export_good(in_scratch("z.r16"), &raster, &def, &exported);
    assert_near(exported.low, 0, 0);
    assert_near(exported.high, 127 * 127 - 1, 0);
    gully_raster_free(&raster);
}

static void test_presets_refuse(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(64, 64, 0, 1, false);
    GullyExportDef def = gully_export_default();
    def.preset = "unreal";
    def.width = def.height = 512;
    assert_refused(in_scratch("q.png"), &raster, &def, "127, 253, 505, 1009, 2017, 4033, 8129");
    def.preset = "unity";
    def.width = 129, def.height = 257;
    assert_refused(in_scratch("q.raw"), &raster, &def, "width and height alike");
    def = gully_export_default();
    def.preset = "unity";
    assert_refused(in_scratch("q.png"), &raster, &def, "it takes r16");
    def.preset = "quake";
    assert_refused(in_scratch("q.png"), &raster, &def, "there are unity, unreal, godot, blender");
    def.preset = "godot";
    assert_refused(in_scratch("q.tif"), &raster, &def, "preset godot does not take tif");
    gully_raster_free(&raster);
}

int main(void) {
    GDALAllRegister();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trips, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_unplaced, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_scale_and_offset, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_definition_by_hand, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_bare_png, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_bare_exr, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_hgt, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_all_steps_are_used, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_range_and_nodata, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_flat_and_empty, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_resample_plane, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_resample_does_not_alias, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_resample_nodata, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_presets, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_unreal_zero, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_presets_refuse, scratch_make, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
