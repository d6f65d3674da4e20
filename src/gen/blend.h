// SPDX-License-Identifier: MIT
// The blends of gully/generate.h, for all that put one height onto another.
#ifndef BLEND_H
#define BLEND_H

// The whole change that a layer makes of what is below it: f - b.
double blend_change(int blend, double below, double layer);

#endif
