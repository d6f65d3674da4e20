// SPDX-License-Identifier: MIT
// The measures, by file. Each sets its members of the result, which are NAN before.
#ifndef MEASURE_MEASURES_H
#define MEASURE_MEASURES_H

#include "catchment.h"

// concavity, hack
void measure_scaling(const Catchment* catchment, GullyDrainage* out);

// bifurcation, length_ratio, drainage_density, hypsometric; channels, orders
GullyStatus measure_network(const Catchment* catchment, GullyDrainage* out);

// rose4, rose8
void measure_rose(const Catchment* catchment, GullyDrainage* out);

// spectrum
GullyStatus measure_spectrum(const GullyHeights* heights, const GullyDrainageDef* def,
                             GullyDrainage* out);

// Whether enough cells drain through a cell.
static inline bool is_channel(const Catchment* c, uint32_t cell) {
    return c->area[cell] >= c->def->channel;
}

#endif
