// SPDX-License-Identifier: MIT
/// The formats we write, as a table.
#ifndef FORMATS_H
#define FORMATS_H

#include "gully/export.h"

typedef struct Format {
    GullyFormatInfo info;
    GullyNumbers numbers;
    bool flips;   ///< rows may go from south to north: the sidecar says so
    bool orders;  ///< the byte order can be chosen
    bool big;     ///< the byte order if it cannot
    bool placed;  ///< holds a georeference that every reader heeds: rows may go any way
    bool streams; ///< can be written a band of rows at a time
    double usual; ///< nodata of numbers that are metres; NaN
    GullyStatus (*check)(const char* path, const GullyRaster* raster,
                         const GullySidecar* sidecar); ///< NULL = takes all
    GullyStatus (*write)(const char* path, const GullyRaster* raster, const GullySidecar* sidecar,
                         GullyOutputs* outputs);
} Format;

/// The format of that name; NULL after a message about `path`.
const Format* format_named(const char* path, const char* name);

/// The format by the extension of a path; NULL after a message.
const Format* format_by_extension(const char* path);

/// Writes the names of the formats that have a quality (NULL: of all): "png16, r16".
void format_list(bool (*has)(const Format* format), char* buffer, size_t size);

/// The first extension of a format.
void format_extension(const Format* format, char* buffer, size_t size);

#endif
