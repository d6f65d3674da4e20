// SPDX-License-Identifier: MIT
/// Programs of a device: compiled once for each source, and kept on disk for the next start.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "hash.h"

enum { PATH_SIZE = 1024, LOG_SIZE = 600 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// ---- options ------------------------------------------------------------------------------------

/// Never an option that relaxes arithmetic: no -cl-fast-relaxed-math, -cl-mad-enable,
/// -cl-finite-math-only, -cl-no-signed-zeros.
static const char* options_of(const Device* device) {
    if (device->repairs) return "-cl-std=CL1.2 -cl-denorms-are-zero -DREPAIR_DIVISION";
    return "-cl-std=CL1.2 -cl-denorms-are-zero -cl-fp32-correctly-rounded-divide-sqrt";
}

/// What a compiled program depends on.
static uint64_t key_of(const Device* device, const char* source) {
    const char* options = options_of(device);
    const GullyDeviceInfo* info = &device->info;
    uint64_t key = hash_bytes(source, strlen(source), 1);
    key = hash_bytes(options, strlen(options), key);
    key = hash_bytes(info->name, strlen(info->name), key);
    key = hash_bytes(info->platform, strlen(info->platform), key);
    key = hash_bytes(info->driver, strlen(info->driver), key);
    return hash_bytes(info->version, strlen(info->version), key);
}

// ---- the cache: a file for each program ---------------------------------------------------------

/// The folder of compiled programs, made if need be; false if there is none to be had. The
/// environment variable GULLY_CACHE names another one; empty: no cache.
static bool cache_folder(char path[PATH_SIZE]) {
    const char *own = getenv("GULLY_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    int length = -1;
    if (own)
        length = *own ? snprintf(path, PATH_SIZE, "%s", own) : -1;
    else if (xdg && *xdg)
        length = snprintf(path, PATH_SIZE, "%s/gully", xdg);
    else if (home && *home)
        length = snprintf(path, PATH_SIZE, "%s/.cache/gully", home);
    if (length < 0 || length >= PATH_SIZE) return false;
    for (char* slash = path + 1; *slash; slash++) {
        if (*slash != '/') continue;
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static bool cache_path(uint64_t key, const char* ending, char path[PATH_SIZE]) {
    char folder[PATH_SIZE];
    if (!cache_folder(folder)) return false;
    const int length =
        snprintf(path, PATH_SIZE, "%s/%016llx.%s", folder, (unsigned long long)key, ending);
    return length > 0 && length < PATH_SIZE;
}

/// The bytes of a cached program; NULL if there are none.
static unsigned char* read_cache(uint64_t key, size_t* size) {
    char path[PATH_SIZE];
    FILE* file = cache_path(key, "program", path) ? fopen(path, "rb") : NULL;
    if (!file) return NULL;
    unsigned char* bytes = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long length = ftell(file);
        rewind(file);
        bytes = length > 0 ? malloc((size_t)length) : NULL;
        *size = (size_t)length;
        if (bytes && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

/// Keeps a compiled program, whole or not at all. A cache that cannot be written is no failure.
static void write_cache(uint64_t key, const unsigned char* bytes, size_t size) {
    char path[PATH_SIZE], temporary[PATH_SIZE], ending[48];
    snprintf(ending, sizeof ending, "%ld.part", (long)getpid());
    if (!cache_path(key, "program", path) || !cache_path(key, ending, temporary)) return;
    FILE* file = fopen(temporary, "wb");
    if (!file) return;
    const bool whole = fwrite(bytes, 1, size, file) == size;
    if (fclose(file) != 0 || !whole || rename(temporary, path) != 0) remove(temporary);
}

/// Copies the compiled form of a program to the cache.
static void keep_program(const Device* device, uint64_t key, cl_program program) {
    size_t size = 0;
    if (device->cl->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) ||
        size == 0)
        return;
    unsigned char* bytes = malloc(size);
    if (bytes &&
        !device->cl->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL))
        write_cache(key, bytes, size);
    free(bytes);
}

// ---- building -----------------------------------------------------------------------------------

static cl_int build(const Device* device, cl_program program) {
    return device->cl->BuildProgram(program, 1, &device->id, options_of(device), NULL, NULL);
}

/// A program from the cache; NULL if it is not there, or if the driver does not want it any more.
static cl_program load_program(const Device* device, uint64_t key) {
    size_t size;
    unsigned char* bytes = read_cache(key, &size);
    if (!bytes) return NULL;
    cl_int code, binary = CL_SUCCESS;
    cl_program program = device->cl->CreateProgramWithBinary(
        device->context, 1, &device->id, &size, (const unsigned char**)&bytes, &binary, &code);
    free(bytes);
    if (code != CL_SUCCESS || binary != CL_SUCCESS) return NULL;
    if (build(device, program) == CL_SUCCESS) return program;
    device->cl->ReleaseProgram(program);
    return NULL;
}

/// Fails with the first lines of the compiler's messages.
static GullyStatus fail_build(const Device* device, cl_program program, cl_int code) {
    char log[LOG_SIZE] = "";
    char* all = NULL;
    size_t size = 0;
    device->cl->GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    if (size > 0) all = calloc(1, size + 1);
    if (all)
        device->cl->GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, all, NULL);
    snprintf(log, sizeof log, "%s", all ? all : "");
    free(all);
    return gully_fail(GULLY_DEVICE,
                      "%s: its driver (%s) cannot compile a kernel: %s; try a newer driver, or use "
                      "the backend cpu. The compiler says: %s",
                      device->info.name, device->info.driver, opencl_error(code), log);
}

static GullyStatus compile(const Device* device, const char* source, cl_program* out) {
    cl_int code;
    cl_program program =
        device->cl->CreateProgramWithSource(device->context, 1, &source, NULL, &code);
    if (code != CL_SUCCESS) return device_check(device, code, "read a program");
    code = build(device, program);
    if (code != CL_SUCCESS) {
        GullyStatus status = fail_build(device, program, code);
        device->cl->ReleaseProgram(program);
        return status;
    }
    *out = program;
    return GULLY_OK;
}

// ---- programs -----------------------------------------------------------------------------------

static cl_program find_program(Device* device, uint64_t key) {
    cl_program found = NULL;
    pthread_mutex_lock(&device->mutex);
    for (int i = 0; i < device->program_count; i++) {
        if (device->programs[i].key == key) found = device->programs[i].program;
    }
    pthread_mutex_unlock(&device->mutex);
    return found;
}

static GullyStatus add_program(Device* device, uint64_t key, cl_program program, bool is_cached,
                               double seconds) {
    pthread_mutex_lock(&device->mutex);
    BuiltProgram* grown =
        realloc(device->programs, (size_t)(device->program_count + 1) * sizeof *device->programs);
    if (grown) {
        device->programs = grown;
        device->programs[device->program_count++] = (BuiltProgram){key, program};
        device->build_seconds += seconds;
        device->cached += is_cached;
        device->built += !is_cached;
    }
    pthread_mutex_unlock(&device->mutex);
    return grown ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for a program");
}

bool device_has_program(Device* device, const char* source) {
    return find_program(device, key_of(device, source)) != NULL;
}

GullyStatus device_program(Device* device, const char* source, cl_program* out) {
    const uint64_t key = key_of(device, source);
    *out = find_program(device, key);
    if (*out) return GULLY_OK;
    const double start = now();
    cl_program program = load_program(device, key);
    const bool is_cached = program != NULL;
    GullyStatus status = is_cached ? GULLY_OK : compile(device, source, &program);
    if (status) return status;
    if (!is_cached) keep_program(device, key, program);
    status = add_program(device, key, program, is_cached, now() - start);
    if (status)
        device->cl->ReleaseProgram(program);
    else
        *out = program;
    return status;
}
