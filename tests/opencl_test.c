// SPDX-License-Identifier: MIT
/// The rows of every law compile as OpenCL C 1.2 without warnings, and give the same bits there:
/// Clang compiles them for this processor, one cell at a time, for every set of known values that
/// the cases have. Counting is part of it, which the OpenCL form does without doubles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <math.h>

#include "row_cases.h"
#include "scratch.h"

/// The options that a device compiles with, and what Clang needs for them.
#define OPTIONS                                                                                    \
    "-x cl -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -Xclang "                          \
    "-fdeclare-opencl-builtins "                                                                   \
    "-Xclang -finclude-default-header -Wall -Wextra -Werror " OPENCL_INCLUDES

/// Builtin functions of OpenCL C that the prelude calls, under the names that Clang gives them.
#define BUILTIN __attribute__((visibility("default")))

BUILTIN float builtin_sqrt(float x) __asm__("_Z4sqrtf");
float builtin_sqrt(float x) {
    return sqrtf(x);
}

BUILTIN unsigned long builtin_clz(unsigned long x) __asm__("_Z3clzm");
unsigned long builtin_clz(unsigned long x) {
    return x ? (unsigned long)__builtin_clzl(x) : 64;
}

// ---- programs -----------------------------------------------------------------------------------

enum { MAX_PROGRAMS = 256 };

/// A law compiled for some known values.
typedef struct Program {
    const Law* law;
    char known[256]; // the values, as options
    void* library;
} Program;

typedef struct Compiler {
    const char* folder;
    Program programs[MAX_PROGRAMS];
    int count;
    const Program* at_hand;
    RowResult result;
} Compiler;

/// The values of a case that a device compiles a law for.
static void known_options(const RowCase* c, char* text, size_t size) {
    int used = 0;
    text[0] = 0;
    for (int i = 0; i < c->law->known_count; i++) {
        int value;
        memcpy(&value, (const char*)c->consts + c->law->known[i].offset, sizeof value);
        used += snprintf(text + used, size - (size_t)used, "-DKNOWN_%s=%d ", c->law->known[i].name,
                         value);
        assert_true((size_t)used < size);
    }
}

/// Writes a law's program: its rows after the prelude, a function and a kernel for every pass.
static void write_program(const Law* law, const char* path) {
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#include \"prelude.h\"\n#include \"%s.rows.h\"\n", law->name);
    for (int i = 0; i < law->pass_count; i++) {
        const char* pass = law->passes[i].name;
        fprintf(file, "void run_%s(const PassRow* row);\n", pass);
        fprintf(file, "void run_%s(const PassRow* row) {\n    %s_row(row);\n}\n", pass, pass);
        fprintf(file, "kernel void kernel_%s(global const void* consts, global float* cell) {\n",
                pass);
        fprintf(file, "    float value = *cell;\n    Tally accounts[ACCOUNTS] = {{0, 0}};\n"
                      "    PassRow row = {.to = 1, .end = 1, .accounts = accounts};\n"
                      "    for (int id = 0; id < FIELD_IDS; id++)\n"
                      "        row.in[id][HERE] = row.out[id] = &value;\n"
                      "    row.consts = consts;\n");
        fprintf(file, "    %s_row(&row);\n    tally_carry(accounts);\n    *cell = value;\n}\n",
                pass);
    }
    assert_int_equal(fclose(file), 0);
}

static void run_command(const char* format, ...) {
    char command[2048];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    assert_true(length > 0 && (size_t)length < sizeof command);
    if (system(command) != 0) fail_msg("failed: %s", command);
}

/// Checks a program for a device, and compiles it for this processor.
static void compile(const Compiler* compiler, Program* program) {
    char source[512], library[512];
    snprintf(source, sizeof source, "%s/%s.cl", compiler->folder, program->law->name);
    snprintf(library, sizeof library, "%s/%d.so", compiler->folder, compiler->count);
    write_program(program->law, source);
    run_command("%s %s %s -target spir64 -fsyntax-only %s", CLANG, OPTIONS, program->known, source);
    run_command("%s %s %s -O1 -ffp-contract=off -shared -fPIC -o %s %s", CLANG, OPTIONS,
                program->known, library, source);
    program->library = dlopen(library, RTLD_NOW);
    if (!program->library) fail_msg("%s", dlerror());
}

static const Program* find_program(Compiler* compiler, const RowCase* c) {
    Program wanted = {.law = c->law};
    known_options(c, wanted.known, sizeof wanted.known);
    for (int i = 0; i < compiler->count; i++) {
        const Program* program = &compiler->programs[i];
        if (program->law == c->law && strcmp(program->known, wanted.known) == 0) return program;
    }
    assert_true(compiler->count < MAX_PROGRAMS);
    compile(compiler, &wanted);
    compiler->programs[compiler->count] = wanted;
    return &compiler->programs[compiler->count++];
}

