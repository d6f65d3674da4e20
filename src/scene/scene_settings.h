// SPDX-License-Identifier: MIT
/// The part of a scene that may change from phase to phase: parameters, rain, sources, sides,
/// cycle, dt.
#ifndef SCENE_SETTINGS_H
#define SCENE_SETTINGS_H

#include "gully/sim.h"
#include "scene_view.h"

/// Makes settings of the view's values.
GullyStatus scene_settings_read(const SceneView* view, const char* model, GullySettings** out);

/// Adds the scene's keys that belong to settings: what a phase may set.
void scene_settings_names(const GullySettings* settings, SceneNames* names);

/// Refuses a dt beyond the stable limit on cells of that size [m], unless that is allowed.
GullyStatus scene_settings_check_dt(const SceneView* view, GullySettings* settings, double cell_x,
                                    double cell_y);

#endif
