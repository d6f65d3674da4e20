// SPDX-License-Identifier: MIT
#include "device_world.h"

#include <stdio.h>
#include <stdlib.h>

/// Column 0 and row 0 of the world in a buffer, as kernel_frame.h has them; rows begin at a cache
/// line.
enum { FIRST_COLUMN = 16, FIRST_ROW = 1 };

GullyStatus device_world_create(Device* device, GullyWorld* world, DeviceWorld** out) {
    *out = NULL;
    DeviceWorld* place = calloc(1, sizeof *place);
    if (!place) return gully_fail(GULLY_NO_MEMORY, "no memory for a world on a device");
    place->device = device;
    place->world = world;
    place->pitch = FIRST_COLUMN + (world->width + 1 + 15) / 16 * 16;
    place->field_bytes =
        (size_t)place->pitch * ((size_t)world->height + 2 * FIRST_ROW) * sizeof(float);
    *out = place;
    return GULLY_OK;
}

void device_world_destroy(DeviceWorld* place) {
    if (!place) return;
    for (int slot = 0; slot < MAX_FIELDS; slot++) {
        device_free(place->device, place->slots[slot]);
        device_free(place->device, place->seconds[slot]);
    }
    for (int i = 0; i < place->scratch_count; i++)
        device_free(place->device, place->scratch[i].buffer);
    free(place->scratch);
    free(place);
}

size_t device_world_cell(const DeviceWorld* place, int x, int y) {
    return (size_t)(y + FIRST_ROW) * (size_t)place->pitch + (size_t)(x + FIRST_COLUMN);
}

// ---- memory -------------------------------------------------------------------------------------

GullyStatus device_world_check(const DeviceWorld* place, size_t fields) {
    const GullyDeviceInfo* info = &place->device->info;
    const size_t bytes = fields * place->field_bytes;
    const double mib = 1 << 20;
    if (place->field_bytes <= info->largest_buffer && bytes <= info->memory) return GULLY_OK;
    return gully_fail(GULLY_DEVICE,
                      "%s: too little memory: %zu fields of %d x %d cells need %.0f MiB, each of "
                      "them %.0f, and it has %.0f MiB, for one field %.0f; use a smaller world, "
                      "another device or the backend cpu",
                      info->name, fields, place->world->width, place->world->height,
                      (double)bytes / mib, (double)place->field_bytes / mib,
                      (double)info->memory / mib, (double)info->largest_buffer / mib);
}

/// A buffer that holds one value.
static GullyStatus create_buffer(DeviceWorld* place, float value, cl_mem* out) {
    *out = NULL;
    GullyStatus status = device_buffer(place->device, place->field_bytes, out);
    if (status) return status;
    place->bytes += place->field_bytes;
    const cl_int code = place->device->cl->EnqueueFillBuffer(
        place->device->queue, *out, &value, sizeof value, 0, place->field_bytes, 0, NULL, NULL);
    return device_check(place->device, code, "fill memory");
}

// ---- copying ------------------------------------------------------------------------------------

/// The same rectangle of cells in a buffer and in a tile, in bytes.
typedef struct CopyPlan {
    size_t buffer_origin[3], tile_origin[3], region[3];
    size_t buffer_pitch, tile_pitch;
    float* cells; // of the tile
} CopyPlan;

static CopyPlan plan_copy(const DeviceWorld* place, const Tile* tile, int slot) {
    const GullyWorld* world = place->world;
    const size_t number = sizeof(float);
    return (CopyPlan){
        .buffer_origin = {(size_t)(tile->x + FIRST_COLUMN) * number, (size_t)(tile->y + FIRST_ROW)},
        .region = {(size_t)tile->width * number, (size_t)tile->height, 1},
        .buffer_pitch = (size_t)place->pitch * number,
        .tile_pitch = (size_t)world->row_size * (tile->pitch / 2) * number,
        .cells = tile_row(world, tile, slot, 0),
    };
}

static GullyStatus send_tile(DeviceWorld* place, int tile, int slot) {
    const CopyPlan copy = plan_copy(place, &place->world->tiles[tile], slot);
    const cl_int code = place->device->cl->EnqueueWriteBufferRect(
        place->device->queue, place->slots[slot], CL_FALSE, copy.buffer_origin, copy.tile_origin,
        copy.region, copy.buffer_pitch, 0, copy.tile_pitch, 0, copy.cells, 0, NULL, NULL);
    return device_check(place->device, code, "copy to it");
}

