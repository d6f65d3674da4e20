// SPDX-License-Identifier: MIT
/// Devices that are missing, too old, too small, wrong or dying: each has a message that says what
/// to do, and no run is lost or half done.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device_cases.h"
#include "gully/gully.h"
#include "ok.h"
#include "scratch.h"
#include "terrains.h"

enum { WIDTH = 150, HEIGHT = 90 };

static void set_fault(const char* fault) {
    assert_int_equal(fault ? setenv("GULLY_FAULT", fault, 1) : unsetenv("GULLY_FAULT"), 0);
}

/// A simulation of its own on a world of its own.
typedef struct Run {
    GullyWorld* world;
    GullySim* sim;
} Run;

static GullyStatus begin(Run* run, GullyBackend backend, const char* device) {
    float* heights = terrain_make(terrain_rough, WIDTH, HEIGHT);
    run->world = terrain_world(heights, WIDTH, HEIGHT, 2, 2, 0);
    free(heights);
    GullySettings* settings;
    OK(gully_settings_create("pipe", &settings));
    OK(gully_settings_set_number(settings, "rain.rate", 1e-3));
    GullySimDef def = gully_sim_def();
    def.backend = backend;
    def.device = device;
    GullyStatus status = gully_sim_create(run->world, settings, &def, &run->sim);
    gully_settings_destroy(settings);
    if (!status) gully_sim_wait(run->sim);
    return status;
}

static void end(Run* run) {
    gully_sim_destroy(run->sim);
    gully_world_destroy(run->world);
}

static GullyDeviceState state_of(const Run* run, const char** message) {
    static GullySimDevice device;
    gully_sim_device(run->sim, &device);
    *message = device.message;
    return device.state;
}

static bool are_same(const Run* a, const Run* b) {
    bool same = true;
    for (GullyField field = 0; field < GULLY_FIELD_COUNT; field++)
        same = same && gully_world_hash(a->world, field) == gully_world_hash(b->world, field);
    GullyBudget budgets[2];
    OK(gully_sim_budget(a->sim, &budgets[0]));
    OK(gully_sim_budget(b->sim, &budgets[1]));
    return same && memcmp(&budgets[0], &budgets[1], sizeof budgets[0]) == 0;
}

static void assert_says(const char* message, const char* part) {
    if (!strstr(message, part)) fail_msg("the message does not say \"%s\": %s", part, message);
}

/// Devices that are refused when they are asked for. With `auto` the processor steps.
static void test_refused(void** state) {
    (void)state;
    static const struct {
        const char *fault, *says;
    } cases[] = {
        {"no platform", "install your card's driver"},
        {"no device", "OpenCL has no device here"},
        {"old", "OpenCL 1.2 is needed"},
        {"groups", "work-groups"},
        {"memory", "too little memory"},
        {"buffer", "too little memory"},
        {"contraction", "contracts"},
        {"probe syntax", "cannot compile"},
    };
    assert_int_equal(setenv("GULLY_CACHE", "", 1), 0); // else a good probe of before is taken
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Run run = {0};
        set_fault(cases[i].fault);
        assert_int_equal(begin(&run, GULLY_GPU, "portable"), GULLY_DEVICE);
        assert_says(gully_message(), cases[i].says);
        assert_says(gully_message(), "cpu");
        assert_null(run.sim);
        end(&run);
        OK(begin(&run, GULLY_AUTO, "portable"));
        OK(gully_sim_step(run.sim, 6));
        const char* message;
        assert_int_not_equal(state_of(&run, &message), GULLY_STEPS_ON_DEVICE);
        assert_says(message, cases[i].says);
        end(&run);
    }
    set_fault(NULL);
    assert_int_equal(setenv("GULLY_CACHE", in_scratch("programs"), 1), 0);
}

static void test_names(void** state) {
    (void)state;
    Run run = {0};
    assert_int_equal(begin(&run, GULLY_GPU, "no such card"), GULLY_DEVICE);
    assert_says(gully_message(), "gully devices");
    end(&run);
    // A device that is no GPU must be named.
    assert_int_equal(begin(&run, GULLY_GPU, NULL), GULLY_DEVICE);
    assert_says(gully_message(), "--device");
    end(&run);
    OK(begin(&run, GULLY_AUTO, NULL));
    const char* message;
    OK(gully_sim_step(run.sim, 1));
    assert_int_equal(state_of(&run, &message), GULLY_STEPS_ON_CPU);
    end(&run);
}

