// SPDX-License-Identifier: MIT
/// The colours of kinds of land, as a table: what grows where, what rock and water are like.
#ifndef PALETTE_H
#define PALETTE_H

#include "gully/render.h"
#include "vector.h"

/// Colour of plants and soil at a height.
Rgb palette_belt(const GullyPalette* palette, float height);

/// Colour of the layer of rock at a height; `thin` (-1..1) is a layer within it.
Rgb palette_stratum(const GullyPalette* palette, float height, float thin);

#endif
