// SPDX-License-Identifier: MIT
/// Kernels: how the passes of a step are divided among the programs of a device. All of it follows
/// from what the passes declare (law.h).
///
/// A kernel computes one cell per work-item: it loads the declared fields of the cell, calls the
/// row functions of its passes on a row of one cell, and stores what they write. Two things save
/// memory traffic:
///
///   joining       a pass that reads only the cell itself runs in the kernel of the pass before it,
///                 while the fields are still in registers
///   recomputing   a pass that only prepares scratch fields for one reader runs inside the reader's
///                 kernel, for every cell that the reader looks at; its fields are stored nowhere
///
///     pipe:   passes    supply   faces  flux   erosion   transport | supply   faces  flux ...
///             kernels   [      ] [   (  )    ] [       ] [ transport, supply ] [ (  )    ]
///                                recomputed              joined across two steps: the bridge
#ifndef KERNELS_H
#define KERNELS_H

#include "law.h"

/// What suits a device. On a GPU memory is the limit: passes are recomputed, and whole steps run in
/// local memory (chains.h). On a processor computing is the limit.
typedef struct KernelStyle {
    bool recomputes;
    int sums_at_once;   // accounts that a patch adds up at the same time, in local memory
    size_t chain_bytes; // local memory for chains; 0 = none
} KernelStyle;

/// One pass of a step, as the device sees it.
typedef struct DevicePass {
    const Pass* pass;
    const Law* law;     // whose own fields it touches
    const Law* rows;    // whose rows file has its function
    const void* consts; // of some step, to take known values from; NULL if the law has none
    FieldSet present;   // of the fields that it touches, those that exist
    AccountSet counts;  // of the accounts that it declares, those that it counts
    int fringe;         // patches around the awake ones that later passes read
} DevicePass;

enum { KERNEL_PASSES = 8, KERNEL_FIELDS = 2 * FIELD_IDS };

/// A field in a kernel.
typedef struct KernelField {
    const Law* law; // whose own it is; NULL = common
    int id;
    bool loads, stores;           // in the kernel's own passes
    bool is_recomputed;           // made by the recomputed pass: it has no buffer
    bool feeds;                   // the recomputed pass reads it
    int top, bottom, left, right; // cells around that the kernel's own passes look at
} KernelField;

typedef struct Kernel {
    char name[64];
    int passes[KERNEL_PASSES]; // of the step
    int pass_count;
    int recomputed; // a pass, or -1
    int fringe;
    AccountSet counts;
    bool marks; // it marks where a law is at work
    KernelField fields[KERNEL_FIELDS];
    int field_count;
    const Law* law; // whose program it belongs to
    size_t bytes;   // loaded and stored per cell
} Kernel;

/// The kernels of a step.
typedef struct KernelPlan {
    const DevicePass* passes;
    int pass_count;
    Kernel* kernels; // in order, the bridge last
    int count;       // without the bridge
    bool has_bridge; // kernels[count]: the last kernel of a step and the first of the next
    KernelStyle style;
} KernelPlan;

/// Whether a field has a buffer in a kernel.
static inline bool has_buffer(const KernelField* field) {
    return !field->is_recomputed && (field->loads || field->stores || field->feeds);
}

/// Divides a step into kernels. The passes must stay as long as the plan.
GullyStatus kernels_plan(const DevicePass* passes, int count, KernelStyle style, KernelPlan* out);
void kernels_free(KernelPlan* plan);

/// Bytes that a step loads and stores per cell, if steps follow each other.
size_t kernels_bytes(const KernelPlan* plan);

/// Whether a law is in no table: its rows may stand beside those of any other law.
bool is_hidden_law(const Law* law);

#endif
