// SPDX-License-Identifier: MIT
/// An EXR file in memory, as OpenEXR reads and writes it, and the attributes that we share with
/// GDAL.
#ifndef EXR_MEMORY_H
#define EXR_MEMORY_H

#include <stdint.h>

#include <openexr.h>

/// Names of attributes, as GDAL's own EXR driver writes them: the affine transform as a matrix of
/// doubles, the projection as WKT.
#define EXR_TRANSFORM "gdal:geoTransform"
#define EXR_PROJECTION "gdal:crsWkt"

typedef struct ExrMemory {
    const unsigned char* bytes; ///< of a file that is read
    unsigned char* grown;       ///< of one that is written; free() it
    uint64_t size, capacity;
    char first[200]; ///< what OpenEXR complained about first
} ExrMemory;

/// How a context over that memory starts. Damaged headers are refused, and what OpenEXR allocates
/// is zeroed, so that what it leaves out of a damaged chunk is the same on every run.
exr_context_initializer_t exr_memory_initializer(ExrMemory* memory);

#endif
