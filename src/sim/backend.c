// SPDX-License-Identifier: MIT
#include "backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef GULLY_OPENCL

#include "device_step.h"
#include "device_view.h"
#include "task.h"

/// A view, and the world that it is of.
struct GullyView {
    DeviceView view;
    const DeviceWorld* place;
};

enum { VIEWS = 2 };

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
    DeviceStep step;    // that the task builds
    GullyStatus status; // of the task
    char task_message[512];
    size_t bytes; // per cell and step
    GullyView views[VIEWS];
    int newest; // the view that was begun last
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
    for (int i = 0; i < VIEWS && backend->device; i++)
        device_view_free(&backend->views[i].view, backend->device);
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
    GullyStatus status = device_step_plan(list->entries, list->entry_count, backend->place, &step);
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

// ---- views --------------------------------------------------------------------------------------

bool backend_view_begin(Backend* backend, SlotSet slots, int64_t step, double time) {
    GullyView* last = &backend->views[backend->newest];
    if (backend->has_failed || device_view_poll(&last->view, backend->device)) return false;
    if (last->view.done) return true;                    // under way
    for (SlotSet left = slots; left; left &= left - 1) { // some may be touched by no kernel
        cl_mem buffer;
        if (device_world_field(backend->place, __builtin_ctzll(left), &buffer)) return false;
    }
    backend->newest = (backend->newest + 1) % VIEWS;
    GullyView* next = &backend->views[backend->newest];
    if (device_view_begin(&next->view, backend->place, slots)) return false;
    next->place = backend->place;
    next->view.step = step;
    next->view.time = time;
    next->view.flow_steps = backend->world->flow_steps;
    return true;
}

const GullyView* backend_view(Backend* backend) {
    for (int i = 0; i < VIEWS && !backend->has_failed; i++) {
        GullyView* view = &backend->views[(backend->newest + VIEWS - i) % VIEWS];
        if (device_view_poll(&view->view, backend->device)) return NULL;
        if (view->view.is_complete) return view;
    }
    return NULL;
}

int64_t gully_view_step(const GullyView* view) {
    return view->view.step;
}

double gully_view_time(const GullyView* view) {
    return view->view.time;
}

GullyStatus gully_view_read(const GullyView* view, GullyField field, GullyRect rect, float* out) {
    const DeviceView* from = &view->view;
    const GullyWorld* world = view->place->world;
    const int id = world_field_id(field), slot = id < 0 ? -1 : world->common[id];
    const bool is_there = id >= 0 && (slot < 0 || (from->slots & SLOT_BIT(slot)));
    if (!is_there || rect.x < 0 || rect.y < 0 || rect.width > world->width - rect.x ||
        rect.height > world->height - rect.y)
        return gully_fail(GULLY_BAD_INPUT, "the view does not have these cells of field %d",
                          (int)field);
    for (int y = rect.y; y < rect.y + rect.height; y++, out += rect.width) {
        const float* row = device_view_row(from, view->place, slot, y);
        const float* ground = device_view_row(from, view->place, world->common[GROUND], y);
        world_present(id, from->flow_steps, ground + rect.x, row ? row + rect.x : NULL, rect.width,
                      out);
    }
    return GULLY_OK;
}

void backend_describe(const Backend* backend, GullySimDevice* out) {
    *out = (GullySimDevice){.state = GULLY_STEPS_ON_CPU};
    snprintf(out->message, sizeof out->message, "%s", backend->message);
    if (!backend->device) return;
    Device* device = backend->device;
    snprintf(out->name, sizeof out->name, "%s", device->info.name);
    snprintf(out->driver, sizeof out->driver, "%s", device->info.driver);
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

bool backend_view_begin(Backend* backend, SlotSet slots, int64_t step, double time) {
    (void)backend, (void)slots, (void)step, (void)time;
    return false;
}

const GullyView* backend_view(Backend* backend) {
    (void)backend;
    return NULL;
}

int64_t gully_view_step(const GullyView* view) {
    (void)view;
    return 0;
}

double gully_view_time(const GullyView* view) {
    (void)view;
    return 0;
}

GullyStatus gully_view_read(const GullyView* view, GullyField field, GullyRect rect, float* out) {
    (void)view, (void)field, (void)rect, (void)out;
    return gully_fail(GULLY_DEVICE, "%s", no_opencl);
}

void backend_describe(const Backend* backend, GullySimDevice* out) {
    *out = (GullySimDevice){.state = GULLY_STEPS_ON_CPU};
    snprintf(out->message, sizeof out->message, "%s", backend->message);
}

#endif
