// SPDX-License-Identifier: MIT
/// A start on coarser grids: the first model of a run does its phases on grids 8, 4 and 2 times coarser
/// first, and each result is the start of the next.
#ifndef SCENE_COARSE_H
#define SCENE_COARSE_H

#include "gully/scene.h"

/// Makes a world, which has nothing but what the scene puts there, that start.
GullyStatus scene_coarse_start(const GullyScene* scene, GullyWorld* world, int threads);

#endif
