// SPDX-License-Identifier: MIT
/// Runs a pass on a row, on processors that can flush denormal numbers and on those that cannot.
#ifndef FLUSH_H
#define FLUSH_H

#include "denormals.h"
#include "stepper.h"

#ifdef DENORMALS_ARE_KEPT
#include "flushed.h"

static inline RowFunction* flushed_row(const char* law, const char* pass) {
    return flushed_find(law, pass);
}

static inline void run_row(const StepEntry* entry, const PassRow* row) {
    flushed_run(entry->pass, entry->flushed, row, ALL_TRACE_GROUPS, TRACE_COLUMNS);
}

#else

static inline RowFunction* flushed_row(const char* law, const char* pass) {
    (void)law, (void)pass;
    return NULL;
}

static inline void run_row(const StepEntry* entry, const PassRow* row) {
    entry->pass->row(row);
}

#endif

#endif
