// SPDX-License-Identifier: MIT
// An EXR file.
#include <stdint.h>
#include <stdlib.h>

#include "gully/export.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    GullyRaster raster = {0};
    if (gully_exr_decode("fuzz.exr", bytes, size, 0, &raster)) return 0;
    if (raster.width < 1 || raster.height < 1) abort();
    gully_raster_free(&raster);
    return 0;
}
