// SPDX-License-Identifier: MIT
#include "reference_newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference_layers.h"

enum { MOVE_ALL, MOVE_LEVEL };

static int count_of(const Reference* grid) {
    return grid->def.width * grid->def.height;
}

static double area_of(const Reference* grid) {
    return grid->def.lx * grid->def.ly;
}

static double length(ReferenceVector a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

/// a + weight * b
static ReferenceVector add(ReferenceVector a, double weight, ReferenceVector b) {
    return (ReferenceVector){a.x + weight * b.x, a.y + weight * b.y, a.z + weight * b.z};
}

static ReferenceVector scale(ReferenceVector a, double factor) {
    return add((ReferenceVector){0}, factor, a);
}

static void evaporate(ReferenceNewton* ref) {
    Reference* g = ref->grid;
    REFERENCE_CELLS(g) {
        g->d[c] = g->d1[c] * ref->params.evaporation; // (N1)
        g->ledger.evaporated += area_of(g) * (g->d1[c] - g->d[c]);
    }
}

static void find_lower(ReferenceNewton* ref) {
    REFERENCE_CELLS(ref->grid) {
        ReferenceLower lower[8];
        ref->has_lower[c] = reference_lower(ref->grid, i, j, lower) > 0;
    }
}

/// The velocity of what goes from a cell to a lower neighbour (N2).
static ReferenceVector velocity_to(const ReferenceNewton* ref, int c, const ReferenceLower* to) {
    const ReferenceDef* def = &ref->grid->def;
    ReferenceVector X = {to->di * def->lx, to->dj * def->ly, to->drop}; // (N2)
    double gain = ref->params.gravity * (to->drop / length(X)) * def->dt;
    ReferenceVector kept = scale(ref->v[c], 1 - ref->params.friction);
    return add(kept, gain / length(X), X); // (N2)
}

/// What a cell gives.
typedef struct Fall {
    double water;           // [m]
    double weights[8], sum; // of its lower neighbours, times their drops
    double way;             // R/l of (I2), or 1
    ReferenceVector v;      // of all portions (I2)
} Fall;

/// The weight of a drop (I2).
static double weight_of(const ReferenceDef* def, int di, int dj) {
    double w = (sqrt(2) - 1) * def->lx * def->ly / (def->lx * def->lx + def->ly * def->ly);
    return di && dj ? w : di ? def->ly / def->lx - 2 * w : def->lx / def->ly - 2 * w;
}

/// The most that a portion may dig (N3), (I3).
static double most_dug(const ReferenceNewton* ref, const ReferenceLower* to, const Fall* fall) {
    const ReferenceDef* def = &ref->grid->def;
    if (!ref->params.isotropic) return to->drop / 8;
    double all =
        2 * weight_of(def, 1, 0) + 2 * weight_of(def, 0, 1) + 4 * sqrt(2) * weight_of(def, 1, 1);
    return to->drop * fall->way * weight_of(def, to->di, to->dj) / all;
}

/// (I2): water advances by 4/5 of the shorter side of a cell, and all of it is as fast.
static void fall_alike(const ReferenceNewton* ref, int c, const ReferenceLower* lower, int count,
                       Fall* fall) {
    const ReferenceDef* def = &ref->grid->def;
    const double l = fmin(def->lx, def->ly);
    ReferenceVector X = {0};
    for (int n = 0; n < count; n++) {
        ReferenceVector to = {lower[n].di * def->lx, lower[n].dj * def->ly, lower[n].drop};
        X = add(X, fall->weights[n] / fall->sum, to);
    }
    const double R = fmax(hypot(X.x, X.y), 0.87 * l), H = X.z;
    const double gain = ref->params.gravity * def->dt / l * R * H / (R * R + H * H);
    fall->way = R / l;
    fall->water = fmin(fall->water, ref->grid->d[c] * 0.8 * l / R);
    fall->v = add(scale(ref->v[c], fmax(0, 1 - ref->params.friction * fall->way)), gain, X);
}

/// A portion arrives at cell n and digs there, or settles in part (N3).
static void arrive(ReferenceNewton* ref, const ReferenceLower* to, const Fall* fall, double water,
                   double sediment, ReferenceVector v) {
    const GullyNewtonParams* p = &ref->params;
    const int n = to->cell;
    double cap = p->capacity * water * length(v); // (N3)
    double settled = 0, dug = 0;
    if (sediment > cap) {
        settled = fmin(1, p->deposit * fall->way) * (sediment - cap); // (N3)
    } else if (ref->has_lower[n]) {
        dug = fmin(fmin(1, p->dissolve * fall->way) * (cap - sediment),
                   most_dug(ref, to, fall)); // (N3)
    }
    ref->b1[n] += settled - dug;
    ref->s1[n] += sediment - settled + dug;
    ref->d1[n] += water;
    ref->momentum[n] = add(ref->momentum[n], water, v); // (N5)
    reference_count_deposit(ref->grid, n, settled);
    reference_count_wear(ref->grid, n, dug);
}

/// Sends off what a cell gives (N2), and returns how much water that was [m].
static double send(ReferenceNewton* ref, int i, int j) {
    Reference* g = ref->grid;
    int c = reference_at(g, i, j);
    ReferenceLower lower[8];
    int count = g->d[c] > 0 ? reference_lower(g, i, j, lower) : 0; // (N2)
    const bool isotropic = ref->params.isotropic;
    Fall fall = {.water = g->d[c], .way = 1};
    for (int n = 0; n < count; n++) {
        bool inside = isotropic && lower[n].cell >= 0;
        fall.weights[n] =
            lower[n].drop * (inside ? weight_of(&g->def, lower[n].di, lower[n].dj) : 1);
        fall.sum += fall.weights[n];
    }
    if (ref->params.move == MOVE_LEVEL)
        fall.water = fmin(fall.water, reference_above_mean(lower, count) / 2); // (N2)
    if (isotropic && count > 0) fall_alike(ref, c, lower, count, &fall);
    for (int n = 0; n < count; n++) {
        double water = fall.water * fall.weights[n] / fall.sum; // (N2)
        double sediment = g->s[c] * water / g->d[c];            // (N2)
        if (lower[n].cell >= 0) {
            arrive(ref, &lower[n], &fall, water, sediment,
                   isotropic ? fall.v : velocity_to(ref, c, &lower[n]));
        } else {
            g->ledger.water_left += area_of(g) * water;
            g->ledger.solid_left += area_of(g) * sediment;
        }
    }
    return count > 0 ? fall.water : 0;
}

/// What did not go: it stays with its velocity; without any giving, sediment settles (N4).
static void keep(ReferenceNewton* ref, int c, double gone) {
    Reference* g = ref->grid;
    double Kp = ref->params.pit_deposit < 0 ? ref->params.deposit : ref->params.pit_deposit;
    double kept = g->d[c] - gone;
    double sediment = gone > 0 ? g->s[c] * (1 - gone / g->d[c]) : g->s[c]; // (N4)
    double settled = gone > 0 ? 0 : Kp * sediment;                         // (N4)
    ref->b1[c] += settled;
    ref->s1[c] += sediment - settled;
    ref->d1[c] += kept;
    ref->momentum[c] = add(ref->momentum[c], kept, ref->v[c]); // (N5)
    reference_count_deposit(g, c, settled);
}

static void clear_arrivals(ReferenceNewton* ref) {
    size_t count = (size_t)count_of(ref->grid);
    memset(ref->d1, 0, count * sizeof *ref->d1);
    memset(ref->s1, 0, count * sizeof *ref->s1);
    memset(ref->momentum, 0, count * sizeof *ref->momentum);
    memcpy(ref->b1, ref->grid->b, count * sizeof *ref->b1);
}

/// The new state, with drying (N5).
static void finish(ReferenceNewton* ref) {
    Reference* g = ref->grid;
    REFERENCE_CELLS(g) {
        g->b[c] = ref->b1[c];
        g->d[c] = fmax(0, ref->d1[c]);
        g->s[c] = fmax(0, ref->s1[c]);
        if (g->d[c] < ref->params.dry_depth) { // (N5), (P10)
            reference_count_deposit(g, c, g->s[c]);
            g->ledger.evaporated += area_of(g) * g->d[c];
            g->b[c] += g->s[c];
            g->s[c] = 0;
            g->d[c] = 0;
        }
        ref->v[c] =
            g->d[c] > 0 ? scale(ref->momentum[c], 1 / g->d[c]) : (ReferenceVector){0}; // (N5)
        ref->vx[c] = ref->v[c].x;
        ref->vy[c] = ref->v[c].y;
    }
}

// ---- the object ---------------------------------------------------------------------------------

/// More water where the ground is higher.
static void add_initial_water(ReferenceNewton* ref) {
    Reference* g = ref->grid;
    double low = INFINITY, high = -INFINITY;
    REFERENCE_CELLS(g) {
        low = fmin(low, g->b[c]);
        high = fmax(high, g->b[c]);
    }
    REFERENCE_CELLS(g) {
        double fraction = high > low ? (g->b[c] - low) / (high - low) : 0;
        g->d[c] += ref->params.w_min + ref->params.w_0 * fraction;
    }
}

ReferenceNewton* reference_newton_create(const ReferenceDef* def, const GullyNewtonParams* params) {
    ReferenceNewton* ref = calloc(1, sizeof *ref);
    if (!ref) abort();
    ref->grid = reference_create(def);
    ref->params = *params;
    size_t count = (size_t)count_of(ref->grid);
    double** fields[] = {&ref->d1, &ref->s1, &ref->b1, &ref->vx, &ref->vy};
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        *fields[n] = reference_field(ref->grid);
    ref->v = calloc(count, sizeof *ref->v);
    ref->momentum = calloc(count, sizeof *ref->momentum);
    ref->has_lower = calloc(count, sizeof *ref->has_lower);
    if (!ref->v || !ref->momentum || !ref->has_lower) abort();
    add_initial_water(ref);
    return ref;
}

void reference_newton_destroy(ReferenceNewton* ref) {
    if (!ref) return;
    void* fields[] = {ref->d1, ref->s1, ref->b1,       ref->vx,
                      ref->vy, ref->v,  ref->momentum, ref->has_lower};
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        free(fields[n]);
    reference_destroy(ref->grid);
    free(ref);
}

void reference_newton_step(ReferenceNewton* ref, int steps) {
    Reference* g = ref->grid;
    for (int step = 0; step < steps; step++) {
        reference_supply(g);
        evaporate(ref);
        find_lower(ref);
        clear_arrivals(ref);
        REFERENCE_CELLS(g) {
            keep(ref, c, send(ref, i, j));
        }
        finish(ref);
        if (g->def.run_thermal) reference_thermal(g);
        g->steps++;
    }
}
