// SPDX-License-Identifier: MIT
#include "generated.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

GullyGenerateParams generated_params(int width, int height, int seed) {
    GullyGenerateParams params;
    gully_params_default(gully_generate_table(), &params);
    params.width = width;
    params.height = height;
    params.seed = seed;
    return params;
}

size_t generated_cells(const GullyGenerateParams* params) {
    return (size_t)params->width * (size_t)params->height;
}

float* generated(const char* kind, const GullyGenerateParams* params) {
    float* heights = malloc(generated_cells(params) * sizeof *heights);
    assert_non_null(heights);
    if (gully_generate(kind, params, heights)) fail_msg("%s", gully_message());
    return heights;
}

double correlation(const float* a, const float* b, size_t count) {
    double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
    for (size_t k = 0; k < count; k++) {
        mean_a += a[k];
        mean_b += b[k];
    }
    mean_a /= (double)count;
    mean_b /= (double)count;
    for (size_t k = 0; k < count; k++) {
        aa += (a[k] - mean_a) * (a[k] - mean_a);
        bb += (b[k] - mean_b) * (b[k] - mean_b);
        ab += (a[k] - mean_a) * (b[k] - mean_b);
    }
    return ab / sqrt(aa * bb);
}
