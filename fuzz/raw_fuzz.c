// SPDX-License-Identifier: MIT
// A raw file with its sidecar: the sidecar's text, a NUL, the numbers.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gully/export.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    const uint8_t* end = size ? memchr(bytes, 0, size) : NULL;
    size_t length = end ? (size_t)(end - bytes) : size;
    GullySidecar sidecar = {0};
    if (gully_sidecar_parse("fuzz.json", (const char*)bytes, length, &sidecar)) return 0;
    if (sidecar.width < 1 || sidecar.height < 1) abort();
    GullyRaster raster = {0};
    if (end &&
        gully_raw_decode("fuzz.raw", end + 1, size - length - 1, &sidecar, &raster) == GULLY_OK) {
        if (raster.width != sidecar.width || raster.height != sidecar.height) abort();
        gully_raster_free(&raster);
    }
    gully_sidecar_free(&sidecar);
    return 0;
}
