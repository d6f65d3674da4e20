// SPDX-License-Identifier: MIT
/// A raster stream that reads on by a band on a thread of its own, while the caller uses the last.
#ifndef RASTER_AHEAD_H
#define RASTER_AHEAD_H

#include "gully/raster.h"

typedef struct RasterAhead RasterAhead;

/// Opens a raster as gully_raster_open does.
GullyStatus raster_ahead_open(const char* path, const GullyReadDef* def, RasterAhead** out);
void raster_ahead_close(RasterAhead* ahead); ///< NULL is allowed

const GullyRaster* raster_ahead_head(const RasterAhead* ahead);

/// As gully_raster_rows; a message is left on the caller's thread. As long as every call goes on
/// where the last one ended, the rows for the next are read meanwhile.
GullyStatus raster_ahead_rows(RasterAhead* ahead, int y, int count, float* out);

#endif
