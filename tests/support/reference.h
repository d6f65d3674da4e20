// SPDX-License-Identifier: MIT
/// A plain, slow reading of MODELS.md: W1, W3, P1-P10, E1-E7, T1-T3 and L1-L3 on whole grids, in double.
///
/// Written from the equations alone, one loop for each, to be compared with the engine: what the
/// engine's float32, tiles, threads and fused passes compute has to approach this. Borders, walls
/// and the ledger follow MODELS.md and SCENE.md. Nothing here is fast, and nothing here should be.
/// What the ground is made of, and how it slides, is in reference_layers.c, wind in
/// reference_wind.c; the other models
/// (reference_diffusion.h, reference_newton.h) stand on the same grid, its supply, its talus and
/// its ledger. How far an engine is from a reference is in reference_compare.h.
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "gully/sim.h"

/// What is computed, and on what. Arrays are width * height values, row by row; NULL = the default.
typedef struct ReferenceDef {
    int width, height;    // in cells
    double lx, ly;        // cell size [m]
    double dt;            // [s]
    const float* heights; // [m], NaN = outside the domain; NULL = flat at 0
    const float* water;   // [m], NULL = dry
    const float* sediment;
    const float* hardness; // NULL = 1
    bool run_pipe, run_wind, run_thermal;
    GullyPipeParams pipe;
    GullyWindParams wind;
    GullyThermalParams thermal;
    GullyBoundaryParams boundary;
    double rain; // [m/s]
    const GullySource* sources;
    int source_count;
    const GullyMaterial* materials;              // bottom to top
    int material_count;                          // 0 = one that all water erodes alike
    const float* thickness[GULLY_MAX_MATERIALS]; // [m], NULL = 0; the bedrock's is not read
} ReferenceDef;

/// What moved since the start [m3], named as in GullyBudget.
typedef struct ReferenceLedger {
    double rain, water_sources, exchanged, evaporated, water_left;
    double solid_sources, solid_left, transport_loss, eroded, deposited, slid;
} ReferenceLedger;

/// The state; every array is width * height doubles. Directions are 0..7 = -x, +x, -y, +y,
/// then to the corners: -x -y, +x +y, +x -y, -x +y.
typedef struct Reference {
    ReferenceDef def; // its arrays of cells are not kept; the sources are, and stay the caller's
    int64_t steps;    // done so far
    bool* inside;
    double *b, *d, *s, *k;               // ground, water, sediment [m], hardness
    double* layer[GULLY_MAX_MATERIALS];  // thickness of the materials [m]; of the bedrock: unused
    double* start;                       // the ground at the start [m]
    double* s7;                          // sediment after P7, which flux transport carries
    double *d1, *d2, *s1, *b1;           // within a step: after W, after P3, after P9, after T
    double* layer1[GULLY_MAX_MATERIALS]; // after T
    double* f[8];                        // outflow [m3/s]; 4 to the sides, 4 to the corners
    double *wx, *wy, *u, *v;             // discharge [m3/s] and velocity [m/s] (P4)
    double *sine, *capacity;             // P5, P6
    double *slide, *excess;              // T2: height that leaves [m], the sum of the excesses [m]
    int* top;                            // L3: the material that slides
    double *air, *shelter, *upwind;      // E: a, w and m [m]
    double *air1, *shelter1, *upwind1;   // within a hop: after it
    double* carries;                     // E4: C [m]
    int64_t hops;                        // E: done so far
    double *flow_sum, *wear, *deposit;   // masks; the mean flow is flow_sum / steps
    double* off; // how far an engine is from it, of the scale (reference_compare)
    ReferenceLedger ledger;
} Reference;

Reference* reference_create(const ReferenceDef* def);
void reference_destroy(Reference* ref);
void reference_step(Reference* ref, int steps);

/// The volume under a field [m3]: its sum over the cells of the domain, times the area of a cell.
double reference_volume(const Reference* ref, const double* field);

// ---- for the other parts of the reference -------------------------------------------------------

/// A field of zeros; free() it.
double* reference_field(const Reference* ref);

static inline int reference_at(const Reference* ref, int i, int j) {
    return j * ref->def.width + i;
}

bool reference_in_domain(const Reference* ref, int i, int j);

/// Visits every cell of the domain: `i`, `j` and its index `c`.
#define REFERENCE_CELLS(ref)                                                                       \
    for (int j = 0; j < (ref)->def.height; j++)                                                    \
        for (int i = 0, c = reference_at(ref, 0, j); i < (ref)->def.width; i++, c++)               \
            if ((ref)->inside[c])

/// W: fills d1 from d, and adds the sediment of the sources to s.
void reference_supply(Reference* ref);

/// What water takes from the ground and leaves there [m], in the masks and the ledger.
void reference_count_wear(Reference* ref, int c, double taken);
void reference_count_deposit(Reference* ref, int c, double left);

/// A lower neighbour of a cell.
typedef struct ReferenceLower {
    int cell;     // its index; -1 = the outside beyond an open side
    int di, dj;   // where it is
    double drop;  // from the cell's level to its own [m], > 0
    double along; // the distance, as seen from above [m]
} ReferenceLower;

/// B3, N2: finds those of the 8 neighbours whose level b + d is lower than the cell's, and the open
/// sides of a wet cell. Returns how many.
int reference_lower(const Reference* ref, int i, int j, ReferenceLower out[8]);

/// How far a cell's level is above the mean of its own and those of its lower neighbours [m].
double reference_above_mean(const ReferenceLower* lower, int count);

#endif
