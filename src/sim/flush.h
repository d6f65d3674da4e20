/// Flushing denormal numbers where the processor cannot: after each pass, in what it has written.
/// Numbers within a pass stay denormal, so bits can differ from other machines in traces of about 1e-37
/// (docs/web.md).
#ifndef FLUSH_H
#define FLUSH_H

#include <stdint.h>
#include <string.h>

#include "denormals.h"
#include "law.h"

/// A number that is denormal becomes a zero of its sign.
static inline void flush_numbers(float* numbers, int from, int to) {
    for (int i = from; i < to; i++) {
        uint32_t bits;
        memcpy(&bits, numbers + i, sizeof bits);
        bits &= (bits & 0x7f800000u) ? 0xffffffffu : 0x80000000u;
        memcpy(numbers + i, &bits, sizeof bits);
    }
}

/// Flushes what a pass has written into a row.
static inline void flush_row(const Pass* pass, const PassRow* row) {
#ifdef DENORMALS_ARE_KEPT
    for (int id = 0; id < FIELD_IDS; id++)
        if (pass->writes >> id & 1 && row->out[id]) flush_numbers(row->out[id], row->from, row->to);
#else
    (void)pass, (void)row;
#endif
}

#endif
