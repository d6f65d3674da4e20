/// A raster that is read on a thread of its own, while the caller reads or makes others.
#ifndef RASTER_AHEAD_H
#define RASTER_AHEAD_H

#include "gully/raster.h"

typedef struct RasterAhead RasterAhead;

/// Starts to read numbers that are no heights, with the file's own scale and offset. NULL without
/// memory.
RasterAhead* raster_ahead_begin(const char* path);

/// Waits for it and gives it to the caller; a message is left on the caller's thread. Once.
GullyStatus raster_ahead_take(RasterAhead* ahead, GullyRaster* out);

/// Waits for it if nobody took it. NULL is allowed.
void raster_ahead_destroy(RasterAhead* ahead);

#endif
