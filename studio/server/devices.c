// SPDX-License-Identifier: MIT
#include "devices.h"

#include <stdio.h>
#include <string.h>

#include "gully/device.h"

/// In the order of GullyBackend and of GullyDeviceState.
static const char* const backends[] = {"cpu", "gpu", "auto"};
static const char* const states[] = {"cpu", "compiling", "device", "failed"};

enum { BACKENDS = sizeof backends / sizeof *backends };

static GullyStatus choose(Engine* engine, GullyBackend backend, const char* device) {
    if (device && strlen(device) >= sizeof engine->device)
        return gully_fail(GULLY_BAD_INPUT, "device: a name of up to %zu letters is wanted",
                          sizeof engine->device - 1);
    engine->backend = backend;
    snprintf(engine->device, sizeof engine->device, "%s", device ? device : "");
    return GULLY_OK;
}

/// NULL = any GPU.
static const char* wanted_name(const Engine* engine) {
    return engine->device[0] ? engine->device : NULL;
}

GullyStatus devices_begin(Engine* engine, const StudioDef* def) {
    return choose(engine, def->backend, def->device);
}

void devices_choose(const Engine* engine, GullySessionDef* def) {
    const bool first = engine->session == NULL;
    def->backend = engine->backend == GULLY_GPU && !first ? GULLY_AUTO : engine->backend;
    def->device = wanted_name(engine);
}

GullyStatus devices_use(Engine* engine, const Message* message) {
    int backend = 0;
    while (backend < BACKENDS && strcmp(backends[backend], message->backend) != 0)
        backend++;
    if (backend == BACKENDS)
        return gully_fail(GULLY_BAD_INPUT, "backend: one of cpu, gpu, auto is wanted");
    const char* device = message->device && message->device[0] ? message->device : NULL;
    if (backend == GULLY_CPU && device)
        return gully_fail(GULLY_BAD_INPUT, "use: the backend cpu takes no device");
    GullyStatus status =
        gully_sim_use(gully_session_sim(engine->session), (GullyBackend)backend, device);
    if (status == GULLY_OK) status = choose(engine, (GullyBackend)backend, device);
    if (status != GULLY_OK) return status;
    engine->step_seconds = 0; // another speed: it is found anew
    engine->next_status = 0;
    return GULLY_OK;
}

bool devices_step(const Engine* engine) {
    GullySimDevice device;
    gully_sim_device(gully_session_sim(engine->session), &device);
    return device.state == GULLY_STEPS_ON_DEVICE;
}

/// A text of a driver's as JSON: letters that are no UTF-8 become question marks.
static json_t* driver_text(const char* text) {
    json_t* string = json_string(text);
    if (string) return string;
    char plain[512];
    size_t size = 0;
    for (; text[size] && size < sizeof plain; size++)
        plain[size] = (unsigned char)text[size] < 128 ? text[size] : '?';
    return json_stringn(plain, size);
}

json_t* devices_status(const Engine* engine) {
    GullySimDevice device;
    gully_sim_device(gully_session_sim(engine->session), &device);
    return json_pack("{s:s, s:s, s:o, s:o, s:i}",            //
                     "backend", backends[engine->backend],   //
                     "state", states[device.state],          //
                     "name", driver_text(device.name),       //
                     "message", driver_text(device.message), //
                     "bytes_per_cell_step", device.bytes_per_cell_step);
}

static json_t* device_json(const GullyDeviceInfo* info) {
    return json_pack("{s:o, s:o, s:o, s:I, s:b, s:b, s:o}",   //
                     "name", driver_text(info->name),         //
                     "platform", driver_text(info->platform), //
                     "driver", driver_text(info->driver),     //
                     "memory", (json_int_t)info->memory,      //
                     "gpu", info->is_gpu, "fits", info->fits, //
                     "reason", driver_text(info->reason));
}

void devices_list(void* context) {
    Command* command = context;
    json_t* list = json_array();
    int count = 0;
    const bool found = gully_device_count(&count) == GULLY_OK;
    json_t* message = driver_text(found ? "" : gully_message());
    for (int i = 0; i < count; i++) {
        GullyDeviceInfo info;
        if (gully_device_info(i, &info) == GULLY_OK)
            json_array_append_new(list, device_json(&info));
    }
    reply_ok(command->engine, command,
             json_pack("{s:o, s:o}", "devices", list, "message", message));
    command_free(command);
}
