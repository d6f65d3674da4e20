// SPDX-License-Identifier: MIT
/// A plain, slow reading of MODELS.md N1-N5, in double, on the grid of reference.h. It scatters,
/// cell by cell, what the cells give.
#ifndef REFERENCE_NEWTON_H
#define REFERENCE_NEWTON_H

#include "reference.h"

/// A velocity or a step: to the right, down in memory, down to the ground.
typedef struct ReferenceVector {
    double x, y, z;
} ReferenceVector;

typedef struct ReferenceNewton {
    Reference* grid; // its state, supply, talus, ledger
    GullyNewtonParams params;
    ReferenceVector* v;        // velocity [m/s]
    bool* has_lower;           // whether there is a lower neighbour
    double *d1, *s1, *b1;      // after the step: kept and arrived [m]
    ReferenceVector* momentum; // of what was kept and arrived [m * m/s]
    double *vx, *vy;           // of v, as fields: to compare
} ReferenceNewton;

/// Adds the initial water of the model to that of the definition.
ReferenceNewton* reference_newton_create(const ReferenceDef* def, const GullyNewtonParams* params);
void reference_newton_destroy(ReferenceNewton* ref);
void reference_newton_step(ReferenceNewton* ref, int steps);

#endif
