// SPDX-License-Identifier: MIT
/// Checkpoint files: what is written comes back, what is damaged is recognised, whatever the bytes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gully/checkpoint.h"
#include "gully/raster.h"
#include "ok.h"
#include "scratch.h"
#include "terrains.h"

static const char note[] = "{\"phase\": 3, \"name\": \"trocken\"}";

typedef struct Run {
    GullyWorld* world;
    GullySim* sim;
} Run;

static Run open_run(int side, int threads, int tile_size) {
    Run run;
    GullySettings* settings;
    float* heights = terrain_make(terrain_holes, side, side);
    run.world = terrain_world(heights, side, side, 2, 2, tile_size);
    free(heights);
    assert_int_equal(gully_settings_create("pipe", &settings), GULLY_OK);
    assert_int_equal(gully_settings_set_number(settings, "rain.rate", 1e-3), GULLY_OK);
    GullySimDef def = gully_sim_def();
    def.threads = threads;
    if (gully_sim_create(run.world, settings, &def, &run.sim)) fail_msg("%s", gully_message());
    gully_settings_destroy(settings);
    return run;
}

static void close_run(Run* run) {
    gully_sim_destroy(run->sim);
    gully_world_destroy(run->world);
}

static void assert_same(const Run* a, const Run* b) {
    GullyBudget budget_a, budget_b;
    OK(gully_sim_budget(a->sim, &budget_a));
    OK(gully_sim_budget(b->sim, &budget_b));
    assert_memory_equal(&budget_a, &budget_b, sizeof budget_a);
    assert_int_equal(gully_sim_steps(a->sim), gully_sim_steps(b->sim));
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++)
        assert_true(gully_world_hash(a->world, field) == gully_world_hash(b->world, field));
}

static void write_checkpoint(const Run* run, const char* name, bool copy, int threads) {
    GullyCheckpoint* checkpoint;
    GullyStatus status = copy ? gully_checkpoint_take(run->sim, note, threads, &checkpoint)
                              : gully_checkpoint_borrow(run->sim, note, &checkpoint);
    assert_int_equal(status, GULLY_OK);
    if (gully_checkpoint_write(checkpoint, in_scratch(name), threads, NULL))
        fail_msg("%s", gully_message());
    gully_checkpoint_close(checkpoint);
}

static unsigned char* read_all(const char* name, size_t* size) {
    FILE* file = fopen(in_scratch(name), "rb");
    assert_non_null(file);
    unsigned char* bytes = malloc(1 << 24);
    *size = fread(bytes, 1, 1 << 24, file);
    fclose(file);
    return bytes;
}

/// A copy and what was borrowed, any threads: the same file, and from it the same run.
static void test_comes_back(void** state) {
    (void)state;
    enum { SIDE = 700 }; // two pieces for each field
    Run run = open_run(SIDE, 2, 0), resumed = open_run(SIDE, 1, 100);
    OK(gully_sim_step(run.sim, 7));
    write_checkpoint(&run, "copied", true, 3);
    write_checkpoint(&run, "borrowed", false, 1);
    size_t copied_size, borrowed_size;
    unsigned char *copied = read_all("copied", &copied_size),
                  *borrowed = read_all("borrowed", &borrowed_size);
    assert_int_equal(copied_size, borrowed_size);
    assert_memory_equal(copied, borrowed, copied_size);
    GullyCheckpoint* checkpoint;
    if (gully_checkpoint_open(in_scratch("copied"), 3, &checkpoint))
        fail_msg("%s", gully_message());
    const GullyStateInfo* info = gully_checkpoint_info(checkpoint);
    print_message("    %zu of %zu KiB\n", copied_size >> 10, info->bytes >> 10);
    assert_string_equal(gully_checkpoint_note(checkpoint), note);
    assert_string_equal(info->model, "pipe");
    assert_int_equal(info->steps, 7);
    assert_int_equal(info->width, SIDE);
    if (gully_checkpoint_restore(checkpoint, resumed.sim, 3)) fail_msg("%s", gully_message());
    gully_checkpoint_close(checkpoint);
    assert_same(&run, &resumed);
    OK(gully_sim_step(run.sim, 6));
    OK(gully_sim_step(resumed.sim, 6));
    assert_same(&run, &resumed);
    free(copied);
    free(borrowed);
    close_run(&run);
    close_run(&resumed);
}

