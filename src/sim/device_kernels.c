// SPDX-License-Identifier: MIT
#include <assert.h>
#include <stdlib.h>

#include "device_stepper.h"

void device_release_kernels(DeviceStepper* device) {
    for (int i = 0; i < device->kernel_count; i++)
        if (device->kernels[i]) device->device->cl->ReleaseKernel(device->kernels[i]);
    free(device->kernels);
    device->kernels = NULL;
    device->kernel_count = 0;
    device_release_chains(device);
    device_step_free(&device->step);
}

cl_int device_set_int(const DeviceStepper* device, cl_kernel kernel, int index, int value) {
    return device->device->cl->SetKernelArg(kernel, (cl_uint)index, sizeof value, &value);
}

cl_int device_set_buffer(const DeviceStepper* device, cl_kernel kernel, int index, cl_mem buffer) {
    return device->device->cl->SetKernelArg(kernel, (cl_uint)index, sizeof buffer, &buffer);
}

static GullyStatus set_frame(const DeviceStepper* device, cl_kernel kernel) {
    const GullyWorld* world = device->world;
    cl_int code = device_set_int(device, kernel, ARG_WIDTH, world->width);
    if (!code) code = device_set_int(device, kernel, ARG_HEIGHT, world->height);
    if (!code) code = device_set_int(device, kernel, ARG_PITCH, device->place->pitch);
    if (!code)
        code = device_set_int(device, kernel, ARG_COLUMNS, activity_columns(device->activity));
    if (!code) code = device_set_buffer(device, kernel, ARG_TALLIES, device->tallies);
    if (!code) code = device_set_buffer(device, kernel, ARG_ACTIVE, device->active);
    return device_called(device, code, "set a kernel's arguments");
}

GullyStatus device_create_kernel(const DeviceStepper* device, const char* source, const char* name,
                                 cl_kernel* out) {
    cl_program program;
    cl_int code = CL_SUCCESS;
    GullyStatus status = device_program(device->device, source, &program);
    if (status) return status;
    *out = device->device->cl->CreateKernel(program, name, &code);
    status = device_called(device, code, "make a kernel");
    return status ? status : set_frame(device, *out);
}

int device_slot_of(const DeviceStepper* device, const Law* law, int id) {
    if (!law) return device->world->common[id];
    if (law->fields[id - LAW_FIELDS].scratch) return -1;
    for (int k = 0; k < device->entry_count; k++) {
        if (device->entries[k].law == law) return device->entries[k].slots[id];
    }
    return -1;
}

/// Gives a kernel the buffers of its fields, and notes those that it writes.
static GullyStatus set_fields(DeviceStepper* device, const Kernel* plan, cl_kernel kernel) {
    int index = ARG_FIRST_PASS + plan->pass_count + (plan->recomputed >= 0);
    for (int i = 0; i < plan->field_count; i++) {
        const KernelField* field = &plan->fields[i];
        if (!has_buffer(field)) continue;
        const int slot = device_slot_of(device, field->law, field->id);
        cl_mem buffer;
        GullyStatus status =
            slot >= 0 ? device_world_field(device->place, slot, &buffer)
                      : device_world_scratch(device->place, field->law, field->id, &buffer);
        if (!status)
            status = device_called(device, device_set_buffer(device, kernel, index++, buffer),
                                   "set a kernel's arguments");
        if (status) return status;
        if (slot >= 0 && field->stores) device->stored |= SLOT_BIT(slot);
    }
    return GULLY_OK;
}

static GullyStatus set_rest_fields(DeviceStepper* device, cl_kernel kernel) {
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < device->step.rest_count && !status; i++) {
        cl_mem buffer;
        status = device_world_field(device->place, device->step.rest[i].slot, &buffer);
        if (!status)
            status =
                device_called(device, device_set_buffer(device, kernel, ARG_FIRST_REST + i, buffer),
                              "set a kernel's arguments");
    }
    return status;
}

GullyStatus device_bind_kernels(DeviceStepper* device) {
    const KernelPlan* plan = &device->step.plan;
    const int planned = plan->count + plan->has_bridge;
    GullyStatus status = GULLY_OK;
    for (int k = 0; k < planned && !status; k++)
        status = set_fields(device, &plan->kernels[k], device->kernels[k]);
    if (!status && device->step.rest_count > 0)
        status = set_rest_fields(device, device->kernels[planned]);
    device->has_swapped = false;
    return status;
}

GullyStatus device_create_kernels(DeviceStepper* device) {
    device_release_kernels(device);
    GullyStatus status =
        device_step_plan(device->entries, device->entry_count, device->place, &device->step);
    if (status) return status;
    const KernelPlan* plan = &device->step.plan;
    const int planned = plan->count + plan->has_bridge;
    device->kernels = calloc((size_t)planned + 1, sizeof *device->kernels);
    if (!device->kernels) return gully_fail(GULLY_NO_MEMORY, "no memory for %d kernels", planned);
    device->kernel_count = planned + (device->step.rest_count > 0);
    device->stored = 0;
    for (int k = 0; k < device->kernel_count && !status; k++) {
        const Law* law = k < planned ? plan->kernels[k].law : NULL; // NULL: finds active patches
        status =
            device_create_kernel(device, device_step_source(&device->step, law),
                                 k < planned ? plan->kernels[k].name : "rest", &device->kernels[k]);
        assert(k == planned || plan->kernels[k].fringe <= MOST_FRINGE);
    }
    if (!status) status = device_bind_kernels(device);
    if (!status) status = device_create_chains(device);
    device->layout = device->world->layout;
    return status;
}
