// SPDX-License-Identifier: MIT
/// What sidecars and indexes of tiles share as JSON. Text comes from anywhere: all of it is
/// checked.
#ifndef JSON_PARTS_H
#define JSON_PARTS_H

#include <jansson.h>

#include "gully/raster.h"

/// A georeference as JSON (null if nothing is known), and back. What they hold is checked.
json_t* georeference_json(const GullyGeoreference* georeference);
GullyStatus georeference_parse(const char* name, const json_t* json, int height, double cell_x,
                               double cell_y, GullyGeoreference* out);

/// Reads "cell_size": [x, y].
GullyStatus cell_size_parse(const char* name, const json_t* object, double* cell_x, double* cell_y);

/// Reads "width" and "height": at least 1, at most 2^31 - 1 cells in all.
GullyStatus size_parse(const char* name, const json_t* object, int* width, int* height);

/// Reads a whole number of an object, from low to high.
GullyStatus whole_parse(const char* name, const json_t* object, const char* key, int low, int high,
                        int* out);

/// Reads JSON text that must be an object whose key `mark` is 1. NULL after a message.
json_t* marked_json_parse(const char* name, const char* text, size_t size, const char* mark);

/// Opens a plain file; the descriptor is the caller's also if it fails, -1 if there is none.
GullyStatus file_open(const char* path, int* descriptor, unsigned long long* size);

/// Reads a file of at most `most` bytes; free(*bytes).
GullyStatus bytes_read(const char* path, size_t most, char** bytes, size_t* size);

/// Writes JSON to a file.
GullyStatus json_file_write(const char* path, const json_t* json, GullyOutputs* outputs);

/// Replaces a georeference by a copy of another.
GullyStatus georeference_copy(const GullyGeoreference* from, GullyGeoreference* to);

#endif
