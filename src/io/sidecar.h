// SPDX-License-Identifier: MIT
/// Sidecars and what they say about numbers.
#ifndef SIDECAR_H
#define SIDECAR_H

#include <jansson.h>

#include "gully/export.h"
#include "read_def.h"

/// A sidecar as JSON, without what a preset adds. NULL without memory.
json_t* sidecar_json(const GullySidecar* sidecar, const char* format);

/// Fails if FILE.json beside the file at `path` is there and is no sidecar of ours: it would be
/// lost.
GullyStatus sidecar_check_free(const char* path);

/// Writes JSON beside the file at `path`, as FILE.json. Takes the JSON over.
GullyStatus sidecar_write(const char* path, json_t* json, GullyOutputs* outputs);

/// Looks for FILE.json. If it is there and is a sidecar, `found` is true. What is no sidecar of
/// ours is left alone.
GullyStatus sidecar_find(const char* path, GullySidecar* out, bool* found);

/// How its numbers become heights; a scale and an offset replace those of the sidecar.
NumberMeaning sidecar_meaning(const GullySidecar* sidecar, const double* scale,
                              const double* offset);

/// Gives a raster its place and cells. Fails if it is of another size.
GullyStatus sidecar_place(const char* path, const GullySidecar* sidecar, GullyRaster* raster);

/// Turns the rows around.
void rows_flip(float* values, int width, int height);

#endif
