// SPDX-License-Identifier: MIT
/// Procedural terrains, seeded, the same mountain at any resolution; layers of several of them.
#ifndef GULLY_GENERATE_H
#define GULLY_GENERATE_H

#include <stdint.h>

#include "gully/params.h"
#include "gully/ranks.h"
#include "gully/rows.h"

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

// ---- layers of generators -----------------------------------------------------------------------

// clang-format off
/// How a layer goes onto what is below it. With b below, v the layer and w = amount * mask, the
/// result is b + w (f - b), where f is b + v, b - v, b v, the lower, the higher of b and v, or v.
#define GULLY_GENERATE_LAYER_PARAMS(X) \
    X(choice, blend,  0, 0, 5,   "add|subtract|multiply|min|max|mix", "how it goes onto what is below") \
    X(number, amount, 1, 0, 100, "", "how much of it counts: 0 = nothing, 1 = all, more = more than all")

/// What every mask takes.
#define GULLY_GENERATE_MASK_PARAMS(X) \
    X(number, fade,   0, 0, 1e6, "", "how far beyond its range a mask falls to 0, in the units of the range") \
    X(flag,   invert, 0, 0, 1,   "", "1 where it would be 0, and the other way round")
// clang-format on

/// The values of `blend`, as its names follow each other.
enum {
    GULLY_BLEND_ADD,
    GULLY_BLEND_SUBTRACT,
    GULLY_BLEND_MULTIPLY,
    GULLY_BLEND_MIN,
    GULLY_BLEND_MAX,
    GULLY_BLEND_MIX,
};

GULLY_API const GullyParamTable* gully_generate_layer_table(void);
GULLY_API const GullyParamTable* gully_generate_mask_table(void);

/// Where values come from: a generator, or a raster that the caller has.
typedef struct GullyGenerateSource {
    const char* kind;           ///< the generator; NULL = the values
    GullyGenerateParams params; ///< the generator's; width and height are the def's
    const float* values;        ///< width * height, row by row; NaN = nodata. NULL = the rows
    GullyRows rows;             ///< the same, a few rows at a time
} GullyGenerateSource;

/// What decides where a layer counts.
typedef enum GullyMaskKind {
    GULLY_MASK_NONE,   ///< nothing: it counts everywhere
    GULLY_MASK_VALUES, ///< a source; of a generator stretched to 0..1
    GULLY_MASK_HEIGHT, ///< height [m]
    GULLY_MASK_SLOPE,  ///< slope [deg], over 1/256 of the longer side and at least 2 cells
} GullyMaskKind;

/// A mask is 0..1. Within the range, both ends included, it is 1 (with `invert` 0), beyond it falls
/// smoothly. Nodata is 0 in any case. All zero: none.
typedef struct GullyGenerateMask {
    GullyMaskKind kind;
    GullyGenerateSource source; ///< of GULLY_MASK_VALUES
    bool has_range;   ///< else the values themselves are the mask, below 0 as 0, above 1 as 1
    double low, high; ///< the range; low <= high. Heights and slopes must have one.
    GULLY_GENERATE_MASK_PARAMS(GULLY_PARAM_MEMBER)
} GullyGenerateMask;

typedef struct GullyGenerateLayer {
    GullyGenerateSource source;
    GULLY_GENERATE_LAYER_PARAMS(GULLY_PARAM_MEMBER)
    GullyGenerateMask mask;
} GullyGenerateLayer;

/// Layers, bottom to top. Below the first is level ground at 0.
typedef struct GullyGenerateDef {
    int width, height;     ///< [cells]
    double cell_x, cell_y; ///< [m], for slopes
    const GullyGenerateLayer* layers;
    int count;
    const float* ground;   ///< what masks of height and slope look at,
    GullyRows ground_rows; ///< or the same a few rows at a time; neither = what is below the layer
    GullyRows keep;        ///< room for width * height values, whose contents may be lost; empty =
                           ///< none: a large generator is then computed twice, first for its range
    int threads;           ///< 0 = one per processor; the result does not depend on it
    const GullyRanks* ranks; ///< that make some rows each; NULL = this process alone
    int first_row, end_row;  ///< the rows that this rank makes; both 0 = all
} GullyGenerateDef;

/// Rows beyond those that it makes, at either side, of which it reads `ground_rows`.
GULLY_API int gully_generate_reach(const GullyGenerateDef* def);

/// A layer of a generator (NULL: of values) with its defaults: added, everywhere.
GULLY_API GullyGenerateLayer gully_generate_layer(const char* kind);

/// Layers cannot get higher, nor lower than this below 0 [m].
#define GULLY_HIGHEST 1e30

/// Fills width * height values, row by row. They are nodata where a layer that counts is, or where
/// one below it was. Fails for an unknown kind, like gully_generate, or without memory.
GULLY_API GullyStatus gully_generate_layers(const GullyGenerateDef* def, float* heights);

/// The same a few rows at a time, with memory for a band of them. Creating it finds the ranges of the
/// generators, which takes about as long as making them. `keep` may be written over with the rows
/// that were made from it.
typedef struct GullyGeneration GullyGeneration;
GULLY_API GullyStatus gully_generation_create(const GullyGenerateDef* def, GullyGeneration** out);
GULLY_API void gully_generation_destroy(GullyGeneration* generation); ///< NULL is allowed
GULLY_API GullyStatus gully_generation_rows(GullyGeneration* generation, int y, int count,
                                            float* out) GULLY_MUST_CHECK;

/// Fractional Brownian motion in 0..1 at a point, features of size 1, as used by the generators and
/// by the pattern of seasonal rain (MODELS W4).
GULLY_API float gully_fractal(uint64_t seed, double x, double y, int octaves);

#ifdef __cplusplus
}
#endif

#endif
