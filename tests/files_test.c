// SPDX-License-Identifier: MIT
// Writing rasters, pictures and files: what was written is what is read, and a file is whole or not
// there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

#include "gully/mesh.h"
#include "gully/raster.h"
#include "ok.h"
#include "raster_cases.h"
#include "scratch.h"

// ---- writing ----

static void test_round_trip(void** state) {
    (void)state;
    // The projection as GDAL words it, from a file.
    GullyRaster source;
    read_cells(MERCATOR("UNIT[\"foot\",0.3048]"), "1,2,0,3,0,-4", &source);

    enum { WIDTH = 129, HEIGHT = 67 };
    GullyRaster raster = make_raster(WIDTH, HEIGHT);
    const double transform[6] = {123456.789, 1.0 / 3.0, 0.3, -987654.321, 0.2, -0.5};
    memcpy(raster.georeference.transform, transform, sizeof transform);
    raster.georeference.projection = source.georeference.projection;
    source.georeference.projection = NULL;
    const float special[8] = {NAN, -0.0f, FLT_MAX, -FLT_MAX, FLT_MIN, 1e-45f, 0.1f, -9999.0f};
    memcpy(raster.values + 1000, special, sizeof special);

    assert_int_equal(gully_raster_write(in_scratch("a.tif"), &raster), GULLY_OK);
    unlink(in_scratch("cells.vrt"));
    assert_holds(scratch_folder(), "a.tif ");
    GullyRaster back;
    read_good(in_scratch("a.tif"), NULL, NULL, &back);
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
    assert_holds(scratch_folder(), "a.tif ");

    // Once it has been through a file, the projection stays as it is.
    assert_int_equal(gully_raster_write(in_scratch("b.tif"), &back), GULLY_OK);
    GullyRaster again;
    read_good(in_scratch("b.tif"), NULL, NULL, &again);
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
    assert_int_equal(gully_raster_write(in_scratch("geo.tif"), &source), GULLY_OK);
    read_good(in_scratch("geo.tif"), NULL, NULL, &back);
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
    assert_int_equal(gully_picture_write(in_scratch("p.png"), WIDTH, HEIGHT, rgb), GULLY_OK);
    assert_holds(scratch_folder(), "p.png ");
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
        read_good(in_scratch("band.vrt"), NULL, NULL, &raster);
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
        GullyStatus bytes = gully_file_write(in_scratch("f.txt"), "abc", 3);
        GullyStatus tiff = gully_raster_write(in_scratch("f.tif"), &raster);
        GullyStatus png = gully_picture_write(in_scratch("f.png"), 1, 1, rgb);
        umask(before);
        assert_true(bytes == GULLY_OK && tiff == GULLY_OK && png == GULLY_OK);
        const char* const names[] = {"f.txt", "f.tif", "f.png"};
        for (int k = 0; k < 3; ++k) {
            struct stat info;
            assert_int_equal(stat(in_scratch(names[k]), &info), 0);
            assert_int_equal(info.st_mode & 0777, 0666 & ~masks[i]);
        }
    }
    gully_raster_free(&raster);
}

static void test_links_and_long_names(void** state) {
    (void)state;
    assert_int_equal(mkdir(in_scratch("real"), 0777), 0);
    write_text("real/a.txt", "old");
    assert_int_equal(symlink("real/a.txt", in_scratch("link.txt")), 0);
    assert_int_equal(gully_file_write(in_scratch("link.txt"), "new", 3), GULLY_OK);
    assert_text("real/a.txt", "new");
    assert_holds(scratch_folder(), "link.txt real ");
    assert_holds(in_scratch("real"), "a.txt ");

    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_int_equal(gully_file_write(in_scratch(name), "", 0), GULLY_OK);
    assert_int_equal(access(in_scratch(name), F_OK), 0);
}

/// Every writer must fail at `path` and say `part`.
static void assert_unwritable(const char* path, const char* part) {
    GullyRaster raster = make_raster(4, 4);
    const unsigned char rgb[3] = {1, 2, 3};
    assert_int_equal(gully_file_write(path, "abc", 3), GULLY_IO);
    assert_message(path, part);
    assert_int_equal(gully_raster_write(path, &raster), GULLY_IO);
    assert_message(path, part);
    assert_int_equal(gully_picture_write(path, 1, 1, rgb), GULLY_IO);
    assert_message(path, part);
    gully_raster_free(&raster);
}

