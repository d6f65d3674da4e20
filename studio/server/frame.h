// SPDX-License-Identifier: MIT
/// Frames: shots packed for a page that has seen earlier ones (docs/protocol.md).
#ifndef STUDIO_FRAME_H
#define STUDIO_FRAME_H

#include "shot.h"

/// What a page has.
typedef struct Framer Framer;

Framer* framer_create(void); ///< NULL without memory
void framer_destroy(Framer* framer);

/// Packs what has changed since the shot before. The bytes belong to the framer until the next one;
/// NULL without memory.
const void* framer_pack(Framer* framer, const Shot* shot, uint32_t number, size_t* size);

#endif
