// SPDX-License-Identifier: MIT
/// What a terrain is like: how steep, and how eroded it looks.
#ifndef GULLY_ANALYSIS_H
#define GULLY_ANALYSIS_H

#include <stdint.h>

#include "gully/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Classes of slopes: 0 to 5, 5 to 15, 15 to 30, 30 to 45, and 45 degrees and more.
enum { GULLY_SLOPE_CLASSES = 5 };

/// Where a class begins [deg]; that angle belongs to it. `index` is below GULLY_SLOPE_CLASSES.
GULLY_API double gully_slope_class(int index);

/// A quantity over the cells that have a slope.
typedef struct GullySpread {
    double mean;
    double deviation; ///< standard deviation
    double max;
} GullySpread;

/// The slope of a cell is that to its steepest direct neighbour, up or down:
///
///     s = max |h - h_n| / distance    over the west, east, north and south neighbour n
///
/// A cell without any neighbour has none. The erosion score is the standard deviation of s over its
/// mean: erosion flattens most of a terrain and leaves a few steep places. It does not change when
/// all heights are multiplied by a number; 0 for a plane and for flat ground.
///
/// Olsen, J. (2004): Realtime Procedural Terrain Generation. He divides by no distance.
typedef struct GullySlopeStatistics {
    int64_t cells;                      ///< that have a slope
    GullySpread gradient;               ///< of s [m/m]
    GullySpread degrees;                ///< of atan s [deg]
    double erosion_score;               ///< gradient.deviation / gradient.mean
    double shares[GULLY_SLOPE_CLASSES]; ///< of the cells, by class; 0..1
} GullySlopeStatistics;

/// Heights [m] row by row, cells of cell_x * cell_y [m]. NaN and infinite heights are nodata.
/// Everything is 0 if no cell has a slope.
GULLY_API void gully_slope_statistics(const float* heights, int width, int height, double cell_x,
                                      double cell_y, GullySlopeStatistics* out);

#ifdef __cplusplus
}
#endif

#endif
