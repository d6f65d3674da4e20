// SPDX-License-Identifier: MIT
/// Denormal numbers where the processor cannot flush them (WebAssembly): the rows of laws in a
/// second form, in which every operation flushes (flushed.hpp). It is slower, so only columns that
/// hold traces are computed by it: numbers so small that their products may be denormal.
#ifndef FLUSHED_H
#define FLUSHED_H

#include "law.h"
#include "tiles.h"

/// The second form of a pass.
typedef struct FlushedPass {
    const char *law, *pass;
    RowFunction* row;
} FlushedPass;

/// All of them; cmake/flushed.cmake writes the table.
extern const FlushedPass flushed_passes[];
extern const int flushed_pass_count;

/// The second form of a law's pass. Every pass has one.
RowFunction* flushed_find(const char* law, const char* pass);

/// Groups of a row's columns, as bits: those in which traces may be.
typedef uint64_t TraceGroups;
#define ALL_TRACE_GROUPS UINT64_MAX

/// Columns of a group at least: few columns beside traces take the slower way.
enum { TRACE_COLUMNS = 16, MAX_TRACE_GROUPS = 62 };

/// The group of a column, which may lie in the strip to the west.
static inline TraceGroups trace_group(int x, int columns) {
    return (TraceGroups)1 << ((x + STRIP) / columns % MAX_TRACE_GROUPS);
}

/// Where the group of a column ends, at most at `to`.
static inline int trace_group_end(int x, int to, int columns) {
    const int end = ((x + STRIP) / columns + 1) * columns - STRIP;
    return end < to ? end : to;
}

/// The groups of columns from .. to-1 of a row of a field that hold traces.
TraceGroups flushed_groups(const float* numbers, int id, int from, int to, int columns);

/// Runs a pass on a row: to the bits that it would come to if the processor flushed denormals. All
/// traces that it reads are in or around the groups `near`, of so many columns.
void flushed_run(const Pass* pass, RowFunction* flushed, const PassRow* row, TraceGroups near,
                 int columns);

#endif
