// SPDX-License-Identifier: MIT
#include "row_buffers.h"

#include <stdlib.h>
#include <string.h>

#include "half.h"

/// Floats of a window, with its row for the outside.
static size_t window_floats(const RowBuffers* buffers, const Plan* plan) {
    return (size_t)(plan->window_rows + 1) * buffers->pitch;
}

GullyStatus row_buffers_create(const Plan* plan, const GullyWorld* world, size_t pitch,
                               RowBuffers* out) {
    const int windows = world->half ? plan->window_limit * (plan->window_rows + 1) : 0;
    const int rows = plan->ring_rows + SCRATCH_ROWS + windows;
    const size_t floats = (size_t)rows * pitch + 2 * MARGIN;
    *out = (RowBuffers){.pitch = pitch, .memory = aligned_alloc(64, floats * sizeof(float))};
    if (!out->memory) return gully_fail(GULLY_NO_MEMORY, "no memory for %d rows", rows);
    memset(out->memory, 0, floats * sizeof *out->memory);
    out->rings = out->memory + MARGIN + STRIP;
    out->scratch = out->rings + (size_t)plan->ring_rows * pitch;
    out->windows = out->scratch + SCRATCH_ROWS * pitch;
    for (int i = 0; i < plan->ring_count; i++) {
        const Ring* ring = &plan->rings[i];
        float* first = out->rings - STRIP + (size_t)ring->place * pitch;
        for (size_t x = 0; x < (size_t)(ring->rows + 1) * pitch; x++)
            first[x] = ring->outside;
    }
    return GULLY_OK;
}

void row_buffers_destroy(RowBuffers* buffers) {
    free(buffers->memory);
    *buffers = (RowBuffers){0};
}

void row_buffers_begin(RowBuffers* buffers, const Plan* plan, const GullyWorld* world, int panel,
                       int first) {
    const size_t pitch = buffers->pitch;
    buffers->next_load = buffers->next_store = first;
    for (int i = 0; i < plan->ring_count; i++) { // another panel may have written to its columns
        const Ring* ring = &plan->rings[i];
        for (int y = 0; y <= ring->rows; y++) {
            float* row = buffers->rings + (size_t)(ring->place + y) * pitch;
            border_mark_columns(world, panel, row, ring->outside);
        }
    }
    for (int i = 0; i < plan->window_count; i++) {
        float* outside = buffers->windows - STRIP + (size_t)i * window_floats(buffers, plan) +
                         (size_t)plan->window_rows * pitch;
        for (size_t x = 0; x < pitch; x++)
            outside[x] = world->fields[plan->windows[i]].outside;
    }
}

// ---- windows ------------------------------------------------------------------------------------

/// Where a row of a window begins, strip included.
static float* window_row(const RowBuffers* buffers, const Plan* plan, int window, int y) {
    return buffers->windows - STRIP + (size_t)window * window_floats(buffers, plan) +
           (size_t)(y & (plan->window_rows - 1)) * buffers->pitch;
}

/// Where the row of a window's field begins in a row of the world, strip included.
static Half* stored_row(const Plan* plan, const GullyWorld* world, int panel, float* row,
                        int window) {
    const size_t half_pitch = world->tiles[panel].pitch / 2;
    return (Half*)(row + (size_t)world->start[plan->windows[window]] * half_pitch);
}

void windows_load(RowBuffers* buffers, const Plan* plan, const GullyWorld* world, int panel,
                  float* const* rows, int first, int end) {
    const size_t pitch = world->tiles[panel].pitch;
    if (buffers->next_load < first) buffers->next_load = buffers->next_store = first;
    for (; buffers->next_load < end; buffers->next_load++) {
        const int y = buffers->next_load;
        for (int i = 0; i < plan->window_count; i++) {
            const Half* from = stored_row(plan, world, panel, rows[y], i);
            float* to = window_row(buffers, plan, i, y);
            for (size_t x = 0; x < pitch; x++)
                to[x] = half_unpack(from[x]);
        }
    }
}

void windows_store(RowBuffers* buffers, const Plan* plan, const GullyWorld* world, int panel,
                   float* const* rows, int end) {
    const int width = world->tiles[panel].width;
    for (; buffers->next_store < end; buffers->next_store++) {
        const int y = buffers->next_store;
        for (int i = 0; i < plan->window_count; i++) {
            Half* to = stored_row(plan, world, panel, rows[y], i) + STRIP;
            const float* from = window_row(buffers, plan, i, y) + STRIP;
            for (int x = 0; x < width; x++)
                to[x] = half_pack(from[x]);
        }
    }
}
