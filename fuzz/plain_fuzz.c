// SPDX-License-Identifier: MIT
// A PNG or a TIFF, as the web's engine reads them without GDAL: every band of it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plain_image.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

/// Every byte of an image was written: its sum would be of unknown numbers otherwise.
static unsigned check(const PlainImage* image, int band) {
    const size_t cells = (size_t)image->width * (size_t)image->height;
    if (image->width < 1 || image->height < 1 || cells > PLAIN_CELLS) abort();
    if (band > image->bands || !image->bytes) abort();
    unsigned sum = 0;
    for (size_t i = 0; i < cells * (size_t)image->bits / 8; i++)
        sum += image->bytes[i];
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    int bands = 1;
    unsigned sum = 0;
    for (int band = 1; band <= bands && band <= 4; band++) {
        PlainImage png = {0}, tiff = {0};
        if (png_decode("fuzz.png", bytes, size, band, &png) == GULLY_OK) {
            sum += check(&png, band);
            bands = png.bands;
        }
        if (tiff_decode("fuzz.tif", bytes, size, band, &tiff) == GULLY_OK) {
            sum += check(&tiff, band);
            bands = tiff.bands;
        }
        free(png.bytes);
        free(tiff.bytes);
    }
    return sum == UINT32_MAX ? -1 : 0; // so that the sums are computed
}
