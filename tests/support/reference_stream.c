// SPDX-License-Identifier: MIT
#include "reference_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference_layers.h"

/// One of the eight neighbours of a cell that is in the domain.
typedef struct Neighbour {
    int cell;
    double distance; // D_n [m]
    bool corner;
} Neighbour;

static double area_of(const Reference* grid) {
    return grid->def.lx * grid->def.ly;
}

static int neighbours_of(const Reference* grid, int i, int j, Neighbour out[8]) {
    int count = 0;
    for (int dj = -1; dj <= 1; dj++) {
        for (int di = -1; di <= 1; di++) {
            if ((di == 0 && dj == 0) || !reference_in_domain(grid, i + di, j + dj)) continue;
            out[count++] =
                (Neighbour){reference_at(grid, i + di, j + dj),
                            hypot(di * grid->def.lx, dj * grid->def.ly), di != 0 && dj != 0};
        }
    }
    return count;
}

/// Whether a cell lies at an open side.
static bool is_base(const Reference* grid, int i, int j) {
    const ReferenceDef* def = &grid->def;
    return (i == 0 && def->boundary.west == 1) || (j == 0 && def->boundary.north == 1) ||
           (i == def->width - 1 && def->boundary.east == 1) ||
           (j == def->height - 1 && def->boundary.south == 1);
}

// ---- U0 to U2 -----------------------------------------------------------------------------------

static void find_levels(ReferenceStream* ref) {
    Reference* g = ref->grid;
    REFERENCE_CELLS(g) {
        Neighbour n[8];
        double spill = INFINITY;
        int count = neighbours_of(g, i, j, n);
        for (int k = 0; k < count; k++)
            spill = fmin(spill, ref->w[n[k].cell] + ref->params.tilt * n[k].distance); // (U0)
        ref->w1[c] = is_base(g, i, j) ? g->b[c] : fmax(g->b[c], spill);                // (U0)
    }
    memcpy(ref->w, ref->w1, (size_t)(g->def.width * g->def.height) * sizeof *ref->w);
}

/// s_n of (U1)
static double slope(const ReferenceStream* ref, int from, const Neighbour* to) {
    return pow(fmax(0, (ref->w[from] - ref->w[to->cell]) / to->distance), ref->params.spread);
}

static void find_sums(ReferenceStream* ref) {
    Reference* g = ref->grid;
    REFERENCE_CELLS(g) {
        Neighbour n[8];
        int count = neighbours_of(g, i, j, n);
        ref->N[c] = 0;
        for (int k = 0; k < count; k++)
            ref->N[c] += slope(ref, c, &n[k]); // (U1)
    }
}

/// Hands a field on to the receivers; what is at an open side leaves.
static void hand_on(const ReferenceStream* ref, const double* from, double* to) {
    const Reference* g = ref->grid;
    REFERENCE_CELLS(g) {
        Neighbour n[8];
        int count = ref->N[c] > 0 && !is_base(g, i, j) ? neighbours_of(g, i, j, n) : 0;
        for (int k = 0; k < count; k++)
            to[n[k].cell] += from[c] * slope(ref, c, &n[k]) / ref->N[c]; // (U2), (U5)
    }
}

static void find_areas(ReferenceStream* ref) {
    Reference* g = ref->grid;
    REFERENCE_CELLS(g) {
        ref->A1[c] = area_of(g) * ref->params.rain; // (U2)
    }
    hand_on(ref, ref->A, ref->A1);
    memcpy(ref->A, ref->A1, (size_t)(g->def.width * g->def.height) * sizeof *ref->A);
}

static void route(ReferenceStream* ref) {
    find_levels(ref);
    find_sums(ref);
    find_areas(ref);
}

// ---- U3 to U5 -----------------------------------------------------------------------------------

static double ease_of(const Reference* g, int material) {
    return g->def.material_count > 0 ? g->def.materials[material].erodibility : 1;
}

/// A" of (U3) [m2]
static double wearing_area(const ReferenceStream* ref, int c) {
    const double A = ref->A[c], head = ref->params.head, grain = ref->params.grain;
    return head > 0 ? A * (A + head * grain * grain / area_of(ref->grid)) / (A + head) : A;
}

/// What the implicit step takes from a cell of one material [m].
static double taken_from(const ReferenceStream* ref, int i, int j) {
    const Reference* g = ref->grid;
    const GullyStreamParams* p = &ref->params;
    int c = reference_at(g, i, j);
    double K = p->erodibility * g->k[c] * ease_of(g, reference_top(g, c));
    double above = g->b[c] + g->def.dt * p->uplift, below = 1;
    Neighbour n[8];
    int count = neighbours_of(g, i, j, n);
    for (int k = 0; k < count; k++) {
        if (ref->w[n[k].cell] >= ref->w[c] || g->b[n[k].cell] >= g->b[c]) continue;
        double F = g->def.dt * K * pow(wearing_area(ref, c), p->area_exponent) *
                   (slope(ref, c, &n[k]) / ref->N[c]) / n[k].distance; // (U3)
        above += F * g->b[n[k].cell];
        below += F;
    }
    return g->b[c] + g->def.dt * p->uplift - above / below; // (U3)
}

