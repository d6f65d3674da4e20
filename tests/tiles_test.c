// SPDX-License-Identifier: MIT
// Tiles put together again are the whole, to the bit; damaged indexes, sidecars and files are
// refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gully/export.h"
#include "gully/mesh.h"
#include "raster_cases.h"
#include "scratch.h"

static GullyRaster make_terrain(int width, int height) {
    GullyRaster raster = make_raster(width, height), place;
    read_cells(MERCATOR("UNIT[\"metre\",1]"), "500000,2,0,5200000,0,-3", &place);
    raster.georeference = place.georeference;
    for (int i = 0; i < width * height; ++i)
        raster.values[i] = (float)(300 * sin(0.37 * i) + 0.1 * i);
    raster.values[width + 3] = NAN;
    return raster;
}

static void tiles_good(const char* folder, const GullyRaster* raster, const GullyExportDef* def,
                       const GullyTilesDef* tiles, GullyExported* exported) {
    if (gully_export_tiles(folder, "land", raster, def, tiles, exported) != GULLY_OK)
        fail_msg("not written: %s", gully_message());
}

static void assert_same(const GullyRaster* a, const GullyRaster* b) {
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (int i = 0; i < a->width * a->height; ++i)
        if (!isnan(a->values[i]) || !isnan(b->values[i]))
            assert_memory_equal(&a->values[i], &b->values[i], sizeof(float));
    assert_true(a->cell_x == b->cell_x && a->cell_y == b->cell_y);
    assert_memory_equal(a->georeference.transform, b->georeference.transform,
                        sizeof a->georeference.transform);
}

/// For every format: the tiles equal the one file of that format.
static void test_tiles_equal_whole(void** state) {
    (void)state;
    static const struct {
        const char *format, *file;
        bool flip, big_endian;
    } cases[] = {{"tif", "w.tif", false, false}, {"r32", "w.r32", true, true},
                 {"exr", "w.exr", true, false},  {"png16", "w.png", false, false},
                 {"r16", "w.r16", true, true},   {"r16", "w.raw", false, false}};
    GullyRaster raster = make_terrain(70, 53);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        for (int overlap = 0; overlap < 2; ++overlap)
            for (int side = 16; side <= 80; side += 32) {
                if (strcmp(cases[i].format, "exr") == 0 && !exr_is_built()) continue;
                GullyExportDef def = gully_export_default();
                def.format = cases[i].format;
                def.flip = cases[i].flip;
                def.big_endian = cases[i].big_endian;
                GullyTilesDef tiles = {.side = side, .overlap = overlap};
                char folder[64];
                snprintf(folder, sizeof folder, "set-%zu-%d-%d", i, overlap, side);
                GullyExported exported;
                tiles_good(in_scratch(folder), &raster, &def, &tiles, &exported);
                assert_int_equal(gully_export(in_scratch(cases[i].file), "w", &raster, &def, NULL),
                                 GULLY_OK);
                GullyRaster whole, back;
                read_good(in_scratch(cases[i].file), NULL, NULL, &whole);
                read_good(in_scratch(folder), NULL, NULL, &back);
                assert_same(&whole, &back);
                gully_raster_free(&back);
                read_good(exported.path, NULL, NULL, &back); // by the index itself
                assert_same(&whole, &back);
                gully_raster_free(&back);
                gully_raster_free(&whole);
            }
    gully_raster_free(&raster);
}

static void test_names(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(65, 97), tile;
    for (int i = 0; i < 65 * 97; ++i)
        raster.values[i] = (float)(i / 65 < 32 ? 900 : i / 65);
    GullyExportDef def = gully_export_default();
    def.preset = "unity";
    GullyTilesDef tiles = {.side = 33, .overlap = true};
    GullyExported exported;
    tiles_good(in_scratch("unity"), &raster, &def, &tiles, &exported);
    assert_int_equal(exported.columns, 2);
    assert_int_equal(exported.rows, 3);
    // Z counts from the south: row 2 is the northernmost.
    read_good(in_scratch("unity/land_1_2.raw"), NULL, NULL, &tile);
    assert_near((double)tile.values[0], 900, 0.1);
    gully_raster_free(&tile);
    assert_int_equal(access(in_scratch("unity/land_0_0.raw.json"), F_OK), 0);

    def.preset = "unreal";
    tiles.side = 127;
    tiles_good(in_scratch("unreal"), &raster, &def, &tiles, &exported);
    assert_int_equal(exported.width, 127); // whole tiles only
    assert_int_equal(access(in_scratch("unreal/land_x0_y0.png"), F_OK), 0);

    tiles.side = 64;
    assert_int_equal(gully_export_tiles(in_scratch("no"), "land", &raster, &def, &tiles, NULL),
                     GULLY_BAD_INPUT);
    assert_message(in_scratch("no"), "it takes 127, 253");
    tiles.side = 127;
    def.width = def.height = 300;
    assert_int_equal(gully_export_tiles(in_scratch("no"), "land", &raster, &def, &tiles, NULL),
                     GULLY_BAD_INPUT);
    assert_message(in_scratch("no"), "the next size is 379x379");
    tiles = (GullyTilesDef){.side = 1, .overlap = true};
    def = gully_export_default();
    assert_int_equal(gully_export_tiles(in_scratch("no"), "land", &raster, &def, &tiles, NULL),
                     GULLY_BAD_INPUT);
    assert_int_not_equal(access(in_scratch("no"), F_OK), 0);
    gully_raster_free(&raster);
}