// ---- cells --------------------------------------------------------------------------------------

/// A sum as the prelude has it.
typedef struct DeviceTally {
    int64_t coarse, fine;
} DeviceTally;

static void run_on_device(void* context, const RowCase* c, const Pass* pass, PassRow* row,
                          Exact counted[ACCOUNTS]) {
    (void)c;
    const Compiler* compiler = context;
    DeviceTally tallies[ACCOUNTS] = {{0, 0}};
    char name[64];
    snprintf(name, sizeof name, "run_%s", pass->name);
    void (*run)(const PassRow*);
    void* symbol = dlsym(compiler->at_hand->library, name);
    assert_non_null(symbol);
    memcpy(&run, &symbol, sizeof run);
    row->accounts = (Tally*)(void*)tallies;
    run(row);
    for (int i = 0; i < ACCOUNTS; i++)
        counted[i] = (Exact)tallies[i].coarse * ((Exact)1 << 46) + tallies[i].fine;
}

static void check(void* context, RowCase* c) {
    Compiler* compiler = context;
    compiler->at_hand = find_program(compiler, c);
    check_row_case(c, 2, run_on_device, compiler, &compiler->result);
}

static void test_rows_are_opencl(void** state) {
    (void)state;
    Compiler compiler = {.folder = scratch_folder()};
    each_row_case(check, &compiler);
    for (int i = 0; i < compiler.count; i++)
        dlclose(compiler.programs[i].library);
    assert_true(compiler.result.counted == ACCOUNT_BIT(ACCOUNTS) - 1);
}

// ---- sums ---------------------------------------------------------------------------------------

static const char counting[] = "#include \"prelude.h\"\n"
                               "void count(const float* numbers, Tally* sums);\n"
                               "void count(const float* numbers, Tally* sums) {\n"
                               "    tally_add_row(&sums[0], numbers, 2);\n"
                               "    tally_add_signed_row(&sums[1], &sums[2], numbers, 2);\n"
                               "    tally_add_times(&sums[3], numbers[0], 3);\n"
                               "    tally_add_product(&sums[4], numbers[0], numbers[1]);\n"
                               "    for (int i = 0; i < 5; i++)\n"
                               "        tally_carry(&sums[i]);\n"
                               "}\n";

enum { SUMS = 5 };

/// A number of any size that the budget can count, with few or many bits.
static float random_number(uint64_t* dice, int largest) {
    *dice = *dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint32_t bits = (uint32_t)(*dice >> 33);
    const uint32_t kept = bits & 1 ? 0x7fffff : 0x780000;
    const int exponent = 127 + largest - (int)(bits >> 8 & 0x7f);
    const uint32_t magnitude = (uint32_t)exponent << 23 | (uint32_t)(*dice >> 20 & kept);
    return float_of((bits & 2 ? 0x80000000u : 0) | (bits & 0xf0 ? magnitude : 0));
}

/// The sums of the OpenCL form are those of the processor, to the last bit.
static void test_counting_without_doubles(void** state) {
    (void)state;
    write_text("counting.cl", counting);
    char library[512];
    snprintf(library, sizeof library, "%s", in_scratch("counting.so"));
    run_command("%s %s -O1 -shared -fPIC -o %s %s", CLANG, OPTIONS, library,
                in_scratch("counting.cl"));
    void* program = dlopen(library, RTLD_NOW);
    assert_non_null(program);
    void (*count)(const float*, DeviceTally*);
    void* symbol = dlsym(program, "count");
    assert_non_null(symbol);
    memcpy(&count, &symbol, sizeof count);
    uint64_t dice = 1;
    for (int i = 0; i < 300000; i++) {
        const float numbers[2] = {random_number(&dice, 16), random_number(&dice, 16)};
        Exact sums[SUMS] = {0};
        tally_add_row(&sums[0], numbers, 2);
        tally_add_signed_row(&sums[1], &sums[2], numbers, 2);
        tally_add_times(&sums[3], numbers[0], 3);
        tally_add_product(&sums[4], numbers[0], numbers[1]);
        DeviceTally tallies[SUMS] = {{0, 0}};
        count(numbers, tallies);
        for (int n = 0; n < SUMS; n++) {
            assert_true(tallies[n].fine >= 0 && tallies[n].fine < (int64_t)1 << 46);
            Exact sum = (Exact)tallies[n].coarse * ((Exact)1 << 46) + tallies[n].fine;
            if (sum != sums[n])
                fail_msg("sum %d of %a, %a is %.17g, should be %.17g", n, (double)numbers[0],
                         (double)numbers[1], exact_value(sum), exact_value(sums[n]));
        }
    }
    dlclose(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_opencl),
        cmocka_unit_test(test_counting_without_doubles),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
