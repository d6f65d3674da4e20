// SPDX-License-Identifier: MIT
/// The kernels of every case compile for two graphics cards (Clang's back ends for AMD and NVIDIA):
/// nothing spills to memory, nothing is contracted, and memory traffic is what was planned.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device_cases.h"
#include "device_step.h"
#include "gully/gully.h"
#include "hash.h"
#include "ok.h"
#include "scratch.h"
#include "simulation.h"

#define OPTIONS                                                                                    \
    "-x cl -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -O3 "                              \
    "-Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins -Wall -Wextra -Werror "    \
    "-Wno-unused-function -Wno-unused-parameter -include " BUILTINS

/// A target, and how to see in its assembly that memory of a work-item is used, or that a product
/// and a sum were contracted.
typedef struct Target {
    const char *name, *options;
    const char* spills; // what the assembly must not have
    const char* fused;
} Target;

static const Target targets[] = {
    {"amdgcn", "-target amdgcn-amd-amdhsa -mcpu=gfx1030 -nogpulib", "", ""},
    {"nvptx64", "-target nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_86", ".local ", "fma."},
};

static void run_command(const char* format, ...) {
    char command[4096];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    assert_true(length > 0 && (size_t)length < sizeof command);
    if (system(command) != 0) fail_msg("failed: %s", command);
}

static char* read_text(const char* path) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char* text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

static int count_of(const char* text, const char* part) {
    int count = 0;
    while ((text = strstr(text, part))) {
        text += strlen(part);
        count++;
    }
    return count;
}

/// Compiles a file of the scratch folder to another.
static void compile(const Target* target, const char* options, const char* from, const char* to) {
    char source[512];
    snprintf(source, sizeof source, "%s", in_scratch(from));
    run_command("%s %s %s -S -o %s %s", CLANG, target->options, options, in_scratch(to), source);
}

/// A chain needs as much local memory as was planned, at most.
static void check_local(const char* name, const char* assembly, size_t planned) {
    static const char says[] = ".group_segment_fixed_size: ";
    const char* at = strstr(assembly, says);
    assert_non_null(at);
    const long used = atol(at + strlen(says));
    if (used > (long)planned)
        fail_msg("%s: a chain uses %ld bytes of local memory, %zu were planned", name, used,
                 planned);
}

/// No work-item may need memory of its own: on AMD every kernel says how much it does.
static void check_amd(const char* name, const char* assembly) {
    const char* at = assembly;
    int kernels = 0;
    while ((at = strstr(at, ".private_segment_fixed_size: "))) {
        at += strlen(".private_segment_fixed_size: ");
        if (atoi(at) != 0) fail_msg("%s: %d bytes of scratch memory per work-item", name, atoi(at));
        kernels++;
    }
    assert_true(kernels > 0);
}

/// Before a back end makes division of it: no fused operation, no relaxed one.
static void check_code(const char* name, const Target* target, const char* code) {
    static const char* const relaxed[] = {"@llvm.fma", "@llvm.fmuladd", " contract ", " fast ",
                                          " reassoc ", " nnan ",        " nsz "};
    for (size_t n = 0; n < sizeof relaxed / sizeof *relaxed; n++) {
        if (strstr(code, relaxed[n]))
            fail_msg("%s, %s: the code has %s", name, target->name, relaxed[n]);
    }
}

/// Whether a program was checked before: many cases share those of the supply and of `thermal`.
static bool is_checked(const char* source) {
    enum { MOST = 256 };
    static uint64_t hashes[MOST];
    static int count = 0;
    const uint64_t hash = hash_bytes(source, strlen(source), 0);
    for (int i = 0; i < count; i++)
        if (hashes[i] == hash) return true;
    assert_true(count < MOST);
    hashes[count++] = hash;
    return false;
}

/// `local`: bytes of local memory that were planned, 0 = it does not matter.
static void check_program(const char* name, const char* source, size_t local) {
    if (is_checked(source)) return;
    write_text("program.cl", source);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        const Target* target = &targets[i];
        compile(target, OPTIONS " -emit-llvm", "program.cl", "program.ll");
        char* code = read_text(in_scratch("program.ll"));
        check_code(name, target, code);
        free(code);
        compile(target, "-O3 -Xclang -disable-llvm-passes -x ir", "program.ll", "program.s");
        char* assembly = read_text(in_scratch("program.s"));
        if (i == 0) check_amd(name, assembly);
        if (i == 0 && local > 0) check_local(name, assembly, local);
        if (*target->spills && strstr(assembly, target->spills))
            fail_msg("%s, %s: uses memory of a work-item", name, target->name);
        if (*target->fused && strstr(assembly, target->fused))
            fail_msg("%s, %s: a product and a sum are contracted", name, target->name);
        free(assembly);
    }
}

/// Local memory of a work-group: what every card has, and what the largest have.
enum { LEAST_LOCAL = 32 << 10, MOST_LOCAL = 64 << 10 };

// ---- cases --------------------------------------------------------------------------------------

