// SPDX-License-Identifier: MIT
#include "backend_options.h"

#include <stdio.h>
#include <string.h>

#include "console.h"

bool backend_words(const char* command, const BackendWords* words, BackendChoice* out) {
    const char* name = words->backend ? words->backend : words->device ? "gpu" : "cpu";
    *out = (BackendChoice){
        .backend = strcmp(name, "gpu") == 0    ? GULLY_GPU
                   : strcmp(name, "auto") == 0 ? GULLY_AUTO
                                               : GULLY_CPU,
        .device = words->device,
    };
    if (out->backend != GULLY_CPU || !words->device) return true;
    console_error("%s: --device %s and --backend cpu contradict each other; --device means "
                  "--backend gpu",
                  command, words->device);
    return false;
}

const char* backend_name(const GullySimDevice* device) {
    return device->steps > 0 || device->state == GULLY_STEPS_ON_DEVICE ? "gpu" : "cpu";
}

void bytes_text(double bytes, char* buffer, size_t size) {
    const double mib = bytes / (1024 * 1024);
    if (mib >= 1024)
        snprintf(buffer, size, "%.1f GiB", mib / 1024);
    else
        snprintf(buffer, size, "%.3g MiB", mib);
}

json_t* driver_text(const char* text) {
    json_t* string = json_string(text);
    if (string) return string;
    char plain[1024]; // other letters than ASCII are no UTF-8, or were cut through
    size_t size = 0;
    for (; text[size] && size < sizeof plain; size++)
        plain[size] = (unsigned char)text[size] < 128 ? text[size] : '?';
    return json_stringn(plain, size);
}

json_t* backend_json(const GullySimDevice* device) {
    if (!device->name[0] && !device->message[0]) return NULL;
    return json_pack("{s:o, s:o, s:I, s:f, s:i, s:i, s:i, s:I, s:o}",    //
                     "name", driver_text(device->name),                  //
                     "driver", driver_text(device->driver),              //
                     "steps", (json_int_t)device->steps,                 //
                     "build_seconds", device->build_seconds,             //
                     "programs_built", device->programs_built,           //
                     "programs_cached", device->programs_cached,         //
                     "bytes_per_cell_step", device->bytes_per_cell_step, //
                     "memory", (json_int_t)device->memory,               //
                     "message", driver_text(device->message));
}

void backend_print(const GullySimDevice* device) {
    if (!device->name[0]) {
        if (device->message[0]) printf("On the processor: %s\n", device->message);
        return;
    }
    char memory[32], built[48];
    bytes_text((double)device->memory, memory, sizeof memory);
    duration_text(device->build_seconds, built, sizeof built);
    printf("On %s (driver %s): %lld steps, %d bytes a cell and step, %s; kernels ready in %s (%d "
           "compiled, %d from the cache)\n",
           device->name, device->driver, (long long)device->steps, device->bytes_per_cell_step,
           memory, built, device->programs_built, device->programs_cached);
    if (device->state == GULLY_DEVICE_FAILED)
        printf("It failed, and the processor went on: %s\n", device->message);
}
