// SPDX-License-Identifier: MIT
/// Raster files without GDAL: PNG and TIFF, as images in memory. For builds that cannot carry GDAL,
/// such as the web's.
#ifndef PLAIN_IMAGE_H
#define PLAIN_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gully/raster.h"

typedef enum PlainKind {
    PLAIN_UNSIGNED,
    PLAIN_SIGNED,
    PLAIN_FLOAT,
} PlainKind;

/// One band of an image, and what its file says about it. All zero but scale is a good start.
typedef struct PlainImage {
    int width, height;
    int bands;
    PlainKind kind;
    int bits;             ///< of a number: 8, 16, 32 or 64
    unsigned char* bytes; ///< the numbers, row by row, little endian
    bool has_nodata;
    double nodata;
    double scale, offset;
    char unit[40], name[32];
    bool placed;         ///< `transform` is known
    double transform[6]; ///< as of GullyGeoreference
    bool geographic;     ///< in angles
    double angle;        ///< [rad] of a unit of the transform; 0 = degrees
    double axis;         ///< [m] half the long axis of the ellipsoid; 0 = the earth's
    bool mercator;       ///< the web's: larger than the ground, by latitude
    bool stretched;      ///< another map that is larger than the ground, by latitude
    double length;       ///< [m] of a unit of the transform; 0 = metres
    bool unsaid;         ///< the file leaves it to its projection what a unit of the transform is
    bool projected;      ///< the file has a projection, which this build cannot keep
    int alpha;           ///< the band of opacity, from 1; 0 = none
    bool masked;         ///< the file has a mask, which is not read
} PlainImage;

/// The most cells of a raster: sizes of all that is made of it fit into 32 bits.
#ifndef PLAIN_CELLS // the fuzz target has fewer: it is to be quick
#define PLAIN_CELLS (1 << 26)
#endif

GullyStatus png_decode(const char* path, const unsigned char* bytes, size_t size, int band,
                       PlainImage* out);
GullyStatus tiff_decode(const char* path, const unsigned char* bytes, size_t size, int band,
                        PlainImage* out);

/// Makes a PNG of 1 to 4 channels of 8 bits, or of one of 16 (big endian); free(*out).
GullyStatus png_encode(int width, int height, int channels, int bits, const unsigned char* bytes,
                       void** out, size_t* size);

#endif
