#include "device_step.h"

#include <stdlib.h>
#include <string.h>

#include "plan.h"

// ---- passes -------------------------------------------------------------------------------------

static FieldSet common_fields(const GullyWorld* world) {
    FieldSet set = 0;
    for (int id = 0; id < COMMON_FIELDS; id++)
        set |= world->common[id] >= 0 ? FIELD_BIT(id) : 0;
    return set;
}

/// The fields of a law that exist in a world.
static FieldSet present_fields(const StepEntry* entry, const GullyWorld* world) {
    const FieldSet common = common_fields(world);
    FieldSet own = 0;
    for (int f = 0; f < entry->law->field_count; f++) {
        const bool is_stored = entry->slots[LAW_FIELDS + f] >= 0;
        if (entry->law->fields[f].scratch || is_stored) own |= FIELD_BIT(LAW_FIELDS + f);
    }
    const bool asks = entry->law->unused && entry->rows == entry->law;
    return (common | own) & ~(asks ? entry->law->unused(entry->known, common) : 0);
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
        step->passes[k] = (DevicePass){.pass = entry->pass,
                                       .law = entry->law,
                                       .rows = entry->rows,
                                       .consts = entry->known,
                                       .present = touched & present_fields(entry, world),
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

GullyStatus device_step_create(const StepEntry* entries, int count, const GullyWorld* world,
                               DeviceStep* out) {
    DeviceStep step = {0};
    GullyStatus status = list_passes(entries, count, world, &step);
    if (!status) status = kernels_plan(step.passes, count, &step.plan);
    if (!status) list_rest(entries, count, world, &step);
    if (!status) status = write_programs(&step);
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
    kernels_free(&step->plan);
    free(step->passes);
    free(step->sources);
    free(step->laws);
    *step = (DeviceStep){0};
}

bool device_step_is_built(const DeviceStep* step, Device* device) {
    for (int i = 0; i < step->source_count; i++) {
        if (!device_has_program(device, step->sources[i].bytes)) return false;
    }
    return true;
}

GullyStatus device_step_build(const DeviceStep* step, Device* device) {
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < step->source_count && !status; i++) {
        cl_program program;
        status = device_program(device, step->sources[i].bytes, &program);
    }
    return status;
}

const char* device_step_source(const DeviceStep* step, const Law* law) {
    for (int i = 0; i < step->source_count; i++) {
        if (step->laws[i] == law) return step->sources[i].bytes;
    }
    return NULL;
}
