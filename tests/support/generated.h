// SPDX-License-Identifier: MIT
/// Generated terrains for tests.
#ifndef GENERATED_H
#define GENERATED_H

#include <stddef.h>

#include "gully/generate.h"

/// The defaults, but for these.
GullyGenerateParams generated_params(int width, int height, int seed);

size_t generated_cells(const GullyGenerateParams* params);

/// The heights [m]; free() them. Fails the test if that fails.
float* generated(const char* kind, const GullyGenerateParams* params);

/// Pearson's, of two terrains of the same size.
double correlation(const float* a, const float* b, size_t count);

#endif