/// A kernel that does not compile, in the background: the processor steps on.
static void test_kernel_does_not_build(void** state) {
    (void)state;
    Run run, other;
    set_fault("syntax");
    assert_int_equal(setenv("GULLY_CACHE", "", 1), 0); // else the kernels of other tests are taken
    OK(begin(&run, GULLY_GPU, "portable"));
    OK(gully_sim_step(run.sim, 12));
    const char* message;
    assert_int_equal(state_of(&run, &message), GULLY_DEVICE_FAILED);
    assert_says(message, "cannot compile");
    set_fault(NULL);
    OK(begin(&other, GULLY_CPU, NULL));
    OK(gully_sim_step(other.sim, 12));
    assert_true(are_same(&run, &other));
    end(&run);
    end(&other);
    assert_int_equal(setenv("GULLY_CACHE", in_scratch("programs"), 1), 0);
}

/// A device that dies while it steps: the processor goes on, and no bit shows it.
static void test_handing_over(void** state) {
    (void)state;
    static const char* const faults[] = {"launch:0", "launch:7", "launch:40", "wait:1",
                                         "wait:5",   "buffer:0", "buffer:9"};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        Run run, other;
        OK(begin(&run, GULLY_GPU, "portable"));
        OK(begin(&other, GULLY_CPU, NULL));
        set_fault(faults[i]);
        for (int turn = 0; turn < 3; turn++) {
            OK(gully_sim_step(run.sim, 13));
            OK(gully_sim_step(other.sim, 13));
            if (turn == 0) continue; // the tiles stay behind
            OK(gully_world_fill(run.world, GULLY_SEDIMENT, 0.01f));
            OK(gully_world_fill(other.world, GULLY_SEDIMENT, 0.01f));
        }
        const char* message;
        if (state_of(&run, &message) != GULLY_DEVICE_FAILED) fail_msg("%s: no failure", faults[i]);
        if (!are_same(&run, &other)) fail_msg("%s: the runs differ", faults[i]);
        assert_int_equal(gully_sim_steps(run.sim), 39);
        set_fault(NULL);
        end(&run);
        end(&other);
    }
}

/// A device that does not round divisions and roots correctly is repaired with integers.
static void test_division_is_repaired(void** state) {
    (void)state;
    Run run, other;
    set_fault("division");
    OK(begin(&run, GULLY_GPU, "portable"));
    OK(begin(&other, GULLY_CPU, NULL));
    OK(gully_sim_step(run.sim, 30));
    OK(gully_sim_step(other.sim, 30));
    const char* message;
    assert_int_equal(state_of(&run, &message), GULLY_STEPS_ON_DEVICE);
    assert_true(are_same(&run, &other));
    set_fault(NULL);
    end(&run);
    end(&other);
}

/// The comparison can fail: kernels whose products and sums are contracted give other bits.
static void test_contraction_shows(void** state) {
    (void)state;
    Run run, other;
    set_fault("rows contract");
    assert_int_equal(setenv("GULLY_CACHE", "", 1), 0);
    OK(begin(&run, GULLY_GPU, "portable"));
    OK(begin(&other, GULLY_CPU, NULL));
    OK(gully_sim_step(run.sim, 30));
    OK(gully_sim_step(other.sim, 30));
    const char* message;
    assert_int_equal(state_of(&run, &message), GULLY_STEPS_ON_DEVICE);
    assert_false(are_same(&run, &other));
    set_fault(NULL);
    end(&run);
    end(&other);
}

static int begin_tests(void** state) {
    if (scratch_make(state)) return -1;
    return setenv("GULLY_OPENCL", FAULTY_OPENCL, 1) ||
           setenv("GULLY_CACHE", in_scratch("programs"), 1);
}

int main(void) {
    device_cases_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_kernel_does_not_build),
        cmocka_unit_test(test_handing_over),
        cmocka_unit_test(test_division_is_repaired),
        cmocka_unit_test(test_contraction_shows),
    };
    return cmocka_run_group_tests(tests, begin_tests, scratch_remove);
}
