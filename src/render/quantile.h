// SPDX-License-Identifier: MIT
/// Quantiles of positive numbers, from counts by the upper bits of their pattern: 0.8 % wide.
#ifndef QUANTILE_H
#define QUANTILE_H

#include <stdint.h>

typedef struct Histogram {
    int64_t total;
    uint32_t counts[1 << 15];
} Histogram;

void histogram_clear(Histogram* histogram);

/// `value` is at least 0.
void histogram_count(Histogram* histogram, float value);

/// The value that this share of the numbers does not exceed; 0 if there are none.
float histogram_quantile(const Histogram* histogram, double share);

#endif
