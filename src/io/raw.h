// SPDX-License-Identifier: MIT
/// Numbers as they stand in files, and raw files.
#ifndef RAW_H
#define RAW_H

#include <stdint.h>

#include "gully/export.h"
#include "raster_files.h"

/// The numbers of a raster in the order of the file, as a sidecar says: steps of 16 bits, or metres
/// with the nodata number in place of NaN. free() them; NULL without memory.
uint16_t* steps_encode(const GullyRaster* raster, const GullySidecar* sidecar);
float* metres_encode(const GullyRaster* raster, const GullySidecar* sidecar);

/// Writes raw numbers.
GullyStatus raw_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                      GullyOutputs* outputs);

/// Opens a raw file whose numbers are as a sidecar says; rows have them as they are in the file.
GullyStatus raw_open(const char* path, const GullySidecar* sidecar, GullyRaster* head,
                     RasterSource* out);

#endif
