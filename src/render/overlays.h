// SPDX-License-Identifier: MIT
/// The overlays: what is painted over the ground, as a table.
#ifndef OVERLAYS_H
#define OVERLAYS_H

#include "drape.h"

/// The ground of a cell with the overlays that were asked for. `steepness` is its slope.
Rgb overlays_paint(const Land* land, const Scale* scale, unsigned overlays, size_t k,
                   float steepness, Rgb ground);

/// The colour of the materials of a cell as seen from above.
Rgb material_color(const GullyScenery* scenery, size_t k);

#endif
