/// Procedural terrains: seeded, the same mountain at any resolution.
#ifndef GULLY_GENERATE_H
#define GULLY_GENERATE_H

#include <stdint.h>

#include "gully/params.h"

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
/// What every generator takes.
#define GULLY_GENERATE_PARAMS(X) \
    X(integer, width,  512, 1, 1048576, "cells", "columns") \
    X(integer, height, 512, 1, 1048576, "cells", "rows") \
    X(integer, seed,   1,   0, 2147483647, "",   "another seed, another terrain") \
    X(number,  relief, 600, 0, 20000,   "m",     "height from the lowest to the highest point") \
    X(number,  offset, 0,   -20000, 20000, "m",  "height of the lowest point") \
    X(number,  scale,  0.5, 0.001, 100, "",      "size of the largest features, as a share of the longer side") \
    X(integer, octaves, 9,  1, 20,      "",      "levels of detail, each half the size of the one before")
// clang-format on

typedef struct GullyGenerateParams {
    GULLY_GENERATE_PARAMS(GULLY_PARAM_MEMBER)
} GullyGenerateParams;

GULLY_API const GullyParamTable* gully_generate_table(void);

typedef struct GullyGeneratorInfo {
    const char* name; ///< as in a scene: "mountains"
    const char* summary;
} GullyGeneratorInfo;

GULLY_API int gully_generator_count(void);
GULLY_API const GullyGeneratorInfo* gully_generator_info(int index);

/// Fills width * height heights [m], row by row. Fails for an unknown kind; the message lists them.
GULLY_API GullyStatus gully_generate(const char* kind, const GullyGenerateParams* params,
                                     float* heights);

/// Fractional Brownian motion in 0..1 at a point, features of size 1, as used by the generators and
/// by the pattern of seasonal rain (MODELS W4).
GULLY_API float gully_fractal(uint64_t seed, double x, double y, int octaves);

#ifdef __cplusplus
}
#endif

#endif
