// SPDX-License-Identifier: MIT
/// A plain, slow reading of MODELS.md U0-U5, in double, on the grid of reference.h. It scatters,
/// cell by cell, what the cells give.
#ifndef REFERENCE_STREAM_H
#define REFERENCE_STREAM_H

#include "reference.h"

typedef struct ReferenceStream {
    Reference* grid; // its state, supply, talus, ledger; s is Q dt / a [m]
    GullyStreamParams params;
    double *w, *A;        // level [m], drainage area [m2]
    double *w1, *A1, *q1; // after U0, U2, U5
    double* b1;           // after U3 to U5
    double* N;            // U1
    double uplifted;      // [m3]
    double* discharge;    // sum over the steps of the area per width and year, as a flow [m2/s]
} ReferenceStream;

ReferenceStream* reference_stream_create(const ReferenceDef* def, const GullyStreamParams* params);
void reference_stream_destroy(ReferenceStream* ref);
void reference_stream_step(ReferenceStream* ref, int steps);

#endif
