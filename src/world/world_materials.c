// SPDX-License-Identifier: MIT
// What the ground is made of: materials, bottom to top.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "gully/world.h"
#include "lease.h"

#define ROW(...) GULLY_PARAM_ROW(GullyMaterial, __VA_ARGS__)
static const GullyParam material_rows[] = {GULLY_MATERIAL_PARAMS(ROW)};
#undef ROW
static const GullyParamTable material_table = {"materials", material_rows,
                                               (int)(sizeof material_rows / sizeof *material_rows),
                                               sizeof(GullyMaterial)};

const GullyParamTable* gully_material_table(void) {
    return &material_table;
}

GullyMaterial gully_material(const char* name, int index) {
    static const unsigned colors[GULLY_MAX_MATERIALS] = {0x7d776f, 0x8c6a4a, 0xd9c38a, 0xa0522d,
                                                         0x9a9a60, 0xb8a9a0, 0x5f6b73, 0xe8dcc0};
    GullyMaterial material;
    gully_params_default(&material_table, &material);
    snprintf(material.name, sizeof material.name, "%s", name);
    material.color = colors[index % GULLY_MAX_MATERIALS];
    return material;
}

static GullyStatus check_materials(const GullyWorld* world, const GullyMaterial* materials,
                                   int count) {
    if (count < 1 || count > GULLY_MAX_MATERIALS) {
        return gully_fail(GULLY_BAD_INPUT, "%d materials; allowed: 1 to %d", count,
                          GULLY_MAX_MATERIALS);
    }
    if (world->material_count && count != world->material_count) {
        return gully_fail(GULLY_BAD_INPUT, "%d materials; the world has %d, which cannot change",
                          count, world->material_count);
    }
    for (int i = 0; i < count; i++) {
        GullyStatus status = gully_params_check(&material_table, &materials[i]);
        if (status) return gully_fail_in(status, "material %s", materials[i].name);
    }
    return GULLY_OK;
}

GullyStatus gully_world_set_materials(GullyWorld* world, const GullyMaterial* materials,
                                      int count) {
    GullyStatus status = check_materials(world, materials, count);
    FieldSet layers = 0;
    for (int m = 0; m < count - 1; m++)
        layers |= FIELD_BIT(LAYER_1 + m) | FIELD_BIT(LAYER_LOW_1 + m);
    if (!status) status = world_add_common(world, layers);
    if (status) return status;
    world_will_change_all(world);
    memcpy(world->materials, materials, (size_t)count * sizeof *materials);
    world->material_count = count;
    world_touch_all(world);
    return GULLY_OK;
}

int gully_world_material_count(const GullyWorld* world) {
    return world->material_count;
}

const GullyMaterial* gully_world_material(const GullyWorld* world, int index) {
    assert(index >= 0 && index < world->material_count);
    return &world->materials[index];
}
