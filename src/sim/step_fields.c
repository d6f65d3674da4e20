// SPDX-License-Identifier: MIT
/// The fields of a step: what its laws need of the world, and where they find it.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "lease.h"
#include "step_list.h"

FieldSet step_list_needs(const StepList* list, int index) {
    const BoundLaw* bound = &list->laws[index];
    const Law* law = bound->law;
    return law->needs ? law->needs(settings_values(list->settings, bound->section)) : 0;
}

/// Whether the settings do without a field of one of the laws.
static bool is_spare(const StepList* list, int index, int field) {
    return list->laws[index].law->fields[field].optional &&
           !(step_list_needs(list, index) & FIELD_BIT(LAW_FIELDS + field));
}

/// Empties a field that the settings do without, should the world have it: what it held is over
/// when it is needed again.
static GullyStatus empty_field(GullyWorld* world, const Law* law, int field) {
    char name[sizeof world->fields[0].name];
    snprintf(name, sizeof name, "%s.%s", law->name, law->fields[field].name);
    for (int slot = 0; slot < world->field_count; slot++) {
        if (strcmp(world->fields[slot].name, name) != 0) continue;
        world_will_change_all(world);
        return world_set_all(world, slot, 0);
    }
    return GULLY_OK;
}

static GullyStatus empty_spare_fields(const StepList* list, GullyWorld* world) {
    GullyStatus status = GULLY_OK;
    for (int i = MODEL; i < list->law_count; i++) {
        const Law* law = list->laws[i].law;
        for (int f = 0; f < law->field_count && !status; f++) {
            if (is_spare(list, i, f)) status = empty_field(world, law, f);
        }
    }
    return status;
}

/// The common fields that a step needs beyond those that are always there.
static FieldSet common_needs(const StepList* list, const StepListDef* def) {
    const GullySeasonParams* season = settings_values(list->settings, "rain.season");
    FieldSet needs = season->rate > 0 ? FIELD_BIT(RAIN_PATTERN) : 0;
    if (def->masks) needs |= FIELD_BIT(FLOW) | FIELD_BIT(WEAR) | FIELD_BIT(DEPOSIT);
    if (def->velocity) needs |= FIELD_BIT(VELOCITY_X) | FIELD_BIT(VELOCITY_Y);
    for (int i = MODEL; i < list->law_count; i++)
        needs |= step_list_needs(list, i);
    return needs & (FIELD_BIT(COMMON_FIELDS) - 1);
}

/// A law's own field in the world.
static FieldInfo own_field(const Law* law, int index, bool half) {
    const LawField* field = &law->fields[index];
    FieldInfo info = {.value = field->fresh,
                      .outside = field->outside,
                      .half = half && law_keeps_halves(field),
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
            if (is_spare(list, i, f)) continue;
            assert(count < MAX_FIELDS);
            own[count] = own_field(law, f, world->half);
            owners[count++] = &list->laws[i].slots[LAW_FIELDS + f];
        }
    }
    const FieldRequest request = {.common = common_needs(list, def),
                                  .own = own,
                                  .own_count = count,
                                  .slots = found,
                                  .packed = world->half && kind->has_windows};
    GullyStatus status = world_lay_out(world, &request);
    if (status) return status;
    for (int i = 0; i < count; i++)
        *owners[i] = found[i];
    step_list_bind(list, world);
    return empty_spare_fields(list, world);
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
    world_will_change_all(world);
    for (int n = 0; n < list->law_count; n++) {
        const Law* law = list->laws[n].law;
        for (int f = 0; f < law->field_count && !status; f++) {
            const int slot = list->laws[n].slots[LAW_FIELDS + f];
            if (law->fields[f].per_step && slot >= 0) status = scale_field(world, slot, ratio);
        }
    }
    return status;
}
