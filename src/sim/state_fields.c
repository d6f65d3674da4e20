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
            *known = (KnownField){-1, {.outside = law->fields[f].outside}};
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

size_t state_number(const GullyWorld* world, int slot) {
    return is_narrow(world, slot) ? sizeof(Half) : sizeof(float);
}

static int by_name(const void* a, const void* b) {
    return strcmp(((const StateField*)a)->name, ((const StateField*)b)->name);
}

void state_fields_of(const GullyWorld* world, StateFields* out) {
    out->count = 0;
    for (int slot = 0; slot < world->field_count; slot++) {
        if (!state_fields_know(world->fields[slot].name)) continue;
        StateField* field = &out->list[out->count++];
        *field = (StateField){.number = (int)state_number(world, slot)};
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
            own[own_count++].half = world->half;
        }
    }
    GullyStatus status = world_add_common(world, common);
    return status ? status : world_add_fields(world, own, own_count, slots);
}

void state_fields_reset_others(const StateFields* fields, GullyWorld* world) {
    for (int slot = 0; slot < world->field_count; slot++) {
        const FieldInfo* field = &world->fields[slot];
        if (state_fields_have(fields, field->name) || !state_fields_know(field->name)) continue;
        for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
            const Tile* tile = &world->tiles[i];
            for (int y = 0; y < tile->height; y++) {
                for (int x = 0; x < tile->width; x++)
                    tile_set(world, tile, slot, y, x, field->value);
            }
        }
    }
}

// ---- cells --------------------------------------------------------------------------------------

StateSpan state_span(const GullyWorld* world, int x, int y, int most) {
    StateSpan span = {.tile = tile_of_cell(world, x, y)};
    span.row = y - span.tile->y;
    span.x = x - span.tile->x;
    span.count = span.tile->width - span.x < most ? span.tile->width - span.x : most;
    return span;
}

void state_read_span(const GullyWorld* world, const StateSpan* span, int slot, void* out) {
    const void* from = is_narrow(world, slot)
                           ? (void*)(tile_half_row(world, span->tile, slot, span->row) + span->x)
                           : (void*)(tile_row(world, span->tile, slot, span->row) + span->x);
    memcpy(out, from, (size_t)span->count * state_number(world, slot));
}

void state_write_span(GullyWorld* world, const StateSpan* span, int slot, const void* in,
                      size_t number) {
    const bool narrow = is_narrow(world, slot);
    const size_t bytes = (size_t)span->count * number;
    if (narrow && number == sizeof(Half)) {
        memcpy(tile_half_row(world, span->tile, slot, span->row) + span->x, in, bytes);
    } else if (!narrow && number == sizeof(float)) {
        memcpy(tile_row(world, span->tile, slot, span->row) + span->x, in, bytes);
    } else {
        for (int i = 0; i < span->count; i++) {
            Half half;
            float value;
            memcpy(&half, (const char*)in + (size_t)i * number, sizeof half);
            memcpy(&value, (const char*)in + (size_t)i * number, number);
            if (number == sizeof(Half)) value = half_unpack(half);
            tile_set(world, span->tile, slot, span->row, span->x + i, value);
        }
    }
}

void state_find_holes(GullyWorld* world) {
    world->has_holes = false;
    for (int i = 0; i < world->tiles_x * world->tiles_y; i++) {
        const Tile* tile = &world->tiles[i];
        for (int y = 0; y < tile->height; y++) {
            const float* ground = tile_row(world, tile, world->common[GROUND], y);
            tile->holes[y] = false;
            for (int x = 0; x < tile->width && !tile->holes[y]; x++)
                tile->holes[y] = !(ground[x] <= GROUND_MAX);
            world->has_holes = world->has_holes || tile->holes[y];
        }
    }
}
