// SPDX-License-Identifier: MIT
/// gully devices: what could step beside the processor, and what each of them lacks.
#include <stdio.h>
#include <stdlib.h>

#include "backend_options.h"
#include "console.h"
#include "gully/device.h"

typedef struct DevicesOptions {
    bool json;
} DevicesOptions;

/// "fits", or why not.
static const char* verdict(const GullyDeviceInfo* info) {
    if (!info->fits) return info->reason;
    return info->is_gpu ? "fits" : "fits (no GPU: only with --device)";
}

static int widest(int columns, const char* text) {
    const int own = text_columns(text);
    return own > columns ? own : columns;
}

/// Prints a text and spaces up to the width of its column.
static void print_cell(const char* text, int columns) {
    printf("%s%*s  ", text, columns - text_columns(text), "");
}

static void print_devices(const GullyDeviceInfo* devices, int count) {
    int name = 0, platform = 0, driver = 0, version = 0;
    for (int i = 0; i < count; i++) {
        name = widest(name, devices[i].name);
        platform = widest(platform, devices[i].platform);
        driver = widest(driver, devices[i].driver);
        version = widest(version, devices[i].version);
    }
    for (int i = 0; i < count; i++) {
        const GullyDeviceInfo* info = &devices[i];
        char memory[32];
        bytes_text((double)info->memory, memory, sizeof memory);
        print_cell(info->name, name);
        print_cell(info->platform, platform);
        printf("%8s  driver ", memory);
        print_cell(info->driver, driver);
        print_cell(info->version, version);
        printf("%s\n", verdict(info));
    }
}

static json_t* device_json(const GullyDeviceInfo* info) {
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:i, s:b, s:b, s:o}", //
                     "name", driver_text(info->name),                      //
                     "platform", driver_text(info->platform),              //
                     "driver", driver_text(info->driver),                  //
                     "version", driver_text(info->version),                //
                     "memory", (json_int_t)info->memory,                   //
                     "largest_buffer", (json_int_t)info->largest_buffer,   //
                     "units", info->units, "gpu", info->is_gpu,            //
                     "fits", info->fits, "reason", driver_text(info->reason));
}

static int print_json(const GullyDeviceInfo* devices, int count) {
    json_t* list = json_array();
    for (int i = 0; i < count; i++) {
        if (json_array_append_new(list, device_json(&devices[i])) == 0) continue;
        json_decref(list);
        return console_fail(gully_fail(GULLY_NO_MEMORY, "no memory for device %d", i));
    }
    return console_json(list);
}

static int run(const void* values) {
    const DevicesOptions* options = values;
    int count = 0;
    GullyStatus status = gully_device_count(&count);
    GullyDeviceInfo* devices = status == GULLY_OK ? calloc((size_t)count, sizeof *devices) : NULL;
    if (status == GULLY_OK && !devices)
        status = gully_fail(GULLY_NO_MEMORY, "no memory for %d devices", count);
    for (int i = 0; i < count && status == GULLY_OK; i++)
        status = gully_device_info(i, &devices[i]);
    int code = EXIT_DONE;
    if (status != GULLY_OK)
        code = console_fail(status);
    else if (options->json)
        code = print_json(devices, count);
    else
        print_devices(devices, count);
    free(devices);
    return code;
}

static const Option devices_options[] = {
    {OPTION_FLAG, .name = "json", .help = "print an array of devices as JSON",
     .offset = offsetof(DevicesOptions, json)},
    {0},
};

const Command devices_command = {
    .name = "devices",
    .summary = "list the graphics cards and what else OpenCL reaches",
    .description =
        "Prints a line for each device: its name, its platform, memory, driver, version of OpenCL, "
        "and whether it fits. A device fits if it has OpenCL 1.2 and computes as the processor "
        "does, to the bit, which is tried out; if it does not, the line says why and what to do. "
        "Then --device NAME of run, demo, bench, replay and studio takes any part of its name or "
        "its platform's, in upper or lower case. Only GPUs are chosen without being named.\n\n"
        "The environment variable GULLY_OPENCL names another OpenCL library than libOpenCL.so.1, "
        "GULLY_CACHE another folder for compiled kernels than ~/.cache/gully (empty: none). "
        "Returns 1 without a library or a device.",
    .options = devices_options,
    .size = sizeof(DevicesOptions),
    .run = run,
};
