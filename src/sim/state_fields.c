// SPDX-License-Identifier: MIT
#include "state_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law.h"

/// A field that a state may have: what every law knows, or what a law keeps for itself.
typedef struct KnownField {
    int common; // -1: a law's own
    FieldInfo info;
} KnownField;

/// Finds what a field's name means; false for one that no state has: scratch, the pattern of rain,
/// which follows from the settings, and what nobody knows.
static bool find_known(const char* name, KnownField* known) {
    static const char* const common_names[COMMON_FIELDS] = {
#define FIELD(id, text, value) [id] = text,
        COMMON_FIELD_TABLE(FIELD)
#undef FIELD
    };
    for (int id = 0; id < COMMON_FIELDS; id++) {
        *known = (KnownField){.common = id};
        if (strcmp(common_names[id], name) == 0) return id != RAIN_PATTERN;
    }
    for (int i = 0; i < law_count(); i++) {
        const Law* law = law_at(i);
        for (int f = 0; f < law->field_count; f++) {
            *known = (KnownField){-1,
                                  {.value = law->fields[f].fresh,
                                   .outside = law->fields[f].outside,
                                   .half = law_keeps_halves(&law->fields[f]),
                                   .suspended = law->fields[f].suspended}};
            snprintf(known->info.name, sizeof known->info.name, "%s.%s", law->name,
                     law->fields[f].name);
            if (strcmp(known->info.name, name) == 0) return !law->fields[f].scratch;
        }
    }
    return false;
}

bool state_fields_know(const char* name) {
    KnownField known;
    return find_known(name, &known);
}

bool state_fields_have(const StateFields* fields, const char* name) {
    for (int i = 0; i < fields->count; i++) {
        if (strcmp(fields->list[i].name, name) == 0) return true;
    }
    return false;
}

int state_slot(const GullyWorld* world, const char* name) {
    for (int slot = 0; slot < world->field_count; slot++) {
        if (strcmp(world->fields[slot].name, name) == 0) return slot;
    }
    return -1;
}

static int by_name(const void* a, const void* b) {
    return strcmp(((const StateField*)a)->name, ((const StateField*)b)->name);
}

void state_fields_of(const GullyWorld* world, StateFields* out) {
    out->count = 0;
    for (int slot = 0; slot < world->field_count; slot++) {
        if (!state_fields_know(world->fields[slot].name)) continue;
        StateField* field = &out->list[out->count++];
        *field = (StateField){.number = (int)world_number(world, slot)};
        snprintf(field->name, sizeof field->name, "%s", world->fields[slot].name);
    }
    qsort(out->list, (size_t)out->count, sizeof *out->list, by_name);
}

GullyStatus state_fields_add(const StateFields* fields, GullyWorld* world) {
    FieldSet common = 0;
    FieldInfo own[MAX_FIELDS];
    int own_count = 0, slots[MAX_FIELDS];
    for (int i = 0; i < fields->count; i++) {
        KnownField known;
        find_known(fields->list[i].name, &known);
        if (known.common >= 0) {
            common |= FIELD_BIT(known.common);
        } else {
            own[own_count] = known.info;
            own[own_count++].half &= world->half;
        }
    }
    GullyStatus status = world_add_common(world, common);
    return status ? status : world_add_fields(world, own, own_count, slots);
}

GullyStatus state_fields_reset_others(const StateFields* fields, GullyWorld* world) {
    GullyStatus status = GULLY_OK;
    for (int slot = 0; slot < world->field_count && !status; slot++) {
        const FieldInfo* field = &world->fields[slot];
        if (state_fields_have(fields, field->name) || !state_fields_know(field->name)) continue;
        status = world_set_all(world, slot, field->value);
    }
    return status;
}
