// Shapes of terrain: a height without a scale at a point of the plane.
#ifndef GULLY_SHAPES_H
#define GULLY_SHAPES_H

#include "noise.h"

// x to the east, y to the south, in units of the size of the largest features.
typedef double Shape(const Fractal* fractal, double x, double y);

Shape shape_mountains;

#endif
