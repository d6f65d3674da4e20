// SPDX-License-Identifier: MIT
#include "quantile.h"

#include <string.h>

void histogram_clear(Histogram* histogram) {
    memset(histogram, 0, sizeof *histogram);
}

void histogram_count(Histogram* histogram, float value) {
    uint32_t bits;
    value += 0.0f; // -0 is 0
    memcpy(&bits, &value, sizeof bits);
    histogram->counts[bits >> 16]++;
    histogram->total++;
}

float histogram_quantile(const Histogram* histogram, double share) {
    int64_t wanted = (int64_t)(share * (double)(histogram->total - 1)), seen = 0;
    for (uint32_t k = 0; k < 1 << 15; k++) {
        seen += histogram->counts[k];
        if (seen > wanted && histogram->total > 0) {
            uint32_t bits = k << 16;
            float value;
            memcpy(&value, &bits, sizeof value);
            return value;
        }
    }
    return 0;
}
