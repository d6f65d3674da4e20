// SPDX-License-Identifier: MIT
// The generators, on threads that are there already.
#ifndef GENERATORS_H
#define GENERATORS_H

#include <stddef.h>

#include "gully/generate.h"
#include "pool.h"
#include "shapes.h"

// Fails for a kind that there is not; the message lists them.
GullyStatus generator_check(const char* kind);

// A generator on a grid, of which any rows can be made. Its heights are stretched to the relief, so
// the range of the whole is found first.
typedef struct Generated {
    Shape* shape;
    GullyGenerateParams params;
    Canvas canvas;
    double size_in_cells;  // of the largest features
    float low, high;       // of the shape
    float* kept;           // the shape of all cells, if it is small,
    const GullyRows* keep; // else where it is; NULL = nowhere: it is computed again
} Generated;

// The rows that are made, of all ranks together.
typedef struct GeneratedRows {
    const GullyRanks* ranks;
    int first, end;
} GeneratedRows;

// Finds the range; the kind is one that there is. `space` holds `band` rows. Memory for all cells is
// taken out of `room` [bytes], if they fit.
GullyStatus generated_open(const char* kind, const GullyGenerateParams* params, size_t* room,
                           const GullyRows* keep, Pool* pool, GeneratedRows rows, int band,
                           float* space, Generated* out);
GullyStatus generated_rows(const Generated* generated, Pool* pool, int y, int count, float* out);
void generated_close(Generated* generated);

#endif
