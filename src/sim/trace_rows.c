// SPDX-License-Identifier: MIT
#include "trace_rows.h"

#ifdef DENORMALS_ARE_KEPT

#include <stdlib.h>
#include <string.h>

GullyStatus trace_rows_create(int height, size_t pitch, TraceRows* out) {
    out->columns = TRACE_COLUMNS;
    while (pitch > (size_t)(out->columns * MAX_TRACE_GROUPS))
        out->columns *= 2;
    out->groups = malloc((size_t)height * sizeof *out->groups);
    out->known = malloc((size_t)height * sizeof *out->known);
    return out->groups && out->known ? GULLY_OK
                                     : gully_fail(GULLY_NO_MEMORY, "no memory for %d rows", height);
}

void trace_rows_destroy(TraceRows* traces) {
    free(traces->groups);
    free(traces->known);
}

void trace_rows_begin(TraceRows* traces, int first, int end) {
    memset(traces->known + first, 0, (size_t)(end - first) * sizeof *traces->known);
}

/// The number of a field for laws, where it is a common one.
static int field_of(const GullyWorld* world, int slot) {
    int id = 0;
    while (id < COMMON_FIELDS && world->common[id] != slot)
        id++;
    return id;
}

void trace_rows_ask(TraceRows* traces, const Plan* plan, const GullyWorld* world, int panel,
                    const float* row, int y, int from, int to) {
    const int most = world->tiles[panel].width + STRIP;
    const size_t half_pitch = world->tiles[panel].pitch / 2;
    from = from < -STRIP ? -STRIP : from;
    to = to > most ? most : to;
    traces->known[y] = true;
    traces->groups[y] = 0;
    for (int i = 0; i < plan->border_count && from < to; i++) {
        const int slot = plan->border[i];
        if (!is_in_place(world, slot)) continue;
        const float* numbers = row + (size_t)world->start[slot] * half_pitch + STRIP;
        traces->groups[y] |=
            flushed_groups(numbers, field_of(world, slot), from, to, traces->columns);
    }
}

/// The groups of a row with traces in them or beside them.
static TraceGroups around(const TraceRows* traces, int y, int first, int end) {
    if (y < first || y >= end) return 0;
    const TraceGroups groups = traces->groups[y];
    return groups | groups << 1 | groups >> 1;
}

/// Asks the fields of a list that others depend on.
static TraceGroups ask_written(const TraceRows* traces, const Pass* pass, const PassRow* row,
                               const FieldAccess* fields, int count) {
    const FieldSet written = pass->writes & ~pass->sums & ~pass->output_only;
    TraceGroups found = 0;
    for (int i = 0; i < count; i++) {
        const int id = fields[i].id;
        if (written & FIELD_BIT(id))
            found |= flushed_groups(row->out[id], id, row->from, row->to, traces->columns);
    }
    return found;
}

void trace_rows_run(TraceRows* traces, const ScheduledPass* pass, const PassRow* row, int first,
                    int end) {
    const Pass* what = pass->entry.pass;
    const int y = row->y;
    const TraceGroups near = around(traces, y - 1, first, end) | around(traces, y, first, end) |
                             around(traces, y + 1, first, end);
    flushed_run(what, pass->entry.flushed, row, near, traces->columns);
    traces->groups[y] |= ask_written(traces, what, row, pass->fields, pass->field_count) |
                         ask_written(traces, what, row, pass->windows, pass->window_count) |
                         ask_written(traces, what, row, pass->rings, pass->ring_count);
}

#endif