/// Whole tiles make a terrain finer, never coarser; one side of a size follows from the other.
static void test_sizes(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(70, 97);
    GullyExportDef def = gully_export_default();
    def.preset = "unity";
    GullyTilesDef tiles = {.side = 33, .overlap = true};
    GullyExported exported;
    tiles_good(in_scratch("up"), &raster, &def, &tiles, &exported);
    assert_int_equal(exported.width, 97); // 65 would be nearer
    assert_int_equal(exported.height, 97);
    tiles.overlap = false;
    def.dry_run = true;
    tiles_good(in_scratch("dry"), &raster, &def, &tiles, &exported);
    assert_int_equal(exported.width, 99);
    assert_int_equal(access(in_scratch("dry"), F_OK), -1);

    static const struct {
        const char* preset;
        int width, height, wanted_width, wanted_height;
    } rows[] = {
        {NULL, 35, 0, 35, 49},         {NULL, 0, 194, 140, 194},     {NULL, 1, 0, 1, 1},
        {"unity", 65, 0, 65, 65},      {"unreal", 127, 0, 127, 127}, {"unreal", 253, 0, 253, 253},
        {"blender", 140, 0, 140, 194}, {NULL, 20, 30, 20, 30},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        def = gully_export_default();
        def.dry_run = true;
        def.preset = rows[i].preset;
        def.width = rows[i].width;
        def.height = rows[i].height;
        assert_int_equal(gully_export(in_scratch("dry/"), "land", &raster, &def, &exported), 0);
        assert_int_equal(exported.width, rows[i].wanted_width);
        assert_int_equal(exported.height, rows[i].wanted_height);
    }
    assert_int_equal(access(in_scratch("dry"), F_OK), -1);
    gully_raster_free(&raster);
}

/// Pictures are cut where heights are.
static void test_pictures(void** state) {
    (void)state;
    enum { WIDTH = 65, HEIGHT = 97, CHANNELS = 3 };
    GullyTexture whole = {WIDTH, HEIGHT, CHANNELS, malloc(WIDTH * HEIGHT * CHANNELS)}, part;
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        whole.pixels[CHANNELS * i] = (unsigned char)(i % WIDTH);
        whole.pixels[CHANNELS * i + 1] = (unsigned char)(i / WIDTH);
        whole.pixels[CHANNELS * i + 2] = 7;
    }
    GullyExportDef def = gully_export_default();
    GullyTilesDef tiles = {.side = 33, .overlap = true};
    def.preset = "unity";
    assert_int_equal(gully_export_picture(in_scratch("cut"), "n", &whole, &def, &tiles), 0);
    assert_int_equal(gully_texture_read(in_scratch("cut/n_1_2.png"), &part), 0); // the north-east
    assert_int_equal(part.width, 33);
    assert_int_equal(part.height, 33);
    assert_int_equal(part.pixels[0], 32);
    assert_int_equal(part.pixels[1], 0);
    assert_int_equal(part.pixels[CHANNELS * 33 * 33 - 3], 64);
    assert_int_equal(part.pixels[CHANNELS * 33 * 33 - 2], 32);
    gully_texture_free(&part);
    assert_int_equal(gully_export_picture(in_scratch("cut"), "n", &whole, &def, NULL), 0);
    assert_int_equal(gully_texture_read(in_scratch("cut/n.png"), &part), 0);
    assert_memory_equal(part.pixels, whole.pixels, WIDTH * HEIGHT * CHANNELS);
    gully_texture_free(&part);
    def.dry_run = true;
    assert_int_equal(gully_export_picture(in_scratch("dry"), "n", &whole, &def, &tiles), 0);
    assert_int_equal(access(in_scratch("dry"), F_OK), -1);
    free(whole.pixels);
}

