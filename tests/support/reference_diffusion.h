// SPDX-License-Identifier: MIT
/// A plain, slow reading of MODELS.md B1-B6, in double, on the grid of reference.h.
#ifndef REFERENCE_DIFFUSION_H
#define REFERENCE_DIFFUSION_H

#include "reference.h"

typedef struct ReferenceDiffusion {
    Reference* grid; // its state, supply, talus, ledger
    GullyDiffusionParams params;
    int cycle[64]; // what a step is made of: an operator each
    int cycle_count;
    double *d1, *s1; // after an operator [m]
} ReferenceDiffusion;

/// `cycle` is "rain erode transport*5 ..."; NULL = rain erode transport mix evaporate deposit.
ReferenceDiffusion* reference_diffusion_create(const ReferenceDef* def,
                                               const GullyDiffusionParams* params,
                                               const char* cycle);
void reference_diffusion_destroy(ReferenceDiffusion* ref);
void reference_diffusion_step(ReferenceDiffusion* ref, int steps);

#endif
