// SPDX-License-Identifier: MIT
/// Asks a device some thousand questions whose answers must be a processor's, to the bit.
#include <math.h>
#include <stdlib.h>

#include "cell.h"
#include "denormals.h"
#include "device.h"
#include "hash.h"
#include "kernel_text.h"
#include "probe.cell.h"

enum { QUESTIONS = 8192 };

static const char* const differences[PROBE_ANSWERS] = {
#define ANSWER(id, text) [PROBE_##id] = text,
    PROBE_TABLE(ANSWER)
#undef ANSWER
};

/// A number of any size and sign; one in 64 is odd: 0, infinite, NaN or denormal.
static float question(int index) {
    static const uint32_t odd[] = {0, 0x80000000u, 0x7f800000u, 0x7fc00000u, 1, 0x807fffffu};
    const uint64_t bits = hash_bytes(&index, sizeof index, 1);
    if (bits % 64 == 0) return float_of(odd[bits / 64 % (sizeof odd / sizeof *odd)]);
    const uint32_t exponent = 127 - 20 + (uint32_t)(bits / 64 % 40);
    return float_of((uint32_t)(bits >> 63) << 31 | exponent << 23 |
                    (uint32_t)(bits >> 32 & 0x7fffff));
}

static bool same(float a, float b) {
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

/// The first difference to a processor; NULL = none.
static const char* find_difference(const float* numbers, const float* answers) {
    const uint64_t mode = denormals_flush();
    const char* found = NULL;
    for (int i = 0; i < QUESTIONS && !found; i++) {
        float own[PROBE_ANSWERS];
        probe_answers(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2], own);
        for (int n = 0; n < PROBE_ANSWERS && !found; n++) {
            if (!same(own[n], answers[i * PROBE_ANSWERS + n])) found = differences[n];
        }
    }
    denormals_restore(mode);
    return found;
}

// ---- asking -------------------------------------------------------------------------------------

typedef struct Probe {
    cl_mem numbers, answers;
    cl_kernel kernel;
} Probe;

static GullyStatus run_probe(Device* device, Probe* probe, const float* numbers, float* answers) {
    const OpenCl* cl = device->cl;
    const size_t in = 3 * QUESTIONS * sizeof *numbers;
    const size_t out = (size_t)QUESTIONS * PROBE_ANSWERS * sizeof *answers, items = QUESTIONS;
    GullyStatus status = device_buffer(device, in, &probe->numbers);
    if (!status) status = device_buffer(device, out, &probe->answers);
    if (status) return status;
    cl_int code = cl->EnqueueWriteBuffer(device->queue, probe->numbers, CL_TRUE, 0, in, numbers, 0,
                                         NULL, NULL);
    if (!code) code = cl->SetKernelArg(probe->kernel, 0, sizeof(cl_mem), &probe->numbers);
    if (!code) code = cl->SetKernelArg(probe->kernel, 1, sizeof(cl_mem), &probe->answers);
    if (!code)
        code = cl->EnqueueNDRangeKernel(device->queue, probe->kernel, 1, NULL, &items, NULL, 0,
                                        NULL, NULL);
    if (!code)
        code = cl->EnqueueReadBuffer(device->queue, probe->answers, CL_TRUE, 0, out, answers, 0,
                                     NULL, NULL);
    return device_check(device, code, "run a program");
}

static GullyStatus build_probe(Device* device, Probe* probe) {
    Text text = {0};
    Includes includes = {.count = 0};
    cl_program program = NULL;
    cl_int code;
    GullyStatus status = write_source(&text, &includes, "prelude.h");
    if (!status) status = write_source(&text, &includes, "probe.cl.h");
    if (!status) status = device_program(device, text.bytes, &program);
    text_free(&text);
    if (status) return status;
    probe->kernel = device->cl->CreateKernel(program, "probe", &code);
    return device_check(device, code, "make a kernel");
}

static GullyStatus ask(Device* device, const char** difference) {
    Probe probe = {0};
    float* numbers = malloc(3 * QUESTIONS * sizeof *numbers);
    float* answers = calloc((size_t)QUESTIONS * PROBE_ANSWERS, sizeof *answers);
    GullyStatus status = numbers && answers ? build_probe(device, &probe)
                                            : gully_fail(GULLY_NO_MEMORY, "no memory for a probe");
    for (int i = 0; i < 3 * QUESTIONS && !status; i++)
        numbers[i] = question(i);
    if (!status) status = run_probe(device, &probe, numbers, answers);
    if (!status) *difference = find_difference(numbers, answers);
    if (probe.kernel) device->cl->ReleaseKernel(probe.kernel);
    device_free(device, probe.numbers);
    device_free(device, probe.answers);
    free(numbers);
    free(answers);
    return status;
}

GullyStatus device_probe(Device* device) {
    const char* difference = NULL;
    GullyStatus status = ask(device, &difference);
    const bool divides =
        difference == differences[PROBE_DIVISION] || difference == differences[PROBE_ROOT];
    if (!status && divides && !device->repairs) {
        device->repairs = true; // slower, but right on every device
        status = ask(device, &difference);
    }
    if (status || !difference) return status;
    return gully_fail(GULLY_DEVICE,
                      "%s: %s, so its results would not be the processor's; use a newer driver, "
                      "another device or the backend cpu",
                      device->info.name, difference);
}
