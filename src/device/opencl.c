// SPDX-License-Identifier: MIT
#include "opencl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t load_mutex = PTHREAD_MUTEX_INITIALIZER;
static OpenCl functions;
static void* library;

static const char* library_name(void) {
    const char* named = getenv("GULLY_OPENCL");
    return named && *named ? named : "libOpenCL.so.1";
}

/// Looks up all functions; gives the name of the first that is missing, or NULL.
static const char* look_up(void* from, OpenCl* out) {
    void* symbol;
#define OPENCL(name)                                                                               \
    symbol = dlsym(from, "cl" #name);                                                              \
    if (!symbol) return "cl" #name;                                                                \
    memcpy(&out->name, &symbol, sizeof symbol);
    OPENCL_FUNCTIONS(OPENCL)
#undef OPENCL
    return NULL;
}

static GullyStatus load(void) {
    void* opened = dlopen(library_name(), RTLD_NOW | RTLD_LOCAL);
    if (!opened) {
        return gully_fail(GULLY_DEVICE,
                          "no OpenCL library (%s): install your card's driver and an OpenCL loader "
                          "(Debian: ocl-icd-libopencl1), or use the backend cpu",
                          library_name());
    }
    const char* missing = look_up(opened, &functions);
    if (missing) {
        dlclose(opened);
        return gully_fail(GULLY_DEVICE,
                          "the OpenCL library %s is older than OpenCL 1.2: it has no %s; install a "
                          "newer one, or use the backend cpu",
                          library_name(), missing);
    }
    library = opened; // stays until the program ends: drivers do not like to be unloaded
    return GULLY_OK;
}

GullyStatus opencl_load(const OpenCl** out) {
    pthread_mutex_lock(&load_mutex);
    GullyStatus status = library ? GULLY_OK : load();
    pthread_mutex_unlock(&load_mutex);
    *out = status ? NULL : &functions;
    return status;
}

const char* opencl_error(cl_int code) {
    static const struct {
        cl_int code;
        const char* name;
    } errors[] = {
#define ERROR(name) {name, #name}
        ERROR(CL_DEVICE_NOT_FOUND),
        ERROR(CL_DEVICE_NOT_AVAILABLE),
        ERROR(CL_COMPILER_NOT_AVAILABLE),
        ERROR(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        ERROR(CL_OUT_OF_RESOURCES),
        ERROR(CL_OUT_OF_HOST_MEMORY),
        ERROR(CL_BUILD_PROGRAM_FAILURE),
        ERROR(CL_INVALID_VALUE),
        ERROR(CL_INVALID_BINARY),
        ERROR(CL_INVALID_BUILD_OPTIONS),
        ERROR(CL_INVALID_KERNEL_ARGS),
        ERROR(CL_INVALID_WORK_GROUP_SIZE),
        ERROR(CL_INVALID_BUFFER_SIZE),
        ERROR(CL_INVALID_COMMAND_QUEUE),
        ERROR(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
#undef ERROR
    };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code == code) return errors[i].name;
    }
    return "an error of the driver";
}

GullyStatus opencl_check(cl_int code, const char* tried, const char* device) {
    if (code == CL_SUCCESS) return GULLY_OK;
    return gully_fail(GULLY_DEVICE, "%s: cannot %s: %s (%d)", device, tried, opencl_error(code),
                      (int)code);
}
