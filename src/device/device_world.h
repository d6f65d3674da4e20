// SPDX-License-Identifier: MIT
/// The fields of a world on a device: a buffer for each, with a border of outside values around the
/// world (kernel_frame.h).
#ifndef DEVICE_WORLD_H
#define DEVICE_WORLD_H

#include "device.h"
#include "law.h"
#include "lease.h"

/// A law's scratch field, which the world does not store.
typedef struct ScratchBuffer {
    const Law* law;
    int id;
    cl_mem buffer;
} ScratchBuffer;

typedef struct DeviceWorld {
    Device* device;
    GullyWorld* world;
    int pitch;          // floats from row to row
    size_t field_bytes; // of a buffer
    size_t bytes;       // of all buffers
    cl_mem slots[MAX_FIELDS];
    cl_mem seconds[MAX_FIELDS]; // of fields that chains store elsewhere than they load (chains.h)
    ScratchBuffer* scratch;
    int scratch_count;
} DeviceWorld;

GullyStatus device_world_create(Device* device, GullyWorld* world, DeviceWorld** out);
void device_world_destroy(DeviceWorld* place);

/// The buffer of a field that the world stores; made and filled on first use.
GullyStatus device_world_field(DeviceWorld* place, int slot, cl_mem* out);

/// A second buffer of such a field; what it holds inside the world is undefined. And exchanges the
/// two.
GullyStatus device_world_second(DeviceWorld* place, int slot, cl_mem* out);
void device_world_swap(DeviceWorld* place, int slot);

/// The buffer of a scratch field.
GullyStatus device_world_scratch(DeviceWorld* place, const Law* law, int id, cl_mem* out);

/// Whether the device has memory for so many fields.
GullyStatus device_world_check(const DeviceWorld* place, size_t fields);

/// Where a cell is in a buffer [floats].
size_t device_world_cell(const DeviceWorld* place, int x, int y);

/// Sends what was written to the tiles since the last call.
GullyStatus device_world_send(DeviceWorld* place);

/// Brings fields back into the tiles; waits for all steps that were queued before.
GullyStatus device_world_bring(DeviceWorld* place, SlotSet slots);

#endif
