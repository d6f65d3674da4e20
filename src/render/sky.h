// SPDX-License-Identifier: MIT
/// The light of the day: the sun, the sky around it, and the air in between.
#ifndef SKY_H
#define SKY_H

#include "vector.h"

typedef struct Sky {
    Vec sun;      ///< direction to it
    Rgb sunlight; ///< on what faces it
    Rgb skylight; ///< on what the whole sky reaches
    Rgb horizon, zenith;
    double haze;  ///< per metre
    double clear; ///< distance up to which there is none [m]
} Sky;

/// Without haze.
Sky sky_create(double azimuth, double elevation);

/// What one sees in a direction above the horizon.
Rgb sky_color(const Sky* sky, Vec direction);

/// Light from so far away, as it arrives.
Rgb sky_through_air(const Sky* sky, Vec direction, double distance, Rgb color);

/// From light to a share of white, 0..1 (a filmic curve, after Narkowicz 2015).
Rgb sky_expose(Rgb light);

#endif