static GullyStatus bring_tile(DeviceWorld* place, int tile, int slot) {
    const CopyPlan copy = plan_copy(place, &place->world->tiles[tile], slot);
    const cl_int code = place->device->cl->EnqueueReadBufferRect(
        place->device->queue, place->slots[slot], CL_FALSE, copy.buffer_origin, copy.tile_origin,
        copy.region, copy.buffer_pitch, 0, copy.tile_pitch, 0, copy.cells, 0, NULL, NULL);
    return device_check(place->device, code, "copy from it");
}

static GullyStatus finish(DeviceWorld* place) {
    return device_check(place->device, place->device->cl->Finish(place->device->queue),
                        "finish what was asked of it");
}

GullyStatus device_world_field(DeviceWorld* place, int slot, cl_mem* out) {
    *out = place->slots[slot];
    if (*out) return GULLY_OK;
    const GullyWorld* world = place->world;
    if (slot >= LAST_SLOT_BIT)
        return gully_fail(GULLY_DEVICE, "%s: a world of more than %d fields; use the backend cpu",
                          place->device->info.name, LAST_SLOT_BIT);
    cl_mem buffer;
    GullyStatus status = create_buffer(place, world->fields[slot].outside, &buffer);
    place->slots[slot] = buffer;
    for (int i = 0; i < world->tiles_x * world->tiles_y && !status; i++)
        status = send_tile(place, i, slot);
    if (!status) status = finish(place);
    if (status) {
        device_free(place->device, buffer);
        place->slots[slot] = NULL;
        return status;
    }
    *out = buffer;
    return GULLY_OK;
}

GullyStatus device_world_second(DeviceWorld* place, int slot, cl_mem* out) {
    GullyStatus status = GULLY_OK;
    if (!place->seconds[slot])
        status = create_buffer(place, place->world->fields[slot].outside, &place->seconds[slot]);
    *out = place->seconds[slot];
    return status;
}

void device_world_swap(DeviceWorld* place, int slot) {
    cl_mem first = place->slots[slot];
    place->slots[slot] = place->seconds[slot];
    place->seconds[slot] = first;
}

GullyStatus device_world_scratch(DeviceWorld* place, const Law* law, int id, cl_mem* out) {
    for (int i = 0; i < place->scratch_count; i++) {
        *out = place->scratch[i].buffer;
        if (place->scratch[i].law == law && place->scratch[i].id == id) return GULLY_OK;
    }
    ScratchBuffer* grown =
        realloc(place->scratch, (size_t)(place->scratch_count + 1) * sizeof *grown);
    if (!grown) return gully_fail(GULLY_NO_MEMORY, "no memory for a field");
    place->scratch = grown;
    GullyStatus status = create_buffer(place, law->fields[id - LAW_FIELDS].outside, out);
    if (status) {
        device_free(place->device, *out);
        return status;
    }
    place->scratch[place->scratch_count++] = (ScratchBuffer){law, id, *out};
    return GULLY_OK;
}

GullyStatus device_world_send(DeviceWorld* place) {
    const GullyWorld* world = place->world;
    GullyStatus status = GULLY_OK;
    bool any = false;
    for (int i = 0; i < world->tiles_x * world->tiles_y && !status; i++) {
        SlotSet slots = atomic_exchange(&world->tiles[i].written, 0);
        for (; slots && !status; slots &= slots - 1) {
            const int slot = __builtin_ctzll(slots);
            if (!place->slots[slot]) continue;
            status = send_tile(place, i, slot);
            any = true;
        }
    }
    return status || !any ? status : finish(place);
}

GullyStatus device_world_bring(DeviceWorld* place, SlotSet slots) {
    const GullyWorld* world = place->world;
    GullyStatus status = finish(place);
    for (; slots && !status; slots &= slots - 1) {
        const int slot = __builtin_ctzll(slots);
        for (int i = 0; i < world->tiles_x * world->tiles_y && !status; i++) {
            if (place->slots[slot]) status = bring_tile(place, i, slot);
        }
    }
    return status ? status : finish(place);
}
