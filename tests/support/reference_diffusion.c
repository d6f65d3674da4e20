// SPDX-License-Identifier: MIT
#include "reference_diffusion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference_layers.h"

static size_t bytes_of(const Reference* grid) {
    return (size_t)(grid->def.width * grid->def.height) * sizeof(double);
}

static double area_of(const Reference* grid) {
    return grid->def.lx * grid->def.ly;
}

// ---- the operators ------------------------------------------------------------------------------

static void rain(ReferenceDiffusion* ref) {
    reference_supply(ref->grid); // (B1)
    memcpy(ref->grid->d, ref->grid->d1, bytes_of(ref->grid));
}

static void erode(ReferenceDiffusion* ref) {
    Reference* g = ref->grid;
    REFERENCE_CELLS(g) {
        double room = fmax(0, ref->params.saturation * g->d[c] - g->s[c]);
        double e = fmin(g->def.dt * ref->params.dissolve * g->d[c], room); // (B2)
        g->b[c] -= e;
        g->s[c] += e;
        reference_count_wear(g, c, e);
    }
}

/// Copies the state to d1 and s1, where an operator that looks around puts its changes.
static void begin_changes(ReferenceDiffusion* ref) {
    memcpy(ref->d1, ref->grid->d, bytes_of(ref->grid));
    memcpy(ref->s1, ref->grid->s, bytes_of(ref->grid));
}

static void end_changes(ReferenceDiffusion* ref) {
    memcpy(ref->grid->d, ref->d1, bytes_of(ref->grid));
    memcpy(ref->grid->s, ref->s1, bytes_of(ref->grid));
}

/// Moves water and sediment [m] from a cell to a lower neighbour, or out.
static void give(ReferenceDiffusion* ref, int from, int to, double water, double sediment) {
    ref->d1[from] -= water;
    ref->s1[from] -= sediment;
    if (to >= 0) {
        ref->d1[to] += water;
        ref->s1[to] += sediment;
    } else {
        ref->grid->ledger.water_left += area_of(ref->grid) * water;
        ref->grid->ledger.solid_left += area_of(ref->grid) * sediment;
    }
}

static void transport(ReferenceDiffusion* ref) {
    Reference* g = ref->grid;
    begin_changes(ref);
    REFERENCE_CELLS(g) {
        if (g->d[c] <= 0) continue;
        ReferenceLower lower[8];
        int count = reference_lower(g, i, j, lower);
        double drops = 0;
        for (int n = 0; n < count; n++)
            drops += lower[n].drop;
        double m = ref->params.relax * fmin(g->d[c], reference_above_mean(lower, count)); // (B3)
        for (int n = 0; n < count; n++) {
            double water = m * lower[n].drop / drops;                      // (B3)
            give(ref, c, lower[n].cell, water, g->s[c] * water / g->d[c]); // (B3)
        }
    }
    end_changes(ref);
}

/// What a cell gives to a neighbour by mixing [m]; 0 if it is the poorer one, or if one is dry.
static double mixes(const ReferenceDiffusion* ref, int c, int n) {
    const Reference* g = ref->grid;
    if (g->d[c] <= 0 || g->d[n] <= 0) return 0;
    double richer = g->s[c] / g->d[c] - g->s[n] / g->d[n];
    return fmax(0, ref->params.relax / 9 * richer * fmin(g->d[c], g->d[n])); // (B4)
}

static void mix(ReferenceDiffusion* ref) {
    Reference* g = ref->grid;
    begin_changes(ref);
    REFERENCE_CELLS(g) {
        for (int dj = -1; dj <= 1; dj++) {
            for (int di = -1; di <= 1; di++) {
                if (!reference_in_domain(g, i + di, j + dj)) continue;
                int n = reference_at(g, i + di, j + dj);
                give(ref, c, n, 0, mixes(ref, c, n));
            }
        }
    }
    end_changes(ref);
}

static void evaporate(ReferenceDiffusion* ref) {
    Reference* g = ref->grid;
    REFERENCE_CELLS(g) {
        double left = g->d[c] * exp(-ref->params.evaporation * g->def.dt); // (B5)
        if (left < ref->params.dry_threshold) left = 0;                    // (B5)
        g->ledger.evaporated += area_of(g) * (g->d[c] - left);
        g->d[c] = left;
    }
}

static void deposit(ReferenceDiffusion* ref) {
    Reference* g = ref->grid;
    REFERENCE_CELLS(g) {
        double excess = fmax(0, g->s[c] - ref->params.saturation * g->d[c]); // (B6)
        g->b[c] += excess;
        g->s[c] -= excess;
        reference_count_deposit(g, c, excess);
    }
}

// ---- the object ---------------------------------------------------------------------------------

enum { OPERATOR_COUNT = 6 };

/// In the order of the default cycle.
static const struct {
    const char* name;
    void (*run)(ReferenceDiffusion*);
} operators[OPERATOR_COUNT] = {
    {"rain", rain}, {"erode", erode},         {"transport", transport},
    {"mix", mix},   {"evaporate", evaporate}, {"deposit", deposit},
};

static int find_operator(const char* name) {
    for (int n = 0; n < OPERATOR_COUNT; n++) {
        if (strcmp(operators[n].name, name) == 0) return n;
    }
    abort();
}

static void read_cycle(ReferenceDiffusion* ref, const char* cycle) {
    char text[256];
    snprintf(text, sizeof text, "%s", cycle ? cycle : "rain erode transport mix evaporate deposit");
    char* rest = text;
    for (char* entry; (entry = strtok_r(rest, " ", &rest));) {
        char* star = strchr(entry, '*');
        int times = star ? atoi(star + 1) : 1;
        if (star) *star = '\0';
        for (int n = 0; n < times; n++)
            ref->cycle[ref->cycle_count++] = find_operator(entry);
    }
}

ReferenceDiffusion* reference_diffusion_create(const ReferenceDef* def,
                                               const GullyDiffusionParams* params,
                                               const char* cycle) {
    ReferenceDiffusion* ref = calloc(1, sizeof *ref);
    if (!ref) abort();
    ref->grid = reference_create(def);
    ref->params = *params;
    ref->d1 = reference_field(ref->grid);
    ref->s1 = reference_field(ref->grid);
    read_cycle(ref, cycle);
    return ref;
}

void reference_diffusion_destroy(ReferenceDiffusion* ref) {
    if (!ref) return;
    reference_destroy(ref->grid);
    free(ref->d1);
    free(ref->s1);
    free(ref);
}

void reference_diffusion_step(ReferenceDiffusion* ref, int steps) {
    for (int step = 0; step < steps; step++) {
        for (int n = 0; n < ref->cycle_count; n++)
            operators[ref->cycle[n]].run(ref);
        if (ref->grid->def.run_thermal) reference_thermal(ref->grid);
        ref->grid->steps++;
    }
}
