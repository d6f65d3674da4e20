// SPDX-License-Identifier: MIT
/// How alike two terrains are, apart from their details: for runs of the same scene with other cells,
/// another time step or another seed.
#ifndef GULLY_LIKENESS_H
#define GULLY_LIKENESS_H

#include <stdint.h>

#include "gully/maps.h"
#include "gully/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GullyLikenessDef {
    int made; ///< GULLY_DEF_MADE: set by gully_likeness_default()
    /// Length of the low-pass [m], 0 = none: a Gaussian with the standard deviation of a mean over
    /// so many metres, low_pass / sqrt 12.
    double low_pass;
    /// What the terrains were before, each with the size of its terrain; then their changes are
    /// compared. Both or none: NULL.
    const GullyHeights *start_a, *start_b;
} GullyLikenessDef;

GULLY_API GullyLikenessDef gully_likeness_default(void);

/// What one of the terrains has [m3]; measured on its own cells, before the low-pass.
typedef struct GullyVolumes {
    double above;     ///< between the ground and the lowest point of both terrains
    double eroded;    ///< where it is below its start; 0 without one
    double deposited; ///< where it is above its start; 0 without one
} GullyVolumes;

typedef struct GullyLikeness {
    int width, height;     ///< of the common grid: in each direction as many cells as the coarser
    int64_t cells;         ///< of it that both terrains have
    double correlation;    ///< Pearson's, after the low-pass; NAN if one of them has no relief
    double max, mean, rms; ///< of the absolute difference after the low-pass [m]
    GullyVolumes a, b;
} GullyLikeness;

/// Compares terrains of the same extent, or their changes. They are brought to the common grid by
/// means over its cells. A cell of it without any height in one terrain is left out.
///
/// Fails if the extents differ by more than half a cell, if a start has another size than its
/// terrain, and without memory.
GULLY_API GullyStatus gully_likeness_measure(const GullyHeights* a, const GullyHeights* b,
                                             const GullyLikenessDef* def, GullyLikeness* out);

#ifdef __cplusplus
}
#endif

#endif
