// SPDX-License-Identifier: MIT
/// Runs in which every patch is awake: chains do the steps (chains.h). Where patches sleep, a
/// second buffer would not hold their cells; the kernels of the passes run there.
#include <stdlib.h>

#include "device_stepper.h"

GullyStatus device_create_chains(DeviceStepper* device) {
    const ChainPlan* plan = &device->step.chains;
    GullyStatus status = GULLY_OK;
    if (plan->count == 0) return GULLY_OK;
    device->chains = calloc((size_t)plan->count, sizeof *device->chains);
    if (!device->chains) return gully_fail(GULLY_NO_MEMORY, "no memory for %d chains", plan->count);
    for (int i = 0; i < plan->count && !status; i++)
        status = device_create_kernel(device, device->step.chain_sources[i].bytes,
                                      plan->chains[i].name, &device->chains[i]);
    return status;
}

void device_release_chains(DeviceStepper* device) {
    for (int i = 0; i < device->step.chains.count && device->chains; i++)
        if (device->chains[i]) device->device->cl->ReleaseKernel(device->chains[i]);
    free(device->chains);
    device->chains = NULL;
}

bool device_chains_fit(const DeviceStepper* device, int steps, const ConstPlaces* places) {
    if (!device->chains || !activity_is_all(device->activity)) return false;
    for (int k = 0; k < steps * device->entry_count; k++) {
        if (places->at[k] < 0 && !chain_may_skip(&device->step.passes[k % device->entry_count]))
            return false;
    }
    return true;
}

/// Says which passes of a chain have something to do in a step, and where their constants are.
static cl_int set_passes(const DeviceStepper* device, cl_kernel kernel, const Chain* chain,
                         const int* at, int* parts) {
    cl_int code = CL_SUCCESS;
    *parts = 0;
    for (int i = 0; i < chain->pass_count && !code; i++) {
        const int place = at[chain->first + i];
        *parts |= place >= 0 ? 1 << i : 0;
        code = device_set_int(device, kernel, ARG_FIRST_PASS + i, place >= 0 ? place : 0);
    }
    return code ? code : device_set_int(device, kernel, ARG_PARTS, *parts);
}

static GullyStatus set_fields(const DeviceStepper* device, cl_kernel kernel, const Chain* chain) {
    int index = ARG_FIRST_PASS + chain->pass_count;
    for (int i = 0; i < chain->field_count; i++) {
        const ChainField* field = &chain->fields[i];
        if (!chain_has_buffer(field)) continue;
        const int slot = device_slot_of(device, field->law, field->id);
        cl_mem buffer, second;
        GullyStatus status = device_world_field(device->place, slot, &buffer);
        if (status) return status;
        cl_int code = device_set_buffer(device, kernel, index++, buffer);
        if (!code && chain_has_second(field)) {
            status = device_world_second(device->place, slot, &second);
            if (status) return status;
            code = device_set_buffer(device, kernel, index++, second);
        }
        if (code) return device_called(device, code, "set a kernel's arguments");
    }
    return GULLY_OK;
}

static void swap_fields(DeviceStepper* device, const Chain* chain) {
    for (int i = 0; i < chain->field_count; i++) {
        const ChainField* field = &chain->fields[i];
        if (chain_has_second(field))
            device_world_swap(device->place, device_slot_of(device, field->law, field->id));
    }
    device->has_swapped = true;
}

/// Queues a chain in a step whose constants are at these places.
static GullyStatus run_chain(DeviceStepper* device, int index, const QueuedRun* run,
                             const int* at) {
    const Chain* chain = &device->step.chains.chains[index];
    cl_kernel kernel = device->chains[index];
    int parts = 0;
    cl_int code = device_set_buffer(device, kernel, ARG_CONSTS, run->buffer);
    if (!code) code = set_passes(device, kernel, chain, at, &parts);
    GullyStatus status = device_called(device, code, "set a kernel's arguments");
    if (status || parts == 0) return status;
    status = set_fields(device, kernel, chain);
    if (!status) status = device_launch(device, kernel, 0, NULL);
    if (!status) swap_fields(device, chain);
    return status;
}

GullyStatus device_run_chains(DeviceStepper* device, int steps, const QueuedRun* run,
                              const ConstPlaces* places) {
    GullyStatus status = GULLY_OK;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < device->step.chains.count && !status; i++)
            status = run_chain(device, i, run, &places->at[step * device->entry_count]);
    }
    return status;
}
