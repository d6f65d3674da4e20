/// The fields of a step: what its laws need of the world, and where they find it.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "lease.h"
#include "step_list.h"

/// The common fields that a step needs beyond those that are always there.
static FieldSet common_needs(const StepList* list, const StepListDef* def) {
    const GullySeasonParams* season = settings_values(list->settings, "rain.season");
    FieldSet needs = season->rate > 0 ? FIELD_BIT(RAIN_PATTERN) : 0;
    if (def->masks) needs |= FIELD_BIT(FLOW) | FIELD_BIT(WEAR) | FIELD_BIT(DEPOSIT);
    if (def->velocity) needs |= FIELD_BIT(VELOCITY_X) | FIELD_BIT(VELOCITY_Y);
    for (int i = MODEL; i < list->law_count; i++) {
        const BoundLaw* bound = &list->laws[i];
        if (bound->law->needs)
            needs |= bound->law->needs(settings_values(list->settings, bound->section));
    }
    return needs;
}

/// A law's own field in the world.
static FieldInfo own_field(const Law* law, int index, bool half) {
    const LawField* field = &law->fields[index];
    FieldInfo info = {.value = field->fresh,
                      .outside = field->outside,
                      .half = half && !field->scratch && !field->full,
                      .suspended = field->suspended};
    snprintf(info.name, sizeof info.name, "%s.%s", law->name, field->name);
    return info;
}

GullyStatus step_list_lay_out(StepList* list, const StepListDef* def, const StepperKind* kind,
                              GullyWorld* world) {
    FieldInfo own[MAX_FIELDS];
    int found[MAX_FIELDS], *owners[MAX_FIELDS], count = 0;
    for (int i = 0; i < list->law_count; i++) {
        const Law* law = list->laws[i].law;
        for (int id = LAW_FIELDS; id < FIELD_IDS; id++)
            list->laws[i].slots[id] = -1;
        for (int f = 0; f < law->field_count; f++) {
            if (kind->keeps_scratch && law->fields[f].scratch) continue;
            assert(count < MAX_FIELDS);
            own[count] = own_field(law, f, world->half);
            owners[count++] = &list->laws[i].slots[LAW_FIELDS + f];
        }
    }
    const FieldRequest request = {.common = common_needs(list, def),
                                  .own = own,
                                  .own_count = count,
                                  .slots = found,
                                  .packed = world->half && kind->reads_fp16};
    GullyStatus status = world_lay_out(world, &request);
    if (status) return status;
    for (int i = 0; i < count; i++)
        *owners[i] = found[i];
    step_list_bind(list, world);
    return GULLY_OK;
}

void step_list_bind(StepList* list, const GullyWorld* world) {
    for (int i = 0; i < list->law_count; i++)
        memcpy(list->laws[i].slots, world->common, sizeof world->common);
}

static GullyStatus scale_field(GullyWorld* world, int slot, double ratio) {
    Runs runs;
    runs_begin(&runs, world, gully_world_all(world), &slot, 1, ACCESS_READ_WRITE);
    while (runs_next(&runs)) {
        for (int i = 0; i < runs.count; i++)
            runs.cells[0][i] = (float)((double)runs.cells[0][i] * ratio);
    }
    return runs_end(&runs);
}

GullyStatus step_list_scale(const StepList* list, GullyWorld* world, double ratio) {
    GullyStatus status = GULLY_OK;
    world_will_change(world);
    for (int n = 0; n < list->law_count; n++) {
        const Law* law = list->laws[n].law;
        for (int f = 0; f < law->field_count && !status; f++) {
            if (law->fields[f].per_step)
                status = scale_field(world, list->laws[n].slots[LAW_FIELDS + f], ratio);
        }
    }
    return status;
}
