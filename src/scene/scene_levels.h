// SPDX-License-Identifier: MIT
/// The key `levels` of a scene: a section of the settings, whose map is a raster.
#ifndef SCENE_LEVELS_H
#define SCENE_LEVELS_H

#include "gully/sim.h"
#include "scene_view.h"

/// Reads the section, of the scene or of a phase.
GullyStatus scene_levels_read(const SceneView* view, const json_t* object, GullySettings* settings);

/// Gives the world the map of levels that the scene names, if it names one.
GullyStatus scene_levels_make(const SceneView* view, const char* folder, GullyWorld* world);

#endif
