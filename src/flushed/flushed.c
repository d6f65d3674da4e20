// SPDX-License-Identifier: MIT
#include "flushed.h"

#include <assert.h>
#include <string.h>

RowFunction* flushed_find(const char* law, const char* pass) {
    int i = 0;
    while (i < flushed_pass_count &&
           (strcmp(flushed_passes[i].law, law) != 0 || strcmp(flushed_passes[i].pass, pass) != 0))
        i++;
    assert(i < flushed_pass_count);
    return flushed_passes[i].row;
}

// ---- traces -------------------------------------------------------------------------------------

/// Numbers below are traces: the square of a larger one, times what laws multiply it with, is far
/// from denormal.
#define TRACE 0x1p-56f
/// Remainders that are only added to something may be smaller.
#define REMAINDER_TRACE 0x1p-100f
#define REMAINDERS                                                                                 \
    (FIELD_BIT(WATER_LOW) | FIELD_BIT(SEDIMENT_LOW) |                                              \
     (FIELD_BIT(LAYER_LOW_7 + 1) - FIELD_BIT(LAYER_LOW_1)))

/// Twice the bits of the smallest number of a field that is no trace, less 1.
static uint32_t least_of_field(int id) {
    return (bits_of(FIELD_BIT(id) & REMAINDERS ? REMAINDER_TRACE : TRACE) << 1) - 1;
}

/// Whether a trace is among the numbers; 0 is none.
static bool has_trace(const float* numbers, int from, int to, uint32_t least) {
    uint32_t smallest = UINT32_MAX;
    for (int i = from; i < to; i++) {
        const uint32_t size = (bits_of(numbers[i]) << 1) - 1; // without its sign; 0 is the largest
        smallest = size < smallest ? size : smallest;
    }
    return smallest < least;
}

TraceGroups flushed_groups(const float* numbers, int id, int from, int to, int columns) {
    const uint32_t least = least_of_field(id);
    TraceGroups found = 0;
    if (!has_trace(numbers, from, to, least)) return found;
    for (int at = from, end; at < to; at = end) {
        end = trace_group_end(at, to, columns);
        if (has_trace(numbers, at, end, least)) found |= trace_group(at, columns);
    }
    return found;
}

// ---- a pass on a row ----------------------------------------------------------------------------

/// A row that a pass reads, in the columns of its cells and `beside` columns further.
typedef struct ReadRow {
    const float* numbers;
    int beside;
    uint32_t least;
} ReadRow;

typedef struct ReadRows {
    ReadRow rows[FIELD_IDS * ROWS];
    int count;
} ReadRows;

static void read_rows_add(ReadRows* reads, const PassRow* row, FieldSet fields, int which,
                          int beside) {
    for (; fields; fields &= fields - 1) {
        const int id = __builtin_ctzll(fields);
        const float* numbers = row->in[id][which];
        if (numbers) reads->rows[reads->count++] = (ReadRow){numbers, beside, least_of_field(id)};
    }
}

/// What the results of a pass depend on. Sums only grow by numbers that are flushed themselves.
static void read_rows_of(const Pass* pass, const PassRow* row, ReadRows* out) {
    const FieldSet before = pass_reads_before(pass), after = pass_reads_after(pass);
    const FieldSet beside = before | after;
    out->count = 0;
    read_rows_add(out, row, pass_depends_on(pass) & ~beside, HERE, 0);
    read_rows_add(out, row, beside, HERE, 1);
    read_rows_add(out, row, before, NORTH_ROW, 1);
    read_rows_add(out, row, after, SOUTH_ROW, 1);
}

static bool have_trace(const ReadRows* reads, int from, int to) {
    for (int i = 0; i < reads->count; i++) {
        const ReadRow* read = &reads->rows[i];
        if (has_trace(read->numbers, from - read->beside, to + read->beside, read->least))
            return true;
    }
    return false;
}

// ---- running ------------------------------------------------------------------------------------

static int within(int x, int from, int to) {
    return x < from ? from : x > to ? to : x;
}

/// Runs some of a row's columns.
static void run_part(RowFunction* run, const PassRow* row, int from, int to) {
    PassRow part = *row;
    part.from = from;
    part.to = to;
    part.first = within(row->first, from, to);
    part.end = within(row->end, from, to);
    part.side[WEST] = row->side[WEST] && from == row->from;
    part.side[EAST] = row->side[EAST] && to == row->to;
    part.open[WEST] = row->open[WEST] && part.side[WEST];
    part.open[EAST] = row->open[EAST] && part.side[EAST];
    run(&part);
}

void flushed_run(const Pass* pass, RowFunction* flushed, const PassRow* row, TraceGroups near,
                 int columns) {
    ReadRows reads;
    if (near) read_rows_of(pass, row, &reads);
    if (!near || (near == ALL_TRACE_GROUPS && !have_trace(&reads, row->from, row->to))) {
        pass->row(row);
        return;
    }
    int begin = row->from; // of columns alike
    bool traces = false;
    for (int at = row->from, end; at < row->to; at = end) {
        end = trace_group_end(at, row->to, columns);
        const bool found = (near & trace_group(at, columns)) && have_trace(&reads, at, end);
        if (found != traces && begin < at) run_part(traces ? flushed : pass->row, row, begin, at);
        if (found != traces) begin = at;
        traces = found;
    }
    run_part(traces ? flushed : pass->row, row, begin, row->to);
}
