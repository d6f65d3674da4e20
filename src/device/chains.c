// SPDX-License-Identifier: MIT
#include "chains.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATCH = MOVING_BLOCK, PATCH_CELLS = PATCH * PATCH };

/// What a sum of the budget needs in a work-group, for every work-item (kernel_frame.h).
enum { TALLY_BYTES = 16 };

static FieldSet reads_beside(const Pass* pass) {
    return pass_reads_before(pass) | pass_reads_after(pass);
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static Around widest(Around a, Around b) {
    return (Around){larger(a.before, b.before), larger(a.after, b.after)};
}

static int cells_of(Around around) {
    const int side = PATCH + around.before + around.after;
    return side * side;
}

/// Floats of an array, so that the next one begins where compilers would have it begin.
static int aligned(int floats) {
    return (floats + 3) / 4 * 4;
}

bool chain_may_skip(const DevicePass* pass) {
    return (pass->pass->writes & pass->present & ~pass_reads(pass->pass)) == 0;
}

// ---- fields -------------------------------------------------------------------------------------

static ChainField* chain_field(Chain* chain, const DevicePass* pass, int id) {
    const Law* law = id >= LAW_FIELDS ? pass->law : NULL;
    for (int i = 0; i < chain->field_count; i++) {
        if (chain->fields[i].law == law && chain->fields[i].id == id) return &chain->fields[i];
    }
    assert(chain->field_count < KERNEL_FIELDS);
    chain->fields[chain->field_count] =
        (ChainField){.law = law,
                     .id = id,
                     .is_scratch = law && law->fields[id - LAW_FIELDS].scratch,
                     .first = CHAIN_PASSES,
                     .last = -1,
                     .around = {-1, -1},
                     .array = -1};
    return &chain->fields[chain->field_count++];
}

static void add_fields(Chain* chain, const DevicePass* pass, int index) {
    const FieldSet touched = (pass_reads(pass->pass) | pass->pass->writes) & pass->present;
    for (FieldSet left = touched; left; left &= left - 1) {
        const int id = __builtin_ctzll(left);
        ChainField* field = chain_field(chain, pass, id);
        field->first = index < field->first ? index : field->first;
        field->last = index;
        field->touches++;
        field->looks_around |= (reads_beside(pass->pass) & FIELD_BIT(id)) != 0;
        field->stores |= !field->is_scratch && (pass->pass->writes & FIELD_BIT(id));
    }
}

/// Where a pass has to be computed: wherever later passes need what it writes.
static Around region_of(Chain* chain, const DevicePass* pass, const Around* needed) {
    Around region = {0, 0};
    for (FieldSet left = pass->pass->writes & pass->present; left; left &= left - 1) {
        const ChainField* field = chain_field(chain, pass, __builtin_ctzll(left));
        region = widest(region, needed[field - chain->fields]);
    }
    return region;
}

/// What a pass needs, computed in a region: more of what it looks around for. Sums are needed only
/// where they were, since nothing depends on them.
static void need_inputs(Chain* chain, const DevicePass* pass, Around region, Around* needed) {
    for (FieldSet left = pass->present; left; left &= left - 1) {
        const int id = __builtin_ctzll(left);
        const FieldSet bit = FIELD_BIT(id);
        Around* need = &needed[chain_field(chain, pass, id) - chain->fields];
        if (pass->pass->sums & bit) {
            *need = widest(*need, (Around){0, 0});
        } else if (pass_reads(pass->pass) & bit) {
            const bool before = (pass_reads_before(pass->pass) & bit) != 0;
            const bool after = (pass_reads_after(pass->pass) & bit) != 0;
            *need = widest(*need, (Around){region.before + before, region.after + after});
        } else {
            *need = (Around){-1, -1}; // overwritten
        }
    }
}

/// Goes back from the last pass to the first: where each is computed, and what is kept of each
/// field. False if a scratch field would have to be there before the chain.
static bool find_regions(const DevicePass* passes, Chain* chain) {
    Around needed[KERNEL_FIELDS];
    for (int i = 0; i < chain->field_count; i++)
        needed[i] = chain->fields[i].stores ? (Around){0, 0} : (Around){-1, -1};
    for (int k = chain->pass_count - 1; k >= -1; k--) {
        for (int i = 0; i < chain->field_count; i++)
            chain->fields[i].around = widest(chain->fields[i].around, needed[i]);
        if (k < 0) break;
        const DevicePass* pass = &passes[chain->first + k];
        chain->around[k] = region_of(chain, pass, needed);
        need_inputs(chain, pass, chain->around[k], needed);
    }
    for (int i = 0; i < chain->field_count; i++) {
        ChainField* field = &chain->fields[i];
        // What is overwritten before it is read around still needs its values outside the world.
        const bool is_wide = field->around.before > 0 || field->around.after > 0;
        field->loads = needed[i].before >= 0 || (field->stores && is_wide);
        if (field->loads && field->is_scratch) return false;
        if (field->loads) field->first = -1;
        if (field->stores) field->last = chain->pass_count;
    }
    return true;
}

// ---- local memory -------------------------------------------------------------------------------

/// Whether a field goes through local memory: if several passes touch it, or one looks around.
static bool needs_array(const ChainField* field) {
    return field->touches > 1 || field->looks_around;
}

/// Finds an array for each field; fields whose lives do not overlap share one.
static void place_fields(Chain* chain) {
    int busy_until[KERNEL_FIELDS];
    for (int i = 0; i < chain->field_count; i++) {
        ChainField* field = &chain->fields[i];
        if (!needs_array(field)) continue;
        int array = 0;
        while (array < chain->array_count && busy_until[array] >= field->first)
            array++;
        if (array == chain->array_count) chain->arrays[chain->array_count++] = 0;
        field->array = array;
        busy_until[array] = field->last;
        chain->arrays[array] = larger(chain->arrays[array], aligned(cells_of(field->around)));
    }
    for (int i = 0; i < chain->array_count; i++)
        chain->local_bytes += sizeof(float) * (size_t)chain->arrays[i];
    if (chain->counts) chain->local_bytes += (size_t)TALLY_BYTES * PATCH_CELLS;
}

static void count_bytes(Chain* chain) {
    for (int i = 0; i < chain->field_count; i++) {
        const ChainField* field = &chain->fields[i];
        const size_t loaded = field->loads ? (size_t)cells_of(field->around) : 0;
        chain->bytes += sizeof(float) * (size_t)(field->loads + field->stores);
        chain->group_bytes += sizeof(float) * (loaded + (field->stores ? PATCH_CELLS : 0));
    }
}

// ---- the plan -----------------------------------------------------------------------------------

/// Whether a pass may follow in a chain: their rows may stand in one program.
static bool can_follow(const Chain* chain, const DevicePass* next) {
    if (chain->pass_count == CHAIN_PASSES) return false;
    return is_hidden_law(next->rows) || is_hidden_law(chain->law) || chain->law == next->rows;
}

static void list_chains(const KernelPlan* kernels, ChainPlan* plan) {
    for (int k = 0; k < kernels->pass_count; k++) {
        const DevicePass* pass = &kernels->passes[k];
        Chain* chain = plan->count > 0 ? &plan->chains[plan->count - 1] : NULL;
        if (!chain || !can_follow(chain, pass)) {
            chain = &plan->chains[plan->count++];
            *chain = (Chain){.first = k, .law = pass->rows};
            snprintf(chain->name, sizeof chain->name, "chain_%d", plan->count - 1);
        }
        if (is_hidden_law(chain->law)) chain->law = pass->rows;
        add_fields(chain, pass, chain->pass_count++);
        chain->counts |= pass->counts;
        chain->marks |= pass->rows->marks_moving;
    }
}

/// Whether all chains fit into a device's local memory.
static bool all_fit(const KernelPlan* kernels, ChainPlan* plan, size_t local_bytes) {
    for (int i = 0; i < plan->count; i++) {
        Chain* chain = &plan->chains[i];
        if (!find_regions(kernels->passes, chain)) return false;
        place_fields(chain);
        count_bytes(chain);
        if (chain->local_bytes > local_bytes) return false;
    }
    return true;
}

GullyStatus chains_plan(const KernelPlan* kernels, size_t local_bytes, ChainPlan* out) {
    *out = (ChainPlan){0};
    if (local_bytes == 0) return GULLY_OK;
    ChainPlan plan = {.chains = calloc((size_t)kernels->pass_count, sizeof *plan.chains)};
    if (!plan.chains)
        return gully_fail(GULLY_NO_MEMORY, "no memory for %d chains", kernels->pass_count);
    list_chains(kernels, &plan);
    if (!all_fit(kernels, &plan, local_bytes) ||
        chains_bytes_uncached(&plan) >= kernels_bytes(kernels))
        chains_free(&plan);
    *out = plan;
    return GULLY_OK;
}

void chains_free(ChainPlan* plan) {
    free(plan->chains);
    *plan = (ChainPlan){0};
}

size_t chains_bytes(const ChainPlan* plan) {
    size_t bytes = 0;
    for (int i = 0; i < plan->count; i++)
        bytes += plan->chains[i].bytes;
    return bytes;
}

size_t chains_bytes_uncached(const ChainPlan* plan) {
    size_t bytes = 0;
    for (int i = 0; i < plan->count; i++)
        bytes += plan->chains[i].group_bytes;
    return (bytes + PATCH_CELLS - 1) / PATCH_CELLS;
}