/// Neighbours that overlap have the same numbers in the row that they share.
static void test_seams(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(65, 65), west, east;
    GullyExportDef def = gully_export_default();
    def.format = "r16";
    GullyTilesDef tiles = {.side = 33, .overlap = true};
    tiles_good(in_scratch("seams"), &raster, &def, &tiles, NULL);
    read_good(in_scratch("seams/land_x0_y1.r16"), NULL, NULL, &west);
    read_good(in_scratch("seams/land_x1_y1.r16"), NULL, NULL, &east);
    for (int y = 0; y < 33; ++y)
        assert_memory_equal(&west.values[y * 33 + 32], &east.values[y * 33], sizeof(float));
    // And lie where they belong.
    assert_near(east.georeference.transform[0], 500000 + 32 * 2, 1e-9);
    assert_near(east.georeference.transform[3], 5200000 - 32 * 3, 1e-9);
    gully_raster_free(&west);
    gully_raster_free(&east);
    gully_raster_free(&raster);
}

static void test_mosaic(void** state) {
    (void)state;
    GullyRaster raster = make_terrain(70, 53), back;
    GullyExportDef def = gully_export_default();
    GullyTilesDef tiles = {.side = 40, .overlap = true};
    tiles_good(in_scratch("m"), &raster, &def, &tiles, NULL);
    const char* paths[] = {in_scratch("m/land_x0_y0.tif"), in_scratch("m/land_x1_y0.tif"),
                           in_scratch("m/land_x0_y1.tif"), in_scratch("m/land_x1_y1.tif")};
    assert_int_equal(gully_mosaic_read(paths, 4, &(GullyReadDef){0}, &back), GULLY_OK);
    assert_same(&raster, &back);
    gully_raster_free(&back);
    paths[2] = "/nowhere.tif";
    assert_int_equal(gully_mosaic_read(paths, 4, &(GullyReadDef){0}, &back), GULLY_BAD_INPUT);
    gully_raster_free(&raster);
}

// ---- what comes from anywhere ----

#define INDEX_HEAD                                                                                 \
    "{\"gully_tiles\": 1, \"width\": 4, \"height\": 2, \"cell_size\": [1, 1], \"tiles\": ["