static void test_unwritable(void** state) {
    (void)state;
    write_text("file", "x");
    assert_unwritable(in_scratch("file/a.tif"), "Not a directory");
    assert_unwritable(in_scratch("missing/a.tif"), "No such file or directory");
    assert_unwritable(scratch_folder(), "is a folder");
    assert_unwritable("/dev/null", "not a plain file");
    assert_holds(scratch_folder(), "file ");
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

/// Whether the writers fail for `reason` and leave what was there; for a child process, so it says
/// by its exit code which of them did not.
static int try_full(const char* path, const GullyRaster* raster, const unsigned char* rgb, int size,
                    const char* reason) {
    size_t cells = (size_t)raster->width * (size_t)raster->height;
    if (gully_raster_write(path, raster) != GULLY_IO) return 1;
    if (strncmp(gully_message(), path, strlen(path)) != 0) return 2;
    if (strstr(gully_message(), reason) == NULL) return 3;
    if (gully_file_write(path, raster->values, cells * sizeof(float)) != GULLY_IO) return 4;
    if (strstr(gully_message(), reason) == NULL) return 5;
    if (gully_picture_write(path, size, size, rgb) != GULLY_IO) return 6;
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
    const char* path = in_scratch("kept.tif");
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
                _exit(gully_raster_write(path, &raster) == GULLY_IO &&
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
        assert_holds(scratch_folder(), "kept.tif ");
    }
    free(noise);
    gully_raster_free(&raster);
}

/// A disk of 64 KiB; only where mounting is allowed.
static void test_full_disk(void** state) {
    (void)state;
    const char* disk = in_scratch("disk");
    assert_int_equal(mkdir(disk, 0777), 0);
    if (mount("none", disk, "tmpfs", 0, "size=64k") != 0) skip();
    GullyRaster raster = make_raster(250, 160), small = make_raster(100, 100);
    unsigned char* noise = make_noise(240 * 240 * 3);
    int tried = try_full(in_scratch("disk/a.tif"), &raster, noise, 240, strerror(ENOSPC));
    GullyStatus fits = gully_raster_write(in_scratch("disk/small.tif"), &small);
    // In a set the second file finds the room taken by the first.
    GullyOutputs* set;
    OK(gully_outputs_create(&set));
    GullyStatus first = gully_outputs_file(set, in_scratch("disk/b.txt"), noise, 20000);
    GullyStatus second = gully_outputs_raster(set, in_scratch("disk/small.tif"), &small);
    gully_outputs_abandon(set);
    DIR* entries = opendir(disk);
    int count = 0;
    while (entries != NULL && readdir(entries) != NULL)
        ++count;
    if (entries != NULL) closedir(entries);
    assert_int_equal(umount(disk), 0);
    assert_int_equal(tried, 0);
    assert_int_equal(fits, GULLY_OK);
    assert_int_equal(first, GULLY_OK);
    assert_int_equal(second, GULLY_IO);
    assert_int_equal(count, 3); // ".", "..", small.tif
    free(noise);
    gully_raster_free(&raster);
    gully_raster_free(&small);
}

// ---- sets and folders ----

static void test_outputs_commit(void** state) {
    (void)state;
    GullyRaster raster = make_raster(5, 4);
    unsigned char rgb[3] = {1, 2, 3};
    const GullyTexture texture = {1, 1, 3, rgb};
    write_text("a.txt", "old");
    GullyOutputs* set;
    OK(gully_outputs_create(&set));
    assert_int_equal(gully_outputs_file(set, in_scratch("a.txt"), "new", 3), GULLY_OK);
    assert_int_equal(gully_outputs_raster(set, in_scratch("b.tif"), &raster), GULLY_OK);
    assert_int_equal(gully_outputs_texture(set, in_scratch("c.png"), &texture), GULLY_OK);
    assert_int_equal(gully_outputs_file(set, in_scratch("a.txt"), "newer", 5), GULLY_OK);
    // What is written without the set is there at once, on the same thread too.
    assert_int_equal(gully_file_write(in_scratch("d.txt"), "d", 1), GULLY_OK);
    assert_text("d.txt", "d");
    assert_text("a.txt", "old");
    assert_int_equal(access(in_scratch("b.tif"), F_OK), -1);
    assert_int_equal(gully_outputs_commit(set), GULLY_OK);
    assert_text("a.txt", "newer");
    assert_holds(scratch_folder(), "a.txt b.tif c.png d.txt ");
    GullyRaster back;
    read_good(in_scratch("b.tif"), NULL, NULL, &back);
    assert_values(&back, raster.values);
    gully_raster_free(&back);
    gully_raster_free(&raster);
}

static void test_outputs_abandon(void** state) {
    (void)state;
    write_text("a0", "old");
    GullyOutputs* set;
    OK(gully_outputs_create(&set));
    for (int i = 0; i < 40; ++i) {
        char name[16];
        snprintf(name, sizeof name, "a%d", i);
        assert_int_equal(gully_outputs_file(set, in_scratch(name), "new", 3), GULLY_OK);
    }
    assert_int_equal(gully_outputs_file(set, in_scratch("missing/b"), "x", 1), GULLY_IO);
    gully_outputs_abandon(set);
    assert_message(in_scratch("missing/b"), "No such file"); // what went wrong is still said
    assert_text("a0", "old");
    assert_holds(scratch_folder(), "a0 ");
    OK(gully_outputs_create(&set)); // an empty one
    OK(gully_outputs_commit(set));
    assert_holds(scratch_folder(), "a0 ");
    gully_outputs_abandon(NULL);
}

/// Two sets at the same time on one thread: each has its own files.
static void test_two_sets(void** state) {
    (void)state;
    GullyOutputs *kept, *dropped;
    OK(gully_outputs_create(&kept));
    OK(gully_outputs_create(&dropped));
    OK(gully_outputs_file(kept, in_scratch("a"), "a", 1));
    OK(gully_outputs_file(dropped, in_scratch("b"), "b", 1));
    OK(gully_outputs_file(kept, in_scratch("c"), "c", 1));
    gully_outputs_abandon(dropped);
    OK(gully_outputs_commit(kept));
    assert_holds(scratch_folder(), "a c ");
}

static void test_outputs_commit_fails(void** state) {
    (void)state;
    GullyOutputs* set;
    OK(gully_outputs_create(&set));
    assert_int_equal(gully_outputs_file(set, in_scratch("a"), "a", 1), GULLY_OK);
    assert_int_equal(gully_outputs_file(set, in_scratch("b"), "b", 1), GULLY_OK);
    assert_int_equal(gully_outputs_file(set, in_scratch("c"), "c", 1), GULLY_OK);
    assert_int_equal(mkdir(in_scratch("b"), 0777), 0); // in the way of the second
    assert_int_equal(gully_outputs_commit(set), GULLY_IO);
    assert_message(in_scratch("b"), "Is a directory");
    assert_holds(scratch_folder(), "a b ");
}

static void test_folder_make(void** state) {
    (void)state;
    struct stat info;
    assert_int_equal(gully_folder_make(in_scratch("one/two//three/")), GULLY_OK);
    assert_int_equal(stat(in_scratch("one/two/three"), &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    assert_int_equal(gully_folder_make(in_scratch("one/two/three")), GULLY_OK);
    assert_holds(in_scratch("one/two/three"), "");
    assert_holds(scratch_folder(), "one ");

    write_text("file", "x");
    assert_int_equal(gully_folder_make(in_scratch("file")), GULLY_IO);
    assert_message(in_scratch("file"), "is a file");
    assert_int_equal(gully_folder_make(in_scratch("file/a/b")), GULLY_IO);
    assert_message(in_scratch("file/a/b"), "file is a file");
    assert_int_equal(symlink("nowhere", in_scratch("link")), 0);
    assert_int_equal(gully_folder_make(in_scratch("link")), GULLY_IO);
    assert_message(in_scratch("link"), "No such file");
    assert_int_equal(gully_folder_make("/proc/self/a"), GULLY_IO);
    assert_message("/proc/self/a", "cannot be made");
    assert_int_equal(gully_folder_make("/proc/self"), GULLY_IO); // there, but takes no files
    assert_message("/proc/self", "cannot be written to");
    assert_int_equal(gully_folder_make(""), GULLY_IO);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_make, scratch_remove)
    const struct CMUnitTest tests[] = {
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
        TEST(test_two_sets),
        TEST(test_outputs_commit_fails),
        TEST(test_folder_make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
