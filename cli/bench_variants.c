// SPDX-License-Identifier: MIT
#include "bench_variants.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rain = 1e-3;    // [m/s]
static const double cell_size = 10; // [m]

static void add_variant(VariantList* list, Variant variant) {
    assert(list->count < MOST_VARIANTS);
    list->rows[list->count++] = variant;
}

/// Whether a value of a choice is a bare number in a law that has choices with names: it then says
/// nothing by itself.
static bool is_bare(const GullyLawInfo* law, const char* value) {
    bool named = false;
    for (int i = 0; i < law->params->count; i++) {
        const GullyParam* row = &law->params->rows[i];
        char other[32];
        if (row->kind != GULLY_KIND_choice) continue;
        gully_param_text(row, row->fallback, other, sizeof other);
        named |= !isdigit((unsigned char)*other);
    }
    return named && isdigit((unsigned char)*value);
}

/// The name of a law at its defaults: what its choices are set to ("flux"), or "default".
static void default_name(const GullyLawInfo* law, char* buffer, size_t size) {
    size_t used = 0;
    snprintf(buffer, size, "default");
    for (int i = 0; i < law->params->count; i++) {
        const GullyParam* row = &law->params->rows[i];
        char value[32];
        if (row->kind != GULLY_KIND_choice || used >= size) continue;
        gully_param_text(row, row->fallback, value, sizeof value);
        if (is_bare(law, value)) continue;
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? "," : "", value);
    }
}

/// Adds a variant for each value of a choice that is not its default.
static void add_choices(VariantList* list, const GullyLawInfo* law) {
    for (int i = 0; i < law->params->count; i++) {
        const GullyParam* row = &law->params->rows[i];
        if (row->kind != GULLY_KIND_choice) continue;
        for (double value = row->low; value <= row->high; value++) {
            if (value == row->fallback) continue;
            Variant variant = {.law = law, .choice = row};
            gully_param_text(row, value, variant.value, sizeof variant.value);
            const bool bare = is_bare(law, variant.value);
            snprintf(variant.name, sizeof variant.name, "%s%s%s", bare ? row->name : "",
                     bare ? "=" : "", variant.value);
            add_variant(list, variant);
        }
    }
}

static void add_named(VariantList* list, Variant variant, const char* what) {
    char name[48];
    default_name(variant.law, name, sizeof name);
    snprintf(variant.name, sizeof variant.name, "%s%s", name, what);
    add_variant(list, variant);
}

VariantList variants_of(const GullyLawInfo* law) {
    VariantList list = {0};
    add_named(&list, (Variant){.law = law}, "");
    add_choices(&list, law);
    add_named(&list, (Variant){.law = law, .masks = true}, "+masks");
    if (law->layers) add_named(&list, (Variant){.law = law, .layers = true}, "+layers");
    if (law->add_on) return list;
    add_named(&list, (Variant){.law = law, .masks = true, .all = true}, "+all");
    add_named(&list, (Variant){.law = law, .half = true}, "+half");
    add_named(&list, (Variant){.law = law, .pond = true}, "+pond");
    return list;
}

// ---- trials -------------------------------------------------------------------------------------

/// Switches on every add-on that works in the rain, with its defaults, and hardness that changes,
/// if the law knows it.
static GullyStatus switch_all_on(const GullyLawInfo* law, GullySettings* settings) {
    GullyStatus status = GULLY_OK;
    for (int i = 0; i < gully_law_count() && status == GULLY_OK; i++) {
        const GullyLawInfo* other = gully_law_info(i);
        if (other->add_on && !other->dry_only)
            status = gully_settings_switch(settings, other->name, true);
    }
    for (int i = 0; i < law->params->count && status == GULLY_OK; i++) {
        if (strcmp(law->params->rows[i].name, "softening") == 0)
            status = gully_settings_set_number(settings, "params.softening", 1);
    }
    return status;
}

/// Opens all sides for a law that routes water, since nothing drains without an outlet, and spares
/// it the routing before the first step.
static GullyStatus let_drain(const GullyLawInfo* law, GullySettings* settings) {
    static const char* const sides[] = {"boundary.west", "boundary.east", "boundary.north",
                                        "boundary.south"};
    if (!gully_params_find(law->params, "route")) return GULLY_OK;
    GullyStatus status = gully_settings_set_number(settings, "params.route", 0);
    for (int i = 0; i < 4 && status == GULLY_OK; i++)
        status = gully_settings_set_text(settings, sides[i], "open");
    return status;
}

