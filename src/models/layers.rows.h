// SPDX-License-Identifier: MIT
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
#ifndef LAYERS_ROWS_H
#define LAYERS_ROWS_H

#include "layers.cell.h"
#include "row.h"

enum { MAX_MATERIALS = MAX_LAYERS + 1 };

/// What water needs to know of the materials.
CELL_STRUCT(Materials) {
    int count; // 0 = one material, without a name
    float erodibility[MAX_MATERIALS];
    float critical2[MAX_MATERIALS]; // square of the speed that takes it [m2/s2]
    float asked[MAX_MATERIALS];     // min(1, dt Ks erodibility) / erodibility
};

/// A layer in a row. The bedrock has none.
typedef struct LayerRow {
    float *thickness, *low; // [m], a pair
} LayerRow;

INLINE LayerRow layer_row(const PassRow* row, int material) {
    const LayerRow layer = {row->out[LAYER_1 + material - 1], row->out[LAYER_LOW_1 + material - 1]};
    return layer;
}

/// Adds a row of numbers [m] to a layer; `direction` -1 takes them away.
INLINE void layer_add(const PassRow* row, int material, const float* numbers, float direction) {
    if (material < 1) return;
    const LayerRow layer = layer_row(row, material);
    EACH_CELL(i, row) {
        Pair sum = pair_add_some(layer.thickness[i], layer.low[i], direction * numbers[i]);
        sum = pair_not_negative(sum);
        layer.thickness[i] = sum.value;
        layer.low[i] = sum.low;
    }
}

/// (L1) What settles becomes the last material.
INLINE void layers_settle(const PassRow* row, int count, const float* settled) {
    layer_add(row, count - 1, settled, 1);
}

/// (L1), (L2) Takes from the `count` layers what the water wants: `wanted` is k (C - s) of each
/// cell [m], <= 0 = nothing. Gives what was taken of all materials together; `demand` is memory.
INLINE void layers_erode(const PassRow* row, const SHARED Materials* materials, int count,
                         const float* wanted, const float* speed2, float* demand, float* taken) {
    EACH_CELL(i, row) {
        demand[i] = wanted[i] > 0.0f ? -1.0f : 0.0f;
        taken[i] = 0.0f;
    }
    FIELD_LOOP for (int m = count - 1; m >= 0; m--) {
        const float erodibility = materials->erodibility[m], asked = materials->asked[m];
        const float critical2 = materials->critical2[m];
        if (m == 0) {
            EACH_CELL(i, row) {
                Demand d = layer_demand(demand[i]);
                float ease = erodibility * layer_force(speed2[i], critical2);
                taken[i] += layer_take(d, INFINITY, asked * wanted[i], ease).taken;
            }
            return;
        }
        const LayerRow layer = layer_row(row, m);
        EACH_CELL(i, row) {
            Demand d = layer_demand(demand[i]);
            float ease = erodibility * layer_force(speed2[i], critical2);
            d = layer_take(d, layer.thickness[i], asked * wanted[i], ease);
            bool gone = d.taken >= layer.thickness[i];
            Pair left = pair_add(layer.thickness[i], layer.low[i], -d.taken);
            layer.thickness[i] = gone ? 0.0f : left.value;
            layer.low[i] = gone ? 0.0f : left.low;
            demand[i] = d.demand;
            taken[i] += d.taken;
        }
    }
}

#endif