static GullySim* create_sim(const DeviceCase* c, GullyWorld** world) {
    GullyWorldDef def = gully_world_def(c->width, c->height);
    def.half = c->half;
    OK(gully_world_create(&def, world));
    GullyMaterial materials[GULLY_MAX_MATERIALS];
    for (int m = 0; m < c->materials; m++)
        materials[m] = gully_material("material", m);
    if (c->materials > 0) OK(gully_world_set_materials(*world, materials, c->materials));
    if (c->hardness) OK(gully_world_fill(*world, GULLY_HARDNESS, 0.5f));
    GullySettings* settings;
    OK(gully_settings_create(c->model, &settings));
    for (int i = 0; i < DEVICE_CASE_KEYS && c->keys[i]; i += 2)
        OK(gully_settings_set_text(settings, c->keys[i], c->keys[i + 1]));
    if (c->thermal) OK(gully_settings_switch(settings, "thermal", true));
    GullySimDef sim_def = gully_sim_def();
    sim_def.masks = !c->no_masks;
    sim_def.velocity = c->velocity;
    GullySim* sim;
    OK(gully_sim_create(*world, settings, &sim_def, &sim));
    gully_settings_destroy(settings);
    return sim;
}

/// A GPU with so much local memory for chains.
static KernelStyle gpu_with(size_t bytes) {
    return (KernelStyle){.recomputes = true, .sums_at_once = 4, .chain_bytes = bytes};
}

static void test_every_case(void** state) {
    (void)state;
    for (int i = 0; i < device_case_count; i++) {
        GullyWorld* world;
        GullySim* sim = create_sim(&device_cases[i], &world);
        DeviceStep step;
        const StepList* list = sim->list;
        OK(device_step_create(list->entries, list->entry_count, world, gpu_with(MOST_LOCAL),
                              &step));
        for (int n = 0; n < step.source_count; n++)
            check_program(device_cases[i].name, step.sources[n].bytes, 0);
        for (int n = 0; n < step.chains.count; n++)
            check_program(device_cases[i].name, step.chain_sources[n].bytes,
                          step.chains.chains[n].local_bytes);
        device_step_free(&step);
        gully_sim_destroy(sim);
        gully_world_destroy(world);
    }
}

static const DeviceCase traffic = {.name = "traffic",
                                   .model = "pipe",
                                   .keys = {"rain.rate", "1e-3"},
                                   .width = 64,
                                   .height = 64,
                                   .no_masks = true};

/// The arguments of a kernel or a chain, as text; free() it.
static char* arguments_of(const char* source, const char* name) {
    char head[96];
    snprintf(head, sizeof head, "void %s(", name);
    const char* at = strstr(source, head);
    assert_non_null(at);
    return strndup(at, (size_t)(strchr(at, '{') - at));
}

/// Loads and stores of global memory in a kernel, in bytes per cell; neighbours of a cell come from
/// a cache, so a buffer counts once.
static void test_traffic(void** state) {
    (void)state;
    GullyWorld* world;
    GullySim* sim = create_sim(&traffic, &world);
    DeviceStep step;
    OK(device_step_create(sim->list->entries, sim->list->entry_count, world, gpu_with(0), &step));
    assert_int_equal(step.chains.count, 0);
    assert_true(kernels_bytes(&step.plan) <= 172);
    // Kernels have just the arguments whose traffic was counted.
    for (int k = 0; k < step.plan.count + step.plan.has_bridge; k++) {
        const Kernel* kernel = &step.plan.kernels[k];
        char* text = arguments_of(device_step_source(&step, kernel->law), kernel->name);
        const int stores = count_of(text, "global float* in_");
        const int loads = count_of(text, "global const float* in_");
        int own = 0;
        for (int i = 0; i < kernel->field_count; i++) {
            const KernelField* field = &kernel->fields[i];
            own += has_buffer(field) && field->stores && !field->loads && !field->feeds;
        }
        assert_int_equal(kernel->bytes, 4 * (2 * stores - own + loads));
        free(text);
    }
    device_step_free(&step);
    gully_sim_destroy(sim);
    gully_world_destroy(world);
}

/// A chain runs the whole step in the local memory that every card has. Every buffer counts once;
/// without a cache, work-groups would load the cells around their patches again.
static void test_traffic_of_chains(void** state) {
    (void)state;
    GullyWorld* world;
    GullySim* sim = create_sim(&traffic, &world);
    DeviceStep step;
    OK(device_step_create(sim->list->entries, sim->list->entry_count, world, gpu_with(LEAST_LOCAL),
                          &step));
    assert_int_equal(step.chains.count, 1);
    const Chain* chain = &step.chains.chains[0];
    assert_true(chain->local_bytes <= LEAST_LOCAL);
    assert_int_equal(chain->pass_count, step.plan.pass_count);
    assert_true(chains_bytes(&step.chains) <= 95);
    assert_true(chains_bytes_uncached(&step.chains) < kernels_bytes(&step.plan));
    assert_int_equal(device_step_bytes(&step), chains_bytes(&step.chains));
    char* text = arguments_of(step.chain_sources[0].bytes, chain->name);
    int own = 0; // loaded and stored in one buffer
    for (int i = 0; i < chain->field_count; i++)
        own += chain->fields[i].loads && chain->fields[i].stores &&
               !chain_has_second(&chain->fields[i]);
    const int buffers = count_of(text, "float* in_") + count_of(text, "float* to_");
    assert_int_equal(chain->bytes, 4 * (buffers + own));
    free(text);
    device_step_free(&step);
    // Too little memory: the kernels of the passes do it.
    const StepList* list = sim->list;
    OK(device_step_create(list->entries, list->entry_count, world, gpu_with(LEAST_LOCAL / 2),
                          &step));
    assert_int_equal(step.chains.count, 0);
    device_step_free(&step);
    gully_sim_destroy(sim);
    gully_world_destroy(world);
}

int main(void) {
    device_cases_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_case),
        cmocka_unit_test(test_traffic),
        cmocka_unit_test(test_traffic_of_chains),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
