// SPDX-License-Identifier: MIT
#include "device_step.h"

#include <stdlib.h>
#include <string.h>

#include "plan.h"

// ---- passes -------------------------------------------------------------------------------------

/// The fields of a law that exist in a world.
static FieldSet present_fields(const StepEntry* entry, const GullyWorld* world) {
    FieldSet own = 0;
    for (int f = 0; f < entry->law->field_count; f++) {
        const bool is_stored = entry->slots[LAW_FIELDS + f] >= 0;
        if (entry->law->fields[f].scratch || is_stored) own |= FIELD_BIT(LAW_FIELDS + f);
    }
    return (world_common_fields(world) | own) & ~plan_unused_fields(entry, world);
}

static GullyStatus list_passes(const StepEntry* entries, int count, const GullyWorld* world,
                               DeviceStep* step) {
    int* fringes = malloc((size_t)count * sizeof *fringes);
    step->passes = calloc((size_t)count, sizeof *step->passes);
    if (!fringes || !step->passes) {
        free(fringes);
        return gully_fail(GULLY_NO_MEMORY, "no memory for %d passes", count);
    }
    plan_fringes(entries, count, fringes);
    for (int k = 0; k < count; k++) {
        const StepEntry* entry = &entries[k];
        const FieldSet touched = pass_reads(entry->pass) | entry->pass->writes;
        const bool asks = entry->law->uncounted && entry->rows == entry->law;
        const AccountSet uncounted = asks ? entry->law->uncounted(entry->known) : 0;
        step->passes[k] = (DevicePass){.pass = entry->pass,
                                       .law = entry->law,
                                       .rows = entry->rows,
                                       .consts = entry->known,
                                       .present = touched & present_fields(entry, world),
                                       .counts = entry->pass->counts & ~uncounted,
                                       .fringe = fringes[k]};
    }
    free(fringes);
    return GULLY_OK;
}

/// Lists the fields by which laws say that they rest, each once.
static void list_rest(const StepEntry* entries, int count, const GullyWorld* world,
                      DeviceStep* step) {
    SlotSet seen = 0;
    for (int k = 0; k < count; k++) {
        for (FieldSet left = entries[k].law->rest; left; left &= left - 1) {
            const int slot = entries[k].slots[__builtin_ctzll(left)];
            if (slot < 0 || (seen & SLOT_BIT(slot))) continue;
            seen |= SLOT_BIT(slot);
            step->rest[step->rest_count++] = (RestField){slot, world->fields[slot].half};
        }
    }
}

// ---- programs -----------------------------------------------------------------------------------

/// Adds the program of a law's kernels, unless it is there already.
static GullyStatus add_program(DeviceStep* step, const Law* law) {
    for (int i = 0; i < step->source_count; i++) {
        if (step->laws[i] == law) return GULLY_OK;
    }
    const int index = step->source_count++;
    step->laws[index] = law;
    if (law) return write_program(&step->sources[index], &step->plan, law);
    uint64_t any_bit = 0;
    for (int i = 0; i < step->rest_count; i++)
        any_bit |= step->rest[i].any_bit ? UINT64_C(1) << i : 0;
    return write_rest_program(&step->sources[index], step->rest_count, any_bit);
}

static GullyStatus write_programs(DeviceStep* step) {
    const size_t most = (size_t)step->plan.count + 2;
    step->sources = calloc(most, sizeof *step->sources);
    step->laws = calloc(most, sizeof *step->laws);
    if (!step->sources || !step->laws)
        return gully_fail(GULLY_NO_MEMORY, "no memory for %zu programs", most);
    GullyStatus status = GULLY_OK;
    for (int k = 0; k < step->plan.count + step->plan.has_bridge && !status; k++)
        status = add_program(step, step->plan.kernels[k].law);
    return status || step->rest_count == 0 ? status : add_program(step, NULL);
}

static GullyStatus write_chains(DeviceStep* step) {
    if (step->chains.count == 0) return GULLY_OK;
    step->chain_sources = calloc((size_t)step->chains.count, sizeof *step->chain_sources);
    if (!step->chain_sources) return gully_fail(GULLY_NO_MEMORY, "no memory for programs");
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < step->chains.count && !status; i++)
        status = write_chain(&step->chain_sources[i], &step->plan, &step->chains.chains[i]);
    return status;
}

