// SPDX-License-Identifier: MIT
/// EXR: 32-bit floats in one channel, metres.
#ifndef EXR_H
#define EXR_H

#include "gully/export.h"

/// The most channels of a file that is written.
enum { EXR_CHANNELS = 32 };

/// What a build without OpenEXR says.
#define EXR_ABSENT "EXR is not in this build: it was made without OpenEXR"

/// Whether the library was built with OpenEXR.
bool exr_is_there(void);

/// Writes channel Y, with the georeference as GDAL's EXR driver writes it.
GullyStatus exr_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                      GullyOutputs* outputs);

#endif
