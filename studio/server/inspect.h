// SPDX-License-Identifier: MIT
/// What a raster is like before it is opened, and what a reader is told about it.
#ifndef STUDIO_INSPECT_H
#define STUDIO_INSPECT_H

#include "engine.h"

/// A small picture of heights: shares of their range as bytes, -1 = none.
json_t* preview_json(const float* values, int width, int height, float low, float high);

/// Reads what a reader is told from a JSON object (NULL = nothing): the keys of a scene's terrain.
/// The object must stay as long as the definition.
GullyStatus told_parse(const json_t* object, GullyReadDef* out);

/// Answers VERB_INSPECT, on the clerk's thread: size, range, preview, and a guess of what an image
/// means. The command is freed.
void inspect_raster(void* context);

/// Writes a raster with its rows turned around beside it, as a GeoTIFF; its path goes to `out`.
GullyStatus inspect_flip(const char* path, const json_t* read, char out[PATH_MAX]);

#endif
