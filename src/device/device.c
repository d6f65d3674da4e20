// SPDX-License-Identifier: MIT
#include "device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLATFORMS = 32, MOST_DEVICES = 64 };

/// A work-group computes a patch of 16 x 16 cells (kernel_frame.h).
enum { GROUP_ITEMS = 256 };

static bool gpus_everywhere;

void device_style_of_gpus(bool everywhere) {
    gpus_everywhere = everywhere;
}

typedef struct FoundDevice {
    cl_platform_id platform;
    cl_device_id id;
} FoundDevice;

// ---- finding ------------------------------------------------------------------------------------

static GullyStatus find_devices(const OpenCl* cl, FoundDevice found[MOST_DEVICES], int* count) {
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint platform_count = 0;
    *count = 0;
    cl_int code = cl->GetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count);
    // The loader's code for "no platform" is an extension's: any failure here means there is none.
    if (code != CL_SUCCESS || platform_count == 0)
        return gully_fail(GULLY_DEVICE,
                          "no OpenCL platform: install your card's driver (Debian: "
                          "nvidia-opencl-icd, mesa-opencl-icd or intel-opencl-icd), or use the "
                          "backend cpu");
    if (platform_count > MOST_PLATFORMS) platform_count = MOST_PLATFORMS;
    for (cl_uint p = 0; p < platform_count; p++) {
        cl_device_id ids[MOST_DEVICES];
        cl_uint ids_count = 0;
        code = cl->GetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &ids_count);
        for (cl_uint i = 0; code == CL_SUCCESS && i < ids_count && *count < MOST_DEVICES; i++)
            found[(*count)++] = (FoundDevice){platforms[p], ids[i]};
    }
    if (*count == 0)
        return gully_fail(GULLY_DEVICE, "OpenCL has no device here: is the card's driver "
                                        "installed and allowed for this user? Or use the backend "
                                        "cpu");
    return GULLY_OK;
}

/// A text of the driver's, which may be of any length, cut off to fit.
static void read_text(const OpenCl* cl, cl_device_id id, cl_device_info what, char* out,
                      size_t size) {
    char text[4096] = "";
    if (cl->GetDeviceInfo(id, what, sizeof text - 1, text, NULL) != CL_SUCCESS) text[0] = 0;
    snprintf(out, size, "%s", text);
}

