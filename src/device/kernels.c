// SPDX-License-Identifier: MIT
#include "kernels.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool is_hidden_law(const Law* law) {
    return strcmp(law->name, law_supply()->name) == 0 || strcmp(law->name, law_half()->name) == 0;
}

static FieldSet reads_beside(const Pass* pass) {
    return pass_reads_before(pass) | pass_reads_after(pass);
}

#define COMMON_SET (FIELD_BIT(COMMON_FIELDS) - 1)

/// The fields of a set that two passes have in common: a law's own fields are its own.
static FieldSet shared(const DevicePass* a, const DevicePass* b, FieldSet both) {
    return a->law == b->law ? both : both & COMMON_SET;
}

static FieldSet scratch_of(const Law* law) {
    FieldSet set = 0;
    for (int f = 0; f < law->field_count; f++)
        set |= law->fields[f].scratch ? FIELD_BIT(LAW_FIELDS + f) : 0;
    return set;
}

// ---- recomputing --------------------------------------------------------------------------------

/// The one pass of the step that reads what a pass writes, before it is written again; -1 if none
/// or several do.
static int only_reader(const DevicePass* passes, int count, int writer) {
    const DevicePass* a = &passes[writer];
    FieldSet made = a->pass->writes;
    int reader = -1;
    for (int k = writer + 1; k < count && made; k++) {
        const DevicePass* b = &passes[k];
        if (shared(a, b, made & pass_reads(b->pass))) {
            if (reader >= 0) return -1;
            reader = k;
        }
        made &= ~shared(a, b, b->pass->writes);
    }
    return reader;
}

/// Whether what a pass reads stays as it is until its reader is done.
static bool inputs_stay(const DevicePass* passes, int writer, int reader) {
    const DevicePass* a = &passes[writer];
    for (int k = writer + 1; k <= reader; k++) {
        if (shared(a, &passes[k], pass_reads(a->pass) & passes[k].pass->writes)) return false;
    }
    return true;
}

/// Whether a pass looks at cells around for something that another one writes: it then begins a
/// kernel.
static bool looks_around_for(const DevicePass* reader, const DevicePass* writer) {
    return shared(reader, writer, reads_beside(reader->pass) & writer->pass->writes) != 0;
}

/// The pass that a pass can be recomputed in, or -1.
static int recomputed_in(const DevicePass* passes, int count, int index) {
    const DevicePass* a = &passes[index];
    if (a->law != a->rows || a->law->marks_moving || a->pass->counts) return -1;
    if (a->pass->writes & ~scratch_of(a->law)) return -1;
    const int reader = only_reader(passes, count, index);
    if (reader < 0 || passes[reader].rows != a->rows) return -1;
    return looks_around_for(&passes[reader], a) && inputs_stay(passes, index, reader) ? reader : -1;
}

/// The pass that is recomputed in a kernel that begins with pass `reader`; one at most, and what it
/// reads is stored.
static int find_recomputed(const KernelPlan* plan, int reader) {
    const DevicePass* passes = plan->passes;
    const int count = plan->style.recomputes ? plan->pass_count : 0;
    for (int k = 0; k < reader && k < count; k++) {
        if (recomputed_in(passes, count, k) != reader) continue;
        for (int other = 0; other < k; other++) {
            const FieldSet made = passes[other].pass->writes & pass_reads(passes[k].pass);
            if (shared(&passes[other], &passes[k], made) &&
                recomputed_in(passes, count, other) >= 0)
                return -1;
        }
        return k;
    }
    return -1;
}

static bool is_recomputed(const KernelPlan* plan, int index) {
    const int reader = recomputed_in(plan->passes, plan->pass_count, index);
    return reader >= 0 && find_recomputed(plan, reader) == index;
}

// ---- joining ------------------------------------------------------------------------------------

/// Whether laws of two passes may stand in one program.
static bool go_together(const Kernel* kernel, const DevicePass* next) {
    return is_hidden_law(next->rows) || is_hidden_law(kernel->law) || kernel->law == next->rows;
}

/// Whether a pass may run in the kernel after the others: it looks at its own cell only, and none of
/// the others looks at what it writes in other cells.
static bool can_join(const DevicePass* passes, const Kernel* kernel, const DevicePass* next) {
    if (reads_beside(next->pass) || kernel->pass_count == KERNEL_PASSES) return false;
    if (!go_together(kernel, next)) return false;
    for (int i = 0; i < kernel->pass_count; i++) {
        const DevicePass* other = &passes[kernel->passes[i]];
        if (shared(other, next, reads_beside(other->pass) & next->pass->writes)) return false;
    }
    if (kernel->recomputed < 0) return true;
    const DevicePass* other = &passes[kernel->recomputed];
    return !shared(other, next, pass_reads(other->pass) & next->pass->writes);
}

// ---- fields -------------------------------------------------------------------------------------

static KernelField* kernel_field(Kernel* kernel, const DevicePass* pass, int id) {
    const Law* law = id >= LAW_FIELDS ? pass->law : NULL;
    for (int i = 0; i < kernel->field_count; i++) {
        if (kernel->fields[i].law == law && kernel->fields[i].id == id) return &kernel->fields[i];
    }
    assert(kernel->field_count < KERNEL_FIELDS);
    kernel->fields[kernel->field_count] = (KernelField){.law = law, .id = id};
    return &kernel->fields[kernel->field_count++];
}

