/// Layered ground (MODELS L), for laws that know materials.
///
/// The ground is a stack of materials, bottom to top: bedrock without end, and layers of some
/// thickness [m]. Layers are fields of their own beside the ground, which stays the height of the
/// surface; the bedrock is what is under them.
///
///   (L1) water takes the topmost material that there is. What is more than its thickness goes on
///        into the next, times the ratio of the two erodibilities and forces. What settles becomes
///        the last material, on top.
///   (L2) force: tau = 1000 Cf |v|^2 [Pa] takes a material only where it is above its critical
///        shear tau_c, and (tau - tau_c) / tau of what it would take otherwise.
///   (L3) the topmost material slides, by its own talus angle, and stays what it is; bedrock falls
///        as the last material.
#ifndef LAYERS_H
#define LAYERS_H

#include <math.h>

#include "law.h"
#include "layers.cell.h"

/// What water needs to know of the materials.
typedef struct Materials {
    int count; // 0 = one material, without a name
    float erodibility[GULLY_MAX_MATERIALS];
    float critical2[GULLY_MAX_MATERIALS]; // square of the speed that takes it [m2/s2]
    float asked[GULLY_MAX_MATERIALS];     // min(1, dt Ks erodibility) / erodibility
} Materials;

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
        materials.asked[m] = easy > 0 ? (float)(fmin(1, info->dt * dissolve * easy) / easy) : 0;
    }
    return materials;
}

/// A layer in a row. The bedrock has none.
typedef struct LayerRow {
    float *thickness, *low; // [m], a pair
} LayerRow;

static inline LayerRow layer_row(const PassRow* row, int material) {
    return (LayerRow){row->out[LAYER_1 + material - 1], row->out[LAYER_LOW_1 + material - 1]};
}

/// Adds a row of numbers [m] to a layer, or takes them away.
static inline void layer_add(const PassRow* row, int material, const float* numbers, float sign) {
    if (material < 1) return;
    const LayerRow layer = layer_row(row, material);
    EACH_CELL(i, row) {
        Pair sum = pair_add_some(layer.thickness[i], layer.low[i], sign * numbers[i]);
        sum = pair_not_negative(sum);
        layer.thickness[i] = sum.value;
        layer.low[i] = sum.low;
    }
}

/// (L1) What settles becomes the last material.
static inline void layers_settle(const PassRow* row, int count, const float* settled) {
    layer_add(row, count - 1, settled, 1);
}

/// (L1), (L2) Takes from the layers what the water wants: `wanted` is k (C - s) of each cell [m],
/// <= 0 = nothing. Gives what was taken of all materials together; `demand` is memory.
static inline void layers_erode(const PassRow* row, const Materials* materials, const float* wanted,
                                const float* speed2, float* demand, float* taken) {
    EACH_CELL(i, row) {
        demand[i] = wanted[i] > 0.0f ? -1.0f : 0.0f;
        taken[i] = 0.0f;
    }
    for (int m = materials->count - 1; m >= 0; m--) {
        const float erodibility = materials->erodibility[m], asked = materials->asked[m];
        const float critical2 = materials->critical2[m];
        if (m == 0) {
            EACH_CELL(i, row) {
                Demand d = {demand[i], 0.0f};
                float ease = erodibility * layer_force(speed2[i], critical2);
                taken[i] += layer_take(d, INFINITY, asked * wanted[i], ease).taken;
            }
            return;
        }
        const LayerRow layer = layer_row(row, m);
        EACH_CELL(i, row) {
            Demand d = {demand[i], 0.0f};
            float ease = erodibility * layer_force(speed2[i], critical2);
            d = layer_take(d, layer.thickness[i], asked * wanted[i], ease);
            bool all = d.taken >= layer.thickness[i];
            Pair left = pair_add(layer.thickness[i], layer.low[i], -d.taken);
            layer.thickness[i] = all ? 0.0f : left.value;
            layer.low[i] = all ? 0.0f : left.low;
            demand[i] = d.demand;
            taken[i] += d.taken;
        }
    }
}

#endif
