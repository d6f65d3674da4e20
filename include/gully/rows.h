// SPDX-License-Identifier: MIT
/// Grids a few rows at a time: what is too large to be held at once.
#ifndef GULLY_ROWS_H
#define GULLY_ROWS_H

#include "gully/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Values of a grid. Both functions take `count` whole rows from row `y` on; they are called from
/// one thread at a time and may fail.
typedef struct GullyRows {
    GullyStatus (*read)(void* context, int y, int count, float* out);
    GullyStatus (*write)(void* context, int y, int count, const float* in); ///< NULL = read only
    void* context;
} GullyRows;

/// Rows of a band: as many as a tile of a world is high, fewer if rows are very long.
GULLY_API int gully_band_rows(int width);

#ifdef __cplusplus
}
#endif

#endif