GullyStatus device_step_create(const StepEntry* entries, int count, const GullyWorld* world,
                               KernelStyle style, DeviceStep* out) {
    DeviceStep step = {0};
    GullyStatus status = list_passes(entries, count, world, &step);
    if (!status) status = kernels_plan(step.passes, count, style, &step.plan);
    if (!status) list_rest(entries, count, world, &step);
    if (!status) status = write_programs(&step);
    if (!status) status = chains_plan(&step.plan, style.chain_bytes, &step.chains);
    if (!status) status = write_chains(&step);
    if (status) {
        device_step_free(&step);
        return status;
    }
    *out = step;
    return GULLY_OK;
}

void device_step_free(DeviceStep* step) {
    for (int i = 0; i < step->source_count; i++)
        text_free(&step->sources[i]);
    for (int i = 0; i < step->chains.count && step->chain_sources; i++)
        text_free(&step->chain_sources[i]);
    chains_free(&step->chains);
    kernels_free(&step->plan);
    free(step->chain_sources);
    free(step->passes);
    free(step->sources);
    free(step->laws);
    *step = (DeviceStep){0};
}

// ---- memory -------------------------------------------------------------------------------------

/// Fields of all kernels that have a buffer, each once.
static size_t count_buffers(const KernelPlan* plan) {
    bool seen[FIELD_IDS][KERNEL_PASSES] = {{false}}; // by the law that a field belongs to
    const Law* laws[KERNEL_PASSES] = {NULL};
    size_t fields = 0;
    for (int k = 0; k < plan->count + plan->has_bridge; k++) {
        const Kernel* kernel = &plan->kernels[k];
        for (int i = 0; i < kernel->field_count; i++) {
            const KernelField* field = &kernel->fields[i];
            int law = 0;
            while (law < KERNEL_PASSES - 1 && laws[law] && laws[law] != field->law)
                law++;
            if (field->law) laws[law] = field->law;
            if (!has_buffer(field) || seen[field->id][law]) continue;
            seen[field->id][law] = true;
            fields++;
        }
    }
    return fields;
}

/// Second buffers of all chains. A field that two chains store counts twice, which does no harm.
static size_t count_seconds(const ChainPlan* plan) {
    size_t fields = 0;
    for (int k = 0; k < plan->count; k++) {
        for (int i = 0; i < plan->chains[k].field_count; i++)
            fields += chain_has_second(&plan->chains[k].fields[i]);
    }
    return fields;
}

GullyStatus device_step_plan(const StepEntry* entries, int count, const DeviceWorld* place,
                             DeviceStep* out) {
    KernelStyle style = place->device->style;
    GullyStatus status = device_step_create(entries, count, place->world, style, out);
    if (status) return status;
    const size_t fields = count_buffers(&out->plan), seconds = count_seconds(&out->chains);
    if (seconds > 0 && device_world_check(place, fields + seconds) != GULLY_OK) {
        device_step_free(out);
        style.chain_bytes = 0;
        status = device_step_create(entries, count, place->world, style, out);
    }
    if (!status) status = device_world_check(place, fields);
    if (status) device_step_free(out);
    return status;
}

size_t device_step_bytes(const DeviceStep* step) {
    return step->chains.count > 0 ? chains_bytes(&step->chains) : kernels_bytes(&step->plan);
}

// ---- building -----------------------------------------------------------------------------------

bool device_step_is_built(const DeviceStep* step, Device* device) {
    for (int i = 0; i < step->source_count; i++) {
        if (!device_has_program(device, step->sources[i].bytes)) return false;
    }
    for (int i = 0; i < step->chains.count; i++) {
        if (!device_has_program(device, step->chain_sources[i].bytes)) return false;
    }
    return true;
}

GullyStatus device_step_build(const DeviceStep* step, Device* device) {
    GullyStatus status = GULLY_OK;
    cl_program program;
    for (int i = 0; i < step->source_count && !status; i++)
        status = device_program(device, step->sources[i].bytes, &program);
    for (int i = 0; i < step->chains.count && !status; i++)
        status = device_program(device, step->chain_sources[i].bytes, &program);
    return status;
}

const char* device_step_source(const DeviceStep* step, const Law* law) {
    for (int i = 0; i < step->source_count; i++) {
        if (step->laws[i] == law) return step->sources[i].bytes;
    }
    return NULL;
}
