// SPDX-License-Identifier: MIT
/// Chains: passes that one kernel runs one after the other on a patch, in local memory.
///
/// A work-group loads its patch, and as many cells around as the passes reach, into local memory.
/// It computes every pass on as many of those cells as the later passes read: each one on fewer
/// than the one before, the last on the patch alone. Only then it stores what has changed. So a
/// field is loaded once and stored once in a step, and scratch fields never leave the chip.
///
///     pipe:   cells around the patch   3        3       2      1         0
///             passes                   supply   faces   flux   erosion   transport
///
/// Other groups still read the old cells around their own patches. So what a chain reads around
/// the patch it stores in a second buffer, and the two change places after the chain. What it
/// touches in the patch alone stays in one buffer.
///
/// All of it follows from what the passes declare (law.h), as in kernels.h.
#ifndef CHAINS_H
#define CHAINS_H

#include "kernels.h"

enum { CHAIN_PASSES = 16 };

/// Cells around the patch: rows in the north and columns in the west, and those after it. -1: not
/// even the patch.
typedef struct Around {
    int before, after;
} Around;

/// A field in a chain.
typedef struct ChainField {
    const Law* law; // whose own it is; NULL = common
    int id;
    bool is_scratch;
    bool loads, stores; // its buffer
    int first, last; // pass of the chain that touches it; loaded: -1, stored: the number of passes
    int touches;     // passes that do
    bool looks_around; // one of them does
    Around around;     // that is kept, or read from the buffer
    int array;         // of local memory; -1: it needs none
} ChainField;

typedef struct Chain {
    char name[32];
    const Law* law;              // whose program it is
    int first, pass_count;       // passes of the step
    Around around[CHAIN_PASSES]; // where each is computed
    AccountSet counts;
    bool marks;
    ChainField fields[KERNEL_FIELDS];
    int field_count;
    int arrays[KERNEL_FIELDS]; // of local memory [floats]
    int array_count;
    size_t local_bytes;
    size_t bytes;       // loaded and stored per cell, if a cache serves what several groups load
    size_t group_bytes; // the same without a cache, for a whole patch
} Chain;

/// The chains of a step; none where they would not fit or save nothing.
typedef struct ChainPlan {
    Chain* chains;
    int count;
} ChainPlan;

/// Whether a field has a buffer in a chain, and whether it has two.
static inline bool chain_has_buffer(const ChainField* field) {
    return field->loads || field->stores;
}

static inline bool chain_has_second(const ChainField* field) {
    return field->stores && field->loads && (field->around.before > 0 || field->around.after > 0);
}

/// Divides a step into chains for a device with so much local memory. The passes must stay as long
/// as the plan of the kernels.
GullyStatus chains_plan(const KernelPlan* kernels, size_t local_bytes, ChainPlan* out);
void chains_free(ChainPlan* plan);

/// Bytes that a step loads and stores per cell: with a cache that serves what several groups load,
/// and without one.
size_t chains_bytes(const ChainPlan* plan);
size_t chains_bytes_uncached(const ChainPlan* plan);

/// Whether a pass may be left out of a step: it overwrites nothing without reading it.
bool chain_may_skip(const DevicePass* pass);

#endif
