// SPDX-License-Identifier: MIT
/// Rows that a worker keeps for itself while it walks down a block: rings of scratch fields, windows
/// of fields stored as fp16, and scratch rows for the passes.
///
/// A ring holds the rows of a scratch field that some pass of its step still reads. A window holds
/// the rows of an fp16 field around the front as floats: rows are unpacked ahead of the front and
/// packed again when the last pass has done them. Row y of either is at y modulo its rows, a power
/// of two; one more row holds the outside.
#ifndef ROW_BUFFERS_H
#define ROW_BUFFERS_H

#include "border.h"

typedef struct RowBuffers {
    float* memory;
    size_t pitch;              // of all rows
    float *rings, *windows;    // column 0 of the first row
    float* scratch;            // column 0 of the first of SCRATCH_ROWS rows
    int next_load, next_store; // rows that are unpacked and packed next
} RowBuffers;

/// Makes room for a plan's rings and windows. `pitch` is that of the widest panel.
GullyStatus row_buffers_create(const Plan* plan, const GullyWorld* world, size_t pitch,
                               RowBuffers* out);
void row_buffers_destroy(RowBuffers* buffers);

/// Gets ready for a block: sets what is outside of its panel. `first` is the first row that the
/// block sees.
void row_buffers_begin(RowBuffers* buffers, const Plan* plan, const GullyWorld* world, int panel,
                       int first);

/// Points fields of a pass at their rows around row y. Inline, since every pass of every row calls
/// it.
static inline void row_buffers_bind(const RowBuffers* buffers, float* first,
                                    const FieldAccess* fields, int count, int y, int height,
                                    PassRow* row) {
    const size_t pitch = buffers->pitch;
    const bool top = y == 0, bottom = y == height - 1;
    for (int i = 0; i < count; i++) {
        const int id = fields[i].id, rows = fields[i].rows;
        float* ring = first + (size_t)fields[i].place * pitch;
        const int north = top ? rows : (y - 1) & (rows - 1);
        const int south = bottom ? rows : (y + 1) & (rows - 1);
        row->in[id][NORTH_ROW] = ring + (size_t)north * pitch;
        row->in[id][HERE] = row->out[id] = ring + (size_t)(y & (rows - 1)) * pitch;
        row->in[id][SOUTH_ROW] = ring + (size_t)south * pitch;
    }
}

/// Unpacks the rows of the windows up to the one before `end`; begins anew after `first` if the rows
/// until there slept. `rows[y]` is where row y of the panel begins, strip included.
void windows_load(RowBuffers* buffers, const Plan* plan, const GullyWorld* world, int panel,
                  float* const* rows, int first, int end);

/// Packs the rows of the windows up to the one before `end`.
void windows_store(RowBuffers* buffers, const Plan* plan, const GullyWorld* world, int panel,
                   float* const* rows, int end);

#endif