/// The simulation goes on while its copy is written.
static void test_copy_stays_as_it_was(void** state) {
    (void)state;
    Run run = open_run(120, 2, 0), resumed = open_run(120, 2, 0), fresh = open_run(120, 1, 0);
    GullyCheckpoint* checkpoint;
    OK(gully_sim_step(run.sim, 5));
    assert_int_equal(gully_checkpoint_take(run.sim, note, 2, &checkpoint), GULLY_OK);
    OK(gully_sim_step(run.sim, 5));
    assert_int_equal(gully_checkpoint_write(checkpoint, in_scratch("copy"), 2, NULL), GULLY_OK);
    gully_checkpoint_close(checkpoint);
    assert_int_equal(gully_checkpoint_open(in_scratch("copy"), 1, &checkpoint), GULLY_OK);
    assert_int_equal(gully_checkpoint_restore(checkpoint, resumed.sim, 2), GULLY_OK);
    gully_checkpoint_close(checkpoint);
    OK(gully_sim_step(fresh.sim, 5));
    assert_same(&fresh, &resumed);
    OK(gully_sim_step(resumed.sim, 5));
    assert_same(&run, &resumed);
    close_run(&run);
    close_run(&resumed);
    close_run(&fresh);
}

static bool always(void) {
    return true;
}

static void test_stopped_leaves_nothing(void** state) {
    (void)state;
    Run run = open_run(40, 1, 0);
    GullyCheckpoint* checkpoint;
    assert_int_equal(gully_folder_make(in_scratch("empty")), GULLY_OK);
    assert_int_equal(gully_checkpoint_borrow(run.sim, note, &checkpoint), GULLY_OK);
    assert_int_equal(gully_checkpoint_write(checkpoint, in_scratch("empty/c"), 2, always),
                     GULLY_CANCELLED);
    gully_checkpoint_close(checkpoint);
    assert_holds(in_scratch("empty"), "");
    assert_int_equal(gully_checkpoint_open(in_scratch("empty/c"), 1, &checkpoint), GULLY_IO);
    assert_int_equal(gully_checkpoint_open(in_scratch("empty"), 1, &checkpoint), GULLY_IO);
    close_run(&run);
}

/// Nothing but the file as it was written is taken for it.
static void expect_refused(const unsigned char* bytes, size_t size) {
    GullyCheckpoint* checkpoint;
    unsigned char* copy = malloc(size + 1); // of just that size, for the address sanitizer
    memcpy(copy, bytes, size);
    assert_int_equal(gully_checkpoint_parse(copy, size, "damaged.gully", 1, &checkpoint),
                     GULLY_BAD_INPUT);
    assert_null(checkpoint);
    assert_non_null(strstr(gully_message(), "damaged.gully: "));
    free(copy);
}

static void test_damage_is_recognised(void** state) {
    (void)state;
    Run run = open_run(8, 1, 0);
    OK(gully_sim_step(run.sim, 3));
    write_checkpoint(&run, "small", true, 1);
    size_t size;
    unsigned char* bytes = read_all("small", &size);
    GullyCheckpoint* checkpoint;
    assert_int_equal(gully_checkpoint_parse(bytes, size, "small", 1, &checkpoint), GULLY_OK);
    gully_checkpoint_close(checkpoint);
    for (size_t cut = 0; cut < size; cut++)
        expect_refused(bytes, cut);
    for (size_t bit = 0; bit < size * 8; bit += 5) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        expect_refused(bytes, size);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    bytes[size] = 0; // more than it should be
    expect_refused(bytes, size + 1);
    free(bytes);
    close_run(&run);
}

/// The beginning of one and the end of another.
static void test_parts_of_two_do_not_fit(void** state) {
    (void)state;
    Run run = open_run(8, 1, 0);
    OK(gully_sim_step(run.sim, 3));
    write_checkpoint(&run, "first", true, 1);
    OK(gully_sim_step(run.sim, 1));
    write_checkpoint(&run, "second", true, 1);
    size_t first_size, second_size;
    unsigned char *first = read_all("first", &first_size),
                  *second = read_all("second", &second_size);
    size_t shorter = first_size < second_size ? first_size : second_size;
    for (size_t cut = 1; cut < shorter; cut += 5) {
        unsigned char* mixed = malloc(cut + second_size);
        memcpy(mixed, first, cut);
        memcpy(mixed + cut, second + cut, second_size - cut);
        if (memcmp(mixed, second, second_size) != 0) expect_refused(mixed, second_size);
        free(mixed);
    }
    free(first);
    free(second);
    close_run(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comes_back),
        cmocka_unit_test(test_copy_stays_as_it_was),
        cmocka_unit_test(test_stopped_leaves_nothing),
        cmocka_unit_test(test_damage_is_recognised),
        cmocka_unit_test(test_parts_of_two_do_not_fit),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
