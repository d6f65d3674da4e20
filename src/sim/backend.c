#include "backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef GULLY_OPENCL

#include "device_step.h"
#include "task.h"

struct Backend {
    GullyWorld* world;
    Device* device; // NULL: the processor steps
    DeviceWorld* place;
    bool has_failed;
    char message[512]; // why
    // The step that is ready, or being built.
    bool is_ready;
    int64_t layout; // of the world, when it was
    Task* task;
    DeviceStep step;       // that the task builds
    GullyStatus status;    // of the task
    char task_message[512];
    size_t bytes; // per cell and step
};

static GullyStatus open_device(Backend* backend, const char* name) {
    GullyStatus status = device_open(name, &backend->device);
    if (!status) status = device_world_create(backend->device, backend->world, &backend->place);
    return status;
}

GullyStatus backend_open(GullyBackend wanted, const char* name, GullyWorld* world, Backend** out) {
    *out = NULL;
    Backend* backend = calloc(1, sizeof *backend);
    if (!backend) return gully_fail(GULLY_NO_MEMORY, "no memory for a backend");
    backend->world = world;
    GullyStatus status = wanted == GULLY_CPU ? GULLY_OK : open_device(backend, name);
    if (status && wanted == GULLY_AUTO) {
        snprintf(backend->message, sizeof backend->message, "%s", gully_message());
        status = GULLY_OK;
    }
    if (status) {
        backend_close(backend);
        return status;
    }
    *out = backend;
    return GULLY_OK;
}

void backend_close(Backend* backend) {
    if (!backend) return;
    backend_forget(backend);
    device_world_destroy(backend->place);
    device_close(backend->device);
    free(backend);
}

DeviceWorld* backend_world(const Backend* backend) {
    return backend->place;
}

// ---- building -----------------------------------------------------------------------------------

static void build(void* context) {
    Backend* backend = context;
    backend->status = device_step_build(&backend->step, backend->device);
    if (backend->status)
        snprintf(backend->task_message, sizeof backend->task_message, "%s", gully_message());
}

/// Ends the task, which waits for it.
static void end_task(Backend* backend) {
    if (!backend->task) return;
    task_end(backend->task);
    backend->task = NULL;
    device_step_free(&backend->step);
}

void backend_wait(Backend* backend) {
    if (!backend->task) return;
    end_task(backend);
    if (backend->status) backend_fail(backend, backend->task_message);
}

bool backend_is_built(const Backend* backend) {
    return backend->task && task_is_done(backend->task);
}

void backend_forget(Backend* backend) {
    end_task(backend);
    backend->is_ready = false;
}

void backend_fail(Backend* backend, const char* message) {
    backend->has_failed = true;
    if (message != backend->message)
        snprintf(backend->message, sizeof backend->message, "%s", message);
    end_task(backend);
}

/// Begins to build a step's programs, unless they are there.
static bool begin_build(Backend* backend, const StepList* list) {
    DeviceStep step = {0};
    if (!device_stepper.fits(list->entries, list->entry_count)) return false;
    GullyStatus status =
        device_step_plan(list->entries, list->entry_count, backend->place, &step);
    if (!status) {
        backend->bytes = device_step_bytes(&step);
        backend->is_ready = device_step_is_built(&step, backend->device);
        backend->layout = backend->world->layout;
    }
    if (status) backend_fail(backend, gully_message());
    if (status || backend->is_ready) {
        device_step_free(&step);
        return !status;
    }
    backend->step = step;
    if (task_start(build, backend, &backend->task)) {
        device_step_free(&backend->step);
        backend_fail(backend, gully_message());
    }
    return false;
}

bool backend_is_ready(Backend* backend, const StepList* list) {
    if (!backend->device || backend->has_failed) return false;
    if (backend->task && !task_is_done(backend->task)) return false;
    backend_wait(backend);
    if (backend->has_failed) return false;
    if (backend->is_ready && backend->layout == backend->world->layout) return true;
    return begin_build(backend, list);
}

void backend_describe(const Backend* backend, GullySimDevice* out) {
    *out = (GullySimDevice){.state = GULLY_STEPS_ON_CPU};
    snprintf(out->message, sizeof out->message, "%s", backend->message);
    if (!backend->device) return;
    Device* device = backend->device;
    snprintf(out->name, sizeof out->name, "%s", device->info.name);
    pthread_mutex_lock(&device->mutex);
    out->build_seconds = device->build_seconds;
    out->programs_built = device->built;
    out->programs_cached = device->cached;
    pthread_mutex_unlock(&device->mutex);
    out->memory = backend->place->bytes;
    out->bytes_per_cell_step = (int)backend->bytes;
    out->state = backend->has_failed ? GULLY_DEVICE_FAILED : GULLY_BUILDS_PROGRAMS;
}

#else // without OpenCL

struct Backend {
    char message[256];
};

static const char* const no_opencl =
    "this library was built without OpenCL (GULLY_OPENCL): use the backend cpu";

GullyStatus backend_open(GullyBackend wanted, const char* name, GullyWorld* world, Backend** out) {
    (void)name, (void)world;
    *out = NULL;
    if (wanted == GULLY_GPU) return gully_fail(GULLY_DEVICE, "%s", no_opencl);
    Backend* backend = calloc(1, sizeof *backend);
    if (!backend) return gully_fail(GULLY_NO_MEMORY, "no memory for a backend");
    if (wanted == GULLY_AUTO) snprintf(backend->message, sizeof backend->message, "%s", no_opencl);
    *out = backend;
    return GULLY_OK;
}

void backend_close(Backend* backend) {
    free(backend);
}

struct DeviceWorld* backend_world(const Backend* backend) {
    (void)backend;
    return NULL;
}

bool backend_is_ready(Backend* backend, const StepList* list) {
    (void)backend, (void)list;
    return false;
}

void backend_wait(Backend* backend) {
    (void)backend;
}

bool backend_is_built(const Backend* backend) {
    (void)backend;
    return false;
}

void backend_forget(Backend* backend) {
    (void)backend;
}

void backend_fail(Backend* backend, const char* message) {
    (void)backend, (void)message;
}

void backend_describe(const Backend* backend, GullySimDevice* out) {
    *out = (GullySimDevice){.state = GULLY_STEPS_ON_CPU};
    snprintf(out->message, sizeof out->message, "%s", backend->message);
}

#endif
