// SPDX-License-Identifier: MIT
#include "device_view.h"

#include <stddef.h>

static size_t field_count(SlotSet slots) {
    return (size_t)__builtin_popcountll(slots);
}

/// Makes the memory of a view large enough.
static GullyStatus reserve(DeviceView* view, Device* device, size_t bytes) {
    if (bytes <= view->bytes) return GULLY_OK;
    device_view_free(view, device);
    cl_int code;
    GullyStatus status = device_buffer(device, bytes, &view->copy);
    if (status) return status;
    view->pinned = device->cl->CreateBuffer(
        device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        view->cells = device->cl->EnqueueMapBuffer(device->copies, view->pinned, CL_TRUE,
                                                   CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL,
                                                   NULL, &code);
    view->bytes = bytes;
    return device_check(device, code, "reserve memory");
}

/// Queues a command that reads the copies when they are made.
static GullyStatus read_copies(DeviceView* view, const Device* device, size_t bytes,
                               cl_event copied) {
    const cl_uint waits = copied ? 1 : 0;
    cl_int code = device->cl->Flush(device->queue);
    if (!code)
        code =
            device->cl->EnqueueReadBuffer(device->copies, view->copy, CL_FALSE, 0, bytes,
                                          view->cells, waits, waits ? &copied : NULL, &view->done);
    if (!code) code = device->cl->Flush(device->copies);
    return device_check(device, code, "copy from it");
}

GullyStatus device_view_begin(DeviceView* view, DeviceWorld* place, SlotSet slots) {
    Device* device = place->device;
    const size_t bytes = field_count(slots) * place->field_bytes;
    GullyStatus status = reserve(view, device, bytes);
    cl_event copied = NULL;
    size_t at = 0;
    view->slots = slots;
    view->is_complete = false;
    for (; slots && !status; slots &= slots - 1, at += place->field_bytes) {
        const bool is_last = (slots & (slots - 1)) == 0;
        const cl_int code = device->cl->EnqueueCopyBuffer(
            device->queue, place->slots[__builtin_ctzll(slots)], view->copy, 0, at,
            place->field_bytes, 0, NULL, is_last ? &copied : NULL);
        status = device_check(device, code, "copy a field");
    }
    if (!status) status = read_copies(view, device, bytes, copied);
    if (copied) device->cl->ReleaseEvent(copied);
    return status;
}

GullyStatus device_view_poll(DeviceView* view, const Device* device) {
    cl_int state = CL_COMPLETE;
    if (!view->done) return GULLY_OK;
    const cl_int code = device->cl->GetEventInfo(view->done, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                 sizeof state, &state, NULL);
    if (!code && state > CL_COMPLETE) return GULLY_OK; // queued or running
    device->cl->ReleaseEvent(view->done);
    view->done = NULL;
    view->is_complete = !code && state == CL_COMPLETE;
    return device_check(device, code ? code : state, "copy from it");
}

void device_view_free(DeviceView* view, const Device* device) {
    if (view->done) {
        device->cl->WaitForEvents(1, &view->done);
        device->cl->ReleaseEvent(view->done);
    }
    if (view->cells)
        device->cl->EnqueueUnmapMemObject(device->copies, view->pinned, view->cells, 0, NULL, NULL);
    if (view->cells) device->cl->Finish(device->copies);
    device_free(device, view->pinned);
    device_free(device, view->copy);
    *view = (DeviceView){0};
}

const float* device_view_row(const DeviceView* view, const DeviceWorld* place, int slot, int y) {
    if (slot < 0 || !(view->slots & SLOT_BIT(slot))) return NULL;
    const size_t before = field_count(view->slots & (SLOT_BIT(slot) - 1));
    return view->cells + before * (place->field_bytes / sizeof(float)) +
           device_world_cell(place, 0, y);
}
