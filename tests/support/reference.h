/// A plain, slow reading of MODELS.md: W1, W3, P1-P10 and T1-T3 on whole grids, in double.
///
/// Written from the equations alone, one loop for each, to be compared with the engine: what the
/// engine's float32, tiles, threads and fused passes compute has to approach this. Borders, walls
/// and the ledger follow MODELS.md and SCENE.md. Nothing here is fast, and nothing here should be.
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "gully/params.h"

/// What is computed, and on what. Arrays are width * height values, row by row; NULL = the default.
typedef struct ReferenceDef {
    int width, height;    // in cells
    double lx, ly;        // cell size [m]
    double dt;            // [s]
    const float* heights; // [m], NaN = outside the domain; NULL = flat at 0
    const float* water;   // [m], NULL = dry
    const float* sediment;
    const float* hardness; // NULL = 1
    bool run_pipe, run_thermal;
    GullyPipeParams pipe;
    GullyThermalParams thermal;
    GullyBoundaryParams boundary;
    double rain; // [m/s]
    const GullySource* sources;
    int source_count;
} ReferenceDef;

/// What moved since the start [m3], named as in GullyBudget.
typedef struct ReferenceLedger {
    double rain, water_sources, exchanged, evaporated, water_left;
    double solid_sources, solid_left, transport_loss, eroded, deposited, slid;
} ReferenceLedger;

/// The state; every array is width * height doubles. Directions are 0..3 = -x, +x, -y, +y.
typedef struct Reference {
    ReferenceDef def; // its arrays of cells are not kept; the sources are, and stay the caller's
    int64_t steps;    // done so far
    bool* inside;
    double *b, *d, *s, *k;             // ground, water, sediment [m], hardness
    double *d1, *d2, *s1, *b1;         // within a step: after W, after P3, after P9, after T
    double* f[4];                      // outflow [m3/s]
    double *wx, *wy, *u, *v;           // discharge [m3/s] and velocity [m/s] (P4)
    double *sine, *capacity;           // P5, P6
    double *slide, *excess;            // T2: height that leaves [m], the sum of the excesses [m]
    double *flow_sum, *wear, *deposit; // masks; the mean flow is flow_sum / steps
    ReferenceLedger ledger;
} Reference;

Reference* reference_create(const ReferenceDef* def);
void reference_destroy(Reference* ref);
void reference_step(Reference* ref, int steps);

/// The volume under a field [m3]: its sum over the cells of the domain, times the area of a cell.
double reference_volume(const Reference* ref, const double* field);

#endif