static GullyStatus make_settings(const Variant* variant, GullySettings** out) {
    GullyStatus status = gully_settings_create(variant->law->name, out);
    if (status != GULLY_OK) return status;
    const bool dry = variant->pond || variant->law->dry_only;
    status = gully_settings_set_number(*out, "rain.rate", dry ? 0 : rain);
    if (status == GULLY_OK) status = let_drain(variant->law, *out);
    if (status == GULLY_OK && variant->all) status = switch_all_on(variant->law, *out);
    if (status == GULLY_OK && variant->choice) {
        char key[64];
        snprintf(key, sizeof key, "params.%s", variant->choice->name);
        status = gully_settings_set_text(*out, key, variant->value);
    }
    if (status == GULLY_OK) return GULLY_OK;
    gully_settings_destroy(*out);
    *out = NULL;
    return status;
}

/// Digs a row of the pit, and fills it with water that has waves.
static GullyStatus dig_row(GullyWorld* world, int from, int side, int y) {
    enum { PIECE = 256 };
    float ground[PIECE], water[PIECE];
    GullyStatus status = GULLY_OK;
    for (int begin = 0; begin < side && status == GULLY_OK; begin += PIECE) {
        const int count = side - begin < PIECE ? side - begin : PIECE;
        const GullyRect rect = {from + begin, y, count, 1};
        for (int i = 0; i < count; i++) {
            ground[i] = 50;
            water[i] = 10 + 2 * sinf(0.1f * (float)(begin + i)) * cosf(0.13f * (float)y);
        }
        status = gully_world_write(world, GULLY_TERRAIN, rect, ground);
        if (status == GULLY_OK) status = gully_world_write(world, GULLY_WATER, rect, water);
    }
    return status;
}

/// Digs a square pit of a tenth of the side into flat ground, with waves on the water in it, and
/// dries all else, where a law may have put water at the start.
static GullyStatus dig_pond(GullyWorld* world, int size) {
    const int side = size / 10, from = (size - side) / 2;
    GullyStatus status = gully_world_fill(world, GULLY_TERRAIN, 100);
    if (status == GULLY_OK) status = gully_world_fill(world, GULLY_WATER, 0);
    for (int y = from; y < from + side && status == GULLY_OK; y++)
        status = dig_row(world, from, side, y);
    return status;
}

/// Lays half a metre of soil on rock; or of sand, for a law of dry land.
static GullyStatus lay_soil(GullyWorld* world, bool sand) {
    GullyMaterial materials[] = {gully_material("rock", 0), gully_material("soil", 1),
                                 gully_material("sand", 2)};
    materials[0].erodibility = 0.2;
    materials[0].critical_shear = 5;
    GullyStatus status = gully_world_set_materials(world, materials, 3);
    return status == GULLY_OK ? gully_world_fill(world, GULLY_LAYER(sand ? 2 : 1), 0.5f) : status;
}

GullyStatus trial_heights(int size, float** heights) {
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = params.height = size;
    *heights = malloc(sizeof(float) * (size_t)size * (size_t)size);
    if (!*heights) return gully_fail(GULLY_NO_MEMORY, "bench: no memory for %d x %d", size, size);
    return gully_generate("mountains", &params, *heights);
}

GullyStatus trial_open(Trial* trial, const TrialDef* def) {
    const Variant* variant = def->variant;
    *trial = (Trial){0};
    GullyWorldDef world_def = gully_world_def(def->size, def->size);
    world_def.cell_x = world_def.cell_y = cell_size;
    world_def.heights = variant->pond ? NULL : def->heights;
    world_def.half = variant->half;
    world_def.memory = def->memory;
    GullySimDef sim_def = gully_sim_def();
    sim_def.threads = def->threads;
    sim_def.masks = variant->masks;
    sim_def.plain = def->plain;
    GullyStatus status = gully_world_create(&world_def, &trial->world);
    if (status == GULLY_OK && variant->layers)
        status = lay_soil(trial->world, variant->law->dry_only);
    if (status == GULLY_OK) status = make_settings(variant, &trial->settings);
    if (status == GULLY_OK)
        status = gully_sim_create(trial->world, trial->settings, &sim_def, &trial->sim);
    if (status == GULLY_OK && variant->pond) status = dig_pond(trial->world, def->size);
    return status;
}

void trial_close(Trial* trial) {
    gully_sim_destroy(trial->sim);
    gully_settings_destroy(trial->settings);
    gully_world_destroy(trial->world);
    *trial = (Trial){0};
}
