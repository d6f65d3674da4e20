// SPDX-License-Identifier: MIT
// Rasters on a coarser grid, and low-passed. NaN is nodata throughout.
#ifndef MEASURE_SMOOTH_H
#define MEASURE_SMOOTH_H

#include "gully/maps.h"

// A raster that is made here: free() its values.
typedef struct Grid {
    int width, height;
    float* values;
} Grid;

// Means over the cells of a coarser grid of the same extent, weighted by the area that they share.
// A cell of it is nodata if it shares none with data. False without memory.
bool smooth_coarsen(const float* values, int width, int height, Grid* out);

// Gaussian along rows, then along columns, in place; deviations [cells], 0 = none. Weights are those
// of the cells with data: nodata stays nodata and gives nothing to its neighbours. False without
// memory.
bool smooth_low_pass(Grid* grid, double deviation_x, double deviation_y);

#endif
