// SPDX-License-Identifier: MIT
/// Which rows of a block hold traces, where the processor cannot flush denormals (src/flushed).
/// Everything is asked once: what a run finds when a pass first comes near its row, the rest when it
/// is written. Where a trace was seen, passes look more closely until the end of the run.
#ifndef TRACE_ROWS_H
#define TRACE_ROWS_H

#include "flush.h"
#include "plan.h"

#ifdef DENORMALS_ARE_KEPT

typedef struct TraceRows {
    TraceGroups* groups; // [height] of a panel's rows: where traces were seen
    bool* known;         // [height]: whether the row was asked
    int columns;         // of a group
} TraceRows;

/// `pitch` is that of the widest panel.
GullyStatus trace_rows_create(int height, size_t pitch, TraceRows* out);
void trace_rows_destroy(TraceRows* traces);

/// Forgets rows first .. end-1.
void trace_rows_begin(TraceRows* traces, int first, int end);

/// Asks columns from .. to-1 of a row that no pass has come to, which begins at `row`, strip
/// included. Halves are no traces.
void trace_rows_ask(TraceRows* traces, const Plan* plan, const GullyWorld* world, int panel,
                    const float* row, int y, int from, int to);

/// Runs a pass on a row, after this one and its neighbours were asked, and asks what it wrote. Rows
/// before `first` and from `end` on are the outside.
void trace_rows_run(TraceRows* traces, const ScheduledPass* pass, const PassRow* row, int first,
                    int end);

static inline bool trace_rows_is_known(const TraceRows* traces, int y) {
    return traces->known[y];
}

#else

typedef struct TraceRows {
    int columns;
} TraceRows;

static inline GullyStatus trace_rows_create(int height, size_t pitch, TraceRows* out) {
    (void)height, (void)pitch, (void)out;
    return GULLY_OK;
}

static inline void trace_rows_destroy(TraceRows* traces) {
    (void)traces;
}

static inline void trace_rows_begin(TraceRows* traces, int first, int end) {
    (void)traces, (void)first, (void)end;
}

static inline void trace_rows_ask(TraceRows* traces, const Plan* plan, const GullyWorld* world,
                                  int panel, const float* row, int y, int from, int to) {
    (void)traces, (void)plan, (void)world, (void)panel, (void)row, (void)y, (void)from, (void)to;
}

static inline void trace_rows_run(TraceRows* traces, const ScheduledPass* pass, const PassRow* row,
                                  int first, int end) {
    (void)traces, (void)first, (void)end;
    pass->entry.pass->row(row);
}

static inline bool trace_rows_is_known(const TraceRows* traces, int y) {
    (void)traces, (void)y;
    return true;
}

#endif

#endif