/// (L1) The same where a layer may not last: takes it away and returns how much it was [m].
static double dig(ReferenceStream* ref, int c, double wanted) {
    Reference* g = ref->grid;
    double taken = 0;
    int material = reference_top(g, c);
    while (material > 0 && wanted > g->layer[material][c]) {
        double had = g->layer[material][c], ease = ease_of(g, material);
        taken += had;
        g->layer[material][c] = 0;
        material = reference_top(g, c);
        wanted = (wanted - had) * ease_of(g, material) / ease; // (L1)
    }
    if (material > 0) g->layer[material][c] -= wanted;
    return taken + wanted;
}

/// (U4)
static double creep_at(const ReferenceStream* ref, int i, int j) {
    const Reference* g = ref->grid;
    int c = reference_at(g, i, j);
    double L = 0;
    Neighbour n[8];
    int count = neighbours_of(g, i, j, n);
    for (int k = 0; k < count; k++)
        L += (g->b[n[k].cell] - g->b[c]) * (n[k].corner ? 1.0 / 6 : 2.0 / 3);
    return fmin(g->def.dt * ref->params.creep / area_of(g), 0.2) * L;
}

/// What creeps away comes from the top of the stack, what creeps in is sediment.
static void creep_layers(Reference* g, int c, double crept) {
    if (crept > 0 && g->def.material_count > 1) g->layer[g->def.material_count - 1][c] += crept;
    double lost = fmax(0, -crept);
    for (int m = g->def.material_count - 1; m > 0; m--) {
        double of_it = fmin(lost, g->layer[m][c]);
        g->layer[m][c] -= of_it;
        lost -= of_it;
    }
}

/// (U5) What is laid down of the sediment of a cell [m].
static double laid_at(const ReferenceStream* ref, int c) {
    const Reference* g = ref->grid;
    double q = ref->q1[c], laid = 0;
    if (ref->N[c] <= 0) return q;
    if (ref->params.deposition > 0)
        laid = fmin(q, ref->params.deposition * q * area_of(g) / ref->A[c]);
    if (ref->w[c] > g->b[c]) laid = fmin(ref->params.trap ? q : laid, ref->w[c] - g->b[c]);
    return laid;
}

static void erode_cell(ReferenceStream* ref, int i, int j) {
    Reference* g = ref->grid;
    int c = reference_at(g, i, j);
    double crept = creep_at(ref, i, j), uplift = g->def.dt * ref->params.uplift;
    if (is_base(g, i, j)) {
        g->ledger.solid_left += area_of(g) * (ref->q1[c] + g->s[c] + crept);
        ref->q1[c] = 0;
        ref->b1[c] = g->b[c];
        return;
    }
    if (ref->N[c] <= 0) ref->q1[c] += g->s[c]; // nobody took it
    double taken = dig(ref, c, taken_from(ref, i, j));
    ref->q1[c] += taken; // (U5)
    double laid = laid_at(ref, c);
    creep_layers(g, c, crept);
    if (g->def.material_count > 1) g->layer[g->def.material_count - 1][c] += laid;
    ref->q1[c] -= laid;
    ref->b1[c] = g->b[c] + uplift - taken + crept + laid;
    ref->uplifted += area_of(g) * uplift;
    reference_count_wear(g, c, taken);
    reference_count_deposit(g, c, laid);
}

static void erode(ReferenceStream* ref) {
    Reference* g = ref->grid;
    const double year = 365.25 * 24 * 3600;
    size_t size = (size_t)(g->def.width * g->def.height) * sizeof *ref->q1;
    memset(ref->q1, 0, size);
    hand_on(ref, g->s, ref->q1);
    REFERENCE_CELLS(g) {
        erode_cell(ref, i, j);
        ref->discharge[c] += ref->A[c] / sqrt(area_of(g)) / year;
    }
    memcpy(g->b, ref->b1, size);
    memcpy(g->s, ref->q1, size);
}

// ---- the object ---------------------------------------------------------------------------------

/// (U0) at the start, and then `route`.
static void begin(ReferenceStream* ref) {
    Reference* g = ref->grid;
    int longer = g->def.width > g->def.height ? g->def.width : g->def.height;
    int rounds = ref->params.route < 0 ? 2 * longer : ref->params.route;
    double highest = -INFINITY;
    REFERENCE_CELLS(g) {
        highest = fmax(highest, g->b[c]);
    }
    REFERENCE_CELLS(g) {
        ref->w[c] = 2 * highest;
    }
    for (int n = 0; n < rounds; n++)
        route(ref);
}

ReferenceStream* reference_stream_create(const ReferenceDef* def, const GullyStreamParams* params) {
    ReferenceStream* ref = calloc(1, sizeof *ref);
    if (!ref) abort();
    ref->grid = reference_create(def);
    ref->params = *params;
    double** fields[] = {&ref->w,  &ref->A,  &ref->w1, &ref->A1,
                         &ref->q1, &ref->b1, &ref->N,  &ref->discharge};
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        *fields[n] = reference_field(ref->grid);
    begin(ref);
    return ref;
}

void reference_stream_destroy(ReferenceStream* ref) {
    if (!ref) return;
    double* fields[] = {ref->w, ref->A, ref->w1, ref->A1, ref->q1, ref->b1, ref->N, ref->discharge};
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        free(fields[n]);
    reference_destroy(ref->grid);
    free(ref);
}

void reference_stream_step(ReferenceStream* ref, int steps) {
    Reference* g = ref->grid;
    for (int step = 0; step < steps; step++) {
        reference_supply(g);
        memcpy(g->d, g->d1, (size_t)(g->def.width * g->def.height) * sizeof *g->d);
        route(ref);
        erode(ref);
        if (g->def.run_thermal) reference_thermal(g);
        g->steps++;
    }
}
