// SPDX-License-Identifier: MIT
/// A view: copies of some fields at one step, on their way to the host while the device goes on.
///
/// The fields are copied on the device, between two steps; a second queue then reads the copies into
/// pinned memory. Two of them take turns: one can be looked at while the other is filled.
#ifndef DEVICE_VIEW_H
#define DEVICE_VIEW_H

#include "device_world.h"

typedef struct DeviceView {
    SlotSet slots;    // that it has, one after the other, in their order
    size_t bytes;     // of its memory
    cl_mem copy;      // on the device
    cl_mem pinned;    // memory of the host that the driver can reach
    float* cells;     // the same, mapped
    cl_event done;    // NULL: nothing is under way
    bool is_complete; // it can be looked at
    int64_t step, flow_steps;
    double time; // [s]
} DeviceView;

/// Begins to copy fields, which have buffers; what the view held is gone.
GullyStatus device_view_begin(DeviceView* view, DeviceWorld* place, SlotSet slots);

/// Whether the copy has arrived; does not wait.
GullyStatus device_view_poll(DeviceView* view, const Device* device);

void device_view_free(DeviceView* view, const Device* device);

/// Column 0 of a row of a field of the view, NULL if it does not have the field.
const float* device_view_row(const DeviceView* view, const DeviceWorld* place, int slot, int y);

#endif