/// Adds a field that one of the kernel's own passes touches.
static void add_field(Kernel* kernel, const DevicePass* pass, int id) {
    const FieldSet bit = FIELD_BIT(id);
    if (!(pass->present & bit)) return;
    KernelField* field = kernel_field(kernel, pass, id);
    if ((pass_reads(pass->pass) & bit) && !field->stores) field->loads = true;
    if (pass->pass->writes & bit) field->stores = true;
    if (pass_reads_before(pass->pass) & bit) field->top = field->left = -1;
    if (pass_reads_after(pass->pass) & bit) field->bottom = field->right = 1;
}

static void add_recomputed(Kernel* kernel, const DevicePass* pass) {
    for (int id = 0; id < FIELD_IDS; id++) {
        const FieldSet bit = FIELD_BIT(id) & pass->present;
        if (pass->pass->writes & bit) kernel_field(kernel, pass, id)->is_recomputed = true;
        if (pass_reads(pass->pass) & bit) kernel_field(kernel, pass, id)->feeds = true;
    }
}

static void add_pass(const DevicePass* passes, Kernel* kernel, int index) {
    const DevicePass* pass = &passes[index];
    for (int id = 0; id < FIELD_IDS; id++) {
        if ((pass_reads(pass->pass) | pass->pass->writes) & FIELD_BIT(id))
            add_field(kernel, pass, id);
    }
    if (kernel->pass_count == 0 || is_hidden_law(kernel->law)) kernel->law = pass->rows;
    kernel->passes[kernel->pass_count++] = index;
    kernel->counts |= pass->counts;
    kernel->marks |= pass->rows->marks_moving;
    if (pass->fringe > kernel->fringe) kernel->fringe = pass->fringe;
}

static void count_bytes(Kernel* kernel) {
    kernel->bytes = 0;
    for (int i = 0; i < kernel->field_count; i++) {
        const KernelField* field = &kernel->fields[i];
        if (!has_buffer(field)) continue;
        kernel->bytes += sizeof(float) * (size_t)((field->loads || field->feeds) + field->stores);
    }
}

static void name_kernel(const DevicePass* passes, Kernel* kernel, int number) {
    int used = snprintf(kernel->name, sizeof kernel->name, "kernel_%d", number);
    for (int i = 0; i < kernel->pass_count && used < 48; i++)
        used += snprintf(kernel->name + used, sizeof kernel->name - (size_t)used, "_%.14s",
                         passes[kernel->passes[i]].pass->name);
}

// ---- the plan -----------------------------------------------------------------------------------

static void list_kernels(KernelPlan* plan) {
    const DevicePass* passes = plan->passes;
    for (int k = 0; k < plan->pass_count; k++) {
        if (is_recomputed(plan, k)) continue;
        Kernel* last = plan->count > 0 ? &plan->kernels[plan->count - 1] : NULL;
        if (!last || !can_join(passes, last, &passes[k])) {
            last = &plan->kernels[plan->count++];
            *last = (Kernel){.recomputed = find_recomputed(plan, k)};
            if (last->recomputed >= 0) add_recomputed(last, &passes[last->recomputed]);
        }
        add_pass(passes, last, k);
    }
}

/// Joins the first kernel of a step to the last of the step before, if all its passes can be.
static void make_bridge(KernelPlan* plan) {
    const Kernel *first = &plan->kernels[0], *last = &plan->kernels[plan->count - 1];
    if (plan->count < 2 || first->recomputed >= 0) return;
    Kernel* bridge = &plan->kernels[plan->count];
    *bridge = *last;
    for (int i = 0; i < first->pass_count; i++) {
        if (!can_join(plan->passes, bridge, &plan->passes[first->passes[i]])) return;
        add_pass(plan->passes, bridge, first->passes[i]);
    }
    plan->has_bridge = true;
}

GullyStatus kernels_plan(const DevicePass* passes, int count, KernelStyle style, KernelPlan* out) {
    KernelPlan plan = {.passes = passes, .pass_count = count, .style = style};
    plan.kernels = calloc((size_t)count + 1, sizeof *plan.kernels);
    if (!plan.kernels) return gully_fail(GULLY_NO_MEMORY, "no memory for %d kernels", count);
    list_kernels(&plan);
    make_bridge(&plan);
    for (int i = 0; i < plan.count + plan.has_bridge; i++) {
        count_bytes(&plan.kernels[i]);
        name_kernel(passes, &plan.kernels[i], i);
    }
    *out = plan;
    return GULLY_OK;
}

void kernels_free(KernelPlan* plan) {
    free(plan->kernels);
    *plan = (KernelPlan){0};
}

size_t kernels_bytes(const KernelPlan* plan) {
    size_t bytes = 0;
    for (int i = plan->has_bridge ? 1 : 0; i < plan->count + plan->has_bridge; i++) {
        const bool is_bridged = plan->has_bridge && i == plan->count - 1;
        bytes += is_bridged ? 0 : plan->kernels[i].bytes;
    }
    return bytes;
}
