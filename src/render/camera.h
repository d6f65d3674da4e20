// SPDX-License-Identifier: MIT
/// Where one looks from.
#ifndef CAMERA_H
#define CAMERA_H

#include "land.h"

typedef struct Camera {
    Vec at;                 ///< [m]
    Vec forward, right, up; ///< unit vectors
    double wide, high;      ///< tangents of half the view
    double distance;        ///< to what it looks at [m]
} Camera;

/// Looks at the middle of the land; at distance 1 its block fits the picture.
Camera camera_create(const Land* land, const GullyRenderDef* def);

/// Direction to a point of the picture, from -1 to 1, right and down.
Vec camera_direction(const Camera* camera, double x, double y);

#endif
