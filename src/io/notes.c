// SPDX-License-Identifier: MIT
#include "notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void raster_note(GullyRaster* raster, const char* format, ...) {
    size_t used = strlen(raster->notes), size = sizeof raster->notes;
    size_t start = used > 0 && used + 1 < size ? used + 1 : used; // after a line break
    va_list values;
    va_start(values, format);
    int length = vsnprintf(raster->notes + start, size - start, format, values);
    va_end(values);
    bool fits = length >= 0 && (size_t)length < size - start;
    raster->notes[fits ? start + (size_t)length : used] = '\0';
    if (fits && start > used) raster->notes[used] = '\n';
}
