// SPDX-License-Identifier: MIT
/// Layered ground (layers.rows.h), the host's part: the constants of the materials.
#ifndef LAYERS_H
#define LAYERS_H

#include <math.h>

#include "law.h"
#include "layers.rows.h"

_Static_assert((int)MAX_MATERIALS == (int)GULLY_MAX_MATERIALS, "a layer for each but the first");

static inline Materials materials_of(const StepInfo* info, double dissolve, double drag) {
    const double water_density = 1000; // [kg/m3]
    Materials materials = {.count = info->material_count};
    for (int m = 0; m < info->material_count; m++) {
        const GullyMaterial* material = &info->materials[m];
        double force = water_density * drag, shear = material->critical_shear;
        double critical2 = force > 0 ? shear / force : INFINITY; // without drag there is no force
        double easy = material->erodibility;
        materials.erodibility[m] = (float)easy;
        materials.critical2[m] = (float)critical2;
        double taken = fmin(1, finest_dt(info) * dissolve * easy); // in a finest step
        materials.asked[m] = easy > 0 ? (float)(composed_share(info, taken) / easy) : 0;
    }
    return materials;
}

#endif
