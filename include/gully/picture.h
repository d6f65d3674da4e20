// SPDX-License-Identifier: MIT
/// Pictures of a world.
#ifndef GULLY_PICTURE_H
#define GULLY_PICTURE_H

#include <stddef.h>

#include "gully/status.h"
#include "gully/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The longest side of a preview [pixels]; a larger world is averaged down by a whole factor.
#define GULLY_PREVIEW_SIDE 2048

/// Size of the preview of a world.
GULLY_API void gully_preview_size(const GullyWorld* world, int* width, int* height);

/// Shaded relief with water in blue, its suspended sediment in green and deposits in red, as in
/// Mei's figures; cells outside the domain are plain grey. Ground of materials has the colour of the
/// topmost one, instead of one by its height and of the red. `rgb` has width * height * 3 bytes.
GULLY_API GullyStatus gully_preview_draw(const GullyWorld* world, unsigned char* rgb);

/// What the preview of a world shows, taken at one moment, so that it can be drawn on another
/// thread while the world changes: four layers in the size of the preview, seven with materials.
typedef struct GullyPreview GullyPreview;
GULLY_API GullyStatus gully_preview_create(const GullyWorld* world, GullyPreview** out);
GULLY_API void gully_preview_destroy(GullyPreview* preview);

/// The picture that gully_preview_draw would have made of the world at that moment, as PNG in
/// memory; free(*bytes).
GULLY_API GullyStatus gully_preview_encode(GullyPreview* preview, void** bytes, size_t* size);

#ifdef __cplusplus
}
#endif

#endif
