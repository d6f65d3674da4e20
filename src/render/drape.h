// SPDX-License-Identifier: MIT
/// The colours of the ground, without light on them: by height, steepness and what water did, by
/// material or by slope, with overlays.
#ifndef DRAPE_H
#define DRAPE_H

#include "land.h"
#include "palette.h"

/// What counts as much of something in this land. Like in the preview, from high quantiles, so that
/// a sandbox and a mountain range both show their rivers.
typedef struct Scale {
    float lowest, relief; ///< of the terrain, without the extremes [m]
    float steep;          ///< one slope in ten is steeper than this
    float water;          ///< depth of half-opaque water [m]
    float lake;           ///< depth of half-deep blue [m]
    float sediment;       ///< amount that hides half of the water's own colour [m]
    float deposit, wear;  ///< thickness of half-opaque ones [m]
    float flow;           ///< discharge of a large river [m2/s]
} Scale;

typedef struct Drape {
    Scale scale;
    const GullyPalette* palette;
    unsigned char (*bytes)[4]; ///< of each cell: square roots of the light's share, 0..255
} Drape;

/// False, with a message, if there is no memory.
bool drape_create(const Land* land, const GullyPalette* palette, unsigned overlays, Pool* pool,
                  Drape* out);
void drape_destroy(Drape* drape);

Rgb drape_color(const Land* land, const Drape* drape, Place place);

/// A layer's opacity by its thickness over the one at which it is half: steeper with the power.
float drape_opacity(float thickness, float half, int power);

/// Smooth noise of mean 0, mostly within -1..1, with features of size 1.
float drape_noise(double x, double y);

/// The row of an overlay's bit: its colour.
Rgb overlay_color(GullyOverlay overlay);

#endif
