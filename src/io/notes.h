// SPDX-License-Identifier: MIT
/// What reading a raster has to say to people.
#ifndef NOTES_H
#define NOTES_H

#include "gully/raster.h"

/// Adds a line to the notes of a raster; one that no longer fits is left out.
void raster_note(GullyRaster* raster, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