static void test_bad_indexes(void** state) {
    (void)state;
    static const char* const texts[][2] = {
        {"", "is not JSON"},
        {"[]", "\"gully_tiles\": 1"},
        {"{\"gully_tiles\": 2}", "\"gully_tiles\": 1"},
        {"{\"gully_tiles\": 1, \"width\": 0}", "width must be"},
        {"{\"gully_tiles\": 1, \"width\": 100000, \"height\": 100000}", "at most"},
        {"{\"gully_tiles\": 1, \"width\": 4, \"height\": 2}", "cell_size"},
        {INDEX_HEAD "]}", "1 to"},
        {INDEX_HEAD "7]}", "file must be"},
        {INDEX_HEAD "{\"file\": \"../a.tif\"}]}", "file must be"},
        {INDEX_HEAD "{\"file\": \"a.tif\"}]}", "x must be"},
        {INDEX_HEAD "{\"file\": \"a.tif\", \"x\": 2, \"y\": 0, \"width\": 3, \"height\": 1}]}",
         "width must be a whole number from 1 to 2"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        GullyTileIndex index;
        assert_int_equal(gully_tile_index_parse("t.json", texts[i][0], strlen(texts[i][0]), &index),
                         GULLY_BAD_INPUT);
        assert_message("t.json", texts[i][1]);
        assert_null(index.tiles);
    }
    // Right, but a cell has no tile.
    GullyRaster raster = make_raster(2, 2), back;
    assert_int_equal(gully_raster_write(in_scratch("a.tif"), &raster), GULLY_OK);
    write_text("tiles.json", INDEX_HEAD
               "{\"file\": \"a.tif\", \"x\": 0, \"y\": 0, \"width\": 2, \"height\": 2}]}");
    assert_int_equal(gully_raster_read(scratch_folder(), NULL, NULL, &back), GULLY_BAD_INPUT);
    assert_message(scratch_folder(), "uncovered");
    write_text("tiles.json", INDEX_HEAD
               "{\"file\": \"a.tif\", \"x\": 0, \"y\": 0, \"width\": 4, \"height\": 2}]}");
    assert_int_equal(gully_raster_read(scratch_folder(), NULL, NULL, &back), GULLY_BAD_INPUT);
    assert_message(scratch_folder(), "has 2 x 2 cells; the index says 4 x 2");
    gully_raster_free(&raster);
}

#define SIDECAR(more)                                                                              \
    "{\"gully_raster\": 1, \"width\": 2, \"height\": 2, \"numbers\": \"uint16\", \"min\": 0, "     \
    "\"max\": 65535, \"cell_size\": [1, 1]" more "}"

static void test_bad_sidecars(void** state) {
    (void)state;
    static const char* const texts[][2] = {
        {"{\"gully_raster\": 1, \"width\": 2, \"height\": 2.5}", "height must be"},
        {"{\"gully_raster\": 1, \"width\": 2, \"height\": 2, \"numbers\": \"int8\"}",
         "uint16, int16"},
        {SIDECAR(", \"flip\": 1"), "flip"},
        {SIDECAR(", \"byte_order\": \"middle\""), "\"little\" or \"big\""},
        {SIDECAR(", \"nodata\": \"none\""), "nodata must be"},
        {SIDECAR(", \"min\": 1"), "is not JSON"}, // twice
        {SIDECAR(", \"georeference\": {\"transform\": [1, 2, 3]}"), "6 numbers"},
        {SIDECAR(", \"georeference\": {\"transform\": [0, 0, 0, 0, 0, 0]}"), "6 numbers"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        GullySidecar sidecar;
        assert_int_equal(gully_sidecar_parse("s.json", texts[i][0], strlen(texts[i][0]), &sidecar),
                         GULLY_BAD_INPUT);
        if (strstr(gully_message(), texts[i][1]) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", gully_message(), texts[i][1]);
    }
    GullyRaster back;
    write_text("a.r16", "1234567");
    assert_int_equal(gully_raster_read(in_scratch("a.r16"), NULL, NULL, &back), GULLY_BAD_INPUT);
    assert_message(in_scratch("a.r16"), "must be a sidecar");
    write_text("a.r16.json", SIDECAR(""));
    assert_int_equal(gully_raster_read(in_scratch("a.r16"), NULL, NULL, &back), GULLY_BAD_INPUT);
    assert_message(in_scratch("a.r16"), "has 7 bytes; 2 x 2 numbers of 2 bytes would be 8");
    write_plain("a.r16", "\1\0\2\0\3\0\0\1", 8);
    read_good(in_scratch("a.r16"), NULL, NULL, &back);
    const float expected[4] = {1, 2, 3, 256};
    assert_values(&back, expected);
    gully_raster_free(&back);

    // Without a sidecar, told what it is.
    GullySidecar told = {.width = 2,
                         .height = 2,
                         .big_endian = true,
                         .min = 0,
                         .max = 65535,
                         .cell_x = 1,
                         .cell_y = 1,
                         .flip = true};
    assert_int_equal(gully_raw_read(in_scratch("a.r16"), &told, &back), GULLY_OK);
    const float other[4] = {768, 1, 256, 512};
    assert_values(&back, other);
    gully_raster_free(&back);

    // A sidecar of another size; JSON of somebody else.
    GullyRaster raster = make_raster(3, 3);
    assert_int_equal(gully_raster_write(in_scratch("b.tif"), &raster), GULLY_OK);
    write_text("b.tif.json", "{\"unrelated\": true}");
    read_good(in_scratch("b.tif"), NULL, NULL, &back);
    gully_raster_free(&back);
    write_text("b.tif.json", SIDECAR(""));
    assert_int_equal(gully_raster_read(in_scratch("b.tif"), NULL, NULL, &back), GULLY_BAD_INPUT);
    assert_message(in_scratch("b.tif"), "says 2 x 2");
    gully_raster_free(&raster);
}

/// An EXR file cut anywhere, or with any byte changed, is read or refused, never worse.
static void test_damaged_exr(void** state) {
    (void)state;
    if (!exr_is_built()) skip();
    GullyRaster raster = make_terrain(20, 40), back;
    GullyExportDef def = gully_export_default();
    assert_int_equal(gully_export(in_scratch("d.exr"), "d", &raster, &def, NULL), GULLY_OK);
    FILE* file = fopen(in_scratch("d.exr"), "rb");
    unsigned char bytes[8192];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 100 && size < sizeof bytes);
    for (size_t cut = 0; cut < size; cut += 1 + cut / 50) {
        GullyStatus status = gully_exr_decode("cut.exr", bytes, cut, 0, &back);
        assert_int_equal(status, GULLY_BAD_INPUT);
        assert_null(back.values);
    }
    for (size_t i = 0; i < size; ++i) {
        unsigned char kept = bytes[i];
        bytes[i] ^= 0x41;
        if (gully_exr_decode("changed.exr", bytes, size, 0, &back) == GULLY_OK)
            gully_raster_free(&back);
        bytes[i] = kept;
    }
    gully_raster_free(&raster);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tiles_equal_whole, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_names, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_sizes, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_pictures, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_seams, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_mosaic, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_bad_indexes, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_bad_sidecars, scratch_make, scratch_remove),
        cmocka_unit_test_setup_teardown(test_damaged_exr, scratch_make, scratch_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
