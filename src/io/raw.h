/// Numbers as they stand in files, and raw files.
#ifndef RAW_H
#define RAW_H

#include <stdint.h>

#include "gully/export.h"

/// The numbers of a raster in the order of the file, as a sidecar says: steps of 16 bits, or metres
/// with the nodata number in place of NaN. free() them; NULL without memory.
uint16_t* steps_encode(const GullyRaster* raster, const GullySidecar* sidecar);
float* metres_encode(const GullyRaster* raster, const GullySidecar* sidecar);

/// Writes raw numbers.
GullyStatus raw_write(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                      GullyOutputs* outputs);

/// As `gully_raw_decode` and `gully_raw_read`; a scale and an offset replace those of the sidecar.
GullyStatus raw_decode_scaled(const char* name, const void* bytes, size_t size,
                              const GullySidecar* sidecar, const double* scale,
                              const double* offset, GullyRaster* out);
GullyStatus raw_read_scaled(const char* path, const GullySidecar* sidecar, const double* scale,
                            const double* offset, GullyRaster* out);

#endif
