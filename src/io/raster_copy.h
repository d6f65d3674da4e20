// SPDX-License-Identifier: MIT
/// Formats that GDAL makes as a copy of a raster in memory.
#ifndef RASTER_COPY_H
#define RASTER_COPY_H

#include "gully/export.h"

GullyStatus png16_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                        GullyOutputs* outputs);
GullyStatus cog_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                      GullyOutputs* outputs);
GullyStatus ascii_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                        GullyOutputs* outputs);

#endif
