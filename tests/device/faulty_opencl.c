// SPDX-License-Identifier: MIT
/// An OpenCL that misbehaves as the environment variable GULLY_FAULT says, and passes everything
/// else on to the real one. A test loads it in its place (GULLY_OPENCL).
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/// The real function of a name.
#define REAL(name) ((__typeof__(&name))real_function(#name))

static void* real_function(const char* name) {
    static void* library;
    if (!library) library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    void* function = library ? dlsym(library, name) : NULL;
    if (!function) abort();
    return function;
}

static bool has_fault(const char* name) {
    const char* fault = getenv("GULLY_FAULT");
    return fault && strcmp(fault, name) == 0;
}

/// Whether this is the call, counted from the one after GULLY_FAULT was set, that a fault such as
/// "launch:20" is about, or a later one.
static bool is_due(const char* name) {
    static char counted[64];
    static long calls;
    const char* fault = getenv("GULLY_FAULT");
    const size_t length = strlen(name);
    if (!fault || strncmp(fault, name, length) != 0 || fault[length] != ':') return false;
    if (strcmp(counted, fault) != 0) calls = 0;
    snprintf(counted, sizeof counted, "%s", fault);
    return ++calls > atol(fault + length + 1);
}

// ---- devices ------------------------------------------------------------------------------------

EXPORT cl_int clGetPlatformIDs(cl_uint most, cl_platform_id* ids, cl_uint* count) {
    if (has_fault("no platform")) return -1001; // CL_PLATFORM_NOT_FOUND_KHR
    return REAL(clGetPlatformIDs)(most, ids, count);
}

EXPORT cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint most,
                             cl_device_id* ids, cl_uint* count) {
    if (has_fault("no device")) return CL_DEVICE_NOT_FOUND;
    return REAL(clGetDeviceIDs)(platform, type, most, ids, count);
}

static cl_int answer(void* value, size_t size, const void* says, size_t length) {
    if (size < length) return CL_INVALID_VALUE;
    memcpy(value, says, length);
    return CL_SUCCESS;
}

EXPORT cl_int clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t size, void* value,
                              size_t* length) {
    static const char old[] = "OpenCL 1.1 of long ago";
    const cl_ulong little = 1 << 15;
    const size_t few = 64;
    const cl_device_fp_config rough = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    if (has_fault("old") && what == CL_DEVICE_VERSION) return answer(value, size, old, sizeof old);
    if (has_fault("memory") && what == CL_DEVICE_GLOBAL_MEM_SIZE)
        return answer(value, size, &little, sizeof little);
    if (has_fault("buffer") && what == CL_DEVICE_MAX_MEM_ALLOC_SIZE)
        return answer(value, size, &little, sizeof little);
    if (has_fault("groups") && what == CL_DEVICE_MAX_WORK_GROUP_SIZE)
        return answer(value, size, &few, sizeof few);
    if (has_fault("division") && what == CL_DEVICE_SINGLE_FP_CONFIG)
        return answer(value, size, &rough, sizeof rough);
    return REAL(clGetDeviceInfo)(id, what, size, value, length);
}

// ---- programs -----------------------------------------------------------------------------------

/// A copy of a text with one part replaced wherever it stands; free() it.
static char* replaced(const char* text, const char* part, const char* by) {
    const size_t grown = strlen(text) * (strlen(by) / strlen(part) + 1) + 1;
    char *copy = malloc(grown), *to = copy;
    if (!copy) abort();
    while (*text) {
        if (strncmp(text, part, strlen(part)) == 0) {
            to = stpcpy(to, by);
            text += strlen(part);
        } else {
            *to++ = *text++;
        }
    }
    *to = 0;
    return copy;
}

EXPORT cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** texts,
                                            const size_t* lengths, cl_int* code) {
    const bool is_probe = strstr(texts[0], "kernel void probe") != NULL;
    const char *part = "FP_CONTRACT OFF", *by = "FP_CONTRACT ON";
    bool spoils = has_fault("contraction") || (has_fault("rows contract") && !is_probe);
    if (has_fault("syntax") && !is_probe) {
        part = "kernel void ";
        by = "kernel nonsense ";
        spoils = true;
    }
    if (has_fault("probe syntax") && is_probe) {
        part = "kernel void ";
        by = "kernel nonsense ";
        spoils = true;
    }
    if (!spoils) return REAL(clCreateProgramWithSource)(context, count, texts, lengths, code);
    char* text = replaced(texts[0], part, by);
    const char* changed = text;
    cl_program program = REAL(clCreateProgramWithSource)(context, 1, &changed, NULL, code);
    free(text);
    return program;
}

// ---- work ---------------------------------------------------------------------------------------

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t* offset, const size_t* items, const size_t* group,
                                     cl_uint waits, const cl_event* events, cl_event* done) {
    if (is_due("launch")) return CL_OUT_OF_RESOURCES;
    return REAL(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, items, group, waits,
                                        events, done);
}

EXPORT cl_int clWaitForEvents(cl_uint count, const cl_event* events) {
    if (is_due("wait")) return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    return REAL(clWaitForEvents)(count, events);
}

EXPORT cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* memory,
                             cl_int* code) {
    if (is_due("buffer")) {
        *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return NULL;
    }
    return REAL(clCreateBuffer)(context, flags, size, memory, code);
}
