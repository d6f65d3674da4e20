// SPDX-License-Identifier: MIT
#include "reference_layers.h"

#include <math.h>

/// The stack: how many materials, at least one; the bedrock is number 0, sediment the last.
static int material_count(const Reference* ref) {
    return ref->def.material_count > 0 ? ref->def.material_count : 1;
}

static int sediment_material(const Reference* ref) {
    return material_count(ref) - 1;
}

/// The thickness of a material [m]; the bedrock has no end.
static double thickness(const Reference* ref, int material, int c) {
    return material > 0 ? ref->layer[material][c] : INFINITY;
}

/// The topmost material below `above` that is there at all.
static int top_below(const Reference* ref, int above, int c) {
    int material = above - 1;
    while (material > 0 && ref->layer[material][c] <= 0)
        material--;
    return material;
}

int reference_top(const Reference* ref, int c) {
    return top_below(ref, material_count(ref), c);
}

double reference_bedrock(const Reference* ref, int c) {
    double height = ref->b[c];
    for (int m = 1; m < material_count(ref); m++)
        height -= ref->layer[m][c];
    return height;
}

// ---- L1, L2: water ------------------------------------------------------------------------------

static double erodibility(const Reference* ref, int material) {
    return ref->def.material_count > 0 ? ref->def.materials[material].erodibility : 1;
}

/// The share of the erosion that the force of the water leaves (L2).
static double force(const Reference* ref, int material, int c) {
    if (ref->def.material_count == 0) return 1;
    double tau_c = ref->def.materials[material].critical_shear;
    double speed = hypot(ref->u[c], ref->v[c]);
    double tau = 1000 * ref->def.pipe.drag * speed * speed; // (L2)
    return tau > tau_c ? (tau - tau_c) / tau : 0;           // (L2)
}

static void take(Reference* ref, int material, int c, double amount) {
    ref->b[c] -= amount;
    if (material > 0) ref->layer[material][c] -= amount;
}

double reference_dig(Reference* ref, int c, double hunger) {
    int top = reference_top(ref, c);
    double ease = erodibility(ref, top) * force(ref, top, c);
    double rate = fmin(1, ref->def.dt * ref->def.pipe.dissolve * erodibility(ref, top));
    double demand = rate * hunger * force(ref, top, c); // (P7)
    double taken = 0;
    while (demand > thickness(ref, top, c)) { // (L1)
        double all = thickness(ref, top, c);
        take(ref, top, c, all);
        taken += all;
        top = top_below(ref, top, c);
        double next = erodibility(ref, top) * force(ref, top, c);
        demand = (demand - all) * next / ease;
        ease = next;
    }
    take(ref, top, c, demand);
    return taken + demand;
}

void reference_lay(Reference* ref, int c, double amount) {
    take(ref, sediment_material(ref), c, -amount);
}

// ---- T, L3: thermal -----------------------------------------------------------------------------

static double talus_tangent(const Reference* ref, int c) {
    const GullyThermalParams* p = &ref->def.thermal;
    double angle = p->talus;
    if (ref->def.material_count > 0) {
        double own = ref->def.materials[ref->top[c]].talus; // (L3)
        if (own >= 0) angle = own;
    }
    return tan(angle * acos(-1.0) / 180) + p->hardness_talus * (1 - ref->k[c]);
}

/// By how much a cell stands above its neighbour's talus line [m]; 0 if nothing slides there.
static double excess_over(const Reference* ref, int i, int j, int di, int dj) {
    bool diagonal = di != 0 && dj != 0;
    if ((di == 0 && dj == 0) || (diagonal && ref->def.thermal.neighbours == 0)) return 0;
    if (!reference_in_domain(ref, i, j) || !reference_in_domain(ref, i + di, j + dj)) return 0;
    int c = reference_at(ref, i, j);
    int n = reference_at(ref, i + di, j + dj);
    double D = hypot(di * ref->def.lx, dj * ref->def.ly);
    return fmax(0, ref->b[c] - ref->b[n] - D * talus_tangent(ref, c)); // (T1)
}

/// Height that leaves a cell, per largest excess. (T2), for cells of the size `grain`
static double slide_strength(const ReferenceDef* def) {
    double rate = def->thermal.rate, grain = def->thermal.grain;
    if (grain > 0) rate *= grain * grain / (def->lx * def->ly);
    return fmin(0.25, def->dt * rate) / 2;
}

static void find_slides(Reference* ref) {
    REFERENCE_CELLS(ref) {
        ref->top[c] = reference_top(ref, c);
        double largest = 0, sum = 0;
        for (int dj = -1; dj <= 1; dj++) {
            for (int di = -1; di <= 1; di++) {
                double ex = excess_over(ref, i, j, di, dj);
                largest = fmax(largest, ex);
                sum += ex;
            }
        }
        double m = slide_strength(&ref->def) * largest;          // (T2)
        ref->slide[c] = fmin(m, thickness(ref, ref->top[c], c)); // (T2)
        ref->excess[c] = sum;
    }
}

/// What comes to a cell from each of its neighbours, by the material that it is from then on.
static void gather(const Reference* ref, int i, int j, double in[GULLY_MAX_MATERIALS]) {
    for (int dj = -1; dj <= 1; dj++) {
        for (int di = -1; di <= 1; di++) {
            double ex = excess_over(ref, i + di, j + dj, -di, -dj);
            if (ex <= 0) continue;
            int n = reference_at(ref, i + di, j + dj);
            int material = ref->top[n] > 0 ? ref->top[n] : sediment_material(ref); // (L3)
            in[material] += ref->slide[n] * ex / ref->excess[n];                   // (T2)
        }
    }
}

void reference_thermal(Reference* ref) {
    find_slides(ref);
    REFERENCE_CELLS(ref) {
        double in[GULLY_MAX_MATERIALS] = {0};
        gather(ref, i, j, in);
        ref->b1[c] = ref->b[c] - ref->slide[c];
        for (int m = 0; m < material_count(ref); m++) {
            double out = m == ref->top[c] ? ref->slide[c] : 0;
            ref->b1[c] += in[m];                                           // (T3)
            if (m > 0) ref->layer1[m][c] = ref->layer[m][c] - out + in[m]; // (L3)
        }
    }
    REFERENCE_CELLS(ref) {
        for (int m = 1; m < material_count(ref); m++)
            ref->layer[m][c] = ref->layer1[m][c];
        ref->b[c] = ref->b1[c];
        ref->ledger.slid += ref->def.lx * ref->def.ly * ref->slide[c];
    }
}

double reference_reach(const Reference* ref) {
    const ReferenceDef* def = &ref->def;
    double rate = def->dt * def->pipe.dissolve;
    double most = 0;
    REFERENCE_CELLS(ref) {
        double share = fmin(1, rate * erodibility(ref, reference_top(ref, c)));
        double drop = hypot(def->lx, def->ly) * talus_tangent(ref, c);
        double slides = slide_strength(def) * drop;
        if (def->run_pipe) most = fmax(most, share * ref->capacity[c]);
        if (def->run_thermal) most = fmax(most, slides);
    }
    return most;
}