static void read_info(const OpenCl* cl, const FoundDevice* found, GullyDeviceInfo* info) {
    cl_ulong memory = 0, largest = 0;
    cl_device_type type = 0;
    cl_uint units = 0;
    *info = (GullyDeviceInfo){0};
    char platform[4096] = "";
    cl->GetPlatformInfo(found->platform, CL_PLATFORM_NAME, sizeof platform - 1, platform, NULL);
    snprintf(info->platform, sizeof info->platform, "%s", platform);
    read_text(cl, found->id, CL_DEVICE_NAME, info->name, sizeof info->name);
    read_text(cl, found->id, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
    read_text(cl, found->id, CL_DEVICE_VERSION, info->version, sizeof info->version);
    cl->GetDeviceInfo(found->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    cl->GetDeviceInfo(found->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    cl->GetDeviceInfo(found->id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    cl->GetDeviceInfo(found->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    info->memory = memory;
    info->largest_buffer = largest;
    info->units = (int)units;
    info->is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
}

// ---- opening ------------------------------------------------------------------------------------

/// Whether a device offers what kernels need at all.
static GullyStatus check_features(const OpenCl* cl, cl_device_id id, const GullyDeviceInfo* info) {
    int major = 0, minor = 0;
    cl_bool available = CL_FALSE, compiler = CL_FALSE, little = CL_FALSE;
    size_t items = 0;
    cl->GetDeviceInfo(id, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
    cl->GetDeviceInfo(id, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
    cl->GetDeviceInfo(id, CL_DEVICE_ENDIAN_LITTLE, sizeof little, &little, NULL);
    cl->GetDeviceInfo(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof items, &items, NULL);
    if (sscanf(info->version, "OpenCL %d.%d", &major, &minor) != 2 || major * 10 + minor < 12)
        return gully_fail(
            GULLY_DEVICE,
            "%s: has %s, and OpenCL 1.2 is needed; a newer driver may bring it, or use "
            "the backend cpu",
            info->name, info->version);
    if (!available || !compiler)
        return gully_fail(GULLY_DEVICE,
                          "%s: its driver %s; install it again, or use the backend cpu", info->name,
                          available ? "has no compiler" : "says that it is not available");
    if (!little || items < GROUP_ITEMS)
        return gully_fail(GULLY_DEVICE, "%s: %s; use another device or the backend cpu", info->name,
                          little ? "runs work-groups of less than 256 items" : "is big-endian");
    return GULLY_OK;
}

/// Local memory is of use only where it is faster than the rest.
static KernelStyle read_style(const OpenCl* cl, cl_device_id id, bool is_gpu) {
    cl_device_local_mem_type type = CL_GLOBAL;
    cl_ulong bytes = 0;
    cl->GetDeviceInfo(id, CL_DEVICE_LOCAL_MEM_TYPE, sizeof type, &type, NULL);
    cl->GetDeviceInfo(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (gpus_everywhere) type = CL_LOCAL;
    if (!is_gpu && !gpus_everywhere) return (KernelStyle){.sums_at_once = 8};
    return (KernelStyle){
        .recomputes = true, .sums_at_once = 4, .chain_bytes = type == CL_LOCAL ? bytes : 0};
}

static GullyStatus create_queues(Device* device) {
    cl_int code;
    device->context = device->cl->CreateContext(NULL, 1, &device->id, NULL, NULL, &code);
    if (code != CL_SUCCESS) return device_check(device, code, "open it");
    device->queue = device->cl->CreateCommandQueue(device->context, device->id, 0, &code);
    if (code == CL_SUCCESS)
        device->copies = device->cl->CreateCommandQueue(device->context, device->id, 0, &code);
    return device_check(device, code, "make a queue");
}

static GullyStatus open_found(const OpenCl* cl, const FoundDevice* found,
                              const GullyDeviceInfo* info, Device** out) {
    *out = NULL;
    GullyStatus status = check_features(cl, found->id, info);
    if (status) return status;
    Device* device = calloc(1, sizeof *device);
    if (!device) return gully_fail(GULLY_NO_MEMORY, "no memory for a device");
    cl_device_fp_config floats = 0;
    cl->GetDeviceInfo(found->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof floats, &floats, NULL);
    device->cl = cl;
    device->id = found->id;
    device->info = *info;
    device->style = read_style(cl, found->id, info->is_gpu);
    device->rounds_correctly = (floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    device->repairs = !device->rounds_correctly;
    pthread_mutex_init(&device->mutex, NULL);
    status = create_queues(device);
    if (!status) status = device_probe(device);
    if (status) {
        device_close(device);
        return status;
    }
    *out = device;
    return GULLY_OK;
}

void device_close(Device* device) {
    if (!device) return;
    const OpenCl* cl = device->cl;
    for (int i = 0; i < device->program_count; i++)
        cl->ReleaseProgram(device->programs[i].program);
    if (device->copies) cl->ReleaseCommandQueue(device->copies);
    if (device->queue) cl->ReleaseCommandQueue(device->queue);
    if (device->context) cl->ReleaseContext(device->context);
    pthread_mutex_destroy(&device->mutex);
    free(device->programs);
    free(device);
}

// ---- choosing -----------------------------------------------------------------------------------

static bool contains(const char* text, const char* part) {
    const size_t length = strlen(part);
    for (; *text; text++) {
        size_t i = 0;
        while (i < length && text[i] &&
               tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == length) return true;
    }
    return length == 0;
}

/// Without a name only a GPU is meant.
static bool is_meant(const GullyDeviceInfo* info, const char* name) {
    if (!name || !*name) return info->is_gpu;
    return contains(info->name, name) || contains(info->platform, name);
}

static GullyStatus refuse_name(const char* name) {
    if (name && *name)
        return gully_fail(GULLY_DEVICE,
                          "no device is called %s; `gully devices` lists those that there are",
                          name);
    return gully_fail(GULLY_DEVICE,
                      "no GPU was found; `gully devices` lists the devices that there are, and a "
                      "device that is no GPU must be named (--device NAME); or use the backend "
                      "cpu");
}

GullyStatus device_open(const char* name, Device** out) {
    *out = NULL;
    const OpenCl* cl;
    FoundDevice found[MOST_DEVICES];
    int count;
    GullyStatus status = opencl_load(&cl);
    if (!status) status = find_devices(cl, found, &count);
    if (status) return status;
    status = GULLY_OK;
    for (int i = 0; i < count; i++) {
        GullyDeviceInfo info;
        read_info(cl, &found[i], &info);
        if (!is_meant(&info, name)) continue;
        status = open_found(cl, &found[i], &info, out);
        if (!status) return GULLY_OK;
    }
    return status ? status : refuse_name(name); // the message of the last that was refused
}

// ---- listing ------------------------------------------------------------------------------------

GullyStatus gully_device_count(int* count) {
    const OpenCl* cl;
    FoundDevice found[MOST_DEVICES];
    *count = 0;
    GullyStatus status = opencl_load(&cl);
    return status ? status : find_devices(cl, found, count);
}

GullyStatus gully_device_info(int index, GullyDeviceInfo* out) {
    const OpenCl* cl;
    FoundDevice found[MOST_DEVICES];
    int count;
    *out = (GullyDeviceInfo){0};
    GullyStatus status = opencl_load(&cl);
    if (!status) status = find_devices(cl, found, &count);
    if (status) return status;
    if (index < 0 || index >= count)
        return gully_fail(GULLY_BAD_INPUT, "device %d: there are %d", index, count);
    read_info(cl, &found[index], out);
    Device* device;
    out->fits = open_found(cl, &found[index], out, &device) == GULLY_OK;
    if (!out->fits) snprintf(out->reason, sizeof out->reason, "%s", gully_message());
    device_close(device);
    return GULLY_OK;
}

// ---- calls --------------------------------------------------------------------------------------

GullyStatus device_check(const Device* device, cl_int code, const char* tried) {
    return opencl_check(code, tried, device->info.name);
}

GullyStatus device_buffer(Device* device, size_t bytes, cl_mem* out) {
    cl_int code;
    *out = device->cl->CreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    return device_check(device, code, "reserve memory");
}

void device_free(const Device* device, cl_mem buffer) {
    if (buffer) device->cl->ReleaseMemObject(buffer);
}
